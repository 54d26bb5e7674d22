//! Tests of the static part of the HTML page; the browser test covers the script.

use super::runs::*;
use judge_core::verdict::Verdict;

#[test]
fn html_page_shows_results_details_charts_and_measurement() {
    let page = page(&fixed());
    for part in [
        "default-src 'none'; style-src 'sha256-",
        "<time datetime=\"2023-11-14T22:13:20.250+00:00\">2023-11-14 22:13:20 UTC</time>",
        "Example 3000, 4 cores, 2 cases at once, Linux 6.1 x86_64",
        "CPU time: cgroup-v2",
        "seccomp absent",
        "<td class=WA>WA 20 ms<td",
        "error: &#39;x&#39; was not declared",
        "Wrong answer on secret/2",
        "row 4, column 3 should be 2; row 4 contains 3 twice",
        "<td class=\"wrong right \"><mark>3</mark></td>",
        "<span class=\"n\">1</span><mark>6</mark>",
        "print(5) # &lt;wrong&gt;",
        "limit 1.000 s",
    ] {
        let plain = part.replace("&#39;", "'");
        assert!(
            page.contains(part) || page.contains(&plain),
            "{part} is not in {page}"
        );
    }
    // The page loads nothing, and has no attribute that its content security policy forbids.
    for banned in ["http://", "https://", " style=", "onclick", "<img", "<link"] {
        assert!(!page.contains(banned), "{banned}");
    }
}

#[test]
fn html_page_of_ten_thousand_results_is_small() {
    for (submissions, cases) in [(20, 500), (1, 10_000)] {
        let size = page(&large(submissions, cases)).len();
        assert!(size < 1_000_000, "{submissions} x {cases}: {size} bytes");
    }
}

#[test]
fn html_page_contains_findings_compile_errors_and_unfinished_submissions() {
    let page = page(&interrupted());
    for part in [
        "data/secret/1.in:3",
        "a &lt;finding&gt; in problem.yaml",
        "help: correct it",
        "broken.cpp:1:1: error: what?",
        "interrupted",
        "line 1",
    ] {
        assert!(page.contains(part), "{part} is not in {page}");
    }
}

#[test]
fn html_page_escapes_output_of_programs() {
    let nasty = "<script>x</script>";
    let mut events = events();
    events.splice(
        2..8,
        [
            case("sums", "sample/1", Verdict::WrongAnswer, 0.1, nasty),
            finished("sums", Verdict::WrongAnswer, 0.1),
        ],
    );
    let page = page(&events);
    assert!(page.contains("&lt;script&gt;"));
    assert!(!page.contains("<script>x"));
}

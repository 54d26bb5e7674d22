//! Pages: no inline script or style, names of static files that follow their content, accessible parts.

use judge_core::verdict::Verdict;
use judge_server::contest_api::Time;
use judge_server::layout::*;
use maud::{Markup, html};

fn sample() -> String {
    let now = Time::from_millis(1_400_000_000_000);
    let later = Time::from_millis(1_400_003_600_000);
    let cell = |text: &str| html! { (text) };
    let row: Vec<Markup> = vec![cell("1"), verdict(Some(Verdict::WrongAnswer)), time(now)];
    let body = html! {
        h1 { "Submissions" }
        p { (clock(now, later, now)) }
        (table("Submissions", &["Number", "Verdict", "Time"], &[row]))
        (copyable("sample-1", "input of sample 1", "\n<1>"))
        form method="post" {
            (field(&Field { name: "login", label: "Name", kind: "text", value: "a\"b", error: Some("unknown name"), required: true }))
            (field(&Field { name: "password", label: "Password", kind: "password", value: "secret", error: None, required: true }))
            (field(&Field { name: "source", label: "Source", kind: "textarea", value: "</textarea>", error: None, required: false }))
            button.primary { "Send" }
        }
        (pagination(2, 3, |page| format!("?page={page}")))
    };
    let links = [Link {
        text: "Problems",
        href: "/problems",
        current: true,
    }];
    let user = User {
        name: "<team>",
        csrf_token: "token",
    };
    page("A & B", &links, Some(user), &body).into_string()
}

#[test]
fn pages_satisfy_the_content_security_policy() {
    let page = sample();
    assert!(
        !page.contains("<style") && !page.contains(" style=") && !page.contains(" on"),
        "{page}"
    );
    assert_eq!(page.matches("<script").count(), 1);
    assert!(page.contains(&format!("<script src=\"{}\" defer></script>", SCRIPT.path)));
}

#[test]
fn texts_are_escaped() {
    let page = sample();
    for text in [
        "<title>A &amp; B</title>",
        "&lt;team&gt;",
        "a&quot;b",
        "&lt;/textarea&gt;",
        "\n\n&lt;1&gt;",
    ] {
        assert!(page.contains(text), "no {text} in {page}");
    }
    assert!(!page.contains("secret"));
}

#[test]
fn errors_are_connected_to_their_fields() {
    let page = sample();
    assert!(
        page.contains("aria-invalid=\"true\" aria-describedby=\"login-error\""),
        "{page}"
    );
    assert!(page.contains("id=\"login-error\""));
    assert_eq!(page.matches("aria-invalid").count(), 1);
}

#[test]
fn parts_without_script_have_their_text() {
    let page = sample();
    for text in [
        "2014-05-13 16:53:20 UTC",
        "left: 1:00:00",
        "title=\"wrong answer\">WA</abbr>",
        "?page=1",
        "?page=3",
        "Page 2 of 3",
    ] {
        assert!(page.contains(text), "no {text} in {page}");
    }
    assert!(verdict(None).into_string().contains("judging"));
    assert_eq!(pagination(1, 1, |_| String::new()).into_string(), "");
}

#[test]
fn static_files_are_found_by_the_hash_of_their_content() {
    for path in [&STYLE.path, &SCRIPT.path, &EDITOR.path] {
        let found = asset(path).unwrap();
        assert!(!found.content.is_empty() && found.mime.starts_with("text/"));
        let hash = path.split('.').nth(1).unwrap();
        assert_eq!(hash.len(), 16);
        assert!(asset(&path.replace(hash, "0000000000000000")).is_none());
    }
}

#[test]
fn a_long_navigation_has_a_menu_where_the_page_is_narrow() {
    let link = |text| Link {
        text,
        href: "/x",
        current: false,
    };
    let links = ["A", "B", "C", "D", "E"].map(link);
    let page = |links: &[Link<'_>]| page("Title", links, None, &html! {}).into_string();
    let long = page(&links);
    assert!(
        long.contains("popovertarget=\"links\"") && long.contains("id=\"links\" popover>"),
        "{long}"
    );
    assert!(!page(&links[..4]).contains("popover"));
}

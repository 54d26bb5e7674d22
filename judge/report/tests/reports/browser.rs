//! Tests of the HTML report in a real browser.
//!
//! Without Chromium the test is skipped, unless the variable `CI` is set. `JUDGE_SCREENSHOTS=DIR`
//! keeps the pages and screenshots; `AXE_CORE=FILE`, the path of `axe.min.js`, also checks the
//! accessibility rules of axe-core.

#[path = "../../../tests/common/browser.rs"]
#[allow(dead_code)] // The tests of the server use all of it.
mod chromium;

use super::runs::{fixed, large, page};
use chromium::Browser;
use serde_json::json;
use std::path::PathBuf;

#[test]
fn the_page_sorts_filters_and_fits_a_phone_screen() {
    let dir = tempfile::tempdir().expect("make a temporary directory");
    let Some(mut browser) = Browser::start(dir.path()) else {
        return;
    };
    let kept = std::env::var_os("JUDGE_SCREENSHOTS").map(PathBuf::from);
    let place = kept.as_deref().unwrap_or(dir.path());
    let [small, big, long] =
        ["small", "big", "long"].map(|name| place.join(format!("{name}.html")));
    std::fs::write(&small, page(&fixed())).expect("write the page");
    std::fs::write(&big, page(&large(20, 500))).expect("write the page");
    std::fs::write(&long, page(&large(1, 10_000))).expect("write the page");

    let address = |path: &PathBuf| format!("file://{}", path.display());
    browser.resize(1280);
    browser.open(&address(&small));
    browser.screenshot("desktop");
    // The second click sorts in descending order.
    let names = "[...document.querySelectorAll('.submissions tbody tr:not([hidden])')]\
                 .map(row => row.cells[0].textContent)";
    browser.value("document.querySelector('.submissions th:nth-child(7) button').click()");
    assert_eq!(browser.value(names)[0], "accepted/crash.rs");
    browser.value("document.querySelector('.submissions th:nth-child(7) button').click()");
    assert_eq!(
        browser.value("document.querySelector('.submissions th:nth-child(7)').ariaSort"),
        "descending"
    );
    // Filters hide submissions and cases.
    let filter = "form.verdict.value = 'TLE'; \
                  form.submission.value = 'slow'; form.dispatchEvent(new Event('input'))";
    browser.value(filter);
    assert_eq!(browser.value(names), json!(["time_limit/slow.rs"]));
    let cases = "[...document.querySelectorAll('.matrix tbody tr:not([hidden])')]\
                 .map(row => row.cells[0].textContent)";
    assert_eq!(browser.value(cases), json!(["secret/1"]));
    assert_eq!(
        browser.value("form.querySelector('output').textContent"),
        "1 of 6 cases shown"
    );
    // A link opens the details of a submission.
    browser.value("document.querySelector('.submissions tr:not([hidden]) a').click()");
    let open = "document.querySelector('details.submission:target').open";
    assert_eq!(browser.value(open), true);

    // On a phone only tables scroll sideways, and their first column stays.
    browser.resize(390);
    browser.open(&address(&small));
    browser.screenshot("phone");
    assert_eq!(browser.overflow(), 0);
    assert_eq!(browser.violations(), json!([]));
    browser.value("document.querySelector('.matrix').parentElement.scrollLeft = 200");
    let first = "document.querySelector('.matrix tbody th').getBoundingClientRect().left \
                 - document.querySelector('.matrix').parentElement.getBoundingClientRect().left";
    let left = browser.value(first).as_f64().expect("a number");
    assert!(left.abs() < 3.0, "{left}");

    browser.resize(1280);
    for (name, path, rows) in [("big", &big, 500), ("long", &long, 10_000)] {
        browser.open(&address(path));
        let counts = "[document.querySelectorAll('.matrix tbody td').length, \
                      document.querySelectorAll('.matrix tbody tr').length]";
        assert_eq!(browser.value(counts), json!([10_000, rows]));
        // Cells fit into the columns of fixed width.
        let cut = "[...document.querySelectorAll('.matrix td')].slice(0, 40)\
                   .filter(cell => cell.scrollWidth > cell.clientWidth).length";
        assert_eq!(browser.value(cut), 0);
        finds_sorts_and_filters(&mut browser, rows);
        let took = "performance.getEntriesByType('navigation')[0].loadEventEnd";
        println!("{name}: 10,000 results open in {} ms", browser.value(took));
        browser.screenshot(name);
    }
    browser.set_dark(true);
    browser.open(&address(&small));
    browser.value("document.querySelectorAll('details').forEach(d => { d.open = true })");
    browser.screenshot("dark");
    assert_eq!(browser.violations(), json!([]));
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

/// Rows that are not rendered yet can be found, sorted, filtered and read by a screen reader.
fn finds_sorts_and_filters(browser: &mut Browser, rows: usize) {
    let last = rows - 1;
    let find = format!("window.find('secret/{last:03}-random')");
    assert_eq!(browser.value(&find), true);

    // The browser lays out the remaining rows while it is idle, so that a screen reader finds them.
    browser.wait_for("later.length === 0");
    if rows == 500 {
        has_all_roles(browser, rows);
    }

    let first = "document.querySelector('.matrix tbody tr:not([hidden]) th').textContent";
    browser.value("document.querySelector('.matrix th button').click()");
    assert_eq!(browser.value(first), "secret/000-random");
    browser.value("document.querySelector('.matrix th button').click()");
    assert_eq!(browser.value(first), format!("secret/{last:03}-random"));
    let sizes = "new Set([...document.querySelectorAll('.matrix tbody')]\
                 .map(body => body.rows.length)).size";
    assert_eq!(browser.value(sizes), 1);

    browser.value("form.verdict.value = '-AC'; form.dispatchEvent(new Event('input'))");
    let shown = browser.value("form.querySelector('output').textContent");
    let hidden = "[...document.querySelectorAll('.matrix tbody')].every(body => \
                  body.hidden === [...body.rows].every(row => row.hidden))";
    assert_eq!(browser.value(hidden), true, "{shown}");
    browser.value("form.verdict.value = ''; form.dispatchEvent(new Event('input'))");
    let all = format!("{rows} of {rows} cases shown");
    assert_eq!(
        browser.value("form.querySelector('output').textContent"),
        all
    );
}

/// Every cell is in the accessibility tree.
fn has_all_roles(browser: &mut Browser, rows: usize) {
    let tree = browser.call("Accessibility.getFullAXTree", &json!({}));
    browser.call("Accessibility.disable", &json!({}));
    let of_role = |role: &str| {
        let nodes = tree["nodes"].as_array().expect("a tree").iter();
        nodes.filter(|node| node["role"]["value"] == role).count()
    };
    // The table of submissions has some more.
    assert!(of_role("rowheader") >= rows, "{}", of_role("rowheader"));
    let cells = of_role("cell") + of_role("gridcell");
    assert!(cells >= 10_000, "{cells}");
}

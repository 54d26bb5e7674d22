//! The table of the ICPC's requirements in docs/ccs.md names tests that exist.

use std::fs;
use std::path::Path;

/// The requirement and the state of each row.
fn rows(text: &str) -> Vec<(&str, &str)> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("| "));
    let rows = lines.filter_map(|line| line.strip_suffix(" |")?.split_once(" | "));
    rows.filter(|(name, _)| *name != "requirement").collect()
}

/// The tests that a text names: file and function of each.
fn tests(text: &str) -> Vec<(&str, &str)> {
    let quoted = text.split('`').skip(1).step_by(2);
    quoted.filter_map(|own| own.split_once(": ")).collect()
}

/// The Makefile prints the guides of the table, each of which is a page.
#[test]
fn make_guides_prints_all_guides() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |file: &str| fs::read_to_string(root.join(file)).expect("a file");
    let makefile = read("Makefile");
    let mut lines = makefile.lines();
    let printed = lines.find_map(|line| line.strip_prefix("GUIDES = "));
    let printed: Vec<&str> = printed.expect("the guides").split(' ').collect();
    let text = read("docs/ccs.md");
    let guides = rows(&text)
        .into_iter()
        .filter(|(_, state)| state.contains("`make guides`"));
    let links = guides.flat_map(|(_, state)| state.split("](").skip(1));
    let mut pages: Vec<&str> = links.filter_map(|link| link.split(".md)").next()).collect();
    pages.sort_unstable();
    pages.dedup();
    assert!(pages.len() > 4, "{pages:?}");
    for page in pages {
        assert!(
            printed.contains(&page),
            "`make guides` does not print {page}"
        );
        assert!(root.join(format!("docs/{page}.md")).exists(), "{page}");
    }
}

#[test]
fn every_requirement_has_a_test_or_says_what_is_missing() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = fs::read_to_string(root.join("docs/ccs.md")).expect("the table");
    let rows = rows(&text);
    assert!(rows.len() > 70, "{}", rows.len());
    for (requirement, state) in rows {
        let tests = tests(state);
        let is_open = state.starts_with("missing") || state.starts_with("operation");
        assert!(is_open || !tests.is_empty(), "{requirement}: {state}");
        for (file, test) in tests {
            let short = root.join("judge/server/tests/server").join(file);
            let path = if short.exists() {
                short
            } else {
                root.join(file)
            };
            let source = fs::read_to_string(&path);
            let source = source.unwrap_or_else(|e| panic!("{requirement}: {file}: {e}"));
            assert!(
                source.contains(&format!("fn {test}(")),
                "{requirement}: {file} has no test {test}"
            );
        }
    }
}

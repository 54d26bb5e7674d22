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

#[test]
fn every_requirement_has_a_test_or_says_what_is_missing() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = fs::read_to_string(root.join("docs/ccs.md")).expect("the table");
    let rows = rows(&text);
    assert!(rows.len() > 70, "{}", rows.len());
    for (requirement, state) in rows {
        let tests = tests(state);
        let is_open = state.starts_with("missing") || state.starts_with("operation");
        assert!(is_open || tests.len() == 1, "{requirement}: {state}");
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

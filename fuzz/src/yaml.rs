//! Fuzzes the YAML reader: any text is read, or rejected with a position in it, and a parsed value
//! can be written and read again.

use judge::fuzzing::{read_generators, read_yaml};

/// Reads the text twice.
///
/// # Panics
///
/// If an error has no position in the text, or the second result differs.
pub fn check(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else {
        return;
    };
    match read_yaml(text) {
        // Null is written as an empty text, which is read as an empty map.
        Ok(first) if first.tree.is_null() => {}
        Ok(first) => {
            let second = read_yaml(&first.text)
                .unwrap_or_else(|e| panic!("{e}: written as {:?}", first.text));
            assert_eq!(first.tree, second.tree, "written as {:?}", first.text);
        }
        Err(error) => place_is_in(text, error.position),
    }
}

/// Reads the text as a `generators.yaml`.
///
/// # Panics
///
/// If an error has no position in the text, or a case would be written outside of `data/` or twice.
pub fn check_generators(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else {
        return;
    };
    match read_generators(text) {
        Ok(mut cases) => {
            for case in &cases {
                let parts: Vec<&str> = case.split('/').collect();
                let stays = parts.len() > 1 && parts.iter().all(|p| !["", ".", ".."].contains(p));
                assert!(stays, "{case}");
            }
            let made = cases.len();
            cases.sort();
            cases.dedup();
            assert_eq!(made, cases.len());
        }
        Err(error) => place_is_in(text, error.position),
    }
}

fn place_is_in(text: &str, position: Option<(usize, usize)>) {
    let (line, column) = position.expect("a place");
    // YAML also ends lines with a single carriage return.
    let lines = text.matches(['\n', '\r']).count() + 1;
    assert!((1..=lines + 1).contains(&line), "line {line} of {lines}");
    assert!((1..=text.chars().count() + 2).contains(&column));
}

//! Tests of the position and text of a reported difference.

use judge_core::checker::{Flags, default, exact, locate};

fn described(flags: &str, answer: &str, output: impl AsRef<[u8]>) -> String {
    let args: Vec<&str> = flags.split_whitespace().collect();
    let flags = Flags::parse(&args).expect("parse the flags");
    let (answer, output) = (answer.as_bytes(), output.as_ref());
    let mismatch = default::compare(output, answer, &flags)
        .unwrap()
        .expect("they differ");
    locate(output, answer, &mismatch).unwrap().to_string()
}

#[test]
fn token_differences_have_a_position() {
    #[rustfmt::skip]
    let table = [
        ("", "1 2\n3 four\n", "1 2\n\n3 for\n", r#"line 3, column 5 (row 2, column 2): expected "four", found "for""#),
        ("", "yes\n", "no\n", r#"line 1, column 1: expected "yes", found "no""#),
        ("", "a b\n", "a\n", "line 2, column 1 (…"),
        ("", "a\n", "", r#"line 1, column 1: expected "a", found the end"#),
        ("", "a\n", "a\n  b\n", r#"line 2, column 3: expected the end, found "b""#),
        ("", "a\n", "a\0\u{1b}[31m\n", r#"line 1, column 2: expected "a", found "a\x00\x1b[31m""#),
        ("", "1\n", "\u{feff}1\n", r#"line 1, column 1: expected "1", found "\u{feff}1"; the output begins with a byte order mark"#),
        ("", "\u{feff}1\n", "1\n", r#"line 1, column 1: expected "\u{feff}1", found "1"; the answer begins with a byte order mark"#),
        ("", "0.333333333333\n", "0.33333333\n", r#"line 1, column 11: expected "0.333333333333", found "0.33333333"; as numbers off by 3.333e-9, relative 9.999e-9"#),
        ("", "1.5e3 x\n", "1500 x\n", r#"line 1, column 2: expected "1.5e3", found "1500"; as numbers off by 0.000e0, relative 0.000e0"#),
        ("", "2.5\n", "3.5\n", r#"line 1, column 1: expected "2.5", found "3.5""#),
        ("", "1000000\n", "1000001\n", r#"line 1, column 7: expected "1000000", found "1000001""#),
        ("space_change_sensitive", "a b\n", "a  b\n", r#"line 1, column 3: expected "b", found " ""#),
        ("space_change_sensitive", "a\nb\n", "a\r\nb\n", r#"line 1, column 2: expected "\n", found "\r\n""#),
        ("space_change_sensitive", "a\n\nb\n", "a\nb\n", r#"line 2, column 1: expected "\n", found "b""#),
        ("space_change_sensitive", "a\n", "a", r#"line 1, column 2: expected "\n", found the end"#),
        ("float_tolerance 1e-6", "1 2.5\n", "1 2.75\n", r#"line 1, column 3: expected "2.5", found "2.75"; off by 2.500e-1, relative 1.000e-1"#),
        ("float_tolerance 1e-6", "0\n", "1\n", r#"line 1, column 1: expected "0", found "1"; off by 1.000e0"#),
        ("float_tolerance 1e-6", "2.5\n", "two\n", r#"line 1, column 1: expected "2.5", found "two""#),
    ];
    for (flags, answer, output, expected) in table {
        if let Some(start) = expected.strip_suffix('…') {
            let described = described(flags, answer, output);
            assert!(
                !described.starts_with(start),
                "a single line is not a grid: {described}"
            );
            continue;
        }
        assert_eq!(
            described(flags, answer, output),
            expected,
            "{answer:?} {output:?}"
        );
    }
}

#[test]
fn grid_differences_name_row_and_column() {
    let characters = "123\n456\n789\n";
    assert_eq!(
        described("", characters, "123\n466\n789\n"),
        r#"line 2, column 2 (row 2, column 2): expected "456", found "466""#
    );
    let tokens = "1 22 3\n4 5 6\n\n7 8 9\n10 11 12\n";
    assert_eq!(
        described("", tokens, "1 22 3\n4 5 6\n\n\n7 8 9\n10 13 12\n"),
        r#"line 6, column 5 (grid 2, row 2, column 2): expected "11", found "13""#
    );
    let lines = format!("{}\n{}\n", "1".repeat(81), "2".repeat(81));
    let wrong = lines.replacen("2222222222", "2222222223", 1);
    assert_eq!(
        described("", &lines, wrong),
        r#"line 2, column 10 (grid 2, row 2, column 1): expected "2222222222222222222222222222222222222…", found "2222222223222222222222222222222222222…""#
    );
    // Lines of different lengths do not form a grid.
    assert!(!described("", "ab\nc\n", "ab\nd\n").contains("row"));
}

#[test]
fn long_tokens_are_cut_around_the_difference() {
    let answer = format!("{}x{}", "a".repeat(1_000_000), "b".repeat(1_000_000));
    let output = answer.replace('x', "y");
    assert_eq!(
        described("", &answer, output),
        r#"line 1, column 1000001: expected "…aaaaaaaaaaaaxbbbbbbbbbbbbbbbbbbbbbbbbbbb…", found "…aaaaaaaaaaaaybbbbbbbbbbbbbbbbbbbbbbbbbbb…""#
    );
}

#[test]
fn exact_differences_have_a_position() {
    let mismatch = exact::compare(&b"a\nb \n"[..], &b"a\nb\n"[..])
        .unwrap()
        .expect("they differ");
    assert_eq!(
        locate(&b"a\nb \n"[..], &b"a\nb\n"[..], &mismatch)
            .unwrap()
            .to_string(),
        r#"line 2, column 2: expected "\n", found " \n""#
    );
}

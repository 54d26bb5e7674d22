//! Tests of the built-in comparisons of other judges.

use judge_core::checker::{Judgement, Score, builtin};
use judge_package::{BuiltinChecker, FloatMode};

fn accepts(checker: BuiltinChecker, answer: &str, output: &str) -> bool {
    builtin::check(output.as_bytes(), answer.as_bytes(), checker)
        .expect("read from a slice")
        .is_accepted()
}

fn check(checker: BuiltinChecker, table: &[(&str, &str, bool)]) {
    for &(answer, output, expected) in table {
        assert_eq!(
            accepts(checker, answer, output),
            expected,
            "{checker:?} {answer:?} {output:?}"
        );
    }
}

#[test]
fn standard_comparison_compares_tokens_per_line() {
    #[rustfmt::skip]
    check(BuiltinChecker::Standard, &[
        ("a b\nc\n", "a b\nc\n", true), ("a b\nc\n", "\n  a \t b  \r\n\n\nc", true), ("", " \n", true),
        ("a b\nc\n", "a\nb c\n", false), ("a b\n", "a B\n", false), ("a b\n", "a\n", false),
        ("a\n", "a b\n", false), ("ab\n", "a b\n", false), ("a", "", false), ("a b", "a\rb", false),
    ]);
}

#[test]
fn line_comparison_ignores_trailing_white_space() {
    #[rustfmt::skip]
    check(BuiltinChecker::RStripped, &[
        ("a b\nc\n", "a b\nc\n", true), ("a b\nc\n", "a b  \r\nc", true), ("a\n", "a\n\n \n", true),
        ("a\n\nb\n", "a\n \nb\n", true), ("a\n\nb\n", "a\nb\n", false), ("a b\n", "a  b\n", false),
        ("a b\n", "a\tb\n", false), ("a\n", " a\n", false), ("  a\n", "  a", true), ("\na\n", "a\n", false),
        ("a\n", "A\n", false), ("a\n  b\n", "a\n b\n", false), ("a\n  b\n", "a \n  b\n", true), ("", "\n\n", true),
    ]);
}

#[test]
fn line_comparisons_of_hydro() {
    #[rustfmt::skip]
    check(BuiltinChecker::HydroLines { strict: true }, &[
        ("a\nb\n", "a\r\nb\r\n", true), ("a\n", "a", true), ("a", "a\n", true), ("a\n", "a\n\n", false),
        ("a\n", "a \n", false), ("a\rb", "a\rb", true), ("ab", "a\rb", false), ("a\n", "a\r", true),
        ("", "\n", false), ("", "", true),
    ]);
    #[rustfmt::skip]
    check(BuiltinChecker::HydroLines { strict: false }, &[
        ("a\nb\n", "a \t\r\nb\n\n\r\n", true), ("a\n\nb\n", "a\n \nb", true), ("a\n\nb\n", "a\nb\n", false),
        ("a\n", "a\n \n", false), ("a\n", " a\n", false), ("a\n", "a\x0b\n", false), ("", "\n\n", true),
    ]);
}

#[test]
fn number_comparison_uses_the_tolerance() {
    let floats = |tolerance, mode| BuiltinChecker::Floats { tolerance, mode };
    #[rustfmt::skip]
    check(floats(1e-3, FloatMode::Either), &[
        ("x 1.5\n2\n", "x 1.5004\n2.0\n", true), ("x 1.5\n", "X 1.5\n", false), ("1000\n", "1000.9\n", true),
        ("1000\n", "1001.1\n", false), ("1 2\n", "1\n2\n", false), ("1\n", "one\n", false), ("one\n", "1\n", false),
        ("inf\n", "inf\n", false), ("nan\n", "nan\n", false), ("1\n", "nan\n", false), ("1\n\n2\n", "1\n2\n", true),
    ]);
    check(
        floats(1e-3, FloatMode::Absolute),
        &[("1000\n", "1000.9\n", false), ("0\n", "0.001\n", true)],
    );
    check(
        floats(1e-3, FloatMode::Relative),
        &[
            ("1000\n", "1000.9\n", true),
            ("0\n", "0.001\n", false),
            ("inf\n", "inf\n", true),
        ],
    );
}

#[test]
fn identical_comparison_is_byte_exact() {
    let judged = |presentation, output: &str| {
        let checker = BuiltinChecker::Identical { presentation };
        builtin::check(output.as_bytes(), &b"a b\n"[..], checker)
            .unwrap()
            .judgement
    };
    assert_eq!(judged(true, "a b\n"), Judgement::Accepted);
    assert_eq!(judged(true, "a  b\n"), Judgement::PresentationError);
    assert_eq!(judged(true, "a c\n"), Judgement::Rejected);
    assert_eq!(judged(false, "a  b\n"), Judgement::Rejected);
}

#[test]
fn unordered_comparison_ignores_the_order() {
    check(
        BuiltinChecker::Easy,
        &[
            ("Abc\n", "c B\na", true),
            ("abc", "abd", false),
            ("a", "aa", false),
        ],
    );
    #[rustfmt::skip]
    check(BuiltinChecker::Sorted { lines: true }, &[
        ("a b\nc\n", "c\n\n a  b\n", true), ("a b\nc\n", "c\nb a\n", false), ("a\na\nb\n", "a\nb\nb\n", false),
        ("a\n", "a\na\n", false), ("", "\n", true), ("ab c\n", "a bc\n", false), ("a b\r\nc", "c\r\na b", true),
    ]);
    for checker in [
        BuiltinChecker::Sorted { lines: false },
        BuiltinChecker::Unordered,
    ] {
        check(
            checker,
            &[
                ("a b\nc\n", "c b a", true),
                ("a a b", "a b b", false),
                ("a", "A", false),
            ],
        );
    }
}

#[test]
fn each_correct_line_scores_points() {
    let judged = |output: &str| {
        let outcome = builtin::check(
            output.as_bytes(),
            &b"1\n2\n3\n4\n"[..],
            BuiltinChecker::Linecount,
        )
        .unwrap();
        (outcome.judgement, outcome.score)
    };
    assert_eq!(judged("1\n\n 2 \n3\n4"), (Judgement::Accepted, None));
    assert_eq!(
        judged("1\n2\n0\n4\n"),
        (Judgement::Rejected, Some(Score::Multiplier(0.75)))
    );
    assert_eq!(
        judged("1\n"),
        (Judgement::Rejected, Some(Score::Multiplier(0.25)))
    );
    assert_eq!(judged("1\n2\n3\n4\n5\n"), (Judgement::Rejected, None));
}

#[test]
fn texts_longer_than_a_buffer_are_compared() {
    let answer: String = (0..60_000)
        .map(|i| format!("token{i} {}\n", i % 97))
        .collect();
    let crlf = answer.replace('\n', " \r\n");
    let shuffled: String = answer
        .lines()
        .rev()
        .map(|line| format!("{line}\n"))
        .collect();
    let wrong = answer.replace("token59999", "token5999x");
    for checker in [
        BuiltinChecker::Standard,
        BuiltinChecker::RStripped,
        BuiltinChecker::HydroLines { strict: false },
        BuiltinChecker::EveryLine { blank: false },
    ] {
        check(
            checker,
            &[
                (&answer, &crlf, true),
                (&answer, &shuffled, false),
                (&answer, &wrong, false),
            ],
        );
    }
    check(
        BuiltinChecker::Sorted { lines: true },
        &[(&answer, &shuffled, true), (&answer, &wrong, false)],
    );
    check(
        BuiltinChecker::HydroLines { strict: true },
        &[
            (&answer, &answer.replace('\n', "\r\n"), true),
            (&answer, &wrong, false),
        ],
    );
}

#[test]
fn a_difference_only_in_white_space_is_reported() {
    let strict = BuiltinChecker::HydroLines { strict: true };
    for (checker, answer, output, alone) in [
        (strict, "1 2\n", "1 2\n\n", true),
        (strict, "1 2\n", "1  2 \n", true),
        (strict, "a\n", "A\n", false),
        (BuiltinChecker::RStripped, "1 2\n", "1\n2\n", true),
        (BuiltinChecker::RStripped, "1 2\n", "1 3\n", false),
        (
            BuiltinChecker::Identical {
                presentation: false,
            },
            "1\n",
            "1 \n",
            true,
        ),
    ] {
        let outcome = builtin::check(output.as_bytes(), answer.as_bytes(), checker).unwrap();
        assert!(!outcome.is_accepted(), "{checker:?} {output:?}");
        let message = outcome.message.unwrap();
        assert_eq!(
            message.contains("differs only in white space"),
            alone,
            "{message}"
        );
    }
}

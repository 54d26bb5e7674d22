//! Tests of the default validator's rules. Each row was also run with problemtools'
//! `default_validator` and DOMjudge's `compare`; where they differ, a comment says so, and the
//! specification of the format decides.

use judge_core::checker::{Flags, default, exact};

fn accepts(flags: &str, answer: &[u8], output: &[u8]) -> bool {
    let args: Vec<&str> = flags.split_whitespace().collect();
    let flags = Flags::parse(&args).expect("parse the flags");
    default::compare(output, answer, &flags)
        .expect("read from a slice")
        .is_none()
}

/// One test: flags, answer, output, and whether it is accepted.
type Row = (&'static str, &'static [u8], &'static [u8], bool);

fn check(table: &[Row]) {
    for &(flags, answer, output, expected) in table {
        assert_eq!(
            accepts(flags, answer, output),
            expected,
            "flags {flags:?}, answer {:?}, output {:?}",
            answer.escape_ascii().to_string(),
            output.escape_ascii().to_string()
        );
    }
}

#[test]
fn tokens_are_compared() {
    #[rustfmt::skip]
    check(&[
        ("", b"", b"", true),
        ("", b"", b" \n\t\x0b\x0c\r ", true),
        ("", b"", b"x", false),
        ("", b"x", b"", false),
        ("", b"x", b"\n \n", false),
        ("", b"a b\n", b"a b", true),
        ("", b"a b\n", b"\na\r\n\x0b\x0cb\t", true),
        ("", b"a b\n", b"ab\n", false),
        ("", b"ab\n", b"a b\n", false),
        ("", b"a b\n", b"a b c\n", false),
        ("", b"a b c\n", b"a b\n", false),
        ("", b"abc", b"abcd", false),
        ("", b"abcd", b"abc", false),
        ("", b"YES\n", b"yEs\n", true),
        ("case_sensitive", b"YES\n", b"yEs\n", false),
        ("case_sensitive", b"YES\n", b"  YES", true),
        // Only ASCII letters have a case; `@`, `[`, `` ` ``, `{` are 32 apart but not letters.
        ("", b"\xc3\xa9", b"\xc3\x89", false),
        ("", b"@[", b"`{", false),
        // White space is six bytes: not NEL, not a no-break space in Latin-1 or UTF-8, not NUL.
        ("", b"a b", b"a\x85b", false),
        ("", b"a b", b"a\xa0b", false),
        ("", b"a b", b"a\xc2\xa0b", false),
        ("", b"a b", b"a\0b", false),
        ("", b"a b", b"a\x1cb", false),
        // A byte order mark is not skipped on either side.
        ("", b"1\n", b"\xef\xbb\xbf1\n", false),
        ("", b"\xef\xbb\xbf1\n", b"\xef\xbb\xbf1\n", true),
        ("", b"1\r\n2\r\n", b"1\n2\n", true),
        // Without a tolerance numbers are text.
        ("", b"1", b"1.0", false),
        ("", b"0", b"-0", false),
        ("", b"1", b"01", false),
        ("", b"1", b"+1", false),
        ("", b"1e5", b"1E5", true),
        ("case_sensitive", b"1e5", b"1E5", false),
        // problemtools compares only up to the NUL; the specification and DOMjudge compare all
        // bytes.
        ("", b"a\0b", b"a\0c", false),
        ("", b"a\0b", b"a\0B", true),
    ]);
}

#[test]
fn space_change_sensitive_compares_white_space() {
    const S: &str = "space_change_sensitive";
    #[rustfmt::skip]
    check(&[
        (S, b"", b"", true),
        (S, b"", b"\n", false),
        (S, b"\n", b"", false),
        (S, b"a b\n", b"a b\n", true),
        (S, b"A b\n", b"a B\n", true),
        ("case_sensitive space_change_sensitive", b"A b\n", b"a b\n", false),
        (S, b"a b\n", b"a b", false),
        (S, b"a b", b"a b\n", false),
        (S, b"a b\n", b"a  b\n", false),
        (S, b"a b\n", b"a\tb\n", false),
        (S, b"a b\n", b" a b\n", false),
        (S, b" a b\n", b"a b\n", false),
        (S, b"a\n", b"a\r\n", false),
        (S, b"a\r\n", b"a\n", false),
        (S, b"a\n\nb\n", b"a\nb\n", false),
        (S, b"a\nb\n", b"a\n\nb\n", false),
        (S, b"a\n", b"a\n\n", false),
        (S, b"a\n", b"a \n", false),
        (S, b"ab\n", b"a b\n", false),
        ("space_change_sensitive float_tolerance 0.1", b"1.0 2\n", b"1.00 2.01\n", true),
        ("space_change_sensitive float_tolerance 0.1", b"1.0 2\n", b"1.00  2.01\n", false),
        ("space_change_sensitive float_tolerance 0.1", b"1.0\n", b"1.00", false),
        ("space_change_sensitive float_tolerance 0.1", b"1.0", b"1.00\n", false),
    ]);
}

#[test]
fn numbers_are_recognised() {
    const Z: &str = "float_tolerance 0";
    #[rustfmt::skip]
    check(&[
        (Z, b"1", b"1.0", true), (Z, b"1", b"1.", true), (Z, b"1", b"+1", true),
        (Z, b"1", b"001", true), (Z, b"1", b"1e0", true), (Z, b"1", b"10E-1", true),
        (Z, b"10", b"1e+1", true), (Z, b"100000", b"1.e5", true), (Z, b"0.5", b".5", true),
        (Z, b"0.5", b"+.5", true), (Z, b"-0.5", b"-.5", true), (Z, b"0", b"-0", true),
        (Z, b"-0", b"+0", true), (Z, b"0", b"0e99999999999999999999", true),
        (Z, b"1", b"1e0000000000000000000000000000000", true),
        // An exponent without digits: scanf consumes the whole token.
        (Z, b"1", b"1e", true), (Z, b"1e+", b"1", true),
        // Hexadecimal.
        (Z, b"16", b"0x10", true), (Z, b"0X1P3", b"8", true), (Z, b"0.5", b"0x.8", true),
        (Z, b"481", b"0x1e1", true), (Z, b"1", b"0x1p", true), (Z, b"0", b"0x.", true),
        (Z, b"0", b"0x", false), (Z, b"0", b"0xp1", false), (Z, b"0", b"0x.p1", false),
        // Not numbers.
        (Z, b"0", b".", false), (Z, b"0", b"-", false), (Z, b"0", b"-.", false),
        (Z, b"1", b"1f", false), (Z, b"1", b"1_0", false), (Z, b"1", b"1,0", false),
        (Z, b"1", b"--1", false), (Z, b"1.5", b"1.5.2", false), (Z, b"1", b"1e1x", false),
        (Z, b"1", b"1ex", false), (Z, b"1", b"one", false), (Z, b"1", b"\xef\xbb\xbf1", false),
        (Z, b"1", b"1\xa0", false), (Z, b"1", b"", false), (Z, b"1", b"1 1", false),
        (Z, b"1 5", b"1e 5", true),
        // The answer's token is text, so the output's is compared as text.
        (Z, b"one", b"1", false), (Z, b"one", b"ONE", true), (Z, b"1x", b"1X", true),
        ("float_tolerance 0 case_sensitive", b"one", b"ONE", false),
        ("float_tolerance 0 case_sensitive", b"1e5", b"1E5", true),
        // inf and nan are text (DOMjudge: numbers of their own class).
        (Z, b"inf", b"INF", true), (Z, b"inf", b"infinity", false), (Z, b"nan", b"-nan", false),
        (Z, b"nan", b"NaN", true), (Z, b"1", b"nan", false), (Z, b"1", b"inf", false),
        // Overflow is text, underflow is 0.
        (Z, b"1e999", b"1e999", true), (Z, b"1e999", b"1e998", false), (Z, b"1e999", b"inf", false),
        (Z, b"2", b"1e400", false), (Z, b"0", b"1e-999", true), (Z, b"1e-999", b"0", true),
        // A number ends at a NUL byte.
        (Z, b"1", b"1\0x", true), (Z, b"1\0y", b"1", true), (Z, b"1", b"\x001", false),
        // 53 bits: 2^53 + 1 is 2^53 (DOMjudge has 64 bits).
        (Z, b"9007199254740993", b"9007199254740992", true),
        (Z, b"9007199254740994", b"9007199254740992", false),
        (Z, b"123456789012345678901234567890", b"123456789012345678901234567891", true),
        (Z, b"123456789012345678901234567890", b"123456789012345778901234567890", false),
        (Z, b"0.000000000000000000000000000001", b"1e-30", true),
    ]);
}

#[test]
fn tolerances_are_applied() {
    #[rustfmt::skip]
    check(&[
        ("float_absolute_tolerance 0.5", b"10", b"10.5", true),
        ("float_absolute_tolerance 0.5", b"10", b"9.5", true),
        ("float_absolute_tolerance 0.5", b"10", b"10.500001", false),
        ("float_absolute_tolerance 0.5", b"-0.25", b"0.25", true),
        ("float_relative_tolerance 0.5", b"10", b"15", true),
        ("float_relative_tolerance 0.5", b"10", b"15.1", false),
        ("float_relative_tolerance 0.5", b"15", b"10", true),
        ("float_relative_tolerance 0.5", b"-10", b"-5", true),
        ("float_relative_tolerance 0.5", b"0", b"0.0", true),
        ("float_relative_tolerance 0.5", b"0", b"1e-300", false),
        ("float_tolerance 0.5", b"10", b"15", true),
        ("float_tolerance 0.5", b"0", b"0.5", true),
        ("float_relative_tolerance 0.1 float_absolute_tolerance 5", b"10", b"15", true),
        ("float_relative_tolerance 0.1 float_absolute_tolerance 5", b"100", b"110", true),
        ("float_relative_tolerance 0.1 float_absolute_tolerance 5", b"100", b"111", false),
        ("float_absolute_tolerance 0", b"1", b"1.00000000000000001", true),
        ("float_absolute_tolerance 0", b"1", b"1.0000000000000003", false),
        ("float_tolerance 1e-6", b"x 1 y\n2\n", b"X 1.0000001 Y 1.9999999", true),
        ("float_tolerance 1e-6", b"x 1 y\n2\n", b"x 1.00001 y 2", false),
        // The difference overflows, and so does the relative tolerance.
        ("float_relative_tolerance 10", b"1.7e308", b"-1.7e308", true),
        ("float_relative_tolerance 1", b"1.7e308", b"-1.7e308", false),
        // The last tolerance counts; a negative one disables the tolerance.
        ("float_tolerance 0 float_tolerance 1", b"1", b"2", true),
        ("float_tolerance -1", b"1", b"1.0", false),
    ]);
}

#[test]
fn every_flag_accepts_equal_texts() {
    let text = b"\xef\xbb\xbf1 nan 1e999 a\0b\r\n\t0x 0x. inf\x0b\xff\n\n";
    for flags in [
        "",
        "case_sensitive",
        "space_change_sensitive",
        "float_tolerance 0",
    ] {
        assert!(accepts(flags, text, text), "{flags}");
    }
    assert!(
        exact::compare(&text[..], &text[..])
            .expect("read from a slice")
            .is_none()
    );
}

#[test]
fn texts_longer_than_a_buffer_are_compared() {
    let mut answer = Vec::new();
    for i in 0..60_000_u32 {
        answer.extend(format!("token{i} {}.5\n", i % 97).bytes());
    }
    let crlf: Vec<u8> = answer
        .iter()
        .flat_map(|&b| {
            if b == b'\n' {
                vec![b'\r', b'\n']
            } else {
                vec![b]
            }
        })
        .collect();
    let upper = answer.to_ascii_uppercase();
    let zeros = String::from_utf8(answer.clone())
        .unwrap()
        .replace(".5", ".50");
    assert!(accepts("", &answer, &crlf));
    assert!(accepts("", &crlf, &upper));
    assert!(!accepts("case_sensitive", &answer, &upper));
    assert!(!accepts("space_change_sensitive", &answer, &crlf));
    assert!(!accepts("", &answer, zeros.as_bytes()));
    assert!(accepts("float_tolerance 0", &answer, zeros.as_bytes()));
    assert!(accepts("float_tolerance 0", zeros.as_bytes(), &crlf));
    for cut in [1, 2, 3, 4, 100_000, 131_072, 131_073] {
        let short = &answer[..answer.len() - cut];
        assert_eq!(accepts("", &answer, short), cut == 1, "{cut} bytes less");
        assert_eq!(accepts("", short, &answer), cut == 1, "{cut} bytes more");
    }
}

#[test]
fn tokens_longer_than_a_buffer_are_compared() {
    let digits = vec![b'7'; 300_000];
    let mut other = digits.clone();
    other[299_999] = b'8';
    assert!(accepts("", &digits, &digits));
    assert!(!accepts("", &digits, &other));
    // 300,000 digits overflow, so they are text. With an exponent they are numbers, equal except
    // for rounding.
    assert!(!accepts("float_tolerance 1", &digits, &other));
    let (mut a, mut b) = (digits.clone(), other.clone());
    a.extend(b"e-299999 end");
    b.extend(b"e-299999 end");
    assert!(accepts("float_tolerance 0", &a, &b));
    assert!(accepts("float_tolerance 1e-9", b"7.777777777777 end", &a));
    assert!(!accepts("float_tolerance 1e-9", b"7.777 end", &a));
    let mut zeros = vec![b'0'; 300_000];
    zeros.extend(b"12.5\n");
    assert!(accepts("float_tolerance 0", b"12.5", &zeros));
    let spaces = vec![b' '; 300_000];
    assert!(accepts(
        "",
        b"a b",
        &[b"a", &spaces[..], b"b", &spaces[..]].concat()
    ));
}

#[test]
fn exact_comparison_is_byte_exact() {
    let same = |a: &[u8], b: &[u8]| exact::compare(a, b).expect("read from a slice").is_none();
    assert!(same(b"", b""));
    assert!(same(b"a \n", b"a \n"));
    assert!(!same(b"a\n", b"a"));
    assert!(!same(b"a", b"a\n"));
    assert!(!same(b"a", b"A"));
    assert!(!same(b"a\r\n", b"a\n"));
}

//! Fuzzes the number parser of the default validator, against a simple implementation of C's rule.

use judge::fuzzing::{read_number, read_number_in_pieces};

/// Parses one token, whole and in pieces.
///
/// # Panics
///
/// If the results differ from each other or from the simple implementation.
pub fn check(data: &[u8]) {
    let token: Vec<u8> = data
        .iter()
        .map(|&byte| if byte <= b' ' && byte > 0 { b'0' } else { byte })
        .collect();
    let value = read_number(&token);
    for size in [1, 3] {
        let pieces = read_number_in_pieces(&token, size);
        assert_eq!(
            value.map(f64::to_bits),
            pieces.map(f64::to_bits),
            "{:?}",
            token.escape_ascii()
        );
    }
    if let Some(plain) = plain(&token) {
        assert_eq!(
            value.map(f64::to_bits),
            plain.map(f64::to_bits),
            "{:?}",
            token.escape_ascii()
        );
    }
}

/// The value according to the C standard; the outer `None` if that requires exact arithmetic (long
/// or tiny hexadecimal numbers).
fn plain(token: &[u8]) -> Option<Option<f64>> {
    let token = token.split(|&byte| byte == 0).next().unwrap_or_default();
    let Ok(text) = str::from_utf8(token) else {
        return Some(None);
    };
    let (sign, digits) = match text.as_bytes().first() {
        Some(b'-') => (-1.0, &text[1..]),
        Some(b'+') => (1.0, &text[1..]),
        _ => (1.0, text),
    };
    if let Some(hex) = digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        return plain_hexadecimal(hex).map(|value| value.map(|value| sign * value));
    }
    let (mantissa, exponent) = match digits.split_once(['e', 'E']) {
        // `scanf` consumes an exponent without digits.
        Some((mantissa, "" | "+" | "-")) => (mantissa, "0"),
        Some((mantissa, exponent)) => (mantissa, exponent),
        None => (digits, "0"),
    };
    let unsigned = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    let is_number = mantissa.bytes().all(|b| b.is_ascii_digit() || b == b'.')
        && mantissa.matches('.').count() <= 1
        && mantissa.bytes().any(|b| b.is_ascii_digit())
        && !unsigned.is_empty()
        && unsigned.bytes().all(|b| b.is_ascii_digit());
    if !is_number {
        return Some(None);
    }
    let value: f64 = format!("{mantissa}e{exponent}").parse().expect("a number");
    Some(value.is_finite().then_some(sign * value))
}

fn plain_hexadecimal(text: &str) -> Option<Option<f64>> {
    let (mantissa, exponent) = match text.split_once(['p', 'P']) {
        Some((mantissa, "" | "+" | "-")) => (mantissa, "0"),
        Some((mantissa, exponent)) => (mantissa, exponent),
        None => (text, "0"),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let unsigned = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    let digits_are_hex = digits.bytes().all(|b| b.is_ascii_hexdigit());
    if !digits_are_hex || unsigned.is_empty() || !unsigned.bytes().all(|b| b.is_ascii_digit()) {
        return Some(None);
    }
    if digits.is_empty() {
        // `0x.` is a special case that the validator's own tests cover.
        return if mantissa == "." { None } else { Some(None) };
    }
    let mantissa = u128::from_str_radix(digits.trim_start_matches('0'), 16);
    if digits.trim_start_matches('0').is_empty() {
        return Some(Some(0.0));
    }
    let scale = exponent.parse::<i32>().ok()? - 4 * i32::try_from(fraction.len()).ok()?;
    // The result is rounded once only if neither the number nor an intermediate value is tiny or
    // huge.
    if !(-800..800).contains(&scale) {
        return None;
    }
    Some(Some(mantissa.ok()? as f64 * 2_f64.powi(scale)))
}

//! Parses times and sizes.

use judge_package::units::MAX_SECONDS;
use std::time::Duration;

/// A time limit in seconds, or with a unit: `1.5`, `1500ms`.
pub fn parse_seconds(text: &str) -> Result<Duration, String> {
    const EXPECTED: &str = "expected a number of seconds, such as 1.5, or a time such as 1500ms";
    let seconds = seconds(text).ok_or(EXPECTED)?;
    if !(0.001..=86_400.0).contains(&seconds) {
        return Err("expected 0.001 to 86400 seconds".to_owned());
    }
    Ok(Duration::from_secs_f64(seconds))
}

/// A size in MiB, or with a unit: `256`, `256MB`, `1GiB`. Judges call 2^20 bytes both MB and MiB.
pub fn parse_mib(text: &str) -> Result<u64, String> {
    const EXPECTED: &str = "expected a number of MiB, such as 256, or a size such as 1GiB";
    const MAX: u64 = 1 << 40;
    let (number, unit) = number_and_unit(text);
    let factor = match unit.to_ascii_lowercase().as_str() {
        "" | "m" | "mb" | "mib" => 1,
        "g" | "gb" | "gib" => 1024,
        _ => return Err(EXPECTED.to_owned()),
    };
    let number: u64 = number.parse().map_err(|_| EXPECTED)?;
    match number.checked_mul(factor) {
        Some(mib @ 1..=MAX) => Ok(mib),
        _ => Err("expected 1 MiB or more".to_owned()),
    }
}

/// The limit of a compiled program, which the cache of 4 GiB must hold.
pub fn parse_program_size(text: &str) -> Result<u64, String> {
    match parse_mib(text)? {
        mib @ ..=4096 => Ok(mib),
        _ => Err("expected at most 4096 MiB".to_owned()),
    }
}

/// An error that is at least 0: `1e-6`.
pub fn parse_tolerance(text: &str) -> Result<f64, String> {
    let error = text.parse().ok();
    error
        .filter(|error: &f64| error.is_finite() && *error >= 0.0)
        .ok_or_else(|| "expected a number of at least 0, such as 1e-6".to_owned())
}

/// A macro to define: `NAME` or `NAME=VALUE`.
pub fn parse_macro(text: &str) -> Result<String, String> {
    let name = text.split('=').next().unwrap_or_default();
    parse_macro_name(name).map(|_| text.to_owned())
}

pub fn parse_macro_name(name: &str) -> Result<String, String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    match !name.is_empty() && name.chars().all(is_word) && !name.starts_with(char::is_numeric) {
        true => Ok(name.to_owned()),
        false => Err("expected the name of a macro, such as LOCAL".to_owned()),
    }
}

/// A time with a unit: `60s`, `5m`, `1h`.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    match seconds(text).ok_or("expected a time such as 60s, 5m or 1h")? {
        seconds if (0.0..=MAX_SECONDS).contains(&seconds) => Ok(Duration::from_secs_f64(seconds)),
        _ => Err("expected 0 to 30 days".to_owned()),
    }
}

/// The seconds of a time, which has a unit or is in seconds.
fn seconds(text: &str) -> Option<f64> {
    let (number, unit) = number_and_unit(text);
    let factor = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return None,
    };
    let number: f64 = number.parse().ok()?;
    Some(number * factor)
}

/// A number, and the letters and blanks behind it.
fn number_and_unit(text: &str) -> (&str, &str) {
    let is_unit = |c: char| c.is_ascii_alphabetic() || c == ' ';
    let number = text.trim_end_matches(is_unit);
    (number, text[number.len()..].trim())
}

//! Parses times and sizes, with and without units.

use super::yaml::Node;
use crate::error::PackageError;
use std::time::Duration;

const MIB: u64 = 1 << 20;
/// The maximum of a time limit, in seconds: 30 days.
pub const MAX_SECONDS: f64 = 30.0 * 86_400.0;

/// Reads a time in seconds, greater than 0.
pub fn seconds(node: &Node) -> Result<Duration, PackageError> {
    let seconds = node.positive().map_err(|error| {
        // A bare number reaches this point only if it is not positive; with a unit, the value is
        // known.
        let time = node.scalar().and_then(parse_time);
        match time.map(|time| time.as_secs_f64()) {
            Some(number) => error.remedy(format!("write {number}; the unit is seconds")),
            None => error.remedy("write a number of seconds"),
        }
    })?;
    duration(seconds).ok_or_else(|| {
        node.error(match seconds > MAX_SECONDS {
            true => "is longer than 30 days; the unit is seconds",
            false => "is too short to be measured; the unit is seconds",
        })
    })
}

/// Reads a time in whole milliseconds, greater than 0.
pub fn milliseconds(node: &Node) -> Result<Duration, PackageError> {
    let remedy = "write 1000; the unit is milliseconds";
    let number = node.integer(1).map_err(|error| error.remedy(remedy))?;
    duration(number as f64 / 1000.0)
        .ok_or_else(|| node.error("is longer than 30 days").remedy(remedy))
}

/// A duration that is valid as a limit: from a microsecond to 30 days.
pub fn duration(seconds: f64) -> Option<Duration> {
    (1e-6..=MAX_SECONDS)
        .contains(&seconds)
        .then(|| Duration::from_secs_f64(seconds))
}

/// Parses a time like `1s`, `500ms` or `1000` (milliseconds without a unit).
pub fn parse_time(text: &str) -> Option<Duration> {
    let text = text.trim().to_ascii_lowercase();
    let units = [("ms", 1e-3), ("us", 1e-6), ("s", 1.0)];
    let mut units = units
        .iter()
        .filter_map(|(unit, scale)| Some((text.strip_suffix(unit)?, scale)));
    let (number, scale) = units.next().unwrap_or((&text, &1e-3));
    duration(number.trim().parse::<f64>().ok()? * scale)
}

/// Parses a size in bytes like `256m`, `1g` or `65536k`; without a unit it is in multiples of
/// `unit`.
pub fn parse_size(text: &str, unit: u64) -> Option<u64> {
    let text = text.trim().to_ascii_lowercase();
    let text = text.trim_end_matches('b').trim_end_matches('i');
    let (number, unit) = match text.as_bytes().last()? {
        b'k' => (&text[..text.len() - 1], 1 << 10),
        b'm' => (&text[..text.len() - 1], MIB),
        b'g' => (&text[..text.len() - 1], 1 << 30),
        _ => (text, unit),
    };
    let bytes = number.trim().parse::<f64>().ok()? * unit as f64;
    (1.0..1e15).contains(&bytes).then_some(bytes as u64)
}

/// Reads a size in multiples of `unit`, which is a KiB or a MiB, as bytes.
pub fn size(node: &Node, unit: u64) -> Result<u64, PackageError> {
    let number = node.integer(1).map_err(|error| {
        let name = if unit == MIB { "MiB" } else { "KiB" };
        let bytes = node.scalar().and_then(|text| parse_size(text, unit));
        match bytes.map(|bytes| bytes.div_ceil(unit)) {
            Some(number) => error.remedy(format!("write {number}; the unit is {name}")),
            None => error.remedy(format!("write a whole number of {name}")),
        }
    })?;
    number
        .checked_mul(unit)
        .ok_or_else(|| node.error("more bytes than can be counted"))
}

#[cfg(test)]
mod tests {
    use super::{parse_size, parse_time};
    use std::time::Duration;

    #[test]
    fn times_and_sizes_have_units() {
        assert_eq!(parse_time("1s"), Some(Duration::from_secs(1)));
        assert_eq!(parse_time("1500"), Some(Duration::from_millis(1500)));
        assert_eq!(parse_time("0.5s"), Some(Duration::from_millis(500)));
        assert_eq!(parse_time("x"), None);
        assert_eq!(parse_time("-1s"), None);
        assert_eq!(parse_time("0.000001us"), None);
        assert_eq!(parse_time("nan"), None);
        assert_eq!(parse_size("256m", 1), Some(256 << 20));
        assert_eq!(parse_size("1 GB", 1), Some(1 << 30));
        assert_eq!(parse_size("128MiB", 1), Some(128 << 20));
        assert_eq!(parse_size("512", 1 << 20), Some(512 << 20));
    }
}

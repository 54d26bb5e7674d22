//! Lengths of time as organisers write them: `5:00:00`, `5:00`, `5 h`, `4h30`, `90 min`, `1 hour and 30 minutes`.

use crate::contest_api::RelTime;

/// Milliseconds of each unit, by the first letters of its name.
const UNITS: [(&str, i64); 4] = [
    ("day", 86_400_000),
    ("hour", 3_600_000),
    ("minute", 60_000),
    ("second", 1000),
];

/// Other short names of units.
const SHORT: [(&str, i64); 4] = [
    ("hr", 3_600_000),
    ("hrs", 3_600_000),
    ("mins", 60_000),
    ("secs", 1000),
];

/// The remedy for a text that is no length.
pub const FORMS: &str = "write a length like 5:00:00, 4 h 30 min or 90 min";

/// A length in milliseconds, which is not negative; `None`: the text is none, such as a number without a unit.
pub fn read(text: &str) -> Option<i64> {
    match text.contains(':') {
        true => clock(text),
        false => with_units(text),
    }
}

/// Reads `h:mm:ss`, `h:mm:ss.uuu` or `h:mm`.
fn clock(text: &str) -> Option<i64> {
    let complete = match text.matches(':').count() {
        1 => format!("{text}:00"),
        _ => text.to_owned(),
    };
    let length: RelTime = complete.parse().ok()?;
    Some(length.millis()).filter(|ms| *ms >= 0 && !text.starts_with('-'))
}

/// Reads numbers, each with its unit; the last one may go without after hours: `4h30`.
fn with_units(text: &str) -> Option<i64> {
    let lower = text.to_lowercase().replace(" and ", " ").replace(',', " ");
    let mut rest = lower.trim();
    let (mut total, mut last) = (0, None);
    while !rest.is_empty() {
        let end = rest.find(|c: char| !(c.is_ascii_digit() || c == '.'));
        let (number, after) = rest.split_at(end.unwrap_or(rest.len()));
        let number: f64 = number.parse().ok()?;
        let after = after.trim_start();
        let end = after.find(|c: char| !c.is_alphabetic());
        let (name, after) = after.split_at(end.unwrap_or(after.len()));
        let unit = match (name, last) {
            ("", Some(3_600_000)) if after.is_empty() => 60_000,
            _ => unit(name)?,
        };
        // The largest unit comes first, and none twice.
        if last.is_some_and(|last| last <= unit) {
            return None;
        }
        total += (number * unit as f64).round() as i64;
        last = Some(unit);
        rest = after.trim_start();
    }
    last.map(|_| total)
}

fn unit(name: &str) -> Option<i64> {
    let is_name = |(full, _): &&(&str, i64)| {
        !name.is_empty() && (full.starts_with(name) || name.strip_suffix('s') == Some(*full))
    };
    let short = SHORT.iter().find(|(short, _)| *short == name);
    let found = UNITS.iter().find(is_name).or(short);
    found.map(|(_, ms)| *ms)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_spellings_are_read() {
        let hour = 3_600_000;
        for (text, ms) in [
            ("5:00:00", 5 * hour),
            ("5:00", 5 * hour),
            ("0:00:30", 30_000),
            ("5h", 5 * hour),
            ("5 h", 5 * hour),
            ("5 hours", 5 * hour),
            ("1.5 h", hour * 3 / 2),
            ("1h30", hour * 3 / 2),
            ("1h30m", hour * 3 / 2),
            ("1 hr 30 mins", hour * 3 / 2),
            ("1 hour and 30 minutes", hour * 3 / 2),
            ("90 min", hour * 3 / 2),
            ("90m", hour * 3 / 2),
            ("300 Minutes", 5 * hour),
            ("1 day, 2 h", 26 * hour),
            ("45 s", 45_000),
            ("0 min", 0),
        ] {
            assert_eq!(read(text), Some(ms), "{text}");
        }
        for text in [
            "",
            "5",
            "300",
            "long",
            "-5 h",
            "-1:00:00",
            "5 x",
            "30 min 1 h",
            "1 h 2 h",
            "1:2:3",
            "h",
            "1..5 h",
            "5:99",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}

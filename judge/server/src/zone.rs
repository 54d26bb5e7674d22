//! Time zones of organisers, by their names in the IANA database, and times as organisers write them.

use chrono::{DateTime, LocalResult, NaiveDateTime, TimeZone};
use chrono_tz::{TZ_VARIANTS, Tz};
use judge_core::error::Reason;

/// The zone with this name, such as `Europe/Berlin`; without one, UTC.
/// Fails with a message for the user if there is none.
pub(crate) fn named(name: Option<&str>) -> Result<Tz, Reason> {
    let Some(name) = name else {
        return Ok(Tz::UTC);
    };
    name.parse().map_err(|_| {
        let shown: String = name.chars().take(60).collect();
        Reason::new(format!(
            "{shown:?} is not a time zone: write a name like Europe/Berlin, Asia/Shanghai or UTC"
        ))
    })
}

pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    TZ_VARIANTS.iter().map(|zone| zone.name())
}

/// The zone that this machine is set to; UTC if it is not known.
pub(crate) fn of_machine() -> Tz {
    let name = iana_time_zone::get_timezone().ok();
    named(name.as_deref()).unwrap_or(Tz::UTC)
}

/// A time as fields of forms have it: `2030-01-02T10:00:05`.
pub(crate) fn field_text(zone: Tz, ms: i64) -> String {
    formatted(zone, ms, "%Y-%m-%dT%H:%M:%S")
}

/// A time as a sentence has it: `2030-01-02 10:00:05 CET`.
pub(crate) fn text(zone: Tz, ms: i64) -> String {
    formatted(zone, ms, "%Y-%m-%d %H:%M:%S %Z")
}

fn formatted(zone: Tz, ms: i64, format: &str) -> String {
    let time = DateTime::from_timestamp_millis(ms).unwrap_or_default();
    time.with_timezone(&zone).format(format).to_string()
}

/// Reads a time with or without seconds, in this zone unless the text ends with an offset or with the name of another
/// zone; in milliseconds since 1970.
/// Fails with a message for the user.
pub(crate) fn read(zone: Tz, text: &str) -> Result<i64, Reason> {
    if let Ok(time) = DateTime::parse_from_rfc3339(&text.replacen(' ', "T", 1)) {
        return Ok(time.timestamp_millis());
    }
    let (local, zone) = match text.rsplit_once(' ') {
        Some((local, name)) if name.contains(char::is_alphabetic) => (local, named(Some(name))?),
        _ => (text, zone),
    };
    let formats = ["%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%d %H:%M"];
    let local = local.trim().replacen('T', " ", 1);
    let parsed = formats
        .into_iter()
        .find_map(|format| NaiveDateTime::parse_from_str(&local, format).ok());
    let Some(parsed) = parsed else {
        return Err(Reason::new(format!(
            "{text:?} is not a time like 2026-11-23T14:30 or 2026-11-23 14:30:05"
        )));
    };
    match zone.from_local_datetime(&parsed) {
        LocalResult::Single(time) => Ok(time.timestamp_millis()),
        LocalResult::Ambiguous(first, second) => Err(Reason::new(format!(
            "the clocks of {zone} show {text:?} twice that day: write {} or {}",
            first.to_rfc3339(),
            second.to_rfc3339()
        ))),
        LocalResult::None => Err(Reason::new(format!(
            "the clocks of {zone} skip {text:?}: write another time"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_in_the_zone_that_they_name() {
        let berlin = named(Some("Europe/Berlin")).expect("a zone");
        let ten = 1_893_574_800_000;
        for text in [
            "2030-01-02T10:00",
            "2030-01-02 10:00",
            "2030-01-02T10:00:00",
            "2030-01-02T10:00:00.000",
            "2030-01-02 17:00 Asia/Shanghai",
            "2030-01-02 09:00:00 UTC",
            "2030-01-02T09:00:00Z",
            "2030-01-02 10:00:00+01:00",
        ] {
            assert_eq!(read(berlin, text), Ok(ten), "{text}");
        }
        assert_eq!(read(berlin, "2030-01-02T10:00:05"), Ok(ten + 5000));
        assert_eq!(field_text(berlin, ten + 5000), "2030-01-02T10:00:05");
        assert_eq!(text(berlin, ten), "2030-01-02 10:00:00 CET");
        assert_eq!(named(None), Ok(Tz::UTC));
    }

    #[test]
    fn what_is_no_time_is_refused_with_a_remedy() {
        let berlin = named(Some("Europe/Berlin")).expect("a zone");
        for (text, part) in [
            ("soon", "is not a time like"),
            ("2030-01-02", "is not a time like"),
            ("2030-01-02 10:00 Mars/Base", "is not a time zone"),
            ("2030-03-31 02:30", "skip"),
            (
                "2030-10-27 02:30",
                "2030-10-27T02:30:00+02:00 or 2030-10-27T02:30:00+01:00",
            ),
        ] {
            let error = read(berlin, text).expect_err(text);
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}

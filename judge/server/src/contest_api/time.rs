//! `TIME` and `RELTIME` of the Contest API: points in time and durations, in milliseconds.

use chrono::{DateTime, Datelike, FixedOffset, NaiveDateTime, TimeZone, Utc};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{Add, Sub};
use std::str::FromStr;

/// A point in time, as milliseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Time(i64);

/// A duration or a contest time, in milliseconds. May be negative.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug, Serialize, Deserialize,
)]
#[serde(into = "String", try_from = "String")]
pub struct RelTime(i64);

/// The text is not a time of the expected form.
#[derive(Clone, PartialEq, Eq, thiserror::Error, Debug)]
#[error("`{}` is not of the form `{form}`", .text.chars().take(60).collect::<String>())]
pub struct InvalidTime {
    text: String,
    form: &'static str,
}

impl Time {
    /// The first and the last time that has four digits of the year and no leading zero.
    const RANGE: (i64, i64) = (-30_610_224_000_000, 32_503_679_999_999);

    /// The time `millis` milliseconds after 1970-01-01T00:00:00Z; times outside the years 1000 to
    /// 2999, which the API cannot express, are moved to the nearest one inside.
    pub fn from_millis(millis: i64) -> Self {
        Time(millis.clamp(Self::RANGE.0, Self::RANGE.1))
    }

    pub fn now() -> Self {
        Time::from_millis(Utc::now().timestamp_millis())
    }

    /// Milliseconds since 1970-01-01T00:00:00Z.
    pub fn millis(self) -> i64 {
        self.0
    }
}

impl RelTime {
    pub const fn from_millis(millis: i64) -> Self {
        RelTime(millis)
    }

    pub const fn from_minutes(minutes: i64) -> Self {
        RelTime(minutes.saturating_mul(60_000))
    }

    pub const fn millis(self) -> i64 {
        self.0
    }

    /// Whole minutes, rounded down.
    pub const fn minutes(self) -> i64 {
        self.0.div_euclid(60_000)
    }

    /// `-1:22:05`, without the fraction of a second.
    pub fn without_fraction(self) -> String {
        let text = self.to_string();
        text.split('.').next().unwrap_or_default().to_owned()
    }
}

impl Sub for Time {
    type Output = RelTime;

    fn sub(self, earlier: Time) -> RelTime {
        RelTime(self.0 - earlier.0)
    }
}

impl Add<RelTime> for Time {
    type Output = Time;

    fn add(self, duration: RelTime) -> Time {
        Time::from_millis(self.0.saturating_add(duration.0))
    }
}

impl Add for RelTime {
    type Output = RelTime;

    fn add(self, other: RelTime) -> RelTime {
        RelTime(self.0.saturating_add(other.0))
    }
}

impl Sub for RelTime {
    type Output = RelTime;

    fn sub(self, other: RelTime) -> RelTime {
        RelTime(self.0.saturating_sub(other.0))
    }
}

impl fmt::Display for Time {
    /// `2014-06-25T11:22:05.034+00:00`: always with milliseconds and in UTC.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = DateTime::<Utc>::from_timestamp_millis(self.0).unwrap_or_default();
        write!(f, "{}", time.format("%Y-%m-%dT%H:%M:%S%.3f+00:00"))
    }
}

impl FromStr for Time {
    type Err = InvalidTime;

    /// Reads `yyyy-mm-ddThh:mm:ss(.uuu)?` with the zone `Z`, `+hh` or `+hh:mm`.
    fn from_str(text: &str) -> Result<Self, InvalidTime> {
        let invalid = || InvalidTime {
            text: text.to_owned(),
            form: "yyyy-mm-ddThh:mm:ss(.uuu)?(+hh(:mm)?|Z)",
        };
        let at = text
            .get(19..)
            .and_then(|rest| rest.find(['+', '-', 'Z']))
            .ok_or_else(invalid)?;
        let (local, zone) = text.split_at(19 + at);
        let (whole, fraction) = local.split_at(19);
        let whole = NaiveDateTime::parse_from_str(whole, "%Y-%m-%dT%H:%M:%S")
            .ok()
            .filter(|time| time.year() >= 1000)
            .ok_or_else(invalid)?;
        let millis = milliseconds(fraction).ok_or_else(invalid)?;
        let time = zone_offset(zone)
            .and_then(|zone| zone.from_local_datetime(&whole).single())
            .ok_or_else(invalid)?;
        let millis = time.timestamp_millis() + millis;
        let is_in_range = (Self::RANGE.0..=Self::RANGE.1).contains(&millis);
        is_in_range.then_some(Time(millis)).ok_or_else(invalid)
    }
}

/// The offset of `Z`, `+hh` or `+hh:mm`.
fn zone_offset(zone: &str) -> Option<FixedOffset> {
    if zone == "Z" {
        return FixedOffset::east_opt(0);
    }
    let sign = if zone.starts_with('-') { -1 } else { 1 };
    let (hours, minutes) = match zone.get(1..)?.split_once(':') {
        Some((hours, minutes)) => (hours, minutes),
        None => (zone.get(1..)?, "00"),
    };
    let two = |digits: &str| -> Option<i32> { number(digits, 2).filter(|_| digits.len() == 2) };
    FixedOffset::east_opt(sign * (two(hours)? * 60 + two(minutes).filter(|m| *m < 60)?) * 60)
}

/// The value of an empty text or `.uuu`.
fn milliseconds(fraction: &str) -> Option<i64> {
    match fraction.strip_prefix('.') {
        None => fraction.is_empty().then_some(0),
        Some(digits) => number(digits, 3).filter(|_| digits.len() == 3),
    }
}

/// The value of 1 to `most` digits, without sign.
fn number<T: FromStr>(digits: &str, most: usize) -> Option<T> {
    let valid = digits.len() <= most && digits.bytes().all(|byte| byte.is_ascii_digit());
    valid.then(|| digits.parse().ok())?
}

impl fmt::Display for RelTime {
    /// `-1:22:05.034`: always with milliseconds, hours without leading zeros.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let millis = self.0.unsigned_abs();
        let seconds = millis / 1000;
        write!(
            f,
            "{sign}{}:{:02}:{:02}.{:03}",
            seconds / 3600,
            seconds / 60 % 60,
            seconds % 60,
            millis % 1000
        )
    }
}

impl FromStr for RelTime {
    type Err = InvalidTime;

    /// Reads `(-)?(h)*h:mm:ss(.uuu)?`.
    fn from_str(text: &str) -> Result<Self, InvalidTime> {
        let invalid = || InvalidTime {
            text: text.to_owned(),
            form: "(-)?(h)*h:mm:ss(.uuu)?",
        };
        let (sign, rest) = match text.strip_prefix('-') {
            Some(rest) => (-1, rest),
            None => (1, text),
        };
        let read = || -> Option<i64> {
            let (hours, rest) = rest.split_once(':')?;
            let (minutes, seconds) = rest.split_once(':')?;
            let (seconds, fraction) = seconds.split_at_checked(2)?;
            let sixty = |digits: &str| -> Option<i64> {
                number(digits, 2).filter(|value| digits.len() == 2 && *value < 60)
            };
            let whole = number::<i64>(hours, 9)? * 3600 + sixty(minutes)? * 60 + sixty(seconds)?;
            Some(whole * 1000 + milliseconds(fraction)?)
        };
        read()
            .map(|millis| RelTime(sign * millis))
            .ok_or_else(invalid)
    }
}

macro_rules! written_as_text {
    ($($name:ty),*) => {$(
        impl From<$name> for String {
            fn from(time: $name) -> String {
                time.to_string()
            }
        }

        impl TryFrom<String> for $name {
            type Error = InvalidTime;

            fn try_from(text: String) -> Result<Self, InvalidTime> {
                text.parse()
            }
        }
    )*};
}

written_as_text!(Time, RelTime);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn times_of_every_zone_are_read() {
        for text in [
            "2014-06-25T10:00:00+01",
            "2014-06-25T10:00:00+01:00",
            "2014-06-25T09:00:00Z",
            "2014-06-25T03:30:00.000-05:30",
        ] {
            let time: Time = text.parse().unwrap();
            assert_eq!(time.to_string(), "2014-06-25T09:00:00.000+00:00", "{text}");
        }
        let time: Time = "2014-06-25T11:22:05.034+01".parse().unwrap();
        assert_eq!(time.to_string(), "2014-06-25T10:22:05.034+00:00");
    }

    #[test]
    fn malformed_times_are_rejected() {
        for text in [
            "3000-01-01T00:00:00Z",
            "9999-12-31T23:59:59Z",
            "",
            "2014-06-25",
            "2014-06-25T10:00:00",
            "2014-13-25T10:00:00Z",
            "2014-06-25T10:00:00.1Z",
            "2014-06-25T10:00:00+1",
            "2014-06-25T10:00:00+01:60",
            "2014-06-25T10:00:00.é00Z",
            "ééééééééééééééééééé",
        ] {
            assert!(text.parse::<Time>().is_err(), "{text}");
        }
        for text in [
            "",
            "5",
            "1:00",
            "1:60:00",
            "1:0:00",
            "+1:00:00",
            "1:00:00.5",
            "--1:00:00",
        ] {
            assert!(text.parse::<RelTime>().is_err(), "{text}");
        }
        let error = "noon".parse::<RelTime>().unwrap_err().to_string();
        assert_eq!(error, "`noon` is not of the form `(-)?(h)*h:mm:ss(.uuu)?`");
    }

    #[test]
    fn relative_times_are_written_with_milliseconds() {
        let cases = [
            ("5:00:00", 18_000_000),
            ("-0:00:01.500", -1500),
            ("123:59:59.999", 446_399_999),
        ];
        for (text, millis) in cases {
            assert_eq!(text.parse::<RelTime>().unwrap().millis(), millis);
        }
        assert_eq!(RelTime::from_millis(-1500).to_string(), "-0:00:01.500");
        assert_eq!(RelTime::from_minutes(20).to_string(), "0:20:00.000");
        assert_eq!(RelTime::from_millis(-1).minutes(), -1);
    }

    proptest! {
        #[test]
        fn times_round_trip(millis in Time::RANGE.0..=Time::RANGE.1) {
            let time = Time::from_millis(millis);
            prop_assert_eq!(time.millis(), millis);
            prop_assert_eq!(time.to_string().parse::<Time>().unwrap(), time);
        }

        #[test]
        fn relative_times_round_trip(millis in -3_600_000_000_000_i64..3_600_000_000_000) {
            let time = RelTime::from_millis(millis);
            prop_assert_eq!(time.to_string().parse::<RelTime>().unwrap(), time);
        }

        #[test]
        fn any_text_is_read_or_rejected(text in ".{0,40}") {
            let _ = text.parse::<Time>();
            let _ = text.parse::<RelTime>();
        }
    }
}

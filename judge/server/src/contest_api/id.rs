//! Identifiers of objects of the Contest API.

use judge_core::text::printable_name;
use serde::{Deserialize, Serialize};
use std::fmt;

/// An identifier: 1 to 36 of `a-zA-Z0-9_.-`, without a leading `-` or `.` or a trailing `.`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Id(String);

/// The text is not an identifier.
#[derive(Clone, PartialEq, Eq, thiserror::Error, Debug)]
#[error(
    "`{}` is not an identifier: use 1 to 36 of `a-zA-Z0-9_.-`, not starting with `-` or `.` nor ending with `.`",
    printable_name(&.0.chars().take(60).collect::<String>())
)]
pub struct InvalidId(String);

impl Id {
    /// Checks an identifier.
    /// Fails when the text is not of the form that the API requires.
    pub fn new(text: impl Into<String>) -> Result<Self, InvalidId> {
        let text = text.into();
        let valid = (1..=36).contains(&text.len())
            && !text.starts_with(['-', '.'])
            && !text.ends_with('.')
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte));
        if valid {
            Ok(Id(text))
        } else {
            Err(InvalidId(text))
        }
    }

    /// The text of the identifier.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<u64> for Id {
    fn from(number: u64) -> Self {
        Id(number.to_string())
    }
}

impl From<Id> for String {
    fn from(id: Id) -> String {
        id.0
    }
}

impl TryFrom<String> for Id {
    type Error = InvalidId;

    fn try_from(text: String) -> Result<Self, InvalidId> {
        Id::new(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_checked() {
        for text in ["a", "_x", "team-001", "a.b", "0", &"x".repeat(36)] {
            assert_eq!(Id::new(text).unwrap().as_str(), text);
        }
        for text in [
            "",
            "-a",
            ".a",
            "a.",
            "a b",
            "\u{e9}",
            "a/b",
            &"x".repeat(37),
        ] {
            assert!(Id::new(text).is_err(), "{text}");
        }
        assert!(serde_json::from_str::<Id>("\"a b\"").is_err());
        assert_eq!(Id::from(7).to_string(), "7");
        let message = Id::new("a\u{202e}b").unwrap_err().to_string();
        assert!(message.starts_with(r"`a\u{202e}b` is not"), "{message}");
    }
}

//! Text of packages and programs. Its `Display` is safe for terminals and reports; only [`Name::raw`] and
//! [`Message::raw`] give the text itself, for files of data and for comparisons.

use crate::text::{printable, printable_name};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// The name of a package, submission, case or file. It is shown on one line, with escaped control characters.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Name(Arc<str>);

/// Text of several lines, such as the message of a compiler. It is shown without colour sequences, with escaped control
/// characters, and without blanks at both ends.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Message(String);

impl Name {
    /// The text itself.
    pub fn raw(&self) -> &str {
        &self.0
    }

    /// The text to show.
    pub fn shown(&self) -> Cow<'_, str> {
        printable_name(&self.0)
    }
}

impl Message {
    /// The text itself.
    pub fn raw(&self) -> &str {
        &self.0
    }

    /// The text itself.
    pub fn into_raw(self) -> String {
        self.0
    }

    /// The text to show.
    pub fn shown(&self) -> String {
        printable(self.0.as_bytes())
    }
}

impl Default for Name {
    fn default() -> Self {
        Name(Arc::from(""))
    }
}

impl Serialize for Name {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Name::from(String::deserialize(deserializer)?))
    }
}

impl<T: AsRef<str>> From<T> for Name {
    fn from(text: T) -> Self {
        Name(Arc::from(text.as_ref()))
    }
}

impl<T: Into<String>> From<T> for Message {
    fn from(text: T) -> Self {
        Message(text.into())
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.shown())
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.shown())
    }
}

//! YAML as a tree whose nodes know their positions, so that every error can name one.
//!
//! Scalars keep their text: the argument `1e-9` stays `1e-9`. Files are not trusted: size, depth
//! and the number of nodes that aliases expand to are bounded.

mod tree;

pub use tree::{parse, parse_leniently, read, read_leniently};

use super::text;
use crate::error::PackageError;
use crate::words::split_words;
use std::path::Path;
use std::sync::Arc;

/// A YAML value and its position.
#[derive(Clone, Debug)]
pub struct Node {
    path: Arc<Path>,
    /// Line and column, counted from 1.
    position: (usize, usize),
    /// The value.
    pub value: Value,
}

/// The kinds of YAML values.
#[derive(Clone, Debug)]
pub enum Value {
    /// A text or a number.
    Scalar {
        /// Its text.
        text: String,
        /// Whether it is not quoted.
        plain: bool,
    },
    /// `[a, b]`.
    List(Vec<Node>),
    /// `{a: b}`, in the order of the file; keys are scalars.
    Map(Vec<(Node, Node)>),
}

impl Node {
    /// The text of a file of another format, at this position.
    pub fn plain(path: &Path, position: (usize, usize), text: String) -> Self {
        let value = Value::Scalar { text, plain: true };
        Node {
            path: path.into(),
            position,
            value,
        }
    }

    /// An error at this position.
    pub fn error(&self, what: impl Into<String>) -> PackageError {
        PackageError::new(&*self.path, what).at(self.position.0, self.position.1)
    }

    /// The byte of the file's text at which it begins.
    pub fn offset(&self, text: &str) -> Option<usize> {
        crate::text::offset(text, self.position.0, self.position.1)
    }

    /// The text of a scalar.
    pub fn scalar(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar { text, .. } => Some(text),
            _ => None,
        }
    }

    /// Whether this is the scalar `text`.
    pub fn is(&self, text: &str) -> bool {
        self.scalar() == Some(text)
    }

    /// Whether the value is absent: `key:` without a value, `~`, `null`.
    pub fn is_null(&self) -> bool {
        matches!(&self.value, Value::Scalar { text, plain: true }
            if matches!(text.as_str(), "" | "~" | "null" | "Null" | "NULL"))
    }

    /// Any scalar except null.
    pub fn text(&self) -> Result<&str, PackageError> {
        match self.scalar() {
            Some(text) if !self.is_null() => Ok(text),
            _ => Err(self.expected("text")),
        }
    }

    /// The arguments that a line of text holds.
    pub fn arguments(&self) -> Result<Vec<String>, PackageError> {
        split_words(self.text()?).map_err(|what| self.error(what))
    }

    /// `true` or `false`, including the spellings of YAML 1.1.
    pub fn bool(&self) -> Result<bool, PackageError> {
        let text = match &self.value {
            Value::Scalar { text, plain: true } => text.to_ascii_lowercase(),
            _ => String::new(),
        };
        match text.as_str() {
            "true" | "yes" | "on" => Ok(true),
            "false" | "no" | "off" => Ok(false),
            _ => {
                let error = self.expected("`true` or `false`");
                Err(match self.scalar() {
                    Some("true" | "false") => error.remedy("remove the quotes"),
                    _ => error,
                })
            }
        }
    }

    /// A finite number.
    pub fn number(&self) -> Result<f64, PackageError> {
        self.refuse_octal()?;
        self.scalar()
            .and_then(|text| text.replace('_', "").parse().ok())
            .filter(|number: &f64| number.is_finite())
            .ok_or_else(|| self.expected("a number"))
    }

    /// Fails on a number with zeros in front that YAML 1.1 reads as an octal one, and YAML 1.2 as a decimal one.
    pub fn refuse_octal(&self) -> Result<(), PackageError> {
        let Value::Scalar { text, plain: true } = &self.value else {
            return Ok(());
        };
        let octal = text
            .strip_prefix('0')
            .and_then(|digits| u64::from_str_radix(digits, 8).ok());
        match (octal, text.parse::<u64>()) {
            (Some(octal), Ok(decimal)) if octal != decimal => {
                let what = format!("`{text}` is {octal} in YAML 1.1, and {decimal} in YAML 1.2");
                Err(self.error(what).remedy("remove the zeros in front"))
            }
            _ => Ok(()),
        }
    }

    /// Points: with negative ones, a right output would cost points.
    pub fn points(&self) -> Result<f64, PackageError> {
        match self.number()? {
            points if points < 0.0 => Err(self.error("must not be negative")),
            points => Ok(points),
        }
    }

    /// A number greater than 0.
    pub fn positive(&self) -> Result<f64, PackageError> {
        match self.number()? {
            number if number > 0.0 => Ok(number),
            _ => Err(self.expected("a number greater than 0")),
        }
    }

    /// An integer that is at least `least`.
    pub fn integer(&self, least: u64) -> Result<u64, PackageError> {
        self.refuse_octal()?;
        let wanted = || self.expected(&format!("a whole number of at least {least}"));
        let number = self.number().map_err(|_| wanted())?;
        // 2^53: the largest range in which an f64 represents every integer.
        if number.fract() != 0.0 || number < least as f64 || number > 9_007_199_254_740_992.0 {
            return Err(wanted());
        }
        Ok(number as u64)
    }

    /// The entries of a map; none if the value is null.
    pub fn entries(&self) -> Result<&[(Node, Node)], PackageError> {
        match &self.value {
            Value::Map(entries) => Ok(entries),
            Value::Scalar { .. } if self.is_null() => Ok(&[]),
            _ => Err(self
                .expected("a map of keys and values")
                .remedy("write lines `KEY: VALUE` with the same indentation")),
        }
    }

    /// The items of a list; none if the value is null.
    pub fn items(&self) -> Result<&[Node], PackageError> {
        match &self.value {
            Value::List(items) => Ok(items),
            Value::Scalar { .. } if self.is_null() => Ok(&[]),
            _ => Err(self.expected("a list")),
        }
    }

    /// The scalars of a list.
    pub fn texts(&self) -> Result<Vec<String>, PackageError> {
        self.items()?
            .iter()
            .map(|item| item.text().map(str::to_owned))
            .collect()
    }

    /// The items of a list, or the value itself.
    pub fn one_or_more(&self) -> &[Node] {
        match &self.value {
            Value::List(items) => items,
            _ if self.is_null() => &[],
            _ => std::slice::from_ref(self),
        }
    }

    /// The value of `key`, if the map contains it and it is not null.
    pub fn get(&self, key: &str) -> Option<&Node> {
        match &self.value {
            Value::Map(entries) => entries
                .iter()
                .find(|(own, value)| own.is(key) && !value.is_null())
                .map(|(_, value)| value),
            _ => None,
        }
    }

    /// The value of `key`, read with `read`; `None` if it is absent.
    pub fn optional<'n, T>(
        &'n self,
        key: &str,
        read: impl FnOnce(&'n Node) -> Result<T, PackageError>,
    ) -> Result<Option<T>, PackageError> {
        self.get(key).map(read).transpose()
    }

    /// Sets `target` to the value of `key`, if there is one.
    pub fn set<'n, T>(
        &'n self,
        key: &str,
        target: &mut T,
        read: impl FnOnce(&'n Node) -> Result<T, PackageError>,
    ) -> Result<(), PackageError> {
        if let Some(value) = self.optional(key, read)? {
            *target = value;
        }
        Ok(())
    }

    /// The flag `key`; false if it is absent.
    pub fn flag(&self, key: &str) -> Result<bool, PackageError> {
        Ok(self.optional(key, Node::bool)?.unwrap_or(false))
    }

    /// The items of the list `key`; none if it is absent.
    pub fn list(&self, key: &str) -> Result<&[Node], PackageError> {
        self.get(key).map_or(Ok(&[]), Node::items)
    }

    /// One of `choices`, or an error that names them.
    pub fn choice<T: Copy>(&self, choices: &[(&str, T)]) -> Result<T, PackageError> {
        let text = self.text()?;
        choices
            .iter()
            .find(|(name, _)| *name == text)
            .map(|(_, value)| *value)
            .ok_or_else(|| {
                let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
                let error = self.error(format!("`{text}` is not one of {}", quoted(&names)));
                match nearest(text, &names) {
                    Some(near) => error.remedy(format!("did you mean `{near}`?")),
                    None => error,
                }
            })
    }

    /// Returns an error about the first key that is not one of `known`.
    pub fn only(&self, known: &[&str]) -> Result<(), PackageError> {
        match self.unknown_keys(known)?.next() {
            None => Ok(()),
            Some(key) => Err(key.unknown_key(known)),
        }
    }

    /// The keys that are not in `known`.
    pub fn unknown_keys(
        &self,
        known: &[&str],
    ) -> Result<impl Iterator<Item = &Node>, PackageError> {
        let keys = self.entries()?.iter().map(|(key, _)| key);
        Ok(keys.filter(|key| !known.iter().any(|known| key.is(known))))
    }

    /// Fails on a key that probably misspells one of `known`. The tools of the format ignore other keys, but
    /// a misspelt one changes how the package is judged.
    pub fn refuse_misspelt(&self, known: &[&str]) -> Result<(), PackageError> {
        let is_near = |key: &&Node| nearest(key.scalar().unwrap_or_default(), known).is_some();
        match self.unknown_keys(known)?.find(is_near) {
            Some(key) => Err(key.unknown_key(known)),
            None => Ok(()),
        }
    }

    /// The error for a key that is not one of `known`.
    pub fn unknown_key(&self, known: &[&str]) -> PackageError {
        let text = self.scalar().unwrap_or_default();
        self.error(format!("unknown key `{text}`"))
            .remedy(advice(text, known))
    }

    /// The error for a text that is not `what`: one of `known`.
    pub fn is_not(&self, what: &str, text: &str, known: &[&str]) -> PackageError {
        self.error(format!("`{text}` is not {what}"))
            .remedy(advice(text, known))
    }

    fn expected(&self, wanted: &str) -> PackageError {
        let found = match &self.value {
            _ if self.is_null() => "nothing".to_owned(),
            Value::Scalar { text, .. } => format!("`{}`", text::shorten(text, 60)),
            Value::List(_) => "a list".to_owned(),
            Value::Map(_) => "a map".to_owned(),
        };
        self.error(format!("expected {wanted}, found {found}"))
    }
}

/// "did you mean ...?", or the list of all choices.
pub fn advice(found: &str, known: &[&str]) -> String {
    match nearest(found, known) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => "remove it: there is nothing that it can be".to_owned(),
        None => format!("it can be {}", quoted(known)),
    }
}

/// Longer names are never taken for misspellings.
const MAX_NAME_CHARS: usize = 200;

/// The known name that `found` probably misspells.
pub fn nearest<'a>(found: &str, known: &[&'a str]) -> Option<&'a str> {
    // The comparison takes time and memory proportional to the length.
    if found.len() > MAX_NAME_CHARS {
        return None;
    }
    let found = found.to_lowercase();
    known
        .iter()
        .map(|known| {
            let likeness = strsim::normalized_damerau_levenshtein(&found, &known.to_lowercase());
            (likeness, *known)
        })
        .filter(|(likeness, _)| *likeness >= 0.6)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, known)| known)
}

fn quoted(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

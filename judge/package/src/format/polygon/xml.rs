//! Elements of `problem.xml`, whose errors name their positions.

use crate::error::PackageError;
use roxmltree::{Document, Node, ParsingOptions};
use std::path::Path;
use std::str::FromStr;

/// Upper bound of the elements, attributes and texts of a file.
const MAX_NODES: u32 = 4 << 20;

/// Parses a file. Definitions of entities are refused.
pub fn parse<'t>(file: &Path, text: &'t str) -> Result<Document<'t>, PackageError> {
    let options = ParsingOptions {
        nodes_limit: MAX_NODES,
        ..ParsingOptions::default()
    };
    Document::parse_with_options(text, options).map_err(|e| {
        let place = e.pos();
        PackageError::new(file, format!("is not XML: {e}"))
            .at(place.row as usize, place.col as usize)
            .remedy("download the package again, or restore the file")
    })
}

#[derive(Clone, Copy)]
pub struct Element<'t> {
    node: Node<'t, 't>,
    file: &'t Path,
}

impl<'t> Element<'t> {
    /// The outermost element.
    pub fn root(document: &'t Document<'t>, file: &'t Path) -> Self {
        Element {
            node: document.root_element(),
            file,
        }
    }

    /// The elements with this name directly in it.
    pub fn all(self, name: &'t str) -> impl Iterator<Item = Element<'t>> + Clone {
        let named = self.node.children().filter(move |n| n.has_tag_name(name));
        named.map(move |node| Element {
            node,
            file: self.file,
        })
    }

    /// The first element at this path of names.
    pub fn find(self, path: &[&'t str]) -> Option<Element<'t>> {
        path.iter()
            .try_fold(self, |element, name| element.all(name).next())
    }

    /// The elements `name` in the first element `list`.
    pub fn list(self, list: &'t str, name: &'t str) -> impl Iterator<Item = Element<'t>> + Clone {
        let list = self.all(list).next();
        list.into_iter().flat_map(move |list| list.all(name))
    }

    /// The first element at this path of names.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn required(self, path: &[&'t str]) -> Result<Element<'t>, PackageError> {
        self.find(path).ok_or_else(|| {
            self.error(format!("there is no `{}`", path.join("/")))
                .remedy("download the package again")
        })
    }

    /// The value of an attribute that is neither missing nor empty.
    pub fn attribute(self, name: &str) -> Option<&'t str> {
        let value = self.node.attribute(name)?.trim();
        (!value.is_empty()).then_some(value)
    }

    /// Whether the attribute is `true`.
    pub fn flag(self, name: &str) -> bool {
        self.attribute(name) == Some("true")
    }

    /// The value of an attribute.
    ///
    /// # Errors
    ///
    /// If it is missing or empty.
    pub fn value(self, name: &str) -> Result<&'t str, PackageError> {
        self.attribute(name).ok_or_else(|| {
            self.error(format!("it has no attribute `{name}`"))
                .remedy("download the package again")
        })
    }

    /// An attribute that is a number.
    ///
    /// # Errors
    ///
    /// If it is something else.
    pub fn number(self, name: &str) -> Result<Option<f64>, PackageError> {
        let parse = |text: &str| text.parse().ok().filter(|number: &f64| number.is_finite());
        let Some(text) = self.attribute(name) else {
            return Ok(None);
        };
        let failed = || self.error(format!("`{name}` is not a number: `{text}`"));
        parse(text).map(Some).ok_or_else(failed)
    }

    pub fn text(self) -> &'t str {
        self.node.text().unwrap_or_default().trim()
    }

    /// The text in it, as a value of a type like a whole number.
    ///
    /// # Errors
    ///
    /// If it is something else; `remedy` says how to write it.
    pub fn parsed<T: FromStr>(self, remedy: &str) -> Result<T, PackageError> {
        let text = self.text();
        let failed = |_| self.error(format!("cannot be `{text}`")).remedy(remedy);
        text.parse().map_err(failed)
    }

    /// An error about this element.
    pub fn error(self, what: impl Into<String>) -> PackageError {
        let place = self.node.document().text_pos_at(self.node.range().start);
        let what = format!("<{}>: {}", self.node.tag_name().name(), what.into());
        PackageError::new(self.file, what).at(place.row as usize, place.col as usize)
    }
}

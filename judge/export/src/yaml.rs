//! Values as YAML.

use judge_package::yaml::{Node, Value};
use std::fmt::{Display, Write};

/// A text in double quotes, as in JSON.
pub fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A list of texts: `["a", "b"]`.
pub fn list<T: AsRef<str>>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items
        .into_iter()
        .map(|item| quoted(item.as_ref()))
        .collect();
    format!("[{}]", items.join(", "))
}

/// A value of another file on one line, with every scalar in quotes.
pub fn flow(node: &Node) -> String {
    match &node.value {
        Value::Scalar { text, .. } => quoted(text),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(flow).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Map(entries) => {
            let entry = |(key, value): &(Node, Node)| format!("{}: {}", flow(key), flow(value));
            let entries: Vec<String> = entries.iter().map(entry).collect();
            format!("{{{}}}", entries.join(", "))
        }
    }
}

/// Lines that are added to a text.
pub trait YamlLines {
    /// A line `KEY: TEXT` with the text in quotes.
    fn line(&mut self, indent: usize, key: &str, text: &str);

    /// A line `KEY: VALUE` with the value as it is.
    fn value(&mut self, indent: usize, key: &str, value: impl Display);
}

impl YamlLines for String {
    fn line(&mut self, indent: usize, key: &str, text: &str) {
        self.value(indent, key, quoted(text));
    }

    fn value(&mut self, indent: usize, key: &str, value: impl Display) {
        let _ = writeln!(self, "{:indent$}{key}: {value}", "");
    }
}

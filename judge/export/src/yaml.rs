//! Values as YAML.

use std::fmt::Write;

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

/// A line `KEY: TEXT` with the text in quotes.
pub fn line(out: &mut String, indent: usize, key: &str, text: &str) {
    let _ = writeln!(out, "{:indent$}{key}: {}", "", quoted(text));
}

/// A number without needless decimals.
pub fn number(value: f64) -> String {
    format!("{value}")
}

/// Escapes text for XML, in attributes and elements.
pub fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

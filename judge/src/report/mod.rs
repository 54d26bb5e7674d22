//! Reports: each receives events and writes to its writer.

mod comparison;
mod html;
mod human;
mod json;
mod junit;
mod package_summary;
mod text;

pub use html::Html;
pub use human::{Human, Style};
pub use json::JsonLines;
pub use junit::JUnit;
pub use text::{Paint, bytes, millions, seconds, table};

use crate::event::Event;
use crate::text::{printable, printable_name};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io;

/// A consumer of judging events.
pub trait Report {
    /// Handles the next event.
    ///
    /// # Errors
    ///
    /// If the writer fails.
    fn event(&mut self, event: &Event) -> io::Result<()>;
}

/// The degraded and absent layers of the sandbox: `memory degraded, seccomp absent`; `None` if it
/// is complete.
fn lacking(sandbox: &BTreeMap<String, String>) -> Option<String> {
    let lacking: Vec<String> = sandbox
        .iter()
        .filter(|(_, state)| state.as_str() != "present")
        // Counting instructions is a measurement, not a protection.
        .filter(|(layer, _)| layer.as_str() != "instructions")
        .map(|(layer, state)| format!("{layer} {state}"))
        .collect();
    (!lacking.is_empty()).then(|| lacking.join(", "))
}

/// The event with names and messages that cannot command a terminal, whoever wrote them.
fn fit_to_print(event: &Event) -> Cow<'_, Event> {
    if is_plain(event) {
        return Cow::Borrowed(event);
    }
    fn clean(value: &mut Value, is_text: bool) {
        match value {
            Value::String(text) if is_text => *text = printable(text.as_bytes()),
            Value::String(text) => *text = printable_name(text).into_owned(),
            Value::Array(items) => items.iter_mut().for_each(|item| clean(item, is_text)),
            Value::Object(fields) => {
                for (name, value) in fields {
                    clean(
                        value,
                        ["message", "remedy", "warnings"].contains(&name.as_str()),
                    );
                }
            }
            _ => {}
        }
    }
    let cleaned = serde_json::to_value(event).and_then(|mut value| {
        clean(&mut value, false);
        serde_json::from_value(value)
    });
    cleaned.map_or(Cow::Borrowed(event), Cow::Owned)
}

/// Whether all text of the event is fit to print as it stands. Nearly always it is, and then nothing
/// needs to be taken apart and put together again.
fn is_plain(event: &Event) -> bool {
    if let Event::CaseFinished(case) = event {
        // There are many of these.
        let message = case.message.as_deref().unwrap_or_default();
        return [&case.package, &case.submission, &case.case, message]
            .into_iter()
            .all(is_plain_text);
    }
    let Ok(line) = serde_json::to_vec(event) else {
        return false;
    };
    let is_plain = |byte: &u8| matches!(byte, b' '..=b'~') && *byte != b'\\';
    // Outside of its strings the line has no blanks.
    let is_blank_at_end = |pair: &[u8]| matches!(pair, b"\" " | b" \"");
    line.iter().all(is_plain) && !line.windows(2).any(is_blank_at_end)
}

fn is_plain_text(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~')) && text.trim_ascii() == text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(path: &str, message: &str) -> Event {
        Event::Finding {
            package: "p".into(),
            severity: "error".into(),
            path: path.into(),
            line: None,
            column: None,
            message: message.into(),
            remedy: None,
        }
    }

    #[test]
    fn what_is_plain_is_left_and_the_rest_cleaned() {
        let plain = finding("a b.in", "expected '3', found {4}");
        assert!(matches!(fit_to_print(&plain), Cow::Borrowed(e) if *e == plain));
        for (path, message, cleaned) in [
            ("a", "red \x1b[31mtext", finding("a", "red text")),
            ("a\rb", "x", finding("a\\u{d}b", "x")),
            ("\u{202e}a", "x", finding("\\u{202e}a", "x")),
            ("a ", " x\n", finding("a ", "x")),
            ("\u{e4}", "\"x\"", finding("\u{e4}", "\"x\"")),
        ] {
            assert_eq!(
                *fit_to_print(&finding(path, message)),
                cleaned,
                "{message:?}"
            );
        }
    }
}

//! Reports: each sees only events and a writer it is given.

mod comparison;
mod html;
mod human;
mod json;
mod junit;
mod text;

pub use html::Html;
pub use human::{Human, Style};
pub use json::JsonLines;
pub use junit::JUnit;
pub use text::{Paint, bytes, seconds, table};

use crate::event::Event;
use crate::text::{printable, printable_name};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io;

/// Something that tells what happened while judging.
pub trait Report {
    /// Takes the next event.
    ///
    /// # Errors
    ///
    /// When the writer fails.
    fn event(&mut self, event: &Event) -> io::Result<()>;
}

/// What the sandbox lacks: `memory degraded, seccomp absent`; `None` when it is whole.
fn lacking(sandbox: &BTreeMap<String, String>) -> Option<String> {
    let lacking: Vec<String> = sandbox
        .iter()
        .filter(|(_, state)| state.as_str() != "present")
        // Counting instructions protects nobody: who asks for it, asks for it.
        .filter(|(layer, _)| layer.as_str() != "instructions")
        .map(|(layer, state)| format!("{layer} {state}"))
        .collect();
    (!lacking.is_empty()).then(|| lacking.join(", "))
}

/// The event with names and messages that cannot command a terminal, whoever wrote them.
fn fit_to_print(event: &Event) -> Event {
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
    cleaned.unwrap_or_else(|_| event.clone())
}

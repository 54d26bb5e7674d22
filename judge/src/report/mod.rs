//! Reports: each receives events and writes to its writer.

mod clean;
mod comparison;
mod diagnosis;
mod github;
mod html;
mod human;
mod junit;
mod live;
mod matrix;
mod package_summary;
mod rows;
mod run_summary;
mod text;

pub use github::GitHub;
pub use html::{Html, diagnosis as html_diagnosis};
pub use human::{Human, Style};
pub use junit::JUnit;
pub use live::Live;
pub use text::{
    Paint, bytes, millions, plain, plural, points, seconds, table, width as text_width,
};

use crate::event::Event;
use std::collections::BTreeMap;
use std::io::{self, Write};

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

/// Writes every event as a line of JSON immediately.
pub struct JsonLines<W>(pub W);

impl<W: Write> Report for JsonLines<W> {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        // One write per line: a reader of the pipe never sees half an event.
        let mut line = serde_json::to_vec(event).map_err(io::Error::other)?;
        line.push(b'\n');
        self.0.write_all(&line)?;
        self.0.flush()
    }
}

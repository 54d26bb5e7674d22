//! Reports: each reads the results of a run and writes to its writer.
#![forbid(unsafe_code)]
#![allow(
    missing_docs,
    reason = "the public items are for the other crates of the workspace"
)]

mod annotations;
mod clean;
mod comparison;
mod diagnosis;
pub mod event;
mod github;
mod html;
mod human;
mod junit;
mod lines;
mod live;
mod matrix;
mod rows;
mod text;
mod totals;

pub use github::GitHub;
pub use html::{Html, diagnosis as html_diagnosis, images as html_images};
pub use human::{Human, Style};
pub use junit::JUnit;
pub use lines::Lines;
pub use live::Live;
pub use text::{Paint, plain, table, width as text_width, wrapped};

use crate::event::Event;
use judge_core::results::{Change, LayerState, RunResults, RunStarted};
use std::io::{self, Write};

/// A consumer of the results of a run.
pub trait Report {
    /// Handles a change, which was applied to `results`.
    fn change(&mut self, change: &Change, results: &RunResults) -> io::Result<()>;

    /// Writes what it has buffered: no change is due at the moment.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The degraded and absent layers of the sandbox: `memory degraded, seccomp absent`; `None` if it
/// is complete.
pub fn lacking(started: &RunStarted) -> Option<String> {
    let lacking: Vec<String> = started
        .sandbox
        .iter()
        .filter(|(_, state)| **state != LayerState::Present)
        // Counting instructions is a measurement, not a protection.
        .filter(|(layer, _)| layer.as_str() != "instructions")
        .map(|(layer, state)| format!("{layer} {}", state.text()))
        .collect();
    (!lacking.is_empty()).then(|| lacking.join(", "))
}

/// Writes every event as a line of JSON; a writer with a buffer gets those that arrive together at once.
pub struct JsonLines<W>(pub W);

impl<W: Write> Report for JsonLines<W> {
    fn change(&mut self, change: &Change, results: &RunResults) -> io::Result<()> {
        let event = Event::of(change, results);
        // One write per line: a reader of the pipe never sees half an event, unless it is longer than the buffer.
        let mut line = serde_json::to_vec(&event).map_err(io::Error::other)?;
        line.push(b'\n');
        self.0.write_all(&line)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

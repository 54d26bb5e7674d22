//! JSON Lines: one object per event, for scripts.

use super::Report;
use crate::event::Event;
use std::io::{self, Write};

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

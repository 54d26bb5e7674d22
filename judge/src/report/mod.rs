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

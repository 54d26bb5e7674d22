//! Keeps the write ends of pipes open until the judge has recorded that the writer closed its end,
//! by ending or otherwise; only then the reader sees the end of its input.
//!
//! The judge detects the close with a lock (`judge_os::WriteEnd`), which a thread of the judge gets
//! when the program and all processes with copies have closed their ends. It records the order, and
//! only then closes the judge's end. macOS and Windows have no such lock: there only the end of the
//! program counts.
//!
//! So the recorded order does not depend on the machine's load: a reader that ends because its
//! input ended is always recorded second. A program that unlocks its end counts as having closed
//! it; its reader does not see the end any earlier.

use crate::parallel::unpoisoned;
use judge_os::WriteEnd;
use judge_sandbox::Canceller;
use std::fs::File;
use std::io::{self, PipeWriter};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard};

/// A program's standard output, kept open by the judge too.
pub struct PipeGuard<'a> {
    /// Gives the output to the program.
    canceller: Canceller,
    /// The program's end.
    end: WriteEnd,
    /// Counter of closed ends, shared by all guards of an interaction.
    order: &'a AtomicU32,
    state: Mutex<State>,
}

struct State {
    /// The judge's own write end.
    held: Option<File>,
    /// Position in the order of closing.
    place: Option<u32>,
}

impl<'a> PipeGuard<'a> {
    /// Guards the pipe of `writer`, which becomes standard output of the canceller's run. `order`
    /// is shared by all guards of an interaction.
    pub fn new(writer: PipeWriter, order: &'a AtomicU32) -> io::Result<Self> {
        let (held, end) = WriteEnd::hold(&writer)?;
        Ok(PipeGuard {
            canceller: Canceller::with_output(writer.into()).map_err(io::Error::other)?,
            end,
            order,
            state: Mutex::new(State {
                held: Some(held),
                place: None,
            }),
        })
    }

    /// Cancels the run of the writer.
    pub fn canceller(&self) -> &Canceller {
        &self.canceller
    }

    /// Waits until all write ends but the judge's are closed, and releases the judge's.
    pub fn wait(&self) {
        if !self.end.wait() {
            // Then the end of the run is the only signal.
            return;
        }
        self.release();
    }

    /// Position of the close in the order of [`release`](Self::release); `None` while open.
    pub fn place(&self) -> Option<u32> {
        self.state().place
    }

    /// Closes the judge's end, unless it is closed; returns its position in the order of closing.
    pub fn release(&self) -> u32 {
        let mut state = self.state();
        // A program that was never started leaves one more copy.
        self.canceller.drop_output();
        let next = || self.order.fetch_add(1, Ordering::SeqCst);
        let place = *state.place.get_or_insert_with(next);
        // After the position is recorded: the reader sees the end here, and may end at once.
        state.held = None;
        place
    }

    fn state(&self) -> MutexGuard<'_, State> {
        unpoisoned(self.state.lock())
    }
}

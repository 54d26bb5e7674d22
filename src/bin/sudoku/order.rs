//! Results of threads, written in the order of their chunks.

use crate::report::Report;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The result of a chunk.
#[derive(Default)]
pub struct Done {
    pub text: Vec<u8>,
    /// Messages, each with its line in the chunk from 0.
    pub messages: Vec<(usize, String)>,
    /// The lines and the bytes of input, and the puzzles in them.
    pub lines: usize,
    pub bytes: u64,
    pub puzzles: usize,
}

/// Writes results in order. Threads that are too far ahead wait, so that the memory is bounded.
pub struct Ordered<'a> {
    state: Mutex<State>,
    turn: Condvar,
    /// How many chunks a thread can be ahead.
    window: u64,
    sink: Mutex<Sink<'a>>,
}

struct State {
    /// The number of the next chunk to be written.
    next: u64,
    waiting: BTreeMap<u64, Done>,
    is_writing: bool,
    /// Buffers to be used again.
    free: Vec<Vec<u8>>,
    error: Option<io::Error>,
}

struct Sink<'a> {
    out: Out<'a>,
    report: &'a mut Report,
    name: &'a str,
    /// The sums of the chunks before.
    lines: usize,
    bytes: u64,
    puzzles: usize,
    messages: usize,
}

type Out<'a> = &'a mut (dyn Write + Send);

impl<'a> Ordered<'a> {
    pub fn new(out: Out<'a>, report: &'a mut Report, name: &'a str, threads: usize) -> Self {
        Ordered {
            state: Mutex::new(State {
                next: 0,
                waiting: BTreeMap::new(),
                is_writing: false,
                free: Vec::new(),
                error: None,
            }),
            turn: Condvar::new(),
            window: 4 * threads as u64,
            sink: Mutex::new(Sink {
                out,
                report,
                name,
                lines: 0,
                bytes: 0,
                puzzles: 0,
                messages: 0,
            }),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An empty buffer for the text of a chunk.
    pub fn buffer(&self) -> Vec<u8> {
        self.lock().free.pop().unwrap_or_default()
    }

    /// Ends the work of all threads with an error.
    pub fn fail(&self, error: io::Error) {
        self.lock().error.get_or_insert(error);
        self.turn.notify_all();
    }

    /// Whether the work has failed.
    pub fn has_failed(&self) -> bool {
        self.lock().error.is_some()
    }

    /// Takes the result of a chunk, and writes all that is complete. Returns whether the work goes on.
    pub fn finish(&self, number: u64, done: Done) -> bool {
        let mut state = self.lock();
        while number >= state.next + self.window && state.error.is_none() {
            state = self
                .turn
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
        state.waiting.insert(number, done);
        while !state.is_writing && state.error.is_none() {
            let next = state.next;
            let Some(mut done) = state.waiting.remove(&next) else {
                break;
            };
            state.is_writing = true;
            drop(state);
            let written = self.write(&done);
            done.text.clear();
            state = self.lock();
            state.is_writing = false;
            state.next += 1;
            if done.text.capacity() <= MAX_KEPT {
                state.free.push(done.text);
            }
            if let Err(error) = written {
                state.error.get_or_insert(error);
            }
            self.turn.notify_all();
        }
        state.error.is_none()
    }

    fn write(&self, done: &Done) -> io::Result<()> {
        let mut sink = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
        let Sink {
            out,
            report,
            name,
            lines,
            ..
        } = &mut *sink;
        if !done.text.is_empty() {
            report.erase();
            out.write_all(&done.text)?;
        }
        for (at, message) in &done.messages {
            out.flush()?;
            report.message(&format!("{name}:{}{message}", *lines + at + 1));
        }
        report.done(done.bytes, done.puzzles);
        sink.lines += done.lines;
        sink.bytes += done.bytes;
        sink.puzzles += done.puzzles;
        sink.messages += done.messages.len();
        Ok(())
    }

    /// Whether all chunks before this one are written.
    pub fn is_turn(&self, number: u64) -> bool {
        let state = self.lock();
        state.next == number && !state.is_writing
    }

    /// Writes a part of the text of a chunk as soon as all chunks before are written. Returns whether the work goes on.
    pub fn write_part(&self, number: u64, text: &mut Vec<u8>) -> bool {
        let mut state = self.lock();
        while (state.next < number || state.is_writing) && state.error.is_none() {
            state = self
                .turn
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
        if state.error.is_some() {
            return false;
        }
        drop(state);
        let mut sink = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
        sink.report.erase();
        let written = sink.out.write_all(text).and_then(|()| sink.out.flush());
        text.clear();
        drop(sink);
        match written {
            Ok(()) => true,
            Err(error) => {
                self.fail(error);
                false
            }
        }
    }

    /// The end of the work; returns whether a puzzle, or a reason why there is none, was written. An empty input needs none.
    pub fn end(self) -> io::Result<bool> {
        let state = self
            .state
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = state.error {
            return Err(error);
        }
        let sink = self
            .sink
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let is_silent = sink.bytes > 0 && sink.puzzles + sink.messages == 0;
        if is_silent {
            let name = sink.name;
            sink.report.message(&format!("{name}: no puzzle found"));
        }
        Ok(!is_silent)
    }
}

/// The size of a buffer that is kept to be used again.
const MAX_KEPT: usize = 1 << 20;

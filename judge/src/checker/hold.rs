//! Ends of pipes that the judge keeps open, so that nobody sees the end of his input before the
//! judge knows that the writer has ended; and lets go of, where the writer closed his end himself
//! and goes on.
//!
//! From time to time, while a pipe is empty, the judge lets go of it: if nobody else can write into
//! it any more, the reader is told at once; else the judge takes hold of it again.
//!
//! So a reader may end because of what he was told before the judge hears that the writer has ended.
//! Who was first is therefore noted here: he whose end was closed first.

use judge_sandbox::Canceller;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::fs::File;
use std::io::PipeReader;
use std::os::fd::{AsRawFd, OwnedFd};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The first look; most conversations are over by then. Who ends while the judge looks is told of it
/// before the judge is.
const FIRST: Duration = Duration::from_millis(100);
/// The longest pause between two looks.
const LONGEST: Duration = Duration::from_millis(250);

/// A program's standard output, held by the judge too.
pub struct Hold<'a> {
    /// The other end.
    reader: PipeReader,
    /// Through which the program gets it.
    canceller: Canceller,
    /// The number of who is closed next.
    order: &'a AtomicU32,
    state: Mutex<State>,
}

enum State {
    /// The canceller holds it.
    Lent,
    Held(OwnedFd),
    /// Only the program has it.
    LetGo,
    /// Closed: the lower, the earlier.
    Closed(u32),
}

impl<'a> Hold<'a> {
    /// Of the pipe that `reader` reads; the writing end is with `canceller`. `order` is that of all
    /// who talk.
    pub fn new(reader: PipeReader, canceller: Canceller, order: &'a AtomicU32) -> Self {
        Hold {
            reader,
            canceller,
            order,
            state: Mutex::new(State::Lent),
        }
    }

    /// Lets go for good: the writer has ended. Gives a number that is lower than that of whoever
    /// closed his end later.
    pub fn release(&self) -> u32 {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        // Where the program was never started there is no other copy.
        self.canceller.drop_output();
        let place = match *state {
            State::Closed(place) => place,
            _ => self.next_place(),
        };
        *state = State::Closed(place);
        place
    }

    fn next_place(&self) -> u32 {
        self.order.fetch_add(1, Ordering::SeqCst)
    }

    /// Lets go if the program has closed its end.
    fn look(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let unread = rustix::io::ioctl_fionread(&self.reader).unwrap_or(1);
        if unread > 0 {
            return;
        }
        let held = match std::mem::replace(&mut *state, State::LetGo) {
            State::Held(fd) => fd,
            State::Lent => match self.canceller.take_output() {
                Some(fd) => fd,
                None => {
                    *state = State::Lent;
                    return;
                }
            },
            other => {
                *state = other;
                return;
            }
        };
        // The reader may be told, and end, in the next line.
        let place = self.next_place();
        drop(held);
        let mut ends = [PollFd::new(&self.reader, PollFlags::empty())];
        let polled = poll(&mut ends, Some(&Timespec::default()));
        if polled.is_ok() && ends[0].revents().contains(PollFlags::HUP) {
            *state = State::Closed(place);
            return;
        }
        // A pipe can be opened anew through either end of it.
        let again = format!("/proc/self/fd/{}", self.reader.as_raw_fd());
        if let Ok(file) = File::options().write(true).open(again) {
            *state = State::Held(file.into());
        }
    }
}

/// Looks at both from time to time, until the sender of `end` is gone.
pub fn watch(holds: [&Hold<'_>; 2], end: &Receiver<()>) {
    let mut pause = FIRST;
    while end.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
        holds.iter().for_each(|hold| hold.look());
        pause = (pause * 2).min(LONGEST);
    }
}

//! Ends of pipes that the judge keeps open, so that nobody sees the end of his input before the
//! judge knows that the writer has closed his end, by ending or otherwise.
//!
//! How the judge comes to know: a program gets its end locked (`flock`). Such a lock belongs to the
//! open file, whoever has copies of its descriptor, and goes when the last of them is closed. The
//! judge has an open file of its own of the same pipe, and a thread that waits for the lock. It has
//! the lock as soon as the program, and all processes that it gave copies, have closed theirs; it
//! notes who that was; and only then does it let go of its end, and the reader is told.
//!
//! So who was first is no race, however busy the machine is: a reader that ends because its input
//! has ended is always noted second. (A program that unlocks its end counts as having closed it;
//! its reader is told no earlier for that.)

use judge_sandbox::Canceller;
use rustix::fs::{FlockOperation, flock};
use std::fs::File;
use std::io::{self, PipeWriter};
use std::os::fd::AsRawFd;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A program's standard output, held by the judge too.
pub struct PipeGuard<'a> {
    /// Through which the program gets it.
    canceller: Canceller,
    /// To ask for the lock. It reads: a thread that asks for long must not be one more writer.
    lock: File,
    /// The number of who is closed next.
    order: &'a AtomicU32,
    state: Mutex<State>,
}

struct State {
    /// The judge's own writing end.
    held: Option<File>,
    /// When it was closed: the lower, the earlier.
    place: Option<u32>,
}

impl<'a> PipeGuard<'a> {
    /// Of the pipe that `writer` writes to, which becomes standard output of the canceller's run.
    /// `order` is that of all who talk.
    ///
    /// # Errors
    ///
    /// When the pipe cannot be opened anew, or locked.
    pub fn new(writer: PipeWriter, order: &'a AtomicU32) -> io::Result<Self> {
        // A pipe can be opened anew through either end of it.
        let again = format!("/proc/self/fd/{}", writer.as_raw_fd());
        let held = File::options().write(true).open(&again)?;
        let lock = File::open(&again)?;
        flock(&writer, FlockOperation::LockExclusive)?;
        Ok(PipeGuard {
            canceller: Canceller::with_output(writer.into()).map_err(io::Error::other)?,
            lock,
            order,
            state: Mutex::new(State {
                held: Some(held),
                place: None,
            }),
        })
    }

    /// What the run that writes is ended with.
    pub fn canceller(&self) -> &Canceller {
        &self.canceller
    }

    /// Waits until nobody but the judge has the writing end any more, and lets go of it.
    pub fn wait(&self) {
        loop {
            match flock(&self.lock, FlockOperation::LockExclusive) {
                Ok(()) => break,
                Err(rustix::io::Errno::INTR) => {}
                // Then the end of the run tells.
                Err(_) => return,
            }
        }
        self.release();
    }

    /// When the end was closed, as [`release`](Self::release) numbers it; `None`: not yet.
    pub fn place(&self) -> Option<u32> {
        self.state().place
    }

    /// Lets go, if that was not done before. Gives a number that is lower than that of whoever
    /// closed his end later.
    pub fn release(&self) -> u32 {
        let mut state = self.state();
        // Where the program was never started there is one more copy.
        self.canceller.drop_output();
        let next = || self.order.fetch_add(1, Ordering::SeqCst);
        let place = *state.place.get_or_insert_with(next);
        // After it is noted: the reader is told here, and may end before the next line.
        state.held = None;
        place
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

//! The types that a run and the system's process trees share.

use std::io;
use std::path::Path;
use std::time::Duration;

use judge_os::Stream;

use crate::api::{Limits, Measured};
use crate::environment::Variable;

/// A program to start.
pub struct Launch<'a> {
    pub program: &'a Path,
    pub args: &'a [std::ffi::OsString],
    pub env: &'a [Variable<'a>],
    /// The directory that it starts in.
    pub directory: &'a Path,
    /// Standard input, output and error.
    pub streams: [Stream<'a>; 3],
    pub limits: &'a Limits,
    /// The core to run on.
    pub core: Option<usize>,
}

/// Why a program was not started.
#[derive(Debug)]
pub enum NotStarted {
    /// The system refused the file or the arguments, with this error number.
    Refused(i32),
    /// The system could not start any program.
    Failed(io::Error),
}

/// A sample of a running tree.
#[derive(Clone, Copy, Default, Debug)]
pub struct Sample {
    /// CPU time of all processes that were seen so far.
    pub cpu: Duration,
    /// Bytes in use now.
    pub memory: u64,
    /// Live processes.
    pub processes: usize,
    /// How long the processes were ready and the machine did not run them. It is sampled twice a second, and at
    /// the wall-clock limit. If `KNOWS_DELAY` is false, it is an upper bound.
    pub delay: Duration,
}

/// How the main process ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    Code(i32),
    Signal(i32),
    /// [`kill`](super::tree::Tree::kill) ended it, or something else with the same sign.
    Killed,
}

/// A tree that has ended.
#[derive(Clone, Copy, Debug)]
pub struct Ended {
    pub status: Status,
    pub cpu: Measured<Duration>,
    pub memory: Measured<u64>,
    /// Whether the system refused memory beyond the limit.
    pub out_of_memory: bool,
}

//! The portable back end: limits and measures programs without isolating them, on every system.
//!
//! [`PortableSandbox`] stages the files of a run in a directory of its own, and `run` watches the
//! run: it wakes when the program ends, and otherwise at most every 10 ms to sample CPU time, memory
//! and output of the whole process tree. The system starts, samples and kills a tree: `unix` with a
//! process group, `setrlimit` and `wait4`, and its `linux` and `macos` read the figures of single
//! processes; `windows` with a job object.

mod launch;
mod run;
#[cfg(any(windows, test))]
mod run_delay;
mod sandbox;
#[cfg(any(not(target_os = "linux"), test))]
mod stdio_files;
#[cfg(not(target_os = "linux"))]
pub mod system;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

pub use sandbox::PortableSandbox;

#[cfg(unix)]
use unix as tree;
#[cfg(windows)]
use windows as tree;

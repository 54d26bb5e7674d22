//! The functions that systems other than Linux have in place of its sandbox.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::api::{BoxSpec, Fault, Layer, Sandbox, layers_of};

use super::PortableSandbox;
pub use super::stdio_files::{Input, InputCopier, scratch_file};

/// The directories of the system, which every program can read: without isolation it reads all.
pub const SYSTEM_DIRECTORIES: [&str; 0] = [];

/// Opens a box. Fails if the box cannot be made, or strict isolation is requested.
pub fn open(spec: &BoxSpec) -> Result<Box<dyn Sandbox>, Fault> {
    Ok(Box::new(PortableSandbox::open(spec)?))
}

/// The layers of isolation and measurement of this system.
pub fn probe() -> Vec<Layer> {
    layers_of(open(&BoxSpec::default()))
}

/// The AppArmor profile that this machine requires: none.
pub fn required_profile(_program: &Path) -> Option<String> {
    None
}

/// Does nothing: only Linux starts the judge a second time.
pub fn init() {}

/// Does nothing: without isolation no directory can be hidden.
pub fn hide(_directory: &Path) {}

/// Does nothing: without isolation programs can leave messages in many places.
pub fn make_resident(_path: &Path) {}

/// Does nothing: without isolation a program changes the files of its user anyway.
pub fn make_plain(_top: &Path) -> io::Result<()> {
    Ok(())
}

/// The cores that this process may use.
pub fn cores() -> Vec<usize> {
    (0..std::thread::available_parallelism().map_or(1, usize::from)).collect()
}

/// Does nothing: threads stay where the system puts them.
pub fn pin(_core: usize) -> io::Result<()> {
    Ok(())
}

/// As [`pin`].
pub fn unpin() -> io::Result<()> {
    Ok(())
}

/// An event that happens once.
#[derive(Debug, Default)]
pub struct Event(AtomicBool);

impl Event {
    pub fn new() -> io::Result<Self> {
        Ok(Event::default())
    }

    /// Async-signal-safe.
    pub fn signal(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Whether it was signalled.
    pub fn is_signalled(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

//! A round of `judge watch`: a `judge run` and all that it starts, in a process group of its own.
//!
//! The group gets signals as one, so that no compiler outlives the round that started it. (Programs
//! under test are in sessions of their own; the sandbox ends them.) The process is not reaped before
//! the last signal: until then its id, which is that of the group, belongs to no one else.

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};

/// A process and its group.
pub struct ProcessGroup {
    child: Child,
    group: Pid,
    is_interrupted: bool,
}

impl ProcessGroup {
    /// Starts `command`; `ended` is called on another thread when it ends.
    ///
    /// # Errors
    ///
    /// When it cannot be started.
    pub fn start(command: &mut Command, ended: impl FnOnce() + Send + 'static) -> io::Result<Self> {
        let child = command.process_group(0).spawn()?;
        let group = Pid::from_child(&child);
        let round = ProcessGroup {
            child,
            group,
            is_interrupted: false,
        };
        std::thread::Builder::new().spawn(move || {
            let not_reaped = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
            while let Err(Errno::INTR) = waitid(WaitId::Pid(group), not_reaped) {}
            ended();
        })?;
        Ok(round)
    }

    /// Sends Ctrl-C to the group, once: the second one would end the judge before it has cleaned up.
    pub fn interrupt(&mut self) {
        if !self.is_interrupted {
            self.insist();
        }
    }

    /// Sends Ctrl-C to the group, also a second time.
    pub fn insist(&mut self) {
        self.is_interrupted = true;
        let _ = kill_process_group(self.group, Signal::INT);
    }
}

/// Ends the process, with what is left of a group that was interrupted, and reaps it.
impl Drop for ProcessGroup {
    fn drop(&mut self) {
        let group = self.group;
        let wait = |options| waitid(WaitId::Pid(group), options);
        let not_reaped = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        if let Ok(None) = wait(not_reaped | WaitIdOptions::NOHANG) {
            self.interrupt();
            let _ = wait(not_reaped);
        }
        if self.is_interrupted {
            let _ = kill_process_group(self.group, Signal::KILL);
        }
        let _ = self.child.wait();
    }
}

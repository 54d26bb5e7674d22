//! A child process in its own process group: one round of `judge watch`, a `judge run` and its
//! children.
//!
//! Signals go to the whole group, so that no compiler outlives its round. (Programs under test are
//! in their own sessions; the sandbox ends them.) The child is reaped only after the last signal:
//! until then its PID, which is the group's id, cannot be reused.

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};

/// A child process that leads its own group.
pub struct ProcessGroup {
    child: Child,
    group: Pid,
    is_interrupted: bool,
}

impl ProcessGroup {
    /// Starts `command`; `ended` is called on another thread when it exits.
    ///
    /// # Errors
    ///
    /// If it cannot be started.
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

    /// Sends SIGINT to the group, only once: a second one would end the judge before it has cleaned
    /// up.
    pub fn interrupt(&mut self) {
        if !self.is_interrupted {
            self.insist();
        }
    }

    /// Sends SIGINT to the group, even if it was sent before.
    pub fn insist(&mut self) {
        self.is_interrupted = true;
        let _ = kill_process_group(self.group, Signal::INT);
    }
}

/// Ends the process, kills the rest of an interrupted group, and reaps the process.
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

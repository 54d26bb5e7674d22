//! Ends the program of a box, and removes its directory, if the judge dies.

use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Reads the group of the running program, or an empty line, until the judge closes the pipe.
const SCRIPT: &str = "trap '' HUP INT QUIT TERM; last=; while read -r group; do last=$group; done; \
                      [ -z \"$last\" ] || kill -9 \"-$last\"; rm -rf -- \"$1\"";

/// A shell that outlives the judge: no system but Linux ends the processes of a dead parent, and
/// Linux only its children.
pub struct Guardian(Child);

impl Guardian {
    /// Starts the guardian of a box with this work directory.
    pub fn new(work: &Path) -> io::Result<Self> {
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", SCRIPT, "judge-guardian"]).arg(work);
        // The keys that interrupt the judge must not reach it.
        shell.process_group(0).current_dir("/");
        shell.stdin(Stdio::piped()).stdout(Stdio::null());
        shell.stderr(Stdio::null()).spawn().map(Guardian)
    }

    /// The end of its pipe for [`watch_this_group`].
    pub fn pipe(&self) -> io::Result<OwnedFd> {
        let pipe = self.0.stdin.as_ref().ok_or(io::ErrorKind::BrokenPipe)?;
        pipe.as_fd().try_clone_to_owned()
    }

    /// Makes it kill no group.
    pub fn watch_none(&mut self) {
        if let Some(pipe) = &mut self.0.stdin {
            // Best effort: somebody may have killed the guardian.
            let _ = pipe.write_all(b"\n");
        }
    }
}

/// Makes the guardian kill the group that this process leads. The child process calls it before it executes the
/// program, because the judge may be killed at any time after that. It makes system calls only.
pub fn watch_this_group(pipe: &OwnedFd) {
    let mut line = [0; 16];
    let mut rest = &mut line[..];
    let _ = writeln!(rest, "{}", std::process::id());
    let unused = rest.len();
    // Best effort: somebody may have killed the guardian.
    let _ = rustix::io::write(pipe, &line[..16 - unused]);
}

impl Drop for Guardian {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

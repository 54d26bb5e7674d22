//! Ends the program of a box, and removes its directory, if the judge dies.

use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use libc::pid_t;

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

    /// Sets the group to kill.
    pub fn watch(&mut self, group: Option<pid_t>) {
        let line = group.map_or("\n".to_owned(), |group| format!("{group}\n"));
        if let Some(pipe) = &mut self.0.stdin {
            // Best effort: somebody may have killed the guardian.
            let _ = pipe.write_all(line.as_bytes());
        }
    }
}

impl Drop for Guardian {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

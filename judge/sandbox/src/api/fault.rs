//! The error of the sandbox.

use std::fmt;
use std::io;

/// A failure of the sandbox itself.
#[derive(Debug)]
pub struct Fault {
    /// What was being done: `mount /usr`, `create cgroup`, ...
    pub stage: String,
    /// What the system said.
    pub source: Option<io::Error>,
    /// What the user can do about it, where something helps.
    pub remedy: Option<String>,
    /// Whether the run was ended on request, see [`interrupt()`].
    pub interrupted: bool,
}

impl Fault {
    /// A failure of the operating system at `stage`; where it ran out of something, the remedy says
    /// of what.
    pub fn os(stage: impl Into<String>, source: io::Error) -> Self {
        Fault {
            stage: stage.into(),
            remedy: what_helps(&source).map(str::to_owned),
            source: Some(source),
            interrupted: false,
        }
    }
}

/// What helps against an error that means the same wherever it happens.
fn what_helps(error: &io::Error) -> Option<&'static str> {
    Some(match error.raw_os_error()? {
        libc::EAGAIN => "too many processes or threads: raise ulimit -u, or end some",
        libc::EMFILE => "raise the number of files that may be open: ulimit -n",
        libc::ENFILE => "the whole machine has too many files open: raise sysctl fs.file-max",
        libc::ENOSPC | libc::EDQUOT => "make room, or set TMPDIR; or too many namespaces exist",
        libc::EROFS => "set TMPDIR to a directory that can be written",
        libc::ENOMEM => "the machine has too little memory left",
        _ => return None,
    })
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "failed to {}", self.stage)?;
        if let Some(source) = &self.source {
            write!(f, ": {source}")?;
        }
        if let Some(remedy) = &self.remedy {
            write!(f, " ({remedy})")?;
        }
        Ok(())
    }
}

impl std::error::Error for Fault {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(|e| e as _)
    }
}

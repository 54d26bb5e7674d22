//! The error of the sandbox.

use std::fmt;
use std::io;

/// A failure of the sandbox itself.
#[derive(Debug)]
pub struct Fault {
    /// The failed step: `mount /usr`, `create cgroup`, ...
    pub stage: String,
    /// The system's error.
    pub source: Option<io::Error>,
    /// A remedy for the user, if there is one.
    pub remedy: Option<String>,
    /// Whether the run was interrupted; see [`interrupt()`](crate::interrupt()).
    pub interrupted: bool,
}

impl Fault {
    /// A system error at `stage`. If a resource ran out, the remedy names it.
    pub fn os(stage: impl Into<String>, source: io::Error) -> Self {
        Fault {
            stage: stage.into(),
            remedy: remedy_of(&source).map(str::to_owned),
            source: Some(source),
            interrupted: false,
        }
    }
}

/// The remedy for an error number that has the same cause at every stage.
fn remedy_of(error: &io::Error) -> Option<&'static str> {
    Some(match error.raw_os_error()? {
        libc::EAGAIN => "too many processes or threads: raise `ulimit -u`, or end some",
        libc::EMFILE => "too many open files: raise `ulimit -n`",
        libc::ENFILE => "too many open files on the machine: raise `sysctl fs.file-max`",
        libc::ENOSPC | libc::EDQUOT => {
            "free disk space, or set TMPDIR to another file system; or end processes with namespaces"
        }
        libc::EROFS => "set TMPDIR to a writable directory",
        libc::ENOMEM => "too little memory: end other programs, or judge with fewer jobs",
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

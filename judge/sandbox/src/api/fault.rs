//! The error of the sandbox.

use std::fmt;
use std::io;
use std::path::Path;

use crate::api::Execution;

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

    /// The fault of a machine that did not run a program for most of its time
    /// ([`Execution::was_starved`]).
    pub fn starved(run: &Execution) -> Self {
        let (cpu, wall) = (run.usage.cpu.value, run.usage.wall.value);
        Fault {
            stage: format!(
                "run the program: this machine gave it {:.1} s of CPU time in {:.0} s",
                cpu.as_secs_f64(),
                wall.as_secs_f64()
            ),
            source: None,
            remedy: Some("end other programs, or raise the quota of CPU time".into()),
            interrupted: false,
        }
    }

    /// The fault of a machine on which `program`, which it should have, cannot be executed
    /// ([`Exit::NotExecuted`](crate::Exit::NotExecuted)).
    pub fn not_executed(program: &Path, errno: i32) -> Self {
        let remedy = match errno {
            libc::ENOENT => Some(
                "the program, or the interpreter or loader it names, is not visible in the box: \
                 add a mount",
            ),
            libc::EACCES => Some(
                "when root judges, other users must be able to read and execute the program: chmod \
                 o+rx",
            ),
            _ => None,
        };
        let source = io::Error::from_raw_os_error(errno);
        let fault = Fault::os(format!("execute {}", program.display()), source);
        Fault {
            remedy: remedy.map(str::to_owned).or(fault.remedy),
            ..fault
        }
    }
}

/// The remedy for an error that has the same cause at every stage.
fn remedy_of(error: &io::Error) -> Option<&'static str> {
    use io::ErrorKind::{OutOfMemory, QuotaExceeded, ReadOnlyFilesystem, StorageFull, WouldBlock};
    // Other systems have other numbers.
    let number = error.raw_os_error().filter(|_| cfg!(unix));
    Some(match (error.kind(), number) {
        (WouldBlock, _) => "too many processes or threads: raise `ulimit -u`, or end some",
        (_, Some(libc::EMFILE)) => "too many open files: raise `ulimit -n`",
        (_, Some(libc::ENFILE)) => "too many open files on the machine: raise `sysctl fs.file-max`",
        (StorageFull | QuotaExceeded, _) => {
            "free disk space, or set TMPDIR to another file system; or end processes with namespaces"
        }
        (ReadOnlyFilesystem, _) => "set TMPDIR to a writable directory",
        (OutOfMemory, _) => "too little memory: end other programs, or judge with fewer jobs",
        _ => return None,
    })
}

impl From<judge_tempdir::Error> for Fault {
    fn from(error: judge_tempdir::Error) -> Self {
        let fault = Fault::os(error.what, error.source);
        let remedy = || Some("set TMPDIR to a directory with room".to_owned());
        Fault {
            remedy: fault.remedy.or_else(remedy),
            ..fault
        }
    }
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

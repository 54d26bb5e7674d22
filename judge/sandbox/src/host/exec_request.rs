//! What the zygote is told of one run: the program, its environment, its resource limits, its streams.

use std::ffi::{CString, NulError, OsStr, OsString};
use std::io;
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::api::{Canceller, Fault, Job, Limits};
use crate::host::box_process::BoxProcess;
use crate::protocol::ipc::{self, Encoder};
use crate::protocol::{ExecRequest, Isolation, ResourceLimits};

/// The stack of a program whose memory is not limited.
const DEFAULT_STACK: u64 = 1 << 30;

/// The environment every program starts with. `HOME` is added: the work directory.
const ENVIRONMENT: [(&str, &str); 4] = [
    ("PATH", "/usr/local/bin:/usr/bin:/bin"),
    ("LANG", "C.UTF-8"),
    ("LC_ALL", "C.UTF-8"),
    ("ONLINE_JUDGE", "1"),
];

/// What a job asks for besides its streams. From case to case mostly only those change.
pub struct SentRequest {
    program: PathBuf,
    args: Vec<OsString>,
    env: Vec<(OsString, OsString)>,
    limits: Limits,
}

impl SentRequest {
    fn of(job: &Job<'_>) -> Self {
        SentRequest {
            program: job.program.to_path_buf(),
            args: job.args.to_vec(),
            env: job.env.to_vec(),
            limits: job.limits.clone(),
        }
    }

    fn matches(&self, job: &Job<'_>) -> bool {
        self.program.as_os_str() == job.program.as_os_str()
            && self.args == job.args
            && self.env == job.env
            && self.limits == *job.limits
    }
}

/// An order that is not given yet.
pub enum Outgoing {
    /// The one before once more.
    Repeat,
    /// Another one.
    New(Encoder),
}

/// The order to run `job`, whose program in the box `inside` knows.
pub fn prepare(
    process: &BoxProcess,
    job: &Job<'_>,
    inside: impl FnOnce(&Path) -> PathBuf,
) -> Result<Outgoing, Fault> {
    if process
        .last_request
        .as_ref()
        .is_some_and(|o| o.matches(job))
    {
        return Ok(Outgoing::Repeat);
    }
    Ok(Outgoing::New(
        request(process, job, &inside(job.program))?.encode(),
    ))
}

fn request(process: &BoxProcess, job: &Job<'_>, program: &Path) -> Result<ExecRequest, Fault> {
    let refused = |_| {
        Fault::os(
            "pass an argument with a NUL byte",
            io::ErrorKind::InvalidInput.into(),
        )
    };
    let program = CString::new(program.as_os_str().as_bytes()).map_err(refused)?;
    let mut args = vec![program.clone()];
    for arg in job.args {
        args.push(CString::new(arg.as_bytes()).map_err(refused)?);
    }
    let has_tmp = process.isolation == Isolation::Namespaces;
    Ok(ExecRequest {
        program,
        args,
        env: environment(job.env, &process.work, has_tmp).map_err(refused)?,
        limits: resource_limits(job.limits, process.rlimit_processes),
    })
}

/// `NAME=value` of the fixed environment, overridden and added to by `extra`. Who has no `/tmp` of
/// his own (compilers cannot do without) is told to use the work directory.
fn environment(
    extra: &[(OsString, OsString)],
    work: &Path,
    has_tmp: bool,
) -> Result<Vec<CString>, NulError> {
    let mut all: Vec<(&OsStr, &OsStr)> = Vec::new();
    all.extend(ENVIRONMENT.map(|(name, value)| (name.as_ref(), value.as_ref())));
    all.push(("HOME".as_ref(), work.as_ref()));
    if !has_tmp {
        all.push(("TMPDIR".as_ref(), work.as_ref()));
    }
    for (name, value) in extra {
        all.retain(|(other, _)| other != name);
        all.push((name, value));
    }
    all.into_iter()
        .map(|(name, value)| CString::new([name.as_bytes(), b"=", value.as_bytes()].concat()))
        .collect()
}

/// What `setrlimit` takes for no limit.
const UNLIMITED: u64 = u64::MAX;
/// The kernel counts these in nanoseconds of 64 bits.
const MOST_SECONDS: u64 = u64::MAX / 1_000_000_000;

/// A limit and a little more; none where the kernel would take it for a smaller or negative number.
fn bounded(limit: u64, more: u64, most: u64) -> u64 {
    limit
        .checked_add(more)
        .filter(|&sum| sum <= most)
        .unwrap_or(UNLIMITED)
}

fn resource_limits(limits: &Limits, rlimit_processes: bool) -> ResourceLimits {
    let processes = limits.processes.filter(|_| rlimit_processes);
    ResourceLimits {
        // Two seconds late: it must never be what ends a program while the judge is awake.
        cpu_seconds: limits
            .cpu
            .map_or(UNLIMITED, |cpu| bounded(cpu.as_secs(), 2, MOST_SECONDS)),
        // One more than allowed, so that a file at the limit is told from one beyond it.
        file: limits
            .output
            .map_or(UNLIMITED, |bytes| bounded(bytes, 1, i64::MAX as u64)),
        stack: limits.stack.or(limits.memory).unwrap_or(DEFAULT_STACK),
        // The zygote is one more.
        processes: processes.map_or(u64::MAX, |n| u64::from(n) + 1),
    }
}

/// Gives the order.
pub fn give(
    process: &mut BoxProcess,
    job: &Job<'_>,
    request: &Outgoing,
    canceller: Option<&Canceller>,
) -> io::Result<()> {
    // Closed at the end of this function: then only the program has it.
    let own = canceller.and_then(Canceller::take_output);
    let stdout = own.as_ref().map_or(job.stdout, AsFd::as_fd);
    let stdio = [job.stdin, stdout, job.stderr];
    let socket = process.spawned.socket.as_raw_fd();
    match request {
        Outgoing::Repeat => ipc::send(socket, ExecRequest::REPEAT, &stdio),
        Outgoing::New(message) => {
            ipc::send(socket, message.as_slice(), &stdio)?;
            process.last_request = Some(SentRequest::of(job));
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_that_no_kernel_counts_are_none() {
        let of = |output, cpu| {
            let limits = Limits {
                output: Some(output),
                cpu: Some(std::time::Duration::from_secs(cpu)),
                ..Limits::default()
            };
            let resource = resource_limits(&limits, false);
            (resource.file, resource.cpu_seconds)
        };
        assert_eq!(of(4, 1), (5, 3));
        assert_eq!(
            of(17_592_186_044_415 << 20, u64::MAX),
            (UNLIMITED, UNLIMITED)
        );
        assert_eq!(of(i64::MAX as u64, MOST_SECONDS), (UNLIMITED, UNLIMITED));
        assert_eq!(of(i64::MAX as u64 - 1, 1), (i64::MAX as u64, 3));
    }

    #[test]
    fn the_environment_is_fixed_but_for_what_is_added() {
        let extra = [("LANG".into(), "C".into()), ("X".into(), "1".into())];
        let all = environment(&extra, Path::new("/work"), false).unwrap();
        let languages = all.iter().filter(|v| v.to_bytes().starts_with(b"LANG="));
        assert_eq!(languages.count(), 1);
        for expected in [
            "HOME=/work",
            "TMPDIR=/work",
            "LANG=C",
            "X=1",
            "ONLINE_JUDGE=1",
        ] {
            let there = all.iter().any(|v| v.to_bytes() == expected.as_bytes());
            assert!(there, "{expected}");
        }
    }
}

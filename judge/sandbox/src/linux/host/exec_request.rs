//! The request to run one program: path, arguments, environment, resource limits and streams.

use std::ffi::{CString, NulError, OsString};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use crate::api::{Canceller, Job, Limits};
use crate::environment::{FIXED, Variable, add};
use crate::linux::host::box_process::BoxProcess;
use crate::linux::host::sent_request::SentRequest;
use crate::linux::protocol::ipc::{self, Encoder};
use crate::linux::protocol::{ExecRequest, Isolation, ResourceLimits};

/// The stack of a program without a memory limit.
const DEFAULT_STACK: u64 = 1 << 30;

/// A message that is ready to be sent.
pub enum Outgoing {
    /// Repeats the last request.
    Repeat,
    New(Encoder),
}

/// Encodes the request to run `job`. Fails if an argument has a NUL byte.
pub fn prepare(process: &BoxProcess, job: &Job<'_>) -> Result<Outgoing, NulError> {
    if process
        .last_request
        .as_ref()
        .is_some_and(|o| o.matches(job))
    {
        return Ok(Outgoing::Repeat);
    }
    Ok(Outgoing::New(request(process, job)?.encode()))
}

fn request(process: &BoxProcess, job: &Job<'_>) -> Result<ExecRequest, NulError> {
    let program = process.inside(job.program).into_os_string();
    let program = CString::new(program.into_vec())?;
    let mut args = vec![program.clone()];
    for arg in job.args {
        args.push(CString::new(arg.as_bytes())?);
    }
    let has_tmp = process.isolation == Isolation::Namespaces;
    Ok(ExecRequest {
        program,
        args,
        env: environment(job.env, &process.work, has_tmp)?,
        limits: resource_limits(job.limits, process.rlimit_processes),
    })
}

/// The fixed environment as `NAME=value` strings, with `extra` added or overriding. A program
/// without a private `/tmp` gets the work directory as `TMPDIR`, because compilers need one.
fn environment(
    extra: &[(OsString, OsString)],
    work: &Path,
    has_tmp: bool,
) -> Result<Vec<CString>, NulError> {
    let mut all: Vec<Variable<'_>> = Vec::new();
    all.extend(FIXED.map(|(name, value)| (name.as_ref(), value.as_ref())));
    all.push(("HOME".as_ref(), work.as_ref()));
    if !has_tmp {
        all.push(("TMPDIR".as_ref(), work.as_ref()));
    }
    add(&mut all, extra);
    all.into_iter()
        .map(|(name, value)| CString::new([name.as_bytes(), b"=", value.as_bytes()].concat()))
        .collect()
}

/// The value of `RLIM_INFINITY`.
const UNLIMITED: u64 = u64::MAX;
/// The kernel counts CPU seconds as nanoseconds in 64 bits.
const MAX_SECONDS: u64 = u64::MAX / 1_000_000_000;

/// `limit + more`, or unlimited if the kernel's arithmetic would overflow.
fn bounded(limit: u64, more: u64, max: u64) -> u64 {
    limit
        .checked_add(more)
        .filter(|&sum| sum <= max)
        .unwrap_or(UNLIMITED)
}

fn resource_limits(limits: &Limits, rlimit_processes: bool) -> ResourceLimits {
    let processes = limits.processes.filter(|_| rlimit_processes);
    ResourceLimits {
        // A backstop at twice the limit and two seconds, so that it never acts while the judge is running: the kernel
        // compares it with a count of clock ticks, which on a busy machine is some percent above the time used.
        cpu_seconds: limits.cpu.map_or(UNLIMITED, |cpu| {
            let seconds = cpu.as_secs();
            bounded(seconds, seconds.saturating_add(2), MAX_SECONDS)
        }),
        // One byte more than allowed distinguishes a file at the limit from one beyond it.
        file: limits
            .output
            .map_or(UNLIMITED, |bytes| bounded(bytes, 1, i64::MAX as u64)),
        stack: limits.stack.or(limits.memory).unwrap_or(DEFAULT_STACK),
        // The zygote counts as one more process.
        processes: processes.map_or(UNLIMITED, |n| u64::from(n) + 1),
    }
}

/// Sends the request with its three standard streams.
pub fn send(
    process: &mut BoxProcess,
    job: &Job<'_>,
    request: &Outgoing,
    canceller: Option<&Canceller>,
) -> io::Result<()> {
    // Closed at the end of this function, so that only the program holds it.
    let own = canceller.and_then(Canceller::take_output);
    let stdout = own.as_ref().map_or(job.stdout, AsFd::as_fd);
    let stdio = [job.stdin, stdout, job.stderr];
    let socket = &process.spawned.socket;
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
    fn limits_beyond_the_kernels_range_are_unlimited() {
        let of = |output, cpu| {
            let limits = Limits {
                output: Some(output),
                cpu: Some(std::time::Duration::from_secs(cpu)),
                ..Limits::default()
            };
            let resource = resource_limits(&limits, false);
            (resource.file, resource.cpu_seconds)
        };
        assert_eq!(of(4, 1), (5, 4));
        assert_eq!(of(4, 60).1, 122);
        assert_eq!(
            of(17_592_186_044_415 << 20, u64::MAX),
            (UNLIMITED, UNLIMITED)
        );
        assert_eq!(of(i64::MAX as u64, MAX_SECONDS), (UNLIMITED, UNLIMITED));
        assert_eq!(of(i64::MAX as u64 - 1, 1), (i64::MAX as u64, 4));
    }

    #[test]
    fn the_environment_is_fixed_except_for_additions() {
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

//! The request to run a program, and the zygote's replies.

use std::ffi::CString;
use std::io;
use std::time::Duration;

use crate::linux::protocol::ipc::{Decoder, Encoder};

/// Resource limits of one run for `setrlimit`; `u64::MAX` is unlimited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResourceLimits {
    /// Seconds of CPU time of one process: a backstop for a judge that is stopped.
    pub cpu_seconds: u64,
    /// Bytes of one file.
    pub file: u64,
    /// Bytes of the main thread's stack.
    pub stack: u64,
    /// Processes and threads of the user in the box.
    pub processes: u64,
}

/// One program to start; the message carries its three standard descriptors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExecRequest {
    pub program: CString,
    pub args: Vec<CString>,
    pub env: Vec<CString>,
    pub limits: ResourceLimits,
}

impl ExecRequest {
    /// A message that repeats the previous request.
    pub const REPEAT: &'static [u8] = b"=";

    pub fn encode(&self) -> Encoder {
        let mut e = Encoder::default();
        let l = &self.limits;
        e.number(l.cpu_seconds)
            .number(l.file)
            .number(l.stack)
            .number(l.processes);
        e.bytes(self.program.as_bytes());
        for list in [&self.args, &self.env] {
            e.number(list.len() as u64);
            for s in list {
                e.bytes(s.as_bytes());
            }
        }
        e
    }

    pub fn decode(message: &[u8]) -> io::Result<Self> {
        let mut d = Decoder(message);
        let limits = ResourceLimits {
            cpu_seconds: d.number()?,
            file: d.number()?,
            stack: d.number()?,
            processes: d.number()?,
        };
        let program = d.c_string()?;
        let args = (0..d.number()?)
            .map(|_| d.c_string())
            .collect::<io::Result<_>>()?;
        let env = (0..d.number()?)
            .map(|_| d.c_string())
            .collect::<io::Result<_>>()?;
        Ok(ExecRequest {
            program,
            args,
            env,
            limits,
        })
    }
}

/// The result of one run, as measured by the zygote.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct RunResult {
    pub status: i32,
    /// The error of `execve` if the kernel refused the program's file, else 0.
    pub exec_error: i32,
    /// Time from just before exec to the end of the main process.
    pub wall: Duration,
    /// CPU time of the zygote itself since its setup was complete; subtracted from a meter that
    /// includes the zygote.
    pub own_cpu: Duration,
    /// CPU time of all reaped processes.
    pub cpu: Duration,
    /// The largest resident size of a single process, in bytes.
    pub resident: u64,
    /// Bytes that the program left in files.
    pub left_bytes: u64,
    /// Whether the box could not be emptied and must be replaced.
    pub unclean: bool,
}

impl RunResult {
    /// Whether this signal ended the main process.
    pub fn was_ended_by(&self, signal: i32) -> bool {
        libc::WIFSIGNALED(self.status) && libc::WTERMSIG(self.status) == signal
    }
}

/// Maximum size of a reply; the largest reply names a path.
pub const MAX_REPLY: usize = libc::PATH_MAX as usize + 256;

/// The zygote's replies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// The box is set up.
    Ready {
        /// Layers that could not be set up, each as `name: why`.
        missing_layers: Vec<String>,
        /// The zygote's descriptor of the work directory, writable even if programs may only read
        /// there.
        work: i32,
    },
    /// The run is over and the box is empty again.
    RunResult(RunResult),
    /// A failure that the program did not cause.
    Failed { stage: String, errno: i32 },
}

impl Reply {
    pub fn encode(&self) -> Encoder {
        let mut e = Encoder::default();
        match self {
            Reply::Ready {
                missing_layers,
                work,
            } => {
                e.number(0)
                    .number(*work as u64)
                    .number(missing_layers.len() as u64);
                for layer in missing_layers {
                    e.text(layer);
                }
            }
            Reply::RunResult(x) => {
                e.number(1).number(x.status as u32 as u64);
                e.number(x.exec_error as u32 as u64);
                for d in [x.wall, x.own_cpu, x.cpu] {
                    e.number(d.as_nanos() as u64);
                }
                e.number(x.resident)
                    .number(x.left_bytes)
                    .number(x.unclean.into());
            }
            Reply::Failed { stage, errno } => {
                e.number(2).text(stage).number(*errno as u32 as u64);
            }
        }
        e
    }

    pub fn decode(message: &[u8]) -> io::Result<Self> {
        let mut d = Decoder(message);
        Ok(match d.number()? {
            0 => {
                let work = d.number()? as i32;
                let missing_layers = (0..d.number()?)
                    .map(|_| d.string())
                    .collect::<io::Result<_>>()?;
                Reply::Ready {
                    missing_layers,
                    work,
                }
            }
            1 => Reply::RunResult(RunResult {
                status: d.number()? as i32,
                exec_error: d.number()? as i32,
                wall: Duration::from_nanos(d.number()?),
                own_cpu: Duration::from_nanos(d.number()?),
                cpu: Duration::from_nanos(d.number()?),
                resident: d.number()?,
                left_bytes: d.number()?,
                unclean: d.number()? != 0,
            }),
            _ => Reply::Failed {
                stage: d.string()?,
                errno: d.number()? as i32,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_survive_encoding() {
        let request = ExecRequest {
            program: c"/bin/true".into(),
            args: vec![c"true".into(), c"".into()],
            env: vec![c"A=1".into()],
            limits: ResourceLimits {
                cpu_seconds: 1,
                file: 2,
                stack: 3,
                processes: u64::MAX,
            },
        };
        assert_eq!(
            ExecRequest::decode(request.encode().as_slice()).unwrap(),
            request
        );

        let ended = RunResult {
            status: 139,
            exec_error: libc::ENOEXEC,
            wall: Duration::from_nanos(5),
            unclean: true,
            ..RunResult::default()
        };
        for reply in [
            Reply::Ready {
                missing_layers: vec!["proc: no".into()],
                work: 5,
            },
            Reply::RunResult(ended),
            Reply::Failed {
                stage: "mount /usr".into(),
                errno: libc::EPERM,
            },
        ] {
            assert_eq!(Reply::decode(reply.encode().as_slice()).unwrap(), reply);
        }
    }
}

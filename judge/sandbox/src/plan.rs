//! The messages between the judge, the template and the zygote: what to fork, how to set up, what to
//! run, how it went.

use std::ffi::CString;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::wire::{Decoder, Encoder};

/// What keeps the program in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Isolation {
    /// Nothing: it runs as the user who judges.
    None,
    /// Namespaces with a root of their own.
    Namespaces,
    /// Landlock and seccomp, where user namespaces are forbidden.
    Landlock,
}

/// Part of the root that the program sees.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Entry {
    /// A bind mount (or, with Landlock, a rule) of the next descriptor beside the message.
    Bind { inside: PathBuf, writable: bool },
    /// A symbolic link.
    Link { inside: PathBuf, target: PathBuf },
    /// A small file.
    File { inside: PathBuf, text: String },
}

/// A process for the template to fork. Beside the message come the process's end of its socket, and
/// then either the directory of the control group to be born in or files to move into groups with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Birth {
    /// `CLONE_NEW...` flags.
    pub namespaces: i32,
    /// With a new user namespace: who its user and group 0 are in the template's.
    pub root_is: Option<u32>,
    /// Whether supplementary groups can and must be dropped: only the host's root may.
    pub drop_groups: bool,
    /// Whether to be born in the control group.
    pub into_group: bool,
}

impl Birth {
    pub fn encode(&self) -> Encoder {
        let mut e = Encoder::default();
        e.number(self.namespaces as u32 as u64)
            .number(self.root_is.map_or(u64::MAX, u64::from))
            .number(self.drop_groups.into())
            .number(self.into_group.into());
        e
    }

    pub fn decode(message: &[u8]) -> io::Result<Self> {
        let mut d = Decoder(message);
        Ok(Birth {
            namespaces: d.number()? as i32,
            root_is: u32::try_from(d.number()?).ok(),
            drop_groups: d.number()? != 0,
            into_group: d.number()? != 0,
        })
    }
}

/// What the template answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Born {
    pub pid: i32,
    /// Why there is no process; 0 when there is one.
    pub errno: i32,
    /// Whether it was born in its control group.
    pub into_group: bool,
}

impl Born {
    pub fn failed(error: &io::Error) -> Self {
        Born {
            pid: 0,
            errno: error.raw_os_error().unwrap_or(libc::EIO),
            into_group: false,
        }
    }

    pub fn encode(&self) -> Encoder {
        let mut e = Encoder::default();
        e.number(self.pid as u32 as u64)
            .number(self.errno as u64)
            .number(self.into_group.into());
        e
    }

    pub fn decode(message: &[u8]) -> io::Result<Self> {
        let mut d = Decoder(message);
        Ok(Born {
            pid: d.number()? as i32,
            errno: d.number()? as i32,
            into_group: d.number()? != 0,
        })
    }
}

/// How a zygote sets itself up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    pub isolation: Isolation,
    pub core: Option<usize>,
    /// The work directory as the zygote will see it.
    pub work: PathBuf,
    pub work_bytes: u64,
    /// Whether programs may only read there.
    pub work_read_only: bool,
    pub entries: Vec<Entry>,
    /// Whether to mount `/proc`.
    pub proc: bool,
    /// Whether programs may make processes (they may always make threads).
    pub fork: bool,
    /// Distinguishes the zygote's own clone from a program's; see `seccomp`.
    pub token: u64,
}

impl Setup {
    pub fn encode(&self) -> Encoder {
        let mut e = Encoder::default();
        e.number(self.isolation as u64)
            .number(self.core.map_or(u64::MAX, |core| core as u64));
        e.text(&self.work).number(self.work_bytes);
        e.number(self.work_read_only.into());
        e.number(self.proc.into())
            .number(self.fork.into())
            .number(self.token);
        e.number(self.entries.len() as u64);
        for entry in &self.entries {
            match entry {
                Entry::Bind { inside, writable } => {
                    e.number(0).text(inside).number((*writable).into())
                }
                Entry::Link { inside, target } => e.number(1).text(inside).text(target),
                Entry::File { inside, text } => e.number(2).text(inside).text(text),
            };
        }
        e
    }

    pub fn decode(message: &[u8]) -> io::Result<Self> {
        let mut d = Decoder(message);
        let isolation = match d.number()? {
            0 => Isolation::None,
            1 => Isolation::Namespaces,
            _ => Isolation::Landlock,
        };
        let core = usize::try_from(d.number()?)
            .ok()
            .filter(|&core| core != usize::MAX);
        let (work, work_bytes) = (path(&mut d)?, d.number()?);
        let work_read_only = d.number()? != 0;
        let (proc, fork, token) = (d.number()? != 0, d.number()? != 0, d.number()?);
        let entries = (0..d.number()?)
            .map(|_| entry(&mut d))
            .collect::<io::Result<_>>()?;
        Ok(Setup {
            isolation,
            core,
            work,
            work_bytes,
            work_read_only,
            entries,
            proc,
            fork,
            token,
        })
    }
}

fn path(d: &mut Decoder<'_>) -> io::Result<PathBuf> {
    Ok(Path::new(std::ffi::OsStr::from_bytes(d.bytes()?)).to_path_buf())
}

fn entry(d: &mut Decoder<'_>) -> io::Result<Entry> {
    let (kind, inside) = (d.number()?, path(d)?);
    Ok(match kind {
        0 => Entry::Bind {
            inside,
            writable: d.number()? != 0,
        },
        1 => Entry::Link {
            inside,
            target: path(d)?,
        },
        _ => Entry::File {
            inside,
            text: d.string()?,
        },
    })
}

/// Resource limits of one run, as `setrlimit` wants them; `u64::MAX` is unlimited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResourceLimits {
    /// Seconds of CPU time for one process: a backstop for a judge that is stopped.
    pub cpu_seconds: u64,
    /// Bytes of one file.
    pub file: u64,
    /// Bytes of the main thread's stack.
    pub stack: u64,
    /// Processes and threads of the user in the box.
    pub processes: u64,
}

/// One program to start; its three standard descriptors come beside the message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    pub program: CString,
    pub args: Vec<CString>,
    pub env: Vec<CString>,
    pub limits: ResourceLimits,
}

impl Request {
    /// In place of a request: the one before once more. Shorter than any other.
    pub const AGAIN: &'static [u8] = b"=";

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
        Ok(Request {
            program,
            args,
            env,
            limits,
        })
    }
}

/// What the zygote saw of one run.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Ended {
    /// As `wait` gives it.
    pub status: i32,
    /// From just before exec to the end of the main process.
    pub wall: Duration,
    /// CPU time that the zygote itself used since it stood, to be taken off a meter that covers it.
    pub own_cpu: Duration,
    /// CPU time of all that was waited for.
    pub cpu: Duration,
    /// The largest resident size of any one process, in bytes.
    pub resident: u64,
    /// Bytes that the program left in files.
    pub left_bytes: u64,
    /// Whether the box could not be emptied and must be made anew.
    pub spoilt: bool,
}

/// What the zygote says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// It is set up, but for these layers, each as `name: why`. `work` is the zygote's descriptor of
    /// the work directory, through which it can be written whatever programs may.
    Ready { lacks: Vec<String>, work: i32 },
    /// The run is over and the box is empty again.
    Ended(Ended),
    /// Something failed that is not the program's doing.
    Failed { stage: String, errno: i32 },
}

impl Reply {
    pub fn encode(&self) -> Encoder {
        let mut e = Encoder::default();
        match self {
            Reply::Ready { lacks, work } => {
                e.number(0).number(*work as u64).number(lacks.len() as u64);
                for layer in lacks {
                    e.text(layer);
                }
            }
            Reply::Ended(x) => {
                e.number(1).number(x.status as u32 as u64);
                for d in [x.wall, x.own_cpu, x.cpu] {
                    e.number(d.as_nanos() as u64);
                }
                e.number(x.resident)
                    .number(x.left_bytes)
                    .number(x.spoilt.into());
            }
            Reply::Failed { stage, errno } => {
                e.number(2).text(stage).number(*errno as u64);
            }
        }
        e
    }

    pub fn decode(message: &[u8]) -> io::Result<Self> {
        let mut d = Decoder(message);
        Ok(match d.number()? {
            0 => {
                let work = d.number()? as i32;
                let lacks = (0..d.number()?)
                    .map(|_| d.string())
                    .collect::<io::Result<_>>()?;
                Reply::Ready { lacks, work }
            }
            1 => Reply::Ended(Ended {
                status: d.number()? as i32,
                wall: Duration::from_nanos(d.number()?),
                own_cpu: Duration::from_nanos(d.number()?),
                cpu: Duration::from_nanos(d.number()?),
                resident: d.number()?,
                left_bytes: d.number()?,
                spoilt: d.number()? != 0,
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
    fn messages_survive_the_way() {
        let setup = Setup {
            isolation: Isolation::Namespaces,
            core: Some(3),
            work: "/work".into(),
            work_bytes: 1 << 20,
            work_read_only: true,
            entries: vec![
                Entry::Bind {
                    inside: "/usr".into(),
                    writable: false,
                },
                Entry::Link {
                    inside: "/bin".into(),
                    target: "usr/bin".into(),
                },
                Entry::File {
                    inside: "/etc/hosts".into(),
                    text: "x\n".into(),
                },
            ],
            proc: true,
            fork: false,
            token: 99,
        };
        assert_eq!(Setup::decode(setup.encode().as_slice()).unwrap(), setup);
        assert!(Setup::decode(&setup.encode().as_slice()[..40]).is_err());

        let birth = Birth {
            namespaces: libc::CLONE_NEWUSER | libc::CLONE_NEWPID,
            root_is: Some(0),
            drop_groups: false,
            into_group: true,
        };
        assert_eq!(Birth::decode(birth.encode().as_slice()).unwrap(), birth);
        let born = Born {
            pid: 7,
            errno: libc::EPERM,
            into_group: true,
        };
        assert_eq!(Born::decode(born.encode().as_slice()).unwrap(), born);

        let request = Request {
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
            Request::decode(request.encode().as_slice()).unwrap(),
            request
        );

        let ended = Ended {
            status: 139,
            wall: Duration::from_nanos(5),
            spoilt: true,
            ..Ended::default()
        };
        for reply in [
            Reply::Ready {
                lacks: vec!["proc: no".into()],
                work: 5,
            },
            Reply::Ended(ended),
            Reply::Failed {
                stage: "mount /usr".into(),
                errno: libc::EPERM,
            },
        ] {
            assert_eq!(Reply::decode(reply.encode().as_slice()).unwrap(), reply);
        }
    }
}

//! The message that describes how a zygote sets up its box.

use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::linux::protocol::ipc::{Decoder, Encoder};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Isolation {
    /// No isolation: the program runs as the user of the judge.
    None,
    /// Namespaces, with a root of their own.
    Namespaces,
    /// Landlock and seccomp, where user namespaces are forbidden.
    Landlock,
}

/// An entry of the root that the program sees.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Entry {
    /// A bind mount (with Landlock, a rule) of the message's next descriptor.
    Bind {
        inside: PathBuf,
        writable: bool,
    },
    Link {
        inside: PathBuf,
        target: PathBuf,
    },
    File {
        inside: PathBuf,
        text: String,
    },
}

/// The message that describes how a zygote sets up its box.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    pub isolation: Isolation,
    pub core: Option<usize>,
    /// The work directory as the zygote sees it.
    pub work: PathBuf,
    pub work_bytes: u64,
    /// Whether the work directory is read-only for programs.
    pub work_read_only: bool,
    pub entries: Vec<Entry>,
    /// Whether programs may create processes; threads are always allowed.
    pub fork: bool,
    /// Whether this box is for submissions and has no control group. Then programs may neither
    /// create memory files nor execute files that they wrote, because the other meters miss both.
    pub uncounted: bool,
    /// Distinguishes the zygote's own `clone` from a program's; see `seccomp`.
    pub token: u64,
}

impl Setup {
    pub fn encode(&self) -> Encoder {
        let mut e = Encoder::default();
        e.number(self.isolation as u64)
            .number(self.core.map_or(u64::MAX, |core| core as u64));
        e.text(&self.work).number(self.work_bytes);
        e.number(self.work_read_only.into());
        e.number(self.fork.into())
            .number(self.uncounted.into())
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
        let (fork, uncounted) = (d.number()? != 0, d.number()? != 0);
        let token = d.number()?;
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
            fork,
            uncounted,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setup_survives_encoding() {
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
            fork: false,
            uncounted: true,
            token: 99,
        };
        assert_eq!(Setup::decode(setup.encode().as_slice()).unwrap(), setup);
        assert!(Setup::decode(&setup.encode().as_slice()[..40]).is_err());
    }
}

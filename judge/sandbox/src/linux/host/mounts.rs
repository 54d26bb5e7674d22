//! Chooses the host's files that are visible in a box. The judge chooses, because it can read all
//! of them; the zygote may not.

use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use libc::pid_t;
use rustix::fs::{CWD, OFlags};

use crate::api::{Fault, Mount};
use crate::linux::protocol::Entry;
use crate::linux::sys;

/// Directories with the system's programs and libraries, which every box shows.
pub const SYSTEM_DIRECTORIES: [&str; 9] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/gnu/store",
];
/// Files in `/etc` that the system's programs read: those of all, and those of compilers and runtimes,
/// which do not work without them (D, R, Racket) or not as the machine is configured.
const CONFIGURATION: [&str; 19] = [
    "alternatives",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "localtime",
    "R",
    "clang",
    "dmd.conf",
    "dotnet",
    "gnucobol",
    "gnucobol3",
    "gnucobol4",
    "ldc2.conf",
    "lisp-config.lisp",
    "nim",
    "octave.conf",
    "perl",
    "racket",
    "swi-prolog",
];
/// Prefixes of further entries of `/etc` to show: `java-21-openjdk`, `java`, `fpc-3.2.2.cfg`.
const RUNTIMES: [&str; 4] = ["java", "mono", "fpc", "ocamlfind"];
/// The configuration of OpenSSL, without the keys beside it.
const OPENSSL: &str = "/etc/ssl/openssl.cnf";
/// GHC's package list, which Debian keeps outside `/usr`.
const STATE: &str = "/var/lib/ghc";
const DEVICES: [&str; 5] = ["null", "zero", "full", "random", "urandom"];
/// Devices of random numbers, which runtimes of compilers read.
const RANDOM: [&str; 2] = ["/dev/random", "/dev/urandom"];
/// The size of the file that replaces each of them in a box with finite devices.
const RANDOM_CHARACTERS: usize = 4096;

/// Files that replace the host's files of the same path.
const FILES: [(&str, &str); 4] = [
    (
        "/etc/passwd",
        "judge:x:0:0:judge:/work:/bin/sh\nnobody:x:65534:65534::/:/bin/false\n",
    ),
    ("/etc/group", "judge:x:0:\nnogroup:x:65534:\n"),
    ("/etc/hosts", "127.0.0.1 localhost\n::1 localhost\n"),
    (
        "/etc/nsswitch.conf",
        "passwd: files\ngroup: files\nhosts: files\n",
    ),
];
const LINKS: [(&str, &str); 4] = [
    ("/dev/fd", "/proc/self/fd"),
    ("/dev/stdin", "/proc/self/fd/0"),
    ("/dev/stdout", "/proc/self/fd/1"),
    ("/dev/stderr", "/proc/self/fd/2"),
];

/// Directories with secrets, which no box shows whole.
static SECRET: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Lets no box show this directory, or one that contains it: a home, or the data of a server. A box
/// may show what lies in it.
pub fn hide(directory: &Path) {
    let real = directory.canonicalize();
    let real = real.unwrap_or_else(|_| directory.to_owned());
    let mut secret = SECRET.lock().unwrap_or_else(PoisonError::into_inner);
    if !secret.contains(&real) {
        secret.push(real);
    }
}

/// The hidden directory that a mount of `real` would show, if any.
fn shown_secret(real: &Path) -> Option<PathBuf> {
    let secret = SECRET.lock().unwrap_or_else(PoisonError::into_inner);
    secret
        .iter()
        .find(|hidden| hidden.starts_with(real))
        .cloned()
}

/// The entries of the root, and the host path of every [`Entry::Bind`] among them, in order.
#[derive(Default)]
pub struct Mounts {
    pub entries: Vec<Entry>,
    pub sources: Vec<PathBuf>,
}

impl Mounts {
    /// The system's directories and files, and the mounts in `more`.
    pub fn new(more: &[Mount], finite_devices: bool) -> Result<Self, Fault> {
        let mut mounts = Mounts::default();
        for path in SYSTEM_DIRECTORIES.map(Path::new) {
            match fs::read_link(path) {
                Ok(target) => mounts.entries.push(Entry::Link {
                    inside: path.into(),
                    target,
                }),
                Err(_) => mounts.show_if_there(path),
            }
        }
        mounts.show_configuration();
        mounts.show_if_there(Path::new(STATE));
        let devices = if finite_devices {
            &DEVICES[..1]
        } else {
            &DEVICES
        };
        for name in devices {
            mounts.show_if_there(&Path::new("/dev").join(name));
        }
        if finite_devices {
            let failed = |e| Fault::os("draw a random number", e);
            for inside in RANDOM {
                let text = random_characters().map_err(failed)?;
                let inside = inside.into();
                mounts.entries.push(Entry::File { inside, text });
            }
        }
        let file = |(inside, text): (&str, &str)| Entry::File {
            inside: inside.into(),
            text: text.into(),
        };
        let link = |(inside, to): (&str, &str)| Entry::Link {
            inside: inside.into(),
            target: to.into(),
        };
        mounts.entries.extend(FILES.map(file));
        mounts.entries.extend(LINKS.map(link));
        for mount in more {
            refuse_secrets(&mount.host)?;
            mounts.show(&mount.host, &mount.inside, mount.writable)?;
        }
        Ok(mounts)
    }

    /// Shows what programs read of `/etc`. Most of the names are missing, so the directory is listed instead of looking for
    /// each.
    fn show_configuration(&mut self) {
        let etc = Path::new("/etc");
        let Ok(real) = etc.canonicalize() else {
            return;
        };
        for entry in fs::read_dir(etc).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let is_shown = CONFIGURATION.iter().any(|shown| name == *shown)
                || RUNTIMES
                    .iter()
                    .any(|start| name.as_bytes().starts_with(start.as_bytes()));
            let is_link = || entry.file_type().is_ok_and(|kind| kind.is_symlink());
            match is_shown {
                true if is_link() => self.show_if_there(&entry.path()),
                true => self.bind(real.join(name), &entry.path(), false),
                false => {}
            }
        }
        self.show_if_there(Path::new(OPENSSL));
    }

    fn show_if_there(&mut self, path: &Path) {
        if let Ok(real) = path.canonicalize() {
            self.bind(real, path, false);
        }
    }

    fn show(&mut self, host: &Path, inside: &Path, writable: bool) -> Result<(), Fault> {
        if !host.is_absolute() || !inside.is_absolute() {
            let stage = format!("mount {} at {}", host.display(), inside.display());
            return Err(Fault {
                remedy: Some("give absolute paths".into()),
                ..Fault::os(stage, io::ErrorKind::InvalidInput.into())
            });
        }
        let real = host
            .canonicalize()
            .map_err(|e| Fault::os(format!("mount {}", host.display()), e))?;
        self.bind(real, inside, writable);
        Ok(())
    }

    fn bind(&mut self, real: PathBuf, inside: &Path, writable: bool) {
        self.sources.push(real);
        self.entries.push(Entry::Bind {
            inside: inside.into(),
            writable,
        });
    }

    /// Opens every source in the mount namespace of the process `pid`.
    ///
    /// The kernel binds only mounts of the same namespace, but that process may run as `nobody`,
    /// without access to the path. So the judge opens the path through `/proc/<pid>/root`.
    pub fn open(&self, pid: pid_t) -> Result<Vec<OwnedFd>, Fault> {
        let os = |path: &Path, e| Fault::os(format!("open {} for the box", path.display()), e);
        let root = PathBuf::from(format!("/proc/{pid}/root"));
        let top = sys::open_at(CWD, &root, OFlags::PATH).map_err(|e| os(&root, e))?;
        let open = |path: &PathBuf| {
            let below = match path.strip_prefix("/") {
                Ok(below) if !below.as_os_str().is_empty() => below,
                _ => Path::new("."),
            };
            sys::open_at(&top, below, OFlags::PATH).map_err(|e| os(path, e))
        };
        self.sources.iter().map(open).collect()
    }
}

/// Refuses to mount a directory that equals or contains a hidden one.
fn refuse_secrets(host: &Path) -> Result<(), Fault> {
    let real = host.canonicalize().unwrap_or_else(|_| host.to_owned());
    let Some(secret) = shown_secret(&real) else {
        return Ok(());
    };
    let relation = if secret == real { "is" } else { "contains" };
    Err(Fault {
        stage: format!(
            "show {} to a program: it {relation} {}, which no program may read",
            host.display(),
            secret.display()
        ),
        source: None,
        remedy: Some("move the package, program or interpreter to a directory of its own".into()),
        interrupted: false,
    })
}

fn random_characters() -> io::Result<String> {
    let mut text = String::new();
    while text.len() < RANDOM_CHARACTERS {
        text.push_str(&format!("{:016x}", sys::random()?));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bind_has_its_source() {
        let mount = Mount {
            host: "/etc".into(),
            inside: "/x".into(),
            writable: true,
        };
        let mounts = Mounts::new(&[mount], false).unwrap();
        let binds = mounts
            .entries
            .iter()
            .filter(|e| matches!(e, Entry::Bind { .. }))
            .count();
        assert_eq!(binds, mounts.sources.len());
        let last = Entry::Bind {
            inside: "/x".into(),
            writable: true,
        };
        assert_eq!(mounts.entries.last(), Some(&last));
    }

    #[test]
    fn a_hidden_directory_is_not_mounted() {
        let top = tempfile::tempdir().unwrap();
        let home = top.path().join("home");
        fs::create_dir_all(home.join("package")).unwrap();
        std::os::unix::fs::symlink(&home, top.path().join("link")).unwrap();
        hide(&home.join("../home/."));
        let mount = |path: &Path| {
            let mount = Mount {
                host: path.into(),
                inside: path.into(),
                writable: false,
            };
            Mounts::new(&[mount], false)
        };
        for refused in ["home", "link", "", "home/package/.."] {
            let fault = mount(&top.path().join(refused)).err().unwrap().to_string();
            assert!(fault.contains("which no program may read"), "{fault}");
        }
        assert!(mount(&home.join("package")).is_ok());
    }

    #[test]
    fn the_fault_names_a_missing_mount() {
        let missing = Mount {
            host: "/no/where".into(),
            inside: "/x".into(),
            writable: false,
        };
        let fault = Mounts::new(&[missing], false).err().unwrap();
        assert!(fault.to_string().contains("/no/where"), "{fault}");
        let relative = Mount {
            host: "etc".into(),
            inside: "/x".into(),
            writable: false,
        };
        assert!(Mounts::new(&[relative], false).is_err());
    }
}

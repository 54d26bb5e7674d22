//! Properties of this machine that the server uses: its name, and the user's directories.

use etcetera::base_strategy::{BaseStrategy, Xdg};
use judge_core::error::Failure;
use rustix::process::geteuid;
use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};

pub fn name() -> String {
    judge_core::machine::name().unwrap_or_else(|| "here".to_owned())
}

/// The absolute path of the server's data: the given one, or `judge/server` in the XDG data directory.
pub fn data_directory(given: Option<&Path>) -> Result<PathBuf, Failure> {
    directory(given, "data", |xdg| xdg.data_dir().join("judge/server"))
}

/// The absolute path of a worker's cache: the given one, or `judge/worker` in the XDG cache directory.
pub fn cache_directory(given: Option<&Path>) -> Result<PathBuf, Failure> {
    directory(given, "cache", |xdg| xdg.cache_dir().join("judge/worker"))
}

/// The sandbox mounts packages by their absolute paths.
fn directory(
    given: Option<&Path>,
    option: &str,
    of_user: impl FnOnce(&Xdg) -> PathBuf,
) -> Result<PathBuf, Failure> {
    match given {
        Some(given) => std::path::absolute(given)
            .map_err(|e| Failure::usage(format!("{}: {e}", given.display()))),
        None => match Xdg::new() {
            Ok(xdg) => Ok(of_user(&xdg)),
            Err(_) => {
                let what = "the user has no home directory";
                Err(
                    Failure::usage(format!("no directory for the {option}: {what}"))
                        .help(format!("add --{option} DIR")),
                )
            }
        },
    }
}

/// The user, and its group, that root's programs run as in a sandbox without namespaces.
const NOBODY: u32 = 65534;

/// Creates a directory that only this user may read, and the parents that it lacks. Programs that root
/// judges may open files in it whose names they are given, but not list it. A directory that exists
/// keeps its permissions, which its owner may have chosen; the log warns if all users of the machine can
/// read it.
pub fn private_directory(dir: &Path) -> io::Result<()> {
    if let Some(parent) = dir.parent() {
        fs::create_dir_all(parent)?;
    }
    match DirBuilder::new().mode(0o700).create(dir) {
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists && dir.is_dir() => {}
        created => {
            created?;
            return make_private(dir);
        }
    }
    if fs::metadata(dir)?.permissions().mode() & 0o007 != 0 {
        let dir = dir.display();
        let remedy = match geteuid().is_root() {
            true => format!("chgrp {NOBODY} {dir} && chmod 710 {dir}"),
            false => format!("chmod 700 {dir}"),
        };
        tracing::warn!("{dir}: all users of this machine can read it; run `{remedy}`");
    }
    Ok(())
}

/// Gives a directory the mode of those that [`private_directory`] creates.
pub fn make_private(dir: &Path) -> io::Result<()> {
    // Where that group does not exist, root's programs run as root.
    let mode = match geteuid().is_root() && chown(dir, None, Some(NOBODY)).is_ok() {
        true => 0o710,
        false => 0o700,
    };
    fs::set_permissions(dir, Permissions::from_mode(mode))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relative_directory_becomes_absolute() {
        let here = std::env::current_dir().expect("a directory");
        let found = data_directory(Some(Path::new("contest")));
        assert_eq!(found.expect("an absolute path"), here.join("contest"));
    }
}

//! Properties of this machine that the server uses: its name, and the user's directories.

use etcetera::base_strategy::{BaseStrategy, Xdg};
use std::path::{Path, PathBuf};

/// The name of this machine.
pub fn name() -> String {
    judge::machine::name().unwrap_or_else(|| "here".to_owned())
}

/// The absolute path of the server's data: the given one, or `judge/server` in the XDG data directory.
///
/// # Errors
///
/// When there is no such directory.
pub fn data_directory(given: Option<&Path>) -> Result<PathBuf, String> {
    directory(given, "data", |xdg| xdg.data_dir().join("judge/server"))
}

/// The absolute path of a worker's cache: the given one, or `judge/worker` in the XDG cache directory.
///
/// # Errors
///
/// When there is no such directory.
pub fn cache_directory(given: Option<&Path>) -> Result<PathBuf, String> {
    directory(given, "cache", |xdg| xdg.cache_dir().join("judge/worker"))
}

/// The sandbox mounts packages by their absolute paths.
fn directory(
    given: Option<&Path>,
    option: &str,
    of_user: impl FnOnce(&Xdg) -> PathBuf,
) -> Result<PathBuf, String> {
    match given {
        Some(given) => std::path::absolute(given).map_err(|e| format!("{}: {e}", given.display())),
        None => match Xdg::new() {
            Ok(xdg) => Ok(of_user(&xdg)),
            Err(_) => Err(format!(
                "no directory for the {option}: the user has no home directory\n  help: add --{option} DIR"
            )),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relative_directory_becomes_absolute() {
        let here = std::env::current_dir().expect("a directory");
        let found = data_directory(Some(Path::new("contest")));
        assert_eq!(found, Ok(here.join("contest")));
    }
}

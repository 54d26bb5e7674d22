//! Operations on files and directories whose errors say what failed.

use crate::error::Failure;
use judge_package::MAKE_ROOM;
use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::Path;
use walkdir::WalkDir;

/// A closure that describes a failed operation on a file of the user. If its disk is full, this machine is at fault.
pub fn failed<'p>(what: &'p str, path: &'p Path) -> impl Fn(io::Error) -> Failure + 'p {
    move |e| match judge_os::is_disk_full(&e) {
        true => machine_failed(what, path)(e),
        false => Failure::usage(format!("failed to {what} {}: {e}", path.display())),
    }
}

/// The same for a file of the judge itself, so that this machine is at fault.
pub fn machine_failed<'p>(what: &'p str, path: &'p Path) -> impl Fn(io::Error) -> Failure + 'p {
    move |e| {
        let remedy = match judge_os::is_disk_full(&e) {
            true => format!("\n  help: {MAKE_ROOM}"),
            false => String::new(),
        };
        Failure::internal(format!("failed to {what} {}: {e}{remedy}", path.display()))
    }
}

/// Checks that no symbolic link of `path`, which exists, leads out of the directory `bounds`: a package could show a file of
/// the user to its programs.
///
/// # Errors
///
/// One does.
pub fn stay_within(path: &Path, bounds: &Path) -> Result<(), Failure> {
    let real = |path: &Path| path.canonicalize().map_err(failed("follow", path));
    match real(path)?.starts_with(real(bounds)?) {
        true => Ok(()),
        false => Err(Failure::usage(format!(
            "{}: a symbolic link that leads out of {}",
            path.display(),
            bounds.display()
        ))
        .help("replace the link by what it leads to")),
    }
}

/// Copies a directory without its pipes, sockets and devices; symbolic links are followed, within `bounds` if given.
/// `name` maps an entry's path relative to `from` to its new name; entries with `None` are skipped.
///
/// # Errors
///
/// A link leads out of `bounds`, or a file cannot be read or written.
pub fn copy(
    from: &Path,
    to: &Path,
    bounds: Option<&Path>,
    name: impl Fn(&Path) -> Option<String>,
) -> Result<(), Failure> {
    // The target of each directory; a directory is visited before its entries.
    let mut targets = HashMap::from([(from.to_owned(), to.to_owned())]);
    fs::create_dir_all(to).map_err(failed("create", to))?;
    let inside = |path: &Path| path.strip_prefix(from).unwrap_or(path).to_owned();
    let walk = WalkDir::new(from)
        .min_depth(1)
        .follow_links(true)
        .sort_by_file_name()
        .into_iter();
    for entry in walk.filter_entry(|entry| name(&inside(entry.path())).is_some()) {
        let entry = entry.map_err(|e| Failure::usage(format!("failed to copy: {e}")))?;
        let path = entry.path();
        if let Some(bounds) = bounds.filter(|_| entry.path_is_symlink()) {
            stay_within(path, bounds)?;
        }
        let parent = path.parent().and_then(|parent| targets.get(parent));
        let own = name(&inside(path));
        let (Some(parent), Some(own)) = (parent, own) else {
            continue;
        };
        let target = parent.join(own);
        if entry.file_type().is_dir() {
            fs::create_dir_all(&target).map_err(failed("create", &target))?;
            targets.insert(path.to_owned(), target);
        } else if entry.file_type().is_file() {
            fs::copy(path, &target).map_err(failed("copy", path))?;
        }
    }
    Ok(())
}

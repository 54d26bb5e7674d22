//! Replaces the old data by the new, completely or not at all.

use super::manifest::{Manifest, hash_file};
use judge_core::error::Failure;
use judge_core::files::failed;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use walkdir::WalkDir;

/// Changes to the files, by path below `data/`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Changes {
    pub new: Vec<String>,
    /// Files with different content.
    pub changed: Vec<String>,
    pub removed: Vec<String>,
}

impl Changes {
    /// Whether nothing changed.
    pub fn is_none(&self) -> bool {
        *self == Changes::default()
    }
}

/// Adds to the new data directory `new`, which contains the files `made` (path and hash), the other
/// files of `old`.
/// Fails when `old` contains a case that no rule makes and no earlier run made: it would be lost.
pub fn assemble(
    old: &Path,
    new: &Path,
    made: &BTreeMap<String, String>,
    roots: impl Fn(&str) -> bool,
    before: &Manifest,
) -> Result<Changes, Failure> {
    let mut changes = Changes::default();
    for (name, hash) in made {
        match hash_file(&old.join(name)) {
            Ok(same) if same == *hash => {}
            Ok(_) => changes.changed.push(name.clone()),
            Err(_) => changes.new.push(name.clone()),
        }
    }
    fs::create_dir_all(new).map_err(failed("create", new))?;
    if !old.is_dir() {
        return Ok(changes);
    }
    let mut lost = Vec::new();
    for entry in WalkDir::new(old).min_depth(1).sort_by_file_name() {
        let entry = entry.map_err(|e| Failure::usage(format!("failed to read the data: {e}")))?;
        let path = entry.path();
        let name = path.strip_prefix(old).unwrap_or(path).to_path_buf();
        let text = name.to_string_lossy().into_owned();
        if entry.file_type().is_dir() {
            // An empty directory of a generated root may belong to a group that was removed.
            if !roots(&text) {
                let dir = new.join(&name);
                fs::create_dir_all(&dir).map_err(failed("create", &dir))?;
            }
            continue;
        }
        if made.contains_key(&text) {
            continue;
        }
        if roots(&text) {
            if was_made(before, &text, path) {
                changes.removed.push(text);
                continue;
            }
            if text.ends_with(".in") {
                lost.push(text);
                continue;
            }
        }
        link_or_copy(path, &new.join(&name))?;
    }
    if lost.is_empty() {
        return Ok(changes);
    }
    let more = lost.len().saturating_sub(5);
    lost.truncate(5);
    let others = match more {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Err(Failure::usage(format!(
        "generators.yaml does not describe these cases of {}: {}{others}",
        old.display(),
        lost.join(", "),
    ))
    .help("move them below generators/ and name them with `copy:`, or delete them"))
}

/// Whether the last run made this file and it is unchanged.
fn was_made(before: &Manifest, name: &str, path: &Path) -> bool {
    let made = before.group_files.get(name).or_else(|| {
        let at = name.rfind('/').map_or(0, |at| at + 1);
        name[at..].match_indices('.').find_map(|(dot, _)| {
            let (case, extension) = name.split_at(at + dot);
            before.cases.get(case)?.files.get(&extension[1..])
        })
    });
    made.is_some_and(|made| hash_file(path).is_ok_and(|hash| hash == *made))
}

/// Hard-links a file, or copies it where the file system has no hard links.
pub fn link_or_copy(from: &Path, to: &Path) -> Result<(), Failure> {
    if let Some(dir) = to.parent() {
        fs::create_dir_all(dir).map_err(failed("create", dir))?;
    }
    // A hard link is immediate and takes no space.
    fs::hard_link(from, to)
        .or_else(|_| fs::copy(from, to).map(|_| ()))
        .map_err(failed("keep", from))
}

/// Puts the new data in the place of the old, which is at `new` afterwards. If it fails, `old` is unchanged.
pub fn swap(new: &Path, old: &Path) -> Result<(), Failure> {
    match old.exists() {
        true => judge_os::replace_directory(new, old).map_err(failed("replace", old)),
        false => fs::rename(new, old).map_err(failed("write", old)),
    }
}

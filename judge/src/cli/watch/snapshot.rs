//! The state of the files that a round of `judge watch` depends on.
//!
//! Other files may lie beside them, and change: `judge watch sol.cpp | tee log.txt` writes one in every
//! round. A file counts if it is source code, a header, a configuration or data of a case, or if
//! source code or a configuration mentions its name, as `include_str!("table.txt")` does.

use super::{Watched, is_source};
use crate::cli::folder;
use crate::language::Languages;
use judge_package::Package;
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Extensions of headers, configurations, archives and grammars.
const EXTENSIONS: [&str; 18] = [
    "h", "hh", "hpp", "hxx", "inc", "inl", "ipp", "tpp", "yaml", "yml", "toml", "lock", "ini",
    "json", "zip", "kpp", "ctd", "viva",
];
/// Larger files are data, whose text mentions nothing.
const LARGEST_SOURCE: u64 = 1 << 20;

/// The relevant files, each with its length, inode and time of modification.
#[derive(PartialEq, Eq, Debug)]
pub struct Snapshot(BTreeMap<PathBuf, (u64, u64, i64, i64)>);

/// The relevant files below the watched paths.
pub fn of(
    watched: &[Watched],
    packages: &[Package],
    programs: &[PathBuf],
    languages: &Languages,
) -> Snapshot {
    let mut files = Vec::new();
    for Watched { path, deep } in watched {
        list(path, *deep, true, &mut files);
    }
    let named = Named::new(packages, programs);
    let (mut relevant, others): (Vec<PathBuf>, Vec<PathBuf>) = files
        .into_iter()
        .partition(|path| named.has(path) || is_known(languages, path));
    if !others.is_empty() {
        let texts: Vec<Vec<u8>> = relevant
            .iter()
            .filter(|path| is_known(languages, path) || named.programs.contains(*path))
            .filter(|path| fs::metadata(path).is_ok_and(|file| file.len() <= LARGEST_SOURCE))
            .filter_map(|path| fs::read(path).ok())
            .collect();
        let is_mentioned = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().as_encoded_bytes();
            let mentions = |text: &Vec<u8>| text.windows(name.len()).any(|part| part == name);
            texts.iter().any(mentions)
        };
        relevant.extend(others.into_iter().filter(is_mentioned));
    }
    let stamp = |path: PathBuf| {
        let file = fs::metadata(&path).ok()?;
        let stamp = (file.len(), file.ino(), file.mtime(), file.mtime_nsec());
        Some((path, stamp))
    };
    Snapshot(relevant.into_iter().filter_map(stamp).collect())
}

/// Lists the files below a path, `deep` or only in the directory itself.
fn list(path: &Path, deep: bool, is_root: bool, files: &mut Vec<PathBuf>) {
    if !is_root && !is_source(path) {
        return;
    }
    if path.is_file() {
        files.push(path.to_owned());
    } else if is_root || deep {
        for entry in fs::read_dir(path).into_iter().flatten().flatten() {
            // A link to a directory above would have no end.
            let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
            let path = entry.path();
            if !is_link || path.is_file() {
                list(&path, deep, false, files);
            }
        }
    }
}

/// Whether the name is that of source code, a header, a configuration or an executable.
fn is_known(languages: &Languages, path: &Path) -> bool {
    match path.extension().and_then(|end| end.to_str()) {
        Some(end) => EXTENSIONS.contains(&end) || folder::is_source(languages, path),
        None => fs::metadata(path).is_ok_and(|file| file.permissions().mode() & 0o111 != 0),
    }
}

/// The files that packages and arguments name.
#[derive(Default)]
struct Named {
    /// Files and directories of programs.
    programs: HashSet<PathBuf>,
    /// Inputs and answers of cases.
    data: HashSet<PathBuf>,
    /// The same without extensions: a case may have more files, such as `1.args`.
    stems: HashSet<PathBuf>,
    /// Directories of cases' files.
    dirs: HashSet<PathBuf>,
}

impl Named {
    fn new(packages: &[Package], programs: &[PathBuf]) -> Self {
        let mut named = Named::default();
        let real = |path: &Path| path.canonicalize().ok();
        named.programs = programs.iter().filter_map(|path| real(path)).collect();
        for case in packages.iter().flat_map(Package::cases) {
            let input: &Path = &case.input;
            let answer = case.answer.as_ref().map(|answer| -> &Path { answer });
            for path in std::iter::once(input).chain(answer).filter_map(real) {
                named.stems.insert(path.with_extension(""));
                named.data.insert(path);
            }
            named.dirs.extend(case.files.as_deref().and_then(real));
        }
        named
    }

    fn has(&self, path: &Path) -> bool {
        self.data.contains(path)
            || self.stems.contains(&path.with_extension(""))
            || path
                .ancestors()
                .any(|part| self.programs.contains(part) || self.dirs.contains(part))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_that_a_round_depends_on_are_in_it() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let root = dir.path().canonicalize().expect("it is there");
        let write = |name: &str, text: &str| fs::write(root.join(name), text).expect("a file");
        write("sol.c", "#include \"table.txt\"\n#include \"own.h\"\n");
        for name in [
            "1.in",
            "1.out",
            "own.h",
            "table.txt",
            "log.txt",
            "zzz.txt",
            "notes.md",
        ] {
            write(name, "1\n");
        }
        let watched = [Watched {
            path: root.clone(),
            deep: false,
        }];
        let languages = Languages::load(None).expect("the built-in table");
        let now = || {
            let package = Package::read(&root).expect("a folder with cases");
            of(&watched, &[package], &[], &languages)
        };
        let before = now();
        let names: Vec<_> = before
            .0
            .keys()
            .filter_map(|path| path.file_name())
            .collect();
        assert_eq!(names, ["1.in", "1.out", "own.h", "sol.c", "table.txt"]);
        write("log.txt", "1\n2\n");
        assert_eq!(now(), before);
        write("table.txt", "1\n2\n");
        let changed = now();
        assert_ne!(changed, before);
        write("2.in", "1\n");
        write("2.out", "1\n");
        assert_ne!(now(), changed);
    }
}

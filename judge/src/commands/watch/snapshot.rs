//! The state of the files that a round of `judge watch` depends on.
//!
//! Other files may lie beside them, and change: `judge watch sol.cpp | tee log.txt` writes one in every
//! round. A file counts if it is source code, a header, a configuration or data of a case, or if source
//! code or a configuration mentions its name. In a plain folder, in which each source file is a program
//! of its own, source code must include the file, as `#include "table.txt"` does. A file does not count
//! if this process writes its output to it.

use super::{Watched, is_source};
use judge_core::language::Languages;
use judge_package::{Package, PackageError};
use judge_session::folder;
use judge_session::targets::Target;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Extensions of headers, archives and grammars.
const EXTENSIONS: [&str; 12] = [
    "h", "hh", "hpp", "hxx", "inc", "inl", "ipp", "tpp", "zip", "kpp", "ctd", "viva",
];
const CONFIGURATIONS: [&str; 5] = ["yaml", "yml", "toml", "lock", "ini"];
/// The files of JSON that a package contains. Other JSON is ignored: it may be the output of
/// `judge watch PROGRAM --format json > run.json`.
const JSON: [&str; 2] = ["hash.json", "submissions.json"];
/// Parts of a line of source code that reads a file while the program is built.
const INCLUDES: [&str; 5] = ["include", "embed", "incbin", "import", "path"];
/// Larger files are data, whose text mentions nothing.
const LARGEST_SOURCE: u64 = 1 << 20;

/// Length, inode and time of modification of a file.
type Stamp = (u64, judge_os::Identity, SystemTime);

#[derive(Debug)]
pub struct Snapshot(BTreeMap<PathBuf, Relevant>);

#[derive(PartialEq, Eq, Debug)]
struct Relevant {
    stamp: Stamp,
    /// Whether it is relevant only because another file mentions its name.
    is_mentioned: bool,
}

/// The files that differ between two snapshots.
pub struct Changes {
    pub files: BTreeSet<PathBuf>,
    /// Whether other files only mention them.
    pub are_mentioned: bool,
}

impl Snapshot {
    /// The files that are new, different or gone since `before`, except those in `ignored`.
    pub fn changes(&self, before: &Snapshot, ignored: &BTreeSet<PathBuf>) -> Changes {
        let all = self.0.iter().chain(&before.0);
        let changed = all.filter(|(path, _)| {
            self.0.get(*path) != before.0.get(*path) && !ignored.contains(*path)
        });
        Changes {
            are_mentioned: changed.clone().all(|(_, file)| file.is_mentioned),
            files: changed.map(|(path, _)| path.clone()).collect(),
        }
    }
}

fn stamp(path: &Path) -> Option<Stamp> {
    let file = fs::metadata(path).ok()?;
    Some((file.len(), judge_os::identity(&file), file.modified().ok()?))
}

/// Reads packages; unpacks an archive again only if it was replaced.
#[derive(Default)]
pub struct PackageReader {
    archives: RefCell<HashMap<PathBuf, (Stamp, Package)>>,
}

impl PackageReader {
    /// Reads the package at `path`.
    pub fn read(&self, path: &Path) -> Result<Package, PackageError> {
        let Some(now) = stamp(path).filter(|_| path.is_file()) else {
            return Package::read(path);
        };
        let mut archives = self.archives.borrow_mut();
        match archives.get(path) {
            Some((stamp, package)) if *stamp == now => Ok(package.clone()),
            _ => {
                let package = Package::read(path)?;
                archives.insert(path.to_owned(), (now, package.clone()));
                Ok(package)
            }
        }
    }
}

/// The relevant files below the watched paths.
pub fn of(watched: &[Watched], targets: &[Target], languages: &Languages) -> Snapshot {
    let mut files = Vec::new();
    for Watched { path, deep } in watched {
        list(path, *deep, true, &mut files);
    }
    files.retain(|path| !is_own_output(path));
    let named = Named::new(targets);
    let (relevant, others): (Vec<PathBuf>, Vec<PathBuf>) = files
        .into_iter()
        .partition(|path| named.has(path) || is_known(languages, path));
    let mut mentioned = Vec::new();
    if !others.is_empty() {
        let is_folder = |path: &Path| {
            let mut folders = watched.iter().filter(|watched| !watched.deep);
            folders.any(|folder| path.parent() == Some(&folder.path))
        };
        let texts: Vec<Text> = relevant
            .iter()
            .filter(|path| is_known(languages, path) || named.programs.contains(*path))
            .filter_map(|path| Text::read(path, is_folder(path)))
            .collect();
        let is_mentioned = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().as_encoded_bytes();
            texts.iter().any(|text| text.mentions(name))
        };
        mentioned.extend(others.into_iter().filter(is_mentioned));
    }
    let stamped = |is_mentioned: bool| {
        move |path: PathBuf| {
            let stamp = stamp(&path)?;
            Some((
                path,
                Relevant {
                    stamp,
                    is_mentioned,
                },
            ))
        }
    };
    let relevant = relevant.into_iter().filter_map(stamped(false));
    let mentioned = mentioned.into_iter().filter_map(stamped(true));
    Snapshot(relevant.chain(mentioned).collect())
}

/// Whether standard output or standard error of this process, which its rounds inherit, is the file.
fn is_own_output(path: &Path) -> bool {
    judge_os::is_stream_of(&io::stdout(), path) || judge_os::is_stream_of(&io::stderr(), path)
}

/// The text of source code or of a configuration.
struct Text {
    bytes: Vec<u8>,
    /// Whether only names count that it includes.
    includes: bool,
}

impl Text {
    /// Reads the file; `is_in_folder`: each source file beside it is a program of its own.
    fn read(path: &Path, is_in_folder: bool) -> Option<Self> {
        if fs::metadata(path).ok()?.len() > LARGEST_SOURCE {
            return None;
        }
        Some(Text {
            bytes: fs::read(path).ok()?,
            includes: is_in_folder && !has_extension(path, &CONFIGURATIONS),
        })
    }

    fn mentions(&self, name: &[u8]) -> bool {
        let has = |text: &[u8], name: &[u8]| text.windows(name.len()).any(|part| part == name);
        let includes = |line: &[u8]| INCLUDES.iter().any(|word| has(line, word.as_bytes()));
        match self.includes {
            true => {
                let mut lines = self.bytes.split(|byte| *byte == b'\n');
                lines.any(|line| has(line, name) && includes(line))
            }
            false => has(&self.bytes, name),
        }
    }
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
    if path.extension().is_none() {
        return judge_os::is_executable(path);
    }
    has_extension(path, &EXTENSIONS)
        || has_extension(path, &CONFIGURATIONS)
        || JSON.iter().any(|name| path.ends_with(name))
        || folder::is_source(languages, path)
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    let found = path.extension().and_then(|end| end.to_str());
    found.is_some_and(|end| extensions.contains(&end))
}

/// The files that targets name.
#[derive(Default)]
struct Named {
    /// Files and directories of programs.
    programs: HashSet<PathBuf>,
    /// Inputs and answers of cases.
    data: HashSet<PathBuf>,
    /// The same without extensions, in packages whose cases may have more files, such as `1.args`.
    stems: HashSet<PathBuf>,
    /// Directories of cases' files.
    dirs: HashSet<PathBuf>,
}

impl Named {
    fn new(targets: &[Target]) -> Self {
        let mut named = Named::default();
        let real = |path: &Path| path.canonicalize().ok();
        for Target { package, programs } in targets {
            let programs = programs.iter().filter_map(|path| real(path));
            named.programs.extend(programs);
            let has_more_files = folder::is_configured(&package.root);
            for case in package.cases() {
                let input: &Path = &case.input;
                let answer = case.answer.as_ref().map(|answer| -> &Path { answer });
                for path in std::iter::once(input).chain(answer).filter_map(real) {
                    if has_more_files {
                        named.stems.insert(path.with_extension(""));
                    }
                    named.data.insert(path);
                }
                named.dirs.extend(case.files.as_deref().and_then(real));
            }
        }
        named
    }

    fn has(&self, path: &Path) -> bool {
        self.programs.contains(path)
            || self.data.contains(path)
            || self.stems.contains(&path.with_extension(""))
            || path.ancestors().any(|part| self.dirs.contains(part))
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
        let redirects = "int main() { freopen(\"out.txt\", \"w\", stdout); }\n";
        let text = format!("#include \"table.txt\"\n#include \"own.h\"\n{redirects}");
        write("sol.c", &text);
        for name in [
            "1.in",
            "1.out",
            "own.h",
            "table.txt",
            "out.txt",
            "1.log",
            "run.json",
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
            let target = Target {
                package: Package::read(&root).expect("a folder with cases"),
                programs: Vec::new(),
            };
            of(&watched, &[target], &languages)
        };
        let before = now();
        let names: Vec<_> = before
            .0
            .keys()
            .filter_map(|path| path.file_name())
            .collect();
        assert_eq!(names, ["1.in", "1.out", "own.h", "sol.c", "table.txt"]);
        let changes = |now: &Snapshot, before| now.changes(before, &BTreeSet::new()).files.len();
        write("log.txt", "1\n2\n");
        assert_eq!(changes(&now(), &before), 0);
        write("table.txt", "1\n2\n");
        let changed = now();
        assert_eq!(changes(&changed, &before), 1);
        write("2.in", "1\n");
        write("2.out", "1\n");
        assert_eq!(changes(&now(), &changed), 2);
    }

    /// A program in a directory reads the files there while it runs.
    #[test]
    fn a_directory_of_sources_depends_on_the_files_that_it_mentions() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let root = dir.path().canonicalize().expect("it is there");
        for (name, text) in [
            ("main.py", "print(open('table.txt').read())\n"),
            ("table.txt", "1\n"),
            ("log.txt", "1\n"),
        ] {
            fs::write(root.join(name), text).expect("a file");
        }
        let watched = [Watched {
            path: root.clone(),
            deep: true,
        }];
        let languages = Languages::load(None).expect("the built-in table");
        let target = Target {
            package: Package::without_cases(&root).expect("a directory"),
            programs: vec![root.clone()],
        };
        let found = of(&watched, &[target], &languages);
        let names: Vec<_> = found.0.keys().filter_map(|path| path.file_name()).collect();
        assert_eq!(names, ["main.py", "table.txt"]);
    }

    #[test]
    fn an_archive_is_unpacked_again_when_it_was_replaced() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let path = dir.path().join("p.zip");
        let pack = |input: &str| {
            let mut zip = zip::ZipWriter::new(fs::File::create(&path).expect("a file"));
            for (name, text) in [("1.in", input), ("1.out", "1\n")] {
                let options = zip::write::SimpleFileOptions::default();
                zip.start_file(name, options).expect("an entry");
                io::Write::write_all(&mut zip, text.as_bytes()).expect("its text");
            }
            zip.finish().expect("an archive");
        };
        let reader = PackageReader::default();
        let root = || reader.read(&path).expect("a package").root;
        pack("1\n");
        let first = root();
        assert_eq!(root(), first);
        pack("1 2\n");
        assert_ne!(root(), first);
        assert!(!first.exists(), "the old copy is removed");
    }
}

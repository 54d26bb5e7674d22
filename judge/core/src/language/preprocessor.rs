//! Options of the C and C++ preprocessor: macros, and directories of headers.
//!
//! The headers that a program includes from these directories become files of the program, so that they
//! are part of its cache key, and the box needs no further mount.

use super::source::{self, SourceFile};
use crate::error::Reason;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// Directory of the headers of the first directory; those of the others have the next numbers.
const HEADERS: &str = "judge-include-";
/// Size limits of the headers of one program.
const MAX_HEADERS: usize = 10_000;
const MAX_BYTES: usize = 64 << 20;

/// Options of the C and C++ preprocessor for submissions, which are added to those of the package's
/// format.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PreprocessorOptions {
    /// Macros to define, each `NAME` or `NAME=VALUE`.
    pub define: Vec<String>,
    /// Macros to undefine, also those that the format defines.
    pub undefine: Vec<String>,
    /// Directories of headers.
    pub include: Vec<PathBuf>,
    /// Directories of headers that are searched after the others.
    pub system_include: Vec<PathBuf>,
}

impl PreprocessorOptions {
    /// The options for macros if the package's format defines `macros`.
    pub fn macros(&self, macros: &[&str]) -> Vec<String> {
        let name_of = |text: &str| text.split(['=', '(']).next().unwrap_or_default().to_owned();
        let changed: Vec<String> = self.define.iter().map(|text| name_of(text)).collect();
        let is_changed = |name: &&str| {
            let mut names = changed.iter().chain(&self.undefine);
            names.any(|changed| changed == name)
        };
        let kept = macros.iter().copied().filter(|name| !is_changed(name));
        let define = kept.chain(self.define.iter().map(String::as_str));
        let undefine = self.undefine.iter().filter(|name| !changed.contains(name));
        define
            .map(|text| format!("-D{text}"))
            .chain(undefine.map(|name| format!("-U{name}")))
            .collect()
    }

    fn directories(&self) -> impl Iterator<Item = &PathBuf> {
        self.include.iter().chain(&self.system_include)
    }

    /// The options that make the compiler find the headers of [`headers`](Self::headers) below `dir`.
    pub(super) fn search_path(&self, dir: &str) -> Vec<String> {
        let own = self.include.len();
        let option = |(k, _): (usize, &PathBuf)| {
            let place = format!("{dir}/{HEADERS}{k}");
            match k < own {
                true => vec![format!("-I{place}")],
                false => vec!["-isystem".to_owned(), place],
            }
        };
        self.directories().enumerate().flat_map(option).collect()
    }

    /// The headers that a program may include from the directories, directly or through others.
    /// Fails if one of them cannot be read, or they are too many.
    pub(super) fn headers(&self, files: &[SourceFile]) -> Result<Vec<SourceFile>, Reason> {
        let roots: Vec<&Path> = self.directories().map(PathBuf::as_path).collect();
        let mut found: Vec<SourceFile> = Vec::new();
        if roots.is_empty() {
            return Ok(found);
        }
        let mut known = BTreeSet::new();
        let mut wanted: Vec<(usize, PathBuf)> = Vec::new();
        for file in files {
            wanted.extend(everywhere(&included_names(&file.bytes), roots.len()));
        }
        let mut bytes = 0;
        while let Some((root, inside)) = wanted.pop() {
            let path = roots[root].join(&inside);
            if !path.is_file() || !known.insert((root, inside.clone())) {
                continue;
            }
            let mut read = source::read(&path, roots[root])
                .or_else(|_| source::read(&path, path.parent().unwrap_or(&path)))?;
            let Some(header) = read.pop() else { continue };
            let names = included_names(&header.bytes);
            wanted.extend(everywhere(&names, roots.len()));
            let dir = inside.parent().unwrap_or(Path::new(""));
            let near = names.iter().filter_map(|name| inside_of(&dir.join(name)));
            wanted.extend(near.map(|near| (root, near)));
            bytes += header.bytes.len();
            if known.len() > MAX_HEADERS || bytes > MAX_BYTES {
                return Err(Reason::new(format!(
                    "the program includes more than {MAX_HEADERS} headers or {} MiB of them from {}",
                    MAX_BYTES >> 20,
                    roots[root].display()
                )));
            }
            found.push(SourceFile {
                path: Path::new(&format!("{HEADERS}{root}")).join(inside),
                executable: false,
                ..header
            });
        }
        found.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(found)
    }

    /// Options that make debug symbols name the headers of the directories instead of their copies below
    /// `dir`.
    pub(super) fn prefix_maps(&self, dir: &Path) -> Vec<String> {
        let dir = dir.display();
        let map = |(k, own): (usize, &PathBuf)| {
            format!("-ffile-prefix-map={dir}/{HEADERS}{k}={}", own.display())
        };
        self.directories().enumerate().map(map).collect()
    }

    /// A compiler's message with the names by which the user knows the headers.
    pub(super) fn with_own_names(&self, message: &str) -> String {
        let mut message = message.to_owned();
        for (k, dir) in self.directories().enumerate() {
            let own = format!("{}/", dir.display());
            message = message.replace(&format!("{HEADERS}{k}/"), &own);
        }
        message
    }
}

/// Whether a file of a program is a header of one of the directories.
pub fn is_header(path: &Path) -> bool {
    let first = path.components().next();
    first.is_some_and(|first| {
        first
            .as_os_str()
            .as_encoded_bytes()
            .starts_with(HEADERS.as_bytes())
    })
}

/// The names in every directory.
fn everywhere(names: &[String], count: usize) -> Vec<(usize, PathBuf)> {
    let names = names.iter().filter_map(|name| inside_of(Path::new(name)));
    names
        .flat_map(|name| (0..count).map(move |root| (root, name.clone())))
        .collect()
}

/// The path without `.` and `..`; `None` if it leads out of its directory.
fn inside_of(path: &Path) -> Option<PathBuf> {
    let mut inside = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => inside.push(name),
            Component::CurDir => {}
            Component::ParentDir if inside.pop() => {}
            _ => return None,
        }
    }
    Some(inside)
}

/// All texts in quotes or angle brackets in the directives of a source, under any condition: the names that
/// it may include, also by macros and `__has_include`.
fn included_names(text: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(text)
        .replace("\\\r\n", "")
        .replace("\\\n", "");
    let mut names = Vec::new();
    for line in text.lines() {
        // A comment may precede the directive.
        let Some((_, mut rest)) = line.split_once('#') else {
            continue;
        };
        while let Some(start) = rest.find(['"', '<']) {
            let end = match rest.as_bytes()[start] {
                b'<' => '>',
                _ => '"',
            };
            rest = &rest[start + 1..];
            let Some(length) = rest.find(end) else { break };
            names.push(rest[..length].to_owned());
            rest = &rest[length + 1..];
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_users_macros_change_those_of_the_format() {
        let options = |define: &[&str], undefine: &[&str]| {
            let owned = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
            let options = PreprocessorOptions {
                define: owned(define),
                undefine: owned(undefine),
                ..PreprocessorOptions::default()
            };
            options.macros(&["ONLINE_JUDGE", "EVAL"]).join(" ")
        };
        assert_eq!(options(&[], &[]), "-DONLINE_JUDGE -DEVAL");
        assert_eq!(options(&[], &["ONLINE_JUDGE"]), "-DEVAL -UONLINE_JUDGE");
        assert_eq!(
            options(&["EVAL=2", "LOCAL"], &["EVAL", "unix"]),
            "-DONLINE_JUDGE -DEVAL=2 -DLOCAL -Uunix"
        );
    }

    #[test]
    fn headers_are_found_directly_and_through_others() {
        let dir = tempfile::tempdir().expect("a directory");
        for (name, text) in [
            (
                "a/lib/all",
                "#include \"x/one.hpp\"\n#include <other.hpp>\n",
            ),
            ("a/lib/x/one.hpp", "# include \"../two.hpp\"\n"),
            ("a/lib/two.hpp", "#include \"../../secret\"\n"),
            ("a/unused.hpp", ""),
            ("b/other.hpp", ""),
            ("secret", ""),
        ] {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
            std::fs::write(path, text).expect("a file");
        }
        let options = PreprocessorOptions {
            include: vec![dir.path().join("a")],
            system_include: vec![dir.path().join("b")],
            ..PreprocessorOptions::default()
        };
        let program = SourceFile {
            path: "sol.cpp".into(),
            bytes: b"#define ALL <lib/all>\n#inc\\\nlude ALL\n".to_vec(),
            executable: false,
        };
        let headers = options.headers(&[program]).expect("they are read");
        let names: Vec<_> = headers.iter().map(|file| file.path.to_str()).collect();
        let expected = [
            "0/lib/all",
            "0/lib/two.hpp",
            "0/lib/x/one.hpp",
            "1/other.hpp",
        ];
        let expected = expected.map(|name| format!("{HEADERS}{name}"));
        assert_eq!(names, expected.each_ref().map(|name| Some(name.as_str())));
        assert!(headers.iter().all(|file| is_header(&file.path)));
        let message = options.with_own_names("judge-include-1/other.hpp:1:1: error");
        assert_eq!(
            message,
            format!("{}/b/other.hpp:1:1: error", dir.path().display())
        );
    }
}

//! Detects the language of source files and the file to start.

use super::config::{Entry, Language};
use super::languages::Languages;
use super::source::SourceFile;
use crate::error::Reason;
use std::ffi::OsStr;
use std::path::Path;

/// The language that matches most of the files; among equals, the one of highest priority.
pub fn language<'l>(
    languages: &'l Languages,
    files: &[SourceFile],
) -> Option<(&'l str, &'l Language)> {
    let count = |language| {
        files
            .iter()
            .filter(|file| speaks_for(language, file))
            .count()
    };
    languages
        .iter()
        .map(|found| (count(found.1), found))
        .filter(|(count, _)| *count > 0)
        .max_by_key(|(count, (_, language))| (*count, language.priority))
        .map(|(_, found)| found)
}

/// Whether the file's extension is one of the language's; `.CPP` is `.cpp`, but `.C` is not `.c`.
pub fn is_source(language: &Language, path: &Path) -> bool {
    let Some(extension) = path.extension().and_then(OsStr::to_str) else {
        return false;
    };
    language.extensions.iter().any(|known| {
        known == extension || extension.len() > 1 && known.eq_ignore_ascii_case(extension)
    })
}

fn speaks_for(language: &Language, file: &SourceFile) -> bool {
    let extension = file.path.extension().and_then(OsStr::to_str);
    let extension = extension.unwrap_or_default().to_ascii_lowercase();
    let evidence = language.evidence.get(&extension);
    let contains_one = |texts: &Vec<String>| {
        let text = String::from_utf8_lossy(&file.bytes);
        texts
            .iter()
            .any(|evidence| text.contains(evidence.as_str()))
    };
    is_source(language, &file.path) && evidence.is_none_or(contains_one)
}

/// Selects the file to start among `sources` (paths, sorted), in this order: the package's entry
/// point, the language's default name, `main.*`, the first file that `may_start`, the first file.
pub fn main_file<'p>(
    language: &Language,
    sources: &[&'p Path],
    may_start: &dyn Fn(&Path) -> bool,
    entry_point: Option<&str>,
) -> Result<&'p Path, Reason> {
    let find = |fits: &dyn Fn(&Path) -> bool| sources.iter().copied().find(|path| fits(path));
    let has_name = |path: &Path, name: &str| path.file_name().is_some_and(|own| own == name);
    let has_stem = |path: &Path, stem: &str| path.file_stem().is_some_and(|own| own == stem);
    if let Some(wanted) = entry_point {
        let is_path = |path: &Path| path.as_os_str() == wanted;
        return find(&|path| is_path(path) || has_name(path, wanted) || has_stem(path, wanted))
            .ok_or_else(|| {
                Reason::new(format!("no source file matches the entry point {wanted:?}"))
            });
    }
    let is_main = |path: &Path| {
        let mut stem = path.file_stem().into_iter();
        stem.any(|stem| stem.eq_ignore_ascii_case("main"))
    };
    let default = language.default_entry.as_deref();
    default
        .filter(|_| language.entry == Entry::File)
        .and_then(|name| find(&|path| has_name(path, name)))
        .or_else(|| find(&is_main))
        .or_else(|| find(may_start))
        .or_else(|| sources.first().copied())
        .ok_or_else(|| Reason::new(format!("no source file in {}", language.name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> SourceFile {
        SourceFile {
            path: path.into(),
            bytes: text.into(),
            executable: false,
        }
    }

    fn detect(files: &[(&str, &str)]) -> Option<String> {
        let files: Vec<_> = files.iter().map(|(path, text)| file(path, text)).collect();
        language(&Languages::built_in(), &files).map(|(code, _)| code.to_string())
    }

    #[test]
    fn languages_are_detected_by_their_files() {
        #[rustfmt::skip]
        type Files = &'static [(&'static str, &'static str)];
        let table: &[(Files, Option<&str>)] = &[
            (&[("a.c", "")], Some("c")),
            (&[("a.C", "")], Some("cpp")),
            (&[("A.CPP", "")], Some("cpp")),
            (&[("a.cc", ""), ("b.c", "")], Some("cpp")),
            (&[("a.cc", ""), ("b.c", ""), ("c.c", "")], Some("c")),
            (&[("a.h", ""), ("b.txt", "")], None),
            (&[("a.py", "print(1)")], Some("python3")),
            (&[("A.PY", "print(1)")], Some("python3")),
            (&[("a.py", "# not for python2\n")], Some("python3")),
            (
                &[("a.py", "#!/usr/bin/env python2\nprint 1")],
                Some("python2"),
            ),
            (&[("a.pl", "#!/usr/bin/perl\n")], Some("perl")),
            (&[("a.pl", "print \"Hello\\n\";\n")], Some("perl")),
            (&[("a.pl", "main :- halt.\n")], Some("prolog")),
            (&[("A.java", ""), ("README", "")], Some("java")),
            (&[("a.kt", "")], Some("kotlin")),
            (&[], None),
        ];
        for (files, expected) in table {
            assert_eq!(detect(files).as_deref(), *expected, "{files:?}");
        }
    }

    #[test]
    fn the_file_to_start_is_selected() {
        let languages = Languages::built_in();
        let main = |code: &str, files: &[&str], entry: Option<&str>| {
            let paths: Vec<&Path> = files.iter().map(Path::new).collect();
            let (_, language) = languages.get(code).expect("it is built in");
            let own = |path: &Path| !path.starts_with("include.py");
            main_file(language, &paths, &own, entry).map(|path| path.display().to_string())
        };
        let ok = |name: &str| Ok(name.to_string());
        assert_eq!(main("python3", &["b.py"], None), ok("b.py"));
        assert_eq!(main("python3", &["a.py", "b.py"], None), ok("a.py"));
        assert_eq!(main("python3", &["a.py", "Main.py"], None), ok("Main.py"));
        assert_eq!(
            main("python3", &["__main__.py", "main.py"], None),
            ok("__main__.py")
        );
        assert_eq!(main("python3", &["a.py", "b.py"], Some("b.py")), ok("b.py"));
        assert_eq!(main("rust", &["lib/x.rs", "main.rs"], None), ok("main.rs"));
        assert!(main("python3", &["a.py"], Some("c.py")).is_err());
        assert_eq!(
            main("python3", &["include.py", "wrong.py"], None),
            ok("wrong.py")
        );
        assert_eq!(
            main("python3", &["main.py", "wrong.py"], None),
            ok("main.py")
        );
        assert!(main("python3", &[], None).is_err());
    }
}

//! Explains why a program of one file does not find the files beside it: only that file is judged, as
//! by an online judge. Also names a library that Python lacks, a header that is not installed, and a source file that is
//! empty or in UTF-16.

use crate::text::{constant_regex, is_wide, read_range};
use regex::Regex;
use std::fs::File;
use std::path::{Component, Path};
use std::sync::LazyLock;

/// A message of a compiler or an interpreter about a missing file.
struct Message {
    /// Text that is in every such message. It is searched first, because most failures are of another kind and
    /// compiling the pattern takes longer than judging a case.
    mark: &'static str,
    /// Its group is the name. Compiled once, because every case that fails is looked up.
    pattern: LazyLock<Regex>,
    /// The files that the name may stand for.
    files: &'static [&'static str],
}

impl Message {
    /// The name that a message of this kind calls missing.
    fn name<'m>(&self, message: &'m str) -> Option<&'m str> {
        let is_possible = message.contains(self.mark);
        let found = is_possible.then(|| self.pattern.captures(message))??;
        found.get(1).map(|name| name.as_str())
    }
}

static MESSAGES: [Message; 5] = [
    Message {
        mark: "fatal error: ",
        pattern: LazyLock::new(|| constant_regex(r"fatal error: (.+): No such file or directory")),
        files: &["{}"],
    },
    Message {
        mark: "fatal error: '",
        pattern: LazyLock::new(|| constant_regex(r"fatal error: '(.+)' file not found")),
        files: &["{}"],
    },
    Message {
        mark: "No module named '",
        pattern: LazyLock::new(|| constant_regex(r"No module named '(\w+)")),
        files: &["{}.py", "{}"],
    },
    Message {
        mark: "file not found for module `",
        pattern: LazyLock::new(|| constant_regex(r"file not found for module `(\w+)`")),
        files: &["{}.rs", "{}/mod.rs"],
    },
    Message {
        mark: "symbol: ",
        pattern: LazyLock::new(|| constant_regex(r"symbol: +(?:class|variable) (\w+)")),
        files: &["{}.java"],
    },
];

/// Extensions of the programs that `judge bundle` takes.
const BUNDLED: [&str; 5] = ["c", "cpp", "cc", "cxx", "c++"];
/// Extensions of the languages in which one of several files is started, `main.*` before others.
const STARTED_BY_NAME: [&str; 2] = ["py", "rs"];

/// The message of a program that failed, with a help if its source code is known, is one file, and one
/// beside it is missing.
pub fn with_help(message: String, source: Option<&Path>) -> String {
    let help = |source| {
        let missing = help(source, &message).or_else(|| module_help(source, &message));
        let missing = missing.or_else(|| header_help(source, &message));
        let missing = missing.or_else(|| linker_help(source, &message));
        let missing = missing.or_else(|| crate_help(source, &message));
        let missing = missing.or_else(|| dialect_help(source, &message));
        missing.or_else(|| text_help(source))
    };
    match source.and_then(help) {
        Some(help) => format!("{message}\n  {help}"),
        None => message,
    }
}

fn help(source: &Path, message: &str) -> Option<String> {
    let missing = missing(source.parent()?, message).filter(|_| source.is_file())?;
    let name = source.file_name()?.to_string_lossy();
    let ending = source.extension()?.to_str()?;
    let remedy = match BUNDLED.contains(&ending) {
        true => format!("`judge bundle {name}` makes one file of both"),
        false => format!("put its text into {name}"),
    };
    let place = match STARTED_BY_NAME.contains(&ending) {
        true => format!("a directory with both, this one as main.{ending}"),
        false => "a directory with both".to_owned(),
    };
    Some(format!(
        "help: {name} is built and run alone, as by an online judge, without {missing} beside it: {remedy}, \
         or judge {place}: `-s DIR`"
    ))
}

/// The help for a library such as numpy, which PyPy rarely has.
fn module_help(source: &Path, message: &str) -> Option<String> {
    let (_, rest) = message.split_once("ModuleNotFoundError: No module named '")?;
    let module = rest.split(['\'', '.']).next()?;
    (source.extension()? == "py").then(|| {
        format!(
            "help: the Python that ran it has no `{module}`: if the judge's has it, install it, or take CPython, where PyPy \
             is the default: `--language cpython3`"
        )
    })
}

/// Messages about what another dialect of a language has, each with the extension of its programs and the help.
const OF_DIALECTS: [(&str, &str, &str); 6] = [
    ("py", "Missing parentheses in call to 'print'", PYTHON_2),
    ("py", "name 'raw_input' is not defined", PYTHON_2),
    ("py", "name 'xrange' is not defined", PYTHON_2),
    ("js", "readline is not defined", NODE),
    ("js", "prompt is not defined", NODE),
    (
        "js",
        "Cannot find module '",
        "help: Node.js runs the program without packages of npm, as on most judges",
    ),
];
const PYTHON_2: &str =
    "help: that is Python 2, which `--language python2` runs where it is installed";
const NODE: &str = "help: Node.js reads the input by `require(\"fs\").readFileSync(0, \"utf8\")`; the function exists in \
                    browsers and in the shells of other engines";

/// The help for a program in a dialect that the compiler or interpreter does not know.
fn dialect_help(source: &Path, message: &str) -> Option<String> {
    let ending = source.extension()?.to_str()?;
    let mut known = OF_DIALECTS.iter();
    let found = known.find(|(of, mark, _)| *of == ending && message.contains(mark));
    found.map(|(_, _, help)| (*help).to_owned())
}

/// Headers of C++ that had the ending `.h` before 1998.
const BEFORE_STANDARD: [&str; 4] = ["iostream", "fstream", "iomanip", "strstream"];

/// Headers that only compilers on Windows have, by the start of their names.
const OF_WINDOWS: [&str; 6] = ["windows", "conio", "stdafx", "pch", "tchar", "direct"];

/// The help for a header that is neither installed nor beside the program.
fn header_help(source: &Path, message: &str) -> Option<String> {
    let ending = source.extension()?.to_str()?;
    let header = named(message, &MESSAGES[..2]).filter(|_| BUNDLED.contains(&ending))?;
    let stem = header
        .split('.')
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    let is_standard = header
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    Some(if OF_WINDOWS.contains(&stem.as_str()) {
        format!("help: `{header}` exists on Windows only: remove it and what it declares")
    } else if BEFORE_STANDARD.contains(&stem.as_str()) && header == format!("{stem}.h") {
        format!("help: since 1998 it is `#include <{stem}>` with `using namespace std;`")
    } else if is_standard {
        format!(
            "help: the installed compiler has no `{header}`: install a newer one if it is a header of the standard library, \
             or name the directory that has it: `-I DIR`"
        )
    } else {
        format!(
            "help: name the directory that has `{header}`: `-I DIR`; leave a header of your own out for judges: \
             `#ifndef ONLINE_JUDGE`"
        )
    })
}

/// The help for a function that the linker does not find.
fn linker_help(source: &Path, message: &str) -> Option<String> {
    let ending = source.extension()?.to_str()?;
    let marks = ["undefined reference to `", "undefined symbol: "];
    let (_, found) = marks.iter().find_map(|mark| message.split_once(mark))?;
    let is_main = found.starts_with("main'") || found.starts_with("main\n");
    BUNDLED.contains(&ending).then(|| match is_main {
        true => "help: the program has no function `main`".to_owned(),
        false => "help: if another file of yours defines it, include that file: `#include \"other.cpp\"`, or judge a directory \
                  with both: `-s DIR`"
            .to_owned(),
    })
}

/// The help for a crate that a Rust program uses, with the commands of cargo if it is part of a cargo package.
fn crate_help(source: &Path, message: &str) -> Option<String> {
    const MARKS: [&str; 3] = [
        "unresolved import `",
        "unlinked crate `",
        "crate or module `",
    ];
    let mut found = MARKS.iter().filter_map(|mark| message.split_once(mark));
    let name = found.next()?.1.split(['`', ':']).next()?;
    let is_rust = source.extension().is_some_and(|ending| ending == "rs");
    let is_known = ["crate", "self", "super", "std", "core", "alloc"].contains(&name);
    if !is_rust || is_known {
        return None;
    }
    let stem = source.file_stem()?.to_string_lossy();
    let is_packaged = source
        .ancestors()
        .any(|dir| dir.join("Cargo.toml").is_file());
    Some(match is_packaged {
        true => format!(
            "help: rustc builds this file alone, without the crate `{name}`: run `cargo build --release` and judge \
             target/release/{stem}; `judge bundle . --bin {stem}` makes one file of both"
        ),
        false => format!(
            "help: rustc builds this file alone, without the crate `{name}`: where the judge has it, make a cargo package \
             that depends on it, and judge what `cargo build --release` makes"
        ),
    })
}

/// The help for a file that no compiler can read as it was saved.
fn text_help(source: &Path) -> Option<String> {
    let file = source.is_file().then(|| File::open(source).ok())??;
    let start = read_range(&file, 0, 512).ok()?;
    let name = source.file_name()?.to_string_lossy();
    if start.is_empty() {
        return Some(format!("help: {name} is empty: save it in the editor"));
    }
    let is_utf16 = is_wide(&start) || start.contains(&0);
    is_utf16.then(|| format!("help: {name} is in UTF-16 instead of UTF-8: save it as UTF-8"))
}

/// The path, relative to `dir`, of an existing file there that the message calls missing.
fn missing(dir: &Path, message: &str) -> Option<String> {
    let existing = |known: &Message| {
        let found = known.name(message)?;
        let names = known.files.iter().map(|file| file.replace("{}", found));
        let mut names = names.filter(|name| stays_inside(name) && dir.join(name).exists());
        names.next()
    };
    MESSAGES.iter().find_map(existing)
}

/// The name that a message calls missing, if it is one of the known kinds.
fn named<'m>(message: &'m str, known: &[Message]) -> Option<&'m str> {
    known.iter().find_map(|known| known.name(message))
}

/// Whether the path leads only down: others are not looked for, because an uploaded program may name
/// any.
fn stays_inside(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    parts.all(|part| matches!(part, Component::Normal(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_that_python_lacks_is_named_with_the_other_python() {
        let message = "Traceback:\nModuleNotFoundError: No module named 'numpy.linalg'\n";
        let helped = with_help(message.to_owned(), Some(Path::new("/nowhere/a.py")));
        assert!(
            helped.contains("has no `numpy`: ") && helped.contains("--language cpython3"),
            "{helped}"
        );
        for (message, source) in [
            (message, "/nowhere/a.rb"),
            ("NameError: x", "/nowhere/a.py"),
        ] {
            assert_eq!(
                with_help(message.to_owned(), Some(Path::new(source))),
                message
            );
        }
    }

    #[test]
    fn a_header_that_is_not_installed_has_a_remedy() {
        for (header, help) in [
            ("debug.h", "name the directory that has `debug.h`: `-I DIR`"),
            (
                "atcoder/all",
                "name the directory that has `atcoder/all`: `-I DIR`",
            ),
            ("print", "the installed compiler has no `print`"),
            ("conio.h", "`conio.h` exists on Windows only"),
            ("iostream.h", "since 1998 it is `#include <iostream>`"),
        ] {
            for message in [
                format!("a.cpp:1:10: fatal error: {header}: No such file or directory\n"),
                format!("a.cpp:1:10: fatal error: '{header}' file not found\n"),
            ] {
                let helped = with_help(message.clone(), Some(Path::new("/nowhere/a.cpp")));
                assert!(helped.contains(&format!("\n  help: {help}")), "{helped}");
                let other = with_help(message.clone(), Some(Path::new("/nowhere/a.py")));
                assert_eq!(other, message);
            }
        }
    }

    #[test]
    fn another_dialect_has_a_remedy() {
        for (source, message, help) in [
            (
                "a.py",
                "SyntaxError: Missing parentheses in call to 'print'.",
                "`--language python2`",
            ),
            (
                "a.py",
                "NameError: name 'raw_input' is not defined",
                "`--language python2`",
            ),
            (
                "a.js",
                "ReferenceError: readline is not defined",
                "readFileSync(0, ",
            ),
            (
                "a.js",
                "Error: Cannot find module 'lodash'",
                "without packages of npm",
            ),
        ] {
            let helped = with_help(message.to_owned(), Some(Path::new(source)));
            assert!(helped.contains(help), "{helped}");
            let other = with_help(message.to_owned(), Some(Path::new("a.rb")));
            assert_eq!(other, message);
        }
    }

    #[test]
    fn a_crate_that_is_not_linked_has_a_remedy() {
        let dir = tempfile::tempdir().unwrap();
        let source = dir.path().join("a.rs");
        let old = "error[E0432]: unresolved import `proconio`\n use of undeclared crate or module `proconio`";
        let new =
            "error[E0433]: failed to resolve: use of unresolved module or unlinked crate `rand`";
        for (message, name) in [(old, "proconio"), (new, "rand")] {
            let helped = with_help(message.to_owned(), Some(&source));
            let help = format!("without the crate `{name}`: where the judge has it");
            assert!(helped.contains(&help), "{helped}");
        }
        std::fs::write(dir.path().join("Cargo.toml"), "").unwrap();
        let helped = with_help(new.to_owned(), Some(&source));
        assert!(helped.contains("`judge bundle . --bin a`"), "{helped}");
    }

    #[test]
    fn a_function_that_is_not_defined_has_a_remedy() {
        for (message, help) in [
            (
                "a.o: undefined reference to `add(int, int)'",
                "if another file",
            ),
            (
                "crt1.o: undefined reference to `main'",
                "the program has no",
            ),
            (
                "ld.lld: error: undefined symbol: main\n>>> x",
                "the program has no",
            ),
        ] {
            let helped = with_help(message.to_owned(), Some(Path::new("/nowhere/a.cpp")));
            assert!(helped.contains(&format!("\n  help: {help}")), "{helped}");
        }
    }

    #[test]
    fn a_file_that_is_empty_or_in_utf16_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let source = dir.path().join("a.cpp");
        for (text, help) in [
            (&b""[..], "\n  help: a.cpp is empty: save it in the editor"),
            (
                b"\xff\xfei\0",
                "\n  help: a.cpp is in UTF-16 instead of UTF-8: save it as UTF-8",
            ),
            (
                b"\0i\0n",
                "\n  help: a.cpp is in UTF-16 instead of UTF-8: save it as UTF-8",
            ),
            (b"int x;", ""),
        ] {
            std::fs::write(&source, text).unwrap();
            let message = with_help("undefined reference".to_owned(), Some(&source));
            assert_eq!(message, format!("undefined reference{help}"));
        }
    }

    #[test]
    fn a_file_beside_the_program_is_named() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("work/lib")).unwrap();
        for file in [
            "outside.h",
            "work/lib/own.h",
            "work/helper.py",
            "work/lib/mod.rs",
            "work/Other.java",
        ] {
            std::fs::write(dir.path().join(file), "").unwrap();
        }
        let found = |message: &str| missing(&dir.path().join("work"), message);
        for (message, expected) in [
            (
                "a.c:2:10: fatal error: lib/own.h: No such file or directory\n",
                Some("lib/own.h"),
            ),
            (
                "a.c:1:10: fatal error: 'lib/own.h' file not found",
                Some("lib/own.h"),
            ),
            (
                "a.c:2:10: fatal error: no.h: No such file or directory",
                None,
            ),
            (
                "a.c:2:10: fatal error: ../outside.h: No such file or directory",
                None,
            ),
            (
                "ModuleNotFoundError: No module named 'helper.deep'",
                Some("helper.py"),
            ),
            ("ModuleNotFoundError: No module named 'numpy'", None),
            (
                "error[E0583]: file not found for module `lib`",
                Some("lib/mod.rs"),
            ),
            (
                "  symbol:   variable Other\n  location: class Main",
                Some("Other.java"),
            ),
            ("the compiler exited with code 1", None),
        ] {
            assert_eq!(found(message).as_deref(), expected, "{message}");
        }
    }
}

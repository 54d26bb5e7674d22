//! Checks that the Makefile runs every test. `make test` lists the binaries that have tests in
//! their own source, because compiling all others again takes half a minute, and finds test programs by
//! the group that each names; the reason of an ignored test says what runs it.

use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use walkdir::WalkDir;

/// Marks the tests of `make test-long`.
const LONG: &str = "long: `make test-long` runs it";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn makefile() -> String {
    fs::read_to_string(root().join("Makefile")).expect("read the Makefile")
}

/// All source files of the workspace.
fn sources() -> impl Iterator<Item = PathBuf> {
    let of_workspace = |name: &str| !["target", ".git", "fuzz"].contains(&name);
    let entries = WalkDir::new(root()).into_iter();
    let entries =
        entries.filter_entry(move |entry| entry.file_name().to_str().is_some_and(of_workspace));
    let paths = entries.map(|entry| entry.expect("read the source").into_path());
    paths.filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
}

/// The root sources of all binaries: `main.rs` and the files in `src/bin`.
fn programs() -> Vec<PathBuf> {
    let is_program = |path: &PathBuf| {
        let inside = |name: &str| path.components().any(|part| part.as_os_str() == name);
        inside("src") && (path.ends_with("src/main.rs") || inside("bin"))
    };
    sources().filter(is_program).collect()
}

/// The name of the binary that a file belongs to: the package's name, or that of a file or folder in `src/bin/`.
fn program_name(path: &Path) -> String {
    if !path.ends_with("src/main.rs") {
        let text = path.to_str().expect("text");
        let (_, below) = text.rsplit_once("/src/bin/").expect("a program");
        let program = below.split('/').next().map(Path::new);
        let program = program.and_then(Path::file_stem);
        return program.expect("a name").display().to_string();
    }
    let mut above = path.ancestors();
    let manifest = above.find_map(|dir| fs::read_to_string(dir.join("Cargo.toml")).ok());
    let manifest: toml::Table = manifest.expect("a crate").parse().expect("a manifest");
    manifest["package"]["name"]
        .as_str()
        .expect("a name")
        .to_owned()
}

/// The ignored tests of a source, each with the reason; none of them is in a macro.
fn ignored_tests(source: &str) -> Vec<(String, String)> {
    let test =
        Regex::new(r#"(?m)^ *#\[ignore(?: = "(.*)")?\]\n(?:\s*#\[.*\n)*\s*(?:async )?fn (\w+)"#);
    let test = test.expect("a valid pattern");
    let tests = test.captures_iter(source).map(|found| {
        let reason = found.get(1).map_or("", |reason| reason.as_str());
        (found[2].to_owned(), reason.to_owned())
    });
    tests.collect()
}

/// The commands that a target would run.
fn commands(target: &str) -> String {
    let make = Command::new("make")
        .args(["--no-print-directory", "-n", target])
        .env_remove("MAKEFLAGS")
        .env_remove("MAKELEVEL")
        .current_dir(root())
        .output()
        .expect("make runs");
    assert!(make.status.success(), "make {target}: {make:?}");
    String::from_utf8(make.stdout).expect("text")
}

/// The words behind each `--test`.
fn tested(commands: &str) -> BTreeSet<String> {
    let words: Vec<&str> = commands.split_whitespace().collect();
    let pairs = words.windows(2).filter(|pair| pair[0] == "--test");
    pairs.map(|pair| pair[1].to_owned()).collect()
}

/// The name of a test program, if the file is one: each file and each folder in `tests/` of a crate.
fn test_program(path: &Path) -> Option<String> {
    let file = match path.file_name()?.to_str()? {
        "main.rs" => path.parent()?,
        _ => path,
    };
    let is_program =
        file.parent()?.ends_with("tests") && file.ancestors().nth(2)?.join("Cargo.toml").exists();
    is_program.then(|| {
        file.file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned()
    })
}

#[test]
fn every_test_program_is_in_the_group_that_it_names() {
    let groups = ["server", "judge", "sudoku"];
    let run: BTreeMap<&str, BTreeSet<String>> = groups
        .into_iter()
        .map(|group| (group, tested(&commands(&format!("test-{group}")))))
        .collect();
    let mut programs = 0;
    for path in sources() {
        let Some(name) = test_program(&path) else {
            continue;
        };
        let source = fs::read_to_string(&path).expect("read the source");
        let mut named = source
            .lines()
            .filter_map(|line| line.strip_prefix("//! Test group: "));
        let group = named.next().map(|rest| rest.trim_end_matches('.'));
        let in_groups: Vec<&str> = groups
            .into_iter()
            .filter(|group| run[group].contains(&name))
            .collect();
        assert_eq!(
            in_groups,
            group.into_iter().collect::<Vec<_>>(),
            "{}: name one group of the Makefile by `//! Test group: NAME.`, the same for programs of the same name",
            path.display()
        );
        assert!(named.next().is_none(), "{}", path.display());
        programs += 1;
    }
    assert!(programs > 20, "{programs} programs");
}

#[test]
fn make_test_names_every_binary_with_tests() {
    let programs = programs();
    assert!(programs.len() > 20, "{programs:?}");
    let tested = makefile().replace('\n', " ");
    for path in programs {
        let source = fs::read_to_string(&path).expect("read the source");
        if source.contains("#[cfg(test)]") || source.contains("#[test]") {
            let name = program_name(&path);
            assert!(
                tested.contains(&format!("--bin {name} ")),
                "{} has tests: `make test` needs --bin",
                path.display()
            );
        }
    }
}

#[test]
fn every_ignored_test_is_run_by_a_target_or_says_what_starts_it() {
    let makefile = makefile();
    let mut long = BTreeSet::new();
    for path in sources() {
        let source = fs::read_to_string(&path).expect("read the source");
        if !source.contains("#[ignore") {
            continue;
        }
        let tests = ignored_tests(&source);
        let count = source
            .lines()
            .filter(|line| line.trim_start().starts_with("#[ignore"))
            .count();
        assert_eq!(tests.len(), count, "{}", path.display());
        for (name, reason) in tests {
            let target = reason
                .split("`make ")
                .nth(1)
                .and_then(|rest| rest.split('`').next());
            let is_target =
                target.is_some_and(|target| makefile.contains(&format!("\n{target}: ")));
            let is_known =
                is_target || reason.starts_with("started ") || reason.ends_with("by hand");
            assert!(
                is_known,
                "{}: {name}: {reason:?} names no target",
                path.display()
            );
            if reason == LONG {
                assert!(
                    long.insert(name.clone()),
                    "two long tests are called {name}"
                );
            } else {
                assert!(
                    !reason.starts_with("long: "),
                    "{name}: {reason:?} is not {LONG:?}"
                );
            }
        }
    }
    let commands = commands("test-long");
    let (_, run) = commands
        .split_once("-- --ignored")
        .expect("the names of the tests");
    let run: BTreeSet<String> = run.split_whitespace().map(str::to_owned).collect();
    assert!(run.len() > 10, "{run:?}");
    assert_eq!(run, long);
}

#[test]
fn ignored_tests_are_found_with_their_reasons() {
    let source = "#[test]\n#[ignore = \"long\"]\n#[cfg(unix)]\nfn one() {}\n\n#[test]\nfn two() {}\n\n\
                  #[tokio::test]\n#[ignore]\nasync fn three() {}\n";
    let found = ignored_tests(source);
    let expected = [("one", "long"), ("three", "")];
    assert_eq!(
        found,
        expected.map(|(name, reason)| (name.to_owned(), reason.to_owned()))
    );
    assert_eq!(
        tested("cargo test --test a --test b --doc"),
        BTreeSet::from(["a".to_owned(), "b".to_owned()])
    );
}

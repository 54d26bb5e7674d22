//! Checks that the Makefile runs every test. `make test` lists the binaries that have tests in
//! their own source, because compiling all others again takes half a minute; `make test-long` lists
//! the tests that `make test` ignores.

use regex::Regex;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// Ignored tests that another target runs, or none.
const OTHER_TARGETS: [&str; 6] = [
    // `make hostile`
    "all_tests_pass_without_user_namespaces",
    // `make stress-ng`
    "stressors_do_not_affect_later_programs",
    // `make faults`
    "faults::full_disk::a_limit_of_the_stores_size_loses_nothing",
    // Run by hand in a release build; the test's documentation has the command.
    "rate::no_step_is_wrong_in_100_000_puzzles",
    // Started as processes by other tests.
    "faults::fake_worker::process",
    "faults::partition::inside",
];

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

/// The module of a file in `src/` or `tests/PROGRAM/`, such as `rate::tests`; empty for the root.
fn module(path: &Path) -> String {
    let path = path.with_extension("");
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    let place = parts
        .iter()
        .rposition(|part| part == "src" || part == "tests" && !parts.contains(&"src".into()));
    let place = place.expect("a source file is in src or tests");
    // Each directory and each file in `tests` is one test program.
    let inside = &parts[place + 1..];
    let skipped = usize::from(parts[place] == "tests").min(inside.len());
    let modules = inside[skipped..].iter();
    let modules = modules.filter(|name| !["mod", "main", "lib"].contains(&&***name));
    modules.cloned().collect::<Vec<_>>().join("::")
}

/// The names of the ignored tests in a module's source, qualified by the module.
fn ignored_tests(module: &str, source: &str) -> Vec<String> {
    let test = Regex::new(r"(?m)^( *)#\[ignore\b.*\n(?:\s*#\[.*\n)*\s*(?:async )?fn (\w+)");
    let tests = test.expect("a valid pattern");
    let tests = tests.captures_iter(source).map(|found| {
        assert!(
            found[1].is_empty(),
            "{module}: {} is in an inline module, whose name this test cannot determine",
            &found[2]
        );
        format!("{module}::{}", &found[2])
            .trim_start_matches("::")
            .to_owned()
    });
    tests.collect()
}

/// The names of the tests that `make test-long` runs.
fn long_tests(makefile: &str) -> BTreeSet<String> {
    let (_, list) = makefile.split_once("\nLONG = ").expect("a list");
    let lines = list.split_inclusive('\n');
    let ends = |line: &&str| !line.ends_with("\\\n");
    let count = lines.clone().position(|line| ends(&line)).expect("an end");
    let words = lines.take(count + 1).flat_map(str::split_whitespace);
    let names = words.filter(|word| *word != "\\");
    names.map(str::to_owned).collect()
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
fn every_ignored_test_is_in_another_target() {
    let mut ignored = BTreeSet::new();
    for path in sources() {
        let source = fs::read_to_string(&path).expect("read the source");
        if source.contains("#[ignore") {
            let path = path.strip_prefix(root()).expect("below it");
            ignored.extend(ignored_tests(&module(path), &source));
        }
    }
    let mut run = long_tests(&makefile());
    assert!(run.len() > 1, "{run:?}");
    run.extend(OTHER_TARGETS.map(str::to_owned));
    let forgotten: Vec<_> = ignored.difference(&run).collect();
    assert!(
        forgotten.is_empty(),
        "the list LONG of the Makefile needs {forgotten:?}"
    );
    let missing: Vec<_> = run.difference(&ignored).collect();
    assert!(missing.is_empty(), "{missing:?} are not ignored tests");
}

#[test]
fn ignored_tests_are_found_by_their_qualified_names() {
    for (path, expected) in [
        ("src/rate/tests.rs", "rate::tests"),
        ("judge/tests/hostile.rs", ""),
        ("judge/tests/command/main.rs", ""),
        ("judge/tests/command/run/output.rs", "run::output"),
        ("judge/server/tests/server/faults/mod.rs", "faults"),
    ] {
        assert_eq!(module(Path::new(path)), expected, "{path}");
    }
    let source = "#[test]\n#[ignore = \"long\"]\n#[cfg(unix)]\nfn one() {}\n\n#[test]\nfn two() {}\n\n\
                  #[tokio::test]\n#[ignore]\nasync fn three() {}\n";
    assert_eq!(ignored_tests("", source), ["one", "three"]);
    assert_eq!(ignored_tests("a::b", source), ["a::b::one", "a::b::three"]);
    let list = long_tests("A = b\nLONG = one \\\n    a::two\nB = c\n");
    assert_eq!(list.into_iter().collect::<Vec<_>>(), ["a::two", "one"]);
}

//! The bundler over a corpus of small workspaces: each bundle compiles alone, prints the same as the
//! original program, and contains no item called `unused`; errors have a file and a line.
//!
//! Test group: server.

use judge_bundle::{BundleRequest, Target, bundle, compile_standalone};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Files by their path, from the form `-- path --`, and the edition.
fn unpack(text: &str) -> (BTreeMap<String, String>, String) {
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    let mut edition = "2021".to_owned();
    let mut current = None;
    for line in text.lines() {
        if let Some(path) = line.strip_prefix("-- ").and_then(|l| l.strip_suffix(" --")) {
            current = Some(path.to_owned());
        } else if let Some(path) = &current {
            let file = files.entry(path.clone()).or_default();
            file.push_str(line);
            file.push('\n');
        } else if let Some(year) = line.strip_prefix("edition = ") {
            year.clone_into(&mut edition);
        }
    }
    (files, edition)
}

/// Writes a workspace's crates below `root/name`; the program is `app`.
fn write(root: &Path, name: &str, text: &str) -> PathBuf {
    let (mut files, edition) = unpack(text);
    let crates: Vec<String> = files
        .keys()
        .filter_map(|path| path.split('/').next())
        .map(str::to_owned)
        .collect();
    for krate in &crates {
        let package = if krate == "app" {
            name.to_owned()
        } else {
            format!("{name}-{krate}")
        };
        let mut manifest = format!(
            "[package]\nname = \"{package}\"\nversion = \"0.1.0\"\nedition = \"{edition}\"\n"
        );
        if krate == "app" && crates.iter().any(|c| c == "helper") {
            manifest.push_str(&format!(
                "[dependencies]\nhelper = {{ path = \"../helper\", package = \"{name}-helper\" }}\n"
            ));
        }
        files
            .entry(format!("{krate}/Cargo.toml"))
            .or_insert(manifest);
    }
    for (path, text) in &files {
        let path = root.join(name).join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let text = text
            .replace("NAME", name)
            .replace("OWN", &name.replace('-', "_"));
        std::fs::write(path, text).unwrap();
    }
    root.join(name).join("app")
}

/// Writes the workspace of one program below `root`; returns the directory of the program.
fn workspace(root: &TempDir, name: &str, text: &str) -> PathBuf {
    let members = "[workspace]\nmembers = [\"*/*\"]\nexclude = [\"target\"]\nresolver = \"2\"\n\
                   [profile.dev]\ndebug = 0\n";
    std::fs::write(root.path().join("Cargo.toml"), members).unwrap();
    write(root.path(), name, text)
}

/// The output of `program` for an input.
fn output(program: &Path, input: impl Into<Stdio>) -> String {
    let output = Command::new(program).stdin(input).output().unwrap();
    assert!(output.status.success(), "{}: {output:?}", program.display());
    String::from_utf8(output.stdout).unwrap()
}

/// Opens a file as standard input.
fn open(path: impl AsRef<Path>) -> std::fs::File {
    std::fs::File::open(path).unwrap()
}

#[test]
#[ignore = "long: `make test-long` runs it"]
fn every_workspace_of_the_corpus_is_bundled() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let root = TempDir::new().unwrap();
    let mut crates = BTreeMap::new();
    for entry in std::fs::read_dir(corpus).unwrap() {
        let path = entry.unwrap().path();
        let name = path
            .file_stem()
            .unwrap()
            .to_string_lossy()
            .replace('_', "-");
        let text = std::fs::read_to_string(&path).unwrap();
        let dir = workspace(&root, &name, &text);
        crates.insert(name, dir);
    }
    assert!(crates.len() >= 30);
    let built = Command::new(env!("CARGO"))
        .current_dir(root.path())
        .args([
            "build",
            "--quiet",
            "--offline",
            "--bins",
            "--target-dir",
            "target",
        ])
        // By name, so that the libraries' default features are not enabled.
        .args(crates.keys().flat_map(|name| ["--package", name]))
        .env("RUSTFLAGS", "-Awarnings")
        .output()
        .unwrap();
    assert!(
        built.status.success(),
        "{}",
        String::from_utf8_lossy(&built.stderr)
    );
    let mut failures = Vec::new();
    for (index, (name, dir)) in crates.iter().enumerate() {
        let mut request = BundleRequest::new(dir, Target::Rust);
        request.minify = index % 2 == 1;
        let bundle = match bundle(&request) {
            Ok(bundle) => bundle,
            Err(error) => {
                failures.push(format!("{name}: {error}"));
                continue;
            }
        };
        let flags = ["-C", "opt-level=0"].map(str::to_owned);
        match compile_standalone(&bundle, &flags) {
            Ok(standalone) => {
                let original = root.path().join("target/debug").join(name);
                let expected = output(&original, Stdio::null());
                let found = output(&standalone.executable(), Stdio::null());
                if expected != found {
                    failures.push(format!("{name}: printed {found:?}, expected {expected:?}"));
                }
            }
            Err(error) => failures.push(format!("{name}: {error}\n{}", bundle.source)),
        }
        if bundle.source.to_lowercase().contains("unused") {
            failures.push(format!("{name}: contains unused items\n{}", bundle.source));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// The error for a workspace with this program: file name, line and text.
fn refusal(text: &str) -> (String, usize, String) {
    let root = TempDir::new().unwrap();
    let dir = workspace(&root, "refused", text);
    let error = bundle(&BundleRequest::new(&dir, Target::Rust)).unwrap_err();
    let file = error.file.file_name().unwrap().to_string_lossy();
    (file.into_owned(), error.line, error.to_string())
}

#[test]
fn code_that_cannot_be_inlined_is_reported_with_its_line() {
    let cases = [
        (
            "-- app/src/main.rs --\nfn main() {\n    include!(\"x.rs\");\n}\n",
            "main.rs",
            2,
            "include!",
        ),
        (
            "-- app/src/main.rs --\nmod gone;\nfn main() {}\n",
            "main.rs",
            1,
            "no file",
        ),
        (
            "-- app/src/main.rs --\n#![feature(test)]\nfn main() {}\n",
            "main.rs",
            1,
            "unstable",
        ),
        (
            "-- app/src/main.rs --\nfn main() { let x = ; }\n",
            "main.rs",
            1,
            "expected an expression",
        ),
        (
            "-- app/src/main.rs --\nfn main() { helper::f() }\n-- helper/src/lib.rs --\n\
             pub fn f() { g::<u8>(); }\n\nfn g<T>() {\n    println!(\"{}\", env!(\"OUT_DIR\"));\n}\n",
            "lib.rs",
            4,
            "OUT_DIR",
        ),
        (
            "-- app/src/main.rs --\nfn main() {\n    helper::f()\n}\n-- helper/src/lib.rs --\n\
             pub fn f() {}\n-- helper/build.rs --\nfn main() {}\n",
            "main.rs",
            2,
            "build script",
        ),
        (
            "-- app/src/main.rs --\nfn main() { missing::f(); }\n",
            "main.rs",
            1,
            "does not compile",
        ),
    ];
    for (text, file, line, what) in cases {
        let (found_file, found_line, message) = refusal(text);
        assert_eq!((found_file.as_str(), found_line), (file, line), "{message}");
        assert!(message.contains(what), "{message}");
    }
}

#[test]
fn a_program_becomes_one_file_of_cpp() {
    let root = TempDir::new().unwrap();
    let program = "-- app/src/main.rs --\n\
        use std::io::{self, BufRead, Write};\n\
        fn main() -> Result<(), Box<dyn std::error::Error>> {\n\
            let mut list = Vec::new();\n\
            for line in io::stdin().lock().lines() { list.push(line?.trim().parse::<i64>()?); }\n\
            list.sort();\n\
            let mut out = io::BufWriter::new(io::stdout().lock());\n\
            for x in &list { writeln!(out, \"{x:>5}\")?; }\n\
            writeln!(out, \"{:?} {}\", list.iter().max(), list[list.len() / 2])?;\n\
            Ok(())\n\
        }\n";
    let dir = workspace(&root, "sorted", program);
    let bundle = bundle(&BundleRequest::new(&dir, Target::Cpp)).unwrap();
    for flags in [
        "-std=c++98 -pedantic -Wall -Werror -O2",
        "-std=c++17 -O0 -static",
        "-O3 -fPIE -pie",
        "-O1 -fno-pie -no-pie",
    ] {
        let flags: Vec<String> = flags.split(' ').map(str::to_owned).collect();
        let standalone = compile_standalone(&bundle, &flags).unwrap();
        for (input, code, expected) in [
            ("3\n-1\n20\n", 0, "   -1\n    3\n   20\nSome(20) 3\n"),
            ("3\nx\n", 1, ""),
            // Out of bounds: the panic of a Rust program.
            ("", 101, ""),
        ] {
            let file = root.path().join("input");
            std::fs::write(&file, input).unwrap();
            let mut run = Command::new(standalone.executable());
            let output = run.stdin(open(&file)).output().unwrap();
            assert_eq!(output.status.code(), Some(code), "{flags:?} {input:?}");
            let printed = String::from_utf8_lossy(&output.stdout);
            assert_eq!(printed, expected, "{flags:?}");
        }
    }
}

#[test]
fn a_handwritten_program_is_bundled_with_its_headers() {
    let root = TempDir::new().unwrap();
    let program = "-- app/Cargo.toml --\n[package]\nname = \"hand\"\nversion = \"0.1.0\"\n\
        edition = \"2021\"\n[package.metadata.judge.bundle.cpp]\nsource = \"src/main.cpp\"\n\
        -- app/src/main.rs --\nfn main() {}\n\
        -- app/src/one.h --\n#include <cstdio>\n#include \"../two.h\"\n\
        -- app/two.h --\n#pragma once\nstatic int two() { return 2; }\n\
        -- app/src/main.cpp --\n#include \"one.h\"\n#include \"../two.h\"\n\
        int main() { std::printf(\"%d\\n\", two()); }\n";
    let dir = workspace(&root, "hand", program);
    let request = BundleRequest::new(&dir, Target::Cpp);
    let made = bundle(&request).unwrap();
    assert!(
        made.source.contains("#include <cstdio>\nstatic int two()"),
        "{}",
        made.source
    );
    assert!(!made.source.contains("#include \""), "{}", made.source);
    let standalone = compile_standalone(&made, &["-std=c++98".to_owned()]).unwrap();
    assert_eq!(output(&standalone.executable(), Stdio::null()), "2\n");
    // They are for Rust.
    let with = |change: fn(&mut BundleRequest)| {
        let mut request = request.clone();
        change(&mut request);
        bundle(&request).unwrap_err().to_string()
    };
    for error in [
        with(|request| request.minify = true),
        with(|request| request.edition = Some("2021".to_owned())),
        with(|request| request.bin = Some("hand".to_owned())),
    ] {
        assert!(
            error.contains("would not change this C++ bundle"),
            "{error}"
        );
    }
    std::fs::remove_file(dir.join("two.h")).unwrap();
    let made = bundle(&request).unwrap();
    let error = compile_standalone(&made, &[]).unwrap_err();
    assert!(error.to_string().contains("../two.h"), "{error}");
}

#[test]
#[ignore = "long: `make test-long` runs it"]
fn the_program_for_uva_is_within_its_limit() {
    let problem = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../problems/uva1309");
    let bundle = bundle(&BundleRequest::new(&problem, Target::Cpp)).unwrap();
    let limit = bundle.settings.code_limit.expect("the manifest names it");
    assert!(limit <= 40 * 1024);
    assert!(bundle.source.len() <= limit, "{}", bundle.source.len());
    // The web pages of some judges accept only ASCII.
    assert!(bundle.source.is_ascii());
    let data = problem.join("../../testdata/uva1309/data/sample");
    let dir = TempDir::new().unwrap();
    let source = dir.path().join("bundle.cpp");
    std::fs::write(&source, &bundle.source).unwrap();
    for compiler in ["g++", "clang++"] {
        let program = dir.path().join(compiler);
        let compiled = Command::new(compiler)
            .args(["-std=c++98", "-pedantic", "-O2"])
            .arg(&source)
            .arg("-o")
            .arg(&program)
            .output();
        let compiled = match compiled {
            Ok(output) => output,
            Err(error) => {
                eprintln!("{compiler} is not tried: {error}");
                continue;
            }
        };
        assert!(compiled.status.success(), "{compiler}: {compiled:?}");
        let answer = std::fs::read_to_string(data.join("1.ans")).unwrap();
        assert_eq!(output(&program, open(data.join("1.in"))), answer);
    }
}

/// The problems of this workspace, by id.
fn problems() -> Vec<(String, PathBuf)> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../problems");
    let problems = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap());
    let named = problems.map(|entry| (entry.file_name().to_string_lossy().into(), entry.path()));
    named.collect()
}

#[test]
#[ignore = "long: `make test-long` runs it"]
fn every_problem_is_within_the_limit_of_every_target() {
    let problems = problems();
    assert!(problems.len() >= 4);
    for (id, dir) in problems {
        let manifest = std::fs::read_to_string(dir.join("Cargo.toml")).unwrap();
        let has_settings = |target: &Target| {
            manifest.contains(&format!("[package.metadata.judge.bundle.{target}]"))
        };
        for target in Target::ALL.into_iter().filter(has_settings) {
            let bundle = bundle(&BundleRequest::new(&dir, target));
            let bundle = bundle.unwrap_or_else(|error| panic!("{id} --to {target}: {error}"));
            let standalone = compile_standalone(&bundle, &[]);
            let standalone = standalone.unwrap_or_else(|what| panic!("{id} --to {target}: {what}"));
            let sample = dir.join("../../testdata").join(&id).join("data/sample/1");
            let input = open(sample.with_extension("in"));
            let found = output(&standalone.executable(), input);
            let expected = std::fs::read_to_string(sample.with_extension("ans")).unwrap();
            // White space between the parts of an array means nothing to the sites that call a function.
            let separator = match target {
                Target::NowCoder | Target::LeetCode => "",
                Target::Rust | Target::Cpp => " ",
            };
            let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(separator);
            assert_eq!(words(&found), words(&expected), "{id} --to {target}");
        }
    }
}

/// The functions that the README recommends: `Grid::solve` and the functions beside it, within the 51,200 bytes
/// that Luogu accepts in any language.
#[test]
#[ignore = "long: `make test-long` runs it"]
fn the_recommended_functions_are_within_the_limits_of_the_judges() {
    let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let library = library.canonicalize().unwrap();
    let root = TempDir::new().unwrap();
    let program = format!(
        "-- app/Cargo.toml --\n[package]\nname = \"door\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
         [dependencies]\nsudoku = {{ package = \"sudoku-engines\", path = {library:?} }}\n\
         [package.metadata.judge.bundle.rust]\nminify = true\ncode-limit = 51200\n\
         [package.metadata.judge.bundle.cpp]\ncode-limit = 51200\n\
         -- app/src/main.rs --\n\
         use std::io;\n\
         use sudoku::notation::{{Input, Notation, Output}};\n\
         fn main() -> Result<(), Box<dyn std::error::Error>> {{\n\
             let mut input = Input::new(io::stdin().lock());\n\
             let mut output = Output::new(io::stdout().lock());\n\
             while let Some(puzzle) = input.grid::<9>(Notation::LINE)? {{\n\
                 let solution = puzzle.solve().into_solution().ok_or(\"no solution\")?;\n\
                 output.grid(Notation::LINE, &solution)?;\n\
                 output.text(&format!(\"{{}}\\n\", puzzle.count_solutions(2)))?;\n\
             }}\n\
             Ok(output.finish()?)\n\
         }}\n"
    );
    let dir = workspace(&root, "door", &program);
    let input = root.path().join("1.in");
    let puzzle =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    std::fs::write(&input, format!("{puzzle}\n{}\n", ".".repeat(81))).unwrap();
    for target in [Target::Rust, Target::Cpp] {
        let bundle = bundle(&BundleRequest::new(&dir, target)).unwrap();
        let standalone = compile_standalone(&bundle, &[]).unwrap();
        let found = output(&standalone.executable(), open(&input));
        let lines: Vec<&str> = found.lines().collect();
        assert_eq!(
            lines[0],
            "534678912672195348198342567859761423426853791713924856961537284287419635345286179",
            "{target}"
        );
        assert_eq!((lines[1], lines[3], lines.len()), ("1", "2", 4), "{target}");
    }
}

/// The oldest compiler of a judge for which bundles are written.
const OLDEST: &str = "1.87";

/// Uses of later versions of the standard library in a program, as clippy reports them; `None` where it is not
/// installed.
fn newer_than_oldest(source: &str, edition: &str) -> Option<String> {
    let version = Command::new("clippy-driver").arg("--version").output();
    if !version.ok()?.status.success() {
        return None;
    }
    let dir = TempDir::new().unwrap();
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
    write("clippy.toml", &format!("msrv = \"{OLDEST}\"\n"));
    write("bundle.rs", source);
    let output = Command::new("clippy-driver")
        .current_dir(dir.path())
        .env("CLIPPY_CONF_DIR", dir.path())
        // The compiler warns that the job server of `make` is closed to it.
        .env_remove("MAKEFLAGS")
        .env_remove("MFLAGS")
        .env_remove("CARGO_MAKEFLAGS")
        .args(["bundle.rs", "--emit", "metadata", "--edition", edition])
        .args(["-A", "warnings", "-D", "clippy::incompatible_msrv"])
        .output()
        .ok()?;
    Some(String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn a_bundle_compiles_with_the_oldest_compiler() {
    // The check itself notices a function of a later version.
    let newer = "fn main() { println!(\"{}\", 3u8.strict_add(1)); }\n";
    let Some(found) = newer_than_oldest(newer, "2021") else {
        eprintln!("skipped: clippy is not installed: rustup component add clippy");
        return;
    };
    assert!(found.contains("1.91"), "{found}");
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../problems/luogup1784");
    let bundle = bundle(&BundleRequest::new(&dir, Target::Rust)).unwrap();
    let edition = bundle.settings.edition.as_deref().unwrap();
    let found = newer_than_oldest(&bundle.source, edition);
    assert_eq!(found.as_deref(), Some(""));
    let docs = std::fs::read_to_string(dir.join("../../docs/bundle.md")).unwrap();
    assert!(docs.contains(&format!("Rust {OLDEST}")));
}

/// A crate of the registry, here of a directory that replaces it.
#[test]
fn a_crate_of_the_registry_is_inlined() {
    let root = TempDir::new().unwrap();
    let text = "-- app/Cargo.toml --\n[package]\nname = \"NAME\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\
                [dependencies]\ntwice = \"1.2\"\n[workspace]\n\
                -- app/.cargo/config.toml --\n[source.crates-io]\nreplace-with = \"vendored\"\n\
                [source.vendored]\ndirectory = \"vendor\"\n\
                -- app/src/main.rs --\nuse twice::twice;\nfn main() { println!(\"{}\", twice(21)); }\n\
                -- app/vendor/twice/Cargo.toml --\n[package]\nname = \"twice\"\nversion = \"1.2.3\"\nedition = \"2018\"\n\
                -- app/vendor/twice/.cargo-checksum.json --\n{\"files\": {}, \"package\": null}\n\
                -- app/vendor/twice/src/lib.rs --\npub fn twice(x: u32) -> u32 { 2 * x }\npub fn unused() {}\n";
    let (files, _) = unpack(text);
    for (path, text) in files {
        let path = root.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text.replace("NAME", "registered")).unwrap();
    }
    let bundle = bundle(&BundleRequest::new(&root.path().join("app"), Target::Rust)).unwrap();
    assert!(!bundle.source.contains("unused"), "{}", bundle.source);
    let standalone = compile_standalone(&bundle, &[]).unwrap();
    assert_eq!(output(&standalone.executable(), Stdio::null()), "42\n");
}

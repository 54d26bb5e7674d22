//! The handwritten C++ of problems whose judges run on Windows or in 32 bits: every `source` in
//! `problems/*/Cargo.toml`. Compiled as their old compilers do, and judged in 32 bits.

use crate::common::{Bench, judge};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const STRICT: [&str; 6] = ["-O2", "-pedantic", "-Wall", "-Wextra", "-Werror", "-o"];

fn root() -> &'static Path {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR"));
    dir.parent().expect("the workspace")
}

/// The problems with a handwritten program: id and source.
fn sources() -> Vec<(String, PathBuf)> {
    let problems = fs::read_dir(root().join("problems")).expect("the problems");
    let mut sources = Vec::new();
    for problem in problems.map(|entry| entry.expect("an entry").path()) {
        let manifest = fs::read_to_string(problem.join("Cargo.toml")).expect("a manifest");
        let source = manifest
            .lines()
            .find_map(|line| line.strip_prefix("source = \""));
        if let Some(source) = source {
            let id = problem.file_name().expect("a name").to_string_lossy();
            sources.push((id.into_owned(), problem.join(source.trim_end_matches('"'))));
        }
    }
    assert!(sources.len() > 5, "{sources:?}");
    sources.sort();
    sources
}

/// Compiles `source`; returns the compiler's messages if it fails.
fn compile(compiler: &[&str], source: &Path, program: &Path) -> Result<(), String> {
    let output = Command::new(compiler[0])
        .args(&compiler[1..])
        .args(STRICT)
        .args([program, source])
        .output()
        .map_err(|error| error.to_string())?;
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    output.status.success().then_some(()).ok_or(message)
}

/// Whether the compiler builds a program with headers; says what to install if not.
fn works(bench: &Bench, compiler: &[&str], package: &str) -> bool {
    let source = bench.write(
        "probe.cpp",
        "#include <cstdio>\nint main() { std::puts(\"\"); }\n",
    );
    let result = compile(compiler, &source, &bench.path("probe"));
    if let Err(message) = &result {
        let command = compiler.join(" ");
        eprintln!("skipped: `{command}` does not work, run `apt install {package}`: {message}");
    }
    result.is_ok()
}

#[test]
fn portable_programs_are_accepted_in_32_bits() {
    let bench = Bench::new();
    if !works(&bench, &["g++", "-m32"], "g++-multilib") {
        return;
    }
    for (id, source) in sources() {
        let program = bench.path(&id);
        for standard in ["-std=c++98", "-std=gnu++98"] {
            let checked = compile(&["g++", "-fsyntax-only", standard], &source, &program);
            assert_eq!(checked, Ok(()), "{id} {standard}");
        }
        let compiled = compile(&["g++", "-m32", "-std=c++11"], &source, &program);
        assert_eq!(compiled, Ok(()), "{id}");
        judge(&bench)
            .current_dir(root())
            // The sandbox forbids system calls of 32 bits.
            .args(["run", &id, "--no-history", "--sandbox", "none", "-s"])
            .arg(&program)
            .assert()
            .success();
    }
}

#[test]
fn portable_programs_compile_for_windows() {
    let bench = Bench::new();
    let compiler = "i686-w64-mingw32-g++";
    if !works(&bench, &[compiler], "g++-mingw-w64-i686") {
        return;
    }
    for (id, source) in sources() {
        let compiled = compile(&[compiler, "-std=c++98"], &source, &bench.path(&id));
        assert_eq!(compiled, Ok(()), "{id}");
    }
}

//! Headers that are precompiled: who gets one, and that nothing depends on it.

use super::support::{Bench, ready, run};
use judge::language::{Cache, Languages, Prepared, Toolchain};
use judge_sandbox::BoxSpec;
use std::path::{Path, PathBuf};

/// C++ with a precompiled `<vector>`. It includes `<climits>`, which shows whether it was used.
const CPP: &str = r#"
[cpp]
[[cpp.with]]
compile = "g++ -o {binary} {files}"
run = "{binary}"
version = "g++ -dumpfullversion -dumpversion"
header.name = "vector"
header.compile = "g++ -include climits -x c++-header -MD -MF {list} -o {binary} {main}"
header.use = "-I{dir}"
"#;
/// Compiles only with that header.
const TELLING: &str = "// Needs <climits>.\n#include <vector>\n#include <cstdio>\nint main() { std::vector<int> v(1, INT_MAX); printf(\"%d\\n\", v[0]); }";
/// Compiles in any case.
const PLAIN: &str = "#include <vector>\n#include <cstdio>\nint main() { std::vector<int> v(1, 7); printf(\"%d\\n\", v[0]); }";

fn toolchain(bench: &Bench) -> Toolchain {
    let table = bench.dir.path().join("languages.toml");
    std::fs::write(&table, CPP).expect("it is written");
    let languages = Languages::load(Some(&table)).expect("the table is good");
    let cache = Cache::at(&bench.dir.path().join("cache")).expect("a cache");
    Toolchain::with(languages, cache, |spec: &BoxSpec| judge_sandbox::open(spec))
}

/// The file of the only precompiled header in the cache.
fn made(bench: &Bench) -> PathBuf {
    let programs = bench.dir.path().join("cache/programs");
    let mut found = std::fs::read_dir(programs)
        .expect("the cache is there")
        .flatten()
        .map(|entry| entry.path().join("program/include/vector.gch"))
        .filter(|path| path.exists());
    let only = found.next().expect("a header was made");
    assert_eq!(found.next(), None);
    only
}

fn has_gcc() -> bool {
    let there = std::process::Command::new("g++").arg("--version").output();
    let there = there.is_ok_and(|output| {
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        output.status.success() && text.contains("Free Software Foundation")
    });
    if !there {
        println!("skipped: g++ of GCC is not installed");
    }
    there
}

#[test]
fn who_begins_with_a_header_gets_it_precompiled() {
    if !has_gcc() {
        return;
    }
    let bench = Bench::new();
    let toolchain = toolchain(&bench);
    let wants = |files: &[(&str, &str)]| {
        let path = bench.source(files);
        toolchain.missing_header(&bench.request(&path))
    };
    let header = wants(&[("a.cpp", TELLING)]).expect("it would help");
    let define = format!("#define INT_MAX 1\n{PLAIN}");
    assert_eq!(wants(&[("a.cpp", &define)]), None);
    assert_eq!(wants(&[("a.cpp", PLAIN), ("b.h", &define)]), None);
    assert_eq!(wants(&[("a.cpp", PLAIN), ("vector", "")]), None);
    assert_eq!(wants(&[("a.py", "print('vector')")]), None);
    let again = wants(&[("a.cpp", PLAIN), ("b.cpp", "int f() { return 1; }")]);
    assert_eq!(again.as_ref(), Some(&header));

    let build = |text: &str| {
        let path = bench.source(&[("a.cpp", text)]);
        toolchain
            .build(&bench.request(&path))
            .expect("the sandbox works")
    };
    assert!(matches!(build(TELLING), Prepared::CompileError(_)));
    toolchain.precompile(&header).expect("nobody interrupts");
    assert_eq!(wants(&[("a.cpp", TELLING)]), None, "it is there");
    let program = ready(build(TELLING)).expect("g++ is here");
    assert_eq!(run(&program, &[], "").1, format!("{}\n", i32::MAX));
    // With something before it, the plain way.
    assert!(matches!(
        build(&format!("#define X\n{TELLING}")),
        Prepared::CompileError(_)
    ));
}

#[test]
fn a_broken_or_outdated_header_changes_nothing() {
    if !has_gcc() {
        return;
    }
    let bench = Bench::new();
    let toolchain = toolchain(&bench);
    let build = |text: &str| {
        let path = bench.source(&[("a.cpp", text)]);
        toolchain
            .build(&bench.request(&path))
            .expect("the sandbox works")
    };
    let path = bench.source(&[("a.cpp", PLAIN)]);
    let header = toolchain
        .missing_header(&bench.request(&path))
        .expect("it would help");
    toolchain.precompile(&header).expect("nobody interrupts");
    let made = made(&bench);
    let whole = std::fs::read(&made).expect("it is there");
    std::fs::write(&made, &whole[..whole.len() / 2]).expect("it is written");
    let program = ready(build(PLAIN)).expect("g++ is here");
    assert_eq!(run(&program, &[], "").1, "7\n");
    let message = |built| match built {
        Prepared::CompileError(message) => message,
        other => panic!("{other:?}"),
    };
    let said = message(build("#include <vector>\nint main() { return y; }"));
    assert!(
        said.contains("was not declared") && !said.contains("gch"),
        "{said}"
    );

    // A header that went in has changed since.
    std::fs::write(&made, &whole).expect("it is written");
    ready(build(TELLING)).expect("g++ is here");
    let list = made.with_file_name("../list");
    let text = std::fs::read_to_string(&list).expect("there is a list");
    let other: &Path = bench.dir.path();
    std::fs::write(&list, format!("{text} {}/gone.h\n", other.display())).expect("it is written");
    assert!(matches!(
        build(&format!("{TELLING}\n")),
        Prepared::CompileError(_)
    ));
    assert_eq!(
        toolchain.missing_header(&bench.request(&bench.source(&[("b.cpp", TELLING)]))),
        Some(header)
    );
}

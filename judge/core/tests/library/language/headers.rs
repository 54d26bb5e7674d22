//! Tests of precompiled headers: which sources use one, and that the result is the same without it.

use super::support::{Bench, ready, run};
use judge_core::language::Prepared;
use std::path::{Path, PathBuf};

/// A language table for C++ with a precompiled `<vector>`. The precompiled header includes
/// `<climits>`, which reveals whether it was used.
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
/// A source that compiles only with the precompiled header.
const NEEDS_HEADER: &str = "// Needs <climits>.\n#include <vector>\n#include <cstdio>\nint main() { std::vector<int> v(1, INT_MAX); printf(\"%d\\n\", v[0]); }";
/// A source that compiles with and without the precompiled header.
const PLAIN: &str = "#include <vector>\n#include <cstdio>\nint main() { std::vector<int> v(1, 7); printf(\"%d\\n\", v[0]); }";

/// The path of the only precompiled header in the cache.
fn made(bench: &Bench) -> PathBuf {
    let programs = bench.dir.path().join("cache/programs");
    let mut found = std::fs::read_dir(programs)
        .expect("read the cache")
        .flatten()
        .map(|entry| entry.path().join("program/include/vector.gch"))
        .filter(|path| path.exists());
    let only = found.next().expect("find a precompiled header");
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
fn a_source_that_starts_with_a_header_uses_the_precompiled_one() {
    if !has_gcc() {
        return;
    }
    let bench = Bench::with_table(CPP);
    let toolchain = &bench.toolchain;
    let wants = |files: &[(&str, &str)]| {
        let path = bench.source(files);
        toolchain.missing_header(&bench.request(&path))
    };
    let header = wants(&[("a.cpp", NEEDS_HEADER)]).expect("expect a missing header");
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
            .expect("compile the header")
    };
    assert!(matches!(build(NEEDS_HEADER), Prepared::CompileError(_)));
    toolchain.precompile(&header).expect("nobody interrupts");
    assert_eq!(
        wants(&[("a.cpp", NEEDS_HEADER)]),
        None,
        "the header is precompiled already"
    );
    let program = ready(build(NEEDS_HEADER)).expect("g++ is here");
    assert_eq!(run(&program, &[], "").1, format!("{}\n", i32::MAX));
    // With code before the include, the source is compiled without the precompiled header.
    assert!(matches!(
        build(&format!("#define X\n{NEEDS_HEADER}")),
        Prepared::CompileError(_)
    ));
}

#[test]
fn a_broken_or_outdated_precompiled_header_is_ignored() {
    if !has_gcc() {
        return;
    }
    let bench = Bench::with_table(CPP);
    let toolchain = &bench.toolchain;
    let build = |text: &str| {
        let path = bench.source(&[("a.cpp", text)]);
        toolchain
            .build(&bench.request(&path))
            .expect("compile the header")
    };
    let path = bench.source(&[("a.cpp", PLAIN)]);
    let header = toolchain
        .missing_header(&bench.request(&path))
        .expect("expect a missing header");
    toolchain.precompile(&header).expect("nobody interrupts");
    let made = made(&bench);
    let whole = std::fs::read(&made).expect("read the header");
    std::fs::write(&made, &whole[..whole.len() / 2]).expect("write the file");
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

    // A header included by the precompiled one has changed since.
    std::fs::write(&made, &whole).expect("write the file");
    ready(build(NEEDS_HEADER)).expect("g++ is here");
    let list = made.with_file_name("../list");
    let text = std::fs::read_to_string(&list).expect("read the list");
    let other: &Path = bench.dir.path();
    std::fs::write(&list, format!("{text} {}/gone.h\n", other.display())).expect("write the file");
    assert!(matches!(
        build(&format!("{NEEDS_HEADER}\n")),
        Prepared::CompileError(_)
    ));
    assert_eq!(
        toolchain.missing_header(&bench.request(&bench.source(&[("b.cpp", NEEDS_HEADER)]))),
        Some(header)
    );
}

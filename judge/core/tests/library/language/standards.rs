//! Tests of C++ standards.

use super::support::{Bench, run};
use judge_core::language::{OtherStandards, Prepared, Request};
use std::path::Path;

/// A program that is valid only before C++17, where `size` conflicts with `std::size`.
const OF_2014: &str = "#include <cstdio>\n#include <vector>\nusing namespace std;\nint size;\n\
                       int main() { size = 5; auto f = [](auto x) { return x + size; }; printf(\"%d\\n\", f(2)); }\n";

#[test]
fn a_language_code_selects_a_standard() {
    let bench = Bench::new();
    let path = bench.source(&[("old.cpp", OF_2014)]);
    let built = |language| {
        let request = Request {
            language,
            ..bench.request(&path)
        };
        bench.toolchain.build(&request).expect("build the program")
    };
    for language in [None, Some("cpp"), Some("cpp17")] {
        let refused = built(language);
        assert!(
            matches!(&refused, Prepared::CompileError(why) if why.contains("ambiguous")),
            "{language:?} {refused:?}"
        );
    }
    for language in ["cpp14", "C++14"] {
        let Prepared::Ready(program) = built(Some(language)) else {
            panic!("{language} does not compile the source");
        };
        assert_eq!(run(&program, &[], "").1, "7\n");
        assert_eq!(program.language.as_deref(), Some("C++"));
        assert_eq!(program.note, None);
    }
    let unknown = built(Some("cpp15"));
    assert!(
        matches!(&unknown, Prepared::Skipped(why) if why.contains("C++15") && why.contains("gnu++14")),
        "{unknown:?}"
    );
}

#[test]
fn a_standard_that_compiles_is_suggested_or_used() {
    let bench = Bench::new();
    let path = bench.source(&[("old.cpp", OF_2014)]);
    let built = |path: &Path, others| {
        let built = bench.toolchain.build_or(&bench.request(path), others);
        built.expect("build the program")
    };
    let Prepared::CompileError(plain) = built(&path, OtherStandards::Ignore) else {
        panic!("the source compiles with the default standard");
    };
    let built_program = built(&path, OtherStandards::Suggest);
    let Prepared::CompileError(message) = &built_program else {
        panic!("{built_program:?}");
    };
    let help = "it compiles as gnu++14: add --language cpp14";
    assert!(
        message.starts_with(&plain) && message.ends_with(help),
        "{message}"
    );
    let Prepared::Ready(program) = built(&path, OtherStandards::Use) else {
        panic!("the source does not compile as gnu++14");
    };
    assert_eq!(run(&program, &[], "").1, "7\n");
    let note = program.note.as_deref().expect("a note");
    assert!(note.ends_with(": compiled as gnu++14"), "{note}");

    // If no standard compiles the source, the message is the one of the first attempt.
    let path = bench.source(&[("wrong.cpp", "int main() { return nothing; }\n")]);
    for others in [OtherStandards::Suggest, OtherStandards::Use] {
        let built = built(&path, others);
        assert!(
            matches!(&built, Prepared::CompileError(why) if why.contains("nothing") && !why.contains("help")),
            "{built:?}"
        );
    }
}

#[test]
fn a_source_that_an_old_interpreter_refuses_runs_with_its_stand_in() {
    let old = "[old]\nname = \"Old\"\nextensions = [\"old\"]\npriority = 1\nentry = \"file\"\n\
               stand-in = {language = \"cpython3\", note = \"Old refuses it\"}\n[[old.with]]\n\
               compile = \"python3 -c 'raise SystemExit(1)' {files}\"\nrun = \"python3 {main}\"\n\
               version = \"python3 --version\"\n";
    let bench = Bench::with_table(old);
    let built = |source: &str, others| {
        let path = bench.source(&[("a.old", source)]);
        let built = bench.toolchain.build_or(&bench.request(&path), others);
        built.expect("build the program")
    };
    for others in [OtherStandards::Suggest, OtherStandards::Use] {
        let Prepared::Ready(program) = built("print(7)\n", others) else {
            panic!("CPython refuses the source");
        };
        assert_eq!(run(&program, &[], "").1, "7\n");
        assert_eq!(program.note.as_deref(), Some("Old refuses it"));
    }
    for (source, others) in [
        ("print(7)\n", OtherStandards::Ignore),
        ("print(7\n", OtherStandards::Use),
    ] {
        let refused = built(source, others);
        assert!(matches!(refused, Prepared::CompileError(_)), "{refused:?}");
    }
}

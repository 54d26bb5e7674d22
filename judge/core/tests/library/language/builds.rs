//! Tests of builds: several files, entry points, included files, build scripts, and compile errors.

use super::support::{Bench, ready, run};
use judge_core::language::{Prepared, Request, Role};
use judge_sandbox::Exit;
use std::fs;
use std::os::unix::fs::PermissionsExt;

#[test]
fn programs_of_several_files_are_built() {
    let bench = Bench::new();
    let cases: &[&[(&str, &str)]] = &[
        &[
            (
                "x.c",
                "int f(void);\nint puts(const char*);\nint main(){return f();}",
            ),
            (
                "sub/f.c",
                "#include \"../f.h\"\nint f(void){puts(WORD);return 0;}",
            ),
            ("f.h", "#define WORD \"several\"\nint puts(const char*);"),
        ],
        &[
            ("main.py", "import helper.words\nprint(helper.words.WORD)"),
            ("helper/words.py", "WORD = 'several'"),
            ("a.py", "print('not me')"),
        ],
        &[
            ("lib.rs", "pub const WORD: &str = \"several\";"),
            (
                "main.rs",
                "mod lib;\nfn main(){println!(\"{}\", lib::WORD);}",
            ),
        ],
        &[
            (
                "A.java",
                "class A { static String word() { return \"several\"; } }",
            ),
            ("org/x/B.java", "package org.x;\npublic class B { }"),
            (
                "Go.java",
                "public class Go { public static void main(String[] a) { System.out.println(A.word()); } }",
            ),
        ],
        &[
            ("main.js", "console.log(require('./words.js').word)"),
            ("words.js", "exports.word = 'several'"),
        ],
    ];
    for files in cases {
        let Some(program) = ready(bench.build(&bench.source(files))) else {
            continue;
        };
        let (execution, output) = run(&program, &[], "");
        assert_eq!(
            (execution.exit, output.as_str()),
            (Exit::Code(0), "several\n"),
            "{files:?}"
        );
    }
}

#[test]
fn the_package_selects_the_entry_point() {
    let bench = Bench::new();
    let path = bench.source(&[("main.py", "print('main')"), ("other.py", "print('other')")]);
    let request = Request {
        entry_point: Some("other.py"),
        ..bench.request(&path)
    };
    let program = ready(bench.toolchain.build(&request).unwrap()).expect("find Python");
    assert_eq!(run(&program, &[], "").1, "other\n");
    let request = Request {
        entry_point: Some("missing.py"),
        ..bench.request(&path)
    };
    assert!(matches!(
        bench.toolchain.build(&request).unwrap(),
        Prepared::CompileError(_)
    ));
}

#[test]
fn included_files_and_constants_are_available() {
    let bench = Bench::new();
    let path = bench.source(&[("solve.py", "def solve(): return {{limit}}")]);
    let include = bench.source(&[
        ("default/data.txt", "7"),
        ("default/word.py", "raise SystemExit('not me')"),
        ("python3/word.py", "word = 'word'"),
        (
            "python3/__main__.py",
            "import solve, word\nprint(solve.solve(), word.word)",
        ),
    ]);
    let constants = [("limit".to_string(), "17".to_string())];
    let request = Request {
        include: Some(&include),
        constants: &constants,
        ..bench.request(&path)
    };
    let program = ready(bench.toolchain.build(&request).unwrap()).expect("find Python");
    assert_eq!(run(&program, &[], "").1, "17 word\n");
}

#[test]
fn a_compiler_that_rejects_a_minimal_program_is_broken() {
    let table = "[brk]\nname = \"Brk\"\nentry = \"file\"\nextensions = [\"brk\"]\npriority = 1\n\
                 install = \"apt install brk\"\nminimal = \"minimal\"\n[[brk.with]]\n\
                 compile = \"grep -q WORD {files}\"\nrun = \"cat {main}\"\n\
                 version = \"grep --version\"\n";
    let built = |word| {
        let bench = Bench::with_table(&table.replace("WORD", word));
        bench.build(&bench.source(&[("a.brk", "another")]))
    };
    assert!(matches!(built("another"), Prepared::Ready(_)));
    assert!(matches!(built("minimal"), Prepared::CompileError(_)));
    assert_eq!(
        built("neither"),
        Prepared::Failed(
            "Brk: the compiler rejects even a minimal program: the compiler exited with code 1\n  \
             help: apt install brk"
                .to_owned()
        )
    );
}

#[test]
fn each_minimal_program_compiles() {
    for name in ["a.c", "a.cpp", "a.rs", "A.java", "a.go"] {
        let bench = Bench::new();
        let path = bench.source(&[(name, "no program")]);
        let built = bench.build(&path);
        if let Prepared::Skipped(why) = &built {
            eprintln!("{name}: {why}");
            continue;
        }
        assert!(matches!(built, Prepared::CompileError(_)), "{built:?}");
    }
}

#[test]
fn compile_errors_are_reported_without_paths_of_the_judge() {
    let bench = Bench::new();
    for (name, text, said) in [
        ("a.c", "int main( {", "a.c:1"),
        ("a.rs", "fn main() { let x: i32 = \"\"; }", "E0308"),
        ("a.py", "print(", "a.py"),
    ] {
        match bench.build(&bench.source(&[(name, text)])) {
            Prepared::CompileError(message) => {
                assert!(message.contains(said), "{name}: {message}");
                assert!(!message.contains("cache"), "{name}: {message}");
                assert!(!message.contains('\x1b'), "{name}: {message}");
            }
            other => panic!("{name}: {other:?}"),
        }
    }
    let path = bench.source(&[(
        "a.c",
        &format!("#error {}\n", "x".repeat(100_000)).repeat(100),
    )]);
    let Prepared::CompileError(message) = bench.build(&path) else {
        panic!("the source is not valid C")
    };
    assert!(
        message.len() < 10_000,
        "the message must be truncated: {}",
        message.len()
    );
}

#[test]
fn sources_without_a_program_are_a_compile_error() {
    let bench = Bench::new();
    let long = "a".repeat(250);
    for (name, text) in [
        ("a.go", "package other\n\nfunc Main() {}\n".to_owned()),
        (
            "a.java",
            format!("public class {long} {{ public static void main(String[] args) {{}} }}"),
        ),
    ] {
        match bench.build(&bench.source(&[(name, &text)])) {
            Prepared::CompileError(_) => {}
            Prepared::Skipped(why) => eprintln!("skipped: {name}: {why}"),
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn a_missing_tool_is_named_and_the_source_is_skipped() {
    let bench = Bench::new();
    let path = bench.source(&[("a.unknown", "")]);
    assert!(matches!(bench.build(&path), Prepared::Skipped(why) if why.contains("a.unknown")));
    let request = Request {
        language: Some("nonsense"),
        ..bench.request(&path)
    };
    let built = bench.toolchain.build(&request).unwrap();
    assert!(matches!(built, Prepared::Skipped(why) if why.contains("nonsense")));
    // An explicit language overrides the file's extension.
    let path = bench.source(&[("a.txt", "print('named')")]);
    let request = Request {
        language: Some("python3"),
        ..bench.request(&path)
    };
    let program = ready(bench.toolchain.build(&request).unwrap()).expect("find Python");
    assert_eq!(run(&program, &[], "").1, "named\n");
}

#[test]
fn a_validator_with_build_and_run_scripts_is_built() {
    let bench = Bench::new();
    let path = bench.source(&[
        ("build", "#!/bin/sh\nset -e\ncc -o tool tool.c\nprintf '#!/bin/sh\\nexec ./tool \"$@\"\\n' > run\nchmod +x run\n"),
        ("tool.c", "#include <stdio.h>\nint main(int c, char**v){puts(v[1]);return 42;}"),
    ]);
    fs::set_permissions(path.join("build"), fs::Permissions::from_mode(0o755)).unwrap();
    let request = Request {
        role: Role::Validator,
        ..bench.request(&path)
    };
    let program = ready(bench.toolchain.build(&request).unwrap()).expect("find sh and cc");
    let (execution, output) = run(&program, &["a b"], "");
    assert_eq!((execution.exit, output.trim()), (Exit::Code(42), "a b"));

    fs::write(path.join("build"), "#!/bin/sh\necho broken >&2\nexit 3\n").unwrap();
    let built = bench.toolchain.build(&request).unwrap();
    assert_eq!(built, Prepared::CompileError("broken".to_string()));
    fs::write(path.join("build"), "#!/bin/sh\n").unwrap();
    let built = bench.toolchain.build(&request).unwrap();
    assert_eq!(
        built,
        Prepared::CompileError("the compiler wrote no file `run`".to_string())
    );
}

/// The command follows a link that its user names; a program of a package or of an upload may be none.
#[test]
fn a_program_that_is_a_link_is_not_built() {
    let bench = Bench::new();
    let source = bench.source(&[("main.c", "int main(void) { return 0; }\n")]);
    for (name, target) in [("link.c", source.as_path()), ("link", "/bin/true".as_ref())] {
        let link = source.with_file_name(name);
        std::os::unix::fs::symlink(target, &link).expect("a link");
        let request = Request {
            root: &link,
            ..bench.request(&link)
        };
        let built = bench.toolchain.build(&request).expect("the sandbox works");
        let Prepared::CompileError(message) = built else {
            panic!("{name}: {built:?}");
        };
        assert!(message.contains("is a symbolic link"), "{message}");
    }
}

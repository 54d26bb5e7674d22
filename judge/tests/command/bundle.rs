//! `judge bundle`: which files it replaces, and what `--check` reports. What a bundle contains is tested
//! in the crate `judge-bundle`.

use crate::common::{Bench, asserted, judge};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use std::process::Command;
use tempfile::TempDir;

#[test]
fn a_file_that_is_not_a_bundle_is_not_replaced() {
    let root = TempDir::new().unwrap();
    let dir = root.path().join("one");
    std::fs::create_dir_all(dir.join("src")).unwrap();
    let manifest =
        "[package]\nname = \"one\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n";
    std::fs::write(dir.join("Cargo.toml"), manifest).unwrap();
    let main = dir.join("src/main.rs");
    std::fs::write(&main, "fn main() { println!(\"1\"); }\n").unwrap();
    let own = root.path().join("own.rs");
    std::fs::write(&own, "// my solution\nfn main() {}\n").unwrap();
    let judge = |args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_judge"))
            .arg("bundle")
            .arg(&dir)
            .args(args)
            .current_dir(root.path())
            .output()
            .unwrap();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), message)
    };
    let (code, message) = judge(&["-o", "own.rs"]);
    assert_eq!(code, Some(2), "{message}");
    assert!(message.contains("--force"), "{message}");
    let (code, message) = judge(&["--check", "own.rs"]);
    assert_eq!(code, Some(1), "{message}");
    assert!(!message.contains("-o own.rs"), "{message}");
    assert!(
        std::fs::read_to_string(&own)
            .unwrap()
            .contains("my solution")
    );
    assert_eq!(judge(&["-o", "own.rs", "--force"]).0, Some(0));
    let written = std::fs::read_to_string(&own).unwrap();
    assert!(!written.contains("my solution"));
    // A bundle is replaced, also one of another state of the program.
    std::fs::write(&main, "fn main() { println!(\"2\"); }\n").unwrap();
    let (code, message) = judge(&["--check", "own.rs"]);
    assert_eq!(code, Some(1), "{message}");
    assert!(message.contains("stale"), "{message}");
    assert_eq!(judge(&["-o", "own.rs"]).0, Some(0));
    assert_eq!(judge(&["--check", "own.rs"]).0, Some(0));
}

#[test]
fn the_own_headers_of_a_cpp_program_are_inlined_and_judged() {
    let bench = Bench::new();
    bench.write("mine/test/1.in", "1 4\n");
    bench.write("mine/test/1.out", "5\n");
    bench.write(
        "lib/sum.hpp",
        "#pragma once\ninline int sum(int a, int b) { return a + b; }\n",
    );
    let source = "#include <iostream>\n#include \"../lib/sum.hpp\"\nint main() {\n    int a, b;\n    \
                  std::cin >> a >> b;\n    std::cout << sum(a, b) << '\\n';\n}\n";
    bench.write("mine/sol.cpp", source);
    let bundle = || {
        let mut command = judge(&bench);
        command.args(["bundle", "mine/sol.cpp"]);
        command
    };
    let file = bench.path("mine/sol-bundle.cpp");
    bundle()
        .assert()
        .success()
        .stdout(contains("1 of 1 case ·"))
        .stderr(contains("sol-bundle.cpp"));
    let text = std::fs::read_to_string(&file).expect("it is written");
    assert!(
        text.contains("int sum(int a") && !text.contains("#include \""),
        "{text}"
    );
    bundle().args(["--check"]).arg(&file).assert().success();
    // A wrong program is not written.
    bench.write(
        "mine/sol.cpp",
        &source.replace("sum(a, b)", "sum(a, b) + 1"),
    );
    bundle()
        .assert()
        .code(1)
        // Not the temporary file that was judged, which is gone.
        .stdout(contains("again: judge bundle mine/sol.cpp\n").and(contains("\n  mine/sol.cpp\n")))
        .stderr(contains("bundle not written: it has no accepted result"));
    assert_eq!(std::fs::read_to_string(&file).expect("it is there"), text);
    bundle().args(["--check"]).arg(&file).assert().code(1);
}

#[test]
fn the_own_headers_of_a_c_program_are_inlined() {
    let bench = Bench::new();
    bench.write("mine/1.in", "1 4\n");
    bench.write("mine/1.out", "5\n");
    bench.write(
        "mine/sum.h",
        "#ifndef SUM\n#define SUM\nstatic int sum(int a, int b) { int new = a; return new + b; }\n#endif\n",
    );
    bench.write(
        "mine/sol.c",
        "#include <stdio.h>\n#include \"sum.h\"\nint main(void) { int a, b; scanf(\"%d%d\", &a, &b); printf(\"%d\", sum(a, b)); }\n",
    );
    judge(&bench)
        .args(["bundle", "mine/sol.c"])
        .assert()
        .success()
        .stdout(contains("1 of 1 case"))
        .stderr(contains("as C\n"));
    let text = bench.read("mine/sol-bundle.c");
    assert!(
        text.contains("int new = a") && !text.contains("#include \"sum.h\""),
        "{text}"
    );
}

#[test]
fn a_byte_order_mark_does_not_reach_the_middle_of_a_bundle() {
    let bench = Bench::new();
    bench.write("sum.hpp", "\u{feff}#pragma once\nint sum = 5;\n");
    bench.write(
        "sol.cpp",
        "\u{feff}#include \"sum.hpp\"\nint main() { return sum - 5; }\n",
    );
    asserted(&bench, &["bundle", "sol.cpp"]).success();
    let text = bench.read("sol-bundle.cpp");
    assert!(
        text.contains("int sum = 5;") && !text.contains('\u{feff}'),
        "{text}"
    );
}

#[test]
fn a_refused_bundle_names_the_cause() {
    let bench = Bench::new();
    bench.write("sol.cpp", "int main() {}\n");
    bench.write("sol.py", "print(1)\n");
    for (arguments, what) in [
        (
            &["slo.cpp"][..],
            "\"slo.cpp\": no such file or directory\n  help: did you mean sol.cpp?",
        ),
        (
            &["sol.py"],
            "sol.py: is no program in C or C++\n  help: submit it as it is, if it needs no other file",
        ),
        (&["."], ".: there is no crate with a Cargo.toml"),
        (
            &["sol.cpp", "--to", "rust"],
            "--to rust: sol.cpp is a C++ program\n  help: omit --to",
        ),
        (
            &["sol.cpp", "--check", "a", "-o", "b"],
            "cannot be used with",
        ),
    ] {
        judge(&bench)
            .arg("bundle")
            .args(arguments)
            .assert()
            .code(2)
            .stderr(contains(what));
    }
}

#[test]
fn the_file_of_a_bundle_is_checked_before_judging_and_a_device_is_not_replaced() {
    let bench = Bench::new();
    bench.write("sol.cpp", "int main() {}\n");
    let link = bench.path("null.cpp");
    std::os::unix::fs::symlink("/dev/null", &link).expect("a link");
    asserted(&bench, &["bundle", "sol.cpp", "-o", "null.cpp"]).success();
    assert!(link.is_symlink(), "the link was replaced by a file");
    let file = bench.write("real.cpp", "");
    std::os::unix::fs::symlink(&file, bench.path("link.cpp")).expect("a link");
    asserted(&bench, &["bundle", "sol.cpp", "-o", "link.cpp"]).success();
    assert!(bench.read("real.cpp").contains("int main() {}"));
    // A program that does not compile: the file is opened first.
    bench.write("sol.cpp", "nonsense\n");
    for (name, what) in [
        (
            "none/x.cpp",
            "error: none/x.cpp: its directory does not exist\n  help: create it",
        ),
        (
            "none/",
            "error: none/sol-bundle.cpp: its directory does not exist\n  help: create it",
        ),
        (
            "-",
            "error: failed to write -: invalid filename\n  help: choose another file",
        ),
    ] {
        asserted(&bench, &["bundle", "sol.cpp", "-o", name])
            .code(2)
            .stderr(contains(what));
    }
}

/// Cases of other programs in the folder, and those in a directory named like the program.
#[test]
fn a_bundle_is_judged_over_the_cases_of_its_program() {
    let bench = Bench::new();
    for (name, answer) in [("a", "1"), ("b", "2")] {
        bench.write(&format!("both/{name}1.in"), "0\n");
        bench.write(&format!("both/{name}1.out"), answer);
        let source = format!("#include <stdio.h>\nint main(void) {{ puts(\"{answer}\"); }}\n");
        bench.write(&format!("both/{name}.c"), &source);
        bench.write(&format!("apart/{name}.c"), &source);
    }
    bench.write("apart/b/1.in", "0\n");
    bench.write("apart/b/1.out", "2\n");
    for program in ["both/a.c", "apart/b.c"] {
        asserted(&bench, &["bundle", program])
            .success()
            .stdout(contains("all accepted: 1 submission, 1 case run"));
    }
    asserted(&bench, &["bundle", "apart/a.c"])
        .success()
        .stdout("")
        .stderr(contains("apart/a.c is not judged: it has no test cases"));
}

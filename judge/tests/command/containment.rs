//! Containment of submissions from the build to the verdict: a submission reaches its own files
//! only.

use crate::common::{Bench, events, judge, run, said, skipped_without_sandbox, texts};
use predicates::prelude::*;
use predicates::str::contains;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

const LIMITS: &str = "time_limit: 1, memory: 256";
const RIGHT: &str = "#include <stdio.h>\nint main(void) { int a, b; \
                     if (scanf(\"%d%d\", &a, &b) != 2) return 9; printf(\"%d\\n\", a + b); }\n";

#[test]
fn an_upload_cannot_read_its_neighbours() {
    let bench = Bench::new();
    let package = bench.sums(LIMITS);
    bench.write("uploads/victim/main.c", RIGHT);
    bench.write("uploads/evil/note.txt", "");
    symlink("../victim/main.c", bench.path("uploads/evil/x.c")).expect("a link");
    run(&bench, &package, "uploads/evil".as_ref())
        .assert()
        .code(1)
        .stdout(contains("CE").and(contains("leads out of")));
    // The victim itself, and a link inside a submission.
    symlink("main.c", bench.path("uploads/victim/copy.h")).expect("a link");
    run(&bench, &package, "uploads/victim".as_ref())
        .assert()
        .success();
}

#[test]
fn paths_that_begin_with_dots_work_from_the_packages_own_directory() {
    let bench = Bench::new();
    let package = bench.sums(LIMITS);
    bench.write("mine/x.c", RIGHT);
    bench.write("mine/dir/x.c", RIGHT);
    symlink("mine", bench.path("through")).expect("a link");
    for submission in ["../mine/x.c", "../mine/dir/", "../through/x.c"] {
        judge(&bench)
            .current_dir(&package)
            .args(["run", ".", "-s", submission])
            .assert()
            .success();
    }
    // The current directory as the submission, and the package by a relative path.
    judge(&bench)
        .current_dir(bench.path("mine/dir"))
        .args(["run", "../../sums", "-s", "."])
        .assert()
        .success();
    bench.write(
        "mine/gen.py",
        "import sys\nprint(int(sys.argv[1]) % 100, 4)\n",
    );
    judge(&bench)
        .current_dir(&package)
        .args([
            "stress",
            ".",
            "-s",
            "../mine/x.c",
            "--against",
            "../mine/dir",
        ])
        .args(["--generator", "../mine/gen.py", "--time", "300ms"])
        .assert()
        .success();
}

#[test]
fn a_language_that_is_not_known_is_a_usage_error() {
    let bench = Bench::new();
    let package = bench.sums(LIMITS);
    let submission = bench.write("x.c", RIGHT);
    for (code, help) in [
        ("klingon", "known: "),
        ("pyhton3", "did you mean `python3`?"),
        ("cpp15", "cpp14"),
    ] {
        run(&bench, &package, &submission)
            .args(["--language", code])
            .assert()
            .code(2)
            .stderr(contains(help));
    }
    run(&bench, &package, &submission)
        .args(["--language", "gnu11"])
        .assert()
        .success();
}

#[test]
fn an_interpreter_beside_packages_does_not_show_them() {
    if skipped_without_sandbox("private root") {
        return;
    }
    let bench = Bench::new();
    let package = bench.path("site/sums");
    fs::create_dir_all(bench.path("site/bin")).expect("a directory");
    fs::rename(bench.sums(LIMITS), &package).expect("it moves");
    fs::copy("/bin/bash", bench.path("site/bin/bash")).expect("a shell");
    let answer = package.join("data/sample/1.ans");
    let thief = bench.write("x.sh", &format!("cat {}\n", answer.display()));
    let path = std::env::var("PATH").expect("a path");
    let bin = bench.path("site/bin");
    run(&bench, &package, &thief)
        .env("PATH", format!("{}:{path}", bin.display()))
        .args(["--case", "sample/1", "--language", "bash"])
        .assert()
        .code(1)
        .stdout(contains("No such file or directory"));
}

/// A source that makes the compiler wait for itself.
const WAITS: [(&str, &str); 2] = [
    // The pipe to the assembler, where the compiler has one.
    (
        "x.c",
        "#include \"/proc/self/fd/1\"\nint main(void) { return 0; }\n",
    ),
    // The pipe by which rustc shares out its threads.
    (
        "x.rs",
        "const X: &[u8] = include_bytes!(\"/proc/self/fd/JOBS\");\nfn main() { print!(\"{}\", X.len()) }\n",
    ),
];

#[test]
#[ignore = "long: `make test-long` runs it"]
fn a_compiler_that_waits_for_itself_is_a_compile_error() {
    let bench = Bench::new();
    bench.sums(LIMITS);
    let innocent = bench.write("innocent.c", RIGHT);
    for (name, source) in WAITS {
        for descriptor in if name == "x.rs" { 3..8 } else { 1..2 } {
            let source = source.replace("JOBS", &descriptor.to_string());
            bench.write(name, &source);
            let output = judge(&bench)
                .args(["run", "sums", "--case", "sample/*", "-s", name, "-s"])
                .arg(&innocent)
                .args(["--format", "json"])
                .output()
                .expect("the judge runs");
            let events = events(&output.stdout);
            let verdicts = texts(&events, "submission_finished", "verdict");
            let expected = ["CE", "AC"];
            // Some descriptors are files that can be read; or there is no rustc.
            let harmless =
                name == "x.rs" && [&["WA", "AC"], &expected[1..]].contains(&&verdicts[..]);
            assert!(verdicts == expected || harmless, "{source}: {events:?}");
        }
    }
}

/// A package with an output validator of this `build` script, which accepts everything.
fn with_build(bench: &Bench, build: &str) {
    bench.sums(LIMITS);
    let script = bench.write("sums/output_validator/build", build);
    let run = bench.write("sums/output_validator/run", "#!/bin/sh\nexit 42\n");
    for script in [script, run] {
        fs::set_permissions(script, fs::Permissions::from_mode(0o755)).expect("a mode");
    }
}

/// `judge run` of the right program with a cache of its own.
fn judged(bench: &Bench) -> assert_cmd::Command {
    let mut command = run(bench, &bench.path("sums"), &bench.path("right.c"));
    command.env("XDG_CACHE_HOME", bench.path("cache"));
    command
}

#[test]
fn a_build_that_locks_what_it_leaves_can_be_built_again() {
    let bench = Bench::new();
    bench.write("right.c", RIGHT);
    let locks = "mkdir -p x/y && touch x/y/z && chmod 000 x/y x\n";
    // It fails at first; what it left must not be in the way of the next build.
    with_build(&bench, &format!("#!/bin/sh\n{locks}exit 1\n"));
    for _ in 0..2 {
        let failed = contains("the compiler exited with code 1");
        judged(&bench).assert().code(2).stderr(failed);
    }
    let programs = bench.path("cache/judge/programs");
    // Only the program that could be built.
    assert!(fs::read_dir(&programs).map_or(0, Iterator::count) <= 1);
}

#[test]
fn the_files_of_a_build_are_limited() {
    let bench = Bench::new();
    bench.write("right.c", RIGHT);
    // Occupies space without writing to it, where the file system can do that.
    let large = "large() { fallocate -l $1 $2 || head -c $1 /dev/zero > $2; }\n";
    for leaves in [
        "large 300000000 file",
        "i=0; while :; do large 200000000 $i; i=$((i+1)); done",
        "d=.; i=0; while [ $i -lt 80 ]; do d=$d/d; mkdir $d; i=$((i+1)); done",
    ] {
        with_build(&bench, &format!("#!/bin/sh\n{large}{leaves}\n"));
        judged(&bench)
            .assert()
            .code(2)
            .stderr(contains("more than 256 MiB"));
    }
    let bench = Bench::new();
    let package = bench.sums(LIMITS);
    let large = "int a[65 << 20] = {1};\nint main(void) { return a[0]; }\n";
    let large = bench.write("large.c", large);
    run(&bench, &package, &large)
        .assert()
        .code(1)
        .stdout(contains("CE").and(contains("more than 256 MiB")));
    // It compiles, and fails for another reason.
    run(&bench, &package, &large)
        .args(["--program-size", "512"])
        .assert()
        .code(1)
        .stdout(contains("MiB: write less").not());
}

#[test]
fn feedback_that_is_locked_or_too_large_harms_no_later_case() {
    let bench = Bench::new();
    bench.write("right.c", RIGHT);
    let validate = |script: &str| {
        let run = format!("#!/bin/sh\nread a b < $1\n{script}\nexit 42\n");
        let path = bench.write("sums/output_validator/run", &run);
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("a mode");
    };
    with_build(&bench, "#!/bin/sh\n");
    validate("mkdir -p $3/x/y && touch $3/x/y/z && chmod 000 $3/x/y $3/x $3");
    judged(&bench).args(["-j", "1"]).assert().success();
    // The second case alone is a judge error.
    validate(
        "if [ $a = 1 ]; then for i in 0 1 2 3 4 5 6 7 8 9 a b; do \
         head -c 8000000 /dev/zero > $3/$i; done; fi",
    );
    let output = judged(&bench)
        .args(["-j", "1", "--format", "json"])
        .output()
        .expect("the judge runs");
    let events = events(&output.stdout);
    let verdicts = texts(&events, "case_finished", "verdict");
    assert_eq!(verdicts, ["AC", "JE", "AC", "AC"], "{events:?}");
    let said = said(&output);
    assert!(said.contains("feedback directory"), "{said}");
}

/// An interpreter in `~/bin` or `~/.local/bin` is usable, also if it prints such a directory as that of
/// its installation, and the rest of the home stays hidden.
#[test]
fn an_interpreter_in_a_home_shows_nothing_else_of_it() {
    if skipped_without_sandbox("home that a program cannot see") {
        return;
    }
    let bench = Bench::new();
    let home = bench.path("home");
    bench.write("home/.ssh/id", "secret");
    bench.write("home/.local/share/judge/server/judge.sqlite", "secret");
    bench.write("home/.local/lib/mysh/library", "shown");
    bench.write("p/1.in", "1\n");
    bench.write("p/1.ans", "shown\n");
    let script = format!(
        "cd {}; for f in .ssh/id .local/share/judge/server/judge.sqlite; do\n\
         [ -e $f ] && echo $f; done; \
         [ -e bin/mysh ] || cat .local/lib/mysh/library; [ -e .local/bin/mysh ] || printf shown\n",
        home.display()
    );
    let script = bench.write("script.mine", &script);
    for (dir, prefix) in [
        ("home/bin", ""),
        ("home/.local/bin", "home/.local"),
        ("home/bin", "home"),
    ] {
        let _ = fs::remove_dir_all(bench.path("home/bin"));
        let _ = fs::remove_dir_all(bench.path("home/.local/bin"));
        let dir = bench.path(dir);
        fs::create_dir_all(&dir).expect("a directory");
        fs::copy("/bin/sh", dir.join("mysh")).expect("a shell");
        let prints = match prefix {
            "" => String::new(),
            prefix => format!(
                "home = \"mysh -c 'echo {}'\"\n",
                bench.path(prefix).display()
            ),
        };
        let table = format!(
            "[mine]\nname = \"Mine\"\nextensions = [\"mine\"]\npriority = 1\nentry = \"file\"\n[[mine.with]]\n\
             run = \"mysh {{main}}\"\nversion = \"mysh -c 'echo 1'\"\n{prints}"
        );
        let table = bench.write("languages.toml", &table);
        let path = std::env::var("PATH").expect("a search path");
        let mut command = run(&bench, &bench.path("p"), &script);
        command
            .env("HOME", &home)
            .env("XDG_CACHE_HOME", bench.path("cache"))
            .env("PATH", format!("{}:{path}", dir.display()))
            .arg("--languages")
            .arg(table);
        command.assert().success().stdout(contains("AC"));
    }
}

#[test]
fn a_home_is_not_shown_to_a_validator() {
    if skipped_without_sandbox("home that a program cannot see") {
        return;
    }
    let bench = Bench::new();
    bench.write("home/test/1.in", "1\n");
    bench.write("home/test/1.out", "1\n");
    let program = bench.write(
        "home/sol.c",
        "int puts(const char *);\nint main(void) { puts(\"1\"); }\n",
    );
    let checker = bench.write("home/check.c", "int main(void) { return 42; }\n");
    let mut command = judge(&bench);
    command
        .env("HOME", bench.path("home"))
        .args(["run", "--checker"])
        .args([&checker, &program]);
    command
        .assert()
        .code(3)
        .stdout(contains("which no program may read").and(contains("to a directory of its own")));
}

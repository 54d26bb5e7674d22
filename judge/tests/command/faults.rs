//! The messages about an invalid memory access, for each user that may run the judge.

use crate::common::{Bench, asserted, events, judge, run, said, skipped_without_sandbox, texts};
use crate::mode::{Place, asked_for};
use predicates::str::contains;
use std::process::Command;

const PROGRAM: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int depth(volatile int *above) {
    volatile int own[100];
    own[0] = *above + 1;
    return depth(own) + own[0];
}

int main(void) {
    char kind[16];
    int zero = 0;
    if (scanf("%15s", kind) != 1) return 1;
    if (!strcmp(kind, "null")) *(volatile int *)8 = 1;
    if (!strcmp(kind, "wild")) *(volatile int *)0x123456789000 = 1;
    if (!strcmp(kind, "deep")) return depth(&zero);
    while (!strcmp(kind, "heap")) {
        char *more = malloc(1 << 20);
        if (!more) abort();
        memset(more, 1, 1 << 20);
    }
}
"#;

#[test]
fn a_null_pointer_differs_from_a_stack_overflow() {
    let bench = Bench::new();
    let source = bench.write("fault.c", PROGRAM);
    for mode in asked_for() {
        let place = match Place::new(mode) {
            Ok(place) => place,
            Err(why) => {
                eprintln!("skipped: {mode:?}: {why}");
                continue;
            }
        };
        let program = place.path("fault");
        let mut compiler = Command::new("cc");
        compiler
            .args(["-O1", "-w", "-o"])
            .arg(&program)
            .arg(&source);
        assert!(compiler.status().expect("a C compiler").success());
        for kind in ["null", "wild", "deep", "heap"] {
            let file = |end: &str| place.path(&format!("package/{kind}.{end}"));
            std::fs::write(file("in"), kind).expect("a file");
            std::fs::write(file("out"), "0\n").expect("a file");
        }
        let mut judge = place.command(&place.path("judge"));
        judge.args(["run", "--no-history", "--format", "json", "--memory", "64"]);
        judge.args(["--time-limit", "5"]);
        judge.arg(place.path("package")).arg("-s").arg(&program);
        let output = judge.output().expect("the judge runs");
        let events = events(&output.stdout);
        let messages = texts(&events, "case_finished", "message");
        let cases = texts(&events, "case_finished", "case");
        let of = |kind: &str| match cases.iter().position(|case| *case == kind) {
            Some(k) => messages[k],
            None => panic!("{mode:?} {kind}: {}", said(&output)),
        };
        assert_eq!(
            of("null"),
            "signal 11 (SIGSEGV): null pointer (address 0x8)"
        );
        assert!(
            of("wild").contains("address 0x123456789000"),
            "{}",
            of("wild")
        );
        assert!(
            of("deep").contains(": a stack overflow")
                || of("deep").contains("SIGSEGV): stack overflow (address 0x7"),
            "{}",
            of("deep")
        );
        assert!(!of("heap").contains(": a stack overflow"), "{}", of("heap"));
    }
}

/// Writes the limits and the case of an interactive package.
fn interactive(bench: &Bench, id: &str, input: &str, answer: &str) {
    bench.write(
        &format!("{id}/problem.yaml"),
        "problem_format_version: 2025-09\nname: Talk\ntype: interactive\nlicense: cc0\n\
         uuid: 5ca6ba5b-36d5-4eff-8aa7-d967cbc4375e\nrights_owner: us\nlimits: {time_limit: 5.0}\n",
    );
    bench.write(&format!("{id}/data/secret/1.in"), input);
    bench.write(&format!("{id}/data/secret/1.ans"), answer);
}

/// The whole interaction is repeated to find the address.
#[test]
fn an_interactive_problem_has_the_same_message() {
    if skipped_without_sandbox("address of an invalid memory access") {
        return;
    }
    let bench = Bench::new();
    interactive(&bench, "talk", "1 2\n", "3\n");
    bench.write(
        "talk/output_validator/talk.c",
        "#include <stdio.h>\nint main(void) { int sum; printf(\"1 2\\n\"); fflush(stdout);\n\
         return scanf(\"%d\", &sum) == 1 && sum == 3 ? 42 : 43; }\n",
    );
    bench.program("null", "*(volatile int *)8 = a + b;");
    asserted(&bench, &["run", "talk", "-s", "null"])
        .code(1)
        .stdout(contains("signal 11 (SIGSEGV): null pointer (address 0x8)"));
}

/// The dialogue of a failed interaction is recorded in a second run.
#[test]
fn a_failed_interaction_shows_what_was_written() {
    let bench = Bench::new();
    interactive(&bench, "guess", "40\n", "\n");
    bench.write(
        "guess/output_validator/talk.py",
        "import sys\nsecret = int(open(sys.argv[1]).read())\nprint('guess', flush=True)\n\
         for line in sys.stdin:\n    kind, number = line.split()\n\
         \x20   if kind == '!': sys.exit(42 if int(number) == secret else 43)\n\
         \x20   print('more' if secret > int(number) else 'less', flush=True)\nsys.exit(43)\n",
    );
    let submission = bench.write(
        "guess.py",
        "print(input() and '? 1', flush=True)\nfor k in range(2, 31):\n\
         \x20   print('?' if input() else '!', k, flush=True)\ninput()\nprint('! 7')\n",
    );
    run(&bench, &bench.path("guess"), &submission)
        .assert()
        .code(1)
        .stdout(contains(
            "> submission, < interactor, in a second run (301 bytes)\n",
        ))
        .stdout(contains(
            "     1 │ < guess\n     2 │ > ? 1\n     3 │ < more\n     4 │ > ? 2\n     5 │ …\n",
        ))
        .stdout(contains("    61 │ < more\n    62 │ > ! 7\n"));
    let output = run(&bench, &bench.path("guess"), &submission)
        .args(["--format", "json"])
        .output()
        .expect("the judge runs");
    let events = events(&output.stdout);
    let failed = |event: &&serde_json::Value| event["event"] == "case_finished";
    let dialogue = &events.iter().find(failed).expect("a case")["details"]["dialogue"];
    assert_eq!(dialogue["lines"][0]["text"], "< guess");
    assert_eq!(dialogue["lines"].as_array().map(Vec::len), Some(17));
}

#[test]
fn the_message_about_a_program_that_waits_in_an_interaction_names_flushing() {
    let bench = Bench::new();
    interactive(&bench, "echo", "1\n", "\n");
    bench.write(
        "echo/output_validator/talk.py",
        "import sys\nsys.exit(42 if input() == '1' else 43)\n",
    );
    let submission = bench.write("silent.py", "import sys\nprint(1)\nsys.stdin.readline()\n");
    run(&bench, &bench.path("echo"), &submission)
        .args(["--time-limit", "0.1", "--format", "json"])
        .assert()
        .code(1)
        .stdout(contains(
            "does it wait for something? An interactive program must flush its output.",
        ));
}

#[test]
fn stress_has_the_same_message() {
    if skipped_without_sandbox("address of an invalid memory access") {
        return;
    }
    let bench = Bench::new();
    bench.sums("time_limit: 5.0");
    bench.right();
    bench.program("null", "*(volatile int *)8 = a + b;");
    bench.write("generator.sh", "echo 1 2\n");
    judge(&bench)
        .args(["stress", "sums", "-s", "null", "--against", "right"])
        .args(["--generator", "generator.sh", "-j", "1"])
        .assert()
        .code(1)
        .stdout(contains("signal 11 (SIGSEGV): null pointer (address 0x8)"));
}

//! Programs of a search that fail, and what `judge stress` refuses.

use super::{BRUTE, GENERATOR, WRONG, bench, stress};
use crate::common::{Bench, asserted, judge};
use predicates::prelude::*;
use predicates::str::contains;

#[test]
fn a_generator_that_fails_is_named() {
    let bench = bench();
    bench.write("generator.c", "int main(void) { return 3; }\n");
    stress(&bench, "right.c")
        .args(["-j", "1"])
        .assert()
        .code(2)
        .stderr(contains("generator").and(contains("seed 1")));
}

/// Without its answer, a trial would count as one without a difference.
#[test]
fn a_reference_that_fails_is_named() {
    let bench = Bench::new();
    bench.write("sol.c", WRONG);
    bench.write("silent.py", "pass\n");
    bench.write("gen.c", GENERATOR);
    bench.write("bad.py", "raise SystemExit('no luck')\n");
    asserted(
        &bench,
        &["stress", "sol.c", "bad.py", "gen.c 9 {seed}", "-j", "1"],
    )
    .code(2)
    .stderr(contains(
        "with seed 1 the reference bad.py fails: exit code 1\nno luck",
    ))
    .stderr(contains("\ninput:\n  "));
    asserted(
        &bench,
        &["stress", "sol.c", "sol.c", "silent.py {seed}", "-j", "1"],
    )
    .code(2)
    .stderr(contains("the generator prints nothing with seed 1"));
}

#[test]
fn a_program_that_does_not_compile_is_named_once() {
    let bench = bench();
    bench.write("broken.c", "int main(void) { return x; }\n");
    let said = stress(&bench, "broken.c").assert().code(2);
    said.stderr(contains(
        "broken.c does not compile:\nbroken.c: In function",
    ));
}

#[test]
fn a_traceback_names_the_program_as_its_author_knows_it() {
    let bench = Bench::new();
    bench.write("sol.py", "print(1 // 0)\n");
    bench.write("brute.c", BRUTE);
    bench.write("gen.c", GENERATOR);
    asserted(&bench, &["stress", "sol.py", "-j", "1"])
        .code(1)
        .stdout(contains("File \"sol.py\", line 1"));
}

#[test]
fn a_generator_that_needs_a_file_beside_it_fails_with_a_remedy() {
    let bench = Bench::new();
    bench.write("sol.c", BRUTE);
    bench.write("brute.c", BRUTE);
    bench.write("gen.py", "import helper\nprint(helper.x)\n");
    bench.write("helper.py", "x = 1\n");
    asserted(&bench, &["stress", "sol.c", "-j", "1"])
        .code(2)
        .stderr(contains("help: gen.py is built and run alone").and(contains("helper.py beside")));
}

#[test]
fn a_generator_without_variety_is_noticed() {
    let bench = Bench::new();
    bench.write("sol.py", "print(input())\n");
    bench.write("brute.py", "print(input())\n");
    bench.write("gen.py", "print(5)\n");
    let stress = |more: &[&str]| {
        let mut command = judge(&bench);
        command.args(["stress", "sol.py", "brute.py", "gen.py"]);
        command.args(more).assert()
    };
    stress(&["--time", "2s"])
        .success()
        .stderr(contains("the same input for every seed"));
    for none in [&["--time", "0s"][..], &["--time", "0s", "--slowest"]] {
        stress(none).code(2).stderr(contains("no input was tried"));
    }
    // As with the time in seconds as the seed.
    bench.write(
        "gen.py",
        "import sys\nk = int(sys.argv[1])\nprint(5 if k > 30 else k % 2)\n",
    );
    bench.write("brute.py", "n = input()\nprint(6 if n == '5' else n)\n");
    stress(&["--time", "100s"])
        .code(1)
        .stderr(contains("only 3 different inputs"));
}

#[test]
fn a_checker_without_a_reason_leaves_no_empty_message() {
    let bench = Bench::new();
    bench.sums("time_limit: 5");
    bench.write(
        "sums/output_validator/none.c",
        "int main(void) { return 43; }\n",
    );
    bench.write("sol.c", BRUTE);
    bench.write("gen.c", GENERATOR);
    asserted(
        &bench,
        &["stress", "sums", "sol.c", "sol.c", "gen.c", "-j", "1"],
    )
    .code(1)
    .stdout(contains(
        "WA  with seed 1: the validator rejects the output\n",
    ));
}

#[test]
fn an_interactive_problem_is_refused() {
    let bench = Bench::new();
    bench.sums("time_limit: 1.0");
    let yaml = bench.read("sums/problem.yaml");
    bench.write("sums/problem.yaml", &format!("{yaml}type: interactive\n"));
    bench.write(
        "sums/output_validator/all.c",
        "int main(void) { return 42; }\n",
    );
    bench.write("sol.c", BRUTE);
    bench.write("gen.c", GENERATOR);
    asserted(&bench, &["stress", "sums", "sol.c", "sol.c", "gen.c"])
        .code(2)
        .stderr(contains("cannot run an interactive or multi-pass problem"));
}

/// It writes no report and has no cases to select.
#[test]
fn options_of_run_that_would_do_nothing_are_refused() {
    let bench = bench();
    for option in [
        &["--html", "a.html"][..],
        &["--json", "a.json"],
        &["--junit", "a.xml"],
        &["--case", "1"],
        &["--sample"],
        &["--fail-fast"],
        &["--verbose"],
        &["--format", "json"],
        &["--nats", "nats://127.0.0.1:4222"],
    ] {
        let refused = stress(&bench, "wrong.c").args(option).assert().code(2);
        refused.stderr(contains(format!("unexpected argument '{}'", option[0])));
    }
}

//! Which program is tested, which is the reference, which the generator.

use super::{BRUTE, GENERATOR, WRONG};
use crate::common::{Bench, asserted, judge};
use predicates::prelude::*;
use predicates::str::contains;

#[test]
fn programs_of_a_folder_need_no_package() {
    let bench = Bench::new();
    bench.write("sol.c", WRONG);
    bench.write("b.c", BRUTE);
    bench.write("g.c", GENERATOR);
    let search = || {
        let found = contains("WA  with seed").and(contains("saved as stress-"));
        let args = ["stress", "sol.c", "b.c", "g.c 9 {seed}", "--save", "test"];
        let args = [&args[..], &["-j", "1"]].concat();
        asserted(&bench, &args).code(1).stdout(found);
        let files = std::fs::read_dir(bench.path("test")).expect("a directory");
        files.count()
    };
    // The same case is saved once.
    assert_eq!(search(), search());
    // `judge run` finds the saved case.
    asserted(&bench, &["run", "sol.c"])
        .code(1)
        .stdout(contains("WA   stress-"));
    asserted(&bench, &["stress", "b.c", "sol.c", "g.c", "more.c"])
        .code(2)
        .stderr(contains("more.c"));
}

#[test]
fn programs_of_a_folder_are_found_by_their_names() {
    let bench = Bench::new();
    bench.write("brute.c", BRUTE);
    bench.write("gen.c", GENERATOR);
    bench.write("sol.c", WRONG);
    asserted(&bench, &["stress", "-j", "1"])
        .code(1)
        .stdout(contains("WA  with seed"))
        .stderr(contains("judging sol.c"));
    asserted(&bench, &["stress", "sol.c", "gen.c", "-j", "1"])
        .code(1)
        .stdout(contains("WA  with seed"));
    asserted(&bench, &["stress", "sol.c", "brute.c", "python3 gen.py"])
        .code(2)
        .stderr(contains("help: name the program with its arguments"));
    // Those that are called like the program come first, and are not the newest program themselves.
    bench.write("brute.c", "int main(void) { return 1; }\n");
    bench.write("sol_brute.c", BRUTE);
    bench.write("gen_sol.c", GENERATOR);
    asserted(&bench, &["stress", "-j", "1"])
        .code(1)
        .stdout(contains("WA  with seed"))
        .stderr(contains("judging sol.c"));
    bench.write("brute.c", BRUTE);
    // With a package, its checker decides.
    bench.sums("time_limit: 5");
    // On a busy machine no input may be tried in a short time.
    let mut runs = ["0.2s", "2s", "20s"].into_iter().map(|time| {
        let arguments = ["stress", "sums", "brute.c", "--time", time, "-j", "1"];
        asserted(&bench, &arguments)
    });
    let run = runs.find(|run| run.get_output().status.code() != Some(2));
    run.expect("an input is tried")
        .success()
        .stdout(contains("no difference found"));
}

#[test]
fn a_missing_program_is_named_as_it_was_given() {
    let bench = Bench::new();
    bench.write("sol.c", BRUTE);
    bench.write("brute.c", BRUTE);
    bench.write("gen.c", GENERATOR);
    for (args, error) in [
        (
            &["sol.c", "brut.c", "gen.c"][..],
            "error: \"brut.c\": neither",
        ),
        (
            &["sol.c", "--against", "brut.c"],
            "error: --against \"brut.c\": neither",
        ),
        (
            &["sol.c", "brute.c", "gem.c 5"],
            "error: \"gem.c\": no such file",
        ),
    ] {
        let mut command = judge(&bench);
        let refused = command.arg("stress").args(args).assert().code(2);
        refused.stderr(contains(error).and(contains("help: did you mean")));
    }
}

#[test]
fn a_generator_may_have_spaces_in_its_path_and_arguments() {
    let bench = Bench::new();
    bench.write("my tasks/sol.c", WRONG);
    bench.write("my tasks/brute.c", BRUTE);
    bench.write("my tasks/gen.c", GENERATOR);
    asserted(&bench, &["stress", "my tasks/sol.c", "-j", "1"])
        .code(1)
        .stdout(contains("WA  with seed"));
    bench.write("words.sh", "[ \"$1\" = 'two words' ] && echo 9 $2\n");
    let command = "words.sh 'two words' {seed}";
    let programs = ["stress", "my tasks/sol.c", "my tasks/brute.c"];
    let stress = |command: &str| {
        let mut judge = judge(&bench);
        judge.args(programs).args([command, "-j", "1"]).assert()
    };
    stress(command).code(1).stdout(contains("WA  with seed 1"));
    stress("words.sh 'two")
        .code(2)
        .stderr(contains("a quote is not closed"));
}

#[test]
fn the_slowest_input_needs_no_reference() {
    let bench = Bench::new();
    bench.write("sol.c", BRUTE);
    bench.write("made.c", GENERATOR);
    let slowest = |names: &[&str]| {
        let mut command = judge(&bench);
        command.arg("stress").args(names);
        command.args(["--slowest", "--time", "0.3s", "-j", "1", "--save", "test"]);
        command.assert()
    };
    let found = || contains("slowest of").and(contains("its answer is what the program printed"));
    slowest(&["sol.c", "made.c"]).success().stdout(found());
    bench.write("gen.c", GENERATOR);
    slowest(&["sol.c"]).success().stdout(found());
    bench.write("crash.c", "int main(void) { return 3; }\n");
    slowest(&["crash.c"]).code(1).stdout(
        contains("RTE with seed 1: exit code 3")
            .and(contains("expected:").not())
            .and(contains("not saved")),
    );
}

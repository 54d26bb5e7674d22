//! Files of contestants: names of cases, several programs in a folder, settings, inputs without answers.

use crate::common::{Bench, asserted, judge};
use predicates::prelude::*;
use predicates::str::contains;
use std::time::Duration;

const DOUBLE: &str = "read n\necho $((2 * n))\n";

#[test]
fn all_cases_of_a_partial_layout_run() {
    let bench = Bench::new();
    for (k, (part, answer)) in [("", "2"), ("a", "0"), ("b", "6")].iter().enumerate() {
        bench.write(&format!("coci/frog.in.1{part}"), &format!("{}\n", k + 1));
        bench.write(&format!("coci/frog.out.1{part}"), &format!("{answer}\n"));
    }
    bench.write("coci/frog.out.7", "1\n");
    bench.write("coci/sol.sh", DOUBLE);
    asserted(&bench, &["run", "coci/sol.sh"])
        .code(1)
        .stdout(contains("2 of 3 cases").and(contains("WA   frog.in.1a")))
        .stderr(contains("frog.out.7: the answer has no input beside it"));
}

#[test]
fn cases_that_begin_with_a_programs_name_belong_to_it() {
    let bench = Bench::new();
    for (program, factor) in [("a", 2), ("b", 3)] {
        for k in 1..=2 {
            bench.write(&format!("mix/{program}{k}.in"), &format!("{k}\n"));
            bench.write(
                &format!("mix/{program}{k}.out"),
                &format!("{}\n", factor * k),
            );
        }
        let text = format!("read n\necho $(({factor} * n))\n");
        bench.write(&format!("mix/{program}.sh"), &text);
    }
    asserted(&bench, &["run", "mix/a.sh"])
        .success()
        .stdout(contains("2 of 2 cases"));
    asserted(&bench, &["run", "mix/a.sh", "mix/b.sh"])
        .success()
        .stdout(contains("all accepted: 2 submissions, 4 cases run"));
    // A case without a program of its name belongs to all.
    bench.write("mix/sample.in", "0\n");
    bench.write("mix/sample.out", "0\n");
    asserted(&bench, &["run", "mix/b.sh"])
        .success()
        .stdout(contains("3 of 3 cases"));
}

#[test]
fn programs_of_one_folder_have_the_cases_of_their_names() {
    let bench = Bench::new();
    let case = |name: &str| {
        bench.write(&format!("mine/{name}.in"), "1\n");
        bench.write(&format!("mine/{name}.out"), "2\n");
    };
    for program in ["A", "a_brute", "A2", "B"] {
        bench.write(&format!("mine/{program}.sh"), DOUBLE);
    }
    case("a1");
    // Of another version of A, not a problem of its own, because A1 has no program.
    case("a2");
    for (program, cases) in [("A", 2), ("A2", 2), ("a_brute", 2)] {
        asserted(&bench, &["run", &format!("mine/{program}.sh")])
            .success()
            .stdout(contains(format!("{cases} of {cases} cases")))
            .stderr(contains("no case has a name").not());
    }
    asserted(&bench, &["run", "mine/B.sh"])
        .success()
        .stdout(contains("2 of 2 cases"))
        .stderr(contains("no case has a name that begins with b"));
    case("in_b");
    asserted(&bench, &["run", "mine/B.sh"])
        .success()
        .stdout(contains("1 of 1 case"));
}

#[test]
fn names_of_programs_that_may_be_words_or_numbers_of_cases() {
    const SOME: &str = "the names of the others begin with";
    for (programs, cases, selected, warning) in [
        // Helpers, and attempts with numbers.
        ("sol gen", "sample1 gen1", 2, ""),
        ("sol test", "sample1 test1", 2, ""),
        ("1 2", "1 2 3", 3, ""),
        ("1 2", "1 2", 1, SOME),
        ("1 2", "1-1 1-2 2-1", 2, ""),
        ("sol big", "sample1 big", 1, SOME),
        // A word before the name.
        ("a b", "sample-a-1 sample-b-1", 1, ""),
        // Names that begin alike.
        (
            "day10 day1",
            "day1",
            1,
            "no case has a name that begins with day10",
        ),
        ("summer sum", "sum1 x2", 1, SOME),
        ("summer sum", "sum1 sum2", 2, "over the cases of sum"),
        ("day1a day1b day2a", "day1 day2", 1, ""),
        ("sol1a", "sol1 sol2", 2, ""),
    ] {
        let bench = Bench::new();
        for program in programs.split(' ') {
            bench.write(&format!("mine/{program}.sh"), DOUBLE);
        }
        for case in cases.split(' ') {
            bench.write(&format!("mine/{case}.in"), "1\n");
            bench.write(&format!("mine/{case}.out"), "2\n");
        }
        let first = programs.split(' ').next().unwrap_or_default();
        let run = asserted(&bench, &["run", &format!("mine/{first}.sh")]).success();
        let run = run.stdout(contains(format!("{selected} case")));
        match warning {
            "" => run.stderr(""),
            warning => run.stderr(contains(warning)),
        };
    }
}

#[test]
fn a_program_without_a_file_of_cph_is_not_judged_over_that_of_another() {
    let bench = Bench::new();
    let tests = "{\"tests\": [{\"input\": \"1\", \"output\": \"2\"}]}";
    bench.write("mine/.cph/.b.sh_0.prob", tests);
    for program in ["a", "b"] {
        bench.write(&format!("mine/{program}.sh"), DOUBLE);
    }
    asserted(&bench, &["run", "mine/b.sh"]).success();
    asserted(&bench, &["run", "mine/a.sh"])
        .code(2)
        .stderr(contains("a.sh: no test cases: those here belong to b"));
    bench.write("mine/1.in", "1\n");
    bench.write("mine/1.out", "2\n");
    asserted(&bench, &["run", "mine/a.sh"])
        .success()
        .stderr(contains(
            ".prob: has cases that are not read, because there are others",
        ));
}

/// As `cargo build` leaves it: `examples/` is empty.
#[test]
fn an_executable_has_the_cases_of_its_program() {
    let bench = Bench::new();
    let text = |name: &str, answer: u8| {
        let yaml = format!("type: Batch\ncases:\n  - in: '1'\n    out: '{answer}'\n");
        bench.write(&format!("mine/testcases/{name}.yml"), &yaml);
    };
    text("a", 2);
    text("b", 3);
    bench.write("mine/sum.c", "#include <stdio.h>\nint main(void) { int a; scanf(\"%d\", &a); printf(\"%d\\n\", 2 * a); }\n");
    std::fs::create_dir_all(bench.path("mine/target/release/examples")).expect("a directory");
    let compiled = std::process::Command::new("cc")
        .args(["-o", "target/release/abc300-a", "sum.c"])
        .current_dir(bench.path("mine"))
        .status();
    assert!(compiled.expect("a compiler").success());
    judge(&bench)
        .current_dir(bench.path("mine"))
        .args(["run", "target/release/abc300-a"])
        .assert()
        .success()
        .stdout(contains("1 of 1 case"));
    // An executable that is older than its source is another program.
    let own = bench.path("mine/sum");
    std::fs::copy(bench.path("mine/target/release/abc300-a"), &own).expect("it is copied");
    let source = std::fs::File::options()
        .write(true)
        .open(bench.path("mine/sum.c"));
    let source = source.expect("it is opened");
    for (seconds, outdated) in [(60, true), (0, false)] {
        let compiled = own.metadata().and_then(|file| file.modified());
        let time = compiled.expect("a time") + Duration::from_secs(seconds);
        source.set_modified(time).expect("it is set");
        let run = asserted(&bench, &["run", "mine/sum"]);
        let said = contains("sum is older than sum.c");
        match outdated {
            true => run.stderr(said),
            false => run.stderr(said.not()),
        };
    }
}

#[test]
fn cases_of_the_current_directory_are_not_forgotten() {
    let bench = Bench::new();
    bench.write("main.sh", DOUBLE);
    for (dir, answer) in [("test", "4"), ("a/test", "5"), ("b", "4")] {
        bench.write(&format!("{dir}/1.in"), "2\n");
        bench.write(&format!("{dir}/1.out"), answer);
    }
    let run = |dir: &str, names: &[&str]| {
        let mut command = judge(&bench);
        command.current_dir(bench.path(dir)).arg("run").args(names);
        command.assert()
    };
    run("a", &["../main.sh"]).success().stderr(
        contains("of the current directory are not read").and(contains("judge run . ../main.sh")),
    );
    run("a", &[".", "../main.sh"]).code(1);
    run("test", &["../main.sh"]).success().stderr("");
    run("", &["main.sh"])
        .success()
        .stderr(contains("current directory").not());
}

#[test]
fn a_pair_of_bare_names_beside_cases_is_named() {
    let bench = Bench::new();
    bench.write("mine/sol.sh", DOUBLE);
    for (name, text) in [("input", "1\n"), ("output", "3\n")] {
        bench.write(&format!("mine/{name}.txt"), text);
        bench.write(&format!("mine/{name} (1).txt"), text);
    }
    bench.write("mine/output (1).txt", "2\n");
    asserted(&bench, &["run", "mine/sol.sh"])
        .success()
        .stdout(contains("1 of 1 case"))
        .stderr(contains("input.txt: is not judged with `output.txt`"));
    bench.write("mine/judge.yaml", "input: input.txt\n");
    asserted(&bench, &["run", "mine/sol.sh"]).stderr(contains("is not judged").not());
}

#[test]
fn an_input_without_an_answer_runs_and_shows_its_output() {
    let bench = Bench::new();
    bench.write("mine/1.in", "1\n");
    bench.write("mine/1.out", "2\n");
    bench.write("mine/own.in", "21\n");
    bench.write("mine/sol.sh", DOUBLE);
    asserted(&bench, &["run", "mine/sol.sh"]).success().stdout(
        contains("2 of 2 cases")
            .and(contains("no answer beside the input"))
            .and(contains("found (3 bytes)").and(contains("42")))
            .and(contains("all accepted: 1 submission, 2 cases run in"))
            .and(contains(", 1 not checked\n")),
    );
    asserted(&bench, &["run", "mine/sol.sh", "--case", "own"])
        .success()
        .stdout(contains("not checked: 1 submission, 1 case run"));
    asserted(&bench, &["run", "mine/sol.sh", "--format", "lines"])
        .success()
        .stdout(contains(
            "all as expected: 1 submission, 2 cases run, 1 not checked",
        ));
    bench.write("mine/check.sh", "read x < \"$2\"\n[ \"$x\" -gt 0 ]\n");
    let with = ["run", "mine/sol.sh", "--checker", "mine/check.sh"];
    asserted(&bench, &with)
        .success()
        .stdout(contains("no answer").not());
    asserted(&bench, &["run", "mine/sol.sh", "--debug", "--case", "own"])
        .success()
        .stdout(contains("42\n"))
        .stderr(contains("the output is not checked"));
}

#[test]
fn settings_of_a_folder_are_read_by_every_command() {
    let bench = Bench::new();
    bench.write("mine/test/1.in", "2 3\n");
    bench.write("mine/test/1.out", "5\n");
    bench.write(
        "mine/judge.yaml",
        "time_limit: 7.5\nmemory_limit: 99\ninput: plant.in\noutput: plant.out\n",
    );
    bench.write(
        "mine/sol.sh",
        "read a b < plant.in\necho $((a + b)) > plant.out\n",
    );
    asserted(&bench, &["run", "mine/sol.sh"])
        .success()
        .stdout(contains("mine (7.500 s, 99.0 MiB, 1 case)"));
    bench.write("mine/judge.yaml", "timelimit: 1\n");
    asserted(&bench, &["run", "mine/sol.sh"])
        .code(2)
        .stderr(contains("judge.yaml:1:1: unknown key `timelimit`").and(contains("time_limit")));
}

#[test]
fn an_interactor_of_the_user_talks_to_the_program() {
    let bench = Bench::new();
    bench.write("mine/test/1.in", "4\n");
    bench.write("mine/judge.yaml", "interactive: true\n");
    bench.write("mine/sol.sh", DOUBLE);
    asserted(&bench, &["run", "mine/sol.sh"])
        .code(2)
        .stderr(contains("its interactor is missing").and(contains("--interactor")));
    bench.write(
        "mine/interactor.sh",
        "read n < \"$1\"\necho $n\nread x\n[ \"$x\" = $((2 * n)) ]\n",
    );
    let with = ["run", "mine/sol.sh", "--interactor", "mine/interactor.sh"];
    asserted(&bench, &with).success();
    bench.write(
        "mine/judge.yaml",
        "interactive: true\ninteractor: interactor.sh\n",
    );
    asserted(&bench, &["run", "mine/sol.sh"]).success();
    bench.write("mine/sol.sh", "read n\necho $n\n");
    asserted(&bench, &["run", "mine/sol.sh"]).code(1);
}

#[test]
fn the_samples_and_the_case_that_failed_are_proposed() {
    let bench = Bench::new();
    for (name, answer) in [("1", "2"), ("2", "5"), ("stress-3", "6")] {
        let input = name.trim_start_matches("stress-");
        bench.write(&format!("mine/test/{name}.in"), &format!("{input}\n"));
        bench.write(&format!("mine/test/{name}.out"), &format!("{answer}\n"));
    }
    bench.write("mine/sol.sh", DOUBLE);
    asserted(&bench, &["run", "mine/sol.sh", "--sample"])
        .code(1)
        .stdout(contains("1 of 2 cases"));
    asserted(&bench, &["run", "mine/sol.sh", "--debug"])
        .code(2)
        .stderr(contains("help: add --case 2, which failed last"));
}

#[test]
fn characters_of_an_input_that_are_a_likely_cause_are_named() {
    let bench = Bench::new();
    bench.write("mine/sol.sh", "read n\necho \"${n}x\"\n");
    bench.write("mine/1.out", "4\n");
    for (input, note) in [
        ("4\r\n", "has line ends of Windows"),
        ("\u{feff}4\n", "begins with a byte order mark"),
        ("4\r5\r", "has line ends of old Macs (CR)"),
        ("4 \n", "has blanks at the end of a line"),
        (
            "4\u{a0}5\n",
            "has a no-break space (U+00A0) instead of ASCII",
        ),
        (
            "4 \u{2212}5\n",
            "has a minus sign (U+2212) instead of ASCII",
        ),
    ] {
        bench.write("mine/1.in", input);
        asserted(&bench, &["run", "mine/sol.sh"])
            .code(1)
            .stdout(contains(format!("the input {note}")));
    }
    bench.write("mine/1.in", "4");
    bench.write("mine/sol.sh", "read n || exit 3\n");
    asserted(&bench, &["run", "mine/sol.sh"])
        .code(1)
        .stdout(contains("the input does not end with a line end"));
    bench.write("mine/sol.sh", "read n\necho \"${n}x\"\n");
    // A text has such characters on purpose.
    for input in ["4\n", "\u{4f60}\u{3000}\u{597d}\n"] {
        bench.write("mine/1.in", input);
        asserted(&bench, &["run", "mine/sol.sh"])
            .code(1)
            .stdout(contains("the input").not());
    }
}

#[test]
fn utf16_in_an_input_or_an_answer_is_named() {
    let bench = Bench::new();
    let wide = |text: &str| -> Vec<u8> {
        let units = "\u{feff}".encode_utf16().chain(text.encode_utf16());
        units.flat_map(u16::to_le_bytes).collect()
    };
    bench.write("mine/sol.sh", "read n\necho 5\n");
    bench.write("mine/1.in", "4\n");
    std::fs::write(bench.path("mine/1.out"), wide("5\r\n")).expect("it is written");
    asserted(&bench, &["run", "mine/sol.sh"])
        .code(1)
        .stdout(contains("the answer is in UTF-16 instead of UTF-8"));
    bench.write("mine/1.out", "6\n");
    std::fs::write(bench.path("mine/1.in"), wide("4\r\n")).expect("it is written");
    asserted(&bench, &["run", "mine/sol.sh"])
        .code(1)
        .stdout(contains("the input is in UTF-16 instead of UTF-8"));
}

#[test]
fn a_program_that_opens_files_of_its_own_gets_a_warning_with_the_settings() {
    let bench = Bench::new();
    bench.write("mine/plant.in", "4\n");
    bench.write("mine/plant.out", "4\n");
    let source = "n = open('plant.in').read()\nprint(n, file=open('plant.out', 'w'))\n";
    bench.write("mine/plant.py", source);
    let warning = "plant.py opens the file `plant.in`";
    let remedy = "write `input: plant.in` and `output: plant.out` into judge.yaml";
    asserted(&bench, &["run", "mine/plant.py"])
        .code(1)
        .stdout(contains(warning).and(contains(remedy)));
    bench.write("mine/judge.yaml", "input: plant.in\noutput: plant.out\n");
    asserted(&bench, &["run", "mine/plant.py"])
        .success()
        .stdout(
            contains(warning)
                .not()
                .and(contains("not on a judge").not()),
        );
    // The standard streams count as well.
    for (text, said) in [
        (
            "#import sys; sys.stdin = open('plant.in')\nprint(input())\n",
            "reads standard input, not `plant.in`, and writes standard output, not",
        ),
        (
            "print(open('PLANT.IN'.lower()).read())\n",
            "plant.py writes standard output, not `plant.out`: that counts here",
        ),
    ] {
        bench.write("mine/plant.py", text);
        asserted(&bench, &["run", "mine/plant.py"])
            .success()
            .stdout(contains(said));
    }
    std::fs::remove_file(bench.path("mine/judge.yaml")).expect("it is removed");
    for (text, said) in [
        ("n = open('in.txt').read()\n", "opens the file `in.txt`"),
        (
            "print(input(), file=open('my.out', 'w'))\n",
            "write `output: my.out` into",
        ),
        ("n = 1 // 2 # 'in.txt'\n", ""),
    ] {
        bench.write("mine/plant.py", text);
        let run = asserted(&bench, &["run", "mine/plant.py"]).code(1);
        run.stdout(match said {
            "" => contains("opens the file").not().boxed(),
            said => contains(said).boxed(),
        });
    }
    // Only a program that failed, and no template that an online judge does not compile.
    bench.write("mine/plant.sh", "cat # 'plant.in'\n");
    bench.write("mine/local.sh", "echo no # 'plant.in' if LOCAL\n");
    asserted(&bench, &["run", "mine/plant.sh", "mine/local.sh"])
        .code(1)
        .stdout(contains("opens the file").not());
}

#[test]
fn the_cases_of_a_program_may_be_in_a_directory_named_like_it() {
    for (dir, program) in [("test/a", "a"), ("samples/a", "a"), ("a", "a")] {
        let bench = Bench::new();
        bench.write(&format!("mine/{dir}/1.in"), "2\n");
        bench.write(&format!("mine/{dir}/1.out"), "4\n");
        bench.write(&format!("mine/{program}.sh"), DOUBLE);
        bench.write("mine/b.sh", DOUBLE);
        asserted(&bench, &["run", "mine/a.sh"])
            .success()
            .stdout(contains("1 of 1 case"));
        asserted(&bench, &["run", "mine/b.sh"])
            .code(2)
            .stderr(contains("no test cases"));
        bench.write("mine/1.in", "3\n");
        bench.write("mine/1.out", "6\n");
        let named = format!("{dir}: has cases that are not read");
        let named = match dir {
            "samples/a" => "samples: has cases that are not read",
            "test/a" => "AC   a/1",
            _ => &named,
        };
        let run = asserted(&bench, &["run", "mine/a.sh"]).success();
        let output = run.get_output();
        let said = [&output.stdout, &output.stderr].map(|said| String::from_utf8_lossy(said));
        assert!(said.concat().contains(named), "{dir}: {said:?}");
    }
}

#[test]
fn without_cases_an_archive_is_proposed_and_a_name_without_its_ending_is_completed() {
    let bench = Bench::new();
    bench.write("mine/sol.sh", DOUBLE);
    bench.write("mine/samples.zip", "");
    asserted(&bench, &["run", "mine/sol.sh"])
        .code(2)
        .stderr(contains(
            "`judge run samples.zip PROGRAM` takes the cases of an archive",
        ));
    asserted(&bench, &["run", "mine/sol"])
        .code(2)
        .stderr(contains("did you mean mine/sol.sh?"));
}

#[test]
fn a_failed_run_shows_the_output_so_far() {
    let bench = Bench::new();
    bench.write("mine/1.in", "4\n");
    bench.write("mine/1.out", "4\n");
    bench.write("mine/sol.sh", "echo so far\nexit 3\n");
    asserted(&bench, &["run", "mine/sol.sh"])
        .code(1)
        .stdout(contains("RTE").and(contains("found (7 bytes)").and(contains("so far"))));
    bench.write("mine/sol.sh", "echo partial\nwhile :; do :; done\n");
    asserted(&bench, &["run", "mine/sol.sh", "--time-limit", "0.2"])
        .code(1)
        .stdout(contains("TLE").and(contains("partial")));
}

#[test]
fn a_tolerance_that_accepts_everything_is_a_warning() {
    let bench = Bench::new();
    bench.write("mine/1.in", "1\n");
    bench.write("mine/1.out", "0.3333333333\n");
    bench.write("mine/sol.sh", "echo 0.333\n");
    asserted(&bench, &["run", "mine/sol.sh", "--tolerance", "1e6"])
        .success()
        .stderr(contains("warning: --tolerance 1e6 ").and(contains("1e-6 was probably meant")));
    asserted(&bench, &["run", "mine/sol.sh", "--tolerance", "1e-2"])
        .success()
        .stderr(contains("warning: --tolerance").not());
}

#[test]
fn a_limit_in_another_unit_is_a_warning() {
    let bench = Bench::new();
    bench.write("mine/1.in", "1\n");
    bench.write("mine/1.out", "2\n");
    bench.write("mine/sol.sh", DOUBLE);
    let limits = ["--time-limit", "1000", "--memory", "268435456"];
    asserted(&bench, &[&["run", "mine/sol.sh"], &limits[..]].concat())
        .success()
        .stderr(contains("1000ms was probably meant").and(contains("268435456 is in MiB")));
    bench.write("mine/judge.yaml", "time_limit: 2000\n");
    asserted(&bench, &["run", "mine/sol.sh"])
        .success()
        .stderr(contains("judge.yaml:1:13: the limit is 2000 seconds"));
    asserted(&bench, &["run", "mine/sol.sh", "--time-limit", "2"])
        .success()
        .stderr(contains("was probably meant").not());
}

#[test]
fn stress_says_which_program_is_missing() {
    let bench = Bench::new();
    bench.write("mine/a.sh", DOUBLE);
    bench.write("mine/b.sh", DOUBLE);
    asserted(&bench, &["stress", "mine/a.sh", "mine/b.sh"])
        .code(2)
        .stderr(contains(
            "mine/a.sh and mine/b.sh: no generator of inputs (--generator)",
        ));
}

#[test]
fn reading_past_the_end_of_a_vector_is_found_by_debugging() {
    let bench = Bench::new();
    bench.write("mine/1.in", "1\n");
    bench.write(
        "mine/vec.cpp",
        "#include <vector>\nint main() { std::vector<int> v; for (int i = 0; i < 3; i++) v.push_back(i); return v[3] > 9; }\n",
    );
    asserted(&bench, &["run", "mine/vec.cpp", "--debug"])
        .code(1)
        .stderr(contains("-D_GLIBCXX_ASSERTIONS").and(contains("SIGABRT")));
}

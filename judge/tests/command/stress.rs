//! `judge stress`: a planted bug is found, shrunk and saved; the same seed finds the same.

mod failures;
mod roles;

use crate::common::{Bench, asserted, judge, judge_program, of_judge};
use predicates::prelude::*;
use predicates::str::contains;
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

/// A package of lists to add up, a right program, one that is wrong for long lists with a big
/// number, and a generator.
fn bench() -> Bench {
    let bench = Bench::new();
    bench.sums("time_limit: 1.0");
    let program = |extra: &str| {
        format!(
            "#include <stdio.h>\nint main(void) {{\n  int n;\n  long sum = 0, x, most = 0;\n  \
             if (scanf(\"%d\", &n) != 1) return 1;\n  for (int k = 0; k < n; k++) {{\n    if \
             (scanf(\"%ld\", &x) != 1) return 1;\n    sum += x;\n    if (x > most) most = x;\n  \
             }}\n  {extra}\n  printf(\"%ld\\n\", sum);\n  return 0;\n}}\n"
        )
    };
    bench.write("right.c", &program(""));
    bench.write("wrong.c", &program("if (n > 2 && most > 500) sum++;"));
    bench.write(
        "generator.c",
        "#include <stdio.h>\n#include <stdlib.h>\nint main(int argc, char **argv) {\n  \
         srand(argc > 1 ? atoi(argv[1]) : 0);\n  int n = rand() % 20 + 1;\n  printf(\"%d\\n\", \
         n);\n  for (int k = 0; k < n; k++) printf(\"%d\\n\", rand() % 1000);\n  return 0;\n}\n",
    );
    bench
}

fn stress(bench: &Bench, mine: &str) -> assert_cmd::Command {
    let mut command = judge(bench);
    command.args(["stress", "sums", "-s", mine, "--against", "right.c"]);
    command.args(["--generator", "generator.c {seed}"]);
    command
}

/// The output of the generator: n from 1 to 20, and n numbers below 1000, a line for each.
fn add_validator(bench: &Bench) {
    bench.write(
        "sums/input_validators/lines.c",
        "#include <stdio.h>\nint main(void) {\n  int n, x, end;\n  char c;\n  if (scanf(\"%d%c\", \
         &n, &c) != 2 || n < 1 || n > 20 || c != '\\n') return 43;\n  for (int k = 0; k < n; k++) \
         if (scanf(\"%d%c\", &x, &c) != 2 || x < 0 || x > 999 || c != '\\n') return 43;\n  end = \
         scanf(\"%c\", &c);\n  return end == EOF ? 42 : 43;\n}\n",
    );
}

/// The inputs that were saved in a directory, the shrunk one first.
fn saved(dir: &Path) -> Vec<String> {
    let mut paths: Vec<_> = fs::read_dir(dir)
        .expect("the directory is there")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            path.to_string_lossy().contains("stress-")
                && path.extension().is_some_and(|e| e == "in")
        })
        .collect();
    paths.sort_by_key(|path| path.as_os_str().len());
    let read = |path| fs::read_to_string(path).expect("text");
    paths.into_iter().map(read).collect()
}

/// As the generator makes it.
fn has_the_generators_shape(input: &str) -> bool {
    let numbers: Vec<usize> = input.lines().filter_map(|line| line.parse().ok()).collect();
    numbers.first() == Some(&(numbers.len() - 1)) && numbers.len() == input.lines().count()
}

#[test]
fn without_a_validator_only_the_generators_inputs_are_shown_and_saved() {
    let bench = bench();
    // It fails for no numbers as well, and then reads what is not there.
    let stress = stress(&bench, "wrong.c")
        .args(["--time", "60s", "--save", "secret/"])
        .assert()
        .code(1)
        .stdout(contains("before it was shrunk"));
    let text = String::from_utf8_lossy(&stress.get_output().stdout).into_owned();
    let saved = saved(&bench.path("sums/data/secret"));
    assert_eq!(saved.len(), 2, "{text}");
    assert!(
        saved.iter().all(|input| has_the_generators_shape(input)),
        "{saved:?}"
    );
    assert!(saved[0].len() < saved[1].len(), "{saved:?}");
}

#[test]
fn a_case_is_saved_where_the_packages_format_has_its_cases() {
    let bench = bench();
    // The first seed has a number more than the others, so shrinking ends soon.
    bench.write(
        "generator.c",
        "#include <stdio.h>\n#include <stdlib.h>\nint main(int argc, char **argv) {\n  puts(argc > 1 && \
         atoi(argv[1]) > 1 ? \"3\\n501\\n501\\n501\" : \"4\\n501\\n501\\n501\\n501\");\n  return 0;\n}\n",
    );
    bench.write("oj/test/sample-1.in", "1\n5\n");
    bench.write("oj/test/sample-1.out", "5\n");
    let stress = |package: &str, group: &str| {
        let mut command = judge(&bench);
        command.args(["stress", package, "-s", "wrong.c", "--against", "right.c"]);
        command.args([
            "--generator",
            "generator.c",
            "--save",
            group,
            "--time",
            "60s",
        ]);
        command
    };
    stress("oj", "secret/").assert().code(1);
    assert!(!bench.path("oj/data").exists());
    assert_eq!(saved(&bench.path("oj/test")).len(), 2);
    // The package is read as before, with more cases.
    asserted(&bench, &["run", "oj", "-s", "right.c"])
        .success()
        .stdout(contains("3 of 3 cases"));
    for group in ["../elsewhere", "secret/../..", "other/"] {
        stress("sums", group)
            .assert()
            .code(2)
            .stderr(contains("no group"));
    }
}

#[test]
fn a_planted_bug_is_found_shrunk_and_saved() {
    let bench = bench();
    add_validator(&bench);
    stress(&bench, "wrong.c")
        .args(["--time", "60s", "--save", "secret/"])
        .assert()
        .code(1)
        .stdout(contains("WA").and(contains("saved as secret/stress-")));
    let saved = fs::read_dir(bench.path("sums/data/secret"))
        .expect("the group is there")
        .flatten()
        .map(|entry| entry.path())
        .find(|path| {
            path.to_string_lossy().contains("stress-")
                && path.extension().is_some_and(|e| e == "in")
                && !path.to_string_lossy().contains("-original")
        })
        .expect("a case was saved");
    let input = fs::read_to_string(&saved).expect("text");
    // Three numbers, one of them the smallest that is too big: nothing smaller fails.
    assert_eq!(input.split_whitespace().next(), Some("3"), "{input}");
    assert!(input.contains("501"), "{input}");
    let answer = fs::read_to_string(saved.with_extension("ans")).expect("its answer");
    assert_eq!(answer, "501\n");
}

#[test]
fn equal_programs_do_not_differ() {
    let bench = bench();
    stress(&bench, "right.c")
        .args(["--time", "300ms"])
        .assert()
        .success()
        .stdout(contains("no difference found"));
}

#[test]
fn the_slowest_input_is_kept() {
    let bench = bench();
    stress(&bench, "right.c")
        .args(["--time", "300ms", "--slowest"])
        .assert()
        .success()
        .stdout(contains("slowest of"));
}

/// The package of 16x16 grids, and a solver that takes the box to the right in the row of index 15.
#[test]
fn a_wrong_box_in_the_last_row_is_found_and_shrunk_to_a_few_blanks() {
    let bench = Bench::new();
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/uva1309");
    for name in ["grids.cpp", "sudoku.h"] {
        let text = fs::read_to_string(package.join("generators").join(name)).expect("a generator");
        bench.write(&format!("grids/{name}"), &text);
    }
    let right = fs::read_to_string(package.join("submissions/accepted/smallest_set.cpp"));
    let right = right.expect("a submission");
    let wrong = right.replace(
        "return r / box * box + c / box;",
        "return r / box * box + (c / box + (r == 15)) % box;",
    );
    assert_ne!(wrong, right, "the bug is planted");
    bench.write("wrong.cpp", &wrong);
    judge(&bench)
        .arg("stress")
        .arg(&package)
        .args(["-s", "wrong.cpp", "--against", "accepted/candidates.rs"])
        .args([
            "--generator",
            "grids times 2 unique {seed} 170",
            "--time",
            "60s",
        ])
        .assert()
        .code(1)
        .stdout(predicate::function(|text: &str| {
            let input = text.split("shrunk to ").nth(1).unwrap_or_default();
            let input = input.split("expected:").next().unwrap_or_default();
            let rows = input.lines().skip(1).filter(|line| line.trim().len() == 16);
            rows.count() == 16 && input.matches('-').count() <= 12
        }));
}

const BRUTE: &str = "#include <stdio.h>\nint main(void) {\n  int a, b;\n  return scanf(\"%d%d\", &a, \
                     &b) != 2 || printf(\"%d\\n\", a + b) < 0;\n}\n";
const WRONG: &str = "#include <stdio.h>\nint main(void) {\n  int a, b;\n  return scanf(\"%d%d\", &a, \
                     &b) != 2 || printf(\"%d\\n\", a + b - (a > 5)) < 0;\n}\n";
const GENERATOR: &str = "#include <stdio.h>\n#include <stdlib.h>\nint main(int count, char **words) {\n  \
                         srand(atoi(words[count - 1]));\n  printf(\"%d %d\\n\", rand() % 9 + 1, rand() \
                         % 9 + 1);\n}\n";

/// The generator prints two numbers and, below them, a third line that only a mutation changes. The program fails
/// on such a change.
#[test]
fn a_mutation_without_a_validator_is_no_counterexample() {
    let bench = Bench::new();
    let generator = GENERATOR.replace("%d %d\\n", "%d %d\\n7\\n");
    assert_ne!(generator, GENERATOR);
    bench.write("gen.c", &generator);
    bench.write("brute.c", BRUTE);
    let strict = "int c;\n  if (scanf(\"%d%d%d\", &a, &b, &c) != 3 || c != 7) return 9;\n  return ";
    let sol = BRUTE.replace("return scanf(\"%d%d\", &a, &b) != 2 || ", strict);
    assert_ne!(sol, BRUTE);
    bench.write("sol.c", &sol);
    let hunt = |package: &[&str], time: &str| {
        let mut command = judge(&bench);
        command.arg("stress").args(package);
        command.args(["sol.c", "brute.c", "gen.c", "--slowest", "-j", "1"]);
        command.args(["--save", "secret", "--time", time]);
        command.assert()
    };
    hunt(&[], "2s").success().stdout(contains("slowest of"));
    // A validator that accepts it makes it an input of the problem, which no seed produces.
    bench.sums("time_limit: 5");
    bench.write(
        "sums/input_validators/all.c",
        "int main(void) { return 42; }\n",
    );
    let found = hunt(&["sums"], "60s").code(1);
    found.stdout(
        contains("RTE on a mutation of a generated input")
            .and(contains("saved as secret/stress-mutation"))
            .and(contains("with seed").not()),
    );
}

#[test]
fn an_interrupted_search_prints_and_saves_its_result() {
    let bench = Bench::new();
    bench.write("brute.c", BRUTE);
    bench.write("gen.c", GENERATOR);
    for (options, result) in [
        (&["--slowest", "--save", "test"][..], "saved as stress-1"),
        (&[], "interrupted: no difference found so far"),
    ] {
        // On a busy machine it may take longer until the first input has run.
        let has_result = [600, 3_000, 10_000, 60_000].into_iter().any(|wait_ms| {
            let mut command = of_judge(&bench, judge_program());
            command.args(["stress", "brute.c", "brute.c", "gen.c", "-j", "1"]);
            command.args(options).stdout(Stdio::piped());
            let judge = command.args(["--time", "5m"]).spawn();
            let judge = judge.expect("the judge starts");
            std::thread::sleep(Duration::from_millis(wait_ms));
            kill_process(Pid::from_child(&judge), Signal::INT).expect("it runs");
            let ended = judge.wait_with_output().expect("it ends");
            assert_eq!(ended.status.code(), Some(130));
            String::from_utf8_lossy(&ended.stdout).contains(result)
        });
        assert!(has_result, "{options:?}");
    }
    let answer = fs::read_to_string(bench.path("test/stress-1.out")).expect("its answer");
    assert!(answer.trim().parse::<u32>().is_ok(), "{answer:?}");
}

#[test]
fn a_tolerance_applies_with_and_without_cases() {
    let bench = Bench::new();
    let third = |digits: u32| format!("print('%.{digits}f' % (int(input()) / 3))\n");
    bench.write("short.py", &third(4));
    bench.write("long.py", &third(9));
    bench.write("gen.py", "import sys\nprint(3 * int(sys.argv[1]) + 1)\n");
    let stress = |options: &[&str]| {
        let mut command = judge(&bench);
        command.args(["stress", "short.py", "long.py", "gen.py", "--time", "0.5s"]);
        command.args(options).assert()
    };
    stress(&[]).code(1).stdout(contains("as numbers off by"));
    stress(&["--tolerance", "1e-3"]).success();
    bench.write("test/1.in", "4\n");
    bench.write("test/1.out", "1.3333\n");
    stress(&["--tolerance", "1e-3"]).success();
    stress(&["--tolerance", "1e-5"]).code(1);
}

/// `judge stress` knows the generators that `judge gen` knows, adds the found case to the rules, and makes the
/// data by them.
#[test]
fn a_found_case_is_added_to_the_rules_of_the_package() {
    let bench = Bench::new();
    bench.sums("time_limit: 5");
    fs::remove_dir_all(bench.path("sums/data")).expect("it is there");
    bench.write(
        "sums/generators/tree.sh",
        ". \"$(dirname \"$0\")/lib.sh\"\nmake $2 $1 $3\n",
    );
    bench.write(
        "sums/generators/lib.sh",
        "make() {\n  echo $1 $2 >$3.in\n}\n",
    );
    bench.write("sums/submissions/accepted/brute.c", BRUTE);
    bench.write("sol.c", WRONG);
    for (rules, group, new, case) in [
        (
            "generators: {tree: [tree.sh, lib.sh]}\ndata:\n  secret:\n    data:\n      a: tree 1 2 {name}\n",
            "secret/",
            "      stress-1: {in: \"6 1\\n\"}\n",
            "secret/stress-1",
        ),
        // The cases of the second group get other numbers.
        (
            "# The cases.\ngenerators: {tree: [tree.sh, lib.sh]}\ndata:\n  secret:\n    data:\n      one:\n        \
             data:\n        - a: tree 1 2 {name} # small\n      two: {data: [b: 'tree 2 3 {name}']}\n",
            "secret/one",
            "        - stress-1: {in: \"6 1\\n\"}\n",
            "secret/one/2-stress-1",
        ),
    ] {
        bench.write("sums/generators/generators.yaml", rules);
        asserted(&bench, &["gen", "sums"]).success();
        let tree = "tree {seed} 6 {name}";
        let args = [
            "stress",
            "sums",
            "sol.c",
            "accepted/brute.c",
            tree,
            "--save",
            group,
            "-j",
            "1",
        ];
        let said = format!("saved as {case}, which generators/generators.yaml describes\n");
        asserted(&bench, &args).code(1).stdout(contains(said));
        let text = bench.read("sums/generators/generators.yaml");
        assert!(
            text.contains(new) && text.replace(new, "") == rules,
            "{text}"
        );
        assert_eq!(bench.read(&format!("sums/data/{case}.ans")), "7\n");
        asserted(&bench, &["gen", "--check", "sums"]).success();
    }
    // A group that the rules do not describe is left to the author.
    let args = [
        "stress",
        "sums",
        "sol.c",
        "accepted/brute.c",
        "tree {seed} 6 {name}",
        "--save",
        "secret/three",
        "-j",
        "1",
    ];
    asserted(&bench, &args).code(1).stdout(contains(
        "saved as secret/three/stress-1\nadd this to the `data` of `secret/three`",
    ));
}

#[test]
fn an_input_of_the_generator_that_the_validator_refuses_is_no_counterexample() {
    let bench = bench();
    bench.write(
        "sums/input_validators/none.c",
        "int main(void) { return 43; }\n",
    );
    stress(&bench, "wrong.c").assert().code(2).stderr(contains(
        "the generator's input is refused by the package's input validator\ninput:\n",
    ));
}

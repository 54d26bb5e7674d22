//! `judge gen` from the command line.

mod mistakes;

use crate::common::{Bench, asserted, judge, judge_program, of_judge};
use predicates::prelude::*;
use predicates::str::contains;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

// In the language of the shell, which starts sooner than Python.
const GENERATOR: &str = "echo $(($1 % 1000)) $(($1 / 1000 % 1000))\n";
const SOLUTION: &str = "read a b _\necho $((a + b))\n";
const VALIDATOR: &str = "IFS= read -r line && ! read -r more && [[ $line =~ ^[0-9]+\\ [0-9]+$ ]] && exit 42\n\
                         exit 43\n";

/// A package with a generator, two solutions and a validator; `data` is its `generators.yaml`.
fn package(data: &str) -> Bench {
    let bench = Bench::new();
    bench.sums("time_limit: 1.0");
    fs::remove_dir_all(bench.path("sums/data")).expect("the data goes");
    bench.write("sums/generators/pair.sh", GENERATOR);
    bench.write("sums/generators/hand/made.in", "7 8\n");
    bench.write("sums/submissions/accepted/a.sh", SOLUTION);
    bench.write(
        "sums/submissions/accepted/b.sh",
        "read a b _\necho $((b + a))\n",
    );
    bench.write("sums/input_validators/valid.sh", VALIDATOR);
    bench.write("sums/generators/generators.yaml", data);
    bench
}

const DATA: &str = "\
solution: /submissions/accepted/a.sh
random_salt: s
data:
  sample:
    data:
      '1':
        in: 1 2
        ans: '3'
        hint: add them
  secret:
    test_group.yaml:
      input_validator_args: []
    data:
      - hand:
          copy: hand/made
          yaml:
            description: made by hand
      - random:
          generate: pair.sh {seed}
          count: 3
      - '': pair.sh {seed:7}
  invalid_input:
    data:
      words:
        in: one two
";

/// The content of every file below a directory.
fn files(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    walkdir::WalkDir::new(dir)
        .into_iter()
        .map(|entry| entry.expect("an entry"))
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| {
            let name = entry.path().strip_prefix(dir).expect("it is below");
            let bytes = fs::read(entry.path()).expect("a file");
            (name.display().to_string(), bytes)
        })
        .collect()
}

fn generate(bench: &Bench) -> assert_cmd::assert::Assert {
    judge(bench).args(["gen", "sums"]).assert()
}

#[test]
fn only_changed_cases_are_made_again() {
    let bench = package(DATA);
    generate(&bench)
        .success()
        .stdout(contains("made secret/2-random-1").and(contains("7 cases made, 0 as they were")));
    let first = files(&bench.path("sums/data"));
    let names: Vec<&str> = first.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "invalid_input/words.in",
            "sample/1.ans",
            "sample/1.hint",
            "sample/1.in",
            "secret/1-hand.ans",
            "secret/1-hand.in",
            "secret/1-hand.yaml",
            "secret/2-random-1.ans",
            "secret/2-random-1.in",
            "secret/3-random-2.ans",
            "secret/3-random-2.in",
            "secret/4-random-3.ans",
            "secret/4-random-3.in",
            "secret/5.ans",
            "secret/5.in",
            "secret/test_group.yaml",
        ]
    );
    assert_eq!(first["secret/1-hand.ans"], b"15\n");
    assert_eq!(first["secret/1-hand.yaml"], b"description: made by hand\n");
    assert_ne!(first["secret/2-random-1.in"], first["secret/3-random-2.in"]);

    generate(&bench)
        .success()
        .stdout(contains("0 cases made, 7 as they were").and(contains("made secret").not()));

    // One case is damaged, one has another command, one is removed.
    bench.write("sums/data/secret/2-random-1.ans", "0\n");
    let data = DATA
        .replace("seed:7", "seed:8")
        .replace("count: 3", "count: 2");
    bench.write("sums/generators/generators.yaml", &data);
    generate(&bench)
        .success()
        .stdout(contains("made secret/4\n").and(contains("4 as they were")));
    let second = files(&bench.path("sums/data"));
    assert_eq!(
        second["secret/2-random-1.ans"],
        first["secret/2-random-1.ans"]
    );
    assert!(!second.contains_key("secret/5.in") && !second.contains_key("secret/4-random-3.in"));

    // The data depends only on the file and the seed.
    bench.write("sums/generators/generators.yaml", DATA);
    fs::remove_file(bench.path("sums/generators/.judge-gen.json")).expect("a manifest");
    fs::remove_dir_all(bench.path("sums/data")).expect("data");
    generate(&bench).success();
    assert_eq!(files(&bench.path("sums/data")), first);
    asserted(&bench, &["gen", "sums", "--seed", "5"]).success();
    let other = files(&bench.path("sums/data"));
    assert_ne!(other["secret/5.in"], first["secret/5.in"]);
    assert_eq!(other["secret/1-hand.in"], first["secret/1-hand.in"]);
}

#[test]
fn a_case_without_a_rule_is_kept() {
    let named = "data:\n  sample:\n    data:\n      a:\n      b:\n";
    let bench = package(named);
    bench.write("sums/data/sample/a.in", "1 2\n");
    bench.write("sums/data/sample/a.ans", "3 \n");
    bench.write("sums/data/sample/b.in", "3 4\n");
    generate(&bench)
        .success()
        .stdout(contains("0 cases made, 2 as they were"));
    let data = files(&bench.path("sums/data"));
    assert_eq!(data["sample/a.ans"], b"3 \n");
    assert_eq!(data["sample/b.ans"], b"7\n");
    // It is checked like other cases.
    bench.write("sums/data/sample/b.in", "3 4 5\n");
    generate(&bench).code(2).stderr(contains("valid.sh"));
    bench.write("sums/data/sample/b.in", "3 4\n");
    // It was not made by a rule, so it is not removed.
    bench.write(
        "sums/generators/generators.yaml",
        &named.replace("      b:\n", ""),
    );
    generate(&bench).code(2).stderr(contains("sample/b.in"));
    assert_eq!(files(&bench.path("sums/data")), data);
}

#[test]
fn a_legacy_package_with_a_validator_of_its_own() {
    let bench = package("data: {secret: {data: {a: pair.sh 5}}}\n");
    bench.write(
        "sums/problem.yaml",
        "name: Sums\nlicense: cc0\nrights_owner: somebody\nvalidation: custom\n",
    );
    bench.write("sums/.timelimit", "1\n");
    let accepts = |what: &str| {
        bench.write(
            "sums/output_validators/one/validate.py",
            &format!("import sys\nsys.exit(42 if sys.stdin.read().strip().{what} else 43)\n"),
        );
    };
    accepts("isdigit()");
    generate(&bench)
        .success()
        .stdout(contains("made secret/a\n"));
    accepts("isalpha()");
    generate(&bench).code(2).stderr(contains("secret/a"));
}

#[test]
fn groups_includes_and_generators_of_several_files() {
    let bench = package(
        "generators:\n  pairs: [main.py, helper.py]\ndata:\n  sample:\n    data:\n      a: pairs 3\n  \
         secret:\n    include: [a]\n    data:\n      - big:\n          data:\n            - x: pairs 5\n      \
         - y: pairs '6'\n      - z: {in: '2 2', in.statement: two, in.download: {link: in.statement}}\n",
    );
    bench.write(
        "sums/generators/main.py",
        "import helper, sys\nhelper.pair(sys.argv[1])\n",
    );
    bench.write(
        "sums/generators/helper.py",
        "def pair(n):\n    print(n, n)\n",
    );
    // Without notes about what killed judges left in the system's directory.
    let mut quiet = judge(&bench);
    let quiet = quiet.args(["gen", "sums"]).env("TMPDIR", bench.path(""));
    quiet.assert().success().stderr("");
    let files = files(&bench.path("sums/data"));
    assert_eq!(files["secret/a.in"], b"3 3\n");
    assert_eq!(files["secret/1-big/1-x.ans"], b"10\n");
    assert_eq!(files["secret/2-y.ans"], b"12\n");
    assert_eq!(files["secret/3-z.ans"], b"4\n");
    assert_eq!(files["secret/3-z.in.download"], b"two\n");
}

#[test]
fn a_generator_of_several_files_is_started_by_its_first() {
    let bench =
        package("generators: {tree: [tree.sh, lib.sh]}\ndata: {sample: {data: {a: tree 3}}}\n");
    bench.write(
        "sums/generators/tree.sh",
        ". \"$(dirname \"$0\")/lib.sh\"\npair $1\n",
    );
    bench.write("sums/generators/lib.sh", "pair() {\n  echo $1 4\n}\n");
    generate(&bench).success();
    assert_eq!(bench.read("sums/data/sample/a.in"), "3 4\n");
}

#[test]
fn a_generator_may_write_the_files_of_its_case() {
    let data = "data:\n  secret:\n    data:\n      - a: files.sh 1 {name}\n      \
                - b: {generate: files.sh 2 testcase, ans: '6'}\n";
    let bench = package(data);
    bench.write(
        "sums/generators/files.sh",
        "echo $1 4 >$2.in\necho $(($1 + 4)) >$2.ans\necho description: made >$2.yaml\n",
    );
    generate(&bench).success();
    let first = files(&bench.path("sums/data/secret"));
    let names: Vec<&str> = first.keys().map(String::as_str).collect();
    let expected = [
        "1-a.ans", "1-a.in", "1-a.yaml", "2-b.ans", "2-b.in", "2-b.yaml",
    ];
    assert_eq!(names, expected);
    assert_eq!(first["1-a.in"], b"1 4\n");
    assert_eq!(first["2-b.yaml"], b"description: made\n");
    // Another solution: the answer is still the generator's, and checked by the solution.
    let wrong = SOLUTION.replace('+', "-");
    bench.write("sums/submissions/accepted/a.sh", &wrong);
    bench.write("sums/submissions/accepted/b.sh", &wrong);
    generate(&bench).code(2).stderr(contains(
        "a.sh gives another answer for secret/1-a than the one that is given",
    ));
    assert_eq!(files(&bench.path("sums/data/secret")), first);
}

#[test]
fn an_input_validator_can_be_a_generator() {
    let bench = package(
        "solution: /submissions/accepted/a.sh\ndata:\n  sample:\n    data:\n      - '': both {seed:5}\n",
    );
    // Like programs with BAPCtools' header, it depends on the path of its executable.
    bench.write(
        "sums/generators/both/both.cpp",
        "#include <cstdio>\n#include <filesystem>\nint main(int, char **argv) {\n  bool makes = \
         false;\n  for (auto part : std::filesystem::path(argv[0])) makes |= part == \
         \"generators\";\n  if (!makes) return 43;\n  std::printf(\"%s 4\\n\", argv[1]);\n}\n",
    );
    generate(&bench).success();
    let made = files(&bench.path("sums/data/sample"));
    let input = made.iter().find(|(name, _)| name.ends_with(".in"));
    let (_, text) = input.expect("a case is made");
    assert!(text.ends_with(b" 4\n"), "{made:?}");
}

#[test]
fn a_check_reports_files_that_differ() {
    let bench = package(DATA);
    generate(&bench).success();
    let check = || {
        let mut command = judge(&bench);
        command.args(["gen", "sums", "--check"]).assert()
    };
    check()
        .success()
        .stdout("sums: the data is as made (7 cases)\n");
    // Without the record of the last run everything is made again, with the same result.
    fs::remove_file(bench.path("sums/generators/.judge-gen.json")).expect("a manifest");
    check().success();
    bench.write("sums/data/secret/5.ans", "0\n");
    fs::remove_file(bench.path("sums/data/secret/1-hand.yaml")).expect("a file");
    let before = files(&bench.path("sums"));
    check()
        .code(1)
        .stdout("sums: data/secret/1-hand.yaml is missing\nsums: data/secret/5.ans is different\n")
        .stderr(contains(
            "help: the same command without --check replaces the data",
        ));
    assert_eq!(files(&bench.path("sums")), before);
}

#[test]
fn in_a_package_of_a_workspace_only_its_data_is_made() {
    let bench = package("data: {secret: {data: {a: pair.sh 5}}}\n");
    bench.workspace();
    fs::create_dir(bench.path("testdata")).expect("a directory");
    for id in ["one1", "two2", "none3"] {
        let mut copy = Command::new("cp");
        copy.arg("-r").arg(bench.path("sums"));
        let status = copy.arg(bench.path(&format!("testdata/{id}"))).status();
        assert!(status.expect("cp").success());
    }
    fs::remove_dir_all(bench.path("testdata/none3/generators")).expect("it is there");
    let in_dir = |dir: &str, options: &[&str]| {
        let mut command = judge(&bench);
        command.current_dir(bench.path(dir)).arg("gen");
        command.args(options).assert()
    };
    in_dir("testdata/one1/generators", &[]).success();
    let has_data = |id: &str| bench.path(&format!("testdata/{id}/data")).exists();
    assert!(has_data("one1") && !has_data("two2"));
    in_dir("testdata/one1", &["--check"])
        .success()
        .stdout("one1: the data is as made (1 case)\n");
    in_dir("testdata/none3", &[])
        .code(2)
        .stderr(contains("none3/generators/generators.yaml: file not found"));
    assert!(!has_data("two2"));
    bench.crate_of_workspace("two2", "fn main() {}\n");
    in_dir("problems/two2/src", &["--check"])
        .code(1)
        .stdout(contains("two2: data/secret/a.in is missing").and(contains("one1").not()));
    in_dir("", &[]).success();
    assert!(has_data("two2"));
}

/// Packages do not depend on each other, so each has its own copy.
#[test]
fn generators_of_packages_share_their_code() {
    let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata");
    let copy = |entry: fs::DirEntry| entry.path().join("generators/sudoku.h");
    let entries = fs::read_dir(&testdata).expect("a directory");
    let copies = entries.map(|entry| copy(entry.expect("an entry")));
    let copies: Vec<_> = copies.filter(|copy| copy.is_file()).collect();
    assert!(copies.len() >= 20, "{copies:?}");
    let first = fs::read(&copies[0]).expect("a file");
    for copy in &copies {
        let is_same = fs::read(copy).expect("a file") == first;
        assert!(
            is_same,
            "{} differs from {}",
            copy.display(),
            copies[0].display()
        );
    }
}

/// `verify` and `gen` accept the same programs.
#[test]
fn a_validator_may_use_a_header_of_its_repository() {
    let bench = package(DATA);
    fs::create_dir(bench.path(".git")).expect("a directory");
    fs::remove_file(bench.path("sums/input_validators/valid.sh")).expect("it is there");
    bench.write("shared/accept.h", "enum { ACCEPT = 42, REFUSE = 43 };\n");
    bench.write(
        "sums/input_validators/valid/main.c",
        "#include <stdio.h>\n#include \"accept.h\"\nint main(void) {\n  int a, b;\n  \
         return scanf(\"%d%d\", &a, &b) == 2 ? ACCEPT : REFUSE;\n}\n",
    );
    let link = bench.path("sums/input_validators/valid/accept.h");
    std::os::unix::fs::symlink("../../../shared/accept.h", link).expect("a link");
    generate(&bench)
        .success()
        .stderr(contains("leads out").not().and(contains("warning").not()));
    asserted(&bench, &["verify", "sums"]).stderr(contains("leads out").not());
}

/// Cases are written when they are made: 24 inputs of 8 MiB exceed the memory limit of this test.
#[test]
fn cases_are_not_held_in_memory() {
    let bench = package(
        "solution: /submissions/accepted/a.sh\ndata:\n  secret:\n    data:\n      - large:\n          \
         generate: large.py {seed}\n          count: 24\n",
    );
    bench.write(
        "sums/generators/large.py",
        "import sys\nfor _ in range(256):\n    sys.stdout.write(sys.argv[1].rjust(1 << 15))\n",
    );
    for name in ["a", "b"] {
        bench.write(&format!("sums/submissions/accepted/{name}.sh"), "echo 1\n");
    }
    fs::remove_dir_all(bench.path("sums/input_validators")).expect("it is there");
    // The resource usage of all children of this process would include other tests, so an intermediate process
    // measures the judge.
    let script = "import resource, subprocess, sys\nsubprocess.run(sys.argv[1:], check=True, stdout=2)\n\
                  print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)";
    let output = of_judge(&bench, "python3")
        .args(["-c", script])
        .arg(judge_program())
        .args(["gen", "sums"])
        .output()
        .expect("python3");
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("a number");
    let peak: u64 = text.trim().parse().expect("a number");
    assert!(peak < 160, "{peak} MiB");
}

#[test]
fn arguments_of_an_invalid_input_decide_about_it() {
    let data = "solution: /submissions/accepted/a.sh\ndata:\n  sample:\n    data:\n      '1': {in: 1 2}\n  \
                secret:\n    data:\n      a: {in: 3 4}\n  invalid_input:\n    data:\n      large:\n        in: 10 1\n        \
                yaml: {input_validator_args: [--small]}\n";
    let bench = package(data);
    bench.write(
        "sums/input_validators/valid.sh",
        "read a b\n[ \"$1\" = --small ] && [ $a -gt 9 ] && exit 43\nexit 42\n",
    );
    generate(&bench).success();
    let without = data.replace("        yaml: {input_validator_args: [--small]}\n", "");
    bench.write("sums/generators/generators.yaml", &without);
    generate(&bench).code(2).stderr(contains(
        "no validator refuses the input of invalid_input/large",
    ));
    // A package without its data says how to make it.
    let bench = package(data);
    judge(&bench)
        .args(["run", "sums"])
        .assert()
        .code(2)
        .stderr(contains("sums/data: is missing").and(contains("`judge gen PACKAGE`")));
}

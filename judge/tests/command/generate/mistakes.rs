//! Mistakes in `generators.yaml` and in programs: each is named, and the old data stay.

use super::{DATA, files, generate, package};
use predicates::str::contains;
use std::fs;
use std::os::unix::fs::symlink;

#[test]
fn an_error_leaves_the_old_data_unchanged() {
    let bench = package(DATA);
    generate(&bench).success();
    for (name, text, message) in [
        (
            "generators/pair.sh",
            "echo no luck >&2\nexit 1\n",
            "generators.yaml:18:9: pair.sh fails: exit code 1\nno luck",
        ),
        (
            "generators/pair.sh",
            "echo 1 $(od -An -N6 -tu8 /dev/urandom)\n",
            "is not deterministic\n  help: take all randomness from `{seed}`\n",
        ),
        (
            "generators/pair.sh",
            "true\n",
            "writes nothing\n  help: write the input to standard output or `testcase.in`\n",
        ),
        (
            "generators/pair.sh",
            "echo 1 2 3\n",
            "the input of secret/2-random-1 is not legal: valid.sh: exit code 43\n  \
             help: correct the case or the validator\n",
        ),
        (
            "submissions/accepted/b.sh",
            "read a b _\necho $((a | b))\n",
            "/submissions/accepted/b.sh gives another answer for secret/",
        ),
        (
            "input_validators/valid.sh",
            "exit 42\n",
            "no validator refuses the input of invalid_input/words\n  help: correct the case or",
        ),
        (
            "data/secret/lonely.in",
            "1 1\n",
            "does not describe these cases",
        ),
    ] {
        let path = bench.path("sums").join(name);
        let good = fs::read(&path).ok();
        fs::write(&path, text).expect("it can be written");
        let before = files(&bench.path("sums"));
        generate(&bench).code(2).stderr(contains(message));
        assert_eq!(files(&bench.path("sums")), before, "{message}");
        match good {
            Some(good) => fs::write(&path, good).expect("it can be written"),
            None => fs::remove_file(&path).expect("it can be removed"),
        }
    }
}

/// The package may be of somebody else, and its data go back there.
#[test]
fn a_link_shows_no_file_of_the_user() {
    const RULES: [&str; 2] = [
        "data:\n  secret:\n    data:\n      x: {copy: key}\n",
        "generators:\n  g: [pair.sh, key.in]\ndata:\n  secret:\n    data:\n      x: g\n",
    ];
    for rules in RULES {
        let bench = package(&format!("solution: /submissions/accepted/a.sh\n{rules}"));
        bench.write("key", "1 2\n");
        let link = bench.path("sums/generators/key.in");
        symlink(bench.path("key"), link).expect("a link");
        generate(&bench).code(2).stderr(contains("leads out of"));
    }
}

#[test]
fn a_given_answer_is_checked_by_the_solution() {
    let bench = package(&DATA.replace("ans: '3'", "ans: '4'"));
    generate(&bench).code(2).stderr(contains(
        "/submissions/accepted/a.sh gives another answer for sample/1 than the one that is given: \
         line 1, column 1: expected \"4\", found \"3\"\n  help: correct the one that is wrong\n",
    ));
    assert!(!bench.path("sums/data").exists());
}

#[test]
fn data_that_is_wrong_on_purpose_is_not_compared_with_a_solution() {
    let bench = package(
        "solution: /submissions/accepted/a.sh\ndata:\n  sample: {data: {a: {in: 1 2}}}\n  \
         invalid_answer: {data: {b: {in: 1 2, ans: '4'}}}\n  \
         invalid_output: {data: {c: {in: 1 2, ans: '4', out: '5'}}}\n",
    );
    generate(&bench).success();
    assert_eq!(bench.read("sums/data/invalid_output/c.out"), "5\n");
}

/// A solution need not run on such an input.
#[test]
fn an_illegal_input_is_not_the_failure_of_the_solution() {
    let bench = package("data: {sample: {data: {a: {in: 1 2}}}, secret: {data: {w: {in: '5'}}}}\n");
    let strict = "read a b _\n[ \"$b\" ] || exit 3\necho $((a + b))\n";
    bench.write("sums/submissions/accepted/a.sh", strict);
    generate(&bench)
        .code(2)
        .stderr(contains("the input of secret/w is not legal: valid.sh"));
    // A failure on a legal input is that of the solution.
    let legal = "data: {sample: {data: {a: {in: 1 2}}}}\n";
    bench.write("sums/generators/generators.yaml", legal);
    bench.write("sums/submissions/accepted/a.sh", "exit 3\n");
    let bad = generate(&bench).code(2);
    bad.stderr(contains("/submissions/accepted/a.sh fails: exit code 3"));
    assert!(!bench.path("sums/data").exists());
}

/// The solution fails for the last case, when the others are made.
#[test]
fn a_failure_of_the_solution_leaves_the_data_unchanged() {
    let rules = |b: u32| {
        format!(
            "data: {{secret: {{data: {{x: {{in: 1 {b}}}, y: {{in: 2 {b}}}, z: {{in: 3 {b}}}}}}}}}\n"
        )
    };
    let bench = package(&rules(4));
    generate(&bench).success();
    bench.write("sums/generators/generators.yaml", &rules(5));
    let solution = bench.read("sums/submissions/accepted/a.sh");
    let fails = solution.replace("echo", "[ $a = 3 ] && exit 3\necho");
    assert_ne!(fails, solution);
    bench.write("sums/submissions/accepted/a.sh", &fails);
    let before = files(&bench.path("sums"));
    generate(&bench).code(2).stderr(contains(
        "generators.yaml:1:52: /submissions/accepted/a.sh fails: exit code 3",
    ));
    assert_eq!(files(&bench.path("sums")), before);
    bench.write("sums/submissions/accepted/a.sh", &solution);
    generate(&bench).success();
    assert_eq!(bench.read("sums/data/secret/z.ans"), "8\n");
}

#[test]
fn mistakes_are_reported_with_their_position() {
    for (data, message) in [
        (
            "solutoin: /x.py\ndata: {}\n",
            ":1:1: unknown key `solutoin`",
        ),
        (
            "data:\n  secret:\n    data:\n      a:\n        generate: pair.sh {seed}\n        files: x\n",
            ":6:9: unknown key `files`",
        ),
        (
            "data:\n  secret:\n    data:\n      a: pair.sh {seed} {seed:1}\n",
            ":4:10: `{seed}` may occur only once in a command\n  help: let the generator derive",
        ),
        (
            "data:\n  secret:\n    data:\n      a: missing 1\n",
            ":4:7: no generator `missing`: neither a file or directory in generators/ nor a key of \
             `generators:`\n  help: add it there, or correct the name\n",
        ),
        (
            "solution:\ndata:\n  secret:\n    data:\n      a: pair.sh 1\n",
            ":5:7: the case has no answer\n  help: add `ans`, or name a program",
        ),
        (
            "data:\n  secret:\n    data:\n      a: pair.sh {count}\n",
            ":4:10: `{count}` is used without `count:`\n  help: describe the case by `generate:`",
        ),
        (
            "data:\n  secret:\n    data:\n      a:\n",
            ":4:7: there is no data/secret/a.in to copy\n  help: say how the case is made",
        ),
        (
            "data:\n  secret:\n    data:\n      a: hand/mad.in\n",
            ":4:7: there is no generators/hand/mad.in to copy\n  help: add the file, or correct",
        ),
        (
            "data:\n  secret:\n    data:\n      a:\n        copy: ../../b\n",
            ":5:15: the path `../../b` must stay inside its directory\n  help: write a path below it",
        ),
        (
            "solution: accepted/a.sh\ndata: {}\n",
            ":1:11: the solution's path must begin with `/`\n  help: write it like \
             `/submissions/accepted/PROGRAM`",
        ),
        (
            "data:\n  secret:\n    data:\n      a:\n        in: 1 2\n        yaml: {descripton: foo}\n",
            ":4:7: secret/a.yaml: unknown key `descripton`",
        ),
        (
            "data:\n  secret:\n    test_group.yaml: {max_scor: 3}\n    data: {a: pair.sh 1}\n",
            ":3:22: secret/test_group.yaml: unknown key `max_scor`",
        ),
        (
            "data:\n  secret:\n    data:\n      a: {generat: pair.sh 1}\n",
            ":4:11: unknown key `generat`\n  help: did you mean `generate`?",
        ),
        ("data:\n  secrets: {}\n", ":2:3: unknown key `secrets`"),
    ] {
        let bench = package(data);
        generate(&bench)
            .code(2)
            .stderr(contains(format!("generators.yaml{message}")));
    }
}

#[test]
fn a_pattern_that_does_not_match_and_the_input_of_another_case_stop_nothing() {
    let bench = package(
        "data:\n  secret:\n    data:\n      a: {in: 1 2, ans: '3', match: '3'}\n  \
         valid_output:\n    data:\n      b: {in: 1 2, ans: '3', out: '3'}\n",
    );
    for made in [
        "2 cases made, 0 as they were",
        "0 cases made, 2 as they were",
    ] {
        let run = generate(&bench).success();
        let said = String::from_utf8_lossy(&run.get_output().stdout).into_owned()
            + &String::from_utf8_lossy(&run.get_output().stderr);
        assert!(said.contains(made), "{said}");
        let message =
            ":4:7: secret/a.in does not match `3`\n  help: correct the case, or its `match`\n";
        assert!(said.contains(message), "{said}");
        assert!(!said.contains("same input"), "{said}");
    }
}

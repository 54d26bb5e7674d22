//! The commands for authors: `judge new --package`, `judge limits`, `judge run --by-hand`.

use crate::common::{Bench, asserted, events, judge, texts};
use predicates::prelude::*;
use predicates::str::contains;

const KINDS: [&str; 5] = [
    "pass-fail",
    "scoring",
    "interactive",
    "multi-pass",
    "submit-answer",
];

#[test]
fn a_new_package_of_each_kind_has_no_finding() {
    let bench = Bench::new();
    for kind in KINDS {
        let dir = kind.replace('-', "");
        asserted(&bench, &["new", "--package", &dir, "--kind", kind])
            .success()
            .stdout(contains("problem.yaml").and(contains(format!("judge verify {dir}"))));
        let verify = asserted(&bench, &["verify", &dir, "--format", "json"]);
        let output = verify.get_output();
        let events = events(&output.stdout);
        assert_eq!(texts(&events, "finding", "message"), [""; 0], "{kind}");
        assert_eq!(output.status.code(), Some(0), "{kind}: {events:#?}");
        // Each program says what it is for.
        for file in walkdir::WalkDir::new(bench.path(&dir)) {
            let path = file.expect("a file").into_path();
            let is_program = path
                .extension()
                .is_some_and(|end| end == "py" || end == "yaml");
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(!is_program || text.starts_with("# "), "{}", path.display());
        }
    }
    // The data is as its rules make it.
    asserted(&bench, &["gen", "--check", "passfail"]).success();
}

#[test]
fn a_new_package_overwrites_nothing_and_has_a_valid_name() {
    let bench = Bench::new();
    bench.write("mine/notes.txt", "");
    asserted(&bench, &["new", "--package", "mine"])
        .code(2)
        .stderr(contains("mine is not empty"));
    asserted(&bench, &["new", "--package", "My-Problem"])
        .code(2)
        .stderr(contains("lower-case letters and digits"));
    assert!(!bench.path("My-Problem").exists());
}

#[test]
fn a_limit_is_measured_and_written() {
    let bench = Bench::new();
    let yaml = |limits: &str| {
        format!(
            "problem_format_version: 2025-09\nname: Sums\nuuid: 5ca6ba5b-36d5-4eff-8aa7-d967cbc4375e\n\
             # The limits.\nlimits:\n{limits}  memory: 512 # MiB\n"
        )
    };
    bench.sums("time_limit: 1");
    bench.write(
        "sums/submissions/accepted/right.sh",
        "read a b\necho $((a + b))\n",
    );
    bench.write("sums/problem.yaml", &yaml("  time_limit: 7\n"));
    asserted(&bench, &["limits", "sums"])
        .success()
        .stdout(contains("accepted/right.sh  Bash"))
        .stdout(contains("limit by the rule of "))
        .stdout(contains("the package gives 7 s"));
    assert_eq!(bench.read("sums/problem.yaml"), yaml("  time_limit: 7\n"));
    // A shell needs less than half of a second.
    asserted(&bench, &["limits", "sums", "--write"])
        .success()
        .stdout(contains("written to "));
    assert_eq!(bench.read("sums/problem.yaml"), yaml("  time_limit: 1\n"));
    bench.write("sums/submissions/accepted/right.sh", "echo wrong\n");
    asserted(&bench, &["limits", "sums", "--write"]).failure();
    assert_eq!(bench.read("sums/problem.yaml"), yaml("  time_limit: 1\n"));
    // What cannot be written is not measured.
    bench.write("folder/test/1.in", "");
    asserted(&bench, &["limits", "folder", "--write"])
        .code(2)
        .stdout("")
        .stderr(contains("only the limits of directories in the ICPC"));
}

#[test]
fn a_person_plays_the_submission_or_the_interactor() {
    let bench = Bench::new();
    asserted(
        &bench,
        &["new", "--package", "guess", "--kind", "interactive"],
    )
    .success();
    let play = |args: &[&str], typed: &str| {
        let mut command = judge(&bench);
        command
            .args(["run", "guess", "--by-hand", "--case", "sample/1"])
            .args(args);
        command.write_stdin(typed).assert()
    };
    play(&[], "50\n42\n")
        .success()
        .stdout("lower\ncorrect\n")
        .stderr(contains("you are the submission on sample/1").and(contains("accepted")));
    play(&[], "50\nx\n").code(1).stderr(contains(
        "message for the judges: expected a number, found b'x",
    ));
    play(
        &["guess/submissions/accepted/solution.py"],
        "lower\ncorrect\n",
    )
    .success()
    .stdout("50\n25\n")
    .stderr(contains("you are the interactor on sample/1").and(contains("42")));
    asserted(&bench, &["run", "guess", "--by-hand"])
        .code(2)
        .stderr(contains("takes one case, and 3 are selected"));
}

#[test]
fn a_message_for_the_team_is_in_event_and_report() {
    let bench = Bench::new();
    bench.sums("time_limit: 1");
    bench.write(
        "sums/output_validator/say.sh",
        "echo 'mind the sign' >\"$3teammessage.txt\"\nread a <\"$2\"\nread b\n[ \"$a\" = \"$b\" ] && exit 42\nexit 43\n",
    );
    bench.write("wrong.sh", "echo 0\n");
    let run = asserted(
        &bench,
        &[
            "run", "sums", "-s", "wrong.sh", "--sample", "--format", "json",
        ],
    );
    let events = events(&run.get_output().stdout);
    let case = events
        .iter()
        .find(|event| event["event"] == "case_finished")
        .expect("a case");
    assert_eq!(case["details"]["team_message"], "mind the sign", "{case}");
    asserted(&bench, &["run", "sums", "-s", "wrong.sh", "--sample"])
        .code(1)
        .stdout(contains("message for the team: mind the sign"));
}

#[test]
fn an_export_has_the_limits_of_its_judge() {
    let bench = Bench::new();
    bench.write(
        "sum/problem.rbx.yml",
        "name: sum\ntimeLimit: 1500\nmemoryLimit: 64\nsolutions:\n- {path: main.py, outcome: accepted}\n\
         testcases:\n- {name: samples, testcaseGlob: 'samples/*.in'}\n",
    );
    bench.write("sum/main.py", "print(sum(map(int, input().split())))\n");
    bench.write("sum/samples/1.in", "1 2\n");
    bench.write("sum/samples/1.ans", "3\n");
    bench.write("sum/.limits/polygon.yml", "timeLimit: 3000\n");
    bench.write("sum/.limits/boca.yml", "timeLimit: 7000\n");
    for (output, more, limit) in [
        ("own", &[][..], ">3000<"),
        ("other", &["--profile", "boca"], ">7000<"),
    ] {
        let args = ["export", "sum", "--to", "polygon", "-o", output];
        asserted(&bench, &[&args[..], more].concat()).success();
        let xml = std::fs::read_to_string(bench.path(&format!("{output}/problem.xml")));
        let xml = xml.expect("problem.xml");
        assert!(xml.contains(limit), "{xml}");
    }
    let args = [
        "export",
        "sum",
        "--to",
        "oj",
        "-o",
        "x",
        "--profile",
        "kattis",
    ];
    asserted(&bench, &args)
        .code(2)
        .stderr(contains("has no limits for `kattis`").and(contains("boca, polygon")));
    asserted(&bench, &["limits", "sum"])
        .success()
        .stdout(contains("the package gives 7 s for boca"));
}

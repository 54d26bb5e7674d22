//! Folders of contestants: plain directories, oj's, their settings, and the files of other tools.

use super::{files, names, read};
use crate::files::complaint;
use judge_package::{Finding, Package, TestCase, TimeLimit, Validator};
use std::fs;
use std::path::Path;
use std::time::Duration;

#[test]
fn oj_directories() {
    let (_dir, package) = read(&[
        ("main.cpp", ""),
        ("test/sample-2.{in,out}", ""),
        ("test/sample-10.{in,out}", ""),
        ("test/random-1.{in,out}", ""),
    ]);
    assert_eq!(package.format, "online-judge-tools");
    assert_eq!(names(&package.data), ["random-1", "sample-2", "sample-10"]);
    assert!(!package.data.cases[0].sample && package.data.cases[1].sample);
    assert!(matches!(
        package.validation.validators()[0],
        Validator::Default(_)
    ));
    assert_eq!(package.data.cases[0].validator_args, ["case_sensitive"]);
    // The name that atcoder-cli uses.
    let (dir, package) = read(&[("tests/sample-1.{in,out}", "")]);
    assert_eq!(package.format, "online-judge-tools");
    assert_eq!(names(&package.data), ["sample-1"]);
    // The directory given by itself is the same package.
    let itself = Package::read(&dir.path().join("tests")).unwrap();
    assert_eq!(itself.format, "online-judge-tools");
    assert_eq!(itself.validation, package.validation);
    assert_eq!(names(&itself.data), ["sample-1"]);
}

#[test]
fn plain_directories() {
    for names in [
        &["1.in", "1.ans", "2.in", "2.out"][..],
        &["input1.txt", "output1.txt", "input2.txt", "output2.txt"],
        &["a.in1", "a.out1", "a.in2", "a.ou2", "b.in", "b.a"],
        &["in/1.txt", "in/2.txt", "out/1.txt", "out/2.txt"],
        &[
            "inputs/1.txt",
            "inputs/2.txt",
            "outputs/1.txt",
            "outputs/2.txt",
        ],
        &["input/input00.txt", "output/output00.txt"],
        &["Input/1.txt", "Output/1.txt"],
        &["in/1.txt", "expected/1.txt"],
        &["input/1.txt", "expected_output/1.txt"],
        &["in1.txt", "out1.txt", "in_2.txt", "ans_2.txt"],
        &["sample_input_1.txt", "sample_output_1.txt"],
        &[
            "sample1_in.txt",
            "sample1_out.txt",
            "2-input.txt",
            "2-output.txt",
        ],
        &["test.in.1", "test.out.1", "test2.input", "test2.output"],
    ] {
        let list: Vec<_> = names.iter().map(|name| (*name, "")).collect();
        let (_dir, package) = read(&list);
        assert_eq!(package.format, "plain directory");
        assert_eq!(package.cases().len(), names.len() / 2, "{names:?}");
    }
    // Source files.
    for names in [["read_in.cpp", "read_out.cpp"], ["in.py", "out.py"]] {
        let dir = files(&names.map(|name| (name, "")));
        assert!(!Package::is_recognised(dir.path()), "{names:?}");
    }
}

#[test]
fn an_input_without_an_answer_is_a_case_in_every_layout() {
    let cases: [&[&str]; 2] = [
        &["1.in", "1.out", "big.in"],
        &["in/1.txt", "out/1.txt", "in/big.txt"],
    ];
    for list in cases {
        let list: Vec<_> = list.iter().map(|name| (*name, "")).collect();
        let (_dir, package) = read(&list);
        assert_eq!(names(&package.data), ["1", "big"]);
        assert!(package.data.cases[1].answer.is_none());
        assert!(package.findings.is_empty());
    }
}

#[test]
fn inputs_without_answers_are_cases_and_other_answers_are_named() {
    let list = [
        ("1.in", ""),
        ("1.out", ""),
        ("2.in", ""),
        ("3.out", ""),
        ("x.out.4b", ""),
    ];
    let (_dir, package) = read(&list);
    assert_eq!(names(&package.data), ["1", "2"]);
    assert!(package.data.cases[1].answer.is_none() && package.policy.runs_without_answer);
    let named = |finding: &Finding| {
        let name = finding.error.path.file_name();
        assert!(finding.concerns_runs);
        name.unwrap_or_default().to_string_lossy().into_owned()
    };
    let mut found: Vec<String> = package.findings.iter().map(named).collect();
    found.sort();
    assert_eq!(found, ["3.out", "x.out.4b"]);
}

#[test]
fn every_layout_of_the_documentation_is_read() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/folders.md");
    let docs = fs::read_to_string(docs).unwrap();
    let (_, table) = docs.split_once("## Names of cases").unwrap();
    let (table, _) = table.split_once("\n## ").unwrap();
    let mut rows = 0;
    for row in table.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<Vec<&str>> = row
            .trim_matches('|')
            .split('|')
            .map(|cell| cell.split('`').skip(1).step_by(2).collect())
            .collect();
        let [files, cases] = &cells[..] else {
            panic!("{row}");
        };
        let list: Vec<(&str, &str)> = files.iter().map(|&name| (name, "1\n")).collect();
        let (_dir, package) = read(&list);
        assert_eq!(names(&package.data), *cases, "{row}");
        let has_answer = |case: &TestCase| case.answer.is_some();
        assert!(package.data.cases.iter().all(has_answer), "{row}");
        assert_eq!(package.findings.len(), 0, "{row}: {:?}", package.findings);
        rows += 1;
    }
    assert!(rows >= 30);
}

/// Layouts with other files beside the cases.
#[test]
fn layouts_are_not_confused() {
    for (files, expected) in [
        // The files of a program beside its cases.
        (
            &["input.txt", "output.txt", "1.in", "1.out"][..],
            &["1"][..],
        ),
        (
            &[
                "frog.in.1",
                "frog.out.1",
                "frog.in.1a",
                "frog.out.1a",
                "frog.dummy.in.1",
                "frog.dummy.out.1",
            ],
            &["frog.dummy.in.1", "frog.in.1", "frog.in.1a"],
        ),
        (&["I.1", "O.1", "1.in", "1.out"], &["1", "I.1"]),
        (&["1.in", "1.out", "1.dat", "1.res"], &["1", "1.in"]),
        (
            &["test1.txt", "test1_expected.txt", "readme.txt"],
            &["test1"],
        ),
    ] {
        let list: Vec<(&str, &str)> = files.iter().map(|&name| (name, "1\n")).collect();
        let (_dir, package) = read(&list);
        assert_eq!(names(&package.data), expected, "{files:?}");
        assert!(
            package.data.cases.iter().all(|case| case.answer.is_some()),
            "{files:?}"
        );
        assert_eq!(
            package.findings.len(),
            0,
            "{files:?}: {:?}",
            package.findings
        );
    }
}

#[test]
fn a_directory_with_an_input_alone_is_a_case_beside_others() {
    let (_dir, package) = read(&[("tests/1/{in,out}.txt", ""), ("tests/2/in.txt", "")]);
    assert_eq!(names(&package.data), ["1", "2"]);
    assert!(package.data.cases[1].answer.is_none());
}

#[test]
fn a_name_that_begins_with_a_dash_is_left_out_with_a_finding() {
    let (_dir, package) = read(&[("test/{1,-2,.3}.in", ""), ("test/{1,-2,.3}.out", "")]);
    assert_eq!(names(&package.data), ["1"]);
    let found: Vec<&str> = package.findings.iter().map(|f| &*f.error.what).collect();
    assert_eq!(found, ["the name begins with `-`; the file is left out"; 2]);
}

/// A directory of cases that cannot be read is not one that is absent.
#[test]
fn an_unreadable_directory_of_cases_is_an_error() {
    let dir = files(&[("1.{in,out}", "")]);
    std::os::unix::fs::symlink("test", dir.path().join("test")).unwrap();
    let error = complaint(&dir, "");
    assert!(error.starts_with("test: failed to read: "), "{error}");
    assert_eq!(error.matches("test").count(), 1, "{error}");
}

/// The warnings about a folder, without its own name.
fn warnings(list: &[(&str, &str)]) -> Vec<String> {
    let (dir, package) = read(list);
    let here = format!("{}/", dir.path().display());
    let texts = package.findings.iter().map(ToString::to_string);
    texts.map(|text| text.replace(&here, "")).collect()
}

#[test]
fn samples_that_are_not_judged_cause_a_warning() {
    let unread = |other: &str, read: &str| {
        format!(
            "warning: {other}: has cases that are not read, because {read} has some\n  help: move \
             them to {read}, or name the directory that you want"
        )
    };
    for other in ["tests", "samples", "Test_Cases", "data", "secret"] {
        let file = format!("{other}/2.{{in,out}}");
        assert_eq!(
            warnings(&[("test/1.{in,out}", ""), (&file, "")]),
            [unread(other, "`test/`")]
        );
    }
    let beside = [("1.{in,out}", ""), ("samples/2.{in,out}", "")];
    assert_eq!(warnings(&beside), [unread("samples", "this folder")]);
    let beside = warnings(&[("1.{in,out}", ""), ("test/2.{in,out}", "")]);
    assert!(beside[0].contains("has cases that are not read, because `test/`"));
    let other_layouts = [
        (
            "test/1.{in,out}",
            "test/2/{in,out}.txt",
            "test/2: has cases",
        ),
        ("tests/2.{in,out}", "tests/1/{in,out}", "tests/1: has cases"),
        (
            "test/1.{in,out}",
            "test/x/y/2.{in,out}",
            "test/x/y: has cases",
        ),
        (
            "test/a/1.{in,out}",
            "test/b/c/d/2.{in,out}",
            "test/b/c/d: has cases",
        ),
        (
            "{in,out}/1.txt",
            "2.{in,out}",
            "because `in/` in it has some",
        ),
    ];
    for (read, other, warning) in other_layouts {
        let found = warnings(&[(read, ""), (other, "")]);
        assert!(found.len() == 1 && found[0].contains(warning), "{found:?}");
    }
    // An input without an answer may be a file of the program's.
    assert!(warnings(&[("1.in", ""), ("test/2.{in,out}", "")]).is_empty());
    let alone = |name: &str| {
        format!(
            "warning: {name}: the answer has no input beside it\n  help: add the input, with the \
             same name and the ending `.in`, or remove the answer"
        )
    };
    assert_eq!(
        warnings(&[("test/1.{in,out}", ""), ("test/2.out", "")]),
        [alone("test/2.out")]
    );
    assert_eq!(
        warnings(&[("1.{in,ans}", ""), ("2.ans", "")]),
        [alone("2.ans")]
    );
    let numbered = [("{in,out}put1.txt", ""), ("output2.txt", "")];
    assert_eq!(warnings(&numbered), [alone("output2.txt")]);
    let apart = warnings(&[("{in,out}/1.txt", ""), ("out/2.txt", "")]);
    assert!(
        apart[0].starts_with("warning: out/2.txt: the answer has no input"),
        "{apart:?}"
    );
    // Files of programs, and a second answer.
    let dir = files(&[
        ("1.{in,out,ans}", ""),
        ("output.txt", ""),
        ("a.out", "\x7fELF"),
    ]);
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(dir.path().join("a.out"), executable).unwrap();
    assert!(Package::read(dir.path()).unwrap().findings.is_empty());
}

#[test]
fn settings_of_other_judges_are_reported() {
    for (settings, judge) in [
        ("config.ini", "settings of Vijos"),
        ("domjudge-problem.ini", "settings of DOMjudge"),
    ] {
        let (_dir, package) = read(&[("1.{in,out}", ""), (settings, "n 1\n")]);
        let [finding] = &package.findings[..] else {
            panic!("one finding, not {:?}", package.findings);
        };
        assert!(finding.concerns_runs && finding.to_string().contains(judge));
    }
}

#[test]
fn a_checker_that_is_not_used_is_reported() {
    for (name, option) in [
        ("chk.cpp", "--checker chk.cpp"),
        ("spj.cc", "--checker spj.cc"),
        ("checker/check.py", "--checker checker/check.py"),
        ("interactor.rs", "--interactor interactor.rs"),
    ] {
        for case in ["1.{in,out}", "tests/1.{in,out}"] {
            let (dir, mut package) = read(&[(case, ""), (name, "")]);
            let found = package.findings.iter().map(ToString::to_string);
            let found: Vec<String> = found.collect();
            assert_eq!(found.len(), 1, "{name}: {found:?}");
            assert!(found[0].contains(option), "{found:?}");
            assert!(package.findings[0].concerns_runs);
            package.override_checker(&dir.path().join(name)).unwrap();
            assert!(package.findings.is_empty());
        }
    }
    // One that is used, and files with other names.
    for name in ["test/checker.cpp", "checker.txt", "mycheck.cpp", "check"] {
        let (_dir, package) = read(&[("test/1.{in,out}", ""), ("checker.cpp", ""), (name, "")]);
        assert!(
            package.findings.is_empty(),
            "{name}: {:?}",
            package.findings
        );
    }
}

#[test]
fn a_configuration_with_almost_the_right_name_is_not_ignored() {
    let cms = "name: a\ntime_limit: 1\nmemory_limit: 256\n";
    for (name, text, right) in [
        (
            "init.yaml",
            "test_cases: [{in: 1.in, out: 1.out}]\n",
            "init.yml",
        ),
        ("Init.yml", "archive: a.zip\n", "init.yml"),
        ("task.yml", cms, "task.yaml"),
        ("judge.yml", "time_limit: 2\n", "judge.yaml"),
        (
            "config.yaml",
            "time_limit: 1000\nmemory_limit: 65536\n",
            "config.yml",
        ),
    ] {
        let list = [
            ("1.{in,out}", ""),
            (name, text),
            ("prog/a.cpp", ""),
            ("in/a1.in", ""),
        ];
        let error = complaint(&files(&list), "");
        let what = format!(
            "{name}: has another name than the format's file\n  help: rename it to `{right}`"
        );
        assert!(error.contains(&what), "{error}");
    }
    // Files of other programs.
    let list = [
        ("1.{in,out}", ""),
        ("init.yaml", "a: 1\n"),
        ("task.yml", "name: a\n"),
    ];
    assert_eq!(read(&list).1.format, "plain directory");
}

#[test]
fn an_error_about_missing_cases_says_what_was_left_out() {
    let dir = files(&[("1.out", "")]);
    std::os::unix::fs::symlink("/nowhere/1.in", dir.path().join("1.in")).unwrap();
    let error = complaint(&dir, "");
    assert!(
        error.contains("1.in: is a symbolic link that leads nowhere"),
        "{error}"
    );
}

#[test]
fn settings_beside_the_cases_are_read() {
    let settings = "name: A. Plant\nurl: https://example.org/a\ntime_limit: 1.5\nmemory_limit: 64\n\
                    tolerance: 1e-6\ninput: plant.in\noutput: plant.out\n";
    let (_dir, package) = read(&[
        ("judge.yaml", settings),
        ("test/1.in", ""),
        ("test/1.out", ""),
    ]);
    assert_eq!(package.name, "A. Plant");
    let limit = Duration::from_millis(1500);
    assert_eq!(package.limits.time, TimeLimit::Given(limit));
    assert_eq!(package.limits.memory, 64 << 20);
    assert_eq!(package.file_io.input.as_deref(), Some("plant.in"));
    assert_eq!(package.file_io.output.as_deref(), Some("plant.out"));
    assert_eq!(
        package.data.cases[0].validator_args,
        ["case_sensitive", "float_tolerance", "1e-6"]
    );
    let (_dir, package) = read(&[
        ("judge.yaml", "interactive: true\ninteractor: talk.py\n"),
        ("talk.py", ""),
        ("test/1.in", ""),
    ]);
    assert!(package.kind.interactive && package.validation.programs().next().is_some());
    assert!(package.data.cases[0].validator_args.is_empty());
    for (settings, what) in [
        ("time: 1\n", "judge.yaml:1:1: unknown key `time`"),
        ("time_limit: 0\n", "judge.yaml:1:13: "),
        ("interactor: none.py\n", "there is no file `none.py`"),
    ] {
        let error = complaint(&files(&[("judge.yaml", settings), ("1.in", "")]), "");
        assert!(error.contains(what), "{error}");
    }
    let error = complaint(&files(&[("judge.yaml", "interactive: true\n")]), "");
    assert!(
        error.contains("has no test case") && error.contains("the interactor's input"),
        "{error}"
    );
}

#[test]
fn cases_of_contestants_tools_are_read() {
    let compete = "---\ntype: Batch\ntimelimit: 2s\nmatch:\n  Float:\n    absolute_error: 1e-6\n\
                   cases:\n  - name: sample1\n    in: |\n      1 2\n    out: |\n      3\n  - name: big\n    in: |\n      5\nextend: []\n";
    let (_dir, package) = read(&[("testcases/a.yml", compete)]);
    assert_eq!(names(&package.data), ["big", "sample1"]);
    let [big, sample] = &package.data.cases[..] else {
        panic!("{:?}", package.data.cases);
    };
    assert!(sample.sample && big.answer.is_none());
    assert_eq!(fs::read_to_string(&sample.input).unwrap(), "1 2\n");
    assert_eq!(
        sample.validator_args,
        ["case_sensitive", "float_tolerance", "1e-6"]
    );
    assert_eq!(
        package.limits.time,
        TimeLimit::Given(Duration::from_secs(2))
    );
    let (_dir, package) = read(&[("testcases/a.yml", compete), ("testcases/b.yml", compete)]);
    assert_eq!(names(&package.data), ["a-1", "a-2", "b-1", "b-2"]);
    let problem = r#"{"name": "A", "interactive": false, "memoryLimit": 256, "timeLimit": 1500,
        "tests": [{"id": 7, "input": "1 2\n", "output": "3\n"}], "srcPath": "/home/me/sol.cpp"}"#;
    let (_dir, package) = read(&[
        ("sol.cpp", ""),
        (
            ".cph/.sol.cpp_0123456789abcdef0123456789abcdef.prob",
            problem,
        ),
    ]);
    assert_eq!(names(&package.data), ["sol-1"]);
    assert_eq!(package.limits.memory, 256 << 20);
    assert_eq!(
        package.limits.time,
        TimeLimit::Given(Duration::from_millis(1500))
    );
    let error = complaint(&files(&[(".cph/.sol.cpp_0.prob", "3\n1 2 3\n")]), "");
    assert!(error.contains(".sol.cpp_0.prob"), "{error}");
}

#[test]
fn a_tolerance_that_accepts_everything_is_reported() {
    for (tolerance, count) in [("1e6", 1), ("1e-6", 0)] {
        let settings = format!("tolerance: {tolerance}\n");
        let found = warnings(&[("1.{in,out}", ""), ("judge.yaml", &settings)]);
        assert_eq!(found.len(), count, "{found:?}");
        let yaml = format!(
            "type: Batch\nmatch: {{Float: {{absolute_error: {tolerance}}}}}\ncases: [{{in: '1', out: '2'}}, {{in: '2', out: '4'}}]\n"
        );
        // Once for a file, not for each of its cases.
        let found = warnings(&[("testcases/a.yml", &yaml)]);
        assert_eq!(found.len(), count, "{found:?}");
    }
}

#[test]
fn a_file_called_like_an_input_without_an_answer_is_named() {
    let found = warnings(&[("1.in", ""), ("1.zzz", ""), ("2.in", ""), ("2.zzz", "")]);
    assert_eq!(
        found,
        [
            "warning: 1.zzz: is not read as the answer to `1.in`\n  help: if it is the answer, give \
          it the ending `.out` or `.ans`"
        ]
    );
    for other in ["1.cpp", "1.hint", "1.txt.zip"] {
        assert_eq!(warnings(&[("1.in", ""), (other, "")]), [""; 0], "{other}");
    }
    assert_eq!(
        warnings(&[("1.in", ""), ("1.zzz", ""), ("2.{in,out}", "")]),
        found
    );
}

#[test]
fn what_a_program_wrote_is_no_answer_beside_one() {
    for (written, answer) in [
        ("1.out", "1.sol"),
        ("1.out", "1.std"),
        ("1.out", "1.a"),
        ("1.out", "1.correct.out"),
        ("1_out.txt", "1_ans.txt"),
    ] {
        let (_dir, package) = read(&[("1.in", ""), (written, "2"), (answer, "3")]);
        let found = package.data.cases[0].answer.as_ref().unwrap();
        assert!(found.ends_with(answer), "{written}, {answer}: {found:?}");
        assert!(package.findings.is_empty(), "{written}, {answer}");
    }
    for dir in ["expected", "answers"] {
        let answer = format!("{dir}/1.txt");
        let (_dir, package) = read(&[("input/1.txt", ""), ("output/1.txt", ""), (&answer, "")]);
        let found = package.data.cases[0].answer.as_ref().unwrap();
        assert!(found.ends_with(&answer), "{found:?}");
    }
    // Either may be the answer.
    for (other, count) in [("3", 1), ("2", 0)] {
        let found = warnings(&[("1.in", ""), ("1.out", "2"), ("1.res", other)]);
        assert_eq!(found.len(), count, "{found:?}");
        assert!(
            count == 0 || found[0].contains("1.res: is not read"),
            "{found:?}"
        );
    }
    assert_eq!(
        warnings(&[("1.in", ""), ("1.out", "2"), ("1.diff", "3")]),
        [""; 0]
    );
}

#[test]
fn directories_in_the_directory_of_cases_are_read_or_named() {
    let inside = ("tests/subtask2/1.{in,out}", "");
    let (_dir, package) = read(&[("tests/subtask1/{2,10}.{in,out}", ""), inside]);
    assert_eq!(
        names(&package.data),
        ["subtask1/2", "subtask1/10", "subtask2/1"]
    );
    let found = warnings(&[("tests/1.{in,out}", ""), inside]);
    assert_eq!(found.len(), 1);
    assert!(
        found[0].starts_with("warning: tests/subtask2: has cases that are not read"),
        "{found:?}"
    );
    // Folders of other problems beside a program.
    assert_eq!(
        warnings(&[("1.{in,out}", ""), ("b/1.{in,out}", "")]),
        [""; 0]
    );
    for (problem, count) in [("two/main.kt", 0), ("two/notes.md", 1), ("two.py", 0)] {
        let found = warnings(&[("1.{in,out}", ""), ("two/1.{in,out}", ""), (problem, "")]);
        assert_eq!(found.len(), count, "{problem}: {found:?}");
    }
    for other in ["2", "subtask2", "tests2", "mine"] {
        let inside = format!("{other}/2.{{in,out}}");
        let found = warnings(&[("test/1.{in,out}", ""), (&inside, "")]);
        let expected = format!("warning: {other}: has cases that are not read");
        assert!(
            found.len() == 1 && found[0].starts_with(&expected),
            "{other}: {found:?}"
        );
    }
}

#[test]
fn an_input_without_an_answer_is_known_by_the_others() {
    for (files, cases) in [
        ("in{1,2}.txt out1.txt", "in1+ in2"),
        (
            "test{1,2}.txt test1_expected.txt test2_expcted.txt",
            "test1+ test2",
        ),
        ("0{1,2} 01.a", "01+ 02"),
        ("{1,10,2024}.txt 1.out", "1+ 10"),
        ("tests/in0{1,2} tests/out01", "in01+ in02"),
        (
            "test/sample-in-{1,2}.txt test/sample-out-1.txt",
            "sample-in-1+ sample-in-2",
        ),
        ("{1,2}_in.txt 1_out.txt 3.txt", "1_in+ 2_in"),
        (
            "tests/{1,2}/input.txt tests/1/output.txt tests/2/otuput.txt",
            "1+ 2",
        ),
        (
            "tests/{1,2}/{input,output}.txt tests/2/{a,b,c,d,e}",
            "1+ 2+",
        ),
        (
            "test/in.txt test/out.txt test/sample.{in,out}",
            "in+ sample+",
        ),
        (
            "in/{a.1,a.2,README.md,Thumbs.db} out/{a.1,a.2}",
            "a.1+ a.2+",
        ),
        ("in/{1,big/2}.txt out/{1,big/2}.txt", "1+ big/2+"),
        ("{1,2}.txt {1,2}.{ok,png}", "1+ 2+"),
        ("test1 test1.out test2 test2.ans", "test1+ test2+"),
        ("1.in 1_sol.{in,out}", "1 1_sol+"),
        ("{1,1-sol,1.out}.{in,out}", "1+ 1-sol+ 1.out+"),
        ("input1.txt Output1.txt", "input1+"),
    ] {
        let files: Vec<(&str, &str)> = files.split(' ').map(|file| (file, "")).collect();
        let (_dir, package) = read(&files);
        let name = |case: &TestCase| {
            let mark = if case.answer.is_some() { "+" } else { "" };
            format!("{}{mark}", case.name)
        };
        let found: Vec<String> = package.data.cases.iter().map(name).collect();
        assert_eq!(found.join(" "), cases, "{files:?}");
    }
    for (input, other) in [("1", "1-sol"), ("key", "key.sol"), ("t", "t.in")] {
        let list = [input, other].map(|name| format!("{name}.{{in,out}}"));
        let list: Vec<(&str, &str)> = list.iter().map(|name| (name.as_str(), "")).collect();
        let (_dir, package) = read(&list);
        for case in &package.data.cases {
            let answer = case.answer.as_ref().unwrap();
            assert!(answer.ends_with(format!("{}.out", case.name)), "{answer:?}");
        }
    }
    // Beside a program these may be its own files.
    for (files, count) in [
        (["1.{in,out}", "input.txt", "output.txt"], 0),
        (["1.{in,out}", "input.txt", "expected.txt"], 1),
    ] {
        let found = warnings(&files.map(|file| (file, "")));
        assert_eq!(found.len(), count, "{found:?}");
    }
}

#[test]
fn a_directory_of_a_case_may_have_notes() {
    let (_dir, package) = read(&[
        ("tests/1/{in,out,explanation}.txt", ""),
        ("tests/2/{in,out}.txt", ""),
    ]);
    assert_eq!(names(&package.data), ["1", "2"]);
}

#[test]
fn further_cases_of_cargo_compete_are_read() {
    let suite = "type: Batch\ntimelimit: 2s\nmatch: Lines\ncases:\n- {name: a, in: '1', out: '2'}\n\
                 extend:\n- {type: Text, path: ./sol, in: /in/*.txt, out: /out/*.txt}\n";
    let file = ("testcases/sol.yml", suite);
    let (_dir, package) = read(&[file]);
    assert_eq!(names(&package.data), ["a"]);
    assert!(package.findings.is_empty());
    let (_dir, package) = read(&[file, ("testcases/sol/{in,out}/b.txt", "")]);
    assert_eq!(names(&package.data), ["a", "b"]);
    for (from, to, what) in [
        ("Lines", "{Checker: {cmd: x, shell: Bash}}", "is not run"),
        ("/in/*.txt", "/in/**/*.txt", "is not read"),
    ] {
        let found = warnings(&[("testcases/sol.yml", &suite.replace(from, to))]);
        assert!(found[0].contains(what), "{found:?}");
    }
    let (_dir, package) = read(&[
        ("testcases/sol.yml", "type: Interactive\ntimelimit: 2s\n"),
        ("testcases/1.in", ""),
    ]);
    assert_eq!(names(&package.data), ["1"]);
    let error = complaint(&files(&[("testcases/sol.yml", "type: Interactive\n")]), "");
    assert!(error.contains("add the interactor's input"), "{error}");
}

#[test]
fn limits_and_files_of_cph_belong_to_their_program() {
    let problem = |time: &str, input: &str| {
        format!(
            "{{\"timeLimit\": {time}, \"memoryLimit\": 64, \"interactive\": false, \"input\": {input}, \
             \"tests\": [{{\"input\": \"1\", \"output\": \"2\"}}]}}"
        )
    };
    let usual = problem("3000", "{\"type\": \"stdin\"}");
    let (_dir, package) = read(&[
        (".cph/.a.cpp_01.prob", &*problem("1000", "{}")),
        (".cph/.b.cpp_02.prob", &*usual),
    ]);
    let limits = package.data.cases.iter().map(|case| case.time_limit);
    let seconds = |seconds| Some(Duration::from_secs(seconds));
    assert_eq!(limits.collect::<Vec<_>>(), [seconds(1), seconds(3)]);
    assert_eq!(package.data.cases[0].memory_limit, Some(64 << 20));
    let file = problem("0", "{\"type\": \"file\", \"fileName\": \"sum.in\"}");
    let (_dir, package) = read(&[(".cph/.a.cpp_01.prob", &*file)]);
    assert_eq!(package.file_io.input.as_deref(), Some("sum.in"));
    // No time limit.
    assert_eq!(package.limits.time.fixed(), seconds(10));
}

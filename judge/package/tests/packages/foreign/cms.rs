//! Tasks of the Contest Management System.

use super::{all_names, files, read};
use crate::files::complaint;
use judge_package::{
    Aggregation, BuiltinChecker, DmojKind, SubmittedOutput, Validator, ValidatorProtocol,
};
use std::time::Duration;

const TASK: (&str, &str) = (
    "task.yaml",
    "name: sum\ntitle: Sum of two\ntime_limit: 1.5\nmemory_limit: 256\nn_input: 3\ninfile: ''\noutfile: ''\n\
     public_testcases: '0'\ntoken_mode: disabled\n",
);
const DATA: [(&str, &str); 2] = [
    ("input/input{0,1,2}.txt", "1\n"),
    ("output/output{0,1,2}.txt", "2\n"),
];

#[test]
fn subtasks_are_those_of_gen() {
    let generation = "# the samples\n#ST: 0\n#COPY: a.in\n\n#ST: 100\n10 20 # random\n20 30\n";
    let list = [&[TASK, ("gen/GEN", generation)][..], &DATA].concat();
    let (_dir, package) = read(&list);
    assert_eq!(
        (package.format, package.name.as_str()),
        ("CMS", "Sum of two")
    );
    assert_eq!(
        package.limits.time.fixed(),
        Some(Duration::from_millis(1500))
    );
    assert_eq!(package.limits.memory, 256 << 20);
    assert_eq!(
        (&package.file_io.input, &package.file_io.output),
        (&None, &None)
    );
    assert_eq!(
        all_names(&package),
        ["subtask0/0", "subtask1/1", "subtask1/2"]
    );
    let second = &package.data.groups[1];
    assert_eq!(
        (second.aggregation, second.max_score),
        (Aggregation::Min, Some(100.0))
    );
    assert!(package.cases()[0].sample && !package.cases()[1].sample);
    let checker = Validator::Builtin(BuiltinChecker::Standard);
    assert_eq!(package.validation.validators(), [checker]);

    let task = TASK.1.replace("n_input: 3", "n_input: 2");
    let (_dir, package) = read(&[&[("task.yaml", task.as_str())][..], &DATA].concat());
    let found: Vec<String> = package.findings.iter().map(ToString::to_string).collect();
    assert!(
        found.len() == 1 && found[0].contains("task.yaml:5:10: says 2 test cases, and there are 3"),
        "{found:?}"
    );
    assert!(package.findings[0].concerns_runs);

    let wrong = [&[TASK, ("gen/GEN", "#ST: 100\n1\n")][..], &DATA].concat();
    let error = complaint(&files(&wrong), "");
    assert!(
        error.contains("gen/GEN: lists 1 test cases, and there are 3"),
        "{error}"
    );
    let wrong = [&[TASK, ("gen/GEN", "#ST: many\n1\n")][..], &DATA].concat();
    let error = complaint(&files(&wrong), "");
    assert!(
        error.contains("gen/GEN:1:1: `many` is not a number of points"),
        "{error}"
    );
}

#[test]
fn points_are_those_of_the_score_type() {
    let with = |lines: &str| {
        let task = format!("name: sum\ntime_limit: 1\n{lines}");
        let list = [&[("task.yaml", task.as_str())][..], &DATA].concat();
        read(&list).1
    };
    let sum = with("");
    assert_eq!(sum.cases()[0].score, Some(100.0 / 3.0));
    // The names of files if the task gives none.
    assert_eq!(sum.file_io.input.as_deref(), Some("input.txt"));
    let sum = with("score_type: Sum\nscore_type_parameters: 5\n");
    assert_eq!(sum.cases()[0].score, Some(5.0));
    let groups = with("score_type: GroupMin\nscore_type_parameters: [[30, 1], [70, '00[12]']]\n");
    assert_eq!(
        all_names(&groups),
        ["subtask0/0", "subtask1/1", "subtask1/2"]
    );
    assert_eq!(groups.data.groups[1].max_score, Some(70.0));

    // A number in quotes is a pattern, not a number of cases.
    let groups = with("score_type: GroupMin\nscore_type_parameters: [[30, '000'], [70, '002']]\n");
    assert_eq!(all_names(&groups), ["subtask0/0", "subtask1/2"]);
    let [finding] = &groups.findings[..] else {
        panic!("one finding, not {:?}", groups.findings);
    };
    let text = finding.to_string();
    assert!(
        text.contains("input/input1.txt: is in no subtask"),
        "{text}"
    );
    for (lines, what) in [
        (
            "score_type: GroupMin\nscore_type_parameters: [[30, '0'], [70, '1']]\n",
            "task.yaml:4:41: no test case has a name that matches `1`",
        ),
        (
            "memory_limt: 256\n",
            "task.yaml:3:1: unknown key `memory_limt`",
        ),
    ] {
        let task = format!("name: sum\ntime_limit: 1\n{lines}");
        let list = [&[("task.yaml", task.as_str())][..], &DATA].concat();
        let error = complaint(&files(&list), "");
        assert!(error.contains(what), "{error}");
    }

    let task = (
        "task.yaml",
        "name: a\ntime_limit: 1\nscore_type: GroupMul\n",
    );
    let error = complaint(&files(&[&[task][..], &DATA].concat()), "");
    assert!(
        error.contains("task.yaml:3:13: the score type `GroupMul` is not judged"),
        "{error}"
    );
}

#[test]
fn programs_are_found_in_check_and_sol() {
    let list = [
        TASK,
        ("check/checker.cpp", "int main() {}\n"),
        ("sol/solution.cpp", "int main() {}\n"),
        ("sol/slow.py", ""),
        ("sol/grader.cpp", ""),
        ("sol/sum.h", ""),
    ];
    let (_dir, package) = read(&[&list[..], &DATA].concat());
    let [Validator::Program { protocol, .. }] = package.validation.validators() else {
        panic!("a program, not {:?}", package.validation);
    };
    assert!(matches!(
        protocol,
        ValidatorProtocol::Dmoj {
            kind: DmojKind::Cms,
            ..
        }
    ));
    let names: Vec<&str> = package
        .submissions
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    assert_eq!(names, ["sol/slow.py", "accepted/solution.cpp"]);
    let include = package.include.expect("the grader");
    assert!(include.join("cpp/grader.cpp").is_file() && include.join("cpp/sum.h").is_file());

    let manager = ("check/manager.cpp", "");
    let error = complaint(&files(&[&[TASK, manager][..], &DATA].concat()), "");
    assert!(
        error.contains("tasks of type Communication are not judged"),
        "{error}"
    );
}

#[test]
fn the_output_may_be_submitted() {
    let task = ("task.yaml", "name: a\ntime_limit: 1\noutput_only: true\n");
    let (_dir, package) = read(&[&[task][..], &DATA].concat());
    assert!(package.kind.submit_answer);
    let expected = SubmittedOutput::File("output_001.txt".to_owned());
    assert_eq!(package.cases()[1].submitted, expected);
    let error = complaint(&files(&[TASK]), "");
    assert!(
        error.contains("input: has no test case\n  help: generate the data with `cmsMake`"),
        "{error}"
    );
}

//! Hydro: names of files, order, subtasks, submitted files, Vijos' configuration.

use super::{all_names, files, names, read};
use crate::files::complaint;
use judge_package::{
    Aggregation, SubmittedOutput, TestCase, TimeLimit, Validator, ValidatorProtocol,
};
use std::fs;
use std::path::Path;
use std::time::Duration;

#[test]
fn cases_are_found_by_the_names_of_files() {
    // A leftover input without a number is ignored; one with a number causes a finding.
    let (_dir, package) = read(&[
        ("config.yaml", "time: 2s\n"),
        ("input{1,10,2}.in", ""),
        ("output{1,10,2}.out", ""),
        ("sample.in", ""),
        ("3.in", ""),
    ]);
    assert_eq!(all_names(&package), ["input1", "input2", "input10"]);
    let [finding] = &package.findings[..] else {
        panic!("one finding, not {:?}", package.findings);
    };
    assert!(
        finding
            .to_string()
            .contains("3.in: the input has no output")
    );
    let (_dir, package) = read(&[
        ("config.yaml", "noOutputFile: true\nchecker: c.cpp\n"),
        ("c.cpp", ""),
        ("{1,2}.in", ""),
    ]);
    let cases = package.cases();
    assert!(cases.len() == 2 && cases.iter().all(|case| case.answer.is_none()));
}

#[test]
fn subtasks_and_cases_are_sorted_by_id() {
    let (_dir, package) = read(&[
        (
            "config.yaml",
            "subtasks:\n- {id: 3, score: 30, if: [1, 2], cases: [{input: 2.in, output: 2.out}]}\n\
             - {id: 2, score: 20, cases: [{input: 2.in, output: 2.out}]}\n\
             - {id: 1, score: 50, cases: [{id: 2, input: 2.in, output: 2.out}, {id: 1, input: 1.in, output: 1.out}]}\n",
        ),
        ("{1,2}.{in,out}", ""),
    ]);
    let expected = ["subtask1/1", "subtask1/2", "subtask2/2", "subtask3/2"];
    assert_eq!(all_names(&package), expected);
    assert_eq!(package.data.groups[2].requires, ["subtask1", "subtask2"]);
    assert_eq!(package.data.groups[0].max_score, Some(50.0));
}

#[test]
fn files_that_are_not_named_are_empty() {
    let (_dir, package) = read(&[
        (
            "config.yaml",
            "cases: [{input: data/1.in}, {output: 1.out}, {}]\n",
        ),
        ("1.{in,out}", "1\n"),
    ]);
    let texts = |case: &TestCase| {
        let read = |path: &Path| fs::read_to_string(path).unwrap();
        [read(&case.input), read(case.answer.as_deref().unwrap())]
    };
    let texts: Vec<_> = package.cases().into_iter().map(texts).collect();
    assert_eq!(texts, [["1\n", ""], ["", "1\n"], ["", ""]]);
    assert_eq!(all_names(&package), ["data/1", "1", "3"]);
}

#[test]
fn a_configuration_of_vijos() {
    let list = "2\n1.in|1.out|1|30\n2.in|2.out|0.5|70|65536|\n";
    let data = [("Input/{1,2}.in", ""), ("Output/{1,2}.out", "")];
    let (_dir, package) = read(&[&[("Config.ini", list)][..], &data].concat());
    let second = package.cases()[1];
    assert_eq!((package.format, second.score), ("Hydro", Some(70.0)));
    assert_eq!(second.time_limit, Some(Duration::from_millis(500)));
    assert_eq!(second.memory_limit, Some(64 << 20));
    for (list, message) in [
        (
            "3\n1.in|1.out|1|30\n",
            "1:1: lists 1 cases, and says that there are 3",
        ),
        ("1\n1.in|3.out|1|30\n", "2:1: there is no file `3.out`"),
        (
            "1\n1.in|1.out|x|30\n",
            "2:1: is not `INPUT|OUTPUT|SECONDS|POINTS|KIB`",
        ),
    ] {
        let wrong = files(&[&[("config.ini", list)][..], &data].concat());
        let found = complaint(&wrong, "");
        assert!(
            found.starts_with(&format!("config.ini:{message}")),
            "{found}"
        );
    }
}

#[test]
fn a_package_names_the_submitted_files() {
    let submitted = |config: &str| {
        let config = format!(
            "type: submit_answer\n{config}cases: [{{input: 1.in, output: 1.out}}, {{id: 7, input: 1.in, output: 1.out}}]\n"
        );
        let (_dir, package) = read(&[("config.yaml", &config), ("1.{in,out}", " a/b.txt\n")]);
        let cases = package.cases().into_iter();
        cases.map(|case| case.submitted.clone()).collect::<Vec<_>>()
    };
    let file = |name: &str| SubmittedOutput::File(name.to_owned());
    assert_eq!(
        submitted("filename: a#.txt\n"),
        [SubmittedOutput::Whole, SubmittedOutput::Whole]
    );
    let multi = submitted("subType: multi\nfilename: a#.txt\n");
    assert_eq!(multi, [file("a1.txt"), file("a7.txt")]);
    // Hydro ignores a name with other characters.
    let multi = submitted("subType: multi\nfilename: a/#.txt\n");
    assert_eq!(multi, [file("ab.txt"), file("ab.txt")]);
}

#[test]
fn hydro_subtasks_checkers_and_exports() {
    let config = "type: default\ntime: 1500ms\nmemory: 64m\nchecker_type: testlib\n\
                  checker: chk.cpp\nsubtasks:\n\
                  - {score: 40, type: sum, cases: [{input: 1.in, output: 1.out}, {input: 2.in, output: 2.out}]}\n\
                  - {score: 60, type: min, if: [1], time: 3s, cases: [{input: 3.in, output: 3.out}]}\n";
    let (_dir, package) = read(&[
        ("problem.yaml", "pid: P1\ntitle: Two sums\n"),
        ("testdata/config.yaml", config),
        ("testdata/chk.cpp", ""),
        ("testdata/{1,2,3}.{in,out}", ""),
    ]);
    assert_eq!(package.format, "Hydro");
    assert_eq!(package.name, "Two sums");
    assert_eq!(
        package.limits.time,
        TimeLimit::Given(Duration::from_millis(1500))
    );
    assert_eq!(package.limits.memory, 64 << 20);
    assert_eq!(package.data.groups[0].cases[1].score, Some(20.0));
    assert_eq!(package.data.groups[1].requires, ["subtask1"]);
    assert_eq!(
        package.data.groups[1].cases[0].time_limit,
        Some(Duration::from_secs(3))
    );
    // Without cases in the configuration, the pairs of files are the cases.
    let (_dir, package) = read(&[("config.yaml", "time: 2s\n"), ("1.{in,out}", "")]);
    assert_eq!(package.data.cases[0].score, Some(100.0));
}

#[test]
fn hydro_subtasks_are_found_by_the_names_of_files() {
    let data = [("1-{1,2}.{in,out}", ""), ("2-1.{in,out}", "")];
    let list = |config| [("config.yaml", config)].into_iter().chain(data);
    let (_dir, package) = read(&list("time: 2s\n").collect::<Vec<_>>());
    let [first, second] = &package.data.groups[..] else {
        panic!("two subtasks, not {:?}", package.data);
    };
    assert_eq!(names(first), ["subtask1/1-1", "subtask1/1-2"]);
    assert_eq!(first.aggregation, Aggregation::Min);
    assert_eq!([first.max_score, second.max_score], [Some(50.0); 2]);
    assert_eq!(first.cases[1].score, Some(50.0));
    // Subtasks without cases have the settings of those.
    let config = "subtasks:\n- {id: 1, score: 30, type: sum, time: 3s}\n- {id: 2, if: [1]}\n";
    let (_dir, package) = read(&list(config).collect::<Vec<_>>());
    let [first, second] = &package.data.groups[..] else {
        panic!("two subtasks, not {:?}", package.data);
    };
    assert_eq!(first.cases[0].score, Some(15.0));
    assert_eq!(first.cases[0].time_limit, Some(Duration::from_secs(3)));
    assert_eq!(second.max_score, Some(70.0));
    assert_eq!(second.requires, ["subtask1"]);
}

#[test]
fn hydro_cases_override_the_settings_of_their_subtask() {
    let (_dir, package) = read(&[
        (
            "config.yaml",
            "time: 2s\nmemory: 64m\nchecker: {file: c.cpp, lang: cc}\nchecker_type: kattis\n\
             subtasks:\n- time: 500ms\n  type: sum\n  cases:\n  \
             - {input: 1.in, output: /dev/null, score: 3, memory: 1m}\n",
        ),
        ("c.cpp", ""),
        ("1.in", ""),
    ]);
    let limits = &package.limits;
    assert_eq!(limits.time, TimeLimit::Given(Duration::from_secs(2)));
    assert_eq!(limits.memory, 64 << 20);
    assert!(matches!(
        &package.validation.validators()[0],
        Validator::Program { path, protocol: ValidatorProtocol::Icpc } if path.ends_with("c.cpp")
    ));
    let [subtask] = &package.data.groups[..] else {
        panic!("one subtask, not {:?}", package.data.groups);
    };
    assert_eq!(subtask.name, "subtask1");
    assert_eq!(subtask.aggregation, Aggregation::Sum);
    let case = &subtask.cases[0];
    assert_eq!((&*case.name, case.score), ("subtask1/1", Some(3.0)));
    assert!(case.answer.is_none());
    assert_eq!(case.time_limit, Some(Duration::from_millis(500)));
    assert_eq!(case.memory_limit, Some(1 << 20));
}

#[test]
fn hydro_subtasks_require_earlier_subtasks() {
    let complaint_of = |first: &str, second: &str| {
        let cases = "cases: [{input: 1.in, output: 1.out}]";
        let config = format!(
            "subtasks:\n- {{score: 40, {first}{cases}}}\n- {{score: 60, {second}{cases}}}\n"
        );
        complaint(&files(&[("config.yaml", &*config), ("1.{in,out}", "")]), "")
    };
    let of_second = |id| {
        format!(
            "config.yaml:3:23: `{id}` is not the `id` of an earlier subtask\n  help: it can be `1`"
        )
    };
    assert_eq!(complaint_of("", "if: [1, 3], "), of_second(3));
    assert_eq!(complaint_of("", "if: [1, 2], "), of_second(2));
    assert_eq!(
        complaint_of("if: [2], ", ""),
        "config.yaml:2:20: `2` is not the `id` of an earlier subtask\n  \
         help: remove it: there is nothing that it can be"
    );
    assert_eq!(
        complaint_of("id: 2, ", ""),
        "config.yaml:3:3: two subtasks have the `id` 2\n  help: give each subtask an `id` of its own"
    );
}

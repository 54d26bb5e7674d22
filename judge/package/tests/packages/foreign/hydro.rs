//! Hydro: names of files, order, submitted files, Vijos' configuration.

use super::{all_names, files, read};
use crate::files::complaint;
use judge_package::{SubmittedOutput, TestCase};
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

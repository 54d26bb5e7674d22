//! Features of packages beyond an input and an answer, by `judge run`.

mod dmoj;
mod dmoj_checkers;
mod dmoj_python;
mod foreign;
mod hydro;
mod icpc;
mod polygon;
mod scoring;
mod standards;
mod tools;

use crate::common::{Bench, events, run};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Result of a run of the judge.
struct RunResult {
    /// Each case's name, verdict and message.
    cases: Vec<(String, String, String)>,
    /// The verdict of the submission.
    verdict: String,
    /// Its points.
    score: Option<f64>,
    /// Further messages about it: of a compiler or a grader.
    said: String,
}

impl RunResult {
    /// The verdicts of the cases, in the order of their names.
    fn verdicts(&self) -> Vec<(&str, &str)> {
        let mut list: Vec<(&str, &str)> = self
            .cases
            .iter()
            .map(|(case, verdict, _)| (case.as_str(), verdict.as_str()))
            .collect();
        list.sort_unstable();
        list
    }
}

/// Checks the verdict and the points.
fn is(result: &RunResult, verdict: &str, score: f64) {
    let found = (result.verdict.as_str(), result.score);
    assert_eq!(
        found,
        (verdict, Some(score)),
        "{:?} {}",
        result.cases,
        result.said
    );
}

/// `judge run PACKAGE -s SUBMISSION`.
fn judged(bench: &Bench, package: &Path, submission: &Path) -> RunResult {
    judged_with(bench, package, submission, &[])
}

fn judged_with(bench: &Bench, package: &Path, submission: &Path, args: &[&str]) -> RunResult {
    let output = run(bench, package, submission)
        .args(["--format", "json"])
        .args(args)
        .output()
        .expect("the judge runs");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut result = RunResult {
        cases: Vec::new(),
        verdict: String::new(),
        score: None,
        said: String::from_utf8_lossy(&output.stderr).into_owned(),
    };
    for event in events(&output.stdout) {
        match event["event"].as_str() {
            Some("case_finished") => result.cases.push((
                text(&event["case"]),
                text(&event["verdict"]),
                text(&event["message"]),
            )),
            Some("compile_finished") => result.said += &text(&event["message"]),
            Some("submission_finished") => {
                result.verdict = text(&event["verdict"]);
                result.score = event["score"].as_f64();
                result.said += &text(&event["message"]);
            }
            _ => {}
        }
    }
    result
}

/// A package in `p/`, with `problem.yaml` of this version and these further lines.
fn package(bench: &Bench, version: &str, yaml: &str, files: &[(&str, &str)]) -> PathBuf {
    bench.write(
        "p/problem.yaml",
        &format!("problem_format_version: {version}\nname: P\n{yaml}"),
    );
    bench.write_all("p", files)
}

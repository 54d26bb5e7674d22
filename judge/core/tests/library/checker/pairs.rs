//! Built-in comparisons against the decisions of the original programs.
//!
//! `pairs/make.py` draws answers and outputs, runs testlib's checkers, DMOJ's functions and Hydro's
//! script over them, and prints `pairs/table.txt`. A character of a text is a byte.

use judge_core::checker::{CheckFault, Judgement, Outcome, Score, builtin, testlib};
use judge_package::{BuiltinChecker, FloatMode, TestlibChecker};
use std::collections::BTreeSet;

fn floats(tolerance: f64, mode: FloatMode) -> BuiltinChecker {
    BuiltinChecker::Floats { tolerance, mode }
}

fn builtin_checker(name: &str) -> BuiltinChecker {
    match name {
        "dmoj standard" => BuiltinChecker::Standard,
        "dmoj easy" => BuiltinChecker::Easy,
        "dmoj identical" => BuiltinChecker::Identical { presentation: true },
        "dmoj linecount" => BuiltinChecker::Linecount,
        "dmoj rstripped" => BuiltinChecker::EveryLine { blank: true },
        "dmoj rstripped-filter" => BuiltinChecker::EveryLine { blank: false },
        "dmoj sorted" => BuiltinChecker::Sorted { lines: true },
        "dmoj sorted-whitespace" => BuiltinChecker::Sorted { lines: false },
        "dmoj unordered" => BuiltinChecker::Unordered,
        "dmoj floats" => floats(1e-6, FloatMode::Either),
        "dmoj floatsabs" => floats(1e-6, FloatMode::Absolute),
        "dmoj floatsrel" => floats(1e-6, FloatMode::Relative),
        "dmoj floats-0" => floats(1.0, FloatMode::Either),
        "hydro default" => BuiltinChecker::HydroLines { strict: false },
        "hydro strict" => BuiltinChecker::HydroLines { strict: true },
        other => panic!("{other}"),
    }
}

fn decision(name: &str, answer: &[u8], output: &[u8]) -> String {
    let outcome: Result<Outcome, CheckFault> = match name.strip_prefix("testlib ") {
        Some(name) => testlib::check(output, answer, TestlibChecker::named(name).unwrap()),
        None => Ok(builtin::check(output, answer, builtin_checker(name)).unwrap()),
    };
    match outcome.map(|outcome| (outcome.judgement, outcome.score)) {
        Ok((_, Some(Score::Points(points) | Score::Multiplier(points)))) => points.to_string(),
        Ok((Judgement::Accepted, None)) => "AC".to_owned(),
        Ok((Judgement::Rejected, None)) => "WA".to_owned(),
        Ok((Judgement::PresentationError, None)) => "PE".to_owned(),
        Err(CheckFault::Case(_)) => "JE".to_owned(),
        Err(fault) => panic!("{fault}"),
    }
}

#[test]
fn decisions_are_those_of_the_original_programs() {
    let bytes = |text: &str| -> Vec<u8> { text.chars().map(|c| c as u8).collect() };
    let (mut names, mut wrong) = (BTreeSet::new(), Vec::new());
    for line in include_str!("pairs/table.txt").lines() {
        let [name, expected, answer, output]: [String; 4] = serde_json::from_str(line).unwrap();
        let found = decision(&name, &bytes(&answer), &bytes(&output));
        let same = match (found.parse::<f64>(), expected.parse::<f64>()) {
            (Ok(found), Ok(expected)) => found == expected,
            _ => found == expected,
        };
        if !same {
            wrong.push(format!("{found}: {line}"));
        }
        names.insert(name);
    }
    assert_eq!(wrong, [""; 0], "{}", wrong.join("\n"));
    assert_eq!(names.len(), TestlibChecker::ALL.len() + 15);
}

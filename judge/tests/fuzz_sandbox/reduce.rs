//! Minimises a finding: to the hostile program before it, and to the fewest calls that reproduce
//! it.

use std::process::Command;

use crate::mode::Place;
use crate::package::{Case, Plan};
use crate::program;
use crate::watch::{self, Finding};

/// Number of a program's last calls to print.
const SHOWN: usize = 12;

/// Adds the minimal reproduction to the first finding, if the hostile program and the failing case
/// alone reproduce it.
pub fn explain(place: &Place, plan: &Plan, mut findings: Vec<Finding>) -> Vec<Finding> {
    let Some((k, what)) = findings
        .iter_mut()
        .find_map(|finding| Some((finding.case?, &mut finding.what)))
    else {
        return findings;
    };
    let Some(first) = (0..=k).rev().find(|&i| !plan.cases[i].is_innocent()) else {
        return findings;
    };
    let pair = Plan {
        cases: plan.cases[first..=k].to_vec(),
        jobs: 1,
        interactive: plan.interactive,
    };
    match smallest(place, &pair) {
        None => what.push_str("\nnot reproduced with only the program before it; the whole run:"),
        Some(calls) => {
            let hostile = pair.cases[0].with_calls(calls);
            let listed = list(place, &hostile);
            what.push_str(&format!(
                "\nafter `{}`, whose last calls are\n{listed}",
                hostile.line()
            ));
        }
    }
    findings
}

/// The fewest calls that reproduce a finding, by bisection. Exact if a single call causes it.
fn smallest(place: &Place, pair: &Plan) -> Option<u64> {
    let reproduces = |calls: u64| {
        let mut plan = pair.clone();
        plan.cases[0] = plan.cases[0].with_calls(calls);
        !watch::judge(place, &plan).findings.is_empty()
    };
    let mut enough = pair.cases[0].calls();
    if !reproduces(enough) {
        return None;
    }
    let mut too_few = 0;
    while too_few + 1 < enough {
        let middle = too_few + (enough - too_few) / 2;
        if reproduces(middle) {
            enough = middle;
        } else {
            too_few = middle;
        }
    }
    Some(enough)
}

/// Lists the last calls of a program, without making them.
fn list(place: &Place, case: &Case) -> String {
    let output = Command::new(program(place))
        .args(["list", &case.seed.to_string(), &case.calls().to_string()])
        .output();
    let text = output.map_or_else(
        |e| e.to_string(),
        |o| String::from_utf8_lossy(&o.stdout).into_owned(),
    );
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(SHOWN)..].join("\n")
}

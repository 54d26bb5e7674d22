//! Submissions, and what `submissions.yaml` says of them.

use crate::output::Output;
use crate::problem::Problem;
use crate::submissions::Expected;
use crate::targets::icpc::{SubmissionNames, keeps_names, write_submission};
use crate::yaml::{YamlLines, quoted};
use judge_package::{PackageError, PackagedSubmission, Rule, TimeLimitUse, Verdict};
use std::fmt::Write;

pub fn write_submissions(problem: &Problem<'_>, out: &mut Output) -> Result<(), PackageError> {
    let (mut names, keeps_names) = (SubmissionNames::default(), keeps_names(problem));
    let mut yaml = String::new();
    for submission in &problem.package.submissions {
        let class = Expected::of(submission);
        if class == Expected::CompileError {
            out.leaves_out(format!(
                "the submission `{}`: it must not compile",
                submission.name
            ));
            continue;
        }
        let dir = directory(submission, class);
        let path = names.take(dir.unwrap_or("mixed"), submission);
        write_submission(problem, submission, &format!("submissions/{path}"), out)?;
        if !keeps_names && submission.rules.iter().any(|rule| rule.scope.is_some()) {
            let what = format!("what `{}` must get in single groups", submission.name);
            out.leaves_out(format!("{what}, whose names change"));
        }
        let scoring = problem.package.kind.scoring;
        let entry = entry(submission, dir.is_none(), scoring, keeps_names);
        if !entry.is_empty() {
            let _ = write!(yaml, "{}:\n{entry}", quoted(&path));
        }
    }
    match yaml.is_empty() {
        true => Ok(()),
        false => out.write("submissions/submissions.yaml", yaml),
    }
}

/// The directory whose default expectation is that of the submission. The verdict that version legacy expects of the
/// whole submission is expected of its cases.
fn directory(submission: &PackagedSubmission, class: Expected) -> Option<&'static str> {
    let (dir, usual) = class.directory_2025()?;
    let whole = &submission.expected;
    let is_default = whole.permitted == usual.permitted && whole.required == usual.required;
    let is_conventional =
        !whole.outcome.is_empty() || class == Expected::Accepted && whole.score.is_none();
    (is_default || is_conventional).then_some(dir)
}

/// The entry of a submission in `submissions.yaml`. `with_verdicts`: the directory does not imply its verdicts;
/// `keeps_names`: rules for single groups name them as the result does.
fn entry(
    submission: &PackagedSubmission,
    with_verdicts: bool,
    scoring: bool,
    keeps_names: bool,
) -> String {
    let (mut text, whole) = (String::new(), &submission.expected);
    if let Some(language) = &submission.language {
        text.line(2, "language", language);
    }
    if let Some(entry_point) = &submission.entry_point {
        text.line(2, "entrypoint", entry_point);
    }
    if with_verdicts {
        let mut permitted = codes(&whole.permitted);
        let required = codes(&whole.required);
        if permitted.is_empty() && required.is_empty() {
            permitted = match whole.outcome.is_empty() {
                true => vec!["AC", "WA", "TLE", "RTE"],
                false => codes(&whole.outcome),
            };
        }
        verdict_lists(&mut text, 2, &permitted, &required);
    }
    if let Some(score) = whole.score.filter(|_| scoring) {
        scores(&mut text, 2, score);
    }
    for rule in &submission.rules {
        match &rule.scope {
            None => further(&mut text, 2, rule),
            Some(_) if !keeps_names => {}
            Some(scope) => {
                let _ = writeln!(text, "  {}:", quoted(scope));
                let (permitted, required) = (
                    codes(&rule.expected.permitted),
                    codes(&rule.expected.required),
                );
                verdict_lists(&mut text, 4, &permitted, &required);
                if let Some(score) = rule.expected.score {
                    scores(&mut text, 4, score);
                }
                further(&mut text, 4, rule);
            }
        }
    }
    text
}

fn verdict_lists(text: &mut String, indent: usize, permitted: &[&str], required: &[&str]) {
    for (key, list) in [("permitted", permitted), ("required", required)] {
        if !list.is_empty() {
            let _ = writeln!(text, "{:indent$}{key}: [{}]", "", list.join(", "));
        }
    }
}

fn scores(text: &mut String, indent: usize, (least, most): (f64, f64)) {
    if least.is_finite() && most.is_finite() {
        let _ = writeln!(text, "{:indent$}score: [{least}, {most}]", "");
    }
}

fn further(text: &mut String, indent: usize, rule: &Rule) {
    if let Some(message) = &rule.message {
        text.line(indent, "message", message);
    }
    let bound = match rule.time_limit_use {
        Some(TimeLimitUse::No) if rule.expected.outcome.is_empty() => "false",
        Some(TimeLimitUse::Lower) => "lower",
        Some(TimeLimitUse::Upper) => "upper",
        _ => return,
    };
    let _ = writeln!(text, "{:indent$}use_for_time_limit: {bound}", "");
}

/// The codes for these verdicts, each once. The format has four codes; the other verdicts count as one of them.
fn codes(verdicts: &[Verdict]) -> Vec<&'static str> {
    let mut codes = Vec::new();
    for verdict in verdicts {
        let code = match verdict {
            Verdict::Accepted | Verdict::PartiallyAccepted => "AC",
            Verdict::WrongAnswer | Verdict::PresentationError => "WA",
            Verdict::TimeLimitExceeded => "TLE",
            _ => "RTE",
        };
        if !codes.contains(&code) {
            codes.push(code);
        }
    }
    codes
}

//! The solutions and their expected outcomes.

use super::programs::language;
use super::{matching, path_of, plain};
use crate::builder::PackageBuilder;
use crate::error::PackageError;
use crate::input::yaml::Node;
use crate::model::{Expectation, PackagedSubmission, Rule};
use crate::verdict::Verdict::{
    Accepted, CompileError, JudgeError, MemoryLimitExceeded, OutputLimitExceeded, RunTimeError,
    TimeLimitExceeded, WrongAnswer,
};
use std::path::PathBuf;

/// The result of reading the solutions that the tests need.
pub(super) struct Solutions {
    /// The solution that makes the answers: the first one, if it must be accepted.
    pub(super) main: Option<PathBuf>,
}

/// Adds the solutions.
pub(super) fn read(builder: &mut PackageBuilder, yaml: &Node) -> Result<Solutions, PackageError> {
    let mut main = None;
    for (number, node) in yaml.list("solutions")?.iter().enumerate() {
        let outcome = node.optional("outcome", expectation)?.unwrap_or_default();
        let rules = rules(node, outcome.clone(), yaml)?;
        let is_accepted = outcome == Expectation::accepted();
        let pattern = path_of(node)?;
        let files = matching(builder, pattern)?;
        if files.is_empty() && !pattern.text()?.contains(['*', '?']) {
            let what = format!("there is no file `{}`", pattern.text()?);
            builder
                .tree
                .error(pattern.error(what).remedy("add it, or remove the entry"));
        }
        for name in files {
            let path = builder.tree.dir.file(&name)?.into_path();
            // The first entry that matches a file counts.
            if builder
                .package
                .submissions
                .iter()
                .any(|known| known.path == path)
            {
                continue;
            }
            if number == 0 && is_accepted && main.is_none() {
                main = Some(path.clone());
            }
            let base = name.rsplit('/').next().unwrap_or(&name);
            let expected = rules.first().map(|rule| rule.expected.clone());
            builder.package.submissions.push(PackagedSubmission {
                path,
                name: match is_accepted {
                    true => format!("accepted/{base}"),
                    false => name.clone(),
                },
                language: language(node)?,
                expected: expected.unwrap_or_default(),
                rules: rules.clone(),
                ..PackagedSubmission::default()
            });
        }
    }
    Ok(Solutions { main })
}

/// The expectation about all tests, and those about single groups.
fn rules(node: &Node, outcome: Expectation, yaml: &Node) -> Result<Vec<Rule>, PackageError> {
    let mut whole = Rule {
        expected: outcome,
        ..Rule::default()
    };
    if let Some(score) = node.get("score") {
        let bound = |node: &Node, other: f64| match node.is_null() {
            true => Ok(other),
            false => node.number(),
        };
        whole.expected.score = Some(match score.items() {
            Ok([low, high]) => (bound(low, 0.0)?, bound(high, 1e9)?),
            Ok(_) => return Err(score.error("is neither a number of points nor two bounds")),
            Err(_) => (score.number()?, score.number()?),
        });
    }
    let mut rules = vec![whole];
    let Some(groups) = node.get("outcomePerGroup") else {
        return Ok(rules);
    };
    let others = groups.get("*").map(expectation).transpose()?;
    for group in yaml.list("testcases")? {
        let Some(name) = group.get("name") else {
            continue;
        };
        let own = groups.optional(name.text()?, expectation)?;
        if let Some(expected) = own.or_else(|| others.clone()) {
            rules.push(Rule {
                scope: Some(name.text()?.to_owned()),
                expected,
                ..Rule::default()
            });
        }
    }
    Ok(rules)
}

/// The expectation that an outcome stands for.
fn expectation(outcome: &Node) -> Result<Expectation, PackageError> {
    let of = |permitted: &[_], required: &[_]| Expectation {
        permitted: permitted.to_vec(),
        required: required.to_vec(),
        ..Expectation::default()
    };
    let one = |verdict| of(&[Accepted, verdict], &[verdict]);
    let whole = |verdict| Expectation {
        outcome: vec![verdict],
        ..Expectation::default()
    };
    Ok(match plain(outcome.text()?).as_str() {
        "any" => Expectation::default(),
        "accepted" | "ac" | "correct" => Expectation::accepted(),
        "acceptedortle" | "acceptedortimelimitexceeded" | "acortle" | "ac/tle" | "ac+tle" => {
            of(&[Accepted, TimeLimitExceeded], &[])
        }
        "wronganswer" | "wa" => one(WrongAnswer),
        "incorrect" | "fail" => of(
            &[],
            &[
                WrongAnswer,
                RunTimeError,
                MemoryLimitExceeded,
                OutputLimitExceeded,
                TimeLimitExceeded,
            ],
        ),
        "runtimeerror" | "rte" | "re" => one(RunTimeError),
        "timelimitexceeded" | "timeout" | "tle" | "tl" => one(TimeLimitExceeded),
        "memorylimitexceeded" | "mle" | "ml" => one(MemoryLimitExceeded),
        "outputlimitexceeded" | "ole" | "ol" => one(OutputLimitExceeded),
        "tleorrte" | "tle/rte" | "tle+rte" | "tleorre" | "tle+re" => of(
            &[Accepted, TimeLimitExceeded, RunTimeError],
            &[TimeLimitExceeded, RunTimeError],
        ),
        "compilationerror" | "ce" => whole(CompileError),
        "judgefailed" | "jf" => whole(JudgeError),
        _ => {
            let known = [
                "any",
                "accepted",
                "accepted or tle",
                "wrong answer",
                "incorrect",
                "runtime error",
                "time limit exceeded",
                "memory limit exceeded",
                "output limit exceeded",
                "tle or rte",
            ];
            return Err(outcome.is_not("an outcome", outcome.text()?, &known));
        }
    })
}

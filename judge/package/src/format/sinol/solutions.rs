//! The solutions: those of `sinol_expected_scores` with the points of each group, others by their names.

use super::Contest;
use super::programs::SOURCES;
use crate::builder::PackageBuilder;
use crate::error::PackageError;
use crate::format::common::natural;
use crate::input::yaml::Node;
use crate::model::{Expectation, PackagedSubmission, Rule};
use crate::verdict::Verdict::{
    self, Accepted, MemoryLimitExceeded, RunTimeError, TimeLimitExceeded, WrongAnswer,
};
use std::path::Path;

/// Adds the solutions in `prog/`.
pub(super) fn read(
    builder: &mut PackageBuilder,
    yaml: &Node,
    task: &str,
    contest: Contest,
) -> Result<(), PackageError> {
    let dir = builder.tree.root.join("prog");
    if !dir.is_dir() {
        return Ok(());
    }
    let expected = yaml.get("sinol_expected_scores");
    let mut entries = builder.tree.list(&dir)?;
    entries.retain(|entry| !entry.is_dir && Kind::of(&entry.name, task).is_some());
    // `abc.cpp` before `abc2.cpp`.
    let stem = |name: &str| name.split('.').next().map(natural);
    entries.sort_by_key(|entry| (stem(&entry.name), entry.name.clone()));
    if let Some(expected) = expected {
        for (name, _) in expected.entries()? {
            let text = name.text()?;
            if entries.iter().all(|entry| entry.name != text) {
                let what = format!("`prog/` has no solution `{text}`");
                let error = name
                    .error(what)
                    .remedy("run `sinol-make run` to write the scores again");
                builder.tree.error(error);
            }
        }
    }
    for entry in entries {
        let rules = match expected.and_then(|expected| expected.get(&entry.name)) {
            Some(node) => rules(node, contest)?,
            None => Kind::of(&entry.name, task)
                .into_iter()
                .flat_map(Kind::rules)
                .collect(),
        };
        let whole = rules.iter().find(|rule| rule.scope.is_none());
        let expected = whole.map_or_else(Expectation::default, |rule| rule.expected.clone());
        let is_accepted = expected == Expectation::accepted() && rules.len() == 1;
        builder.package.submissions.push(PackagedSubmission {
            name: format!(
                "{}/{}",
                if is_accepted { "accepted" } else { "prog" },
                entry.name
            ),
            path: entry.path,
            expected,
            rules,
            ..PackagedSubmission::default()
        });
    }
    Ok(())
}

/// The kind of a solution, by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// `abc.cpp`, `abc2.cpp`: it is right.
    Right,
    /// `abcs1.cpp`: it is too slow for some tests.
    Slow,
    /// `abcb1.cpp`: it is wrong.
    Wrong,
}

impl Kind {
    /// `None` if it is no name of a solution: the task, `b` or `s`, a number, `_` and any text.
    fn of(name: &str, task: &str) -> Option<Self> {
        let path = Path::new(name);
        let extension = path.extension()?.to_str()?;
        let rest = path.file_stem()?.to_str()?.strip_prefix(task)?;
        let (kind, rest) = match rest.chars().next() {
            Some('s') => (Kind::Slow, &rest[1..]),
            Some('b') => (Kind::Wrong, &rest[1..]),
            _ => (Kind::Right, rest),
        };
        let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_source = SOURCES.contains(&extension);
        (is_source && (rest.is_empty() || rest.starts_with('_'))).then_some(kind)
    }

    fn rules(self) -> Vec<Rule> {
        let failures: &[Verdict] = match self {
            Kind::Right => return vec![whole(Expectation::accepted())],
            Kind::Slow => &[TimeLimitExceeded, MemoryLimitExceeded],
            Kind::Wrong => &[
                WrongAnswer,
                RunTimeError,
                TimeLimitExceeded,
                MemoryLimitExceeded,
            ],
        };
        vec![whole(Expectation {
            required: failures.to_vec(),
            ..Expectation::default()
        })]
    }
}

fn whole(expected: Expectation) -> Rule {
    Rule {
        expected,
        ..Rule::default()
    }
}

/// The rules of an entry of `sinol_expected_scores`: the points, and the status of each group.
fn rules(node: &Node, contest: Contest) -> Result<Vec<Rule>, PackageError> {
    let mut scoped = Vec::new();
    let mut failures = Vec::new();
    let groups = node.get("expected").map_or(Ok(&[][..]), Node::entries)?;
    for (group, result) in groups {
        let Some(status) = result.get("status") else {
            return Err(result.error("has no `status`"));
        };
        let verdict = verdict(status)?;
        if verdict == Some(Accepted) {
            scoped.push(Rule {
                scope: Some(group.text()?.to_owned()),
                expected: Expectation::accepted(),
                ..Rule::default()
            });
        } else if let Some(verdict) = verdict {
            failures.push(verdict);
            scoped.push(Rule {
                scope: Some(group.text()?.to_owned()),
                expected: Expectation {
                    required: vec![verdict],
                    ..Expectation::default()
                },
                ..Rule::default()
            });
        }
    }
    if failures.is_empty() && !scoped.is_empty() {
        scoped.clear();
    }
    let mut expected = match failures.is_empty() {
        true if !groups.is_empty() => Expectation::accepted(),
        _ => Expectation {
            required: failures,
            ..Expectation::default()
        },
    };
    if let (Contest::Groups, Some(points)) = (contest, node.get("points")) {
        let points = points.number()?;
        if expected != Expectation::accepted() {
            expected.score = Some((points, points));
        }
    }
    scoped.insert(0, whole(expected));
    Ok(scoped)
}

/// The verdict of a status; `None` for tests that were not run.
fn verdict(status: &Node) -> Result<Option<Verdict>, PackageError> {
    const KNOWN: [&str; 6] = ["OK", "WA", "TL", "ML", "RE", "CE"];
    Ok(Some(match status.text()?.trim() {
        "" => return Ok(None),
        "OK" => Accepted,
        "WA" => WrongAnswer,
        "TL" | "TLE" => TimeLimitExceeded,
        "ML" | "MLE" => MemoryLimitExceeded,
        "RE" => RunTimeError,
        "CE" => Verdict::CompileError,
        other => return Err(status.is_not("a status", other, &KNOWN)),
    }))
}

#[cfg(test)]
mod tests {
    use super::Kind;

    #[test]
    fn names_of_solutions_have_kinds() {
        for (name, kind) in [
            ("abc.cpp", Some(Kind::Right)),
            ("abc2.py", Some(Kind::Right)),
            ("abcs1.cpp", Some(Kind::Slow)),
            ("abcb2_jo.cpp", Some(Kind::Wrong)),
            ("abcchk.cpp", None),
            ("abcinwer.cpp", None),
            ("abcs1.txt", None),
            ("oi.h", None),
        ] {
            assert_eq!(Kind::of(name, "abc"), kind, "{name}");
        }
    }
}

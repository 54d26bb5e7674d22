//! `testdata.yaml` -> `test_group.yaml`.

use super::{Upgrade, failed};
use crate::yaml::{YamlLines, list};
use judge_package::{Aggregation, Group, InputValidatorArgs, PackageError, TestCase};
use std::fmt::Write;
use std::fs;
use std::path::Path;

impl Upgrade<'_> {
    /// Rewrites the settings of the test data.
    pub fn data(&mut self) -> Result<(), PackageError> {
        let package = self.package;
        let all = &package.data;
        let mut comments = self.take_comments("data")?;
        for group in &all.groups {
            let dir = format!("data/{}", group.name);
            comments.push_str(&self.take_comments(&dir)?);
            let mut text = std::mem::take(&mut comments);
            if let Some(case) = group.all_cases().first() {
                text.push_str(&arguments(case));
            }
            let is_secret = group.name == "secret";
            if package.kind.scoring && is_secret {
                text.value(0, "max_score", points(group).round());
                text.push_str("score_aggregation: sum\n");
            }
            let has_points = group
                .all_cases()
                .iter()
                .any(|case| case.score.unwrap_or(0.0) > 0.0);
            if package.kind.scoring && !is_secret && !all.ignore_sample && has_points {
                self.check("samples gave points, and give none in version 2025-09");
            }
            if !text.is_empty() {
                self.write(&format!("{dir}/test_group.yaml"), &text)?;
            }
            self.groups(group)?;
        }
        self.different_arguments();
        Ok(())
    }

    /// Rewrites the groups in `secret`.
    fn groups(&mut self, parent: &Group) -> Result<(), PackageError> {
        if !parent.groups.is_empty() && !parent.cases.is_empty() && self.package.kind.scoring {
            self.check(format!(
                "`data/{}` holds cases and groups: move the cases into a group",
                parent.name
            ));
        }
        for group in &parent.groups {
            let dir = format!("data/{}", group.name);
            let comments = self.take_comments(&dir)?;
            if !self.package.kind.scoring {
                if !comments.is_empty() {
                    self.check(format!(
                        "the comments of `{dir}/testdata.yaml` are gone with the file"
                    ));
                }
                continue;
            }
            if !group.groups.is_empty() {
                self.check(format!(
                    "`{dir}` has groups in it: version 2025-09 has them only in `secret`"
                ));
            }
            let total = points(group);
            if total.fract() != 0.0 {
                self.check(format!("`{dir}`: its {total} points are rounded"));
            }
            let aggregation = match group.aggregation {
                Aggregation::Min | Aggregation::PassFail => "min",
                Aggregation::Sum | Aggregation::Average => "sum",
                Aggregation::Max => {
                    self.check(format!("`{dir}`: version 2025-09 has no maximum of points"));
                    "sum"
                }
            };
            let scores: Vec<Option<f64>> = group.cases.iter().map(|case| case.score).collect();
            if aggregation == "sum" && scores.windows(2).any(|two| two[0] != two[1]) {
                self.check(format!(
                    "`{dir}`: its cases had different points, and have the same now"
                ));
            }
            let text = format!(
                "{comments}max_score: {}\nscore_aggregation: {aggregation}\n",
                total.round()
            );
            self.write(&format!("{dir}/test_group.yaml"), &text)?;
            if group.accept_if_any || group.custom_grader_flags.is_some() {
                self.check(format!("`{dir}`: its grader's flags have no counterpart"));
            }
        }
        Ok(())
    }

    /// Reports arguments that differ between the cases of `sample` or `secret`.
    fn different_arguments(&mut self) {
        for group in &self.package.data.groups {
            let cases = group.all_cases();
            let Some(first) = cases.first() else {
                continue;
            };
            let differs = |case: &&&TestCase| {
                case.validator_args != first.validator_args
                    || case.input_validator_args != first.input_validator_args
            };
            if let Some(case) = cases.iter().find(differs) {
                self.checks.push(format!(
                    "`data/{}`: its validator arguments differ from those of `{}`: add them to a `.yaml`",
                    case.name, first.name
                ));
            }
        }
    }

    /// Removes the `testdata.yaml` of a directory; returns its comments.
    fn take_comments(&mut self, dir: &str) -> Result<String, PackageError> {
        let path = self.path(&format!("{dir}/testdata.yaml"));
        if !path.is_file() {
            return Ok(String::new());
        }
        let text = comments(&path)?;
        fs::remove_file(&path).map_err(|e| failed(&path, &e))?;
        Ok(text)
    }
}

/// The comments of a file, one a line.
fn comments(path: &Path) -> Result<String, PackageError> {
    let text = fs::read_to_string(path).map_err(|e| failed(path, &e))?;
    let mut found = String::new();
    for line in text.lines() {
        let comment = match line.trim_start().strip_prefix('#') {
            Some(comment) => Some(comment),
            None => line.split_once(" #").map(|(_, comment)| comment),
        };
        if let Some(comment) = comment {
            let _ = writeln!(found, "#{comment}");
        }
    }
    Ok(found)
}

/// The points of a group whose cases are all accepted.
fn points(group: &Group) -> f64 {
    let scores = || group.cases.iter().map(|case| case.score.unwrap_or(0.0));
    let own = match group.aggregation {
        _ if group.cases.is_empty() => 0.0,
        Aggregation::Min | Aggregation::PassFail => scores().fold(f64::INFINITY, f64::min),
        Aggregation::Max => scores().fold(0.0, f64::max),
        Aggregation::Average => scores().sum::<f64>() / group.cases.len() as f64,
        Aggregation::Sum => scores().sum(),
    };
    own + group.groups.iter().map(points).sum::<f64>()
}

/// The arguments of the validators, as lines of `test_group.yaml`.
fn arguments(case: &TestCase) -> String {
    let mut text = String::new();
    if !case.validator_args.is_empty() {
        text.value(0, "output_validator_args", list(&case.validator_args));
    }
    if case.input_validator_args != InputValidatorArgs::default() {
        let value = crate::targets::input_args(&case.input_validator_args);
        text.value(0, "input_validator_args", value.unwrap_or_default());
    }
    text
}

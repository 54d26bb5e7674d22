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
            let shared = shared_arguments(group);
            text.push_str(shared.as_deref().unwrap_or_default());
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
            self.groups(group, shared.is_some())?;
        }
        let mut cases = package.cases().into_iter();
        cases.try_for_each(|case| self.texts(case))
    }

    /// Moves the description and the hint of a case into its settings.
    fn texts(&self, case: &TestCase) -> Result<(), PackageError> {
        let name = format!("data/{}.yaml", case.name);
        let mut text = fs::read_to_string(self.path(&name)).unwrap_or_default();
        for (key, ending, own) in [
            ("description", "desc", &case.description),
            ("hint", "hint", &case.hint),
        ] {
            let Some(own) = own else { continue };
            text.line(0, key, own.trim());
            let path = self.path(&format!("data/{}.{ending}", case.name));
            fs::remove_file(&path).map_err(|e| failed(&path, &e))?;
        }
        match text.is_empty() {
            true => Ok(()),
            false => self.write(&name, &text),
        }
    }

    /// Rewrites the groups in `secret`; `shares`: all cases have the arguments that the file of `parent` gives.
    fn groups(&mut self, parent: &Group, shares: bool) -> Result<(), PackageError> {
        let has_groups = self.package.kind.scoring;
        let cases = match has_groups {
            true => parent.cases.iter().collect(),
            false => parent.all_cases(),
        };
        if !shares {
            self.own_arguments(&cases)?;
        }
        if !parent.groups.is_empty() && !parent.cases.is_empty() && self.package.kind.scoring {
            self.check(format!(
                "`data/{}` holds cases and groups: move the cases into a group",
                parent.name
            ));
        }
        for group in &parent.groups {
            let dir = format!("data/{}", group.name);
            let comments = self.take_comments(&dir)?;
            if !has_groups {
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
            let mut text = format!(
                "{comments}max_score: {}\nscore_aggregation: {aggregation}\n",
                total.round()
            );
            if !shares {
                match shared_arguments(group) {
                    Some(shared) => text.push_str(&shared),
                    None => self.own_arguments(&group.all_cases())?,
                }
            }
            self.write(&format!("{dir}/test_group.yaml"), &text)?;
            if group.accept_if_any || group.custom_grader_flags.is_some() {
                self.check(format!("`{dir}`: its grader's flags have no counterpart"));
            }
        }
        Ok(())
    }

    /// Writes the arguments of single cases.
    fn own_arguments(&self, cases: &[&TestCase]) -> Result<(), PackageError> {
        for case in cases {
            let text = arguments(case);
            if !text.is_empty() {
                self.write(&format!("data/{}.yaml", case.name), &text)?;
            }
        }
        Ok(())
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

/// The arguments of the validators that all cases of a group have.
fn shared_arguments(group: &Group) -> Option<String> {
    let mut all = group.all_cases().into_iter().map(arguments);
    let first = all.next().unwrap_or_default();
    all.all(|own| own == first).then_some(first)
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

//! The keys of `test_group.yaml` and of a case's `.yaml`.

use super::Reader;
use crate::error::PackageError;
use crate::format::icpc::data::{RawDir, validator_args};
use crate::format::icpc::default_arguments;
use crate::input::text;
use crate::input::yaml::Node;
use crate::model::{Aggregation, Group, InputValidatorArgs, StaticValidation, VisualizerArgs};
use crate::words::substitute;
use std::path::Path;

/// The keys that a group and a case share.
pub const SHARED_KEYS: [&str; 6] = [
    "args",
    "input_validator_args",
    "output_validator_args",
    "input_visualizer_args",
    "output_visualizer_args",
    "full_feedback",
];
/// The keys of groups only.
const GROUP_KEYS: [&str; 5] = [
    "max_score",
    "score_aggregation",
    "static_validation_score",
    "require_pass",
    "static_validator_args",
];
/// The keys of cases only.
pub const CASE_KEYS: [&str; 2] = ["hint", "description"];

/// The settings that groups pass on to their cases.
#[derive(Clone, Default)]
pub struct Settings {
    /// Arguments for submissions.
    pub args: Vec<String>,
    /// Arguments for the input validators.
    pub input_validator_args: InputValidatorArgs,
    /// Arguments for the output validator.
    pub output_validator_args: Vec<String>,
    /// Arguments for the visualizers.
    pub visualizer_args: VisualizerArgs,
    /// Whether those who fail a case may see it.
    pub full_feedback: Option<bool>,
}

impl Reader<'_> {
    /// Reads the keys that only groups have: points, requirements, the static validator.
    pub fn group_keys(&mut self, node: &Node, group: &mut Group) -> Result<(), PackageError> {
        for (key, _) in node.entries()? {
            let name = key.scalar().unwrap_or_default();
            let scoring_key = matches!(name, "max_score" | "score_aggregation" | "require_pass");
            if scoring_key && !self.kind.scoring {
                let what = format!("`{name}` is only for problems of type `scoring`");
                self.tree.error(
                    key.error(what)
                        .remedy("write `type: scoring` into `problem.yaml`, or remove the key"),
                );
            } else if scoring_key && group.name == "sample" {
                let what = format!("`{name}` is not permitted in `sample`");
                self.tree.error(
                    key.error(what)
                        .remedy("remove the key: samples give no points"),
                );
            }
        }
        let score = |score: &Node, none: &str| match score.is(none) {
            true => Ok(None),
            false => Ok(Some(score.integer(0)? as f64)),
        };
        node.set("max_score", &mut group.max_score, |most| {
            score(most, "unbounded")
        })?;
        let aggregations = [
            ("pass-fail", Aggregation::PassFail),
            ("sum", Aggregation::Sum),
            ("min", Aggregation::Min),
        ];
        node.set("score_aggregation", &mut group.aggregation, |value| {
            value.choice(&aggregations)
        })?;
        if let Some(required) = node.get("require_pass") {
            for item in required.one_or_more() {
                group.requires.push(item.text()?.to_owned());
                self.requirements.push((group.name.clone(), item.clone()));
            }
        }
        let args = node.optional("static_validator_args", Node::texts)?;
        if let Some(most) = node.get("static_validation_score") {
            group.static_validation = Some(StaticValidation {
                score: self.static_score(most, score(most, "pass-fail")?, group),
                args: args.unwrap_or_default(),
            });
        } else if let Some(args) = node.get("static_validator_args") {
            self.tree.error(
                args.error("`static_validator_args` without `static_validation_score`")
                    .remedy("add `static_validation_score`, or remove the arguments"),
            );
        }
        if self.kind.scoring
            && group.aggregation == Aggregation::PassFail
            && group.max_score.is_none()
            && group.name.starts_with("secret")
        {
            self.tree.error(
                node.error("a `pass-fail` group must have a bounded score")
                    .remedy("give `max_score`, or another `score_aggregation`"),
            );
        }
        Ok(())
    }

    /// The points of a static validation case, where the group may have such: elsewhere they are an error, and count
    /// as `pass-fail`.
    fn static_score(&mut self, node: &Node, points: Option<f64>, group: &Group) -> Option<f64> {
        let what = match points {
            None => return None,
            Some(_) if !self.kind.scoring => {
                "gives points, which only problems of type `scoring` have"
            }
            Some(_) if group.aggregation == Aggregation::PassFail && group.name != "sample" => {
                "gives points in a `pass-fail` group"
            }
            _ => return points,
        };
        let error = node.error(format!("`static_validation_score` {what}"));
        self.tree
            .error(error.remedy("write `static_validation_score: pass-fail`"));
        None
    }

    /// Reads a `test_group.yaml` and replaces constants in it.
    pub fn test_group(&mut self, path: &Path) -> Result<Node, PackageError> {
        let text = text::read(path, 1 << 20)?;
        self.tree
            .parse_yaml(path, &substitute(&text, self.constants))
    }

    /// The settings that apply to the content of `dir`.
    pub fn inherited(
        &mut self,
        dir: &RawDir,
        settings: &Settings,
    ) -> Result<Settings, PackageError> {
        self.report_testdata_yaml(dir);
        let mut settings = settings.clone();
        if let Some(path) = &dir.test_group {
            let node = self.test_group(path)?;
            self.settings(&node, &mut settings)?;
        }
        Ok(settings)
    }

    /// Reads the keys that groups and cases share; they override `settings`.
    pub fn settings(&mut self, node: &Node, settings: &mut Settings) -> Result<(), PackageError> {
        let known = [&SHARED_KEYS[..], &GROUP_KEYS, &CASE_KEYS].concat();
        for (key, _) in node.entries()? {
            match key.scalar().unwrap_or_default() {
                "output_validator_flags" | "input_validator_flags" => self.tree.error_of_runs(
                    key.error("is a key of version `legacy` and is left out")
                        .remedy("use `output_validator_args` or `input_validator_args`: a list"),
                ),
                name if known.contains(&name) => {}
                _ => return Err(key.unknown_key(&known)),
            }
        }
        node.set("args", &mut settings.args, |args| {
            args.texts()
                .map_err(|error| error.remedy("write `[first, second]`"))
        })?;
        if let Some(args) = node.get("output_validator_args") {
            settings.output_validator_args = self.argument_list(args)?;
            default_arguments::check(self.tree, args, &settings.output_validator_args);
        }
        let mut list = |args: &Node| self.argument_list(args);
        node.set(
            "input_validator_args",
            &mut settings.input_validator_args,
            |args| validator_args(args, &mut list),
        )?;
        let visualizers = &mut settings.visualizer_args;
        node.set("input_visualizer_args", &mut visualizers.input, &mut list)?;
        node.set("output_visualizer_args", &mut visualizers.output, &mut list)?;
        let feedback = node.optional("full_feedback", Node::bool)?;
        settings.full_feedback = feedback.or(settings.full_feedback);
        Ok(())
    }

    /// Reads a list of arguments; a line of text, as in older drafts, is accepted with a finding.
    fn argument_list(&mut self, node: &Node) -> Result<Vec<String>, PackageError> {
        if node.scalar().is_none() {
            return node.texts();
        }
        self.tree.error(
            node.error("arguments must be a list, not a line of text")
                .remedy("write `[first, second]`"),
        );
        node.arguments()
    }
}

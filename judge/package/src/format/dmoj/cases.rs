//! DMOJ's cases and batches: files, points and generators.

use super::init_cases::{Case, Generator, Part};
use super::init_checkers::FileName;
use super::{BESIDE, Reader};
use crate::error::PackageError;
use crate::format::common::with_line_ends;
use crate::model::{Aggregation, AnswerOf, Group, InputOf, Recipe, TestCase};
use std::path::PathBuf;

impl Reader<'_> {
    /// Adds cases and batches to a group.
    pub fn parts(&mut self, parts: &[Part<'_>], group: &mut Group) -> Result<(), PackageError> {
        for part in parts {
            match part {
                Part::Case(from) => {
                    let mut case = self.case(from, &group.name, 0)?;
                    // A case of 0 points must be accepted for any later one to count.
                    if from.points == 0.0 {
                        case.sample = true;
                        case.is_gate = true;
                    }
                    group.cases.push(case);
                }
                Part::Batch(from) => {
                    self.batches += 1;
                    self.numbers.batch += 1;
                    let mut batch = Group::new(format!("batch{}", self.batches));
                    batch.aggregation = Aggregation::Min;
                    batch.after = group.cases.len();
                    batch.is_gate = from.points == 0.0;
                    for case in &from.cases {
                        let case = self.case(case, &batch.name, self.numbers.batch)?;
                        batch.cases.push(case);
                    }
                    let points = from.cases.iter().map(|case| case.points);
                    batch.max_score = points.reduce(f64::max).or(Some(from.points));
                    let required = from.dependencies.iter();
                    batch.requires = required.map(|number| format!("batch{number}")).collect();
                    group.groups.push(batch);
                }
            }
        }
        Ok(())
    }

    /// Reads a case of the batch with this number (0: none).
    fn case(
        &mut self,
        from: &Case<'_>,
        group: &str,
        batch: usize,
    ) -> Result<TestCase, PackageError> {
        self.cases += 1;
        let position = self.numbers.position;
        self.numbers.position += 1;
        let stem = match &from.input {
            Some(FileName { text, .. }) => text.rsplit_once('.').map_or(*text, |(stem, _)| stem),
            None => &format!("case{}", self.cases),
        };
        let name = match group {
            "" => stem.to_owned(),
            group => format!("{group}/{stem}"),
        };
        let own = &self.checkers[from.checker];
        let mut case = TestCase {
            name,
            input: self.file(from.input, from.is_binary)?.into(),
            answer: Some(self.file(from.output, from.is_binary)?.into()),
            validator: from.checker,
            score: Some(from.points),
            points: own.points,
            checks_failed_runs: own.run_on_error,
            ..TestCase::default()
        };
        if let Some(python) = &own.python {
            let numbers = (position, batch);
            let settings = python.settings(&self.builder.package, &self.common, from, numbers);
            case.validator_args = vec![settings];
        }
        self.set_validator_arguments(&mut case, position, batch);
        if let Some(generator) = &from.generator {
            self.generated(&mut case, from, generator)?;
        }
        Ok(case)
    }

    /// Adds the recipe of a case.
    fn generated(
        &mut self,
        case: &mut TestCase,
        from: &Case<'_>,
        generator: &Generator<'_>,
    ) -> Result<(), PackageError> {
        let stdin = generator.stdin.map(|file| self.find(file, BESIDE));
        let recipe = Recipe {
            case: case.name.clone(),
            input: InputOf::Program {
                path: self.assembled(&generator.program, "generator")?,
                args: generator.args.clone(),
                stdin: stdin.transpose()?,
            },
            answer: match (&from.output, &case.answer) {
                (Some(_), Some(answer)) => AnswerOf::File(answer.to_path_buf()),
                _ => AnswerOf::Stderr,
            },
            normalize: !from.is_binary,
            limits: generator.limits,
        };
        let (input, answer) = self.builder.generate(recipe);
        if from.input.is_none() {
            case.input = input;
        }
        case.answer = Some(answer);
        Ok(())
    }

    /// A file of a case; a copy if its line ends differ from those that DMOJ produces. Files that are
    /// not named are empty, as in DMOJ.
    fn file(&self, name: Option<FileName<'_>>, is_binary: bool) -> Result<PathBuf, PackageError> {
        let Some(name) = name else {
            return self.staging_dir.write("empty", b"");
        };
        let path = self.find(name, "it must be in the archive, or beside `init.yml`")?;
        match with_line_ends(&path) {
            Some(text) if !is_binary => {
                let name = format!("data/{}", name.text);
                self.staging_dir.write(&name, &text)
            }
            _ => Ok(path),
        }
    }
}

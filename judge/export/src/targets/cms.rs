//! The Contest Management System: `task.yaml` and `gen/GEN`, the format of its Italian loader.

use super::{one_program, with_minimum, write_single};
use crate::adapter::Outer;
use crate::comparison::Comparison;
use crate::data::{Subtask, Test};
use crate::judging::Decision;
use crate::output::Output;
use crate::problem::{Problem, copy_answer, memory_in, plural};
use crate::program::{Language, extension};
use crate::submissions::Expected;
use crate::yaml::YamlLines;
use judge_package::{PackageError, StatementKind, SubmittedOutput};
use std::fmt::Write;

pub fn write(problem: &Problem<'_>, out: &mut Output) -> Result<(), PackageError> {
    let package = problem.package;
    out.folder = crate::data::file_name(&package.id);
    problem.losses_outside_icpc(out);
    problem.loses_validator_cases(out);
    problem.loses_output_limit(out);
    problem.loses_own_limits(out);
    problem.loses_language_limits(out);
    problem.loses_input_validators(out);
    let subtasks = write_tests(problem, out)?;
    let mut text = String::new();
    text.line(0, "name", &crate::data::file_name(&package.id));
    text.line(0, "title", problem.metadata.title());
    text.value(0, "time_limit", problem.fixed_seconds()?);
    text.value(0, "memory_limit", memory_in(package.limits.memory, 1 << 20));
    let io = &package.file_io;
    text.line(0, "infile", io.input.as_deref().unwrap_or_default());
    text.line(0, "outfile", io.output.as_deref().unwrap_or_default());
    text.value(0, "n_input", problem.data.tests().count());
    let samples: Vec<String> = (0..problem.data.samples.len())
        .map(|k| k.to_string())
        .collect();
    text.line(0, "public_testcases", &samples.join(","));
    if package.kind.submit_answer {
        text.push_str("output_only: true\n");
        let name = |k: usize| SubmittedOutput::File(format!("output_{k:03}.txt"));
        let mut tests = problem.data.tests().enumerate();
        if tests.any(|(k, test)| test.case.submitted != name(k)) {
            out.changes("the names of the submitted outputs");
        }
    }
    // `gen/GEN` needs whole numbers whose sum is 100.
    let total: f64 = subtasks.iter().map(|(points, _)| points).sum();
    if total == 100.0 && subtasks.iter().all(|(points, _)| points.fract() == 0.0) {
        let mut generation = String::new();
        for (points, names) in &subtasks {
            let _ = writeln!(generation, "#ST: {points}");
            for name in names {
                let _ = writeln!(generation, "{name}");
            }
        }
        out.write("gen/GEN", generation)?;
    } else {
        let parameter =
            |(points, names): &(f64, Vec<String>)| format!("[{}, {}]", points, names.len());
        let parameters: Vec<String> = subtasks.iter().map(parameter).collect();
        let parameters = parameters.join(", ");
        let _ = writeln!(
            text,
            "score_type: GroupMin\nscore_type_parameters: [{parameters}]"
        );
    }
    if !package.kind.interactive {
        text.push_str("score_mode: max_subtask\n");
    }
    let languages = problem.statements.iter().map(|own| own.language.as_str());
    let languages: Vec<&str> = languages.collect();
    text.line(0, "primary_language", languages.first().unwrap_or(&"en"));
    out.write("task.yaml", text)?;
    checker(problem, out)?;
    documents(problem, out)?;
    solutions(problem, out)
}

/// Writes the tests; returns the points of each subtask and the names of its tests.
fn write_tests(
    problem: &Problem<'_>,
    out: &mut Output,
) -> Result<Vec<(f64, Vec<String>)>, PackageError> {
    let data = &problem.data;
    let mut subtasks: Vec<(f64, Vec<&Test<'_>>)> = Vec::new();
    if problem.package.kind.scoring {
        if !data.samples.is_empty() {
            subtasks.push((0.0, data.samples.iter().collect()));
        }
        let requires =
            |subtask: &Subtask<'_>| !subtask.requires.is_empty() || subtask.requires_samples;
        if data.subtasks.iter().any(requires) {
            out.changes("subtasks that require others");
        }
        for (points, _, tests) in with_minimum(problem) {
            subtasks.push((points, tests.iter().collect()));
        }
    } else {
        subtasks.push((100.0, data.tests().collect()));
    }
    let mut number_of = 0;
    let mut named = Vec::new();
    for (points, tests) in subtasks {
        let mut names = Vec::new();
        for test in tests {
            out.copy(&test.case.input, &format!("input/input{number_of}.txt"))?;
            let to = format!("output/output{number_of}.txt");
            copy_answer(out, test.case.answer.as_ref(), &to)?;
            number_of += 1;
            names.push(test.name.clone());
        }
        named.push((points, names));
    }
    Ok(named)
}

fn checker(problem: &Problem<'_>, out: &mut Output) -> Result<(), PackageError> {
    if problem.package.kind.interactive {
        out.changes("the interactor: CMS' managers talk through named pipes");
        return Ok(());
    }
    // CMS' own comparison.
    if let Decision::Compare(Comparison::TokensOfLines) = problem.judging.decision {
        return Ok(());
    }
    let Some(sources) = one_program(problem, Outer::Cms, out) else {
        return Ok(());
    };
    if sources.language() != Language::Cpp {
        out.changes("the checker: CMS needs a compiled one");
    }
    write_single(&sources, "check", "checker", "checker", out)?;
    if let Some(testlib) = problem.testlib() {
        out.write("check/testlib.h", &testlib.content)?;
    }
    Ok(())
}

fn documents(problem: &Problem<'_>, out: &mut Output) -> Result<(), PackageError> {
    for statement in &problem.statements {
        let name = statement.name();
        if statement.kind != StatementKind::Pdf {
            out.leaves_out(format!("the statement `{name}`: CMS' are PDF documents"));
            continue;
        }
        out.copy(&statement.path, "statement/statement.pdf")?;
    }
    out.copy_into("att", problem.attachments())
}

/// Writes the accepted solutions; the format has no place for what others must get.
fn solutions(problem: &Problem<'_>, out: &mut Output) -> Result<(), PackageError> {
    let mut names = super::icpc::SubmissionNames::default();
    let (mut others, mut has_official) = (0, false);
    for submission in &problem.package.submissions {
        match Expected::of(submission) {
            Expected::Accepted => {
                let mut path = names.take("sol", submission);
                if !std::mem::replace(&mut has_official, true) {
                    path = format!("sol/solution.{}", extension(&path));
                }
                super::icpc::write_submission(problem, submission, &path, out)?;
            }
            _ => others += 1,
        }
    }
    if others > 0 {
        out.leaves_out(format!(
            "{} that must not be accepted",
            plural(others, "submission")
        ));
    }
    Ok(())
}

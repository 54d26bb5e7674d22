//! Pairs of files: online-judge-tools' `test/`, and plain folders with `judge.yaml`.

use super::{one_program, write_all, write_single};
use crate::adapter::Outer;
use crate::judging::Decision;
use crate::output::Output;
use crate::problem::{Problem, memory_in};
use crate::yaml::YamlLines;
use judge_package::{LimitSource, PackageError};
use std::fmt::Write;

/// Writes online-judge-tools' directory.
pub fn write_oj(problem: &Problem<'_>, out: &mut Output) -> Result<(), PackageError> {
    if problem.package.limits.time_from != LimitSource::Judge || problem.time.fixed().is_none() {
        out.changes("the time limit");
    }
    if problem.package.limits.memory_from != LimitSource::Judge {
        out.changes("the memory limit");
    }
    problem.loses_file_io(out);
    if problem.package.kind.interactive {
        out.changes("the interactor: online-judge-tools is called with one");
    } else if !compares_tokens(problem)
        && let Some(sources) = one_program(problem, Outer::Testlib, out)
    {
        write_single(&sources, "", "checker", "checker", out)?;
    }
    common(problem, out)
}

pub fn write(problem: &Problem<'_>, out: &mut Output) -> Result<(), PackageError> {
    let package = problem.package;
    let mut text = String::new();
    text.line(0, "name", problem.metadata.title());
    if let Some((_, Some(url))) = problem.metadata.sources.first() {
        text.line(0, "url", url);
    }
    if package.limits.time_from != LimitSource::Judge || problem.time.fixed().is_none() {
        text.value(0, "time_limit", problem.fixed_seconds()?);
    }
    if package.limits.memory_from != LimitSource::Judge {
        text.value(0, "memory_limit", memory_in(package.limits.memory, 1 << 20));
    }
    for (key, name) in [
        ("input", &package.file_io.input),
        ("output", &package.file_io.output),
    ] {
        if let Some(name) = name {
            text.line(0, key, name);
        }
    }
    match (&problem.judging.decision, package.kind.interactive) {
        (_, true) => {
            text.push_str("interactive: true\n");
            if let Some(sources) = one_program(problem, Outer::Testlib, out) {
                let name = write_single(&sources, "", "interactor", "interactor", out)?;
                text.line(0, "interactor", &name);
            }
        }
        (Decision::Compare(comparison), false) if comparison.tolerance().is_some() => {
            if let Some(Some(error)) = comparison.tolerance() {
                let _ = writeln!(text, "tolerance: {error:e}");
            }
        }
        _ => {
            if let Some(sources) = one_program(problem, Outer::Testlib, out) {
                let name = write_single(&sources, "", "checker", "checker", out)?;
                text.line(0, "checker", &name);
            }
        }
    }
    out.write("judge.yaml", text)?;
    common(problem, out)
}

/// Whether the format's own comparison decides as the package does.
fn compares_tokens(problem: &Problem<'_>) -> bool {
    match &problem.judging.decision {
        Decision::Compare(comparison) => comparison.tolerance() == Some(None),
        Decision::Program(_) => false,
    }
}

/// Writes the tests, and records what neither format expresses.
fn common(problem: &Problem<'_>, out: &mut Output) -> Result<(), PackageError> {
    problem.losses_outside_icpc(out);
    problem.loses_validator_cases(out);
    problem.loses_output_limit(out);
    problem.loses_own_limits(out);
    problem.loses_language_limits(out);
    problem.loses_submissions(out);
    problem.loses_statements(out);
    if problem.package.kind.scoring {
        out.changes("points and groups");
    }
    problem.loses_submitted_output(out);
    problem.loses_input_validators(out);
    if let Some(testlib) = problem.testlib() {
        out.write("testlib.h", &testlib.content)?;
    }
    write_all(problem, "test", (".in", ".out"), out)
}

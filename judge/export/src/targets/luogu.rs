//! Luogu's test data: pairs of files, `config.yml`, and `checker.cpp`.

use super::{Files, one_program, with_minimum, write_all, write_single};
use crate::adapter::Outer;
use crate::comparison::{Comparison, Lines};
use crate::data::Test;
use crate::judging::Decision;
use crate::output::Output;
use crate::problem::{Problem, memory_in};
use crate::program::Language;
use crate::yaml::quoted;
use judge_package::{PackageError, ValidatorProtocol};
use std::fmt::Write;

const ENDINGS: (&str, &str) = (".in", ".out");

pub fn write(problem: &Problem<'_>, out: &mut Output) -> Result<(), PackageError> {
    problem.losses_outside_icpc(out);
    problem.loses_validator_cases(out);
    problem.loses_output_limit(out);
    problem.loses_language_limits(out);
    problem.loses_submissions(out);
    problem.loses_statements(out);
    problem.loses_file_io(out);
    problem.loses_submitted_output(out);
    problem.loses_input_validators(out);
    write_all(problem, "", ENDINGS, out)?;
    let config = config(problem, out)?;
    out.write("config.yml", config)?;
    checker(problem, out)
}

fn config(problem: &Problem<'_>, out: &mut Output) -> Result<String, PackageError> {
    let mut text = String::new();
    let entry = |test: &Test<'_>, rest: &str, text: &mut String| -> Result<(), PackageError> {
        let time = match test.case.time_limit {
            Some(time) => time,
            None => problem.fixed_time()?,
        };
        let memory = test
            .case
            .memory_limit
            .unwrap_or(problem.package.limits.memory);
        let _ = write!(
            text,
            "{}:\n  timeLimit: {}\n  memoryLimit: {}\n{rest}",
            quoted(&Files::of(&test.name, ENDINGS).input),
            time.as_micros().div_ceil(1000).max(1),
            memory_in(memory, 1 << 10)
        );
        Ok(())
    };
    if !problem.package.kind.scoring {
        for test in problem.data.tests() {
            entry(test, "", &mut text)?;
        }
        return Ok(text);
    }
    for test in &problem.data.samples {
        entry(test, "  score: 0\n  subtaskId: 0\n", &mut text)?;
    }
    let subtasks = &problem.data.subtasks;
    if subtasks
        .iter()
        .any(|subtask| !subtask.requires.is_empty() || subtask.requires_samples)
    {
        out.changes("subtasks that require others");
    }
    // Luogu adds the points of tests without subtasks; a subtask gets the minimum of its tests.
    if let ([only], true) = (subtasks.as_slice(), problem.data.samples.is_empty())
        && !only.is_all
    {
        for test in &only.tests {
            entry(test, &format!("  score: {}\n", test.points), &mut text)?;
        }
        return Ok(text);
    }
    let subtasks = with_minimum(problem);
    if subtasks.len() == 1 && problem.data.samples.is_empty() {
        out.changes("all points or none for the only subtask: its tests give points");
    }
    for (number_of, (points, _, tests)) in (1..).zip(subtasks) {
        for test in tests {
            let rest = format!("  score: {points}\n  subtaskId: {number_of}\n");
            entry(test, &rest, &mut text)?;
        }
    }
    Ok(text)
}

fn checker(problem: &Problem<'_>, out: &mut Output) -> Result<(), PackageError> {
    if problem.package.kind.interactive {
        out.changes("the interactor: Luogu's are libraries of functions");
        return Ok(());
    }
    let sources = match &problem.judging.decision {
        Decision::Compare(Comparison::Lines(Lines::Stripped)) => return Ok(()),
        Decision::Program(checker) if checker.protocol == ValidatorProtocol::TestlibOf200 => {
            Some(checker.sources.clone())
        }
        _ => one_program(problem, Outer::Testlib, out),
    };
    let Some(sources) = sources else {
        return Ok(());
    };
    if sources.language() != Language::Cpp {
        out.changes("the checker: Luogu's are in C++");
        return Ok(());
    }
    if problem.package.kind.scoring && matches!(problem.judging.decision, Decision::Program(_)) {
        out.leaves_out("the scale of partial points, which is 200 on Luogu");
    }
    write_single(&sources, "", "checker", "checker", out).map(|_| ())
}

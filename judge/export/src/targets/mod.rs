//! One writer for each format.

mod cms;
mod dmoj;
mod hydro;
mod icpc;
mod icpc2025;
mod legacy;
mod luogu;
mod olymp;
mod plain;
mod polygon;

use crate::Target;
use crate::adapter::{NoAdapter, Outer, Role, adapt, adapt_input_validator, combine};
use crate::data::Test;
use crate::judging::{Checker, Decision, InputValidator};
use crate::output::Output;
use crate::problem::{Problem, copy_answer};
use crate::program::Sources;
use judge_package::{InputValidatorArgs, InputValidatorKind, PackageError};

/// Writes the problem in the format `target`.
pub fn write(target: Target, problem: &Problem<'_>, out: &mut Output) -> Result<(), PackageError> {
    if target != Target::Icpc2025 {
        problem.losses_outside_2025(out);
    }
    if !matches!(
        target,
        Target::Icpc2025 | Target::IcpcLegacy | Target::Domjudge
    ) {
        problem.documents_outside_icpc(target, out);
    }
    problem.loses_unread_documents(out);
    if problem.package.root.join("generators").is_dir() {
        out.leaves_out("the generators");
    }
    match target {
        Target::Icpc2025 => icpc2025::write(problem, out),
        Target::IcpcLegacy => legacy::write(problem, out, false),
        Target::Domjudge => legacy::write(problem, out, true),
        Target::Polygon => polygon::write(problem, out),
        Target::Dmoj => dmoj::write(problem, out),
        Target::Hydro => hydro::write(problem, out),
        Target::Luogu => luogu::write(problem, out),
        Target::Cms => cms::write(problem, out),
        Target::Oj => plain::write_oj(problem, out),
        Target::Plain => plain::write(problem, out),
    }
}

/// The first program of the problem, together with the checker that reads what an interactor wrote; other
/// further programs are recorded as lost.
fn with_others(
    problem: &Problem<'_>,
    first: &Checker,
    outer: Outer,
    role: Role,
    out: &mut Output,
) -> Result<Sources, NoAdapter> {
    match (problem.judging.others.as_slice(), role) {
        ([], _) => {}
        ([checker], Role::Interactor) => match combine(first, checker, outer) {
            Ok(sources) => return Ok(sources),
            Err(why) => out.changes(format!(
                "the checker that reads what the interactor wrote: {why}"
            )),
        },
        _ => out.changes("further output validators: the first one decides"),
    }
    adapt(first, outer, role)
}

/// The checker or interactor of the problem as one program that follows `outer`; a comparison becomes a
/// program. Without one, the loss is recorded.
fn one_program(problem: &Problem<'_>, outer: Outer, out: &mut Output) -> Option<Sources> {
    let judging = &problem.judging;
    let role = Role::of(problem.package);
    let made = match &judging.decision {
        Decision::Compare(comparison) => adapt(&Checker::comparing(comparison), outer, role),
        Decision::Program(checker) => with_others(problem, checker, outer, role, out),
    };
    made.map_err(|why| {
        let name = match role {
            Role::Interactor => "interactor",
            Role::Checker => "checker",
        };
        out.changes(format!("the {name}: {why}"));
    })
    .ok()
}

/// Writes a program that must be one file to `dir`, with the headers of its own; returns the name of its
/// main file. Formats provide testlib.h themselves.
fn write_single(
    sources: &Sources,
    dir: &str,
    stem: &str,
    what: &str,
    out: &mut Output,
) -> Result<String, PackageError> {
    let extension = crate::program::extension(&sources.main().name);
    let name = match extension {
        "" => stem.to_owned(),
        "cc" | "cxx" | "c++" => format!("{stem}.cpp"),
        extension => format!("{stem}.{extension}"),
    };
    let at = |name: &str| join(dir, name);
    if !sources.is_single() {
        out.changes(format!("the files beside the main one of the {what}"));
    }
    out.write(&at(&name), &sources.main().content)?;
    for file in sources.files[1..].iter().filter(|file| file.is_header()) {
        out.write(&at(&file.name), &file.content)?;
    }
    Ok(name)
}

/// The files of a test in formats that list them: input and answer.
struct Files {
    input: String,
    answer: String,
}

/// Writes the files of all tests into `dir`, samples first, with these extensions.
fn write_all(
    problem: &Problem<'_>,
    dir: &str,
    endings: (&str, &str),
    out: &mut Output,
) -> Result<(), PackageError> {
    for test in problem.data.tests() {
        let files = Files::of(&test.name, endings);
        out.copy(&test.case.input, &join(dir, &files.input))?;
        copy_answer(out, test.case.answer.as_ref(), &join(dir, &files.answer))?;
    }
    Ok(())
}

impl Files {
    fn of(name: &str, (input, answer): (&str, &str)) -> Self {
        Files {
            input: format!("{name}{input}"),
            answer: format!("{name}{answer}"),
        }
    }
}

fn join(dir: &str, name: &str) -> String {
    match dir {
        "" => name.to_owned(),
        dir => format!("{dir}/{name}"),
    }
}

/// The subtasks for a format whose subtasks always score the minimum of their tests: a test whose points are added becomes
/// a subtask of its own. The second value of a subtask: the numbers, from 0, of the subtasks that it requires.
fn with_minimum<'t, 'p>(problem: &'t Problem<'p>) -> Vec<(f64, Vec<usize>, &'t [Test<'p>])> {
    let mut numbers: Vec<Vec<usize>> = Vec::new();
    let mut made = Vec::new();
    for subtask in &problem.data.subtasks {
        let required = subtask.requires.iter().flat_map(|k| numbers[*k].clone());
        let required: Vec<usize> = required.collect();
        let parts: Vec<&[Test<'p>]> = match subtask.is_all {
            true => vec![&subtask.tests],
            false => subtask.tests.chunks(1).collect(),
        };
        let first = made.len();
        for part in parts {
            let points = match subtask.is_all {
                true => subtask.points,
                false => part[0].points,
            };
            made.push((points, required.clone(), part));
        }
        numbers.push((first..made.len()).collect());
    }
    made
}

/// An input validator as one of testlib.
fn testlib_validator(validator: &InputValidator) -> Result<Sources, NoAdapter> {
    match validator.kind {
        InputValidatorKind::Testlib => Ok(validator.sources.clone()),
        InputValidatorKind::Program => adapt_input_validator(&validator.sources, false),
        _ => Err(NoAdapter::new("the format has no grammars")),
    }
}

/// The first input validator as one of testlib; the others are recorded as losses.
fn one_input_validator<'p>(
    problem: &'p Problem<'_>,
    out: &mut Output,
) -> Option<(&'p InputValidator, Sources)> {
    let mut found = None;
    for validator in &problem.input_validators {
        let name = &validator.sources.main().name;
        let made = testlib_validator(validator);
        match made {
            Ok(sources) if found.is_none() => found = Some((validator, sources)),
            Ok(_) => out.leaves_out(format!("the input validator `{name}`: the format has one")),
            Err(why) => out.leaves_out(format!("the input validator `{name}`: {why}")),
        }
    }
    found
}

/// Arguments for input validators as a value of YAML: a list, or a map of lists; `None` without any.
pub fn input_args(args: &InputValidatorArgs) -> Option<String> {
    icpc::input_args(args, &|args| crate::yaml::list(args))
}

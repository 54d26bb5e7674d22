//! Shared by the ICPC formats: programs, submissions, statements, data.

use super::olymp::to_problemtools;
use crate::adapter::{Outer, Role, adapt_input_validator};
use crate::data::{Subtask, Test, file_name, in_order, sorted_names};
use crate::judging::{Checker, Decision, InputValidator};
use crate::output::Output;
use crate::problem::{Problem, copy_answer, memory_in};
use crate::program::Sources;
use crate::yaml::{YamlLines, quoted};
use judge_package::{
    InputValidatorArgs, InputValidatorKind, LimitSource, PackageError, PackageLimits,
    PackagedSubmission, StatementFile, StatementKind, ValidatorProtocol,
};
use judge_statement::markdown_tex;
use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

/// Writes the files of a program into `dir`.
pub fn write_program(sources: &Sources, dir: &str, out: &mut Output) -> Result<(), PackageError> {
    for file in &sources.files {
        out.write_source(&format!("{dir}/{}", file.name), file)?;
    }
    Ok(())
}

/// Writes the output validator, if the default one does not do, to `dir`; returns the arguments for it,
/// and whether it is a program.
pub fn write_validator(
    problem: &Problem<'_>,
    dir: &str,
    points: bool,
    out: &mut Output,
) -> Result<(Vec<String>, bool), PackageError> {
    let outer = Outer::Icpc { points };
    let (checker, args) = match &problem.judging.decision {
        Decision::Compare(comparison) => {
            if let Some(args) = comparison.default_arguments() {
                return Ok((args, false));
            }
            (Checker::comparing(comparison), Vec::new())
        }
        // The format passes the arguments.
        Decision::Program(checker) if checker.protocol == ValidatorProtocol::Icpc => {
            (checker.clone(), checker.args.clone())
        }
        Decision::Program(checker) => (checker.clone(), Vec::new()),
    };
    match super::with_others(problem, &checker, outer, Role::of(problem.package), out) {
        Ok(sources) => write_program(&sources, dir, out)?,
        Err(why) => {
            out.changes(format!("the output validator: {why}"));
            return Ok((Vec::new(), false));
        }
    }
    Ok((args, true))
}

pub fn write_input_validators(problem: &Problem<'_>, out: &mut Output) -> Result<(), PackageError> {
    for (validator, name) in problem
        .input_validators
        .iter()
        .zip(validator_names(problem))
    {
        let dir = format!("input_validators/{name}");
        match validator.kind {
            InputValidatorKind::Program => write_program(&validator.sources, &dir, out)?,
            InputValidatorKind::Checktestdata | InputValidatorKind::Viva => {
                write_program(&validator.sources, "input_validators", out)?;
            }
            InputValidatorKind::Testlib => match adapt_input_validator(&validator.sources, true) {
                Ok(sources) => write_program(&sources, &dir, out)?,
                Err(why) => {
                    let main = &validator.sources.main().name;
                    out.leaves_out(format!("the input validator `{main}`: {why}"));
                }
            },
        }
    }
    Ok(())
}

/// The names of the input validators: that of a grammar's file, or that of a program's directory.
fn validator_names(problem: &Problem<'_>) -> Vec<String> {
    let mut taken = HashSet::new();
    let mut name = |validator: &InputValidator| {
        if matches!(
            validator.kind,
            InputValidatorKind::Checktestdata | InputValidatorKind::Viva
        ) {
            return validator.sources.main().name.clone();
        }
        let stem = file_name(validator.name.split('.').next().unwrap_or_default());
        let mut name = stem.clone();
        let mut number = 2;
        while !taken.insert(name.clone()) {
            name = format!("{stem}-{number}");
            number += 1;
        }
        name
    };
    problem.input_validators.iter().map(&mut name).collect()
}

/// Writes the files of a test as `STEM.in`, `STEM.ans` and others.
pub fn write_test(
    problem: &Problem<'_>,
    test: &Test<'_>,
    stem: &str,
    out: &mut Output,
) -> Result<(), PackageError> {
    let case = test.case;
    out.copy(&case.input, &format!("{stem}.in"))?;
    copy_answer(out, case.answer.as_ref(), &format!("{stem}.ans"))?;
    if let Some(files) = &case.files {
        out.copy_all(&problem.package.root, files, &format!("{stem}.files"))?;
    }
    // Files that statements show with the case.
    for ending in [
        ".in.statement",
        ".ans.statement",
        ".in.download",
        ".ans.download",
        ".interaction",
        ".png",
        ".jpg",
        ".jpeg",
        ".svg",
    ] {
        let beside = case.input.with_extension("");
        let mut name = beside.into_os_string();
        name.push(ending);
        let path = std::path::PathBuf::from(name);
        if case
            .input
            .extension()
            .is_some_and(|extension| extension == "in")
            && path.is_file()
        {
            out.copy(&path, &format!("{stem}{ending}"))?;
        }
    }
    Ok(())
}

/// Writes a statement as TeX. One in Markdown is left out if there is one in TeX in its language.
pub fn write_tex(
    problem: &Problem<'_>,
    statement: &StatementFile,
    to: &str,
    out: &mut Output,
) -> Result<(), PackageError> {
    let (path, language) = (&statement.path, &statement.language);
    let is_tex =
        |file: &StatementFile| file.kind == StatementKind::Tex && file.language == *language;
    if statement.kind == StatementKind::Tex {
        return copy_statement(problem, statement, to, out);
    }
    if problem.statements.iter().any(is_tex) {
        return Ok(());
    }
    let text = read_text(path)?;
    let text = problem.package.with_constants(&text);
    let title = problem.metadata.title_in(language);
    out.write(to, markdown_tex(&text, title))
}

/// Writes statements to `dir`, those in Markdown as TeX if the format has no Markdown, and the files for
/// contestants.
pub fn write_documents(
    problem: &Problem<'_>,
    dir: &str,
    kinds: &[StatementKind],
    out: &mut Output,
) -> Result<(), PackageError> {
    for statement in &problem.statements {
        let name = statement.name();
        if statement.kind == StatementKind::Markdown && !kinds.contains(&statement.kind) {
            let to = format!("{dir}/problem.{}.tex", statement.language);
            write_tex(problem, statement, &to, out)?;
            out.copy_into(dir, statement.images())?;
            continue;
        }
        if !kinds.contains(&statement.kind) {
            out.leaves_out(format!(
                "the statement `{name}`: the format has none of its kind"
            ));
            continue;
        }
        let ending = crate::problem::ending(&statement.path);
        let to = format!("{dir}/problem.{}{ending}", statement.language);
        if statement.kind == StatementKind::Tex && problem.package.format == "Polygon" {
            let title = problem.metadata.title_in(&statement.language);
            let text = read_text(&statement.path)?;
            out.write(&to, to_problemtools(&text, title))?;
        } else {
            copy_statement(problem, statement, &to, out)?;
        }
        out.copy_into(dir, statement.images())?;
    }
    if let Some(solution) = problem.solution() {
        out.copy_all(&problem.package.root, &solution, "solution")?;
    }
    out.copy_into("attachments", problem.attachments())
}

/// Writes the files that are compiled with submissions.
pub fn write_include(problem: &Problem<'_>, out: &mut Output) -> Result<(), PackageError> {
    if let Some(include) = &problem.package.include {
        out.copy_all(&problem.package.root, include, "include")?;
    }
    if problem.package.stub.is_some() {
        out.changes("the text in front of submissions");
    }
    problem.loses_file_io(out);
    Ok(())
}

fn read_text(path: &Path) -> Result<String, PackageError> {
    std::fs::read_to_string(path)
        .map_err(|e| PackageError::new(path, format!("failed to read: {e}")))
}

/// Copies a statement, and replaces the constants of the package.
fn copy_statement(
    problem: &Problem<'_>,
    statement: &StatementFile,
    to: &str,
    out: &mut Output,
) -> Result<(), PackageError> {
    let (package, path) = (problem.package, &statement.path);
    match std::fs::read_to_string(path) {
        Ok(text) if !package.constants.is_empty() => {
            out.write(to, package.statement_with_constants(statement.kind, &text))
        }
        _ => out.copy(path, to),
    }
}

/// Copies a file, and replaces the constants of the package if it is a text.
pub fn copy_text(
    problem: &Problem<'_>,
    from: &Path,
    to: &str,
    out: &mut Output,
) -> Result<(), PackageError> {
    if problem.package.constants.is_empty() || from.is_dir() {
        return out.copy_all(&problem.package.root, from, to);
    }
    match std::fs::read_to_string(from) {
        Ok(text) => out.write(to, problem.package.with_constants(&text)),
        Err(_) => out.copy(from, to),
    }
}

/// Copies a submission to `to`.
pub fn write_submission(
    problem: &Problem<'_>,
    submission: &PackagedSubmission,
    to: &str,
    out: &mut Output,
) -> Result<(), PackageError> {
    if submission.path.is_dir() {
        let sources = Sources::read(problem.package, &submission.path)?;
        return write_program(&sources, to, out);
    }
    copy_text(problem, &submission.path, to, out)
}

/// Names for submissions in their directories: that of the file, unique.
#[derive(Default)]
pub struct SubmissionNames(HashSet<String>);

impl SubmissionNames {
    /// The path `DIR/NAME` for a submission.
    pub fn take(&mut self, dir: &str, submission: &PackagedSubmission) -> String {
        let name = &submission.name;
        let base = name.rsplit('/').next().unwrap_or(name);
        let base = file_name(base);
        let (stem, ending) = match base.rsplit_once('.') {
            Some((stem, ending)) => (stem, format!(".{ending}")),
            None => (base.as_str(), String::new()),
        };
        let mut path = format!("{dir}/{base}");
        let mut number = 2;
        while !self.0.insert(path.clone()) {
            path = format!("{dir}/{stem}-{number}{ending}");
            number += 1;
        }
        path
    }
}

/// The limits that both versions have, as lines of `limits:`.
pub fn limits(problem: &Problem<'_>) -> String {
    const MIB: u64 = 1 << 20;
    let (limits, usual) = (&problem.package.limits, PackageLimits::default());
    let mut text = String::new();
    if limits.memory_from != LimitSource::Judge && limits.memory_from != LimitSource::Format
        || limits.memory != usual.memory
    {
        text.value(2, "memory", memory_in(limits.memory, MIB));
    }
    if limits.output != usual.output {
        text.value(2, "output", memory_in(limits.output, MIB));
    }
    if let Some(code) = limits.code {
        text.value(2, "code", memory_in(code, 1 << 10));
    }
    type Of<T> = fn(&PackageLimits) -> T;
    let times: [(_, Of<Duration>); 2] = [
        ("compilation_time", |own| own.compilation_time),
        ("validation_time", |own| own.validation_time),
    ];
    for (key, of) in times {
        if of(limits) != of(&usual) {
            text.value(2, key, of(limits).as_secs_f64());
        }
    }
    let sizes: [(_, Of<u64>); 3] = [
        ("compilation_memory", |own| own.compilation_memory),
        ("validation_memory", |own| own.validation_memory),
        ("validation_output", |own| own.validation_output),
    ];
    for (key, of) in sizes {
        if of(limits) != of(&usual) {
            text.value(2, key, memory_in(of(limits), MIB));
        }
    }
    text
}

/// Groups of tests with the same points in a subtask: all of them, or one group for each test.
pub fn parts<'t, 'p>(subtask: &'t Subtask<'p>) -> Vec<&'t [Test<'p>]> {
    let first = subtask.tests.first().map_or(0.0, |test| test.points);
    let is_even = subtask.tests.iter().all(|test| test.points == first);
    let total = first * subtask.tests.len() as f64;
    match subtask.is_all || is_even && total.fract() == 0.0 {
        true => vec![&subtask.tests[..]],
        false => subtask.tests.chunks(1).collect(),
    }
}

/// The names of the groups of each subtask, in the order of the subtasks.
pub fn group_names(problem: &Problem<'_>) -> Vec<Vec<String>> {
    let all: Vec<_> = problem
        .data
        .subtasks
        .iter()
        .map(|own| (own, parts(own)))
        .collect();
    let of_subtask = |(subtask, parts): &(&Subtask<'_>, Vec<&[Test<'_>]>)| -> Vec<String> {
        let name = |part: &&[Test<'_>]| match parts.len() {
            1 => file_name(last(&subtask.name)),
            _ => file_name(part[0].name.trim_start_matches("secret-")),
        };
        parts.iter().map(name).collect()
    };
    let mut names = in_order(all.iter().flat_map(of_subtask).collect()).into_iter();
    let taken = |(_, parts): &(_, Vec<_>)| names.by_ref().take(parts.len()).collect();
    all.iter().map(taken).collect()
}

/// Whether every test keeps its path in `data`, by which `submissions.yaml` and submitted outputs name it.
pub fn keeps_names(problem: &Problem<'_>) -> bool {
    let keeps = |dir: &str, group: &str, tests: &[Test<'_>]| {
        let mut names = tests.iter().zip(sorted_names(tests, group));
        names.all(|(test, name)| test.case.name == format!("{dir}/{name}"))
    };
    let data = &problem.data;
    let mut subtasks = data.subtasks.iter().zip(group_names(problem));
    keeps("sample", "sample", &data.samples)
        && subtasks.all(|(subtask, names)| match problem.package.kind.scoring {
            true => parts(subtask)
                .into_iter()
                .zip(names)
                .all(|(part, name)| keeps(&format!("secret/{name}"), &subtask.name, part)),
            false => keeps("secret", &subtask.name, &subtask.tests),
        })
}

fn last(name: &str) -> &str {
    match name.rsplit('/').next().unwrap_or(name) {
        "" | "secret" => "tests",
        name => name,
    }
}

/// The arguments that these tests give the input validators, if they are the same for all.
pub fn common_input_args<'t>(
    problem: &Problem<'_>,
    tests: impl IntoIterator<Item = &'t Test<'t>>,
) -> Option<InputValidatorArgs> {
    let mut args = tests
        .into_iter()
        .map(|test| &test.case.input_validator_args);
    let first = args.next()?;
    args.all(|args| args == first)
        .then(|| written_args(problem, first))
}

/// Arguments of input validators under the names that these have in the result.
pub fn written_args(problem: &Problem<'_>, args: &InputValidatorArgs) -> InputValidatorArgs {
    let names = validator_names(problem);
    let mut written = InputValidatorArgs {
        all: args.all.clone(),
        by_name: Vec::new(),
    };
    for (validator, name) in problem.input_validators.iter().zip(names) {
        let own = args.of(&validator.name);
        if own != args.all {
            written.by_name.push((name, own.to_vec()));
        }
    }
    written
}

/// The text of arguments for input validators, as a value of YAML; `line` makes one of a list.
pub fn input_args(args: &InputValidatorArgs, line: &dyn Fn(&[String]) -> String) -> Option<String> {
    if args.by_name.is_empty() {
        return (!args.all.is_empty()).then(|| line(&args.all));
    }
    let entry = |(name, args): &(String, Vec<String>)| format!("{}: {}", quoted(name), line(args));
    let entries: Vec<String> = args.by_name.iter().map(entry).collect();
    Some(format!("{{{}}}", entries.join(", ")))
}

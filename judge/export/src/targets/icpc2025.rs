//! ICPC/Kattis, version 2025-09.

mod submissions;

use self::submissions::write_submissions;
use super::icpc::{
    common_input_args, group_names, input_args, keeps_names, limits, parts, write_documents,
    write_include, write_input_validators, write_program, write_test, write_validator,
    written_args,
};
use crate::data::{Test, sorted_names};
use crate::judging::Decision;
use crate::output::Output;
use crate::problem::Problem;
use crate::program::Sources;
use crate::yaml::{YamlLines, list, quoted};
use judge_package::{
    Aggregation, Package, PackageError, Points, StatementKind, SubmittedOutput, TestCase, TimeLimit,
};
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

pub fn write(problem: &Problem<'_>, out: &mut Output) -> Result<(), PackageError> {
    out.folder = crate::data::file_name(&problem.package.id);
    problem.losses_everywhere(out);
    problem.loses_own_limits(out);
    problem.loses_language_limits(out);
    loses_submitted_names(problem, out);
    if problem.package.static_validator.is_some() {
        out.changes("the static validator");
    }
    for (program, dir) in visualizers(problem.package) {
        write_program(&Sources::read(problem.package, program)?, dir, out)?;
    }
    let (args, _) = write_validator(
        problem,
        "output_validator",
        problem.package.kind.scoring,
        out,
    )?;
    out.write("problem.yaml", problem_yaml(problem))?;
    write_data(problem, &args, out)?;
    write_input_validators(problem, out)?;
    write_include(problem, out)?;
    let kinds = [
        StatementKind::Markdown,
        StatementKind::Tex,
        StatementKind::Pdf,
    ];
    write_documents(problem, "statement", &kinds, out)?;
    let templates = problem.package.root.join("attachments/templates");
    if templates.is_dir() {
        out.copy_all(&problem.package.root, &templates, "attachments/templates")?;
    }
    if problem.metadata.has_submission_notes {
        out.leaves_out("the authors of submissions, and which one is the model solution");
    }
    write_submissions(problem, out)
}

/// Records that the files of submitted outputs are not named like the tests.
fn loses_submitted_names(problem: &Problem<'_>, out: &mut Output) {
    let cases = problem.package.cases();
    let by_name = |case: &&TestCase| match &case.submitted {
        SubmittedOutput::ByName => true,
        SubmittedOutput::File(name) => {
            let base = case.name.rsplit('/').next().unwrap_or_default();
            *name == format!("{base}.out")
        }
        SubmittedOutput::Whole => cases.len() == 1,
    };
    let is_named = keeps_names(problem) && cases.iter().all(by_name);
    if problem.package.kind.submit_answer && !is_named {
        out.changes("the names of the submitted outputs");
    }
}

/// The visualizers of a package, and their directories.
fn visualizers(package: &Package) -> impl Iterator<Item = (&PathBuf, &'static str)> {
    let input = package.input_visualizer.iter();
    let output = package.output_visualizer.iter();
    let input = input.map(|path| (path, "input_visualizer"));
    input.chain(output.map(|path| (path, "output_visualizer")))
}

fn problem_yaml(problem: &Problem<'_>) -> String {
    let (package, metadata) = (problem.package, &problem.metadata);
    let mut text = String::from("problem_format_version: 2025-09\n");
    let kind = package.kind;
    let mut types = vec![if kind.scoring { "scoring" } else { "pass-fail" }];
    for (has, name) in [
        (kind.interactive, "interactive"),
        (kind.multi_pass, "multi-pass"),
        (kind.submit_answer, "submit-answer"),
    ] {
        if has {
            types.push(name);
        }
    }
    match types.as_slice() {
        [only] => _ = writeln!(text, "type: {only}"),
        all => _ = writeln!(text, "type: [{}]", all.join(", ")),
    }
    text.push_str("name:\n");
    for (language, name) in &metadata.names {
        text.line(2, language, name);
    }
    text.value(0, "uuid", &metadata.uuid);
    if let Some(version) = &metadata.version {
        text.line(0, "version", version);
    }
    if let Some(credits) = &metadata.credits {
        text.value(0, "credits", credits);
    } else if !metadata.authors.is_empty() {
        let _ = writeln!(text, "credits:\n  authors: {}", list(&metadata.authors));
    }
    if !metadata.sources.is_empty() {
        text.push_str("source:\n");
    }
    for (name, url) in &metadata.sources {
        let _ = writeln!(text, "  - name: {}", quoted(name));
        if let Some(url) = url {
            text.line(4, "url", url);
        }
    }
    if let Some(license) = &metadata.license {
        text.line(0, "license", license);
    }
    if let Some(owner) = &metadata.rights_owner {
        text.line(0, "rights_owner", owner);
    }
    if let Some(date) = &metadata.embargo {
        text.value(0, "embargo_until", date);
    }
    if !metadata.keywords.is_empty() {
        text.value(0, "keywords", list(&metadata.keywords));
    }
    let limits = times(problem) + &limits(problem) + &passes(problem);
    if !limits.is_empty() {
        let _ = write!(text, "limits:\n{limits}");
    }
    if let Some(languages) = &package.languages {
        text.value(0, "languages", list(languages));
    }
    if package.allow_file_writing {
        text.push_str("allow_file_writing: true\n");
    }
    text
}

fn passes(problem: &Problem<'_>) -> String {
    match problem.package.kind.multi_pass {
        true => format!(
            "  validation_passes: {}\n",
            problem.package.limits.validation_passes
        ),
        false => String::new(),
    }
}

/// The time limit, or how it is derived.
fn times(problem: &Problem<'_>) -> String {
    let limits = &problem.package.limits;
    let mut text = String::new();
    let resolution = match problem.time {
        TimeLimit::Given(time) => {
            text.value(2, "time_limit", time.as_secs_f64());
            [1_000_000_000, 100_000_000, 10_000_000, 1_000_000, 1_000]
                .into_iter()
                .map(Duration::from_nanos)
                .find(|step| time.as_nanos() % step.as_nanos() == 0)
                .unwrap_or(Duration::from_nanos(1))
        }
        TimeLimit::Derived { resolution, .. } => resolution,
    };
    if resolution != Duration::from_secs(1) {
        text.value(2, "time_resolution", resolution.as_secs_f64());
    }
    if (limits.ac_to_time_limit, limits.time_limit_to_tle) != (2.0, 1.5) {
        let _ = writeln!(
            text,
            "  time_multipliers: {{ac_to_time_limit: {}, time_limit_to_tle: {}}}",
            limits.ac_to_time_limit.max(1.0),
            limits.time_limit_to_tle.max(1.0)
        );
    }
    text
}

/// The settings that these tests share, and for which they need none of their own.
fn common_settings(problem: &Problem<'_>, tests: &[Test<'_>], validator_args: &[String]) -> String {
    let mut text = String::new();
    if !problem.judging.has_own_args && !validator_args.is_empty() {
        text.value(0, "output_validator_args", list(validator_args));
    }
    if let Some(args) = common_input_args(problem, tests)
        && let Some(value) = input_args(&args, &|args| list(args))
    {
        text.value(0, "input_validator_args", value);
    }
    text
}

/// The settings of one test; `has_args`: its arguments for the input validators are not those of all tests.
fn own_settings(problem: &Problem<'_>, case: &TestCase, has_args: bool) -> String {
    let mut text = String::new();
    for (key, own) in [("description", &case.description), ("hint", &case.hint)] {
        if let Some(own) = own {
            text.line(0, key, own.trim());
        }
    }
    if let Some(feedback) = case.full_feedback.filter(|own| *own != case.sample) {
        text.value(0, "full_feedback", feedback);
    }
    if !case.args.is_empty() {
        text.value(0, "args", list(&case.args));
    }
    if problem.judging.has_own_args && !case.validator_args.is_empty() {
        text.value(0, "output_validator_args", list(&case.validator_args));
    }
    for (key, args) in [
        ("input_visualizer_args", &case.visualizer_args.input),
        ("output_visualizer_args", &case.visualizer_args.output),
    ] {
        if !args.is_empty() {
            let _ = writeln!(text, "{key}: {}", list(args));
        }
    }
    if has_args {
        add_input_args(problem, case, &mut text);
    }
    text
}

fn add_input_args(problem: &Problem<'_>, case: &TestCase, text: &mut String) {
    let args = written_args(problem, &case.input_validator_args);
    if let Some(value) = input_args(&args, &|args| list(args)) {
        text.value(0, "input_validator_args", value);
    }
}

/// Writes the tests of a group, and what they share with `settings` as `test_group.yaml`.
fn write_tests(
    problem: &Problem<'_>,
    tests: &[Test<'_>],
    (group, dir): (&str, &str),
    settings: &str,
    out: &mut Output,
) -> Result<(), PackageError> {
    if !settings.is_empty() {
        out.write(&format!("{dir}/test_group.yaml"), settings)?;
    }
    let has_args = common_input_args(problem, tests).is_none();
    for (test, name) in tests.iter().zip(sorted_names(tests, group)) {
        let stem = format!("{dir}/{name}");
        write_test(problem, test, &stem, out)?;
        if let Some(output) = &test.case.output {
            out.copy(output, &format!("{stem}.out"))?;
        }
        let settings = own_settings(problem, test.case, has_args);
        if !settings.is_empty() {
            out.write(&format!("{stem}.yaml"), settings)?;
        }
    }
    Ok(())
}

fn write_data(
    problem: &Problem<'_>,
    args: &[String],
    out: &mut Output,
) -> Result<(), PackageError> {
    let (data, scoring) = (&problem.data, problem.package.kind.scoring);
    // Samples with points are in a group, too: statements show them.
    let with_points = data.subtasks.iter().flat_map(|subtask| &subtask.tests);
    let with_points = with_points.filter(|test| test.case.sample);
    let samples: Vec<Test<'_>> = data.samples.iter().chain(with_points).cloned().collect();
    let common = common_settings(problem, &samples, args);
    write_tests(problem, &samples, ("sample", "data/sample"), &common, out)?;
    match scoring {
        true => write_groups(problem, args, out)?,
        false => {
            for subtask in &data.subtasks {
                let common = common_settings(problem, &subtask.tests, args);
                let place = (&subtask.name[..], "data/secret");
                write_tests(problem, &subtask.tests, place, &common, out)?;
            }
        }
    }
    write_validator_cases(problem, out)
}

/// Words in the source of a checker that gives a part of the points.
const PARTS: [&str; 5] = ["quitp", "_pc", "_points", "score", "partial"];

fn write_groups(
    problem: &Problem<'_>,
    args: &[String],
    out: &mut Output,
) -> Result<(), PackageError> {
    let subtasks = &problem.data.subtasks;
    let total: f64 = subtasks.iter().map(|subtask| rounded(subtask.points)).sum();
    let mut settings = String::new();
    settings.value(0, "max_score", most(problem, total));
    settings.push_str("score_aggregation: sum\n");
    out.write("data/secret/test_group.yaml", settings)?;
    let names = group_names(problem);
    // Only a `pass-fail` group can be required. The minimum is the same where a test has all points or none.
    let gives_parts = match &problem.judging.decision {
        Decision::Program(checker) => checker.sources.mentions(&PARTS),
        Decision::Compare(_) => false,
    };
    let demands_pass_fail = |index: usize| {
        let mut others = subtasks.iter();
        !gives_parts && others.any(|other| other.requires.contains(&index))
    };
    for (index, (subtask, names_of_parts)) in subtasks.iter().zip(&names).enumerate() {
        let mut required: Vec<String> = subtask
            .requires
            .iter()
            .flat_map(|required| &names[*required])
            .map(|name| format!("secret/{name}"))
            .collect();
        if subtask.requires_samples {
            required.insert(0, "sample".to_owned());
        }
        for (part, name) in parts(subtask).into_iter().zip(names_of_parts) {
            let points = match subtask.is_all {
                true => subtask.points,
                false => part.iter().map(|test| test.points).sum(),
            };
            if rounded(points) != points {
                out.changes(format!("the points {points} of `{name}`: they are rounded"));
            }
            let kind = match (
                subtask.is_all,
                subtask.pass_fail || demands_pass_fail(index),
            ) {
                (true, true) => "pass-fail",
                (true, false) => "min",
                (false, _) => "sum",
            };
            let mut settings = format!(
                "max_score: {}\nscore_aggregation: {kind}\n",
                most(problem, rounded(points))
            );
            if !required.is_empty() {
                settings.value(0, "require_pass", list(&required));
            }
            settings += &common_settings(problem, part, args);
            let place = (&subtask.name[..], &format!("data/secret/{name}")[..]);
            write_tests(problem, part, place, &settings, out)?;
        }
    }
    Ok(())
}

fn rounded(points: f64) -> f64 {
    points.max(0.0).round()
}

/// The value of `max_score`; a package without a bound has none in its only group.
fn most(problem: &Problem<'_>, points: f64) -> String {
    let cases = problem.package.cases();
    let is_unbounded = cases
        .iter()
        .any(|case| case.points == Points::Demanded && case.score.is_none());
    match is_unbounded && problem.package.data.aggregation == Aggregation::Sum {
        true => "unbounded".to_owned(),
        false => points.to_string(),
    }
}

fn write_validator_cases(problem: &Problem<'_>, out: &mut Output) -> Result<(), PackageError> {
    let cases = &problem.package.validator_cases;
    for (dir, list_of_cases) in [
        ("invalid_input", &cases.invalid_input),
        ("invalid_output", &cases.invalid_output),
        ("valid_output", &cases.valid_output),
    ] {
        for (number, case) in (1..).zip(list_of_cases) {
            let name = case.name.rsplit('/').next().unwrap_or_default();
            let stem = format!("data/{dir}/{number:03}-{}", crate::data::file_name(name));
            out.copy(&case.input, &format!("{stem}.in"))?;
            if let Some(answer) = &case.answer {
                out.copy(answer, &format!("{stem}.ans"))?;
            }
            if let Some(output) = &case.output {
                out.copy(output, &format!("{stem}.out"))?;
            }
            let mut settings = String::new();
            if !case.validator_args.is_empty() {
                settings.value(0, "output_validator_args", list(&case.validator_args));
            }
            add_input_args(problem, case, &mut settings);
            if !settings.is_empty() {
                out.write(&format!("{stem}.yaml"), settings)?;
            }
        }
    }
    Ok(())
}

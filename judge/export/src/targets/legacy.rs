//! ICPC/Kattis, version legacy, and DOMjudge's additions.

use super::icpc::{
    SubmissionNames, common_input_args, group_names, input_args, limits, parts, write_documents,
    write_include, write_input_validators, write_submission, write_test, write_validator,
};
use crate::data::{Test, file_name, sorted_names};
use crate::output::Output;
use crate::problem::Problem;
use crate::program::extension;
use crate::submissions::Expected;
use crate::yaml::{YamlLines, quoted};
use judge_package::{
    InputValidatorArgs, PackageError, PackagedSubmission, StatementFile, StatementKind, TimeLimit,
    Verdict,
};
use judge_statement::document::{Entry, document};
use std::fmt::Write;

/// Writes the problem; `domjudge` adds the files that only DOMjudge reads.
pub fn write(problem: &Problem<'_>, out: &mut Output, domjudge: bool) -> Result<(), PackageError> {
    if !domjudge {
        out.folder = file_name(&problem.package.id);
    }
    let package = problem.package;
    problem.losses_everywhere(out);
    problem.loses_own_limits(out);
    problem.loses_language_limits(out);
    // problemtools refuses other directories beside `sample` and `secret`.
    problem.loses_validator_cases(out);
    for (is_lost, what) in [
        (package.static_validator.is_some(), "the static validator"),
        (
            package.kind.submit_answer,
            "submissions that are the output",
        ),
        (
            package.languages.is_some(),
            "the list of permitted languages",
        ),
        (
            problem.judging.has_own_args,
            "different arguments of the validator for single cases",
        ),
        (
            package.cases().iter().any(|case| !case.args.is_empty()),
            "the arguments of submissions",
        ),
    ] {
        if is_lost {
            out.changes(what);
        }
    }
    let (args, custom) = write_validator(problem, "output_validators/validate", false, out)?;
    let yaml = problem_yaml(problem, &args, custom, domjudge, out);
    out.write("problem.yaml", yaml)?;
    if let TimeLimit::Given(time) = problem.time {
        let seconds = time.as_secs_f64();
        match domjudge {
            true => {
                let title = problem.metadata.title().replace('\'', "\u{2019}");
                let text = format!("name='{title}'\ntimelimit='{seconds}'\n");
                out.write("domjudge-problem.ini", text)?;
            }
            false => out.write(".timelimit", format!("{seconds}\n"))?,
        }
    }
    write_data(problem, out)?;
    write_input_validators(problem, out)?;
    write_include(problem, out)?;
    if domjudge && package.include.is_some() {
        out.changes("the files that are compiled with submissions, which DOMjudge does not read");
    }
    let kinds = [
        StatementKind::Tex,
        StatementKind::Pdf,
        StatementKind::Html,
        StatementKind::Text,
    ];
    // problemtools has no other kinds.
    let kinds = if domjudge { &kinds[..] } else { &kinds[..2] };
    write_documents(problem, "problem_statement", kinds, out)?;
    if domjudge {
        write_shown_statement(problem, out)?;
    }
    write_submissions(problem, out)
}

/// Writes the statement as DOMjudge finds it: it shows `problem.pdf`, `problem.html` or `problem.txt`, but neither
/// TeX nor Markdown, nor a file with a language in its name.
fn write_shown_statement(problem: &Problem<'_>, out: &mut Output) -> Result<(), PackageError> {
    let all = &problem.statements;
    let english = all.iter().find(|file| file.language == "en");
    let Some(first) = english.or(all.first()) else {
        return Ok(());
    };
    let is_printed =
        |file: &&StatementFile| file.language == first.language && file.kind == StatementKind::Pdf;
    if let Some(file) = all.iter().find(is_printed) {
        return out.copy(&file.path, "problem.pdf");
    }
    let entry = Entry {
        package: problem.package,
        letter: None,
        color: None,
        time_limit: problem.time.fixed(),
    };
    let html = document(None, &[(entry, first.clone())])
        .map_err(|e| PackageError::new(&first.path, format!("failed to read: {e}")))?;
    out.write("problem.html", html)
}

fn problem_yaml(
    problem: &Problem<'_>,
    args: &[String],
    custom: bool,
    domjudge: bool,
    out: &mut Output,
) -> String {
    let (package, metadata) = (problem.package, &problem.metadata);
    let mut text = String::from("problem_format_version: legacy\n");
    match metadata.names.as_slice() {
        [(language, name)] if language == "en" => text.line(0, "name", name),
        names => {
            text.push_str("name:\n");
            for (language, name) in names {
                text.line(2, language, name);
            }
        }
    }
    text.value(0, "uuid", &metadata.uuid);
    let kind = package.kind;
    let mut types: Vec<&str> = kind.scoring.then_some("scoring").into_iter().collect();
    if domjudge && kind.interactive && kind.multi_pass {
        // DOMjudge knows each of both in `validation`, but both together only here.
        types.extend(["interactive", "multi-pass"]);
    }
    if !types.is_empty() {
        text.value(0, "type", types.join(" "));
    }
    if !metadata.authors.is_empty() {
        text.line(0, "author", &metadata.authors.join(", "));
    }
    if let Some((name, url)) = metadata.sources.first() {
        text.line(0, "source", name);
        if let Some(url) = url {
            text.line(0, "source_url", url);
        }
    }
    if metadata.sources.len() > 1 {
        out.leaves_out("all sources but the first");
    }
    if let Some(license) = &metadata.license {
        text.line(0, "license", license);
    }
    if let Some(owner) = &metadata.rights_owner {
        text.line(0, "rights_owner", owner);
    }
    if !metadata.keywords.is_empty() {
        text.line(0, "keywords", &metadata.keywords.join(" "));
    }
    if custom {
        let mut words = vec!["custom"];
        for (has, word) in [
            (kind.interactive, "interactive"),
            (kind.multi_pass, "multi-pass"),
        ] {
            if has {
                words.push(word);
            }
        }
        text.value(0, "validation", words.join(" "));
    }
    if !args.is_empty() {
        text.line(0, "validator_flags", &words(args));
    }
    let own = &package.limits;
    let mut limits = limits(problem);
    if kind.multi_pass {
        limits.value(2, "validation_passes", own.validation_passes);
    }
    if (own.ac_to_time_limit, own.time_limit_to_tle) != (5.0, 2.0) {
        limits.value(2, "time_multiplier", own.ac_to_time_limit);
        limits.value(2, "time_safety_margin", own.time_limit_to_tle);
    }
    if !limits.is_empty() {
        let _ = write!(text, "limits:\n{limits}");
    }
    text
}

/// Arguments as a line of a shell.
fn words(args: &[String]) -> String {
    let word = |arg: &String| match arg
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || "_.+-:/=,".contains(c))
    {
        true if !arg.is_empty() => arg.clone(),
        _ => format!("'{}'", arg.replace('\'', "'\\''")),
    };
    let words: Vec<String> = args.iter().map(word).collect();
    words.join(" ")
}

/// Writes the tests of a group, and `settings` with the arguments of the input validators as `testdata.yaml`; those that
/// all tests of the package share are passed by `data/testdata.yaml`.
fn write_tests(
    problem: &Problem<'_>,
    tests: &[Test<'_>],
    (group, dir): (&str, &str),
    mut settings: String,
    out: &mut Output,
) -> Result<(), PackageError> {
    if common_input_args(problem, problem.data.tests()).is_none() {
        match common_input_args(problem, tests) {
            Some(args) => add_input_args(&args, &mut settings),
            None if tests.is_empty() => {}
            None => out.leaves_out("different arguments of the input validators for single cases"),
        }
    }
    if !settings.is_empty() {
        out.write(&format!("{dir}/testdata.yaml"), settings)?;
    }
    for (test, name) in tests.iter().zip(sorted_names(tests, group)) {
        let stem = format!("{dir}/{name}");
        write_test(problem, test, &stem, out)?;
        for (ending, text) in [("desc", &test.case.description), ("hint", &test.case.hint)] {
            if let Some(text) = text {
                out.write(
                    &format!("{stem}.{ending}"),
                    format!("{}\n", text.trim_end()),
                )?;
            }
        }
        if test.case.sample
            && let Some(output) = &test.case.output
        {
            out.copy(output, &format!("{stem}.out"))?;
        }
    }
    Ok(())
}

fn add_input_args(args: &InputValidatorArgs, settings: &mut String) {
    if let Some(value) = input_args(args, &|args| quoted(&words(args))) {
        settings.value(0, "input_validator_flags", value);
    }
}

fn write_data(problem: &Problem<'_>, out: &mut Output) -> Result<(), PackageError> {
    let (data, scoring) = (&problem.data, problem.package.kind.scoring);
    write_tests(
        problem,
        &data.samples,
        ("sample", "data/sample"),
        String::new(),
        out,
    )?;
    let mut settings = String::new();
    if let Some(args) = common_input_args(problem, data.tests()) {
        add_input_args(&args, &mut settings);
    }
    let total: f64 = data.subtasks.iter().map(|subtask| subtask.points).sum();
    if scoring {
        settings.push_str("on_reject: continue\n");
        // A submission keeps the points of the groups that it passes.
        let ignored = if data.samples.is_empty() {
            ""
        } else {
            "ignore_sample "
        };
        let _ = writeln!(settings, "grader_flags: {ignored}accept_if_any_accepted");
        let _ = writeln!(settings, "range: 0 {total}");
    }
    if !settings.is_empty() {
        out.write("data/testdata.yaml", settings)?;
    }
    if !scoring {
        for subtask in &data.subtasks {
            let place = (&subtask.name[..], "data/secret");
            write_tests(problem, &subtask.tests, place, String::new(), out)?;
        }
        return Ok(());
    }
    let settings = format!(
        "on_reject: continue\ngrader_flags: sum accept_if_any_accepted\nrange: 0 {total}\n"
    );
    out.write("data/secret/testdata.yaml", settings)?;
    for (subtask, names) in data.subtasks.iter().zip(group_names(problem)) {
        if !subtask.requires.is_empty() || subtask.requires_samples {
            out.changes("subtasks that require others");
        }
        for (part, name) in parts(subtask).into_iter().zip(names) {
            let (points, settings) = match subtask.is_all {
                true => (subtask.points, "on_reject: break\ngrader_flags: min"),
                false => {
                    let each = part.first().map_or(0.0, |test| test.points);
                    (
                        each,
                        "on_reject: continue\ngrader_flags: sum accept_if_any_accepted",
                    )
                }
            };
            let most = match subtask.is_all {
                true => points,
                false => points * part.len() as f64,
            };
            let settings = format!("{settings}\naccept_score: {points}\nrange: 0 {most}\n");
            let place = (&subtask.name[..], &format!("data/secret/{name}")[..]);
            write_tests(problem, part, place, settings, out)?;
        }
    }
    Ok(())
}

fn write_submissions(problem: &Problem<'_>, out: &mut Output) -> Result<(), PackageError> {
    let mut names = SubmissionNames::default();
    for submission in &problem.package.submissions {
        // A submission that gets points is accepted.
        let class = match submission.expected.score {
            Some((least, _))
                if least > 0.0 && submission.expected.permitted != [Verdict::Accepted] =>
            {
                Expected::Partial
            }
            _ => Expected::of(submission),
        };
        let (dir, annotation) = class.directory_legacy();
        let path = format!("submissions/{}", names.take(dir, submission));
        let mut rules = submission.rules.iter();
        let has_own_rules = rules.any(|rule| rule.scope.is_some() || rule.message.is_some());
        // The directory `partially_accepted` says that a part of the points is expected.
        let expected = &submission.expected;
        let has_score = expected.score.is_some() && expected.outcome.is_empty();
        for (is_lost, what) in [
            (has_own_rules, "in single groups"),
            (has_score, "in points"),
        ] {
            if is_lost {
                out.leaves_out(format!("what `{}` must get {what}", submission.name));
            }
        }
        write_submission(problem, submission, &path, out)?;
        if let Some(words) = annotation {
            annotate(submission, &path, words, out)?;
        }
    }
    Ok(())
}

/// Adds DOMjudge's annotation to the end of a submission of one file.
fn annotate(
    submission: &PackagedSubmission,
    path: &str,
    words: &str,
    out: &mut Output,
) -> Result<(), PackageError> {
    let text = match std::fs::read_to_string(&submission.path) {
        Ok(text) if !text.contains("@EXPECTED_RESULTS@") => text,
        Ok(_) => return Ok(()),
        Err(_) => {
            out.leaves_out(format!("what is expected of `{}`", submission.name));
            return Ok(());
        }
    };
    let (before, after) = match extension(path) {
        "py" | "py2" | "py3" | "rb" | "sh" | "pl" | "r" | "R" | "jl" => ("#", ""),
        "hs" | "lua" | "adb" | "sql" => ("--", ""),
        "pas" | "ml" => ("(*", " *)"),
        "lisp" | "scm" | "clj" => (";", ""),
        _ => ("//", ""),
    };
    let end = if text.ends_with('\n') || text.is_empty() {
        ""
    } else {
        "\n"
    };
    out.write(
        path,
        format!("{text}{end}{before} @EXPECTED_RESULTS@: {words}{after}\n"),
    )
}

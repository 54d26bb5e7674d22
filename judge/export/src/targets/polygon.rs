//! Polygon's `problem.xml` with all tests.

use super::{one_program, testlib_validator};
use crate::adapter::{NoAdapter, Outer, Role, adapt};
use crate::data::{Subtask, Test};
use crate::output::Output;
use crate::problem::{Problem, copy_answer};
use crate::program::{Sources, extension};
use crate::submissions::Expected;
use judge_package::{PackageError, StatementKind, TestCase, language_name};
use judge_statement::escaped as xml;
use std::fmt::Write;

pub fn write(problem: &Problem<'_>, out: &mut Output) -> Result<(), PackageError> {
    problem.losses_outside_icpc(out);
    problem.loses_output_limit(out);
    problem.loses_own_limits(out);
    problem.loses_language_limits(out);
    problem.loses_submitted_output(out);
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"utf-8\" standalone=\"no\"?>\n");
    let short = crate::data::file_name(&problem.package.id).to_lowercase();
    let _ = writeln!(
        text,
        "<problem revision=\"1\" short-name=\"{}\" url=\"\">",
        xml(&short)
    );
    text.push_str("    <names>\n");
    let names = &problem.metadata.names;
    let mut taken = Vec::new();
    for (code, name) in names {
        // A problem has a title.
        let only = (names.len() == 1).then_some("english");
        let language = language_name(code).or(only);
        let language = language.filter(|language| !taken.contains(language));
        let Some(language) = language else {
            out.leaves_out(format!("the title in `{code}`"));
            continue;
        };
        taken.push(language);
        let _ = writeln!(
            text,
            "        <name language=\"{language}\" value=\"{}\"/>",
            xml(name)
        );
    }
    text.push_str("    </names>\n");
    judging(problem, &mut text, out)?;
    files(problem, &mut text, out)?;
    text.push_str("    <assets>\n");
    checkers(problem, &mut text, out)?;
    validators(problem, &mut text, out)?;
    solutions(problem, &mut text, out)?;
    text.push_str("    </assets>\n</problem>\n");
    statements(problem, out)?;
    out.write("problem.xml", text)
}

/// A test with the attributes that the testset has for it.
struct Numbered<'t, 'p> {
    test: &'t Test<'p>,
    group: Option<String>,
    points: Option<f64>,
}

/// The tests in order, with their groups.
fn numbered<'t, 'p>(problem: &'t Problem<'p>) -> Vec<Numbered<'t, 'p>> {
    let data = &problem.data;
    if !problem.package.kind.scoring {
        let plain = |test| Numbered {
            test,
            group: None,
            points: None,
        };
        return data.tests().map(plain).collect();
    }
    let sample = |test| Numbered {
        test,
        group: Some("0".to_owned()),
        points: Some(0.0),
    };
    let mut tests: Vec<Numbered<'t, 'p>> = data.samples.iter().map(sample).collect();
    for (subtask, group) in data.subtasks.iter().zip(1..) {
        for (k, test) in subtask.tests.iter().enumerate() {
            let points = match (subtask.is_all, k) {
                (true, 0) => subtask.points,
                (true, _) => 0.0,
                (false, _) => test.points,
            };
            tests.push(Numbered {
                test,
                group: Some(group.to_string()),
                points: Some(points),
            });
        }
    }
    tests
}

fn judging(problem: &Problem<'_>, text: &mut String, out: &mut Output) -> Result<(), PackageError> {
    let package = problem.package;
    let io = &package.file_io;
    let _ = writeln!(
        text,
        "    <judging cpu-name=\"\" cpu-speed=\"\" input-file=\"{}\" output-file=\"{}\" run-count=\"1\">",
        xml(io.input.as_deref().unwrap_or_default()),
        xml(io.output.as_deref().unwrap_or_default())
    );
    let tests = numbered(problem);
    let width = tests.len().to_string().len().max(2);
    let time = problem.fixed_time()?.as_micros().div_ceil(1000).max(1);
    let _ = write!(
        text,
        "        <testset name=\"tests\">\n            <time-limit>{time}</time-limit>\n            \
         <memory-limit>{}</memory-limit>\n            <test-count>{}</test-count>\n            \
         <input-path-pattern>tests/%0{width}d</input-path-pattern>\n            \
         <answer-path-pattern>tests/%0{width}d.a</answer-path-pattern>\n            <tests>\n",
        package.limits.memory,
        tests.len()
    );
    for (test, n) in tests.iter().zip(1..) {
        let Numbered {
            test,
            group,
            points,
        } = test;
        out.copy(&test.case.input, &format!("tests/{n:0width$}"))?;
        copy_answer(
            out,
            test.case.answer.as_ref(),
            &format!("tests/{n:0width$}.a"),
        )?;
        text.push_str("                <test method=\"manual\"");
        if let Some(description) = &test.case.description {
            let _ = write!(text, " description=\"{}\"", xml(description.trim()));
        }
        if let Some(group) = group {
            let _ = write!(text, " group=\"{group}\"");
        }
        if let Some(points) = points {
            let _ = write!(text, " points=\"{points}\"");
        }
        if test.case.sample {
            text.push_str(" sample=\"true\"");
        }
        text.push_str("/>\n");
    }
    text.push_str("            </tests>\n");
    if package.kind.scoring {
        groups(problem, text);
    }
    text.push_str("        </testset>\n    </judging>\n");
    Ok(())
}

fn groups(problem: &Problem<'_>, text: &mut String) {
    text.push_str("            <groups>\n");
    let data = &problem.data;
    if !data.samples.is_empty() {
        text.push_str(
            "                <group name=\"0\" points=\"0\" points-policy=\"each-test\"/>\n",
        );
    }
    for (subtask, n) in data.subtasks.iter().zip(1..) {
        let policy = if subtask.is_all {
            "complete-group"
        } else {
            "each-test"
        };
        let points = subtask.points;
        let _ = write!(
            text,
            "                <group name=\"{n}\" points=\"{points}\" points-policy=\"{policy}\""
        );
        let required = required(subtask, !data.samples.is_empty());
        match required.is_empty() {
            true => text.push_str("/>\n"),
            false => {
                text.push_str(">\n                    <dependencies>\n");
                for name in required {
                    let _ = writeln!(
                        text,
                        "                        <dependency group=\"{name}\"/>"
                    );
                }
                text.push_str("                    </dependencies>\n                </group>\n");
            }
        }
    }
    text.push_str("            </groups>\n");
}

fn required(subtask: &Subtask<'_>, has_samples: bool) -> Vec<String> {
    let samples = subtask.requires_samples && has_samples;
    let samples = samples.then(|| "0".to_owned());
    let others = subtask.requires.iter().map(|k| (k + 1).to_string());
    samples.into_iter().chain(others).collect()
}

/// Writes the headers of the programs.
fn files(problem: &Problem<'_>, text: &mut String, out: &mut Output) -> Result<(), PackageError> {
    let mut names: Vec<String> = Vec::new();
    for sources in problem.programs() {
        for file in sources.files[1..].iter().filter(|file| file.is_header()) {
            if !names.contains(&file.name) {
                out.write(&format!("files/{}", file.name), &file.content)?;
                names.push(file.name.clone());
            }
        }
    }
    text.push_str("    <files>\n        <resources>\n");
    for name in names {
        let _ = writeln!(text, "            <file path=\"files/{}\"/>", xml(&name));
    }
    text.push_str("        </resources>\n    </files>\n");
    Ok(())
}

/// Writes a program as `files/STEM.EXT`; returns its `source` element.
fn source(
    sources: &Sources,
    stem: &str,
    what: &str,
    out: &mut Output,
) -> Result<String, PackageError> {
    if !sources.is_single() {
        out.changes(format!("the files beside the main one of the {what}"));
    }
    let extension = match extension(&sources.main().name) {
        "cc" | "cxx" | "c++" => "cpp",
        other => other,
    };
    let path = format!("files/{stem}.{extension}");
    out.write(&path, &sources.main().content)?;
    Ok(format!(
        "<source path=\"{path}\" type=\"{}\"/>",
        kind_of(extension)
    ))
}

/// The name of a language on Polygon.
fn kind_of(extension: &str) -> &'static str {
    match extension {
        "c" => "c.gcc",
        "py" | "py3" => "python.3",
        "py2" => "python.2",
        "java" => "java21",
        "kt" => "kotlin19",
        "rs" => "rust",
        "pas" => "pas.fpc",
        "cs" => "csharp.mono",
        "go" => "go",
        "d" => "d",
        _ => "cpp.g++17",
    }
}

/// A checker that accepts everything: the interactor decides.
const ACCEPT: &str = "// The interactor decides.\nint main() {\n    return 0;\n}\n";

fn checkers(
    problem: &Problem<'_>,
    text: &mut String,
    out: &mut Output,
) -> Result<(), PackageError> {
    let interactive = problem.package.kind.interactive;
    let mut checker = None;
    if interactive {
        let mut others = problem.judging.others.iter();
        if let Some(own) = others.next() {
            match adapt(own, Outer::Testlib, Role::Checker) {
                Ok(sources) => checker = Some(sources),
                Err(why) => out.changes(format!("the checker: {why}")),
            }
        }
        let first = match &problem.judging.decision {
            crate::judging::Decision::Program(first) => {
                adapt(first, Outer::Testlib, Role::Interactor)
            }
            crate::judging::Decision::Compare(_) => Err(NoAdapter::new("there is none")),
        };
        match first {
            Ok(sources) => {
                let source = source(&sources, "interactor", "interactor", out)?;
                let _ = writeln!(text, "        <interactor>{source}</interactor>");
            }
            Err(why) => out.changes(format!("the interactor: {why}")),
        }
        checker = checker.or_else(|| Some(Sources::generated("check.cpp", ACCEPT.to_owned())));
    }
    let checker = match checker {
        Some(checker) => Some(checker),
        None => one_program(problem, Outer::Testlib, out),
    };
    let checker = checker.unwrap_or_else(|| crate::comparison::Comparison::default().checker());
    let source = source(&checker, "check", "checker", out)?;
    let _ = write!(
        text,
        "        <checker type=\"testlib\">\n            {source}\n"
    );
    let cases = &problem.package.validator_cases;
    if !interactive {
        let tests: Vec<(&TestCase, &str)> = (cases.valid_output.iter().map(|case| (case, "ok")))
            .chain(
                cases
                    .invalid_output
                    .iter()
                    .map(|case| (case, "wrong-answer")),
            )
            .collect();
        own_tests("checker", &tests, text, out)?;
    }
    text.push_str("        </checker>\n");
    Ok(())
}

/// Writes the tests of a checker or a validator.
fn own_tests(
    role: &str,
    tests: &[(&TestCase, &str)],
    text: &mut String,
    out: &mut Output,
) -> Result<(), PackageError> {
    if tests.is_empty() {
        return Ok(());
    }
    let dir = format!("files/tests/{role}-tests");
    let _ = write!(
        text,
        "            <testset>\n                <test-count>{}</test-count>\n                \
         <input-path-pattern>{dir}/%03d</input-path-pattern>\n",
        tests.len()
    );
    if role == "checker" {
        let _ = write!(
            text,
            "                <output-path-pattern>{dir}/%03d.o</output-path-pattern>\n                \
             <answer-path-pattern>{dir}/%03d.a</answer-path-pattern>\n"
        );
    }
    text.push_str("                <tests>\n");
    for ((case, verdict), number) in tests.iter().zip(1..) {
        out.copy(&case.input, &format!("{dir}/{number:03}"))?;
        if role == "checker" {
            copy_answer(out, case.answer.as_ref(), &format!("{dir}/{number:03}.a"))?;
            let output = case.output.clone().map(Into::into);
            copy_answer(out, output.as_ref(), &format!("{dir}/{number:03}.o"))?;
        }
        let _ = writeln!(text, "                    <test verdict=\"{verdict}\"/>");
    }
    text.push_str("                </tests>\n            </testset>\n");
    Ok(())
}

fn validators(
    problem: &Problem<'_>,
    text: &mut String,
    out: &mut Output,
) -> Result<(), PackageError> {
    text.push_str("        <validators>\n");
    problem.loses_input_args(out);
    let mut number = 0;
    for validator in &problem.input_validators {
        let name = &validator.sources.main().name;
        let sources = match testlib_validator(validator) {
            Ok(sources) => sources,
            Err(why) => {
                out.leaves_out(format!("the input validator `{name}`: {why}"));
                continue;
            }
        };
        number += 1;
        let source = source(
            &sources,
            &format!("validator{number}"),
            "input validator",
            out,
        )?;
        let _ = write!(text, "        <validator>\n            {source}\n");
        if number == 1 {
            let invalid = problem.package.validator_cases.invalid_input.iter();
            let tests: Vec<(&TestCase, &str)> = invalid.map(|case| (case, "invalid")).collect();
            own_tests("validator", &tests, text, out)?;
        }
        text.push_str("        </validator>\n");
    }
    if number == 0 && !problem.package.validator_cases.invalid_input.is_empty() {
        out.leaves_out("the cases of `invalid_input`");
    }
    text.push_str("        </validators>\n");
    Ok(())
}

fn solutions(
    problem: &Problem<'_>,
    text: &mut String,
    out: &mut Output,
) -> Result<(), PackageError> {
    text.push_str("        <solutions>\n");
    let mut names = super::icpc::SubmissionNames::default();
    let mut has_main = false;
    for submission in &problem.package.submissions {
        let Some(tag) = Expected::of(submission).polygon_tag() else {
            out.leaves_out(format!(
                "the submission `{}`: no tag says what it gets",
                submission.name
            ));
            continue;
        };
        if submission.path.is_dir() {
            out.leaves_out(format!(
                "the submission `{}`: it has several files",
                submission.name
            ));
            continue;
        }
        let path = names.take("solutions", submission);
        super::icpc::write_submission(problem, submission, &path, out)?;
        let tag = match tag {
            "accepted" if !std::mem::replace(&mut has_main, true) => "main",
            tag => tag,
        };
        let kind = match submission.language.as_deref() {
            Some("python2") => "python.2",
            _ => kind_of(extension(&path)),
        };
        let _ = write!(
            text,
            "            <solution tag=\"{tag}\">\n                <source path=\"{}\" type=\"{kind}\"/>\n            </solution>\n",
            xml(&path)
        );
    }
    text.push_str("        </solutions>\n");
    Ok(())
}

fn statements(problem: &Problem<'_>, out: &mut Output) -> Result<(), PackageError> {
    for statement in &problem.statements {
        let name = statement.name();
        let language = language_name(&statement.language);
        match (statement.kind, language) {
            (StatementKind::Pdf, Some(language)) => {
                let to = format!("statements/.pdf/{language}/problem.pdf");
                out.copy(&statement.path, &to)?;
            }
            (StatementKind::Tex | StatementKind::Markdown, Some(language)) => {
                let dir = format!("statements/{language}");
                super::icpc::write_tex(problem, statement, &format!("{dir}/problem.tex"), out)?;
                out.copy_into(&dir, statement.images())?;
            }
            (_, None) => {
                let code = &statement.language;
                out.leaves_out(format!(
                    "the statement `{name}`: no name of Polygon's is known for `{code}`"
                ));
            }
            _ => out.leaves_out(format!("the statement `{name}`: Polygon's are TeX")),
        }
    }
    Ok(())
}

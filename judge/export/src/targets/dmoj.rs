//! DMOJ's `init.yml`.

use super::{Files, one_input_validator, one_program, with_minimum, write_all, write_single};
use crate::adapter::Outer;
use crate::data::Test;
use crate::judging::Decision;
use crate::output::Output;
use crate::problem::{Problem, memory_in};
use crate::program::{Sources, extension};
use crate::yaml::{YamlLines, list, quoted};
use judge_package::{
    BridgedArgument, BuiltinChecker, DmojKind, FloatMode, LimitSource, PackageError, Validator,
    ValidatorProtocol,
};
use std::fmt::Write;
use std::path::Path;

const ENDINGS: (&str, &str) = (".in", ".out");

pub fn write(problem: &Problem<'_>, out: &mut Output) -> Result<(), PackageError> {
    let package = problem.package;
    problem.losses_outside_icpc(out);
    problem.loses_validator_cases(out);
    problem.loses_own_limits(out);
    problem.loses_language_limits(out);
    problem.loses_submissions(out);
    problem.loses_statements(out);
    problem.loses_submitted_output(out);
    write_all(problem, "tests", ENDINGS, out)?;
    let mut text = String::from("# DMOJ keeps the limits of time and memory in its database.\n");
    text.value(0, "time_limit", problem.fixed_seconds()?);
    text.value(0, "memory_limit", memory_in(package.limits.memory, 1 << 10));
    if package.limits.output_from != LimitSource::Judge {
        text.value(0, "output_limit_length", package.limits.output);
    }
    if package.unbuffered {
        text.push_str("unbuffered: true\n");
    }
    if problem.data.tests().any(|test| has_other_line_ends(test)) {
        text.push_str("binary_data: true\n");
    }
    let io = &package.file_io;
    if io.input.is_some() || io.output.is_some() {
        // `file_io` is known to VNOJ only.
        text.push_str("symlinks:\n");
        for (name, stream) in [(&io.input, 0), (&io.output, 1)] {
            if let Some(name) = name {
                let _ = writeln!(text, "  {}: /proc/self/fd/{stream}", quoted(name));
            }
        }
    }
    checker(problem, &mut text, out)?;
    if let Some((validator, sources)) = one_input_validator(problem, out) {
        let tests = problem.data.tests();
        let mut all_args = tests.map(|test| test.case.input_validator_args.of(&validator.name));
        let args = all_args.next().unwrap_or_default();
        if all_args.any(|own| own != args) {
            out.leaves_out("different arguments of the input validator for single cases");
        }
        let _ = writeln!(
            text,
            "validator: {{source: {}, language: {}, type: testlib, args_format_string: {}}}",
            files(&sources, "validator", out)?,
            language(&sources),
            quoted(&format_string(args))
        );
    }
    tests(problem, &mut text, out);
    out.write("init.yml", text)
}

/// The words as a format string of DMOJ. It takes `--group st{batch_no}` for an empty one.
fn format_string(words: &[String]) -> String {
    let word = |word: &String| {
        let escaped = word.replace('{', "{{").replace('}', "}}");
        format!("'{}'", escaped.replace('\'', "'\"'\"'"))
    };
    let words: Vec<String> = words.iter().map(word).collect();
    match words.is_empty() {
        true => " ".to_owned(),
        false => words.join(" "),
    }
}

/// Whether DMOJ would change the line ends of a test.
fn has_other_line_ends(test: &Test<'_>) -> bool {
    let odd = |path: &Path| {
        std::fs::read(path).is_ok_and(|text| {
            text.contains(&b'\r') || text.last().is_some_and(|last| *last != b'\n')
        })
    };
    odd(&test.case.input) || test.case.answer.as_deref().is_some_and(odd)
}

fn tests(problem: &Problem<'_>, text: &mut String, out: &mut Output) {
    let data = &problem.data;
    text.push_str("test_cases:\n");
    let case = |test: &Test<'_>| {
        let files = Files::of(&test.name, ENDINGS);
        format!("in: tests/{}, out: tests/{}", files.input, files.answer)
    };
    if !problem.package.kind.scoring {
        text.push_str("  - points: 100\n    batched:\n");
        for test in data.tests() {
            let _ = writeln!(text, "      - {{{}}}", case(test));
        }
        return;
    }
    for test in &data.samples {
        let _ = writeln!(text, "  - {{{}, points: 0}}", case(test));
    }
    let subtasks = &data.subtasks;
    if !data.samples.is_empty() {
        out.changes("after a failed sample, nothing more is judged");
    }
    let has_requirements = subtasks.iter().any(|subtask| !subtask.requires.is_empty());
    if !has_requirements {
        for subtask in subtasks {
            match subtask.is_all {
                true => batch(subtask.points, &[], &subtask.tests, &case, text),
                false => {
                    for test in &subtask.tests {
                        let points = test.points;
                        let _ = writeln!(text, "  - {{{}, points: {points}}}", case(test));
                    }
                }
            }
        }
        return;
    }
    for (points, required, tests) in with_minimum(problem) {
        batch(points, &required, tests, &case, text);
    }
}

fn batch(
    points: f64,
    required: &[usize],
    tests: &[Test<'_>],
    case: &dyn Fn(&Test<'_>) -> String,
    text: &mut String,
) {
    let _ = writeln!(text, "  - points: {points}");
    if !required.is_empty() {
        let numbers: Vec<String> = required.iter().map(|k| (k + 1).to_string()).collect();
        let _ = writeln!(text, "    dependencies: [{}]", numbers.join(", "));
    }
    text.push_str("    batched:\n");
    for test in tests {
        let _ = writeln!(text, "      - {{{}}}", case(test));
    }
}

/// Writes the checker or the interactor.
fn checker(problem: &Problem<'_>, text: &mut String, out: &mut Output) -> Result<(), PackageError> {
    if let [Validator::Builtin(checker)] = problem.package.validation.validators()
        && let Some(name) = builtin(*checker)
    {
        text.value(0, "checker", name);
        return Ok(());
    }
    let interactive = problem.package.kind.interactive;
    let own = match &problem.judging.decision {
        Decision::Program(checker) => match &checker.protocol {
            ValidatorProtocol::Dmoj { kind, arguments } => Some((checker, *kind, arguments)),
            _ => None,
        },
        Decision::Compare(_) => None,
    };
    let stem = if interactive { "interactor" } else { "checker" };
    let (sources, kind, arguments) = match own {
        Some((checker, kind, arguments)) => (
            checker.sources.clone(),
            name_of(kind),
            arguments_of(arguments),
        ),
        None => {
            let (outer, kind) = protocol(problem);
            let Some(sources) = one_program(problem, outer, out) else {
                return Ok(());
            };
            if let Decision::Program(inner) = &problem.judging.decision
                && inner.sources != sources
            {
                out.changes(format!(
                    "the protocol of the {stem}: DMOJ's sandbox stops the adapter around it, which makes a directory and \
                     starts a process"
                ));
            }
            let arguments = "{input_file} {output_file} {answer_file}".to_owned();
            (sources, kind, arguments)
        }
    };
    let args = format!(
        "{{files: {}, lang: {}, type: {kind}, args_format_string: {}}}",
        files(&sources, stem, out)?,
        language(&sources),
        quoted(&arguments)
    );
    let _ = match interactive {
        true => writeln!(text, "interactive: {args}"),
        false => writeln!(text, "checker:\n  name: bridged\n  args: {args}"),
    };
    Ok(())
}

/// The protocol for a checker that is not DMOJ's own, and DMOJ's name for it. `testlib` has whole points and `coci` has
/// shares of them; the words of a checker's source show which of them it gives.
fn protocol(problem: &Problem<'_>) -> (Outer, &'static str) {
    let gives_points = match &problem.judging.decision {
        Decision::Compare(_) => true,
        Decision::Program(checker) => {
            let text = String::from_utf8_lossy(&checker.sources.main().content);
            let signs = ["quitp", "_points", "score.txt"];
            signs.iter().any(|sign| text.contains(sign))
        }
    };
    match problem.package.kind.scoring && !gives_points {
        true => (Outer::Dmoj, "coci"),
        false => (Outer::Testlib, "testlib"),
    }
}

/// Writes a program; returns the value of `files`.
fn files(sources: &Sources, stem: &str, out: &mut Output) -> Result<String, PackageError> {
    let dir = format!("{stem}-files");
    let headers: Vec<&str> = sources.files[1..]
        .iter()
        .filter(|file| file.is_header())
        .map(|file| file.name.as_str())
        .collect();
    match headers.is_empty() {
        true => {
            let name = write_single(sources, "", stem, stem, out)?;
            Ok(quoted(&name))
        }
        false => {
            let name = write_single(sources, &dir, stem, stem, out)?;
            let all = std::iter::once(name.as_str()).chain(headers);
            Ok(list(all.map(|name| format!("{dir}/{name}"))))
        }
    }
}

fn language(sources: &Sources) -> &'static str {
    match extension(&sources.main().name) {
        "py" | "py3" => "PY3",
        "c" => "C",
        "java" => "JAVA8",
        "rs" => "RUST",
        "pas" => "PAS",
        _ => "CPP17",
    }
}

fn name_of(kind: DmojKind) -> &'static str {
    match kind {
        DmojKind::Default => "default",
        DmojKind::Testlib => "testlib",
        DmojKind::TestlibPercent => "testlib, treat_checker_points_as_percentage: true",
        DmojKind::Coci => "coci",
        DmojKind::Peg => "peg",
        DmojKind::Cms => "cms",
        DmojKind::Themis => "themis",
    }
}

fn arguments_of(arguments: &[BridgedArgument]) -> String {
    let words = arguments.iter().map(|argument| match argument {
        BridgedArgument::Input => "{input_file}",
        BridgedArgument::Output => "{output_file}",
        BridgedArgument::Answer => "{answer_file}",
        BridgedArgument::Word(word) => word,
    });
    words.collect::<Vec<&str>>().join(" ")
}

/// DMOJ's own checker of this name, with its arguments.
fn builtin(checker: BuiltinChecker) -> Option<String> {
    let with = |name: &str, args: &str| Some(format!("{{name: {name}, args: {{{args}}}}}"));
    match checker {
        BuiltinChecker::Standard => Some("standard".to_owned()),
        BuiltinChecker::Easy => Some("easy".to_owned()),
        BuiltinChecker::Linecount => Some("linecount".to_owned()),
        BuiltinChecker::Unordered => Some("unordered".to_owned()),
        BuiltinChecker::Identical { presentation } => {
            with("identical", &format!("pe_allowed: {presentation}"))
        }
        BuiltinChecker::EveryLine { blank } => {
            with("rstripped", &format!("filter_new_line: {}", !blank))
        }
        BuiltinChecker::Sorted { lines } => with(
            "sorted",
            &format!("split_on: {}", if lines { "lines" } else { "whitespace" }),
        ),
        BuiltinChecker::Floats { tolerance, mode } => {
            let digits = -tolerance.log10();
            let mode = match mode {
                FloatMode::Either => "default",
                FloatMode::Absolute => "absolute",
                FloatMode::Relative => "relative",
            };
            let is_whole = (digits - digits.round()).abs() < 1e-9;
            is_whole
                .then(|| {
                    with(
                        "floats",
                        &format!("precision: {}, error_mode: {mode}", digits.round()),
                    )
                })
                .flatten()
        }
        BuiltinChecker::RStripped | BuiltinChecker::HydroLines { .. } => None,
    }
}

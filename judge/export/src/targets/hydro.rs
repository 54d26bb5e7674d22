//! An export of Hydro: `problem.yaml`, statements, and `testdata/` with its `config.yaml`.

use super::{Files, one_input_validator, one_program, write_all, write_single};
use crate::adapter::Outer;
use crate::comparison::{Comparison, Lines};
use crate::data::Test;
use crate::judging::Decision;
use crate::output::Output;
use crate::problem::{Problem, memory_in};
use crate::program::Language;
use crate::yaml::{YamlLines, list, quoted};
use judge_package::{
    BuiltinChecker, LanguageLimits, PackageError, StatementKind, SubmittedOutput, TestCase,
    TestlibChecker, Validator, ValidatorProtocol,
};
use std::fmt::Write;
use std::time::Duration;

const ENDINGS: (&str, &str) = (".in", ".out");

pub fn write(problem: &Problem<'_>, out: &mut Output) -> Result<(), PackageError> {
    let package = problem.package;
    out.folder = crate::data::file_name(&package.id);
    problem.losses_outside_icpc_but_passes(out);
    problem.loses_validator_cases(out);
    problem.loses_output_limit(out);
    problem.loses_submissions(out);
    write_all(problem, "testdata", ENDINGS, out)?;
    let mut config = String::new();
    let kind = match (package.kind.interactive, package.kind.submit_answer) {
        (true, _) => "interactive",
        (_, true) => "submit_answer",
        _ => "default",
    };
    config.value(0, "type", kind);
    let whole = |test: &Test<'_>| test.case.submitted == SubmittedOutput::Whole;
    if package.kind.submit_answer && !problem.data.tests().all(whole) {
        out.changes("the names of the submitted outputs");
    }
    let time = problem.fixed_time()?;
    config.value(0, "time", milliseconds(time));
    let _ = writeln!(
        config,
        "memory: {}m",
        memory_in(package.limits.memory, 1 << 20)
    );
    language_limits(problem, time, &mut config, out);
    if package.kind.multi_pass {
        config.value(0, "multi_pass", package.limits.validation_passes);
    }
    file_io(problem, &mut config, out);
    if package.kind.interactive {
        if let Some(sources) = one_program(problem, Outer::Testlib, out) {
            let name = write_single(&sources, "testdata", "interactor", "interactor", out)?;
            config.line(0, "interactor", &name);
        }
    } else {
        checker(problem, &mut config, out)?;
    }
    if let Some((_, sources)) = one_input_validator(problem, out) {
        problem.loses_input_args(out);
        let name = write_single(&sources, "testdata", "validator", "input validator", out)?;
        config.line(0, "validator", &name);
    }
    subtasks(problem, &mut config, out);
    out.write("testdata/config.yaml", config)?;
    let mut text = String::new();
    text.line(0, "pid", &package.id);
    text.line(0, "title", problem.metadata.title());
    text.value(0, "tag", list(&problem.metadata.keywords));
    out.write("problem.yaml", text)?;
    statements(problem, out)
}

/// Writes the factors of the limits of single languages.
fn language_limits(problem: &Problem<'_>, time: Duration, config: &mut String, out: &mut Output) {
    let limits = &problem.package.limits;
    let cases = problem.package.cases();
    let has_own = |case: &&TestCase| case.time_limit.is_some() || case.memory_limit.is_some();
    let replaces = |own: &LanguageLimits| own.time.is_some() || own.memory.is_some();
    if cases.iter().any(has_own) && limits.languages.iter().any(replaces) {
        out.changes("limits of single languages that replace those of single cases");
    }
    let factors = |own: &LanguageLimits| {
        let (of_time, of_memory) = limits.of_language(&own.language, time, limits.memory);
        (
            of_time.as_secs_f64() / time.as_secs_f64(),
            of_memory as f64 / limits.memory as f64,
        )
    };
    let mut lines = [String::new(), String::new()];
    for own in &limits.languages {
        let Some(name) = language_name(&own.language) else {
            out.changes(format!("the limits of the language `{}`", own.language));
            continue;
        };
        let (of_time, of_memory) = factors(own);
        for (text, factor) in lines.iter_mut().zip([of_time, of_memory]) {
            if (factor - 1.0).abs() > 1e-9 {
                let _ = writeln!(text, "  {name}: {factor}");
            }
        }
    }
    for (key, text) in ["time_limit_rate", "memory_limit_rate"].iter().zip(lines) {
        if !text.is_empty() {
            let _ = write!(config, "{key}:\n{text}");
        }
    }
}

/// The name of a language in Hydro's default configuration.
fn language_name(code: &str) -> Option<&'static str> {
    Some(match code {
        "c" => "c",
        "cpp" => "cc",
        "python3" => "py.py3",
        "python2" => "py.py2",
        "java" => "java",
        "kotlin" => "kt",
        "pascal" => "pas",
        "rust" => "rs",
        "haskell" => "hs",
        "javascript" => "js",
        "ruby" => "rb",
        "csharp" => "cs",
        "go" => "go",
        "php" => "php",
        "bash" => "bash",
        _ => return None,
    })
}

fn milliseconds(time: Duration) -> String {
    format!("{}ms", time.as_micros().div_ceil(1000).max(1))
}

fn file_io(problem: &Problem<'_>, config: &mut String, out: &mut Output) {
    let io = &problem.package.file_io;
    let stem = |name: &Option<String>, ending: &str| {
        name.as_deref()
            .and_then(|name| name.strip_suffix(ending))
            .map(str::to_owned)
    };
    match (stem(&io.input, ".in"), stem(&io.output, ".out")) {
        (Some(input), Some(output)) if input == output => config.line(0, "filename", &input),
        _ => problem.loses_file_io(out),
    }
}

/// Writes the checker; in its own protocol if Hydro knows that.
fn checker(
    problem: &Problem<'_>,
    config: &mut String,
    out: &mut Output,
) -> Result<(), PackageError> {
    let mut standard = None;
    match (
        &problem.judging.decision,
        problem.package.validation.validators(),
    ) {
        (_, [Validator::Testlib(checker)]) => standard = Some(*checker),
        (_, [Validator::Builtin(BuiltinChecker::HydroLines { strict })]) => {
            config.value(
                0,
                "checker_type",
                if *strict { "strict" } else { "default" },
            );
            return Ok(());
        }
        (Decision::Compare(Comparison::Lines(Lines::Stripped)), _) => {
            config.push_str("checker_type: default\n");
            return Ok(());
        }
        (Decision::Compare(comparison), _) if *comparison == Comparison::default() => {
            standard = Some(TestlibChecker::Wcmp);
        }
        (Decision::Compare(comparison), _) if comparison.tolerance() == Some(None) => {
            standard = Some(TestlibChecker::Wcmp);
        }
        (Decision::Program(checker), _) if checker.args.is_empty() => {
            let kind = match checker.protocol {
                ValidatorProtocol::Icpc => Some("kattis"),
                ValidatorProtocol::Hustoj => Some("hustoj"),
                ValidatorProtocol::Qduoj => Some("qduoj"),
                ValidatorProtocol::Lemon => Some("lemon"),
                ValidatorProtocol::Syzoj => Some("syzoj"),
                _ => None,
            };
            if let Some(kind) = kind {
                let name = write_single(&checker.sources, "testdata", "checker", "checker", out)?;
                let _ = writeln!(config, "checker_type: {kind}\nchecker: {}", quoted(&name));
                return Ok(());
            }
        }
        _ => {}
    }
    if let Some(standard) = standard {
        let mut names = TestlibChecker::ALL.iter();
        let name = names.find(|(_, checker)| *checker == standard);
        config.push_str("checker_type: testlib\n");
        config.line(0, "checker", name.map_or("wcmp", |(name, _)| name));
    } else if let Some(sources) = one_program(problem, Outer::Testlib, out) {
        if sources.language() == Language::Other {
            out.changes("the checker: its language may be missing on the judge");
        }
        let name = write_single(&sources, "testdata", "checker", "checker", out)?;
        config.push_str("checker_type: testlib\n");
        config.line(0, "checker", &name);
    }
    Ok(())
}

fn subtasks(problem: &Problem<'_>, config: &mut String, out: &mut Output) {
    let data = &problem.data;
    let scoring = problem.package.kind.scoring;
    config.push_str("subtasks:\n");
    let total: f64 = data.subtasks.iter().map(|subtask| subtask.points).sum();
    if !scoring {
        // One subtask for all cases: no points unless all are accepted.
        config.push_str("  - id: 1\n    score: 100\n    type: min\n    cases:\n");
        for test in data.tests() {
            case(problem, test, None, config);
        }
        return;
    }
    let mut id = 0;
    // Hydro shares out what remains of 100 points to subtasks without points.
    if !data.samples.is_empty() && total >= 100.0 {
        id += 1;
        let _ = writeln!(config, "  - id: {id}\n    type: sum\n    cases:");
        for test in &data.samples {
            case(problem, test, None, config);
        }
    } else if !data.samples.is_empty() {
        out.leaves_out("the samples: they are not judged");
    }
    let before = id;
    for subtask in &data.subtasks {
        id += 1;
        let kind = if subtask.is_all { "min" } else { "sum" };
        let points = subtask.points;
        let _ = writeln!(
            config,
            "  - id: {id}\n    score: {points}\n    type: {kind}"
        );
        let mut required: Vec<String> = subtask
            .requires
            .iter()
            .map(|k| (before + k + 1).to_string())
            .collect();
        if subtask.requires_samples && before > 0 {
            required.insert(0, "1".to_owned());
        } else if subtask.requires_samples {
            out.changes("subtasks that require the samples");
        }
        if !required.is_empty() {
            let _ = writeln!(config, "    if: [{}]", required.join(", "));
        }
        config.push_str("    cases:\n");
        for test in &subtask.tests {
            let points = (!subtask.is_all).then_some(test.points);
            case(problem, test, points, config);
        }
    }
}

fn case(problem: &Problem<'_>, test: &Test<'_>, points: Option<f64>, config: &mut String) {
    let files = Files::of(&test.name, ENDINGS);
    let _ = write!(
        config,
        "      - {{input: {}, output: {}",
        files.input, files.answer
    );
    if let Some(points) = points {
        let _ = write!(config, ", score: {points}");
    }
    if let Some(time) = test
        .case
        .time_limit
        .filter(|time| Some(*time) != problem.time.fixed())
    {
        let _ = write!(config, ", time: {}", milliseconds(time));
    }
    let memory = test
        .case
        .memory_limit
        .filter(|bytes| *bytes != problem.package.limits.memory);
    if let Some(bytes) = memory {
        let _ = write!(config, ", memory: {}m", memory_in(bytes, 1 << 20));
    }
    config.push_str("}\n");
}

fn statements(problem: &Problem<'_>, out: &mut Output) -> Result<(), PackageError> {
    for statement in &problem.statements {
        let name = statement.name();
        if statement.kind != StatementKind::Markdown {
            out.leaves_out(format!("the statement `{name}`: Hydro's are Markdown"));
            continue;
        }
        let to = format!("problem_{}.md", statement.language);
        super::icpc::copy_text(problem, &statement.path, &to, out)?;
        out.copy_into("additional_file", statement.images())?;
    }
    out.copy_into("additional_file", problem.attachments())
}

//! Says why a program failed that reads and writes files of its own, in a folder whose settings name none; and that a program
//! uses the standard streams, where the problem names files.

use judge_core::judging::{Plan, PlanEntry, PlanSubmission};
use judge_core::results::{PackageResults, RunResults};
use judge_core::verdict::Verdict;
use std::path::Path;

/// The largest source that is searched, in bytes.
const MAX_SOURCE: u64 = 1 << 20;
/// Macros around the files of a template that an online judge does not compile.
const MACROS: [&str; 3] = ["ONLINE_JUDGE", "LOCAL", "DEBUG"];

/// A warning for each program that failed and names files that look like its input or output.
pub fn warnings(plan: &Plan, results: &RunResults) -> Vec<String> {
    let entries = plan.entries.iter().zip(&results.packages);
    let both = |(entry, results): (&PlanEntry, &PackageResults)| {
        let unnamed = entry
            .submissions
            .iter()
            .filter_map(|planned| unnamed(entry, planned));
        let unnamed: Vec<String> = unnamed.collect();
        of_entry(entry, results).into_iter().chain(unnamed)
    };
    entries.flat_map(both).collect()
}

/// A warning about a program without the names of the problem's files: its standard input and output work here, but not
/// on a judge that has files only.
fn unnamed(entry: &PlanEntry, planned: &PlanSubmission) -> Option<String> {
    let submission = &planned.submission;
    let text = text_of(submission.source.code()?)?.to_lowercase();
    let code: String = text.lines().map(code_of).collect();
    let io = &entry.package.file_io;
    // A name may be put together: `name + ".out"`.
    let is_named = |name: &String| {
        let name = name.to_lowercase();
        let ending = name.rfind('.').map_or(&*name, |dot| &name[dot..]);
        ['"', '\'']
            .iter()
            .any(|quote| code.contains(&format!("{ending}{quote}")))
    };
    let missing = [
        ("reads", "input", &io.input),
        ("writes", "output", &io.output),
    ];
    let missing = missing.into_iter().filter_map(|(does, stream, name)| {
        let name = name.as_ref().filter(|name| !is_named(name))?;
        Some(format!("{does} standard {stream}, not `{name}`"))
    });
    let missing: Vec<String> = missing.collect();
    (!missing.is_empty()).then(|| {
        format!(
            "{} {}: that counts here, but not on a judge that uses these files",
            submission.name,
            missing.join(", and ")
        )
    })
}

fn of_entry(entry: &PlanEntry, results: &PackageResults) -> Vec<String> {
    let package = &entry.package;
    let has_files = package.file_io.input.is_some() || package.kind.interactive;
    if !package.policy.runs_without_answer || has_files {
        return Vec::new();
    }
    let failed = |k: usize| {
        let finished = results.submissions.get(k).and_then(|of| of.finished());
        let verdict = finished.and_then(|finished| finished.verdict);
        // A program may wait for ever for an input that is not there.
        matches!(
            verdict,
            Some(
                Verdict::WrongAnswer
                    | Verdict::RunTimeError
                    | Verdict::TimeLimitExceeded
                    | Verdict::OutputLimitExceeded
            )
        )
    };
    let inputs: Vec<&str> = entry
        .cases
        .iter()
        .filter_map(|case| case.input.file_name()?.to_str())
        .collect();
    let submissions = entry.submissions.iter().enumerate();
    let warning = |(k, planned): (usize, &PlanSubmission)| {
        let submission = &planned.submission;
        let path = submission.source.code().filter(|_| failed(k))?;
        let [input, output] = files(path, &inputs)?;
        let what = match (&input, &output) {
            (Some(input), _) => format!("opens the file `{input}`, which a run does not have"),
            (None, output) => format!(
                "opens the file `{}`, which is not its standard output",
                output.as_deref().unwrap_or_default()
            ),
        };
        let lines = [("input", input), ("output", output)];
        let lines = lines
            .into_iter()
            .filter_map(|(key, name)| Some(format!("`{key}: {}`", name?)));
        let lines: Vec<String> = lines.collect();
        Some(format!(
            "{} {what}; if the problem says so, write {} into judge.yaml",
            submission.name,
            lines.join(" and ")
        ))
    };
    submissions.filter_map(warning).collect()
}

/// The text of a source that is not large.
fn text_of(path: &Path) -> Option<String> {
    let is_small = path
        .metadata()
        .is_ok_and(|file| file.is_file() && file.len() <= MAX_SOURCE);
    is_small
        .then(|| std::fs::read_to_string(path).ok())
        .flatten()
}

/// A line without its comment: templates have `freopen` in such lines.
fn code_of(line: &str) -> &str {
    const OF_C: [&str; 6] = ["include", "define", "if", "el", "pragma", "undef"];
    let hash = line.trim_start().strip_prefix('#').map(str::trim_start);
    match hash.is_some_and(|rest| !OF_C.iter().any(|word| rest.starts_with(word))) {
        true => "",
        false => line.split("//").next().unwrap_or_default(),
    }
}

/// The names of the input and output file in a source; `None` if it has neither.
fn files(path: &Path, inputs: &[&str]) -> Option<[Option<String>; 2]> {
    let text = text_of(path)?;
    if MACROS.iter().any(|name| text.contains(name)) {
        return None;
    }
    let names = literals(&text);
    let ends = |name: &&str, endings: &[&str]| {
        let name = name.to_ascii_lowercase();
        endings
            .iter()
            .any(|end| name.ends_with(end) && name.len() > end.len())
    };
    let is_one =
        |name: &&str, known: [&str; 2]| known.iter().any(|known| name.eq_ignore_ascii_case(known));
    let is_input = |name: &&str| {
        inputs.contains(name)
            || ends(name, &[".in", ".inp"])
            || is_one(name, ["input.txt", "in.txt"])
    };
    let is_output =
        |name: &&str| ends(name, &[".out", ".ou"]) || is_one(name, ["output.txt", "out.txt"]);
    let input = names.iter().find(|name| is_input(name));
    let output = names.iter().find(|name| is_output(name));
    let found = [input, output].map(|name| name.map(|name| String::from(*name)));
    found.iter().any(Option::is_some).then_some(found)
}

/// The texts in quotes that can be names of files.
fn literals(text: &str) -> Vec<&str> {
    let is_name = |text: &&str| {
        let is_usual = |c: char| c.is_alphanumeric() || "._-".contains(c);
        text.len() > 2 && text.contains('.') && text.chars().all(is_usual)
    };
    let code = text.lines().map(code_of);
    code.flat_map(|line| line.split(['"', '\'']))
        .filter(is_name)
        .collect()
}

//! Accumulates the events of a run, for the reports that print its packages and its end.
//!
//! Names and messages may come from packages and programs: the summaries hold them escaped.

use super::clean::{clean_name, optional_text};
use super::lacking;
use super::package_summary::PackageSummary;
use super::text::plural;
use crate::event::{
    Event, LimitOrigin, Machine, RunFinished, SubmissionFinished, SubmissionPlanned,
};
use crate::text::{case_option, printable, printable_name, shell_word};
use crate::verdict::Verdict;
use std::collections::BTreeSet;

/// A problem found in a package.
pub struct FindingSummary {
    pub package: String,
    pub is_error: bool,
    /// `data/secret/1.in:3:7`; empty if it is about the whole package.
    pub place: String,
    pub message: String,
    pub remedy: Option<String>,
}

/// The last line of a report.
pub struct Counts {
    /// Whether every judged submission was accepted.
    pub are_accepted: bool,
    /// Whether every submission was skipped.
    pub are_skipped: bool,
    /// `all ` before `accepted` and `as expected`; empty if a submission was skipped.
    pub all: &'static str,
    /// `2 submissions, 8 cases run`, `1 of 2 submissions, 4 cases run`.
    pub run: String,
    /// `1 skipped (Haskell: ghc not installed)`; empty if none was.
    pub skipped: String,
}

impl Counts {
    /// The skipped submissions, behind other text.
    pub fn tail(&self) -> String {
        match self.skipped.as_str() {
            "" => String::new(),
            skipped => format!("; {skipped}"),
        }
    }

    /// The result of the run.
    pub fn verdict(&self, end: &RunFinished) -> String {
        match (end.interrupted, end.as_expected) {
            (true, _) => "interrupted".to_owned(),
            (_, true) => format!("{}as expected", self.all),
            (_, false) => "not as expected".to_owned(),
        }
    }
}

/// The results of all packages.
#[derive(Default)]
pub struct RunSummary {
    pub version: String,
    /// Seconds since 1970, in UTC.
    pub started_s: Option<f64>,
    /// Missing layers of the sandbox.
    pub lacking: Option<String>,
    pub machine: Option<Machine>,
    /// If the clock counts instructions: the number per second.
    pub instructions_per_second: Option<f64>,
    /// The command with the options that influence verdicts.
    command: Option<String>,
    /// The whole command that repeats the run, if the submission is a temporary file.
    again: Option<String>,
    /// Figures and how they were measured: `("CPU time", "cgroup-v2")`.
    pub measured: BTreeSet<(&'static str, String)>,
    pub end: Option<RunFinished>,
    pub packages: Vec<PackageSummary>,
    /// In the order in which they were found; a package's findings may precede its results.
    pub findings: Vec<FindingSummary>,
}

impl RunSummary {
    /// Adds an event.
    pub fn add(&mut self, event: &Event) {
        match event {
            Event::RunStarted(started) => {
                self.version = clean_name(&started.version);
                self.started_s = started.started_s;
                self.lacking = lacking(&started.sandbox);
                self.instructions_per_second = started.instructions_per_second;
                self.machine.clone_from(&started.machine);
                self.command = started.command.as_deref().map(clean_name);
                self.again = started.again.as_deref().map(clean_name);
            }
            Event::PackageStarted(started) => {
                let note = |origin| {
                    let (format, run) = (&started.format, &started.time_limit_run);
                    clean_name(&LimitOrigin::note(origin, format.as_deref(), run.as_ref()))
                };
                // Reported again once a derived time limit is known.
                if let Some(known) = self.package_mut(&started.package) {
                    known.time_limit_s = started.time_limit_s;
                    known.time_limit_note = note(started.time_limit_from);
                    return;
                }
                let cases: Vec<String> = started.cases.iter().map(|c| clean_name(c)).collect();
                self.packages.push(PackageSummary {
                    id: clean_name(&started.package),
                    name: clean_name(&started.name),
                    time_limit_s: started.time_limit_s,
                    memory_limit_bytes: started.memory_limit_bytes,
                    time_limit_note: note(started.time_limit_from),
                    memory_limit_note: note(started.memory_limit_from),
                    places: cases.iter().cloned().zip(0..).collect(),
                    cases,
                    path: started.path.as_deref().map(clean_name),
                    ..PackageSummary::default()
                });
            }
            Event::SubmissionPlanned(planned) => {
                if let Some(summary) = self.package_mut(&planned.package) {
                    summary.planned.push(SubmissionPlanned {
                        package: clean_name(&planned.package),
                        submission: clean_name(&planned.submission),
                        path: planned.path.as_deref().map(clean_name),
                        expected: planned.expected.as_deref().map(clean_name),
                        source: optional_text(&planned.source),
                    });
                }
            }
            Event::Finding(finding) => self.findings.push(FindingSummary {
                package: clean_name(&finding.package),
                is_error: finding.severity == "error",
                place: place(&printable_name(&finding.path), finding.line, finding.column),
                message: printable(finding.message.as_bytes()),
                remedy: optional_text(&finding.remedy),
            }),
            Event::CompileFinished {
                package,
                submission,
                language,
                message,
                ..
            } => {
                if let Some(summary) = self.package_mut(package) {
                    let name = clean_name(submission);
                    if !language.is_empty() {
                        summary.languages.insert(name.clone(), clean_name(language));
                    }
                    if let Some(message) = optional_text(message) {
                        summary.messages.insert(name, message);
                    }
                }
            }
            Event::CaseFinished(case) => {
                let by = &case.measured_by;
                for (figure, by) in [
                    ("CPU time", &by.cpu),
                    ("wall-clock time", &by.wall),
                    ("memory", &by.memory),
                    ("instructions", &by.instructions),
                ] {
                    let is_new =
                        |by: &str| !self.measured.iter().any(|m| m.0 == figure && m.1 == by);
                    if let Some(by) = by.as_deref().filter(|by| is_new(by)) {
                        self.measured.insert((figure, clean_name(by)));
                    }
                }
                if let Some(summary) = self.package_mut(&case.package) {
                    summary.add_case(case);
                }
            }
            Event::SubmissionFinished(finished) => {
                if let Some(summary) = self.package_mut(&finished.package) {
                    summary.finished.push(SubmissionFinished {
                        package: clean_name(&finished.package),
                        submission: clean_name(&finished.submission),
                        expected: finished.expected.as_deref().map(clean_name),
                        message: optional_text(&finished.message),
                        ..finished.clone()
                    });
                }
            }
            Event::RunFinished(end) => {
                let warnings = end.warnings.iter();
                let warnings = warnings.map(|warning| printable(warning.as_bytes()));
                let lacking = self.lacking.as_ref().map(|lacking| {
                    format!("the sandbox is incomplete: {lacking} (see `judge doctor`)")
                });
                self.end = Some(RunFinished {
                    warnings: warnings.chain(lacking).collect(),
                    ..end.clone()
                });
            }
            Event::CompileStarted { .. } | Event::CaseStarted { .. } => {}
        }
    }

    /// The last line of a report, about the submissions.
    pub fn counts(&self, end: &RunFinished) -> Counts {
        let mut reasons: Vec<&str> = Vec::new();
        let (mut skipped, mut are_accepted) = (0, true);
        for package in &self.packages {
            for finished in &package.finished {
                if finished.verdict.is_some() {
                    are_accepted &= finished.verdict == Some(Verdict::Accepted);
                    continue;
                }
                skipped += 1;
                let message = package.messages.get(&finished.submission);
                let reason = message.and_then(|message| message.lines().next());
                reasons.extend(reason.filter(|reason| !reasons.contains(reason)));
            }
        }
        let all = plural(end.submissions, "submission");
        let cases = plural(end.cases, "case");
        Counts {
            are_accepted,
            are_skipped: skipped > 0 && skipped == end.submissions,
            all: if skipped == 0 { "all " } else { "" },
            run: match end.as_expected && skipped > 0 {
                true => format!(
                    "{} of {all}, {cases} run",
                    end.submissions.saturating_sub(skipped)
                ),
                false => format!("{all}, {cases} run"),
            },
            skipped: match skipped {
                0 => String::new(),
                _ => format!("{skipped} skipped ({})", reasons.join("; ")),
            },
        }
    }

    /// The command that judges one case of a submission again.
    pub fn command_for(&self, package: &PackageSummary, submission: &str, case: &str) -> String {
        if let Some(again) = &self.again {
            return again.clone();
        }
        let mut words = vec![self.command.as_deref().unwrap_or("judge run").to_owned()];
        let of_package = package.path.as_deref().unwrap_or(&package.id);
        words.push(path_word(of_package));
        let path = package
            .planned(submission)
            .and_then(|planned| planned.path.as_deref());
        match path {
            Some(path) => words.push(format!("-s {}", path_word(path))),
            None if submission != package.id => words.push("--bins".to_owned()),
            None => {}
        }
        words.push(case_option(case));
        words.join(" ")
    }

    /// The package with this id, which may be unescaped.
    pub fn package(&self, id: &str) -> Option<&PackageSummary> {
        let id = printable_name(id);
        self.packages.iter().find(|package| package.id == id)
    }

    fn package_mut(&mut self, id: &str) -> Option<&mut PackageSummary> {
        let id = printable_name(id);
        self.packages.iter_mut().find(|package| package.id == id)
    }

    /// The ids of all packages with results or findings.
    pub fn ids(&self) -> Vec<&str> {
        let judged = self.packages.iter().map(|package| &package.id);
        let found = self.findings.iter().map(|finding| &finding.package);
        let mut ids: Vec<&str> = Vec::new();
        for id in judged.chain(found) {
            if !ids.contains(&id.as_str()) {
                ids.push(id);
            }
        }
        ids
    }
}

/// A path as a word of a shell command; one that begins with a dash is no option.
fn path_word(path: &str) -> String {
    match path.starts_with('-') {
        true => shell_word(&format!("./{path}")).into_owned(),
        false => shell_word(path).into_owned(),
    }
}

/// A position in a file: `path:line:column`, as far as it is known.
fn place(path: &str, line: Option<usize>, column: Option<usize>) -> String {
    let numbers = [line, column].into_iter().flatten();
    let numbers: String = numbers.map(|number| format!(":{number}")).collect();
    format!("{path}{numbers}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Finding;

    #[test]
    fn untrusted_text_is_escaped() {
        for (path, message, expected) in [
            ("a b.in", "found {4}", ("a b.in:1", "found {4}")),
            ("a", "red \x1b[31mtext", ("a:1", "red text")),
            ("a\rb", "x", ("a\\u{d}b:1", "x")),
            ("\u{202e}a", "x", ("\\u{202e}a:1", "x")),
            ("a ", " x\n", ("a :1", "x")),
            ("\u{e4}", "\"x\"", ("\u{e4}:1", "\"x\"")),
        ] {
            let mut summary = RunSummary::default();
            summary.add(&Event::Finding(Finding {
                package: "p".into(),
                severity: "error".into(),
                path: path.into(),
                line: Some(1),
                message: message.into(),
                ..Finding::default()
            }));
            let finding = &summary.findings[0];
            assert_eq!((&*finding.place, &*finding.message), expected);
        }
    }
}

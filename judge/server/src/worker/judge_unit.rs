//! Judges a submission; each event of the judge becomes a report.

use super::coordinator::{Attempt, Judge, Report};
use super::progress::{Pace, Progress};
use super::sources::write_sources;
use super::{Context, Outcome, Turn, turn};
use crate::packages::with_time_limit;
use crate::store::{CaseRow, Finished, Recorded};
use judge::error::Failure;
use judge::event::{CaseFinished, Event, SubmissionFinished};
use judge::judging::{self, Plan, PlanEntry, Seat, Settings};
use judge::package::{Expectation, Package, Rule};
use judge::submission::{Source, Submission};
use judge::verdict::Verdict;
use judge_sandbox::TempDirectory;
use std::collections::HashMap;
use std::path::PathBuf;

fn settings(context: &Context, turn: &Turn, work: &Judge) -> Settings {
    Settings {
        fail_fast: work.first_failure,
        seat: Some(Seat {
            core: turn.core().number(),
            gate: context.gate.clone(),
        }),
        ..context.settings()
    }
}

/// Judges a submission on the worker's core.
///
/// # Errors
///
/// Why the judge failed; another attempt may succeed.
pub fn judge(
    context: &Context,
    turn: &Turn,
    progress: &Progress,
    attempt: &dyn Attempt,
    work: &Judge,
) -> Result<Outcome, String> {
    let toolchain = &context.toolchain;
    let directory = TempDirectory::new("submission").map_err(|e| e.to_string())?;
    write_sources(attempt, directory.path(), &work.files)?;
    let path = match &work.files[..] {
        [only] => directory.path().join(&only.name),
        _ => directory.path().to_owned(),
    };
    if !turn.begin() {
        return Ok(Outcome::Interrupted);
    }
    let package = attempt.package(&work.tree, &context.settings(), toolchain)?;
    let package = with_time_limit(&package, work.time_limit_s);
    progress.expect(super::progress::longest_silence(&package));
    let settings = settings(context, turn, work);
    let derives = package.limits.time.fixed().is_none();
    let plan = plan(package, work, path);

    let index: HashMap<&str, usize> = work.cases.iter().map(String::as_str).zip(0..).collect();
    let mut finished = None;
    let mut skipped = None;
    let mut trouble = Trouble::default();
    let mut time_limit = None;
    let mut pace = Pace::start();
    let mut on_event = |event: Event| {
        progress.touch();
        trouble.notice(&event);
        match event {
            Event::PackageStarted { time_limit_s, .. } => time_limit = time_limit_s.or(time_limit),
            Event::CompileFinished {
                message,
                skipped: true,
                ..
            } => skipped = message,
            Event::CompileFinished { message, .. } => {
                pace = Pace::start();
                attempt.send(Report::Result(Recorded::Compiled(message)));
            }
            Event::CaseFinished(case) => {
                let decides = work.first_failure && case.verdict != Verdict::Accepted;
                if decides || pace.one_of(work.cases.len()) <= turn::AHEAD {
                    turn.expect_end();
                }
                if let Some(k) = index.get(case.case.as_str()) {
                    let row = Recorded::Case(case_row(*k, case));
                    attempt.send(Report::Result(row));
                }
            }
            Event::SubmissionFinished(submission) => finished = Some(submission),
            _ => {}
        }
    };
    let summary = judging::run(&plan, &settings, toolchain, &mut on_event);
    turn.end();
    if judge_sandbox::interrupted() {
        return Ok(Outcome::Interrupted);
    }
    let summary = match summary {
        Ok(summary) => summary,
        Err(failure @ (Failure::Package(_) | Failure::Usage(_))) => {
            return Ok(Outcome::Hopeless(failure.to_string()));
        }
        Err(failure) => return Err(failure.to_string()),
    };
    if let (true, Some(seconds)) = (derives, time_limit) {
        attempt.keep(Report::TimeLimit(seconds))?;
    }
    let Some(finished) = finished.filter(|_| !summary.interrupted) else {
        return Err("judging ended without a verdict".to_owned());
    };
    match finished.verdict {
        None => Ok(Outcome::Hopeless(format!(
            "the language is not available here: {}",
            skipped.unwrap_or_default()
        ))),
        Some(Verdict::JudgeError) => {
            // The jury sees the cases of the attempt beside the reason.
            attempt.flush()?;
            let graded = finished.message;
            Ok(trouble.outcome(graded.map(|message| (message, finished.machine_failed))))
        }
        Some(verdict) => {
            let result = Recorded::Finished(result(verdict, finished));
            attempt.keep(Report::Result(result))?;
            Ok(Outcome::Done)
        }
    }
}

fn plan(package: Package, work: &Judge, path: PathBuf) -> Plan {
    let expected = Expectation::accepted();
    let submission = Submission {
        name: work.submission.to_string(),
        // Never an executable, even if the file is one: its language says how it is built.
        source: Source::Code {
            path,
            language: Some(work.language.clone()),
            entry_point: work.entry_point.clone(),
        },
        rules: vec![Rule {
            expected: expected.clone(),
            ..Rule::default()
        }],
        expected,
        time_limit: None,
    };
    let cases = package.judged_cases().into_iter().cloned().collect();
    Plan {
        entries: vec![PlanEntry::new(package, cases, [submission])],
    }
}

fn case_row(case: usize, finished: CaseFinished) -> CaseRow {
    CaseRow {
        case,
        verdict: finished.verdict.code().to_owned(),
        cpu_s: finished.cpu_s,
        wall_s: finished.wall_s,
        memory: finished.memory_bytes,
        score: finished.score,
        message: finished.message,
        exit_code: finished.exit_code,
        signal: finished.signal,
        diagnosis: finished.details,
        time_ms: 0,
    }
}

fn result(verdict: Verdict, finished: SubmissionFinished) -> Finished {
    Finished {
        verdict: verdict.code().to_owned(),
        score: finished.score,
        max_cpu_s: finished.max_cpu_s,
        max_memory: finished.max_memory_bytes,
        time_limit_s: finished.time_limit_s,
        reason: finished.message,
    }
}

/// What events say about why the verdict is JE.
#[derive(Default)]
struct Trouble {
    /// The first case with JE: its message, and whether this machine failed and not the package.
    case: Option<(String, bool)>,
    /// What the compiler said.
    compiler: Option<String>,
}

impl Trouble {
    fn notice(&mut self, event: &Event) {
        match event {
            Event::CompileFinished { message, .. } => self.compiler.clone_from(message),
            Event::CaseFinished(case) if case.verdict == Verdict::JudgeError => {
                let message = case.message.clone().unwrap_or_default();
                // One failure of the machine is enough to try again.
                match &mut self.case {
                    Some((_, of_machine)) => *of_machine |= case.machine_failed,
                    None => self.case = Some((message, case.machine_failed)),
                }
            }
            _ => {}
        }
    }

    /// `graded`: why grading failed, and whether because of this machine. A defect of the package
    /// stays one, however often it is judged.
    fn outcome(self, graded: Option<(String, bool)>) -> Outcome {
        match (graded, self.case) {
            (Some((message, false)), _) | (None, Some((message, false))) => {
                Outcome::Hopeless(message)
            }
            (Some((message, true)), _) | (None, Some((message, true))) => Outcome::Failed(message),
            (None, None) => {
                let otherwise = || "the judge failed".to_owned();
                Outcome::Failed(self.compiler.unwrap_or_else(otherwise))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(machine_failed: &[bool], graded: Option<(&str, bool)>) -> Outcome {
        let mut trouble = Trouble::default();
        for (k, machine_failed) in machine_failed.iter().enumerate() {
            trouble.notice(&Event::CaseFinished(CaseFinished {
                message: Some(format!("message {k}")),
                machine_failed: *machine_failed,
                ..CaseFinished::new("p", "s", "c", Verdict::JudgeError)
            }));
        }
        trouble.outcome(graded.map(|(message, of_machine)| (message.to_owned(), of_machine)))
    }

    #[test]
    fn only_failures_of_the_machine_are_repeated() {
        let first = || "message 0".to_owned();
        assert_eq!(outcome(&[false], None), Outcome::Hopeless(first()));
        assert_eq!(outcome(&[false, false], None), Outcome::Hopeless(first()));
        assert_eq!(outcome(&[true], None), Outcome::Failed(first()));
        assert_eq!(outcome(&[false, true], None), Outcome::Failed(first()));
        let graded = |of_machine| outcome(&[], Some(("no grade", of_machine)));
        assert_eq!(graded(true), Outcome::Failed("no grade".to_owned()));
        assert_eq!(graded(false), Outcome::Hopeless("no grade".to_owned()));
    }
}

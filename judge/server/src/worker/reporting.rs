//! The events of judging a submission: each becomes a report, and the last ones its outcome.

use super::Outcome;
use super::messages::{Judge, Report};
use super::on_core;
use super::outbox::Reports;
use crate::store::{CaseRow, Finished, Recorded};
use judge::error::Failure;
use judge::event::{CaseFinished, Event, SubmissionFinished};
use judge::judging::Summary;
use judge::verdict::Verdict;
use std::collections::HashMap;

/// Turns the events of a submission into reports of an attempt.
pub struct Reporting<'a> {
    reports: &'a Reports,
    /// Places of the cases by their names.
    index: HashMap<&'a str, usize>,
    finished: Option<SubmissionFinished>,
    /// Message of a compilation that was skipped because the compiler is missing.
    skipped: Option<String>,
    /// Message of a compilation without a program. It is reported with the verdict CE alone: if this
    /// machine failed, it is for the jury, as the reason.
    refused: Option<Option<String>>,
    judge_errors: JudgeErrors,
    time_limit: Option<f64>,
}

impl<'a> Reporting<'a> {
    /// For the submission of this attempt.
    pub fn new(reports: &'a Reports, work: &'a Judge) -> Self {
        Reporting {
            reports,
            index: work.cases.iter().map(String::as_str).zip(0..).collect(),
            finished: None,
            skipped: None,
            refused: None,
            judge_errors: JudgeErrors::default(),
            time_limit: None,
        }
    }

    /// Reports what the event says.
    pub fn on(&mut self, event: Event) {
        self.judge_errors.notice(&event);
        match event {
            Event::PackageStarted(started) => {
                self.time_limit = started.time_limit_s.or(self.time_limit);
            }
            Event::CompileFinished {
                message,
                skipped: true,
                ..
            } => self.skipped = message,
            Event::CompileFinished {
                message, ok: true, ..
            } => {
                self.reports
                    .send(Report::Result(Recorded::Compiled(message)));
            }
            Event::CompileFinished { message, .. } => self.refused = Some(message),
            Event::CaseFinished(case) => {
                if let Some(k) = self.index.get(case.case.as_str()) {
                    let row = Recorded::Case(case_row(*k, case));
                    self.reports.send(Report::Result(row));
                }
            }
            Event::SubmissionFinished(submission) => self.finished = Some(submission),
            _ => {}
        }
    }

    /// Reports the verdict. `derives`: the time limit was derived, and is reported, too.
    ///
    /// # Errors
    ///
    /// Why the judge failed; another attempt may succeed.
    pub fn conclude(
        self,
        summary: Result<Summary, Failure>,
        derives: bool,
    ) -> Result<Outcome, String> {
        let summary = match summary {
            Ok(summary) => summary,
            Err(failure) => return on_core::failed(&failure),
        };
        if let (true, Some(seconds)) = (derives, self.time_limit) {
            self.reports.keep(Report::TimeLimit(seconds))?;
        }
        let Some(finished) = self.finished.filter(|_| !summary.interrupted) else {
            return Err("judging ended without a verdict".to_owned());
        };
        match finished.verdict {
            None => Ok(Outcome::Hopeless(format!(
                "the language is not available here: {}",
                self.skipped.unwrap_or_default()
            ))),
            Some(Verdict::JudgeError) => {
                // The jury sees the cases of the attempt beside the reason.
                self.reports.flush()?;
                Ok(self.judge_errors.outcome(&finished))
            }
            Some(verdict) => {
                if let Some(message) = self.refused {
                    let compiled = Recorded::Compiled(message);
                    self.reports.send(Report::Result(compiled));
                }
                let result = Recorded::Finished(result(verdict, finished));
                self.reports.keep(Report::Result(result))?;
                Ok(Outcome::Done)
            }
        }
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

/// Messages of events that explain the verdict JE.
#[derive(Default)]
pub(super) struct JudgeErrors {
    /// The first case with JE: its message, and whether this machine failed and not the package.
    case: Option<(String, bool)>,
    /// The message of the compilation.
    compiler: Option<String>,
}

impl JudgeErrors {
    /// Keeps the message of the event, if it is one of these.
    pub(super) fn notice(&mut self, event: &Event) {
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

    /// How the unit ends whose submission has the verdict JE: hopeless if the package has a defect, which
    /// stays one, however often it is judged.
    pub(super) fn outcome(self, finished: &SubmissionFinished) -> Outcome {
        let graded = finished.message.clone();
        let graded = graded.map(|message| (message, finished.machine_failed));
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
        let mut errors = JudgeErrors::default();
        for (k, machine_failed) in machine_failed.iter().enumerate() {
            errors.notice(&Event::CaseFinished(CaseFinished {
                message: Some(format!("message {k}")),
                machine_failed: *machine_failed,
                ..CaseFinished::new("p", "s", "c", Verdict::JudgeError)
            }));
        }
        errors.outcome(&SubmissionFinished {
            message: graded.map(|(message, _)| message.to_owned()),
            machine_failed: graded.is_some_and(|(_, of_machine)| of_machine),
            ..SubmissionFinished::default()
        })
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

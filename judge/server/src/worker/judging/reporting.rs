//! The results of judging a submission: each change becomes a report, and the last ones its outcome.

use super::on_core;
use crate::store::{CaseRow, Finished, Recorded};
use crate::work_protocol::{Outcome, Report, Reports};
use judge_core::error::{Failure, Reason};
use judge_core::judging::Summary;
use judge_core::results::{CaseResult, Change, SubmissionResult};
use judge_core::untrusted::Message;
use judge_core::verdict::Verdict;
use std::sync::Arc;

/// Turns the results of a submission into reports of an attempt.
pub struct Reporting<'a> {
    reports: &'a Reports,
    finished: Option<Arc<SubmissionResult>>,
    /// Message of a compilation that was skipped because the compiler is missing.
    skipped: Option<String>,
    /// Message of a compilation without a program. It is reported with the verdict CE alone: if this
    /// machine failed, it is for the jury, as the reason.
    refused: Option<Option<String>>,
    judge_errors: JudgeErrors,
    time_limit: Option<f64>,
}

impl<'a> Reporting<'a> {
    /// For an attempt, whose plan has one submission and all cases that the unit names.
    pub fn new(reports: &'a Reports) -> Self {
        Reporting {
            reports,
            finished: None,
            skipped: None,
            refused: None,
            judge_errors: JudgeErrors::default(),
            time_limit: None,
        }
    }

    pub fn on(&mut self, change: Change) {
        self.judge_errors.notice(&change);
        match change {
            Change::PackageStarted(_, started) => {
                self.time_limit = started.time_limit_s.or(self.time_limit);
            }
            Change::Compiled(_, compiled) => {
                let message = compiled.message.clone().map(Message::into_raw);
                match (compiled.skipped, compiled.ok) {
                    (true, _) => self.skipped = message,
                    (false, true) => {
                        let compiled = Recorded::Compiled(message);
                        self.reports.send(Report::Result(compiled));
                    }
                    (false, false) => self.refused = Some(message),
                }
            }
            Change::CaseFinished(at, result) => {
                let row = Recorded::Case(case_row(at.case, &result));
                self.reports.send(Report::Result(row));
            }
            Change::SubmissionFinished(_, result) => self.finished = Some(result),
            _ => {}
        }
    }

    /// Reports the verdict. `derives`: the time limit was derived, and is reported, too.
    /// An error says why the judge failed; another attempt may succeed.
    pub fn conclude(
        self,
        summary: Result<Summary, Failure>,
        derives: bool,
    ) -> Result<Outcome, Reason> {
        let summary = match summary {
            Ok(summary) => summary,
            Err(failure) => return on_core::failed(&failure),
        };
        if let (true, Some(seconds)) = (derives, self.time_limit) {
            self.reports.keep(Report::TimeLimit(seconds))?;
        }
        let Some(finished) = self.finished.filter(|_| !summary.interrupted) else {
            return Err(Reason::new("judging ended without a verdict"));
        };
        match finished.verdict {
            None => Ok(Outcome::Hopeless(Reason::new(format!(
                "the language is not available here: {}",
                self.skipped.unwrap_or_default()
            )))),
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
                let result = Recorded::Finished(result(verdict, &finished));
                self.reports.keep(Report::Result(result))?;
                Ok(Outcome::Done)
            }
        }
    }
}

fn case_row(case: usize, result: &CaseResult) -> CaseRow {
    CaseRow {
        case,
        verdict: result.verdict,
        cpu_s: result.cpu_s,
        wall_s: result.wall_s,
        memory: result.memory_bytes,
        score: result.score,
        message: result.message.clone().map(Message::into_raw),
        exit_code: result.exit_code,
        signal: result.signal,
        diagnosis: result.details.clone(),
    }
}

fn result(verdict: Verdict, finished: &SubmissionResult) -> Finished {
    Finished {
        verdict,
        score: finished.score,
        max_cpu_s: finished.max_cpu_s,
        max_memory: finished.max_memory_bytes,
        time_limit_s: finished.time_limit_s,
        reason: finished.message.clone().map(Message::into_raw),
    }
}

/// Messages that explain the verdict JE.
#[derive(Default)]
pub(super) struct JudgeErrors {
    /// The first case with JE: its message, and whether this machine failed and not the package.
    case: Option<(String, bool)>,
    /// The message of the compilation.
    compiler: Option<String>,
}

impl JudgeErrors {
    /// Keeps the change's message if it may explain the verdict JE.
    pub(super) fn notice(&mut self, change: &Change) {
        match change {
            Change::Compiled(_, compiled) => {
                self.compiler = compiled.message.clone().map(Message::into_raw);
            }
            Change::CaseFinished(_, case) if case.verdict == Verdict::JudgeError => {
                let message = case.message.clone().unwrap_or_default().into_raw();
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
    pub(super) fn outcome(self, finished: &SubmissionResult) -> Outcome {
        let graded = finished.message.clone().map(Message::into_raw);
        let graded = graded.map(|message| (message, finished.machine_failed));
        match (graded, self.case) {
            (Some((message, false)), _) | (None, Some((message, false))) => {
                Outcome::Hopeless(Reason::new(message))
            }
            (Some((message, true)), _) | (None, Some((message, true))) => {
                Outcome::Failed(Reason::new(message))
            }
            (None, None) => {
                let otherwise = || "the judge failed".to_owned();
                Outcome::Failed(Reason::new(self.compiler.unwrap_or_else(otherwise)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use judge_core::results::CaseKey;

    fn outcome(machine_failed: &[bool], graded: Option<(&str, bool)>) -> Outcome {
        let mut errors = JudgeErrors::default();
        for (k, machine_failed) in machine_failed.iter().enumerate() {
            let result = CaseResult {
                message: Some(Message::from(format!("message {k}"))),
                machine_failed: *machine_failed,
                ..CaseResult::new(Verdict::JudgeError)
            };
            errors.notice(&Change::CaseFinished(CaseKey::default(), Arc::new(result)));
        }
        errors.outcome(&SubmissionResult {
            message: graded.map(|(message, _)| Message::from(message)),
            machine_failed: graded.is_some_and(|(_, of_machine)| of_machine),
            ..SubmissionResult::default()
        })
    }

    #[test]
    fn only_failures_of_the_machine_are_repeated() {
        let first = || Reason::new("message 0".to_owned());
        assert_eq!(outcome(&[false], None), Outcome::Hopeless(first()));
        assert_eq!(outcome(&[false, false], None), Outcome::Hopeless(first()));
        assert_eq!(outcome(&[true], None), Outcome::Failed(first()));
        assert_eq!(outcome(&[false, true], None), Outcome::Failed(first()));
        let graded = |of_machine| outcome(&[], Some(("no grade", of_machine)));
        assert_eq!(graded(true), Outcome::Failed(Reason::new("no grade")));
        assert_eq!(graded(false), Outcome::Hopeless(Reason::new("no grade")));
    }
}

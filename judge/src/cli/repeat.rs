//! `--repeat N`: runs a plan several times and merges the results of each case.

use crate::error::Failure;
use crate::event::{CaseFinished, Event, SubmissionFinished};
use crate::judging::{self, Plan, Settings, Summary, Toolchain};
use crate::statistics::median;
use crate::verdict::Verdict;
use std::collections::HashMap;

/// Package, submission and case.
type CaseKey = (String, String, String);

/// The results of the earlier runs.
#[derive(Default)]
struct Earlier {
    cases: HashMap<CaseKey, Vec<CaseFinished>>,
    submissions: HashMap<(String, String), Vec<SubmissionFinished>>,
    /// Maximum of the medians of a submission's cases.
    slowest: HashMap<(String, String), f64>,
}

/// Runs the plan `times` times. Only the last run sends events; its cases and submissions are
/// merged with those of the earlier ones.
///
/// # Errors
///
/// The errors of [`judging::run`].
pub fn run(
    times: u16,
    plan: &Plan,
    settings: &Settings,
    toolchain: &Toolchain,
    on_event: &mut (dyn FnMut(Event) + Send),
) -> Result<Summary, Failure> {
    let mut earlier = Earlier::default();
    let mut before: Option<Summary> = None;
    for _ in 1..times {
        let summary = judging::run(plan, settings, toolchain, &mut |event| earlier.add(event))?;
        let is_over = summary.interrupted;
        before = Some(match before {
            Some(before) => merged(before, summary),
            None => summary,
        });
        if is_over {
            break;
        }
    }
    let last = judging::run(plan, settings, toolchain, &mut |event| {
        on_event(earlier.merge(event));
    })?;
    Ok(match before {
        Some(before) => merged(before, last),
        None => last,
    })
}

/// The summary of two runs of the same plan.
fn merged(before: Summary, last: Summary) -> Summary {
    let submissions = last.submissions;
    let busy = before.busy.into_iter().chain(last.busy).reduce(f64::max);
    Summary {
        submissions,
        busy,
        ..before.and(last)
    }
}

impl Earlier {
    fn add(&mut self, event: Event) {
        match event {
            Event::CaseFinished(case) => self.cases.entry(case_key(&case)).or_default().push(case),
            Event::SubmissionFinished(submission) => {
                let runs = self
                    .submissions
                    .entry(submission_key(&submission))
                    .or_default();
                runs.push(submission);
            }
            _ => {}
        }
    }

    /// An event of the last run with the results of the earlier ones.
    fn merge(&mut self, event: Event) -> Event {
        match event {
            Event::CaseFinished(case) => {
                let case = self.merge_case(case);
                let key = (case.package.clone(), case.submission.clone());
                let slowest = self.slowest.entry(key).or_default();
                *slowest = slowest.max(case.cpu_s.unwrap_or_default());
                Event::CaseFinished(case)
            }
            Event::SubmissionFinished(last) => {
                Event::SubmissionFinished(self.merge_submission(last))
            }
            other => other,
        }
    }

    /// The first run that failed, or else the last one, with the median of all times.
    fn merge_case(&mut self, last: CaseFinished) -> CaseFinished {
        let Some(mut runs) = self.cases.remove(&case_key(&last)) else {
            return last;
        };
        runs.push(last);
        let times: Vec<f64> = runs.iter().filter_map(|run| run.cpu_s).collect();
        let memory = runs.iter().filter_map(|run| run.memory_bytes).max();
        let total = runs.len();
        let failed = runs
            .iter()
            .filter(|run| run.verdict != Verdict::Accepted)
            .count();
        let first = runs.iter().position(|run| run.verdict != Verdict::Accepted);
        let mut case = runs.swap_remove(first.unwrap_or(total - 1));
        if failed > 0 && failed < total {
            let message = case.message.unwrap_or_default();
            let before = if message.is_empty() { "" } else { "\n" };
            case.message = Some(format!("{message}{before}in {failed} of {total} runs"));
        }
        case.memory_bytes = memory;
        if !times.is_empty() {
            case.cpu_s = Some(median(&times));
            case.repeats_cpu_s = times;
        }
        case
    }

    /// The first run that was not as expected, or else the last one.
    fn merge_submission(&mut self, last: SubmissionFinished) -> SubmissionFinished {
        let key = submission_key(&last);
        let mut runs = self.submissions.remove(&key).unwrap_or_default();
        let is_repeated = !runs.is_empty();
        runs.push(last);
        let memory = runs.iter().filter_map(|run| run.max_memory_bytes).max();
        let first = runs.iter().position(|run| !run.as_expected);
        let mut submission = runs.swap_remove(first.unwrap_or(runs.len() - 1));
        if is_repeated {
            submission.max_memory_bytes = memory;
            submission.max_cpu_s = self.slowest.remove(&key).or(submission.max_cpu_s);
        }
        submission
    }
}

fn case_key(case: &CaseFinished) -> CaseKey {
    (
        case.package.clone(),
        case.submission.clone(),
        case.case.clone(),
    )
}

fn submission_key(submission: &SubmissionFinished) -> (String, String) {
    (submission.package.clone(), submission.submission.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(verdict: Verdict, cpu_s: f64, message: Option<&str>) -> CaseFinished {
        CaseFinished {
            cpu_s: Some(cpu_s),
            message: message.map(str::to_owned),
            ..CaseFinished::new("p", "s", "1", verdict)
        }
    }

    #[test]
    fn a_repeated_case_has_the_median_and_the_failure() {
        let mut earlier = Earlier::default();
        earlier.add(Event::CaseFinished(case(Verdict::Accepted, 3.0, None)));
        earlier.add(Event::CaseFinished(case(
            Verdict::WrongAnswer,
            9.0,
            Some("line 1"),
        )));
        let last = Event::CaseFinished(case(Verdict::Accepted, 1.0, None));
        let Event::CaseFinished(merged) = earlier.merge(last) else {
            panic!("another event");
        };
        assert_eq!(merged.verdict, Verdict::WrongAnswer);
        assert_eq!(merged.cpu_s, Some(3.0));
        assert_eq!(merged.repeats_cpu_s, [3.0, 9.0, 1.0]);
        assert_eq!(merged.message.as_deref(), Some("line 1\nin 1 of 3 runs"));
        assert_eq!(earlier.slowest.values().copied().collect::<Vec<_>>(), [3.0]);
    }
}

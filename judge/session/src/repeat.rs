//! `--repeat N`: runs a plan several times and merges the results of each case.

use judge_core::error::Failure;
use judge_core::judging::{self, Host, Plan, Settings, Summary, Toolchain};
use judge_core::results::{
    CaseKey, CaseResult, Change, RunResults, SubmissionKey, SubmissionResult,
};
use judge_core::statistics::median;
use judge_core::untrusted::Message;
use std::sync::Arc;

/// Runs the plan `times` times. Only the last run sends changes; its cases and submissions are
/// merged with those of the earlier ones.
pub fn run(
    times: u16,
    plan: &Plan,
    settings: &Settings,
    host: &Host,
    toolchain: &Toolchain,
    on_changes: &mut (dyn FnMut(Vec<Change>) + Send),
) -> Result<Summary, Failure> {
    let mut earlier: Vec<RunResults> = Vec::new();
    let mut before: Option<Summary> = None;
    for _ in 1..times {
        let mut results = RunResults::default();
        let summary = judging::run(plan, settings, host, toolchain, &mut |changes| {
            changes.iter().for_each(|change| results.apply(change));
        })?;
        earlier.push(results);
        let is_over = summary.interrupted;
        before = Some(match before {
            Some(before) => merged(before, summary),
            None => summary,
        });
        if is_over {
            break;
        }
    }
    let mut merge = Merge {
        earlier,
        merged: RunResults::default(),
    };
    let last = judging::run(plan, settings, host, toolchain, &mut |changes| {
        let merged = changes.into_iter().map(|change| merge.change(change));
        on_changes(merged.collect());
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

/// Merges the last run with the earlier ones.
struct Merge {
    earlier: Vec<RunResults>,
    /// The merged results so far; unused without an earlier run.
    merged: RunResults,
}

impl Merge {
    /// A change of the last run with the results of the earlier ones.
    fn change(&mut self, change: Change) -> Change {
        if self.earlier.is_empty() {
            return change;
        }
        let change = match change {
            Change::CaseFinished(at, last) => Change::CaseFinished(at, self.case(at, last)),
            Change::SubmissionFinished(at, last) => {
                Change::SubmissionFinished(at, self.submission(at, last))
            }
            other => other,
        };
        self.merged.apply(&change);
        change
    }

    fn case(&self, at: CaseKey, last: Arc<CaseResult>) -> Arc<CaseResult> {
        let earlier = self.earlier.iter().filter_map(|run| run.case(at).cloned());
        let runs: Vec<_> = earlier.chain([last]).collect();
        Arc::new(merged_case(&runs))
    }

    /// The first run that was not as expected, or else the last one.
    fn submission(&self, at: SubmissionKey, last: Arc<SubmissionResult>) -> Arc<SubmissionResult> {
        let earlier = self
            .earlier
            .iter()
            .filter_map(|run| run.submission(at).finished.clone());
        let runs: Vec<_> = earlier.chain([last]).collect();
        let unexpected = runs.iter().find(|run| !run.as_expected);
        let mut merged = SubmissionResult::clone(unexpected.unwrap_or(&runs[runs.len() - 1]));
        merged.max_memory_bytes = runs.iter().filter_map(|run| run.max_memory_bytes).max();
        let medians = self.merged.submission(at).results();
        let slowest = medians.filter_map(|case| case.cpu_s).reduce(f64::max);
        merged.max_cpu_s = slowest.or(merged.max_cpu_s);
        Arc::new(merged)
    }
}

/// The first run that failed, or else the last one, with the median of all times.
fn merged_case(runs: &[Arc<CaseResult>]) -> CaseResult {
    let failed = runs.iter().filter(|run| !run.is_accepted()).count();
    let first = runs.iter().find(|run| !run.is_accepted());
    let mut case = CaseResult::clone(first.unwrap_or(&runs[runs.len() - 1]));
    let total = runs.len();
    if failed > 0 && failed < total {
        let message = case.message.map(Message::into_raw).unwrap_or_default();
        let before = if message.is_empty() { "" } else { "\n" };
        let message = format!("{message}{before}in {failed} of {total} runs");
        case.message = Some(Message::from(message));
    }
    case.memory_bytes = runs.iter().filter_map(|run| run.memory_bytes).max();
    let times: Vec<f64> = runs.iter().filter_map(|run| run.cpu_s).collect();
    if !times.is_empty() && total > 1 {
        case.cpu_s = Some(median(&times));
        case.repeats_cpu_s = times;
    }
    case
}

#[cfg(test)]
mod tests {
    use super::*;
    use judge_core::verdict::Verdict;

    #[test]
    fn a_repeated_case_has_the_median_and_the_failure() {
        let run = |verdict, cpu_s, message: Option<&str>| {
            Arc::new(CaseResult {
                cpu_s: Some(cpu_s),
                message: message.map(Message::from),
                ..CaseResult::new(verdict)
            })
        };
        let merged = merged_case(&[
            run(Verdict::Accepted, 3.0, None),
            run(Verdict::WrongAnswer, 9.0, Some("line 1")),
            run(Verdict::Accepted, 1.0, None),
        ]);
        assert_eq!(merged.verdict, Verdict::WrongAnswer);
        assert_eq!(merged.cpu_s, Some(3.0));
        assert_eq!(merged.repeats_cpu_s, [3.0, 9.0, 1.0]);
        let message = merged.message.as_ref().map(Message::raw);
        assert_eq!(message, Some("line 1\nin 1 of 3 runs"));
    }
}

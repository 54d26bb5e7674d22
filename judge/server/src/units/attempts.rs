//! Attempts at units: starting them, and keeping their results in the store.

use crate::metrics::METRICS;
use crate::store::{
    Error, JudgingId, JudgingWork, Recorded, SourceFile, Started, Starter, Store, Submission,
    SubmissionId, UnitId, Version,
};
use crate::work_protocol::{
    AttemptId, Judge, JudgingAttempt, Outcome, Report, Results, SentOverrides, Verify, Work,
};
use judge_core::error::Reason;
use judge_core::verdict::Verdict;

/// Bound on the numbers of cases that are kept; no package may have as many.
const MAX_CASES: usize = 100_000;

/// Starts an attempt at the unit with this id. Otherwise returns how the unit ends without work.
pub fn start_attempt(
    store: &Store,
    unit: &str,
    by: &Starter<'_>,
) -> Result<(Work, AttemptId), Outcome> {
    let failed = |e: Error| Outcome::Failed(e.into());
    match unit.parse().map_err(Outcome::Hopeless)? {
        UnitId::Judging(id) => match store.start_judging(id, by) {
            Ok(Started::Work { attempt, work }) => Ok(judge(attempt, *work)),
            Ok(Started::Closed) | Err(Error::NotFound(_)) => Err(Outcome::Done),
            Err(error) => Err(failed(error)),
        },
        UnitId::Step(upload, step) => match store.upload(upload) {
            Ok(found) => {
                let tree = found.tree;
                let work = Work::Verify(Verify { tree, step });
                Ok((work, AttemptId::Step(upload, step)))
            }
            Err(Error::NotFound(_)) => Err(Outcome::Done),
            Err(error) => Err(failed(error)),
        },
        // Of an earlier process.
        UnitId::Batch(..) => Err(Outcome::Done),
    }
}

/// Whether the results of the unit with this id are kept, or not needed.
pub fn is_done(store: &Store, unit: UnitId) -> Result<bool, Error> {
    let found = match unit {
        UnitId::Judging(id) => store.judging(id).map(|own| own.state.is_closed()),
        UnitId::Step(upload, step) => store.has_step(upload, step),
        UnitId::Batch(..) => Ok(true),
    };
    match found {
        Err(Error::NotFound(_)) => Ok(true),
        found => found,
    }
}

/// Ends the judging of a parked unit with JE and this reason.
pub fn give_up(store: &Store, unit: &str, reason: &str) -> Result<(), Reason> {
    if let Ok(UnitId::Judging(id)) = unit.parse() {
        store.give_up_judging(id, reason)?;
    }
    Ok(())
}

fn judge(attempt: i64, work: JudgingWork) -> (Work, AttemptId) {
    let (submission, version) = (work.submission, work.version);
    let target = AttemptId::Judging(JudgingAttempt {
        judging: work.judging,
        attempt,
        submission: submission.id,
        version: version.id,
    });
    (
        Work::Judge(work_of(submission, work.files, version)),
        target,
    )
}

/// The work of judging a submission over a version of its problem.
pub fn work_of(submission: Submission, files: Vec<SourceFile>, version: Version) -> Judge {
    Judge {
        submission: submission.id,
        language: submission.language,
        entry_point: submission.entry_point,
        files,
        tree: version.tree,
        time_limit_s: version.time_limit_s,
        overrides: SentOverrides {
            time_s: version.set_limits.time_s,
            memory: version.set_limits.memory,
        },
        cases: version.cases,
        // In a contest the first failure decides; for practice all cases are of interest.
        first_failure: submission.contest.is_some() && !version.scoring,
    }
}

/// Keeps results, each with its worker: those of judgings in one transaction, unless they are of an earlier
/// attempt.
pub fn record(
    store: &Store,
    all: impl IntoIterator<Item = (String, Results)>,
) -> Result<(), Reason> {
    let mut entries: Vec<(JudgingId, i64, Recorded)> = Vec::new();
    let mut verdicts: Vec<(usize, SubmissionId, Verdict)> = Vec::new();
    for (worker, Results { target, reports }) in all {
        let worker = worker.as_str();
        for report in reports {
            match (target, report) {
                (AttemptId::Judging(of), Report::Result(result)) if is_sound(&result) => {
                    if let Recorded::Finished(finished) = &result {
                        verdicts.push((entries.len(), of.submission, finished.verdict));
                    }
                    entries.push((of.judging, of.attempt, result));
                }
                (AttemptId::Judging(of), Report::TimeLimit(seconds)) if seconds > 0.0 => {
                    store.set_time_limit(of.version, seconds)?;
                }
                (AttemptId::Step(upload, step), Report::Step(report)) => match store.upload(upload)
                {
                    Ok(found) if step < found.steps => store.record_step(upload, step, &report)?,
                    Ok(_) | Err(Error::NotFound(_)) => {
                        tracing::error!(worker, "results of no step of an upload are refused");
                    }
                    Err(error) => return Err(error.into()),
                },
                (_, report) => tracing::error!(worker, "a result is refused: {report:?}"),
            }
        }
    }
    let accepted = store.record(&entries)?;
    for (place, submission, verdict) in verdicts {
        if accepted[place] {
            let verdict = verdict.code();
            METRICS.judged.get_or_create(&[("verdict", verdict)]).inc();
            tracing::info!(submission = submission.0, verdict, "judged");
        }
    }
    Ok(())
}

/// Whether the store can keep the result: a worker of another version may send anything.
fn is_sound(result: &Recorded) -> bool {
    match result {
        Recorded::Compiled(_) => true,
        Recorded::Case(case) => case.case < MAX_CASES,
        Recorded::Finished(_) => true,
    }
}

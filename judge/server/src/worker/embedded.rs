//! The coordinator of workers in the server's own process: the store and its files.

use super::Outcome;
use super::coordinator::{Assignment, Attempt, Coordinator};
use super::messages::{Judge, JudgingAttempt, Report, Results, Target, Verify, Work};
use super::outbox::{Broken, Key, Outbox, Reports};
use crate::blobs::Blobs;
use crate::metrics::METRICS;
use crate::packages::Packages;
use crate::queue::{Lease, Unit};
use crate::store::{
    Error, JudgingId, JudgingWork, Recorded, SourceFile, Started, Starter, Store, SubmissionId,
    UnitId,
};
use judge_core::error::Failure;
use judge_core::judging::{Settings, Toolchain};
use judge_core::verdict::Verdict;
use judge_package::Package;
use std::sync::Arc;

/// The class of machines that name none.
pub const DEFAULT_CLASS: &str = "default";
/// Bound on the numbers of cases that are kept; no package may have as many.
const MAX_CASES: usize = 100_000;

/// The server of this process.
pub struct Embedded {
    pub(crate) store: Arc<Store>,
    pub(crate) blobs: Blobs,
    pub(crate) packages: Arc<Packages>,
    /// The name of this machine.
    machine: String,
    outbox: Outbox,
}

impl Embedded {
    /// Starts the thread that writes results.
    ///
    /// # Errors
    ///
    /// When it cannot be started.
    pub fn start(
        store: Arc<Store>,
        blobs: Blobs,
        packages: Arc<Packages>,
        machine: &str,
    ) -> Result<Self, String> {
        let (own, worker) = (store.clone(), machine.to_owned());
        let outbox = Outbox::start("recorder", move |reports| write(&own, &worker, reports))?;
        Ok(Embedded {
            store,
            blobs,
            packages,
            machine: machine.to_owned(),
            outbox,
        })
    }

    /// Takes the reports of an attempt that was started.
    pub(crate) fn reports(&self, target: Target) -> Reports {
        let coordinator = String::new();
        self.outbox.reports(Key {
            coordinator,
            target,
        })
    }
}

/// Writes reports of this process.
fn write(store: &Store, worker: &str, reports: Vec<(Key, Report)>) -> Broken {
    let keys: Vec<Key> = reports.iter().map(|(key, _)| key.clone()).collect();
    let results = reports.into_iter().map(|(Key { target, .. }, report)| {
        let reports = vec![report];
        (worker.to_owned(), Results { target, reports })
    });
    let Err(why) = record(store, results) else {
        return Broken::new();
    };
    tracing::error!("failed to write results: {why}");
    keys.into_iter().map(|key| (key, why.clone())).collect()
}

impl Coordinator for Embedded {
    fn start(&self, lease: &Lease) -> Result<Assignment<'_>, Outcome> {
        let by = Starter {
            machine: &self.machine,
            machine_class: DEFAULT_CLASS,
            judge: env!("CARGO_PKG_VERSION"),
        };
        let (work, target) = start_attempt(&self.store, &lease.unit.id, &by)?;
        let reports = self.reports(target);
        let attempt = Box::new(Own {
            server: self,
            reports,
        });
        Ok(Assignment { work, attempt })
    }

    fn give_up(&self, unit: &Unit, reason: &str) -> Result<(), String> {
        give_up(&self.store, &unit.id, reason)
    }
}

/// Starts an attempt at the unit with this id. Otherwise returns how the unit ends without work.
pub fn start_attempt(
    store: &Store,
    unit: &str,
    by: &Starter<'_>,
) -> Result<(Work, Target), Outcome> {
    let failed = |e: Error| Outcome::Failed(e.to_string());
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
                Ok((work, Target::Step(upload, step)))
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
pub fn give_up(store: &Store, unit: &str, reason: &str) -> Result<(), String> {
    if let Ok(UnitId::Judging(id)) = unit.parse() {
        store.give_up_judging(id, reason)?;
    }
    Ok(())
}

fn judge(attempt: i64, work: JudgingWork) -> (Work, Target) {
    let (submission, version) = (work.submission, work.version);
    let target = Target::Judging(JudgingAttempt {
        judging: work.judging,
        attempt,
        submission: submission.id,
        version: version.id,
    });
    let judge = Judge {
        submission: submission.id,
        language: submission.language,
        entry_point: submission.entry_point,
        files: work.files,
        tree: version.tree,
        time_limit_s: version.time_limit_s,
        cases: version.cases,
        // In a contest the first failure decides; for practice all cases are of interest.
        first_failure: submission.contest.is_some() && !version.scoring,
    };
    (Work::Judge(judge), target)
}

/// Keeps results, each with its worker: those of judgings in one transaction, unless they are of an earlier
/// attempt.
///
/// # Errors
///
/// When the store fails.
pub fn record(
    store: &Store,
    all: impl IntoIterator<Item = (String, Results)>,
) -> Result<(), String> {
    let mut entries: Vec<(JudgingId, i64, Recorded)> = Vec::new();
    let mut verdicts: Vec<(usize, SubmissionId, Verdict)> = Vec::new();
    for (worker, Results { target, reports }) in all {
        let worker = worker.as_str();
        for report in reports {
            match (target, report) {
                (Target::Judging(of), Report::Result(result)) if is_sound(&result) => {
                    if let Some(verdict) = verdict_of(&result) {
                        verdicts.push((entries.len(), of.submission, verdict));
                    }
                    entries.push((of.judging, of.attempt, result));
                }
                (Target::Judging(of), Report::TimeLimit(seconds)) if seconds > 0.0 => {
                    store.set_time_limit(of.version, seconds)?;
                }
                (Target::Step(upload, step), Report::Step(report)) => match store.upload(upload) {
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
        Recorded::Case(case) => {
            case.case < MAX_CASES && Verdict::from_code(&case.verdict).is_some()
        }
        Recorded::Finished(_) => verdict_of(result).is_some(),
    }
}

/// The verdict, if this is the last result of a judging.
fn verdict_of(result: &Recorded) -> Option<Verdict> {
    match result {
        Recorded::Finished(finished) => Verdict::from_code(&finished.verdict),
        _ => None,
    }
}

/// An attempt of a worker in this process.
struct Own<'s> {
    server: &'s Embedded,
    reports: Reports,
}

impl Attempt for Own<'_> {
    fn reports(&self) -> &Reports {
        &self.reports
    }

    fn source(&self, file: &SourceFile) -> Result<Vec<u8>, String> {
        let content = self.server.blobs.get(&file.blob);
        content.map_err(|e| e.to_string())
    }

    fn loaded_package(&self, tree: &str) -> Option<Arc<Package>> {
        self.server.packages.loaded_tree(tree)
    }

    fn package(
        &self,
        tree: &str,
        settings: &Settings,
        toolchain: &Toolchain,
    ) -> Result<Arc<Package>, Failure> {
        self.server.packages.get_tree(tree, settings, toolchain)
    }
}

//! The coordinator of workers in the server's own process: the store and its files.

use super::Outcome;
use super::coordinator::{Assignment, Attempt, Coordinator, Judge, Report, Verify, Work};
use super::recorder::Recorder;
use super::units::judging_of;
use super::verify::step_of;
use crate::blobs::Blobs;
use crate::metrics::METRICS;
use crate::packages::Packages;
use crate::queue::Unit;
use crate::store::{
    Error, JudgingId, JudgingWork, Recorded, SourceFile, Started, Starter, Store, SubmissionId,
    UploadId, VersionId,
};
use judge::judging::{Settings, Toolchain};
use judge::verdict::Verdict;
use judge_package::Package;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The class of machines that name none.
pub const DEFAULT_CLASS: &str = "default";

/// The server of this process.
pub struct Embedded {
    site: Arc<Site>,
    /// The name of this machine.
    machine: String,
}

struct Site {
    store: Arc<Store>,
    blobs: Blobs,
    packages: Arc<Packages>,
    recorder: Recorder,
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
    ) -> std::io::Result<Self> {
        Ok(Embedded {
            site: Arc::new(Site {
                recorder: Recorder::start(store.clone())?,
                store,
                blobs,
                packages,
            }),
            machine: machine.to_owned(),
        })
    }

    /// Keeps the results of an attempt that was started.
    pub(crate) fn attempt(&self, target: Target) -> Box<dyn Attempt> {
        let site = self.site.clone();
        Box::new(Own { site, target })
    }
}

impl Coordinator for Embedded {
    fn start(&self, unit: &Unit) -> Result<Assignment, Outcome> {
        let by = Starter {
            machine: &self.machine,
            machine_class: DEFAULT_CLASS,
            judge: env!("CARGO_PKG_VERSION"),
        };
        let (work, target) = start_attempt(&self.site.store, &unit.payload, &by)?;
        let attempt = self.attempt(target);
        Ok(Assignment { work, attempt })
    }

    fn give_up(&self, unit: &Unit, reason: &str) -> Result<(), String> {
        if let Some(id) = judging_of(&unit.payload) {
            let given_up = self.site.store.give_up_judging(id, reason);
            given_up.map_err(|e| e.to_string())?;
        }
        Ok(())
    }
}

/// The judging, step or batch that the results of an attempt belong to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// A judging.
    Judging(JudgingAttempt),
    /// A step of verifying an upload.
    Step(UploadId, usize),
    /// A batch of a command.
    Batch(BatchAttempt),
}

/// An attempt at a batch of cases.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct BatchAttempt {
    /// The batch's number in its coordinator.
    pub(crate) batch: u64,
    /// The attempt, from 1.
    pub(crate) attempt: u64,
}

/// An attempt of a judging.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct JudgingAttempt {
    /// The judging.
    pub judging: JudgingId,
    /// The attempt.
    pub attempt: i64,
    /// The submission.
    pub submission: SubmissionId,
    /// The version of the package.
    pub version: VersionId,
}

/// Starts an attempt at the unit with this payload.
///
/// # Errors
///
/// How the unit ends without work.
pub fn start_attempt(
    store: &Store,
    payload: &str,
    by: &Starter<'_>,
) -> Result<(Work, Target), Outcome> {
    let failed = |e: Error| Outcome::Failed(e.to_string());
    if let Some(id) = judging_of(payload) {
        return match store.start_judging(id, by) {
            Ok(Started::Work { attempt, work }) => Ok(judge(attempt, *work)),
            Ok(Started::Closed) | Err(Error::NotFound(_)) => Err(Outcome::Done),
            Err(error) => Err(failed(error)),
        };
    }
    let Some((upload, step)) = step_of(payload) else {
        let what = format!("unit {payload:?} is not a judging");
        return Err(Outcome::Hopeless(what));
    };
    let tree = match store.upload(upload) {
        Ok(found) => found.tree,
        Err(Error::NotFound(_)) => return Err(Outcome::Done),
        Err(error) => return Err(failed(error)),
    };
    Ok((
        Work::Verify(Verify { tree, step }),
        Target::Step(upload, step),
    ))
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

/// The verdict, if this is the last result of a judging.
pub fn verdict_of(result: &Recorded) -> Option<Verdict> {
    match result {
        Recorded::Finished(finished) => Verdict::from_code(&finished.verdict),
        _ => None,
    }
}

/// Logs and counts a verdict that was accepted.
pub fn judged(submission: SubmissionId, verdict: Verdict) {
    let verdict = verdict.code();
    METRICS.judged.get_or_create(&[("verdict", verdict)]).inc();
    tracing::info!(submission = submission.0, verdict, "judged");
}

/// An attempt of a worker in this process.
struct Own {
    site: Arc<Site>,
    target: Target,
}

impl Attempt for Own {
    fn send(&self, report: Report) {
        match (report, self.target) {
            (Report::Result(result), Target::Judging(of)) => {
                let recorder = &self.site.recorder;
                recorder.send(of.judging, of.attempt, result);
            }
            (report, _) => {
                if let Err(error) = self.keep(report) {
                    tracing::error!("{error}");
                }
            }
        }
    }

    fn flush(&self) -> Result<(), String> {
        match self.target {
            Target::Judging(of) => self.site.recorder.flush(of.judging, of.attempt),
            Target::Step(..) | Target::Batch(_) => Ok(()),
        }
    }

    fn keep(&self, report: Report) -> Result<(), String> {
        let Site {
            store, recorder, ..
        } = self.site.as_ref();
        let kept = match (report, self.target) {
            (Report::Result(result), Target::Judging(of)) => {
                let verdict = verdict_of(&result);
                // A result that is refused is that of an attempt that somebody else repeats.
                let accepted = recorder.finish(of.judging, of.attempt, result)?;
                if let Some(verdict) = verdict.filter(|_| accepted) {
                    judged(of.submission, verdict);
                }
                return Ok(());
            }
            (Report::TimeLimit(seconds), Target::Judging(of)) => {
                store.set_time_limit(of.version, seconds)
            }
            (Report::Step(report), Target::Step(upload, step)) => {
                store.record_step(upload, step, &report)
            }
            _ => return Err("this is a report of another kind of work".to_owned()),
        };
        kept.map_err(|e| e.to_string())
    }

    fn source(&self, file: &SourceFile) -> Result<Vec<u8>, String> {
        let content = self.site.blobs.get(&file.blob);
        content.map_err(|e| e.to_string())
    }

    fn loaded_package(&self, tree: &str) -> Option<Arc<Package>> {
        self.site.packages.loaded_tree(tree)
    }

    fn package(
        &self,
        tree: &str,
        settings: &Settings,
        toolchain: &Toolchain,
    ) -> Result<Arc<Package>, String> {
        self.site.packages.get_tree(tree, settings, toolchain)
    }
}

//! Judging on the core of a worker: what submissions, batches and steps of verifying share.

use super::super::progress::{Pace, Progress, longest_silence};
use super::super::{Context, Turn, turn};
use crate::work_protocol::{Attempt, Outcome};
use judge_core::error::{Failure, Reason};
use judge_core::judging::{self, Host, Part, Plan, PlanSubmission, Settings, Summary};
use judge_core::results::Change;
use judge_package::{Package, TimeLimit};
use std::sync::Arc;
use std::time::Duration;

/// The reason why a unit is not judged whose cases are not those of the package here.
pub(super) const OTHER_CASES: &str =
    "the package has other cases here: its generators differ between machines";

/// A unit and the worker that has it.
#[derive(Clone, Copy)]
pub struct OnCore<'a> {
    /// State that all workers share.
    pub context: &'a Context,
    /// The worker's turn on its core.
    pub turn: &'a Turn,
    /// Shows that the worker is alive.
    pub progress: &'a Progress,
    /// The attempt at the unit.
    pub attempt: &'a dyn Attempt,
}

impl OnCore<'_> {
    /// Runs `work` while no other thread judges on this core.
    /// Fails with errors of `work`; when the core is not free soon, or the worker stops meanwhile.
    pub fn alone<T>(&self, work: impl FnOnce() -> Result<T, Outcome>) -> Result<T, Outcome> {
        if !self.turn.begin() {
            return Err(Outcome::Interrupted);
        }
        let done = work();
        self.turn.end();
        match judge_sandbox::interrupted() {
            true => Err(Outcome::Interrupted),
            false => done,
        }
    }

    /// Leaves a unit to other machines that needs languages whose tools are not installed here. If no other
    /// machine has them, the unit ends here, and says what is missing.
    pub fn check_languages(
        &self,
        package: &Package,
        submissions: &[PlanSubmission],
    ) -> Result<(), Outcome> {
        let toolchain = &self.context.toolchain;
        let missing = judging::missing_languages(package, submissions, toolchain);
        match !missing.is_empty() && self.attempt.others_have(&missing) {
            true => Err(Outcome::LeftToOthers(Reason::new(format!(
                "not installed here: {}",
                missing.join(", ")
            )))),
            false => Ok(()),
        }
    }

    /// Judges `cases` cases of the package with this tree, as `plan` says, which fails with a defect of
    /// the package. Returns the plan and how judging ended.
    /// An error says how the unit ends without having been judged.
    pub fn judge(
        &self,
        tree: &str,
        cases: usize,
        settings: &Settings,
        part: Option<Arc<Part>>,
        plan: impl Fn(&Package) -> Result<Plan, Reason>,
        mut on_change: impl FnMut(&Plan, Change) + Send,
    ) -> Result<(Plan, Result<Summary, Failure>), Outcome> {
        let OnCore {
            context,
            turn,
            progress,
            attempt,
        } = *self;
        let toolchain = &context.toolchain;
        let seat = context.seat(turn);
        // Cheap preparation is done on another core before this one is free.
        let mut shared = attempt.loaded_package(tree);
        let ahead = shared.as_deref().map(&plan);
        if let Some(Ok(plan)) = &ahead {
            judging::open_ahead(plan, settings, &seat, toolchain);
        }
        self.alone(|| {
            let planned = match ahead {
                Some(planned) => planned,
                None => {
                    let package = attempt.package(tree, &context.settings(), toolchain);
                    let package = package.map_err(|failure| Outcome::Failed(failure.into()));
                    plan(shared.insert(package?))
                }
            };
            let plan = planned.map_err(Outcome::Hopeless)?;
            let entry = &plan.entries[0];
            self.check_languages(&entry.package, &entry.submissions)?;
            progress.expect(silence(&plan, settings));
            if settings.counts_instructions() {
                judging::layers(settings).map_err(|e| Outcome::Failed(e.into()))?;
            }
            let mut pace = Pace::start();
            let mut on_changes = |changes: Vec<Change>| {
                for change in changes {
                    progress.touch();
                    match &change {
                        Change::Compiled(..) => pace = Pace::start(),
                        Change::CaseFinished(_, case) => {
                            let decides = settings.fail_fast && !case.is_accepted();
                            if decides || pace.one_of(cases) <= turn::AHEAD {
                                turn.expect_end();
                            }
                        }
                        _ => {}
                    }
                    on_change(&plan, change);
                }
            };
            let host = Host {
                seat: Some(seat),
                part,
                ..Host::default()
            };
            let summary = judging::run(&plan, settings, &host, toolchain, &mut on_changes);
            Ok((plan, summary))
        })
    }
}

/// How a unit ends whose judging failed. A defect of the package remains one, however often it is judged.
/// An error says why the judge failed; another attempt may succeed.
pub fn failed(failure: &Failure) -> Result<Outcome, Reason> {
    match failure {
        Failure::Package(_) | Failure::Usage(_) => Ok(Outcome::Hopeless(Reason::new(failure))),
        failure => Err(Reason::new(failure)),
    }
}

fn silence(plan: &Plan, settings: &Settings) -> Duration {
    let mut limits = plan.entries[0].package.limits.clone();
    if let (Some(limit), Some(own)) = (limits.time.fixed(), settings.overrides.time) {
        limits.time = TimeLimit::Given(limit.max(own));
    }
    longest_silence(&limits)
}

//! Scheduler: worker threads that take compilations, cases and gradings from one queue.
//!
//! The cases of a submission enter the queue when it is compiled, so compilations and cases of all
//! submissions share the cores. A case that ends near its time limit while other work runs in
//! parallel is run again alone, without any other case, compiler or grader. The same applies to an
//! unexpected time-limit failure, because a neighbour can make a program half as fast.
//!
//! With [`Decisive`](super::Extent::Decisive) the cases after the one that ends judging are
//! postponed, and run only if the submission does not meet its expectation without them. A run of
//! such a case that is in progress is cancelled.
//!
//! The pure state machine in [`state`] decides what runs next; it knows only indices. This module
//! holds the threads, the programs and the results. Events are queued in order and never written
//! under the lock.

mod protocol;
mod runner;
mod short_cuts;
mod state;
mod submission_state;
mod workers;

use self::protocol::{Input, Notice, Rules, Work};
pub use self::runner::{
    CaseEnd, Known, PrepareResult, RunMode, Runner, Selected, Selection, SubmissionRef, Summary,
};
use self::short_cuts::ShortCuts;
use self::state::StateMachine;
use self::submission_state::SubmissionState;
use super::event_queue::EventSink;
use super::hosting::elsewhere::Runs;
use super::{Plan, Prepared, Settings};
use crate::error::Failure;
use crate::parallel::unpoisoned;
use crate::results::{CaseKey, CaseResult, Change};
use crate::verdict::Verdict;
use judge_sandbox::Canceller;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::Builder;

struct Scheduler<'a> {
    shared: Mutex<Shared<'a>>,
    changed: Condvar,
    events: &'a dyn EventSink,
    place: Place<'a>,
}

/// Where the runners' cases run.
#[derive(Clone, Copy, Default)]
pub struct Place<'a> {
    /// Whether other runs in this process judge at the same time.
    pub has_company: bool,
    /// Other machines, if they run there.
    pub elsewhere: Option<&'a dyn Runs>,
}

/// State that all workers share.
struct Shared<'a> {
    state: StateMachine<ShortCuts<'a>>,
    submissions: Vec<SubmissionState<'a>>,
    /// Work that the state machine handed out and no worker has taken yet.
    ready: VecDeque<Work>,
    /// Number of workers that wait for work.
    waiting: usize,
    summary: Summary,
}

/// A piece of work with what a worker needs for it.
enum Task<'a> {
    Prepare(usize, SubmissionRef<'a>),
    Case(CaseTask<'a>),
    Grade(usize, SubmissionRef<'a>),
}

/// A run of a case.
struct CaseTask<'a> {
    submission: usize,
    case: usize,
    /// Whether nothing else runs at the same time.
    alone: bool,
    at: SubmissionRef<'a>,
    program: Option<Prepared>,
    /// Ends the run if the case becomes irrelevant.
    canceller: Option<Canceller>,
}

/// Judges a selection of the plan's submissions with one worker per runner.
/// Fails when no thread can be started, or a worker panics.
pub fn judge<R: Runner>(
    plan: &Plan,
    selection: &Selection,
    settings: &Settings,
    runners: Vec<R>,
    events: &dyn EventSink,
    place: Place<'_>,
) -> Result<Summary, Failure> {
    let facts = selection
        .iter()
        .map(|selected| submission_state::facts(selected, plan, settings));
    let rules = Rules {
        workers: runners.len(),
        repeats: settings.jobs > 1 || place.has_company,
        fail_fast: settings.fail_fast,
        elsewhere: place.elsewhere.is_some(),
    };
    let short_cuts = ShortCuts::new(plan, selection, settings);
    let scheduler = Scheduler {
        shared: Mutex::new(Shared {
            state: StateMachine::new(facts.collect(), rules, short_cuts),
            submissions: selection
                .iter()
                .map(|selected| SubmissionState::new(selected, plan, settings))
                .collect(),
            ready: VecDeque::new(),
            waiting: 0,
            summary: Summary::nothing(),
        }),
        changed: Condvar::new(),
        events,
        place,
    };
    for selected in selection {
        let Some(known) = &selected.known else {
            continue;
        };
        let of = selected.key;
        if let Some(compiled) = &known.compiled {
            events.send(Change::Compiled(of, compiled.clone()));
        }
        for (case, result) in known.results.iter().enumerate() {
            events.send(Change::CaseFinished(CaseKey { of, case }, result.clone()));
        }
    }
    let some = !runners.is_empty();
    scheduler.step(&mut scheduler.lock(), Input::Start);
    let panics = std::thread::scope(|scope| {
        let scheduler = &scheduler;
        // If not all threads can be started, those that can be do all of the work.
        let workers: Vec<_> = runners
            .into_iter()
            .filter_map(|mut runner| {
                let work = move || scheduler.work(&mut runner);
                Builder::new().spawn_scoped(scope, work).ok()
            })
            .collect();
        if some && workers.is_empty() {
            return None;
        }
        // `count` joins every worker.
        let panics = workers.into_iter().filter_map(|worker| worker.join().err());
        Some(panics.count())
    });
    match panics {
        None => {
            let why = "failed to start a thread: too many processes or threads (raise ulimit -u)";
            return Err(Failure::internal(why));
        }
        Some(0) => {}
        Some(_) => return Err(Failure::internal("a worker of the judge panicked")),
    }
    Ok(scheduler.lock().summary())
}

impl<'a> Shared<'a> {
    /// A piece of work with what a worker needs for it.
    fn task(&self, work: Work) -> Task<'a> {
        let at = |submission: usize| self.submissions[submission].at;
        match work {
            Work::Prepare(submission) => Task::Prepare(submission, at(submission)),
            Work::Grade(submission) => Task::Grade(submission, at(submission)),
            Work::Case {
                at: (submission, case),
                alone,
            } => {
                let state = &self.submissions[submission];
                Task::Case(CaseTask {
                    submission,
                    case,
                    alone,
                    at: at(submission),
                    program: state.program.clone(),
                    canceller: state.cancellers.get(&case).cloned(),
                })
            }
        }
    }

    /// Records the results that a notice announces, and returns the change to report.
    fn change(&mut self, notice: Notice) -> Option<Change> {
        let Shared {
            submissions,
            summary,
            ..
        } = self;
        match notice {
            Notice::Started((submission, case)) => {
                Some(Change::CaseStarted(submissions[submission].at.case(case)))
            }
            Notice::Decided { at, like } => {
                let (submission_state, case) = (&mut submissions[at.0], at.1);
                let result: Arc<CaseResult> = match like {
                    None => {
                        summary.cases += 1;
                        Arc::new(submission_state.held.remove(&case)?)
                    }
                    Some(like) => submission_state.results[like].clone()?,
                };
                submission_state.results[case] = Some(result.clone());
                Some(Change::CaseFinished(submission_state.at.case(case), result))
            }
            Notice::Finished(submission) => {
                let finished = submissions[submission].finished.take()?;
                summary.submissions += 1;
                summary.as_expected &= finished.as_expected;
                let is_error = finished.verdict == Some(Verdict::JudgeError);
                summary.judge_error |= is_error && finished.machine_failed;
                summary.package_error |= is_error && !finished.machine_failed;
                let at = submissions[submission].at.key;
                Some(Change::SubmissionFinished(at, Arc::new(finished)))
            }
        }
    }

    fn summary(&self) -> Summary {
        let submissions = || self.submissions.iter().enumerate();
        let unfinished = submissions().filter(|(k, _)| !self.state.progress[*k].done);
        let so_far = unfinished.map(|(_, state)| state.is_as_expected_so_far());
        Summary {
            interrupted: self.state.interrupted,
            as_expected: so_far.fold(self.summary.as_expected, |all, one| all && one),
            ..self.summary
        }
    }
}

/// Stops the other workers when one panics.
struct EndOnPanic<'p, 'a>(&'p Scheduler<'a>);

impl Drop for EndOnPanic<'_, '_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.lock().state.interrupted = true;
            self.0.changed.notify_all();
        }
    }
}

impl<'a> Scheduler<'a> {
    /// Ignores the poison of another worker's panic: the results so far are still reported.
    fn lock(&self) -> MutexGuard<'_, Shared<'a>> {
        unpoisoned(self.shared.lock())
    }

    fn work<R: Runner>(&self, runner: &mut R) {
        let _end = EndOnPanic(self);
        runner.start();
        let mut shared = self.lock();
        while let Some(task) = self.next(shared) {
            self.events.wait_for_capacity();
            // A worker takes its next work under the lock under which it ends the last one.
            shared = match task {
                Task::Prepare(submission, at) => self.prepare(runner, submission, at),
                Task::Case(case) => self.case(runner, &case),
                Task::Grade(submission, at) => self.grade(runner, submission, at),
            };
        }
    }

    /// Returns the next piece of work; blocks while running work may still create some.
    fn next(&self, mut shared: MutexGuard<'_, Shared<'a>>) -> Option<Task<'a>> {
        loop {
            if shared.state.is_over() {
                return None;
            }
            if let Some(work) = shared.ready.pop_front() {
                return Some(shared.task(work));
            }
            shared.waiting += 1;
            shared = unpoisoned(self.changed.wait(shared));
            shared.waiting -= 1;
        }
    }

    /// Feeds an input to the state machine and carries out the resulting step: work, events,
    /// cancellations.
    fn step(&self, shared: &mut Shared<'_>, input: Input) {
        let step = shared.state.on(input);
        if let Some(runs) = self.place.elsewhere {
            let cancelled = step.cancel.iter().map(|at| (at, true));
            let unneeded = step.unneeded.iter().map(|at| (at, false));
            for (&(submission, case), asked) in cancelled.chain(unneeded) {
                let at = shared.submissions[submission].at;
                runs.cancel(at.key, at.entry().cases[case].id, asked);
            }
        }
        for (submission, case) in step.cancel {
            if let Some(canceller) = shared.submissions[submission].cancellers.get(&case) {
                canceller.cancel();
            }
        }
        let changes = step.notices.into_iter();
        let changes = changes.filter_map(|notice| shared.change(notice)).collect();
        self.events.send_all(changes);
        for work in &step.work {
            if let Work::Case { at, alone: false } = *work
                && self.place.elsewhere.is_none()
                && !shared.state.progress[at.0].facts.thorough
                // Without a free descriptor the run continues although it is no longer needed.
                && let Ok(canceller) = Canceller::new()
            {
                shared.submissions[at.0].cancellers.insert(at.1, canceller);
            }
        }
        shared.ready.extend(step.work);
        // `notify_all` is a system call even without waiting threads.
        if shared.waiting > 0 && (!shared.ready.is_empty() || shared.state.is_over()) {
            self.changed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests;

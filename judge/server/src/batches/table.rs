//! The submissions that others judge for this process: the batch of each case, its worker, and the
//! thread that waits for the result.

use super::size::{self, Mean};
use crate::worker::{Batch, BatchAttempt, Report, Target};
use judge::event::{CaseFinished, Event};
use judge::judging::{CaseResult, CompiledElsewhere, NoProgram};
use judge::package::CaseId;
use judge::parallel::unpoisoned;
use judge::verdict::Verdict;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// A submission: the run of the scheduler, and the places of package and submission in its plan.
pub type Key = (u64, usize, usize);

/// How often a case may be in a batch that ends without its result.
const MOST_LOST: u8 = 3;
/// If a submission has no result this time after its compilation, that is what a case takes.
const UNKNOWN: Duration = Duration::from_millis(300);
/// Interval of the messages that cancel a batch of which nothing is needed: one may be lost.
const CANCEL_AGAIN: Duration = Duration::from_secs(1);

/// The submissions and their batches.
#[derive(Default)]
pub struct Table {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    submissions: HashMap<Key, Submission>,
    batches: BTreeMap<u64, Planned>,
    /// The last number of a batch.
    last: u64,
    /// Batches whose units are to be removed.
    dropped: Vec<u64>,
    /// What cases of a package take, by its snapshot.
    means: HashMap<String, Mean>,
    /// Nothing is judged any more.
    interrupted: bool,
}

struct Submission {
    /// The package's id.
    package: String,
    /// What workers need, without cases.
    work: Batch,
    /// In judging order.
    cases: Vec<Case>,
    places: HashMap<CaseId, usize>,
    names: HashMap<String, usize>,
    compilation: Compilation,
    mean: Mean,
    /// Somebody waits for a case in no batch.
    is_short: bool,
}

enum Compilation {
    /// Somebody waits for it.
    Waiting(Sender<CompiledElsewhere>),
    Done {
        at: Instant,
        seconds: f64,
    },
}

struct Case {
    id: CaseId,
    name: String,
    phase: Phase,
    waiter: Option<Sender<CaseResult>>,
    /// It was cancelled between the scheduler's decision to run it and the call that asks for it.
    is_cancelled: bool,
    is_needed: bool,
    lost: u8,
}

enum Phase {
    /// In no batch.
    Open,
    /// In this batch.
    In(u64),
    Done(Box<CaseFinished>),
}

/// A batch with its present attempt.
struct Planned {
    key: Key,
    /// Places of its cases.
    cases: Vec<usize>,
    /// Their numbers in the package.
    ids: Vec<CaseId>,
    is_enqueued: bool,
    /// Started attempts.
    attempt: u64,
    worker: Option<String>,
    /// Cases to cancel.
    cancel: Vec<CaseId>,
    /// Nothing of it is needed; the time of the last message about that.
    needless: Option<Instant>,
}

/// What to do on NATS.
#[derive(Default, Debug)]
pub struct Step {
    /// Batches to enqueue.
    pub enqueue: Vec<u64>,
    /// Batches whose units are to be removed.
    pub remove: Vec<u64>,
    /// Messages to workers: name, attempt, cases.
    pub cancel: Vec<(String, Target, Vec<usize>)>,
    /// Whether somebody waits for something.
    pub waits: bool,
}

impl Table {
    fn lock(&self) -> MutexGuard<'_, State> {
        unpoisoned(self.state.lock())
    }

    /// Waits until there may be something to do, or the time is over.
    pub fn wait(&self, most: Duration) {
        drop(self.changed.wait_timeout(self.lock(), most));
    }

    /// Adds a submission with its cases in judging order; the result of its compilation comes through
    /// the channel. `None` when judging was interrupted.
    pub fn add(
        &self,
        key: Key,
        package: &str,
        work: Batch,
        cases: impl Iterator<Item = (CaseId, String)>,
        seats: usize,
    ) -> Option<Receiver<CompiledElsewhere>> {
        let (sender, receiver) = channel();
        let cases: Vec<Case> = cases.map(|(id, name)| Case::new(id, name)).collect();
        let mut state = self.lock();
        if state.interrupted {
            return None;
        }
        let first = match state.means.get(&work.tree).and_then(Mean::get) {
            Some(seconds) => size::of_batch(seconds, 0.0, cases.len(), seats),
            None => size::of_first(cases.len(), seats),
        };
        let first = first.min(cases.len());
        let submission = Submission {
            package: package.to_owned(),
            work,
            places: (0..cases.len()).map(|k| (cases[k].id, k)).collect(),
            names: (0..cases.len())
                .map(|k| (cases[k].name.clone(), k))
                .collect(),
            compilation: Compilation::Waiting(sender),
            mean: Mean::default(),
            is_short: false,
            cases,
        };
        state.submissions.insert(key, submission);
        // Without cases, too: it is to be compiled.
        state.plan(key, (0..first).collect());
        self.changed.notify_all();
        Some(receiver)
    }

    /// Waits for the result of a case; `None` when judging was interrupted.
    pub fn result(&self, key: Key, case: CaseId) -> Option<CaseResult> {
        let receiver = {
            let mut state = self.lock();
            let submission = state.submissions.get_mut(&key)?;
            let own = &mut submission.cases[*submission.places.get(&case)?];
            if let Phase::Done(finished) = &own.phase {
                return Some(result(finished));
            }
            if std::mem::take(&mut own.is_cancelled) {
                return Some(CaseResult::Cancelled);
            }
            let (sender, receiver) = channel();
            own.waiter = Some(sender);
            own.is_needed = true;
            if matches!(own.phase, Phase::Open) {
                submission.is_short = true;
                self.changed.notify_all();
            }
            receiver
        };
        // The sender is dropped when judging is interrupted.
        receiver.recv().ok()
    }

    /// A case is needed no longer; `asked`: somebody waits for its result, or is about to.
    pub fn cancel(&self, key: Key, case: CaseId, asked: bool) {
        let mut state = self.lock();
        let Some(own) = state.case(key, case) else {
            return;
        };
        own.is_needed = false;
        match own.waiter.take() {
            // The receiver waits for it.
            Some(waiter) => drop(waiter.send(CaseResult::Cancelled)),
            None => own.is_cancelled = asked,
        }
        if let Phase::In(batch) = own.phase {
            own.phase = Phase::Open;
            state.release(batch, &[case]);
            self.changed.notify_all();
        }
    }

    /// Forgets the submissions of a run of the scheduler.
    pub fn forget(&self, run: u64) {
        let mut state = self.lock();
        state.submissions.retain(|key, _| key.0 != run);
        state.release_orphans();
        self.changed.notify_all();
    }

    /// Ends all waiting: nothing is judged any more.
    pub fn interrupt(&self) {
        let mut state = self.lock();
        state.interrupted = true;
        // With those that others wait at.
        state.submissions.clear();
        state.release_orphans();
        self.changed.notify_all();
    }

    /// Starts an attempt of a worker at a batch; `None`: nothing of it is needed.
    pub fn start(&self, batch: u64, worker: &str) -> Option<(Batch, Target)> {
        let mut state = self.lock();
        let State {
            batches,
            submissions,
            ..
        } = &mut *state;
        let planned = batches.get_mut(&batch)?;
        let submission = submissions.get(&planned.key);
        let Some(submission) = submission.filter(|_| planned.needless.is_none()) else {
            batches.remove(&batch);
            return None;
        };
        planned.attempt += 1;
        planned.worker = Some(worker.to_owned());
        planned.cancel.clear();
        let is_open = |place: &&usize| submission.cases[**place].is_in(batch);
        let cases = planned.cases.iter().filter(is_open);
        let work = Batch {
            cases: cases.map(|place| submission.cases[*place].id.0).collect(),
            ..submission.work.clone()
        };
        Some((work, planned.target(batch)))
    }

    /// Keeps reports of a worker, unless they are those of an earlier attempt or another worker.
    pub fn take(&self, worker: &str, target: &Target, reports: Vec<Report>) {
        let Target::Batch(of) = target else {
            tracing::error!(worker, "results of a server are refused");
            return;
        };
        let mut state = self.lock();
        let planned = state.batches.get(&of.batch);
        let is_present = |planned: &Planned| {
            planned.attempt == of.attempt && planned.worker.as_deref() == Some(worker)
        };
        if !planned.is_some_and(is_present) {
            tracing::info!(worker, batch = of.batch, "late results are refused");
            return;
        }
        for report in reports {
            match report {
                Report::Event(event) => state.event(of.batch, worker, *event),
                Report::Ended => state.ended(of.batch, worker),
                other => tracing::error!(worker, "a result is refused: {other:?}"),
            }
        }
        self.changed.notify_all();
    }

    /// No worker can judge a batch: its cases get JE with this reason.
    pub fn fail(&self, batch: u64, reason: &str) {
        let mut state = self.lock();
        if let Some(planned) = state.batches.remove(&batch) {
            state.fail(batch, &planned, reason);
        }
    }

    /// Plans batches for the cases that somebody waits for. `seats`: what workers can do at once.
    pub fn step(&self, seats: usize) -> Step {
        let mut state = self.lock();
        let short = state.submissions.iter().filter(|(_, own)| own.is_short);
        let keys: Vec<Key> = short.map(|(key, _)| *key).collect();
        for key in keys {
            state.plan_wanted(key, seats);
        }
        let mut step = Step {
            waits: !state.submissions.is_empty(),
            ..Step::default()
        };
        step.remove = std::mem::take(&mut state.dropped);
        for (&batch, planned) in &mut state.batches {
            if !planned.is_enqueued {
                step.enqueue.push(batch);
            }
            let is_due = planned
                .needless
                .is_some_and(|at| at.elapsed() > CANCEL_AGAIN);
            let cases = match is_due {
                true => planned.ids.clone(),
                false => std::mem::take(&mut planned.cancel),
            };
            if let Some(worker) = planned.worker.as_ref().filter(|_| !cases.is_empty()) {
                planned.needless = planned.needless.map(|_| Instant::now());
                let cases = cases.into_iter().map(|case| case.0).collect();
                step.cancel
                    .push((worker.clone(), planned.target(batch), cases));
            }
        }
        step
    }

    /// Takes note of batches that are in the queue.
    pub fn set_enqueued(&self, batches: &[u64]) {
        let mut state = self.lock();
        for batch in batches {
            if let Some(planned) = state.batches.get_mut(batch) {
                planned.is_enqueued = true;
            }
        }
    }

    /// The batches that are not in the queue, and should be.
    pub fn missing(&self, known: &HashSet<u64>) -> HashSet<u64> {
        let state = self.lock();
        let enqueued = state
            .batches
            .iter()
            .filter(|(_, planned)| planned.is_enqueued);
        let numbers = enqueued.map(|(batch, _)| *batch);
        numbers.filter(|batch| !known.contains(batch)).collect()
    }

    /// Has batches enqueued again.
    pub fn enqueue_again(&self, batches: impl Iterator<Item = u64>) {
        let mut state = self.lock();
        for batch in batches {
            if let Some(planned) = state.batches.get_mut(&batch) {
                planned.is_enqueued = false;
            }
        }
    }
}

impl State {
    fn case(&mut self, key: Key, case: CaseId) -> Option<&mut Case> {
        let submission = self.submissions.get_mut(&key)?;
        let place = *submission.places.get(&case)?;
        submission.cases.get_mut(place)
    }

    fn plan(&mut self, key: Key, places: Vec<usize>) {
        self.last += 1;
        let batch = self.last;
        let mut ids = Vec::new();
        if let Some(submission) = self.submissions.get_mut(&key) {
            for &place in &places {
                submission.cases[place].phase = Phase::In(batch);
                ids.push(submission.cases[place].id);
            }
        }
        let planned = Planned {
            key,
            cases: places,
            ids,
            is_enqueued: false,
            attempt: 0,
            worker: None,
            cancel: Vec::new(),
            needless: None,
        };
        self.batches.insert(batch, planned);
    }

    /// Plans batches of a submission, unless nothing is known about its cases yet.
    fn plan_wanted(&mut self, key: Key, seats: usize) {
        let Some(submission) = self.submissions.get_mut(&key) else {
            return;
        };
        let Compilation::Done { at, seconds } = submission.compilation else {
            return;
        };
        let of_package = || self.means.get(&submission.work.tree).and_then(Mean::get);
        let unknown = (at.elapsed() > UNKNOWN).then(|| at.elapsed().as_secs_f64());
        let Some(case_s) = submission.mean.get().or_else(of_package).or(unknown) else {
            return;
        };
        submission.is_short = false;
        let is_open = |case: &&Case| matches!(case.phase, Phase::Open) && case.is_needed;
        let open = submission.cases.iter().filter(is_open).count();
        let size = size::of_batch(case_s, seconds, open, seats);
        let mut batches: Vec<Vec<usize>> = Vec::new();
        let mut batch: Vec<usize> = Vec::new();
        for (place, case) in submission.cases.iter().enumerate() {
            if !is_open(&case) {
                continue;
            }
            // It begins with a case that somebody waits for, and goes on with those that they will
            // probably wait for.
            if !batch.is_empty() || case.waiter.is_some() {
                batch.push(place);
            }
            if batch.len() >= size {
                batches.push(std::mem::take(&mut batch));
            }
        }
        batches.extend((!batch.is_empty()).then_some(batch));
        for places in batches {
            self.plan(key, places);
        }
    }

    /// Cases of a batch are needed no longer.
    fn release(&mut self, batch: u64, cases: &[CaseId]) {
        let State {
            batches,
            submissions,
            dropped,
            ..
        } = self;
        let Some(planned) = batches.get_mut(&batch) else {
            return;
        };
        let is_needed = submissions.get(&planned.key).is_some_and(|submission| {
            let mut own = planned.cases.iter();
            own.any(|place| submission.cases[*place].is_in(batch))
                || matches!(submission.compilation, Compilation::Waiting(_))
        });
        match (is_needed, planned.attempt) {
            (true, 0) => {}
            (true, _) => planned.cancel.extend(cases),
            (false, 0) => {
                batches.remove(&batch);
                dropped.push(batch);
            }
            (false, _) => {
                planned.cancel = planned.ids.clone();
                planned.needless.get_or_insert_with(Instant::now);
            }
        }
    }

    /// Releases the batches of submissions that are gone.
    fn release_orphans(&mut self) {
        let orphan = |(batch, planned): (&u64, &Planned)| {
            let is_gone = !self.submissions.contains_key(&planned.key);
            is_gone.then_some(*batch)
        };
        let orphans: Vec<u64> = self.batches.iter().filter_map(orphan).collect();
        for batch in orphans {
            self.release(batch, &[]);
        }
    }

    fn event(&mut self, batch: u64, worker: &str, event: Event) {
        let Some(planned) = self.batches.get(&batch) else {
            return;
        };
        let Some(submission) = self.submissions.get_mut(&planned.key) else {
            return;
        };
        match event {
            Event::CompileFinished {
                language,
                ok,
                skipped,
                wall_s,
                message,
                ..
            } => {
                let text = || message.clone().unwrap_or_default();
                let program = match (ok, skipped) {
                    (true, _) => Ok(message),
                    (false, true) => Err(NoProgram::Skipped(text())),
                    (false, false) => Err(NoProgram::CompileError(text())),
                };
                submission.compiled(CompiledElsewhere {
                    program,
                    language: Some(language),
                    wall: Duration::try_from_secs_f64(wall_s).unwrap_or_default(),
                });
            }
            Event::CaseFinished(mut finished) => {
                // Nothing was compiled.
                submission.compiled(CompiledElsewhere::without_compiler());
                let Some(&place) = submission.names.get(&finished.case) else {
                    tracing::error!(worker, "a result of an unknown case is refused");
                    return;
                };
                let case = &mut submission.cases[place];
                if matches!(case.phase, Phase::Done(_)) {
                    return;
                }
                if let Some(seconds) = finished.wall_s.or(finished.cpu_s) {
                    submission.mean.add(seconds);
                    let means = &mut self.means;
                    let tree = submission.work.tree.clone();
                    means.entry(tree).or_default().add(seconds);
                }
                finished.machine = Some(worker.to_owned());
                finished.package.clone_from(&submission.package);
                finished.submission.clone_from(&submission.work.submission);
                case.finish(finished);
            }
            _ => tracing::error!(worker, "an event is refused"),
        }
    }

    /// A batch has no more results.
    fn ended(&mut self, batch: u64, worker: &str) {
        let Some(planned) = self.batches.remove(&batch) else {
            return;
        };
        let Some(submission) = self.submissions.get_mut(&planned.key) else {
            return;
        };
        submission.compiled(CompiledElsewhere::without_compiler());
        let mut is_lost = false;
        for place in &planned.cases {
            let case = &mut submission.cases[*place];
            if case.is_in(batch) {
                case.lost += 1;
                is_lost |= case.lost > MOST_LOST;
                case.phase = Phase::Open;
                submission.is_short = true;
            }
        }
        if is_lost {
            let reason = format!("{worker} judged the batch without a result for this case");
            self.fail(batch, &planned, &reason);
        }
    }

    fn fail(&mut self, batch: u64, planned: &Planned, reason: &str) {
        let Some(submission) = self.submissions.get_mut(&planned.key) else {
            return;
        };
        submission.compiled(CompiledElsewhere {
            program: Err(NoProgram::Failed(reason.to_owned())),
            ..CompiledElsewhere::without_compiler()
        });
        for place in &planned.cases {
            let case = &mut submission.cases[*place];
            if case.is_in(batch) || matches!(case.phase, Phase::Open) {
                let (package, name) = (&submission.package, &submission.work.submission);
                let verdict = Verdict::JudgeError;
                case.finish(CaseFinished {
                    message: Some(reason.to_owned()),
                    machine_failed: true,
                    ..CaseFinished::new(package, name, &case.name, verdict)
                });
            }
        }
    }
}

impl Planned {
    fn target(&self, batch: u64) -> Target {
        Target::Batch(BatchAttempt {
            batch,
            attempt: self.attempt,
        })
    }
}

impl Submission {
    /// Only the first result counts.
    fn compiled(&mut self, compiled: CompiledElsewhere) {
        let done = Compilation::Done {
            at: Instant::now(),
            seconds: compiled.wall.as_secs_f64(),
        };
        if let Compilation::Waiting(waiter) = &self.compilation {
            // The receiver waits for it.
            let _ = waiter.send(compiled);
            self.compilation = done;
        }
    }
}

impl Case {
    fn new(id: CaseId, name: String) -> Self {
        Case {
            id,
            name,
            phase: Phase::Open,
            waiter: None,
            is_cancelled: false,
            is_needed: true,
            lost: 0,
        }
    }

    fn is_in(&self, batch: u64) -> bool {
        matches!(self.phase, Phase::In(own) if own == batch)
    }

    fn finish(&mut self, finished: CaseFinished) {
        if let Some(waiter) = self.waiter.take() {
            // The receiver waits for it.
            let _ = waiter.send(result(&finished));
        }
        self.phase = Phase::Done(Box::new(finished));
    }
}

/// A worker judges alone what is near its limit.
fn result(finished: &CaseFinished) -> CaseResult {
    CaseResult::Finished {
        finished: finished.clone(),
        near_limit: false,
        undisturbed: true,
    }
}

#[cfg(test)]
mod tests;

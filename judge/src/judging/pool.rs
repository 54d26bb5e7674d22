//! Workers that take work from one queue: compile this, run that case.
//!
//! A submission's cases enter the queue when it is compiled, so compilations and cases of all
//! submissions share the cores. A case that came out near its time limit while others ran beside
//! it is run again alone: every run holds `quiet` shared, the run alone holds it exclusively. So is
//! one that is too slow against all expectation, since a neighbour can slow a program by half.
//!
//! Where only the verdict is asked for ([`Extent::Decisive`]), the cases behind the one that ends
//! judging are put off, and run only if the submission is not as expected without them. One that is
//! running by then is ended.

mod contract;
mod queue;
mod track;

pub use self::contract::{
    At, CaseResult, How, Known, PrepareResult, Runner, Selected, Selection, Summary,
};
use self::queue::{State, Work};
use self::track::{is_too_slow, outcomes};
use super::{Extent, Plan, Prepared, Settings, Tell, moot, twins};
use crate::error::Failure;
use crate::event::{CaseFinished, Event};
use crate::verdict::Verdict;
use judge_sandbox::Canceller;
use std::collections::HashMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, RwLock};
use std::thread::Builder;

struct Pool<'a> {
    plan: &'a Plan,
    settings: &'a Settings,
    /// Per entry that is judged, where not every case is to be run: see [`twins`].
    twins: HashMap<usize, Vec<usize>>,
    state: Mutex<State>,
    changed: Condvar,
    quiet: RwLock<()>,
    tell: &'a Tell<'a>,
}

/// Judges a selection of the plan's submissions with one worker per runner.
///
/// # Errors
///
/// When no thread can be started, or a worker panics.
pub fn judge<R: Runner>(
    plan: &Plan,
    selection: &Selection,
    settings: &Settings,
    runners: Vec<R>,
    tell: &Tell<'_>,
) -> Result<Summary, Failure> {
    let mut alike = HashMap::new();
    if settings.extent == Extent::Decisive {
        for selected in selection.iter().filter(|selected| selected.known.is_none()) {
            let cases = &plan.entries[selected.entry].cases;
            alike
                .entry(selected.entry)
                .or_insert_with(|| twins::first_alike(&cases.iter().collect::<Vec<_>>()));
        }
    }
    let pool = Pool {
        plan,
        settings,
        twins: alike,
        state: Mutex::new(State::new(plan, selection, settings)),
        changed: Condvar::new(),
        quiet: RwLock::new(()),
        tell,
    };
    let some = !runners.is_empty();
    for (index, selected) in selection.iter().enumerate() {
        if let Some(known) = &selected.known {
            pool.repeat(index, known);
        }
    }
    let panics = std::thread::scope(|scope| {
        let pool = &pool;
        // Where no more threads are to be had, those that there are do all of the work.
        let workers: Vec<_> = runners
            .into_iter()
            .filter_map(|mut runner| {
                let work = move || pool.work(&mut runner);
                Builder::new().spawn_scoped(scope, work).ok()
            })
            .collect();
        if some && workers.is_empty() {
            return None;
        }
        // All of them are waited for.
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
    let state = pool.lock();
    Ok(Summary {
        interrupted: state.interrupted,
        as_expected: state.summary.as_expected && !state.interrupted,
        ..state.summary
    })
}

/// A piece of work in a worker's hands. Put down also by one that panics: the others wait until
/// nobody holds any.
struct Busy<'a>(&'a Pool<'a>);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.busy -= 1;
        let somebody_waits = state.waiting > 0;
        drop(state);
        // A call of the system, even where nobody does.
        if somebody_waits {
            self.0.changed.notify_all();
        }
    }
}

impl Pool<'_> {
    /// A panic of another worker must not hide what is known: its poison is ignored.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work<R: Runner>(&self, runner: &mut R) {
        runner.settle();
        while let Some(work) = self.next() {
            let _busy = Busy(self);
            match work {
                Work::Prepare(track) => self.prepare(runner, track),
                Work::Case(track, case) => {
                    self.case(runner, track, case);
                    self.lock().tracks[track].running -= 1;
                }
                Work::Grade(track) => self.grade(runner, track),
            }
        }
    }

    /// The next piece of work; waits while others may still make some.
    fn next(&self) -> Option<Work> {
        let mut state = self.lock();
        loop {
            if state.interrupted {
                return None;
            }
            if let Some(work) = state.take() {
                state.busy += 1;
                return Some(work);
            }
            if state.busy == 0 {
                return None;
            }
            state.waiting += 1;
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
            state.waiting -= 1;
        }
    }

    fn at(&self, track: usize) -> At<'_> {
        let state = self.lock();
        let track = &state.tracks[track];
        At {
            plan: self.plan,
            entry: track.entry,
            submission: track.submission,
            time_limit: track.time_limit,
        }
    }

    /// Tells again what is known of a submission.
    fn repeat(&self, index: usize, known: &Known) {
        let mut state = self.lock();
        if let Some(event) = &known.compiled {
            (self.tell)(event.clone());
        }
        for result in &known.results {
            (self.tell)(Event::CaseFinished(result.clone()));
        }
        let track = &mut state.tracks[index];
        track.results = known.results.iter().cloned().map(Some).collect();
        track.open = 0;
        state.queue.push_back(Work::Grade(index));
    }

    fn prepare<R: Runner>(&self, runner: &mut R, index: usize) {
        let at = self.at(index);
        let result = {
            let _shared = self.quiet.read().unwrap_or_else(PoisonError::into_inner);
            runner.prepare(at)
        };
        let Some(result) = result else {
            self.lock().interrupted = true;
            return;
        };
        let entry = &self.plan.entries[at.entry];
        let ok = matches!(result.prepared, Prepared::Ready(_));
        let message = match &result.prepared {
            // Another interpreter stands in, ...
            Prepared::Ready(program) => program.note.clone(),
            Prepared::CompileError(message)
            | Prepared::Skipped(message)
            | Prepared::Failed(message) => Some(message.clone()),
        };
        if result.language.is_some() || message.is_some() {
            (self.tell)(Event::CompileFinished {
                package: entry.package.id.clone(),
                submission: entry.submissions[at.submission].submission.name.clone(),
                language: result.language.unwrap_or_default(),
                ok,
                skipped: matches!(result.prepared, Prepared::Skipped(_)),
                wall_s: result.wall.as_secs_f64(),
                message,
            });
        }
        let mut state = self.lock();
        let track = &mut state.tracks[index];
        if matches!(result.prepared, Prepared::Ready(_)) {
            let cases = track.results.len();
            track.program = Some(result.prepared);
            if cases == 0 {
                state.queue.push_front(Work::Grade(index));
            }
            // Cases go before the compilations still waiting: submissions end in order.
            for case in (0..cases).rev() {
                state.queue.push_front(Work::Case(index, case));
            }
        } else {
            track.program = Some(result.prepared);
            track.open = 0;
            self.finish(&mut state, index);
        }
    }

    fn case<R: Runner>(&self, runner: &mut R, index: usize, case_index: usize) {
        let at = self.at(index);
        let entry = &self.plan.entries[at.entry];
        let case = &entry.cases[case_index];
        let (program, slow, canceller) = {
            let mut state = self.lock();
            let track = &mut state.tracks[index];
            if track.failed && self.settings.fail_fast {
                self.close_case(&mut state, index, case_index, None);
                return;
            }
            if track.moot.contains(&case.id) {
                self.put_off(&mut state, index, case_index);
                return;
            }
            let twins = self.twins.get(&track.entry);
            if let Some(result) = twins.and_then(|t| track.of_twin(&entry.cases, t, case_index)) {
                (self.tell)(Event::CaseFinished(result.clone()));
                self.close_case(&mut state, index, case_index, Some(result));
                return;
            }
            let Some(program) = track.program.clone() else {
                return;
            };
            // Where no descriptor is left, the run goes on in vain.
            let canceller = match track.thorough {
                true => None,
                false => Canceller::new().ok(),
            };
            if let Some(canceller) = canceller.clone() {
                track.cancellers.insert(case.id, canceller);
            }
            (program, track.slow, canceller)
        };
        (self.tell)(Event::CaseStarted {
            package: entry.package.id.clone(),
            submission: entry.submissions[at.submission].submission.name.clone(),
            case: case.name.clone(),
        });
        let first = {
            let _shared = self.quiet.read().unwrap_or_else(PoisonError::into_inner);
            runner.run(at, &program, case, How::Beside(canceller.as_ref()))
        };
        let expected = &entry.submissions[at.submission].submission.expected;
        let surprises = |result: &CaseResult| {
            !slow && is_too_slow(&result.told) && !expected.allows(Verdict::TimeLimitExceeded)
        };
        {
            let mut state = self.lock();
            let track = &mut state.tracks[index];
            track.cancellers.remove(&case.id);
            if first.as_ref().is_some_and(|first| first.cancelled) {
                self.put_off(&mut state, index, case_index);
                return;
            }
        }
        let mut slow_alone = false;
        let result = match first {
            Some(first) if self.settings.jobs > 1 && (first.doubtful || surprises(&first)) => {
                let _alone = self.quiet.write().unwrap_or_else(PoisonError::into_inner);
                {
                    let mut state = self.lock();
                    if state.tracks[index].moot.contains(&case.id) {
                        self.put_off(&mut state, index, case_index);
                        return;
                    }
                }
                let again = runner.run(at, &program, case, How::Alone);
                slow_alone = again.as_ref().is_some_and(|again| is_too_slow(&again.told));
                again
            }
            first => first,
        };
        let mut state = self.lock();
        state.tracks[index].slow |= slow_alone;
        match result {
            Some(result) => {
                (self.tell)(Event::CaseFinished(result.told.clone()));
                state.summary.cases += 1;
                self.close_case(&mut state, index, case_index, Some(result.told));
            }
            None => state.interrupted = true,
        }
    }

    /// Keeps a moot case for later, should it be wanted.
    fn put_off(&self, state: &mut State, index: usize, case: usize) {
        state.tracks[index].put_off.push(case);
        self.close_case(state, index, case, None);
    }

    /// Notes the result of a case (`None`: it was dropped), and finishes the submission after
    /// the last.
    fn close_case(
        &self,
        state: &mut State,
        index: usize,
        case: usize,
        result: Option<CaseFinished>,
    ) {
        let track = &mut state.tracks[index];
        if let Some(result) = result {
            if result.verdict != Verdict::Accepted {
                track.failed = true;
                if !track.thorough {
                    let entry = &self.plan.entries[track.entry];
                    track.make_moot(&moot::behind(&entry.package.data, entry.cases[case].id));
                }
            }
            track.results[case] = Some(result);
        }
        let track = &mut state.tracks[index];
        track.open -= 1;
        if track.open == 0 {
            // A grader of the package may take its time; nobody waits for it meanwhile.
            state.queue.push_front(Work::Grade(index));
        }
    }

    /// Joins the results of a submission's cases, and finishes it; or runs the cases put off, where
    /// it is not as expected without them.
    fn grade<R: Runner>(&self, runner: &mut R, index: usize) {
        let at = self.at(index);
        // Nobody adds to them: no case of it is open.
        let (results, moot) = {
            let mut state = self.lock();
            let track = &mut state.tracks[index];
            (std::mem::take(&mut track.results), track.moot.clone())
        };
        let cases = &self.plan.entries[at.entry].cases;
        let graded = runner.grade(at, &outcomes(cases, &results, &moot));
        let mut state = self.lock();
        let track = &mut state.tracks[index];
        track.results = results;
        if graded.is_none() {
            state.interrupted = true;
            return;
        }
        track.graded = graded;
        if !track.put_off.is_empty() && !track.told(self.plan).as_expected {
            // Whoever has to find out why wants to see them all.
            track.thorough = true;
            track.moot.clear();
            let cases = std::mem::take(&mut track.put_off);
            track.open = cases.len();
            for case in cases.into_iter().rev() {
                state.queue.push_front(Work::Case(index, case));
            }
            return;
        }
        self.finish(&mut state, index);
    }

    /// Marks a submission as done and tells every one whose turn it is.
    fn finish(&self, state: &mut State, index: usize) {
        state.tracks[index].done = true;
        while state.next_told < state.tracks.len() && state.tracks[state.next_told].done {
            let told = state.tracks[state.next_told].told(self.plan);
            state.next_told += 1;
            state.summary.submissions += 1;
            state.summary.as_expected &= told.as_expected;
            state.summary.judge_error |= told.verdict == Some(Verdict::JudgeError);
            (self.tell)(Event::SubmissionFinished(told));
        }
    }
}

#[cfg(test)]
mod tests;

//! Workers that take work from one queue: compile this, run that case.
//!
//! A submission's cases enter the queue when it is compiled, so compilations and cases of all
//! submissions share the cores. A case that came out near its time limit while others ran beside
//! it is run again alone: every run holds `quiet` shared, the run alone holds it exclusively. So is
//! one that is too slow against all expectation, since a neighbour can slow a program by half.
//!
//! Where only the verdict is asked for ([`Extent::Decisive`]), the cases behind the one that ends
//! judging are put off, and run only if the submission is not as expected without them.

use super::outcome::{self, CaseOutcome, Graded, Outcomes};
use super::{Extent, Plan, Prepared, Settings, Tell, moot, twins};
use crate::error::Failure;
use crate::event::{CaseFinished, Event, SubmissionFinished};
use crate::package::TestCase;
use crate::verdict::Verdict;
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, RwLock};
use std::thread::Builder;
use std::time::Duration;

/// What a worker does with a submission. One per worker; the real one owns boxes.
pub trait Runner: Send {
    /// Comes first, on the worker's own thread.
    fn settle(&mut self) {}

    /// Gets a program out of a submission; `None` when judging was interrupted.
    fn prepare(&mut self, at: At<'_>) -> Option<PrepareResult>;

    /// Runs a case; `None` when judging was interrupted. `again`: it came out near its limit, and
    /// nothing runs beside it now.
    fn run(
        &mut self,
        at: At<'_>,
        program: &Prepared,
        case: &TestCase,
        again: bool,
    ) -> Option<CaseResult>;

    /// Joins the outcomes of all cases; `None` when judging was interrupted.
    fn grade(&mut self, at: At<'_>, outcomes: &Outcomes<'_>) -> Option<Graded>;
}

/// A submission of the plan.
#[derive(Clone, Copy, Debug)]
pub struct At<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// Which entry.
    pub entry: usize,
    /// Which submission of it.
    pub submission: usize,
    /// The CPU-time limit of this submission.
    pub time_limit: Duration,
}

/// A compilation, told.
#[derive(Debug)]
pub struct PrepareResult {
    /// What became of it.
    pub prepared: Prepared,
    /// The language, when there was something to compile.
    pub language: Option<String>,
    /// How long it took.
    pub wall: Duration,
}

/// What a run of a case came to.
#[derive(Clone, Debug)]
pub struct CaseResult {
    /// The figures and the verdict.
    pub told: CaseFinished,
    /// Whether the case should be run again alone: the machine's load may have decided.
    pub doubtful: bool,
}

/// What a whole run came to.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Summary {
    /// How many submissions came to their end.
    pub submissions: usize,
    /// How many cases were judged.
    pub cases: usize,
    /// Whether all submissions got what was expected.
    pub as_expected: bool,
    /// Whether some case could not be judged.
    pub judge_error: bool,
    /// Whether it was interrupted.
    pub interrupted: bool,
    /// How many cores other programs kept busy, where that was enough to disturb.
    pub busy: Option<f64>,
}

impl Summary {
    /// Nothing judged yet.
    pub fn nothing() -> Self {
        Summary {
            as_expected: true,
            ..Summary::default()
        }
    }

    /// This and `more` together.
    pub fn and(self, more: Summary) -> Self {
        Summary {
            submissions: self.submissions + more.submissions,
            cases: self.cases + more.cases,
            as_expected: self.as_expected && more.as_expected,
            judge_error: self.judge_error || more.judge_error,
            interrupted: self.interrupted || more.interrupted,
            busy: self.busy.or(more.busy),
        }
    }
}

enum Work {
    Prepare(usize),
    Case(usize, usize),
    Grade(usize),
}

/// A submission while it is judged.
struct Track {
    entry: usize,
    submission: usize,
    time_limit: Duration,
    program: Option<Prepared>,
    results: Vec<Option<CaseFinished>>,
    /// Cases not yet done, dropped or put off.
    open: usize,
    failed: bool,
    /// It was too slow alone as well.
    slow: bool,
    /// Cases that cannot change the verdict any more, by name.
    moot: HashSet<String>,
    /// Moot cases whose turn came: they run if the submission is not as expected without them.
    put_off: Vec<usize>,
    /// Every case runs, moot or not.
    thorough: bool,
    /// What all cases together came to, where they were run.
    graded: Option<Graded>,
    done: bool,
}

struct State {
    queue: VecDeque<Work>,
    tracks: Vec<Track>,
    busy: usize,
    /// Submissions are told in the order of the plan: the first that is not yet told.
    next_told: usize,
    interrupted: bool,
    summary: Summary,
}

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

/// The submissions of the plan to judge now.
pub type Selection = Vec<Selected>;

/// A submission of the plan to judge now.
#[derive(Clone, Debug)]
pub struct Selected {
    /// Which entry.
    pub entry: usize,
    /// Which submission of it.
    pub submission: usize,
    /// Its CPU-time limit.
    pub time_limit: Duration,
    /// Where it was run before, and need not run again: what was found then.
    pub known: Option<Known>,
}

/// What was told of a submission when it was run before.
#[derive(Clone, Default, Debug)]
pub struct Known {
    /// Of its compilation.
    pub compiled: Option<Event>,
    /// Of its cases.
    pub results: Vec<CaseFinished>,
}

impl Selected {
    /// A submission that has not run yet.
    pub fn new(entry: usize, submission: usize, time_limit: Duration) -> Self {
        Selected {
            entry,
            submission,
            time_limit,
            known: None,
        }
    }
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
    let tracks: Vec<Track> = selection
        .iter()
        .map(
            |&Selected {
                 entry,
                 submission,
                 time_limit,
                 ..
             }| Track {
                entry,
                submission,
                time_limit,
                program: None,
                results: vec![None; plan.entries[entry].cases.len()],
                open: plan.entries[entry].cases.len(),
                failed: false,
                slow: false,
                moot: HashSet::new(),
                put_off: Vec::new(),
                thorough: settings.extent == Extent::Everything
                    || !moot::only_whole(
                        &plan.entries[entry].submissions[submission].submission.rules,
                    ),
                graded: None,
                done: false,
            },
        )
        .collect();
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
        state: Mutex::new(State {
            queue: (0..tracks.len())
                .filter(|&k| selection[k].known.is_none())
                .map(Work::Prepare)
                .collect(),
            tracks,
            busy: 0,
            next_told: 0,
            interrupted: false,
            summary: Summary::nothing(),
        }),
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
        self.0.lock().busy -= 1;
        self.0.changed.notify_all();
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
                Work::Case(track, case) => self.case(runner, track, case),
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
            if let Some(work) = state.queue.pop_front() {
                state.busy += 1;
                return Some(work);
            }
            if state.busy == 0 {
                return None;
            }
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
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
        state.summary.cases += known.results.len();
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
        let (program, slow) = {
            let mut state = self.lock();
            let track = &mut state.tracks[index];
            if track.failed && self.settings.fail_fast {
                self.close_case(&mut state, index, case_index, None);
                return;
            }
            if track.moot.contains(&case.name) {
                track.put_off.push(case_index);
                self.close_case(&mut state, index, case_index, None);
                return;
            }
            if let Some(result) = self.of_twin(track, case_index) {
                (self.tell)(Event::CaseFinished(result.clone()));
                self.close_case(&mut state, index, case_index, Some(result));
                return;
            }
            match &track.program {
                Some(program) => (program.clone(), track.slow),
                None => return,
            }
        };
        (self.tell)(Event::CaseStarted {
            package: entry.package.id.clone(),
            submission: entry.submissions[at.submission].submission.name.clone(),
            case: case.name.clone(),
        });
        let first = {
            let _shared = self.quiet.read().unwrap_or_else(PoisonError::into_inner);
            runner.run(at, &program, case, false)
        };
        let expected = &entry.submissions[at.submission].submission.expected;
        let surprises = |result: &CaseResult| {
            !slow && is_too_slow(&result.told) && !expected.allows(Verdict::TimeLimitExceeded)
        };
        let mut slow_alone = false;
        let result = match first {
            Some(first) if self.settings.jobs > 1 && (first.doubtful || surprises(&first)) => {
                let _alone = self.quiet.write().unwrap_or_else(PoisonError::into_inner);
                let again = runner.run(at, &program, case, true);
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

    /// What the case would come to, where one that is the same was run before.
    fn of_twin(&self, track: &Track, case: usize) -> Option<CaseFinished> {
        let twins = self.twins.get(&track.entry)?;
        let cases = &self.plan.entries[track.entry].cases;
        let known = (0..cases.len()).find_map(|other| {
            let result = track.results[other]
                .as_ref()
                .filter(|_| twins[other] == twins[case])?;
            // Points are told as the case's own.
            let points_fit = result.score.is_none() || cases[other].score == cases[case].score;
            points_fit.then_some(result)
        })?;
        Some(CaseFinished {
            case: cases[case].name.clone(),
            ..known.clone()
        })
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
                    let data = &self.plan.entries[track.entry].package.data;
                    let behind = moot::behind(data, &result.case);
                    track.moot.extend(behind.into_iter().map(str::to_owned));
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
        let (results, moot) = {
            let state = self.lock();
            let track = &state.tracks[index];
            (track.results.clone(), track.moot.clone())
        };
        let graded = runner.grade(at, &outcomes(&results, &moot));
        let mut state = self.lock();
        let track = &mut state.tracks[index];
        if graded.is_none() {
            state.interrupted = true;
            return;
        }
        track.graded = graded;
        if !track.put_off.is_empty() && !self.told(track).as_expected {
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
            let told = self.told(&state.tracks[state.next_told]);
            state.next_told += 1;
            state.summary.submissions += 1;
            state.summary.as_expected &= told.as_expected;
            state.summary.judge_error |= told.verdict == Some(Verdict::JudgeError);
            (self.tell)(Event::SubmissionFinished(told));
        }
    }

    fn told(&self, track: &Track) -> SubmissionFinished {
        let entry = &self.plan.entries[track.entry];
        let submission = &entry.submissions[track.submission].submission;
        let results = || track.results.iter().flatten();
        let outcomes = outcomes(&track.results, &track.moot);
        let mut message = None;
        let (verdict, score) = match (&track.program, &track.graded) {
            (Some(Prepared::CompileError(_)), _) => (Some(Verdict::CompileError), None),
            (Some(Prepared::Skipped(_)), _) => (None, None),
            (_, Some(graded)) => {
                message.clone_from(&graded.trouble);
                (Some(graded.verdict), graded.score)
            }
            _ => (Some(Verdict::JudgeError), None),
        };
        let as_expected = verdict
            .is_none_or(|verdict| outcome::meets(&submission.rules, &outcomes, verdict, score));
        SubmissionFinished {
            package: entry.package.id.clone(),
            submission: submission.name.clone(),
            verdict,
            expected: outcome::expected_text(&submission.expected),
            as_expected,
            score,
            max_cpu_s: results().filter_map(|c| c.cpu_s).reduce(f64::max),
            max_memory_bytes: results().filter_map(|c| c.memory_bytes).max(),
            time_limit_s: Some(track.time_limit.as_secs_f64()),
            message,
        }
    }
}

/// Whether a program computed too long; one that waits does so alone as well.
fn is_too_slow(told: &CaseFinished) -> bool {
    let computing = |cpu: f64| told.wall_s.is_none_or(|wall| cpu > wall / 2.0);
    told.verdict == Verdict::TimeLimitExceeded && told.cpu_s.is_some_and(computing)
}

/// What is known of each case that was run. Which of the moot ones ran all the same, beside the
/// one that failed, is chance: they are left out.
fn outcomes<'a>(results: &'a [Option<CaseFinished>], moot: &HashSet<String>) -> Outcomes<'a> {
    let known = |case: &CaseFinished| CaseOutcome {
        verdict: case.verdict,
        score: case.score,
    };
    results
        .iter()
        .flatten()
        .filter(|case| !moot.contains(&case.case))
        .map(|case| (case.case.as_str(), known(case)))
        .collect()
}

#[cfg(test)]
mod tests;

//! The schedule as a pure state machine: each [`Input`] gives a [`Step`] of work to start, events
//! to report and runs to cancel.
//!
//! Submissions and cases are indices here; there is no process, clock, output or lock, so tests can
//! run any interleaving. Everything that occupies a core is [`Work`]. Work that must run alone is
//! handed out when nothing else runs, and nothing else is handed out until it ends.

use std::collections::{HashMap, VecDeque};

/// A piece of work. Submissions are indices into the selection, cases indices into the plan entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Work {
    /// Compile a submission.
    Prepare(usize),
    /// Run a case of a submission.
    Case {
        submission: usize,
        case: usize,
        /// A second run, with nothing else running.
        alone: bool,
    },
    /// Grade the results of a submission.
    Grade(usize),
}

/// An event that the state machine reacts to.
#[derive(Clone, Copy, Debug)]
pub enum Input {
    /// The workers are ready.
    Start,
    /// A submission was compiled; `ready` means that there is a program to run.
    Prepared { submission: usize, ready: bool },
    /// A run of a case ended.
    Ran {
        submission: usize,
        case: usize,
        run: Ran,
    },
    /// The results of a submission were graded.
    Graded {
        submission: usize,
        as_expected: bool,
    },
    /// This work was interrupted; no more work is started.
    Stopped(Work),
}

/// How a run of a case ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ran {
    /// It was cancelled and has no result.
    Cancelled,
    /// It has a result.
    Done(Result),
}

/// The properties of a result that matter to the schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Result {
    pub accepted: bool,
    /// The load of the machine may have decided the verdict.
    pub doubtful: bool,
    /// It exceeded the time limit by computing.
    pub too_slow: bool,
    /// The checker gave points.
    pub scored: bool,
}

/// An event to report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notice {
    /// A case begins.
    Started { submission: usize, case: usize },
    /// The result of the case is that of its last run, or that of the equal case `like`.
    Decided {
        submission: usize,
        case: usize,
        like: Option<usize>,
    },
    /// A submission and all before it are finished.
    Finished(usize),
}

/// What to do after an input.
#[derive(Default, Debug)]
pub struct Step {
    /// Work to hand out.
    pub work: Vec<Work>,
    /// Events to report, in this order.
    pub notices: Vec<Notice>,
    /// Runs to cancel, as (submission, case).
    pub cancel: Vec<(usize, usize)>,
}

/// Facts about a submission that are known before it is judged.
#[derive(Clone, Default, Debug)]
pub struct Facts {
    pub cases: usize,
    /// It was run before: only its results have to be graded.
    pub is_known: bool,
    /// It is started before others.
    pub starts_first: bool,
    /// It is expected to fail, and the cases after the failure need not run.
    pub ends_early: bool,
    /// Every case runs, whether or not it can change the verdict.
    pub thorough: bool,
    /// A time-limit failure does not contradict its expectation.
    pub may_be_slow: bool,
}

/// Settings of the schedule.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Maximum number of pieces of work at once.
    pub workers: usize,
    /// Whether a run with a doubtful result is repeated alone.
    pub repeats: bool,
    /// Whether a submission ends at its first failure.
    pub fail_fast: bool,
}

/// Relations between the cases of a submission.
pub trait Cases {
    /// The cases that can no longer change the verdict once `failed` has failed.
    fn irrelevant_after(&self, submission: usize, failed: usize) -> Vec<usize>;

    /// The cases equal to this one, each with whether it gives the same points.
    fn equal_to(
        &self,
        submission: usize,
        case: usize,
    ) -> Box<dyn Iterator<Item = (usize, bool)> + '_>;
}

/// Phase of a case.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Phase {
    Waiting,
    Running,
    /// It ran, and waits for its second run, alone.
    AwaitsRerun(Result),
    Decided(Result),
    /// It is skipped unless the submission fails its expectation without it. The result is that of
    /// a first run that was to be repeated alone.
    Postponed(Option<Result>),
    Dropped,
}

/// Progress of a submission.
struct Progress {
    facts: Facts,
    phases: Vec<Phase>,
    waiting: VecDeque<usize>,
    /// Cases that can no longer change the verdict.
    irrelevant: Vec<bool>,
    /// Number of cases that are neither decided, dropped nor postponed.
    open: usize,
    running: usize,
    failed: bool,
    /// A run alone exceeded the time limit as well.
    slow: bool,
    done: bool,
}

/// An entry of the work queue.
#[derive(Clone, Copy, Debug)]
enum Item {
    Prepare(usize),
    /// All waiting cases of a submission.
    Cases(usize),
    Grade(usize),
}

/// The state machine.
pub struct State<C> {
    rules: Rules,
    cases: C,
    progress: Vec<Progress>,
    queue: VecDeque<Item>,
    /// Cases that wait for their run alone.
    reruns: VecDeque<(usize, usize)>,
    running: usize,
    /// Whether the running work runs alone.
    alone: bool,
    /// The first submission that is not reported as finished.
    next_finished: usize,
    interrupted: bool,
}

impl<C: Cases> State<C> {
    /// The initial state: only earlier results are known.
    pub fn new(submissions: Vec<Facts>, rules: Rules, cases: C) -> Self {
        let mut unknown: Vec<usize> = (0..submissions.len())
            .filter(|&k| !submissions[k].is_known)
            .collect();
        // Slow submissions start first: at the end, the other workers would wait for one of them.
        unknown.sort_by_key(|&k| !submissions[k].starts_first);
        let known = (0..submissions.len()).filter(|&k| submissions[k].is_known);
        let queue = unknown.into_iter().map(Item::Prepare);
        State {
            queue: queue.chain(known.map(Item::Grade)).collect(),
            progress: submissions.into_iter().map(Progress::new).collect(),
            rules,
            cases,
            reruns: VecDeque::new(),
            running: 0,
            alone: false,
            next_finished: 0,
            interrupted: false,
        }
    }

    /// Processes an input.
    pub fn on(&mut self, input: Input) -> Step {
        let mut step = Step::default();
        match input {
            Input::Start => {}
            Input::Prepared { submission, ready } => {
                self.running -= 1;
                self.prepared(&mut step, submission, ready);
            }
            Input::Ran {
                submission,
                case,
                run,
            } => {
                let alone = self.case_ended(submission);
                self.ran(&mut step, submission, case, run, alone);
            }
            Input::Graded {
                submission,
                as_expected,
            } => {
                self.running -= 1;
                self.graded(&mut step, submission, as_expected);
            }
            Input::Stopped(work) => {
                match work {
                    Work::Case { submission, .. } => {
                        self.case_ended(submission);
                    }
                    Work::Prepare(_) | Work::Grade(_) => self.running -= 1,
                }
                self.interrupted = true;
                self.decide_by_first_runs(&mut step);
                if let Work::Case {
                    submission,
                    case,
                    alone: true,
                } = work
                {
                    self.decide_by_first_run(&mut step, submission, case);
                }
            }
        }
        self.hand_out(&mut step);
        step
    }

    /// Whether no more work will be handed out.
    pub fn is_over(&self) -> bool {
        self.interrupted || self.running == 0
    }

    /// Starts no more work; used when a worker panics.
    pub fn give_up(&mut self) {
        self.interrupted = true;
    }

    /// Whether judging was interrupted.
    pub fn is_interrupted(&self) -> bool {
        self.interrupted
    }

    /// Whether every case of the submission runs, irrelevant or not.
    pub fn is_thorough(&self, submission: usize) -> bool {
        self.progress[submission].facts.thorough
    }

    /// Per case of the submission: whether it can no longer change the verdict.
    pub fn irrelevant(&self, submission: usize) -> &[bool] {
        &self.progress[submission].irrelevant
    }

    /// Whether the submission is finished.
    pub fn is_done(&self, submission: usize) -> bool {
        self.progress[submission].done
    }

    /// Removes a run of a case from the running work; returns whether it ran alone.
    fn case_ended(&mut self, submission: usize) -> bool {
        self.running -= 1;
        self.progress[submission].running -= 1;
        std::mem::take(&mut self.alone)
    }

    fn prepared(&mut self, step: &mut Step, submission: usize, ready: bool) {
        let progress = &mut self.progress[submission];
        if !ready {
            progress.open = 0;
            self.finish(step, submission);
            return;
        }
        progress.waiting = (0..progress.phases.len()).collect();
        // Cases precede waiting compilations, so that submissions finish in order.
        self.queue.push_front(match progress.open {
            0 => Item::Grade(submission),
            _ => Item::Cases(submission),
        });
    }

    fn ran(&mut self, step: &mut Step, submission: usize, case: usize, run: Ran, alone: bool) {
        let progress = &mut self.progress[submission];
        let result = match run {
            Ran::Cancelled => return self.postpone(submission, case, None),
            Ran::Done(result) => result,
        };
        if alone {
            progress.slow |= result.too_slow;
        }
        let surprises = result.too_slow && !progress.slow && !progress.facts.may_be_slow;
        let in_doubt = self.rules.repeats && !alone && (result.doubtful || surprises);
        if !in_doubt || self.interrupted {
            self.decide(step, submission, case, result, None);
        } else if progress.irrelevant[case] {
            self.postpone(submission, case, Some(result));
        } else {
            progress.phases[case] = Phase::AwaitsRerun(result);
            self.reruns.push_back((submission, case));
        }
    }

    fn graded(&mut self, step: &mut Step, submission: usize, as_expected: bool) {
        let progress = &mut self.progress[submission];
        let later: Vec<usize> = (0..progress.phases.len())
            .filter(|&case| matches!(progress.phases[case], Phase::Postponed(_)))
            .collect();
        let ends = self.rules.fail_fast && progress.failed;
        if as_expected || ends || later.is_empty() {
            self.finish(step, submission);
            return;
        }
        // The expectation is not met: all cases help to find out why.
        progress.facts.thorough = true;
        progress.irrelevant.fill(false);
        progress.open = later.len();
        for case in later {
            progress.phases[case] = match progress.phases[case] {
                // It ran before it was postponed: only the run alone is missing.
                Phase::Postponed(Some(first)) => {
                    self.reruns.push_back((submission, case));
                    Phase::AwaitsRerun(first)
                }
                _ => {
                    progress.waiting.push_back(case);
                    Phase::Waiting
                }
            };
        }
        self.queue.push_front(Item::Cases(submission));
        if self.interrupted {
            self.decide_by_first_runs(step);
        }
    }

    /// Marks a submission as done and reports all submissions that are done in order.
    fn finish(&mut self, step: &mut Step, submission: usize) {
        self.progress[submission].done = true;
        while self.next_finished < self.progress.len() && self.progress[self.next_finished].done {
            step.notices.push(Notice::Finished(self.next_finished));
            self.next_finished += 1;
        }
    }

    /// Decides a case and applies the consequences for the other cases.
    fn decide(
        &mut self,
        step: &mut Step,
        submission: usize,
        case: usize,
        result: Result,
        like: Option<usize>,
    ) {
        step.notices.push(Notice::Decided {
            submission,
            case,
            like,
        });
        let progress = &mut self.progress[submission];
        progress.phases[case] = Phase::Decided(result);
        if !result.accepted {
            progress.failed = true;
            if self.rules.fail_fast {
                for case in std::mem::take(&mut progress.waiting) {
                    progress.phases[case] = Phase::Dropped;
                    progress.open -= 1;
                }
            }
            if !progress.facts.thorough {
                let behind = self.cases.irrelevant_after(submission, case);
                self.mark_irrelevant(step, submission, &behind);
            }
        }
        self.close(submission);
    }

    /// Marks cases that can no longer change the verdict: postpones waiting ones and cancels
    /// running ones.
    fn mark_irrelevant(&mut self, step: &mut Step, submission: usize, behind: &[usize]) {
        let progress = &mut self.progress[submission];
        for &case in behind {
            progress.irrelevant[case] = true;
            match progress.phases[case] {
                Phase::Running => step.cancel.push((submission, case)),
                Phase::Waiting => {
                    progress.phases[case] = Phase::Postponed(None);
                    progress.open -= 1;
                }
                Phase::AwaitsRerun(first) => {
                    progress.phases[case] = Phase::Postponed(Some(first));
                    progress.open -= 1;
                }
                Phase::Decided(_) | Phase::Postponed(_) | Phase::Dropped => {}
            }
        }
        let phases = &progress.phases;
        progress
            .waiting
            .retain(|&case| phases[case] == Phase::Waiting);
    }

    fn postpone(&mut self, submission: usize, case: usize, first: Option<Result>) {
        self.progress[submission].phases[case] = Phase::Postponed(first);
        self.close(submission);
    }

    /// Closes a case; after the last one, the submission is graded.
    fn close(&mut self, submission: usize) {
        let progress = &mut self.progress[submission];
        progress.open -= 1;
        if progress.open == 0 {
            self.queue.push_front(Item::Grade(submission));
        }
    }

    /// After an interrupt, the first run decides the cases that wait for a second one.
    fn decide_by_first_runs(&mut self, step: &mut Step) {
        while let Some((submission, case)) = self.reruns.pop_front() {
            self.decide_by_first_run(step, submission, case);
        }
    }

    fn decide_by_first_run(&mut self, step: &mut Step, submission: usize, case: usize) {
        if let Phase::AwaitsRerun(result) = self.progress[submission].phases[case] {
            self.decide(step, submission, case, result, None);
        }
    }

    /// Hands out work to idle workers.
    fn hand_out(&mut self, step: &mut Step) {
        while !self.interrupted && !self.alone && self.running < self.rules.workers {
            if let Some((submission, case)) = self.next_rerun(step) {
                if self.running > 0 {
                    // Waits until the running work ends; nothing is started meanwhile.
                    return;
                }
                self.reruns.pop_front();
                self.alone = true;
                self.begin(step, submission, case);
                continue;
            }
            match self.take(step) {
                Some(Work::Case {
                    submission, case, ..
                }) => self.begin(step, submission, case),
                Some(work) => {
                    self.running += 1;
                    step.work.push(work);
                }
                None => return,
            }
        }
    }

    fn begin(&mut self, step: &mut Step, submission: usize, case: usize) {
        self.running += 1;
        self.progress[submission].running += 1;
        step.work.push(Work::Case {
            submission,
            case,
            alone: self.alone,
        });
    }

    /// Returns the first case to run alone. After a submission exceeded the limit alone, further
    /// time-limit failures are expected and not repeated.
    fn next_rerun(&mut self, step: &mut Step) -> Option<(usize, usize)> {
        while let Some(&(submission, case)) = self.reruns.front() {
            match self.progress[submission].phases[case] {
                Phase::AwaitsRerun(result)
                    if self.progress[submission].slow && !result.doubtful =>
                {
                    self.reruns.pop_front();
                    self.decide_by_first_run(step, submission, case);
                }
                Phase::AwaitsRerun(_) => return Some((submission, case)),
                _ => {
                    self.reruns.pop_front();
                }
            }
        }
        None
    }

    /// Takes the next piece of work. A submission that is expected to fail runs one case at a time
    /// while there is other work: a failure makes the following cases unnecessary.
    fn take(&mut self, step: &mut Step) -> Option<Work> {
        loop {
            let needless = |item: &Item| {
                matches!(item, Item::Cases(k)
                    if self.progress[*k].facts.ends_early && self.progress[*k].running > 0)
            };
            let at = self.queue.iter().position(|item| !needless(item));
            let at = at.unwrap_or(0);
            let submission = match *self.queue.get(at)? {
                Item::Prepare(submission) => {
                    self.queue.remove(at);
                    return Some(Work::Prepare(submission));
                }
                Item::Grade(submission) => {
                    self.queue.remove(at);
                    return Some(Work::Grade(submission));
                }
                Item::Cases(submission) => submission,
            };
            let Some(case) = self.progress[submission].waiting.pop_front() else {
                self.queue.remove(at);
                continue;
            };
            if let Some((like, result)) = self.result_of_equal(submission, case) {
                self.decide(step, submission, case, result, Some(like));
                continue;
            }
            self.progress[submission].phases[case] = Phase::Running;
            step.notices.push(Notice::Started { submission, case });
            return Some(Work::Case {
                submission,
                case,
                alone: false,
            });
        }
    }

    /// The result of an equal case that was decided before.
    fn result_of_equal(&self, submission: usize, case: usize) -> Option<(usize, Result)> {
        let progress = &self.progress[submission];
        let mut equal = self.cases.equal_to(submission, case);
        equal.find_map(|(other, same_points)| match progress.phases[other] {
            // Points are reported per case, so both cases must give the same.
            Phase::Decided(result) if same_points || !result.scored => Some((other, result)),
            _ => None,
        })
    }
}

impl Progress {
    fn new(facts: Facts) -> Self {
        Progress {
            phases: vec![Phase::Waiting; facts.cases],
            waiting: VecDeque::new(),
            irrelevant: vec![false; facts.cases],
            open: facts.cases,
            running: 0,
            failed: false,
            slow: false,
            done: false,
            facts,
        }
    }
}

/// Groups of equal cases; most cases are in none.
#[derive(Default)]
pub struct EqualCases {
    groups: HashMap<usize, Vec<usize>>,
    of: Vec<usize>,
}

impl EqualCases {
    /// Builds the groups from the index of the first equal case of each case.
    pub fn new(first: Vec<usize>) -> Self {
        let mut groups: HashMap<usize, Vec<usize>> = HashMap::new();
        for (case, &first) in first.iter().enumerate() {
            groups.entry(first).or_default().push(case);
        }
        groups.retain(|_, cases| cases.len() > 1);
        EqualCases { groups, of: first }
    }

    /// The other cases equal to this one.
    pub fn others(&self, case: usize) -> impl Iterator<Item = usize> {
        let group = self.of.get(case).and_then(|first| self.groups.get(first));
        let cases = group.map_or(&[][..], Vec::as_slice).iter().copied();
        cases.filter(move |&other| other != case)
    }
}

#[cfg(test)]
mod tests;

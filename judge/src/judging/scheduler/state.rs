//! The schedule as a pure state machine: what happened goes in, what to do and what to report come
//! out.
//!
//! Submissions and cases are indices here; there is no process, no clock, no output and no lock, so
//! that every interleaving can be tested. A piece of work that must run alone is handed out when
//! nothing else runs, and nothing is handed out beside it: whatever occupies a core is [`Work`].

use std::collections::{HashMap, VecDeque};

/// A piece of work; submissions by their place in the selection, cases by that in the entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Work {
    /// Compile a submission.
    Prepare(usize),
    /// Run a case of a submission.
    Case {
        submission: usize,
        case: usize,
        /// Again, and nothing else runs meanwhile.
        alone: bool,
    },
    /// Join the results of a submission.
    Grade(usize),
}

/// What happened.
#[derive(Clone, Copy, Debug)]
pub enum Input {
    /// The workers are there.
    Start,
    /// A submission was compiled; `ready`: there is a program to run.
    Prepared { submission: usize, ready: bool },
    /// A case was run.
    Ran {
        submission: usize,
        case: usize,
        run: Ran,
    },
    /// The results of a submission were joined.
    Graded {
        submission: usize,
        as_expected: bool,
    },
    /// This work was interrupted: nothing more is begun.
    Stopped(Work),
}

/// What a run of a case came to, as far as it matters here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ran {
    /// It was ended on request, and shows nothing.
    Cancelled,
    /// It has a result.
    Done(Result),
}

/// What the schedule looks at in a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Result {
    pub accepted: bool,
    /// The load of the machine may have decided.
    pub doubtful: bool,
    /// It computed too long.
    pub too_slow: bool,
    /// The checker gave points.
    pub scored: bool,
}

/// Something to report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notice {
    /// A case begins.
    Started { submission: usize, case: usize },
    /// The last run of a case is its result; or that of the case `like`, which is the same.
    Decided {
        submission: usize,
        case: usize,
        like: Option<usize>,
    },
    /// A submission came to its end, and all before it.
    Finished(usize),
}

/// What to do now.
#[derive(Default, Debug)]
pub struct Step {
    /// Work for workers that are free.
    pub work: Vec<Work>,
    /// What to report, in this order.
    pub notices: Vec<Notice>,
    /// Runs of cases (submission, case) to end.
    pub cancel: Vec<(usize, usize)>,
}

/// What is known of a submission before it is judged.
#[derive(Clone, Default, Debug)]
pub struct Facts {
    pub cases: usize,
    /// It was run before: only its results are to be joined.
    pub is_known: bool,
    /// It begins before others.
    pub starts_first: bool,
    /// It is expected to fail, and what comes behind the failure need not run.
    pub ends_early: bool,
    /// Every case runs, whether or not it can change the verdict.
    pub thorough: bool,
    /// Nobody is surprised when it is too slow.
    pub may_be_slow: bool,
}

/// How to judge.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// How many pieces of work run at once.
    pub workers: usize,
    /// Whether a run whose result is in doubt is repeated alone.
    pub repeats: bool,
    /// Whether a submission ends at its first failure.
    pub fail_fast: bool,
}

/// What the state machine asks about the cases of a submission.
pub trait Cases {
    /// The cases that cannot change the verdict any more once this one has failed.
    fn irrelevant_after(&self, submission: usize, failed: usize) -> Vec<usize>;

    /// The cases that ask the same as this one, each with whether it gives the same points.
    fn equal_to(
        &self,
        submission: usize,
        case: usize,
    ) -> Box<dyn Iterator<Item = (usize, bool)> + '_>;
}

/// Where a case stands.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Phase {
    Waiting,
    Running,
    /// It was run, and waits to be run alone.
    AwaitsRerun(Result),
    Decided(Result),
    /// It is left out, or comes later if the submission is not as expected without it. The result
    /// is that of a run that was to be repeated alone.
    Postponed(Option<Result>),
    Dropped,
}

/// A submission while it is judged.
struct Progress {
    facts: Facts,
    phases: Vec<Phase>,
    waiting: VecDeque<usize>,
    /// Cases that cannot change the verdict any more.
    irrelevant: Vec<bool>,
    /// Cases not yet decided, dropped or put off.
    open: usize,
    running: usize,
    failed: bool,
    /// It was too slow alone as well.
    slow: bool,
    done: bool,
}

/// What waits for a worker.
#[derive(Clone, Copy, Debug)]
enum Item {
    Prepare(usize),
    /// All waiting cases of a submission.
    Cases(usize),
    Grade(usize),
}

/// All that is known.
pub struct State<C> {
    rules: Rules,
    cases: C,
    progress: Vec<Progress>,
    queue: VecDeque<Item>,
    /// Cases to be run alone.
    reruns: VecDeque<(usize, usize)>,
    running: usize,
    /// Whether what runs must be alone.
    alone: bool,
    /// The first submission that is not yet reported as finished.
    next_finished: usize,
    interrupted: bool,
}

impl<C: Cases> State<C> {
    /// At the start nothing is known but what was run before.
    pub fn new(submissions: Vec<Facts>, rules: Rules, cases: C) -> Self {
        let mut unknown: Vec<usize> = (0..submissions.len())
            .filter(|&k| !submissions[k].is_known)
            .collect();
        // At the end one worker that is busy with a slow submission would have the others wait.
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

    /// Takes note of what happened.
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

    /// Whether no more work will come.
    pub fn is_over(&self) -> bool {
        self.interrupted || self.running == 0
    }

    /// Nothing more is begun.
    pub fn give_up(&mut self) {
        self.interrupted = true;
    }

    /// Whether judging was interrupted.
    pub fn is_interrupted(&self) -> bool {
        self.interrupted
    }

    /// Whether every case of the submission runs, moot or not.
    pub fn is_thorough(&self, submission: usize) -> bool {
        self.progress[submission].facts.thorough
    }

    /// Whether each case of the submission can no longer change its verdict.
    pub fn irrelevant(&self, submission: usize) -> &[bool] {
        &self.progress[submission].irrelevant
    }

    /// Whether the submission came to its end.
    pub fn is_done(&self, submission: usize) -> bool {
        self.progress[submission].done
    }

    /// A run of a case ended; gives whether it was alone.
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
        // Cases go before the compilations still waiting: submissions end in order.
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
        // All cases help to find out why.
        progress.facts.thorough = true;
        progress.irrelevant.fill(false);
        progress.open = later.len();
        for case in later {
            progress.phases[case] = match progress.phases[case] {
                // It was run before it was put off: only the run alone is missing.
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

    /// Marks a submission as done and reports every one whose turn it is.
    fn finish(&mut self, step: &mut Step, submission: usize) {
        self.progress[submission].done = true;
        while self.next_finished < self.progress.len() && self.progress[self.next_finished].done {
            step.notices.push(Notice::Finished(self.next_finished));
            self.next_finished += 1;
        }
    }

    /// Gives a case its result, and draws the consequences for the others.
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

    /// Notes that these cases cannot change the verdict any more.
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

    /// A case is no longer open; behind the last one, the results are joined.
    fn close(&mut self, submission: usize) {
        let progress = &mut self.progress[submission];
        progress.open -= 1;
        if progress.open == 0 {
            self.queue.push_front(Item::Grade(submission));
        }
    }

    /// What is in doubt after an interrupt has its first result.
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

    /// Gives work to the workers that are free.
    fn hand_out(&mut self, step: &mut Step) {
        while !self.interrupted && !self.alone && self.running < self.rules.workers {
            if let Some((submission, case)) = self.next_rerun(step) {
                if self.running > 0 {
                    // What runs ends first, and nothing begins meanwhile.
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

    /// The first case that is to be run alone. Once a submission was too slow alone, another case
    /// that is too slow surprises nobody.
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

    /// The next piece of work. Behind a case of a submission that is expected to fail, the next
    /// ones may prove to be needless: others go first.
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

    /// A case that is the same and was run before, with its result.
    fn result_of_equal(&self, submission: usize, case: usize) -> Option<(usize, Result)> {
        let progress = &self.progress[submission];
        let mut equal = self.cases.equal_to(submission, case);
        equal.find_map(|(other, same_points)| match progress.phases[other] {
            // Points are reported as the case's own.
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

/// The cases that are the same, by their groups; most are in none.
#[derive(Default)]
pub struct EqualCases {
    groups: HashMap<usize, Vec<usize>>,
    of: Vec<usize>,
}

impl EqualCases {
    /// From the first case that is the same as each.
    pub fn new(first: Vec<usize>) -> Self {
        let mut groups: HashMap<usize, Vec<usize>> = HashMap::new();
        for (case, &first) in first.iter().enumerate() {
            groups.entry(first).or_default().push(case);
        }
        groups.retain(|_, cases| cases.len() > 1);
        EqualCases { groups, of: first }
    }

    /// The others that are the same as this one.
    pub fn others(&self, case: usize) -> impl Iterator<Item = usize> {
        let group = self.of.get(case).and_then(|first| self.groups.get(first));
        let cases = group.map_or(&[][..], Vec::as_slice).iter().copied();
        cases.filter(move |&other| other != case)
    }
}

#[cfg(test)]
mod tests;

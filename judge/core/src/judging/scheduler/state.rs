//! The schedule as a pure state machine: each [`Input`] gives a [`Step`] of work to start, events
//! to report and runs to cancel.
//!
//! Submissions and cases are indices here; there is no process, clock, output or lock, so tests can
//! run any interleaving. Everything that occupies a core is [`Work`]. Work that must run alone is
//! handed out when nothing else runs, and nothing else is handed out until it ends.

use super::protocol::{
    CaseAt, CaseDecision, Cases, Facts, Input, Notice, Phase, Progress, Rules, Step, Work,
};
use std::collections::VecDeque;

/// An entry of the work queue.
#[derive(Clone, Copy, Debug)]
enum Item {
    Prepare(usize),
    /// All waiting cases of a submission.
    Cases(usize),
    Grade(usize),
}

pub struct StateMachine<C> {
    rules: Rules,
    cases: C,
    pub progress: Vec<Progress>,
    queue: VecDeque<Item>,
    /// Cases that wait for their run alone.
    reruns: VecDeque<CaseAt>,
    running: Vec<Work>,
    /// The first submission that is not reported as finished.
    next_finished: usize,
    /// No more work is started.
    pub interrupted: bool,
}

impl<C: Cases> StateMachine<C> {
    /// The initial state: only earlier results are known.
    pub fn new(submissions: Vec<Facts>, rules: Rules, cases: C) -> Self {
        let mut unknown: Vec<usize> = (0..submissions.len())
            .filter(|&k| !submissions[k].is_known)
            .collect();
        // Slow submissions start first: at the end, the other workers would wait for one of them.
        unknown.sort_by_key(|&k| !submissions[k].starts_first);
        let known = (0..submissions.len()).filter(|&k| submissions[k].is_known);
        let queue = unknown.into_iter().map(Item::Prepare);
        StateMachine {
            queue: queue.chain(known.map(Item::Grade)).collect(),
            progress: submissions.into_iter().map(Progress::new).collect(),
            rules,
            cases,
            reruns: VecDeque::new(),
            running: Vec::new(),
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
                self.ended(|work| work == Work::Prepare(submission));
                self.prepared(&mut step, submission, ready);
            }
            Input::Ran(at, run) => {
                let alone =
                    self.ended(|work| matches!(work, Work::Case { at: own, .. } if own == at));
                self.ran(&mut step, at, run, alone);
            }
            Input::Graded {
                submission,
                as_expected,
            } => {
                self.ended(|work| work == Work::Grade(submission));
                self.graded(&mut step, submission, as_expected);
            }
            Input::Stopped(work) => {
                self.ended(|ended| ended == work);
                self.interrupted = true;
                self.decide_by_first_runs(&mut step);
                if let Work::Case { at, alone: true } = work {
                    self.decide_by_first_run(&mut step, at);
                }
            }
        }
        self.hand_out(&mut step);
        step
    }

    /// Whether no more work will be handed out.
    pub fn is_over(&self) -> bool {
        self.interrupted || self.running.is_empty()
    }

    /// Removes a piece of work from the running ones; returns whether it ran alone.
    fn ended(&mut self, is_it: impl Fn(Work) -> bool) -> bool {
        let at = self.running.iter().position(|&work| is_it(work));
        at.is_some_and(|at| self.running.swap_remove(at).runs_alone())
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

    fn ran(&mut self, step: &mut Step, at: CaseAt, run: Option<CaseDecision>, alone: bool) {
        let Some(result) = run else {
            return self.postpone(at, None);
        };
        let (submission, case) = at;
        let progress = &mut self.progress[submission];
        if alone {
            progress.slow |= result.too_slow;
        }
        let surprises = result.too_slow && !progress.slow && !progress.facts.may_be_slow;
        let comparable = self.rules.repeats && !alone && !result.undisturbed;
        let in_doubt = comparable && result.by_time && (result.doubtful || surprises);
        if !in_doubt || self.interrupted {
            self.decide(step, at, result, None);
        } else if progress.irrelevant[case] {
            self.postpone(at, Some(result));
        } else {
            progress.phases[case] = Phase::AwaitsRerun(result);
            self.reruns.push_back(at);
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
    fn decide(&mut self, step: &mut Step, at: CaseAt, result: CaseDecision, like: Option<usize>) {
        step.notices.push(Notice::Decided { at, like });
        let (submission, case) = at;
        let progress = &mut self.progress[submission];
        progress.phases[case] = Phase::Decided(result);
        if !result.accepted {
            progress.failed = true;
            if self.rules.fail_fast {
                for case in std::mem::take(&mut progress.waiting) {
                    progress.phases[case] = Phase::Dropped;
                    progress.open -= 1;
                    step.unneeded.push((submission, case));
                }
                if self.rules.elsewhere {
                    let after = case + 1..progress.phases.len();
                    let running = after.filter(|&k| progress.phases[k] == Phase::Running);
                    step.cancel.extend(running.map(|k| (submission, k)));
                }
            }
            self.bar(step, at);
            if !self.progress[submission].facts.thorough {
                let behind = self.cases.irrelevant_after(at);
                self.mark_irrelevant(step, submission, &behind);
            }
        }
        self.close(submission);
    }

    /// Drops the cases that require the failed one, directly or through others.
    fn bar(&mut self, step: &mut Step, (submission, failed): CaseAt) {
        let progress = &mut self.progress[submission];
        let mut open = vec![failed];
        while let Some(case) = open.pop() {
            let requirements = progress.facts.requirements.iter();
            let of_case = requirements.filter(|one| one.required.contains(&case));
            for dependent in of_case.flat_map(|one| one.dependents.clone()) {
                match progress.phases[dependent] {
                    Phase::Waiting => {
                        progress.open -= 1;
                        step.unneeded.push((submission, dependent));
                    }
                    Phase::Postponed(_) => {}
                    _ => continue,
                }
                progress.phases[dependent] = Phase::Dropped;
                progress.barred_by[dependent] = Some(failed);
                open.push(dependent);
            }
        }
        let phases = &progress.phases;
        progress
            .waiting
            .retain(|&case| phases[case] == Phase::Waiting);
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
                    step.unneeded.push((submission, case));
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

    fn postpone(&mut self, (submission, case): CaseAt, first: Option<CaseDecision>) {
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
        while let Some(at) = self.reruns.pop_front() {
            self.decide_by_first_run(step, at);
        }
    }

    fn decide_by_first_run(&mut self, step: &mut Step, at: CaseAt) {
        if let Phase::AwaitsRerun(result) = self.progress[at.0].phases[at.1] {
            self.decide(step, at, result, None);
        }
    }

    /// Hands out work to idle workers.
    fn hand_out(&mut self, step: &mut Step) {
        while !self.interrupted
            && self.running.len() < self.rules.workers
            && !self.running.iter().any(|work| work.runs_alone())
        {
            let work = match self.next_rerun(step) {
                // Waits until the running work ends; nothing is started meanwhile.
                Some(_) if !self.running.is_empty() => return,
                Some(at) => {
                    self.reruns.pop_front();
                    Work::Case { at, alone: true }
                }
                None => match self.take(step) {
                    Some(work) => work,
                    None => return,
                },
            };
            self.running.push(work);
            step.work.push(work);
        }
    }

    /// Returns the first case to run alone. After a submission exceeded the limit alone, further
    /// time-limit failures are expected and not repeated.
    fn next_rerun(&mut self, step: &mut Step) -> Option<CaseAt> {
        while let Some(&at) = self.reruns.front() {
            let progress = &self.progress[at.0];
            match progress.phases[at.1] {
                Phase::AwaitsRerun(result) if progress.slow && !result.doubtful => {
                    self.reruns.pop_front();
                    self.decide_by_first_run(step, at);
                }
                Phase::AwaitsRerun(_) => return Some(at),
                _ => drop(self.reruns.pop_front()),
            }
        }
        None
    }

    /// Takes the next piece of work. A submission that is expected to fail runs one case at a time
    /// while there is other work: a failure makes the following cases unnecessary.
    fn take(&mut self, step: &mut Step) -> Option<Work> {
        loop {
            let needless = |item: &Item| {
                matches!(*item, Item::Cases(k) if self.progress[k].facts.ends_early
                    && self.running.iter().any(|work| work.is_case_of(k)))
            };
            let can_run = |item: &Item| match *item {
                Item::Cases(k) => {
                    self.progress[k].waiting.is_empty() || self.progress[k].next_waiting().is_some()
                }
                Item::Prepare(_) | Item::Grade(_) => true,
            };
            let mut items = self.queue.iter();
            let at = items.position(|item| !needless(item) && can_run(item));
            let at = at.or_else(|| self.queue.iter().position(can_run))?;
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
            let progress = &mut self.progress[submission];
            let next = progress.next_waiting();
            let Some(case) = next.and_then(|place| progress.waiting.remove(place)) else {
                self.queue.remove(at);
                continue;
            };
            let at = (submission, case);
            if let Some((like, result)) = self.result_of_equal(at) {
                self.decide(step, at, result, Some(like));
                continue;
            }
            self.progress[submission].phases[case] = Phase::Running;
            step.notices.push(Notice::Started(at));
            return Some(Work::Case { at, alone: false });
        }
    }

    /// The result of an equal case that was decided before.
    fn result_of_equal(&self, at: CaseAt) -> Option<(usize, CaseDecision)> {
        let progress = &self.progress[at.0];
        let mut equal = self.cases.equal_to(at);
        equal.find_map(|(other, same_points)| match progress.phases[other] {
            // Points are reported per case, so both cases must give the same.
            Phase::Decided(result) if same_points || !result.scored => Some((other, result)),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests;

//! The work of a worker: preparing a submission, running a case, grading. Each function works without
//! the lock, then locks the state machine, feeds the result to it, and returns the lock.

use super::super::Prepared;
use super::protocol::{self, Input, Work};
use super::runner::{CaseEnd, RunMode, Runner, SubmissionRef};
use super::submission_state::{LeftOut, is_too_slow, outcomes};
use super::{CaseTask, Scheduler, Shared};
use crate::results::{Change, Compilation};
use crate::untrusted::Message;
use crate::verdict::Verdict;
use std::sync::{Arc, MutexGuard};

impl<'a> Scheduler<'a> {
    pub(super) fn prepare<R: Runner>(
        &self,
        runner: &mut R,
        index: usize,
        at: SubmissionRef<'_>,
    ) -> MutexGuard<'_, Shared<'a>> {
        let planned = at.planned();
        if planned.prepared.is_none() {
            self.events.send(Change::CompileStarted(at.key));
        }
        let Some(result) = runner.prepare(at) else {
            let mut shared = self.lock();
            self.step(&mut shared, Input::Stopped(Work::Prepare(index)));
            return shared;
        };
        let ready = matches!(result.prepared, Prepared::Ready(_));
        let message = match &result.prepared {
            // For example: another interpreter is used.
            Prepared::Ready(program) => program.note.clone(),
            other => other.program().err().map(str::to_owned),
        };
        if result.language.is_some() || message.is_some() {
            let compiled = Compilation {
                language: result.language.unwrap_or_default(),
                ok: ready,
                skipped: matches!(result.prepared, Prepared::Skipped(_)),
                wall_s: result.wall.as_secs_f64(),
                message: message.map(Message::from),
                package_hash: result.package_hash,
            };
            self.events
                .send(Change::Compiled(at.key, Arc::new(compiled)));
        }
        let mut shared = self.lock();
        let submission_state = &mut shared.submissions[index];
        submission_state.program = Some(result.prepared);
        if !ready {
            submission_state.finished = Some(submission_state.finished(&LeftOut::default(), None));
        }
        let prepared = Input::Prepared {
            submission: index,
            ready,
        };
        self.step(&mut shared, prepared);
        shared
    }

    pub(super) fn case<R: Runner>(
        &self,
        runner: &mut R,
        task: &CaseTask<'_>,
    ) -> MutexGuard<'_, Shared<'a>> {
        let (submission, case, alone) = (task.submission, task.case, task.alone);
        let how = match alone {
            true => RunMode::Alone,
            false => RunMode::Parallel(task.canceller.as_ref()),
        };
        let program = task.program.as_ref();
        let result = program.and_then(|program| runner.run(task.at, program, case, how));
        let mut shared = self.lock();
        let submission_state = &mut shared.submissions[submission];
        submission_state.cancellers.remove(&case);
        let run = match result {
            None => {
                let at = (submission, case);
                self.step(&mut shared, Input::Stopped(Work::Case { at, alone }));
                return shared;
            }
            Some(CaseEnd::Cancelled) => None,
            Some(CaseEnd::Finished {
                result,
                near_limit,
                fails_anyway,
                undisturbed,
            }) => {
                let run = protocol::CaseDecision {
                    accepted: result.is_accepted(),
                    by_time: result.verdict == Verdict::TimeLimitExceeded && !fails_anyway,
                    doubtful: near_limit,
                    too_slow: is_too_slow(&result),
                    scored: result.score.is_some(),
                    undisturbed,
                };
                submission_state.held.insert(case, result);
                Some(run)
            }
        };
        self.step(&mut shared, Input::Ran((submission, case), run));
        shared
    }

    /// Grades the results of a submission's cases. The package's grader may take long, so it runs
    /// without the lock.
    pub(super) fn grade<R: Runner>(
        &self,
        runner: &mut R,
        index: usize,
        at: SubmissionRef<'_>,
    ) -> MutexGuard<'_, Shared<'a>> {
        // No case of this submission is open, so nothing changes its results meanwhile.
        let (results, left_out) = {
            let mut shared = self.lock();
            let left_out = LeftOut::from(&shared.state.progress[index]);
            let results = std::mem::take(&mut shared.submissions[index].results);
            (results, left_out)
        };
        let cases = &at.entry().cases;
        let graded = runner.grade(at, &outcomes(cases, &results, &left_out));
        let mut shared = self.lock();
        let submission_state = &mut shared.submissions[index];
        submission_state.results = results;
        let input = match graded {
            None => Input::Stopped(Work::Grade(index)),
            Some(graded) => {
                let finished = submission_state.finished(&left_out, Some(&graded));
                let as_expected = finished.as_expected;
                submission_state.finished = Some(finished);
                Input::Graded {
                    submission: index,
                    as_expected,
                }
            }
        };
        self.step(&mut shared, input);
        shared
    }
}

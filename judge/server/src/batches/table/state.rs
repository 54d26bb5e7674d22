//! The state behind the lock: which cases are in which batch, and what events of workers change.

use super::super::lane::Lane;
use super::super::size::{self, Estimate, Times};
use super::SubmissionInRun;
use super::submission::{Case, Compilation, Phase, Submission};
use crate::work_protocol::{AttemptId, Batch, BatchAttempt};
use judge_core::judging::{PrepareResult, Prepared};
use judge_core::results::{CaseResult, Compilation as Compiled};
use judge_core::untrusted::Message;
use judge_core::verdict::Verdict;
use judge_package::CaseId;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Maximum number of batches of a case that end without its result.
pub const MAX_LOST: u8 = 3;
/// If a submission has no result this long after its compilation, the elapsed time is the estimate for
/// one case.
const UNKNOWN: Duration = Duration::from_millis(300);

/// Decay factor of the longest compilation time, applied at each new compilation.
const DECAY: f64 = 0.95;

/// The submissions and their batches.
#[derive(Default)]
pub struct Submissions {
    pub submissions: HashMap<SubmissionInRun, Submission>,
    pub batches: BTreeMap<u64, Planned>,
    /// The last number of a batch.
    pub last: u64,
    /// Ids of units to remove.
    pub dropped: Vec<String>,
    /// Times of cases, by package and language.
    pub times: Times,
    /// Seconds that the longest compilation of late took, by the code of the language.
    pub compilations: HashMap<Option<String>, f64>,
    /// Counts what may give the planner something to do.
    pub changes: u64,
    /// Judging was interrupted.
    pub interrupted: bool,
}

/// A batch with its present attempt.
pub struct Planned {
    pub key: SubmissionInRun,
    pub lane: Arc<Lane>,
    /// Places of its cases.
    pub cases: Vec<usize>,
    /// Their numbers in the package.
    pub ids: Vec<CaseId>,
    pub is_enqueued: bool,
    /// Started attempts.
    pub attempt: u64,
    pub worker: Option<String>,
    /// The version of the judge there.
    pub judge_version: Option<String>,
    pub cancel: Vec<CaseId>,
    /// Nothing of it is needed; the time of the last message about that.
    pub needless: Option<Instant>,
}

impl Submissions {
    pub fn case(&mut self, key: SubmissionInRun, case: CaseId) -> Option<&mut Case> {
        let submission = self.submissions.get_mut(&key)?;
        let place = *submission.places.get(&case)?;
        submission.cases.get_mut(place)
    }

    pub fn plan(&mut self, key: SubmissionInRun, places: Vec<usize>) {
        let Some(submission) = self.submissions.get_mut(&key) else {
            return;
        };
        self.last += 1;
        let batch = self.last;
        let mut ids = Vec::new();
        for &place in &places {
            submission.cases[place].phase = Phase::In(batch);
            ids.push(submission.cases[place].id);
        }
        let planned = Planned {
            key,
            lane: submission.lane.clone(),
            cases: places,
            ids,
            is_enqueued: false,
            attempt: 0,
            worker: None,
            judge_version: None,
            cancel: Vec::new(),
            needless: None,
        };
        self.batches.insert(batch, planned);
    }

    /// Number of seats for each submission in progress.
    fn share(&self, seats: usize) -> usize {
        seats.div_ceil(self.submissions.len().max(1))
    }

    /// Plans the first batches of a new submission: all of them if it is known what cases take.
    pub fn plan_first(&mut self, key: SubmissionInRun, seats: usize) {
        let seats = self.share(seats);
        let Some(submission) = self.submissions.get(&key) else {
            return;
        };
        let cases = submission.cases.len();
        let Batch { tree, language, .. } = &submission.work;
        let compile_s = self.compilations.get(language).copied();
        let sizes = match self.times.case_s(tree, language.as_deref()) {
            Some(case_s) if cases > 0 => {
                let compile_s = compile_s.unwrap_or(0.0);
                let estimate = Estimate {
                    case_s,
                    compile_s,
                    seats,
                };
                estimate.batches(cases)
            }
            // Without cases, too: it is to be compiled.
            _ => vec![size::of_first(cases, seats)],
        };
        let mut places = 0..cases;
        for size in sizes {
            let batch = places.by_ref().take(size).collect();
            self.plan(key, batch);
        }
    }

    /// Plans batches of a compiled submission: one for each seat while nothing is known about its cases.
    pub fn plan_wanted(&mut self, key: SubmissionInRun, seats: usize) {
        let seats = self.share(seats);
        let Some(submission) = self.submissions.get_mut(&key) else {
            return;
        };
        let Compilation::Done { at, seconds } = submission.compilation else {
            return;
        };
        let Batch { tree, language, .. } = &submission.work;
        let of_package = || self.times.case_s(tree, language.as_deref());
        let unknown = (at.elapsed() > UNKNOWN).then(|| at.elapsed().as_secs_f64());
        let case_s = submission.mean.get().or_else(of_package).or(unknown);
        let open = submission.open_cases();
        let sizes = match case_s {
            Some(case_s) => {
                submission.is_short = false;
                let estimate = Estimate {
                    case_s,
                    compile_s: seconds,
                    seats,
                };
                estimate.batches(open.len())
            }
            // The first seat has the batch with which the submission was compiled.
            None if !submission.is_tried => {
                submission.is_tried = true;
                vec![size::of_first(submission.cases.len(), seats); seats - 1]
            }
            None => return,
        };
        let mut open = open.into_iter().peekable();
        for size in sizes {
            // A batch begins with a case whose result a thread waits for. The cases after it will probably be asked for
            // soon.
            while open.next_if(|(_, is_awaited)| !is_awaited).is_some() {}
            let batch: Vec<usize> = open.by_ref().take(size).map(|(place, _)| place).collect();
            if !batch.is_empty() {
                self.plan(key, batch);
            }
        }
    }

    /// Cases of a batch are needed no longer.
    pub fn release(&mut self, batch: u64, cases: &[CaseId]) {
        let Submissions {
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
                dropped.push(planned.lane.unit_id(batch));
                batches.remove(&batch);
            }
            (false, _) => {
                planned.cancel = planned.ids.clone();
                planned.needless.get_or_insert_with(Instant::now);
            }
        }
    }

    /// Releases the cases behind one that decides.
    fn drop_needless(&mut self, key: SubmissionInRun) {
        let Some(submission) = self.submissions.get_mut(&key) else {
            return;
        };
        let Some(failure) = submission.failure else {
            return;
        };
        let mut dropped = Vec::new();
        for case in &mut submission.cases[failure + 1..] {
            case.is_needed = false;
            if let Phase::In(batch) = case.phase {
                case.phase = Phase::Open;
                dropped.push((batch, case.id));
            }
        }
        for (batch, case) in dropped {
            self.release(batch, &[case]);
        }
    }

    /// Releases the batches of submissions that are gone.
    pub fn release_orphans(&mut self) {
        let orphan = |(batch, planned): (&u64, &Planned)| {
            let is_gone = !self.submissions.contains_key(&planned.key);
            is_gone.then_some(*batch)
        };
        let orphans: Vec<u64> = self.batches.iter().filter_map(orphan).collect();
        for batch in orphans {
            self.release(batch, &[]);
        }
    }

    /// The submission of a batch was compiled.
    pub fn compiled(&mut self, batch: u64, compiled: Compiled) {
        let Some(planned) = self.batches.get(&batch) else {
            return;
        };
        let Some(submission) = self.submissions.get_mut(&planned.key) else {
            return;
        };
        let code = &submission.work.language;
        let longest = self.compilations.entry(code.clone()).or_default();
        *longest = compiled.wall_s.max(DECAY * *longest);
        let message = compiled.message.map(Message::into_raw);
        let text = || message.clone().unwrap_or_default();
        let prepared = match (compiled.ok, compiled.skipped) {
            (true, _) => Prepared::elsewhere(message),
            (false, true) => Prepared::Skipped(text()),
            (false, false) => Prepared::CompileError(text()),
        };
        submission.compiled(PrepareResult {
            prepared,
            language: Some(compiled.language),
            wall: Duration::try_from_secs_f64(compiled.wall_s).unwrap_or_default(),
            package_hash: Some(submission.work.tree.clone()),
        });
    }

    pub fn result(&mut self, batch: u64, worker: &str, case: CaseId, mut result: CaseResult) {
        let Some(planned) = self.batches.get(&batch) else {
            return;
        };
        let Some(submission) = self.submissions.get_mut(&planned.key) else {
            return;
        };
        // Nothing was compiled.
        submission.compiled(PrepareResult::without_compiler(Prepared::elsewhere(None)));
        let Some(&place) = submission.places.get(&case) else {
            tracing::error!(worker, "a result of an unknown case is refused");
            return;
        };
        if matches!(submission.cases[place].phase, Phase::Done(_)) {
            return;
        }
        if let Some(seconds) = result.wall_s.or(result.cpu_s) {
            submission.mean.add(seconds);
            let Batch { tree, language, .. } = &submission.work;
            self.times.add(tree, language.as_deref(), seconds);
        }
        result.machine = Some(worker.to_owned());
        result.judge_version.clone_from(&planned.judge_version);
        submission.finish(place, result);
        let key = planned.key;
        self.drop_needless(key);
    }

    /// A batch has no more results.
    pub fn ended(&mut self, batch: u64, worker: &str) {
        let Some(planned) = self.batches.remove(&batch) else {
            return;
        };
        self.dropped.push(planned.lane.unit_id(batch));
        let Some(submission) = self.submissions.get_mut(&planned.key) else {
            return;
        };
        submission.compiled(PrepareResult::without_compiler(Prepared::elsewhere(None)));
        let mut is_lost = false;
        for place in &planned.cases {
            let case = &mut submission.cases[*place];
            if case.is_in(batch) {
                case.lost += 1;
                is_lost |= case.lost > MAX_LOST;
                case.phase = Phase::Open;
                submission.is_short = true;
            }
        }
        if is_lost {
            let reason = format!("{worker} judged the batch without a result for this case");
            self.fail(batch, &planned, &reason);
        }
    }

    pub fn fail(&mut self, batch: u64, planned: &Planned, reason: &str) {
        let Some(submission) = self.submissions.get_mut(&planned.key) else {
            return;
        };
        let failed = Prepared::Failed(reason.to_owned());
        submission.compiled(PrepareResult::without_compiler(failed));
        let key = planned.key;
        for &place in &planned.cases {
            let case = &submission.cases[place];
            if case.is_in(batch) || matches!(case.phase, Phase::Open) {
                let finished = CaseResult {
                    message: Some(Message::from(reason)),
                    machine_failed: true,
                    ..CaseResult::new(Verdict::JudgeError)
                };
                submission.finish(place, finished);
            }
        }
        self.drop_needless(key);
    }
}

impl Planned {
    pub fn target(&self, batch: u64) -> AttemptId {
        AttemptId::Batch(BatchAttempt {
            batch,
            attempt: self.attempt,
        })
    }
}

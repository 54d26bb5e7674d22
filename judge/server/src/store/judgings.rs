//! Judgings: starting them, and recording their results by compare-and-set on the attempt.

use super::feed_change::FeedChange;
use super::query::{Queries, columns, optional_verdict, record, verdict};
use super::{
    CaseRow, Contest, JudgingId, JudgingState, RejudgingId, Result, SourceFile, Store, Submission,
    SubmissionId, TeamId, Tx, UnitId, UserId, Version, VersionId, case_results, finality, in_icpc,
    now_ms, pauses, problems, queue, refuse_if, submissions,
};
use crate::queue::Priority;
use judge_core::verdict::Verdict;
use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};

record! { |row|
    #[derive(Clone, PartialEq, Debug)]
    pub struct Judging {
        /// Its number; its id in the Contest API.
        pub id: JudgingId,
        pub submission: SubmissionId,
        pub version: VersionId,
        pub rejudging: Option<RejudgingId>,
        /// Whether its verdict counts; one judging of each submission does.
        pub valid: bool,
        pub(crate) priority: Priority,
        pub state: JudgingState,
        /// How often it was started.
        pub attempt: i64,
        /// The verdict, once it is done.
        pub verdict: Option<Verdict> = optional_verdict(row, "verdict")?,
        /// Points, for a scoring problem.
        pub score: Option<f64>,
        /// Maximum CPU seconds of a case.
        pub max_cpu_s: Option<f64>,
        /// Maximum memory of a case, in bytes.
        pub(crate) max_memory: Option<u64>,
        /// The CPU-time limit that applied, in seconds.
        pub time_limit_s: Option<f64>,
        pub compile_message: Option<String>,
        /// Why the judge failed.
        pub reason: Option<String>,
        /// The version of the judge that started the last attempt.
        pub judge_version: Option<String>,
        pub machine: Option<String>,
        pub machine_class: Option<String>,
        /// When it was created.
        pub created_ms: i64,
        /// When the last attempt started.
        pub started_ms: Option<i64>,
        /// When it was done.
        pub finished_ms: Option<i64>,
        /// The judge who verified the result.
        pub(crate) verified_by: Option<UserId>,
        pub(crate) verified_ms: Option<i64>,
        pub(crate) verification_comment: Option<String>,
    }
}

/// The input of a judging for a worker.
#[derive(Clone, Debug)]
pub struct JudgingWork {
    pub(crate) judging: JudgingId,
    pub submission: Submission,
    pub(crate) files: Vec<SourceFile>,
    pub(crate) version: Version,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Starter<'s> {
    pub machine: &'s str,
    pub machine_class: &'s str,
    pub judge: &'s str,
}

/// The answer to a worker that wants to start a judging.
#[derive(Clone, Debug)]
pub enum Started {
    /// It may start. Results have to name the attempt.
    Work {
        attempt: i64,
        /// The submission, its files and the version of the package.
        work: Box<JudgingWork>,
    },
    /// Nothing to do: the judging is done or dropped, and the delivery is a duplicate; or its judging is paused.
    Closed,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Finished {
    pub verdict: Verdict,
    /// Points, for a scoring problem.
    pub score: Option<f64>,
    /// Maximum CPU seconds of a case.
    pub max_cpu_s: Option<f64>,
    /// Maximum memory of a case, in bytes.
    pub max_memory: Option<u64>,
    /// The CPU-time limit that applied, in seconds.
    pub time_limit_s: Option<f64>,
    /// Why the judge or the grader failed.
    pub reason: Option<String>,
}

impl Finished {
    /// A verdict without figures.
    pub fn new(verdict: Verdict) -> Self {
        Finished {
            verdict,
            score: None,
            max_cpu_s: None,
            max_memory: None,
            time_limit_s: None,
            reason: None,
        }
    }
}

/// A result of a worker.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Recorded {
    /// The submission was compiled, and its cases run now; the compiler's message.
    Compiled(Option<String>),
    /// A case has its verdict.
    Case(CaseRow),
    /// The judging has its verdict.
    Finished(Finished),
}

pub(super) fn by_id(connection: &Connection, id: JudgingId) -> Result<Judging> {
    connection.numbered("judging", "SELECT * FROM judgings WHERE id = ?1", id)
}

/// The last attempt at a judging, unless its submission was deleted.
fn attempt(connection: &Connection, id: JudgingId) -> Result<Option<i64>> {
    connection.optional("SELECT attempt FROM judgings WHERE id = ?1", [id])
}

pub(super) fn submission_of(connection: &Connection, id: JudgingId) -> Result<SubmissionId> {
    connection.one("SELECT submission FROM judgings WHERE id = ?1", [id])
}

/// Adds a judging; one without a rejudging is the valid one.
pub(super) fn insert(
    tx: &Tx<'_>,
    submission: SubmissionId,
    version: VersionId,
    rejudging: Option<RejudgingId>,
    priority: Priority,
) -> Result<JudgingId> {
    let columns = columns! {
        submission: submission,
        version: version,
        rejudging: rejudging,
        valid: rejudging.is_none(),
        priority: priority,
        created_ms: now_ms(),
    };
    tx.insert("judgings", columns)
}

impl JudgingState {
    /// Whether no more results are accepted.
    pub(crate) fn is_closed(self) -> bool {
        matches!(self, JudgingState::Done | JudgingState::Dropped)
    }
}

record! { |row|
    /// The verdict of a team's submission.
    #[derive(Debug)]
    pub(crate) struct TeamVerdict {
        pub(crate) submission: SubmissionId,
        pub(crate) judging: JudgingId,
        pub(crate) verdict: Verdict = verdict(row, "verdict")?,
        /// When it was decided, in milliseconds since 1970.
        pub(crate) decided_ms: i64,
    }
}

impl Store {
    pub fn judging(&self, id: JudgingId) -> Result<Judging> {
        self.read(|connection| by_id(connection, id))
    }

    /// The verdicts of a team's submissions in contests, without those that wait for verification.
    pub(crate) fn verdicts_of(&self, team: TeamId) -> Result<Vec<TeamVerdict>> {
        self.all(
            "SELECT s.id AS submission, j.id AS judging, j.verdict, COALESCE(j.verified_ms, j.finished_ms) AS decided_ms
             FROM submissions s
             JOIN judgings j ON j.submission = s.id AND j.valid = 1
             JOIN contests ON contests.id = s.contest
             WHERE s.team = ?1 AND j.state = 'done' AND (NOT contests.verification OR j.verified_ms IS NOT NULL)",
            [team],
        )
    }

    /// The judging that counts for the submission of this one.
    pub(crate) fn judging_before(&self, id: JudgingId) -> Result<Judging> {
        self.one(
            "SELECT before.* FROM judgings before
             JOIN judgings own ON own.submission = before.submission
             WHERE own.id = ?1 AND before.valid = 1",
            [id],
        )
    }

    /// The judgings of a submission, the oldest first.
    pub fn judgings_of(&self, submission: SubmissionId) -> Result<Vec<Judging>> {
        self.all(
            "SELECT * FROM judgings WHERE submission = ?1 ORDER BY id",
            [submission],
        )
    }

    pub fn valid_judging(&self, submission: SubmissionId) -> Result<Judging> {
        self.one(
            "SELECT * FROM judgings WHERE submission = ?1 AND valid = 1",
            [submission],
        )
    }

    /// All judgings that are neither done nor dropped and have no unit in the queue.
    pub(crate) fn judgings_without_unit(&self) -> Result<Vec<Judging>> {
        self.all(
            "SELECT * FROM judgings WHERE state NOT IN ('done', 'dropped')
             AND NOT EXISTS (SELECT 1 FROM queue WHERE queue.id = 'judging-' || judgings.id) ORDER BY id",
            [],
        )
    }

    /// Starts an attempt. Discards the results of earlier attempts, and refuses their later results. Not
    /// synced to the disk: if a power failure undoes it, no result of the attempt was recorded either.
    pub fn start_judging(&self, id: JudgingId, by: &Starter<'_>) -> Result<Started> {
        self.write_soon(|tx| {
            let found = by_id(tx, id)?;
            if found.state.is_closed() {
                return Ok(Started::Closed);
            }
            if pauses::holds(tx, found.submission)? {
                // In this transaction, so that resuming finds every judging that waits without a unit.
                queue::discard(tx, &UnitId::Judging(id).to_string())?;
                return Ok(Started::Closed);
            }
            let attempt = found.attempt + 1;
            tx.run(
                "UPDATE judgings SET attempt = ?2, state = 'compiling', machine = ?3,
                 machine_class = ?4, judge_version = ?5, started_ms = ?6, compile_message = NULL
                 WHERE id = ?1",
                params![
                    id,
                    attempt,
                    by.machine,
                    by.machine_class,
                    by.judge,
                    now_ms()
                ],
            )?;
            let cases = case_results::delete(tx, id)?;
            tx.submissions.insert(found.submission);
            if !cases.is_empty() {
                tx.announce_later(FeedChange::RunsDeleted(found.submission, id, cases));
            }
            if found.valid {
                tx.announce_later(FeedChange::Judging(id));
            }
            let submission = submissions::by_id(tx, found.submission)?;
            let work = JudgingWork {
                judging: id,
                files: submissions::files(tx, submission.id)?,
                version: problems::version_by_id(tx, found.version)?,
                submission,
            };
            Ok(Started::Work {
                attempt,
                work: Box::new(work),
            })
        })
    }

    /// Records results, each with its judging and attempt, in one transaction. Returns, for each,
    /// whether it was accepted: results of an earlier attempt or a closed judging are refused, and a
    /// case that has its result keeps it.
    /// Fails when the database fails; then none is recorded.
    pub fn record(&self, results: &[(JudgingId, i64, Recorded)]) -> Result<Vec<bool>> {
        self.write(|tx| {
            let record = |(judging, attempt, result): &(JudgingId, i64, Recorded)| {
                record(tx, *judging, *attempt, result)
            };
            results.iter().map(record).collect()
        })
    }

    /// Sets the names of the machines that judge, in their present attempt, the cases of a judging.
    pub(crate) fn set_machines(&self, id: JudgingId, attempt: i64, machines: &str) -> Result<()> {
        self.write_soon(|tx| {
            tx.run(
                "UPDATE judgings SET machine = ?3 WHERE id = ?1 AND attempt = ?2",
                params![id, attempt, machines],
            )?;
            Ok(())
        })
    }

    /// Ends a judging with JE and this reason, in any attempt. Returns whether there was one that was open.
    pub fn give_up_judging(&self, id: JudgingId, reason: &str) -> Result<bool> {
        self.write(|tx| {
            let Some(attempt) = attempt(tx, id)? else {
                return Ok(false);
            };
            let finished = Finished {
                reason: Some(reason.to_owned()),
                ..Finished::new(Verdict::JudgeError)
            };
            record(tx, id, attempt, &Recorded::Finished(finished))
        })
    }

    /// Opens a judging that ended with JE again, so that it can be enqueued.
    /// Fails when it has another verdict, or none; when the results of its contest are final.
    pub fn reopen_judging(&self, id: JudgingId) -> Result<Judging> {
        self.write(|tx| {
            let submission = submissions::by_id(tx, by_id(tx, id)?.submission)?;
            finality::must_not_change(tx, submission.contest, submission.team)?;
            let changed = tx.run(
                "UPDATE judgings SET state = 'queued', verdict = NULL, reason = NULL,
                 finished_ms = NULL, verified_by = NULL, verified_ms = NULL, verification_comment = NULL
                 WHERE id = ?1 AND state = 'done' AND verdict = 'JE'",
                [id],
            )?;
            let found = by_id(tx, id)?;
            let why = "only a judging that ended with JE is judged again; others need a rejudging";
            refuse_if(changed == 0, why)?;
            tx.submissions.insert(found.submission);
            if found.valid {
                tx.announce_later(FeedChange::Judging(id));
            }
            Ok(found)
        })
    }
}

/// The verdict that a submission gets in its contest.
pub(super) fn in_contest(
    connection: &Connection,
    submission: SubmissionId,
    verdict: Verdict,
) -> Result<Verdict> {
    let of_icpc = in_icpc(verdict);
    if of_icpc == verdict {
        return Ok(verdict);
    }
    let contest: Option<Contest> = connection.optional(
        "SELECT c.* FROM contests c JOIN submissions s ON s.contest = c.id WHERE s.id = ?1",
        [submission],
    )?;
    let has = contest.is_some_and(|own| own.has_icpc_verdicts());
    Ok(if has { of_icpc } else { verdict })
}

fn record(tx: &mut Tx<'_>, id: JudgingId, attempt: i64, result: &Recorded) -> Result<bool> {
    let found: Option<Judging> = tx.optional("SELECT * FROM judgings WHERE id = ?1", [id])?;
    // A deleted submission has no judging.
    let open = found.filter(|found| !found.state.is_closed() && found.attempt == attempt);
    let Some(found) = open else {
        return Ok(false);
    };
    let verdict = |own| in_contest(tx, found.submission, own);
    match result {
        Recorded::Compiled(message) => {
            tx.run(
                "UPDATE judgings SET state = 'running', compile_message = ?2 WHERE id = ?1",
                params![id, message],
            )?;
        }
        Recorded::Case(case) => {
            let case = &CaseRow {
                verdict: verdict(case.verdict)?,
                ..case.clone()
            };
            if !case_results::insert(tx, id, attempt, case)? {
                return Ok(false);
            }
            if found.valid {
                tx.announce_later(FeedChange::Run(id, case.case));
            }
        }
        Recorded::Finished(finished) => {
            tx.run(
                "UPDATE judgings SET state = 'done', verdict = ?2, score = ?3, max_cpu_s = ?4,
                 max_memory = ?5, time_limit_s = ?6, reason = ?7, finished_ms = ?8 WHERE id = ?1",
                params![
                    id,
                    verdict(finished.verdict)?.code(),
                    finished.score,
                    finished.max_cpu_s,
                    finished.max_memory,
                    finished.time_limit_s,
                    finished.reason,
                    now_ms()
                ],
            )?;
            if found.valid {
                tx.announce_later(FeedChange::Judging(id));
            }
            // Until now another worker could get the unit if the results were lost.
            queue::discard(tx, &UnitId::Judging(id).to_string())?;
        }
    }
    tx.submissions.insert(found.submission);
    Ok(true)
}

//! A contest as it is stored: its settings, and the phases that follow from its clock.

use super::query::{Queries, json_column, record};
use super::{ContestId, Error, Feedback, ProblemId, Result, Scoring};
use crate::zone;
use chrono_tz::Tz;
use judge_core::verdict::Verdict;
use rusqlite::Connection;
use std::ops::RangeInclusive;

record! { |row|
    #[derive(Clone, PartialEq, Eq, Debug, Default)]
    pub struct Contest {
        /// Its number; ignored when it is put.
        pub id: ContestId,
        /// Its id in the Contest API.
        pub ext: String,
        pub name: String,
        pub formal_name: Option<String>,
        /// The start, if set.
        pub start_ms: Option<i64>,
        /// The time that the paused countdown shows while the start is not set.
        pub countdown_pause_ms: Option<i64>,
        pub duration_ms: i64,
        /// The scoreboard is frozen for this time before the end.
        pub freeze_ms: Option<i64>,
        /// When the frozen results were shown.
        pub thawed_ms: Option<i64>,
        /// When the results became final.
        pub finalized_ms: Option<i64>,
        /// When the last change was made.
        pub end_of_updates_ms: Option<i64>,
        /// By problems solved or by points.
        pub scoring: Scoring,
        /// The penalty of a wrong submission.
        pub penalty_ms: i64,
        /// Visible to users without a team in it.
        pub public: bool,
        /// The feedback that teams get about their results while it runs; `None`: the default for its scoring.
        pub feedback: Option<Feedback>,
        /// The time zone in which its organisers write times, by its name in the IANA database; `None`: UTC.
        pub zone: Option<String>,
        /// Intervals of time that do not count.
        pub removed_time: RemovedTime,
        /// Bronze medals in addition to four.
        pub more_bronze: i64,
        /// Categories of clarifications besides the problems.
        pub clarification_categories: Texts,
        /// Answers of the jury to choose from; `None`: the usual ones.
        pub prepared_answers: Option<Texts>,
        /// Codes of the languages that teams may use; `None`: all of the server.
        pub languages: Option<Texts>,
        /// Teams and spectators see a result when a judge has verified it.
        pub verification: bool,
        /// Submissions get the verdicts of the ICPC only, if it is ranked by problems: see `in_icpc`.
        pub icpc_verdicts: bool,
    }
}

/// The verdict that the ICPC has in place of another one: it counts exceeded memory as a crash, other wrong output as a wrong answer.
pub(crate) fn in_icpc(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::MemoryLimitExceeded => Verdict::RunTimeError,
        Verdict::OutputLimitExceeded | Verdict::PresentationError | Verdict::PartiallyAccepted => {
            Verdict::WrongAnswer
        }
        other => other,
    }
}

/// Times at which a contest may start: from the year 1970 to the year 2899.
const STARTS: RangeInclusive<i64> = 0..=29_347_919_999_999;

/// Maximum length of a contest: a hundred years.
const MAX_LENGTH_MS: i64 = 100 * 366 * 86_400_000;

pub(super) fn by_id(connection: &Connection, id: ContestId) -> Result<Contest> {
    connection.numbered("contest", "SELECT * FROM contests WHERE id = ?1", id)
}

/// Texts in an order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Texts(pub Vec<String>);

/// Intervals of time, each from its beginning to its end in milliseconds since 1970, in order and without overlaps.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RemovedTime(pub Vec<(i64, i64)>);

json_column!(RemovedTime, Texts);

impl RemovedTime {
    /// Adds an interval.
    /// Returns false, and adds nothing, if it is empty or overlaps another one.
    #[must_use]
    pub(crate) fn add(&mut self, from_ms: i64, until_ms: i64) -> bool {
        let overlaps = |(from, until): &(i64, i64)| from_ms < *until && *from < until_ms;
        if from_ms >= until_ms || self.0.iter().any(overlaps) {
            return false;
        }
        self.0.push((from_ms, until_ms));
        self.0.sort_unstable();
        true
    }
}

impl Contest {
    /// Fails when a figure of the clock is out of range, such as by a year with two digits.
    pub(super) fn check_clock(&self) -> Result<()> {
        let frozen = self.freeze_ms.unwrap_or(0);
        let pause = self.countdown_pause_ms.unwrap_or(0);
        let why = match self {
            _ if self.duration_ms <= 0 || !(0..=self.duration_ms).contains(&frozen) => {
                "a contest takes longer than 0 and is frozen for no longer than it takes"
            }
            _ if self.duration_ms > MAX_LENGTH_MS || pause > MAX_LENGTH_MS => {
                "a contest takes at most 100 years; check its length"
            }
            _ if !self.start_ms.is_none_or(|start| STARTS.contains(&start)) => {
                "a contest starts between the years 1970 and 2899; check the year of its start"
            }
            _ => return Ok(()),
        };
        Err(Error::Invalid(why.to_owned()))
    }

    /// Whether its submissions get the verdicts of the ICPC only.
    pub(crate) fn has_icpc_verdicts(&self) -> bool {
        self.icpc_verdicts && self.scoring == Scoring::Icpc
    }

    /// The end, if the start is set.
    pub(crate) fn end_ms(&self) -> Option<i64> {
        self.moment(self.duration_ms)
    }

    /// The point in time at which this contest time is reached, which removed intervals before it delay.
    fn moment(&self, contest_time: i64) -> Option<i64> {
        let start = self.start_ms?;
        let mut moment = start + contest_time;
        for (from, until) in &self.removed_time.0 {
            let from = (*from).max(start);
            if from < moment && from < *until {
                moment += until - from;
            }
        }
        Some(moment)
    }

    /// The contest time of a point in time: the time since the start without removed intervals; negative before the start.
    pub(crate) fn contest_time_at(&self, time_ms: i64) -> Option<i64> {
        let start = self.start_ms?;
        let removed = self.removed_time.0.iter();
        let removed =
            removed.map(|(from, until)| (time_ms.min(*until) - (*from).max(start)).max(0));
        Some(time_ms - start - removed.sum::<i64>())
    }

    /// Returns the contest without the marks (thawed, finalized, end of updates) that are older than its end.
    /// They are left from an earlier run, such as a rehearsal.
    pub(super) fn without_early_marks(&self) -> Contest {
        let end = self.end_ms();
        let kept = |mark: Option<i64>| mark.filter(|mark| end.is_some_and(|end| end <= *mark));
        Contest {
            thawed_ms: kept(self.thawed_ms),
            finalized_ms: kept(self.finalized_ms),
            end_of_updates_ms: kept(self.end_of_updates_ms),
            ..self.clone()
        }
    }

    /// The time zone in which its organisers write times.
    pub(crate) fn tz(&self) -> Tz {
        // The store keeps only names of zones.
        zone::named(self.zone.as_deref()).unwrap_or(Tz::UTC)
    }

    pub(crate) fn has_started(&self, now_ms: i64) -> bool {
        self.start_ms.is_some_and(|start| now_ms >= start)
    }

    /// Whether teams may submit for points now.
    pub fn is_running(&self, now_ms: i64) -> bool {
        self.has_started(now_ms) && !self.is_over(now_ms)
    }

    /// Whether its end has passed.
    pub(crate) fn is_over(&self, now_ms: i64) -> bool {
        self.end_ms().is_some_and(|end| now_ms >= end)
    }

    /// When the scoreboard freezes, if it does.
    pub(crate) fn freezes_ms(&self) -> Option<i64> {
        self.moment(self.duration_ms - self.freeze_ms?)
    }

    /// The feedback that teams get about their own submissions now: everything once it is over. By
    /// default full feedback if it is scored by points, verdicts and samples otherwise.
    pub(crate) fn feedback_at(&self, now_ms: i64) -> Feedback {
        match (self.feedback, self.scoring) {
            _ if self.is_over(now_ms) => Feedback::Full,
            (Some(feedback), _) => feedback,
            (None, Scoring::Points) => Feedback::Full,
            (None, Scoring::Icpc) => Feedback::Score,
        }
    }

    /// Whether only the jury sees verdicts and scores now.
    pub(crate) fn withholds_results(&self, now_ms: i64) -> bool {
        self.feedback_at(now_ms) == Feedback::Samples
    }

    /// Whether the result of a submission at `time_ms` is frozen: the team and the jury see it,
    /// others only after the thaw.
    pub fn hides_result_of(&self, time_ms: i64) -> bool {
        self.thawed_ms.is_none() && self.freezes_ms().is_some_and(|freezes| time_ms >= freezes)
    }
}

record! { |row|
    #[derive(Clone, PartialEq, Eq, Debug, Default)]
    pub struct ContestProblem {
        /// The problem's number.
        pub problem: ProblemId,
        /// The id of its package.
        pub ext: String,
        pub name: String,
        /// Its letter.
        pub label: String,
        /// Its colour, `#rrggbb`.
        pub rgb: Option<String>,
        /// The colour's name.
        pub color: Option<String>,
    }
}

//! Objects that change during a contest, the scoreboard, and notifications.

use super::{File, Id, Nullable, ObjectType, RelTime, Time};
use crate::word_enums::word_enums;
use serde_json::Value;

word_enums! {
    /// How the resolver of the ICPC tools shows an award.
    DisplayMode {
        /// It stops at each team.
        Pause = "pause",
        /// It shows the teams as a list when all are resolved.
        List = "list",
        /// Not at all.
        Ignore = "ignore",
    }
}

objects! {
    /// The state of a contest. Times that have not come are `null`.
    State {
        /// When the contest started.
        started: Nullable<Time>,
        /// When the scoreboard was frozen.
        frozen: Nullable<Time>,
        /// When the contest ended.
        ended: Nullable<Time>,
        /// When the scoreboard was thawed.
        thawed: Nullable<Time>,
        /// When the results became final.
        finalized: Nullable<Time>,
        /// When the last change was made.
        end_of_updates: Nullable<Time>,
    }

    Submission {
        id: Id,
        language_id: Id,
        problem_id: Id,
        /// Its team; without one it does not affect the scoreboard.
        team_id: Option<Id>,
        /// When it was made.
        time: Time,
        /// When it was made, since the start.
        contest_time: RelTime,
        /// File or class to start, if one was named; `null` for C and C++.
        entry_point: Nullable<String>,
        /// One ZIP archive.
        files: Vec<File>,
    }

    /// A judgement of a submission, running or complete.
    Judgement {
        id: Id,
        submission_id: Id,
        /// The verdict, when complete.
        judgement_type_id: Option<Id>,
        /// Score; required if the contest is scored by points.
        score: Option<f64>,
        /// Whether it counts; by default it does. At most one of a submission does.
        current: Option<bool>,
        /// When it began.
        start_time: Time,
        /// When it began, since the start of the contest.
        start_contest_time: RelTime,
        /// When it was complete.
        end_time: Option<Time>,
        /// When it was complete, since the start of the contest.
        end_contest_time: Option<RelTime>,
        /// Seconds of the slowest case, a multiple of 0.001.
        max_run_time: Option<f64>,
    }

    /// The judgement of one test case.
    Run {
        id: Id,
        judgement_id: Id,
        /// Number of the case from 1, at most the problem's `test_data_count`.
        ordinal: u64,
        /// The verdict of the case.
        judgement_type_id: Id,
        /// When it was complete.
        time: Time,
        /// When it was complete, since the start of the contest.
        contest_time: RelTime,
        /// Seconds, a multiple of 0.001.
        run_time: Option<f64>,
    }

    /// A question of a team, or a message or an answer of the jury.
    Clarification {
        id: Id,
        /// The team that asks; absent for a message of the jury.
        from_team_id: Option<Id>,
        /// Teams that receive it; absent: all.
        to_team_ids: Option<Vec<Id>>,
        reply_to_id: Option<Id>,
        problem_id: Option<Id>,
        text: String,
        /// When it was sent.
        time: Time,
        /// When it was sent, since the start.
        contest_time: RelTime,
    }

    /// An award, such as `winner` or `first-to-solve-ID`.
    Award {
        id: Id,
        /// Text for display.
        citation: String,
        /// How the resolver of the ICPC tools shows it, which is not in the specification; absent: each team alone.
        display_mode: Option<DisplayMode>,
        /// Teams that receive it at the moment; absent: not updated at the moment.
        team_ids: Option<Vec<Id>>,
    }

    /// A comment on events of the contest.
    Commentary {
        id: Id,
        /// When it was made.
        time: Time,
        /// When it was made, since the start.
        contest_time: RelTime,
        /// Text; `{teams:ID}` and `{problems:ID}` refer to objects.
        message: String,
        /// Words that classify it.
        tags: Vec<String>,
        team_ids: Option<Vec<Id>>,
        problem_ids: Option<Vec<Id>>,
        submission_ids: Option<Vec<Id>>,
    }

    Scoreboard {
        /// Time of the last event that it includes.
        time: Time,
        /// Contest time of that event.
        contest_time: RelTime,
        state: State,
        /// One row for each team, by rank and then by name.
        rows: Vec<ScoreboardRow>,
    }

    /// A team's row of the scoreboard.
    ScoreboardRow {
        /// Rank from 1; equal in case of a tie.
        rank: u64,
        team_id: Id,
        score: Score,
        /// Its result for each problem.
        problems: Option<Vec<ScoreboardProblem>>,
    }

    /// The result of a team.
    Score {
        /// Problems solved, in a `pass-fail` contest.
        num_solved: Option<u64>,
        /// Penalty time, in a `pass-fail` contest.
        total_time: Option<RelTime>,
        /// Points, in a contest scored by points.
        score: Option<f64>,
        /// Contest time of the last improvement; `null` if there is none.
        time: Nullable<RelTime>,
    }

    /// The result of a team for a problem.
    ScoreboardProblem {
        problem_id: Id,
        /// Judged submissions up to the first accepted one.
        num_judged: u64,
        /// Submissions without a verdict that the client may see.
        num_pending: u64,
        /// Whether it is solved, in a `pass-fail` contest.
        solved: Option<bool>,
        /// Points, in a contest scored by points.
        score: Option<f64>,
        /// When it was solved or the score reached; absent if neither.
        time: Option<RelTime>,
    }

    /// An event: one object or collection changed.
    Notification {
        r#type: ObjectType,
        /// Identifier of the object; `null` for a whole collection or a single object.
        id: Nullable<Id>,
        /// The new content; `null` if the object was deleted.
        data: Nullable<Value>,
        /// Where a client that connects again continues.
        token: Option<String>,
    }

    /// The body of a response that reports an error.
    ErrorBody {
        /// The HTTP status.
        code: u16,
        /// Description of the error, for people.
        message: String,
    }
}

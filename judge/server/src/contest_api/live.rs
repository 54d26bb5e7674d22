//! Objects that change during a contest, the scoreboard, and notifications.

use super::{File, Id, ObjectType, RelTime, Time};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The state of a contest. Times that have not come are `null`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct State {
    /// When the contest started.
    pub started: Option<Time>,
    /// When the scoreboard was frozen.
    pub frozen: Option<Time>,
    /// When the contest ended.
    pub ended: Option<Time>,
    /// When the scoreboard was thawed.
    pub thawed: Option<Time>,
    /// When the results became final.
    pub finalized: Option<Time>,
    /// When the last change was made.
    pub end_of_updates: Option<Time>,
}

/// A submission.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Submission {
    /// Identifier.
    pub id: Id,
    /// The id of its language.
    pub language_id: Id,
    /// The id of its problem.
    pub problem_id: Id,
    /// Its team; without one it does not affect the scoreboard.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team_id: Option<Id>,
    /// The account that submitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account_id: Option<Id>,
    /// When it was made.
    pub time: Time,
    /// When it was made, since the start.
    pub contest_time: RelTime,
    /// File or class to start, if one was named; `null` for C and C++.
    pub entry_point: Option<String>,
    /// One ZIP archive.
    pub files: Vec<File>,
    /// Video of the team.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reaction: Option<Vec<File>>,
}

/// A judgement of a submission, running or complete.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Judgement {
    /// Identifier.
    pub id: Id,
    /// The id of the submission.
    pub submission_id: Id,
    /// The verdict, when complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judgement_type_id: Option<Id>,
    /// The simplified verdict, when complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub simplified_judgement_type_id: Option<Id>,
    /// Score; required if the contest is scored by points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// Whether it counts; by default it does. At most one of a submission does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current: Option<bool>,
    /// When it began.
    pub start_time: Time,
    /// When it began, since the start of the contest.
    pub start_contest_time: RelTime,
    /// When it was complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_time: Option<Time>,
    /// When it was complete, since the start of the contest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_contest_time: Option<RelTime>,
    /// Seconds of the slowest case, a multiple of 0.001.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_run_time: Option<f64>,
}

/// The judgement of one test case.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Run {
    /// Identifier.
    pub id: Id,
    /// The id of the judgement that it is part of.
    pub judgement_id: Id,
    /// Number of the case from 1, at most the problem's `test_data_count`.
    pub ordinal: u64,
    /// The verdict of the case.
    pub judgement_type_id: Id,
    /// When it was complete.
    pub time: Time,
    /// When it was complete, since the start of the contest.
    pub contest_time: RelTime,
    /// Seconds, a multiple of 0.001.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_time: Option<f64>,
}

/// A question of a team, or a message or an answer of the jury.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Clarification {
    /// Identifier.
    pub id: Id,
    /// The team that asks; absent for a message of the jury.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_team_id: Option<Id>,
    /// Teams that receive it; absent with `to_group_ids`: all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to_team_ids: Option<Vec<Id>>,
    /// Groups that receive it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to_group_ids: Option<Vec<Id>>,
    /// The clarification that it answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply_to_id: Option<Id>,
    /// The problem that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem_id: Option<Id>,
    /// The text of the clarification.
    pub text: String,
    /// When it was sent.
    pub time: Time,
    /// When it was sent, since the start.
    pub contest_time: RelTime,
}

/// An award, such as `winner` or `first-to-solve-ID`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Award {
    /// Identifier.
    pub id: Id,
    /// Text for display.
    pub citation: String,
    /// Teams that receive it at the moment; absent: not updated at the moment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team_ids: Option<Vec<Id>>,
}

/// A comment on events of the contest.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Commentary {
    /// Identifier.
    pub id: Id,
    /// When it was made.
    pub time: Time,
    /// When it was made, since the start.
    pub contest_time: RelTime,
    /// Text; `{teams:ID}` and `{problems:ID}` refer to objects.
    pub message: String,
    /// Words that classify it.
    pub tags: Vec<String>,
    /// Its author, a person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_id: Option<Id>,
    /// Teams that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team_ids: Option<Vec<Id>>,
    /// Problems that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem_ids: Option<Vec<Id>>,
    /// Submissions that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub submission_ids: Option<Vec<Id>>,
}

/// The scoreboard.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Scoreboard {
    /// Time of the last event that it includes.
    pub time: Time,
    /// Contest time of that event.
    pub contest_time: RelTime,
    /// State of the contest.
    pub state: State,
    /// One row for each team, by rank and then by name.
    pub rows: Vec<ScoreboardRow>,
}

/// A team's row of the scoreboard.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ScoreboardRow {
    /// Rank from 1; equal in case of a tie.
    pub rank: u64,
    /// The id of the team.
    pub team_id: Id,
    /// Its result.
    pub score: Score,
    /// Its result for each problem.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problems: Option<Vec<ScoreboardProblem>>,
}

/// The result of a team.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Score {
    /// Problems solved, in a `pass-fail` contest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub num_solved: Option<u64>,
    /// Penalty time, in a `pass-fail` contest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_time: Option<RelTime>,
    /// Points, in a contest scored by points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// Contest time of the last improvement; `null` if there is none.
    pub time: Option<RelTime>,
}

/// The result of a team for a problem.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ScoreboardProblem {
    /// The id of the problem.
    pub problem_id: Id,
    /// Judged submissions up to the first accepted one.
    pub num_judged: u64,
    /// Submissions without a verdict that the client may see.
    pub num_pending: u64,
    /// Whether it is solved, in a `pass-fail` contest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solved: Option<bool>,
    /// Points, in a contest scored by points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// When it was solved or the score reached; absent if neither.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<RelTime>,
}

/// An event: one object or collection changed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Notification {
    /// The type of the object.
    #[serde(rename = "type")]
    pub kind: ObjectType,
    /// Identifier of the object; `null` for a whole collection or a single object.
    pub id: Option<Id>,
    /// The new content; `null` if the object was deleted.
    pub data: Option<Value>,
    /// Where a client that connects again continues.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
}

/// The body of a response that reports an error.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ErrorBody {
    /// The HTTP status.
    pub code: u16,
    /// Description of the error, for people.
    pub message: String,
}

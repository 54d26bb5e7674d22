//! Changes of a transaction that the event feeds announce.

use super::{ClarificationId, CommentId, ContestId, JudgingId, SubmissionId, TeamId, Visibility};

/// A change to announce. The objects are loaded when the transaction is about to be committed.
#[derive(Debug)]
pub(super) enum FeedChange {
    /// The settings of a contest.
    Contest(ContestId),
    State(ContestId),
    /// A new submission.
    Submission(SubmissionId),
    /// The start, the verdict or the validity of a judging.
    Judging(JudgingId),
    /// A new result of a case, by its index, of a judging that counts.
    Run(JudgingId, usize),
    /// All results of a judging that has become the one that counts.
    Runs(JudgingId),
    /// The results of these cases of an earlier attempt were deleted.
    RunsDeleted(SubmissionId, JudgingId, Vec<usize>),
    /// Everything about the submissions of a contest from a time on, because its clock changed or results are no longer
    /// frozen.
    ResultsSince(ContestId, i64),
    /// Everything about the submissions of a team to contests, because the team is hidden now, or no longer.
    ResultsOf(TeamId),
    /// Everything about a submission, because it counts again.
    ResultsOfSubmission(SubmissionId),
    /// A new clarification.
    Clarification(ClarificationId),
    /// All clarifications of a contest, because its clock changed.
    Clarifications(ContestId),
    /// An object that no longer exists.
    Deleted {
        contest: ContestId,
        /// The type of the Contest API.
        kind: &'static str,
        object: String,
        /// The viewers that could see it.
        visible: Visibility,
    },
    /// A new comment.
    Comment(CommentId),
    /// All comments of a contest, because its clock changed.
    Commentary(ContestId),
}

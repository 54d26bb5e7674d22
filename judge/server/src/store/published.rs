//! Judgings and results that the event feed and the Contest API show.

use super::case_results::RUN;
use super::{ContestId, Judging, Result, Run, Store};

/// The condition of judgings that the feed and the API show: those that count or once counted, as soon as they start.
pub(super) const PUBLISHED: &str = "(judgings.valid OR judgings.rejudging IS NULL OR EXISTS (
        SELECT 1 FROM rejudgings WHERE rejudgings.id = judgings.rejudging AND rejudgings.state = 'applied'))
    AND (judgings.started_ms IS NOT NULL OR judgings.finished_ms IS NOT NULL)";

impl Store {
    /// The judgings of a contest that the API shows, by number.
    pub(crate) fn published_judgings(&self, contest: ContestId) -> Result<Vec<Judging>> {
        self.all(
            &format!(
                "SELECT judgings.* FROM judgings JOIN submissions ON submissions.id = submission
                 WHERE contest = ?1 AND team IS NOT NULL AND NOT ignored AND {PUBLISHED} ORDER BY judgings.id"
            ),
            [contest],
        )
    }

    /// The results of the judgings of a contest that the API shows, in the order of the judgings and
    /// cases.
    pub(crate) fn published_runs(&self, contest: ContestId) -> Result<Vec<Run>> {
        self.all(
            &format!(
                "{RUN}
                 JOIN judgings ON judgings.id = r.judging
                 JOIN submissions ON submissions.id = judgings.submission
                 WHERE submissions.contest = ?1 AND team IS NOT NULL AND NOT ignored AND {PUBLISHED}
                 ORDER BY r.judging, r.\"case\""
            ),
            [contest],
        )
    }
}

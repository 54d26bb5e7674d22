//! Filters of lists of submissions.

use super::query::Conditions;
use super::{ContestId, ProblemId, SubmissionId, TeamId, UserId};
use judge_core::verdict::Verdict;
use std::fmt::Display;

/// A filter of submissions: all conditions that are set must hold.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SubmissionFilter {
    /// Only this submission.
    pub(crate) submission: Option<SubmissionId>,
    /// Of this contest; `Some(None)`: of practice.
    pub(crate) contest: Option<Option<ContestId>>,
    /// Of one of these contests.
    pub(crate) contests: Option<Vec<ContestId>>,
    pub(crate) problem: Option<ProblemId>,
    pub(crate) user: Option<UserId>,
    /// Of one of these teams; empty: of any or none.
    pub(crate) teams: Vec<TeamId>,
    pub(crate) language: Option<String>,
    /// With this verdict of the valid judging.
    pub(crate) verdict: Option<Verdict>,
    /// With any verdict but AC.
    pub(crate) rejected: bool,
    /// Judged by the machine with this name.
    pub(crate) machine: Option<String>,
    /// `Some(true)`: those that have a verdict; `Some(false)`: those that wait or are being judged.
    pub(crate) judged: Option<bool>,
    /// Results that wait for verification, in contests that demand it.
    pub(crate) unverified: bool,
    /// Not before this time: milliseconds since 1970.
    pub(crate) from_ms: Option<i64>,
    /// Before this time.
    pub(crate) until_ms: Option<i64>,
    /// With smaller numbers than this one, for the next page of a list.
    pub(crate) before: Option<SubmissionId>,
}

impl SubmissionFilter {
    /// The submissions of a team, or of a user without a team.
    pub(crate) fn by(user: UserId, team: Option<TeamId>) -> Self {
        SubmissionFilter {
            user: team.is_none().then_some(user),
            teams: team.into_iter().collect(),
            ..SubmissionFilter::default()
        }
    }

    /// The conditions on a submission `s` and its valid judging `j`.
    pub(super) fn conditions(&self) -> Conditions {
        let mut conditions = Conditions::default();
        conditions.compare("s.id =", self.submission);
        conditions.compare("s.contest =", self.contest.flatten());
        if let Some(contests) = &self.contests {
            conditions.add(&format!("s.contest IN ({})", list(contests)));
        }
        conditions.compare("s.problem =", self.problem);
        conditions.compare("s.user =", self.user);
        match &self.teams[..] {
            [] => {}
            // A statement for all teams is prepared once.
            [team] => conditions.compare("s.team =", Some(*team)),
            teams => conditions.add(&format!("s.team IN ({})", list(teams))),
        }
        conditions.compare("s.language =", self.language.clone());
        conditions.compare("j.verdict =", self.verdict.map(|own| own.code().to_owned()));
        conditions.compare("j.machine =", self.machine.clone());
        if self.rejected {
            conditions.add("j.verdict <> 'AC'");
        }
        conditions.compare("(j.state = 'done') =", self.judged);
        if self.unverified {
            conditions.add(
                "j.state = 'done' AND j.verified_ms IS NULL
                 AND s.contest IN (SELECT id FROM contests WHERE verification)",
            );
        }
        conditions.compare("s.time_ms >=", self.from_ms);
        conditions.compare("s.time_ms <", self.until_ms);
        conditions.compare("s.id <", self.before);
        if self.contest == Some(None) {
            conditions.add("s.contest IS NULL");
        }
        conditions
    }

    /// Whether the conditions are about judgings, too.
    pub(super) fn is_about_judgings(&self) -> bool {
        self.verdict.is_some()
            || self.rejected
            || self.machine.is_some()
            || self.judged.is_some()
            || self.unverified
    }
}

/// The numbers of objects as a list for SQL.
pub(super) fn list(numbers: &[impl Display]) -> String {
    let ids: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    ids.join(", ")
}

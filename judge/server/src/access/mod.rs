//! The rights of a user: role x object x state. Everything is decided here, by pure functions;
//! pages, API and feed call them and decide nothing themselves.

mod actions;

pub use actions::{Action, may};

use crate::store::{
    About, Clarification, Contest, ContestId, ContestRole, FeedRow, Feedback, Problem, Role,
    Submission, TeamId, User, UserId, Visibility,
};

/// The user that a decision is about, or a visitor who is not signed in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Viewer {
    /// The user, if signed in.
    pub(crate) user: Option<UserId>,
    /// The user's role; `Public` if not signed in.
    pub(crate) role: Role,
    /// The user's team, for the role `Team`.
    pub(crate) team: Option<TeamId>,
    /// The user's role in the contest that the decision is about; see `http::rights::enter`.
    pub(crate) in_contest: Option<ContestRole>,
}

impl Viewer {
    /// Somebody who is not signed in.
    pub const ANONYMOUS: Viewer = Viewer {
        user: None,
        role: Role::Public,
        team: None,
        in_contest: None,
    };

    pub fn of(user: &User) -> Self {
        Viewer {
            user: Some(user.id),
            role: user.role,
            team: user.team.filter(|_| user.role == Role::Team),
            in_contest: None,
        }
    }

    /// The same user with this role in the contest that is looked at.
    pub fn with(self, in_contest: Option<ContestRole>) -> Self {
        Viewer { in_contest, ..self }
    }

    /// Sees all data of the contest and its submissions, as the jury does.
    pub fn sees_all(&self) -> bool {
        may(*self, Action::SeeAll)
    }

    /// Is the author of the submission, or of its team.
    pub fn owns(&self, submission: &Submission) -> bool {
        self.user == Some(submission.user) || (self.team.is_some() && self.team == submission.team)
    }
}

/// A contest and whether the viewer's team takes part in it.
#[derive(Clone, Copy, Debug)]
pub struct Participation<'a> {
    pub contest: &'a Contest,
    /// The viewer's team takes part.
    pub takes_part: bool,
}

/// May know that the contest exists, and see its clock, teams and scoreboard.
pub fn sees_contest(viewer: Viewer, place: Participation<'_>) -> bool {
    may(viewer, Action::SeeContest) || place.contest.public || place.takes_part
}

/// May see the problems of the contest: statements, samples, limits. Before the start only the jury.
pub fn sees_contest_problems(viewer: Viewer, place: Participation<'_>, now_ms: i64) -> bool {
    viewer.sees_all() || (sees_contest(viewer, place) && place.contest.has_started(now_ms))
}

/// May see the problem outside of contests. `in_unfinished`: whether it belongs to a contest
/// that is not over: then only the contest shows it.
pub fn sees_practice_problem(viewer: Viewer, problem: &Problem, in_unfinished: bool) -> bool {
    viewer.sees_all() || (problem.practice && !in_unfinished)
}

/// May submit to the contest now. The jury may at any time; its submissions are not on the scoreboard.
pub fn submits_to_contest(viewer: Viewer, place: Participation<'_>, now_ms: i64) -> bool {
    may(viewer, Action::Judge)
        || (viewer.team.is_some() && place.takes_part && place.contest.is_running(now_ms))
}

/// May submit for practice: who is signed in and sees the problem.
pub fn submits_for_practice(viewer: Viewer, problem: &Problem, in_unfinished: bool) -> bool {
    viewer.user.is_some() && sees_practice_problem(viewer, problem, in_unfinished)
}

/// May know that a submission of this contest exists: who, what, when. In practice only its author.
pub fn sees_submission(
    viewer: Viewer,
    submission: &Submission,
    place: Option<Participation<'_>>,
) -> bool {
    viewer.sees_all()
        || viewer.owns(submission)
        || place.is_some_and(|place| {
            submission.team.is_some() && !submission.team_hidden && sees_contest(viewer, place)
        })
}

/// May see the verdict and the score of a submission, once it has them: frozen ones only its team and
/// the jury; only the jury while the contest withholds results, or until a judge has verified it.
pub fn sees_verdict(
    viewer: Viewer,
    submission: &Submission,
    place: Option<Participation<'_>>,
    now_ms: i64,
) -> bool {
    let frozen = place.is_some_and(|place| place.contest.hides_result_of(submission.time_ms));
    let withheld = place.is_some_and(|place| place.contest.withholds_results(now_ms));
    let open = !withheld && !submission.unverified && (!frozen || viewer.owns(submission));
    sees_submission(viewer, submission, place) && (viewer.sees_all() || open)
}

/// May see that a submission was judged, what its compiler said, and the results of samples, whether
/// or not the viewer may see the verdict.
pub fn sees_progress(viewer: Viewer, submission: &Submission) -> bool {
    viewer.sees_all() || viewer.owns(submission)
}

/// May see the source of a submission, and what its compiler said.
pub fn sees_source(viewer: Viewer, submission: &Submission) -> bool {
    viewer.sees_all() || viewer.owns(submission)
}

/// The same in the feed of a contest; `is_own`: the submission is of the viewer's team.
pub fn sees_source_in_feed(viewer: Viewer, is_own: bool) -> bool {
    viewer.sees_all() || is_own
}

/// How much of the results of single cases a viewer may see.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CaseView {
    /// Nothing: not even how many there are.
    Nothing,
    /// Samples in full; of other cases verdict, time and memory.
    Verdicts,
    /// Everything, with parts of secret data.
    Everything,
}

/// How much of the results of single cases a viewer may see. Authors see all verdicts in practice; in
/// a contest as much as its feedback says ([`sees_case`]), and nothing before the result is verified. `open`: who
/// practises the problem may see its secret data.
pub fn sees_cases(viewer: Viewer, submission: &Submission, open: bool) -> CaseView {
    if viewer.sees_all() || (open && submission.contest.is_none() && viewer.owns(submission)) {
        CaseView::Everything
    } else if viewer.owns(submission) && !submission.unverified {
        CaseView::Verdicts
    } else {
        CaseView::Nothing
    }
}

/// Whether a contest, or practice, shows authors the results of secret cases.
pub fn shows_secret_cases(contest: Option<&Contest>, now_ms: i64) -> bool {
    contest.is_none_or(|contest| contest.feedback_at(now_ms) == Feedback::Full)
}

/// May see that a case ran, and its verdict, time and memory. `shown`: of [`shows_secret_cases`].
pub fn sees_case(view: CaseView, is_sample: bool, shown: bool) -> bool {
    match view {
        CaseView::Nothing => false,
        CaseView::Verdicts => is_sample || shown,
        CaseView::Everything => true,
    }
}

/// May see the message and the diagnosis of a case, which show its data.
pub fn sees_diagnosis(view: CaseView, is_sample: bool) -> bool {
    match view {
        CaseView::Nothing => false,
        CaseView::Verdicts => is_sample,
        CaseView::Everything => true,
    }
}

/// May see a clarification.
pub fn sees_clarification(
    viewer: Viewer,
    clarification: &Clarification,
    place: Participation<'_>,
) -> bool {
    sees(viewer, clarification.visible(), place)
}

/// May know which clarification this one answers: who may see that one.
pub fn sees_question(viewer: Viewer, answer: &Clarification, place: Participation<'_>) -> bool {
    let visible = answer.question_visible;
    visible.is_none_or(|visible| sees(viewer, visible, place))
}

/// May see a team. Only its members and the jury see a hidden one.
pub fn sees_team(viewer: Viewer, team: TeamId, hidden: bool, place: Participation<'_>) -> bool {
    sees_contest(viewer, place) && (!hidden || viewer.sees_all() || viewer.team == Some(team))
}

/// May see the results of single cases in the Contest API, which has them in full or not at all.
pub fn sees_runs(viewer: Viewer) -> bool {
    viewer.sees_all()
}

/// May see the accounts of others.
pub fn sees_accounts(viewer: Viewer) -> bool {
    may(viewer, Action::Manage)
}

/// May see the addresses and the like of persons, and persons without a team.
pub fn sees_private_data(viewer: Viewer) -> bool {
    viewer.sees_all()
}

/// May post commentary on a contest, which everybody who sees the contest reads.
pub fn comments(viewer: Viewer) -> bool {
    may(viewer, Action::Judge)
}

/// May set the start of a contest, and when its frozen results are shown.
pub fn controls_clock(viewer: Viewer) -> bool {
    may(viewer, Action::Manage)
}

/// May submit and ask in the name of teams, at a given time.
pub fn acts_for_teams(viewer: Viewer) -> bool {
    may(viewer, Action::Manage)
}

/// May answer, and write to all teams.
pub fn answers(viewer: Viewer) -> bool {
    may(viewer, Action::Judge)
}

/// May ask in the contest.
pub fn asks(viewer: Viewer, place: Participation<'_>, now_ms: i64) -> bool {
    submits_to_contest(viewer, place, now_ms)
}

/// May print in the contest.
pub fn prints(viewer: Viewer, place: Participation<'_>, now_ms: i64) -> bool {
    submits_to_contest(viewer, place, now_ms)
}

/// May see a row of the feed: decided whenever it is read, because what it shows may be frozen
/// or hidden since it was written.
pub fn sees_feed_row(viewer: Viewer, row: &FeedRow, place: Participation<'_>, now_ms: i64) -> bool {
    let is_shown = match (row.kind.as_str(), row.about) {
        ("problems", _) => sees_contest_problems(viewer, place, now_ms),
        ("submissions", Some(about)) => sees_about(viewer, about, false),
        (_, Some(about)) => {
            let withheld = place.contest.withholds_results(now_ms);
            let frozen = place.contest.hides_result_of(about.time_ms);
            let open = !withheld && !about.unverified;
            viewer.sees_all() || (open && sees_about(viewer, about, frozen))
        }
        // An old version may show what the present one does not.
        (_, None) => viewer.sees_all() || !row.superseded,
    };
    is_shown && sees(viewer, row.visible, place)
}

/// May see something about a submission; `frozen`: others than its team and the jury may not.
fn sees_about(viewer: Viewer, about: About, frozen: bool) -> bool {
    let is_own = about.is_of(viewer.team);
    viewer.sees_all() || is_own || !(about.team_hidden || frozen)
}

/// May see what has this visibility in a contest.
fn sees(viewer: Viewer, visible: Visibility, place: Participation<'_>) -> bool {
    match visible {
        Visibility::Public => sees_contest(viewer, place),
        Visibility::Spectators => !viewer.sees_all() && sees_contest(viewer, place),
        Visibility::Team(team) => viewer.sees_all() || viewer.team == Some(team),
        Visibility::Jury => viewer.sees_all(),
    }
}

/// May see the scoreboard with the results of the freeze.
pub fn sees_unfrozen_scoreboard(viewer: Viewer) -> bool {
    viewer.sees_all()
}

/// May see the statistics of a contest: others than the jury when it is over and its results are not frozen.
pub fn sees_statistics(viewer: Viewer, place: Participation<'_>, now_ms: i64) -> bool {
    let contest = place.contest;
    let is_shown = contest.is_over(now_ms) && !contest.hides_result_of(i64::MAX);
    viewer.sees_all() || (sees_contest(viewer, place) && is_shown)
}

/// May manage contests, users and packages.
pub fn manages(viewer: Viewer) -> bool {
    may(viewer, Action::Manage)
}

/// The fair share of the queue that a submission belongs to.
pub fn share(team: Option<TeamId>, user: UserId, contest: Option<ContestId>) -> String {
    match (team, contest) {
        (Some(team), Some(_)) => format!("team {team}"),
        _ => format!("user {user}"),
    }
}

#[cfg(test)]
mod tests;

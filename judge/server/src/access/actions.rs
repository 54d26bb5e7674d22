//! The actions that roles allow: one table, which [`may`] reads for pages, API and feeds.

use super::Viewer;
use crate::store::{ContestRole, Role};

/// Something that a role allows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// See a contest that is not public.
    SeeContest,
    /// See what the jury sees of a contest: all submissions with sources and cases, results of the freeze, hidden teams,
    /// all clarifications.
    SeeAll,
    /// See what to bring to teams: balloons, and the list of prints.
    SeeDeliveries,
    /// Record that a balloon was brought; print again.
    Deliver,
    /// Do the work of the jury: answers, announcements, commentary, rejudgings, verdicts by hand, verification; submit at
    /// any time.
    Judge,
    /// See and change what all contests share: the queue and the packages.
    Operate,
    /// Manage contests, teams and accounts; act for teams.
    Manage,
}

/// The actions that a role of the server allows, in every contest.
fn of_server(role: Role) -> &'static [Action] {
    use Action::{Deliver, Judge, Manage, Operate, SeeAll, SeeContest, SeeDeliveries};
    match role {
        Role::Public | Role::Team => &[],
        Role::Jury => &[SeeContest, SeeAll, SeeDeliveries, Deliver, Judge, Operate],
        Role::Admin => &[
            SeeContest,
            SeeAll,
            SeeDeliveries,
            Deliver,
            Judge,
            Operate,
            Manage,
        ],
    }
}

/// The actions that a role of a contest allows there.
fn of_contest(role: ContestRole) -> &'static [Action] {
    use Action::{Deliver, Judge, SeeAll, SeeContest, SeeDeliveries};
    match role {
        ContestRole::Spectator => &[SeeContest],
        ContestRole::Balloons => &[SeeContest, SeeDeliveries, Deliver],
        ContestRole::Analyst => &[SeeContest, SeeAll, SeeDeliveries],
        ContestRole::Jury => &[SeeContest, SeeAll, SeeDeliveries, Deliver, Judge],
    }
}

/// Whether the viewer's roles allow an action: in the contest that the viewer has entered, if any.
pub fn may(viewer: Viewer, action: Action) -> bool {
    let in_contest = viewer
        .in_contest
        .is_some_and(|role| of_contest(role).contains(&action));
    in_contest || of_server(viewer.role).contains(&action)
}

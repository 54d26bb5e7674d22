//! The table of rights.

use super::*;
use crate::store::{
    ClarificationId, ProblemId, Scoring, SetLimits, SubmissionId, Version, VersionId,
};

const START: i64 = 1_000_000;
const FREEZE: i64 = START + 240_000;
const END: i64 = START + 300_000;

fn contest(public: bool, thawed: bool) -> Contest {
    Contest {
        id: ContestId(1),
        ext: "c".into(),
        name: "c".into(),
        formal_name: None,
        start_ms: Some(START),
        countdown_pause_ms: None,
        duration_ms: END - START,
        freeze_ms: Some(END - FREEZE),
        thawed_ms: thawed.then_some(END + 1),
        finalized_ms: None,
        end_of_updates_ms: None,
        scoring: Scoring::Icpc,
        penalty_ms: 0,
        public,
        ..Contest::default()
    }
}

fn viewer(role: Role, team: Option<i64>) -> Viewer {
    Viewer {
        user: Some(UserId(team.unwrap_or(9))),
        role,
        team: team.map(TeamId),
        in_contest: None,
    }
}

const JURY: Viewer = Viewer {
    user: Some(UserId(100)),
    role: Role::Jury,
    team: None,
    in_contest: None,
};

/// Not signed in, a public user, team 1 (the author's), team 2, the jury, an admin.
fn viewers() -> [Viewer; 6] {
    [
        Viewer::ANONYMOUS,
        viewer(Role::Public, None),
        viewer(Role::Team, Some(1)),
        viewer(Role::Team, Some(2)),
        JURY,
        viewer(Role::Admin, None),
    ]
}

/// Asks for each viewer; both teams take part.
fn row(ask: impl Fn(Viewer, bool) -> bool) -> String {
    let letter = |viewer: Viewer| match ask(viewer, viewer.team.is_some()) {
        true => 'y',
        false => '-',
    };
    viewers().map(letter).iter().collect()
}

fn submission(time_ms: i64, in_contest: bool) -> Submission {
    Submission {
        id: SubmissionId(1),
        contest: in_contest.then_some(ContestId(1)),
        problem: ProblemId(1),
        problem_ext: "p".into(),
        user: UserId(1),
        team: in_contest.then_some(TeamId(1)),
        team_ext: None,
        team_hidden: false,
        language: "cpp".into(),
        entry_point: None,
        time_ms,
        ignored: false,
        unverified: false,
    }
}

#[test]
fn contests() {
    for (public, expected) in [(true, "yyyyyy"), (false, "--yyyy")] {
        let contest = contest(public, false);
        let place = |takes_part| Participation {
            contest: &contest,
            takes_part,
        };
        assert_eq!(row(|v, t| sees_contest(v, place(t))), expected);
        let problems = |now| row(|v, t| sees_contest_problems(v, place(t), now));
        assert_eq!(problems(START - 1), "----yy");
        assert_eq!(problems(START), expected);
        let submits = |now| row(|v, t| submits_to_contest(v, place(t), now));
        assert_eq!(submits(START - 1), "----yy");
        assert_eq!(submits(START), "--yyyy");
        assert_eq!(submits(END), "----yy");
    }
    let contest = contest(true, false);
    let outside = Participation {
        contest: &contest,
        takes_part: false,
    };
    assert!(!submits_to_contest(
        viewer(Role::Team, Some(3)),
        outside,
        START
    ));
}

#[test]
fn problems() {
    let problem = |practice| Problem {
        id: ProblemId(1),
        ext: "p".into(),
        practice,
        version: Version {
            id: VersionId(1),
            problem: ProblemId(1),
            tree: String::new(),
            name: "p".into(),
            format: "x".into(),
            time_limit_s: None,
            memory_limit: 1,
            set_limits: SetLimits::default(),
            code_limit: None,
            scoring: false,
            languages: None,
            cases: Vec::new(),
            samples: None,
            groups: None,
            added_ms: 0,
        },
    };
    let sees = |open, busy| row(|v, _| sees_practice_problem(v, &problem(open), busy));
    assert_eq!(sees(true, false), "yyyyyy");
    assert_eq!(sees(true, true), "----yy");
    assert_eq!(sees(false, false), "----yy");
    let submits = row(|v, _| submits_for_practice(v, &problem(true), false));
    assert_eq!(submits, "-yyyyy");
}

#[test]
fn submissions() {
    fn place(contest: &Contest, takes_part: bool) -> Participation<'_> {
        Participation {
            contest,
            takes_part,
        }
    }
    for thawed in [false, true] {
        let contest = contest(true, thawed);
        for (time, verdict) in [
            (FREEZE - 1, "yyyyyy"),
            (FREEZE, if thawed { "yyyyyy" } else { "--y-yy" }),
        ] {
            let submission = submission(time, true);
            let at = |takes_part| Some(place(&contest, takes_part));
            assert_eq!(row(|v, t| sees_submission(v, &submission, at(t))), "yyyyyy");
            assert_eq!(
                row(|v, t| sees_verdict(v, &submission, at(t), START)),
                verdict
            );
            assert_eq!(row(|v, _| sees_source(v, &submission)), "--y-yy");
        }
    }
    let practice = submission(0, false);
    assert_eq!(row(|v, _| sees_submission(v, &practice, None)), "--y-yy");
    assert_eq!(
        row(|v, _| sees_verdict(v, &practice, None, START)),
        "--y-yy"
    );
    let hidden = contest(false, false);
    let in_hidden = submission(START, true);
    let at = |takes_part| Some(place(&hidden, takes_part));
    assert_eq!(row(|v, t| sees_submission(v, &in_hidden, at(t))), "--yyyy");
}

#[test]
fn cases() {
    let submission = submission(START, true);
    let case =
        |sample, over| row(|v, _| sees_case(sees_cases(v, &submission, false), sample, over));
    assert_eq!(case(true, false), "--y-yy");
    assert_eq!(case(false, false), "----yy");
    assert_eq!(case(false, true), "--y-yy");
    let diagnosis = |sample| row(|v, _| sees_diagnosis(sees_cases(v, &submission, false), sample));
    assert_eq!(diagnosis(true), "--y-yy");
    assert_eq!(diagnosis(false), "----yy");
}

/// Feedback x kind of contest x time: what the author's team (3rd letter) and others see.
#[test]
fn feedback() {
    use Feedback::{Full, Samples, Score};
    for (scoring, feedback, now, verdict, secret_case) in [
        (Scoring::Icpc, None, START, "yyyyyy", "----yy"),
        (Scoring::Icpc, None, END, "yyyyyy", "--y-yy"),
        (Scoring::Icpc, Some(Full), START, "yyyyyy", "--y-yy"),
        (Scoring::Points, None, START, "yyyyyy", "--y-yy"),
        (Scoring::Points, Some(Score), START, "yyyyyy", "----yy"),
        (Scoring::Points, Some(Samples), START, "----yy", "----yy"),
        (Scoring::Points, Some(Samples), END, "yyyyyy", "--y-yy"),
        (Scoring::Icpc, Some(Samples), START, "----yy", "----yy"),
    ] {
        let contest = Contest {
            scoring,
            feedback,
            ..contest(true, false)
        };
        let place = |takes_part| Participation {
            contest: &contest,
            takes_part,
        };
        let what = format!("{scoring:?} {feedback:?} at {now}");
        let own = submission(START, true);
        let sees = row(|v, t| sees_verdict(v, &own, Some(place(t)), now));
        assert_eq!(sees, verdict, "{what}");
        let shown = shows_secret_cases(Some(&contest), now);
        let case = |sample| row(|v, _| sees_case(sees_cases(v, &own, false), sample, shown));
        assert_eq!(case(false), secret_case, "{what}");
        assert_eq!(case(true), "--y-yy", "{what}");
        assert_eq!(row(|v, _| sees_progress(v, &own)), "--y-yy");
        let feed_row = FeedRow {
            about: Some(About::from(&own)),
            ..feed_row("judgements", Visibility::Public)
        };
        let sees = row(|v, t| sees_feed_row(v, &feed_row, place(t), now));
        assert_eq!(sees, verdict, "{what}");
    }
}

#[test]
fn clarifications_and_feed() {
    let contest = contest(true, false);
    let place = |takes_part| Participation {
        contest: &contest,
        takes_part,
    };
    let clarification = |from: Option<i64>, to: Option<i64>| Clarification {
        id: ClarificationId(1),
        contest: ContestId(1),
        problem: None,
        category: None,
        from_team: from.map(|id| (TeamId(id), id.to_string())),
        to_team: to.map(|id| (TeamId(id), id.to_string())),
        reply_to: None,
        question_visible: None,
        text: String::new(),
        author: None,
        time_ms: 0,
    };
    let sees = |c: &Clarification| row(|v, t| sees_clarification(v, c, place(t)));
    assert_eq!(sees(&clarification(Some(1), None)), "--y-yy");
    assert_eq!(sees(&clarification(None, Some(2))), "---yyy");
    assert_eq!(sees(&clarification(None, None)), "yyyyyy");
    let feed = |kind: &str, visible, now| {
        let feed_row = feed_row(kind, visible);
        row(|v, t| sees_feed_row(v, &feed_row, place(t), now))
    };
    assert_eq!(feed("judgements", Visibility::Public, START), "yyyyyy");
    assert_eq!(
        feed("judgements", Visibility::Team(TeamId(1)), START),
        "--y-yy"
    );
    assert_eq!(feed("runs", Visibility::Jury, START), "----yy");
    assert_eq!(feed("awards", Visibility::Spectators, START), "yyyy--");
    assert_eq!(feed("problems", Visibility::Public, START - 1), "----yy");
}

fn feed_row(kind: &str, visible: Visibility) -> FeedRow {
    FeedRow {
        seq: 1,
        contest: ContestId(1),
        kind: kind.into(),
        object: None,
        data: None,
        visible,
        time_ms: 0,
        about: None,
        superseded: false,
    }
}

/// Rows that were written for everybody, read when the submission is frozen or its team hidden.
#[test]
fn rows_of_the_feed_that_are_no_longer_public() {
    for (kind, thawed, hidden, time_ms, expected) in [
        ("judgements", false, false, START, "yyyyyy"),
        ("judgements", false, false, FREEZE, "--y-yy"),
        ("judgements", true, false, FREEZE, "yyyyyy"),
        ("judgements", true, true, START, "--y-yy"),
        ("runs", false, false, FREEZE, "--y-yy"),
        ("submissions", false, false, FREEZE, "yyyyyy"),
        ("submissions", true, true, START, "--y-yy"),
    ] {
        let contest = contest(true, thawed);
        let place = |takes_part| Participation {
            contest: &contest,
            takes_part,
        };
        let about = About {
            team: Some(TeamId(1)),
            team_hidden: hidden,
            time_ms,
            unverified: false,
        };
        let feed_row = FeedRow {
            about: Some(about),
            ..feed_row(kind, Visibility::Public)
        };
        let seen = row(|v, t| sees_feed_row(v, &feed_row, place(t), END));
        assert_eq!(
            seen, expected,
            "{kind}, thawed: {thawed}, hidden: {hidden}, at {time_ms}"
        );
    }
    let contest = contest(true, false);
    let place = |takes_part| Participation {
        contest: &contest,
        takes_part,
    };
    let old = FeedRow {
        superseded: true,
        ..feed_row("awards", Visibility::Public)
    };
    assert_eq!(row(|v, t| sees_feed_row(v, &old, place(t), END)), "----yy");
}

/// Until a judge has verified a result, only the jury sees anything of it.
#[test]
fn results_that_wait_for_verification() {
    let contest = contest(true, false);
    let place = |takes_part| Participation {
        contest: &contest,
        takes_part,
    };
    for (unverified, own, all) in [(true, "----yy", "----yy"), (false, "--y-yy", "yyyyyy")] {
        let submission = Submission {
            unverified,
            ..submission(START, true)
        };
        let sees = row(|v, t| sees_submission(v, &submission, Some(place(t))));
        assert_eq!(sees, "yyyyyy");
        let sees = row(|v, t| sees_verdict(v, &submission, Some(place(t)), START));
        assert_eq!(sees, all, "{unverified}");
        let sample = row(|v, _| sees_case(sees_cases(v, &submission, true), true, true));
        assert_eq!(sample, own, "{unverified}");
        for (kind, expected) in [("judgements", all), ("submissions", "yyyyyy")] {
            let feed_row = FeedRow {
                about: Some(About::from(&submission)),
                ..feed_row(kind, Visibility::Public)
            };
            let seen = row(|v, t| sees_feed_row(v, &feed_row, place(t), START));
            assert_eq!(seen, expected, "{kind}, unverified: {unverified}");
        }
    }
}

#[test]
fn hidden_teams_and_answers_to_them() {
    let contest = contest(true, false);
    let place = |takes_part| Participation {
        contest: &contest,
        takes_part,
    };
    let mut hidden = submission(START, true);
    hidden.team_hidden = true;
    let seen = row(|v, t| sees_submission(v, &hidden, Some(place(t))));
    assert_eq!(seen, "--y-yy");
    let team = |hidden| row(|v, t| sees_team(v, TeamId(1), hidden, place(t)));
    assert_eq!(team(false), "yyyyyy");
    assert_eq!(team(true), "--y-yy");
    let answer = |visible| Clarification {
        id: ClarificationId(2),
        contest: ContestId(1),
        problem: None,
        category: None,
        from_team: None,
        to_team: None,
        reply_to: Some(ClarificationId(1)),
        question_visible: Some(visible),
        text: String::new(),
        author: None,
        time_ms: 0,
    };
    let question = |visible| row(|v, t| sees_question(v, &answer(visible), place(t)));
    assert_eq!(question(Visibility::Team(TeamId(1))), "--y-yy");
    assert_eq!(question(Visibility::Public), "yyyyyy");
}

#[test]
fn statistics_come_with_the_results() {
    for (thawed, now, expected) in [
        (true, END - 1, "----yy"),
        (false, END, "----yy"),
        (true, END, "yyyyyy"),
    ] {
        let contest = contest(true, thawed);
        let place = |takes_part| Participation {
            contest: &contest,
            takes_part,
        };
        let seen = row(|v, t| sees_statistics(v, place(t), now));
        assert_eq!(seen, expected, "thawed: {thawed}, at {now}");
    }
}

#[test]
fn rights_of_programs() {
    assert_eq!(row(|v, _| sees_runs(v)), "----yy");
    assert_eq!(row(|v, _| sees_accounts(v)), "-----y");
    assert_eq!(row(|v, _| controls_clock(v)), "-----y");
    assert_eq!(row(|v, _| acts_for_teams(v)), "-----y");
    assert_eq!(row(|v, _| answers(v)), "----yy");
    assert_eq!(row(|v, _| sees_source_in_feed(v, false)), "----yy");
    assert_eq!(row(|v, _| sees_source_in_feed(v, true)), "yyyyyy");
}

/// The whole table of actions: no role, spectator, balloons, analyst, jury of the contest; then public, team, jury, admin of
/// the server.
#[test]
fn actions_of_roles() {
    let of_contest = [
        None,
        Some(ContestRole::Spectator),
        Some(ContestRole::Balloons),
        Some(ContestRole::Analyst),
        Some(ContestRole::Jury),
    ];
    for (action, in_contest, of_server) in [
        (Action::SeeContest, "-yyyy", "--yy"),
        (Action::SeeAll, "---yy", "--yy"),
        (Action::SeeDeliveries, "--yyy", "--yy"),
        (Action::Deliver, "--y-y", "--yy"),
        (Action::Judge, "----y", "--yy"),
        (Action::Operate, "-----", "--yy"),
        (Action::Manage, "-----", "---y"),
    ] {
        let letter = |viewer| if may(viewer, action) { 'y' } else { '-' };
        let with = |role| letter(viewer(Role::Public, None).with(role));
        assert_eq!(
            String::from_iter(of_contest.map(with)),
            in_contest,
            "{action:?}"
        );
        let roles = Role::ALL.iter().map(|role| letter(viewer(*role, None)));
        assert_eq!(String::from_iter(roles), of_server, "{action:?}");
    }
}

//! The scoreboard: what counts, ties, the freeze.

use judge_server::contest_api::{Id, RelTime};
use judge_server::scoreboard::*;
use proptest::prelude::*;
use serde_json::json;

const AC: AttemptResult = AttemptResult {
    solved: true,
    counts: true,
    score: 0.0,
};
const WA: AttemptResult = AttemptResult {
    solved: false,
    ..AC
};
const CE: AttemptResult = AttemptResult {
    counts: false,
    ..WA
};

fn icpc() -> Rules {
    Rules {
        scoring: Scoring::PassFail {
            penalty: RelTime::from_minutes(20),
        },
        duration: RelTime::from_minutes(300),
        freeze: Some(RelTime::from_minutes(240)),
    }
}

fn points() -> Rules {
    Rules {
        scoring: Scoring::Points,
        ..icpc()
    }
}

fn at(
    team: usize,
    problem: usize,
    minute: i64,
    result: impl Into<Option<AttemptResult>>,
) -> Attempt {
    Attempt {
        team,
        problem,
        time: RelTime::from_minutes(minute),
        result: result.into(),
    }
}

fn scored(score: f64) -> AttemptResult {
    AttemptResult { score, ..WA }
}

fn jury(teams: &[&str], attempts: &[Attempt]) -> Vec<Row> {
    scoreboard(&icpc(), teams, 2, attempts, View::Jury)
}

#[test]
fn penalty_counts_for_solved_problems_only() {
    let attempts = [
        at(0, 0, 10, WA),
        at(0, 0, 20, AC),
        at(0, 1, 30, WA),
        at(0, 0, 40, WA),
    ];
    let row = &jury(&["a"], &attempts)[0];
    assert_eq!((row.solved, row.total_time), (1, RelTime::from_minutes(40)));
    assert_eq!((row.cells[0].judged, row.cells[1].judged), (2, 1));
    assert_eq!(row.cells[0].time, Some(RelTime::from_minutes(20)));
    assert_eq!(row.cells[1].time, None);
}

#[test]
fn contest_time_is_rounded_down_to_minutes() {
    let late = Attempt {
        time: RelTime::from_millis(59_990),
        ..at(0, 0, 0, AC)
    };
    let row = &jury(&["a"], &[late])[0];
    assert_eq!(row.total_time, RelTime::default());
    assert_eq!(row.last, Some(RelTime::from_millis(59_990)));
}

#[test]
fn compile_errors_cost_nothing_unless_they_count() {
    let free = jury(&["a"], &[at(0, 0, 1, CE), at(0, 0, 2, AC)]);
    assert_eq!(
        (free[0].cells[0].judged, free[0].total_time),
        (1, RelTime::from_minutes(2))
    );
    let counted = AttemptResult { counts: true, ..CE };
    let costly = jury(&["a"], &[at(0, 0, 1, counted), at(0, 0, 2, AC)]);
    assert_eq!(
        (costly[0].cells[0].judged, costly[0].total_time),
        (2, RelTime::from_minutes(22))
    );
}

#[test]
fn submissions_outside_the_contest_do_not_count() {
    let attempts = [
        at(0, 0, -1, AC),
        at(0, 0, 300, AC),
        at(0, 1, 299, AC),
        at(7, 0, 1, AC),
        at(0, 9, 1, AC),
    ];
    let rows = jury(&["a"], &attempts);
    assert_eq!(rows.len(), 1);
    assert_eq!((rows[0].solved, rows[0].cells[0]), (1, Cell::default()));
}

#[test]
fn ties_share_a_rank_and_are_ordered_by_name() {
    let attempts = [at(0, 0, 10, AC), at(1, 1, 10, AC), at(2, 0, 9, AC)];
    let rows = jury(&["beta", "Alpha", "gamma", "delta"], &attempts);
    let order: Vec<(usize, u64)> = rows.iter().map(|row| (row.team, row.rank)).collect();
    assert_eq!(order, [(2, 1), (1, 2), (0, 2), (3, 4)]);
}

#[test]
fn the_last_accepted_submission_decides_equal_penalties() {
    // 30 + 10 and 20 + 20 minutes.
    let attempts = [
        at(0, 0, 30, AC),
        at(0, 1, 10, AC),
        at(1, 0, 20, AC),
        at(1, 1, 20, AC),
    ];
    let rows = jury(&["a", "b"], &attempts);
    assert_eq!((rows[0].team, rows[0].rank, rows[1].rank), (1, 1, 2));
}

#[test]
fn an_open_submission_is_pending_and_its_verdict_counts_when_it_comes() {
    let open = jury(
        &["a"],
        &[at(0, 0, 5, None), at(0, 0, 10, AC), at(0, 0, 11, None)],
    );
    let cell = open[0].cells[0];
    assert_eq!((cell.pending, cell.judged, cell.solved), (1, 1, true));
    let rejudged = jury(
        &["a"],
        &[at(0, 0, 5, AC), at(0, 0, 10, AC), at(0, 0, 11, None)],
    );
    assert_eq!(rejudged[0].total_time, RelTime::from_minutes(5));
    assert_eq!(rejudged[0].cells[0].pending, 0);
}

#[test]
fn first_to_solve_waits_for_earlier_submissions() {
    let solved = [
        at(0, 0, 10, AC),
        at(1, 0, 11, AC),
        at(1, 1, 12, AC),
        at(0, 1, 12, AC),
    ];
    let firsts = |attempts: &[Attempt]| -> Vec<(usize, usize)> {
        let rows = jury(&["a", "b", "c"], attempts);
        let mut firsts = Vec::new();
        for row in &rows {
            let first = |(problem, cell): (usize, &Cell)| {
                cell.first_to_solve.then_some((row.team, problem))
            };
            firsts.extend(row.cells.iter().enumerate().filter_map(first));
        }
        firsts.sort_unstable();
        firsts
    };
    // Two teams at the same millisecond are both first.
    assert_eq!(firsts(&solved), [(0, 0), (0, 1), (1, 1)]);
    let mut open = solved.to_vec();
    open.push(at(2, 0, 9, None));
    assert_eq!(firsts(&open), [(0, 1), (1, 1)]);
    *open.last_mut().unwrap() = at(2, 0, 9, WA);
    assert_eq!(firsts(&open), [(0, 0), (0, 1), (1, 1)]);
}

#[test]
fn the_frozen_board_hides_results_of_the_freeze() {
    let attempts = [
        at(0, 0, 239, WA),
        at(0, 0, 240, AC),
        at(0, 0, 250, WA),
        at(0, 1, 1, AC),
        at(0, 1, 250, WA),
    ];
    let row = &scoreboard(&icpc(), &["a"], 2, &attempts, View::Frozen)[0];
    assert_eq!(
        (row.solved, row.cells[0].judged, row.cells[0].pending),
        (1, 1, 2)
    );
    assert_eq!(row.cells[1].pending, 0);
    assert_eq!(jury(&["a"], &attempts)[0].solved, 2);
}

#[test]
fn points_are_the_sum_of_the_best_scores() {
    let attempts = [
        at(0, 0, 10, scored(30.0)),
        at(0, 0, 20, scored(20.0)),
        at(0, 1, 30, scored(0.5)),
        at(1, 0, 31, scored(30.5)),
        at(1, 0, 32, scored(f64::NAN)),
    ];
    let rows = scoreboard(&points(), &["a", "b"], 2, &attempts, View::Jury);
    assert_eq!(
        (rows[0].team, rows[0].score, rows[0].last),
        (0, 30.5, Some(RelTime::from_minutes(30)))
    );
    assert_eq!((rows[1].team, rows[1].score, rows[1].rank), (1, 30.5, 2));
    assert_eq!(rows[0].cells[0].judged, 2);
}

#[test]
fn rows_of_the_contest_api() {
    let ids =
        |names: &[&str]| -> Vec<Id> { names.iter().map(|name| Id::new(*name).unwrap()).collect() };
    let attempts = [at(0, 0, 10, WA), at(0, 0, 20, AC), at(0, 1, 30, None)];
    let rows = jury(&["a", "b"], &attempts);
    let rows = api_rows(
        icpc().scoring,
        &rows,
        &ids(&["t1", "t2"]),
        &ids(&["p", "q"]),
    );
    assert_eq!(
        serde_json::to_value(rows).unwrap(),
        json!([
            {"rank": 1, "team_id": "t1",
             "score": {"num_solved": 1, "total_time": "0:40:00.000", "time": "0:20:00.000"},
             "problems": [
                {"problem_id": "p", "num_judged": 2, "num_pending": 0, "solved": true,
                 "time": "0:20:00.000"},
                {"problem_id": "q", "num_judged": 0, "num_pending": 1, "solved": false}]},
            {"rank": 2, "team_id": "t2",
             "score": {"num_solved": 0, "total_time": "0:00:00.000", "time": null},
             "problems": [
                {"problem_id": "p", "num_judged": 0, "num_pending": 0, "solved": false},
                {"problem_id": "q", "num_judged": 0, "num_pending": 0, "solved": false}]}
        ])
    );
    let rows = scoreboard(
        &points(),
        &["a"],
        1,
        &[at(0, 0, 1, scored(2.0))],
        View::Jury,
    );
    let rows = api_rows(Scoring::Points, &rows, &ids(&["t"]), &ids(&["p"]));
    assert_eq!(
        serde_json::to_value(rows).unwrap(),
        json!([{"rank": 1, "team_id": "t", "score": {"score": 2.0, "time": "0:01:00.000"},
            "problems": [{"problem_id": "p", "num_judged": 1, "num_pending": 0, "score": 2.0,
                "time": "0:01:00.000"}]}])
    );
}

fn attempts() -> impl Strategy<Value = Vec<Attempt>> {
    let result = prop_oneof![
        1 => Just(None),
        2 => Just(Some(AC)),
        2 => Just(Some(WA)),
        1 => Just(Some(CE)),
        2 => (0..5_u8).prop_map(|score| Some(scored(f64::from(score)))),
    ];
    let attempt = (0..4_usize, 0..3_usize, -5_i64..310, result)
        .prop_map(|(team, problem, minute, result)| at(team, problem, minute, result));
    prop::collection::vec(attempt, 0..60)
}

proptest! {
    /// The frozen board is the jury's board of the submissions before the freeze, plus pending ones.
    #[test]
    fn frozen_board_is_that_before_the_freeze_plus_pending(attempts in attempts(), by_points: bool) {
        let rules = if by_points { points() } else { icpc() };
        let freeze = rules.freeze.unwrap();
        let names = ["a", "b", "b", "C"];
        let frozen = scoreboard(&rules, &names, 3, &attempts, View::Frozen);
        let (before, during): (Vec<Attempt>, Vec<Attempt>) =
            attempts.iter().partition(|attempt| attempt.time < freeze);
        let mut expected = scoreboard(&rules, &names, 3, &before, View::Jury);
        for row in &mut expected {
            for (problem, cell) in row.cells.iter_mut().enumerate() {
                let here = |attempt: &&Attempt| {
                    attempt.team == row.team
                        && attempt.problem == problem
                        && attempt.time < rules.duration
                };
                if by_points || !cell.solved {
                    cell.pending += during.iter().filter(here).count() as u64;
                }
            }
        }
        prop_assert_eq!(frozen, expected);
    }

    /// Every team has one row, better rows come first, and the order of submissions of different
    /// times does not matter.
    #[test]
    fn order_is_total_and_stable(mut attempts in attempts(), by_points: bool) {
        let rules = if by_points { points() } else { icpc() };
        let names = ["same", "same", "Same", "other"];
        for (index, attempt) in attempts.iter_mut().enumerate() {
            attempt.time = attempt.time + RelTime::from_millis(index as i64);
        }
        let rows = scoreboard(&rules, &names, 3, &attempts, View::Jury);
        let mut teams: Vec<usize> = rows.iter().map(|row| row.team).collect();
        teams.sort_unstable();
        prop_assert_eq!(teams, [0, 1, 2, 3]);
        for (index, pair) in rows.windows(2).enumerate() {
            let (a, b) = (&pair[0], &pair[1]);
            prop_assert!(a.rank == b.rank || b.rank == index as u64 + 2);
            if by_points {
                prop_assert!(a.score >= b.score);
            } else {
                prop_assert!((b.solved, a.total_time) <= (a.solved, b.total_time) || a.solved > b.solved);
            }
        }
        attempts.reverse();
        prop_assert_eq!(scoreboard(&rules, &names, 3, &attempts, View::Jury), rows);
    }
}

//! Boards that are kept up to date equal those that are computed from the whole store.

use super::*;
use crate::queue::Priority;
use crate::store::{
    Contest, ContestProblem, Finished, Group, JudgingId, NewSubmission, NewUser, NewVersion,
    ProblemId, Recorded, Role, SourceFile, Started, Starter, SubmissionId, TeamId, UserId, now_ms,
};
use judge_core::verdict::Verdict;

const HOUR: i64 = 3_600_000;

struct Site {
    store: Store,
    boards: Boards,
    contest: ContestId,
    problems: Vec<ProblemId>,
    teams: Vec<TeamId>,
    user: UserId,
    _dir: tempfile::TempDir,
}

impl Site {
    fn new() -> Self {
        let dir = tempfile::tempdir().expect("a directory");
        let store = Store::open(&dir.path().join("judge.sqlite")).expect("it opens");
        let problem = |ext: &str| {
            let version = NewVersion {
                ext: ext.to_owned(),
                tree: ext.to_owned(),
                name: ext.to_owned(),
                format: "ICPC".to_owned(),
                time_limit_s: Some(1.0),
                memory_limit: 1 << 20,
                code_limit: None,
                scoring: false,
                languages: None,
                cases: vec!["1".to_owned()],
                samples: Vec::new(),
                groups: Vec::new(),
            };
            store.put_version(&version).expect("a problem").0
        };
        let problems: Vec<ProblemId> = ["a", "b"].map(problem).into();
        let team = |ext: &str| store.put_team(&team(ext, false)).expect("a team");
        let teams: Vec<TeamId> = ["t0", "t1", "t2"].map(team).into();
        let user = NewUser {
            ext: "u".to_owned(),
            name: "u".to_owned(),
            display_name: None,
            role: Role::Admin,
            team: None,
            password_hash: None,
        };
        let contest = store.put_contest(&contest(None)).expect("a contest");
        let listed = |(&problem, label): (&ProblemId, &str)| ContestProblem {
            problem,
            label: label.to_owned(),
            ..ContestProblem::default()
        };
        let listed: Vec<ContestProblem> = problems.iter().zip(["A", "B"]).map(listed).collect();
        let set = store.set_contest_problems(contest, &listed);
        set.and_then(|()| store.set_contest_teams(contest, &teams))
            .expect("they are set");
        Site {
            user: store.put_user(&user).expect("a user"),
            store,
            boards: Boards::default(),
            contest,
            problems,
            teams,
            _dir: dir,
        }
    }

    fn submit(&self, team: usize, problem: usize) -> (SubmissionId, JudgingId) {
        let new = NewSubmission {
            contest: Some(self.contest),
            problem: self.problems[problem],
            user: self.user,
            team: Some(self.teams[team]),
            language: "cpp".to_owned(),
            entry_point: None,
            files: vec![SourceFile {
                name: "a.cpp".to_owned(),
                blob: "0".repeat(64),
                bytes: 1,
            }],
            priority: Priority::Contest,
            id: None,
            time_ms: None,
        };
        self.store.submit(&new).expect("a submission")
    }

    fn judge(&self, judging: JudgingId, verdict: &str) {
        let by = Starter {
            machine: "m",
            machine_class: "c",
            judge: "1",
        };
        let started = self.store.start_judging(judging, &by).expect("it starts");
        let Started::Work { attempt, .. } = started else {
            panic!("{started:?}");
        };
        let finished = Recorded::Finished(Finished::new(
            Verdict::from_code(verdict).expect("a verdict"),
        ));
        let recorded = self.store.record(&[(judging, attempt, finished)]);
        assert_eq!(recorded.expect("it is recorded"), [true]);
    }

    /// The number of solved problems of each team that spectators see, by rank. Compares the kept boards with new ones.
    fn solved(&self) -> Vec<(String, u64)> {
        let now = now_ms();
        let board = |audience| {
            let board = self.boards.board(&self.store, self.contest, audience, now);
            let kept = board.expect("a board");
            let again = self.boards.board(&self.store, self.contest, audience, now);
            assert!(Arc::ptr_eq(&kept, &again.expect("a board")), "it is kept");
            let read = Results::read(&self.store, self.contest).expect("results");
            let fresh = { read }.board(audience, now);
            assert_eq!(kept.rows, fresh.rows, "{audience:?}");
            assert_eq!(kept.problems, fresh.problems);
            kept
        };
        board(Audience::Jury);
        let board = board(Audience::Spectators);
        let name = |row: &Row| (board.teams[row.team].ext.clone(), row.solved);
        board.rows.iter().map(name).collect()
    }

    /// The number of submissions of a team whose results spectators do not know.
    fn pending(&self, team: &str) -> u64 {
        let board = self
            .boards
            .board(&self.store, self.contest, Audience::Spectators, now_ms());
        let board = board.expect("a board");
        let own = |row: &&Row| board.teams[row.team].ext == team;
        let row = board.rows.iter().find(own).expect("a team");
        row.cells.iter().map(|cell| cell.pending).sum()
    }
}

fn team(ext: &str, hidden: bool) -> Team {
    Team {
        ext: ext.to_owned(),
        name: ext.to_owned(),
        hidden,
        ..Team::default()
    }
}

fn contest(freeze_ms: Option<i64>) -> Contest {
    Contest {
        ext: "c".to_owned(),
        name: "C".to_owned(),
        start_ms: Some(now_ms() - HOUR),
        duration_ms: 5 * HOUR,
        freeze_ms,
        penalty_ms: 20 * 60_000,
        public: true,
        ..Contest::default()
    }
}

fn seen(rows: &[(&str, u64)]) -> Vec<(String, u64)> {
    let row = |(ext, solved): &(&str, u64)| ((*ext).to_owned(), *solved);
    rows.iter().map(row).collect()
}

#[test]
fn changes_of_results_and_configuration_are_noticed() {
    let site = Site::new();
    assert_eq!(site.solved(), seen(&[("t0", 0), ("t1", 0), ("t2", 0)]));
    let (first, judging) = site.submit(1, 0);
    assert_eq!(site.solved(), seen(&[("t0", 0), ("t1", 0), ("t2", 0)]));
    site.judge(judging, "AC");
    assert_eq!(site.solved(), seen(&[("t1", 1), ("t0", 0), ("t2", 0)]));
    let (_, failed) = site.submit(2, 1);
    assert_eq!(site.pending("t2"), 1);
    site.judge(failed, "JE");
    assert_eq!(site.pending("t2"), 1, "a judging error is no result");
    assert_eq!(site.solved(), seen(&[("t1", 1), ("t0", 0), ("t2", 0)]));
    site.store.reopen_judging(failed).expect("it is opened");
    site.judge(failed, "AC");
    assert_eq!(site.solved(), seen(&[("t1", 1), ("t2", 1), ("t0", 0)]));

    let (rejudging, again) = site
        .store
        .add_rejudging("why", None, &[first])
        .expect("it is added");
    site.judge(again[0], "WA");
    assert_eq!(site.solved(), seen(&[("t1", 1), ("t2", 1), ("t0", 0)]));
    site.store
        .apply_rejudging(rejudging)
        .expect("it is applied");
    assert_eq!(site.solved(), seen(&[("t2", 1), ("t0", 0), ("t1", 0)]));

    site.store
        .put_team(&team("t2", true))
        .expect("it is hidden");
    assert_eq!(site.solved(), seen(&[("t0", 0), ("t1", 0)]));
    site.store
        .put_team(&team("t2", false))
        .expect("it is shown");
    assert_eq!(site.solved(), seen(&[("t2", 1), ("t0", 0), ("t1", 0)]));
    site.store
        .put_contest(&contest(Some(5 * HOUR)))
        .expect("it freezes");
    assert_eq!(site.solved(), seen(&[("t0", 0), ("t1", 0), ("t2", 0)]));
}

#[test]
fn another_store_of_the_same_file_is_noticed() {
    let site = Site::new();
    assert_eq!(site.solved(), seen(&[("t0", 0), ("t1", 0), ("t2", 0)]));
    let other = Store::open(site.store.path()).expect("it opens");
    other.put_team(&team("t0", true)).expect("it is hidden");
    assert_eq!(site.solved(), seen(&[("t1", 0), ("t2", 0)]));
}

#[test]
fn rows_of_a_group_have_ranks_of_their_own() {
    let site = Site::new();
    let group = site.store.put_group(&Group {
        ext: "g".to_owned(),
        name: "G".to_owned(),
        ..Default::default()
    });
    let group = group.expect("a group");
    for ext in ["t0", "t2"] {
        let member = Team {
            groups: vec![group],
            ..team(ext, false)
        };
        site.store.put_team(&member).expect("a member");
    }
    for (team, problem) in [(1, 0), (1, 1), (2, 0)] {
        site.judge(site.submit(team, problem).1, "AC");
    }
    assert_eq!(site.solved(), seen(&[("t1", 2), ("t2", 1), ("t0", 0)]));
    let board = site
        .boards
        .board(&site.store, site.contest, Audience::Spectators, now_ms())
        .expect("a board");
    let rows = board.rows_of(group);
    let ranks: Vec<(&str, u64)> = rows
        .iter()
        .map(|row| (board.teams[row.team].ext.as_str(), row.rank))
        .collect();
    assert_eq!(ranks, [("t2", 1), ("t0", 2)]);
}

//! A contest that is under way.

use super::server::Data;
use judge_server::store::{
    Contest, ContestId, ContestProblem, Problem, Scoring, Team, TeamId, now_ms,
};

impl Data {
    /// Adds the contest `c` with all problems (A, B and so on) and the team `t`; it began a minute ago.
    pub fn contest(&self) -> (ContestId, TeamId) {
        // Takes the snapshots of the packages.
        assert!(self.serve().stop().success());
        let store = self.store();
        let team = store
            .put_team(&Team {
                id: TeamId(0),
                ext: "t".to_owned(),
                name: "Team".to_owned(),
                display_name: None,
                label: None,
                organization: None,
                groups: Vec::new(),
                hidden: false,
            })
            .expect("a team");
        let contest = store
            .put_contest(&Contest {
                id: ContestId(0),
                ext: "c".to_owned(),
                name: "Contest".to_owned(),
                formal_name: None,
                start_ms: Some(now_ms() - 60_000),
                countdown_pause_ms: None,
                duration_ms: 5 * 3_600_000,
                freeze_ms: None,
                thawed_ms: None,
                finalized_ms: None,
                end_of_updates_ms: None,
                scoring: Scoring::Icpc,
                penalty_ms: 20 * 60_000,
                public: true,
                feedback: None,
            })
            .expect("a contest");
        let label = |(problem, label): (Problem, char)| ContestProblem {
            problem: problem.id,
            ext: problem.ext,
            name: problem.version.name,
            label: label.to_string(),
            rgb: None,
            color: None,
        };
        let problems = store.problems().expect("read");
        let problems: Vec<_> = problems.into_iter().zip('A'..).map(label).collect();
        store
            .set_contest_problems(contest, &problems)
            .expect("problems");
        store.set_contest_teams(contest, &[team]).expect("teams");
        (contest, team)
    }
}

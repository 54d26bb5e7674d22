//! A contest that is under way.

use super::form::multipart;
use super::rows::{labelled, new_contest, new_team};
use super::server::Data;
use judge_server::store::{ContestId, Problem, TeamId, now_ms};
use ureq::Agent;

impl Data {
    /// Adds the contest `c` with all problems (A, B and so on) and the team `t`; it began a minute ago.
    pub fn contest(&self) -> (ContestId, TeamId) {
        let (contest, teams) = self.contest_of(&["t".to_owned()]);
        (contest, teams[0])
    }

    /// The same with teams of these names.
    pub fn contest_of(&self, names: &[String]) -> (ContestId, Vec<TeamId>) {
        self.add_packages();
        let store = self.store();
        let team = |name: &String| {
            let team = new_team(name, &format!("Team {name}"));
            store.put_team(&team).expect("a team")
        };
        let teams: Vec<TeamId> = names.iter().map(team).collect();
        let contest = new_contest("c", "Contest", now_ms() - 60_000);
        let contest = store.put_contest(&contest).expect("a contest");
        let problems = store.problems().expect("read");
        let label = |(problem, label): (&Problem, char)| labelled(problem.id, &label.to_string());
        let problems: Vec<_> = problems.iter().zip('A'..).map(label).collect();
        store
            .set_contest_problems(contest, &problems)
            .expect("problems");
        store.set_contest_teams(contest, &teams).expect("teams");
        (contest, teams)
    }
}

/// A program for a problem of the contest `c`.
pub struct Entry<'e> {
    /// The token of the user.
    pub user: &'e str,
    pub problem: &'e str,
    pub language: &'e str,
    pub file: &'e str,
    pub source: &'e str,
}

impl Entry<'_> {
    /// Submits it; the number if the server acknowledged it. A server that is killed does not, and
    /// one that has had too many of the user refuses.
    pub fn submit(&self, agent: &Agent, address: &str) -> Option<i64> {
        let fields = [("problem", self.problem), ("language", self.language)];
        let files = [("code[]", self.file, self.source.as_bytes())];
        let (kind, body) = multipart(&fields, &files);
        let answer = agent
            .post(format!("{address}/api/contests/c/submissions"))
            .header("Authorization", format!("Bearer {}", self.user))
            .content_type(kind)
            .send(&body)
            .ok()?;
        let status = answer.status();
        let text = answer.into_body().read_to_string().ok()?;
        let too_many = status == 429;
        assert!(status.is_success() || too_many, "{status}: {text}");
        let sent: serde_json::Value = serde_json::from_str(&text).ok()?;
        sent["id"].as_str()?.parse().ok()
    }
}

//! Time to compute the scoreboard of 2,000 teams over 13 problems from 100,000 submissions.
//!
//! `cargo bench -p judge-server --bench scoreboard`

use judge_server::contest_api::RelTime;
use judge_server::scoreboard::{Attempt, AttemptResult, Rules, Scoring, View, scoreboard};
use std::hint::black_box;
use std::time::{Duration, Instant};

const TEAMS: usize = 2_000;
const PROBLEMS: usize = 13;
const ATTEMPTS: usize = 100_000;
const ROUNDS: usize = 51;

fn main() {
    let rules = Rules {
        scoring: Scoring::PassFail {
            penalty: RelTime::from_minutes(20),
        },
        duration: RelTime::from_minutes(300),
        freeze: Some(RelTime::from_minutes(240)),
    };
    let names: Vec<String> = (0..TEAMS).map(|team| format!("Team {team}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut state = 1_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below as u64).unwrap_or_default()
    };
    let attempts: Vec<Attempt> = (0..ATTEMPTS)
        .map(|index| Attempt {
            team: random(TEAMS),
            problem: random(PROBLEMS),
            time: RelTime::from_millis((index * 18_000_000 / ATTEMPTS) as i64),
            result: Some(AttemptResult {
                solved: random(3) == 0,
                counts: random(10) > 0,
                score: 0.0,
            }),
        })
        .collect();
    for view in [View::Jury, View::Frozen] {
        let mut times: Vec<Duration> = (0..ROUNDS)
            .map(|_| {
                let start = Instant::now();
                black_box(scoreboard(
                    &rules,
                    &names,
                    PROBLEMS,
                    black_box(&attempts),
                    view,
                ));
                start.elapsed()
            })
            .collect();
        times.sort();
        println!(
            "{view:?}: median {:.2} ms, maximum {:.2} ms ({TEAMS} teams, {PROBLEMS} problems, {ATTEMPTS} submissions)",
            times[ROUNDS / 2].as_secs_f64() * 1e3,
            times[ROUNDS - 1].as_secs_f64() * 1e3,
        );
    }
}

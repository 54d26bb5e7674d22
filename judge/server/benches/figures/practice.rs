//! Submissions for practice.

use crate::common::Server;
use judge_core::verdict::Verdict;
use judge_server::store::{Judging, JudgingState, Store, SubmissionId};
use serde_json::{Value, json};
use std::time::Duration;
use ureq::Agent;

/// Submits a program in C++ to a problem, as the user with this token.
pub fn send(server: &Server<'_>, user: &str, problem: &str, source: &str) -> SubmissionId {
    let data = base64::Engine::encode(&base64::prelude::BASE64_STANDARD, source);
    let body = json!({
        "problem": problem, "language": "cpp",
        "files": [{"name": "a.cpp", "data": data}],
    });
    let mut answer = Agent::new_with_defaults()
        .post(format!("{}/api/practice/submissions", server.address))
        .header("Authorization", format!("Bearer {user}"))
        .header("Content-Type", "application/json")
        .send(body.to_string())
        .expect("it is accepted");
    let text = answer.body_mut().read_to_string().expect("text");
    let answer: Value = serde_json::from_str(&text).expect("JSON");
    let id = answer["id"].as_str().and_then(|id| id.parse().ok());
    SubmissionId(id.expect("an id"))
}

/// Waits for the verdict, which must be AC, and looks for it at this interval.
pub fn finished(store: &Store, id: SubmissionId, interval: Duration) -> Judging {
    loop {
        let judging = store.valid_judging(id).expect("a judging");
        if judging.state == JudgingState::Done {
            assert_eq!(judging.verdict, Some(Verdict::Accepted), "{judging:?}");
            return judging;
        }
        std::thread::sleep(interval);
    }
}

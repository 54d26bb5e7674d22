//! `/metrics` and the log.

use super::{RIGHT, WRONG, agent, get};
use crate::common::{Data, sum};
use judge_server::store::Role;

#[test]
fn metrics_count_for_admins_and_this_machine_only() {
    let data = Data::new(&[sum("sum")]);
    data.user_with_token("team", Role::Team, None);
    data.user_with_token("boss", Role::Admin, None);
    let server = data.serve();
    let admin = server.admin();
    let submissions = [RIGHT, WRONG].map(|program| admin.submit("sum", "a.py", program));
    for id in submissions {
        server.judged(id);
    }
    let live = format!("/submissions/{}/live", submissions[0]);
    assert!(admin.events(&live).last().is_some());
    // This test is a process of this machine.
    let text = || admin.page("/metrics");
    // The unit leaves the queue after its verdict is written.
    while !text().contains("judge_queue_leased 0") {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let text = text();
    for line in [
        "judge_judged_total{verdict=\"AC\"} 1",
        "judge_judged_total{verdict=\"WA\"} 1",
        "judge_queue_waiting{priority=\"contest\"} 0",
        "judge_queue_parked 0",
        "judge_event_listeners 0",
        "judge_retries_total 0",
        "judge_requests_total{route=\"submit\",status=\"3xx\"} 2",
        "judge_request_seconds_count{route=\"submit\"} 2",
        "judge_requests_total{route=\"events\",status=\"2xx\"} 1",
        "# EOF",
    ] {
        assert!(text.lines().any(|own| own == line), "{line}\n{text}");
    }
    assert_eq!(get(&server.address, "/metrics", "team").status(), 200);
    // Requests through a proxy that the server does not know about are not those of this machine.
    for (user, expected) in [("team", 403), ("boss", 200)] {
        let request = agent().get(format!("{}/metrics", server.address));
        let answer = request
            .header("X-Forwarded-For", "127.0.0.1")
            .header("Authorization", format!("Bearer {user}"))
            .call()
            .expect("an answer");
        assert_eq!(answer.status(), expected, "{user}");
    }
}

#[test]
fn the_log_is_json_if_asked() {
    let data = Data::new(&[sum("sum")]);
    let server = data.serve_with(&["--log-format", "json"]);
    let id = server.admin().submit("sum", "a.py", RIGHT);
    server.judged(id);
    assert!(server.stop().success());
    let log = data.log();
    let lines: Vec<serde_json::Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}")))
        .collect();
    let judged = lines.iter().find(|line| line["message"] == "judged");
    let judged = judged.unwrap_or_else(|| panic!("it was judged: {log}"));
    assert_eq!(judged["verdict"], "AC");
    assert_eq!(judged["submission"], id.0);
}

//! Each object of the Contest API in JSON: what the specification's schema requires is there, and
//! what it gives as an example is read and written back.

use judge_server::contest_api::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Reads `value` as a `T` and compares the JSON that is written for it.
#[track_caller]
fn round_trip<T: Serialize + DeserializeOwned>(value: &Value) {
    let object: T = serde_json::from_value(value.clone()).unwrap();
    assert_eq!(&serde_json::to_value(object).unwrap(), value);
}

/// Checks that reading fails without any of `required`.
#[track_caller]
fn requires<T: DeserializeOwned>(value: &Value, required: &[&str]) {
    for name in required {
        let mut value = value.clone();
        value.as_object_mut().unwrap().remove(*name).unwrap();
        assert!(serde_json::from_value::<T>(value).is_err(), "{name}");
    }
}

const TIME: &str = "2014-06-25T10:22:05.034+00:00";
const CONTEST_TIME: &str = "1:22:05.034";

#[test]
fn information_and_access() {
    round_trip::<ApiInformation>(&json!({
        "version": "2026-01", "version_url": ApiVersion::NEWEST.url(),
        "provider": {"name": "judge", "version": "0.1.0"}
    }));
    round_trip::<Access>(&json!({
        "capabilities": ["contest_start", "contest_thaw", "team_submit", "post_clar", "post_comment",
            "proxy_submit", "proxy_clar", "admin_submit", "admin_clar"],
        "endpoints": [
            {"type": "contest", "properties": ["id", "location.latitude"]},
            {"type": "judgement-types", "properties": ["id"]},
            {"type": "commentary", "properties": ["id"]},
        ]
    }));
}

#[test]
fn contest() {
    let contest = json!({
        "id": "wf2014", "name": "2014 ICPC World Finals", "duration": "5:00:00.000",
        "start_time": "2014-06-25T09:00:00.000+00:00",
        "scoreboard_freeze_duration": "1:00:00.000", "scoreboard_type": "pass-fail",
        "penalty_time": "0:20:00.000"
    });
    round_trip::<Contest>(&contest);
    requires::<Contest>(&contest, &["id", "name", "duration", "scoreboard_type"]);
    let paused: Contest = serde_json::from_value(json!({
        "id": "dress", "name": "Dress", "start_time": null, "countdown_pause_time": "0:03:38.749",
        "duration": "2:30:00", "scoreboard_type": "score"
    }))
    .unwrap();
    let written = serde_json::to_value(&paused).unwrap();
    // The schema forbids both times at once, and a penalty where points count.
    assert_eq!(written.get("start_time"), None);
    assert_eq!(written.get("penalty_time"), None);
    assert_eq!(written["scoreboard_type"], "score");
    assert_eq!(written["countdown_pause_time"], "0:03:38.749");
}

#[test]
fn judgement_types_languages_and_problems() {
    let verdict = json!({"id": "WA", "name": "wrong answer", "penalty": true, "solved": false});
    round_trip::<JudgementType>(&verdict);
    requires::<JudgementType>(&verdict, &["id", "name", "solved"]);
    let java = json!({
        "id": "java", "name": "Java", "entry_point_required": true,
        "entry_point_name": "Main class", "extensions": ["java"]
    });
    round_trip::<Language>(&java);
    requires::<Language>(&java, &["id", "name", "entry_point_required", "extensions"]);
    let problem = json!({
        "id": "asteroids", "label": "A", "name": "Asteroid Rangers", "ordinal": 1,
        "color": "blue", "rgb": "#00f", "time_limit": 3.5, "memory_limit": 2048,
        "code_limit": 128, "test_data_count": 10, "max_score": 100.0,
        "statement": [{"href": "contests/wf14/problems/asteroids/statement",
            "mime": "application/pdf", "filename": "A.pdf"}]
    });
    round_trip::<Problem>(&problem);
    requires::<Problem>(
        &problem,
        &["id", "label", "name", "ordinal", "test_data_count"],
    );
}

#[test]
fn people() {
    round_trip::<Group>(&json!({"id": "asia", "name": "Asia"}));
    round_trip::<Organization>(&json!({
        "id": "inst123", "name": "Shanghai Jiao Tong U.",
        "formal_name": "Shanghai Jiao Tong University", "country": "CHN"
    }));
    let team = json!({
        "id": "11", "name": "Shanghai Tigers", "label": "11",
        "display_name": "Tigers", "organization_id": "inst123", "group_ids": ["asia"]
    });
    round_trip::<Team>(&team);
    requires::<Team>(&team, &["id", "name", "label"]);
    let person = json!({"id": "p", "team_ids": ["11"], "name": "John", "role": "contestant"});
    round_trip::<Person>(&person);
    requires::<Person>(&person, &["id", "name", "role"]);
    let account = json!({"id": "team45", "username": "team45", "type": "team", "team_id": "45"});
    round_trip::<Account>(&account);
    requires::<Account>(&account, &["id", "username"]);
}

#[test]
fn state_writes_null_for_times_to_come() {
    let state = json!({"started": TIME, "frozen": null, "ended": null, "thawed": null,
        "finalized": null, "end_of_updates": null});
    round_trip::<State>(&state);
    let read: State = serde_json::from_value(json!({"started": TIME})).unwrap();
    assert_eq!(read.ended.0, None);
}

#[test]
fn submissions_judgements_and_runs() {
    let submission = json!({
        "id": "187", "team_id": "123", "problem_id": "asteroids", "language_id": "java",
        "time": TIME, "contest_time": CONTEST_TIME, "entry_point": "Main",
        "files": [{"href": "contests/wf14/submissions/187/files", "filename": "files.zip",
            "mime": "application/zip"}]
    });
    round_trip::<Submission>(&submission);
    let required = [
        "id",
        "problem_id",
        "language_id",
        "time",
        "contest_time",
        "files",
    ];
    requires::<Submission>(&submission, &required);
    // The properties of a complete judgement are all present or all absent.
    let running = json!({"id": "1", "submission_id": "187", "start_time": TIME,
        "start_contest_time": CONTEST_TIME});
    round_trip::<Judgement>(&running);
    requires::<Judgement>(
        &running,
        &["id", "submission_id", "start_time", "start_contest_time"],
    );
    round_trip::<Judgement>(&json!({
        "id": "1", "submission_id": "187", "judgement_type_id": "CE", "current": true,
        "score": 12.5, "start_time": TIME, "start_contest_time": CONTEST_TIME, "end_time": TIME,
        "end_contest_time": CONTEST_TIME, "max_run_time": 0.123
    }));
    let run = json!({"id": "1312", "judgement_id": "1", "ordinal": 28, "judgement_type_id": "TLE",
        "time": TIME, "contest_time": CONTEST_TIME, "run_time": 0.123});
    round_trip::<Run>(&run);
    requires::<Run>(
        &run,
        &["id", "judgement_id", "ordinal", "judgement_type_id", "time"],
    );
}

#[test]
fn clarifications_awards_and_commentary() {
    round_trip::<Clarification>(
        &json!({"id": "1", "from_team_id": "34", "problem_id": "asteroids",
        "text": "Can I?", "time": TIME, "contest_time": CONTEST_TIME}),
    );
    round_trip::<Clarification>(&json!({"id": "2", "to_team_ids": ["34"],
        "reply_to_id": "1", "text": "No.", "time": TIME, "contest_time": CONTEST_TIME}));
    round_trip::<Award>(&json!({"id": "winner", "citation": "Winner", "team_ids": []}));
    round_trip::<Award>(&json!({"id": "winner", "citation": "Winner"}));
    round_trip::<Commentary>(
        &json!({"id": "1", "time": TIME, "contest_time": CONTEST_TIME,
        "message": "{teams:1} solves {problems:a}", "tags": ["accepted"], "team_ids": ["1"]}),
    );
}

#[test]
fn scoreboard() {
    round_trip::<Scoreboard>(&json!({
        "time": TIME, "contest_time": CONTEST_TIME,
        "state": {"started": TIME, "frozen": null, "ended": null, "thawed": null,
            "finalized": null, "end_of_updates": null},
        "rows": [
            {"rank": 1, "team_id": "123",
             "score": {"num_solved": 1, "total_time": "0:40:00.000", "time": "0:20:00.000"},
             "problems": [
                {"problem_id": "1", "num_judged": 3, "num_pending": 1, "solved": false},
                {"problem_id": "2", "num_judged": 2, "num_pending": 0, "solved": true,
                 "time": "0:20:00.000"}]},
            {"rank": 2, "team_id": "4", "score": {"score": 12.5, "time": null}}
        ]
    }));
}

#[test]
fn notifications_write_the_identifier_and_the_data_even_if_null() {
    round_trip::<Notification>(&json!({"type": "teams", "id": "11", "data": null, "token": "5"}));
    round_trip::<Notification>(&json!({"type": "state", "id": null, "data": {"started": TIME}}));
    round_trip::<Notification>(&json!({"type": "judgement-types", "id": null, "data": []}));
    let error = ErrorBody {
        code: 403,
        message: "no".into(),
    };
    assert_eq!(
        serde_json::to_value(error).unwrap(),
        json!({"code": 403, "message": "no"})
    );
}

//! Objects of the newest version of the Contest API in the form of older versions.

use judge_server::contest_api::{ApiVersion, ObjectType, OlderFeed};
use serde_json::{Value, json};

use ApiVersion::{V2020_03, V2022_07, V2023_06, V2026_01};

/// An object with properties removed and others added.
fn changed(object: &Value, without: &[&str], with: &Value) -> Value {
    let mut object = object.clone();
    let own = object.as_object_mut().expect("an object");
    without
        .iter()
        .for_each(|name| drop(own.remove(*name).expect("it is there")));
    own.extend(with.as_object().expect("an object").clone());
    object
}

/// Checks the forms of an object in 2023-06, 2022-07 and 2020-03. `None`: the version does not have the object.
#[track_caller]
fn check(kind: ObjectType, newest: &Value, older: [Option<Value>; 3]) {
    let versions = [V2023_06, V2022_07, V2020_03];
    assert_eq!(V2026_01.object(kind, newest.clone()).as_ref(), Some(newest));
    for (version, expected) in versions.into_iter().zip(older) {
        let found = version.object(kind, newest.clone());
        assert_eq!(found, expected, "{version:?} {kind:?}");
    }
}

#[test]
fn configuration_by_version() {
    let contest = json!({
        "id": "c", "name": "Contest", "start_time": "2026-01-01T10:00:00.000+00:00", "duration": "5:00:00.000",
        "scoreboard_freeze_duration": "1:00:00.000", "scoreboard_thaw_time": "2026-01-01T16:00:00.000+00:00",
        "scoreboard_type": "pass-fail", "penalty_time": "0:20:00.000",
    });
    let of_2023 = changed(&contest, &[], &json!({"penalty_time": 20}));
    let of_2022 = changed(&of_2023, &["scoreboard_thaw_time"], &json!({}));
    let of_2020 = changed(&of_2022, &["scoreboard_type"], &json!({}));
    check(
        ObjectType::Contest,
        &contest,
        [of_2023, of_2022, of_2020].map(Some),
    );

    let verdict = json!({"id": "WA", "name": "Wrong answer", "penalty": true, "solved": false});
    let same = || [(); 3].map(|()| Some(verdict.clone()));
    check(ObjectType::JudgementTypes, &verdict, same());

    let language = json!({
        "id": "cpp", "name": "C++", "entry_point_required": false, "extensions": ["cpp"],
        "compiler": {"command": "g++", "args": "{files}"}, "runner": {"command": "run"},
    });
    let short = json!({"id": "cpp", "name": "C++"});
    check(
        ObjectType::Languages,
        &language,
        [Some(language.clone()), Some(language.clone()), Some(short)],
    );

    let problem = json!({
        "id": "sum", "label": "A", "name": "Sum", "ordinal": 1, "rgb": "#fff", "color": "white", "time_limit": 1.5,
        "memory_limit": 2048, "code_limit": 128, "test_data_count": 10, "max_score": 100.0,
        "statement": [{"href": "contests/c/problems/sum/statement", "mime": "application/pdf", "filename": "A.pdf"}],
        "attachments": [{"href": "contests/c/problems/sum/attachments/t.py", "mime": "text/plain", "filename": "t.py"}],
    });
    let of_2022 = changed(
        &problem,
        &["memory_limit", "code_limit", "attachments"],
        &json!({}),
    );
    let of_2020 = changed(&of_2022, &["max_score", "statement"], &json!({}));
    check(
        ObjectType::Problems,
        &problem,
        [of_2022.clone(), of_2022, of_2020].map(Some),
    );
}

#[test]
fn people_by_version() {
    let group = json!({"id": "g", "name": "Guests"});
    let same = || [(); 3].map(|()| Some(group.clone()));
    check(ObjectType::Groups, &group, same());

    let organization = json!({
        "id": "o", "name": "O", "country": "DEU",
        "logo": [{"href": "contests/c/organizations/o/logo", "mime": "image/png", "filename": "logo.png",
            "width": 56, "height": 56}],
    });
    let logo = json!([{"href": "contests/c/organizations/o/logo", "mime": "image/png", "width": 56, "height": 56}]);
    let of_2020 = changed(&organization, &[], &json!({ "logo": logo }));
    check(
        ObjectType::Organizations,
        &organization,
        [organization.clone(), organization.clone(), of_2020].map(Some),
    );

    let team = json!({"id": "t", "name": "T", "label": "17", "organization_id": "o", "group_ids": ["g"], "hidden": true});
    let of_2022 = changed(&team, &["label"], &json!({}));
    check(
        ObjectType::Teams,
        &team,
        [team.clone(), of_2022.clone(), of_2022].map(Some),
    );

    let person = json!({
        "id": "p", "team_ids": ["t", "u"], "name": "Ada Maria Lovelace", "title": "Dr.", "email": "a@example.org",
        "sex": "female", "role": "contestant",
    });
    let of_2022 = changed(&person, &["team_ids"], &json!({"team_id": "t"}));
    let names = json!({"first_name": "Ada Maria", "last_name": "Lovelace"});
    let of_2020 = changed(&of_2022, &["name", "title", "email"], &names);
    check(
        ObjectType::Persons,
        &person,
        [person.clone(), of_2022, of_2020].map(Some),
    );
    let staff = json!({"id": "p", "name": "Ada", "role": "staff"});
    check(
        ObjectType::Persons,
        &staff,
        [Some(staff.clone()), Some(staff.clone()), None],
    );

    let account = json!({"id": "a", "username": "a", "name": "Ann", "type": "admin"});
    let of_2022 = changed(&account, &["name"], &json!({}));
    check(
        ObjectType::Accounts,
        &account,
        [Some(account.clone()), Some(of_2022), None],
    );
}

#[test]
fn live_data_by_version() {
    let time = "2026-01-01T10:00:00.000+00:00";
    let state = json!({"started": time, "frozen": null, "ended": null, "thawed": null, "finalized": null,
        "end_of_updates": null});
    check(
        ObjectType::State,
        &state,
        [(); 3].map(|()| Some(state.clone())),
    );

    let submission = json!({
        "id": "7", "language_id": "cpp", "problem_id": "sum", "team_id": "t", "time": time, "contest_time": "0:01:00.000",
        "entry_point": null,
        "files": [{"href": "contests/c/submissions/7/files", "filename": "files.zip", "mime": "application/zip"}],
    });
    let files = json!([{"href": "contests/c/submissions/7/files", "mime": "application/zip"}]);
    let of_2020 = changed(&submission, &[], &json!({ "files": files }));
    check(
        ObjectType::Submissions,
        &submission,
        [submission.clone(), submission.clone(), of_2020].map(Some),
    );

    let judgement = json!({
        "id": "9", "submission_id": "7", "judgement_type_id": "WA", "score": 30.0, "current": true, "start_time": time,
        "start_contest_time": "0:01:01.000", "end_time": time, "end_contest_time": "0:01:02.000", "max_run_time": 0.5,
    });
    let of_2022 = changed(&judgement, &["current"], &json!({}));
    let of_2020 = changed(&of_2022, &["score"], &json!({}));
    check(
        ObjectType::Judgements,
        &judgement,
        [of_2022.clone(), of_2022, of_2020].map(Some),
    );
    let replaced = changed(&judgement, &[], &json!({"current": false}));
    check(ObjectType::Judgements, &replaced, [None, None, None]);

    let run = json!({"id": "9-1", "judgement_id": "9", "ordinal": 1, "judgement_type_id": "WA", "time": time,
        "contest_time": "0:01:02.000", "run_time": 0.5});
    check(ObjectType::Runs, &run, [(); 3].map(|()| Some(run.clone())));

    let question = json!({"id": "1", "from_team_id": "t", "text": "?", "time": time, "contest_time": "0:02:00.000"});
    check(
        ObjectType::Clarifications,
        &question,
        [(); 3].map(|()| Some(question.clone())),
    );
    let answer = changed(
        &question,
        &["from_team_id"],
        &json!({"to_team_ids": ["t"], "reply_to_id": "1"}),
    );
    let older = changed(&answer, &["to_team_ids"], &json!({"to_team_id": "t"}));
    check(
        ObjectType::Clarifications,
        &answer,
        [(); 3].map(|()| Some(older.clone())),
    );

    let award = json!({"id": "winner", "citation": "Contest winner", "team_ids": ["t"]});
    check(
        ObjectType::Awards,
        &award,
        [(); 3].map(|()| Some(award.clone())),
    );

    let comment =
        json!({"id": "1", "time": time, "contest_time": "0:02:00.000", "message": "m", "tags": []});
    check(
        ObjectType::Commentary,
        &comment,
        [Some(comment.clone()), Some(comment.clone()), None],
    );
}

#[test]
fn scoreboards_by_version() {
    let board = |score: Value, problem: Value| {
        json!({
            "time": "2026-01-01T10:00:00.000+00:00", "contest_time": "1:00:00.000", "state": {},
            "rows": [{"rank": 1, "team_id": "t", "score": score, "problems": [problem]}],
        })
    };
    let score = json!({"num_solved": 1, "total_time": "0:40:00.000", "time": "0:20:59.999"});
    let problem = json!({"problem_id": "sum", "num_judged": 2, "num_pending": 0, "solved": true, "time": "0:20:59.999"});
    let problem_of_2023 = changed(&problem, &[], &json!({"time": 20}));
    let of_2023 = board(
        json!({"num_solved": 1, "total_time": 40, "time": 20}),
        problem_of_2023.clone(),
    );
    let of_2020 = board(json!({"num_solved": 1, "total_time": 40}), problem_of_2023);
    let newest = board(score, problem);
    check(
        ObjectType::Scoreboard,
        &newest,
        [of_2023.clone(), of_2023, of_2020].map(Some),
    );
    let unsolved = board(
        json!({"num_solved": 0, "total_time": "0:00:00.000", "time": null}),
        json!({"problem_id": "sum", "num_judged": 0, "num_pending": 1, "solved": false}),
    );
    let older = V2023_06
        .object(ObjectType::Scoreboard, unsolved)
        .expect("a board");
    assert_eq!(
        older["rows"][0]["score"],
        json!({"num_solved": 0, "total_time": 0, "time": null})
    );
}

#[test]
fn information_and_access_by_version() {
    let newest = json!({
        "version": "2026-01", "version_url": "https://ccs-specs.icpc.io/2026-01/contest_api",
        "provider": {"name": "judge", "version": "1"},
    });
    let of_2023 = V2023_06.information(newest.clone());
    assert_eq!(of_2023["version"], "2023-06");
    assert_eq!(
        of_2023["version_url"],
        "https://ccs-specs.icpc.io/2023-06/contest_api"
    );
    assert_eq!(of_2023["provider"], newest["provider"]);
    let of_2022 = V2022_07.information(newest);
    assert_eq!(
        (&of_2022["name"], of_2022.get("provider")),
        (&json!("judge"), None)
    );

    let access = json!({
        "capabilities": ["contest_start", "contest_thaw", "team_submit", "post_clar", "post_comment"],
        "endpoints": [
            {"type": "contest", "properties": ["id", "scoreboard_type", "penalty_time"]},
            {"type": "persons", "properties": ["id", "team_ids", "name", "role"]},
            {"type": "commentary", "properties": ["id"]},
        ],
    });
    let of_2022 = json!({
        "capabilities": ["contest_start", "team_submit", "team_clar"],
        "endpoints": [
            {"type": "contest", "properties": ["id", "scoreboard_type", "penalty_time"]},
            {"type": "persons", "properties": ["id", "team_id", "name", "role"]},
            {"type": "commentary", "properties": ["id"]},
        ],
    });
    assert_eq!(V2022_07.access(access.clone()), of_2022);
    let of_2020 = json!({
        "capabilities": ["contest_start", "team_submit", "team_clar"],
        "endpoints": [
            {"type": "contests", "properties": ["id", "penalty_time"]},
            {"type": "team-members", "properties": ["id", "team_id", "first_name", "last_name", "role"]},
        ],
    });
    assert_eq!(V2020_03.access(access.clone()), of_2020);
    let jury = json!({"capabilities": ["post_clar", "post_comment"], "endpoints": []});
    assert_eq!(
        V2023_06.access(jury),
        json!({"capabilities": [], "endpoints": []})
    );
    assert_eq!(V2026_01.access(access.clone()), access);
}

#[test]
fn events_by_version() {
    let event = |id: &str, data: Value, token: &str| json!({"type": "judgements", "id": id, "data": data, "token": token});
    let judgement = |current| json!({"id": "9", "submission_id": "7", "current": current});
    let newest = [
        event("9", judgement(true), "1"),
        event("9", judgement(true), "2"),
        // It is replaced, and then deleted.
        event("9", judgement(false), "3"),
        event("9", Value::Null, "4"),
        json!({"type": "commentary", "id": "1", "data": {"id": "1"}, "token": "5"}),
        json!({"type": "contest", "id": null, "data": {"id": "c"}, "token": "6"}),
    ];
    let all = |version| {
        let mut feed = OlderFeed::new(version);
        newest
            .iter()
            .filter_map(|event| feed.event(event))
            .collect::<Vec<_>>()
    };
    let object = json!({"id": "9", "submission_id": "7"});
    let of_2022 = [
        event("9", object.clone(), "1"),
        event("9", object.clone(), "2"),
        event("9", Value::Null, "3"),
        newest[4].clone(),
        newest[5].clone(),
    ];
    assert_eq!(all(V2022_07), of_2022);
    let older = |op: &str, data: &Value, id: &str| json!({"type": "judgements", "op": op, "id": id, "data": data});
    let of_2020 = [
        older("create", &object, "1"),
        older("update", &object, "2"),
        older("delete", &json!({"id": "9"}), "3"),
        json!({"type": "contests", "op": "create", "id": "6", "data": {"id": "c"}}),
    ];
    assert_eq!(all(V2020_03), of_2020);
}

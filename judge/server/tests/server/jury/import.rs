//! Importing a contest from files.

use super::site::{HOSTILE, Site};
use axum::http::StatusCode;
use judge_server::contest_package::{Source, read};
use judge_server::secret::is_password;
use judge_server::store::{Role, Scoring};

const CONTEST: &str = "id: wf\nname: Finals\nstart_time: 2030-01-02 10:00:00+01\nduration: 5:00:00\n\
                       scoreboard_freeze_duration: 1:00:00\npenalty_time: 15\n";
const PROBLEMS: &str = "[{\"id\": \"sum\", \"label\": \"A\", \"name\": \"Sum\", \"rgb\": \"#f00\", \"color\": \"red\"}]";
const GROUPS: &str = "groups\t1\n5\tEurope\n";
const TEAMS: &str = "teams\t1\n7\t1234\t5\tThe <b>team</b>\tA University\tAU\tDEU\tINST-1\n";
const ACCOUNTS: &str = "accounts\t1\nteam\tThe team\tteam-007\tsecret7\njudge\tA judge\tjudge1\n";

const ALL: [(&str, &str); 5] = [
    ("contest.yaml", CONTEST),
    ("problems.json", PROBLEMS),
    ("groups.tsv", GROUPS),
    ("teams.tsv", TEAMS),
    ("accounts.tsv", ACCOUNTS),
];

#[tokio::test]
async fn a_contest_package_is_imported() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let files = ALL.map(|(name, text)| (name, text.as_bytes()));
    // Twice: the second time replaces.
    for _ in 0..2 {
        let answer = site.upload(&admin, "/jury/import", &files).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
        assert!(
            answer.body.contains("secret7") && answer.body.contains("2 accounts"),
            "{}",
            answer.body
        );
    }
    let store = &site.app.store;
    let contest = store
        .contest_by_ext("wf")
        .expect("the store works")
        .expect("a contest");
    assert_eq!(contest.start_ms, Some(1_893_574_800_000));
    assert_eq!(
        (contest.duration_ms, contest.freeze_ms),
        (18_000_000, Some(3_600_000))
    );
    assert_eq!(
        (contest.penalty_ms, contest.scoring),
        (900_000, Scoring::Icpc)
    );
    let problems = store.contest_problems(contest.id).expect("problems");
    assert_eq!(
        (problems[0].ext.as_str(), problems[0].rgb.as_deref()),
        ("sum", Some("#f00"))
    );
    let teams = store.contest_teams(contest.id).expect("teams");
    assert_eq!(
        (teams.len(), teams[0].ext.as_str(), teams[0].groups.len()),
        (1, "7", 1)
    );
    let organizations = store.organizations().expect("organizations");
    assert_eq!(teams[0].organization, Some(organizations[0].id));
    assert_eq!(organizations[0].country.as_deref(), Some("DEU"));
    let member = store
        .user_named("team-007")
        .expect("the store works")
        .expect("a user");
    assert_eq!((member.role, member.team), (Role::Team, Some(teams[0].id)));
    assert!(is_password("secret7", member.password_hash.as_deref()));
    let judge = store
        .user_named("judge1")
        .expect("the store works")
        .expect("a user");
    assert!(judge.role == Role::Jury && judge.password_hash.is_some());
}

fn refusal(name: &str, text: &str) -> String {
    let file = Source {
        name: name.to_owned(),
        text: text.to_owned(),
    };
    read(&[file]).expect_err("it is refused").to_string()
}

#[test]
fn files_that_contradict_each_other_are_refused() {
    let source = |(name, text): &(&str, &str)| Source {
        name: (*name).to_owned(),
        text: (*text).to_owned(),
    };
    let file = |of: &[(&str, &str)]| read(&of.iter().map(source).collect::<Vec<_>>());
    let other = CONTEST.replace("wf", "other");
    let problem = PROBLEMS.replace("\"A\"", "\"B\"");
    let organization = |name: &str| format!("[{{\"id\": \"INST-1\", \"name\": \"{name}\"}}]");
    let (au, ua) = (organization("AU"), organization("UA"));
    for (name, text, second, what) in [
        ("contest.yaml", CONTEST, ("contest.json", &other), "contest"),
        (
            "problems.json",
            PROBLEMS,
            ("problemset.yaml", &problem),
            "list of problems",
        ),
        (
            "organizations.json",
            &au,
            ("organizations.yaml", &ua),
            "organization \"INST-1\"",
        ),
        (
            "languages.json",
            "[{\"id\": \"c\"}]",
            ("languages.yaml", &"- id: cpp\n".to_owned()),
            "list of languages",
        ),
        (
            "teams.tsv",
            TEAMS,
            ("teams2.tsv", &TEAMS.replace("The", "A")),
            "team \"7\"",
        ),
        (
            "groups.json",
            "[{\"id\": \"5\", \"name\": \"X\"}]",
            ("groups.tsv", &GROUPS.to_owned()),
            "group \"5\"",
        ),
    ] {
        let refused = file(&[(name, text), (second.0, second.1)]).expect_err(name);
        let refused = refused.to_string();
        assert!(
            refused.contains(what) && refused.contains("remove one"),
            "{refused}"
        );
        assert!(
            file(&[(name, text), (name, text)]).is_ok(),
            "the same twice: {name}"
        );
    }
    // A list of teams names organizations, and another file describes them.
    for files in [
        [("organizations.json", au.as_str()), ("teams.tsv", TEAMS)],
        [("teams.tsv", TEAMS), ("organizations.json", au.as_str())],
    ] {
        let package = file(&files).expect("it is read");
        let [own] = &package.organizations[..] else {
            panic!("{:?}", package.organizations);
        };
        assert_eq!((own.name.as_str(), own.country.as_deref()), ("AU", None));
    }
}

#[test]
fn errors_name_file_line_column_and_remedy() {
    for (name, text, place, remedy) in [
        (
            "contest.yaml",
            "id: wf\nname: F\nduration: long\n",
            "contest.yaml:3:11: ",
            "5:00:00",
        ),
        (
            "contest.json",
            "{\"id\": \"w/f\", \"name\": \"F\", \"duration\": \"5:00:00\"}",
            "contest.json:1:8: ",
            "id",
        ),
        (
            "contest.yaml",
            "id: wf\nname: F\n",
            "contest.yaml:1:1: ",
            "add `duration",
        ),
        (
            "problems.yaml",
            "- id: a\n  label: A\n- id: b\n  label: A\n",
            "problems.yaml:3:3: ",
            "letter",
        ),
        (
            "problemset.yaml",
            "problems:\n- short-name: a\n  letter: A\n  rgb: red\n",
            "problemset.yaml:4:8: ",
            "#ff0000",
        ),
        (
            "accounts.yaml",
            "- username: x\n  type: king\n",
            "accounts.yaml:2:9: ",
            "team",
        ),
        (
            "teams.tsv",
            "teams\t1\n7\t1\t5\n",
            "teams.tsv:2:5: ",
            "column 4",
        ),
        ("teams.tsv", "7\t1\t5\n", "teams.tsv:1:1: ", "teams\\t1"),
        (
            "accounts.tsv",
            "accounts\t1\nteam\tName\tsomebody\tx\n",
            "accounts.tsv:2:11: ",
            "team-001",
        ),
        (
            "groups.json",
            "[{\"id\": \"a\"}]",
            "groups.json:1:2: ",
            "add `name:`",
        ),
        ("groups.json", "[{\"id\": \"a\"", "groups.json:1:", ""),
        ("photo.png", "x", "photo.png: ", "name the files"),
    ] {
        let error = refusal(name, text);
        assert!(
            error.starts_with(place) && error.contains(remedy),
            "{error}"
        );
    }
}

#[tokio::test]
async fn a_wrong_reference_changes_nothing() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    for (name, text, expected) in [
        (
            "problems.json",
            "[{\"id\": \"nothing\", \"label\": \"A\"}]",
            "problems.json:1:2: ",
        ),
        ("teams.tsv", "teams\t1\n7\t1\t99\tName\n", "teams.tsv:2:1: "),
        (
            "accounts.tsv",
            "accounts\t1\nteam\tT\tteam-9\tx\n",
            "accounts.tsv:2:1: ",
        ),
        (
            "accounts.tsv",
            "accounts\t1\njudge\tJ\tother\tx\njudge\tJ\tother\tx\n",
            "accounts.tsv:3:1: ",
        ),
    ] {
        let files = ALL.map(|(own, usual)| {
            let text = if own == name { text } else { usual };
            (own, text.as_bytes())
        });
        let answer = site.upload(&admin, "/jury/import", &files).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{name}");
        assert!(answer.body.contains(expected), "{}", answer.body);
        assert_eq!(
            site.app
                .store
                .contest_by_ext("wf")
                .expect("the store works"),
            None
        );
        assert_eq!(
            site.app.store.team_by_ext("7").expect("the store works"),
            None
        );
    }
}

#[tokio::test]
async fn uploads_need_the_secret_of_the_form() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let other = site.sign_in("second", Role::Admin);
    let files = [("contest.yaml", CONTEST.as_bytes())];
    let forged = admin.with_csrf_of(&other);
    let answer = site.upload(&forged, "/jury/import", &files).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
    let text = format!(
        "[{{\"id\": \"g\", \"name\": \"{}\"}}]",
        HOSTILE.replace('"', "'")
    );
    let answer = site
        .upload(&admin, "/jury/import", &[("groups.json", text.as_bytes())])
        .await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
}

#[test]
fn other_spellings_are_read() {
    let text = "short-name: dj\nname: D\nstart-time: 2030-01-02T10:00:00Z\nduration: 1:00:00\n\
                scoreboard-freeze-length: 0:10:00\npenalty-time: 20\n\
                problems:\n- letter: A\n  short-name: sum\n  color: red\n  rgb: '#ff0000'\n";
    let file = Source {
        name: "contest.yaml".to_owned(),
        text: text.to_owned(),
    };
    let package = read(&[file]).expect("it is read");
    let contest = package.contest.expect("a contest");
    assert_eq!(
        (contest.ext.as_str(), contest.freeze_ms),
        ("dj", Some(600_000))
    );
    assert_eq!(package.problems.expect("problems")[0].problem.ext, "sum");
}

/// A failure in the middle, here of the accounts, which come last, leaves nothing behind.
#[tokio::test]
async fn an_import_that_fails_changes_nothing() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let store = &site.app.store;
    let other = rusqlite::Connection::open(store.path()).expect("it opens");
    other
        .execute_batch(
            "CREATE TRIGGER full BEFORE INSERT ON users WHEN new.name = 'judge1'
             BEGIN SELECT RAISE(ABORT, 'no room'); END",
        )
        .expect("a trigger");
    let before = (
        store.contests().expect("contests"),
        store.teams().expect("teams"),
        store.groups().expect("groups"),
        store.organizations().expect("organizations"),
        store.users().expect("users"),
    );
    let files = ALL.map(|(name, text)| (name, text.as_bytes()));
    let answer = site.upload(&admin, "/jury/import", &files).await;
    assert!(answer.status.is_client_error(), "{}", answer.status);
    assert!(answer.body.contains("no room"), "{}", answer.body);
    let after = (
        store.contests().expect("contests"),
        store.teams().expect("teams"),
        store.groups().expect("groups"),
        store.organizations().expect("organizations"),
        store.users().expect("users"),
    );
    assert_eq!(after, before);
    // Once the cause is gone, the same files are imported.
    other.execute_batch("DROP TRIGGER full").expect("dropped");
    let answer = site.upload(&admin, "/jury/import", &files).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
}

#[tokio::test]
async fn persons_are_imported() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let persons = r#"[{"id": "p1", "name": "Ann", "role": "coach", "team_ids": ["7"], "sex": "female"},
                      {"id": "p2", "name": "Bob", "team_id": "7"},
                      {"id": "p3", "name": "Eve", "role": "staff"}]"#;
    let unknown = r#"[{"id": "p1", "name": "Ann", "team_ids": ["8"]}]"#;
    let mut files: Vec<(&str, &[u8])> = ALL.iter().map(|(n, t)| (*n, t.as_bytes())).collect();
    files.push(("persons.json", unknown.as_bytes()));
    let answer = site.upload(&admin, "/jury/import", &files).await;
    assert!(answer.body.contains("there is no team") && answer.body.contains("persons.json"));
    assert!(
        site.app
            .store
            .teams()
            .expect("teams")
            .iter()
            .all(|team| team.ext != "7")
    );
    files.pop();
    files.push(("persons.json", persons.as_bytes()));
    for _ in 0..2 {
        let answer = site.upload(&admin, "/jury/import", &files).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    }
    let found = site.app.store.persons().expect("persons");
    let short: Vec<_> = found
        .iter()
        .map(|p| (p.ext.as_str(), p.role.word(), p.teams.len()))
        .collect();
    assert_eq!(
        short,
        [
            ("p1", "coach", 1),
            ("p2", "contestant", 1),
            ("p3", "staff", 0)
        ]
    );
    assert_eq!(found[0].sex.as_deref(), Some("female"));
}

#[tokio::test]
async fn an_import_counts_what_its_files_have() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let groups = r#"[{"id": "g1", "name": "One"}, {"id": "g2", "name": "Two"}]"#;
    let organizations = r#"[{"id": "o1", "name": "A university"}]"#;
    let persons = r#"[{"id": "p1", "name": "Ann", "role": "staff"}]"#;
    let all = [
        ("groups.json", groups),
        ("organizations.json", organizations),
        ("persons.json", persons),
    ];
    for (files, said) in [
        (&all[..1], "Imported: 2 groups."),
        (&all[..], "Imported: 2 groups, 1 organization, 1 person."),
        (&[("teams.json", "[]")], "The files have nothing to import."),
    ] {
        let files: Vec<_> = files.iter().map(|(n, t)| (*n, t.as_bytes())).collect();
        let answer = site.upload(&admin, "/jury/import", &files).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
        assert!(answer.body.contains(said), "{}", answer.body);
    }
    let files = ALL.map(|(name, text)| (name, text.as_bytes()));
    let answer = site.upload(&admin, "/jury/import", &files).await;
    let said = "1 problem, 1 group, 1 organization, 1 team, 2 accounts.";
    assert!(answer.body.contains(said), "{}", answer.body);
}

#[tokio::test]
async fn an_imported_password_ends_sessions_and_tokens_if_it_is_another() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let store = &site.app.store;
    let import = async |password: &str| {
        let text = format!("- id: eve\n  username: eve\n  type: judge\n  password: {password}\n");
        let files = [("accounts.yaml", text.as_str())];
        let answer = site.import(&admin, &files).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
        let eve = store.user_named("eve").expect("the store works");
        let eve = eve.expect("a user");
        assert!(is_password(password, eve.password_hash.as_deref()));
        eve.id
    };
    let id = import("first password").await;
    let eve = site.sign_in("eve", Role::Jury);
    store.add_token("of eve", id, "x").expect("a token");
    for (password, status) in [
        ("first password", StatusCode::OK),
        ("second password", StatusCode::UNAUTHORIZED),
    ] {
        assert_eq!(import(password).await, id);
        let answer = site.get(&eve, "/jury/queue").await;
        assert_eq!(answer.status, status, "{password}");
        let of_token = store.token_user("of eve").expect("the store works");
        assert_eq!(of_token.is_some(), status == StatusCode::OK, "{password}");
    }
    assert_eq!(
        site.get(&admin, "/jury/queue").await.status,
        StatusCode::OK,
        "other users stay signed in"
    );
}

#[tokio::test]
async fn identifiers_of_the_icpc_are_in_the_api_and_in_the_results() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let files = [
        (
            "contest.yaml",
            "id: c2\nname: C\nstart_time: 2020-01-02T10:00:00Z\nduration: 5:00:00\n",
        ),
        (
            "groups.json",
            r#"[{"id": "5", "icpc_id": "50", "name": "Europe"}]"#,
        ),
        (
            "organizations.json",
            r#"[{"id": "INST-1", "icpc_id": "433", "name": "A"}]"#,
        ),
        (
            "teams.json",
            r#"[{"id": "8", "icpc_id": "447001", "name": "B", "group_ids": ["5"], "organization_id": "INST-1"}]"#,
        ),
        ("teams.tsv", TEAMS),
    ];
    let answer = site.import(&admin, &files).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    for (kind, ids) in [
        ("groups", vec!["50"]),
        ("organizations", vec!["433"]),
        ("teams", vec!["1234", "447001"]),
    ] {
        let objects = site.page(&admin, &format!("/api/contests/c2/{kind}")).await;
        for id in ids {
            assert!(
                objects.contains(&format!("\"icpc_id\":\"{id}\"")),
                "{objects}"
            );
        }
    }
    let results = site.page(&admin, "/contests/c2/results.tsv").await;
    assert!(
        results.contains("\n1234\t") && results.contains("\n447001\t"),
        "{results}"
    );
    let team = site
        .app
        .store
        .team_by_ext("8")
        .expect("it is read")
        .expect("a team");
    let form = site.page(&admin, &format!("/jury/teams/{}", team.id)).await;
    assert!(form.contains("value=\"447001\""), "{form}");
}

#[test]
fn lines_may_end_as_spreadsheets_write_them() {
    for end in ["\n", "\r\n", "\r"] {
        let file = Source {
            name: "groups.tsv".to_owned(),
            text: ["groups\t1", "5\tEurope", "6\tAsia", ""].join(end),
        };
        let package = read(&[file]).expect("it is read");
        let names: Vec<_> = package.groups.iter().map(|own| own.name.as_str()).collect();
        assert_eq!(names, ["Europe", "Asia"], "{end:?}");
    }
}

#[tokio::test]
async fn an_import_leaves_an_admin() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let file = r#"[{"id": "admin", "username": "admin", "type": "judge"}]"#;
    let refused = site.import(&admin, &[("accounts.json", file)]).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{}", refused.body);
    assert!(
        refused.body.contains("no admin any more"),
        "{}",
        refused.body
    );
    site.sign_in("another", Role::Admin);
    let made = site.import(&admin, &[("accounts.json", file)]).await;
    assert_eq!(made.status, StatusCode::OK, "{}", made.body);
}

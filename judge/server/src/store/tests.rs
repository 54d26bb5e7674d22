//! Tests of the schema and of transactions.

use super::*;
use judge_core::verdict::Verdict;

fn open() -> (tempfile::TempDir, Store) {
    let dir = tempfile::tempdir().expect("a directory");
    let store = Store::open(&dir.path().join("judge.sqlite")).expect("it opens");
    (dir, store)
}

#[test]
fn only_the_servers_user_reads_the_database() {
    use std::os::unix::fs::MetadataExt;
    let (dir, store) = open();
    let mode = |name: &str| {
        let metadata = fs::metadata(dir.path().join(name));
        metadata.map(|metadata| metadata.mode() & 0o777).ok()
    };
    let all = ["judge.sqlite", "judge.sqlite-wal", "judge.sqlite-shm"];
    assert_eq!(all.map(mode), [Some(0o600); 3]);
    drop(store);
    // That of an older server.
    let database = dir.path().join(all[0]);
    fs::set_permissions(&database, Permissions::from_mode(0o644)).expect("a mode");
    let _store = Store::open(&database).expect("it opens");
    assert_eq!(all.map(mode), [Some(0o600); 3]);
}

/// Rows of every kind that a server of version 1 wrote; later versions have these columns too.
const ROWS: &str = r#"
INSERT INTO settings VALUES ('a', 'b');
INSERT INTO organizations (id, ext, name) VALUES (1, 'o', 'O');
INSERT INTO groups (id, ext, name) VALUES (1, 'g', 'G');
INSERT INTO teams (id, ext, name, organization) VALUES (1, 't', 'T', 1);
INSERT INTO team_groups VALUES (1, 1);
INSERT INTO users (id, ext, name, role, team, created_ms) VALUES (1, 'u', 'u', 'team', 1, 5);
INSERT INTO contests (id, ext, name, start_ms, duration_ms, freeze_ms) VALUES (1, 'c', 'C', 1000, 5000, 1000);
INSERT INTO contest_teams VALUES (1, 1);
INSERT INTO problems (id, ext, practice) VALUES (1, 'sum', 1);
INSERT INTO package_versions (id, problem, tree, name, format, memory_limit, cases, added_ms)
    VALUES (1, 1, 'abc', 'Sum', 'ICPC', 1024, '["1"]', 6);
INSERT INTO current_versions VALUES (1, 1);
INSERT INTO contest_problems VALUES (1, 1, 0, 'A', NULL, NULL);
INSERT INTO submissions (id, contest, problem, user, team, language, time_ms) VALUES (7, 1, 1, 1, 1, 'cpp', 5500);
INSERT INTO submission_files VALUES (7, 0, 'a.cpp', 'blob', 10);
INSERT INTO judgings (id, submission, version, valid, priority, state, verdict, created_ms, started_ms, finished_ms)
    VALUES (9, 7, 1, 1, 'contest', 'done', 'AC', 5500, 5501, 5502);
INSERT INTO case_results (judging, "case", attempt, verdict, time_ms) VALUES (9, 0, 1, 'AC', 5502);
INSERT INTO clarifications (id, contest, from_team, text, time_ms) VALUES (1, 1, 1, 'Why?', 2000);
INSERT INTO feed (contest, type, object, data, visible, team, time_ms) VALUES
    (1, 'submissions', '7', '{"id":"7","team_id":"t"}', 'public', NULL, 5500),
    (1, 'judgements', '9', '{"id":"9","submission_id":"7"}', 'public', NULL, 5502),
    (1, 'runs', '9-1', '{"id":"9-1","judgement_id":"9"}', 'jury', NULL, 5502),
    (1, 'state', NULL, '{"started":null}', 'public', NULL, 100);
INSERT INTO queue (id, seq, priority, share, rank, payload, since_ms) VALUES ('judging-1', 1, 0, 's', 0, 'p', 1);
"#;

/// The tables and indices of a file.
fn objects_of(path: &Path) -> Vec<(String, String)> {
    let connection = Connection::open(path).expect("it opens");
    let columns = "SELECT m.name, group_concat(c.name || ' ' || c.type || ' ' || c.\"notnull\")
        FROM sqlite_master m LEFT JOIN pragma_table_info(m.name) c GROUP BY m.name ORDER BY m.name";
    let mut statement = connection.prepare(columns).expect("a statement");
    let rows = statement.query_map([], |row| {
        Ok((
            row.get(0)?,
            row.get::<_, Option<String>>(1)?.unwrap_or_default(),
        ))
    });
    let rows = rows.expect("rows").collect::<rusqlite::Result<_>>();
    rows.expect("rows")
}

#[test]
fn files_of_every_version_are_upgraded() {
    let (dir, fresh) = open();
    let expected = objects_of(fresh.path());
    assert_eq!(schema::MIGRATIONS.len(), SCHEMA_VERSION);
    for version in 1..=SCHEMA_VERSION {
        let path = dir.path().join(format!("{version}.sqlite"));
        let old = Connection::open(&path).expect("it opens");
        for (k, migration) in schema::MIGRATIONS[..version].iter().enumerate() {
            old.execute_batch(migration).expect("the old schema");
            if k == 0 {
                old.execute_batch(ROWS).expect("the old rows");
            }
        }
        old.pragma_update(None, "user_version", version as i64)
            .expect("set");
        drop(old);
        let store = Store::open(&path).expect("it is upgraded");
        let what = format!("from version {version}");
        assert_eq!(objects_of(&path), expected, "{what}");
        let now: i64 = store
            .read(|c| Ok(c.query_row("PRAGMA user_version", [], |row| row.get(0))?))
            .expect("it is read");
        assert_eq!(now as usize, SCHEMA_VERSION, "{what}");
        assert_eq!(
            store.setting("a").expect("read").as_deref(),
            Some("b"),
            "{what}"
        );
        let contest = store.contest_by_ext("c").expect("read").expect("a contest");
        assert_eq!(
            (contest.start_ms, contest.feedback),
            (Some(1000), None),
            "{what}"
        );
        let submission = store.submission(SubmissionId(7)).expect("a submission");
        assert_eq!(submission.team_ext.as_deref(), Some("t"), "{what}");
        let judging = store.valid_judging(submission.id).expect("a judging");
        assert_eq!(judging.verdict, Some(Verdict::Accepted), "{what}");
        assert_eq!(
            store.case_results(judging.id).expect("cases").len(),
            1,
            "{what}"
        );
        assert_eq!(
            store.problems().expect("problems")[0].version.cases,
            ["1"],
            "{what}"
        );
        let feed = store
            .feed_after(contest.id, 0, usize::MAX)
            .expect("the feed");
        let about: Vec<Option<i64>> = feed
            .iter()
            .map(|row| row.about.map(|about| about.time_ms))
            .collect();
        assert_eq!(about, [Some(5500), Some(5500), Some(5500), None], "{what}");
        assert_eq!(store.persons().expect("persons"), [], "{what}");
        // It can be written to.
        store.thaw(contest.id, 10_000).expect("it is thawed");
        let after = store
            .feed_after(contest.id, 0, usize::MAX)
            .expect("the feed");
        assert!(after.len() > feed.len(), "{what}");
        // Pieces of at least one row.
        let mut pieces: Vec<FeedRow> = Vec::new();
        loop {
            let last = pieces.last().map_or(0, |row| row.seq);
            let piece = store.feed_after(contest.id, last, 1).expect("a piece");
            if piece.is_empty() {
                break;
            }
            assert_eq!(piece.len(), 1, "{what}");
            pieces.extend(piece);
        }
        assert_eq!(pieces, after, "{what}");
    }
}

/// An older server kept the marks of a rehearsal when the contest got a later end.
#[test]
fn marks_of_a_rehearsal_are_removed_unless_the_contest_is_over() {
    let (_dir, store) = open();
    let contest = Contest {
        ext: "c".into(),
        name: "C".into(),
        start_ms: Some(1000),
        duration_ms: 1000,
        freeze_ms: Some(500),
        ..Contest::default()
    };
    let id = store.put_contest(&contest).expect("it is put");
    store.thaw(id, 3000).expect("it is thawed");
    let runs_until = |end_ms: i64| {
        let sql = "UPDATE contests SET duration_ms = ?1 - start_ms, finalized_ms = 3500";
        store.run(sql, [end_ms]).expect("it is changed");
    };
    let marks = || {
        let contest = store.contest(id).expect("a contest");
        (contest.thawed_ms, contest.finalized_ms)
    };
    let both = (Some(3000), Some(3500));
    runs_until(2500);
    let none: [&str; 0] = [];
    assert_eq!(store.remove_early_marks(2400).expect("it works"), none);
    assert_eq!(marks(), both, "they are not early");
    runs_until(9000);
    assert_eq!(store.remove_early_marks(9000).expect("it works"), none);
    assert_eq!(
        marks(),
        both,
        "the contest is over, and its results are public"
    );
    let before = store.feed_after(id, 0, usize::MAX).expect("the feed").len();
    assert_eq!(store.remove_early_marks(8000).expect("it works"), ["C"]);
    assert_eq!(marks(), (None, None));
    let after = store.feed_after(id, 0, usize::MAX).expect("the feed").len();
    assert!(after > before, "the feed says so");
}

#[test]
fn a_newer_file_is_refused() {
    let (dir, store) = open();
    let path = store.path().to_owned();
    drop(store);
    let newer = Connection::open(&path).expect("it opens");
    newer
        .pragma_update(None, "user_version", SCHEMA_VERSION as i64 + 1)
        .expect("it is set");
    drop(newer);
    let error = Store::open(&path).err().expect("it is refused").to_string();
    assert!(
        error.contains("newer judge-server") && error.contains("--data"),
        "{error}"
    );
    drop(dir);
}

#[test]
fn a_failed_change_announces_nothing() {
    let (_dir, store) = open();
    let (mut live, page) = (store.live().listen(), store.live().watch(SubmissionId(1)));
    let failed = store.write(|tx| {
        tx.submissions.insert(SubmissionId(1));
        tx.configuration = true;
        Err::<(), _>(Error::Conflict("no".to_owned()))
    });
    assert!(failed.is_err());
    assert!(live.try_recv().is_err());
    assert!(page.has_changed().is_ok_and(|changed| !changed));
}

#[test]
fn secrets_expire_and_links_work_once() {
    let (_dir, store) = open();
    let user = store
        .put_user(&NewUser {
            ext: "a".into(),
            name: "a".into(),
            display_name: None,
            role: Role::Admin,
            team: None,
            password_hash: None,
        })
        .expect("it is added");
    let later = now_ms() + 60_000;
    store
        .add_sign_in_link("l", user, later)
        .expect("it is added");
    assert!(store.use_sign_in_link("l").expect("it is used").is_some());
    assert!(store.use_sign_in_link("l").expect("it is gone").is_none());
    store
        .add_sign_in_link("old", user, now_ms() - 1)
        .expect("it is added");
    assert!(store.use_sign_in_link("old").expect("it expired").is_none());
    store
        .start_session("s", user, "c", later)
        .expect("it starts");
    assert_eq!(
        store
            .session("s")
            .expect("it is read")
            .map(|s| s.csrf)
            .as_deref(),
        Some("c")
    );
    store.set_disabled(user, true).expect("it is disabled");
    assert!(store.session("s").expect("it ended").is_none());
}

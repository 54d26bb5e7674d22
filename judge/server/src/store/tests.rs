//! Tests of the schema and of transactions.

use super::*;

fn open() -> (tempfile::TempDir, Store) {
    let dir = tempfile::tempdir().expect("a directory");
    let store = Store::open(&dir.path().join("judge.sqlite")).expect("it opens");
    (dir, store)
}

#[test]
fn a_file_of_version_1_is_upgraded() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("judge.sqlite");
    let old = Connection::open(&path).expect("it opens");
    old.execute_batch(include_str!("schema_1.sql"))
        .and_then(|()| old.execute_batch("PRAGMA user_version = 1"))
        .and_then(|()| old.execute_batch("INSERT INTO settings VALUES ('a', 'b')"))
        .expect("version 1");
    drop(old);
    let store = Store::open(&path).expect("it is upgraded");
    assert_eq!(
        store.setting("a").expect("it is read").as_deref(),
        Some("b")
    );
    let version: usize = store
        .read(|c| Ok(c.query_row("PRAGMA user_version", [], |row| row.get::<_, i64>(0))?))
        .expect("it is read") as usize;
    assert_eq!(version, SCHEMA_VERSION);
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
    let mut live = store.live().listen();
    let failed = store.write(|tx| {
        tx.submissions.insert(SubmissionId(1));
        Err::<(), _>(Error::Conflict("no".to_owned()))
    });
    assert!(failed.is_err());
    assert!(live.try_recv().is_err());
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

//! Users and teams: adding them, passwords.

use super::site::{HOSTILE, Site};
use axum::http::StatusCode;
use judge_server::secret::is_password;
use judge_server::store::{Role, User, now_ms};

fn user(site: &Site, name: &str) -> User {
    let found = site.app.store.user_named(name).expect("the store works");
    found.expect("a user")
}

/// The password that a sheet shows for a user.
fn shown(sheet: &str, name: &str) -> String {
    let (_, row) = sheet
        .split_once(&format!("<code>{name}</code>"))
        .expect("a row");
    let (_, password) = row.split_once("<code>").expect("a password");
    password.split('<').next().expect("text").to_owned()
}

#[tokio::test]
async fn a_pasted_table_gives_a_sheet_of_passwords() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let table = format!(
        "ann,\"{}\",,t7\neve,Eve,jury,,given one\n",
        HOSTILE.replace('"', "\"\"")
    );
    let sheet = site
        .post(&admin, "/jury/users/several", &[("table", &table)])
        .await;
    assert_eq!(sheet.status, StatusCode::OK, "{}", sheet.body);
    assert!(!sheet.body.contains("<script>alert"), "{}", sheet.body);
    let (ann, eve) = (user(&site, "ann"), user(&site, "eve"));
    assert_eq!((ann.role, eve.role), (Role::Team, Role::Jury));
    assert!(is_password(
        &shown(&sheet.body, "ann"),
        ann.password_hash.as_deref()
    ));
    assert_eq!(shown(&sheet.body, "eve"), "given one");
    assert!(is_password("given one", eve.password_hash.as_deref()));
    let team = site
        .app
        .store
        .team(ann.team.expect("a team"))
        .expect("a team");
    assert_eq!((team.ext.as_str(), team.name.as_str()), ("t7", HOSTILE));
    for path in ["/jury/users", "/jury/teams"] {
        let page = site.page(&admin, path).await;
        assert!(
            page.contains("ann") && !page.contains("<script>alert"),
            "{path}: {page}"
        );
        assert!(
            !page.contains("given one") && !page.contains("argon2"),
            "{path}: {page}"
        );
    }

    // A table with an error adds no user.
    let wrong = site
        .post(
            &admin,
            "/jury/users/several",
            &[("table", "zoe,Zoe\nann,Ann\n")],
        )
        .await;
    assert_eq!(wrong.status, StatusCode::CONFLICT);
    assert_eq!(
        site.app.store.user_named("zoe").expect("the store works"),
        None
    );
}

#[tokio::test]
async fn a_user_is_added_only_with_an_id_of_its_own() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let accounts = "- id: bob\n  username: robert\n  type: judge\n  password: robertpassword\n";
    let files = [("accounts.yaml", accounts.as_bytes())];
    let imported = site.upload(&admin, "/jury/import", &files).await;
    assert_eq!(imported.status, StatusCode::OK, "{}", imported.body);
    let robert = user(&site, "robert");
    let form = [("name", "bob"), ("role", "public")];
    let table = [("table", "zoe,Zoe\nbob,Bob\n")];
    for (path, fields) in [
        ("/jury/users", &form[..]),
        ("/jury/users/several", &table[..]),
    ] {
        let refused = site.post(&admin, path, fields).await;
        assert_eq!(refused.status, StatusCode::CONFLICT, "{}", refused.body);
        assert!(
            refused.body.contains("there is a user") && refused.body.contains("robert"),
            "{}",
            refused.body
        );
    }
    assert_eq!(user(&site, "robert"), robert);
    for name in ["bob", "zoe"] {
        let found = site.app.store.user_named(name).expect("the store works");
        assert_eq!(found, None);
    }
}

#[tokio::test]
async fn a_new_password_removes_tokens_and_links() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let store = &site.app.store;
    let other = rusqlite::Connection::open(store.path()).expect("it opens");
    let links = || -> i64 {
        other
            .query_row("SELECT COUNT(*) FROM sign_in_links", [], |row| row.get(0))
            .expect("a number")
    };
    for by_admin in [true, false] {
        let own = site.sign_in("jury", Role::Jury);
        let id = user(&site, "jury").id;
        store.add_token("of jury", id, "x").expect("a token");
        let admin_id = user(&site, "admin").id;
        store.add_token("of admin", admin_id, "x").expect("a token");
        other
            .execute(
                "INSERT INTO sign_in_links (hash, user, expires_ms) VALUES ('link', ?1, ?2)",
                (id.to_string(), now_ms() + 60_000),
            )
            .expect("a link");
        let new = [("new", "a new password")];
        let changed = match by_admin {
            true => {
                let path = format!("/jury/users/{id}/password");
                site.confirmed(&admin, &path, &[]).await
            }
            false => site.post(&own, "/account/password", &new).await,
        };
        assert!(!changed.status.is_client_error(), "{}", changed.body);
        let of = |token| store.token_user(token).expect("the store works");
        assert_eq!(of("of jury"), None, "{by_admin}");
        assert!(of("of admin").is_some());
        assert_eq!(links(), 0, "{by_admin}");
        other
            .execute_batch("DELETE FROM tokens; UPDATE users SET password_hash = NULL")
            .expect("it works");
    }
}

#[tokio::test]
async fn a_new_password_ends_sessions_and_disabling_too() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let jury = site.sign_in("jury", Role::Jury);
    let id = user(&site, "jury").id;
    let path = format!("/jury/users/{id}/password");
    let sheet = site.confirmed(&admin, &path, &[]).await;
    let password = shown(&sheet.body, "jury");
    assert!(is_password(
        &password,
        user(&site, "jury").password_hash.as_deref()
    ));
    assert_eq!(
        site.get(&jury, "/jury/queue").await.status,
        StatusCode::UNAUTHORIZED
    );
    let jury = site.sign_in("jury", Role::Jury);
    let path = format!("/jury/users/{id}/disabled");
    site.post(&admin, &path, &[("disabled", "1")]).await;
    assert_eq!(
        site.get(&jury, "/jury/queue").await.status,
        StatusCode::UNAUTHORIZED
    );
    site.post(&admin, &path, &[("disabled", "")]).await;
    assert!(!user(&site, "jury").disabled);
    let own = format!("/jury/users/{}/disabled", user(&site, "admin").id);
    assert_eq!(
        site.post(&admin, &own, &[("disabled", "1")]).await.status,
        StatusCode::CONFLICT
    );
}

#[tokio::test]
async fn a_team_is_added_and_changed() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    for (name, hidden) in [("First", ""), ("Second", "1")] {
        let fields = [("id", "t9"), ("name", name), ("hidden", hidden)];
        assert_eq!(
            site.post(&admin, "/jury/teams", &fields).await.status,
            StatusCode::SEE_OTHER
        );
        let team = site
            .app
            .store
            .team_by_ext("t9")
            .expect("the store works")
            .expect("a team");
        assert_eq!(
            (team.name.as_str(), team.hidden),
            (name, !hidden.is_empty())
        );
    }
    let wrong = [("id", "a/b"), ("name", "x")];
    assert_eq!(
        site.post(&admin, "/jury/teams", &wrong).await.status,
        StatusCode::BAD_REQUEST
    );
}

//! The languages that teams may use in a contest.

use super::super::page_fixture::{Fixture, HOUR};
use super::site::Site;
use axum::http::StatusCode;
use judge_server::store::{Contest, Role, Texts};

#[tokio::test]
async fn a_contest_accepts_its_languages_only() {
    let fixture = Fixture::started(HOUR);
    let store = &fixture.app.store;
    let team = fixture.browser("a");
    let csrf = team.session.csrf.clone();
    let page = "/contests/final/problems/A";
    let api = "/api/contests/final/languages";
    assert!(team.get(api).await.body.contains("\"python3\""));
    let contest = store.contest(fixture.contest).expect("a contest");
    let new = Contest {
        languages: Some(Texts(vec!["cpp".to_owned(), "cobol".to_owned()])),
        ..contest
    };
    store.put_contest(&new).expect("it is kept");

    let form = team.get(page).await.body;
    assert!(form.contains("<option value=\"cpp\""), "{form}");
    assert!(!form.contains("<option value=\"python3\""), "{form}");
    let overview = team.get("/contests/final").await.body;
    assert!(
        overview.contains("<dt>Languages</dt><dd>C++</dd>"),
        "{overview}"
    );
    let languages = team.get(api).await.body;
    assert!(languages.contains("\"cpp\""), "{languages}");
    assert!(!languages.contains("\"python3\""), "{languages}");

    let submit = format!("{page}/submit");
    let refused = team.submit(&submit, &csrf, "a.py", "print(3)").await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    let text = &refused.body;
    assert!(
        text.contains("python3") && text.contains("C++ (cpp)"),
        "{text}"
    );
    let sent = team.submit(&submit, &csrf, "a.cpp", "int main() {}").await;
    assert_eq!(sent.status, StatusCode::SEE_OTHER, "{}", sent.body);
    // Practice has no such limit.
    let practice = "/problems/sum/submit";
    let sent = team.submit(practice, &csrf, "a.py", "print(3)").await;
    assert_eq!(sent.status, StatusCode::SEE_OTHER, "{}", sent.body);
}

#[tokio::test]
async fn the_languages_of_a_contest_are_chosen_in_a_form() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let (page, path) = ("/jury/contests/c1", "/jury/contests/c1/languages");
    let languages = || {
        let contest = site.app.store.contest(site.contest).expect("a contest");
        contest.languages.map(|own| own.0)
    };
    let chosen = [("was", ""), ("language", "python3"), ("language", "cobol")];
    let saved = site.post(&admin, path, &chosen).await;
    assert_eq!(saved.status, StatusCode::SEE_OTHER, "{}", saved.body);
    assert_eq!(languages().expect("a choice"), ["python3", "cobol"]);
    let form = site.page(&admin, page).await;
    assert!(
        form.contains("cobol (not installed on this server)"),
        "{form}"
    );
    // Somebody else has changed them since the page was loaded.
    let stale = [("was", ""), ("language", "cobol")];
    let refused = site.post(&admin, path, &stale).await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    let none = [("was", "python3 cobol")];
    let saved = site.post(&admin, path, &none).await;
    assert_eq!(saved.status, StatusCode::SEE_OTHER, "{}", saved.body);
    assert_eq!(languages(), None);
}

#[tokio::test]
async fn languages_of_a_contest_package_are_imported() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let contest = "id: wf\nname: Finals\nduration: 5:00:00\n";
    let languages = r#"[{"id": "python3", "name": "Python"}, {"id": "cpp"}]"#;
    let alone = [("languages.json", languages)];
    let refused = site.import(&admin, &alone).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    assert!(refused.body.contains("contest.yaml"), "{}", refused.body);
    let files = [("contest.yaml", contest), ("languages.json", languages)];
    let sent = site.import(&admin, &files).await;
    assert_eq!(sent.status, StatusCode::OK, "{}", sent.body);
    let imported = site.app.store.contest_by_ext("wf").expect("it is read");
    let languages = imported.expect("a contest").languages;
    assert_eq!(languages.expect("a choice").0, ["python3", "cpp"]);
    // Files without languages leave them.
    let again = site.import(&admin, &files[..1]).await;
    assert_eq!(again.status, StatusCode::OK, "{}", again.body);
    let kept = site.app.store.contest_by_ext("wf").expect("it is read");
    assert!(kept.expect("a contest").languages.is_some());
}

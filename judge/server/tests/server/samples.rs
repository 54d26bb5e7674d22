//! Which cases are samples is what the package says, not what they are named.

use crate::common::{Data, sum};
use crate::in_process::{add_submission, record_judging};
use crate::page_fixture::{Fixture, HOUR};
use judge_core::verdict::Verdict;
use judge_server::store::{CaseRow, Finished};
use rusqlite::Connection;

/// A problem of DMOJ: one sample, which has no points, and a secret case with the name of the problem.
const FILES: [(&str, &str); 5] = [
    (
        "init.yml",
        "test_cases:\n- {in: first.in, out: first.out, points: 0}\n\
         - {in: samplesort.in, out: samplesort.out, points: 5}\n",
    ),
    ("first.in", "1\n"),
    ("first.out", "1\n"),
    ("samplesort.in", "2\n"),
    ("samplesort.out", "2\n"),
];

#[tokio::test]
async fn secret_cases_with_names_of_samples_are_hidden() {
    let fixture = Fixture::started(HOUR);
    let dir = tempfile::tempdir().expect("a directory");
    for (name, text) in FILES {
        std::fs::write(dir.path().join(name), text).expect("it is written");
    }
    let (app, store) = (&fixture.app, &fixture.app.store);
    let version = app.packages.add(dir.path()).expect("it is added");
    let (problem, _) = store.put_version(&version).expect("it is added");
    store.set_practice(problem, true).expect("it is set");
    let user = fixture.user("solo");
    let (id, judging) = add_submission(app, &user, None, problem, "x", None);
    let case = |case: usize, text: &str| CaseRow {
        message: Some(text.into()),
        ..CaseRow::new(case, Verdict::WrongAnswer)
    };
    let cases = [case(0, "DATA-OF-SAMPLE"), case(1, "DATA-OF-SECRET")];
    let finished = Finished::new(Verdict::WrongAnswer);
    record_judging(store, judging, None, cases, finished).expect("it is judged");
    let browser = fixture.browser("solo");
    let page = browser.get(&format!("/submissions/{id}")).await.body;
    assert!(page.contains("DATA-OF-SAMPLE"), "{page}");
    assert!(!page.contains("DATA-OF-SECRET"), "{page}");
    let api = format!("/api/practice/submissions/{id}");
    let api = browser.get(&api).await.body;
    assert!(
        api.contains("DATA-OF-SAMPLE") && !api.contains("DATA-OF-SECRET"),
        "{api}"
    );
}

/// The files of its samples are for the judge's side of the conversation.
#[tokio::test]
async fn an_interactive_problem_shows_conversations_in_place_of_files() {
    let fixture = Fixture::started(HOUR);
    let dir = tempfile::tempdir().expect("a directory");
    let root = dir.path().join("guess");
    for (name, text) in [
        (
            "problem.yaml",
            "problem_format_version: 2025-09\nname: Guess\nuuid: 5ca6ba5b-36d5-4eff-8aa7-d967cbc4375e\n\
             type: interactive\nlimits: {time_limit: 1}\n",
        ),
        ("output_validator/v.py", ""),
        ("data/sample/1.in", "SECRET-NUMBER\n"),
        ("data/sample/1.ans", "SECRET-NUMBER\n"),
        (
            "data/sample/1.interaction",
            ">guess 5\n<lower\n>guess <3>\n",
        ),
    ] {
        let path = root.join(name);
        let parent = path.parent().expect("a directory");
        std::fs::create_dir_all(parent).expect("it is made");
        std::fs::write(path, text).expect("it is written");
    }
    let version = fixture.app.packages.add(&root).expect("it is added");
    let store = &fixture.app.store;
    let (problem, _) = store.put_version(&version).expect("it is added");
    store.set_practice(problem, true).expect("it is set");
    fixture.user("solo");
    let browser = fixture.browser("solo");
    let page = browser.get("/problems/guess").await.body;
    let written = page.find("guess 5").expect("a turn");
    let read = page.find("lower\n").expect("a turn");
    assert!(written < read && page.contains("guess &lt;3&gt;"), "{page}");
    assert!(!page.contains("SECRET-NUMBER"), "{page}");
}

/// The first start of this server finds them in the snapshots.
#[test]
fn samples_of_versions_that_an_older_server_added_are_found() {
    let data = Data::new(&[sum("sum")]);
    data.serve().stop();
    let samples = || {
        let problem = data.store().problem_by_ext("sum").expect("it is read");
        problem.expect("a problem").version.samples
    };
    assert_eq!(samples(), Some(vec![0]));
    let file = Connection::open(data.path().join("judge.sqlite")).expect("it opens");
    let changed = file.execute("UPDATE package_versions SET samples = NULL", []);
    assert_eq!(changed.expect("it is changed"), 1);
    assert_eq!(samples(), None);
    data.serve().stop();
    assert_eq!(samples(), Some(vec![0]));
}

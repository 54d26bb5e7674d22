//! Uploading, verifying and publishing packages.

use super::site::{HOSTILE, Site, Who};
use axum::http::StatusCode;
use judge_core::verdict::Verdict;
use judge_sandbox::Mode;
use judge_server::queue::Leases;
use judge_server::store::{Role, StepReport, UploadId};
use judge_server::units;
use judge_server::units::Embedded;
use judge_server::worker::{Context, Workers};
use std::env::temp_dir;
use std::io::{Cursor, Write};
use std::sync::Arc;
use std::time::Duration;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// A zip archive with these files.
pub fn zip(files: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in files {
        zip.start_file(*name, SimpleFileOptions::default())
            .expect("a file");
        zip.write_all(text.as_bytes()).expect("it is written");
    }
    zip.finish().expect("an archive").into_inner()
}

/// A package whose programs print the number that they read, or 6.
pub fn package(answer: &str) -> Vec<u8> {
    let accepted = "print(input())\n";
    zip(&[
        (
            "echo/problem.yaml",
            "name: Echo <b>\nlimits:\n  time_limit: 2\n  memory: 256\n",
        ),
        ("echo/data/sample/1.in", "5\n"),
        ("echo/data/sample/1.ans", "5\n"),
        ("echo/data/secret/2.in", "7\n"),
        ("echo/data/secret/2.ans", answer),
        ("echo/submissions/accepted/echo.py", accepted),
        ("echo/submissions/wrong_answer/six.py", "print(6)\n"),
    ])
}

async fn upload(site: &Site, admin: &Who, content: &[u8]) -> String {
    let answer = site
        .upload(admin, "/jury/packages", &[("echo.zip", content)])
        .await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    answer.location
}

#[tokio::test]
async fn hostile_archives_are_refused() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let escaping = zip(&[("../../escaped.txt", "x"), ("problem.yaml", "name: x\n")]);
    let cut = &package("7\n")[..200];
    for (name, content) in [
        ("echo.zip", escaping.as_slice()),
        ("echo.zip", cut),
        ("echo.zip", b"no archive"),
        ("echo.zip", &zip(&[("readme.txt", "x")])),
        ("echo.exe", &package("7\n")),
        (".zip/../..", &package("7\n")),
    ] {
        let answer = site
            .upload(&admin, "/jury/packages", &[(name, content)])
            .await;
        assert_eq!(
            answer.status,
            StatusCode::BAD_REQUEST,
            "{name}: {}",
            answer.body
        );
        assert!(!answer.body.contains("/tmp"), "{}", answer.body);
    }
    assert!(site.app.store.uploads().expect("uploads").is_empty());
    assert!(site.lease().is_none());
}

/// A snapshot that cannot be written is a failure of the server.
#[tokio::test]
async fn a_failure_to_copy_is_not_blamed_on_the_package() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let packages = site.dir().join("packages");
    std::fs::rename(&packages, site.dir().join("moved")).expect("it is moved");
    std::fs::write(&packages, "no directory").expect("it is written");
    let content = package("7\n");
    let answer = site
        .upload(&admin, "/jury/packages", &[("echo.zip", &content)])
        .await;
    assert_eq!(
        answer.status,
        StatusCode::INTERNAL_SERVER_ERROR,
        "{}",
        answer.body
    );
}

#[tokio::test]
async fn a_package_is_published_after_its_verification() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let jury = site.sign_in("jury", Role::Jury);
    let first = upload(&site, &admin, &package("7\n")).await;
    let publish = format!("{first}/publish");
    let early = site
        .confirmed(&admin, &publish, &[("place", "practice")])
        .await;
    assert_eq!(early.status, StatusCode::CONFLICT);
    // Submissions go before the verification of packages.
    let team = site.user("team", Role::Team);
    let submission = site.submit(team, true, "x");
    assert_eq!(site.judge_next("AC"), Some(submission));

    let found = StepReport {
        findings: vec![("warning".to_owned(), HOSTILE.to_owned())],
        submission: None,
    };
    for step in 0..3 {
        site.app
            .store
            .record_step(UploadId(1), step, &found)
            .expect("it is recorded");
    }
    let page = site.page(&jury, &first).await;
    assert!(
        page.contains("3 of 3 steps") && !page.contains("<script>alert"),
        "{page}"
    );
    assert!(!page.contains("/publish"), "only admins publish: {page}");
    let taken = [("place", "contest c1"), ("label", "A")];
    assert_eq!(
        site.confirmed(&admin, &publish, &taken).await.status,
        StatusCode::CONFLICT
    );
    assert!(
        site.app
            .store
            .problem_by_ext("echo")
            .expect("the store works")
            .is_none()
    );
    let free = [("place", "contest c1"), ("label", "B")];
    assert_eq!(
        site.confirmed(&admin, &publish, &free).await.status,
        StatusCode::SEE_OTHER
    );
    let own = site
        .app
        .store
        .contest_problems(site.contest)
        .expect("problems");
    assert_eq!(
        own.iter().map(|own| own.label.as_str()).collect::<Vec<_>>(),
        ["A", "B"]
    );

    // A changed package is a new version; the old one stays.
    let second = upload(&site, &admin, &package("8\n")).await;
    for step in 0..3 {
        site.app
            .store
            .record_step(UploadId(2), step, &found)
            .expect("it is recorded");
    }
    site.confirmed(
        &admin,
        &format!("{second}/publish"),
        &[("place", "practice")],
    )
    .await;
    let problem = site
        .app
        .store
        .problem_by_ext("echo")
        .expect("the store works")
        .expect("a problem");
    assert!(problem.practice);
    let versions = site.app.store.versions_of(problem.id).expect("versions");
    assert_eq!(versions.len(), 2);
    assert_eq!(versions[0].0, problem.version.id);
    for path in ["/jury/packages", "/jury/packages/echo"] {
        let page = site.page(&jury, path).await;
        assert!(page.contains("Echo &lt;b&gt;"), "{path}: {page}");
    }
    // The version that judged the submission of the other problem.
    let page = site.page(&jury, "/jury/packages/sum").await;
    assert!(
        page.contains("1 present") && page.contains("<td>1</td></tr>"),
        "{page}"
    );
}

#[tokio::test]
async fn an_upload_is_verified_though_the_queue_failed() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let store = &site.app.store;
    let other = rusqlite::Connection::open(store.path()).expect("it opens");
    other
        .execute_batch(
            "CREATE TRIGGER full BEFORE INSERT ON queue BEGIN SELECT RAISE(ABORT, 'no room'); END",
        )
        .expect("a trigger");
    let path = upload(&site, &admin, &package("7\n")).await;
    assert!(site.lease().is_none());
    other.execute_batch("DROP TRIGGER full").expect("dropped");
    let page = site.page(&admin, &path).await;
    assert!(page.contains("0 of 3 steps"), "{page}");

    store
        .record_step(UploadId(1), 1, &StepReport::default())
        .expect("it is recorded");
    units::reconcile(store, site.queue.as_ref()).expect("it works");
    units::reconcile(store, site.queue.as_ref()).expect("it works");
    let mut units = Vec::new();
    while let Some(lease) = site.lease() {
        units.push(lease.unit.id);
    }
    assert_eq!(units, ["verify-1-0", "verify-1-2"]);
}

/// Starts a worker in this process. It is not stopped: that would interrupt the sandbox of the whole process.
fn start_worker(site: &Site) -> Workers {
    let parts = &site.app;
    let (store, blobs, packages) = (&parts.store, &parts.blobs, &parts.packages);
    let embedded = Embedded::start(store.clone(), blobs.clone(), packages.clone(), "here");
    let (queue, embedded) = (site.queue.clone(), embedded.expect("a thread"));
    let context = Context::new(queue, Arc::new(embedded), Mode::Auto, &temp_dir(), "here");
    let context = Arc::new(context.expect("a toolchain"));
    Workers::start(context, &judge_sandbox::cores()[..1]).expect("a worker")
}

/// Waits until all steps of the only upload are verified, or two minutes; returns their reports.
async fn reports_of(site: &Site, steps: usize) -> Vec<StepReport> {
    let mut reports = Vec::new();
    for _ in 0..1200 {
        reports = site.app.store.upload_reports(UploadId(1)).expect("reports");
        if reports.len() == steps {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    reports
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_verifies_data_and_submissions() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    // The wrong answer makes the program that is right fail.
    let path = upload(&site, &admin, &package("8\n")).await;
    let _workers = start_worker(&site);
    let reports = reports_of(&site, 3).await;
    let verdict = |name: &str| {
        let all = reports
            .iter()
            .filter_map(|report| report.submission.as_ref());
        let mut own = all.filter(|own| own.name.ends_with(name));
        own.next()
            .map(|own| (own.verdict.map(Verdict::code), own.as_expected))
    };
    assert_eq!(verdict("echo.py"), Some((Some("WA"), false)), "{reports:?}");
    assert_eq!(verdict("six.py"), Some((Some("WA"), true)), "{reports:?}");
    let page = site.page(&admin, &path).await;
    assert!(
        page.contains("3 of 3 steps") && page.contains(">no</strong>"),
        "{page}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failure_of_the_machine_is_no_finding_and_verifying_is_repeated() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    upload(&site, &admin, &package("7\n")).await;
    // The snapshots cannot be read for a while.
    let snapshots = site.dir.path().join("packages");
    let hidden = site.dir.path().join("hidden");
    std::fs::rename(&snapshots, &hidden).expect("it is renamed");
    let _workers = start_worker(&site);
    let has_failed = || {
        let units = site.queue.list(10).expect("the queue works");
        let mut reasons = units.into_iter().filter_map(|unit| unit.reason);
        reasons.any(|reason| reason.contains("is gone"))
    };
    while !has_failed() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(
        site.app.store.upload_reports(UploadId(1)).expect("reports"),
        []
    );
    std::fs::rename(&hidden, &snapshots).expect("it is renamed");
    let reports = reports_of(&site, 3).await;
    let verdicts: Vec<_> = reports
        .iter()
        .filter_map(|own| own.submission.as_ref())
        .collect();
    assert_eq!(verdicts.len(), 2, "{reports:?}");
    assert!(verdicts.iter().all(|own| own.as_expected), "{reports:?}");
    let texts = reports.iter().flat_map(|own| &own.findings);
    assert!(
        texts.clone().all(|(_, text)| !text.contains("is gone")),
        "{reports:?}"
    );
}

#[tokio::test]
async fn a_parked_step_is_shown_with_its_upload_and_tried_again() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let path = upload(&site, &admin, &package("7\n")).await;
    let other = upload(&site, &admin, &package("8\n")).await;
    let step = site.lease().expect("a step");
    site.queue.park(&step, HOSTILE).expect("it is parked");
    let page = site.page(&admin, &path).await;
    assert!(
        page.contains("files and data") && page.contains("&lt;script&gt;"),
        "{page}"
    );
    assert!(!page.contains("<script>alert"), "{page}");
    let page = site.page(&admin, &other).await;
    assert!(!page.contains("Parked steps"), "{page}");
    let fields = [("unit", step.unit.id.as_str())];
    site.post(&admin, "/jury/queue/retry", &fields).await;
    let page = site.page(&admin, &path).await;
    assert!(!page.contains("Parked steps"), "{page}");
}

#[tokio::test]
async fn an_admin_opens_data_for_practice() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let jury = site.sign_in("jury", Role::Jury);
    let address = "/jury/packages/practice-data";
    let is_open = || judge_server::submissions::practice_data_is_open(&site.app);
    let refused = site.post(&jury, address, &[("data", "all")]).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    assert!(
        !site
            .page(&jury, "/jury/packages")
            .await
            .contains("practice-data")
    );
    for (value, open) in [("all", true), ("", false), ("all", true)] {
        let saved = site.post(&admin, address, &[("data", value)]).await;
        assert_eq!(saved.location, "/jury/packages");
        assert_eq!(is_open().expect("it is read"), open);
        let page = site.page(&admin, "/jury/packages").await;
        assert_eq!(page.contains(r#"value="all" selected"#), open, "{page}");
    }
    let wrong = site.post(&admin, address, &[("data", "some")]).await;
    assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn an_upload_whose_accepted_solution_fails_is_published_on_request_only() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let path = upload(&site, &admin, &package("7\n")).await;
    let submission = |name: &str, verdict: &str, expected: &str, as_expected: bool| {
        let submission = serde_json::json!({
            "name": name, "verdict": verdict, "expected": expected, "as_expected": as_expected,
        });
        let report = serde_json::json!({"findings": [], "submission": submission});
        serde_json::from_value::<StepReport>(report).expect("a report")
    };
    let reports = [
        StepReport::default(),
        submission("accepted/echo.py", "WA", "AC", false),
        submission("wrong_answer/six.py", "WA", "WA", true),
    ];
    for (step, report) in reports.iter().enumerate() {
        let recorded = site.app.store.record_step(UploadId(1), step, report);
        recorded.expect("it is recorded");
    }
    let page = site.page(&admin, &path).await;
    let alert = page.find("role=\"alert\"").expect("an alert");
    assert!(
        alert < page.find("3 of 3 steps").expect("the steps"),
        "{page}"
    );
    let publish = format!("{path}/publish");
    let refused = site
        .confirmed(&admin, &publish, &[("place", "practice")])
        .await;
    assert_eq!(refused.status, StatusCode::CONFLICT, "{}", refused.body);
    assert!(
        refused.body.contains("accepted/echo.py"),
        "{}",
        refused.body
    );
    let store = &site.app.store;
    assert!(store.problem_by_ext("echo").expect("it is read").is_none());
    let fields = [("place", "practice"), ("despite", "1")];
    let published = site.confirmed(&admin, &publish, &fields).await;
    assert_eq!(
        published.status,
        StatusCode::SEE_OTHER,
        "{}",
        published.body
    );
    assert!(store.problem_by_ext("echo").expect("it is read").is_some());
}

/// A site with two versions of the package `echo`, the first with the number 2.
async fn two_versions() -> (Site, Who) {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    for (upload_id, answer) in [(1, "7\n"), (2, "8\n")] {
        let path = upload(&site, &admin, &package(answer)).await;
        for step in 0..3 {
            let recorded =
                site.app
                    .store
                    .record_step(UploadId(upload_id), step, &StepReport::default());
            recorded.expect("it is recorded");
        }
        let fields = [("place", "practice")];
        let published = site
            .confirmed(&admin, &format!("{path}/publish"), &fields)
            .await;
        assert_eq!(
            published.status,
            StatusCode::SEE_OTHER,
            "{}",
            published.body
        );
    }
    while let Some(step) = site.lease() {
        site.queue.remove(&step.unit.id).expect("it is removed");
    }
    (site, admin)
}

fn echo(site: &Site) -> judge_server::store::Problem {
    let found = site.app.store.problem_by_ext("echo");
    found.expect("it is read").expect("a problem")
}

#[tokio::test]
async fn a_package_goes_back_to_an_earlier_version() {
    let (site, admin) = two_versions().await;
    let jury = site.sign_in("jury", Role::Jury);
    let (first, second) = (2.to_string(), 3.to_string());
    assert_eq!(echo(&site).version.id.to_string(), second);
    let path = "/jury/packages/echo/version";
    let refused = site.post(&jury, path, &[("version", &first)]).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    // A version of another package is none of this one.
    let other = site.post(&admin, path, &[("version", "1")]).await;
    assert_eq!(other.status, StatusCode::NOT_FOUND, "{}", other.body);
    let used = site.post(&admin, path, &[("version", &first)]).await;
    assert_eq!(used.status, StatusCode::SEE_OTHER, "{}", used.body);
    assert_eq!(echo(&site).version.id.to_string(), first);
    let page = site.page(&admin, "/jury/packages/echo").await;
    assert!(
        page.contains("2 present") && page.contains("Use this version"),
        "{page}"
    );
    // It can be undone in the same way.
    site.post(&admin, path, &[("version", &second)]).await;
    assert_eq!(echo(&site).version.id.to_string(), second);
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_are_set_in_a_form_and_reach_the_worker() {
    let (site, admin) = two_versions().await;
    let path = "/jury/packages/echo/limits";
    for wrong in [
        ("time", "0"),
        ("time", "fast"),
        ("memory", "-1"),
        ("memory", "1e3"),
    ] {
        let refused = site.post(&admin, path, &[wrong]).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{wrong:?}");
        assert!(refused.body.contains("is no limit"), "{}", refused.body);
    }
    let sent = [("time", "0.5"), ("memory", "64"), ("version", "3")];
    let saved = site.post(&admin, path, &sent).await;
    assert_eq!(saved.status, StatusCode::SEE_OTHER, "{}", saved.body);
    assert_eq!(echo(&site).version.time_limit_s, Some(0.5));
    let page = site.page(&admin, "/problems/echo").await;
    assert!(
        page.contains("0.5 s of CPU time") && page.contains("64 MiB"),
        "{page}"
    );
    let stale = site
        .post(&admin, path, &[("time", "9"), ("version", "2")])
        .await;
    assert_eq!(stale.status, StatusCode::CONFLICT, "{}", stale.body);

    // A worker takes them from the unit: the program would be in time without them.
    let slow = "import time\nend = time.process_time() + 1.2\nwhile time.process_time() < end: pass\nprint(input())\n";
    let author = site.user("solo", Role::Public);
    let sent = judge_server::submissions::SentSubmission {
        contest: None,
        problem: echo(&site),
        language: Some("python3".to_owned()),
        entry_point: None,
        once: false,
        files: vec![judge_server::http::SentFile {
            name: "main.py".to_owned(),
            content: slow.as_bytes().to_vec(),
        }],
    };
    let author = site.app.store.user(author).expect("a user");
    let (id, _) = judge_server::submissions::submit(&site.app, &author, &sent).expect("accepted");
    let _workers = start_worker(&site);
    let judged = || site.app.store.valid_judging(id).expect("a judging");
    while judged().verdict.is_none() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let judging = judged();
    assert_eq!(
        judging.verdict,
        Some(Verdict::TimeLimitExceeded),
        "{judging:?}"
    );
    assert_eq!(judging.time_limit_s, Some(0.5), "{judging:?}");

    // Empty fields bring the limits of the package back.
    site.post(&admin, path, &[("time", ""), ("memory", "")])
        .await;
    assert_eq!(echo(&site).version.time_limit_s, Some(2.0));
}

#[tokio::test]
async fn names_in_any_script_distinguish_packages_and_large_uploads_say_the_limit() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let files = [("1.in", "5\n"), ("1.ans", "5\n")];
    let mut exts = Vec::new();
    for name in ["加法.zip", "减法.zip"] {
        let content = zip(&files);
        let sent = site
            .upload(&admin, "/jury/packages", &[(name, &content)])
            .await;
        assert_eq!(sent.status, StatusCode::SEE_OTHER, "{}", sent.body);
        let page = site.page(&admin, &sent.location).await;
        let (_, ext) = page.split_once(": _").expect("an id");
        exts.push(ext.split('<').next().map(str::to_owned));
    }
    assert_ne!(exts[0], exts[1]);
    for (path, limit) in [
        ("/jury/import", "32 MiB"),
        ("/jury/organizations/1/logo", "2 MiB"),
    ] {
        let large = vec![0; 33 << 20];
        let refused = site.upload(&admin, path, &[("x.json", &large)]).await;
        assert_eq!(
            refused.status,
            StatusCode::PAYLOAD_TOO_LARGE,
            "{}",
            refused.body
        );
        assert!(refused.body.contains(limit), "{path}: {}", refused.body);
    }
}

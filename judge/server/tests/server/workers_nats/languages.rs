//! Workers that lack the compilers of some languages.

use super::RIGHT;
use crate::common::{Data, Worker, start_nats, sum, until};
use crate::jury::packages::package;
use judge_core::verdict::Verdict;
use judge_server::store::UploadId;

#[test]
fn a_worker_without_a_language_leaves_it_to_those_that_have_it() {
    let Some(nats) = start_nats() else { return };
    let data = Data::new(&[sum("sum")]);
    let server = data.serve_on(&nats);
    let admin = server.admin();
    let mut without = Worker::command(&data, &nats.url(), "without");
    without.env("PATH", data.path());
    let without = Worker::start_by(&data, "without", without);
    until("it says what is missing", || {
        let log = without.log();
        log.contains("not installed here") && log.contains("python3")
    });
    let row = |name: &str| {
        let page = admin.page("/jury/queue");
        let from = page.find(&format!("<td>{name}</td>"))?;
        let row = &page[from..];
        row.find("</tr>").map(|to| row[..to].to_owned())
    };
    until("it is shown with what is missing", || {
        row("without").is_some_and(|row| row.contains("python3"))
    });
    // No other worker has it.
    let alone = server.judged(admin.submit("sum", "a.py", RIGHT));
    assert_eq!(alone.verdict, Some(Verdict::JudgeError), "{alone:?}");
    let reason = alone.reason.expect("a reason");
    assert!(reason.contains("the language is not available"), "{reason}");

    let _with = Worker::start(&data, &nats, "with");
    until("the other one is known", || {
        row("with").is_some_and(|row| !row.contains("python3"))
    });
    // Either worker may lease a unit first.
    for k in 0..20 {
        let id = admin.submit("sum", "a.py", &format!("# {k}\n{RIGHT}"));
        let judging = server.judged(id);
        let found = (
            judging.verdict.map(Verdict::code),
            judging.machine.as_deref(),
        );
        assert_eq!(found, (Some("AC"), Some("with")), "{judging:?}");
        if without.log().contains("left to other machines") {
            break;
        }
    }
    assert!(without.log().contains("left to other machines"));
    let archive = package("7\n");
    let files = [("file", "echo.zip", archive.as_slice())];
    let answer = admin.upload("/jury/packages", &[], &files);
    assert_eq!(answer.status, 303, "{}", answer.body);
    let reports = || data.store().upload_reports(UploadId(1)).expect("reports");
    until("the package is verified", || reports().len() == 3);
    let verified: Vec<_> = reports()
        .into_iter()
        .filter_map(|own| own.submission)
        .collect();
    assert_eq!(verified.len(), 2);
    assert!(verified.iter().all(|own| own.as_expected), "{verified:?}");
}

//! From the browser through queue, workers and sandbox to the verdict.

use super::common::{Client, Data, Package, judge_run, sum};
use judge_core::verdict::Verdict;
use judge_server::store::{Judging, JudgingId, JudgingState, Role, SqliteQueue};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

const AC_CPP: &str = "#include <cstdio>
int main() { int a, b; scanf(\"%d %d\", &a, &b); printf(\"%d\\n\", a + b); }
";
const AC_PY: &str = "print(sum(map(int, input().split())))\n";
/// Solves it after this many steps, which take about half a second of CPU time.
const SLOW_PY: &str = "n = 0
while n < 5_000_000:
    n += 1
print(sum(map(int, input().split())))
";

/// Programs for the sum of two integers, with their verdicts. Most are in C, which compiles faster than C++.
const PROGRAMS: [(&str, &str, &str); 8] = [
    ("ac.cpp", "AC", AC_CPP),
    (
        "wa.c",
        "WA",
        "#include <stdio.h>\nint main(void) { int a, b; scanf(\"%d %d\", &a, &b); printf(\"%d\\n\", a - b); }\n",
    ),
    ("ce.c", "CE", "int main(void) { return missing; }\n"),
    // The third case alone, to save the time of the others.
    (
        "tle.c",
        "TLE",
        "#include <stdio.h>\nint main(void) {\n    int a, b; scanf(\"%d %d\", &a, &b); printf(\"%d\\n\", a + b);\n    for (volatile unsigned k = 0; a < 0; k = k + 1) {}\n}\n",
    ),
    (
        "rte.c",
        "RTE",
        "#include <stdlib.h>\nint main(void) { abort(); }\n",
    ),
    (
        "mle.c",
        "MLE",
        "#include <stdlib.h>\n#include <string.h>\nint main(void) {\n    for (;;) {\n        char *p = malloc(1 << 20);\n        if (p) memset(p, 1, 1 << 20);\n    }\n}\n",
    ),
    ("ac.py", "AC", AC_PY),
    ("wa.py", "WA", "print(int(input().split()[0]) * 5)\n"),
];

fn verdict(judging: &Judging) -> &str {
    judging.verdict.map(Verdict::code).unwrap_or_default()
}

/// Writes a program for the command.
fn written(data: &Data, file: &str, source: &str) -> PathBuf {
    let path = data.path().join(file);
    fs::write(&path, source).expect("it is written");
    path
}

#[test]
fn verdicts_are_those_of_the_command() {
    let package = sum("sum").derived_limit();
    let data = Data::new(&[package.limit("time_limit: 0.25").limit("memory: 64")]);
    let server = data.serve();
    let admin = server.admin();
    let submit = |(file, _, source): &(&str, &str, &str)| admin.submit("sum", file, source);
    let ids: Vec<_> = PROGRAMS.iter().map(submit).collect();
    for ((file, expected, source), id) in PROGRAMS.iter().zip(ids) {
        let judging = server.judged(id);
        assert_eq!(verdict(&judging), *expected, "{file}: {judging:?}");
        let of_run = judge_run(&data.package("sum"), &written(&data, file, source));
        assert_eq!(of_run["verdict"], *expected, "{file}: {of_run}");
        let page = admin.page(&format!("/submissions/{id}"));
        assert!(page.contains(expected), "{page}");
    }
    assert!(server.stop().success());
}

#[test]
fn points_are_those_of_the_command() {
    let package = Package::new("points")
        .scoring()
        .case("sample/1", "1 2\n", "3\n")
        .case("secret/small/1", "2 2\n", "4\n")
        .case("secret/large/1", "2 3\n", "5\n")
        .file("data/secret/small/test_group.yaml", "max_score: 40\n")
        .file("data/secret/large/test_group.yaml", "max_score: 60\n");
    let data = Data::new(&[package]);
    let server = data.serve();
    let admin = server.admin();
    // Right for the sample and one of the groups.
    let part = "a, b = map(int, input().split())\nprint(a + b if b < 3 else 0)\n";
    for (file, source) in [("all.py", AC_PY), ("part.py", part)] {
        let judging = server.judged(admin.submit("points", file, source));
        let of_run = judge_run(&data.package("points"), &written(&data, file, source));
        assert_eq!(of_run["verdict"], verdict(&judging), "{file}: {judging:?}");
        assert_eq!(
            of_run["score"].as_f64(),
            judging.score,
            "{file}: {judging:?}"
        );
        let expected = if source == part { 40.0 } else { 100.0 };
        assert_eq!(judging.score, Some(expected), "{file}: {judging:?}");
    }
}

#[test]
fn a_derived_time_limit_is_derived_once() {
    let package = sum("derived")
        .derived_limit()
        .file("submissions/accepted/ac.py", AC_PY);
    let data = Data::new(&[package]);
    let server = data.serve();
    let admin = server.admin();
    let limit = || {
        let problem = data
            .store()
            .problem_by_ext("derived")
            .expect("the store works");
        problem.expect("a problem").version.time_limit_s
    };
    assert_eq!(limit(), None);
    let first = server.judged(admin.submit("derived", "ac.py", AC_PY));
    assert_eq!(verdict(&first), "AC", "{first:?}");
    let derived = limit();
    assert!(derived.is_some());
    assert_eq!(first.time_limit_s, derived);
    let second = server.judged(admin.submit("derived", "ac.py", AC_PY));
    assert_eq!((verdict(&second), second.time_limit_s), ("AC", derived));
}

#[test]
fn a_language_that_is_missing_is_refused() {
    let data = Data::new(&[sum("sum")]);
    let mut command = data.command();
    // Without compilers.
    let tools = data.path().join("tools");
    fs::create_dir_all(&tools).expect("a directory");
    command.env("PATH", &tools);
    let server = data.serve_by(command);
    let admin = server.admin();
    let answer = admin.try_submit("sum", "ac.cpp", AC_CPP);
    assert_eq!(answer.status, 400, "{}", answer.body);
    assert!(answer.body.contains("language"), "{}", answer.body);
    assert!(data.store().judging(JudgingId(1)).is_err());
}

#[test]
fn events_arrive_in_order_until_the_end() {
    let cases = ["sample/1", "secret/1", "secret/2"];
    let data = Data::new(&[sum("sum")]);
    data.user("ada", Role::Public, None);
    let server = data.serve();
    let ada = server.sign_in("ada");
    let id = ada.submit("sum", "slow.py", SLOW_PY);
    let events: Vec<_> = ada.events(&format!("/submissions/{id}/live")).collect();
    let (end, results) = events.split_last().expect("events");
    assert_eq!(end.kind, "end");
    assert!(
        results.iter().all(|event| event.kind == results[0].kind),
        "{results:?}"
    );
    let shown = |data: &str| cases.iter().filter(|case| data.contains(*case)).count();
    let counts: Vec<usize> = results.iter().map(|event| shown(&event.data)).collect();
    assert!(counts.is_sorted(), "{counts:?}");
    assert_eq!(counts.last(), Some(&cases.len()));
    assert!(results.last().is_some_and(|last| last.data.contains("AC")));
    // Who comes later gets the result and the end.
    let late: Vec<_> = ada.events(&format!("/submissions/{id}/live")).collect();
    assert_eq!(late.len(), 2, "{late:?}");
    assert_eq!(late[0], results[results.len() - 1]);
}

/// The reason that the jury sees for a submission.
fn jury_page(admin: &Client, id: impl std::fmt::Display) -> String {
    admin.page(&format!("/jury/submissions/{id}"))
}

#[test]
fn a_broken_package_is_parked_at_once_and_blocks_nothing() {
    let broken = sum("broken").file(
        "output_validator/validate.py",
        "import sys\nprint('out of order', file=sys.stderr)\nsys.exit(1)\n",
    );
    let data = Data::new(&[broken, sum("sum")]);
    let server = data.serve();
    let admin = server.admin();
    let bad = admin.submit("broken", "ac.py", AC_PY);
    let good = admin.submit("sum", "ac.py", AC_PY);
    assert_eq!(verdict(&server.judged(good)), "AC");
    let judging = server.judged(bad);
    assert_eq!(verdict(&judging), "JE", "{judging:?}");
    // Repeating cannot cure it.
    assert_eq!(judging.attempt, 1, "{}", data.log());
    let reason = judging.reason.expect("a reason");
    assert!(reason.contains("out of order"), "{reason}");
    assert!(jury_page(&admin, bad).contains("out of order"));
    let queue = admin.page("/jury/queue");
    assert!(queue.contains("out of order"), "{queue}");

    // Trying again is one step for the jury: the judging opens, and its unit waits.
    let unit = format!("judging-{}", judging.id);
    let retried = admin.post("/jury/queue/retry", &[("unit", &unit)]);
    assert_eq!(retried.status, 303, "{}", retried.body);
    let again = server.until(bad, |judging| {
        judging.attempt == 2 && judging.state == JudgingState::Done
    });
    assert_eq!(verdict(&again), "JE", "{again:?}");
    assert_eq!(
        verdict(&server.judged(admin.submit("sum", "ac.py", AC_PY))),
        "AC"
    );
}

#[test]
fn a_stopped_server_gives_back_its_work_and_ends_it_later() {
    let data = Data::new(&[sum("sum")]);
    let server = data.serve();
    let admin = server.admin();
    let submit = |k: usize| admin.submit("sum", &format!("slow{k}.py"), SLOW_PY);
    let ids: Vec<_> = (0..5).map(submit).collect();
    server.until(ids[0], |judging| judging.state != JudgingState::Queued);
    assert!(server.stop().success());
    let store = Arc::new(data.store());
    let is_open = |id| {
        let judging = store.valid_judging(id).expect("a judging");
        judging.state != JudgingState::Done
    };
    assert!(ids.iter().any(|id| is_open(*id)));
    let queue = SqliteQueue::open(store).expect("it opens");
    for listed in queue.list(10).expect("the queue works") {
        assert_eq!(
            (listed.deliveries, listed.reason.as_deref()),
            (0, None),
            "{listed:?}"
        );
    }
    drop(queue);
    let server = data.serve();
    for id in ids {
        let judging = server.judged(id);
        assert_eq!(verdict(&judging), "AC", "{judging:?}");
        let cases = data
            .store()
            .case_results(judging.id)
            .expect("the store works");
        assert_eq!(cases.len(), 3);
    }
}

#[test]
fn a_killed_server_loses_nothing() {
    let data = Data::new(&[sum("sum")]);
    let server = data.serve();
    let admin = server.admin();
    let submit = |k: usize| admin.submit("sum", &format!("slow{k}.py"), SLOW_PY);
    let ids: Vec<_> = (0..3).map(submit).collect();
    server.until(ids[0], |judging| judging.state != JudgingState::Queued);
    server.kill();
    let server = data.serve();
    for id in ids {
        let judging = server.judged(id);
        assert_eq!(verdict(&judging), "AC", "{judging:?}");
        let cases = data
            .store()
            .case_results(judging.id)
            .expect("the store works");
        assert_eq!(cases.len(), 3);
    }
}

#[test]
fn a_second_server_on_the_same_data_is_refused() {
    let data = Data::new(&[sum("sum")]);
    let server = data.serve();
    let second = data.command().output().expect("it starts");
    assert_eq!(second.status.code(), Some(2));
    let said = String::from_utf8_lossy(&second.stderr);
    assert!(
        said.contains("another judge-server") && said.contains("--data"),
        "{said}"
    );
    assert_eq!(server.client().json("/healthz")["status"], "ok");
}

/// Everything that a validator and a program wrote, also for an accepted case and past what the server keeps.
#[test]
fn the_jury_gets_the_whole_output_of_any_case() {
    let data = Data::new(&[sum("sum")]);
    let server = data.serve();
    let admin = server.admin();
    let source = "import sys\nprint(sum(map(int, input().split())))\nprint(' ' * 99_999)\n\
                  print('note', file=sys.stderr)\n";
    let id = admin.submit("sum", "a.py", source);
    let judging = server.judged(id);
    assert_eq!(verdict(&judging), "AC");
    let path = format!("/jury/submissions/{id}/judgings/{}/again", judging.id);
    let archive = admin.download(&path, &[("case", "secret/2")]);
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(archive)).expect("an archive");
    let mut text = |name: &str| {
        let file = archive.by_name(name).expect(name);
        std::io::read_to_string(file).expect("text")
    };
    assert_eq!(text("secret/2.out"), format!("0\n{}\n", " ".repeat(99_999)));
    assert_eq!(text("secret/2.err"), "note\n");
    assert!(
        text("result.txt").starts_with("AC\n"),
        "{}",
        text("result.txt")
    );
    let none = admin.post(&path, &[("case", "secret/9")]);
    assert_eq!(none.status, 404, "{}", none.body);
    assert_eq!(data.store().judgings_of(id).expect("read").len(), 1);
}

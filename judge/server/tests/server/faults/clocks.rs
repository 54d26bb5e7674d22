//! Clocks that differ: leases and deadlines use no clock that machines share.

use crate::common::{Data, Worker, patient, slow, start_nats};
use std::path::Path;
use std::process::Command;

/// Replaces the real-time clock of a process; `CLOCK_OFFSET` is in seconds.
const SHIM: &str = "
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, \"clock_gettime\");
    int failed = real(clock, time);
    const char *offset = getenv(\"CLOCK_OFFSET\");
    if (!failed && clock == CLOCK_REALTIME && offset) time->tv_sec += atol(offset);
    return failed;
}
";

fn compile(dir: &Path) -> std::path::PathBuf {
    let (source, library) = (dir.join("clock.c"), dir.join("clock.so"));
    std::fs::write(&source, SHIM).expect("it is written");
    let mut compiler = Command::new("cc");
    compiler
        .args(["-shared", "-fPIC", "-o"])
        .args([&library, &source])
        .arg("-ldl");
    assert!(compiler.status().expect("cc starts").success());
    library
}

/// Workers a day ahead and a day behind take over each other's units no sooner than others.
#[test]
fn machines_may_have_any_time() {
    let Some(nats) = start_nats() else { return };
    let data = Data::new(&[patient()]);
    let server = data.serve_on(&nats);
    let dir = tempfile::tempdir().expect("a directory");
    let shim = compile(dir.path());
    let start = |name: &str, offset: &str| {
        let mut command = Worker::command(&data, &nats.url(), name);
        command.env("LD_PRELOAD", &shim).env("CLOCK_OFFSET", offset);
        Worker::start_by(&data, name, command)
    };
    let workers = [start("ahead", "86400"), start("behind", "-86400")];
    let admin = server.admin();
    // Each works for longer than a lease.
    let all: Vec<_> = (0..4)
        .map(|k| admin.submit("patient", "a.py", &format!("# {k}\n{}", slow(2.0))))
        .collect();
    let machines: std::collections::BTreeSet<String> = all
        .iter()
        .map(|id| {
            let judging = server.judged(*id);
            let found = (judging.verdict.as_deref(), judging.attempt);
            assert_eq!(found, (Some("AC"), 1), "{judging:?}");
            judging.machine.expect("a machine")
        })
        .collect();
    assert_eq!(machines.len(), 2, "{machines:?}");
    assert!(
        workers[0].log().contains(&tomorrow()),
        "the clock of the worker is another one"
    );
}

/// The date of the worker that is ahead, as its log has it.
fn tomorrow() -> String {
    let date = Command::new("date")
        .args(["-u", "-d", "1 day", "+%Y-%m-%d"])
        .output();
    let date = date.expect("date starts").stdout;
    String::from_utf8(date).expect("text").trim().to_owned()
}

//! Clocks that differ: leases and deadlines use no clock that machines share.

use crate::common::{Data, Worker, patient, slow, start_nats, until};
use judge_core::verdict::Verdict;
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Replaces the real-time clock of a process: adds the seconds that the file `CLOCK_FILE` has.
const SHIM: &str = "
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
static const volatile long long *offset;
__attribute__((constructor)) static void map(void) {
    const char *path = getenv(\"CLOCK_FILE\");
    int file = path ? open(path, O_RDONLY) : -1;
    if (file < 0) return;
    void *mapped = mmap(0, sizeof *offset, PROT_READ, MAP_SHARED, file, 0);
    if (mapped != MAP_FAILED) offset = mapped;
    close(file);
}
int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, \"clock_gettime\");
    int failed = real(clock, time);
    if (!failed && clock == CLOCK_REALTIME && offset) time->tv_sec += *offset;
    return failed;
}
";

/// The real-time clock of some processes, which can be set while they run.
pub struct Clock {
    library: PathBuf,
    file: PathBuf,
    /// Seconds that it is ahead of the machine's clock.
    pub ahead_s: i64,
}

impl Clock {
    /// A clock with this name, whose files are in a directory.
    pub fn new(dir: &Path, name: &str) -> Self {
        let (source, library) = (dir.join("clock.c"), dir.join("clock.so"));
        fs::write(&source, SHIM).expect("it is written");
        let mut compiler = Command::new("cc");
        compiler.args(["-shared", "-fPIC", "-o"]);
        compiler.args([&library, &source]).arg("-ldl");
        assert!(compiler.status().expect("cc starts").success());
        let file = dir.join(format!("{name}.offset"));
        fs::write(&file, [0; 8]).expect("it is written");
        Clock {
            library,
            file,
            ahead_s: 0,
        }
    }

    /// Gives a process this clock.
    pub fn install(&self, command: &mut Command) {
        command.env("LD_PRELOAD", &self.library);
        command.env("CLOCK_FILE", &self.file);
    }

    /// Sets it.
    pub fn set(&mut self, ahead_s: i64) {
        self.ahead_s = ahead_s;
        // In place: the file is mapped.
        let file = File::options().write(true).open(&self.file);
        let written = file.and_then(|file| file.write_all_at(&ahead_s.to_ne_bytes(), 0));
        written.expect("it is written");
    }
}

/// Workers a day ahead and a day behind take over each other's units no sooner than others.
#[test]
fn machines_may_have_any_time() {
    let Some(nats) = start_nats() else { return };
    let data = Data::new(&[patient()]);
    let server = data.serve_on(&nats);
    let dir = tempfile::tempdir().expect("a directory");
    let start = |name: &str, ahead_s: i64| {
        let mut clock = Clock::new(dir.path(), name);
        clock.set(ahead_s);
        let mut command = Worker::command(&data, &nats.url(), name);
        clock.install(&mut command);
        Worker::start_by(&data, name, command)
    };
    let workers = [start("ahead", 86_400), start("behind", -86_400)];
    let admin = server.admin();
    // Each works for longer than a lease.
    let all: Vec<_> = (0..4)
        .map(|k| admin.submit("patient", "a.py", &format!("# {k}\n{}", slow(2.0))))
        .collect();
    let machines: std::collections::BTreeSet<String> = all
        .iter()
        .map(|id| {
            let judging = server.judged(*id);
            let found = (judging.verdict.map(Verdict::code), judging.attempt);
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

/// The lease of a unit that is judged goes on, and no unit waits until the old time comes again.
#[test]
fn a_clock_that_is_set_ends_and_extends_no_lease() {
    let data = Data::new(&[patient()]);
    let dir = tempfile::tempdir().expect("a directory");
    let mut clock = Clock::new(dir.path(), "server");
    let mut command = data.command();
    clock.install(&mut command);
    let server = data.serve_by(command);
    let (admin, client) = (server.admin(), server.client());
    for ahead_s in [3600, -3600] {
        let program = format!("# {ahead_s}\n{}", slow(2.0));
        let id = admin.submit("patient", "a.py", &program);
        until("it is judged", || client.json("/healthz")["leased"] == 1);
        clock.set(ahead_s);
        let judging = server.judged(id);
        let found = (judging.verdict.map(Verdict::code), judging.attempt);
        assert_eq!(found, (Some("AC"), 1), "{judging:?}");
    }
    assert!(data.log().contains("was set by"), "{}", data.log());
}

/// The date of the worker that is ahead, as its log has it.
fn tomorrow() -> String {
    let date = Command::new("date")
        .args(["-u", "-d", "1 day", "+%Y-%m-%d"])
        .output();
    let date = date.expect("date starts").stdout;
    String::from_utf8(date).expect("text").trim().to_owned()
}

//! `judge watch`: a save is judged, the case that failed goes first, Ctrl-C ends it.

use crate::common::{Bench, judge_program, of_judge};
use rustix::process::{Pid, Signal, kill_process};
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

const SUM: &str = "read a b\necho $((a + b))\n";

/// A judge that watches, and what it prints.
struct Watching {
    judge: Child,
    printed: Receiver<String>,
    text: String,
}

impl Drop for Watching {
    /// Nothing is left of a test that failed.
    fn drop(&mut self) {
        if let Ok(None) = self.judge.try_wait() {
            let _ = kill_process(Pid::from_child(&self.judge), Signal::INT);
            let _ = self.judge.wait();
        }
    }
}

impl Watching {
    fn start(bench: &Bench) -> Self {
        let mut command = of_judge(bench, judge_program());
        command.args(["watch", "sums", "-s", "program.sh", "-j", "1"]);
        Self::of(&mut command)
    }

    fn of(command: &mut Command) -> Self {
        let mut judge = command
            .stdout(Stdio::piped())
            .spawn()
            .expect("the judge starts");
        let mut out = judge.stdout.take().expect("its output");
        let (sender, printed) = mpsc::channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = out.read(&mut buffer) {
                let text = String::from_utf8_lossy(&buffer[..count]).into_owned();
                if sender.send(text).is_err() {
                    break;
                }
            }
        });
        Watching {
            judge,
            printed,
            text: String::new(),
        }
    }

    /// Ends it by Ctrl-C.
    fn interrupt(&mut self) {
        let pid = Pid::from_child(&self.judge);
        kill_process(pid, Signal::INT).expect("it is there");
        let status = self.judge.wait().expect("it ends");
        assert_eq!(status.code(), Some(130));
    }

    /// The output of a round, to its end.
    fn round(&mut self) -> String {
        const END: &str = "waiting for changes";
        let end = Instant::now() + Duration::from_secs(120);
        loop {
            if let Some(at) = self.text.find(END) {
                let rest = self.text.split_off(at + END.len());
                return std::mem::replace(&mut self.text, rest);
            }
            let left = end.saturating_duration_since(Instant::now());
            let more = self.printed.recv_timeout(left);
            self.text
                .push_str(&more.unwrap_or_else(|_| panic!("no round ended: {:?}", self.text)));
        }
    }
}

#[test]
fn every_save_is_judged() {
    let bench = Bench::new();
    bench.sums("time_limit: 5.0");
    bench.write("program.sh", SUM);
    let mut watching = Watching::start(&bench);
    assert!(watching.round().contains("4 of 4 cases"));
    bench.write("program.sh", "read a b\necho $((a == 2 ? 7 : a + b))\n");
    let wrong = watching.round();
    assert!(wrong.contains("WA   secret/2"), "{wrong}");
    // The case that failed is judged first now, and it alone: it fails again.
    bench.write("program.sh", "echo 8\n");
    let wrong = watching.round();
    assert!(
        wrong.contains("secret/2") && !wrong.contains("sample/1"),
        "{wrong}"
    );
    bench.write("sums/data/secret/2.ans", "8\n");
    assert!(watching.round().contains("sample/1"));
    watching.interrupt();
}

/// A plain folder with a case and a program that is right.
fn folder() -> Bench {
    let bench = Bench::new();
    bench.write("1.in", "3\n");
    bench.write("1.out", "5\n");
    bench.write(
        "sol.c",
        "#include <stdio.h>\nint main(void) { puts(\"5\"); }\n",
    );
    bench
}

/// `judge watch sol.c | tee log.txt` would judge for ever.
#[test]
fn only_files_that_the_program_depends_on_are_judged_again() {
    let bench = folder();
    let mut command = of_judge(&bench, judge_program());
    command.args(["watch", "sol.c", "-j", "1"]);
    let mut watching = Watching::of(&mut command);
    assert!(watching.round().contains("1 of 1 case ·"));
    for k in 0..5 {
        bench.write("log.txt", &"line\n".repeat(k));
        std::thread::sleep(Duration::from_millis(200));
    }
    bench.write("1.out", "6\n");
    let next = watching.round();
    assert!(next.contains("WA"), "{next}");
    watching.interrupt();
}

/// `judge watch sol.c > run.inc` would judge for ever.
#[test]
fn cases_in_a_new_directory_are_judged() {
    let bench = folder();
    let mut command = of_judge(&bench, judge_program());
    command.args(["watch", "sol.c", "-j", "1"]);
    let mut watching = Watching::of(&mut command);
    assert!(watching.round().contains("1 of 1 case ·"));
    bench.write("test/a.in", "0\n");
    bench.write("test/a.out", "6\n");
    // A round may begin between the two files.
    while !watching.round().contains("Wrong answer on a") {}
    bench.write("test/a.out", "5\n");
    let next = watching.round();
    assert!(next.contains("all accepted"), "{next}");
    watching.interrupt();
}

#[test]
fn the_own_output_causes_no_round() {
    let bench = folder();
    let output = std::fs::File::create(bench.path("run.inc")).expect("a file");
    let mut command = of_judge(&bench, judge_program());
    command.args(["watch", "sol.c", "-j", "1"]).stdout(output);
    let mut watching = Watching {
        judge: command.spawn().expect("the judge starts"),
        printed: mpsc::channel().1,
        text: String::new(),
    };
    let end = Instant::now() + Duration::from_secs(120);
    while !bench.read("run.inc").contains("waiting for changes") {
        assert!(Instant::now() < end, "no round ended");
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(700));
    assert_eq!(bench.read("run.inc").matches("1 of 1 case ·").count(), 1);
    watching.interrupt();
}

#[test]
fn options_are_those_of_every_round() {
    let bench = Bench::new();
    bench.sums("time_limit: 5.0");
    bench.write("-dash.sh", SUM);
    let mut command = of_judge(&bench, judge_program());
    command.args(["watch", "sums", "--submission=-dash.sh", "--time-limit=4.5"]);
    command.args(["--memory=333", "--color=always"]);
    let mut watching = Watching::of(&mut command);
    for _ in 0..2 {
        let round = watching.round();
        assert!(round.contains("(4.500 s, 333 MiB, 4 cases)"), "{round}");
        assert!(
            round.contains("4 of 4 cases") && round.contains("\u{1b}["),
            "{round}"
        );
        bench.write("-dash.sh", "read a b\necho $((b + a))\n");
    }
    watching.interrupt();
}

/// A new build takes the place of the judge's file while it watches.
#[test]
fn a_judge_that_was_built_again_meanwhile_judges_on() {
    let bench = Bench::new();
    bench.sums("time_limit: 5.0");
    bench.write("program.sh", SUM);
    let judge = bench.path("bin/judge");
    std::fs::create_dir(bench.path("bin")).expect("a directory");
    // By another process: a file that this one has open for writing may be inherited by a program that another test starts,
    // and cannot be executed then.
    let copied = Command::new("cp")
        .arg(env!("CARGO_BIN_EXE_judge"))
        .arg(&judge)
        .status();
    assert!(copied.expect("cp is there").success());
    let mut command = of_judge(&bench, &judge);
    command.args(["watch", "sums", "-s", "program.sh", "-j", "1"]);
    let mut watching = Watching::of(&mut command);
    assert!(watching.round().contains("4 of 4 cases"));
    std::fs::remove_file(&judge).expect("it was there");
    bench.write("program.sh", "echo 8\n");
    assert!(watching.round().contains("WA"));
    watching.interrupt();
}

/// Cargo builds while the files are saved again; it would keep the next round waiting for its lock.
#[test]
fn a_save_ends_the_build_of_the_round_before() {
    let bench = Bench::new();
    bench.sums("time_limit: 5.0");
    bench.write("Cargo.toml", "[workspace]\n");
    std::fs::create_dir(bench.path("testdata")).expect("a directory");
    std::fs::rename(bench.path("sums"), bench.path("testdata/sums")).expect("it is moved");
    bench.write(
        "problems/sums/Cargo.toml",
        "[package]\nname = \"sums\"\nversion = \"0.1.0\"\n",
    );
    let source = "problems/sums/src/main.rs";
    bench.write(source, "fn main() {}\n");
    let builds = bench.path("builds");
    let cargo = bench.write(
        "cargo",
        &format!(
            "#!/bin/sh\necho $$ >> {}\nexec sleep 600\n",
            builds.display()
        ),
    );
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&cargo, executable).expect("its mode is set");
    let mut command = of_judge(&bench, judge_program());
    command.args(["watch", "sums"]).env("CARGO", &cargo);
    let mut watching = Watching::of(&mut command);
    let first = build(&builds, 0);
    bench.write(source, "fn main() { }\n");
    let second = build(&builds, 1);
    wait_for_end(first);
    watching.interrupt();
    wait_for_end(second);
}

/// The process of the build with this number, when it has begun.
fn build(builds: &Path, number: usize) -> Pid {
    let end = Instant::now() + Duration::from_secs(120);
    loop {
        let begun = std::fs::read_to_string(builds).unwrap_or_default();
        let complete = begun.ends_with('\n').then(|| begun.lines().nth(number));
        if let Some(Some(line)) = complete {
            let id = line.parse().expect("the id of a process");
            return Pid::from_raw(id).expect("not zero");
        }
        assert!(Instant::now() < end, "no build began");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Waits until the process is gone; a build that goes on takes ten minutes.
fn wait_for_end(process: Pid) {
    let end = Instant::now() + Duration::from_secs(60);
    let stat = format!("/proc/{}/stat", process.as_raw_nonzero());
    // One that has ended may wait to be reaped.
    while std::fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z ")) {
        assert!(Instant::now() < end, "the build goes on");
        std::thread::sleep(Duration::from_millis(10));
    }
}

//! `judge watch`: a save is judged, the case that failed goes first, Ctrl-C ends it.

mod common;

use common::Bench;
use rustix::process::{Pid, Signal, kill_process};
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

/// A judge that watches, and what it prints.
struct Watching {
    judge: Child,
    printed: Receiver<String>,
    text: String,
}

impl Watching {
    fn start(bench: &Bench) -> Self {
        let mut judge = Command::new(env!("CARGO_BIN_EXE_judge"))
            .args(["watch", "sums", "-s", "program.py", "-j", "1"])
            .current_dir(bench.path(""))
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

    /// What a round prints, to its end.
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
    bench.write("program.py", "print(sum(map(int, input().split())))\n");
    let mut watching = Watching::start(&bench);
    assert!(watching.round().contains("4 of 4 cases"));
    bench.write(
        "program.py",
        "a, b = map(int, input().split())\nprint(7 if a == 2 else a + b)\n",
    );
    let wrong = watching.round();
    assert!(wrong.contains("WA   secret/2"), "{wrong}");
    // The case that failed is judged first now, and it alone: it fails again.
    bench.write("program.py", "print(8)\n");
    let wrong = watching.round();
    assert!(
        wrong.contains("secret/2") && !wrong.contains("sample/1"),
        "{wrong}"
    );
    bench.write("sums/data/secret/2.ans", "8\n");
    assert!(watching.round().contains("sample/1"));

    let pid = Pid::from_child(&watching.judge);
    kill_process(pid, Signal::INT).expect("it is there");
    let status = watching.judge.wait().expect("it ends");
    assert_eq!(status.code(), Some(130));
}

//! Compares the server's log with what was sent and what ran, by `check_log.py`.

use super::number;
use super::site::Site;
use crate::common::of_tests;
use std::fs::{self, File};
use std::path::Path;
use std::process::Output;

impl Site<'_> {
    /// Compares the logs.
    pub fn check(self) {
        let fetch = |path: &str, name: &str| {
            let url = format!("{}{path}", self.server().address);
            let answer = ureq::get(url).header("Authorization", "Bearer jury").call();
            let mut body = answer.expect("an answer").into_body().into_reader();
            let mut file = File::create(self.dir.join(name)).expect("a file");
            std::io::copy(&mut body, &mut file).expect("it is read");
        };
        fetch("/api/contests/c/event-feed?stream=false", "feed.ndjson");
        fetch("/api/contests/c/scoreboard", "scoreboard.json");
        let output = check_log(self.dir);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        println!("{}{}", text(&output.stdout), text(&output.stderr));
        if !output.status.success() {
            let kept = std::env::temp_dir().join(format!("judge-faults-{}", std::process::id()));
            // Best effort: the logs say why.
            let _ = fs::rename(self.data.path().parent().expect("a directory"), &kept);
            panic!("the logs differ; they are kept in {}", kept.display());
        }
        if number("RUNS").is_none() {
            self.check_damaged();
        }
    }

    /// The script finds what it looks for.
    fn check_damaged(&self) {
        let is_refused = |name: &str, damage: &dyn Fn(&str) -> String| {
            let path = self.dir.join(name);
            let whole = fs::read_to_string(&path).expect("it was written");
            let damaged = damage(&whole);
            assert_ne!(whole, damaged, "{name}");
            fs::write(&path, damaged).expect("it is written");
            assert!(!check_log(self.dir).status.success(), "{name}");
            fs::write(&path, whole).expect("it is written");
        };
        // Without the last event of this type.
        let lost = |kind: &'static str| {
            move |feed: &str| {
                let kind = format!("\"type\":\"{kind}\"");
                let lines: Vec<&str> = feed.lines().collect();
                let last = lines.iter().rposition(|line| line.contains(&kind));
                let others = lines.iter().enumerate().filter(|(k, _)| Some(*k) != last);
                others.map(|(_, line)| format!("{line}\n")).collect()
            }
        };
        is_refused("feed.ndjson", &lost("runs"));
        is_refused("feed.ndjson", &lost("submissions"));
        is_refused("feed.ndjson", &lost("judgements"));
        is_refused("scoreboard.json", &|board| {
            board.replacen("\"num_judged\":", "\"num_judged\":1", 1)
        });
    }
}

fn check_log(dir: &Path) -> Output {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/server/faults/check_log.py");
    let output = of_tests("python3".as_ref()).arg(script).arg(dir).output();
    output.expect("python3 starts")
}

//! `judge compare`, `judge history` and `judge run --repeat`.

use crate::common::{Bench, asserted, judge, run};
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;
use std::path::{Path, PathBuf};

const C_RIGHT: &str = "#include <stdio.h>\nint main(void) { int a, b; scanf(\"%d%d\", &a, &b); printf(\"%d\\n\", a + b); }\n";
const RIGHT: &str = "read a b\necho $((a + b))\n";

/// Judges a program over the package and returns the file of its events.
fn events(bench: &Bench, name: &str, program: &Path, args: &[&str]) -> PathBuf {
    let file = bench.path(name);
    run(bench, &bench.path("sums"), program)
        .args(args)
        .arg("--json")
        .arg(&file)
        .output()
        .expect("the judge runs");
    file
}

/// Events of a submission over the cases `0` to `9`, with these times in milliseconds.
fn written(
    bench: &Bench,
    name: &str,
    verdict: &str,
    time: impl Fn(usize, usize) -> f64,
) -> PathBuf {
    let mut text = String::from("{\"event\":\"run_started\",\"version\":\"0\",\"sandbox\":{}}\n");
    for case in 0..10 {
        let times: Vec<String> = (0..10)
            .map(|k| (time(case, k) / 1000.0).to_string())
            .collect();
        let own = if case == 7 { verdict } else { "AC" };
        text.push_str(&format!(
            "{{\"event\":\"case_finished\",\"package\":\"p\",\"submission\":\"s\",\"case\":\"{case}\",\
             \"verdict\":\"{own}\",\"cpu_s\":{},\"repeats_cpu_s\":[{}]}}\n",
            times[0],
            times.join(",")
        ));
    }
    text.push_str(&format!(
        "{{\"event\":\"submission_finished\",\"package\":\"p\",\"submission\":\"s\",\"verdict\":\
         \"{verdict}\",\"as_expected\":true}}\n{{\"event\":\"run_finished\",\"submissions\":1,\
         \"cases\":10,\"as_expected\":true,\"wall_s\":1}}\n"
    ));
    bench.write(name, &text)
}

/// Noise of a few percent that is the same in every run of the test.
fn noise(case: usize, k: usize) -> f64 {
    1.0 + ((case * 31 + k * 17) % 7) as f64 / 100.0
}

#[test]
fn times_are_compared_with_an_interval() {
    let bench = Bench::new();
    let before = written(&bench, "before", "AC", noise);
    let slower = written(&bench, "slower", "AC", |case, k| 1.5 * noise(case, k + 3));
    let same = written(&bench, "same", "AC", |case, k| noise(case + 2, k));
    let compare = |one: &Path, other: &Path| {
        let output = judge(&bench).arg("compare").args([one, other]).output();
        let output = output.expect("the judge runs");
        (
            String::from_utf8(output.stdout).expect("text"),
            output.status.code(),
        )
    };
    let (text, status) = compare(&before, &slower);
    assert!(
        text.contains("AC in both") && text.contains("slower"),
        "{text}"
    );
    assert!(
        text.contains("CPU time  1.5") && text.contains(" to 1.5"),
        "{text}"
    );
    assert_eq!(status, Some(0));
    let (text, _) = compare(&slower, &before);
    assert!(text.contains("faster"), "{text}");
    let (text, _) = compare(&before, &same);
    assert!(text.contains("no difference beyond noise"), "{text}");
    // The same comparison gives the same figures.
    assert_eq!(compare(&before, &same).0, text);
}

#[test]
fn a_verdict_that_became_worse_is_shown_and_fails() {
    let bench = Bench::new();
    let before = written(&bench, "before", "AC", noise);
    let after = written(&bench, "after", "WA", noise);
    judge(&bench)
        .arg("compare")
        .args([&before, &after])
        .assert()
        .code(1)
        .stdout(contains("verdict  AC -> WA").and(contains("7  AC -> WA")));
    judge(&bench)
        .arg("compare")
        .args([&after, &before])
        .assert()
        .success()
        .stdout(contains("WA -> AC"));
    let text = bench.read("before");
    let lines = text.split_inclusive('\n');
    let fewer: String = lines
        .filter(|line| !line.contains("\"case\":\"3\""))
        .collect();
    judge(&bench)
        .arg("compare")
        .args([&before, &bench.write("fewer", &fewer)])
        .assert()
        .success()
        .stdout(contains("only in one of the runs: 1 case\n"));
}

#[test]
fn a_file_that_is_no_run_is_refused() {
    let bench = Bench::new();
    let whole = written(&bench, "whole", "AC", noise);
    let text = std::fs::read_to_string(&whole).expect("it is there");
    let cut: String = text
        .lines()
        .take(5)
        .map(|line| format!("{line}\n"))
        .collect();
    let cut = bench.write("cut", &cut);
    let other = bench.write("other", "hello\n");
    for (file, why) in [(&cut, "not completed"), (&other, "line 1: not an event")] {
        judge(&bench)
            .arg("compare")
            .args([&whole, file])
            .assert()
            .code(2)
            .stderr(contains(why).and(contains("--json")));
    }
}

#[test]
fn a_repeated_run_measures_every_case_several_times() {
    let bench = Bench::new();
    bench.sums("time_limit: 5");
    let program = bench.write("sol.sh", RIGHT);
    let file = events(&bench, "events", &program, &["--repeat", "3", "-j", "1"]);
    let text = std::fs::read_to_string(file).expect("it is there");
    let events = crate::common::events(text.as_bytes());
    let is_case = |event: &&Value| event["event"] == "case_finished";
    let cases: Vec<&Value> = events.iter().filter(is_case).collect();
    assert_eq!(cases.len(), 4);
    for case in cases {
        let times = case["repeats_cpu_s"].as_array().expect("a list");
        assert_eq!(times.len(), 3);
        let mut sorted: Vec<f64> = times.iter().filter_map(Value::as_f64).collect();
        sorted.sort_by(f64::total_cmp);
        assert_eq!(case["cpu_s"].as_f64(), Some(sorted[1]));
    }
    assert_eq!(text.matches("submission_finished").count(), 1);
    assert!(text.contains("\"cases\":12"), "{text}");
}

#[test]
fn runs_are_recorded_and_listed() {
    let bench = Bench::new();
    bench.sums("time_limit: 5");
    let program = bench.write("sol.sh", RIGHT);
    judge(&bench)
        .arg("history")
        .assert()
        .success()
        .stdout(contains("no run is recorded"));
    run(&bench, &bench.path("sums"), &program)
        .assert()
        .success();
    run(&bench, &bench.path("sums"), &program)
        .assert()
        .success();
    run(&bench, &bench.path("sums"), &program)
        .arg("--no-history")
        .assert()
        .success();
    let history = |name: &str| {
        let output = judge(&bench).args(["history", name]).output();
        String::from_utf8(output.expect("the judge runs").stdout).expect("text")
    };
    judge(&bench)
        .args(["history", "-n", "0"])
        .assert()
        .code(2)
        .stderr(contains("0 is not in 1.."));
    let text = history("sums");
    assert_eq!(text.matches("4 of 4 cases").count(), 2, "{text}");
    assert!(
        text.contains("than last time") || text.contains("as fast as"),
        "{text}"
    );
    // Ten times the time, in the file.
    let file = bench.path("../state/judge/history.jsonl");
    let lines = std::fs::read_to_string(&file).expect("it is there");
    let mut last: Value =
        serde_json::from_str(lines.lines().last().expect("a line")).expect("JSON");
    last["cpu_s"] = Value::from(last["cpu_s"].as_f64().expect("a time") * 10.0);
    std::fs::write(&file, format!("{lines}{last}\n")).expect("it is written");
    let text = history("sums");
    assert!(text.contains("slower than last time: 10.0x"), "{text}");
    assert!(text.contains('█') && text.contains("▁"), "{text}");
    asserted(&bench, &["history", "sumz"])
        .code(2)
        .stderr(contains("did you mean sums?"));
}

/// Programs of the same name in two folders.
#[test]
fn the_history_of_a_path_is_that_of_one_program() {
    let bench = Bench::new();
    for folder in ["one", "two"] {
        bench.write(&format!("{folder}/1.in"), "1\n");
        bench.write(&format!("{folder}/1.out"), "1\n");
        bench.write(&format!("{folder}/sol.sh"), "cat\n");
        asserted(&bench, &["run", &format!("{folder}/sol.sh")]).success();
    }
    let runs = |name: &str| {
        let output = judge(&bench).args(["history", name]).output();
        let text = String::from_utf8(output.expect("the judge runs").stdout).expect("text");
        text.matches("1 of 1 case").count()
    };
    assert_eq!(["one/sol.sh", "two", "sol.sh"].map(runs), [1, 1, 2]);
}

#[test]
fn a_home_that_cannot_be_written_costs_only_the_history() {
    let bench = Bench::new();
    bench.sums("time_limit: 5");
    let program = bench.write("sol.sh", RIGHT);
    let blocked = bench.write("file", "");
    run(&bench, &bench.path("sums"), &program)
        .env("XDG_STATE_HOME", blocked)
        .assert()
        .success()
        .stderr(contains("warning: the run is not in the history"));
}

#[test]
fn clean_removes_what_nothing_uses() {
    let bench = Bench::new();
    bench.sums("time_limit: 5");
    let program = bench.write("sol.c", C_RIGHT);
    let cache = bench.path("../cache/judge");
    let with_cache = |mut command: assert_cmd::Command| {
        command.env("XDG_CACHE_HOME", bench.path("../cache"));
        command.assert().success()
    };
    with_cache(run(&bench, &bench.path("sums"), &program));
    let clean = |args: &[&str]| {
        let mut command = judge(&bench);
        command.arg("clean").args(args);
        with_cache(command)
    };
    // A worker that runs, and one that has ended.
    let lock =
        std::fs::File::create(bench.write("../cache/judge/worker/lock", "")).expect("a lock");
    lock.lock().expect("the lock is free");
    bench.write("../cache/judge/worker.2/packages/x", "");
    clean(&[]).stdout(
        contains("judge: 1 program, ")
            .and(contains("worker: a worker uses it"))
            .and(contains("worker.2: 0.0 MiB")),
    );
    assert!(!cache.join("programs").exists() && !cache.join("worker.2").exists());
    assert!(cache.join("worker/lock").exists());
    assert!(bench.path("../state/judge/history.jsonl").exists());
    drop(lock);
    // A judge that was killed a moment ago.
    bench.write("../cache/judge/judges/1.0", "sol\n");
    clean(&["--history"]).stdout(contains("judge: the history"));
    assert!(!cache.exists() && !bench.path("../state/judge").exists());
    clean(&["--history"]).stdout(contains("0 programs"));
}

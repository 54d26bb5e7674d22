//! `judge doctor --calibrate`: what it prints and saves. Times are not judged.

use crate::common::{Bench, judge, said};
use serde_json::Value;
use std::fs;
use std::process::Output;

fn doctor(bench: &Bench, args: &[&str]) -> Output {
    let mut command = judge(bench);
    command.args(["doctor", "--calibrate"]).args(args);
    command.output().expect("it runs")
}

const KINDS: [&str; 4] = ["floating", "integer", "memory", "start"];

/// The times of a machine that takes a hundred times as long as that of these times.
fn slower(times: &str) -> String {
    let mut times: Value = serde_json::from_str(times).expect("JSON");
    for kind in KINDS {
        let own = times["times_s"][kind].as_array_mut().expect("times");
        assert!(own.len() >= 5, "{own:?}");
        for time in own {
            *time = (100.0 * time.as_f64().expect("a number")).into();
        }
    }
    times.to_string()
}

/// Whether there is no C compiler, which it says.
fn is_skipped(output: &Output) -> bool {
    let is_missing = String::from_utf8_lossy(&output.stderr).contains("apt install gcc");
    if is_missing {
        eprintln!("skipped: there is no C compiler");
    }
    is_missing
}

#[test]
fn a_machine_is_measured_and_compared() {
    let bench = Bench::new();
    let reference = include_str!("../../src/calibration/reference.json");
    bench.write("slow.json", &slower(reference));
    let output = doctor(&bench, &["--save", "own.json", "--compare", "slow.json"]);
    if is_skipped(&output) {
        return;
    }
    let text = said(&output);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("compared with the reference"), "{text}");
    let (_, compared) = text
        .split_once("compared with slow.json")
        .expect("compared");
    for kind in KINDS {
        assert!(compared.contains(kind), "{text}");
    }
    assert_eq!(compared.matches(": faster").count(), KINDS.len(), "{text}");
    slower(&bench.read("own.json"));
}

#[test]
#[ignore = "long: `make test-long` runs it"]
fn a_machine_is_compared_with_the_reference_and_with_a_file() {
    let bench = Bench::new();
    let path = |name: &str| bench.path(name).display().to_string();
    let (saved, slow) = (path("own.json"), path("slow.json"));
    let output = doctor(&bench, &["--save", &saved]);
    if is_skipped(&output) {
        return;
    }
    let text = said(&output);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("compared with the reference"), "{text}");
    for kind in KINDS {
        assert!(text.contains(kind), "{text}");
    }
    let times = fs::read_to_string(&saved).expect("a file");
    fs::write(&slow, slower(&times)).expect("a file");
    let output = doctor(&bench, &["--compare", &slow, "--format", "json"]);
    let text = String::from_utf8(output.stdout).expect("text");
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    for kind in KINDS {
        let found = |event: &str, with: Option<&str>| {
            lines.iter().find(|line| {
                line["event"] == event && line["name"] == kind && line["with"].as_str() == with
            })
        };
        assert!(found("calibration", None).expect("measured")["median_s"].is_f64());
        assert!(found("comparison", Some("the reference")).is_some());
        let ratio = &found("comparison", Some(&slow)).expect("compared")["ratio"];
        assert!(ratio.as_f64().is_some_and(|ratio| ratio < 0.5), "{ratio}");
    }
}

#[test]
fn a_file_of_something_else_is_refused_before_anything_is_measured() {
    let bench = Bench::new();
    let other = bench.write("other.json", "{\"times\": 1}");
    let output = doctor(&bench, &["--compare", &other.display().to_string()]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("other.json") && said.contains("--save"),
        "{said}"
    );
    assert!(output.stdout.is_empty());
}

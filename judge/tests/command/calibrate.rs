//! `judge doctor --calibrate`: what it prints and saves. Times are not judged.

use crate::common::{Bench, judge};
use serde_json::Value;
use std::fs;
use std::process::Output;

fn doctor(bench: &Bench, args: &[&str]) -> Output {
    let mut command = judge(bench);
    command.args(["doctor", "--calibrate"]).args(args);
    command.output().expect("it runs")
}

#[test]
fn a_machine_is_compared_with_the_reference_and_with_a_file() {
    let bench = Bench::new();
    let path = |name: &str| bench.path(name).display().to_string();
    let (saved, slow) = (path("own.json"), path("slow.json"));
    let output = doctor(&bench, &["--save", &saved]);
    let text = String::from_utf8(output.stdout).expect("text");
    if String::from_utf8_lossy(&output.stderr).contains("apt install gcc") {
        eprintln!("skipped: there is no C compiler");
        return;
    }
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(text.contains("compared with the reference"), "{text}");

    let mut times: Value =
        serde_json::from_str(&fs::read_to_string(&saved).expect("a file")).expect("JSON");
    let kinds = ["floating", "integer", "memory", "start"];
    for kind in kinds {
        assert!(text.contains(kind), "{text}");
        let own = times["times_s"][kind].as_array_mut().expect("times");
        assert!(own.len() >= 5, "{own:?}");
        for time in own {
            // A machine that takes a hundred times as long.
            *time = (100.0 * time.as_f64().expect("a number")).into();
        }
    }
    fs::write(&slow, times.to_string()).expect("a file");
    let output = doctor(&bench, &["--compare", &slow, "--format", "json"]);
    let text = String::from_utf8(output.stdout).expect("text");
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    for kind in kinds {
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

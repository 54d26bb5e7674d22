//! Prints the verdicts of a submission as the server sends them.

use crate::client::{Client, plain};
use judge_core::error::Failure;
use serde_json::Value;
use std::collections::HashSet;
use std::io::{BufRead, BufReader};

/// Follows the events of a submission until it is finished; returns the exit status.
pub fn follow(server: &Client, id: &str) -> Result<u8, Failure> {
    let path = format!("/api/practice/submissions/{id}/events");
    let response = server.get(&path)?;
    let mut lines = BufReader::new(response.into_body().into_reader()).lines();
    let mut printed = HashSet::new();
    let lost = || {
        Failure::usage("the connection broke off before the verdict")
            .help(format!("it comes at {}/submissions/{id}", server.base))
    };
    loop {
        let line = lines.next().ok_or_else(lost)?.map_err(|_| lost())?;
        let Some(data) = line.strip_prefix("data:") else {
            continue;
        };
        let submission: Value =
            serde_json::from_str(data.trim()).map_err(|e| Failure::usage(e.to_string()))?;
        for case in submission["cases"].as_array().into_iter().flatten() {
            let name = case["name"].as_str().unwrap_or_default();
            if printed.insert(name.to_owned()) {
                print_case(name, case);
            }
        }
        if submission["finished"] == true {
            return Ok(print_verdict(&submission));
        }
    }
}

fn print_case(name: &str, case: &Value) {
    let verdict = case["verdict"].as_str().unwrap_or_default();
    let figures = figures(&case["cpu_s"], &case["memory_bytes"]);
    println!("    {verdict:<3}  {name}  {figures}");
    if let Some(message) = case["message"].as_str() {
        for line in message.lines() {
            println!("         {}", plain(line));
        }
    }
}

/// Prints the verdict; returns the exit status.
fn print_verdict(submission: &Value) -> u8 {
    let verdict = submission["verdict"].as_str().unwrap_or_default();
    let mut parts = vec![figures(
        &submission["max_cpu_s"],
        &submission["max_memory_bytes"],
    )];
    if let Some(score) = submission["score"].as_f64() {
        parts.insert(0, format!("{score} points"));
    }
    parts.retain(|part| !part.is_empty());
    println!("    {verdict:<3}  {}", parts.join(" \u{b7} "));
    for text in ["compile_message", "reason"] {
        let text = submission[text].as_str().unwrap_or_default();
        text.lines()
            .for_each(|line| println!("         {}", plain(line)));
    }
    match verdict {
        "AC" => 0,
        "JE" => 3,
        _ => 1,
    }
}

fn figures(seconds: &Value, bytes: &Value) -> String {
    let time = seconds
        .as_f64()
        .map(|seconds| format!("{:.1} ms", seconds * 1000.0));
    let memory = bytes
        .as_f64()
        .map(|bytes| format!("{:.1} MiB", bytes / f64::from(1 << 20)));
    let known: Vec<String> = [time, memory].into_iter().flatten().collect();
    known.join("  ")
}

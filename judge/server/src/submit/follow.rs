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
                print!("{}", case_text(name, case));
            }
        }
        if submission["finished"] == true {
            print!("{}", verdict_text(&submission));
            return Ok(match submission["verdict"].as_str() {
                Some("AC") => 0,
                Some("JE") => 3,
                _ => 1,
            });
        }
    }
}

/// Adds a line. The server chooses its text.
fn add_line(text: &mut String, line: &str) {
    text.push_str(&plain(line));
    text.push('\n');
}

fn case_text(name: &str, case: &Value) -> String {
    let mut text = String::new();
    let verdict = case["verdict"].as_str().unwrap_or_default();
    let figures = figures(&case["cpu_s"], &case["memory_bytes"]);
    add_line(&mut text, &format!("    {verdict:<3}  {name}  {figures}"));
    let message = case["message"].as_str().unwrap_or_default();
    for line in message.lines() {
        add_line(&mut text, &format!("         {line}"));
    }
    text
}

fn verdict_text(submission: &Value) -> String {
    let mut text = String::new();
    let verdict = submission["verdict"].as_str().unwrap_or_default();
    let mut parts = vec![figures(
        &submission["max_cpu_s"],
        &submission["max_memory_bytes"],
    )];
    if let Some(score) = submission["score"].as_f64() {
        parts.insert(0, format!("{score} points"));
    }
    parts.retain(|part| !part.is_empty());
    let line = format!("    {verdict:<3}  {}", parts.join(" \u{b7} "));
    add_line(&mut text, &line);
    for key in ["compile_message", "reason"] {
        for line in submission[key].as_str().unwrap_or_default().lines() {
            add_line(&mut text, &format!("         {line}"));
        }
    }
    text
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// A package names its cases, and a server may be hostile.
    #[test]
    fn texts_of_a_server_give_no_commands_to_the_terminal() {
        let hostile = "a\u{1b}]0;b\u{7}\u{202e}";
        let case = json!({ "verdict": hostile, "message": hostile });
        let submission =
            json!({ "verdict": hostile, "reason": hostile, "compile_message": hostile });
        for (text, lines) in [
            (case_text(hostile, &case), 2),
            (verdict_text(&submission), 3),
        ] {
            assert_eq!(text.lines().count(), lines, "{text:?}");
            assert!(text.contains("a]0;b"), "{text:?}");
            assert!(!text.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{text:?}");
        }
    }
}

//! `judge doctor`: what this machine can isolate and measure.

use super::args::{DoctorArgs, Format};
use super::output::{paint, print};
use crate::error::{Failure, exit_status};
use crate::report::table;
use crate::verdict::Verdict;
use judge_sandbox::{Layer, State};
use serde_json::json;

/// Prints a table of every layer and measurement.
pub fn doctor(args: &DoctorArgs) -> Result<u8, Failure> {
    let layers = judge_sandbox::probe();
    // Then it is the only one.
    let broken = layers.iter().any(|layer| layer.name == "sandbox");
    let text = match args.format {
        Format::Json => layers.iter().map(json_line).collect(),
        Format::Human => human(&layers, broken, args),
    };
    print(&text)?;
    Ok(if broken {
        exit_status::JUDGE_ERROR
    } else {
        exit_status::AS_EXPECTED
    })
}

/// The word for a state, in every report.
pub fn state_word(state: State) -> &'static str {
    match state {
        State::Present => "present",
        State::Degraded => "degraded",
        State::Absent => "absent",
    }
}

fn json_line(layer: &Layer) -> String {
    let value = json!({
        "event": "layer",
        "name": layer.name,
        "state": state_word(layer.state),
        "why": layer.why,
        "remedy": layer.remedy,
    });
    format!("{value}\n")
}

fn human(layers: &[Layer], broken: bool, args: &DoctorArgs) -> String {
    let paint = paint(args.color);
    let plain = |text: &str| (text.to_owned(), text.chars().count());
    let rows: Vec<_> = layers
        .iter()
        .map(|layer| {
            let word = state_word(layer.state);
            let color = match layer.state {
                State::Present => Verdict::Accepted,
                State::Degraded => Verdict::TimeLimitExceeded,
                State::Absent => Verdict::WrongAnswer,
            };
            vec![
                plain(layer.name),
                (paint.verdict_text(color, word), word.len()),
                plain(&layer.why),
            ]
        })
        .collect();
    let mut out = String::new();
    let rendered = table(&rows, &[false, false, false], 0);
    for (line, layer) in rendered.lines().zip(layers) {
        out.push_str(line);
        out.push('\n');
        if let Some(remedy) = &layer.remedy {
            for remedy_line in remedy.lines() {
                out.push_str(&format!("    to get it: {remedy_line}\n"));
            }
        }
    }
    let lacking = layers.iter().filter(|l| l.state != State::Present).count();
    out.push_str(&match lacking {
        _ if broken => "\nno program can be run here\n".to_owned(),
        0 => "\neverything is there\n".to_owned(),
        n => format!(
            "\n{n} of {} not whole; judging works, with what is there\n",
            layers.len()
        ),
    });
    out
}

//! docs/wrong-answer.svg, the picture in README.md, shows real output of the program and the samples of docs/start.md.

use super::{Block, blocks, masked, programs, read, root};
use crate::common::{Bench, skipped_without_sandbox};
use std::fmt::Write;
use std::fs;
use std::process::Command;

const PICTURE: &str = "docs/wrong-answer.svg";
/// Columns of the terminal.
const COLUMNS: u16 = 92;
/// Pixels of a character, of the distance of lines, and of the border.
const CHARACTER: f64 = 8.4;
const LINE: usize = 19;
const BORDER: usize = 16;

/// The names of the classes for the attributes of a cell.
fn classes(cell: &vt100::Cell) -> String {
    let color = match cell.fgcolor() {
        vt100::Color::Idx(1 | 9) => "red",
        vt100::Color::Idx(2 | 10) => "green",
        vt100::Color::Idx(3 | 11) => "yellow",
        vt100::Color::Default => "",
        other => panic!("the picture has no colour for {other:?}"),
    };
    let names = [(cell.bold(), "bold"), (cell.dim(), "dim"), (true, color)];
    let names = names.iter().filter(|(is, name)| *is && !name.is_empty());
    names.map(|(_, name)| *name).collect::<Vec<_>>().join(" ")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// A row of the terminal as spans of the same attributes, without blanks at its end.
fn spans(screen: &vt100::Screen, row: u16) -> Vec<(String, String)> {
    let mut spans: Vec<(String, String)> = Vec::new();
    for cell in (0..COLUMNS).map_while(|column| screen.cell(row, column)) {
        let text = if cell.contents().is_empty() {
            " "
        } else {
            cell.contents()
        };
        let classes = classes(cell);
        match spans.last_mut() {
            Some((last, span)) if *last == classes || text == " " => span.push_str(text),
            _ => spans.push((classes, text.to_owned())),
        }
    }
    if let Some((_, last)) = spans.last_mut() {
        last.truncate(last.trim_end().len());
    }
    spans
}

/// Draws a terminal with this output as SVG.
fn drawn(output: &str) -> String {
    let lines = output.lines().count();
    let mut terminal = vt100::Parser::new(u16::try_from(lines + 1).expect("few lines"), COLUMNS, 0);
    terminal.process(output.replace('\n', "\r\n").as_bytes());
    let width = f64::from(COLUMNS)
        .mul_add(CHARACTER, 2.0 * BORDER as f64)
        .round();
    let height = lines * LINE + 2 * BORDER;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n\
         <title>judge run: a wrong answer</title>\n\
         <style>\n\
         rect {{ fill: #1e1e24 }}\n\
         text {{ font: 14px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #d8d8de; white-space: pre }}\n\
         .bold {{ font-weight: bold }} .dim {{ fill: #93939f }}\n\
         .red {{ fill: #ff7b72 }} .green {{ fill: #7ee787 }} .yellow {{ fill: #e3b341 }}\n\
         </style>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\"/>\n"
    );
    for row in 0..lines {
        let y = BORDER + row * LINE + 14;
        let _ = write!(
            svg,
            "<text x=\"{BORDER}\" y=\"{y}\" xml:space=\"preserve\">"
        );
        for (classes, text) in spans(terminal.screen(), u16::try_from(row).expect("few lines")) {
            let text = escaped(&text);
            if classes.is_empty() {
                svg.push_str(&text);
            } else {
                let _ = write!(svg, "<tspan class=\"{classes}\">{text}</tspan>");
            }
        }
        svg.push_str("</text>\n");
    }
    svg + "</svg>\n"
}

#[test]
fn the_picture_shows_real_output() {
    if skipped_without_sandbox("report of the picture") {
        return;
    }
    let bench = Bench::new();
    let bin = programs(&bench);
    let before_the_first_command = blocks(&read("docs/start.md"));
    let files = before_the_first_command
        .iter()
        .map_while(|block| match block {
            Block::File { path, text } => Some((path, text)),
            Block::Transcripts(_) => None,
        });
    for (path, text) in files {
        bench.write(&format!("segment/{path}"), text);
    }
    let output = Command::new(bin.join("judge"))
        .args(["run", "sol.cpp", "--color", "always"])
        .current_dir(bench.path("segment"))
        .output()
        .expect("the judge runs");
    let output = String::from_utf8(output.stdout).expect("text");
    let about_the_program = |line: &&str| !line.contains("warning");
    let lines: Vec<&str> = output.lines().filter(about_the_program).collect();
    let svg = drawn(&format!("$ judge run sol.cpp\n{}\n", lines.join("\n")));
    let file = root().join(PICTURE);
    if std::env::var_os("UPDATE_PICTURE").is_some() {
        fs::write(&file, &svg).expect("write the picture");
    }
    assert_eq!(
        masked(&svg),
        masked(&read(PICTURE)),
        "the output changed: run with UPDATE_PICTURE=1 and look at {PICTURE}"
    );
}

//! Shows a failed case on the terminal: message, input, expected and found output side by side, the
//! wrong board, figures, and the command that repeats it.

use super::clean::clean_details;
use super::text::{Paint, fit, indented, plain, table, width, wrapped};
use judge_core::figures::{bytes, seconds};
use judge_core::results::{Board, CaseResult, Details, Excerpt, ExcerptLine};
use judge_core::untrusted::{Message, Name};
use judge_core::verdict::Verdict;

/// Lines of the input that are shown.
const INPUT_LINES: usize = 6;
/// Lines of standard error that are shown, the last ones.
const ERROR_LINES: usize = 10;
/// Blanks before each line of a block.
const INDENT: usize = 4;

/// A block about a failed case; `command` repeats it, `columns` is the width of the terminal.
pub fn block(
    name: &Name,
    case: &CaseResult,
    command: &str,
    paint: Paint,
    columns: usize,
) -> String {
    let title = format!("{} on {name}", case.verdict.words());
    let mut out = format!("\n  {}\n", paint.verdict_text(case.verdict, &title));
    let message = case.message.as_ref().map(Message::shown);
    if let Some(message) = &message {
        out.push_str(&indented(&wrap(message, columns), INDENT));
    }
    if let Some(details) = &case.details {
        let message = message.as_deref().unwrap_or_default();
        out.push_str(&of_details(
            &clean_details(details),
            message,
            paint,
            columns,
        ));
    }
    let figures = [
        case.cpu_s.map(|cpu| format!("{} CPU", seconds(cpu))),
        case.wall_s.map(|wall| format!("{} wall", seconds(wall))),
        case.memory_bytes.map(bytes),
    ];
    let figures: Vec<String> = figures.into_iter().flatten().collect();
    if !figures.is_empty() {
        let figures = wrap(&figures.join(" · "), columns);
        out.push_str(&indented(&paint.dim(&figures), INDENT));
    }
    out.push_str(&indented(
        &format!("{} {command}", paint.dim("again:")),
        INDENT,
    ));
    let difference = case.details.as_ref().and_then(|details| details.difference);
    if difference.is_some_and(|difference| difference.near_numbers) {
        let help = "if the problem allows an error, add it: --tolerance 1e-6";
        let help = wrap(&format!("help: {help}"), columns);
        let help = help.replacen("help:", &paint.dim("help:"), 1);
        out.push_str(&indented(&help, INDENT));
    }
    out
}

/// Wraps a text to the width of a block.
fn wrap(text: &str, columns: usize) -> String {
    wrapped(text, columns.saturating_sub(INDENT))
}

fn of_details(details: &Details, message: &str, paint: Paint, columns: usize) -> String {
    let mut out = of_files(details, message, paint, columns);
    if let Some(note) = &details.input_note {
        let note = wrap(&format!("note: {note}"), columns);
        out.push_str(&indented(&note, INDENT));
    }
    if let Some(text) = &details.team_message {
        let shown = wrap(&format!("message for the team: {text}"), columns);
        out.push_str(&indented(&shown, INDENT));
    }
    if let Some(text) = &details.standard_error {
        out.push_str(&indented(&paint.dim("standard error:"), INDENT));
        let lines: Vec<&str> = text.lines().collect();
        let last = lines.len().saturating_sub(ERROR_LINES);
        let text = match last {
            0 => text.clone(),
            _ => format!("[...]\n{}", lines[last..].join("\n")),
        };
        out.push_str(&indented(&wrap(&text, columns), INDENT));
    }
    out
}

/// The excerpts of input, answer and output.
fn of_files(details: &Details, message: &str, paint: Paint, columns: usize) -> String {
    let mut out = String::new();
    let room = columns.saturating_sub(INDENT).max(20);
    if let Some(input) = details
        .input
        .as_ref()
        .filter(|input| !input.lines.is_empty())
    {
        out.push_str(&indented(&paint.dim(&heading("input", input)), INDENT));
        let shown = input.lines.len().min(INPUT_LINES);
        let more = input.more || shown < input.lines.len();
        let lines = numbered(&input.lines[..shown], more, false, paint, room);
        lines
            .iter()
            .for_each(|(line, _)| out.push_str(&indented(line, INDENT)));
    }
    if let Some(dialogue) = &details.dialogue {
        let title = heading("> submission, < interactor, in a second run", dialogue);
        out.push_str(&indented(&paint.dim(&title), INDENT));
        for (line, _) in numbered(&dialogue.lines, dialogue.more, false, paint, room) {
            out.push_str(&indented(&line, INDENT));
        }
    }
    if let Some(board) = &details.board
        && let Some(drawn) = draw(board, message, paint, room)
    {
        out.push_str(&indented(&drawn, INDENT));
        return out;
    }
    let spaces = details
        .difference
        .is_some_and(|difference| difference.only_white_space);
    let part = |name, excerpt: &Option<Excerpt>, room| {
        let excerpt = excerpt.as_ref()?;
        let (heading, used) = plain(heading(name, excerpt));
        let mut lines = vec![(paint.dim(&heading), used)];
        lines.extend(numbered(&excerpt.lines, excerpt.more, spaces, paint, room));
        Some(lines)
    };
    let half = room / 2 - 1;
    let sides = ["expected", "found"]
        .into_iter()
        .zip([&details.expected, &details.found]);
    let sides: Vec<Vec<(String, usize)>> = sides
        .filter_map(|(name, excerpt)| part(name, excerpt, half))
        .collect();
    match &sides[..] {
        [left, right] if half >= 24 => {
            let cell =
                |side: &[(String, usize)], k: usize| side.get(k).cloned().unwrap_or_default();
            let rows: Vec<_> = (0..left.len().max(right.len()))
                .map(|k| {
                    let (text, used) = cell(left, k);
                    let padding = " ".repeat(half.saturating_sub(used));
                    vec![(text + &padding, used.max(half)), cell(right, k)]
                })
                .collect();
            out.push_str(&table(&rows, &[], INDENT));
        }
        _ => {
            for (name, excerpt) in [("expected", &details.expected), ("found", &details.found)] {
                for (line, _) in part(name, excerpt, room).unwrap_or_default() {
                    out.push_str(&indented(&line, INDENT));
                }
            }
        }
    }
    out
}

fn heading(name: &str, excerpt: &Excerpt) -> String {
    let size = match excerpt.bytes {
        0 => "empty".to_owned(),
        1 => "1 byte".to_owned(),
        bytes => format!("{bytes} bytes"),
    };
    format!("{name} ({size})")
}

/// Numbered lines cut to `room` columns, each with its width; a line of `^` marks the difference.
fn numbered(
    lines: &[ExcerptLine],
    more: bool,
    spaces: bool,
    paint: Paint,
    room: usize,
) -> Vec<(String, usize)> {
    let digits = lines.last().map_or(1, |line| line.number.to_string().len());
    let gutter = digits + 3;
    let room = room.saturating_sub(gutter).max(8);
    let mut out = Vec::new();
    for line in lines {
        let mut text = line.text.clone();
        if spaces {
            text = text.replace(' ', "·");
        }
        // A line whose mark would be cut off begins shortly before it.
        let mut mark = line.mark;
        if let Some([first, last]) = &mut mark {
            let before: String = text.chars().take(*first).collect();
            let hidden = match width(&before) + 8 > room {
                true => {
                    let mut kept = 0;
                    let is_kept = |c: &char| {
                        kept += width(c.encode_utf8(&mut [0; 4]));
                        kept <= room / 2
                    };
                    *first - before.chars().rev().take_while(is_kept).count()
                }
                false => 0,
            };
            if hidden > 0 {
                text = std::iter::once('…')
                    .chain(text.chars().skip(hidden))
                    .collect();
                *first = *first + 1 - hidden;
                *last = (*last + 1).saturating_sub(hidden);
            }
        }
        let text = fit(&text, room);
        let used = gutter + width(&text);
        let part = |from: usize, to: usize| -> String {
            let part = text.chars().skip(from);
            part.take(to.saturating_sub(from)).collect()
        };
        let shown = match mark {
            Some([first, last]) => {
                let last = last.max(first);
                let marked = paint.verdict_text(Verdict::WrongAnswer, &part(first, last));
                format!("{}{marked}{}", part(0, first), part(last, usize::MAX))
            }
            None => text.clone(),
        };
        let number = paint.dim(&format!("{:>digits$} │", line.number));
        out.push((format!("{number} {shown}"), used));
        if let Some([first, last]) = mark {
            let length = width(&part(first, last)).max(1);
            let before = gutter + width(&part(0, first));
            let carets = paint.verdict_text(Verdict::WrongAnswer, &"^".repeat(length));
            out.push((format!("{}{carets}", " ".repeat(before)), before + length));
        }
    }
    if more {
        out.push((paint.dim(&format!("{:>digits$} │ …", "")), gutter + 1));
    }
    out
}

/// The output's board: `[x]` is the first wrong cell, `(x)` a cell with the symbol that a house
/// contains twice. `None` if it is wider than `room`. The place of the cell is left out if
/// `message` has it.
fn draw(board: &Board, message: &str, paint: Paint, room: usize) -> Option<String> {
    let cells = board.found.iter().chain(&board.expected).flatten();
    let cell_width = cells.map(|cell| width(cell)).max()?.max(1);
    let side = board.expected.len();
    let [box_rows, box_columns] = board.boxes.unwrap_or([side, side]);
    let [row, column] = board.wrong;
    let house = board.broken.as_ref();
    let broken = |place| house.is_some_and(|house| house.cells.contains(&place));
    let mut lines = Vec::new();
    let rule: Vec<String> = (0..side / box_columns)
        .map(|_| "─".repeat(box_columns * (cell_width + 2)))
        .collect();
    for (r, cells) in board.found.iter().enumerate() {
        if r > 0 && r % box_rows == 0 {
            lines.push(rule.join("┼"));
        }
        let mut line = String::new();
        for (c, cell) in cells.iter().enumerate() {
            if c > 0 && c % box_columns == 0 {
                line.push('│');
            }
            let shown = if cell.is_empty() { "?" } else { cell };
            let text = format!(
                "{}{shown}",
                " ".repeat(cell_width.saturating_sub(width(shown)))
            );
            let place = [r + 1, c + 1];
            let cell = if place == board.wrong {
                paint.verdict_text(Verdict::WrongAnswer, &format!("[{text}]"))
            } else if broken(place) {
                paint.verdict_text(Verdict::TimeLimitExceeded, &format!("({text})"))
            } else {
                format!(" {text} ")
            };
            line.push_str(&cell);
        }
        lines.push(line.trim_end().to_owned());
    }
    if side * (cell_width + 2) + side / box_columns > room {
        return None;
    }
    let number = board
        .number
        .map_or_else(String::new, |number| format!("board {number}, "));
    let found = match board.found[row - 1][column - 1].as_str() {
        "" => "nothing",
        cell => cell,
    };
    let expected = &board.expected[row - 1][column - 1];
    let place = format!("row {row}, column {column}");
    if !message.contains(&place) {
        lines.push(format!(
            "{number}{place}: found {found}, expected {expected}"
        ));
    }
    if let Some(house) = &board.broken {
        lines.push(format!(
            "{} {} contains {} twice",
            house.kind, house.number, house.symbol
        ));
    }
    Some(lines.join("\n"))
}

//! The notations that `convert` writes.

use std::io::Write;
use sudoku::Grid;
use sudoku::notation::Notation;
use sudoku::rules::box_shape;

/// The notations that can be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Form {
    /// One line of symbols (also .sdm)
    #[value(alias = "sdm")]
    Line,
    /// One line, digits from 10 on as letters from A on
    Numerals,
    /// The number of givens and the line, with a comma between
    Csv,
    /// Rows of symbols
    Rows,
    /// Rows of symbols, - for an empty cell
    Dashes,
    /// Numbers with blanks between
    Spaced,
    /// Rows in brackets
    Brackets,
    /// Lists of numbers, 0 for an empty cell
    Json,
    /// A board with borders between the boxes
    Pretty,
    /// A board with borders around the boxes, in ASCII
    Ascii,
    /// A board drawn with lines
    Boxes,
    /// A table of Markdown
    Markdown,
    /// A .sdk file
    Sdk,
    /// A .ss file of Simple Sudoku
    Ss,
    /// A line of HoDoKu's library
    Hodoku,
    /// An address of SudokuWiki's solver
    Sudokuwiki,
}

/// Appends a grid as one line of symbols, without its end.
pub fn push_line<const N: usize>(grid: &Grid<N>, out: &mut Vec<u8>) {
    if N > 26 {
        let _ = write!(out, "{grid}");
        return;
    }
    let first = if N <= 9 { b'1' } else { b'A' };
    out.extend(grid.values().iter().map(|&value| match value {
        0 => b'.',
        _ => first + (value - 1),
    }));
}

/// The symbol of a value, `1` to `9` and then `A` to `Z`; `.` for an empty cell.
fn numeral(value: u8) -> char {
    match value {
        0 => '.',
        1..=9 => char::from(b'0' + value),
        _ => char::from(b'A' + (value - 10)),
    }
}

/// The cells of a row for a board: symbols, or numbers of the same width.
fn cell<const N: usize>(value: u8) -> String {
    match (N > 9, value) {
        (false, 0) => ".".into(),
        (false, _) => value.to_string(),
        (true, 0) => " .".into(),
        (true, _) => format!("{value:>2}"),
    }
}

impl Form {
    /// Appends a puzzle.
    pub fn put<const N: usize>(self, puzzle: &Grid<N>, out: &mut Vec<u8>) {
        let numerals = || {
            puzzle
                .values()
                .iter()
                .copied()
                .map(numeral)
                .collect::<String>()
        };
        let _ = match self {
            Form::Line => {
                push_line(puzzle, out);
                writeln!(out)
            }
            // Above side 35 the letters do not suffice.
            Form::Numerals if N <= 35 => writeln!(out, "{}", numerals()),
            Form::Numerals => writeln!(out, "{puzzle}"),
            Form::Csv if N <= 35 => writeln!(out, "{},{}", puzzle.count_givens(), numerals()),
            Form::Csv => writeln!(out, "{puzzle}"),
            Form::Rows => writeln!(out, "{}", Notation::ROWS.format(puzzle)),
            Form::Dashes => writeln!(out, "{}", Notation::DASHED_ROWS.format(puzzle)),
            Form::Spaced => writeln!(out, "{}", Notation::SPACED.format(puzzle)),
            Form::Brackets => write!(out, "{}", Notation::BRACKETS.format(puzzle)),
            Form::Json => {
                let rows: Vec<String> = puzzle
                    .rows()
                    .iter()
                    .map(|row| format!("{row:?}").replace(' ', ""))
                    .collect();
                writeln!(out, "[{}]", rows.join(","))
            }
            Form::Pretty => writeln!(out, "{}", puzzle.pretty()),
            Form::Ascii => put_board(puzzle, out, ["+", "+", "+"], "-", "|"),
            Form::Boxes => put_board(puzzle, out, ["┌┬┐", "├┼┤", "└┴┘"], "─", "│"),
            Form::Markdown => {
                let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
                let mut text = row(vec![" ".into(); N]) + &"|---".repeat(N) + "|\n";
                for line in puzzle.rows() {
                    let cells = line.iter().map(|&value| {
                        if value == 0 {
                            " ".into()
                        } else {
                            value.to_string()
                        }
                    });
                    text += &row(cells.collect());
                }
                writeln!(out, "{text}")
            }
            Form::Sdk => write!(out, "[Puzzle]\n{}\n", Notation::ROWS.format(puzzle)),
            Form::Ss => {
                let (height, width) = box_shape(N);
                let mut text = String::new();
                for (index, line) in puzzle.rows().iter().enumerate() {
                    if index > 0 && index % height == 0 {
                        text += &"-".repeat(N + N / width - 1);
                        text.push('\n');
                    }
                    let boxes: Vec<String> = line
                        .chunks(width)
                        .map(|part| {
                            part.iter()
                                .map(|&value| {
                                    if N <= 35 {
                                        numeral(value).to_string()
                                    } else {
                                        format!(" {value}")
                                    }
                                })
                                .collect()
                        })
                        .collect();
                    text += &boxes.join("|");
                    text.push('\n');
                }
                writeln!(out, "{text}")
            }
            Form::Hodoku if N <= 35 => writeln!(out, ":0000:x:{}:::", numerals()),
            Form::Hodoku => writeln!(out, "{puzzle}"),
            Form::Sudokuwiki if N <= 35 => writeln!(
                out,
                "https://www.sudokuwiki.org/sudoku.htm?bd={}",
                numerals().replace('.', "0")
            ),
            Form::Sudokuwiki => writeln!(out, "{puzzle}"),
        };
    }
}

/// Appends a board with these corners, lines between and borders.
fn put_board<const N: usize>(
    puzzle: &Grid<N>,
    out: &mut Vec<u8>,
    corners: [&str; 3],
    dash: &str,
    border: &str,
) -> std::io::Result<()> {
    let (height, width) = box_shape(N);
    let digits = if N > 9 { 2 } else { 1 };
    let rule = |corners: &str| {
        let corner = |index: usize| {
            corners
                .chars()
                .nth(index)
                .or(corners.chars().last())
                .unwrap_or('+')
        };
        let dashes = dash.repeat(width * (digits + 1) + 1);
        let middle: Vec<&str> = vec![&dashes; N / width];
        format!(
            "{}{}{}\n",
            corner(0),
            middle.join(&corner(1).to_string()),
            corner(2)
        )
    };
    let mut text = rule(corners[0]);
    for (index, line) in puzzle.rows().iter().enumerate() {
        if index > 0 && index % height == 0 {
            text += &rule(corners[1]);
        }
        for part in line.chunks(width) {
            let cells: Vec<String> = part.iter().map(|&value| cell::<N>(value)).collect();
            text += &format!("{border} {} ", cells.join(" "));
        }
        text += &format!("{border}\n");
    }
    writeln!(out, "{text}{}", rule(corners[2]))
}

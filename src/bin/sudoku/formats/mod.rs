//! The forms in which people keep puzzles, recognised from the first lines of a file.

pub mod addresses;
mod game_ids;
pub mod grids;
pub mod line;
pub mod lists;
mod penpa;
pub mod rules;
pub mod symbols;

use line::Line;
use std::fmt;
use sudoku::rules::RulesError;
use sudoku::{Cell, Rules};

/// Where to find the puzzle in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Column {
    /// Any column that holds one.
    Any,
    /// The column with this number, from 1.
    Number(usize),
    /// The column with this name in the first line.
    Named(String),
}

impl std::str::FromStr for Column {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse() {
            Ok(0) => Err("columns are counted from 1".into()),
            Ok(number) => Ok(Column::Number(number)),
            Err(_) => Ok(Column::Named(text.to_owned())),
        }
    }
}

/// A form of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Format {
    /// One puzzle per line, in any column
    Lines,
    /// Rows of cells, with or without borders
    Grids,
    /// Lists of rows, cells or lines, as in JSON and Python
    Lists,
    /// Addresses of f-puzzles, SudokuPad and Penpa+, f-puzzles' JSON, and game IDs of Simon Tatham's Solo, one per line
    Addresses,
}

/// Why a part of the input is not read: what was expected and found, and at which offset of the line, if it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub column: Option<usize>,
    pub text: String,
}

impl Problem {
    pub fn text(text: impl Into<String>) -> Self {
        Problem {
            column: None,
            text: text.into(),
        }
    }

    /// A text that is too short or too long for a puzzle.
    pub fn length(characters: usize) -> Self {
        let found = match characters {
            1 => "1 character".to_owned(),
            many => format!("{many} characters"),
        };
        Problem::text(format!("expected the cells of a puzzle, found {found}"))
    }

    /// A character that is no cell at this side.
    pub fn cell(column: usize, byte: u8, side: usize) -> Self {
        let found = match byte {
            b' '..=b'~' => format!("'{}'", char::from(byte)),
            _ => format!("the byte 0x{byte:02x}"),
        };
        Problem {
            column: Some(column),
            text: format!("expected a cell of a {side}x{side} puzzle, found {found}"),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A puzzle of a file that is read as a whole.
#[derive(Debug, PartialEq, Eq)]
pub struct Found {
    /// The line of its first row, from 0.
    pub line: usize,
    pub side: usize,
    /// Row by row, 0 for an empty cell.
    pub values: Vec<u8>,
    /// Rules besides the classic ones, or instead of them.
    pub extra: Option<Extra>,
}

/// Rules of a puzzle, in cells counted row by row from 0.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Extra {
    /// The region of each cell, instead of the boxes.
    pub regions: Option<Vec<usize>>,
    pub houses: Vec<Vec<usize>>,
    /// Cages with their sums.
    pub cages: Vec<(Vec<usize>, u32)>,
    pub rules: Vec<rules::Rule>,
}

impl Extra {
    /// The rules for a grid of side `N`.
    pub fn rules<const N: usize>(&self) -> Result<Rules<N>, RulesError> {
        let mut rules = match &self.regions {
            None => Rules::classic(),
            Some(regions) => {
                let mut map = [[0; N]; N];
                map.as_flattened_mut().copy_from_slice(regions);
                Rules::jigsaw(&map)?
            }
        };
        let cells = |cells: &[usize]| -> Vec<Cell<N>> {
            cells.iter().map(|&cell| Cell::from_index(cell)).collect()
        };
        for house in &self.houses {
            rules = rules.with_house(&cells(house))?;
        }
        for (cage, sum) in &self.cages {
            rules = rules.with_cage(&cells(cage), *sum)?;
        }
        for rule in &self.rules {
            rules = rules.with(rule.constraint()?);
        }
        Ok(rules)
    }
}

/// The puzzles of a text that is read as a whole, and the parts that are none, each with its line from 0.
#[derive(Default, Debug)]
pub struct Whole {
    pub puzzles: Vec<Found>,
    pub problems: Vec<(usize, Problem)>,
}

/// The form of a text from its beginning, or `None` if more of it is needed; `is_end` says that there is no more.
pub fn recognise(text: &[u8], is_end: bool) -> Option<Format> {
    let whole = match text.iter().rposition(|&byte| byte == b'\n') {
        Some(end) if !is_end => &text[..end],
        None if !is_end => return None,
        _ => text,
    };
    let lines: Vec<&[u8]> = whole
        .split(|&byte| byte == b'\n')
        .filter(|line| !matches!(line::trim(line), [] | [b'#', ..]))
        .collect();
    let first = line::trim(lines.first()?);
    let is_object = first.starts_with(b"{")
        && addresses::is_json(String::from_utf8_lossy(line::trim(whole)).as_ref());
    if is_object || addresses::begins(first) {
        return Some(Format::Addresses);
    }
    if lists::begins(first) {
        return Some(Format::Lists);
    }
    let mut values = Vec::new();
    for line in lines.iter().take(EXAMINED) {
        values.clear();
        let Line::Puzzle(side) = line::read(line, &Column::Any, &mut values) else {
            continue;
        };
        // A row of side 16, 25 or 36 can look like a puzzle of side 4, 5 or 6.
        let rows = side * side;
        if side > 6 || lines.len() < rows {
            return (side > 6 || is_end).then_some(Format::Lines);
        }
        let text = lines[..lines.len().min(2 * rows)].join(&b'\n');
        let grids = grids::read(&String::from_utf8_lossy(&text));
        let has_larger = |values: &[u8]| values.iter().any(|&value| usize::from(value) > side);
        let is_grids = grids
            .puzzles
            .iter()
            .any(|p| p.side == rows && has_larger(&p.values));
        return Some(if is_grids {
            Format::Grids
        } else {
            Format::Lines
        });
    }
    if !is_end && lines.len() < EXAMINED {
        return None;
    }
    let text = String::from_utf8_lossy(whole);
    let grids = grids::read(&text);
    let has_rows = |(_, problem): &(usize, Problem)| problem.text.contains("rows");
    let is_grids = !grids.puzzles.is_empty() || grids.problems.iter().any(has_rows);
    Some(if is_grids {
        Format::Grids
    } else if !lists::read(&text).puzzles.is_empty() {
        Format::Lists // after other lines of a program
    } else {
        Format::Lines
    })
}

/// The lines that [`recognise`] looks at, at most.
const EXAMINED: usize = 64;

#[cfg(test)]
mod tests {
    use super::{Column, Line, addresses, grids, line, lists, recognise};
    use sudoku::generate::Random;

    /// Any text is read or refused, and no value is above the side.
    #[test]
    fn no_text_makes_a_reader_panic() {
        const PIECES: [&str; 24] = [
            "123456789",
            "....",
            "0",
            "-",
            "|",
            "+",
            "\n",
            "\n",
            "\r\n",
            " ",
            ",",
            "[",
            "]",
            "\"",
            "'",
            "AG",
            "fpuzN4IgzglgXgpiBc",
            "scl",
            "[Puzzle]",
            "{",
            "load=",
            "─",
            "%2",
            "????????????????",
        ];
        let mut random = Random::new(1);
        for _ in 0..20_000 {
            let length = random.below(60);
            let text: String = (0..length)
                .map(|_| PIECES[random.below(PIECES.len())])
                .collect();
            recognise(text.as_bytes(), random.below(2) == 0);
            let wholes = [
                grids::read(&text),
                lists::read(&text),
                addresses::read(&text),
            ];
            for found in wholes.iter().flat_map(|whole| &whole.puzzles) {
                assert_eq!(found.values.len(), found.side * found.side, "{text:?}");
                assert!(
                    found.values.iter().all(|&v| usize::from(v) <= found.side),
                    "{text:?}"
                );
            }
            for row in text.split('\n') {
                let mut values = Vec::new();
                let column = [Column::Any, Column::Number(2)][random.below(2)].clone();
                if let Line::Puzzle(side) = line::read(row.as_bytes(), &column, &mut values) {
                    assert_eq!(values.len(), side * side, "{row:?}");
                    assert!(values.iter().all(|&v| usize::from(v) <= side), "{row:?}");
                } else {
                    assert!(values.is_empty(), "{row:?}");
                }
            }
        }
    }
}

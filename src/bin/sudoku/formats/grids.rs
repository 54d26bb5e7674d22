//! Grids of lines: rows of cells, with or without blanks, borders, and lines between that are none.

use super::symbols::{SIDES, cell_values, is_mark};
use super::{Found, Problem, Whole};

/// A line of a text of grids.
#[derive(Debug)]
enum Kind<'a> {
    /// The cells of a row, a symbol or a number each; none where it is empty.
    Row(Vec<&'a str>),
    /// Marks that can be a row of empty cells or a border.
    Marks(Vec<&'a str>),
    Border,
    Empty,
    /// The name of a section, as `.sdk` files have them.
    Section(&'a str),
    /// A title or a comment.
    Other,
}

/// The line with ASCII for the characters that draw boxes: `|` for a vertical line, `+` for other parts.
fn plain(line: &str) -> String {
    line.chars()
        .map(|c| match c {
            '│' | '┃' | '║' | '┆' | '┇' | '┊' | '┋' | '╎' | '╏' => '|',
            '\u{2500}'..='\u{257f}' => '+',
            '\u{feff}' | '\u{1a}' | '\r' | '\t' if c != '\t' => ' ',
            '·' | '□' | '◦' | '•' => '.',
            c => c,
        })
        .collect()
}

/// Reads all grids of a text.
pub fn read(text: &str) -> Whole {
    let lines: Vec<String> = text.split('\n').map(plain).collect();
    let kinds: Vec<Kind<'_>> = lines.iter().map(|line| kind(line)).collect();
    // Dashes are a row only where other rows have dashes for empty cells, and so on.
    let is_row_mark = |mark: &str| {
        let mut rows = kinds.iter().filter_map(|kind| match kind {
            Kind::Row(cells) => Some(cells),
            _ => None,
        });
        rows.any(|cells| cells.contains(&mark))
    };
    let mut whole = Whole::default();
    let mut rows: Vec<(usize, &Vec<&str>)> = Vec::new();
    let mut is_puzzle = true;
    for (number, kind) in kinds.iter().enumerate() {
        match kind {
            Kind::Border | Kind::Empty => continue,
            Kind::Section(name) => {
                finish(&mut whole, &mut rows);
                is_puzzle = name.eq_ignore_ascii_case("puzzle");
                continue;
            }
            Kind::Other => {
                finish(&mut whole, &mut rows);
                continue;
            }
            Kind::Marks(cells) if !is_row_mark(cells[0]) => continue,
            Kind::Row(cells) | Kind::Marks(cells) => {
                if !is_puzzle || (rows.is_empty() && is_header(&kinds[number..], cells.len())) {
                    continue;
                }
                if rows
                    .first()
                    .is_some_and(|(_, first)| first.len() != cells.len())
                {
                    finish(&mut whole, &mut rows);
                }
                rows.push((number, cells));
                if rows.len() == cells.len() {
                    finish(&mut whole, &mut rows);
                }
            }
        }
    }
    finish(&mut whole, &mut rows);
    if whole.puzzles.is_empty() {
        let by_position = by_position(&lines);
        if !by_position.puzzles.is_empty() {
            return by_position;
        }
    }
    whole
}

/// Whether the first line is the header of a table: a rule follows, then as many rows as there are columns.
fn is_header(kinds: &[Kind<'_>], side: usize) -> bool {
    let is_row = |kind: &&Kind<'_>| matches!(kind, Kind::Row(cells) | Kind::Marks(cells) if cells.len() == side);
    let is_part = |kind: &&Kind<'_>| matches!(kind, Kind::Row(_) | Kind::Marks(_) | Kind::Border);
    matches!(kinds.get(1), Some(Kind::Border))
        && kinds.iter().take_while(is_part).filter(is_row).count() % side == 1
}

/// Makes a puzzle of the rows, or a problem if there are too few.
fn finish(whole: &mut Whole, rows: &mut Vec<(usize, &Vec<&str>)>) {
    let Some(&(line, first)) = rows.first() else {
        return;
    };
    let side = first.len();
    let cells: Vec<&str> = rows
        .iter()
        .flat_map(|(_, cells)| cells.iter().copied())
        .collect();
    let mut values = Vec::new();
    if rows.len() < side {
        let text = format!("expected {side} rows of {side} cells, found {}", rows.len());
        whole.problems.push((line, Problem::text(text)));
    } else if let Err(wrong) = cell_values(&cells, side, &mut values) {
        let text = format!(
            "expected a cell of a {side}x{side} puzzle, found '{}' in column {}",
            cells[wrong],
            wrong % side + 1
        );
        whole
            .problems
            .push((rows[wrong / side].0, Problem::text(text)));
    } else {
        whole.puzzles.push(Found {
            line,
            side,
            values,
            extra: None,
        });
    }
    rows.clear();
}

fn kind(line: &str) -> Kind<'_> {
    let text = line.trim();
    if text.is_empty() {
        return Kind::Empty;
    }
    if text.starts_with('#') || text.starts_with("//") {
        return Kind::Other;
    }
    if let Some(name) = text
        .strip_prefix('[')
        .and_then(|text| text.strip_suffix(']'))
        && name.chars().all(char::is_alphabetic)
    {
        return Kind::Section(name);
    }
    let is_drawn = text.chars().all(|c| "+-=|*_~: ".contains(c));
    if is_drawn && text.contains(['+', '=', '~'])
        || text.chars().all(|c| "-|: ".contains(c)) && text.contains("-|")
    {
        return Kind::Border;
    }
    match row(text) {
        Some(cells) if is_drawn && cells.iter().all(|cell| *cell == cells[0]) => Kind::Marks(cells),
        Some(_) if is_drawn && !text.contains('|') => Kind::Border,
        Some(cells) => Kind::Row(cells),
        None if is_drawn => Kind::Border,
        None => Kind::Other,
    }
}

/// The cells of a row, or `None` if the text is none.
fn row(text: &str) -> Option<Vec<&str>> {
    let is_cell = |cell: &&str| {
        cell.is_empty() || (cell.len() == 1 && is_symbol(cell.as_bytes()[0])) || is_number(cell)
    };
    let is_row = |cells: &Vec<&str>| {
        let side = cells.len();
        let fits = |cell: &&str| !is_number(cell) || cell.parse().is_ok_and(|n: usize| n <= side);
        SIDES.contains(&side) && cells.iter().all(|cell| is_cell(cell) && fits(cell))
    };
    // A field for each cell: Markdown, CSV.
    for separator in ['|', ',', ';', '\t'] {
        if text.contains(separator) {
            let inner = match separator {
                '|' => text
                    .trim_start_matches('|')
                    .strip_suffix('|')
                    .unwrap_or(text),
                _ => text,
            };
            let fields: Vec<&str> = inner
                .split(separator)
                .map(|field| field.trim().trim_matches(['"', '\'']))
                .collect();
            if is_row(&fields) {
                return Some(fields);
            }
        }
    }
    // A word for each cell.
    let is_gap = |c: char| c == '|' || c == ',' || c.is_whitespace();
    let words: Vec<&str> = text.split(is_gap).filter(|word| !word.is_empty()).collect();
    if is_row(&words) {
        return Some(words);
    }
    // A character for each cell.
    let cells: Vec<&str> = words
        .iter()
        .flat_map(|word| word.split("").filter(|c| !c.is_empty()))
        .collect();
    let side = cells.len();
    let fits = |cell: &&str| match cell.as_bytes() {
        [byte @ b'1'..=b'9'] => usize::from(byte - b'0') <= side,
        [byte @ (b'a'..=b'z' | b'A'..=b'Z')] => {
            side > 9 && usize::from(byte.to_ascii_uppercase() - b'A') < side
                || matches!(byte, b'x' | b'X')
        }
        [byte] => is_symbol(*byte),
        _ => false,
    };
    (SIDES.contains(&side) && cells.iter().all(fits)).then_some(cells)
}

fn is_symbol(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || is_mark(byte)
}

fn is_number(cell: &str) -> bool {
    cell.len() == 2 && cell.bytes().all(|byte| byte.is_ascii_digit())
}

/// Grids whose empty cells are blanks: the cells are found by their place in the line.
fn by_position(lines: &[String]) -> Whole {
    let mut whole = Whole::default();
    let is_border = |line: &String| {
        !line.is_empty()
            && line.chars().all(|c| "+-=| ".contains(c))
            && line.contains(['-', '+', '='])
    };
    let mut start = 0;
    for block in lines.split(String::is_empty) {
        let rows: Vec<(usize, &String)> = (start..)
            .zip(block)
            .filter(|(_, line)| !is_border(line))
            .collect();
        start += block.len() + 1;
        let side = rows.len();
        let widest = rows
            .iter()
            .map(|(_, line)| line.trim_end().len())
            .max()
            .unwrap_or(0);
        let is_blank_row = |text: &str| {
            text.chars()
                .all(|c| c.is_ascii_digit() || c == ' ' || c == '|')
        };
        if !SIDES.contains(&side) || !rows.iter().all(|(_, line)| is_blank_row(line)) {
            continue;
        }
        let step = if widest <= side { 1 } else { 2 };
        let mut values = Vec::new();
        for (_, line) in &rows {
            let cells = line
                .bytes()
                .step_by(step)
                .filter(|&byte| byte != b'|')
                .chain(std::iter::repeat(b' '));
            values.extend(cells.take(side).map(|byte| byte.saturating_sub(b'0')));
        }
        let is_right =
            values.iter().any(|&v| v > 0) && values.iter().all(|&v| usize::from(v) <= side);
        if is_right && widest <= step * (side + 4) {
            whole.puzzles.push(Found {
                line: rows[0].0,
                side,
                values,
                extra: None,
            });
        }
    }
    whole
}

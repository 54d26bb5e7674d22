//! One puzzle per line, in any of its columns.

use super::symbols::{SIDES, is_mark, plain, side_of, values};
use super::{Column, Problem};

/// The content of a line.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    /// Nothing, or a comment.
    Empty,
    /// A puzzle of this side, whose values were appended.
    Puzzle(usize),
    /// The names of columns, or the number of puzzles: skipped as the first line of a file.
    Header,
    /// Something else.
    Other(Problem),
}

/// Whether a byte is blank; DOS files can end in the end mark 0x1a.
fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x1a
}

fn trim_start(line: &[u8]) -> &[u8] {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    let start = line.iter().position(|&byte| !is_blank(byte));
    &line[start.unwrap_or(line.len())..]
}

/// The line without blanks at its ends and without a byte-order mark.
pub fn trim(line: &[u8]) -> &[u8] {
    let line = trim_start(line);
    let end = line.iter().rposition(|&byte| !is_blank(byte));
    &line[..end.map_or(0, |end| end + 1)]
}

fn is_separator(byte: u8) -> bool {
    matches!(
        byte,
        b',' | b';' | b'\t' | b' ' | b'|' | b':' | b'"' | b'\'' | b'`' | b'/' | b'=' | b'&'
    )
}

/// The fields of a line and their places in it.
fn fields(line: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut start = 0;
    line.split(|&byte| is_separator(byte))
        .filter_map(move |field| {
            let at = start;
            start += field.len() + 1;
            (!field.is_empty()).then_some((at, field))
        })
}

/// Reads a line: appends the values of its puzzle, if it has one.
pub fn read(line: &[u8], column: &Column, found: &mut Vec<u8>) -> Line {
    let trimmed = trim(line);
    if trimmed.is_empty() || trimmed.starts_with(b"#") {
        return Line::Empty;
    }
    if !trimmed.is_ascii()
        && let Ok(text) = std::str::from_utf8(line)
    {
        let plain = plain(text);
        if plain != text {
            return read(plain.as_bytes(), column, found);
        }
    }
    if let Some(page) = other_page(trimmed) {
        let text = format!(
            "expected SudokuWiki's page of classic puzzles, found '{page}', whose rules are not in the address"
        );
        return Line::Other(Problem::text(text));
    }
    let start = line.len() - trim_start(line).len();
    if let Column::Number(number) = column {
        let Some((at, field)) = column_field(trimmed, *number) else {
            return Line::Other(Problem::text(format!("expected {number} columns")));
        };
        return match puzzle(field, found) {
            Some(side) => Line::Puzzle(side),
            None if is_header(field) => Line::Header,
            None => Line::Other(problem(field, start + at)),
        };
    }
    // Of several grids the first with an empty cell is the puzzle: the other ones are solutions.
    let before = found.len();
    let mut best: Option<(usize, bool)> = None;
    let mut longest: (usize, &[u8]) = (0, b"");
    for (at, field) in fields(trimmed) {
        if field.len() > longest.1.len() {
            longest = (at, field);
        }
        if best.is_some_and(|(side, is_open)| is_open && side * side >= field.len()) {
            continue;
        }
        let after = found.len();
        if let Some(side) = puzzle(field, found) {
            let is_open = found[after..].contains(&0);
            let is_better = best.is_none_or(|(other, other_open)| {
                side > other || (side == other && is_open && !other_open)
            });
            if is_better {
                found.drain(before..after);
                best = Some((side, is_open));
            } else {
                found.truncate(after);
            }
        }
    }
    if let Some((side, _)) = best {
        return Line::Puzzle(side);
    }
    if let Some(side) = whole_line(line, trimmed, found) {
        return Line::Puzzle(side);
    }
    if trimmed.windows(3).any(|part| part == b"://") {
        let text = "expected an address with a puzzle in it: export the puzzle itself at the site";
        return Line::Other(Problem::text(text));
    }
    if is_markup(trimmed) {
        return Line::Empty;
    }
    if is_header(longest.1) && fields(trimmed).all(|(_, field)| is_header(field)) {
        return Line::Header;
    }
    Line::Other(problem(longest.1, start + longest.0))
}

/// The page of an address of SudokuWiki if it is one for puzzles with other rules.
fn other_page(line: &[u8]) -> Option<String> {
    const SITE: &str = "sudokuwiki.org/";
    const OTHERS: [&str; 10] = [
        "jigsaw", "killer", "sudokux", "sudoku_x", "windoku", "colo", "str8ts", "kenken", "kakuro",
        "samurai",
    ];
    if !line.contains(&b'/') || line.len() < SITE.len() {
        return None;
    }
    let text = String::from_utf8_lossy(line);
    let (_, rest) = text.split_once(SITE)?;
    let page = rest.split(['?', ' ', '"']).next().unwrap_or(rest);
    let name = page.to_ascii_lowercase();
    OTHERS
        .iter()
        .any(|other| name.contains(other))
        .then(|| page.to_owned())
}

/// Whether a line only belongs to the form of the text around it: a tag, the border of a block of code, POJ's `end`.
fn is_markup(line: &[u8]) -> bool {
    let digits = line.iter().filter(|byte| byte.is_ascii_digit()).count();
    let is_tag = match line {
        [b'<', .., b'>'] => true,
        [b'[', first, .., b']'] => first.is_ascii_alphabetic() || *first == b'/',
        _ => false,
    };
    line.starts_with(b"```") || line.eq_ignore_ascii_case(b"end") || digits < 4 && is_tag
}

/// The field of a column, counted from 1, without quotes, and its place in the line.
fn column_field(line: &[u8], number: usize) -> Option<(usize, &[u8])> {
    let separator = [b'\t', b';', b',']
        .into_iter()
        .find(|byte| line.contains(byte))
        .unwrap_or(b' ');
    let mut start = 0;
    let mut is_quoted = false;
    let mut column = 1;
    for (at, &byte) in line.iter().chain([&separator]).enumerate() {
        if byte == b'"' && at < line.len() {
            is_quoted = !is_quoted;
        } else if byte == separator && (!is_quoted || at == line.len()) {
            if column == number {
                let field = &line[start..at];
                let quotes = usize::from(field.starts_with(b"\"") && field.len() > 1);
                return Some((start + quotes, &field[quotes..field.len() - quotes]));
            }
            column += 1;
            start = at + 1;
        }
    }
    None
}

/// The number of the column with this name, in the first line of a file.
pub fn column_number(header: &[u8], name: &str) -> Option<usize> {
    (1..)
        .map_while(|number| Some((number, column_field(trim(header), number)?.1)))
        .find(|(_, field)| trim(field).eq_ignore_ascii_case(name.as_bytes()))
        .map(|(number, _)| number)
}

/// Appends the values of a field that is a puzzle. A `+` marks a digit that was placed (HoDoKu).
fn puzzle(field: &[u8], found: &mut Vec<u8>) -> Option<usize> {
    if let Some(side) = side_of(field.len()) {
        return values(field, side, found).ok().map(|()| side);
    }
    if let Some(cells) = field.strip_prefix(b"S9B") {
        return sudoku_wiki(cells, found);
    }
    let is_placed = |pair: &[u8]| pair[0] != b'+' || pair[1].is_ascii_digit();
    if field.len() < 16 || !field.contains(&b'+') || !field.windows(2).all(is_placed) {
        return None;
    }
    let plain: Vec<u8> = field.iter().copied().filter(|&byte| byte != b'+').collect();
    let side = side_of(plain.len())?;
    values(&plain, side, found).ok().map(|()| side)
}

/// Appends the givens of a board of SudokuWiki: for each cell two digits to the base of 36, which are a given up to 9, a placed
/// digit up to 18, and else the candidates.
fn sudoku_wiki(cells: &[u8], found: &mut Vec<u8>) -> Option<usize> {
    let number = |pair: &[u8]| u16::from_str_radix(std::str::from_utf8(pair).ok()?, 36).ok();
    let numbers: Vec<u16> = cells.chunks(2).map(number).collect::<Option<_>>()?;
    let is_known = |number: &u16| (1..18 + (1 << 9)).contains(number);
    if cells.len() != 162 || !numbers.iter().all(is_known) {
        return None;
    }
    let given = |number: &u16| if *number <= 9 { *number as u8 } else { 0 };
    found.extend(numbers.iter().map(given));
    Some(9)
}

/// A line whose fields together are a puzzle: a field for each row, or for each cell; or a line of 81 characters with blanks
/// for the empty cells.
fn whole_line(line: &[u8], trimmed: &[u8], found: &mut Vec<u8>) -> Option<usize> {
    let all: Vec<&[u8]> = fields(trimmed).map(|(_, field)| field).collect();
    if SIDES.contains(&all.len()) && all.iter().all(|field| field.len() == all.len()) {
        return values(&all.concat(), all.len(), found)
            .ok()
            .map(|()| all.len());
    }
    if let Some(side) = side_of(all.len()) {
        let cells: Option<Vec<&str>> = all.iter().map(|f| std::str::from_utf8(f).ok()).collect();
        return super::symbols::cell_values(&cells?, side, found)
            .ok()
            .map(|()| side);
    }
    if let Some(side) = side_of(all.len() / 2).filter(|_| all.len().is_multiple_of(2)) {
        // A puzzle and its solution, a field for each cell.
        let is_cell = |field: &&[u8]| field.len() <= 2;
        let puzzle = all
            .iter()
            .all(is_cell)
            .then(|| all[..side * side].join(&b','))?;
        return whole_line(&puzzle, &puzzle, found);
    }
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let side = side_of(line.len()).filter(|&side| side > 6)?;
    let has_others = line.iter().any(|&byte| is_mark(byte) || byte == b'0');
    let is_plain = line
        .iter()
        .all(|&byte| byte == b' ' || byte.is_ascii_alphanumeric());
    (is_plain && !has_others)
        .then(|| values(line, side, found).ok())?
        .map(|()| side)
}

/// Whether a field is the name of a column or a number of puzzles, and cannot be a damaged puzzle: a puzzle has at least
/// 16 cells, digits and marks up to side 9, and at least 100 cells with letters.
fn is_header(field: &[u8]) -> bool {
    let Ok(field) = std::str::from_utf8(field) else {
        return false;
    };
    let is_number = field.chars().all(|c| c.is_ascii_digit());
    let is_name = field.chars().all(|c| c.is_alphabetic() || c == '_');
    let has_letter = field.contains(char::is_alphabetic);
    (is_number && field.len() < 10)
        || (has_letter && field.len() < 16)
        || (is_name && field.len() < 100)
        || field.len() < 10
}

/// Why the longest field of a line is no puzzle; it begins at this offset of the line.
fn problem(field: &[u8], at: usize) -> Problem {
    match side_of(field.len()) {
        Some(side) => {
            let wrong = values(field, side, &mut Vec::new()).err().unwrap_or(0);
            Problem::cell(at + wrong, field[wrong], side)
        }
        None => Problem::length(field.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Line, column_number, read};
    use crate::formats::Column;

    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn puzzle_of(line: &str, column: &Column) -> Option<String> {
        let mut found = Vec::new();
        let Line::Puzzle(side) = read(line.as_bytes(), column, &mut found) else {
            return None;
        };
        assert_eq!(found.len(), side * side, "{line}");
        Some(
            found
                .iter()
                .map(|value| match value {
                    0 => '.',
                    value => char::from(b'0' + value),
                })
                .collect(),
        )
    }

    #[test]
    fn the_puzzle_is_found_in_any_column() {
        let solution =
            "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
        for line in [
            PUZZLE.to_owned(),
            format!("fc89dd374d4d {PUZZLE}  1.2"),
            format!("1,{PUZZLE},{solution},27,0.0"),
            format!("1;\"{solution}\";\"{PUZZLE}\""),
            format!("{solution}\t{PUZZLE}"),
            format!(":0000:x:{PUZZLE}:::"),
            format!("https://www.sudokuwiki.org/sudoku.htm?bd={PUZZLE}"),
            PUZZLE.replace('.', " "),
            PUZZLE.replace("53", "5+3"),
            PUZZLE
                .as_bytes()
                .chunks(9)
                .map(|row| str::from_utf8(row).unwrap())
                .collect::<Vec<_>>()
                .join(" "),
            PUZZLE
                .as_bytes()
                .chunks(1)
                .map(|cell| str::from_utf8(cell).unwrap())
                .collect::<Vec<_>>()
                .join(","),
        ] {
            assert_eq!(
                puzzle_of(&line, &Column::Any).as_deref(),
                Some(PUZZLE),
                "{line}"
            );
        }
        let both = format!("a,{solution},{PUZZLE}");
        assert_eq!(
            puzzle_of(&both, &Column::Number(2)).as_deref(),
            Some(solution)
        );
        assert_eq!(puzzle_of(&both, &Column::Number(4)), None);
        assert_eq!(
            column_number(b"id;\"First, second\";puzzle", "puzzle"),
            Some(3)
        );
        assert_eq!(column_number(b"id,puzzle", "quiz"), None);
    }
}

//! Lists of rows, cells or lines, as JSON, Python and other languages write them.

use super::symbols::{SIDES, cell_values, is_mark, side_of};
use super::{Found, Problem, Whole};

/// A value of a list.
#[derive(Debug)]
enum Value {
    List(Vec<Value>, usize),
    /// An object of JSON or a dictionary, with its keys.
    Object(Vec<Value>),
    /// A string, a number or a word, and its line.
    Atom(String, usize),
}

/// The maximum depth of lists.
const MAX_DEPTH: usize = 16;

/// Whether a text that begins with this line holds lists: a bracket that is no name of a section, or a value that is given a
/// name.
pub fn begins(line: &[u8]) -> bool {
    let Ok(line) = std::str::from_utf8(line) else {
        return false;
    };
    // `grid = [`, `int grid[9][9] = {`, `let grid: [[u8; 9]; 9] = [`
    let is_declaration = |c: char| c.is_alphanumeric() || " _[]<>:;,*&".contains(c);
    let value = match line.split_once('=') {
        Some((name, value)) if name.chars().all(is_declaration) => value.trim_start(),
        _ => line,
    };
    let inner = value.trim_start_matches(['[', '{', '(']);
    let is_name = value.starts_with('[')
        && inner.chars().next().is_some_and(char::is_alphabetic)
        && value.ends_with(']')
        && !value.contains(',');
    inner.len() < value.len() && !is_name
}

/// Reads all grids of a text.
pub fn read(text: &str) -> Whole {
    let mut whole = Whole::default();
    let mut reader = Reader {
        rest: text.char_indices().peekable(),
        text,
        line: 0,
        has_keys: false,
    };
    let mut values = Vec::new();
    while let Some(value) = reader.value(0) {
        if !matches!(value, Value::Atom(..)) {
            collect(&value, &mut whole);
        }
        values.push(value);
    }
    if whole.puzzles.is_empty() {
        loose_rows(&values, &mut whole);
    }
    if whole.puzzles.is_empty() {
        whole
            .problems
            .push((0, Problem::text("expected a list of rows or of cells")));
    }
    whole
}

/// Adds the grids of rows that no list holds: YAML's, and strings one after another.
fn loose_rows(values: &[Value], whole: &mut Whole) {
    let is_symbol = |byte: u8| byte.is_ascii_digit() || is_mark(byte);
    let is_row = |row: &(&Value, Vec<&str>)| {
        let is_text = matches!(row.0, Value::Atom(text, _) if !text.bytes().all(is_symbol));
        SIDES.contains(&row.1.len()) && !is_text
    };
    let rows: Vec<(&Value, Vec<&str>)> = values
        .iter()
        .map(|value| (value, cells(value)))
        .filter(is_row)
        .collect();
    for block in rows.chunk_by(|(_, one), (_, other)| one.len() == other.len()) {
        let side = block[0].1.len();
        for grid in block.chunks_exact(side) {
            let (Value::List(_, line) | Value::Atom(_, line)) = grid[0].0 else {
                continue;
            };
            let cells: Vec<&str> = grid.iter().flat_map(|(_, cells)| cells.clone()).collect();
            add(&cells, side, *line, whole);
        }
    }
}

struct Reader<'a> {
    rest: std::iter::Peekable<std::str::CharIndices<'a>>,
    text: &'a str,
    /// From 0.
    line: usize,
    /// Whether a colon was read in the innermost open list.
    has_keys: bool,
}

impl Reader<'_> {
    fn bump(&mut self) -> Option<(usize, char)> {
        let next = self.rest.next()?;
        self.line += usize::from(next.1 == '\n');
        Some(next)
    }

    /// The next value; `None` at the end of a list or of the text. Keys are values, too.
    fn value(&mut self, depth: usize) -> Option<Value> {
        loop {
            let (at, c) = self.bump()?;
            let line = self.line;
            match c {
                '[' | '(' | '{' if depth < MAX_DEPTH => {
                    let outside = std::mem::take(&mut self.has_keys);
                    let mut values = Vec::new();
                    while let Some(value) = self.value(depth + 1) {
                        values.push(value);
                    }
                    let has_keys = std::mem::replace(&mut self.has_keys, outside);
                    // C, C++, Java and C# write lists in braces.
                    return Some(match c == '{' && has_keys {
                        true => Value::Object(values),
                        false => Value::List(values, line),
                    });
                }
                ':' => self.has_keys = true,
                ']' | ')' | '}' if depth > 0 => return None,
                '"' | '\'' => {
                    let mut string = String::new();
                    while let Some((_, next)) = self.bump() {
                        if next == c {
                            break;
                        }
                        string.push(next);
                    }
                    return Some(Value::Atom(string, line));
                }
                c if c.is_alphanumeric() || "._-*?".contains(c) => {
                    let mut end = at + c.len_utf8();
                    while let Some((at, next)) = self
                        .rest
                        .next_if(|(_, c)| c.is_alphanumeric() || "._-*?".contains(*c))
                    {
                        end = at + next.len_utf8();
                    }
                    return Some(Value::Atom(self.text[at..end].to_owned(), line));
                }
                _ => {}
            }
        }
    }
}

/// Adds the grids of a value.
fn collect(value: &Value, whole: &mut Whole) {
    match value {
        Value::Atom(text, line) => {
            if let Some(side) = side_of(text.len()) {
                let cells: Vec<&str> = text.split("").filter(|c| !c.is_empty()).collect();
                add(&cells, side, *line, whole);
            }
        }
        Value::Object(values) => {
            let before = whole.puzzles.len();
            for value in values {
                collect(value, whole);
            }
            // A full grid beside one with empty cells is its solution.
            let is_open = |found: &Found| found.values.contains(&0);
            let mut found = whole.puzzles.split_off(before);
            if found.iter().any(is_open) {
                found.retain(is_open);
            }
            whole.puzzles.extend(found);
        }
        Value::List(values, line) => {
            let rows: Vec<Vec<&str>> = values.iter().map(cells).collect();
            let side = rows.len();
            if SIDES.contains(&side) && rows.iter().all(|row| row.len() == side) {
                add(&rows.concat(), side, *line, whole);
                return;
            }
            let atoms: Option<Vec<&str>> = values.iter().map(cell).collect();
            if let (Some(side), Some(atoms)) = (side_of(side), atoms)
                && atoms.iter().all(|cell| cell.len() <= 2)
            {
                add(&atoms, side, *line, whole);
                return;
            }
            let before = whole.puzzles.len() + whole.problems.len();
            for value in values {
                collect(value, whole);
            }
            let is_found = whole.puzzles.len() + whole.problems.len() > before;
            let is_grid = rows.iter().filter(|row| SIDES.contains(&row.len())).count() >= 3;
            if !is_found && is_grid {
                let text = format!("expected as many rows as cells in a row, found {side} rows");
                whole.problems.push((*line, Problem::text(text)));
            }
        }
    }
}

/// The cells of a row: of a list of cells, or the characters of a string.
fn cells(value: &Value) -> Vec<&str> {
    match value {
        Value::List(values, _) | Value::Object(values) => values.iter().map_while(cell).collect(),
        Value::Atom(text, _) => text.split("").filter(|c| !c.is_empty()).collect(),
    }
}

/// A cell; words such as `null` are empty ones.
fn cell(value: &Value) -> Option<&str> {
    match value {
        Value::Atom(text, _) => Some(match text.as_str() {
            "null" | "None" | "nil" | "undefined" | "NaN" | "nan" => "",
            text => text,
        }),
        Value::List(values, _) | Value::Object(values) if values.is_empty() => Some(""),
        Value::List(..) | Value::Object(_) => None,
    }
}

fn add(cells: &[&str], side: usize, line: usize, whole: &mut Whole) {
    let mut values = Vec::new();
    match cell_values(cells, side, &mut values) {
        Ok(()) => whole.puzzles.push(Found {
            line,
            side,
            values,
            extra: None,
        }),
        Err(wrong) => {
            let (row, column) = (wrong / side + 1, wrong % side + 1);
            let text = format!(
                "expected a cell of a {side}x{side} puzzle, found '{}' in row {row}, column {column}",
                cells[wrong]
            );
            whole.problems.push((line, Problem::text(text)));
        }
    }
}

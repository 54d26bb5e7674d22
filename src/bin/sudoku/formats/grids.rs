//! Grids of lines: rows of cells, with or without blanks, borders, and lines between that are none.

use super::symbols::{SIDES, cell_values, is_mark, plain};
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

/// Reads all grids of a text.
pub fn read(text: &str) -> Whole {
    let table = rows_of_html(text);
    let text = table.as_deref().unwrap_or(text);
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

/// The rows of the tables of a page, one per line, the cells with commas between; `None` if it has none. A cell with a field
/// has the value of the field. A row is written in the line in which it begins.
fn rows_of_html(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    if !lower.contains("<td") {
        return None;
    }
    let mut out = String::new();
    let mut at = 0;
    while let Some(start) = lower[at..].find("<tr").map(|start| at + start) {
        let end = lower[start..]
            .find("</tr")
            .map_or(text.len(), |end| start + end);
        let row = &text[start..end];
        let lines = |part: &str| "\n".repeat(part.matches('\n').count());
        out.push_str(&lines(&text[at..start]));
        let lower_row = &lower[start..end];
        let cells: Vec<&str> = lower_row
            .match_indices("<td")
            .map(|(cell, _)| {
                let rest = &lower_row[cell + 1..];
                let mut tags = rest.match_indices('<').map(|(tag, _)| tag);
                let is_end = |tag: &usize| {
                    ["</td", "<td"]
                        .iter()
                        .any(|end| rest[*tag..].starts_with(end))
                };
                let end = tags.find(is_end).unwrap_or(rest.len());
                cell_of_html(&row[cell..cell + 1 + end])
            })
            .collect();
        out.push_str(&cells.join(","));
        out.push_str(&lines(row));
        at = end;
        let next = lower[at..].find("<tr").map_or(text.len(), |next| at + next);
        // A table ends a grid.
        out.push_str(match lower[at..next].contains("</table") {
            true => "\n# \n",
            false => "\n",
        });
    }
    Some(out)
}

/// The text of a cell, from its tag on, or the value of its field.
fn cell_of_html(cell: &str) -> &str {
    if let Some((_, value)) = cell.split_once("value=") {
        let value = value.trim_start_matches(['"', '\'']);
        return &value[..value
            .find(|c: char| !c.is_alphanumeric())
            .unwrap_or(value.len())];
    }
    let text = cell
        .split('>')
        .skip(1)
        .map(|part| part.split('<').next().unwrap_or(""));
    let mut texts = text.map(str::trim).filter(|text| !text.is_empty());
    texts.next().filter(|text| *text != "&nbsp;").unwrap_or("")
}

/// Whether the first line is the header of a table: a rule follows, then as many rows as there are columns; or it has names or
/// nothing, and such a number of rows follows, with labels or without.
fn is_header(kinds: &[Kind<'_>], side: usize) -> bool {
    let cells = |kind: &Kind<'_>| match kind {
        Kind::Row(cells) | Kind::Marks(cells) => Some(cells.len()),
        _ => None,
    };
    let is_part = |kind: &&Kind<'_>| matches!(kind, Kind::Row(_) | Kind::Marks(_) | Kind::Border);
    let count = |wanted: usize| {
        let rows = kinds.iter().skip(1).take_while(is_part);
        rows.filter(|kind| cells(kind) == Some(wanted)).count()
    };
    let is_named = match &kinds[0] {
        Kind::Row(names) => is_sequence(names) || names.iter().all(|name| name.is_empty()),
        _ => false,
    };
    let is_ruled = matches!(kinds.get(1), Some(Kind::Border));
    let rows = count(side);
    (is_ruled || is_named) && rows % side == 0 && (is_ruled || rows > 0)
        || is_named && count(side + 1) == side
}

/// Whether the cells are the names of columns or rows: numbers from 0 or 1 on, or letters from A on.
fn is_sequence(cells: &[&str]) -> bool {
    let follow = |first: usize| {
        let mut numbered = (first..).zip(cells);
        numbered.all(|(number, cell)| cell.parse() == Ok(number))
    };
    let is_letter = |(letter, cell): (char, &&str)| {
        cell.len() == 1 && cell.starts_with([letter, letter.to_ascii_lowercase()])
    };
    follow(0) || follow(1) || ('A'..='Z').zip(cells).all(is_letter) && cells.len() <= 26
}

/// The rows without the names of rows in the first column, and without those of columns above them, as spreadsheets and
/// programs write them.
fn without_labels<'r, 'c>(
    rows: &'r [(usize, &Vec<&'c str>)],
) -> Option<&'r [(usize, &'r Vec<&'c str>)]> {
    let width = rows[0].1.len();
    let has_names = rows.len() == width && is_sequence(&rows[0].1[1..]);
    let rows = &rows[usize::from(has_names)..];
    let labels: Vec<&str> = rows.iter().map(|(_, cells)| cells[0]).collect();
    (rows.len() + 1 == width && is_sequence(&labels)).then_some(rows)
}

/// Makes a puzzle of the rows, or a problem if there are too few.
fn finish(whole: &mut Whole, rows: &mut Vec<(usize, &Vec<&str>)>) {
    let Some(&(line, first)) = rows.first() else {
        return;
    };
    let labelled = without_labels(rows);
    let labels = usize::from(labelled.is_some());
    let side = first.len() - labels;
    let rows_of_cells = labelled.unwrap_or(rows);
    let cells: Vec<&str> = rows_of_cells
        .iter()
        .flat_map(|(_, cells)| cells[labels..].iter().copied())
        .collect();
    let mut values = Vec::new();
    if labels == 0 && 2 * rows.len() == side && SIDES.contains(&rows.len()) {
        return side_by_side(whole, rows);
    }
    if rows_of_cells.len() < side {
        let text = format!("expected {side} rows of {side} cells, found {}", rows.len());
        whole.problems.push((line, Problem::text(text)));
    } else if let Err(wrong) = cell_values(&cells, side, &mut values) {
        let text = format!(
            "expected a cell of a {side}x{side} puzzle, found '{}' in column {}",
            cells[wrong],
            wrong % side + 1 + labels
        );
        whole
            .problems
            .push((rows_of_cells[wrong / side].0, Problem::text(text)));
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

/// Makes a puzzle of each half of the rows that has an empty cell: the other one is its solution.
fn side_by_side(whole: &mut Whole, rows: &mut Vec<(usize, &Vec<&str>)>) {
    let side = rows.len();
    let line = rows[0].0;
    for half in [0..side, side..2 * side] {
        let cells: Vec<&str> = rows
            .iter()
            .flat_map(|(_, cells)| &cells[half.clone()])
            .copied()
            .collect();
        let mut values = Vec::new();
        match cell_values(&cells, side, &mut values) {
            Ok(()) if values.contains(&0) => whole.puzzles.push(Found {
                line,
                side,
                values,
                extra: None,
            }),
            Ok(()) => {}
            Err(_) => {
                let text = format!("expected {side} rows of {side} cells, or of two grids");
                whole.problems.push((line, Problem::text(text)));
            }
        }
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
        || is_rounded(text)
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

/// Whether the text is a border with other characters at its corners, as HoDoKu draws them: `.---.---.`, `:---+---:`, `'---'---'`.
fn is_rounded(text: &str) -> bool {
    let is_corner = |c: char| ".:'`,+".contains(c);
    text.len() > 9
        && text.chars().all(|c| c == '-' || is_corner(c))
        && text.starts_with(is_corner)
        && text.ends_with(is_corner)
        && text[1..text.len() - 1]
            .split(is_corner)
            .all(|run| run.len() >= 3)
}

/// The cell as a symbol: numbers of tables can have a fraction, and words stand for no number.
fn symbol(cell: &str) -> &str {
    if ["nan", "null", "none", "na"].contains(&cell.to_ascii_lowercase().as_str()) {
        return "";
    }
    // `5.0`, `5.000e+00`
    let Some((whole, fraction)) = cell.split_once('.') else {
        return cell;
    };
    let (fraction, exponent) = fraction.split_once(['e', 'E']).unwrap_or((fraction, "0"));
    let is_zero = |digits: &str| !digits.is_empty() && digits.bytes().all(|digit| digit == b'0');
    let is_whole = !whole.is_empty() && whole.bytes().all(|byte| byte.is_ascii_digit());
    match is_whole && is_zero(fraction) && is_zero(exponent.trim_start_matches('+')) {
        true => whole,
        false => cell,
    }
}

/// The cells of a row of candidates, as solvers copy them: a cell with one candidate has that digit.
fn candidates<'t>(words: &[&'t str]) -> Option<Vec<&'t str>> {
    let is_ascending = |word: &&str| {
        let digits = word.as_bytes();
        digits.iter().all(|digit| (b'1'..=b'9').contains(digit))
            && digits.windows(2).all(|pair| pair[0] < pair[1])
    };
    let is_row = words.len() == 9
        && words.iter().all(is_ascending)
        && words.iter().any(|word| word.len() > 1);
    is_row.then(|| {
        let cells = words
            .iter()
            .map(|word| if word.len() > 1 { "." } else { word });
        cells.collect()
    })
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
                // LaTeX ends rows with `|.`
                '|' => {
                    let row = text.strip_suffix("|.").filter(|_| text.starts_with('|'));
                    let row = row.or(text.strip_suffix('|')).unwrap_or(text);
                    row.trim_start_matches('|')
                }
                _ => text,
            };
            let fields: Vec<&str> = inner
                .split(separator)
                .map(|field| symbol(field.trim().trim_matches(['"', '\''])))
                .collect();
            if is_row(&fields) {
                return Some(fields);
            }
        }
    }
    // A word for each cell.
    let is_gap = |c: char| c == '|' || c == ',' || c.is_whitespace();
    let words: Vec<&str> = text.split(is_gap).filter(|word| !word.is_empty()).collect();
    let symbols: Vec<&str> = words.iter().map(|word| symbol(word)).collect();
    if is_row(&symbols) {
        return Some(symbols);
    }
    if let Some(cells) = candidates(&words) {
        return Some(cells);
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

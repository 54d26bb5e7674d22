//! Finds the first wrong board in an output whose answer consists of Latin squares.
//!
//! The answer alone determines the layout: square blocks of 4x4 to 36x36 cells in which every row
//! and every column holds the same symbols once. Brackets, commas and quotes between cells do not
//! matter; a row may be one word of one character per cell, a whole board one line.

use crate::results::{Board, House};

/// Sides of boards.
const SIDES: std::ops::RangeInclusive<usize> = 4..=36;

type Cells = Vec<Vec<String>>;
/// A house: its kind, its number and the rows and columns of its cells, all from 0.
type Place = (&'static str, usize, Vec<(usize, usize)>);

/// The first board of `found` that differs from the one of `expected`; `None` if all boards are
/// equal, or `expected` contains other lines than boards.
pub fn first_wrong(expected: &str, found: &str) -> Option<Board> {
    let boards = boards(expected);
    let side = boards.first()?.len();
    let all_latin = |board: &Cells| board.len() == side && is_latin(board);
    if !boards.iter().all(all_latin) {
        return None;
    }
    let boxes = box_of(side).filter(|&shape| boards.iter().all(|board| has_boxes(board, shape)));
    let outputs = chunks(&rows(found), side);
    let count = boards.len();
    for (k, expected) in boards.into_iter().enumerate() {
        let mut found = outputs.get(k).cloned().unwrap_or_default();
        found.resize(side, Vec::new());
        for row in &mut found {
            row.resize(side, String::new());
        }
        let differs = |&(r, c): &(usize, usize)| expected[r][c] != found[r][c];
        let mut places = (0..side).flat_map(|r| (0..side).map(move |c| (r, c)));
        if let Some((r, c)) = places.find(differs) {
            return Some(Board {
                number: (count > 1).then_some(k + 1),
                boxes,
                broken: broken(&found, boxes, (r, c)),
                expected,
                found,
                wrong: [r + 1, c + 1],
            });
        }
    }
    None
}

/// The cells of each line that is not blank.
fn rows(text: &str) -> Vec<Vec<String>> {
    let between = |c: char| c.is_whitespace() || "[](){},;|\"'".contains(c);
    let cells = |line: &str| -> Vec<String> {
        let words: Vec<&str> = line
            .split(between)
            .filter(|word| !word.is_empty())
            .collect();
        match words[..] {
            [word] => word.chars().map(String::from).collect(),
            _ => words.into_iter().map(str::to_owned).collect(),
        }
    };
    text.lines()
        .map(cells)
        .filter(|row| !row.is_empty())
        .collect()
}

/// Splits rows into boards; a line of `side * side` cells is a board of its own. Lines of another
/// length are skipped, for example the number of solutions.
fn chunks(rows: &[Vec<String>], side: usize) -> Vec<Cells> {
    let mut boards = Vec::new();
    let mut open: Cells = Vec::new();
    for row in rows {
        if row.len() == side {
            open.push(row.clone());
        } else if row.len() == side * side {
            boards.push(row.chunks(side).map(<[String]>::to_vec).collect());
        }
        if open.len() == side {
            boards.push(std::mem::take(&mut open));
        }
    }
    if !open.is_empty() {
        boards.push(open);
    }
    boards
}

/// The boards of the answer, with the side that its first long line suggests.
fn boards(text: &str) -> Vec<Cells> {
    let rows = rows(text);
    let mut lengths = rows.iter().map(Vec::len);
    let Some(length) = lengths.find(|length| length >= SIDES.start()) else {
        return Vec::new();
    };
    let root = length.isqrt();
    let follows = rows.iter().filter(|row| row.len() == length).count();
    // 16 cells in one line are a whole board only if there are fewer than 16 such lines.
    let side = match root * root == length && SIDES.contains(&root) && follows < length {
        true => root,
        false => length,
    };
    match SIDES.contains(&side) {
        true => chunks(&rows, side),
        false => Vec::new(),
    }
}

/// The rows and columns of a board, and the boxes of this shape.
fn houses(side: usize, boxes: Option<[usize; 2]>) -> Vec<Place> {
    let rows = (0..side).map(|r| ("row", r, (0..side).map(|c| (r, c)).collect()));
    let columns = (0..side).map(|c| ("column", c, (0..side).map(|r| (r, c)).collect()));
    let boxes = boxes.into_iter().flat_map(|[rows, columns]| {
        (0..side).map(move |number| {
            let across = side / columns;
            let (top, left) = (number / across * rows, number % across * columns);
            let cells = (0..side).map(|k| (top + k / columns, left + k % columns));
            ("box", number, cells.collect())
        })
    });
    rows.chain(columns).chain(boxes).collect()
}

/// The symbols of a house, sorted.
fn symbols<'a>(board: &'a Cells, cells: &[(usize, usize)]) -> Vec<&'a String> {
    let mut symbols: Vec<&String> = cells.iter().map(|&(r, c)| &board[r][c]).collect();
    symbols.sort();
    symbols
}

fn are_distinct(symbols: &[&String]) -> bool {
    symbols.windows(2).all(|pair| pair[0] != pair[1])
}

fn is_latin(board: &Cells) -> bool {
    let side = board.len();
    if side == 0 || board.iter().any(|row| row.len() != side) {
        return false;
    }
    let houses = houses(side, None);
    let first = symbols(board, &houses[0].2);
    let mut houses = houses.iter();
    are_distinct(&first) && houses.all(|(.., cells)| symbols(board, cells) == first)
}

/// The usual shape of a box: as square as possible, wider than high.
fn box_of(side: usize) -> Option<[usize; 2]> {
    let mut heights = (2..=side.isqrt()).rev();
    let rows = heights.find(|rows| side.is_multiple_of(*rows))?;
    Some([rows, side / rows])
}

fn has_boxes(board: &Cells, shape: [usize; 2]) -> bool {
    let houses = houses(board.len(), Some(shape));
    let mut boxes = houses.iter().filter(|(kind, ..)| *kind == "box");
    boxes.all(|(.., cells)| are_distinct(&symbols(board, cells)))
}

/// The first house that contains a symbol twice; those of the cell `wrong` come first.
fn broken(board: &Cells, boxes: Option<[usize; 2]>, wrong: (usize, usize)) -> Option<House> {
    let mut houses = houses(board.len(), boxes);
    houses.sort_by_key(|(.., cells)| !cells.contains(&wrong));
    houses.into_iter().find_map(|(kind, number, cells)| {
        let first = std::iter::once(wrong).filter(|wrong| cells.contains(wrong));
        let mut places = first.chain(cells.iter().copied());
        let (symbol, cells) = places.find_map(|(r, c)| {
            let symbol = &board[r][c];
            let equal = cells.iter().filter(|&&(r, c)| board[r][c] == *symbol);
            let equal: Vec<_> = equal.map(|&(r, c)| [r + 1, c + 1]).collect();
            (!symbol.is_empty() && equal.len() > 1).then(|| (symbol.clone(), equal))
        })?;
        Some(House {
            kind: kind.to_owned(),
            number: number + 1,
            symbol,
            cells,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIX: &str = "123456\n456123\n231564\n564231\n312645\n645312\n";

    /// A solution of the given side with boxes, written with `cell`.
    fn pattern(rows: usize, columns: usize) -> Cells {
        let side = rows * columns;
        let symbol = |r: usize, c: usize| (r * columns + r / rows + c) % side + 1;
        (0..side)
            .map(|r| (0..side).map(|c| symbol(r, c).to_string()).collect())
            .collect()
    }

    fn text(board: &Cells) -> String {
        board.iter().map(|row| row.join(" ") + "\n").collect()
    }

    #[test]
    fn boards_are_recognised_in_every_notation() {
        let nine = pattern(3, 3);
        let line = nine.concat().concat();
        let brackets = format!(
            "[[{}]]\n",
            nine.iter()
                .map(|row| row.join(","))
                .collect::<Vec<_>>()
                .join("],[")
        );
        let sixteen = pattern(4, 4);
        for (answer, wrong, side) in [
            (text(&nine), text(&nine).replacen('1', "2", 1), 9),
            (
                format!("{line}\n"),
                format!("{}\n", line.replacen('1', "2", 1)),
                9,
            ),
            (brackets.clone(), brackets.replacen('1', "2", 1), 9),
            (text(&sixteen), text(&sixteen).replacen("1 2", "2 2", 1), 16),
            (SIX.to_owned(), SIX.replacen('1', "2", 1), 6),
        ] {
            assert_eq!(first_wrong(&answer, &answer), None, "{answer}");
            let board = first_wrong(&answer, &wrong).expect("a wrong board");
            assert_eq!(
                (board.wrong, board.expected.len()),
                ([1, 1], side),
                "{answer}"
            );
            let house = board.broken.expect("a broken house");
            assert_eq!(
                (&*house.kind, house.number, &*house.symbol),
                ("row", 1, "2")
            );
            assert_eq!(house.cells, [[1, 1], [1, 2]]);
        }
    }

    #[test]
    fn the_first_wrong_board_of_several_is_found_and_missing_cells_are_empty() {
        let nine = text(&pattern(3, 3));
        let answer = format!("{nine}\n{nine}2\n");
        let cut = format!("{nine}\n1 2 3 4 5 6 7 8 9\n");
        let board = first_wrong(&answer, &cut).expect("a wrong board");
        assert_eq!((board.number, board.wrong), (Some(2), [2, 1]));
        assert_eq!((board.boxes, board.broken), (Some([3, 3]), None));
        assert_eq!(board.found[1], vec![""; 9]);
    }

    #[test]
    fn other_answers_are_not_boards() {
        for answer in [
            "",
            "7\n",
            "1 2 3 4\n1 2 3 4\n1 2 3 4\n1 2 3 4\n",
            "1 2 3 4\n2 1 4 3\n",
            "YES\nNO\n",
            "1234567890\n",
            "1 1 1 1\n",
        ] {
            assert_eq!(first_wrong(answer, "1 2 3 4\n"), None, "{answer:?}");
        }
    }
}

//! Addresses of Penpa+: lines of text and JSON, deflated, in Base64.
//!
//! The form is that of `maketext` and `load` in Penpa+'s source. Thermometers, arrows and cages have their usual meaning;
//! what other drawings mean is written there in words.

use super::addresses::{MAX_CHARACTERS, sextets, unescaped};
use super::rules::{Rule, box_of, number};
use super::symbols::SIDES;
use super::{Extra, Found};
use serde_json::Value;
use std::io::Read;

/// The compressed puzzle of an address.
pub fn payload(line: &str) -> Option<&str> {
    let query = line.trim().rsplit_once(['#', '?'])?.1;
    let mut parameters = query.strip_prefix("m=")?.split('&');
    parameters.find_map(|parameter| parameter.strip_prefix("p="))
}

/// The puzzle of a payload, or why it is none.
pub fn puzzle(payload: &str, line: usize) -> Result<Found, String> {
    let damaged = || "the puzzle of the address is damaged".to_owned();
    let text = inflated(payload).ok_or_else(damaged)?;
    let text = expanded(&text);
    let lines: Vec<&str> = text.split('\n').collect();
    let part = |number: usize| -> Result<Value, String> {
        let text = lines.get(number).ok_or_else(damaged)?;
        serde_json::from_str(text).map_err(|_| damaged())
    };
    let board = Board::new(lines[0], &part(5)?)?;
    let question = part(3)?;
    if let Some(name) = DRAWINGS.iter().find(|&&name| has_items(&question[name])) {
        return Err(format!(
            "expected digits, thermometers, arrows and cages, found '{name}', whose rules are in words"
        ));
    }
    let mut values = vec![0; board.side * board.side];
    for (place, digit) in fields(&question["number"]) {
        if digit[2] == CANDIDATES {
            continue;
        }
        let cell = board.cell(place.parse().ok()).ok_or(
            "expected digits in the grid alone, found one beside it, whose rule is in words",
        )?;
        match number(&digit[0]) {
            Some(value @ 1..) if value as usize <= board.side => values[cell] = value as u8,
            _ => {
                let (row, column) = (cell / board.side + 1, cell % board.side + 1);
                return Err(format!(
                    "expected a digit up to {}, found {} in row {row}, column {column}",
                    board.side, digit[0]
                ));
            }
        }
    }
    let extra = extra(&board, &question)?;
    Ok(Found {
        line,
        side: board.side,
        values,
        extra: (extra != Extra::default()).then_some(extra),
    })
}

/// The submode of small digits, which are notes.
const CANDIDATES: &str = "7";

/// Drawings whose meaning is written in words.
const DRAWINGS: [&str; 12] = [
    "surface",
    "symbol",
    "line",
    "freeline",
    "freelineE",
    "wall",
    "cage",
    "deletelineE",
    "nobulbthermo",
    "direction",
    "squareframe",
    "polygon",
];

fn has_items(value: &Value) -> bool {
    match value {
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        _ => false,
    }
}

fn fields(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

/// The cells of a drawing, numbered row by row with two more around them.
struct Board {
    width: usize,
    height: usize,
    /// The first cell of the puzzle.
    first: usize,
    side: usize,
}

impl Board {
    /// Of the first line, which begins with the kind of the drawing and its size, and the distances of the cells.
    fn new(head: &str, distances: &Value) -> Result<Self, String> {
        let mut head = head.split(',');
        let kind = head.next().unwrap_or_default();
        if !["square", "sudoku", "kakuro"].contains(&kind) {
            let kind: String = kind.chars().take(20).collect();
            return Err(format!("expected a square grid, found '{kind}'"));
        }
        let mut size = || Some(head.next()?.parse::<usize>().ok()?.min(MAX_SIZE) + 4);
        let (width, height) = size()
            .zip(size())
            .ok_or("the puzzle of the address is damaged")?;
        let distances = distances.as_array().into_iter().flatten();
        let cells: Vec<usize> = distances
            .map_while(Value::as_u64)
            .scan(0, |cell, distance| {
                *cell += distance as usize;
                Some(*cell)
            })
            .collect();
        let side = cells.len().isqrt();
        let board = Board {
            width,
            height,
            first: cells.first().copied().unwrap_or_default(),
            side,
        };
        let is_square =
            (0..side * side).eq(cells.iter().filter_map(|&cell| board.cell(Some(cell))));
        if !SIDES.contains(&side) || side * side != cells.len() || !is_square {
            return Err(format!(
                "expected the cells of a square grid, found {} cells",
                cells.len()
            ));
        }
        Ok(board)
    }

    /// The cell of the puzzle, row by row, at a place of the drawing.
    fn cell(&self, place: Option<usize>) -> Option<usize> {
        let place = place?;
        let row = (place / self.width).checked_sub(self.first / self.width)?;
        let column = (place % self.width).checked_sub(self.first % self.width)?;
        let is_inside = row < self.side && column < self.side && place < self.width * self.height;
        is_inside.then_some(row * self.side + column)
    }

    fn cells(&self, places: &Value) -> Result<Vec<usize>, String> {
        let places = places.as_array().into_iter().flatten();
        places
            .map(|place| self.cell(place.as_u64().map(|place| place as usize)))
            .collect::<Option<_>>()
            .ok_or_else(|| format!("expected cells within a grid of side {}", self.side))
    }
}

/// The maximum width and height of a drawing.
const MAX_SIZE: usize = 1000;

fn extra(board: &Board, question: &Value) -> Result<Extra, String> {
    let side = board.side;
    let mut extra = Extra::default();
    let regions = regions(board, &question["lineE"])?;
    if !(0..side * side)
        .map(|cell| box_of(cell, side))
        .eq(regions.iter().copied())
    {
        extra.regions = Some(regions);
    }
    let lists = |name: &str| question[name].as_array().into_iter().flatten();
    for (list, name) in [("thermo", "thermometer"), ("arrows", "arrow")] {
        for places in lists(list) {
            extra.rules.push(Rule::new(name, board.cells(places)?, 0));
        }
    }
    let mut cages = Vec::new();
    for places in lists("killercages").filter(|places| has_items(places)) {
        cages.push((board.cells(places)?, None));
    }
    for (place, sum) in fields(&question["numberS"]) {
        // Each cell has four corners; the places before are those of cells.
        let corner: Option<usize> = place.parse().ok();
        let place = corner.and_then(|corner| (corner / 4).checked_sub(board.width * board.height));
        let cell = board.cell(place);
        let cage = cages
            .iter_mut()
            .find(|(cells, _)| cell.is_some_and(|cell| cells.contains(&cell)));
        match (cage, number(&sum[0])) {
            (Some((_, place @ None)), Some(sum)) => *place = Some(sum as u32),
            _ => {
                return Err(format!(
                    "expected the sums of cages, found {}, whose rules are in words",
                    sum[0]
                ));
            }
        }
    }
    for (cells, sum) in cages {
        match sum {
            Some(sum) => extra.cages.push((cells, sum)),
            None => extra.rules.push(Rule::new("killercage", cells, 0)),
        }
    }
    Ok(extra)
}

/// The region of each cell, numbered by their first cells: what is enclosed by thick lines.
fn regions(board: &Board, lines: &Value) -> Result<Vec<usize>, String> {
    let side = board.side;
    let corners = board.width * board.height;
    let mut borders = std::collections::HashSet::new();
    for (ends, style) in fields(lines) {
        if !THICK.contains(&style.as_u64().unwrap_or_default()) {
            continue;
        }
        let corner = |end: &str| end.parse::<usize>().ok()?.checked_sub(corners);
        let ends = ends.split_once(',');
        let ends = ends.and_then(|(one, other)| Some((corner(one)?, corner(other)?)));
        // A corner has the number of the cell above and left of it.
        let Some((one, other)) = ends else { continue };
        let beyond = if other == one + 1 {
            other + board.width
        } else {
            other + 1
        };
        borders.insert((board.cell(Some(other)), board.cell(Some(beyond))));
    }
    let mut region_of = vec![usize::MAX; side * side];
    let mut sizes = Vec::new();
    for first in 0..side * side {
        if region_of[first] != usize::MAX {
            continue;
        }
        let (mut open, mut size) = (vec![first], 0);
        region_of[first] = sizes.len();
        while let Some(cell) = open.pop() {
            size += 1;
            let (row, column) = (cell / side, cell % side);
            let neighbours = [
                (column + 1 < side).then(|| (cell, cell + 1, cell + 1)),
                (row + 1 < side).then(|| (cell, cell + side, cell + side)),
                (column > 0).then(|| (cell - 1, cell, cell - 1)),
                (row > 0).then(|| (cell - side, cell, cell - side)),
            ];
            for (one, other, next) in neighbours.into_iter().flatten() {
                if region_of[next] == usize::MAX && !borders.contains(&(Some(one), Some(other))) {
                    region_of[next] = sizes.len();
                    open.push(next);
                }
            }
        }
        sizes.push(size);
    }
    if sizes.len() != side || sizes.iter().any(|&size| size != side) {
        return Err(format!(
            "expected {side} regions of {side} cells between thick lines, found {}",
            sizes.len()
        ));
    }
    Ok(region_of)
}

/// The styles of thick lines.
const THICK: [u64; 2] = [2, 21];

/// The text of a payload.
fn inflated(payload: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let (mut bits, mut count) = (0_u32, 0);
    for sextet in sextets(&unescaped(payload)) {
        bits = bits << 6 | u32::from(sextet);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    let mut text = String::new();
    let plain = flate2::read::DeflateDecoder::new(&bytes[..]);
    let length = plain
        .take(MAX_CHARACTERS as u64 + 1)
        .read_to_string(&mut text)
        .ok()?;
    (length <= MAX_CHARACTERS).then_some(text)
}

/// The text with names instead of their codes, a `z` and a character.
fn expanded(text: &str) -> String {
    let mut pieces = text.split('z');
    let mut plain = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let name = CODES.iter().find(|(code, _)| piece.starts_with(*code));
        match name {
            Some((code, name)) => {
                plain.push_str(name);
                plain.push_str(&piece[code.len_utf8()..]);
            }
            None => {
                plain.push('z');
                plain.push_str(piece);
            }
        }
    }
    plain
}

/// By code: its text.
const CODES: [(char, &str); 31] = [
    ('Z', "z"),
    ('9', "\"qa\""),
    ('Q', "\"pu_q\""),
    ('A', "\"pu_a\""),
    ('G', "\"grid\""),
    ('M', "\"edit_mode\""),
    ('S', "\"surface\""),
    ('L', "\"line\""),
    ('E', "\"lineE\""),
    ('W', "\"wall\""),
    ('C', "\"cage\""),
    ('N', "\"number\""),
    ('Y', "\"symbol\""),
    ('P', "\"special\""),
    ('B', "\"board\""),
    ('R', "\"command_redo\""),
    ('U', "\"command_undo\""),
    ('8', "\"command_replay\""),
    ('1', "\"numberS\""),
    ('F', "\"freeline\""),
    ('2', "\"freelineE\""),
    ('T', "\"thermo\""),
    ('3', "\"arrows\""),
    ('D', "\"direction\""),
    ('0', "\"squareframe\""),
    ('5', "\"polygon\""),
    ('4', "\"deletelineE\""),
    ('6', "\"killercages\""),
    ('7', "\"nobulbthermo\""),
    ('_', "\"__a\""),
    ('O', "null"),
];

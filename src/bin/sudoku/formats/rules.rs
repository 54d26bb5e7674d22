//! The rules that a puzzle of f-puzzles brings along, and the same JSON written.

use super::Extra;
use serde_json::{Value, json};
use sudoku::rules::{Constraint, RulesError};
use sudoku::{Cell, Grid, Rules};

/// A constraint of a puzzle, in cells counted row by row from 0.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// The name of the rule in f-puzzles.
    name: &'static str,
    cells: Vec<usize>,
    /// The second half of a clone.
    copy: Vec<usize>,
    value: u32,
    /// The digits of a quadruple.
    digits: Vec<u8>,
}

impl Rule {
    pub fn new(name: &'static str, cells: Vec<usize>, value: u32) -> Self {
        Rule {
            name,
            cells,
            copy: Vec::new(),
            value,
            digits: Vec::new(),
        }
    }

    pub fn constraint<const N: usize>(&self) -> Result<Constraint<N>, RulesError> {
        let cells = |cells: &[usize]| -> Vec<Cell<N>> {
            cells.iter().map(|&cell| Cell::from_index(cell)).collect()
        };
        let (all, copy) = (cells(&self.cells), cells(&self.copy));
        let number = u8::try_from(self.value).unwrap_or(u8::MAX);
        let pair =
            |is_related: fn(u8, u8) -> bool| Constraint::related(self.name, &all, is_related);
        match (self.name, &all[..]) {
            ("antiknight", _) => Ok(Constraint::anti_knight()),
            ("antiking", _) => Ok(Constraint::anti_king()),
            ("nonconsecutive", []) => Ok(Constraint::nonconsecutive()),
            ("nonconsecutive", _) => pair(|a, b| a.abs_diff(b) != 1),
            ("negative ratio", _) => pair(|a, b| a != 2 * b && b != 2 * a),
            ("negative xv", _) => pair(|a, b| a + b != 5 && a + b != 10),
            ("thermometer", _) => Constraint::thermometer(&all),
            ("arrow", &[circle, ref shaft @ ..]) => Constraint::arrow(circle, shaft),
            ("palindrome", _) => Constraint::palindrome(&all),
            ("renban", _) => Constraint::renban(&all),
            ("whispers", _) => Constraint::whisper(&all, number),
            ("betweenline", _) => Constraint::between(&all),
            ("difference", &[one, other]) => Constraint::difference(one, other, number),
            ("ratio", &[one, other]) => Constraint::ratio(one, other, number),
            ("xv", &[one, other]) => Constraint::xv(one, other, number),
            ("inequality", &[greater, less]) => Constraint::greater(greater, less),
            ("odd" | "even", _) => Constraint::parity(&all, self.name == "odd"),
            ("clone", _) => Constraint::clone_of(&all, &copy),
            ("littlekillersum", _) => Constraint::little_killer(&all, self.value),
            ("sandwichsum", _) => Constraint::sandwich(&all, self.value),
            ("quadruple", _) => Constraint::quadruple(&all, &self.digits),
            // Extra regions, and cages without a sum.
            (_, _) => Constraint::distinct(&all),
        }
    }
}

/// The rules of f-puzzles that are solved here.
const RULES: [&str; 26] = [
    "antiking",
    "antiknight",
    "arrow",
    "betweenline",
    "clone",
    "diagonal+",
    "diagonal-",
    "difference",
    "disjointgroups",
    "even",
    "extraregion",
    "inequality",
    "killercage",
    "littlekillersum",
    "maximum",
    "minimum",
    "negative",
    "nonconsecutive",
    "odd",
    "palindrome",
    "quadruple",
    "ratio",
    "renban",
    "sandwichsum",
    "thermometer",
    "whispers",
];
/// Other keys of a puzzle of f-puzzles, which are no rules: drawings, the grid, what the program remembers.
const NO_RULES: [&str; 9] = [
    "cage",
    "circle",
    "disabledlogic",
    "grid",
    "line",
    "rectangle",
    "solution",
    "text",
    "truecandidatesoptions",
];

/// The first rule of a puzzle that is not solved here: one that is not known, or one that is only drawn.
fn other_rule(json: &Value) -> Option<String> {
    let keys = json.as_object()?;
    let is_known = |key: &str| key == "xv" || RULES.contains(&key) || NO_RULES.contains(&key);
    let unknown = keys
        .iter()
        .find(|(key, value)| is_set(value) && !is_known(key));
    let drawn = NO_RULES.iter().flat_map(|name| items(json, name));
    let mut meant = drawn.filter_map(|item| item["fromConstraint"].as_str());
    let is_written = |name: &&str| {
        let name = name.to_lowercase().replace(' ', "");
        let mut all = keys.iter().filter(|(_, value)| is_set(value));
        all.any(|(key, _)| key.trim_end_matches('s') == name.trim_end_matches('s'))
    };
    let is_unwritten = |name: &&str| !is_written(name);
    let unknown = unknown.map(|(key, _)| key.clone());
    unknown.or_else(|| meant.find(is_unwritten).map(str::to_owned))
}

fn is_set(value: &Value) -> bool {
    match value {
        Value::Bool(set) => *set,
        Value::Array(items) => !items.is_empty(),
        _ => false,
    }
}

/// A number that can be written as a string.
pub fn number(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}

/// The number of a rule that may have none.
///
/// # Errors
///
/// If it has a text that is no number.
pub fn amount(rule: &Value, name: &str) -> Result<Option<u64>, String> {
    let value = &rule["value"];
    match number(value) {
        None if !value.is_null() && value.as_str() != Some("") => Err(format!(
            "expected the number of the rule '{name}', found {value}"
        )),
        number => Ok(number),
    }
}

/// The items of a list; none if there is no such list.
fn items<'a>(json: &'a Value, name: &str) -> &'a [Value] {
    json[name].as_array().map_or(&[], Vec::as_slice)
}

/// The rules of a puzzle in f-puzzles' form; `cells` are those of its grid.
pub fn read(json: &Value, cells: &[&Value], side: usize) -> Result<Option<Extra>, String> {
    let has_marks = |cell: &&Value| is_set(&cell["givenPencilMarks"]);
    let marks = cells
        .iter()
        .copied()
        .find(has_marks)
        .map(|_| "givenPencilMarks".to_owned());
    if let Some(rule) = other_rule(json).or(marks) {
        return Err(format!("the rule '{rule}' is not solved here"));
    }
    let mut extra = Extra::default();
    if is_set(&json["diagonal-"]) {
        extra
            .houses
            .push((0..side).map(|row| row * side + row).collect());
    }
    if is_set(&json["diagonal+"]) {
        let cell = |row| row * side + side - 1 - row;
        extra.houses.push((0..side).map(cell).collect());
    }
    if is_set(&json["disjointgroups"]) {
        let (height, width) = sudoku::rules::box_shape(side);
        extra.houses.extend((0..side).map(|place| {
            let corner = |b: usize| (b / height * height, b % height * width);
            let cell = |b| (corner(b).0 + place / width) * side + corner(b).1 + place % width;
            (0..side).map(cell).collect()
        }));
    }
    for region in items(json, "extraregion") {
        let cells = named_cells(&region["cells"], side)?;
        if cells.len() == side {
            extra.houses.push(cells);
        } else {
            extra.rules.push(Rule::new("extraregion", cells, 0));
        }
    }
    for cage in items(json, "killercage") {
        let cells = named_cells(&cage["cells"], side)?;
        match amount(cage, "killercage")? {
            Some(sum) => extra.cages.push((cells, sum as u32)),
            None => extra.rules.push(Rule::new("killercage", cells, 0)),
        }
    }
    constraints(json, side, &mut extra.rules)?;
    let regions: Vec<Option<u64>> = cells.iter().map(|cell| cell["region"].as_u64()).collect();
    if regions.iter().any(Option::is_some) {
        let region = |(cell, region): (usize, &Option<u64>)| {
            region.map_or_else(|| box_of(cell, side), |region| region as usize)
        };
        extra.regions = Some(regions.iter().enumerate().map(region).collect());
    }
    Ok((extra != Extra::default()).then_some(extra))
}

/// The box of the classic rules that has a cell.
pub fn box_of(cell: usize, side: usize) -> usize {
    let (height, width) = sudoku::rules::box_shape(side);
    cell / side / height * height + cell % side / width
}

/// The rules that become constraints.
fn constraints(json: &Value, side: usize, rules: &mut Vec<Rule>) -> Result<(), String> {
    for name in ["antiknight", "antiking"] {
        if is_set(&json[name]) {
            rules.push(Rule::new(name, Vec::new(), 0));
        }
    }
    for name in [
        "thermometer",
        "arrow",
        "palindrome",
        "renban",
        "whispers",
        "betweenline",
    ] {
        for item in items(json, name) {
            if name == "arrow" && items(item, "cells").len() > 1 {
                return Err("arrows whose circle has several cells are not solved here".into());
            }
            let value = amount(item, name)?.unwrap_or(side.div_ceil(2) as u64);
            for line in items(item, "lines") {
                rules.push(Rule::new(name, named_cells(line, side)?, value as u32));
            }
        }
    }
    for (name, usual) in [
        ("difference", 1),
        ("ratio", 2),
        ("xv", 0),
        ("inequality", 0),
    ] {
        for item in items(json, name) {
            let value = match item["value"].as_str() {
                Some("X" | "x") => 10,
                Some("V" | "v") => 5,
                _ => amount(item, name)?.unwrap_or(usual) as u32,
            };
            let cells = named_cells(&item["cells"], side)?;
            if cells.len() != 2 {
                return Err(format!("expected two cells of the rule '{name}'"));
            }
            rules.push(Rule::new(name, cells, value));
        }
    }
    for name in ["odd", "even"] {
        for item in items(json, name) {
            rules.push(Rule::new(name, vec![named_cell(&item["cell"], side)?], 0));
        }
    }
    for name in ["minimum", "maximum"] {
        for item in items(json, name) {
            let cell = named_cell(&item["cell"], side)?;
            for (one, other) in neighbours(side) {
                let others = [(one, other), (other, one)].into_iter();
                for (_, other) in others.filter(|pair| pair.0 == cell) {
                    let pair = match name {
                        "minimum" => vec![other, cell],
                        _ => vec![cell, other],
                    };
                    rules.push(Rule::new("inequality", pair, 0));
                }
            }
        }
    }
    for item in items(json, "clone") {
        let mut rule = Rule::new("clone", named_cells(&item["cells"], side)?, 0);
        rule.copy = named_cells(&item["cloneCells"], side)?;
        rules.push(rule);
    }
    for item in items(json, "quadruple") {
        let mut rule = Rule::new("quadruple", named_cells(&item["cells"], side)?, 0);
        let digits = items(item, "values").iter().map(number);
        let digits: Option<Vec<u8>> = digits.map(|digit| u8::try_from(digit?).ok()).collect();
        rule.digits = digits.ok_or("expected the digits of a quadruple")?;
        rules.push(rule);
    }
    for item in items(json, "littlekillersum") {
        if let Some(sum) = amount(item, "littlekillersum")? {
            let cells = named_cells(&item["cells"], side)?;
            rules.push(Rule::new("littlekillersum", cells, sum as u32));
        }
    }
    for item in items(json, "sandwichsum") {
        if let Some(sum) = amount(item, "sandwichsum")? {
            let line = outside_line(&item["cell"], side)
                .ok_or_else(|| format!("expected a sandwich beside a grid of side {side}"))?;
            rules.push(Rule::new("sandwichsum", line, sum as u32));
        }
    }
    negative(json, side, rules);
    Ok(())
}

/// Adds the negative rules, which are about neighbours without a mark between them.
fn negative(json: &Value, side: usize, rules: &mut Vec<Rule>) {
    let is_negative = |name: &str| items(json, "negative").iter().any(|item| item == name);
    for (name, mark, is_active) in [
        (
            "nonconsecutive",
            "difference",
            is_set(&json["nonconsecutive"]),
        ),
        ("negative ratio", "ratio", is_negative("ratio")),
        ("negative xv", "xv", is_negative("xv")),
    ] {
        if !is_active {
            continue;
        }
        let marked = rules.iter().filter(|rule| rule.name == mark);
        let marked: Vec<Vec<usize>> = marked.map(|rule| rule.cells.clone()).collect();
        if marked.is_empty() && name == "nonconsecutive" {
            rules.push(Rule::new(name, Vec::new(), 0));
            continue;
        }
        for (one, other) in neighbours(side) {
            let is_marked = |cells: &Vec<usize>| cells.contains(&one) && cells.contains(&other);
            if !marked.iter().any(is_marked) {
                rules.push(Rule::new(name, vec![one, other], 0));
            }
        }
    }
}

/// All pairs of neighbours, the left or upper one first.
fn neighbours(side: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..side * side).flat_map(move |cell| {
        let right = (cell % side + 1 < side).then_some((cell, cell + 1));
        let below = (cell + side < side * side).then_some((cell, cell + side));
        right.into_iter().chain(below)
    })
}

/// The row and column of a name such as `R1C2`.
fn named_place(cell: &Value) -> Option<(usize, usize)> {
    let name = cell.as_str()?.to_ascii_uppercase();
    let (row, column) = name.strip_prefix('R')?.split_once('C')?;
    Some((row.parse().ok()?, column.parse().ok()?))
}

/// The cells of the row or column that a name outside the grid is beside, such as `R0C3`.
fn outside_line(cell: &Value, side: usize) -> Option<Vec<usize>> {
    let is_inside = |place: &usize| (1..=side).contains(place);
    let (row, column) = named_place(cell)?;
    match (is_inside(&row), is_inside(&column)) {
        (true, false) => Some((0..side).map(|k| (row - 1) * side + k).collect()),
        (false, true) => Some((0..side).map(|k| k * side + column - 1).collect()),
        _ => None,
    }
}

fn named_cell(cell: &Value, side: usize) -> Result<usize, String> {
    let place = named_place(cell)
        .filter(|&(row, column)| (1..=side).contains(&row) && (1..=side).contains(&column));
    let (row, column) =
        place.ok_or_else(|| format!("expected cells from R1C1 to R{side}C{side}"))?;
    Ok((row - 1) * side + column - 1)
}

fn named_cells(cells: &Value, side: usize) -> Result<Vec<usize>, String> {
    let cells = cells.as_array().into_iter().flatten();
    cells.map(|cell| named_cell(cell, side)).collect()
}

/// Writes a puzzle under the classic rules and constraints as f-puzzles' JSON, in one line.
pub fn written<const N: usize>(rules: &Rules<N>, puzzle: &Grid<N>) -> String {
    let rows = puzzle.rows().iter().map(|row| {
        let cells = row.iter().map(|&value| match value {
            0 => json!({}),
            value => json!({"value": value, "given": true}),
        });
        cells.collect::<Vec<Value>>()
    });
    let mut puzzle = json!({"size": N, "grid": rows.collect::<Vec<_>>()});
    for rule in rules.constraints() {
        let name = |cell: &Cell<N>| json!(format!("R{}C{}", cell.row() + 1, cell.column() + 1));
        let cells: Vec<Value> = rule.cells().iter().map(name).collect();
        let value = rule.value().map(|value| value.to_string());
        let pair = || json!({"cells": cells, "value": value});
        let line = || json!({"lines": [cells]});
        let (key, item) = match rule.name() {
            "anti-knight" => ("antiknight", json!(true)),
            "anti-king" => ("antiking", json!(true)),
            "nonconsecutive" => ("nonconsecutive", json!(true)),
            "distinct cells" => ("extraregion", json!({"cells": cells})),
            "arrow" => ("arrow", json!({"lines": [cells], "cells": cells[..1]})),
            "whisper" => ("whispers", json!({"lines": [cells], "value": value})),
            "between line" => ("betweenline", line()),
            "thermometer" | "palindrome" | "renban" => (rule.name(), line()),
            "difference" | "ratio" => (rule.name(), pair()),
            "XV" => {
                let mark = if rule.value() == Some(10) { "X" } else { "V" };
                ("xv", json!({"cells": cells, "value": mark}))
            }
            "inequality" => ("inequality", json!({"cells": cells})),
            "odd cells" => ("odd", json!({"cell": cells[0]})),
            "even cells" => ("even", json!({"cell": cells[0]})),
            "clone" => {
                let (one, other) = cells.split_at(cells.len() / 2);
                ("clone", json!({"cells": one, "cloneCells": other}))
            }
            "little killer" => ("littlekillersum", pair()),
            "sandwich" => {
                let first = rule.cells()[0];
                let (row, column) = if rule.cells()[1].row() == first.row() {
                    (first.row() + 1, 0)
                } else {
                    (0, first.column() + 1)
                };
                let cell = format!("R{row}C{column}");
                ("sandwichsum", json!({"cell": cell, "value": value}))
            }
            name => unreachable!("the generator draws no {name}"),
        };
        match (&mut puzzle[key], item) {
            (Value::Array(items), item) => items.push(item),
            (place, Value::Bool(set)) => *place = json!(set),
            (place, item) => *place = json!([item]),
        }
    }
    puzzle.to_string()
}

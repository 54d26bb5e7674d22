//! Addresses of f-puzzles and SudokuPad, which hold a puzzle as compressed JSON, f-puzzles' JSON itself, addresses of Penpa+,
//! and game IDs.
//!
//! The rules of a puzzle become [`Extra`]; one with rules that are not solved here is a problem that names them.

use super::rules::number;
use super::symbols::SIDES;
use super::{Extra, Found, Problem, Whole, game_ids, penpa, rules};
use serde_json::Value;

/// The compressed puzzle of an address.
fn payload(line: &str) -> Option<&str> {
    let line = line.trim();
    if let Some((_, rest)) = line.split_once("load=") {
        return rest.split('&').next();
    }
    // The payload can hold slashes and equals signs itself.
    for prefix in ["fpuzzles", "fpuz", "scl"] {
        for before in ["/", "=", ""] {
            let found = match before {
                "" => line.strip_prefix(prefix),
                _ => line
                    .split_once(&format!("{before}{prefix}"))
                    .map(|(_, payload)| payload),
            };
            if let Some(payload) = found {
                return Some(payload);
            }
        }
    }
    None
}

/// Whether a text begins with a puzzle in f-puzzles' or SudokuPad's JSON, in one line or in several.
pub fn is_json(text: &str) -> bool {
    const EXAMINED: usize = 1 << 16;
    if !text.starts_with('{') {
        return false;
    }
    let plain: String = text
        .chars()
        .take(EXAMINED)
        .filter(|c| !c.is_whitespace())
        .collect();
    OWN_AND_OTHER
        .iter()
        .any(|(key, _)| plain.contains(&format!("\"{key}\":[[{{")))
}

/// The keys of the grid: SudokuPad's own form and f-puzzles'.
const OWN_AND_OTHER: [(&str, bool); 2] = [("cells", true), ("grid", false)];

/// Whether a line is an address, or f-puzzles' JSON, that is read here.
pub fn begins(line: &[u8]) -> bool {
    let Ok(line) = std::str::from_utf8(line) else {
        return false;
    };
    if is_json(line) || game_ids::begins(line) {
        return true;
    }
    let is_address = line.contains("://") || line.starts_with("fpuz") || line.starts_with("scl");
    let payload = payload(line).or_else(|| penpa::payload(line));
    is_address && payload.is_some_and(|payload| payload.len() > 16)
}

/// Reads a puzzle from each line.
pub fn read(text: &str) -> Whole {
    let mut whole = Whole::default();
    let text = text.trim_start_matches('\u{feff}');
    let is_value = |line: &str| serde_json::from_str::<Value>(line).is_ok();
    if is_json(text.trim_start())
        && !text
            .lines()
            .find(|line| !line.is_empty())
            .is_some_and(is_value)
    {
        return values(text);
    }
    for (line, address) in text.lines().enumerate() {
        if address.trim().is_empty() || address.starts_with('#') {
            continue;
        }
        match puzzle(address, line) {
            Ok(found) => whole.puzzles.push(found),
            Err(problem) => whole.problems.push((line, Problem::text(problem))),
        }
    }
    whole
}

/// Reads puzzles in JSON of several lines.
fn values(text: &str) -> Whole {
    let mut whole = Whole::default();
    let mut stream = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    loop {
        let start = stream.byte_offset();
        let blanks = text[start..].len() - text[start..].trim_start().len();
        let line = text[..start + blanks].matches('\n').count();
        match stream.next() {
            None => return whole,
            Some(Ok(json)) => match of_json(&json, line) {
                Ok(found) => whole.puzzles.push(found),
                Err(problem) => whole.problems.push((line, Problem::text(problem))),
            },
            Some(Err(error)) => {
                let problem = format!("the puzzle is damaged: {error}");
                whole.problems.push((line, Problem::text(problem)));
                return whole;
            }
        }
    }
}

fn puzzle(address: &str, line: usize) -> Result<Found, String> {
    if game_ids::begins(address) {
        return game_ids::puzzle(address, line);
    }
    if let Some(payload) = penpa::payload(address) {
        return penpa::puzzle(payload, line);
    }
    let json = if address.starts_with('{') {
        address.to_owned()
    } else {
        let payload =
            payload(address).ok_or("expected an address of f-puzzles, SudokuPad or Penpa+")?;
        let json = decompress(&unescaped(payload));
        json.ok_or("the puzzle of the address is damaged")?
    };
    let json: Value = serde_json::from_str(&json)
        .map_err(|error| format!("the puzzle of the address is damaged: {error}"))?;
    of_json(&json, line)
}

fn of_json(json: &Value, line: usize) -> Result<Found, String> {
    let grid = |(key, is_own): &(&str, bool)| Some((json[*key].as_array()?, *is_own));
    let (rows, is_own) = OWN_AND_OTHER
        .iter()
        .find_map(grid)
        .ok_or("the puzzle of the address has no grid")?;
    let side = rows.len();
    if !SIDES.contains(&side)
        || rows
            .iter()
            .any(|row| row.as_array().map(Vec::len) != Some(side))
    {
        return Err(format!("expected a square grid, found {side} rows"));
    }
    let cells: Vec<&Value> = rows.iter().filter_map(Value::as_array).flatten().collect();
    let mut values = Vec::new();
    for (index, cell) in cells.iter().enumerate() {
        let is_given = is_own || cell["given"] == true;
        match number(&cell["value"]).filter(|_| is_given) {
            None => values.push(0),
            Some(value @ 1..) if value as usize <= side => values.push(value as u8),
            Some(value) => {
                let (row, column) = (index / side + 1, index % side + 1);
                return Err(format!(
                    "expected a digit up to {side}, found {value} in row {row}, column {column}"
                ));
            }
        }
    }
    let extra = if is_own {
        own_rules(json, side)?
    } else {
        rules::read(json, &cells, side)?
    };
    Ok(Found {
        line,
        side,
        values,
        extra,
    })
}

/// The rules of SudokuPad's own form: regions and cages. Lines and symbols have no meaning there but in words.
fn own_rules(json: &Value, side: usize) -> Result<Option<Extra>, String> {
    if let Some(name) = ["lines", "arrows", "overlays", "underlays", "global"]
        .into_iter()
        .find(|&name| json[name].as_array().is_some_and(|items| !items.is_empty()))
    {
        return Err(format!(
            "expected regions and cages, found '{name}', whose rules are in words"
        ));
    }
    let mut extra = Extra::default();
    let cell = |cell: &Value| {
        let (row, column) = (cell[0].as_u64()? as usize, cell[1].as_u64()? as usize);
        (row < side && column < side).then_some(row * side + column)
    };
    let cells =
        |cells: &Value| -> Option<Vec<usize>> { cells.as_array()?.iter().map(cell).collect() };
    let outside = || format!("expected cells within a grid of side {side}");
    if let Some(regions) = json["regions"]
        .as_array()
        .filter(|regions| !regions.is_empty())
    {
        let mut map = vec![usize::MAX; side * side];
        for (number, region) in regions.iter().enumerate() {
            for cell in cells(region).ok_or_else(outside)? {
                map[cell] = number;
            }
        }
        extra.regions = Some(map);
    }
    for cage in json["cages"].as_array().into_iter().flatten() {
        // Cages without cells hold the title and such.
        let held = cells(&cage["cells"]).unwrap_or_default();
        if held.is_empty() {
            continue;
        }
        match rules::amount(cage, "cages")?.or(number(&cage["sum"])) {
            Some(sum) => extra.cages.push((held, sum as u32)),
            None if cage["unique"] == true => {
                extra.rules.push(rules::Rule::new("killercage", held, 0));
            }
            None => {}
        }
    }
    Ok((extra != Extra::default()).then_some(extra))
}

/// The text without percent signs; a blank stands for a plus.
pub fn unescaped(text: &str) -> Vec<u8> {
    let bytes = text.trim().as_bytes();
    let mut plain = Vec::with_capacity(bytes.len());
    let mut index = 0;
    while index < bytes.len() {
        let code = text
            .trim()
            .get(index + 1..index + 3)
            .and_then(|code| u8::from_str_radix(code, 16).ok());
        match (bytes[index], code) {
            (b'%', Some(code)) => {
                plain.push(code);
                index += 2;
            }
            (b' ', _) => plain.push(b'+'),
            (byte, _) => plain.push(byte),
        }
        index += 1;
    }
    plain
}

/// The maximum length of a decompressed puzzle.
pub const MAX_CHARACTERS: usize = 1 << 22;

/// The values of digits of Base64, up to the first other character.
pub fn sextets(text: &[u8]) -> impl Iterator<Item = u8> {
    text.iter().map_while(|&byte| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    })
}

/// Decompresses a text of lz-string in Base64: codes of a growing dictionary, each with its lowest bit first.
fn decompress(text: &[u8]) -> Option<String> {
    let mut bits =
        sextets(text).map(|sextet| (0..6).rev().map(move |bit| u32::from(sextet >> bit & 1)));
    let mut current = bits.next()?;
    let mut read = |count: u32| -> Option<u32> {
        let mut code = 0;
        for place in 0..count {
            let bit = match current.next() {
                Some(bit) => bit,
                None => {
                    current = bits.next()?;
                    current.next()?
                }
            };
            code |= bit << place;
        }
        Some(code)
    };
    // The codes 0 and 1 introduce a new character of 8 and of 16 bits, 2 is the end.
    let mut dictionary: Vec<Vec<u16>> = vec![Vec::new(); 3];
    let mut last: Vec<u16> = Vec::new();
    let mut written: Vec<u16> = Vec::new();
    let (mut width, mut left) = (2, 1_usize);
    loop {
        let mut code = read(width)? as usize;
        let is_first = last.is_empty();
        if code == 2 {
            return String::from_utf16(&written).ok();
        }
        if code < 2 {
            let character = read(if code == 0 { 8 } else { 16 })? as u16;
            code = dictionary.len();
            dictionary.push(vec![character]);
            left -= 1;
            if left == 0 {
                left = 1 << width;
                width += 1;
            }
        }
        let entry = match dictionary.get(code) {
            Some(entry) => entry.clone(),
            None if code == dictionary.len() && !is_first => [&last[..], &last[..1]].concat(),
            None => return None,
        };
        written.extend(&entry);
        if written.len() > MAX_CHARACTERS {
            return None;
        }
        if !is_first {
            dictionary.push([&last[..], &entry[..1]].concat());
            left -= 1;
            if left == 0 {
                left = 1 << width;
                width += 1;
            }
        }
        last = entry;
    }
}

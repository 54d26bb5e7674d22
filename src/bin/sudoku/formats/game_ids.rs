//! Game IDs of "Solo" in Simon Tatham's collection: `3x3:a5b3_7...`, or the address of a page that ends in one.
//!
//! The parameters are the columns and rows of blocks and flags; letters stand for runs of empty cells, `_` stands between
//! two numbers (`decode_params` and `spec_to_grid` of the collection's `solo.c`).

use super::symbols::SIDES;
use super::{Extra, Found};

/// The parameters and the description of the game ID in a line.
fn parts(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    let id = line.rsplit_once('#').map_or(line, |(_, id)| id);
    let (parameters, description) = id.split_once(':')?;
    let is_game = parameters.starts_with(|c: char| c.is_ascii_digit())
        && parameters.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && parameters.contains(['x', 'j'])
        && description.len() > 1
        && description.bytes().all(|byte| {
            byte.is_ascii_digit() || byte.is_ascii_lowercase() || b"_,".contains(&byte)
        });
    is_game.then_some((parameters, description))
}

/// Whether a line is a game ID.
pub fn begins(line: &str) -> bool {
    parts(line).is_some()
}

/// The puzzle of a line, or why it is none.
pub fn puzzle(line: &str, number: usize) -> Result<Found, String> {
    let (parameters, description) = parts(line).ok_or("expected a game ID such as `3x3:a1b2`")?;
    let (columns, rest) = leading(parameters);
    let (rows, flags) = match rest.strip_prefix('x').map(leading) {
        Some((Some(rows), flags)) => (Some(rows), flags),
        _ => (columns, rest),
    };
    let size = columns.zip(rows);
    let size = size.filter(|(columns, rows)| SIDES.contains(&columns.saturating_mul(*rows)));
    let (columns, rows) = size.ok_or_else(|| format!("expected a side, found '{parameters}'"))?;
    if let Some(flag) = flags.chars().find(|flag| matches!(flag, 'j' | 'k')) {
        let kind = if flag == 'j' { "jigsaw" } else { "killer" };
        return Err(format!(
            "expected a classic game or one with diagonals, found a {kind}"
        ));
    }
    let side = columns * rows;
    let mut values = Vec::new();
    let mut rest = description;
    while let Some(first) = rest.chars().next() {
        match (first, leading(rest)) {
            ('a'..='z', _) => {
                values.resize(values.len() + first as usize - 'a' as usize + 1, 0);
                rest = &rest[1..];
            }
            (_, (Some(value @ 1..), after)) if value <= side => {
                values.push(value as u8);
                rest = after;
            }
            ('_', _) => rest = &rest[1..],
            _ => return Err(format!("expected a digit up to {side}, found '{first}'")),
        }
    }
    if values.len() != side * side {
        let cells = values.len();
        return Err(format!("expected {} cells, found {cells}", side * side));
    }
    let mut extra = Extra::default();
    if columns != rows {
        // A block is `rows` cells wide and `columns` high.
        let block = |cell: usize| cell / side / columns * columns + cell % side / rows;
        extra.regions = Some((0..side * side).map(block).collect());
    }
    // The letter after `d` is the difficulty.
    if flags.replace("dx", "").contains('x') {
        extra.houses = vec![
            (0..side).map(|k| k * (side + 1)).collect(),
            (1..=side).map(|k| k * (side - 1)).collect(),
        ];
    }
    Ok(Found {
        line: number,
        side,
        values,
        extra: (extra != Extra::default()).then_some(extra),
    })
}

/// The number that a text begins with, and what follows.
fn leading(text: &str) -> (Option<usize>, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit());
    let (number, rest) = text.split_at(end.unwrap_or(text.len()));
    (number.parse().ok(), rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn game_ids_are_read() {
        let found = puzzle("2x2:1b_2c_3d4_1b", 0).expect("a puzzle");
        assert_eq!(
            found.values,
            [1, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 4, 1, 0, 0]
        );
        assert_eq!(found.extra, None);
        let found = puzzle("https://host/solo.html#2x3dt:z1i", 0).expect("a puzzle");
        let regions = found.extra.and_then(|extra| extra.regions).expect("blocks");
        assert_eq!(regions[..6], [0, 0, 0, 1, 1, 1]);
        assert_eq!((regions[6], regions[12], regions[35]), (0, 2, 5));
        let diagonals = puzzle("2x2x:za", 0).expect_err("too many cells");
        assert_eq!(diagonals, "expected 16 cells, found 27");
        let found = puzzle("2x2xdb:1o", 0).expect("a puzzle");
        let houses = found.extra.map(|extra| extra.houses);
        assert_eq!(houses, Some(vec![vec![0, 5, 10, 15], vec![3, 6, 9, 12]]));
        for (id, message) in [
            ("9j:a,b", "expected a side, found '9j'"),
            (
                "3x3k:zzza,a",
                "expected a classic game or one with diagonals, found a killer",
            ),
            ("2x2:5oaaa", "expected a digit up to 4, found '5'"),
        ] {
            assert_eq!(puzzle(id, 0).expect_err(id), message);
        }
        for other in ["a:b", "1:2", "3x3", "https://host/x:80", "12:34:56"] {
            assert!(!begins(other), "{other}");
        }
    }
}

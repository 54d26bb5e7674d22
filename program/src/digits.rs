//! Reads and writes grids whose digits continue with letters after 9: `1` to `9`, then `A` to `G`.

use crate::Result;
use std::io::Read;
use sudoku::Grid;
use sudoku::notation::Input;

const BASE: u32 = 17;

/// Reads a grid of `N` rows of `N` digits, in upper or lower case; `.` and `0` are empty cells.
///
/// # Errors
///
/// The errors of the input, and a message for a row of another length or with another symbol.
pub fn read<const N: usize>(input: &mut Input<impl Read>) -> Result<Grid<N>> {
    let mut rows = [[0; N]; N];
    for (row, number) in rows.iter_mut().zip(1..) {
        let word = input.word()?.unwrap_or_default();
        let symbols: Vec<char> = word.chars().collect();
        if symbols.len() != N {
            let length = symbols.len();
            return Err(
                format!("row {number} of a grid has {length} symbols, expected {N}").into(),
            );
        }
        for (value, symbol) in row.iter_mut().zip(symbols) {
            *value = match symbol.to_digit(BASE) {
                Some(digit) if digit as usize <= N => digit as u8,
                None if symbol == '.' => 0,
                _ => {
                    let expected = format!("a digit up to {N} (A is 10) or '.'");
                    return Err(
                        format!("found '{symbol}' in row {number}, expected {expected}").into(),
                    );
                }
            };
        }
    }
    Ok(Grid::from_rows(&rows).map_err(|_| "a digit is too high")?)
}

/// The rows of `grid`, each with a newline; an empty cell is `0`.
pub fn format<const N: usize>(grid: &Grid<N>) -> String {
    let symbol = |value: u8| char::from_digit(value.into(), BASE).map_or('?', upper_case);
    let row = |row: &[u8; N]| {
        row.iter()
            .copied()
            .map(symbol)
            .chain(['\n'])
            .collect::<String>()
    };
    grid.rows().iter().map(row).collect()
}

fn upper_case(symbol: char) -> char {
    symbol.to_ascii_uppercase()
}

#[cfg(test)]
mod tests {
    use super::{format, read};
    use sudoku::Grid;
    use sudoku::notation::Input;

    #[test]
    fn letters_are_digits_above_9() {
        let row = "0123456789ABCDEF\n";
        let text = row.to_owned() + &"0000000000000000\n".repeat(14) + "G000000000000000\n";
        let grid: Grid<16> = read(&mut Input::new(text.to_lowercase().as_bytes())).expect("a grid");
        assert_eq!(grid.rows()[0][9..12], [9, 10, 11]);
        assert_eq!(grid.rows()[15][0], 16);
        assert_eq!(format(&grid), text);
    }

    #[test]
    fn unknown_symbols_and_wrong_row_lengths_are_refused() {
        for (text, message) in [
            (
                "1234\n3412\n2x43\n4321\n",
                "found 'x' in row 3, expected a digit up to 4",
            ),
            ("1234\n3412\n2543\n4321\n", "found '5' in row 3"),
            (
                "1234\n341\n2143\n4321\n",
                "row 2 of a grid has 3 symbols, expected 4",
            ),
            ("1234\n34125\n2143\n4321\n", "row 2 of a grid has 5 symbols"),
            ("1234\n3412\n", "row 3 of a grid has 0 symbols"),
        ] {
            let error = read::<4>(&mut Input::new(text.as_bytes())).expect_err("malformed");
            assert!(error.to_string().contains(message), "{error}");
        }
    }
}

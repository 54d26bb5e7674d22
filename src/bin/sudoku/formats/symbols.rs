//! Symbols of cells: digits, letters, and marks for an empty cell.

/// The smallest and the largest side of a puzzle that is read.
pub const SIDES: std::ops::RangeInclusive<usize> = 4..=36;

/// The side of a grid with this number of cells, if it is read.
pub fn side_of(cells: usize) -> Option<usize> {
    let side = cells.isqrt();
    (side * side == cells && SIDES.contains(&side)).then_some(side)
}

/// Whether `byte` marks an empty cell at every side.
pub fn is_mark(byte: u8) -> bool {
    matches!(byte, b'.' | b'-' | b'_' | b'*' | b'?')
}

/// The line with ASCII for the characters that people write instead of it: `|` and `+` for parts of drawn boxes, `.` for marks
/// of empty cells, digits of full width, dashes, quotes and blanks; what only changes how a character looks is left out.
pub fn plain(line: &str) -> String {
    line.chars()
        .filter_map(|c| {
            Some(match c {
                '│' | '┃' | '║' | '┆' | '┇' | '┊' | '┋' | '╎' | '╏' => '|',
                '\u{2500}'..='\u{257f}' => '+',
                '\u{1a}' | '\r' | '\0' | '\u{a0}' | '\u{3000}' | '\u{2000}'..='\u{200a}' => ' ',
                '·' | '•' | '◦' | '∙' | '⋅' | '●' | '○' | '□' | '▢' | '◻' | '⬜' | '␣' | '．' => {
                    '.'
                }
                '‐'..='―' | '−' => '-',
                '‘' | '’' => '\'',
                '“' | '”' => '"',
                '，' => ',',
                '０'..='９' => char::from(b'0' + (c as u32 - '０' as u32) as u8),
                '\u{feff}' | '\u{200b}' | '\u{fe0f}' | '\u{20e3}' => return None,
                c => c,
            })
        })
        .collect()
}

/// How the digits of a grid are written.
#[derive(Clone, Copy)]
enum Alphabet {
    /// `1` to `9`, then letters from `A` on.
    FromOne,
    /// `0` to `9`, then letters from `A` on.
    FromZero,
    /// Letters alone.
    Letters,
}

impl Alphabet {
    /// The alphabet of the symbols of a grid. Where all of them could also be `FromOne`, 0 is an empty cell.
    fn of(symbols: &[u8], side: usize) -> Self {
        if side <= 9 {
            return Alphabet::FromOne;
        }
        let (mut has_numeral, mut has_zero, mut has_mark, mut largest) =
            (false, false, false, b'A');
        for &symbol in symbols {
            match symbol {
                b'1'..=b'9' => has_numeral = true,
                b'0' => has_zero = true,
                b'A'..=b'Z' | b'a'..=b'z' => {
                    let letter = symbol.to_ascii_uppercase();
                    if letter != b'X' {
                        largest = largest.max(letter);
                    }
                }
                _ => has_mark |= is_mark(symbol) || symbol == b' ',
            }
        }
        let beyond_zero = usize::from(largest - b'A') + 10 >= side;
        match (has_numeral, has_zero && has_mark && !beyond_zero) {
            (false, _) if side <= 26 => Alphabet::Letters,
            (_, true) => Alphabet::FromZero,
            _ => Alphabet::FromOne,
        }
    }

    /// The value of a symbol, 0 for an empty cell, or `None` if it is neither.
    fn value(self, symbol: u8, side: usize) -> Option<u8> {
        let letter = |first: u8| {
            symbol
                .to_ascii_uppercase()
                .checked_sub(b'A')
                .map(|n| n + first)
        };
        let value = match (self, symbol) {
            (Alphabet::FromZero, b'0'..=b'9') => Some(symbol - b'0' + 1),
            (_, b'0') => return Some(0),
            (Alphabet::FromOne, b'1'..=b'9') => Some(symbol - b'0'),
            (Alphabet::Letters, b'A'..=b'Z' | b'a'..=b'z') => letter(1),
            (Alphabet::FromOne, b'A'..=b'Z' | b'a'..=b'z') => letter(10),
            (Alphabet::FromZero, b'A'..=b'Z' | b'a'..=b'z') => letter(11),
            _ => None,
        };
        match value.filter(|&value| usize::from(value) <= side) {
            None if is_mark(symbol) || matches!(symbol, b' ' | b'x' | b'X') => Some(0),
            value => value,
        }
    }
}

/// Appends the values of the symbols of a grid of this side, 0 for an empty cell.
///
/// # Errors
///
/// The index of the first symbol that is no cell; nothing is appended.
pub fn values(symbols: &[u8], side: usize, values: &mut Vec<u8>) -> Result<(), usize> {
    let alphabet = Alphabet::of(symbols, side);
    let before = values.len();
    for (index, &symbol) in symbols.iter().enumerate() {
        match alphabet.value(symbol, side) {
            Some(value) => values.push(value),
            None => {
                values.truncate(before);
                return Err(index);
            }
        }
    }
    Ok(())
}

/// The value of a cell that is written as a number or as one symbol; no text is an empty cell.
fn number(cell: &str) -> Option<u8> {
    match cell.as_bytes() {
        [] => Some(0),
        [b'x' | b'X' | b' '] => Some(0),
        [mark] if is_mark(*mark) => Some(0),
        _ if cell.bytes().all(|byte| byte.is_ascii_digit()) => cell.parse().ok(),
        _ => None,
    }
}

/// Appends the values of the cells of a grid, each a number or a symbol.
///
/// # Errors
///
/// The index of the first cell that is none; nothing is appended.
pub fn cell_values(cells: &[&str], side: usize, into: &mut Vec<u8>) -> Result<(), usize> {
    if cells.iter().all(|cell| cell.len() <= 1) {
        let symbols: Vec<u8> = cells
            .iter()
            .map(|cell| cell.bytes().next().unwrap_or(b' '))
            .collect();
        return values(&symbols, side, into);
    }
    let before = into.len();
    for (index, cell) in cells.iter().enumerate() {
        match number(cell).filter(|&value| usize::from(value) <= side) {
            Some(value) => into.push(value),
            None => {
                into.truncate(before);
                return Err(index);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::values;

    fn read(symbols: &str, side: usize) -> Result<Vec<u8>, usize> {
        let mut found = Vec::new();
        values(symbols.as_bytes(), side, &mut found).map(|()| found)
    }

    #[test]
    fn an_alphabet_is_recognised_by_its_symbols() {
        assert_eq!(read("1.x-_*?04", 9), Ok(vec![1, 0, 0, 0, 0, 0, 0, 0, 4]));
        assert_eq!(read("AaPp.0X", 16), Ok(vec![1, 1, 16, 16, 0, 0, 0]));
        assert_eq!(read("19AG0", 16), Ok(vec![1, 9, 10, 16, 0]));
        assert_eq!(read("19AF0.", 16), Ok(vec![2, 10, 11, 16, 1, 0]));
        assert_eq!(read("19af-", 16), Ok(vec![1, 9, 10, 15, 0]));
        assert_eq!(read("0Z9.", 36), Ok(vec![1, 36, 10, 0]));
        assert_eq!(read("1Z", 35), Ok(vec![1, 35]));
        assert_eq!(read("12Z", 9), Err(2));
        assert_eq!(read("1H", 16), Err(1));
    }
}

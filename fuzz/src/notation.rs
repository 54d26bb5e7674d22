//! Fuzzes the notations: any bytes are read, or rejected with a position, independent of how they
//! are split, and a written grid is read again as the same grid.

use std::io::{self, Read};
use sudoku::Grid;
use sudoku::notation::{Input, Notation, Output, ReadError};

const NOTATIONS: [Notation; 5] = [
    Notation::SPACED,
    Notation::ROWS,
    Notation::DASHED_ROWS,
    Notation::LINE,
    Notation::BRACKETS,
];
const EMPTY: [u8; 5] = *b".0-*?";

/// Reads all grids in `data`; its first byte selects the notation.
///
/// # Panics
///
/// If reading depends on how the bytes are split, an error has no position in the input, or a
/// written grid is read as another one.
pub fn check(data: &[u8]) {
    let Some((&choice, text)) = data.split_first() else {
        return;
    };
    let choice = usize::from(choice);
    let notation = NOTATIONS[choice % 5];
    match choice / 5 % 4 {
        0 => check_side::<4>(notation, text),
        1 => check_side::<16>(notation, text),
        2 => check_side::<25>(notation, text),
        _ => check_side::<9>(notation, text),
    }
}

fn check_side<const N: usize>(notation: Notation, text: &[u8]) {
    let whole = read_all::<N>(notation, &mut &text[..]);
    // Reading byte by byte avoids the fast paths for whole lines.
    assert_eq!(
        whole,
        read_all::<N>(notation, &mut Pieces(text, 1)),
        "{notation:?}"
    );
    assert_eq!(
        whole,
        read_all::<N>(notation, &mut Pieces(text, 7)),
        "{notation:?}"
    );
    let (grids, end) = whole;
    if let Some((line, column)) = end {
        let lines = text.iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
        assert!((1..=lines).contains(&line), "line {line} of {lines}");
        assert!((1..=text.len() as u64 + 1).contains(&column));
    }
    for empty in EMPTY {
        let notation = notation.with_empty(empty).expect("a mark");
        let mut written = Vec::new();
        let mut output = Output::new(&mut written);
        for grid in &grids {
            output.grid(notation, grid).expect("room");
        }
        output.finish().expect("room");
        let again = read_all::<N>(notation, &mut &written[..]);
        assert_eq!(again, (grids.clone(), None), "{notation:?}");
        for grid in grids.iter().take(2) {
            assert_eq!(notation.parse(&notation.format(grid)).as_ref(), Ok(grid));
        }
    }
}

/// The grids up to the end or the first error, and the line and column of that error.
fn read_all<const N: usize>(
    notation: Notation,
    source: &mut dyn Read,
) -> (Vec<Grid<N>>, Option<(u64, u64)>) {
    let mut input = Input::new(source);
    let mut grids = Vec::new();
    loop {
        match input.grid(notation) {
            Ok(Some(grid)) => grids.push(grid),
            Ok(None) => return (grids, None),
            Err(ReadError::Parse(error)) => {
                let message = error.to_string();
                assert!(
                    message.len() < 400 && !message.chars().any(char::is_control),
                    "{message:?}"
                );
                return (grids, Some((error.line, error.column)));
            }
            Err(ReadError::Io(error)) => panic!("{error}"),
        }
    }
}

/// A reader that returns a few bytes at a time.
struct Pieces<'a>(&'a [u8], usize);

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.0.len().min(self.1).min(buffer.len());
        buffer[..n].copy_from_slice(&self.0[..n]);
        self.0 = &self.0[n..];
        Ok(n)
    }
}

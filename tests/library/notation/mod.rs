//! Every notation, read and written.

mod errors;

use proptest::prelude::*;
use std::io::Read;
use sudoku::notation::{BUFFER_BYTES, Input, Notation, Output, side_of_line};
use sudoku::{Cell, Digit, Grid};

const EVERY: [Notation; 6] = [
    Notation::SPACED,
    Notation::ROWS,
    Notation::DASHED_ROWS,
    Notation::LINE,
    Notation::BRACKETS,
    Notation::SPACED.with_empty(b'?').unwrap(),
];

/// Gives its text in pieces of at most this many bytes.
struct Pieces<'a>(&'a [u8], usize);

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let length = self.1.min(buffer.len()).min(self.0.len());
        let (piece, rest) = self.0.split_at(length);
        buffer[..length].copy_from_slice(piece);
        self.0 = rest;
        Ok(length)
    }
}

/// Every grid of `text`, or the first error.
fn read_all<const N: usize>(
    notation: Notation,
    text: &[u8],
    piece: usize,
) -> Result<Vec<Grid<N>>, String> {
    let source: &mut dyn Read = &mut Pieces(text, piece);
    let mut input = Input::new(source);
    let mut grids = Vec::new();
    loop {
        match input.grid(notation) {
            Ok(Some(grid)) => grids.push(grid),
            Ok(None) => return Ok(grids),
            Err(error) => return Err(error.to_string()),
        }
    }
}

fn grid_of<const N: usize>(values: &[u8]) -> Grid<N> {
    let mut grid = Grid::EMPTY;
    for (cell, &value) in Cell::all().zip(values) {
        grid.set(cell, Digit::new(value));
    }
    grid
}

fn round_trip<const N: usize>(values: &[u8]) {
    let grids = [grid_of::<N>(values), Grid::EMPTY, grid_of(&values[1..])];
    for notation in EVERY {
        let mut text = Vec::new();
        let mut output = Output::new(&mut text);
        for grid in &grids {
            output.grid(notation, grid).unwrap();
        }
        output.finish().unwrap();
        for piece in [1, 7, usize::MAX] {
            assert_eq!(
                read_all(notation, &text, piece).as_deref(),
                Ok(&grids[..]),
                "{notation:?}"
            );
        }
        assert_eq!(notation.parse(&notation.format(&grids[0])), Ok(grids[0]));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_written_is_read_again(values in prop::collection::vec(0..=25u8, 625)) {
        round_trip::<1>(&values.iter().map(|v| v % 2).collect::<Vec<_>>());
        round_trip::<4>(&values.iter().map(|v| v % 5).collect::<Vec<_>>());
        round_trip::<9>(&values.iter().map(|v| v % 10).collect::<Vec<_>>());
        round_trip::<16>(&values.iter().map(|v| v % 17).collect::<Vec<_>>());
        round_trip::<25>(&values);
        let large: Vec<u8> = values.iter().cycle().take(36 * 36 + 1).map(|v| v + 11).collect();
        round_trip::<27>(&large.iter().map(|v| v % 28).collect::<Vec<_>>());
        round_trip::<36>(&large);
    }

    /// A reader that gets one byte at a time never takes the fast path: both paths must agree on
    /// grids, on errors and on their places, for any change of the text.
    #[test]
    fn the_fast_path_reads_what_the_slow_path_reads(
        values in prop::collection::vec(0..=9u8, 81),
        edits in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(
            b"0159.-*?AZ@/: \t\r\n\x1a[],\"\xef\xff".to_vec()), 0..3), 0..4),
    ) {
        for notation in EVERY {
            let mut text = notation.format(&grid_of::<9>(&values)).repeat(3).into_bytes();
            for (index, byte, what) in &edits {
                let index = index.index(text.len());
                match what {
                    0 => text[index] = *byte,
                    1 => text.insert(index, *byte),
                    _ => drop(text.remove(index)),
                }
            }
            let slow = read_all::<9>(notation, &text, 1);
            prop_assert_eq!(&slow, &read_all::<9>(notation, &text, 50));
            prop_assert_eq!(&slow, &read_all::<9>(notation, &text, usize::MAX));
        }
    }

    #[test]
    fn no_input_makes_the_reader_panic(text in prop::collection::vec(any::<u8>(), 0..300)) {
        for notation in EVERY {
            let _ = read_all::<4>(notation, &text, usize::MAX);
            let _ = read_all::<16>(notation, &text, usize::MAX);
        }
    }
}

const SOLVED: &str = "1 2 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 1\n";

#[test]
fn each_notation_is_written_exactly() {
    let grid = Notation::SPACED
        .parse::<4>("1 2 0 4\n3 4 1 2\n2 1 4 3\n4 3 2 0\n")
        .unwrap();
    for (notation, text) in [
        (Notation::SPACED, "1 2 0 4\n3 4 1 2\n2 1 4 3\n4 3 2 0\n"),
        (Notation::ROWS, "12.4\n3412\n2143\n432.\n"),
        (Notation::DASHED_ROWS, "12-4\n3412\n2143\n432-\n"),
        (Notation::LINE, "12.434122143432.\n"),
        (
            Notation::BRACKETS,
            "[[1,2,.,4],[3,4,1,2],[2,1,4,3],[4,3,2,.]]\n",
        ),
        (
            Notation::SPACED.with_empty(b'?').unwrap(),
            "1 2 ? 4\n3 4 1 2\n2 1 4 3\n4 3 2 ?\n",
        ),
    ] {
        assert_eq!(notation.format(&grid), text);
    }
    assert_eq!(Notation::ROWS.with_empty(b'1'), None);
    let mut large = Grid::<16>::EMPTY;
    large.set(Cell::at(15, 15), Digit::new(16));
    assert!(Notation::SPACED.format(&large).ends_with("0 0 0 16\n"));
    assert!(
        Notation::DASHED_ROWS
            .format(&large)
            .ends_with("\n---------------P\n")
    );
}

#[test]
fn sloppy_data_is_read() {
    let grid = Notation::SPACED.parse::<4>(SOLVED).unwrap();
    for (notation, text) in [
        (
            Notation::SPACED,
            "1 2 3 4 \r\n3 4 1 2\t\r\n2 1 4 3\r\n4 3 2 1",
        ),
        (
            Notation::SPACED,
            "\u{feff}\n\n 1  2 3 4\n\n3 4 1 2\n2 1 4 3\n \n4 3 2 1 \n\n\n",
        ),
        (Notation::SPACED, "1234\n3412\r\n2143 \n4321\n"),
        (Notation::SPACED, "1 2 3 4\n3 4 1 2\n2143\n4 3 2 1\n\u{1a}"),
        (Notation::ROWS, "1234\r\n3412\r\n2143\r\n4321"),
        (Notation::ROWS, "\n  1234  \n3412\n\n2143\n4321 "),
        (Notation::LINE, "\n1234341221434321"),
        (Notation::LINE, "1234341221434321 \r\n\r\n"),
        (
            Notation::BRACKETS,
            "[[1,2,3,4],[3,4,1,2],[2,1,4,3],[4,3,2,1]]",
        ),
        (
            Notation::BRACKETS,
            "[ [\"1\",\"2\",\"3\",\"4\"],\r\n ['3','4','1','2'],\n[2, 1,4,3] ,[4,3,2,1]]\r\n\n",
        ),
    ] {
        assert_eq!(notation.parse(text), Ok(grid), "{text:?}");
    }
    for mark in [".", "0", "-", "*", "?"] {
        for (notation, text) in [
            (Notation::SPACED, "1 X X X\nX X X X\nX X X X\nX X X 2\n"),
            (Notation::ROWS, "1XXX\nXXXX\nXXXX\nXXX2\n"),
            (Notation::LINE, "1XXXXXXXXXXXXXX2\n"),
            (
                Notation::BRACKETS,
                "[[1,X,X,X],[X,X,X,X],[X,X,X,X],[X,X,X,2]]\n",
            ),
        ] {
            let grid = notation.parse::<4>(&text.replace('X', mark)).unwrap();
            assert_eq!(Notation::LINE.format(&grid), "1..............2\n");
        }
    }
}

#[test]
fn long_words_are_read_whole() {
    let zeros = "0".repeat(32);
    let number = |text: &str| Input::new(text.as_bytes()).number();
    assert_eq!(number(&format!("{zeros}7")).unwrap(), Some(7));
    let grid = |cell: &str| {
        let text = format!("1 2 3 4\n3 4 {cell} 1\n2 1 4 3\n4 3 1 2\n");
        Notation::SPACED.parse::<4>(&text).unwrap()
    };
    assert_eq!(grid(&format!("{zeros}2")), grid("2"));
    let keyword = "k".repeat(5000);
    assert!(Input::new(keyword.as_bytes()).keyword(&keyword).unwrap());
    let longer = format!("{keyword}k");
    assert!(Input::new(longer.as_bytes()).keyword(&keyword).is_err());
    // Beyond the bound nothing is a number, even if it begins with digits; messages are cut.
    let error = number(&"0".repeat(100_000)).unwrap_err().to_string();
    let expected = format!("line 1, column 1: found '{zeros}', expected a number");
    assert_eq!(error, expected);
}

#[test]
fn counts_and_words_stand_between_grids() {
    let mut input =
        Input::new("2\n1234\n3412\n2143\n4321\n\n....\n....\n....\n....\nend\n".as_bytes());
    assert_eq!(input.number().unwrap(), Some(2));
    assert!(input.grid::<4>(Notation::ROWS).unwrap().unwrap().is_full());
    assert!(!input.keyword("end").unwrap());
    assert!(input.grid::<4>(Notation::ROWS).unwrap().is_some());
    assert!(input.keyword("end").unwrap());
    assert!(input.end().is_ok());
    assert_eq!(input.number().unwrap(), None);
    for (text, error) in [
        ("x1", "line 1, column 1: found 'x1', expected a number"),
        ("\n +1 ", "line 2, column 2: found '+1', expected a number"),
    ] {
        assert_eq!(
            Input::new(text.as_bytes())
                .number()
                .unwrap_err()
                .to_string(),
            error
        );
    }
    let error = Input::new("ende".as_bytes()).keyword("end").unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 1, column 1: found 'ende', expected 'end'"
    );
}

#[test]
fn a_stream_longer_than_the_buffer_is_read_and_written_whole() {
    let text = ("12.434122143432.\n".repeat(9_999) + "1234341221434321").into_bytes();
    let grids = read_all::<4>(Notation::LINE, &text, usize::MAX).unwrap();
    assert_eq!(grids.len(), 10_000);
    let mut written = Vec::new();
    let mut output = Output::new(&mut written);
    for grid in &grids {
        output.grid(Notation::LINE, grid).unwrap();
    }
    output.finish().unwrap();
    assert_eq!(&written[..text.len()], &text[..]);
}

/// Records the length of every write; fails after the first.
struct OneWrite(Vec<usize>);

impl std::io::Write for OneWrite {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if !self.0.is_empty() {
            return Err(std::io::ErrorKind::BrokenPipe.into());
        }
        self.0.push(bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn writes_are_large_and_hold_whole_grids() {
    let mut sink = OneWrite(Vec::new());
    let mut output = Output::new(&mut sink);
    let grids = (0..).take_while(|_| output.grid(Notation::LINE, &Grid::<9>::EMPTY).is_ok());
    assert_eq!(grids.count(), 2 * (BUFFER_BYTES / 82));
    drop(output);
    assert_eq!(sink.0, [BUFFER_BYTES / 82 * 82]);
}

#[test]
fn a_failing_source_is_reported() {
    struct Failing;
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("the disk is gone"))
        }
    }
    let error = Input::new(Failing).grid::<9>(Notation::LINE).unwrap_err();
    assert_eq!(
        error.to_string(),
        "failed to read the input: the disk is gone"
    );
}

#[test]
fn a_grid_is_read_in_any_layout() {
    let grid: Grid<9> =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
            .parse()
            .unwrap();
    assert_eq!(grid.count_givens(), 30);
    for notation in [
        Notation::LINE,
        Notation::ROWS,
        Notation::DASHED_ROWS,
        Notation::SPACED,
        Notation::BRACKETS,
    ] {
        assert_eq!(notation.format(&grid).parse(), Ok(grid), "{notation:?}");
    }
    assert_eq!(grid.to_string().parse(), Ok(grid));
    assert_eq!(grid.pretty().to_string().parse(), Ok(grid));
    let error = "53..7....x".parse::<Grid<9>>().unwrap_err();
    assert_eq!((error.line, error.column), (1, 10));
    assert!("".parse::<Grid<9>>().is_err());
}

#[test]
fn every_side_is_displayed_and_read() {
    fn round<const N: usize>() {
        let mut grid = Grid::<N>::EMPTY;
        for cell in Cell::all().filter(|cell| cell.index() % 3 == 0) {
            let digit = Digit::from_index((cell.row() + cell.column()) % N);
            grid.set(cell, Some(digit));
        }
        assert_eq!(grid.pretty().to_string().parse(), Ok(grid), "{N}");
        assert_eq!(grid.to_string().parse(), Ok(grid), "{N}");
        if N <= 26 {
            assert_eq!(side_of_line(grid.to_string().len()), Some(N));
        }
    }
    round::<1>();
    round::<2>();
    round::<5>();
    round::<6>();
    round::<12>();
    round::<16>();
    round::<25>();
    round::<27>();
    round::<36>();
}

#[test]
fn a_grid_without_symbols_that_is_malformed_is_refused_with_its_position() {
    for (text, message) in [
        (
            "[[1]]",
            "line 1, column 4: found ']', expected ',' and then cell 2 of row 1",
        ),
        (
            "",
            "line 1, column 1: found the end of the input, expected a grid: one line of 729 cells",
        ),
        (
            "\n 1 2",
            "line 2, column 5: found the end of the input, expected cell 3 of row 1: a number from 1 to 27, or",
        ),
        (
            "1 28",
            "line 1, column 3: found '28', expected cell 2 of row 1: a number from 1 to 27, or",
        ),
        (
            "1 2\n3",
            "line 1, column 4: found the end of the line, expected number 3 of row 1: 1 to 27",
        ),
    ] {
        let error = text.parse::<Grid<27>>().unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
    }
    assert!("[[1]]".parse::<Grid<36>>().is_err());
    let line = Grid::<27>::EMPTY.to_string();
    let column = line.len() - 1;
    let wrong = format!("\u{feff}{}x 0", &line[..line.len() - 3]);
    let error = wrong.parse::<Grid<27>>().unwrap_err();
    assert_eq!((error.line, error.column), (1, column as u64 - 1));
    let longer = format!("{line} 5").parse::<Grid<27>>().unwrap_err();
    assert_eq!((longer.line, longer.column), (1, column as u64 + 3));
}

#[test]
fn a_grid_in_any_layout_may_have_a_byte_order_mark_and_an_end_mark() {
    let grid: Grid<9> =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
            .parse()
            .unwrap();
    for notation in EVERY {
        let text = notation.format(&grid);
        for sloppy in [
            format!("\u{feff}{text}"),
            format!("{text}\u{1a}"),
            format!("\u{feff}\r\n{text}\u{1a}\r\n"),
        ] {
            assert_eq!(sloppy.parse(), Ok(grid), "{sloppy:?}");
        }
    }
}

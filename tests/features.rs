//! The optional features: `cargo test -p sudoku-engines --features serde,rand --test features`.
//!
//! Test group: sudoku.
#![cfg(all(feature = "serde", feature = "rand"))]

use rand_core::{Rng, SeedableRng};
use sudoku::generate::Random;
use sudoku::{Cell, Digit, Grid};

#[test]
fn grids_cells_and_digits_are_serialised() {
    let line = "1.....3..4.....2";
    let grid: Grid<4> = line.parse().unwrap();
    let written = serde_json::to_string(&(grid, Cell::<9>::at(0, 8), Digit::<9>::new(7))).unwrap();
    assert_eq!(written, format!("[\"{line}\",\"r1c9\",7]"));
    let read: (Grid<4>, Cell<9>, Digit<9>) = serde_json::from_str(&written).unwrap();
    assert_eq!(read, (grid, Cell::at(0, 8), Digit::from_index(6)));
    let large = Grid::<36>::from_rows(&[[36; 36]; 36]).unwrap();
    let written = serde_json::to_string(&large).unwrap();
    assert_eq!(serde_json::from_str::<Grid<36>>(&written).unwrap(), large);
}

#[test]
fn wrong_values_are_errors_that_say_what_is_expected() {
    let error = |text| {
        serde_json::from_str::<Digit<9>>(text)
            .unwrap_err()
            .to_string()
    };
    assert!(error("10").contains("expected a digit from 1 to 9"));
    assert!(error("0").contains("expected a digit from 1 to 9"));
    let cell = serde_json::from_str::<Cell<9>>("\"r1c10\"").unwrap_err();
    assert!(cell.to_string().contains("found 'r1c10'"), "{cell}");
    let grid = serde_json::from_str::<Grid<4>>("\"1..x............\"").unwrap_err();
    assert!(grid.to_string().contains("column 4: found 'x'"), "{grid}");
}

#[test]
fn random_numbers_are_those_of_the_seed() {
    let mut plain = Random::new(7);
    let mut random = Random::from_seed(7_u64.to_le_bytes());
    assert_eq!(Rng::next_u64(&mut random), plain.next_u64());
    let mut bytes = [0; 12];
    random.fill_bytes(&mut bytes);
    let expected = [plain.next_u64(), plain.next_u64()].map(u64::to_le_bytes);
    assert_eq!(bytes, expected.as_flattened()[..12]);
}

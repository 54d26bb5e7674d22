//! Luogu P1074: the input is one grid of 9 rows of 9 numbers, 0 for an empty cell. The output is
//! the highest weighted digit sum of all solutions, or -1; weights fall from 10 in the centre to 6
//! at the border.
#![forbid(unsafe_code)]

use std::array::from_fn;
use std::process::ExitCode;
use sudoku::notation::Notation;

fn main() -> ExitCode {
    program::run(|input, output| {
        let puzzle = input.only_grid::<9>(Notation::SPACED)?;
        let weight = |row: usize, column: usize| 10 - row.abs_diff(4).max(column.abs_diff(4));
        let weights = from_fn(|row| from_fn(|column| weight(row, column) as u32));
        let best = sudoku::engine::heaviest_solution(&puzzle, &weights);
        let score = best.map_or("-1".into(), |(_, score)| score.to_string());
        Ok(output.text(&(score + "\n"))?)
    })
}

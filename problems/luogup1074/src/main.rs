//! Luogu P1074: one grid of 9 rows of 9 numbers, 0 for an empty cell; the highest sum of digits times weights
//! of a solution, where the weight falls from 10 in the centre to 6 at the border, or -1.
#![forbid(unsafe_code)]

use std::process::ExitCode;
use sudoku::Grid;
use sudoku::engine::{Engine, nine::Bands};
use sudoku::notation::Notation;

fn score(solution: &Grid<9>) -> i64 {
    let weight = |row: usize, column: usize| 10 - row.abs_diff(4).max(column.abs_diff(4));
    let scores = solution
        .givens()
        .map(|(cell, digit)| weight(cell.row(), cell.column()) * usize::from(digit.value()));
    scores.sum::<usize>() as i64
}

fn main() -> ExitCode {
    program::run(|input, output| {
        let puzzle = input.only_grid(Notation::SPACED)?;
        let mut best = -1;
        Bands::new().for_each(&puzzle, &mut |solution| {
            best = best.max(score(solution));
            std::ops::ControlFlow::Continue(())
        });
        Ok(output.text(&format!("{best}\n"))?)
    })
}

//! `sudokuall`: one grid of 9 rows of 9 numbers with blanks between, 0 for an empty cell. The output
//! is every solution in lexicographic order, each with an empty line after it, and then the number of
//! solutions.
#![forbid(unsafe_code)]

use std::ops::ControlFlow;
use std::process::ExitCode;
use sudoku::engine::{Engine, by_name};
use sudoku::notation::Notation;
use sudoku::{Grid, Rules, Solutions};

/// The whole program: reads the puzzle and writes the solutions that `solve` finds, in its order.
pub fn run(solve: impl FnOnce(&Grid<9>, &mut dyn FnMut(&Grid<9>) -> ControlFlow<()>)) -> ExitCode {
    program::run(|input, output| {
        let puzzle = input.only_grid(Notation::SPACED)?;
        let count = program::write_solutions(output, Notation::SPACED, |visit| {
            solve(&puzzle, visit);
        })?;
        Ok(output.text(&format!("{count}\n"))?)
    })
}

/// As [`run`], with the engine of this name. With the argument `--article-order` the solutions are
/// in the engine's own order, as in its article.
///
/// # Panics
///
/// If no engine has this name.
pub fn run_engine(name: &str) -> ExitCode {
    let entry = by_name(name).expect("the name of an engine");
    let mut engine = entry.engine(&Rules::classic()).expect("an engine for 9x9");
    run(|puzzle, visit| {
        let is_article_order = std::env::args().skip(1).any(|arg| arg == "--article-order");
        if entry.lexicographic || is_article_order {
            engine.for_each(puzzle, visit);
        } else {
            // The visitor records a failure of the output.
            let _ = Solutions::new(engine, puzzle).try_for_each(|solution| visit(&solution));
        }
    })
}

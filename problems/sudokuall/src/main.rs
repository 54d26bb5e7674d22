//! `sudokuall`: every solution of a Sudoku in lexicographic order, and how many there are.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    sudokuall::run(|puzzle, visit| {
        sudoku::solve_in_order(puzzle, visit);
    })
}

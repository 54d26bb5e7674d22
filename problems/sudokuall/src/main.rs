//! `sudokuall`: writes every solution of a Sudoku in lexicographic order, and their number.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    sudokuall::run(|puzzle, visit| {
        puzzle.for_each_solution(visit);
    })
}

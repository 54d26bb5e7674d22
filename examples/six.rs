//! Solves a 6x6 puzzle with boxes of two rows and three columns: `cargo run --example six`.
use sudoku::{Answer, Grid};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let puzzle: Grid<6> = "
        . . 4 | 5 . .
        5 2 . | . 1 .
        ------+------
        . . 3 | . . 6
        . . . | . . .
        ------+------
        . . . | . . .
        . 1 . | 4 2 ."
        .parse()?;
    match puzzle.solve() {
        Answer::None => println!("no solution"),
        Answer::Unique(solution) => print!("{}", solution.pretty()),
        Answer::Several(one, two) => print!("several:\n{}\n{}", one.pretty(), two.pretty()),
    }
    Ok(())
}

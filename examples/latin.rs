//! Counts the Latin squares of side 5 whose first row and column are 1 2 3 4 5: `cargo run
//! --release --example latin`.
use sudoku::{Grid, Rules, Solver};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let reduced: Grid<5> = "1 2 3 4 5
                            2 . . . .
                            3 . . . .
                            4 . . . .
                            5 . . . ."
        .parse()?;
    let mut solver = Solver::with_rules(&Rules::latin());
    println!("{}", solver.count(&reduced, u64::MAX));
    for square in solver.solutions(&reduced).take(2) {
        println!("{}", square.pretty());
    }
    Ok(())
}

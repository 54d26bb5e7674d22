//! Generates and solves a killer Sudoku, a puzzle with cages instead of givens: `cargo run
//! --release --example killer`.
use sudoku::{Grid, Solver, generate::Generator};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rules = Generator::<9>::new(1).killer(5);
    for cage in rules.cages() {
        println!("{:>2} {:?}", cage.sum, cage.cells);
    }
    let answer = Solver::with_rules(&rules).solve(&Grid::EMPTY);
    let solution = answer.unique().ok_or("the solution is not unique")?;
    println!("\n{}", solution.pretty());
    Ok(())
}

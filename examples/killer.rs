//! Makes a killer, a puzzle with cages instead of givens, and solves it:
//! `cargo run --release --example killer`.
use sudoku::{Grid, Solver, generate::Generator};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rules = Generator::<9>::new(1).killer(5);
    for cage in rules.cages() {
        println!("{:>2} {:?}", cage.sum, cage.cells);
    }
    let answer = Solver::with_rules(&rules).solve(&Grid::EMPTY);
    let solution = answer.unique().ok_or("not one solution")?;
    println!("\n{}", solution.pretty());
    Ok(())
}

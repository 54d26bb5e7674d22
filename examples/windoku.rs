//! Generates and solves a windoku: `cargo run --release --example windoku`.
use sudoku::{Rules, Solver, generate::Generator};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rules = Rules::windoku();
    let puzzle = Generator::with_rules(1, &rules)?.minimal();
    println!("{} givens\n{}", puzzle.count_givens(), puzzle.pretty());
    let answer = Solver::with_rules(&rules).solve(&puzzle);
    let solution = answer.unique().ok_or("the solution is not unique")?;
    println!("{}", solution.pretty());
    Ok(())
}

//! Makes a windoku and solves it: `cargo run --release --example windoku`.
use sudoku::{Rules, Solver, generate::Generator};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rules = Rules::windoku();
    let puzzle = Generator::with_rules(1, &rules)?.minimal();
    println!("{} givens\n{}", puzzle.count_givens(), puzzle.pretty());
    let answer = Solver::with_rules(&rules).solve(&puzzle);
    let solution = answer.unique().ok_or("not one solution")?;
    println!("{}", solution.pretty());
    Ok(())
}

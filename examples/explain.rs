//! Solves a puzzle as a person would, step by step: `cargo run --release --example explain -- PUZZLE`.
//! Where a step fills cells, the board is drawn after a run of them.
#![forbid(unsafe_code)]

use std::error::Error;
use sudoku::rate::Rater;
use sudoku::{Grid, Rules};

/// Needs pairs and a wing.
const PUZZLE: &str =
    "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";

fn main() -> Result<(), Box<dyn Error>> {
    let text = std::env::args().nth(1).unwrap_or_else(|| PUZZLE.to_owned());
    let puzzle: Grid<9> = text.parse()?;
    let mut rater = Rater::new(&Rules::classic());
    let rating = rater
        .rate(&puzzle)
        .ok_or("the puzzle has no solution, or several")?;
    println!("{}", puzzle.pretty());
    let mut steps = rater.steps(&puzzle);
    let mut number = 0;
    let mut drawn = puzzle;
    while let Some(step) = steps.next() {
        number += 1;
        // A board between the placing of digits and what takes more thought.
        if step.placed.is_none() && drawn != *steps.grid() {
            drawn = *steps.grid();
            println!("\n{}", drawn.pretty());
        }
        println!("{number:>3}. {step}");
    }
    println!("\n{}", steps.grid().pretty());
    if !steps.is_solved() {
        println!("no technique leads on from here");
    }
    println!(
        "hardest technique: {}; {} guesses of a search",
        rating.technique, rating.guesses
    );
    Ok(())
}

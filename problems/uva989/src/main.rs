//! UVa 989: each puzzle is the side of a box, 1 to 3, and a grid in rows of numbers. The output is
//! the first solution in lexicographic order, with an empty line between two answers.
#![forbid(unsafe_code)]

use program::Result;
use std::io::{Read, Write};
use std::process::ExitCode;
use sudoku::notation::{Input, Notation, Output};

fn answer<const N: usize>(
    input: &mut Input<impl Read>,
    output: &mut Output<impl Write>,
) -> Result<()> {
    let puzzle = input.expect_grid::<N>(Notation::SPACED)?;
    match puzzle.solutions().next() {
        Some(solution) => Ok(output.grid(Notation::SPACED, &solution)?),
        None => Ok(output.text("NO SOLUTION\n")?),
    }
}

fn main() -> ExitCode {
    program::run(|input, output| {
        let mut between = "";
        while let Some(side) = input.number()? {
            output.text(std::mem::replace(&mut between, "\n"))?;
            match side {
                1 => answer::<1>(input, output)?,
                2 => answer::<4>(input, output)?,
                3 => answer::<9>(input, output)?,
                _ => return Err("the side of a box must be 1, 2 or 3".into()),
            }
        }
        Ok(())
    })
}

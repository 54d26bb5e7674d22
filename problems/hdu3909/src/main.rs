//! HDU 3909: each puzzle is the side of a box, 2 to 4, and a grid of `1` to `9`, `A` to `G` or `.`.
//! The output is the solution if it is unique and every given is needed, otherwise the reason.
#![forbid(unsafe_code)]

use program::{Result, digits};
use std::io::Read;
use std::process::ExitCode;
use sudoku::Answer;
use sudoku::notation::Input;

fn answer<const N: usize>(input: &mut Input<impl Read>) -> Result<String> {
    let puzzle = digits::read::<N>(input)?;
    Ok(match puzzle.solve() {
        Answer::None => "No Solution\n".into(),
        Answer::Several(..) => "Multiple Solutions\n".into(),
        Answer::Unique(_) if !puzzle.is_minimal() => "Not Minimal\n".into(),
        Answer::Unique(solution) => digits::format(&solution),
    })
}

fn main() -> ExitCode {
    program::run(|input, output| {
        while let Some(box_side) = input.number()? {
            let answer = match box_side {
                2 => answer::<4>(input)?,
                3 => answer::<9>(input)?,
                4 => answer::<16>(input)?,
                _ => return Err("the side of a box is not 2, 3 or 4".into()),
            };
            output.text(&answer)?;
        }
        Ok(())
    })
}

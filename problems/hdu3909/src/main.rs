//! HDU 3909: the side of a box, 2 to 4, and a grid of `1` to `9`, `A` to `G` or `.`, until the end of the
//! input; the solution if it is the only one and every given is needed for that, otherwise the reason.
#![forbid(unsafe_code)]

use program::Result;
use std::io::Read;
use std::process::ExitCode;
use sudoku::Answer;
use sudoku::notation::{Input, Notation, ReadError};

fn answer<const N: usize>(input: &mut Input<impl Read>) -> Result<String> {
    // In a grid of side 16 the library's symbols are A to P, which base 17 maps from 1 to G.
    let letter = |digit: u32| char::from(b'@' + digit as u8);
    let to_library = |c: char| c.to_digit(17).filter(|_| N > 9).map_or(c, letter);
    let mut line = String::new();
    for _ in 0..N {
        line.extend(input.word()?.unwrap_or_default().chars().map(to_library));
    }
    let puzzle = Notation::LINE.parse::<N>(&line).map_err(ReadError::from)?;
    let digit = |c: char| {
        char::from_digit(u32::from(c).wrapping_sub(64), 17).map_or(c, |c| c.to_ascii_uppercase())
    };
    Ok(match sudoku::solve(&puzzle) {
        Answer::None => "No Solution\n".into(),
        Answer::Several(..) => "Multiple Solutions\n".into(),
        Answer::Unique(_) if !sudoku::is_minimal(&puzzle) => "Not Minimal\n".into(),
        Answer::Unique(grid) => Notation::ROWS.format(&grid).chars().map(digit).collect(),
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

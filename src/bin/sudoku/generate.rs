//! Makes puzzles.

use crate::{Outcome, Variant};
use std::io::{self, Write};
use sudoku::generate::Generator;

/// What puzzles are made.
#[derive(clap::Args)]
pub struct Options {
    /// How many
    #[arg(long, default_value_t = 1)]
    count: usize,
    /// The same seed gives the same puzzles on every machine
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The side of the grid: 4, 6, 8, 9, 10, 12, 15, 16 or 25
    #[arg(long, default_value_t = 9)]
    side: usize,
    /// The number of givens, instead of as few as possible
    #[arg(long)]
    givens: Option<usize>,
    /// The rules
    #[arg(long, value_enum, default_value_t = Variant::Classic)]
    rules: Variant,
}

/// Puzzles that are made together.
const PART: usize = 2048;

pub fn run(options: &Options) -> io::Result<Outcome> {
    match options.side {
        4 => write::<4>(options),
        6 => write::<6>(options),
        8 => write::<8>(options),
        9 => write::<9>(options),
        10 => write::<10>(options),
        12 => write::<12>(options),
        15 => write::<15>(options),
        16 => write::<16>(options),
        25 if options.givens.is_some() => write::<25>(options),
        25 => Err(io::Error::other(
            "a minimal 25x25 puzzle takes hours: pass --givens, 290 or more",
        )),
        side => Err(io::Error::other(format!(
            "no puzzles of side {side} are made here: choose 4, 6, 8, 9, 10, 12, 15, 16 or 25"
        ))),
    }
}

fn write<const N: usize>(options: &Options) -> io::Result<Outcome> {
    let rules = options.rules.rules::<N>();
    let mut generator = Generator::with_rules(options.seed, &rules).map_err(io::Error::other)?;
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut left = options.count;
    while left > 0 {
        let puzzles = match options.givens {
            None => generator.minimals(left.min(PART)),
            Some(givens) => {
                let puzzle = generator.unique(givens).ok_or_else(|| {
                    io::Error::other(format!(
                        "a hundred grids had no puzzle of {givens} givens with one solution: pass more"
                    ))
                })?;
                vec![puzzle]
            }
        };
        left -= puzzles.len();
        for puzzle in puzzles {
            writeln!(out, "{puzzle}")?;
        }
    }
    out.flush()?;
    Ok(Outcome::Good)
}

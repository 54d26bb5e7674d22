//! Makes puzzles.

use crate::{Outcome, Variant};
use std::io::{self, Write};
use sudoku::generate::Generator;
use sudoku::rate::{Rater, Technique};

/// The kind of puzzles to generate.
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
    /// Write the hardest technique that each needs, and the guesses of a search, after tabs
    #[arg(long)]
    rate: bool,
    /// Only puzzles whose hardest technique is this one, such as xy-wing
    #[arg(long, value_parser = technique)]
    hardest: Option<Technique>,
}

/// The technique with this name, in which a hyphen or an underscore can stand for a blank.
fn technique(name: &str) -> Result<Technique, String> {
    let plain = |name: &str| name.to_lowercase().replace(['-', '_'], " ");
    let mut all = Technique::ALL.into_iter();
    let found = all.find(|technique| plain(technique.name()) == plain(name));
    found.ok_or_else(|| {
        format!(
            "expected one of {}",
            Technique::ALL.map(Technique::name).join(", ")
        )
    })
}

/// The number of puzzles that are made together.
const BATCH: usize = 2048;

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
    let is_rated = options.rate || options.hardest.is_some();
    let mut rater = is_rated.then(|| Rater::new(&rules));
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut left = options.count;
    while left > 0 {
        let puzzles = match options.givens {
            None => generator.minimals(left.min(BATCH)),
            Some(givens) => {
                let puzzle = generator.unique(givens).ok_or_else(|| {
                    io::Error::other(format!(
                        "a hundred grids had no puzzle of {givens} givens with one solution: pass more"
                    ))
                })?;
                vec![puzzle]
            }
        };
        for puzzle in puzzles {
            let rating = rater.as_mut().and_then(|rater| rater.rate(&puzzle));
            let technique = rating.map(|rating| rating.technique);
            if options.hardest.is_some() && options.hardest != technique {
                continue;
            }
            left -= 1;
            write!(out, "{puzzle}")?;
            if let (true, Some(rating)) = (options.rate, rating) {
                write!(out, "\t{}\t{}", rating.technique, rating.guesses)?;
            }
            writeln!(out)?;
        }
    }
    out.flush()?;
    Ok(Outcome::Good)
}

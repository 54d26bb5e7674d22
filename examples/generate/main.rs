//! Writes puzzles, one per line: `cargo run --release --example generate -- --count 100 --minimal`.
//!
//! - `--count N`: the number of puzzles (1)
//! - `--seed S`: the same seed gives the same puzzles on every machine (1)
//! - `--side N`: 4, 9, 16 or 25 (9)
//! - `--minimal`: puzzles from which no given can be taken, the default; up to 16x16
//! - `--givens N`: puzzles with this number of givens instead
//! - `--rate`: behind each puzzle, after tabs, the hardest technique that it needs, and the guesses
//! - `--hardest NAME`: only puzzles whose hardest technique this is, such as `xy-wing`; more are
//!   made until there are enough
#![forbid(unsafe_code)]

use std::error::Error;
use std::process::ExitCode;
use sudoku::generate::Generator;
use sudoku::notation::{Notation, Output};
use sudoku::rate::{Rater, Technique};
use sudoku::{Grid, Rules};

const USAGE: &str = "usage: generate [--count N] [--seed S] [--side 4|9|16|25] \
                     [--minimal | --givens N] [--rate] [--hardest NAME]";

/// The number of puzzles that are made before they are written.
const PART: usize = 2048;

struct Options {
    count: usize,
    seed: u64,
    side: usize,
    givens: Option<usize>,
    rate: bool,
    hardest: Option<Technique>,
}

fn main() -> ExitCode {
    let done = options().and_then(|options| match options.side {
        4 => write::<4>(&options),
        9 => write::<9>(&options),
        16 => write::<16>(&options),
        25 => write::<25>(&options),
        side => Err(format!("no puzzles of side {side} are made here\n{USAGE}").into()),
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("generate: {error}");
            ExitCode::FAILURE
        }
    }
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut options = Options {
        count: 1,
        seed: 1,
        side: 9,
        givens: None,
        rate: false,
        hardest: None,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let mut value = || {
            arguments
                .next()
                .ok_or(format!("{name} needs a value\n{USAGE}"))
        };
        let wrong = |value: &str| format!("{name} {value}: not understood\n{USAGE}");
        match name.as_str() {
            "--minimal" => options.givens = None,
            "--rate" => options.rate = true,
            "--hardest" => {
                let value = value()?.to_lowercase().replace('_', " ");
                let is_it = |technique: &Technique| {
                    let name = technique.name().to_lowercase();
                    name == value || name.replace(' ', "-") == value
                };
                let technique = Technique::ALL.into_iter().find(is_it);
                options.hardest = Some(technique.ok_or_else(|| wrong(&value))?);
            }
            "--count" | "--seed" | "--side" | "--givens" => {
                let value = value()?;
                let number: u64 = value.parse().map_err(|_| wrong(&value))?;
                let size = usize::try_from(number).map_err(|_| wrong(&value))?;
                match name.as_str() {
                    "--count" => options.count = size,
                    "--seed" => options.seed = number,
                    "--side" => options.side = size,
                    _ => options.givens = Some(size),
                }
            }
            _ => return Err(format!("{name}: there is no such option\n{USAGE}").into()),
        }
    }
    if options.side == 25 && options.givens.is_none() {
        return Err("a minimal 25x25 puzzle takes hours: say --givens, 290 or more".into());
    }
    Ok(options)
}

fn write<const N: usize>(options: &Options) -> Result<(), Box<dyn Error>> {
    let mut generator = Generator::<N>::new(options.seed);
    let mut rater = Rater::new(&Rules::classic());
    let mut output = Output::new(std::io::stdout().lock());
    let mut left = options.count;
    while left > 0 {
        for puzzle in puzzles(&mut generator, options.givens, left.min(PART))? {
            let rating = if options.rate || options.hardest.is_some() {
                rater.rate(&puzzle)
            } else {
                None
            };
            let technique = rating.map(|rating| rating.technique);
            if options.hardest.is_some() && options.hardest != technique {
                continue;
            }
            left -= 1;
            let line = Notation::LINE.format(&puzzle);
            output.text(line.trim_end())?;
            if let (true, Some(rating)) = (options.rate, rating) {
                output.text(&format!("\t{}\t{}", rating.technique, rating.guesses))?;
            }
            output.text("\n")?;
            if left == 0 {
                break;
            }
        }
    }
    Ok(output.finish()?)
}

fn puzzles<const N: usize>(
    generator: &mut Generator<N>,
    givens: Option<usize>,
    count: usize,
) -> Result<Vec<Grid<N>>, Box<dyn Error>> {
    let Some(givens) = givens else {
        return Ok(generator.minimals(count));
    };
    let mut puzzles = Vec::new();
    for _ in 0..count {
        let puzzle = generator.unique(givens);
        puzzles.push(puzzle.ok_or_else(|| {
            format!("a hundred grids had no puzzle of {givens} givens with one solution")
        })?);
    }
    Ok(puzzles)
}

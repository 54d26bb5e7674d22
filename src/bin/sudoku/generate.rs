//! Makes puzzles.

use crate::formats::rules;
use crate::report::Report;
use crate::{Outcome, Variant};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Write};
use sudoku::generate::{Generator, Kind, Random};
use sudoku::rate::{Rater, Rating, Technique};
use sudoku::{Grid, Rules};

/// The kind of puzzles to generate.
#[derive(clap::Args)]
pub struct Options {
    /// How many
    #[arg(long, default_value_t = 1)]
    count: usize,
    /// The same seed gives the same puzzles on every machine; by default one is drawn and written to standard error
    #[arg(long)]
    seed: Option<u64>,
    /// Threads; by default one for each processor
    #[arg(short = 'j', long)]
    threads: Option<usize>,
    /// The side of the grid: 4, 6, 8, 9, 10, 12, 15, 16 or 25
    #[arg(long, default_value_t = 9)]
    side: usize,
    /// The number of givens, instead of as few as possible; 290 or more for side 25
    #[arg(long)]
    givens: Option<usize>,
    /// The rules
    #[arg(long, value_enum, default_value_t = Variant::Classic)]
    rules: Variant,
    /// Puzzles with constraints of this kind, such as thermometer, written as f-puzzles' JSON
    #[arg(long, value_parser = kind, conflicts_with_all = ["givens", "rules"], long_help = format!(
        "Puzzles with constraints of this kind, written as f-puzzles' JSON: {}", kinds()
    ))]
    variant: Option<Kind>,
    /// How many constraints each puzzle has at most; as many as the side if it is not given
    #[arg(long, requires = "variant")]
    constraints: Option<usize>,
    /// Write the hardest technique that each needs, and the guesses of a search, after tabs
    #[arg(long)]
    rate: bool,
    /// Only puzzles whose hardest technique is this one, such as xy-wing; an error if it is too rare
    #[arg(long, value_parser = technique, long_help = format!(
        "Only puzzles whose hardest technique is this one; an error if it is too rare: {}", techniques()
    ))]
    hardest: Option<Technique>,
}

/// The kind of constraints with this name.
fn kind(name: &str) -> Result<Kind, String> {
    let found = Kind::ALL.into_iter().find(|kind| kind.name() == name);
    found.ok_or_else(|| format!("expected one of {}", kinds()))
}

fn kinds() -> String {
    Kind::ALL.map(Kind::name).join(", ")
}

/// The technique with this name, in which a hyphen or an underscore can stand for a blank.
fn technique(name: &str) -> Result<Technique, String> {
    let plain = |name: &str| name.to_lowercase().replace(['-', '_'], " ");
    let mut all = Technique::ALL.into_iter();
    let found = all.find(|&technique| {
        minimum_side(technique).is_some() && plain(technique.name()) == plain(name)
    });
    found.ok_or_else(|| format!("expected one of {}", techniques()))
}

fn techniques() -> String {
    let all = Technique::ALL.into_iter();
    let possible = all.filter(|&technique| minimum_side(technique).is_some());
    let names: Vec<&str> = possible.map(Technique::name).collect();
    names.join(", ")
}

/// A side below which no puzzle has this hardest technique; `None` for cages and constraints, whose steps depend on the
/// puzzle's own rules.
///
/// In a house with `k` open cells, a naked set of size `s` and the hidden set of the other `k - s` digits remove the same
/// candidates, and so do a fish in rows and one in columns: only the easier of the two is ever used.
fn minimum_side(technique: Technique) -> Option<usize> {
    match technique {
        Technique::CageSum | Technique::Constraint => None,
        Technique::HiddenPair => Some(5),
        Technique::NakedTriple | Technique::Swordfish => Some(6),
        Technique::HiddenTriple => Some(7),
        Technique::NakedQuad | Technique::Jellyfish => Some(8),
        Technique::HiddenQuad => Some(9),
        _ => Some(1),
    }
}

/// The fewest givens of side 25 that are accepted: with fewer, the search for a puzzle can take hours.
const MIN_GIVENS_25: usize = 290;

/// The number of puzzles in a row that may need another technique than the requested one: seconds to minutes.
fn max_rejected(side: usize) -> usize {
    match side {
        ..=4 => 10_000,
        5..9 => 100_000,
        9 => 1_000_000,
        10..=16 => 10_000,
        _ => 100,
    }
}

/// The number of puzzles that are made together from a seed of their own: many 9x9 puzzles are made faster at once.
const fn batch(side: usize) -> usize {
    if side <= 9 { 256 } else { 1 }
}

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
        25 if options.givens >= Some(MIN_GIVENS_25) => write::<25>(options),
        25 => Err(io::Error::other(format!(
            "a 25x25 puzzle with fewer givens can take hours: pass --givens, {MIN_GIVENS_25} or more"
        ))),
        side => Err(io::Error::other(format!(
            "no puzzles of side {side} are made here: choose 4, 6, 8, 9, 10, 12, 15, 16 or 25"
        ))),
    }
}

/// Refuses requests that no puzzle meets.
fn check<const N: usize>(options: &Options) -> Result<(), String> {
    if let Some(givens) = options.givens
        && givens > N * N
    {
        let cells = N * N;
        return Err(format!(
            "a grid of side {N} has no {givens} givens: pass --givens, {cells} at most"
        ));
    }
    if let Some(hardest) = options.hardest {
        if let Some(side) = minimum_side(hardest)
            && side > N
        {
            return Err(format!(
                "no puzzle of side {N} has {hardest} as its hardest technique: pass --side, {side} or more"
            ));
        }
        let needs_boxes = matches!(hardest, Technique::Pointing | Technique::Claiming);
        if needs_boxes && options.rules == Variant::Latin {
            return Err(format!("{hardest} needs boxes: pass other --rules"));
        }
    }
    Ok(())
}

/// A puzzle, the rules that it brings along and, where it is wanted, its rating.
struct Made<const N: usize> {
    puzzle: Grid<N>,
    rules: Option<Rules<N>>,
    rating: Option<Rating>,
}

/// Makes the puzzles of batch `number`, `most` at most. They depend on the seed and the number alone.
fn make<const N: usize>(
    options: &Options,
    seed: u64,
    number: u64,
    most: usize,
) -> Result<Vec<Made<N>>, String> {
    let rules = options.rules.rules::<N>();
    // The first batch has the seed itself, so that few puzzles are those of the library's generator.
    let seed = match number {
        0 => seed,
        _ => Random::new(seed ^ Random::new(number).next_u64()).next_u64(),
    };
    let mut generator = Generator::with_rules(seed, &rules).map_err(|error| error.to_string())?;
    let count = batch(N).min(most);
    let is_rated = options.rate || options.hardest.is_some();
    if let Some(kind) = options.variant {
        let constraints = options.constraints.unwrap_or(N);
        let mut made = || {
            let drawn = generator.variant(kind, constraints);
            let (rules, puzzle) = drawn.ok_or_else(|| {
                format!("a hundred grids had no place for {}: pass another --variant, --side or --constraints", kind.name())
            })?;
            let rating = if is_rated {
                Rater::new(&rules).rate(&puzzle)
            } else {
                None
            };
            Ok(Made {
                puzzle,
                rules: Some(rules),
                rating,
            })
        };
        return (0..count).map(|_| made()).collect();
    }
    let puzzles = match options.givens {
        None => generator.minimals(count),
        Some(givens) => (0..count)
            .map(|_| generator.unique(givens))
            .collect::<Option<_>>()
            .ok_or_else(|| {
                format!("a hundred grids had no puzzle of {givens} givens with one solution: pass more --givens")
            })?,
    };
    let mut rater = is_rated.then(|| Rater::new(&rules));
    let made = puzzles.into_iter().map(|puzzle| Made {
        rating: rater.as_mut().and_then(|rater| rater.rate(&puzzle)),
        rules: None,
        puzzle,
    });
    Ok(made.collect())
}

/// A seed that differs from run to run.
fn draw_seed() -> u64 {
    // Short enough to be typed.
    RandomState::new().build_hasher().finish() >> 32
}

fn write<const N: usize>(options: &Options) -> io::Result<Outcome> {
    check::<N>(options).map_err(io::Error::other)?;
    let seed = options.seed.unwrap_or_else(|| {
        let seed = draw_seed();
        eprintln!("seed {seed}");
        seed
    });
    let available = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = options.threads.unwrap_or_else(available).max(1);
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut report = Report::new(None);
    let (mut left, mut tried, mut rejected, mut next) = (options.count, 0, 0, 0);
    while left > 0 {
        // Without a wanted technique no more are made than are written.
        let most = |index: usize| match options.hardest {
            Some(_) => batch(N),
            None => left.saturating_sub(index * batch(N)),
        };
        let made: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..threads)
                .filter(|&index| most(index) > 0)
                .map(|index| {
                    scope.spawn(move || make::<N>(options, seed, next + index as u64, most(index)))
                })
                .collect();
            let results = threads.into_iter().map(std::thread::ScopedJoinHandle::join);
            results
                .map(|made| made.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        });
        next += made.len() as u64;
        for puzzles in made {
            for made in puzzles.map_err(io::Error::other)? {
                if left == 0 {
                    break;
                }
                tried += 1;
                if let Some(hardest) = options.hardest
                    && made.rating.map(|rating| rating.technique) != Some(hardest)
                {
                    rejected += 1;
                    if rejected == max_rejected(N) {
                        out.flush()?;
                        report.end();
                        return Err(io::Error::other(format!(
                            "none of {rejected} puzzles had {hardest} as its hardest technique: pass another --hardest, --side or --seed"
                        )));
                    }
                    continue;
                }
                rejected = 0;
                left -= 1;
                report.erase();
                match &made.rules {
                    None => write!(out, "{}", made.puzzle)?,
                    Some(rules) => write!(out, "{}", rules::written(rules, &made.puzzle))?,
                }
                if let (true, Some(rating)) = (options.rate, made.rating) {
                    write!(out, "\t{}\t{}", rating.technique, rating.guesses)?;
                }
                writeln!(out)?;
                report.done(0, 1);
            }
        }
        if options.hardest.is_some() {
            out.flush()?;
        }
    }
    out.flush()?;
    report.end();
    if let Some(hardest) = options.hardest {
        eprintln!("tried {tried} puzzles for {} with {hardest}", options.count);
    }
    Ok(Outcome::Good)
}

//! The table of the array-methods article: every engine on its six cases.
//!
//! ```text
//! cargo bench --bench methods
//! method<TAB>case<TAB>microseconds<TAB>speedup
//! ```
//!
//! A search goes on until all solutions are found. The speed-up is over `backtracking`, the
//! article's method 1. The protocol is the article's: a hundred rounds (fewer where a round of all
//! engines is slow), in each of which an engine solves the case as often as makes a round long
//! enough to time; the slowest and the fastest fifth of its rounds are dropped and the mean of the
//! middle 60 % counts. Two things are stricter than in the article: the engines take turns within a
//! round, so that a busy machine is busy for all of them, and the clock is the thread's CPU time.
//! The number of solutions is checked in every round.
//!
//! The article's own grids were pictures and are lost. "hardest" were published by Arto Inkala in
//! 2010 and 2012; the others were drawn by this library's generator and chosen for what the article
//! tells of its own: "easy" needs naked singles alone, yet plain backtracking is led astray;
//! "medium" needs hidden singles, but no guess if they are used.
//!
//! # The order of the eight methods
//!
//! Programs compiled from the article's C++ were measured at these speed-ups of methods 2 to 8: 5.2,
//! 187, 187, 124, 121, 40, 36 on an easy grid; 4.9, 15, 15, 42, 86, 93, 198 on Inkala's of 2012; 4.9,
//! 18, 18, 42, 50, 58, 140 on that one with a wrong digit. On hard grids the order here is the same.
//! What differs:
//!
//! - All speed-ups on hard grids are smaller, that of method 2 most of all, because method 1 is
//!   faster: the compiler makes vector comparisons of its scans, so tables have less to save.
//! - On easy grids methods 3 and 4 lead here too, but method 8 is not the last of the others: its
//!   counts are bytes, not `int`s, so that filling in a cell and copying a board cost less.
//! - Methods 3 and 4, and 5 and 6, are the same search where nothing is guessed, and lie within a
//!   few per cent of each other: which of the two is ahead then is chance.

use rustix::time::{ClockId, clock_gettime};
use std::ops::ControlFlow;
use std::process::ExitCode;
use sudoku::engine::{Engine, Entry, registry};
use sudoku::{Grid, Rules};

struct Case {
    name: &'static str,
    grid: &'static str,
    solutions: u64,
}

/// `Generator::new(24).unique(34)`, `new(554).several(3, 34)` and `new(84).unique(27)`; the wrong
/// digit is the 2 in the first row of Inkala's grid of 2012.
const CASES: [Case; 6] = [
    Case {
        name: "easy",
        grid: "...2.48.1.15....266..851793.8..4.....6...81.5.9.....4.....96.12..67.2.8.2...8..3.",
        solutions: 1,
    },
    Case {
        name: "easy_3_answers",
        grid: ".....7....4...839...5.6.4...8.9..2.35942....7....859.4..3.5.7.9.68..3.4....8.1.32",
        solutions: 3,
    },
    Case {
        name: "medium",
        grid: ".....7.........95.8.31.............23...1....5142..39...18.6..7..5.3.1..63.5...28",
        solutions: 1,
    },
    Case {
        name: "hardest_2010",
        grid: "..53.....8......2..7..1.5..4....53...1..7...6..32...8..6.5....9..4....3......97..",
        solutions: 1,
    },
    Case {
        name: "hardest_2012",
        grid: "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
        solutions: 1,
    },
    Case {
        name: "hardest_2012_wrong_digit",
        grid: "82.........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
        solutions: 0,
    },
];

/// The speed-ups are over this engine.
const BASELINE: &str = "backtracking";

const MOST_ROUNDS: usize = 100;
const FEWEST_ROUNDS: usize = 15;

/// An engine's part of a round is repeated until it takes about this long.
const PART_MICROSECONDS: f64 = 500.0;

/// The rounds of one case are fewer than [`MOST_ROUNDS`] if they would take longer than this.
const CASE_MICROSECONDS: f64 = 8_000_000.0;

fn main() -> ExitCode {
    println!("method\tcase\tmicroseconds\tspeedup");
    match CASES.iter().try_for_each(measure) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// An engine on one case.
struct Contestant {
    entry: Entry<9>,
    engine: Box<dyn Engine<9>>,
    repetitions: u32,
    /// Microseconds per search, one for each round.
    rounds: Vec<f64>,
}

/// Times every engine on the case and prints its lines.
fn measure(case: &Case) -> Result<(), String> {
    let puzzle = parse(case.grid);
    let mut contestants = Vec::new();
    for entry in registry::<9>() {
        let mut engine = entry
            .engine(&Rules::classic())
            .map_err(|error| error.to_string())?;
        // Warms up, and tells how often a search must be repeated.
        time(engine.as_mut(), &entry, case, &puzzle, 1)?;
        let once = time(engine.as_mut(), &entry, case, &puzzle, 1)?;
        contestants.push(Contestant {
            entry,
            engine,
            repetitions: (PART_MICROSECONDS / once).clamp(1.0, 10_000.0) as u32,
            rounds: vec![once],
        });
    }
    let round: f64 = contestants
        .iter()
        .map(|contestant| f64::from(contestant.repetitions) * contestant.rounds[0])
        .sum();
    let rounds = ((CASE_MICROSECONDS / round) as usize).clamp(FEWEST_ROUNDS, MOST_ROUNDS);
    for contestant in &mut contestants {
        contestant.rounds.clear();
    }
    for _ in 0..rounds {
        for contestant in &mut contestants {
            contestant.rounds.push(time(
                contestant.engine.as_mut(),
                &contestant.entry,
                case,
                &puzzle,
                contestant.repetitions,
            )?);
        }
    }
    let means: Vec<(&str, f64)> = contestants
        .iter_mut()
        .map(|contestant| (contestant.entry.name, middle_mean(&mut contestant.rounds)))
        .collect();
    let baseline = means.iter().find(|(name, _)| *name == BASELINE);
    let baseline = baseline
        .ok_or(format!("engine {BASELINE} is not registered"))?
        .1;
    for (name, mean) in means {
        println!("{name}\t{}\t{mean:.2}\t{:.2}", case.name, baseline / mean);
    }
    Ok(())
}

/// Microseconds of CPU time per search, after `repetitions` of them.
fn time(
    engine: &mut dyn Engine<9>,
    entry: &Entry<9>,
    case: &Case,
    puzzle: &Grid<9>,
    repetitions: u32,
) -> Result<f64, String> {
    let mut solutions = 0;
    let start = cpu_microseconds();
    for _ in 0..repetitions {
        engine.for_each(puzzle, &mut |_| {
            solutions += 1;
            ControlFlow::Continue(())
        });
    }
    let taken = cpu_microseconds() - start;
    if solutions == case.solutions * u64::from(repetitions) {
        Ok(taken / f64::from(repetitions))
    } else {
        Err(format!(
            "engine {} found {solutions} solutions of case {} in {repetitions} searches, \
             expected {} in each",
            entry.name, case.name, case.solutions
        ))
    }
}

fn cpu_microseconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e6 + time.tv_nsec as f64 / 1e3
}

/// The mean without the fastest and the slowest fifth.
fn middle_mean(values: &mut [f64]) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let fifth = values.len() / 5;
    let middle = &values[fifth..values.len() - fifth];
    middle.iter().sum::<f64>() / middle.len() as f64
}

fn parse(line: &str) -> Grid<9> {
    let mut values = [[0; 9]; 9];
    for (index, character) in line.chars().enumerate() {
        values[index / 9][index % 9] = character.to_digit(10).unwrap_or(0) as u8;
    }
    Grid::from_rows(&values).expect("the cases hold digits and dots")
}

//! The table of the array-methods article: every engine on its six cases.
//!
//! ```text
//! cargo bench --bench methods
//! method<TAB>case<TAB>microseconds<TAB>speedup
//! ```
//!
//! The matrix of the article follows: its eight methods' speed-ups, a row for each case, and the geometric mean of each column
//! as the row `overall`.
//!
//! A search goes on until all solutions are found. The speed-up is over `backtracking`, the
//! article's method 1. The protocol is the article's: a hundred rounds (fewer where a round of all
//! engines is slow), in each of which an engine solves the case as often as makes a round long
//! enough to time; the slowest and the fastest fifth of its rounds are dropped and the mean of the
//! middle 60 % counts. Two things are stricter than in the article: the engines take turns within a
//! round, so that a busy machine is busy for all of them, and the clock is the thread's CPU time.
//! The number of solutions is checked in every round.
//!
//! `tests/library/common/article_cases.rs` describes the cases.
//!
//! # The order of the eight methods
//!
//! Programs compiled from the article's C++ were measured at these speed-ups of methods 2 to 8: 5.2,
//! 187, 187, 124, 121, 40, 36 on an easy grid; 4.9, 15, 15, 42, 86, 93, 198 on Inkala's of 2012; 4.9,
//! 18, 18, 42, 50, 58, 140 on that one with a wrong digit. On hard grids the order here is the same.
//! Differences:
//!
//! - Method 1, and so the baseline of every speed-up, is faster: the compiler makes vector
//!   comparisons of its scans. Method 2 gains least over it, as tables have less to save.
//! - Methods 3 to 6 are about as fast as the article's C++ built with `gcc -O2`; filling in a cell,
//!   which in methods 7 and 8 updates all its peers, is faster. So on easy grids methods 3 and 4
//!   lead here too, but method 8 is not the last of the others.
//! - Methods 3 and 4, and 5 and 6, are the same search where nothing is guessed, and lie within a
//!   few per cent of each other: which of the two is ahead then is chance.
//!
//! `tests/library/articles.rs` proves that the engines guess as often as the articles' programs.

#[path = "../tests/library/common/article_cases.rs"]
mod article_cases;

use article_cases::{ARTICLE_CASES, ArticleCase};
use rustix::time::{ClockId, clock_gettime};
use std::ops::ControlFlow;
use std::process::ExitCode;
use sudoku::engine::{Engine, Entry, Method, registry};
use sudoku::{Grid, Rules};

/// The engine that speed-ups are relative to.
const BASELINE: &str = "backtracking";

/// The maximum and minimum number of rounds of a case.
const MAX_ROUNDS: usize = 100;
const MIN_ROUNDS: usize = 15;

/// The time of an engine's part of a round: searches are repeated until it takes about this long.
const PART_MICROSECONDS: f64 = 500.0;

/// The maximum time of the rounds of one case, which are fewer than [`MAX_ROUNDS`] if needed.
const CASE_MICROSECONDS: f64 = 8_000_000.0;

fn main() -> ExitCode {
    println!("method\tcase\tmicroseconds\tspeedup");
    match ARTICLE_CASES
        .iter()
        .map(measure)
        .collect::<Result<Vec<_>, _>>()
    {
        Ok(rows) => {
            print_matrix(&rows);
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// An engine on one case.
struct Contestant {
    entry: Entry<9>,
    engine: Box<dyn Method<9>>,
    repetitions: u32,
    /// Microseconds per search, one for each round.
    rounds: Vec<f64>,
}

/// The speed-ups of the article's methods on a case.
struct Row {
    case: &'static str,
    speedups: Vec<(&'static str, f64)>,
}

/// Prints the article's matrix.
fn print_matrix(rows: &[Row]) {
    let Some(first) = rows.first() else { return };
    let mut header = String::from("| case |");
    for number in 1..=first.speedups.len() {
        header += &format!(" {number} |");
    }
    println!("\n{header}\n|---|{}", "---:|".repeat(first.speedups.len()));
    let mut logarithms = vec![0.0; first.speedups.len()];
    for row in rows {
        print!("| {} |", row.case);
        for ((_, speedup), sum) in row.speedups.iter().zip(&mut logarithms) {
            print!(" {speedup:.1} |");
            *sum += speedup.ln();
        }
        println!();
    }
    print!("| overall |");
    for sum in logarithms {
        print!(" {:.1} |", (sum / rows.len() as f64).exp());
    }
    println!();
    for (number, (name, _)) in first.speedups.iter().enumerate() {
        println!("method {}: {name}", number + 1);
    }
}

/// Times every engine on the case and prints its lines.
fn measure(case: &ArticleCase) -> Result<Row, String> {
    let puzzle = case.grid();
    let mut contestants = Vec::new();
    for entry in registry::<9>() {
        let mut engine = entry
            .engine(&Rules::classic())
            .map_err(|error| error.to_string())?;
        // Warms up, and measures how often a search must be repeated.
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
    let rounds = ((CASE_MICROSECONDS / round) as usize).clamp(MIN_ROUNDS, MAX_ROUNDS);
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
    let means: Vec<(&'static str, f64)> = contestants
        .iter_mut()
        .map(|contestant| (contestant.entry.name, middle_mean(&mut contestant.rounds)))
        .collect();
    let baseline = means.iter().find(|(name, _)| *name == BASELINE);
    let baseline = baseline
        .ok_or(format!("engine {BASELINE} is not registered"))?
        .1;
    let mut speedups = Vec::new();
    for (contestant, &(name, mean)) in contestants.iter().zip(&means) {
        println!("{name}\t{}\t{mean:.2}\t{:.2}", case.name, baseline / mean);
        if contestant
            .entry
            .source
            .starts_with("array methods article, method")
        {
            speedups.push((name, baseline / mean));
        }
    }
    Ok(Row {
        case: case.name,
        speedups,
    })
}

/// Microseconds of CPU time per search, after `repetitions` of them.
fn time(
    engine: &mut dyn Method<9>,
    entry: &Entry<9>,
    case: &ArticleCase,
    puzzle: &Grid<9>,
    repetitions: u32,
) -> Result<f64, String> {
    let mut solutions = 0;
    let start = cpu_microseconds();
    for _ in 0..repetitions {
        engine.for_each(puzzle, |_| {
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

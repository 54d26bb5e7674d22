//! Measurements over all puzzles of a set at once: the engines that take many puzzles, and the
//! main interface.

use super::{Options, check, parse, thread_time};
use std::time::Instant;
use sudoku::engine::nine::{self, Batch};
use sudoku::engine::{Engine, fastest};
use sudoku::{Grid, Rules};

/// The maximum number of rounds that are measured: all puzzles of a set take a few milliseconds.
const MAX_ROUNDS: usize = 50;

/// Compares the main interface with the engine behind it, in one process.
pub const MAIN_INTERFACE: &str = "engine-first,solution,engine-solve,solve";

/// Measures the main interface and the engine behind it, in turns.
pub fn measure_main_interface(
    options: &Options,
    set: &str,
    lines: &[Vec<u8>],
) -> Result<(), String> {
    let puzzles: Vec<Grid<9>> = lines
        .iter()
        .map(|line| parse(line))
        .collect::<Result<_, _>>()?;
    let mut engine = fastest(&Rules::classic());
    let mut best = [f64::INFINITY; 4];
    let start = Instant::now();
    for _ in 0..MAX_ROUNDS {
        for (kind, best) in best.iter_mut().enumerate() {
            let begin = thread_time();
            let mut found = 0;
            for puzzle in &puzzles {
                let puzzle = std::hint::black_box(puzzle);
                found += match kind {
                    0 => usize::from(engine.first(puzzle).is_some()),
                    1 => usize::from(puzzle.solution().is_some()),
                    2 => engine.count(puzzle, 2).min(1) as usize,
                    _ => usize::from(puzzle.solve().solution().is_some()),
                };
            }
            std::hint::black_box(found);
            *best = best.min(thread_time() - begin);
        }
        if start.elapsed().as_secs_f64() > 4.0 * options.seconds {
            break;
        }
    }
    for (name, best) in MAIN_INTERFACE.split(',').zip(best) {
        let mean = best / puzzles.len() as f64;
        println!(
            "{name}\t{set}\t{:.3}\t-\t-\t-\t{:.0}",
            mean * 1e6,
            1.0 / mean
        );
    }
    let [first, front_first, solve, front_solve] = best;
    println!(
        "main-interface\t{set}\tsolution {:.3}, solve {:.3} of the engine's time",
        front_first / first,
        front_solve / solve
    );
    Ok(())
}

/// Measures the engines that take many puzzles at once, in turns.
pub fn measure_many(
    options: &Options,
    names: &[String],
    set: &str,
    lines: &[Vec<u8>],
) -> Result<(), String> {
    let text: Vec<u8> = lines
        .iter()
        .flat_map(|l| [l, &b"\n"[..]].concat())
        .collect();
    let puzzles: Vec<Grid<9>> = lines
        .iter()
        .map(|line| parse(line))
        .collect::<Result<_, _>>()?;
    let mut firsts = vec![None; puzzles.len()];
    let mut counts = vec![0; puzzles.len()];
    let mut batch = Batch::new();
    let mut streams = [nine::Stream::new(1), nine::Stream::new(2)];
    let mut written = [Vec::new(), Vec::new()];
    let mut results = vec![(f64::INFINITY, 0); names.len()];
    let start = Instant::now();
    for _ in 0..MAX_ROUNDS {
        for (name, (best, guesses)) in names.iter().zip(&mut results) {
            let (begin, begin_clock) = (thread_time(), Instant::now());
            let threads = match name.as_str() {
                "batch" => {
                    let cost = if options.limit() == 1 {
                        batch.first(&puzzles, &mut firsts)
                    } else {
                        batch.count(&puzzles, &mut counts, options.limit())
                    };
                    *guesses = cost.guesses;
                    *best = best.min(thread_time() - begin);
                    continue;
                }
                "stream" => 0,
                "stream-2" => 1,
                _ => return Err(format!("there is no engine {name}")),
            };
            written[threads].clear();
            *guesses = streams[threads]
                .solve_lines(&text, options.limit(), &mut written[threads])
                .map_err(|e| format!("{set}: {e}"))?
                .guesses;
            let time = match threads {
                0 => thread_time() - begin,
                _ => begin_clock.elapsed().as_secs_f64(),
            };
            *best = best.min(time);
        }
        if start.elapsed().as_secs_f64() > options.seconds * names.len() as f64 {
            break;
        }
    }
    let rules = Rules::classic();
    batch.first(&puzzles, &mut firsts);
    for (i, (puzzle, found)) in puzzles.iter().zip(&firsts).enumerate() {
        let solution = found.unwrap_or_default().to_string();
        for written in &written {
            if written[82 * i..82 * i + 81] != *solution.as_bytes() || written[82 * i + 81] != b'\n'
            {
                return Err(format!("puzzle {}: a stream answers otherwise", i + 1));
            }
        }
        check::<9>(&rules, puzzle, found.as_ref()).map_err(|e| format!("puzzle {}: {e}", i + 1))?;
    }
    let count = puzzles.len() as f64;
    for (name, (best, guesses)) in names.iter().zip(results) {
        println!(
            "{}\t{set}\t{:.3}\t-\t-\t{:.3}\t{:.0}",
            options.label(name),
            best / count * 1e6,
            guesses as f64 / count,
            count / best
        );
    }
    Ok(())
}

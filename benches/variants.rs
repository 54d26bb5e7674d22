//! Puzzles with constraints: `cargo bench --bench variants`.
//!
//! Draws 9x9 puzzles of every kind of constraint and solves each to the proof that its solution is the only one. Prints a line
//! per kind and engine, `kind<TAB>engine<TAB>puzzles<TAB>givens<TAB>ms_mean<TAB>ms_worst<TAB>guesses`: milliseconds of
//! processor time, the shorter of two runs, and means of givens and guesses. Options go after `--`:
//!
//! - `--puzzles N`: how many of each number of constraints; 4 if it is not given, which takes minutes
//! - `--kinds A,B`: these kinds only; `samurai` is one
//!
//! `sudoku generate --variant KIND --seed SEED --constraints COUNT --count N` writes the same puzzles.

use sudoku::engine::{Engine, by_name, stop_if};
use sudoku::generate::{Generator, Kind, overlapping};
use sudoku::rules::Overlap;
use sudoku::{Grid, OverlapSolver, Rules};

/// The numbers of constraints, each with its seed.
const CONSTRAINTS: [(usize, u64); 3] = [(9, 1), (18, 2), (36, 3)];

/// The engines to compare; `houses` learns after many guesses.
const ENGINES: [&str; 2] = ["houses", "learning"];

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|a| a != "--bench");
    let (mut count, mut kinds) = (4, None);
    while let Some(name) = arguments.next() {
        let value = arguments.next().unwrap_or_default();
        match name.as_str() {
            "--puzzles" => count = value.parse().expect("a number"),
            "--kinds" => kinds = Some(value),
            _ => panic!("usage: variants [--puzzles N] [--kinds A,B]"),
        }
    }
    let is_chosen = |name: &str| {
        let mut chosen = kinds.iter().flat_map(|kinds| kinds.split(','));
        kinds.is_none() || chosen.any(|kind| kind == name)
    };
    println!("kind\tengine\tpuzzles\tgivens\tms_mean\tms_worst\tguesses");
    for kind in Kind::ALL {
        if !is_chosen(kind.name()) {
            continue;
        }
        let mut puzzles: Vec<(Rules<9>, Grid<9>)> = Vec::new();
        for (constraints, seed) in CONSTRAINTS {
            // With more of them, drawing a minimal puzzle takes minutes.
            let constraints = match kind {
                Kind::LittleKiller => constraints.min(8),
                _ => constraints,
            };
            let mut generator = Generator::new(seed);
            puzzles.extend((0..count).filter_map(|_| generator.variant(kind, constraints)));
        }
        for name in ENGINES {
            let entry = by_name::<9>(name).expect("an engine");
            let mut engines: Vec<_> = puzzles
                .iter()
                .map(|(rules, _)| entry.engine(rules).expect("any rules"))
                .collect();
            let results = puzzles
                .iter()
                .zip(&mut engines)
                .map(|((_, puzzle), engine)| {
                    let (mut seconds, mut guesses) = (f64::INFINITY, 0);
                    for _ in 0..2 {
                        let (begin, mut found) = (thread_time(), 0);
                        let cost = engine.for_each(puzzle, |_| {
                            found += 1;
                            stop_if(found > 1)
                        });
                        assert_eq!(found, 1, "{name} on {puzzle}");
                        seconds = seconds.min(thread_time() - begin);
                        guesses = cost.guesses;
                    }
                    (seconds, guesses)
                });
            let results: Vec<(f64, u64)> = results.collect();
            let givens = puzzles
                .iter()
                .map(|(_, puzzle)| puzzle.count_givens())
                .sum();
            print(kind.name(), name, givens, &results);
        }
    }
    if is_chosen("samurai") {
        let samurai = Overlap::samurai();
        let mut solver = OverlapSolver::new(&samurai);
        let (mut results, mut givens) = (Vec::new(), 0);
        for seed in 0..count as u64 {
            let puzzle = overlapping(seed, &samurai).expect("a puzzle");
            givens += puzzle.iter().map(Grid::count_givens).sum::<usize>();
            let (begin, mut found) = (thread_time(), 0);
            let cost = solver.for_each(&puzzle, |_| {
                found += 1;
                stop_if(found > 1)
            });
            assert_eq!(found, 1);
            results.push((thread_time() - begin, cost.guesses));
        }
        print("samurai", "houses", givens, &results);
    }
}

fn print(kind: &str, engine: &str, givens: usize, results: &[(f64, u64)]) {
    let count = results.len().max(1) as f64;
    let mean = results.iter().map(|result| result.0).sum::<f64>() / count;
    let worst = results.iter().map(|result| result.0).fold(0.0, f64::max);
    let guesses = results.iter().map(|result| result.1).sum::<u64>();
    println!(
        "{kind}\t{engine}\t{}\t{:.1}\t{:.3}\t{:.3}\t{:.1}",
        results.len(),
        givens as f64 / count,
        mean * 1e3,
        worst * 1e3,
        guesses as f64 / count
    );
}

/// The processor time of this thread, in seconds.
fn thread_time() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

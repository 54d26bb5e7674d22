//! The cost of reading and writing a grid in each notation, against code that a beginner writes.
//!
//! ```sh
//! cargo bench --bench notations
//! ```
//!
//! Lines `notation<TAB>read_ns<TAB>write_ns<TAB>naive_ns<TAB>ratio<TAB>share_of_solving` after a
//! header: nanoseconds of CPU time per grid, those of naive reading and writing together, ours as
//! a share of them, and ours as a share of what the fastest engine takes to solve the grid. Rounds
//! of all of them are interleaved, and each figure is a median.
#![forbid(unsafe_code)]

use rustix::time::{ClockId, clock_gettime};
use std::fs;
use std::hint::black_box;
use std::io::{self, Write};
use std::path::Path;
use sudoku::engine::Engine;
use sudoku::notation::{Input, Layout, Notation, Output};
use sudoku::{Grid, Rules, engine};

const ROUNDS: usize = 11;

fn main() {
    println!("notation\tread_ns\twrite_ns\tnaive_ns\tratio\tshare_of_solving");
    measure::<9>("line 9x9", Notation::LINE, "9x9-minimal.txt");
    measure::<9>("rows 9x9", Notation::ROWS, "9x9-minimal.txt");
    measure::<9>("spaced 9x9", Notation::SPACED, "9x9-minimal.txt");
    measure::<9>("brackets 9x9", Notation::BRACKETS, "9x9-minimal.txt");
    measure::<16>("rows 16x16", Notation::DASHED_ROWS, "16x16-minimal.txt");
    measure::<25>("line 25x25", Notation::LINE, "25x25-givens320.txt");
}

fn measure<const N: usize>(name: &str, notation: Notation, set: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("benches/puzzles")
        .join(set);
    let bytes = fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut lines = Input::new(&bytes[..]);
    let mut grids = Vec::new();
    while let Some(grid) = lines.grid::<N>(Notation::LINE).expect("a set of grids") {
        grids.push(grid);
    }
    let text: String = grids.iter().map(|grid| notation.format(grid)).collect();

    let mut written = Vec::new();
    write_all(notation, &grids, &mut written);
    assert!(
        written == text.as_bytes(),
        "{name}: a stream is written otherwise"
    );
    let mut found = Vec::new();
    read_all(notation, &text, |grid| found.push(grid));
    assert!(
        found == grids,
        "{name}: what is read is not what was written"
    );
    let same = naive_write(notation, &naive_read::<N>(&text));
    assert!(same == text, "{name}: naive code reads or writes otherwise");

    let mut times = [Vec::new(), Vec::new(), Vec::new(), Vec::new()];
    let mut engine = engine::fastest(&Rules::<N>::classic());
    for round in 0..ROUNDS {
        times[0].push(timed(|| {
            read_all::<N>(notation, &text, |grid| {
                black_box(&grid);
            });
        }));
        times[1].push(timed(|| write_all(notation, black_box(&grids), io::sink())));
        times[2].push(timed(|| {
            drop(naive_write(notation, &naive_read::<N>(&text)));
        }));
        if round % 3 == 0 {
            times[3].push(timed(|| {
                for grid in &grids {
                    assert!(
                        engine.first(grid).is_some(),
                        "{name}: no solution: {grid:?}"
                    );
                }
            }));
        }
    }
    let [read, write, naive, solve] = times.map(|mut rounds| {
        rounds.sort_by(f64::total_cmp);
        rounds[rounds.len() / 2] / grids.len() as f64
    });
    println!(
        "{name}\t{read:.0}\t{write:.0}\t{naive:.0}\t{:.3}\t{:.4}",
        (read + write) / naive,
        (read + write) / solve
    );
}

/// The time that it took, in nanoseconds.
fn timed(run: impl FnOnce()) -> f64 {
    let start = cpu_nanoseconds();
    run();
    cpu_nanoseconds() - start
}

fn cpu_nanoseconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}

fn read_all<const N: usize>(notation: Notation, text: &str, mut take: impl FnMut(Grid<N>)) {
    let mut input = Input::new(text.as_bytes());
    while let Some(grid) = input.grid(notation).expect("just written") {
        take(grid);
    }
}

fn write_all<const N: usize>(notation: Notation, grids: &[Grid<N>], sink: impl Write) {
    let mut output = Output::new(sink);
    for grid in grids {
        output
            .grid(notation, grid)
            .expect("this sink takes everything");
    }
    output.finish().expect("this sink takes everything");
}

/// Character by character: every symbol is a cell.
fn naive_read<const N: usize>(text: &str) -> Vec<[[u8; N]; N]> {
    let mut cells = Vec::new();
    for symbol in text.chars() {
        match symbol {
            '.' | '0' | '-' => cells.push(0),
            '1'..='9' => cells.push(symbol.to_digit(10).unwrap_or(0) as u8),
            'A'..='Z' => cells.push(symbol as u8 - b'A' + 1),
            _ => {}
        }
    }
    cells
        .chunks_exact(N * N)
        .map(|cells| std::array::from_fn(|r| std::array::from_fn(|c| cells[r * N + c])))
        .collect()
}

/// Cell by cell, onto the end of a string.
fn naive_write<const N: usize>(notation: Notation, grids: &[[[u8; N]; N]]) -> String {
    let first = if N <= 9 { b'1' } else { b'A' };
    let symbol = |value: u8| match value {
        0 => char::from(notation.empty()),
        _ => char::from(first + value - 1),
    };
    let mut text = String::new();
    for grid in grids {
        let rows: Vec<String> = grid
            .iter()
            .map(|row| match notation.layout() {
                Layout::Line | Layout::Rows => row.iter().map(|&value| symbol(value)).collect(),
                Layout::Spaced => {
                    let numbers: Vec<String> = row.iter().map(u8::to_string).collect();
                    numbers.join(" ")
                }
                Layout::Brackets => {
                    let symbols: Vec<String> = row.iter().map(|&v| symbol(v).to_string()).collect();
                    format!("[{}]", symbols.join(","))
                }
            })
            .collect();
        text += &match notation.layout() {
            Layout::Line => rows.concat(),
            Layout::Rows | Layout::Spaced => rows.join("\n"),
            Layout::Brackets => format!("[{}]", rows.join(",")),
        };
        text.push('\n');
    }
    text
}

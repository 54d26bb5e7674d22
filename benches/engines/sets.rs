//! The generated sets of 9x9 puzzles: grids with few givens and puzzles with several solutions.

use std::path::Path;
use sudoku::Grid;
use sudoku::engine::nine::{Answer, Bands, Batch, NineEngine, Values, format_line, to_values};
use sudoku::engine::stop_if;
use sudoku::generate::{Generator, Random};

/// Makes the puzzles of a set.
type Make = fn() -> Vec<Values>;

const SETS: [(&str, Make); 6] = [
    ("9x9-empty", empty),
    ("9x9-few-givens", few_givens),
    ("9x9-random-givens", random_givens),
    ("9x9-pseudo", pseudo),
    ("9x9-several", several),
    ("9x9-several-hard", several_hard),
];

/// Writes every set that `directory` lacks, one puzzle per line.
pub fn write(directory: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(directory)?;
    for (name, make) in SETS {
        let file = directory.join(format!("{name}.txt"));
        if file.exists() {
            continue;
        }
        let mut text = Vec::new();
        for puzzle in make() {
            text.extend_from_slice(&format_line(&puzzle));
            text.push(b'\n');
        }
        let unfinished = file.with_extension("part");
        std::fs::write(&unfinished, text)?;
        std::fs::rename(unfinished, file)?;
    }
    Ok(())
}

/// The empty grid, repeated often enough for a stream.
fn empty() -> Vec<Values> {
    vec![[0; 81]; 500]
}

/// The numbers of givens of [`few_givens`] and [`random_givens`], in turns.
const GIVENS: std::ops::RangeInclusive<usize> = 8..=17;

/// 8 to 17 cells of random complete grids: puzzles with very many solutions.
fn few_givens() -> Vec<Values> {
    let mut generator = Generator::<9>::new(1);
    let mut puzzles = Vec::new();
    for givens in GIVENS.cycle().take(3000) {
        let complete = to_values(&generator.complete());
        let mut puzzle = [0; 81];
        for cell in cells(generator.random()).into_iter().take(givens) {
            puzzle[cell] = complete[cell];
        }
        puzzles.push(puzzle);
    }
    puzzles
}

/// 8 to 17 random digits in random cells, no two of which clash: nearly all have very many solutions, a few have none.
fn random_givens() -> Vec<Values> {
    let mut random = Random::new(2);
    let mut puzzles = Vec::new();
    for givens in GIVENS.cycle().take(3000) {
        let mut puzzle = [0; 81];
        for cell in cells(&mut random).into_iter().take(givens) {
            let free: Vec<u8> = (1..=9)
                .filter(|&digit| fits(&puzzle, cell, digit))
                .collect();
            if !free.is_empty() {
                puzzle[cell] = free[random.below(free.len())];
            }
        }
        puzzles.push(puzzle);
    }
    puzzles
}

/// Minimal puzzles that lack one given: at least two solutions.
fn pseudo() -> Vec<Values> {
    without_givens(3, 5000, 1..=1)
}

/// Puzzles with 2 to 1,000 solutions: minimal puzzles that lack one to four givens.
fn several() -> Vec<Values> {
    let puzzles = without_givens(4, 10_000, 1..=4);
    let mut answers = vec![Answer::NONE; puzzles.len()];
    Batch::new().solve(&puzzles, &mut answers, MAX_SOLUTIONS + 1);
    let counted = puzzles.into_iter().zip(answers);
    counted
        .filter(|(_, answer)| answer.count <= MAX_SOLUTIONS)
        .map(|(puzzle, _)| puzzle)
        .collect()
}

/// The maximum number of solutions of a puzzle of [`several`].
const MAX_SOLUTIONS: u64 = 1000;

/// The hundredth part of 40,000 puzzles with several solutions in which `bands` guesses most often before it has two of them.
fn several_hard() -> Vec<Values> {
    let mut bands = Bands;
    let mut puzzles: Vec<(u64, Values)> = Vec::new();
    for puzzle in without_givens(5, 40_000, 1..=1) {
        let mut found = 0;
        let cost = bands.search_values(&puzzle, &mut |_| {
            found += 1;
            stop_if(found >= 2)
        });
        puzzles.push((cost.guesses, puzzle));
    }
    puzzles.sort_by(|a, b| b.cmp(a));
    puzzles.truncate(400);
    puzzles.into_iter().map(|(_, puzzle)| puzzle).collect()
}

/// Minimal puzzles that lack some random givens, their number drawn from `range` in turns.
fn without_givens(seed: u64, count: usize, range: std::ops::RangeInclusive<usize>) -> Vec<Values> {
    let mut generator = Generator::<9>::new(seed);
    let minimal: Vec<Grid<9>> = generator.minimals(count);
    let mut puzzles = Vec::new();
    for (puzzle, lacking) in minimal.iter().zip(range.cycle()) {
        let mut puzzle = to_values(puzzle);
        let mut givens = cells(generator.random());
        givens.retain(|&cell| puzzle[cell] != 0);
        for &cell in &givens[..lacking] {
            puzzle[cell] = 0;
        }
        puzzles.push(puzzle);
    }
    puzzles
}

/// All cells in random order.
fn cells(random: &mut Random) -> Vec<usize> {
    let mut cells: Vec<usize> = (0..81).collect();
    random.shuffle(&mut cells);
    cells
}

/// Whether no cell of the houses of `cell` has the digit.
fn fits(puzzle: &Values, cell: usize, digit: u8) -> bool {
    let (row, column) = (cell / 9, cell % 9);
    let corner = row / 3 * 27 + column / 3 * 3;
    (0..9).all(|i| {
        let seen = [9 * row + i, 9 * i + column, corner + i / 3 * 9 + i % 3];
        seen.iter().all(|&cell| puzzle[cell] != digit)
    })
}

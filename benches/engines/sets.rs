//! The generated sets of 9x9 puzzles: grids with few givens and puzzles with several solutions.

use std::path::Path;
use sudoku::engine::nine::{Bands, Batch};
use sudoku::engine::{Engine, stop_if};
use sudoku::generate::{Generator, Random};
use sudoku::{Cell, Digit, Grid};

/// Makes the puzzles of a set.
type Make = fn() -> Vec<Grid<9>>;

const SETS: [(&str, Make); 7] = [
    ("9x9-empty", empty),
    ("9x9-few-givens", few_givens),
    ("9x9-random-givens", random_givens),
    ("9x9-pseudo", pseudo),
    ("9x9-two", two),
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
        let text: String = make().iter().map(|puzzle| format!("{puzzle}\n")).collect();
        let unfinished = file.with_extension("part");
        std::fs::write(&unfinished, text)?;
        std::fs::rename(unfinished, file)?;
    }
    Ok(())
}

/// The empty grid, repeated often enough for a stream.
fn empty() -> Vec<Grid<9>> {
    vec![Grid::EMPTY; 500]
}

/// The numbers of givens of [`few_givens`] and [`random_givens`], in turns.
const GIVENS: std::ops::RangeInclusive<usize> = 8..=17;

/// 8 to 17 cells of random complete grids: puzzles with very many solutions.
fn few_givens() -> Vec<Grid<9>> {
    let mut generator = Generator::<9>::new(1);
    let mut puzzles = Vec::new();
    for givens in GIVENS.cycle().take(3000) {
        let complete = generator.complete();
        let mut puzzle = Grid::EMPTY;
        for cell in cells(generator.random()).into_iter().take(givens) {
            puzzle.set(cell, complete[cell]);
        }
        puzzles.push(puzzle);
    }
    puzzles
}

/// 8 to 17 random digits in random cells, no two of which clash: nearly all have very many solutions, a few have none.
fn random_givens() -> Vec<Grid<9>> {
    let mut random = Random::new(2);
    let mut puzzles = Vec::new();
    for givens in GIVENS.cycle().take(3000) {
        let mut puzzle = Grid::EMPTY;
        for cell in cells(&mut random).into_iter().take(givens) {
            let free: Vec<Digit<9>> = Digit::all()
                .filter(|&digit| fits(&puzzle, cell, digit))
                .collect();
            if !free.is_empty() {
                puzzle.set(cell, Some(free[random.below(free.len())]));
            }
        }
        puzzles.push(puzzle);
    }
    puzzles
}

/// Minimal puzzles that lack one given: at least two solutions.
fn pseudo() -> Vec<Grid<9>> {
    without_givens(3, 5000, 1..=1)
}

/// 10,000 puzzles with exactly two solutions: minimal puzzles that lack one given, which is each of them in turn, because
/// one in forty has no more than two solutions.
fn two() -> Vec<Grid<9>> {
    let minimal = Generator::<9>::new(6).minimals(20_000);
    let lacking = minimal.iter().flat_map(|puzzle| {
        puzzle.givens().map(|(cell, _)| {
            let mut puzzle = *puzzle;
            puzzle.set(cell, None);
            puzzle
        })
    });
    let puzzles: Vec<Grid<9>> = lacking.collect();
    let mut counts = vec![0; puzzles.len()];
    Batch::new().count(&puzzles, &mut counts, 3);
    let counted = puzzles.into_iter().zip(counts);
    counted
        .filter(|(_, count)| *count == 2)
        .map(|(puzzle, _)| puzzle)
        .take(10_000)
        .collect()
}

/// Puzzles with 2 to 1,000 solutions: minimal puzzles that lack one to four givens.
fn several() -> Vec<Grid<9>> {
    let puzzles = without_givens(4, 10_000, 1..=4);
    let mut counts = vec![0; puzzles.len()];
    Batch::new().count(&puzzles, &mut counts, MAX_SOLUTIONS + 1);
    let counted = puzzles.into_iter().zip(counts);
    counted
        .filter(|(_, count)| *count <= MAX_SOLUTIONS)
        .map(|(puzzle, _)| puzzle)
        .collect()
}

/// The maximum number of solutions of a puzzle of [`several`].
const MAX_SOLUTIONS: u64 = 1000;

/// The hundredth part of 40,000 puzzles with several solutions in which `bands` guesses most often before it has two of them.
fn several_hard() -> Vec<Grid<9>> {
    let mut bands = Bands;
    let mut puzzles: Vec<(u64, Grid<9>)> = Vec::new();
    for puzzle in without_givens(5, 40_000, 1..=1) {
        let mut found = 0;
        let cost = bands.for_each(&puzzle, |_| {
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
fn without_givens(seed: u64, count: usize, range: std::ops::RangeInclusive<usize>) -> Vec<Grid<9>> {
    let mut generator = Generator::<9>::new(seed);
    let minimal: Vec<Grid<9>> = generator.minimals(count);
    let mut puzzles = Vec::new();
    for (puzzle, lacking) in minimal.iter().zip(range.cycle()) {
        let mut puzzle = *puzzle;
        let mut givens = cells(generator.random());
        givens.retain(|&cell| puzzle[cell].is_some());
        for &cell in &givens[..lacking] {
            puzzle.set(cell, None);
        }
        puzzles.push(puzzle);
    }
    puzzles
}

/// All cells in random order.
fn cells(random: &mut Random) -> Vec<Cell<9>> {
    let mut cells: Vec<Cell<9>> = Cell::all().collect();
    random.shuffle(&mut cells);
    cells
}

/// Whether no cell of the houses of `cell` has the digit.
fn fits(puzzle: &Grid<9>, cell: Cell<9>, digit: Digit<9>) -> bool {
    let is_peer = |other: Cell<9>| {
        let is_in_box =
            other.row() / 3 == cell.row() / 3 && other.column() / 3 == cell.column() / 3;
        is_in_box || other.row() == cell.row() || other.column() == cell.column()
    };
    puzzle
        .givens()
        .all(|(other, given)| given != digit || !is_peer(other))
}

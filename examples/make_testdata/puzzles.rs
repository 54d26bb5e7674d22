//! Where the puzzles come from: a few that are known everywhere, and the seeded generator.

use sudoku::generate::{Generator, Random};
use sudoku::grid::box_side;
use sudoku::notation::Notation;
use sudoku::{Cell, Digit, Grid, count_solutions};

/// Arto Inkala's grid of 2006, "AI Escargot".
pub const INKALA_2006: &str =
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..";
/// Arto Inkala's grid of 2010.
pub const INKALA_2010: &str =
    "..53.....8......2..7..1.5..4....53...1..7...6..32...8..6.5....9..4....3......97..";
/// Arto Inkala's grid of 2012.
pub const INKALA_2012: &str =
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
/// The grid by which encyclopedias show how slow a search in the order of rows can be: 17 givens,
/// the first row empty, and 987654321 in the solution's first row.
pub const AGAINST_ROW_ORDER: &str =
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9";
/// The third hack case of Luogu P1784, 17 givens, with the blanks that its file has.
pub const HACK: &str = "9 0 0 8 0 0 0 0 0\n0 0 0 0 0 0 5 0 0 \n0 0 0 0 0 0 0 0 0 \n\
                        0 2 0 0 1 0 0 0 3\n0 1 0 0 0 0 0 6 0\n0 0 0 4 0 0 0 7 0\n\
                        7 0 8 6 0 0 0 0 0 \n0 0 0 0 3 0 1 0 0 \n4 0 0 0 0 0 2 0 0 \n";

/// A grid of one line.
pub fn known(line: &str) -> Grid<9> {
    Notation::LINE.parse(line).expect("a literal grid")
}

/// A puzzle with this seed, one solution and this many givens.
pub fn unique<const N: usize>(seed: u64, givens: usize) -> Grid<N> {
    let puzzle = Generator::new(seed).unique(givens);
    puzzle.expect("the seeds were chosen so that there is one")
}

/// A puzzle with this seed and one solution, in which every given is needed.
pub fn minimal<const N: usize>(seed: u64) -> Grid<N> {
    Generator::new(seed).minimal()
}

/// A complete grid with this seed.
pub fn complete<const N: usize>(seed: u64) -> Grid<N> {
    Generator::new(seed).complete()
}

/// A puzzle with this seed and exactly this many solutions.
pub fn several(seed: u64, solutions: u64) -> Grid<9> {
    let puzzle = Generator::new(seed).several(solutions, 40);
    puzzle.expect("the seeds were chosen so that there is one")
}

/// A puzzle with this seed and at least this many solutions, but less than twenty times as many.
pub fn many(seed: u64, solutions: u64) -> Grid<9> {
    let mut generator = Generator::<9>::new(seed);
    let mut puzzle = generator.minimal();
    let mut given: Vec<Cell<9>> = puzzle.givens().map(|(cell, _)| cell).collect();
    generator.random().shuffle(&mut given);
    for cell in given {
        let digit = puzzle.get(cell);
        puzzle.set(cell, None);
        let count = count_solutions(&puzzle, 20 * solutions);
        if count == 20 * solutions {
            puzzle.set(cell, digit);
        } else if count >= solutions {
            return puzzle;
        }
    }
    panic!("the seeds were chosen so that there is one")
}

/// The only solution of `puzzle`.
pub fn solution<const N: usize>(puzzle: &Grid<N>) -> Grid<N> {
    assert_eq!(count_solutions(puzzle, 2), 1, "{puzzle:?}");
    sudoku::solve(puzzle).expect("counted just now")
}

/// `puzzle` with one empty cell filled wrongly, and no digit twice in a house.
pub fn spoilt(seed: u64, puzzle: &Grid<9>) -> Grid<9> {
    let solution = solution(puzzle);
    let mut random = Random::new(seed);
    loop {
        let cell = Cell::from_index(random.below(81));
        let digit = Digit::from_index(random.below(9));
        let mut spoilt = *puzzle;
        spoilt.set(cell, Some(digit));
        let is_wrong = puzzle.get(cell).is_none() && solution.get(cell) != Some(digit);
        if is_wrong && sudoku::Rules::classic().allow(&spoilt) {
            return spoilt;
        }
    }
}

/// An equivalent puzzle: digits relabelled, lines moved where that keeps the rules, transposed.
pub fn scrambled<const N: usize>(seed: u64, puzzle: &Grid<N>) -> Grid<N> {
    let mut random = Random::new(seed);
    let rows = line_order::<N>(&mut random);
    let columns = line_order::<N>(&mut random);
    let transposed = random.below(2) == 1;
    let mut digits: Vec<Digit<N>> = Digit::all().collect();
    random.shuffle(&mut digits);
    rearranged(puzzle, |row, column| {
        let (row, column) = (rows[row], columns[column]);
        if transposed {
            (column, row)
        } else {
            (row, column)
        }
    })
    .relabelled(&digits)
}

/// An equivalent puzzle that is hard for whoever fills the cells row by row, trying small digits
/// first: bands and rows with few givens first, and a first row that decreases in the solution.
pub fn against_row_order(puzzle: &Grid<9>) -> Grid<9> {
    let givens = |row: usize| puzzle.rows()[row].iter().flatten().count();
    let mut bands = [0, 1, 2];
    bands.sort_by_key(|&band| (0..3).map(|k| givens(3 * band + k)).sum::<usize>());
    let mut rows = Vec::new();
    for band in bands {
        let mut band: Vec<usize> = (3 * band..3 * band + 3).collect();
        band.sort_by_key(|&row| givens(row));
        rows.extend(band);
    }
    let puzzle = rearranged(puzzle, |row, column| (rows[row], column));
    let first_row = solution(&puzzle).rows()[0];
    let mut digits: Vec<Digit<9>> = Digit::all().collect();
    for (digit, cell) in Digit::all().rev().zip(first_row.iter().flatten()) {
        digits[cell.index()] = digit;
    }
    puzzle.relabelled(&digits)
}

trait Relabelled<const N: usize> {
    /// The grid with `digits[k]` for the digit of index `k`.
    fn relabelled(&self, digits: &[Digit<N>]) -> Self;
}

impl<const N: usize> Relabelled<N> for Grid<N> {
    fn relabelled(&self, digits: &[Digit<N>]) -> Self {
        let mut grid = *self;
        for digit in grid.rows_mut().iter_mut().flatten().flatten() {
            *digit = digits[digit.index()];
        }
        grid
    }
}

fn rearranged<const N: usize>(
    puzzle: &Grid<N>,
    from: impl Fn(usize, usize) -> (usize, usize),
) -> Grid<N> {
    let mut grid = Grid::EMPTY;
    for (row, line) in grid.rows_mut().iter_mut().enumerate() {
        for (column, cell) in line.iter_mut().enumerate() {
            let (row, column) = from(row, column);
            *cell = puzzle.rows()[row][column];
        }
    }
    grid
}

/// An order of the rows (or columns) that keeps those of a band together.
fn line_order<const N: usize>(random: &mut Random) -> Vec<usize> {
    let side = box_side(N);
    let mut bands: Vec<usize> = (0..side).collect();
    random.shuffle(&mut bands);
    let mut order = Vec::new();
    for band in bands {
        let mut lines: Vec<usize> = (band * side..(band + 1) * side).collect();
        random.shuffle(&mut lines);
        order.extend(lines);
    }
    order
}

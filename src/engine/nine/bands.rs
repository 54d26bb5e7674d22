//! Twenty-seven words of 27 cells: the fast engine that needs no SIMD.

use super::{Bytes, values, values_mut};
use crate::engine::{Checked, Method, Statistics, Visitor};
use crate::grid::Grid;
use core::ops::ControlFlow;

/// Keeps, for each digit and band, the 27 cells that the digit can go to in one word, and deduces
/// a band of a digit at a time by looking it up in tables.
///
/// The engine for processors without wide registers, and for compilers too old for the SIMD ones.
///
/// Source: band words of one digit are those of zhouyundong_2012's JCZSolve; the tables here are
/// computed from the six ways in which the three boxes of a band can share out a digit's rows.
#[derive(Clone, Copy, Default, Debug)]
pub struct Bands;

impl Method<9> for Bands {
    fn search(&mut self, puzzle: Checked<'_, 9>, visit: &mut Visitor<'_, 9>) -> Statistics {
        let mut statistics = Statistics::default();
        if let Some(mut state) = State::read(values(puzzle.grid())) {
            let _ = state.search(visit, &mut statistics);
        }
        statistics
    }

    fn allows(&self, _: &Grid<9>) -> bool {
        true // the search finds the contradiction itself
    }
}

/// All cells of a band. Bit `9 * row + column` is the cell in that row of the band.
///
/// ```text
///            stack 0     stack 1     stack 2
/// row 0     0  1  2  |  3  4  5  |  6  7  8
/// row 1     9 10 11  | 12 13 14  | 15 16 17
/// row 2    18 19 20  | 21 22 23  | 24 25 26
/// ```
const BAND: u32 = 0x7ff_ffff;

/// The cells of the first row.
const ROW: u32 = 0x1ff;

/// The cells of each box.
const BOXES: [u32; 3] = [0o007_007_007, 0o070_070_070, 0o700_700_700];

/// By set of cells of a row: the stacks that contain them.
const STACKS: [u8; 512] = {
    let mut table = [0; 512];
    let mut cells = 0;
    while cells < 512 {
        let mut stack = 0;
        while stack < 3 {
            if cells >> (3 * stack) & 7 != 0 {
                table[cells] |= 1 << stack;
            }
            stack += 1;
        }
        cells += 1;
    }
    table
};

/// For the minis (three cells of a row in one box; bit `3 * row + stack`) that a digit can be in,
/// the cells of those that are in one of the ways to give each row a box of its own.
const POSSIBLE: [u32; 512] = {
    const WAYS: [usize; 6] = [
        0o421, // row 0 in stack 0, row 1 in stack 1, row 2 in stack 2
        0o241, 0o412, 0o142, 0o214, 0o124,
    ];
    let mut table = [0; 512];
    let mut minis = 0;
    while minis < 512 {
        let mut way = 0;
        while way < 6 {
            if minis & WAYS[way] == WAYS[way] {
                let mut mini = 0;
                while mini < 9 {
                    if WAYS[way] >> mini & 1 != 0 {
                        table[minis] |= 7 << (3 * mini);
                    }
                    mini += 1;
                }
            }
            way += 1;
        }
        minis += 1;
    }
    table
};

/// For the columns that a digit can be in within a band, the cells of the other bands that it can
/// still go to: not a column that is the only one of its box.
const OTHER_BANDS: [u32; 512] = {
    let mut table = [0; 512];
    let mut columns = 0usize;
    while columns < 512 {
        let mut gone = 0;
        let mut stack = 0;
        while stack < 3 {
            let part = columns & (7 << (3 * stack));
            if part & part.wrapping_sub(1) == 0 {
                gone |= part as u32;
            }
            stack += 1;
        }
        table[columns] = BAND & !(gone | gone << 9 | gone << 18);
        columns += 1;
    }
    table
};

/// For each cell of a band, the cells of the band that its digit can then be in: itself and those
/// outside its row and box.
const AROUND: [u32; 27] = {
    let mut table = [0; 27];
    let mut cell = 0;
    while cell < 27 {
        let seen = ROW << (cell / 9 * 9) | BOXES[cell % 9 / 3];
        table[cell] = BAND & !seen | 1 << cell;
        cell += 1;
    }
    table
};

#[derive(Clone, Copy)]
struct State {
    /// By band and digit, the cells the digit can go to.
    cells: [[u32; 9]; 3],
    /// The same at the last deduction in the band of the digit.
    seen: [[u32; 9]; 3],
    /// By band, the cells whose digit has not been taken from the other digits' words.
    open: [u32; 3],
    /// By band, the cells of two candidates; up to date when a guess is made.
    pairs: [u32; 3],
}

/// A contradiction.
struct Dead;

impl State {
    /// The puzzle with its givens placed, or `None` when they contradict each other.
    fn read(puzzle: &Bytes) -> Option<Self> {
        let mut state = State {
            cells: [[BAND; 9]; 3],
            seen: [[0; 9]; 3],
            open: [BAND; 3],
            pairs: [0; 3],
        };
        let mut givens = [[0; 9]; 3];
        for band in 0..3 {
            for cell in 0..27 {
                let value = puzzle[27 * band + cell] as usize;
                if value == 0 {
                    continue;
                }
                if value > 9 || state.cells[band][value - 1] >> cell & 1 == 0 {
                    return None;
                }
                givens[band][value - 1] |= 1 << cell;
                state.open[band] &= !(1 << cell);
                state.place(band, value - 1, cell);
            }
        }
        for band in 0..3 {
            for digit in 0..9 {
                state.cells[band][digit] &= state.open[band] | givens[band][digit];
            }
        }
        Some(state)
    }

    /// Takes a digit from the cells that see a cell.
    #[inline(always)]
    fn place(&mut self, band: usize, digit: usize, cell: usize) {
        let column = 0o001_001_001 << (cell % 9);
        self.cells[band][digit] &= AROUND[cell];
        self.cells[(band + 1) % 3][digit] &= !column;
        self.cells[(band + 2) % 3][digit] &= !column;
    }

    fn search(
        &mut self,
        visit: &mut Visitor<'_, 9>,
        statistics: &mut Statistics,
    ) -> ControlFlow<()> {
        statistics.nodes += 1;
        if self.settle().is_err() {
            return ControlFlow::Continue(());
        }
        if self.open == [0; 3] {
            return visit(&self.write());
        }
        let (band, cell) = self.choose();
        for digit in 0..9 {
            if self.cells[band][digit] >> cell & 1 == 0 {
                continue;
            }
            let mut guessed = *self;
            for other in 0..9 {
                guessed.cells[band][other] &= !(1 << cell);
            }
            guessed.cells[band][digit] |= 1 << cell;
            guessed.place(band, digit, cell);
            // The last digit of a cell is no guess.
            let candidates = (0..9).filter(|&d| self.cells[band][d] >> cell & 1 != 0);
            statistics.guesses += u64::from(candidates.count() > 1);
            guessed.search(visit, statistics)?;
            self.cells[band][digit] &= !(1 << cell);
        }
        ControlFlow::Continue(())
    }

    /// Deduces until nothing changes.
    fn settle(&mut self) -> Result<(), Dead> {
        loop {
            let mut changed = true;
            while changed {
                changed = false;
                for digit in 0..9 {
                    changed |= self.look_again::<0>(digit)?;
                    changed |= self.look_again::<1>(digit)?;
                    changed |= self.look_again::<2>(digit)?;
                }
            }
            if self.open == [0; 3] || !self.place_singles()? {
                return Ok(());
            }
        }
    }

    /// Applies the deductions from one digit's cells in one band, if they have changed. Returns
    /// whether they have.
    #[inline(always)]
    fn look_again<const B: usize>(&mut self, digit: usize) -> Result<bool, Dead> {
        let band = B; // a constant, so that the places of the words are known
        let cells = self.cells[band][digit];
        if cells == self.seen[band][digit] {
            return Ok(false);
        }
        let minis = STACKS[(cells & ROW) as usize] as usize
            | (STACKS[(cells >> 9 & ROW) as usize] as usize) << 3
            | (STACKS[(cells >> 18 & ROW) as usize] as usize) << 6;
        let cells = cells & POSSIBLE[minis & 511]; // the mask spares a check of the bounds
        if cells == 0 {
            return Err(Dead);
        }
        self.cells[band][digit] = cells;
        self.seen[band][digit] = cells;
        let columns = (cells | cells >> 9 | cells >> 18) & ROW;
        let others = OTHER_BANDS[columns as usize];
        self.cells[(band + 1) % 3][digit] &= others;
        self.cells[(band + 2) % 3][digit] &= others;

        let mut decided = 0;
        for block in &BOXES {
            let inside = cells & block;
            if inside & inside.wrapping_sub(1) == 0 {
                decided |= inside;
            }
        }
        if decided & self.open[band] != 0 {
            self.open[band] &= !decided;
            for other in 0..9 {
                self.cells[band][other] &= !decided;
            }
            self.cells[band][digit] |= decided;
        }
        Ok(true)
    }

    /// Places the digits of cells that have one candidate. Returns whether there were any.
    fn place_singles(&mut self) -> Result<bool, Dead> {
        let mut any = false;
        for band in 0..3 {
            let (mut once, mut twice, mut thrice) = (0, 0, 0);
            for &cells in &self.cells[band] {
                thrice |= twice & cells;
                twice |= once & cells;
                once |= cells;
            }
            if once != BAND {
                return Err(Dead);
            }
            self.pairs[band] = twice & !thrice;
            let mut singles = !twice & self.open[band];
            self.open[band] &= !singles;
            while singles != 0 {
                any = true;
                let cell = singles.trailing_zeros() as usize;
                singles &= singles - 1;
                for digit in 0..9 {
                    if self.cells[band][digit] >> cell & 1 != 0 {
                        self.place(band, digit, cell);
                        break;
                    }
                }
            }
        }
        Ok(any)
    }

    /// The band and cell to guess in: of two candidates, or the first open one.
    fn choose(&self) -> (usize, usize) {
        for cells in [&self.pairs, &self.open] {
            for band in 0..3 {
                if cells[band] != 0 {
                    return (band, cells[band].trailing_zeros() as usize);
                }
            }
        }
        unreachable!("a guess is made in a state with an open cell")
    }

    /// The grid of a solved state.
    fn write(&self) -> Grid<9> {
        let mut grid = Grid::EMPTY;
        let values = values_mut(&mut grid);
        for band in 0..3 {
            for digit in 0..9 {
                let mut cells = self.cells[band][digit];
                while cells != 0 {
                    values[27 * band + cells.trailing_zeros() as usize] = digit as u8 + 1;
                    cells &= cells - 1;
                }
            }
        }
        grid
    }
}

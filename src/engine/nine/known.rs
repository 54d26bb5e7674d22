//! Grids with very many solutions: before any guess, the digits of a known complete grid are tried.
//!
//! A search fills most cells of such a grid one by one, by guesses that are nearly always right. This
//! module fills nine cells at a time instead: all places of one digit of a known complete grid, whose digits
//! are renamed to match the givens. The remaining grid is searched like any other; afterwards the
//! search covers the solutions that disagree with the digits tried.

/// The candidates of a grid, in the layout of an engine.
pub(super) trait Cells: Copy {
    /// No candidates.
    const NONE: Self;
    /// The candidates of a cell.
    fn get(&self, cell: usize) -> u16;
    /// Replaces the candidates of a cell.
    fn set(&mut self, cell: usize, candidates: u16);
    /// The number of candidates of the grid.
    fn count(&self) -> u16;
}

/// Counts the candidates of a cell with operations that a compiler can vectorise.
#[inline(always)]
pub(super) fn ones(candidates: u16) -> u16 {
    let pairs = candidates - (candidates >> 1 & 0x5555);
    let fours = (pairs & 0x3333) + (pairs >> 2 & 0x3333);
    let bytes = (fours + (fours >> 4)) & 0x0f0f;
    (bytes + (bytes >> 8)) & 0x1f
}

/// The progress of the search of one puzzle, besides the grids on its stack.
#[derive(Clone, Debug)]
pub(super) struct Plan<C> {
    phase: Phase,
    /// The digits of the known grid, those that fit best last, and the puzzle's candidate for each.
    digits: [(u8, u16); 9],
    /// The number of `digits` that have not been tried.
    left: usize,
    /// The number of nested grids at the bottom of the stack: each is the puzzle with some of the digits,
    /// and contains the next.
    nested: usize,
    /// The grid with all digits that led to no contradiction, later the nested grid that is searched.
    kept: C,
    /// The nested grid that was searched before.
    searched: C,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Phase {
    /// No guess has been made.
    Fresh,
    /// A search by guesses alone.
    Plain,
    /// The digits are being tried, one after the other.
    Trying,
    /// The search is below `kept`.
    Searching,
    /// The search is below `kept`, without the solutions below `searched`.
    Excluding,
}

/// The digit index of a cell of the known grid: each row is the previous one shifted by three, in
/// the next band by one more.
const fn known(cell: usize) -> usize {
    let (row, column) = (cell / 9, cell % 9);
    (3 * (row % 3) + row / 3 + column) % 9
}

/// The cells of each digit of the known grid.
const PLACES: [[u8; 9]; 9] = {
    let mut places = [[0; 9]; 9];
    let mut cell = 0;
    while cell < 81 {
        places[known(cell)][cell / 9] = cell as u8;
        cell += 1;
    }
    places
};

/// The number of candidates from which the known grid is tried. Puzzles with one solution rarely have more
/// than 240 before the first guess, grids with 8 to 16 random givens nearly always more than 300. In
/// unit tests it is tried for every grid.
const MIN_CANDIDATES: u16 = if cfg!(test) { 1 } else { 280 };

/// The sum of all cells, as numbers, from which candidates are counted: a candidate adds 57 on average.
pub(super) const MIN_SUM: u16 = if cfg!(test) { 1 } else { 15_500 };

impl<C: Cells> Plan<C> {
    pub(super) fn new() -> Self {
        Plan {
            phase: Phase::Fresh,
            digits: [(0, 0); 9],
            left: 0,
            nested: 0,
            kept: C::NONE,
            searched: C::NONE,
        }
    }

    /// Resets the plan for another puzzle.
    #[inline(always)]
    pub(super) fn restart(&mut self) {
        self.phase = Phase::Fresh;
    }

    /// Continues without the known grid, for a puzzle that had too few candidates before.
    #[inline(always)]
    pub(super) fn give_up(&mut self) {
        self.phase = Phase::Plain;
    }

    /// Takes an open grid, whose cells have this sum. Returns the grid to continue with, or `None` to
    /// guess in this one.
    #[inline(always)]
    pub(super) fn open(
        &mut self,
        sum: u32,
        grid: impl FnOnce() -> C,
        stack: &mut Vec<C>,
    ) -> Option<C> {
        match self.phase {
            Phase::Plain | Phase::Searching | Phase::Excluding => None,
            Phase::Fresh => {
                self.phase = Phase::Plain;
                if sum < u32::from(MIN_SUM) {
                    return None;
                }
                let grid = grid();
                if grid.count() < MIN_CANDIDATES {
                    return None;
                }
                self.begin(&grid)
            }
            Phase::Trying => self.keep(&grid(), stack),
        }
    }

    /// Prepares the digits and tries the first.
    #[cold]
    #[inline(never)]
    fn begin(&mut self, grid: &C) -> Option<C> {
        self.digits = renamed(grid);
        self.left = 9;
        self.nested = 0;
        self.kept = *grid;
        self.phase = Phase::Trying;
        self.try_next()
    }

    /// Keeps the digits tried last and tries the next.
    #[cold]
    #[inline(never)]
    fn keep(&mut self, grid: &C, stack: &mut Vec<C>) -> Option<C> {
        stack.push(self.kept);
        self.nested += 1;
        self.kept = *grid;
        self.try_next()
    }

    /// The kept grid with the next digit in all its places that allow it. `None` when no digit is left that changes it.
    #[inline(always)]
    fn try_next(&mut self) -> Option<C> {
        while self.left > 0 {
            self.left -= 1;
            let (known, candidate) = self.digits[self.left];
            let mut grid = self.kept;
            let mut changed = false;
            for &cell in &PLACES[usize::from(known)] {
                let candidates = grid.get(usize::from(cell));
                if candidates & candidate != 0 && candidates != candidate {
                    grid.set(usize::from(cell), candidate);
                    changed = true;
                }
            }
            if changed {
                return Some(grid);
            }
        }
        self.phase = Phase::Searching;
        None
    }

    /// Whether only the grids on the stack are left to search.
    #[inline(always)]
    pub(super) fn is_simple(&self) -> bool {
        matches!(self.phase, Phase::Fresh | Phase::Plain)
    }

    /// The grid to continue with after a contradiction or a solution; `None` at the end of the search.
    #[cold]
    #[inline(never)]
    pub(super) fn pop(&mut self, stack: &mut Vec<C>) -> Option<C> {
        if self.phase == Phase::Trying {
            return self.try_next().or(Some(self.kept));
        }
        let next = stack.pop()?;
        if stack.len() < self.nested {
            self.nested = stack.len();
            self.searched = self.kept;
            self.kept = next;
            self.phase = Phase::Excluding;
        }
        Some(next)
    }

    /// Whether a solution was not found before.
    #[inline(always)]
    pub(super) fn is_new(&mut self, solution: impl FnOnce() -> C, stack: &mut Vec<C>) -> bool {
        match self.phase {
            Phase::Fresh | Phase::Plain | Phase::Searching => true,
            Phase::Trying | Phase::Excluding => self.compare(&solution(), stack),
        }
    }

    #[cold]
    #[inline(never)]
    fn compare(&mut self, solution: &C, stack: &mut Vec<C>) -> bool {
        if self.phase == Phase::Trying {
            // It is the only one with the digits kept and tried.
            stack.push(self.kept);
            self.nested += 1;
            self.kept = *solution;
            self.phase = Phase::Searching;
            return true;
        }
        (0..81).any(|cell| solution.get(cell) & !self.searched.get(cell) != 0)
    }

    /// The same in another layout.
    pub(super) fn copy_to<D>(&self, plan: &mut Plan<D>, convert: impl Fn(&C) -> D) {
        *plan = Plan {
            phase: self.phase,
            digits: self.digits,
            left: self.left,
            nested: self.nested,
            kept: convert(&self.kept),
            searched: convert(&self.searched),
        };
    }
}

/// Renames the digits of the known grid: each decided cell decides a pair that is still free, the other digits are paired in
/// order. Those whose pairs disagree with the fewest decided cells come last.
fn renamed<C: Cells>(grid: &C) -> [(u8, u16); 9] {
    const NONE: u8 = 9;
    let mut decided = [(0, 0); 81];
    let mut count = 0;
    for cell in 0..81 {
        let candidates = grid.get(cell);
        decided[count] = (known(cell), candidates.trailing_zeros() as usize);
        count += usize::from(candidates & candidates.wrapping_sub(1) == 0);
    }
    let decided = &decided[..count];
    let (mut pair, mut taken) = ([NONE; 9], [false; 9]);
    for &(known, digit) in decided {
        if pair[known] == NONE && !taken[digit] {
            pair[known] = digit as u8;
            taken[digit] = true;
        }
    }
    let mut free = (0..9).filter(|&digit| !taken[digit]);
    for digit in &mut pair {
        if *digit == NONE {
            *digit = free.next().unwrap_or(0) as u8;
        }
    }
    let mut against = [0u8; 9]; // by the puzzle's digits
    for &(known, digit) in decided {
        let other = usize::from(pair[known]);
        if other != digit {
            against[digit] += 1;
            against[other] += 1;
        }
    }
    let mut order: [u16; 9] = core::array::from_fn(|known| {
        u16::from(against[usize::from(pair[known])]) << 4 | known as u16
    });
    order.sort_unstable_by(|a, b| b.cmp(a));
    order.map(|key| {
        let known = (key & 15) as u8;
        (known, 1 << pair[usize::from(known)])
    })
}

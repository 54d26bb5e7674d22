//! The candidates of a grid in four views, and their propagation.
//!
//! ```text
//!   sets[CELL][r][c]     digits still open in cell (r, c)         1 bit per digit
//!   sets[ROW][d][r]      columns of row r where d is open         1 bit per column
//!   sets[COLUMN][d][c]   rows of column c where d is open         1 bit per row
//!   sets[BOX][d][b]      places of box b where d is open          1 bit per cell of the box
//! ```
//!
//! A candidate (r, c, d) is one bit in each view; a set with one member left is a naked single in
//! the first view and a hidden single in the others; a set with none is a contradiction. All but
//! the first view are laid out digit by digit, so that placing a digit touches three short runs of
//! memory, and locked candidates of a digit are found in one of them.

use crate::engine::mask::Mask;
use crate::grid::{Cell, Digit, Grid};
use crate::rules::box_side;

/// A digit in its cell, waiting to be placed.
#[derive(Clone, Copy, Debug)]
pub struct Placement {
    pub row: u8,
    pub column: u8,
    pub digit: u8,
}

impl Placement {
    #[inline(always)]
    pub fn new(row: usize, column: usize, digit: usize) -> Self {
        Placement {
            row: row as u8,
            column: column as u8,
            digit: digit as u8,
        }
    }
}

/// One of the `4 * N * N` sets: view, and the two indices into it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SetId {
    pub view: View,
    pub major: u8,
    pub minor: u8,
}

/// Which of the four views.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    Cell = 0,
    Row = 1,
    Column = 2,
    Box = 3,
}

impl View {
    pub const ALL: [View; 4] = [View::Cell, View::Row, View::Column, View::Box];
}

/// The views as indices of [`Views::sets`] and [`Views::open`].
pub const CELL: usize = View::Cell as usize;
pub const ROW: usize = View::Row as usize;
pub const COLUMN: usize = View::Column as usize;
pub const BOX: usize = View::Box as usize;

impl SetId {
    #[inline(always)]
    pub fn new(view: View, major: usize, minor: usize) -> Self {
        SetId {
            view,
            major: major as u8,
            minor: minor as u8,
        }
    }

    /// The candidate that is member `member` of this set.
    #[inline(always)]
    pub fn candidate<const N: usize>(self, member: usize) -> Placement {
        let side = box_side(N);
        let (major, minor) = (usize::from(self.major), usize::from(self.minor));
        match self.view {
            View::Cell => Placement::new(major, minor, member),
            View::Row => Placement::new(minor, member, major),
            View::Column => Placement::new(member, minor, major),
            View::Box => Placement::new(
                minor / side * side + member / side,
                minor % side * side + member % side,
                major,
            ),
        }
    }
}

/// Pending placements, and the digits that have lost candidates since the last search for locked
/// candidates. Reused between searches for its memory only.
#[derive(Clone, Debug, Default)]
pub struct Agenda {
    pub placements: Vec<Placement>,
    /// One bit per digit.
    pub dirty: u64,
}

impl Agenda {
    pub fn clear(&mut self) {
        self.placements.clear();
        self.dirty = 0;
    }

    /// Handles a set with at most one member left: queues the placement of the only one.
    ///
    /// Not inlined: few removals call it, from many places. `VIEW` is the set's view.
    #[inline(never)]
    fn settle<const N: usize, const VIEW: usize, M: Mask>(
        &mut self,
        major: usize,
        minor: usize,
        left: M,
    ) -> Consistent {
        let set = SetId::new(View::ALL[VIEW], major, minor);
        if left.is_empty() {
            return Err(set);
        }
        self.placements.push(set.candidate::<N>(left.smallest()));
        Ok(())
    }
}

/// The remaining candidates, see the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Views<const N: usize, M> {
    pub sets: [[[M; N]; N]; 4],
    /// Which sets of each view have no placed digit; laid out like the views, a bit for each set.
    pub open: [[M; N]; 4],
}

/// Checks that every set of each view has a member; the error is an empty set.
pub type Consistent = Result<(), SetId>;

impl<const N: usize, M: Mask> Views<N, M> {
    pub(super) const SIDE: usize = box_side(N);

    /// Views without candidates or placements, to be filled.
    pub fn empty() -> Self {
        Views {
            sets: [[[M::EMPTY; N]; N]; 4],
            open: [[M::EMPTY; N]; 4],
        }
    }

    /// `puzzle` and every digit placed since.
    pub fn solution(&self, puzzle: &Grid<N>) -> Grid<N> {
        let mut grid = *puzzle;
        for (r, line) in puzzle.rows().iter().enumerate() {
            for (c, &held) in line.iter().enumerate() {
                let digits = self.sets[CELL][r][c];
                if held == 0 && !digits.has_several() {
                    let digit = Digit::from_index(digits.smallest());
                    grid.set(Cell::from_index(r * N + c), Some(digit));
                }
            }
        }
        grid
    }

    /// Propagates everything on the agenda until nothing changes.
    pub fn propagate(&mut self, agenda: &mut Agenda) -> Consistent {
        loop {
            while let Some(next) = agenda.placements.pop() {
                self.place(next, agenda)?;
            }
            if agenda.dirty == 0 {
                return Ok(());
            }
            while agenda.dirty != 0 {
                let d = agenda.dirty.smallest();
                agenda.dirty = agenda.dirty.without_smallest();
                self.lock(d, agenda)?;
            }
        }
    }

    /// Puts a digit into its cell and removes the candidates that this rules out.
    pub fn place(&mut self, placement: Placement, agenda: &mut Agenda) -> Consistent {
        let side = Self::SIDE;
        let (r, c, d) = (
            usize::from(placement.row),
            usize::from(placement.column),
            usize::from(placement.digit),
        );
        let (top, left) = (r / side, c / side);
        let b = top * side + left;
        let place = M::single(r % side * side + c % side);
        let (digit, column, row) = (M::single(d), M::single(c), M::single(r));
        let was = self.sets[CELL][r][c];
        if (was & digit).is_empty() {
            return Err(SetId::new(View::Cell, r, c));
        }
        if !self.open[ROW][d].has(r) {
            return Ok(());
        }
        self.open[CELL][r] &= !column;
        self.open[ROW][d] &= !row;
        self.open[COLUMN][d] &= !column;
        self.open[BOX][d] &= !M::single(b);
        let mut dirty = 0;
        // The other digits of the cell.
        let others = was & !digit;
        if !others.is_empty() {
            self.sets[CELL][r][c] = digit;
            for e in others.members() {
                dirty |= u64::single(e);
                self.shrink::<ROW>(e, r, column, agenda)?;
                self.shrink::<COLUMN>(e, c, row, agenda)?;
                self.shrink::<BOX>(e, b, place, agenda)?;
            }
        }
        // The digit's other cells in the row, then in the column, then in the rest of the box.
        let others = self.sets[ROW][d][r] & !column;
        if !others.is_empty() {
            dirty |= u64::single(d);
            self.sets[ROW][d][r] = column;
            for x in others.members() {
                self.shrink::<CELL>(r, x, digit, agenda)?;
                self.shrink::<COLUMN>(d, x, row, agenda)?;
            }
            let line = r % side * side;
            for k in 0..side {
                let part = others >> (k * side) & M::first(side);
                if k != left && !part.is_empty() {
                    self.shrink::<BOX>(d, top * side + k, part << line, agenda)?;
                }
            }
        }
        let others = self.sets[COLUMN][d][c] & !row;
        if !others.is_empty() {
            dirty |= u64::single(d);
            self.sets[COLUMN][d][c] = row;
            for y in others.members() {
                self.shrink::<CELL>(y, c, digit, agenda)?;
                self.shrink::<ROW>(d, y, column, agenda)?;
                if y / side != top {
                    let gone = M::single(y % side * side + c % side);
                    self.shrink::<BOX>(d, y / side * side + left, gone, agenda)?;
                }
            }
        }
        let others = self.sets[BOX][d][b] & !place;
        if !others.is_empty() {
            dirty |= u64::single(d);
            self.sets[BOX][d][b] = place;
            for p in others.members() {
                let (y, x) = (top * side + p / side, left * side + p % side);
                // Those in the same row or column are gone already, but for this view.
                if y != r && x != c {
                    self.shrink::<CELL>(y, x, digit, agenda)?;
                    self.shrink::<ROW>(d, y, M::single(x), agenda)?;
                    self.shrink::<COLUMN>(d, x, M::single(y), agenda)?;
                }
            }
        }
        agenda.dirty |= dirty;
        Ok(())
    }

    /// Locked candidates of digit `d`: a box that has it in one line only takes it from the rest of
    /// the line, a line that has it in one box only from the rest of the box.
    fn lock(&mut self, d: usize, agenda: &mut Agenda) -> Consistent {
        let side = Self::SIDE;
        let segment = M::first(side);
        let comb: M = comb(side);
        for b in self.open[BOX][d].members() {
            let (top, left) = (b / side * side, b % side * side);
            let places = self.sets[BOX][d][b];
            let k = places.smallest() / side;
            if (places & !(segment << (k * side))).is_empty() {
                let r = top + k;
                for c in (self.sets[ROW][d][r] & !(segment << left)).members() {
                    self.remove(r, c, d, agenda)?;
                }
            }
            let k = places.smallest() % side;
            if (places & !(comb << k)).is_empty() {
                let c = left + k;
                for r in (self.sets[COLUMN][d][c] & !(segment << top)).members() {
                    self.remove(r, c, d, agenda)?;
                }
            }
        }
        for r in self.open[ROW][d].members() {
            let columns = self.sets[ROW][d][r];
            let k = columns.smallest() / side;
            if (columns & !(segment << (k * side))).is_empty() {
                let (top, left) = (r / side * side, k * side);
                let rest = self.sets[BOX][d][top + k] & !(segment << (r % side * side));
                for p in rest.members() {
                    self.remove(top + p / side, left + p % side, d, agenda)?;
                }
            }
        }
        for c in self.open[COLUMN][d].members() {
            let rows = self.sets[COLUMN][d][c];
            let k = rows.smallest() / side;
            if (rows & !(segment << (k * side))).is_empty() {
                let (top, left) = (k * side, c / side * side);
                let rest = self.sets[BOX][d][top + c / side] & !(comb << (c % side));
                for p in rest.members() {
                    self.remove(top + p / side, left + p % side, d, agenda)?;
                }
            }
        }
        Ok(())
    }

    /// Removes one candidate.
    pub fn remove(&mut self, r: usize, c: usize, d: usize, agenda: &mut Agenda) -> Consistent {
        let side = Self::SIDE;
        agenda.dirty |= u64::single(d);
        self.shrink::<CELL>(r, c, M::single(d), agenda)?;
        self.shrink::<ROW>(d, r, M::single(c), agenda)?;
        self.shrink::<COLUMN>(d, c, M::single(r), agenda)?;
        let b = r / side * side + c / side;
        self.shrink::<BOX>(d, b, M::single(r % side * side + c % side), agenda)
    }

    /// Removes members from a set of the view `VIEW`.
    #[inline(always)]
    pub(super) fn shrink<const VIEW: usize>(
        &mut self,
        major: usize,
        minor: usize,
        gone: M,
        agenda: &mut Agenda,
    ) -> Consistent {
        let set = &mut self.sets[VIEW][major][minor];
        *set &= !gone;
        let left = *set;
        if left.has_several() {
            return Ok(());
        }
        agenda.settle::<N, VIEW, M>(major, minor, left)
    }
}

/// The members `0, side, 2 * side, ...` of a box: its first column.
pub(super) fn comb<M: Mask>(side: usize) -> M {
    (0..side).fold(M::EMPTY, |set, k| set | M::single(k * side))
}

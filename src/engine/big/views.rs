//! The candidates of a grid in four views, and what follows from them.
//!
//! ```text
//!   cells[r][c]     digits still open in cell (r, c)         1 bit per digit
//!   rows[d][r]      columns of row r where d is open         1 bit per column
//!   columns[d][c]   rows of column c where d is open         1 bit per row
//!   boxes[d][b]     places of box b where d is open          1 bit per cell of the box
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
    const ALL: [View; 4] = [View::Cell, View::Row, View::Column, View::Box];
}

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

/// Placements that follow and have not been made yet, and which digits have lost candidates since
/// locked candidates were last looked for. Kept between searches: only its memory matters then.
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

    /// Follows up a set that has not several members left: its only one is to be placed.
    ///
    /// Few removals lead here, and they are made in many places: in each of them this would be
    /// most of the code. `VIEW` is the set's.
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

/// The candidates that are left, see the [module](self).
#[derive(Clone, Debug)]
pub struct Views<const N: usize, M> {
    pub cells: [[M; N]; N],
    pub rows: [[M; N]; N],
    pub columns: [[M; N]; N],
    pub boxes: [[M; N]; N],
    /// Which sets of each view have no placed digit; laid out like the views, a bit for each set.
    pub open: [[M; N]; 4],
}

/// Every set of each view has a member, or else this one has not.
pub type Consistent = Result<(), SetId>;

impl<const N: usize, M: Mask> Views<N, M> {
    const SIDE: usize = box_side(N);

    /// Nothing open, nothing placed: to be filled.
    pub fn empty() -> Self {
        Views {
            cells: [[M::EMPTY; N]; N],
            rows: [[M::EMPTY; N]; N],
            columns: [[M::EMPTY; N]; N],
            boxes: [[M::EMPTY; N]; N],
            open: [[M::EMPTY; N]; 4],
        }
    }

    /// The candidates that the givens leave, set by set, without going through the candidates one
    /// by one; singles are put on the agenda. The givens must not contradict each other.
    pub fn load(&mut self, puzzle: &Grid<N>, agenda: &mut Agenda) -> Consistent {
        let side = Self::SIDE;
        let full = M::first(N);
        self.open = [[full; N]; 4];
        // By row, column, box: its digits. By box: its open places; by column: its open rows.
        let (mut row_has, mut column_has, mut box_has) =
            ([M::EMPTY; N], [M::EMPTY; N], [M::EMPTY; N]);
        let (mut open_in_column, mut open_in_box) = ([full; N], [full; N]);
        for (r, line) in puzzle.rows().iter().enumerate() {
            for (c, held) in line.iter().enumerate() {
                if let Some(digit) = held {
                    let d = digit.index();
                    let b = r / side * side + c / side;
                    let bit = M::single(d);
                    row_has[r] |= bit;
                    column_has[c] |= bit;
                    box_has[b] |= bit;
                    open_in_column[c] &= !M::single(r);
                    open_in_box[b] &= !M::single(r % side * side + c % side);
                    self.open[0][r] &= !M::single(c);
                    self.open[1][d] &= !M::single(r);
                    self.open[2][d] &= !M::single(c);
                    self.open[3][d] &= !M::single(b);
                }
            }
        }
        agenda.clear();
        agenda.dirty = u64::first(N);
        for r in 0..N {
            for c in 0..N {
                self.cells[r][c] =
                    full & !(row_has[r] | column_has[c] | box_has[r / side * side + c / side]);
            }
            for c in self.open[0][r].members() {
                self.shrink_cell(r, c, M::EMPTY, agenda)?;
            }
        }
        let segment = M::first(side);
        let comb: M = comb(side);
        for d in 0..N {
            let (rows, columns, boxes) = (self.open[1][d], self.open[2][d], self.open[3][d]);
            for band in 0..side {
                // The columns of this band's, the rows of this stack's open boxes.
                let (mut open_columns, mut open_rows) = (M::EMPTY, M::EMPTY);
                for k in 0..side {
                    if boxes.has(band * side + k) {
                        open_columns |= segment << (k * side);
                    }
                    if boxes.has(k * side + band) {
                        open_rows |= segment << (k * side);
                    }
                }
                for line in band * side..(band + 1) * side {
                    self.rows[d][line] = self.open[0][line] & columns & open_columns;
                    self.columns[d][line] = open_in_column[line] & rows & open_rows;
                }
                let mut in_rows = M::EMPTY;
                for k in 0..side {
                    if rows.has(band * side + k) {
                        in_rows |= segment << (k * side);
                    }
                }
                for stack in 0..side {
                    let b = band * side + stack;
                    let mut in_columns = M::EMPTY;
                    for k in 0..side {
                        if columns.has(stack * side + k) {
                            in_columns |= comb << k;
                        }
                    }
                    self.boxes[d][b] = open_in_box[b] & in_rows & in_columns;
                }
            }
            for line in rows.members() {
                self.shrink_row(d, line, M::EMPTY, agenda)?;
            }
            for line in columns.members() {
                self.shrink_column(d, line, M::EMPTY, agenda)?;
            }
            for b in boxes.members() {
                self.shrink_box(d, b, M::EMPTY, agenda)?;
            }
        }
        for (cell, digit) in puzzle.givens() {
            let (r, c, d) = (cell.row(), cell.column(), digit.index());
            self.cells[r][c] = M::single(d);
            self.rows[d][r] = M::single(c);
            self.columns[d][c] = M::single(r);
            self.boxes[d][cell.box_index()] = M::single(r % side * side + c % side);
        }
        Ok(())
    }

    /// The same from what is left in each cell when nothing follows any more: of the sets without a
    /// placed digit, none has a single member, and no candidate is locked.
    pub fn load_settled(&mut self, cells: &[[M; N]; N], agenda: &mut Agenda) {
        let side = Self::SIDE;
        *self = Self::empty();
        self.cells = *cells;
        self.open = [[M::first(N); N]; 4];
        agenda.clear();
        for r in 0..N {
            for c in 0..N {
                let (b, place) = (r / side * side + c / side, r % side * side + c % side);
                let digits = cells[r][c];
                for d in digits.members() {
                    self.rows[d][r] |= M::single(c);
                    self.columns[d][c] |= M::single(r);
                    self.boxes[d][b] |= M::single(place);
                }
                if !digits.has_several() {
                    let d = digits.smallest();
                    self.open[0][r] &= !M::single(c);
                    self.open[1][d] &= !M::single(r);
                    self.open[2][d] &= !M::single(c);
                    self.open[3][d] &= !M::single(b);
                }
            }
        }
    }

    /// The views, each with its sets.
    pub fn all(&self) -> [(View, &[[M; N]; N]); 4] {
        [
            (View::Cell, &self.cells),
            (View::Row, &self.rows),
            (View::Column, &self.columns),
            (View::Box, &self.boxes),
        ]
    }

    /// `puzzle` and every digit placed since.
    pub fn solution(&self, puzzle: &Grid<N>) -> Grid<N> {
        let mut grid = *puzzle;
        for (r, line) in puzzle.rows().iter().enumerate() {
            for (c, held) in line.iter().enumerate() {
                let digits = self.cells[r][c];
                if held.is_none() && !digits.has_several() {
                    let digit = Digit::from_index(digits.smallest());
                    grid.set(Cell::from_index(r * N + c), Some(digit));
                }
            }
        }
        grid
    }

    /// Follows up everything on the agenda until nothing follows any more.
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

    /// Puts a digit into its cell and takes the candidates away that this rules out.
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
        let was = self.cells[r][c];
        if (was & digit).is_empty() {
            return Err(SetId::new(View::Cell, r, c));
        }
        if !self.open[1][d].has(r) {
            return Ok(());
        }
        self.open[0][r] &= !column;
        self.open[1][d] &= !row;
        self.open[2][d] &= !column;
        self.open[3][d] &= !M::single(b);
        let mut dirty = 0;
        // The other digits of the cell.
        let others = was & !digit;
        if !others.is_empty() {
            self.cells[r][c] = digit;
            for e in others.members() {
                dirty |= u64::single(e);
                self.shrink_row(e, r, column, agenda)?;
                self.shrink_column(e, c, row, agenda)?;
                self.shrink_box(e, b, place, agenda)?;
            }
        }
        // The digit's other cells in the row, then in the column, then in the rest of the box.
        let others = self.rows[d][r] & !column;
        if !others.is_empty() {
            dirty |= u64::single(d);
            self.rows[d][r] = column;
            for x in others.members() {
                self.shrink_cell(r, x, digit, agenda)?;
                self.shrink_column(d, x, row, agenda)?;
            }
            let line = r % side * side;
            for k in 0..side {
                let part = others >> (k * side) & M::first(side);
                if k != left && !part.is_empty() {
                    self.shrink_box(d, top * side + k, part << line, agenda)?;
                }
            }
        }
        let others = self.columns[d][c] & !row;
        if !others.is_empty() {
            dirty |= u64::single(d);
            self.columns[d][c] = row;
            for y in others.members() {
                self.shrink_cell(y, c, digit, agenda)?;
                self.shrink_row(d, y, column, agenda)?;
                if y / side != top {
                    let gone = M::single(y % side * side + c % side);
                    self.shrink_box(d, y / side * side + left, gone, agenda)?;
                }
            }
        }
        let others = self.boxes[d][b] & !place;
        if !others.is_empty() {
            dirty |= u64::single(d);
            self.boxes[d][b] = place;
            for p in others.members() {
                let (y, x) = (top * side + p / side, left * side + p % side);
                // Those in the same row or column are gone already, but for this view.
                if y != r && x != c {
                    self.shrink_cell(y, x, digit, agenda)?;
                    self.shrink_row(d, y, M::single(x), agenda)?;
                    self.shrink_column(d, x, M::single(y), agenda)?;
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
        for b in self.open[3][d].members() {
            let (top, left) = (b / side * side, b % side * side);
            let places = self.boxes[d][b];
            let k = places.smallest() / side;
            if (places & !(segment << (k * side))).is_empty() {
                let r = top + k;
                for c in (self.rows[d][r] & !(segment << left)).members() {
                    self.remove(r, c, d, agenda)?;
                }
            }
            let k = places.smallest() % side;
            if (places & !(comb << k)).is_empty() {
                let c = left + k;
                for r in (self.columns[d][c] & !(segment << top)).members() {
                    self.remove(r, c, d, agenda)?;
                }
            }
        }
        for r in self.open[1][d].members() {
            let columns = self.rows[d][r];
            let k = columns.smallest() / side;
            if (columns & !(segment << (k * side))).is_empty() {
                let (top, left) = (r / side * side, k * side);
                let rest = self.boxes[d][top + k] & !(segment << (r % side * side));
                for p in rest.members() {
                    self.remove(top + p / side, left + p % side, d, agenda)?;
                }
            }
        }
        for c in self.open[2][d].members() {
            let rows = self.columns[d][c];
            let k = rows.smallest() / side;
            if (rows & !(segment << (k * side))).is_empty() {
                let (top, left) = (k * side, c / side * side);
                let rest = self.boxes[d][top + c / side] & !(comb << (c % side));
                for p in rest.members() {
                    self.remove(top + p / side, left + p % side, d, agenda)?;
                }
            }
        }
        Ok(())
    }

    /// Takes one candidate away.
    pub fn remove(&mut self, r: usize, c: usize, d: usize, agenda: &mut Agenda) -> Consistent {
        let side = Self::SIDE;
        agenda.dirty |= u64::single(d);
        self.shrink_cell(r, c, M::single(d), agenda)?;
        self.shrink_row(d, r, M::single(c), agenda)?;
        self.shrink_column(d, c, M::single(r), agenda)?;
        let b = r / side * side + c / side;
        self.shrink_box(d, b, M::single(r % side * side + c % side), agenda)
    }

    #[inline(always)]
    fn shrink_cell(&mut self, r: usize, c: usize, gone: M, agenda: &mut Agenda) -> Consistent {
        let set = &mut self.cells[r][c];
        *set &= !gone;
        let left = *set;
        if left.has_several() {
            return Ok(());
        }
        agenda.settle::<N, { View::Cell as usize }, M>(r, c, left)
    }

    #[inline(always)]
    fn shrink_row(&mut self, d: usize, r: usize, gone: M, agenda: &mut Agenda) -> Consistent {
        let set = &mut self.rows[d][r];
        *set &= !gone;
        let left = *set;
        if left.has_several() {
            return Ok(());
        }
        agenda.settle::<N, { View::Row as usize }, M>(d, r, left)
    }

    #[inline(always)]
    fn shrink_column(&mut self, d: usize, c: usize, gone: M, agenda: &mut Agenda) -> Consistent {
        let set = &mut self.columns[d][c];
        *set &= !gone;
        let left = *set;
        if left.has_several() {
            return Ok(());
        }
        agenda.settle::<N, { View::Column as usize }, M>(d, c, left)
    }

    #[inline(always)]
    fn shrink_box(&mut self, d: usize, b: usize, gone: M, agenda: &mut Agenda) -> Consistent {
        let set = &mut self.boxes[d][b];
        *set &= !gone;
        let left = *set;
        if left.has_several() {
            return Ok(());
        }
        agenda.settle::<N, { View::Box as usize }, M>(d, b, left)
    }
}

/// The members `0, side, 2 * side, ...` of a box: its first column.
fn comb<M: Mask>(side: usize) -> M {
    (0..side).fold(M::EMPTY, |set, k| set | M::single(k * side))
}

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
use crate::grid::{Cell, Digit, Grid, box_side};

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
}

/// The candidates that are left, see the [module](self).
#[derive(Clone, Debug)]
pub struct Views<const N: usize, M> {
    pub cells: [[M; N]; N],
    pub rows: [[M; N]; N],
    pub columns: [[M; N]; N],
    pub boxes: [[M; N]; N],
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
        }
    }

    /// The candidates that the givens leave, view by view, without going through the candidates
    /// one by one; singles are put on the agenda.
    pub fn load(&mut self, puzzle: &Grid<N>, agenda: &mut Agenda) -> Consistent {
        let side = Self::SIDE;
        let none = M::EMPTY;
        let full = M::first(N);
        let (mut row_has, mut column_has, mut box_has) = ([none; N], [none; N], [none; N]);
        // By row: open columns; by column: open rows; by box: open places.
        let (mut open_in_row, mut open_in_column, mut open_in_box) =
            ([full; N], [full; N], [full; N]);
        // By digit: rows, columns, boxes that hold it.
        let (mut in_rows, mut in_columns, mut in_boxes) = ([none; N], [none; N], [none; N]);
        for (r, line) in puzzle.rows().iter().enumerate() {
            for (c, held) in line.iter().enumerate() {
                if let Some(digit) = held {
                    let d = digit.index();
                    let b = r / side * side + c / side;
                    let bit = M::single(d);
                    row_has[r] |= bit;
                    column_has[c] |= bit;
                    box_has[b] |= bit;
                    open_in_row[r] &= !M::single(c);
                    open_in_column[c] &= !M::single(r);
                    open_in_box[b] &= !M::single(r % side * side + c % side);
                    in_rows[d] |= M::single(r);
                    in_columns[d] |= M::single(c);
                    in_boxes[d] |= M::single(b);
                }
            }
        }
        for r in 0..N {
            for c in 0..N {
                self.cells[r][c] =
                    full & !(row_has[r] | column_has[c] | box_has[r / side * side + c / side]);
            }
        }
        let segment = M::first(side);
        let comb: M = comb(side);
        for d in 0..N {
            // Columns, rows that a band's, a stack's boxes with the digit close.
            let (mut by_band, mut by_stack) = ([none; 8], [none; 8]);
            for b in in_boxes[d].members() {
                let (band, stack) = (b / side, b % side);
                by_band[band] |= segment << (stack * side);
                by_stack[stack] |= segment << (band * side);
            }
            for r in 0..N {
                self.rows[d][r] = open_in_row[r] & !(in_columns[d] | by_band[r / side]);
            }
            for r in in_rows[d].members() {
                self.rows[d][r] = none;
            }
            for c in 0..N {
                self.columns[d][c] = open_in_column[c] & !(in_rows[d] | by_stack[c / side]);
            }
            for c in in_columns[d].members() {
                self.columns[d][c] = none;
            }
            for band in 0..side {
                let rows = in_rows[d] >> (band * side) & segment;
                let mut closed = none;
                for k in rows.members() {
                    closed |= segment << (k * side);
                }
                for stack in 0..side {
                    let columns = in_columns[d] >> (stack * side) & segment;
                    let mut closed = closed;
                    for k in columns.members() {
                        closed |= comb << k;
                    }
                    self.boxes[d][band * side + stack] = open_in_box[band * side + stack] & !closed;
                }
            }
            for b in in_boxes[d].members() {
                self.boxes[d][b] = none;
            }
        }
        for (cell, digit) in puzzle.givens() {
            let (r, c, d) = (cell.row(), cell.column(), digit.index());
            self.cells[r][c] = M::single(d);
            self.rows[d][r] = M::single(c);
            self.columns[d][c] = M::single(r);
            self.boxes[d][cell.box_index()] = M::single(r % side * side + c % side);
        }
        agenda.clear();
        agenda.dirty = u64::first(N);
        for (view, sets) in self.all() {
            for (major, line) in sets.iter().enumerate() {
                for (minor, &set) in line.iter().enumerate() {
                    if !set.has_several() {
                        let id = SetId::new(view, major, minor);
                        if set.is_empty() {
                            return Err(id);
                        }
                        let found = id.candidate::<N>(set.smallest());
                        let (r, c) = (usize::from(found.row), usize::from(found.column));
                        if puzzle.rows()[r][c].is_none() {
                            agenda.placements.push(found);
                        }
                    }
                }
            }
        }
        Ok(())
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

    /// Every set.
    pub fn sets(&self) -> impl Iterator<Item = (SetId, M)> + '_ {
        self.all().into_iter().flat_map(|(view, sets)| {
            sets.iter().enumerate().flat_map(move |(major, line)| {
                line.iter()
                    .enumerate()
                    .map(move |(minor, &set)| (SetId::new(view, major, minor), set))
            })
        })
    }

    /// The digits that are placed.
    pub fn solution_so_far(&self) -> Grid<N> {
        let mut grid = Grid::EMPTY;
        for cell in Cell::all() {
            let digits = self.cells[cell.row()][cell.column()];
            if !digits.has_several() {
                grid.set(cell, Some(Digit::from_index(digits.smallest())));
            }
        }
        grid
    }

    /// The grid, when every set has one member left.
    pub fn solution(&self) -> Grid<N> {
        let mut grid = Grid::EMPTY;
        for cell in Cell::all() {
            let digit = self.cells[cell.row()][cell.column()].smallest();
            grid.set(cell, Some(Digit::from_index(digit)));
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
        for b in 0..N {
            let (top, left) = (b / side * side, b % side * side);
            let places = self.boxes[d][b];
            if !places.has_several() {
                continue;
            }
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
        for line in 0..N {
            let columns = self.rows[d][line];
            if columns.has_several() {
                let k = columns.smallest() / side;
                if (columns & !(segment << (k * side))).is_empty() {
                    let b = line / side * side + k;
                    let rest = self.boxes[d][b] & !(segment << (line % side * side));
                    for p in rest.members() {
                        self.remove(
                            line / side * side + p / side,
                            k * side + p % side,
                            d,
                            agenda,
                        )?;
                    }
                }
            }
            let rows = self.columns[d][line];
            if rows.has_several() {
                let k = rows.smallest() / side;
                if (rows & !(segment << (k * side))).is_empty() {
                    let b = k * side + line / side;
                    let rest = self.boxes[d][b] & !(comb << (line % side));
                    for p in rest.members() {
                        self.remove(
                            k * side + p / side,
                            line / side * side + p % side,
                            d,
                            agenda,
                        )?;
                    }
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
        if !set.has_several() {
            if set.is_empty() {
                return Err(SetId::new(View::Cell, r, c));
            }
            let found = Placement::new(r, c, set.smallest());
            agenda.placements.push(found);
        }
        Ok(())
    }

    #[inline(always)]
    fn shrink_row(&mut self, d: usize, r: usize, gone: M, agenda: &mut Agenda) -> Consistent {
        let set = &mut self.rows[d][r];
        *set &= !gone;
        if !set.has_several() {
            if set.is_empty() {
                return Err(SetId::new(View::Row, d, r));
            }
            let found = Placement::new(r, set.smallest(), d);
            agenda.placements.push(found);
        }
        Ok(())
    }

    #[inline(always)]
    fn shrink_column(&mut self, d: usize, c: usize, gone: M, agenda: &mut Agenda) -> Consistent {
        let set = &mut self.columns[d][c];
        *set &= !gone;
        if !set.has_several() {
            if set.is_empty() {
                return Err(SetId::new(View::Column, d, c));
            }
            let found = Placement::new(set.smallest(), c, d);
            agenda.placements.push(found);
        }
        Ok(())
    }

    #[inline(always)]
    fn shrink_box(&mut self, d: usize, b: usize, gone: M, agenda: &mut Agenda) -> Consistent {
        let set = &mut self.boxes[d][b];
        *set &= !gone;
        if !set.has_several() {
            let id = SetId::new(View::Box, d, b);
            if set.is_empty() {
                return Err(id);
            }
            let found = id.candidate::<N>(set.smallest());
            agenda.placements.push(found);
        }
        Ok(())
    }
}

/// The members `0, side, 2 * side, ...` of a box: its first column.
fn comb<M: Mask>(side: usize) -> M {
    (0..side).fold(M::EMPTY, |set, k| set | M::single(k * side))
}

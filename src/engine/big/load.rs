//! Builds the views of a puzzle before the search.

use super::views::{Agenda, BOX, CELL, COLUMN, Consistent, ROW, Views, comb};
use crate::engine::mask::Mask;
use crate::grid::Grid;

impl<const N: usize, M: Mask> Views<N, M> {
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
            for (c, &held) in line.iter().enumerate() {
                if held > 0 {
                    let d = usize::from(held) - 1;
                    let b = r / side * side + c / side;
                    let bit = M::single(d);
                    row_has[r] |= bit;
                    column_has[c] |= bit;
                    box_has[b] |= bit;
                    open_in_column[c] &= !M::single(r);
                    open_in_box[b] &= !M::single(r % side * side + c % side);
                    self.open[CELL][r] &= !M::single(c);
                    self.open[ROW][d] &= !M::single(r);
                    self.open[COLUMN][d] &= !M::single(c);
                    self.open[BOX][d] &= !M::single(b);
                }
            }
        }
        agenda.clear();
        agenda.dirty = u64::first(N);
        for r in 0..N {
            for c in 0..N {
                self.sets[CELL][r][c] =
                    full & !(row_has[r] | column_has[c] | box_has[r / side * side + c / side]);
            }
            for c in self.open[CELL][r].members() {
                self.shrink::<CELL>(r, c, M::EMPTY, agenda)?;
            }
        }
        let segment = M::first(side);
        let comb: M = comb(side);
        for d in 0..N {
            let (rows, columns, boxes) =
                (self.open[ROW][d], self.open[COLUMN][d], self.open[BOX][d]);
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
                    self.sets[ROW][d][line] = self.open[CELL][line] & columns & open_columns;
                    self.sets[COLUMN][d][line] = open_in_column[line] & rows & open_rows;
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
                    self.sets[BOX][d][b] = open_in_box[b] & in_rows & in_columns;
                }
            }
            for line in rows.members() {
                self.shrink::<ROW>(d, line, M::EMPTY, agenda)?;
            }
            for line in columns.members() {
                self.shrink::<COLUMN>(d, line, M::EMPTY, agenda)?;
            }
            for b in boxes.members() {
                self.shrink::<BOX>(d, b, M::EMPTY, agenda)?;
            }
        }
        for (cell, digit) in puzzle.givens() {
            let (r, c, d) = (cell.row(), cell.column(), digit.index());
            self.sets[CELL][r][c] = M::single(d);
            self.sets[ROW][d][r] = M::single(c);
            self.sets[COLUMN][d][c] = M::single(r);
            self.sets[BOX][d][cell.box_index()] = M::single(r % side * side + c % side);
        }
        Ok(())
    }

    /// Builds the views from the fully propagated candidates of each cell: of the sets without a
    /// placed digit, none has a single member, and no candidate is locked.
    pub fn load_settled(&mut self, cells: &[[M; N]; N], agenda: &mut Agenda) {
        let side = Self::SIDE;
        *self = Self::empty();
        self.sets[CELL] = *cells;
        self.open = [[M::first(N); N]; 4];
        agenda.clear();
        for r in 0..N {
            for c in 0..N {
                let (b, place) = (r / side * side + c / side, r % side * side + c % side);
                let digits = cells[r][c];
                for d in digits.members() {
                    self.sets[ROW][d][r] |= M::single(c);
                    self.sets[COLUMN][d][c] |= M::single(r);
                    self.sets[BOX][d][b] |= M::single(place);
                }
                if !digits.has_several() {
                    let d = digits.smallest();
                    self.open[CELL][r] &= !M::single(c);
                    self.open[ROW][d] &= !M::single(r);
                    self.open[COLUMN][d] &= !M::single(c);
                    self.open[BOX][d] &= !M::single(b);
                }
            }
        }
    }
}

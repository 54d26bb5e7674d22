// UVa 1309: fills 16x16 Sudokus until the end of the input
// Made by `judge bundle uva1309 --to rust` from commit 54955e06
// Licence: MIT OR Apache-2.0
use crate::sudoku::engine::big::LargeViews;

fn main() -> std::process::ExitCode {
    crate::uva1309::run(LargeViews)
}

mod uva1309 {
    use crate::program::Failure;
    use std::process::ExitCode;
    use crate::sudoku::engine::Engine;
    use crate::sudoku::notation::Notation;

    pub fn run(mut engine: impl Engine<16>) -> ExitCode {
        crate::program::run(|input, output| {
            let mut number = 0;
            while let Some(puzzle) = input.grid(Notation::DASHED_ROWS)? {
                number += 1;
                let solution = engine.first(&puzzle).ok_or(Failure::NoSolution(number))?;
                if number > 1 {
                    output.text("\n")?;
                }
                output.grid(Notation::DASHED_ROWS, &solution)?;
            }
            Ok(())
        })
    }
}

mod sudoku {
    pub mod engine {
        pub mod big {
            mod large {
                use super::search::{Plan, search};
                use super::views::Views;
                use crate::sudoku::engine::mask::Mask;
                use crate::sudoku::engine::{Checked, Method, Statistics, Visitor};
                use crate::sudoku::grid::Grid;
                use crate::sudoku::rules::expect_square;

                #[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
                pub struct LargeViews;
                macro_rules! engine {
                    ($engine:ty, $plan:ty) => {
                        impl < const N : usize > Method < N > for $engine { fn search(&
                        mut self, puzzle : Checked <'_, N >, visit : & mut Visitor <'_, N
                        >) -> Statistics { expect_square::< N > (); search::< N, $plan >
                        (puzzle.grid(), visit) } }
                    };
                }
                engine!(LargeViews, ViewsOnly);
                struct ViewsOnly;
                impl Plan for ViewsOnly {
                    fn patience(_: usize) -> u64 {
                        u64::MAX
                    }

                    fn finish<const N: usize, M: Mask>(
                        _: &Grid<N>,
                        _: &Views<N, M>,
                        _: &[Grid<N>],
                        _: &mut Statistics,
                        _: &mut Visitor<'_, N>,
                    ) {}
                }
            }

            mod load {
                use super::views::{
                    Agenda, BOX, CELL, COLUMN, Consistent, ROW, Views, comb,
                };

                use crate::sudoku::engine::mask::Mask;
                use crate::sudoku::grid::Grid;

                impl<const N: usize, M: Mask> Views<N, M> {
                    pub fn load(
                        &mut self,
                        puzzle: &Grid<N>,
                        agenda: &mut Agenda,
                    ) -> Consistent {
                        let side = Self::SIDE;
                        let full = M::first(N);
                        self.open = [[full; N]; 4];
                        let (mut row_has, mut column_has, mut box_has) = (
                            [M::EMPTY; N],
                            [M::EMPTY; N],
                            [M::EMPTY; N],
                        );
                        let (mut open_in_column, mut open_in_box) = (
                            [full; N],
                            [full; N],
                        );
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
                                self.sets[CELL][r][c] = full
                                    & !(row_has[r] | column_has[c]
                                        | box_has[r / side * side + c / side]);
                            }
                            for c in self.open[CELL][r].members() {
                                self.shrink::<CELL>(r, c, M::EMPTY, agenda)?;
                            }
                        }
                        let segment = M::first(side);
                        let comb: M = comb(side);
                        for d in 0..N {
                            let (rows, columns, boxes) = (
                                self.open[ROW][d],
                                self.open[COLUMN][d],
                                self.open[BOX][d],
                            );
                            for band in 0..side {
                                let (mut open_columns, mut open_rows) = (
                                    M::EMPTY,
                                    M::EMPTY,
                                );
                                for k in 0..side {
                                    if boxes.has(band * side + k) {
                                        open_columns |= segment << (k * side);
                                    }
                                    if boxes.has(k * side + band) {
                                        open_rows |= segment << (k * side);
                                    }
                                }
                                for line in band * side..(band + 1) * side {
                                    self.sets[ROW][d][line] = self.open[CELL][line] & columns
                                        & open_columns;
                                    self.sets[COLUMN][d][line] = open_in_column[line] & rows
                                        & open_rows;
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
                                    self.sets[BOX][d][b] = open_in_box[b] & in_rows
                                        & in_columns;
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
                            self.sets[BOX][d][cell.box_index()] = M::single(
                                r % side * side + c % side,
                            );
                        }
                        Ok(())
                    }

                    pub fn load_settled(
                        &mut self,
                        cells: &[[M; N]; N],
                        agenda: &mut Agenda,
                    ) {
                        let side = Self::SIDE;
                        *self = Self::empty();
                        self.sets[CELL] = *cells;
                        self.open = [[M::first(N); N]; 4];
                        agenda.clear();
                        for r in 0..N {
                            for c in 0..N {
                                let (b, place) = (
                                    r / side * side + c / side,
                                    r % side * side + c % side,
                                );
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
            }

            mod propagate16 {
                pub(super) type Cells = [[u16; 16]; 16];
                type Line = [u64; 4];
                type Lines = [Line; 16];
                #[derive(Clone, Copy, PartialEq, Eq, Debug)]
                pub(super) enum Root {
                    Dead,
                    Solved,
                    Open,
                }

                const NONE: Line = [0; 4];
                const ALL: Line = [!0; 4];
                const LOW_BITS: u64 = 0x0001_0001_0001_0001;
                const HIGH_BITS: u64 = 0x8000_8000_8000_8000;
                #[inline(always)]
                fn filled(word: u64) -> u64 {
                    let top = (((word & !HIGH_BITS) + !HIGH_BITS) | word) & HIGH_BITS;
                    top | (top - (top >> 15))
                }

                #[inline(always)]
                fn without_smallest(word: u64) -> u64 {
                    let less = ((word | HIGH_BITS) - LOW_BITS) ^ (!word & HIGH_BITS);
                    word & less
                }

                #[inline(always)]
                fn map(a: Line, f: impl Fn(u64) -> u64) -> Line {
                    [f(a[0]), f(a[1]), f(a[2]), f(a[3])]
                }

                #[inline(always)]
                fn zip(a: Line, b: Line, f: impl Fn(u64, u64) -> u64) -> Line {
                    [f(a[0], b[0]), f(a[1], b[1]), f(a[2], b[2]), f(a[3], b[3])]
                }

                #[inline(always)]
                fn or(a: Line, b: Line) -> Line {
                    zip(a, b, |a, b| a | b)
                }

                #[inline(always)]
                fn and(a: Line, b: Line) -> Line {
                    zip(a, b, |a, b| a & b)
                }

                #[inline(always)]
                fn without(a: Line, b: Line) -> Line {
                    zip(a, b, |a, b| a & !b)
                }

                #[inline(always)]
                fn turn<const BY: u32>(a: Line) -> Line {
                    map(a, |word| word.rotate_right(16 * BY))
                }

                #[inline(always)]
                fn turn_segments<const BY: usize>(a: Line) -> Line {
                    [a[BY & 3], a[(BY + 1) & 3], a[(BY + 2) & 3], a[(BY + 3) & 3]]
                }

                #[inline(always)]
                fn over_lanes(a: Line) -> Line {
                    let two = or(a, turn::<1>(a));
                    or(two, turn::<2>(two))
                }

                #[inline(always)]
                fn over_words(a: Line) -> Line {
                    let two = or(a, turn_segments::<1>(a));
                    or(two, turn_segments::<2>(two))
                }

                #[derive(Clone, Copy)]
                struct Counted {
                    once: Line,
                    twice: Line,
                }

                impl Counted {
                    #[inline(always)]
                    fn one(once: Line) -> Self {
                        Counted { once, twice: NONE }
                    }

                    #[inline(always)]
                    fn join(self, other: Self) -> Self {
                        let both = and(self.once, other.once);
                        Counted {
                            once: or(self.once, other.once),
                            twice: or(or(self.twice, other.twice), both),
                        }
                    }

                    #[inline(always)]
                    fn join4(parts: [Self; 4]) -> Self {
                        parts[0].join(parts[1]).join(parts[2].join(parts[3]))
                    }

                    #[inline(always)]
                    fn in_segments(lanes: Line) -> Self {
                        let two = Counted::one(lanes)
                            .join(Counted::one(turn::<1>(lanes)));
                        two.join(Counted {
                            once: turn::<2>(two.once),
                            twice: turn::<2>(two.twice),
                        })
                    }

                    #[inline(always)]
                    fn over_segments(lanes: Line) -> Self {
                        let two = Counted::one(lanes)
                            .join(Counted::one(turn_segments::<1>(lanes)));
                        two.join(Counted {
                            once: turn_segments::<2>(two.once),
                            twice: turn_segments::<2>(two.twice),
                        })
                    }
                }

                #[inline(always)]
                fn of_others(four: [Line; 4]) -> [Line; 4] {
                    let (first, last) = (or(four[0], four[1]), or(four[2], four[3]));
                    [
                        or(four[1], last),
                        or(four[0], last),
                        or(first, four[3]),
                        or(first, four[2]),
                    ]
                }

                #[inline(always)]
                fn or4(four: [Line; 4]) -> Line {
                    or(or(four[0], four[1]), or(four[2], four[3]))
                }

                #[inline(always)]
                fn four(lines: &Lines, band: usize) -> [Line; 4] {
                    let first = 4 * band;
                    [lines[first], lines[first + 1], lines[first + 2], lines[first + 3]]
                }

                pub(super) fn settle(cells: &mut Cells) -> Root {
                    let mut lines = [NONE; 16];
                    for (line, row) in lines.iter_mut().zip(&*cells) {
                        for (word, cells) in line.iter_mut().zip(row.chunks_exact(4)) {
                            *word = (0..4)
                                .fold(0, |word, k| word | u64::from(cells[k]) << (16 * k));
                        }
                    }
                    let root = settle_lines(&mut lines);
                    for (row, line) in cells.iter_mut().zip(&lines) {
                        for (cells, word) in row.chunks_exact_mut(4).zip(line) {
                            for (k, cell) in cells.iter_mut().enumerate() {
                                *cell = (word >> (16 * k)) as u16;
                            }
                        }
                    }
                    root
                }

                fn settle_lines(cells: &mut Lines) -> Root {
                    loop {
                        let before = *cells;
                        take_singles(cells);
                        let (mut everywhere, mut hidden, mut locked) = (
                            ALL,
                            [NONE; 16],
                            [NONE; 16],
                        );
                        look_at_rows(cells, &mut everywhere, &mut hidden, &mut locked);
                        look_at_columns(
                            cells,
                            &mut everywhere,
                            &mut hidden,
                            &mut locked,
                        );
                        let (mut changed, mut several) = (NONE, NONE);
                        for r in 0..16 {
                            let left = without(cells[r], locked[r]);
                            let forced = and(left, hidden[r]);
                            cells[r] = zip(
                                left,
                                forced,
                                |left, forced| forced | left & !filled(forced),
                            );
                            changed = or(
                                changed,
                                zip(cells[r], before[r], |a, b| a ^ b),
                            );
                            several = or(several, map(cells[r], without_smallest));
                            everywhere = and(everywhere, map(cells[r], filled));
                        }
                        if everywhere != ALL {
                            return Root::Dead;
                        }
                        if changed == NONE {
                            return if several == NONE {
                                Root::Solved
                            } else {
                                Root::Open
                            };
                        }
                    }
                }

                #[inline(always)]
                fn take_singles(cells: &mut Lines) {
                    let mut singles = [NONE; 16];
                    let (mut rows, mut segments, mut columns) = (
                        [NONE; 16],
                        [NONE; 16],
                        NONE,
                    );
                    for r in 0..16 {
                        let single = map(
                            cells[r],
                            |word| word & !filled(without_smallest(word)),
                        );
                        singles[r] = single;
                        columns = or(columns, single);
                        segments[r] = over_lanes(single);
                        rows[r] = over_words(segments[r]);
                    }
                    for band in 0..4 {
                        let boxes = or(or4(four(&segments, band)), columns);
                        for r in 4 * band..4 * band + 4 {
                            cells[r] = or(
                                without(cells[r], or(rows[r], boxes)),
                                singles[r],
                            );
                        }
                    }
                }

                #[inline(always)]
                fn look_at_rows(
                    cells: &Lines,
                    everywhere: &mut Line,
                    hidden: &mut Lines,
                    locked: &mut Lines,
                ) {
                    let (mut once, mut twice, mut claimed) = (
                        [NONE; 16],
                        [NONE; 16],
                        [NONE; 16],
                    );
                    for r in 0..16 {
                        let segment = Counted::in_segments(cells[r]);
                        let by_row = Counted::over_segments(segment.once);
                        let several = or(by_row.twice, over_words(segment.twice));
                        hidden[r] = without(by_row.once, several);
                        *everywhere = and(*everywhere, by_row.once);
                        claimed[r] = without(segment.once, by_row.twice);
                        (once[r], twice[r]) = (segment.once, segment.twice);
                    }
                    for band in 0..4 {
                        let by_box = Counted::join4(four(&once, band).map(Counted::one));
                        *everywhere = and(*everywhere, by_box.once);
                        let several = or(by_box.twice, or4(four(&twice, band)));
                        let hidden_in_box = without(by_box.once, several);
                        let claimed = of_others(four(&claimed, band));
                        for r in 4 * band..4 * band + 4 {
                            hidden[r] = or(hidden[r], hidden_in_box);
                            let pointed = without(once[r], by_box.twice);
                            let others = or(
                                or(
                                    turn_segments::<1>(pointed),
                                    turn_segments::<2>(pointed),
                                ),
                                turn_segments::<3>(pointed),
                            );
                            locked[r] = or(others, claimed[r % 4]);
                        }
                    }
                }

                #[inline(always)]
                fn look_at_columns(
                    cells: &Lines,
                    everywhere: &mut Line,
                    hidden: &mut Lines,
                    locked: &mut Lines,
                ) {
                    let (mut once, mut pointed) = ([NONE; 4], [NONE; 4]);
                    let mut by_column = Counted::one(NONE);
                    let mut several = NONE;
                    for band in 0..4 {
                        let segment = Counted::join4(
                            four(cells, band).map(Counted::one),
                        );
                        several = or(several, segment.twice);
                        by_column = by_column.join(Counted::one(segment.once));
                        let by_box = Counted::in_segments(segment.once);
                        pointed[band] = without(segment.once, by_box.twice);
                        once[band] = segment.once;
                    }
                    let hidden_in_column = without(
                        by_column.once,
                        or(by_column.twice, several),
                    );
                    *everywhere = and(*everywhere, by_column.once);
                    let pointed = of_others(pointed);
                    for band in 0..4 {
                        let claimed = without(once[band], by_column.twice);
                        let others = or(
                            or(turn::<1>(claimed), turn::<2>(claimed)),
                            turn::<3>(claimed),
                        );
                        let gone = or(pointed[band], others);
                        for r in 4 * band..4 * band + 4 {
                            hidden[r] = or(hidden[r], hidden_in_column);
                            locked[r] = or(locked[r], gone);
                        }
                    }
                }
            }

            mod search {
                use super::propagate16::{self, Root};
                use super::views::{Agenda, Placement, SetId, View, Views};
                use crate::sudoku::engine::mask::Mask;
                use crate::sudoku::engine::{Statistics, Visitor};
                use crate::sudoku::grid::Grid;

                pub trait Plan {
                    fn patience(side: usize) -> u64;
                    fn finish<const N: usize, M: Mask>(
                        puzzle: &Grid<N>,
                        views: &Views<N, M>,
                        found: &[Grid<N>],
                        statistics: &mut Statistics,
                        visit: &mut Visitor<'_, N>,
                    );
                }

                const MAX_CARRIED: usize = 64;
                pub fn search<const N: usize, P: Plan>(
                    puzzle: &Grid<N>,
                    visit: &mut Visitor<'_, N>,
                ) -> Statistics {
                    if const { N <= 16 } {
                        Search::<N, u16>::run::<P>(puzzle, visit)
                    } else if const { N <= 32 } {
                        Search::<N, u32>::run::<P>(puzzle, visit)
                    } else {
                        Search::<N, u64>::run::<P>(puzzle, visit)
                    }
                }

                fn root_of<const N: usize>(
                    puzzle: &Grid<N>,
                ) -> (propagate16::Cells, Root) {
                    let mut cells = [[!0; 16]; 16];
                    for (cells, line) in cells.iter_mut().zip(puzzle.rows()) {
                        for (cell, held) in cells.iter_mut().zip(line) {
                            *cell = if *held == 0 { !0 } else { 1 << (held - 1) };
                        }
                    }
                    let root = propagate16::settle(&mut cells);
                    (cells, root)
                }

                fn solution_of<const N: usize>(cells: &propagate16::Cells) -> Grid<N> {
                    let mut grid = Grid::EMPTY;
                    for (line, cells) in grid.rows_mut().iter_mut().zip(cells) {
                        for (cell, digits) in line.iter_mut().zip(cells) {
                            *cell = digits.trailing_zeros() as u8 + 1;
                        }
                    }
                    grid
                }

                struct Search<'a, 'v, const N: usize, M> {
                    puzzle: &'a Grid<N>,
                    views: Views<N, M>,
                    agenda: Agenda,
                    stack: Vec<(Views<N, M>, Placement)>,
                    weights: [[[f32; N]; N]; 4],
                    heaviest: [[f32; N]; 4],
                    found: Vec<Grid<N>>,
                    failures: u64,
                    statistics: Statistics,
                    visit: &'a mut Visitor<'v, N>,
                }

                impl<'a, 'v, const N: usize, M: Mask> Search<'a, 'v, N, M> {
                    fn run<P: Plan>(
                        puzzle: &'a Grid<N>,
                        visit: &'a mut Visitor<'v, N>,
                    ) -> Statistics {
                        let mut cells = [[M::EMPTY; N]; N];
                        if const { N == 16 } {
                            let settled = root_of(puzzle);
                            let statistics = Statistics { nodes: 1, guesses: 0 };
                            match settled {
                                (_, Root::Dead) => return statistics,
                                (cells, Root::Solved) => {
                                    let solution = solution_of(&cells);
                                    let _ = visit(&solution);
                                    return statistics;
                                }
                                (left, Root::Open) => {
                                    for (line, left) in cells.iter_mut().zip(&left) {
                                        for (cell, &left) in line.iter_mut().zip(left) {
                                            *cell = M::from(left);
                                        }
                                    }
                                }
                            }
                        }
                        let mut search: Search<'_, '_, N, M> = Search {
                            puzzle,
                            views: Views::<N, M>::empty(),
                            agenda: Agenda::default(),
                            stack: Vec::new(),
                            weights: [[[1.0; N]; N]; 4],
                            heaviest: [[1.0; N]; 4],
                            found: Vec::new(),
                            failures: 0,
                            statistics: Statistics::default(),
                            visit,
                        };
                        let loaded = if const { N == 16 } {
                            search.views.load_settled(&cells, &mut search.agenda);
                            Ok(())
                        } else {
                            search.views.load(puzzle, &mut search.agenda)
                        };
                        if loaded.is_ok() {
                            search.work::<P>();
                        }
                        search.statistics
                    }

                    fn work<P: Plan>(&mut self) {
                        let patience = P::patience(N);
                        if patience == 0 {
                            self.statistics.nodes += 1;
                            if self.views.propagate(&mut self.agenda).is_ok() {
                                let (puzzle, views) = (self.puzzle, &self.views);
                                P::finish(
                                    puzzle,
                                    views,
                                    &[],
                                    &mut self.statistics,
                                    self.visit,
                                );
                            }
                            return;
                        }
                        loop {
                            self.statistics.nodes += 1;
                            match self.views.propagate(&mut self.agenda) {
                                Ok(()) => {
                                    match self.choose() {
                                        Some(guess) => {
                                            self.statistics.guesses += 1;
                                            self.stack.push((self.views, guess));
                                            self.agenda.placements.push(guess);
                                            continue;
                                        }
                                        None => {
                                            let solution = self.views.solution(self.puzzle);
                                            if (self.visit)(&solution).is_break() {
                                                return;
                                            }
                                            if self.found.len() <= MAX_CARRIED && patience != u64::MAX {
                                                self.found.push(solution);
                                            }
                                            self.failures = 0;
                                        }
                                    }
                                }
                                Err(failed) => self.blame(failed),
                            }
                            let impatient = patience != u64::MAX
                                && self.failures >= patience;
                            if impatient && self.found.len() <= MAX_CARRIED
                                && !self.stack.is_empty()
                            {
                                let (puzzle, views) = (self.puzzle, &self.stack[0].0);
                                P::finish(
                                    puzzle,
                                    views,
                                    &self.found,
                                    &mut self.statistics,
                                    self.visit,
                                );
                                return;
                            }
                            loop {
                                let (views, guess) = match self.stack.pop() {
                                    Some(guess) => guess,
                                    None => return,
                                };
                                if self.stack.is_empty() {
                                    self.found.clear();
                                }
                                self.views = views;
                                self.agenda.clear();
                                let (r, c, d) = (
                                    usize::from(guess.row),
                                    usize::from(guess.column),
                                    usize::from(guess.digit),
                                );
                                match self.views.remove(r, c, d, &mut self.agenda) {
                                    Ok(()) => break,
                                    Err(failed) => self.blame(failed),
                                }
                            }
                        }
                    }

                    fn blame(&mut self, failed: SetId) {
                        self.failures += 1;
                        let (view, major) = (
                            failed.view as usize,
                            usize::from(failed.major),
                        );
                        let weight = &mut self
                            .weights[view][major][usize::from(failed.minor)];
                        *weight += 1.0;
                        let heaviest = &mut self.heaviest[view][major];
                        *heaviest = heaviest.max(*weight);
                    }

                    fn choose(&self) -> Option<Placement> {
                        let mut best = None;
                        let mut best_score = 0.0f32;
                        for view in View::ALL {
                            let sets = &self.views.sets[view as usize];
                            for major in 0..N {
                                if self.heaviest[view as usize][major] <= best_score * 2.0 {
                                    continue;
                                }
                                let weights = &self.weights[view as usize][major];
                                for minor in self.views.open[view as usize][major].members()
                                {
                                    let weight = weights[minor];
                                    if weight <= best_score * 2.0 {
                                        continue;
                                    }
                                    let set = sets[major][minor];
                                    let score = weight / set.len() as f32;
                                    if score > best_score {
                                        best_score = score;
                                        best = Some((
                                            SetId::new(view, major, minor),
                                            set.smallest(),
                                        ));
                                    }
                                }
                            }
                        }
                        best.map(|(set, k)| set.candidate::<N>(k))
                    }
                }
            }

            mod views {
                use crate::sudoku::engine::mask::Mask;
                use crate::sudoku::grid::{Cell, Digit, Grid};
                use crate::sudoku::rules::box_side;

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

                #[derive(Clone, Copy, PartialEq, Eq, Debug)]
                pub struct SetId {
                    pub view: View,
                    pub major: u8,
                    pub minor: u8,
                }

                #[derive(Clone, Copy, PartialEq, Eq, Debug)]
                pub enum View {
                    Cell = 0,
                    Row = 1,
                    Column = 2,
                    Box = 3,
                }

                impl View {
                    pub const ALL: [View; 4] = [
                        View::Cell,
                        View::Row,
                        View::Column,
                        View::Box,
                    ];
                }

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

                    #[inline(always)]
                    pub fn candidate<const N: usize>(self, member: usize) -> Placement {
                        let side = box_side(N);
                        let (major, minor) = (
                            usize::from(self.major),
                            usize::from(self.minor),
                        );
                        match self.view {
                            View::Cell => Placement::new(major, minor, member),
                            View::Row => Placement::new(minor, member, major),
                            View::Column => Placement::new(member, minor, major),
                            View::Box => {
                                Placement::new(
                                    minor / side * side + member / side,
                                    minor % side * side + member % side,
                                    major,
                                )
                            }
                        }
                    }
                }

                #[derive(Clone, Debug, Default)]
                pub struct Agenda {
                    pub placements: Vec<Placement>,
                    pub dirty: u64,
                }

                impl Agenda {
                    pub fn clear(&mut self) {
                        self.placements.clear();
                        self.dirty = 0;
                    }

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

                #[derive(Clone, Copy, Debug)]
                pub struct Views<const N: usize, M> {
                    pub sets: [[[M; N]; N]; 4],
                    pub open: [[M; N]; 4],
                }

                pub type Consistent = Result<(), SetId>;
                impl<const N: usize, M: Mask> Views<N, M> {
                    pub(super) const SIDE: usize = box_side(N);
                    pub fn empty() -> Self {
                        Views {
                            sets: [[[M::EMPTY; N]; N]; 4],
                            open: [[M::EMPTY; N]; 4],
                        }
                    }

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

                    pub fn place(
                        &mut self,
                        placement: Placement,
                        agenda: &mut Agenda,
                    ) -> Consistent {
                        let side = Self::SIDE;
                        let (r, c, d) = (
                            usize::from(placement.row),
                            usize::from(placement.column),
                            usize::from(placement.digit),
                        );
                        let (top, left) = (r / side, c / side);
                        let b = top * side + left;
                        let place = M::single(r % side * side + c % side);
                        let (digit, column, row) = (
                            M::single(d),
                            M::single(c),
                            M::single(r),
                        );
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
                                    self.shrink::<
                                            BOX,
                                        >(d, top * side + k, part << line, agenda)?;
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
                                    self.shrink::<
                                            BOX,
                                        >(d, y / side * side + left, gone, agenda)?;
                                }
                            }
                        }
                        let others = self.sets[BOX][d][b] & !place;
                        if !others.is_empty() {
                            dirty |= u64::single(d);
                            self.sets[BOX][d][b] = place;
                            for p in others.members() {
                                let (y, x) = (
                                    top * side + p / side,
                                    left * side + p % side,
                                );
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
                                for c in (self.sets[ROW][d][r] & !(segment << left))
                                    .members()
                                {
                                    self.remove(r, c, d, agenda)?;
                                }
                            }
                            let k = places.smallest() % side;
                            if (places & !(comb << k)).is_empty() {
                                let c = left + k;
                                for r in (self.sets[COLUMN][d][c] & !(segment << top))
                                    .members()
                                {
                                    self.remove(r, c, d, agenda)?;
                                }
                            }
                        }
                        for r in self.open[ROW][d].members() {
                            let columns = self.sets[ROW][d][r];
                            let k = columns.smallest() / side;
                            if (columns & !(segment << (k * side))).is_empty() {
                                let (top, left) = (r / side * side, k * side);
                                let rest = self.sets[BOX][d][top + k]
                                    & !(segment << (r % side * side));
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
                                let rest = self.sets[BOX][d][top + c / side]
                                    & !(comb << (c % side));
                                for p in rest.members() {
                                    self.remove(top + p / side, left + p % side, d, agenda)?;
                                }
                            }
                        }
                        Ok(())
                    }

                    pub fn remove(
                        &mut self,
                        r: usize,
                        c: usize,
                        d: usize,
                        agenda: &mut Agenda,
                    ) -> Consistent {
                        let side = Self::SIDE;
                        agenda.dirty |= u64::single(d);
                        self.shrink::<CELL>(r, c, M::single(d), agenda)?;
                        self.shrink::<ROW>(d, r, M::single(c), agenda)?;
                        self.shrink::<COLUMN>(d, c, M::single(r), agenda)?;
                        let b = r / side * side + c / side;
                        self.shrink::<
                                BOX,
                            >(d, b, M::single(r % side * side + c % side), agenda)
                    }

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

                pub(super) fn comb<M: Mask>(side: usize) -> M {
                    (0..side).fold(M::EMPTY, |set, k| set | M::single(k * side))
                }
            }

            pub(crate) use large::LargeViews;
        }

        pub(crate) mod constraints {
            mod table {}
        }

        mod heaviest {}

        mod houses {
            mod map {}

            mod views {}
        }

        mod mask {
            use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not, Shl, Shr};

            pub trait Mask: Copy + Eq + BitAnd<
                    Output = Self,
                > + BitAndAssign + BitOr<
                    Output = Self,
                > + BitOrAssign + Not<
                    Output = Self,
                > + Shl<
                    usize,
                    Output = Self,
                > + Shr<usize, Output = Self> + From<u16> + Send + 'static {
                const EMPTY: Self;
                const CAPACITY: usize;
                fn single(member: usize) -> Self;
                fn first(count: usize) -> Self;
                fn len(self) -> u32;
                fn bits(self) -> u64;
                fn smallest(self) -> usize;
                fn without_smallest(self) -> Self;
                #[inline]
                fn is_empty(self) -> bool {
                    self == Self::EMPTY
                }

                #[inline]
                fn has_several(self) -> bool {
                    self.without_smallest() != Self::EMPTY
                }

                #[inline]
                fn has(self, member: usize) -> bool {
                    self & Self::single(member) != Self::EMPTY
                }

                #[inline]
                fn members(self) -> Members<Self> {
                    Members(self)
                }
            }

            macro_rules! mask {
                ($($integer:ty),*) => {
                    $(impl Mask for $integer { const EMPTY : Self = 0; const CAPACITY :
                    usize = <$integer >::BITS as usize; #[inline] fn single(member :
                    usize) -> Self { 1 << member } #[inline] fn first(count : usize) ->
                    Self { if count == Self::CAPACITY { ! 0 } else { (1 << count) - 1 } }
                    #[inline] fn len(self) -> u32 { self.count_ones() } #[inline] fn
                    bits(self) -> u64 { u64::from(self) } #[inline] fn smallest(self) ->
                    usize { self.trailing_zeros() as usize } #[inline] fn
                    without_smallest(self) -> Self { self & self.wrapping_sub(1) } })*
                };
            }
            mask!(u16, u32, u64);
            #[derive(Clone)]
            pub struct Members<M>(M);
            impl<M: Mask> Iterator for Members<M> {
                type Item = usize;
                #[inline]
                fn next(&mut self) -> Option<usize> {
                    if self.0.is_empty() {
                        return None;
                    }
                    let member = self.0.smallest();
                    self.0 = self.0.without_smallest();
                    Some(member)
                }
            }
        }

        pub mod nine {
            mod batch {
                mod lanes {}

                mod text {}
            }

            mod layout {}

            mod rules {}
        }

        use crate::sudoku::grid::Grid;
        use core::ops::{AddAssign, ControlFlow};

        #[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
        pub struct Statistics {
            pub nodes: u64,
            pub guesses: u64,
        }

        impl AddAssign for Statistics {
            fn add_assign(&mut self, other: Self) {
                self.nodes += other.nodes;
                self.guesses += other.guesses;
            }
        }

        pub trait Method<const N: usize>: Send {
            fn search(
                &mut self,
                puzzle: Checked<'_, N>,
                visit: &mut Visitor<'_, N>,
            ) -> Statistics;
            fn allows(&self, puzzle: &Grid<N>) -> bool {
                crate::sudoku::rules::allows_classic(puzzle)
            }
        }

        pub trait Engine<const N: usize>: Method<N> {
            fn for_each(
                &mut self,
                puzzle: &Grid<N>,
                mut visit: impl FnMut(&Grid<N>) -> ControlFlow<()>,
            ) -> Statistics {
                if self.allows(puzzle) {
                    self.search(Checked(puzzle), &mut visit)
                } else {
                    Statistics::default()
                }
            }

            fn first(&mut self, puzzle: &Grid<N>) -> Option<Grid<N>> {
                let mut found = None;
                self.for_each(
                    puzzle,
                    |solution| {
                        found = Some(*solution);
                        ControlFlow::Break(())
                    },
                );
                found
            }
        }

        impl<const N: usize, M: Method<N> + ?Sized> Engine<N> for M {}
        macro_rules! forward {
            ($($pointer:ty),*) => {
                $(impl < const N : usize, M : Method < N > + ? Sized > Method < N > for
                $pointer { fn search(& mut self, puzzle : Checked <'_, N >, visit : & mut
                Visitor <'_, N >) -> Statistics { (** self).search(puzzle, visit) } fn
                allows(& self, puzzle : & Grid < N >) -> bool { (** self).allows(puzzle)
                } })*
            };
        }
        forward!(& mut M, Box < M >);
        #[derive(Clone, Copy, Debug)]
        pub struct Checked<'a, const N: usize>(&'a Grid<N>);
        impl<'a, const N: usize> Checked<'a, N> {
            pub fn grid(self) -> &'a Grid<N> {
                self.0
            }
        }

        pub type Visitor<'a, const N: usize> = dyn FnMut(
            &Grid<N>,
        ) -> ControlFlow<()> + 'a;
    }

    pub mod generate {
        mod fill {}
    }

    pub mod grid {
        use core::fmt;
        use core::num::NonZeroU8;
        use core::ops::Index;

        pub const MAX_SIDE: usize = 36;
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct Digit<const N: usize>(NonZeroU8);
        impl<const N: usize> Digit<N> {
            pub const fn new(value: u8) -> Option<Self> {
                if value as usize > N {
                    return None;
                }
                match NonZeroU8::new(value) {
                    Some(value) => Some(Digit(value)),
                    None => None,
                }
            }

            pub const fn from_index(index: usize) -> Self {
                assert!(index < N, "a digit's index must be below N");
                match Self::new(index as u8 + 1) {
                    Some(digit) => digit,
                    None => panic!("a digit's index must be below N"),
                }
            }

            pub const fn value(self) -> u8 {
                self.0.get()
            }

            pub const fn index(self) -> usize {
                self.0.get() as usize - 1
            }

            pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
                (0..N).map(Self::from_index)
            }
        }

        impl<const N: usize> fmt::Display for Digit<N> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.value().fmt(f)
            }
        }

        impl<const N: usize> fmt::Debug for Digit<N> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.value().fmt(f)
            }
        }

        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct InvalidDigit {
            pub value: u8,
            pub max: u8,
        }

        impl fmt::Display for InvalidDigit {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let InvalidDigit { value, max } = self;
                write!(f, "found {value}, expected a digit from 1 to {max}")
            }
        }

        impl std::error::Error for InvalidDigit {}
        impl<const N: usize> TryFrom<u8> for Digit<N> {
            type Error = InvalidDigit;
            fn try_from(value: u8) -> Result<Self, InvalidDigit> {
                let max = N as u8;
                Digit::new(value).ok_or(InvalidDigit { value, max })
            }
        }

        impl<const N: usize> From<Digit<N>> for u8 {
            fn from(digit: Digit<N>) -> u8 {
                digit.value()
            }
        }

        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct Cell<const N: usize> {
            row: u8,
            column: u8,
        }

        impl<const N: usize> Cell<N> {
            pub const fn new(row: usize, column: usize) -> Option<Self> {
                if row < N && column < N {
                    Some(Cell {
                        row: row as u8,
                        column: column as u8,
                    })
                } else {
                    None
                }
            }

            pub const fn at(row: usize, column: usize) -> Self {
                match Self::new(row, column) {
                    Some(cell) => cell,
                    None => panic!("a cell's row and column must be below N"),
                }
            }

            pub const fn from_index(index: usize) -> Self {
                match Self::new(index / N, index % N) {
                    Some(cell) => cell,
                    None => panic!("a cell's index must be below N * N"),
                }
            }

            pub const fn row(self) -> usize {
                self.row as usize
            }

            pub const fn column(self) -> usize {
                self.column as usize
            }

            pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
                (0..N * N).map(Self::from_index)
            }
        }

        impl<const N: usize> fmt::Display for Cell<N> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "r{}c{}", self.row + 1, self.column + 1)
            }
        }

        impl<const N: usize> fmt::Debug for Cell<N> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct Grid<const N: usize> {
            rows: [[u8; N]; N],
        }

        impl<const N: usize> Grid<N> {
            pub const EMPTY: Self = {
                assert!(
                    N >= 1 && N <= MAX_SIDE,
                    "the side of a grid must be from 1 to 36",
                );
                Grid { rows: [[0; N]; N] }
            };

            pub fn get(&self, cell: Cell<N>) -> Option<Digit<N>> {
                NonZeroU8::new(self.rows[cell.row()][cell.column()]).map(Digit)
            }

            pub fn set(&mut self, cell: Cell<N>, digit: Option<Digit<N>>) {
                self.rows[cell.row()][cell.column()] = digit.map_or(0, Digit::value);
            }

            pub const fn rows(&self) -> &[[u8; N]; N] {
                &self.rows
            }

            pub const fn values(&self) -> &[u8] {
                self.rows.as_flattened()
            }

            pub(crate) const fn rows_mut(&mut self) -> &mut [[u8; N]; N] {
                &mut self.rows
            }

            pub fn givens(&self) -> impl Iterator<Item = (Cell<N>, Digit<N>)> + '_ {
                Cell::all()
                    .filter_map(move |cell| self.get(cell).map(|digit| (cell, digit)))
            }
        }

        impl<const N: usize> Index<Cell<N>> for Grid<N> {
            type Output = Option<Digit<N>>;
            fn index(&self, cell: Cell<N>) -> &Option<Digit<N>> {
                let contents = const {
                    let mut contents: [Option<Digit<N>>; MAX_SIDE + 1] = [None; MAX_SIDE
                        + 1];
                    let mut value = 1;
                    while value <= N {
                        contents[value] = Digit::new(value as u8);
                        value += 1;
                    }
                    &{ contents }
                };
                &contents[self.rows[cell.row()][cell.column()] as usize]
            }
        }

        impl<const N: usize> Default for Grid<N> {
            fn default() -> Self {
                Self::EMPTY
            }
        }

        impl<const N: usize> fmt::Display for Grid<N> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                for (index, &value) in self.values().iter().enumerate() {
                    match value {
                        _ if N > 26 && index > 0 => write!(f, " {value}")?,
                        _ if N > 26 => write!(f, "{value}")?,
                        0 => f.write_str(".")?,
                        1..=9 if N <= 9 => write!(f, "{value}")?,
                        _ => write!(f, "{}", char::from(b'A' + value - 1))?,
                    }
                }
                Ok(())
            }
        }

        impl<const N: usize> fmt::Debug for Grid<N> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                for row in &self.rows {
                    f.write_str("\n")?;
                    for &value in row {
                        match value {
                            0 => f.write_str("  .")?,
                            _ => write!(f, "{value:>3}")?,
                        }
                    }
                }
                Ok(())
            }
        }
    }

    pub mod notation {
        mod error {
            use super::symbols::{MAX_SYMBOLS, first_symbol};
            use core::fmt;
            use std::io;

            #[derive(Clone, PartialEq, Eq, Debug)]
            pub enum Found {
                EndOfInput,
                EndOfLine,
                Byte(u8),
                Word(String),
            }

            const WORD_CHARS: usize = 32;
            impl Found {
                pub(super) fn word(word: &str) -> Self {
                    Found::Word(word.chars().take(WORD_CHARS).collect())
                }
            }

            impl fmt::Display for Found {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    match self {
                        Found::EndOfInput => f.write_str("the end of the input"),
                        Found::EndOfLine => f.write_str("the end of the line"),
                        Found::Byte(b' ') => f.write_str("a blank"),
                        Found::Byte(byte) if byte.is_ascii_graphic() => {
                            write!(f, "'{}'", char::from(*byte))
                        }
                        Found::Byte(byte) => write!(f, "the byte 0x{byte:02x}"),
                        Found::Word(word) => write!(f, "'{word}'"),
                    }
                }
            }

            #[derive(Clone, PartialEq, Eq, Debug)]
            pub enum Expected {
                Words(&'static str, [usize; 3]),
                Symbol { side: usize, row: usize, column: usize },
                Keyword(String),
            }

            impl Expected {
                pub(super) fn plain(words: &'static str) -> Self {
                    Expected::Words(words, [0; 3])
                }
            }

            impl fmt::Display for Expected {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    match self {
                        Expected::Words(words, numbers) => {
                            let mut numbers = numbers.iter();
                            for (index, piece) in words.split("{}").enumerate() {
                                if index > 0 {
                                    numbers.next().map_or(Ok(()), |number| number.fmt(f))?;
                                }
                                f.write_str(piece)?;
                            }
                            Ok(())
                        }
                        Expected::Symbol { side, row, column } => {
                            write!(f, "cell {} of row {}: ", column + 1, row + 1)?;
                            if *side > MAX_SYMBOLS {
                                write!(f, "a number from 1 to {side}")?;
                            } else {
                                let first = first_symbol(*side);
                                let last = (first - 1).saturating_add(*side as u8);
                                write!(
                                    f,
                                    "'{}' to '{}'",
                                    char::from(first),
                                    char::from(last),
                                )?;
                            }
                            f.write_str(
                                ", or '.', '0', '-', '*' or '?' for an empty cell",
                            )
                        }
                        Expected::Keyword(word) => write!(f, "'{word}'"),
                    }
                }
            }

            #[derive(Clone, PartialEq, Eq, Debug)]
            pub struct ParseError {
                pub line: u64,
                pub column: u64,
                pub found: Found,
                pub expected: Expected,
            }

            impl fmt::Display for ParseError {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    write!(
                        f,
                        "line {}, column {}: found {}, expected {}",
                        self.line,
                        self.column,
                        self.found,
                        self.expected,
                    )
                }
            }

            impl std::error::Error for ParseError {}
            #[derive(Debug)]
            pub enum ReadError {
                Io(io::Error),
                Parse(ParseError),
            }

            impl fmt::Display for ReadError {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    match self {
                        ReadError::Io(error) => {
                            write!(f, "failed to read the input: {error}")
                        }
                        ReadError::Parse(error) => error.fmt(f),
                    }
                }
            }

            impl std::error::Error for ReadError {
                fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
                    match self {
                        ReadError::Io(error) => Some(error),
                        ReadError::Parse(_) => None,
                    }
                }
            }

            impl From<io::Error> for ReadError {
                fn from(error: io::Error) -> Self {
                    ReadError::Io(error)
                }
            }

            impl From<ParseError> for ReadError {
                fn from(error: ParseError) -> Self {
                    ReadError::Parse(error)
                }
            }
        }

        mod input {
            use super::error::{Expected, Found, ParseError, ReadError};
            use super::{BUFFER_BYTES, FIRST_BYTES};
            use std::io::{self, Read};

            pub(super) const MAX_WORD_BYTES: usize = 4096;
            pub struct Input<R> {
                source: R,
                buffer: Vec<u8>,
                pub(super) next: usize,
                filled: usize,
                before: u64,
                line: u64,
                line_start: u64,
            }

            #[derive(Clone, Copy)]
            pub(super) struct Position {
                pub(super) line: u64,
                pub(super) column: u64,
            }

            pub(super) fn is_blank(byte: u8) -> bool {
                matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c | 0x1a)
            }

            impl<R: Read> Input<R> {
                pub fn new(source: R) -> Self {
                    Input {
                        source,
                        buffer: vec![0; FIRST_BYTES],
                        next: 0,
                        filled: 0,
                        before: 0,
                        line: 1,
                        line_start: 0,
                    }
                }

                pub fn starts_with(&mut self, byte: u8) -> Result<bool, ReadError> {
                    Ok(self.skip_blanks()? && self.peek()? == Some(byte))
                }

                pub(super) fn skip_blanks(&mut self) -> Result<bool, ReadError> {
                    while let Some(byte) = self.peek()? {
                        if byte == 0xef && self.offset() == 0 {
                            self.skip_byte_order_mark()?;
                        } else if is_blank(byte) || byte == b'\n' {
                            self.bump();
                        } else {
                            return Ok(true);
                        }
                    }
                    Ok(false)
                }

                fn skip_byte_order_mark(&mut self) -> Result<(), ReadError> {
                    for &byte in b"\xef\xbb\xbf" {
                        if self.peek()? != Some(byte) {
                            let found = self.found()?;
                            let expected = Expected::plain(
                                "the rest of a byte-order mark",
                            );
                            return Err(self.error(found, expected));
                        }
                        self.bump();
                    }
                    self.line_start = self.offset();
                    Ok(())
                }

                pub(super) fn end_row(
                    &mut self,
                    expected: Expected,
                ) -> Result<(), ReadError> {
                    while let Some(byte) = self.peek()? {
                        if byte == b'\n' {
                            self.bump();
                            break;
                        }
                        if !is_blank(byte) {
                            return Err(self.error(Found::Byte(byte), expected));
                        }
                        self.bump();
                    }
                    Ok(())
                }

                pub(super) fn word_up_to(
                    &mut self,
                    most: usize,
                ) -> Result<String, ReadError> {
                    let mut word = String::new();
                    let mut bytes = 0_usize;
                    while let Some(byte) = self.peek()? {
                        if is_blank(byte) || byte == b'\n' {
                            break;
                        }
                        if bytes <= most {
                            let printable = byte.is_ascii_graphic() && bytes < most;
                            bytes += 1;
                            word.push(
                                if printable {
                                    char::from(byte)
                                } else {
                                    char::REPLACEMENT_CHARACTER
                                },
                            );
                        }
                        self.bump();
                    }
                    Ok(word)
                }

                #[inline]
                pub(super) fn peek(&mut self) -> Result<Option<u8>, ReadError> {
                    if self.next == self.filled && !self.fill()? {
                        return Ok(None);
                    }
                    Ok(Some(self.buffer[self.next]))
                }

                #[inline]
                pub(super) fn bump(&mut self) {
                    let byte = self.buffer[self.next];
                    self.next += 1;
                    if byte == b'\n' {
                        self.start_line();
                    }
                }

                #[inline]
                pub(super) fn buffered(&self) -> &[u8] {
                    &self.buffer[self.next..self.filled]
                }

                #[inline]
                pub(super) fn take_line(&mut self, bytes: usize) {
                    self.next += bytes;
                    self.start_line();
                }

                #[inline]
                fn start_line(&mut self) {
                    self.line += 1;
                    self.line_start = self.offset();
                }

                #[inline(never)]
                fn fill(&mut self) -> Result<bool, ReadError> {
                    if self.filled == self.buffer.len() {
                        self.buffer.resize(BUFFER_BYTES, 0);
                    }
                    self.before += self.filled as u64;
                    self.next = 0;
                    self.filled = 0;
                    loop {
                        match self.source.read(&mut self.buffer) {
                            Ok(bytes) => {
                                self.filled = bytes;
                                return Ok(bytes > 0);
                            }
                            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                            Err(error) => return Err(error.into()),
                        }
                    }
                }

                fn offset(&self) -> u64 {
                    self.before + self.next as u64
                }

                pub(super) fn position(&self) -> Position {
                    Position {
                        line: self.line,
                        column: self.offset() - self.line_start + 1,
                    }
                }

                pub(super) fn found(&mut self) -> Result<Found, ReadError> {
                    Ok(
                        match self.peek()? {
                            None => Found::EndOfInput,
                            Some(b'\n' | b'\r') => Found::EndOfLine,
                            Some(byte) => Found::Byte(byte),
                        },
                    )
                }

                pub(super) fn error(
                    &self,
                    found: Found,
                    expected: Expected,
                ) -> ReadError {
                    error_at(self.position(), found, expected)
                }
            }

            pub(super) fn error_at(
                position: Position,
                found: Found,
                expected: Expected,
            ) -> ReadError {
                ReadError::Parse(ParseError {
                    line: position.line,
                    column: position.column,
                    found,
                    expected,
                })
            }
        }

        mod output {
            use super::symbols::{MAX_SYMBOLS, symbol_of};
            use super::{BUFFER_BYTES, FIRST_BYTES, Layout, Notation};
            use crate::sudoku::grid::Grid;
            use std::io::{self, Write};

            pub struct Output<W: Write> {
                sink: W,
                buffer: Vec<u8>,
                filled: usize,
            }

            impl<W: Write> Output<W> {
                pub fn new(sink: W) -> Self {
                    Output {
                        sink,
                        buffer: vec![0; FIRST_BYTES],
                        filled: 0,
                    }
                }

                pub fn grid<const N: usize>(
                    &mut self,
                    notation: Notation,
                    grid: &Grid<N>,
                ) -> io::Result<()> {
                    self.make_room(longest::<N>(notation.layout))?;
                    self.filled += put(notation, grid, &mut self.buffer[self.filled..]);
                    Ok(())
                }

                pub fn text(&mut self, text: &str) -> io::Result<()> {
                    for piece in text.as_bytes().chunks(BUFFER_BYTES) {
                        self.make_room(piece.len())?;
                        self.buffer[self.filled..self.filled + piece.len()]
                            .copy_from_slice(piece);
                        self.filled += piece.len();
                    }
                    Ok(())
                }

                pub fn flush(&mut self) -> io::Result<()> {
                    self.empty_buffer()?;
                    self.sink.flush()
                }

                pub fn finish(mut self) -> io::Result<()> {
                    self.flush()
                }

                fn make_room(&mut self, bytes: usize) -> io::Result<()> {
                    if self.buffer.len() - self.filled < bytes {
                        self.buffer.resize(BUFFER_BYTES, 0);
                    }
                    if BUFFER_BYTES - self.filled < bytes {
                        self.empty_buffer()?;
                    }
                    Ok(())
                }

                fn empty_buffer(&mut self) -> io::Result<()> {
                    let filled = core::mem::replace(&mut self.filled, 0);
                    self.sink.write_all(&self.buffer[..filled])
                }
            }

            impl<W: Write> Drop for Output<W> {
                fn drop(&mut self) {
                    let _ = self.flush();
                }
            }

            pub(super) const fn longest<const N: usize>(layout: Layout) -> usize {
                match layout {
                    Layout::Line | Layout::Rows if N > MAX_SYMBOLS => N * N * 3,
                    Layout::Spaced => N * N * 3,
                    Layout::Line => N * N + 1,
                    Layout::Rows => N * (N + 1),
                    Layout::Brackets => N * (3 * N + 2) + 3,
                }
            }

            pub(super) fn put<const N: usize>(
                notation: Notation,
                grid: &Grid<N>,
                bytes: &mut [u8],
            ) -> usize {
                let empty = notation.empty;
                match notation.layout {
                    Layout::Line if N > MAX_SYMBOLS => {
                        put_numbers(grid, empty, bytes, b' ')
                    }
                    Layout::Line => {
                        put_symbols::<N>(bytes, grid.values(), empty);
                        bytes[N * N] = b'\n';
                        N * N + 1
                    }
                    Layout::Rows if N <= MAX_SYMBOLS => {
                        for (line, row) in bytes.chunks_exact_mut(N + 1).zip(grid.rows())
                        {
                            put_symbols::<N>(line, row, empty);
                            line[N] = b'\n';
                        }
                        N * (N + 1)
                    }
                    Layout::Spaced if N <= 9 => {
                        for (line, row) in bytes.chunks_exact_mut(2 * N).zip(grid.rows())
                        {
                            for (pair, &value) in line.chunks_exact_mut(2).zip(row) {
                                pair[0] = symbol_of::<N>(value, empty);
                                pair[1] = b' ';
                            }
                            line[2 * N - 1] = b'\n';
                        }
                        2 * N * N
                    }
                    Layout::Spaced | Layout::Rows => {
                        put_numbers(grid, empty, bytes, b'\n')
                    }
                    Layout::Brackets => put_brackets(grid, empty, bytes),
                }
            }

            #[inline]
            fn put_symbols<const N: usize>(line: &mut [u8], values: &[u8], empty: u8) {
                for (byte, &value) in line.iter_mut().zip(values) {
                    *byte = symbol_of::<N>(value, empty);
                }
            }

            fn put_numbers<const N: usize>(
                grid: &Grid<N>,
                empty: u8,
                bytes: &mut [u8],
                row_end: u8,
            ) -> usize {
                let mut length = 0;
                for row in grid.rows() {
                    for &value in row {
                        length += put_number(value, empty, &mut bytes[length..]);
                        bytes[length] = b' ';
                        length += 1;
                    }
                    bytes[length - 1] = row_end;
                }
                bytes[length - 1] = b'\n';
                length
            }

            fn put_number(value: u8, empty: u8, bytes: &mut [u8]) -> usize {
                let tens = usize::from(value > 9);
                if tens > 0 {
                    bytes[0] = b'0' + value / 10;
                }
                bytes[tens] = if value == 0 { empty } else { b'0' + value % 10 };
                tens + 1
            }

            fn put_brackets<const N: usize>(
                grid: &Grid<N>,
                empty: u8,
                bytes: &mut [u8],
            ) -> usize {
                bytes[0] = b'[';
                let mut length = 1;
                for row in grid.rows() {
                    bytes[length] = b'[';
                    length += 1;
                    for &value in row {
                        if const { N > MAX_SYMBOLS } {
                            length += put_number(value, empty, &mut bytes[length..]);
                        } else {
                            bytes[length] = symbol_of::<N>(value, empty);
                            length += 1;
                        }
                        bytes[length] = b',';
                        length += 1;
                    }
                    bytes[length - 1] = b']';
                    bytes[length] = b',';
                    length += 1;
                }
                bytes[length - 1] = b']';
                bytes[length] = b'\n';
                length + 1
            }
        }

        mod read {
            use super::error::{Expected, Found, ReadError};
            use super::input::{Input, MAX_WORD_BYTES, Position, error_at, is_blank};
            use super::symbols::{
                MAX_SYMBOLS, NO_SYMBOL, is_empty_mark, table, value_of, values,
            };

            use super::{Layout, Notation};
            use crate::sudoku::grid::Grid;
            use std::io::Read;

            type Row<const N: usize> = [u8; N];
            impl<R: Read> Input<R> {
                pub fn grid<const N: usize>(
                    &mut self,
                    notation: Notation,
                ) -> Result<Option<Grid<N>>, ReadError> {
                    grid(self, notation)
                }
            }

            fn grid<const N: usize, R: Read>(
                input: &mut Input<R>,
                notation: Notation,
            ) -> Result<Option<Grid<N>>, ReadError> {
                let mut grid = Grid::EMPTY;
                if notation.layout == Layout::Line && fast_line(input, &mut grid) {
                    return Ok(Some(grid));
                }
                if !input.skip_blanks()? {
                    return Ok(None);
                }
                match notation.layout {
                    Layout::Line => line(input, &mut grid)?,
                    Layout::Rows => rows(input, &mut grid, fast_row, symbol_row)?,
                    Layout::Spaced => {
                        rows(input, &mut grid, fast_spaced_row, spaced_row)?
                    }
                    Layout::Brackets => brackets(input, &mut grid)?,
                }
                Ok(Some(grid))
            }

            #[inline]
            fn fast_line<const N: usize, R: Read>(
                input: &mut Input<R>,
                grid: &mut Grid<N>,
            ) -> bool {
                if N > MAX_SYMBOLS || input.buffered().get(N * N) != Some(&b'\n') {
                    return false;
                }
                let cells = grid.rows_mut().as_flattened_mut();
                if !values::<N>(&input.buffered()[..N * N], cells) {
                    return false;
                }
                input.take_line(N * N + 1);
                true
            }

            struct Table<const N: usize>;
            impl<const N: usize> Table<N> {
                const VALUES: [u8; 256] = table::<N>();
            }

            #[inline]
            fn fast_row<const N: usize, R: Read>(
                input: &mut Input<R>,
                row: &mut Row<N>,
            ) -> bool {
                let bytes = match input.buffered().get(..N + 1) {
                    Some(bytes) if N <= MAX_SYMBOLS && bytes[N] == b'\n' => bytes,
                    _ => return false,
                };
                if N >= 16 {
                    if !values::<N>(&bytes[..N], row) {
                        return false;
                    }
                } else {
                    let table = &Table::<N>::VALUES;
                    let mut all = 0;
                    for (cell, &byte) in row.iter_mut().zip(bytes) {
                        *cell = table[byte as usize];
                        all |= *cell;
                    }
                    if all & NO_SYMBOL != 0 {
                        return false;
                    }
                }
                input.take_line(N + 1);
                true
            }

            #[inline]
            fn fast_spaced_row<const N: usize, R: Read>(
                input: &mut Input<R>,
                row: &mut Row<N>,
            ) -> bool {
                if N > 9 {
                    return false;
                }
                let bytes = input.buffered();
                let length = match (bytes.get(2 * N - 1), bytes.get(2 * N)) {
                    (Some(b'\n'), _) => 2 * N,
                    (Some(b' '), Some(b'\n')) => 2 * N + 1,
                    _ => return false,
                };
                let bytes = &bytes[..2 * N];
                let table = &Table::<N>::VALUES;
                let mut all = 0;
                let mut blanks = 0;
                for (cell, pair) in row.iter_mut().zip(bytes.chunks_exact(2)) {
                    *cell = table[pair[0] as usize];
                    all |= *cell;
                    blanks += u32::from(pair[1] == b' ');
                }
                if all & NO_SYMBOL != 0 || (blanks as usize) < length - N - 1 {
                    return false;
                }
                input.take_line(length);
                true
            }

            fn rows<const N: usize, R: Read>(
                input: &mut Input<R>,
                grid: &mut Grid<N>,
                fast: impl Fn(&mut Input<R>, &mut Row<N>) -> bool,
                slow: impl Fn(&mut Input<R>, &mut Row<N>, usize) -> Result<(), ReadError>,
            ) -> Result<(), ReadError> {
                let first_line = input.position().line;
                for (index, row) in grid.rows_mut().iter_mut().enumerate() {
                    if fast(input, row) {
                        continue;
                    }
                    if !input.skip_blanks()? {
                        let expected = Expected::Words(
                            "row {} of the {} rows of the grid that begins in line {}",
                            [index + 1, N, first_line as usize],
                        );
                        return Err(input.error(Found::EndOfInput, expected));
                    }
                    slow(input, row, index)?;
                }
                Ok(())
            }

            fn symbol_row<const N: usize, R: Read>(
                input: &mut Input<R>,
                row: &mut Row<N>,
                index: usize,
            ) -> Result<(), ReadError> {
                for (column, cell) in row.iter_mut().enumerate() {
                    *cell = symbol::<N, R>(input, index, column)?;
                }
                input
                    .end_row(
                        Expected::Words(
                            "the end of row {} after its {} cells",
                            [index + 1, N, 0],
                        ),
                    )
            }

            fn line<const N: usize, R: Read>(
                input: &mut Input<R>,
                grid: &mut Grid<N>,
            ) -> Result<(), ReadError> {
                for (index, row) in grid.rows_mut().iter_mut().enumerate() {
                    for (column, cell) in row.iter_mut().enumerate() {
                        *cell = symbol::<N, R>(input, index, column)?;
                    }
                }
                input
                    .end_row(
                        Expected::Words(
                            "the end of the line after {} cells",
                            [N * N, 0, 0],
                        ),
                    )
            }

            fn plain_row<const N: usize>(
                word: &str,
                row: &mut Row<N>,
                index: usize,
                position: Position,
            ) -> Result<(), ReadError> {
                for (column, (cell, byte)) in row
                    .iter_mut()
                    .zip(word.bytes())
                    .enumerate()
                {
                    let (value, is_symbol) = value_of::<N>(byte);
                    if !is_symbol {
                        let position = Position {
                            column: position.column + column as u64,
                            ..position
                        };
                        let expected = expected_symbol(N, index, column);
                        return Err(error_at(position, Found::Byte(byte), expected));
                    }
                    *cell = value;
                }
                Ok(())
            }

            fn symbol<const N: usize, R: Read>(
                input: &mut Input<R>,
                row: usize,
                column: usize,
            ) -> Result<u8, ReadError> {
                if const { N > MAX_SYMBOLS } {
                    return number(input, N, row, column);
                }
                if let Some(byte) = input.peek()? {
                    let (value, is_symbol) = value_of::<N>(byte);
                    if is_symbol {
                        input.bump();
                        return Ok(value);
                    }
                }
                let found = input.found()?;
                Err(input.error(found, expected_symbol(N, row, column)))
            }

            fn number<R: Read>(
                input: &mut Input<R>,
                side: usize,
                row: usize,
                column: usize,
            ) -> Result<u8, ReadError> {
                let mut next = input.peek()?;
                while next.is_some_and(is_blank) {
                    input.bump();
                    next = input.peek()?;
                }
                let position = input.position();
                let mut digits = String::new();
                while let Some(byte) = input.peek()? {
                    if !byte.is_ascii_digit() || digits.len() == MAX_WORD_BYTES {
                        break;
                    }
                    digits.push(char::from(byte));
                    input.bump();
                }
                match (digits.parse::<u8>(), input.peek()?) {
                    (Ok(value), _) if usize::from(value) <= side => return Ok(value),
                    (_, Some(byte)) if digits.is_empty() && is_empty_mark(byte) => {
                        input.bump();
                        return Ok(0);
                    }
                    _ => {}
                }
                let found = match digits.is_empty() {
                    true => input.found()?,
                    false => Found::word(&digits),
                };
                Err(error_at(position, found, expected_symbol(side, row, column)))
            }

            fn expected_symbol(side: usize, row: usize, column: usize) -> Expected {
                Expected::Symbol {
                    side,
                    row,
                    column,
                }
            }

            fn spaced_row<const N: usize, R: Read>(
                input: &mut Input<R>,
                row: &mut Row<N>,
                index: usize,
            ) -> Result<(), ReadError> {
                for (column, cell) in row.iter_mut().enumerate() {
                    while let Some(byte) = input.peek()? {
                        if !is_blank(byte) {
                            break;
                        }
                        input.bump();
                    }
                    let position = input.position();
                    let word = input.word_up_to(MAX_WORD_BYTES)?;
                    if column == 0 && N > 1 && N <= 9 && word.len() == N {
                        plain_row(&word, row, index, position)?;
                        break;
                    }
                    let number = match word.as_bytes() {
                        [b'.' | b'-' | b'*' | b'?'] => Some(0),
                        [b'+', ..] => None,
                        _ => word.parse::<u8>().ok(),
                    };
                    *cell = match number {
                        Some(number) if number as usize <= N => number,
                        _ => {
                            let found = if word.is_empty() {
                                input.found()?
                            } else {
                                Found::word(&word)
                            };
                            let expected = Expected::Words(
                                "number {} of row {}: 1 to {}, or 0 for an empty cell",
                                [column + 1, index + 1, N],
                            );
                            return Err(error_at(position, found, expected));
                        }
                    };
                }
                input
                    .end_row(
                        Expected::Words(
                            "the end of row {} after its {} numbers",
                            [index + 1, N, 0],
                        ),
                    )
            }

            fn brackets<const N: usize, R: Read>(
                input: &mut Input<R>,
                grid: &mut Grid<N>,
            ) -> Result<(), ReadError> {
                punctuation(input, b'[', Expected::plain("'[' before the first row"))?;
                for (index, row) in grid.rows_mut().iter_mut().enumerate() {
                    let number = index + 1;
                    if index > 0 {
                        let expected = Expected::Words(
                            "',' and then row {} of {}",
                            [number, N, 0],
                        );
                        punctuation(input, b',', expected)?;
                    }
                    let expected = Expected::Words("'[' before row {}", [number, 0, 0]);
                    punctuation(input, b'[', expected)?;
                    for (column, cell) in row.iter_mut().enumerate() {
                        if column > 0 {
                            let numbers = [column + 1, number, 0];
                            let expected = Expected::Words(
                                "',' and then cell {} of row {}",
                                numbers,
                            );
                            punctuation(input, b',', expected)?;
                        }
                        input.skip_blanks()?;
                        let quote = input
                            .peek()?
                            .filter(|byte| matches!(byte, b'"' | b'\''));
                        if quote.is_some() {
                            input.bump();
                        }
                        *cell = symbol::<N, R>(input, index, column)?;
                        if let Some(quote) = quote {
                            let expected = Expected::plain(
                                "the same quote as before the symbol",
                            );
                            punctuation(input, quote, expected)?;
                        }
                    }
                    let numbers = [N, number, 0];
                    let expected = Expected::Words(
                        "']' after the {} cells of row {}",
                        numbers,
                    );
                    punctuation(input, b']', expected)?;
                }
                punctuation(
                    input,
                    b']',
                    Expected::Words("']' after the {} rows", [N, 0, 0]),
                )
            }

            fn punctuation<R: Read>(
                input: &mut Input<R>,
                byte: u8,
                expected: Expected,
            ) -> Result<(), ReadError> {
                if input.starts_with(byte)? {
                    input.bump();
                    return Ok(());
                }
                let found = input.found()?;
                Err(input.error(found, expected))
            }
        }

        mod symbols {
            pub(super) const MAX_SYMBOLS: usize = 26;
            pub(super) const fn is_empty_mark(byte: u8) -> bool {
                (byte == b'.') | (byte == b'0') | (byte == b'-') | (byte == b'*')
                    | (byte == b'?')
            }

            #[inline]
            pub(super) const fn first_symbol(n: usize) -> u8 {
                if n <= 9 { b'1' } else { b'A' }
            }

            #[inline(always)]
            pub(super) const fn value_of<const N: usize>(byte: u8) -> (u8, bool) {
                let empty = is_empty_mark(byte);
                let index = byte.wrapping_sub(first_symbol(N));
                let value = if empty { 0 } else { index.wrapping_add(1) };
                (value, empty | ((index as usize) < N))
            }

            #[inline]
            pub(crate) fn values<const N: usize>(
                symbols: &[u8],
                values: &mut [u8],
            ) -> bool {
                let mut all = true;
                for (value, &symbol) in values.iter_mut().zip(symbols) {
                    let (digit, is_symbol) = value_of::<N>(symbol);
                    *value = digit;
                    all &= is_symbol;
                }
                all
            }

            pub(super) const NO_SYMBOL: u8 = 0x80;
            pub(super) const fn table<const N: usize>() -> [u8; 256] {
                let mut table = [NO_SYMBOL; 256];
                let mut byte = 0;
                while byte < 256 && N <= MAX_SYMBOLS {
                    let (value, is_symbol) = value_of::<N>(byte as u8);
                    if is_symbol {
                        table[byte] = value;
                    }
                    byte += 1;
                }
                table
            }

            #[inline(always)]
            pub(super) const fn symbol_of<const N: usize>(value: u8, empty: u8) -> u8 {
                match value {
                    0 => empty,
                    _ => value - 1 + first_symbol(N),
                }
            }
        }

        pub(crate) use error::ReadError;
        pub(crate) use input::Input;
        pub(crate) use output::Output;

        pub const BUFFER_BYTES: usize = 64 * 1024;
        const FIRST_BYTES: usize = 2 * 1024;
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Layout {
            Spaced,
            Rows,
            Line,
            Brackets,
        }

        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub struct Notation {
            layout: Layout,
            empty: u8,
        }

        impl Notation {
            pub const DASHED_ROWS: Self = Self::new(Layout::Rows, b'-');
            const fn new(layout: Layout, empty: u8) -> Self {
                Notation { layout, empty }
            }
        }
    }

    pub mod rules {
        mod boxes {
            use crate::sudoku::grid::{Cell, Grid};

            impl<const N: usize> Cell<N> {
                const BOX: (usize, usize) = box_shape(N);
                pub(crate) const fn box_index(self) -> usize {
                    let (height, width) = Self::BOX;
                    self.row() / height * height + self.column() / width
                }
            }

            #[inline(always)]
            pub const fn box_shape(n: usize) -> (usize, usize) {
                match n {
                    4 => return (2, 2),
                    9 => return (3, 3),
                    16 => return (4, 4),
                    25 => return (5, 5),
                    36 => return (6, 6),
                    _ => {}
                }
                let (mut height, mut next) = (1, 2);
                while next * next <= n {
                    if n.is_multiple_of(next) {
                        height = next;
                    }
                    next += 1;
                }
                (height, n / height)
            }

            #[inline]
            pub(crate) const fn box_side(n: usize) -> usize {
                box_shape(n).0
            }

            pub(crate) const fn has_square_boxes(n: usize) -> bool {
                let (height, width) = box_shape(n);
                height == width
            }

            pub(crate) fn expect_square<const N: usize>() {
                assert!(
                    has_square_boxes(N),
                    "this engine solves grids of side 1, 4, 9, 16, 25 or 36 only",
                );
            }

            pub fn allows_classic<const N: usize>(grid: &Grid<N>) -> bool {
                let (mut rows, mut columns, mut boxes) = (
                    [0u64; N],
                    [0u64; N],
                    [0u64; N],
                );
                for (row, line) in grid.rows().iter().enumerate() {
                    for (column, &value) in line.iter().enumerate() {
                        if value > 0 {
                            let bit = 1u64 << (value - 1);
                            let house = Cell::<N>::at(row, column).box_index();
                            if (rows[row] | columns[column] | boxes[house]) & bit != 0 {
                                return false;
                            }
                            rows[row] |= bit;
                            columns[column] |= bit;
                            boxes[house] |= bit;
                        }
                    }
                }
                true
            }
        }

        mod error {}

        mod house {}

        mod layout {}

        mod part {}
        pub(crate) use boxes::allows_classic;
        pub(crate) use boxes::{box_side, expect_square};
    }
}

mod program {
    pub mod digits {}
    use std::fmt;
    use std::io::{self, StdinLock, StdoutLock};
    use std::process::ExitCode;
    use crate::sudoku::notation::{Input, Output, ReadError};

    pub type Result<T> = std::result::Result<T, Failure>;
    #[derive(Debug)]
    pub enum Failure {
        Read(ReadError),
        Write(io::Error),
        NoSolution(u64),
        Message(String),
    }

    impl fmt::Display for Failure {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                Failure::Read(error) => error.fmt(f),
                Failure::Write(error) => error.fmt(f),
                Failure::NoSolution(1) => {
                    f.write_str("the puzzle has no solution: check its givens")
                }
                Failure::NoSolution(number) => {
                    write!(f, "puzzle {number} has no solution: check its givens")
                }
                Failure::Message(message) => f.write_str(message),
            }
        }
    }

    impl std::error::Error for Failure {}
    impl From<ReadError> for Failure {
        fn from(error: ReadError) -> Self {
            Failure::Read(error)
        }
    }

    impl From<io::Error> for Failure {
        fn from(error: io::Error) -> Self {
            Failure::Write(error)
        }
    }

    impl From<&str> for Failure {
        fn from(message: &str) -> Self {
            Failure::Message(message.to_owned())
        }
    }

    impl From<String> for Failure {
        fn from(message: String) -> Self {
            Failure::Message(message)
        }
    }

    pub fn run<S>(solve: S) -> ExitCode
    where
        S: FnOnce(&mut Input<StdinLock>, &mut Output<StdoutLock>) -> Result<()>,
    {
        let mut output = Output::new(io::stdout().lock());
        let solved = solve(&mut Input::new(io::stdin().lock()), &mut output);
        let finished = output.finish();
        match solved.and_then(|()| Ok(finished?)) {
            Ok(()) => ExitCode::SUCCESS,
            Err(Failure::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
                ExitCode::SUCCESS
            }
            Err(error) => {
                eprintln!("error: {error}");
                ExitCode::FAILURE
            }
        }
    }
}

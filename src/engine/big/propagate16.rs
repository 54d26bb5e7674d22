//! Propagation in a 16x16 grid before any guess, for all cells at once.
//!
//! A row is four words, each with the four cells that the row has in one box (a *segment*), a set
//! of sixteen digits each. Every step works on whole words, most of which the compiler joins into
//! vectors; turning a word by sixteen bits moves all cells of a segment on by one. No step looks
//! at a single cell.
//!
//! ```text
//! word        0           1           2           3
//! bits    0 16 32 48  0 16 32 48  0 16 32 48  0 16 32 48
//! column  0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15
//! ```
//!
//! A pass takes the digits of decided cells from the others of their houses, then finds the digits
//! with one place in a house (hidden singles) and those that a line has in one box only, or a box
//! in one line only (locked candidates), all from the same "in at least one segment", "in at
//! least two" sets.

/// The candidates of each cell, by row and column.
pub(super) type Cells = [[u16; 16]; 16];

/// The cells of a row, or one set per cell.
type Line = [u64; 4];

type Lines = [Line; 16];

/// The status of the grid after propagation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Root {
    /// There is no solution.
    Dead,
    /// Every cell is decided, and every house has every digit.
    Solved,
    /// Several candidates are left.
    Open,
}

const NONE: Line = [0; 4];
const ALL: Line = [!0; 4];

/// The lowest and the highest bit of each cell.
const LOW_BITS: u64 = 0x0001_0001_0001_0001;
const HIGH_BITS: u64 = 0x8000_8000_8000_8000;

/// All bits of the cells that are not empty.
#[inline(always)]
fn filled(word: u64) -> u64 {
    // No sum overflows into the next cell.
    let top = (((word & !HIGH_BITS) + !HIGH_BITS) | word) & HIGH_BITS;
    top | (top - (top >> 15))
}

/// Each cell without its smallest digit.
#[inline(always)]
fn without_smallest(word: u64) -> u64 {
    // One taken from each cell, without a borrow from the next.
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

/// Rotates the cells of each segment by `BY`.
#[inline(always)]
fn turn<const BY: u32>(a: Line) -> Line {
    map(a, |word| word.rotate_right(16 * BY))
}

/// Rotates the segments by `BY`.
#[inline(always)]
fn turn_segments<const BY: usize>(a: Line) -> Line {
    [a[BY & 3], a[(BY + 1) & 3], a[(BY + 2) & 3], a[(BY + 3) & 3]]
}

/// Per segment: the union of its lanes.
#[inline(always)]
fn over_lanes(a: Line) -> Line {
    let two = or(a, turn::<1>(a));
    or(two, turn::<2>(two))
}

/// The union of the segments of the row, lane by lane.
#[inline(always)]
fn over_words(a: Line) -> Line {
    let two = or(a, turn_segments::<1>(a));
    or(two, turn_segments::<2>(two))
}

/// Sets of digits that have been counted over some lanes: those in at least one, and in two.
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

    /// Four of them.
    #[inline(always)]
    fn join4(parts: [Self; 4]) -> Self {
        parts[0].join(parts[1]).join(parts[2].join(parts[3]))
    }

    /// Over the four lanes of each segment.
    #[inline(always)]
    fn in_segments(lanes: Line) -> Self {
        let two = Counted::one(lanes).join(Counted::one(turn::<1>(lanes)));
        two.join(Counted {
            once: turn::<2>(two.once),
            twice: turn::<2>(two.twice),
        })
    }

    /// Over the four segments of the row, where each lane has its segment's.
    #[inline(always)]
    fn over_segments(lanes: Line) -> Self {
        let two = Counted::one(lanes).join(Counted::one(turn_segments::<1>(lanes)));
        two.join(Counted {
            once: turn_segments::<2>(two.once),
            twice: turn_segments::<2>(two.twice),
        })
    }
}

/// For each of four lines: the union of the three others.
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

/// The four lines of a band.
#[inline(always)]
fn four(lines: &Lines, band: usize) -> [Line; 4] {
    let first = 4 * band;
    [
        lines[first],
        lines[first + 1],
        lines[first + 2],
        lines[first + 3],
    ]
}

/// Applies the rules until none of them changes a cell.
pub(super) fn settle(cells: &mut Cells) -> Root {
    let mut lines = [NONE; 16];
    for (line, row) in lines.iter_mut().zip(&*cells) {
        for (word, cells) in line.iter_mut().zip(row.chunks_exact(4)) {
            *word = (0..4).fold(0, |word, k| word | u64::from(cells[k]) << (16 * k));
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
        let (mut everywhere, mut hidden, mut locked) = (ALL, [NONE; 16], [NONE; 16]);
        look_at_rows(cells, &mut everywhere, &mut hidden, &mut locked);
        look_at_columns(cells, &mut everywhere, &mut hidden, &mut locked);
        let (mut changed, mut several) = (NONE, NONE);
        for r in 0..16 {
            let left = without(cells[r], locked[r]);
            let forced = and(left, hidden[r]);
            cells[r] = zip(left, forced, |left, forced| forced | left & !filled(forced));
            changed = or(changed, zip(cells[r], before[r], |a, b| a ^ b));
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

/// Takes the digits of decided cells from the other cells of their houses.
#[inline(always)]
fn take_singles(cells: &mut Lines) {
    let mut singles = [NONE; 16];
    // The decided digits of each row, of each segment's four cells, of each column.
    let (mut rows, mut segments, mut columns) = ([NONE; 16], [NONE; 16], NONE);
    for r in 0..16 {
        let single = map(cells[r], |word| word & !filled(without_smallest(word)));
        singles[r] = single;
        columns = or(columns, single);
        segments[r] = over_lanes(single);
        rows[r] = over_words(segments[r]);
    }
    for band in 0..4 {
        let boxes = or(or4(four(&segments, band)), columns);
        for r in 4 * band..4 * band + 4 {
            cells[r] = or(without(cells[r], or(rows[r], boxes)), singles[r]);
        }
    }
}

/// Deductions from the rows, and from the boxes by their rows.
#[inline(always)]
fn look_at_rows(cells: &Lines, everywhere: &mut Line, hidden: &mut Lines, locked: &mut Lines) {
    let (mut once, mut twice, mut claimed) = ([NONE; 16], [NONE; 16], [NONE; 16]);
    for r in 0..16 {
        let segment = Counted::in_segments(cells[r]);
        // In which segments, one or several, a digit of the row is.
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
                or(turn_segments::<1>(pointed), turn_segments::<2>(pointed)),
                turn_segments::<3>(pointed),
            );
            locked[r] = or(others, claimed[r % 4]);
        }
    }
}

/// Deductions from the columns, and from the boxes by their columns.
#[inline(always)]
fn look_at_columns(cells: &Lines, everywhere: &mut Line, hidden: &mut Lines, locked: &mut Lines) {
    // Of each column, in the band's four rows and in all; of each box: in which of its columns.
    let (mut once, mut pointed) = ([NONE; 4], [NONE; 4]);
    let mut by_column = Counted::one(NONE);
    let mut several = NONE;
    for band in 0..4 {
        let segment = Counted::join4(four(cells, band).map(Counted::one));
        several = or(several, segment.twice);
        by_column = by_column.join(Counted::one(segment.once));
        let by_box = Counted::in_segments(segment.once);
        pointed[band] = without(segment.once, by_box.twice);
        once[band] = segment.once;
    }
    let hidden_in_column = without(by_column.once, or(by_column.twice, several));
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

//! Constraints: every rule that is neither a house nor a cage with a sum.

use super::part::{MAX_PLACES, Part, Patterns};
use super::{RulesError, different};
use crate::grid::{Cell, Grid};

/// A rule for some cells, such as a thermometer: [`Rules::with`](super::Rules::with) adds it.
///
/// Every constraint consists of parts of three forms, the only ones that an engine knows:
/// cells with different digits, cells with a given sum, and cells whose digits match one pattern
/// of a list. The functions here translate the rules of puzzles into these parts;
/// [`Constraint::related`] takes any relation of adjacent cells.
///
/// Cells are given in the order of the line where there is one. Digits count as their values, from
/// 1 to `N`. Each function returns [`RulesError`] for cells that are named twice, too few or too
/// many cells, and numbers that no digits can satisfy.
///
/// ```
/// use sudoku::rules::Constraint;
/// use sudoku::{Cell, Grid, Rules, Solver};
///
/// let line: Vec<Cell<6>> = (0..6).map(|column| Cell::at(0, column)).collect();
/// let rules = Rules::classic().with(Constraint::thermometer(&line)?);
/// let solution = Solver::with_rules(&rules).first(&Grid::EMPTY).expect("a solution");
/// assert_eq!(solution.rows()[0], [1, 2, 3, 4, 5, 6]);
/// # Ok::<(), sudoku::rules::RulesError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constraint<const N: usize> {
    name: &'static str,
    cells: Vec<Cell<N>>,
    value: Option<u32>,
    pub(crate) parts: Vec<Part>,
}

/// The maximum number of digits of sandwiches: their patterns are listed one by one.
const MAX_SANDWICH: usize = 16;

impl<const N: usize> Constraint<N> {
    /// All digits, as bits.
    const ALL: u64 = window_of(N);

    fn new(name: &'static str, cells: &[Cell<N>]) -> Self {
        Constraint {
            name,
            cells: cells.to_vec(),
            value: None,
            parts: Vec::new(),
        }
    }

    /// The constraint with the number that a puzzle shows beside it.
    fn showing(self, value: impl Into<u32>) -> Self {
        Constraint {
            value: Some(value.into()),
            ..self
        }
    }

    /// A constraint without parts, of different cells whose number is in the range.
    fn checked(
        name: &'static str,
        cells: &[Cell<N>],
        least: usize,
        most: usize,
    ) -> Result<Self, RulesError> {
        different(cells)?;
        if (least..=most).contains(&cells.len()) {
            return Ok(Self::new(name, cells));
        }
        Err(RulesError::Cells {
            name,
            place: cells.first().map(|cell| (cell.row(), cell.column())),
            cells: cells.len(),
            least,
            most,
        })
    }

    /// The constraint, unless one of its parts alone has no solution.
    fn possible(self) -> Result<Self, RulesError> {
        if self.parts.iter().all(|part| part.allows(N, |_| 0)) {
            return Ok(self);
        }
        Err(RulesError::Impossible {
            name: self.name,
            place: self.cells.first().map(|cell| (cell.row(), cell.column())),
        })
    }

    fn indices(&self) -> Vec<usize> {
        self.cells.iter().map(|cell| cell.index()).collect()
    }

    /// Adds a relation of the values of two cells.
    fn relate(&mut self, one: Cell<N>, other: Cell<N>, is_related: impl Fn(u8, u8) -> bool) {
        let mut patterns = Patterns::new(vec![one.index(), other.index()], false);
        for value in 1..=N as u8 {
            let others = (1..=N as u8).filter(|&other| is_related(value, other));
            let others = others.fold(0u64, |all, other| all | 1 << (other - 1));
            if others != 0 {
                patterns.push([(1 << (value - 1), 1), (others, 2)]);
            }
        }
        self.parts.push(Part::Patterns(patterns));
    }

    /// Each two cells adjacent in the list are related: `is_related` receives their values. The name is
    /// shown in messages.
    ///
    /// # Errors
    ///
    /// See [`Constraint`]; expects two cells or more.
    pub fn related(
        name: &'static str,
        cells: &[Cell<N>],
        is_related: impl Fn(u8, u8) -> bool,
    ) -> Result<Self, RulesError> {
        Self::line(name, cells, N * N, is_related)
    }

    /// Adjacent cells of a line of 2 to `most` cells are related.
    fn line(
        name: &'static str,
        cells: &[Cell<N>],
        most: usize,
        is_related: impl Fn(u8, u8) -> bool,
    ) -> Result<Self, RulesError> {
        let mut constraint = Self::checked(name, cells, 2, most)?;
        for two in cells.windows(2) {
            constraint.relate(two[0], two[1], &is_related);
        }
        constraint.possible()
    }

    /// Different digits: an extra region of at most `N` cells, or a cage without a sum.
    ///
    /// # Errors
    ///
    /// See [`Constraint`]; expects 1 to `N` cells.
    pub fn distinct(cells: &[Cell<N>]) -> Result<Self, RulesError> {
        let mut constraint = Self::checked("distinct cells", cells, 1, N)?;
        constraint.parts.push(Part::Distinct(constraint.indices()));
        Ok(constraint)
    }

    /// Digits grow along the line, from the bulb.
    ///
    /// # Errors
    ///
    /// See [`Constraint`]; expects 2 to `N` cells.
    pub fn thermometer(cells: &[Cell<N>]) -> Result<Self, RulesError> {
        Self::line("thermometer", cells, N, |a, b| a < b)
    }

    /// The digits of the shaft, which may repeat, have the sum that the circle shows.
    ///
    /// # Errors
    ///
    /// See [`Constraint`]; expects a shaft of 1 to `N` cells.
    pub fn arrow(circle: Cell<N>, shaft: &[Cell<N>]) -> Result<Self, RulesError> {
        let cells = [&[circle], shaft].concat();
        let mut constraint = Self::checked("arrow", &cells, 2, N + 1)?;
        // The shaft and `N + 1` minus the circle have the sum `N + 1`.
        constraint.parts.push(Part::Sum {
            cells: constraint.indices(),
            mirrored: 1,
            sum: N as u32 + 1,
        });
        constraint.possible()
    }

    /// A white dot of Kropki: two digits with this difference, usually 1.
    ///
    /// # Errors
    ///
    /// See [`Constraint`].
    pub fn difference(one: Cell<N>, other: Cell<N>, difference: u8) -> Result<Self, RulesError> {
        Self::related("difference", &[one, other], |a, b| {
            a.abs_diff(b) == difference
        })
        .map(|constraint| constraint.showing(difference))
    }

    /// A black dot of Kropki: one digit is `ratio` times the other, usually twice.
    ///
    /// # Errors
    ///
    /// See [`Constraint`].
    pub fn ratio(one: Cell<N>, other: Cell<N>, ratio: u8) -> Result<Self, RulesError> {
        let times = u16::from(ratio);
        Self::related("ratio", &[one, other], |a, b| {
            let (a, b) = (u16::from(a), u16::from(b));
            a == times * b || b == times * a
        })
        .map(|constraint| constraint.showing(ratio))
    }

    /// An X or a V between two cells: their digits have this sum, 10 or 5.
    ///
    /// # Errors
    ///
    /// See [`Constraint`].
    pub fn xv(one: Cell<N>, other: Cell<N>, sum: u8) -> Result<Self, RulesError> {
        Self::related("XV", &[one, other], |a, b| a + b == sum)
            .map(|constraint| constraint.showing(sum))
    }

    /// A sign of inequality: the digit of the first cell is greater.
    ///
    /// # Errors
    ///
    /// See [`Constraint`].
    pub fn greater(greater: Cell<N>, less: Cell<N>) -> Result<Self, RulesError> {
        Self::related("inequality", &[greater, less], |a, b| a > b)
    }

    /// Adjacent digits of the line differ by at least `difference`: 5 for a German whisper at side 9.
    ///
    /// # Errors
    ///
    /// See [`Constraint`]; expects two cells or more.
    pub fn whisper(cells: &[Cell<N>], difference: u8) -> Result<Self, RulesError> {
        Self::related("whisper", cells, |a, b| a.abs_diff(b) >= difference)
            .map(|constraint| constraint.showing(difference))
    }

    /// The digits of the line read the same from both ends.
    ///
    /// # Errors
    ///
    /// See [`Constraint`]; expects two cells or more.
    pub fn palindrome(cells: &[Cell<N>]) -> Result<Self, RulesError> {
        let mut constraint = Self::checked("palindrome", cells, 2, N * N)?;
        for place in 0..cells.len() / 2 {
            constraint.relate(cells[place], cells[cells.len() - 1 - place], |a, b| a == b);
        }
        Ok(constraint)
    }

    /// Both groups of cells hold the same digits, cell by cell.
    ///
    /// # Errors
    ///
    /// [`RulesError::Cells`] unless both have the same number of cells, at least one;
    /// [`RulesError::Twice`] if a cell is in both, or twice in one.
    pub fn clone_of(cells: &[Cell<N>], copy: &[Cell<N>]) -> Result<Self, RulesError> {
        let expected = cells.len().max(1);
        Self::checked("clone", copy, expected, expected)?;
        let both = [cells, copy].concat();
        let mut constraint = Self::checked("clone", &both, 2, N * N)?;
        for (&one, &other) in cells.iter().zip(copy) {
            constraint.relate(one, other, |a, b| a == b);
        }
        Ok(constraint)
    }

    /// The digits of the line are consecutive, in any order.
    ///
    /// # Errors
    ///
    /// See [`Constraint`]; expects 1 to `N` cells.
    pub fn renban(cells: &[Cell<N>]) -> Result<Self, RulesError> {
        let mut constraint = Self::checked("renban", cells, 1, N)?;
        let count = cells.len();
        let mut patterns = Patterns::new(constraint.indices(), true);
        let window = Self::ALL >> (N - count);
        for first in 0..=N - count {
            patterns.push([(window << first, window_of(count))]);
        }
        constraint.parts = vec![
            Part::Distinct(constraint.indices()),
            Part::Patterns(patterns),
        ];
        Ok(constraint)
    }

    /// The digits inside the line are strictly between those of its two ends.
    ///
    /// # Errors
    ///
    /// See [`Constraint`]; expects 3 to 64 cells.
    pub fn between(cells: &[Cell<N>]) -> Result<Self, RulesError> {
        let mut constraint = Self::checked("between line", cells, 3, MAX_PLACES)?;
        let mut patterns = Patterns::new(constraint.indices(), false);
        let last = 1 << (cells.len() - 1);
        let inside = window_of(cells.len()) & !(1 | last);
        for low in 0..N {
            for high in low + 2..N {
                let digits = (1u64 << high) - (2 << low);
                patterns.push([(1 << low, 1), (1 << high, last), (digits, inside)]);
                patterns.push([(1 << high, 1), (1 << low, last), (digits, inside)]);
            }
        }
        constraint.parts.push(Part::Patterns(patterns));
        constraint.possible()
    }

    /// All cells hold odd digits, or all hold even ones.
    ///
    /// # Errors
    ///
    /// See [`Constraint`]; expects one cell or more.
    pub fn parity(cells: &[Cell<N>], is_odd: bool) -> Result<Self, RulesError> {
        let name = if is_odd { "odd cells" } else { "even cells" };
        let mut constraint = Self::checked(name, cells, 1, N * N)?;
        let odd = 0x5555_5555_5555_5555;
        let digits = Self::ALL & if is_odd { odd } else { !odd };
        for cell in cells {
            let mut patterns = Patterns::new(vec![cell.index()], false);
            if digits != 0 {
                patterns.push([(digits, 1)]);
            }
            constraint.parts.push(Part::Patterns(patterns));
        }
        constraint.possible()
    }

    /// The digits of the cells, which may repeat, have this sum: an arrow outside the grid along a diagonal.
    ///
    /// # Errors
    ///
    /// See [`Constraint`]; expects one cell or more.
    pub fn little_killer(cells: &[Cell<N>], sum: u32) -> Result<Self, RulesError> {
        let mut constraint = Self::checked("little killer", cells, 1, N * N)?;
        constraint.parts.push(Part::Sum {
            cells: constraint.indices(),
            mirrored: 0,
            sum,
        });
        constraint.showing(sum).possible()
    }

    /// The digits between 1 and `N` in a row or column have this sum.
    ///
    /// # Errors
    ///
    /// See [`Constraint`]; expects the `N` cells of a line, `N` from 2 to 16.
    pub fn sandwich(line: &[Cell<N>], sum: u32) -> Result<Self, RulesError> {
        let most = if N <= MAX_SANDWICH { N } else { 0 };
        let mut constraint = Self::checked("sandwich", line, N.max(2), most)?;
        let mut patterns = Patterns::new(constraint.indices(), true);
        let crusts = 1 | 1u64 << (N - 1);
        let fillings = (0..1u64 << (N - 2)).map(|filling| filling << 1);
        for filling in fillings.filter(|&filling| value_of(filling) == sum) {
            let count = filling.count_ones() as usize;
            let others = Self::ALL & !crusts & !filling;
            for first in 0..N - 1 - count {
                let last = first + count + 1;
                let inside = window_of(count) << (first + 1);
                let outside = window_of(N) & !inside & !(1 << first | 1 << last);
                for (one, other) in [(first, last), (last, first)] {
                    patterns.push([
                        (1, 1 << one),
                        (1 << (N - 1), 1 << other),
                        (filling, inside),
                        (others, outside),
                    ]);
                }
            }
        }
        constraint.parts = vec![
            Part::Distinct(constraint.indices()),
            Part::Patterns(patterns),
        ];
        constraint.showing(sum).possible()
    }

    /// Some cells around a corner hold these digits, at least as often as they are given.
    ///
    /// # Errors
    ///
    /// See [`Constraint`]; expects 1 to 4 cells, and digits from 1 to `N`.
    pub fn quadruple(cells: &[Cell<N>], digits: &[u8]) -> Result<Self, RulesError> {
        let mut constraint = Self::checked("quadruple", cells, 1, 4)?;
        let mut patterns = Patterns::new(constraint.indices(), false);
        let is_digit = |digit: &u8| (1..=N as u8).contains(digit);
        if digits.len() <= cells.len() && digits.iter().all(is_digit) {
            // Every way to give each digit a cell of its own.
            for places in 0..cells.len().pow(digits.len() as u32) {
                let (mut sets, mut used) = ([Self::ALL; 4], 0);
                let mut rest = places;
                for digit in digits {
                    used |= 1u64 << (rest % cells.len());
                    sets[rest % cells.len()] = 1 << (digit - 1);
                    rest /= cells.len();
                }
                if used.count_ones() as usize == digits.len() {
                    let all = window_of(cells.len());
                    patterns.push([0, 1, 2, 3].map(|place| (sets[place], all & 1 << place)));
                }
            }
        }
        constraint.parts.push(Part::Patterns(patterns));
        constraint.possible()
    }

    /// No digit is a knight's move from the same digit.
    pub fn anti_knight() -> Self {
        Self::anti("anti-knight", &[(1, 2), (2, 1), (2, -1), (1, -2)])
    }

    /// No digit is diagonally adjacent to the same digit.
    pub fn anti_king() -> Self {
        Self::anti("anti-king", &[(1, 1), (1, -1)])
    }

    /// Different digits at these distances.
    fn anti(name: &'static str, moves: &[(isize, isize)]) -> Self {
        Self::global(name, moves, |constraint, one, other| {
            let cells = vec![one.index(), other.index()];
            constraint.parts.push(Part::Distinct(cells));
        })
    }

    /// No two neighbours hold consecutive digits.
    pub fn nonconsecutive() -> Self {
        Self::global("nonconsecutive", &[(0, 1), (1, 0)], |constraint, a, b| {
            constraint.relate(a, b, |a, b| a.abs_diff(b) != 1);
        })
    }

    /// A rule of all pairs of cells at some distances (rows down, columns to the right).
    fn global(
        name: &'static str,
        moves: &[(isize, isize)],
        add: impl Fn(&mut Self, Cell<N>, Cell<N>),
    ) -> Self {
        let all: Vec<Cell<N>> = Cell::all().collect();
        let mut constraint = Self::new(name, &all);
        for &cell in &all {
            for &(down, right) in moves {
                if let Some(other) = cell.offset(down, right) {
                    add(&mut constraint, cell, other);
                }
            }
        }
        constraint
    }

    /// The name, such as `thermometer`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The cells, in the order of the line.
    pub fn cells(&self) -> &[Cell<N>] {
        &self.cells
    }

    /// The number that a puzzle shows beside it: a sum, a difference or a ratio.
    pub fn value(&self) -> Option<u32> {
        self.value
    }

    /// Whether the digits of `grid` do not contradict the constraint. Empty cells contradict nothing.
    pub fn allows(&self, grid: &Grid<N>) -> bool {
        let values = grid.values();
        self.parts
            .iter()
            .all(|part| part.allows(N, |cell| values[cell]))
    }
}

/// The first `count` places, as bits.
const fn window_of(count: usize) -> u64 {
    match count {
        64 => !0,
        count => (1 << count) - 1,
    }
}

/// The sum of the values of a set of digits.
fn value_of(digits: u64) -> u32 {
    (0..64)
        .filter(|digit| digits >> digit & 1 == 1)
        .map(|digit| digit + 1)
        .sum()
}

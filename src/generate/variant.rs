//! Puzzles with constraints, drawn over a complete grid.

use super::{ATTEMPTS, Generator, Random};
use crate::engine;
use crate::grid::{Cell, Digit, Grid};
use crate::rules::{Constraint, Overlap, Rules, RulesError};
use crate::solver::OverlapSolver;

/// A kind of constraint that [`Generator::variant`] draws; see the functions of [`Constraint`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
#[allow(missing_docs)] // the names say it
pub enum Kind {
    AntiKnight,
    AntiKing,
    Nonconsecutive,
    Distinct,
    Thermometer,
    Arrow,
    Difference,
    Ratio,
    Xv,
    Inequality,
    Whisper,
    Palindrome,
    Clone,
    Renban,
    Between,
    Parity,
    LittleKiller,
    Sandwich,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 18] = [
        Kind::AntiKnight,
        Kind::AntiKing,
        Kind::Nonconsecutive,
        Kind::Distinct,
        Kind::Thermometer,
        Kind::Arrow,
        Kind::Difference,
        Kind::Ratio,
        Kind::Xv,
        Kind::Inequality,
        Kind::Whisper,
        Kind::Palindrome,
        Kind::Clone,
        Kind::Renban,
        Kind::Between,
        Kind::Parity,
        Kind::LittleKiller,
        Kind::Sandwich,
    ];

    /// The name, as the command writes it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::AntiKnight => "anti-knight",
            Kind::AntiKing => "anti-king",
            Kind::Nonconsecutive => "nonconsecutive",
            Kind::Distinct => "distinct",
            Kind::Thermometer => "thermometer",
            Kind::Arrow => "arrow",
            Kind::Difference => "difference",
            Kind::Ratio => "ratio",
            Kind::Xv => "xv",
            Kind::Inequality => "inequality",
            Kind::Whisper => "whisper",
            Kind::Palindrome => "palindrome",
            Kind::Clone => "clone",
            Kind::Renban => "renban",
            Kind::Between => "between",
            Kind::Parity => "parity",
            Kind::LittleKiller => "little-killer",
            Kind::Sandwich => "sandwich",
        }
    }

    /// The rule that holds everywhere in the grid, if it is one.
    fn global<const N: usize>(self) -> Option<Constraint<N>> {
        match self {
            Kind::AntiKnight => Some(Constraint::anti_knight()),
            Kind::AntiKing => Some(Constraint::anti_king()),
            Kind::Nonconsecutive => Some(Constraint::nonconsecutive()),
            _ => None,
        }
    }

    /// The constraint of these cells with the numbers of `solution`.
    fn of_cells<const N: usize>(
        self,
        cells: &[Cell<N>],
        solution: &Grid<N>,
    ) -> Option<Result<Constraint<N>, RulesError>> {
        let value = |cell: Cell<N>| solution.get(cell).map_or(0, Digit::value);
        let sum = |cells: &[Cell<N>]| cells.iter().map(|&cell| u32::from(value(cell))).sum();
        let (&first, rest) = cells.split_first()?;
        Some(match (self, rest) {
            (Kind::Parity, []) => Constraint::parity(cells, value(first) % 2 == 1),
            (Kind::Difference, &[other]) => Constraint::difference(first, other, 1),
            (Kind::Ratio, &[other]) => Constraint::ratio(first, other, 2),
            (Kind::Xv, &[other]) => {
                Constraint::xv(first, other, if sum(cells) > 5 { 10 } else { 5 })
            }
            (Kind::Inequality, &[other]) => Constraint::greater(first, other),
            (Kind::Clone, [_, _, ..]) if rest.len() % 2 == 1 => {
                let (one, other) = cells.split_at(cells.len() / 2);
                Constraint::clone_of(one, other)
            }
            (Kind::LittleKiller, [_, ..]) => Constraint::little_killer(cells, sum(cells)),
            (Kind::Sandwich, _) => {
                let place = |value| cells.iter().position(|&cell| solution[cell] == value);
                let ends = [1, N as u8].map(|value| place(Digit::new(value)));
                let [Some(one), Some(last)] = ends else {
                    return None;
                };
                let inside = &cells[one.min(last) + 1..one.max(last)];
                Constraint::sandwich(cells, sum(inside))
            }
            (Kind::Thermometer, [_, _, ..]) => Constraint::thermometer(cells),
            (Kind::Arrow, [_, _, ..]) => Constraint::arrow(first, rest),
            (Kind::Whisper, [_, _, ..]) => Constraint::whisper(cells, N.div_ceil(2) as u8),
            (Kind::Palindrome, [_, _, ..]) => Constraint::palindrome(cells),
            (Kind::Distinct, [_, _, ..]) => Constraint::distinct(cells),
            (Kind::Renban, [_, _, ..]) => Constraint::renban(cells),
            (Kind::Between, [_, _, ..]) => Constraint::between(cells),
            _ => return None,
        })
    }

    /// Cells at random, of the shape that the constraint has.
    fn draw_cells<const N: usize>(self, random: &mut Random) -> Vec<Cell<N>> {
        let start = Cell::from_index(random.below(N * N));
        match self {
            Kind::Sandwich => {
                let line = random.below(N);
                let is_row = random.below(2) == 0;
                let cell = |k| {
                    if is_row {
                        Cell::at(line, k)
                    } else {
                        Cell::at(k, line)
                    }
                };
                (0..N).map(cell).collect()
            }
            Kind::LittleKiller => {
                // From the first row or column along a diagonal to the end.
                let mut cells = vec![Cell::at(0, start.column())];
                let right = [1, -1][random.below(2)];
                while let Some(next) = cells[cells.len() - 1].offset(1, right) {
                    cells.push(next);
                }
                cells
            }
            Kind::Clone => {
                let mut cells = walk(start, 2 + random.below(2), ALL_MOVES, random);
                let place = |random: &mut Random| random.below(2 * N) as isize - N as isize;
                let (down, right) = (place(random), place(random));
                let copy = cells.iter().map(|&cell| cell.offset(down, right));
                if let Some(copy) = copy.collect::<Option<Vec<_>>>() {
                    cells.extend(copy);
                }
                cells
            }
            Kind::Difference | Kind::Ratio | Kind::Xv | Kind::Inequality => {
                walk(start, 2, &ALL_MOVES[..4], random)
            }
            Kind::Parity => vec![start],
            _ => walk(start, 3 + random.below(N / 2 + 1), ALL_MOVES, random),
        }
    }

    /// A constraint that `solution` satisfies, or `None` if a few attempts find none.
    fn draw<const N: usize>(
        self,
        solution: &Grid<N>,
        random: &mut Random,
    ) -> Option<Constraint<N>> {
        (0..ATTEMPTS * 10).find_map(|_| {
            let cells = self.draw_cells(random);
            // The longest beginning of the line that satisfies the constraint.
            let has_any_length = !matches!(self, Kind::Clone | Kind::LittleKiller | Kind::Sandwich);
            let shortest = if has_any_length { 1 } else { cells.len() };
            (shortest..=cells.len()).rev().find_map(|length| {
                let constraint = self.of_cells(&cells[..length], solution)?.ok()?;
                constraint.allows(solution).then_some(constraint)
            })
        })
    }
}

/// Rows down and columns to the right of the neighbours of a cell, those along a side first.
const ALL_MOVES: &[(isize, isize)] = &[
    (0, 1),
    (1, 0),
    (0, -1),
    (-1, 0),
    (1, 1),
    (1, -1),
    (-1, 1),
    (-1, -1),
];

/// A line of up to `length` different cells at random, each a move from the last.
fn walk<const N: usize>(
    start: Cell<N>,
    length: usize,
    moves: &[(isize, isize)],
    random: &mut Random,
) -> Vec<Cell<N>> {
    let mut cells = vec![start];
    while cells.len() < length {
        let last = cells[cells.len() - 1];
        let around = moves.iter().filter_map(|step| last.offset(step.0, step.1));
        let free: Vec<Cell<N>> = around.filter(|cell| !cells.contains(cell)).collect();
        if free.is_empty() {
            break;
        }
        cells.push(free[random.below(free.len())]);
    }
    cells
}

impl<const N: usize> Generator<N> {
    /// Rules with up to `count` more constraints of a kind, and a puzzle under them with one solution that has
    /// several if any given is removed. A rule that holds everywhere is added once.
    ///
    /// The constraints are drawn over a complete grid; no two of them have the same cells. `None` if
    /// the grids had no place for any, or the rules do not allow the kind.
    pub fn variant(&mut self, kind: Kind, count: usize) -> Option<(Rules<N>, Grid<N>)> {
        if let Some(constraint) = kind.global() {
            let rules = self.rules.clone().with(constraint);
            let seed = self.random.next_u64();
            let mut generator = Generator::with_rules(seed, &rules).ok()?;
            return Some((rules, generator.minimal()));
        }
        for _ in 0..ATTEMPTS {
            let solution = self.complete();
            let mut constraints: Vec<Constraint<N>> = Vec::new();
            for _ in 0..2 * count {
                if let Some(constraint) = kind.draw(&solution, &mut self.random) {
                    let mut others = constraints.iter();
                    if others.all(|other| other.cells() != constraint.cells()) {
                        constraints.push(constraint);
                    }
                }
                if constraints.len() == count {
                    break;
                }
            }
            if constraints.is_empty() {
                continue;
            }
            let with = |rules: Rules<N>, constraint| rules.with(constraint);
            let rules = constraints.into_iter().fold(self.rules.clone(), with);
            let mut puzzle = solution;
            let own = core::mem::replace(&mut self.engine, engine::fastest(&rules));
            self.dig(&mut puzzle, 0, 1);
            self.engine = own;
            return Some((rules, puzzle));
        }
        None
    }
}

/// A puzzle of overlapping grids with one solution that has several if any given is removed, or `None`
/// if the rules allow no solution.
pub fn overlapping<const N: usize>(seed: u64, overlap: &Overlap<N>) -> Option<Vec<Grid<N>>> {
    let mut random = Random::new(seed);
    let mut solver = OverlapSolver::new(overlap);
    let mut values = vec![0; overlap.cells()];
    let mut order: Vec<usize> = (0..values.len()).collect();
    random.shuffle(&mut order);
    let mut digits: Vec<u8> = (1..=N as u8).collect();
    for &cell in &order {
        random.shuffle(&mut digits);
        let mut fits = |&digit: &u8| {
            values[cell] = digit;
            !solver.solutions(&overlap.grids(&values), 1).is_empty()
        };
        digits.iter().copied().find(|digit| fits(digit))?;
    }
    random.shuffle(&mut order);
    for cell in order {
        let digit = core::mem::replace(&mut values[cell], 0);
        if solver.solutions(&overlap.grids(&values), 2).len() > 1 {
            values[cell] = digit;
        }
    }
    // Each grid shows the shared cells.
    Some(overlap.grids(&values))
}

//! Properties of every puzzle: its symmetries change neither how many solutions it has nor,
//! but for the symmetry itself, which; and a generated puzzle is what was asked for.

use proptest::prelude::*;
use sudoku::engine::{Engine, Support, registry, stop_if};
use sudoku::generate::Generator;
use sudoku::grid::{Cell, Digit, Grid};
use sudoku::rules::Rules;
use sudoku::rules::box_shape;

/// A change of a classic puzzle that keeps its rules.
#[derive(Clone, Debug)]
struct Symmetry {
    /// The new index of each digit.
    digits: Vec<usize>,
    /// Where each row and column goes.
    rows: Vec<usize>,
    columns: Vec<usize>,
    transpose: bool,
}

impl Symmetry {
    fn apply<const N: usize>(&self, grid: &Grid<N>) -> Grid<N> {
        let mut changed = Grid::EMPTY;
        for (cell, digit) in grid.givens() {
            let (mut row, mut column) = (self.rows[cell.row()], self.columns[cell.column()]);
            if self.transpose {
                (row, column) = (column, row);
            }
            let digit = Digit::from_index(self.digits[digit.index()]);
            changed.set(Cell::at(row, column), Some(digit));
        }
        changed
    }
}

/// An order of the lines that keeps each band (or stack) of lines together.
fn lines(side: usize) -> impl Strategy<Value = Vec<usize>> {
    let shuffled = || Just((0..side).collect::<Vec<_>>()).prop_shuffle();
    (shuffled(), proptest::collection::vec(shuffled(), side)).prop_map(move |(bands, inner)| {
        let place = |line: usize| bands[line / side] * side + inner[line / side][line % side];
        (0..side * side).map(place).collect()
    })
}

fn symmetry(n: usize) -> impl Strategy<Value = Symmetry> {
    let (side, _) = box_shape(n);
    let digits = Just((0..n).collect::<Vec<_>>()).prop_shuffle();
    (digits, lines(side), lines(side), any::<bool>()).prop_map(
        |(digits, rows, columns, transpose)| Symmetry {
            digits,
            rows,
            columns,
            transpose,
        },
    )
}

/// A complete grid from which all but `givens` cells, at random, were taken.
fn puzzle<const N: usize>(seed: u64, givens: usize) -> Grid<N> {
    let mut generator = Generator::new(seed);
    let mut puzzle = generator.complete();
    let mut cells: Vec<Cell<N>> = Cell::all().collect();
    generator.random().shuffle(&mut cells);
    for &cell in &cells[givens..] {
        puzzle.set(cell, None);
    }
    puzzle
}

/// Every engine finds as many solutions of both puzzles, and the same ones where it finds all.
fn same_solutions<const N: usize>(puzzle: &Grid<N>, symmetry: &Symmetry, limit: usize) {
    let changed = symmetry.apply(puzzle);
    let mut counts = Vec::new();
    for entry in registry::<N>() {
        let Ok(mut engine) = entry.engine(&Rules::classic()) else {
            continue;
        };
        let solutions = engine.solutions(puzzle, limit);
        let mut expected: Vec<_> = solutions.iter().map(|grid| symmetry.apply(grid)).collect();
        let mut found = engine.solutions(&changed, limit);
        assert_eq!(found.len(), expected.len(), "{}", entry.name);
        if found.len() < limit {
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expected, "{}", entry.name);
        }
        counts.push(found.len());
    }
    assert!(counts.windows(2).all(|two| two[0] == two[1]), "{counts:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn symmetries_keep_the_solutions_4x4(
        seed: u64, givens in 0usize..12, symmetry in symmetry(4),
    ) {
        same_solutions(&puzzle::<4>(seed, givens), &symmetry, 300);
    }

    #[test]
    fn symmetries_keep_the_solutions_9x9(
        seed: u64, givens in 34usize..60, symmetry in symmetry(9),
    ) {
        same_solutions(&puzzle::<9>(seed, givens), &symmetry, 30);
    }

    /// A wrong digit may leave no solution; all engines must agree on that too.
    #[test]
    fn engines_agree_on_spoilt_puzzles(
        seed: u64, givens in 34usize..50, cell in 0usize..81, digit in 0usize..9,
        symmetry in symmetry(9),
    ) {
        let mut puzzle = puzzle::<9>(seed, givens);
        puzzle.set(Cell::from_index(cell), Some(Digit::from_index(digit)));
        same_solutions(&puzzle, &symmetry, 30);
    }

    /// The diagonal rules have fewer symmetries: relabelling and transposing.
    #[test]
    fn relabelling_keeps_the_solutions_of_a_diagonal_puzzle(
        seed: u64, givens in 20usize..40, symmetry in symmetry(9),
    ) {
        let rules = Rules::diagonal();
        let symmetry = Symmetry { rows: (0..9).collect(), columns: (0..9).collect(), ..symmetry };
        let mut generator = Generator::with_rules(seed, &rules).unwrap();
        let mut puzzle = generator.complete();
        for _ in givens..81 {
            puzzle.set(Cell::from_index(generator.random().below(81)), None);
        }
        for entry in registry::<9>().iter().filter(|entry| entry.support != Support::Classic) {
            let mut engine = entry.engine(&rules).unwrap();
            let count = engine.count(&puzzle, 40);
            prop_assert!(count > 0);
            prop_assert_eq!(engine.count(&symmetry.apply(&puzzle), 40), count, "{}", entry.name);
        }
    }

    #[test]
    fn generated_puzzles_are_what_was_asked_for(seed: u64, givens in 26usize..40) {
        let mut generator = Generator::<9>::new(seed);
        let unique = generator.unique(givens).unwrap();
        prop_assert_eq!(unique.count_givens(), givens);
        prop_assert_eq!(unique.count_solutions(2), 1);
        let several = generator.several(5, givens).unwrap();
        prop_assert!(several.count_givens() <= givens);
        prop_assert_eq!(several.count_solutions(10), 5);
        let none = generator.unsolvable(givens).unwrap();
        prop_assert!(Rules::classic().allow(&none));
        prop_assert_eq!(none.solve(), sudoku::Answer::None);
        prop_assert_eq!(Generator::<9>::new(seed).unique(givens), Some(unique));
    }

    #[test]
    fn solutions_in_order_are_in_order(seed: u64, givens in 26usize..40) {
        let mut found: Vec<Grid<9>> = Vec::new();
        puzzle(seed, givens).for_each_solution(|solution| {
            found.push(*solution);
            stop_if(found.len() >= 100)
        });
        prop_assert!(!found.is_empty());
        prop_assert!(found.windows(2).all(|two| two[0] < two[1]));
    }
}

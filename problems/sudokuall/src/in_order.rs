//! Solutions in lexicographic order from an engine that finds them in another.

use std::ops::ControlFlow;
use sudoku::engine::{Engine, Visitor};
use sudoku::{Cell, Digit, Grid};

/// How many solutions are sorted at once; 81 bytes each.
const AT_ONCE: usize = 4096;

/// Hands every solution of `puzzle` to `visit` in lexicographic order until it breaks,
/// independent of the order of `engine`.
///
/// A puzzle with few solutions has them sorted. One with more is split by the digit in its first
/// empty cell, smallest first, until each part has few: so the memory is bounded, however many
/// solutions there are.
pub fn for_each_in_order(
    engine: &mut dyn Engine<9>,
    puzzle: &Grid<9>,
    visit: &mut Visitor<'_, 9>,
) -> ControlFlow<()> {
    split(engine, puzzle, visit, AT_ONCE)
}

fn split(
    engine: &mut dyn Engine<9>,
    puzzle: &Grid<9>,
    visit: &mut Visitor<'_, 9>,
    at_once: usize,
) -> ControlFlow<()> {
    let mut found = engine.solutions(puzzle, at_once + 1);
    if found.len() <= at_once {
        found.sort_unstable();
        return found.iter().try_for_each(visit);
    }
    drop(found); // before the parts fill theirs
    let Some(cell) = Cell::all().find(|&cell| puzzle.get(cell).is_none()) else {
        // A full grid has at most one solution, and `at_once` is more than that.
        return ControlFlow::Continue(());
    };
    Digit::all().try_for_each(|digit| {
        let mut part = *puzzle;
        part.set(cell, Some(digit));
        split(engine, &part, visit, at_once)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudoku::engine::{Checked, Method, Statistics};

    /// Finds what the lexicographic engine finds, last solution first.
    struct Backwards(Box<dyn Engine<9>>);

    impl Method<9> for Backwards {
        fn search(&mut self, puzzle: Checked<'_, 9>, visit: &mut Visitor<'_, 9>) -> Statistics {
            let solutions = self.0.solutions(puzzle.grid(), usize::MAX);
            let _ = solutions.iter().rev().try_for_each(visit);
            Statistics::default()
        }
    }

    #[test]
    fn any_order_becomes_lexicographic() {
        // A complete grid in which each row is the one above moved, without its first four rows.
        let mut puzzle = Grid::EMPTY;
        for cell in Cell::all().filter(|cell| cell.row() > 3) {
            let moved = cell.row() % 3 * 3 + cell.row() / 3 + cell.column();
            puzzle.set(cell, Digit::new((moved % 9 + 1) as u8));
        }
        let mut expected = Vec::new();
        sudoku::solve_in_order(&puzzle, &mut |solution| {
            expected.push(*solution);
            ControlFlow::Continue(())
        });
        assert!(
            expected.len() > 100 && expected.is_sorted(),
            "{}",
            expected.len()
        );
        let mut engine = Backwards(sudoku::engine::lexicographic(&sudoku::Rules::classic()));
        for at_once in [1, 2, 7, expected.len(), AT_ONCE] {
            let mut found = Vec::new();
            let mut visit = |solution: &Grid<9>| {
                found.push(*solution);
                ControlFlow::Continue(())
            };
            assert!(split(&mut engine, &puzzle, &mut visit, at_once).is_continue());
            assert_eq!(found, expected);
            let mut left = 5;
            let mut stop = |_: &Grid<9>| {
                left -= 1;
                if left > 0 {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                }
            };
            assert!(split(&mut engine, &puzzle, &mut stop, at_once).is_break());
            assert_eq!(left, 0);
        }
    }
}

use super::propagate16::{self, Root};
use super::views::{Agenda, CELL, Views};
use crate::generate::Random;
use crate::grid::{Cell, Digit, Grid};
use crate::rules::Rules;

const MINIMAL_16: &str = include_str!("../../../benches/puzzles/16x16-minimal.txt");
const GIVENS_105: &str = include_str!("../../../benches/puzzles/16x16-givens105.txt");
const GIVENS_130: &str = include_str!("../../../benches/puzzles/16x16-givens130.txt");

/// Propagation over all cells at once reaches the same candidates as the views, which propagate one
/// candidate at a time.
#[test]
fn the_root_of_a_16x16_grid_is_that_of_the_views() {
    let mut random = Random::new(7);
    let (mut dead, mut open, mut solved) = (0, 0, 0);
    let lines = [GIVENS_130, GIVENS_105, MINIMAL_16].map(|set| set.lines().take(30));
    for (i, line) in lines.into_iter().flatten().enumerate() {
        let mut puzzle: Grid<16> = line.parse().expect("a grid");
        // Every third with a digit more that clashes with no given, most likely a wrong one.
        let mut missing = i % 3 == 0;
        while missing {
            let mut other = puzzle;
            let cell = Cell::from_index(random.below(256));
            other.set(cell, Some(Digit::from_index(random.below(16))));
            if puzzle.get(cell).is_none() && Rules::classic().allow(&other) {
                puzzle = other;
                missing = false;
            }
        }
        let mut cells = [[!0u16; 16]; 16];
        for (cell, digit) in puzzle.givens() {
            cells[cell.row()][cell.column()] = 1 << digit.index();
        }
        let root = propagate16::settle(&mut cells);
        let (mut views, mut agenda) = (Views::<16, u16>::empty(), Agenda::default());
        let loaded = views.load(&puzzle, &mut agenda);
        if loaded.and_then(|()| views.propagate(&mut agenda)).is_err() {
            // The views may notice it a little earlier.
            assert!(root != Root::Solved, "{line}");
            dead += 1;
            continue;
        }
        assert_eq!(cells, views.sets[CELL], "{line}");
        let is_solved = cells.iter().flatten().all(|set| set.is_power_of_two());
        assert_eq!(root == Root::Solved, is_solved, "{line}");
        open += usize::from(root == Root::Open);
        solved += usize::from(root == Root::Solved);
        // The views made of them are as if propagated.
        let mut loaded = Views::<16, u16>::empty();
        loaded.load_settled(&cells, &mut agenda);
        assert!(agenda.placements.is_empty() && agenda.dirty == 0);
        assert_eq!(
            (loaded.sets, loaded.open),
            (views.sets, views.open),
            "{line}"
        );
    }
    assert!(
        dead > 3 && open > 20 && solved > 10,
        "{dead} {open} {solved}"
    );
}

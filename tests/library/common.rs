//! Helpers of the library's tests: a naive solver to compare with, and grids to solve.

pub mod article_cases;

use sudoku::engine::{Engine, stop_if};
use sudoku::grid::{Cell, Digit, Grid};
use sudoku::rules::Rules;

/// Up to `limit` solutions in lexicographic order, by trying everything and asking the houses.
///
/// It shares no code with the engines: it knows houses and cages only, and keeps nothing.
pub fn oracle<const N: usize>(rules: &Rules<N>, puzzle: &Grid<N>, limit: usize) -> Vec<Grid<N>> {
    let mut found = Vec::new();
    if rules.allow(puzzle) {
        let houses_of: Vec<Vec<[Cell<N>; N]>> = Cell::all()
            .map(|cell| {
                let houses = rules.houses().iter().map(|house| house.cells);
                houses.filter(|cells| cells.contains(&cell)).collect()
            })
            .collect();
        try_from(rules, &houses_of, &mut puzzle.clone(), 0, limit, &mut found);
    }
    found
}

fn try_from<const N: usize>(
    rules: &Rules<N>,
    houses_of: &[Vec<[Cell<N>; N]>],
    grid: &mut Grid<N>,
    index: usize,
    limit: usize,
    found: &mut Vec<Grid<N>>,
) {
    if found.len() == limit {
        return;
    }
    if index == Cell::<N>::COUNT {
        found.push(*grid);
        return;
    }
    let cell = Cell::from_index(index);
    if grid.get(cell).is_some() {
        return try_from(rules, houses_of, grid, index + 1, limit, found);
    }
    for digit in Digit::all() {
        let mut houses = houses_of[index].iter();
        if houses.all(|cells| cells.iter().all(|&peer| grid.get(peer) != Some(digit))) {
            grid.set(cell, Some(digit));
            if rules.cages().is_empty() || rules.allow(grid) {
                try_from(rules, houses_of, grid, index + 1, limit, found);
            }
            grid.set(cell, None);
        }
    }
}

/// The solutions that a search hands out before it is stopped after `limit`.
pub fn visited<const N: usize>(
    engine: &mut dyn sudoku::engine::Method<N>,
    puzzle: &Grid<N>,
    limit: usize,
) -> Vec<Grid<N>> {
    let mut found = Vec::new();
    engine.for_each(puzzle, |solution| {
        found.push(*solution);
        stop_if(found.len() == limit)
    });
    found
}

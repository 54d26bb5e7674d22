//! The solution with the highest weighted sum, compared with all solutions.

use sudoku::Grid;
use sudoku::engine::heaviest_solution;
use sudoku::generate::Generator;

/// The highest sum over all solutions, listed one by one.
fn highest<const N: usize>(puzzle: &Grid<N>, weights: &[[u32; N]; N]) -> Option<u64> {
    let sum = |solution: Grid<N>| {
        let rows = solution.rows();
        let cells = weights.iter().flatten().zip(rows.iter().flatten());
        cells.map(|(&w, &d)| u64::from(w) * u64::from(d)).sum()
    };
    puzzle.solutions().map(sum).max()
}

fn agrees<const N: usize>(seeds: core::ops::Range<u64>, solutions: u64, givens: usize) {
    let mut several = 0;
    for seed in seeds {
        let mut generator = Generator::<N>::new(seed);
        let puzzle = generator.several(solutions, givens);
        let puzzle = puzzle.expect("a puzzle with so many solutions");
        let mut weights = [[0; N]; N];
        for weight in weights.iter_mut().flatten() {
            *weight = generator.random().below(9) as u32;
        }
        let found = heaviest_solution(&puzzle, &weights);
        assert_eq!(found.map(|(_, sum)| sum), highest(&puzzle, &weights));
        let (solution, sum) = found.expect("a solution");
        assert_eq!(highest(&solution, &weights), Some(sum));
        several += 1;
    }
    assert!(several > 0);
}

#[test]
fn no_solution_has_a_higher_sum() {
    agrees::<4>(1..30, 6, 8);
    agrees::<6>(1..20, 12, 20);
    agrees::<9>(1..20, 12, 40);
}

#[test]
fn a_puzzle_without_a_solution_has_no_heaviest_one() {
    let weights = [[1; 4]; 4];
    for line in ["11..............", "123....4........"] {
        let puzzle: Grid<4> = line.parse().expect("a grid");
        assert_eq!(heaviest_solution(&puzzle, &weights), None);
    }
}

/// All weights equal: every solution has the same sum, which the first bound shows at once.
#[test]
fn equal_weights_need_no_search_through_all_solutions() {
    let found = heaviest_solution(&Grid::<9>::EMPTY, &[[2; 9]; 9]);
    assert_eq!(found.map(|(_, sum)| sum), Some(2 * 9 * 45));
}

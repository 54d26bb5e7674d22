//! The articles' engines search as the articles' programs do, guess by guess.

use crate::common::article_cases::ARTICLE_CASES;
use std::ops::ControlFlow;
use sudoku::Rules;
use sudoku::engine::{Engine, by_name};

/// How often the articles' own C++ tried a digit on the six cases, for all solutions; counted once
/// with a counter added to the programs (methods 2 and 4 and those of NC47 were not: their search is
/// that of methods 1, 3 and 1). Where a program knows that only one digit fits, that is no guess.
const GUESSES: [(&str, [u64; 6]); 12] = [
    (
        "backtracking",
        [8363, 12176, 204_347, 76702, 2_068_780, 463_613],
    ),
    (
        "lookup_backtracking",
        [8363, 12176, 204_347, 76702, 2_068_780, 463_613],
    ),
    ("naked_singles", [0, 3, 20, 660, 13170, 2638]),
    ("naked_singles_undo", [0, 3, 20, 660, 13170, 2638]),
    ("four_views", [0, 3, 0, 72, 787, 208]),
    ("four_views_fewest", [0, 4, 0, 56, 320, 138]),
    ("counted_cells", [0, 4, 0, 56, 320, 138]),
    ("counted_views", [0, 4, 0, 56, 320, 138]),
    ("bitmask_fewest", [0, 4, 10, 172, 3598, 772]),
    (
        "brute_force",
        [8363, 12176, 204_347, 76702, 2_068_780, 463_613],
    ),
    ("bitmask", [8363, 12176, 204_347, 76702, 2_068_780, 463_613]),
    ("dancing_links", [0, 4, 0, 56, 320, 138]),
];

#[test]
fn engines_guess_as_often_as_the_articles_programs() {
    for (name, expected) in GUESSES {
        let mut engine = by_name::<9>(name)
            .unwrap()
            .engine(&Rules::classic())
            .unwrap();
        for (case, guesses) in ARTICLE_CASES.iter().zip(expected) {
            let mut solutions = 0;
            let statistics = engine.for_each(&case.grid(), |_| {
                solutions += 1;
                ControlFlow::Continue(())
            });
            assert_eq!(solutions, case.solutions, "{name} on {}", case.name);
            assert_eq!(statistics.guesses, guesses, "{name} on {}", case.name);
        }
    }
}

/// The order of the solutions, too, is that of the UVa 1309 article's program: largest digits first.
#[test]
fn dancing_links_finds_the_three_answers_in_the_articles_order() {
    let entry = by_name::<9>("dancing_links").unwrap();
    let mut engine = entry.engine(&Rules::classic()).unwrap();
    let solutions = engine.solutions(&ARTICLE_CASES[1].grid(), 10);
    let starts: Vec<[u8; 4]> = solutions
        .iter()
        .map(|solution| {
            let [a, b, c, d, ..] = solution.rows()[0];
            [a, b, c, d]
        })
        .collect();
    assert_eq!(starts, [[8, 3, 9, 4], [6, 3, 9, 4], [9, 3, 6, 4]]);
}

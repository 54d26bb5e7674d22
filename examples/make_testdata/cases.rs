//! The test cases of each package: what they are for, and the seeds that they are made from.
//!
//! The seeds of the hard puzzles were found by trying thousands; the comments say for what.

use crate::puzzles::*;
use std::ops::ControlFlow;
use sudoku::Grid;
use sudoku::notation::Notation;

/// A test case.
pub struct Case {
    pub package: &'static str,
    /// With its number, which keeps the cases in order.
    pub name: String,
    description: &'static str,
    input: String,
    answer: String,
}

impl Case {
    /// Its files: extension and contents.
    pub fn files(&self) -> [(&'static str, String); 3] {
        let settings = format!("description: \"{}\"\n", self.description);
        [
            ("in", self.input.clone()),
            ("ans", self.answer.clone()),
            ("yaml", settings),
        ]
    }
}

/// Every case of every package.
pub fn all() -> Vec<Case> {
    [luogup1784(), nowcodernc47(), uva1309(), sudokuall()]
        .into_iter()
        .flatten()
        .collect()
}

/// Numbers the cases of a package in their order.
fn numbered<T>(
    package: &'static str,
    cases: Vec<(&str, &'static str, T)>,
    files: impl Fn(T) -> (String, String),
) -> Vec<Case> {
    let mut number = 0;
    let number_case = |(name, description, puzzle)| {
        number += 1;
        let (input, answer) = files(puzzle);
        Case {
            package,
            name: format!("{number:02}-{name}"),
            description,
            input,
            answer,
        }
    };
    cases.into_iter().map(number_case).collect()
}

fn luogup1784() -> Vec<Case> {
    let cases = vec![
        ("easy", "50 givens", unique(101, 50)),
        ("medium", "32 givens", unique(102, 32)),
        ("minimal", "every given is needed", minimal(103)),
        // The fewest among the seeds up to 15,000, and of those the hardest for fewest candidates.
        ("few-givens", "21 givens, every one needed", minimal(11_702)),
        ("hardest-2006", "Inkala's grid of 2006", known(INKALA_2006)),
        ("hardest-2010", "Inkala's grid of 2010", known(INKALA_2010)),
        // The hardest two for fewest candidates among the seeds up to 15,000.
        (
            "many-guesses",
            "leads a search by fewest candidates astray",
            minimal(1_345),
        ),
        (
            "many-guesses",
            "leads a search by fewest candidates astray",
            minimal(2_568),
        ),
        (
            "hack",
            "the third hack case of the real judge, 17 givens",
            hack(),
        ),
        (
            "row-order",
            "17 givens, against a search row by row",
            known(AGAINST_ROW_ORDER),
        ),
        (
            "empty-rows",
            "few givens in the first rows",
            against_row_order(&minimal(30_509)),
        ),
        ("one-empty", "80 givens", unique(110, 80)),
        (
            "complete",
            "no empty cell: the answer is the input",
            complete(111),
        ),
        (
            "trailing-blanks",
            "every row ends with a blank",
            unique(112, 30),
        ),
    ];
    let mut cases = numbered("luogup1784", cases, |puzzle: Grid<9>| {
        let answer = Notation::SPACED.format(&solution(&puzzle));
        (Notation::SPACED.format(&puzzle), answer)
    });
    for case in &mut cases {
        if case.name.ends_with("hack") {
            case.input = HACK.into();
            case.answer = case.answer.replace('\n', " \n");
        } else if case.name.ends_with("trailing-blanks") {
            case.input = case.input.replace('\n', " \n");
        }
    }
    cases
}

fn hack() -> Grid<9> {
    Notation::SPACED.parse(HACK).expect("a literal grid")
}

fn nowcodernc47() -> Vec<Case> {
    let cases = vec![
        ("easy", "45 givens", unique(201, 45)),
        ("medium", "34 givens", unique(202, 34)),
        ("medium", "30 givens", unique(203, 30)),
        ("minimal", "every given is needed", minimal(204)),
        ("minimal", "every given is needed", minimal(205)),
        ("few-givens", "21 givens, every one needed", minimal(6_701)),
        ("hardest-2006", "Inkala's grid of 2006", known(INKALA_2006)),
        ("hardest-2012", "Inkala's grid of 2012", known(INKALA_2012)),
        (
            "many-guesses",
            "leads a search by fewest candidates astray",
            minimal(10_123),
        ),
        (
            "empty-rows",
            "few givens in the first rows",
            against_row_order(&minimal(20_203)),
        ),
        (
            "row-order",
            "17 givens, against a search row by row",
            known(AGAINST_ROW_ORDER),
        ),
        ("one-empty", "80 givens", unique(212, 80)),
        (
            "complete",
            "no empty cell: the answer is the input",
            complete(213),
        ),
    ];
    numbered("nowcodernc47", cases, |puzzle: Grid<9>| {
        let answer = Notation::BRACKETS.format(&solution(&puzzle));
        (Notation::BRACKETS.format(&puzzle), answer)
    })
}

fn uva1309() -> Vec<Case> {
    // Many grids out of a few: equivalent puzzles are as hard, and much cheaper to make.
    let many = |count: u64, puzzles: &[Grid<16>]| -> Vec<Grid<16>> {
        let pick = |k: u64| puzzles[k as usize % puzzles.len()];
        (0..count).map(|k| scrambled(k, &pick(k))).collect()
    };
    let easy = [unique(301, 140), unique(302, 130), unique(303, 130)];
    let medium = [unique(304, 105), unique(305, 105), unique(306, 110)];
    let mixed = vec![easy[0], complete(307), medium[0], minimal(308), easy[1]];
    let cases = vec![
        ("easy", "one grid, 160 givens", vec![unique(309, 160)]),
        ("medium", "one grid, 120 givens", vec![unique(310, 120)]),
        (
            "minimal",
            "one grid, every given is needed",
            vec![minimal(311)],
        ),
        // Among the first 240 seeds, one of the dozen that take dancing links most states.
        (
            "many-guesses",
            "one grid that leads exact cover astray",
            vec![minimal(161)],
        ),
        ("one-empty", "one grid, 255 givens", vec![unique(313, 255)]),
        (
            "complete",
            "one grid without an empty cell",
            vec![complete(314)],
        ),
        (
            "two",
            "two grids: one empty line between them",
            easy[..2].to_vec(),
        ),
        ("mixed", "five grids, from complete to minimal", mixed),
        (
            "many-minimal",
            "ten grids in which every given is needed",
            many(10, &[minimal(315)]),
        ),
        ("many-medium", "60 grids of 105 givens", many(60, &medium)),
        ("many-easy", "400 grids of 130 givens", many(400, &easy)),
        (
            "many-complete",
            "1000 grids with one empty cell",
            many(1000, &[unique(316, 255)]),
        ),
    ];
    numbered("uva1309", cases, |puzzles: Vec<Grid<16>>| {
        let form = |grids: &[Grid<16>]| -> String {
            let grids = grids.iter().map(|grid| Notation::DASHED_ROWS.format(grid));
            grids.collect::<Vec<_>>().join("\n")
        };
        let solutions: Vec<Grid<16>> = puzzles.iter().map(solution).collect();
        (form(&puzzles), form(&solutions))
    })
}

fn sudokuall() -> Vec<Case> {
    let hardest = known(INKALA_2012);
    let mut clash = unique(412, 40);
    clash.rows_mut()[8] = clash.rows_mut()[7];
    let cases = vec![
        ("easy", "one solution, 50 givens", unique(401, 50)),
        ("easy-3", "three solutions", several(402, 3)),
        ("medium", "one solution, 30 givens", unique(403, 30)),
        ("hardest-2010", "Inkala's grid of 2010", known(INKALA_2010)),
        ("hardest-2012", "Inkala's grid of 2012", hardest),
        (
            "hardest-wrong",
            "Inkala's grid of 2012 with a wrong digit: none",
            spoilt(404, &hardest),
        ),
        (
            "minimal",
            "one solution, every given is needed",
            minimal(405),
        ),
        ("few-givens", "one solution, 21 givens", minimal(10_441)),
        (
            "empty-rows",
            "few givens in the first rows",
            against_row_order(&minimal(20_547)),
        ),
        ("two", "two solutions", several(408, 2)),
        ("twelve", "twelve solutions", several(409, 12)),
        (
            "hundreds",
            "hundreds of solutions, in order",
            many(410, 200),
        ),
        (
            "thousands",
            "thousands of solutions, in order",
            many(411, 1000),
        ),
        ("clash", "the same givens in two rows: no solution", clash),
        (
            "complete",
            "no empty cell: one solution, the input",
            complete(413),
        ),
        (
            "complete-wrong",
            "no empty cell, but a digit twice in a row: no solution",
            {
                let mut grid = complete(414);
                grid.rows_mut()[4][4] = grid.rows_mut()[4][5];
                grid
            },
        ),
    ];
    numbered("sudokuall", cases, |puzzle: Grid<9>| {
        let mut answer = String::new();
        let mut count = 0;
        sudoku::solve_in_order(&puzzle, &mut |solution| {
            answer += &Notation::SPACED.format(solution);
            answer.push('\n');
            count += 1;
            ControlFlow::Continue(())
        });
        assert!(count <= 20_000, "the statement promises no more");
        assert_eq!(count, sudoku::count_solutions(&puzzle, u64::MAX));
        (
            Notation::SPACED.format(&puzzle),
            answer + &format!("{count}\n"),
        )
    })
}

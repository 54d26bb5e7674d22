//! The 9x9 engines against plain backtracking and against each other.

use super::simd::Processor;
use super::*;
use crate::engine::{Backtracking, Engine, Statistics, stop_if};
use crate::generate::Random;
use crate::grid::{Cell, Digit};
use crate::solver::Answer;

/// A solved grid.
const SOLVED: &[u8; 81] =
    b"534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// Puzzles that need guesses: Inkala's of 2012, two that need many more, and one of 17 givens.
const HARD: [&[u8; 81]; 4] = [
    b"8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
    b"..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
    b"98.7.....6.....87...7.....5.4..3.5....65...9......2..1..86...5.....1.3.......4..2",
    b".................1.....2.3......3.2...1.4......5....6..3......4.7..8...962...7...",
];

/// The solved grid with its digits renamed, cells taken out and now and then one made wrong.
fn puzzle(random: &mut Random, emptied: usize) -> Grid<9> {
    let mut names = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    random.shuffle(&mut names);
    let mut grid = parse_line(SOLVED).unwrap();
    let values = values_mut(&mut grid);
    for value in values.iter_mut() {
        *value = names[*value as usize - 1];
    }
    for _ in 0..emptied {
        values[random.below(81)] = 0;
    }
    if random.below(4) == 0 {
        values[random.below(81)] = 1 + random.below(9) as u8;
    }
    grid
}

fn line(grid: &Grid<9>) -> String {
    grid.to_string()
}

/// The number of rounds: under Miri, which is a thousand times slower, just enough to reach all code.
const fn rounds(natively: usize, under_miri: usize) -> usize {
    if cfg!(miri) { under_miri } else { natively }
}

fn engines() -> Vec<(&'static str, Box<dyn Method<9>>)> {
    vec![
        ("bands", Box::new(Bands)),
        ("wide", Box::new(Wide::new())),
        ("wide, portable", Box::new(Wide::on(Processor::PORTABLE))),
    ]
}

/// Up to `limit` solutions, sorted.
fn solutions(engine: &mut dyn Method<9>, puzzle: &Grid<9>, limit: usize) -> Vec<Grid<9>> {
    let mut found = engine.solutions(puzzle, limit);
    found.sort_unstable();
    found
}

#[test]
fn all_solutions_are_those_of_backtracking() {
    let mut random = Random::new(1);
    let (mut several, mut none) = (0, 0);
    for round in 0..rounds(100, 4) {
        let puzzle = puzzle(&mut random, 45 + round % 50);
        let expected = Backtracking.solutions(&puzzle, 200);
        several += usize::from(expected.len() > 1);
        none += usize::from(expected.is_empty());
        for (name, mut engine) in engines() {
            let found = solutions(&mut *engine, &puzzle, 200);
            if expected.len() < 200 {
                assert_eq!(found, expected, "{name}: {puzzle:?}");
            } else {
                assert_eq!(found.len(), 200, "{name}: {puzzle:?}");
            }
        }
    }
    assert!(cfg!(miri) || (several > 20 && none > 20));
}

#[test]
fn hard_puzzles_have_one_solution() {
    for line in HARD.into_iter().take(rounds(4, 1)) {
        let puzzle = parse_line(line).unwrap();
        for (name, mut engine) in engines() {
            assert_eq!(engine.count(&puzzle, 2), 1, "{name}");
            let solution = engine.first(&puzzle).unwrap();
            assert!(crate::Rules::classic().is_solved_by(&solution), "{name}");
            for (given, digit) in puzzle.givens() {
                assert_eq!(solution.get(given), Some(digit), "{name}");
            }
        }
    }
}

#[test]
fn contradictions_have_no_solution() {
    // A row, a column, a box.
    for (first, second, digit) in [(0, 8, 1), (4, 76, 9), (30, 50, 5)] {
        let mut puzzle = Grid::EMPTY;
        for cell in [first, second] {
            puzzle.set(Cell::from_index(cell), Digit::new(digit));
        }
        for (name, mut engine) in engines() {
            assert_eq!(engine.count(&puzzle, 1), 0, "{name}: {puzzle:?}");
        }
    }
    // A character of a line that is no digit.
    let mut values = [0; 81];
    values[40] = 10;
    Wide::new().search_values(&values, &mut |_| panic!("a solution"));
}

#[test]
fn the_empty_grid_has_as_many_solutions_as_asked_for() {
    for (name, mut engine) in engines() {
        let limit = rounds(1000, 3) as u64;
        assert_eq!(engine.count(&Grid::EMPTY, limit), limit, "{name}");
        assert_eq!(engine.count(&Grid::EMPTY, 0), 0, "{name}");
    }
}

/// A search that tries a known grid's digits, then what it left out, finds every solution once.
#[test]
fn open_grids_have_every_solution_once() {
    let limit = rounds(2000, 30);
    let row = parse_line(
        &[&b"987654321"[..], &[b'.'; 72]]
            .concat()
            .try_into()
            .unwrap(),
    );
    for puzzle in [Grid::EMPTY, row.unwrap()] {
        let mut found = std::collections::HashSet::new();
        Wide::new().for_each(&puzzle, |solution| {
            assert!(
                puzzle
                    .givens()
                    .all(|(cell, digit)| solution[cell] == Some(digit))
            );
            assert!(crate::Rules::classic().is_solved_by(solution));
            assert!(found.insert(*solution), "twice");
            stop_if(found.len() >= limit)
        });
        assert_eq!(found.len(), limit);
    }
}

#[test]
fn every_machine_does_the_same_work() {
    let mut random = Random::new(2);
    for round in 0..rounds(200, 1) {
        let puzzle = if round < HARD.len() {
            parse_line(HARD[round]).unwrap()
        } else {
            puzzle(&mut random, 60 + round % 60)
        };
        let mut expected = None;
        for processor in Processor::all() {
            let mut found = Vec::new();
            let statistics = Wide::on(processor).for_each(&puzzle, |solution| {
                found.push(*solution);
                stop_if(found.len() >= 50)
            });
            let same = (statistics, found);
            assert_eq!(expected.get_or_insert(same.clone()), &same, "{processor:?}");
        }
    }
}

#[test]
fn lines_round_trip() {
    for text in HARD {
        assert_eq!(line(&parse_line(text).unwrap()).as_bytes(), text);
    }
    let mut line = *SOLVED;
    line[80] = b'x';
    assert_eq!(parse_line(&line), None);
    line[80] = b'0';
    assert_eq!(parse_line(&line).unwrap().values()[80], 0);
}

#[test]
fn a_batch_answers_as_one_search_each() {
    let mut random = Random::new(3);
    let mut puzzles: Vec<Grid<9>> = (0..rounds(151, 10))
        .map(|round| puzzle(&mut random, 45 + round % 80))
        .collect();
    puzzles.extend(HARD.map(|line| parse_line(line).unwrap()));
    puzzles.push(parse_line(&[b'1'; 81]).unwrap());
    let mut wide = Wide::new();
    for processor in Processor::all() {
        let mut batch = Batch::on(processor);
        let all = puzzles.len();
        let sizes = [
            (all, 2),
            (1, 1),
            (11, 2),
            (12, 2),
            (40, 1),
            (all, 1),
            (all, 100),
        ];
        for (size, limit) in sizes.into_iter().take(rounds(7, 1)) {
            let puzzles = &puzzles[all - size..];
            let mut counts = vec![7; size];
            let cost = batch.count(puzzles, &mut counts, limit);
            let mut firsts = vec![Some(Grid::EMPTY); size];
            batch.first(puzzles, &mut firsts);
            let mut answers = vec![Answer::Unique(Grid::EMPTY); size];
            batch.solve(puzzles, &mut answers);
            let mut expected = Statistics::default();
            for (i, puzzle) in puzzles.iter().enumerate() {
                let mut found = 0;
                expected += wide.for_each(puzzle, |_| {
                    found += 1;
                    stop_if(found >= limit)
                });
                assert_eq!(counts[i], found, "{size} {limit} {puzzle:?}");
                assert_eq!(firsts[i], wide.first(puzzle), "{size} {puzzle:?}");
                let answer = Answer::of_search(|visit| {
                    wide.for_each(puzzle, visit);
                });
                assert_eq!(answers[i], answer, "{size} {puzzle:?}");
            }
            assert_eq!(cost, expected, "{size} {limit}");
        }
    }
}

#[test]
#[cfg_attr(miri, ignore)] // it has no code that other tests do not run under Miri
fn a_stream_keeps_the_order_whatever_the_threads() {
    let mut random = Random::new(4);
    let puzzles: Vec<Grid<9>> = (0..9000).map(|_| puzzle(&mut random, 50)).collect();
    let mut expected = vec![Answer::None; puzzles.len()];
    let cost = Batch::new().solve(&puzzles, &mut expected);
    for threads in [0, 1, 3] {
        let mut stream = Stream::new(threads);
        // A small set is divided among the threads, too.
        for few in [255, 257, 1500] {
            let mut answers = vec![Answer::None; few];
            stream.solve(&puzzles[..few], &mut answers);
            assert!(
                answers == expected[..few],
                "{threads} threads, {few} puzzles"
            );
        }
        let mut answers = vec![Answer::None; puzzles.len()];
        assert_eq!(stream.solve(&puzzles, &mut answers), cost);
        assert!(answers == expected);
        let mut counts = vec![0; puzzles.len()];
        assert_eq!(stream.count(&puzzles, &mut counts, 2), cost);
        let text: String = puzzles.iter().map(|puzzle| line(puzzle) + "\n").collect();
        let mut of_lines = Vec::new();
        stream
            .count_lines(text.as_bytes(), 2, &mut of_lines)
            .unwrap();
        assert!(of_lines == counts);
        let mut firsts = vec![None; puzzles.len()];
        stream.first(&puzzles, &mut firsts);
        assert!(
            answers
                .iter()
                .map(Answer::solution)
                .eq(firsts.iter().map(Option::as_ref))
        );
    }
}

#[test]
fn a_stream_of_lines() {
    let mut text = Vec::new();
    for line in HARD {
        text.extend_from_slice(line);
        text.extend_from_slice(b"\r\n");
    }
    text.extend_from_slice(&[b'1'; 81]);
    // The lines are appended to what there is.
    let mut stream = Stream::new(1);
    let mut written = b"before".to_vec();
    stream.solve_lines(&text, 1, &mut written).unwrap();
    assert_eq!(written.drain(..6).collect::<Vec<_>>(), b"before");
    let lines: Vec<&[u8]> = written.split(|&byte| byte == b'\n').collect();
    for (found, puzzle) in lines.iter().zip(HARD) {
        let solution = Wide::new().first(&parse_line(puzzle).unwrap());
        assert_eq!(*found, line(&solution.unwrap()).as_bytes());
    }
    assert_eq!(lines[4..], [&[b'.'; 81][..], b""]); // no solution; the end
    text.extend_from_slice(b"\n12\n");
    let error = stream.solve_lines(&text, 1, &mut written).unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 6: expected 81 cells, each a digit or a mark for an empty one, found 2 characters"
    );
}

#[test]
#[cfg_attr(miri, ignore)] // a stream of lines does the same with less text
fn a_stream_is_the_same_in_pieces_with_any_line_ends() {
    /// Gives a few bytes at a time.
    struct Drops<'a>(&'a [u8]);
    impl std::io::Read for Drops<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let bytes = buffer.len().min(self.0.len()).min(1 + self.0.len() % 5000);
            let (drop, rest) = self.0.split_at(bytes);
            buffer[..bytes].copy_from_slice(drop);
            self.0 = rest;
            Ok(bytes)
        }
    }
    let mut random = Random::new(5);
    let puzzles: Vec<Grid<9>> = (0..20_000).map(|_| puzzle(&mut random, 40)).collect();
    let mut expected = Vec::new();
    let mut text = Vec::new();
    for (i, puzzle) in puzzles.iter().enumerate() {
        let solution = Wide::new().first(puzzle).unwrap_or_default();
        expected.extend_from_slice(line(&solution).as_bytes());
        expected.push(b'\n');
        text.extend_from_slice(line(puzzle).as_bytes());
        let windows = i > 9000 && i % 500 > 20;
        text.extend_from_slice(if windows { b"\r\n" } else { b"\n" });
    }
    for threads in [1, 2] {
        for text in [&text[..], text.strip_suffix(b"\r\n").unwrap()] {
            let mut written = Vec::new();
            let mut stream = Stream::new(threads);
            stream.solve_text(Drops(text), &mut written, 1).unwrap();
            assert!(written == expected);
        }
    }
}

#[test]
#[cfg_attr(miri, ignore)]
fn a_wrong_line_is_named_and_those_before_are_solved() {
    let mut random = Random::new(6);
    for (line, wrong) in [
        (0, &b"x"[..]),
        (1, b""),
        (9_000, b"123"),
        (30, &[b'.'; 82]),
        (30, &[b' '; 81]),
        (20_000, &[b'1'; 80]),
        (20_001, &[b':'; 81]),
    ] {
        let mut text = Vec::new();
        for i in 0..20_001 {
            if i == line {
                text.extend_from_slice(wrong);
                text.push(b'\n');
            }
            text.extend_from_slice(self::line(&puzzle(&mut random, 40)).as_bytes());
            text.push(b'\n');
        }
        if line > 20_000 {
            text.extend_from_slice(wrong);
        }
        let expected = LineError {
            line: line + 1,
            length: wrong.len(),
        };
        let mut written = Vec::new();
        let mut stream = Stream::new(2);
        assert_eq!(stream.solve_lines(&text, 1, &mut written), Err(expected));
        assert_eq!(written.len(), 82 * line);
        written.clear();
        match stream.solve_text(&text[..], &mut written, 0) {
            Err(StreamError::Line(error)) => assert_eq!(error, expected),
            other => panic!("{other:?}"),
        }
        assert_eq!(written.len(), 82 * line);
    }
}

#[test]
fn every_mark_for_an_empty_cell_is_read() {
    let dots = HARD[0];
    let mut text = Vec::new();
    let mut expected = Vec::new();
    let mut stream = Stream::new(1);
    stream.solve_lines(dots, 1, &mut expected).unwrap();
    for mark in *b".0-*?" {
        let line = dots.map(|byte| if byte == b'.' { mark } else { byte });
        assert_eq!(parse_line(&line), parse_line(dots));
        text.extend(line);
        text.push(b'\n');
    }
    let mut solutions = Vec::new();
    stream.solve_lines(&text, 1, &mut solutions).unwrap();
    assert_eq!(solutions, expected.repeat(5));
    // The first line that is no puzzle is still the error, and all before it are solved.
    let mut wrong = text.clone();
    wrong[82 * 3 + 5] = b'x';
    solutions.clear();
    let error = stream.solve_lines(&wrong, 1, &mut solutions).unwrap_err();
    assert_eq!((error.line, error.length), (4, 81));
    assert_eq!(solutions, expected.repeat(3));
}

//! Constraints: every engine finds the solutions that a plain check of all grids finds.

use sudoku::engine::{Engine, Support, registry};
use sudoku::generate::{Generator, Kind, Random, overlapping};
use sudoku::rate::Rater;
use sudoku::rules::{Constraint, Overlap, RulesError};
use sudoku::{Answer, Cell, Grid, OverlapSolver, Rules, Solver};

/// Whether a full grid satisfies a constraint, from the words of its rule alone.
fn holds<const N: usize>(constraint: &Constraint<N>, grid: &Grid<N>) -> bool {
    let cells = constraint.cells();
    let at = |cell: Cell<N>| i32::from(grid.values()[cell.index()]);
    let digits: Vec<i32> = cells.iter().map(|&cell| at(cell)).collect();
    let value = constraint.value().map_or(0, |value| value as i32);
    let mut sorted = digits.clone();
    sorted.sort_unstable();
    sorted.dedup();
    let is_distinct = sorted.len() == digits.len();
    let adjacent = |fits: fn(i32, i32) -> bool| digits.windows(2).all(|two| fits(two[0], two[1]));
    // Pairs of cells at these distances, in either direction.
    let apart = |moves: &[(usize, usize)], fits: fn(i32, i32) -> bool| {
        Cell::<N>::all().all(|one| {
            Cell::<N>::all().all(|other| {
                let far = (
                    one.row().abs_diff(other.row()),
                    one.column().abs_diff(other.column()),
                );
                !moves.contains(&far) || fits(at(one), at(other))
            })
        })
    };
    match constraint.name() {
        "distinct cells" => is_distinct,
        "thermometer" => adjacent(|a, b| a < b),
        "arrow" => digits[0] == digits[1..].iter().sum(),
        "difference" => (digits[0] - digits[1]).abs() == value,
        "ratio" => digits[0] == value * digits[1] || digits[1] == value * digits[0],
        "XV" => digits[0] + digits[1] == value,
        "inequality" => digits[0] > digits[1],
        "whisper" => digits
            .windows(2)
            .all(|two| (two[0] - two[1]).abs() >= value),
        "palindrome" => digits.iter().eq(digits.iter().rev()),
        "clone" => digits[..digits.len() / 2] == digits[digits.len() / 2..],
        "renban" => is_distinct && sorted[sorted.len() - 1] - sorted[0] + 1 == digits.len() as i32,
        "between line" => {
            let (a, b) = (digits[0], digits[digits.len() - 1]);
            let inside = &digits[1..digits.len() - 1];
            inside
                .iter()
                .all(|&digit| a.min(b) < digit && digit < a.max(b))
        }
        "odd cells" => digits.iter().all(|digit| digit % 2 == 1),
        "even cells" => digits.iter().all(|digit| digit % 2 == 0),
        "little killer" => digits.iter().sum::<i32>() == value,
        "sandwich" => {
            let place = |digit| digits.iter().position(|&d| d == digit);
            match (place(1), place(N as i32)) {
                (Some(one), Some(last)) => {
                    let inside = &digits[one.min(last) + 1..one.max(last)];
                    is_distinct && inside.iter().sum::<i32>() == value
                }
                _ => false,
            }
        }
        "quadruple" => true, // its digits are not shown: see its own test
        "anti-knight" => apart(&[(1, 2), (2, 1)], |a, b| a != b),
        "anti-king" => apart(&[(1, 1)], |a, b| a != b),
        "nonconsecutive" => apart(&[(0, 1), (1, 0)], |a, b| a.abs_diff(b) != 1),
        name => panic!("no rule of {name}"),
    }
}

/// Every engine for these rules finds exactly the grids of `all` that satisfy the constraints and
/// agree with the puzzle.
fn check<const N: usize>(rules: &Rules<N>, puzzle: &Grid<N>, all: &[Grid<N>]) {
    let agrees = |grid: &&Grid<N>| puzzle.givens().all(|(c, d)| grid.get(c) == Some(d));
    let mut expected: Vec<Grid<N>> = all
        .iter()
        .filter(agrees)
        .filter(|grid| rules.constraints().iter().all(|rule| holds(rule, grid)))
        .copied()
        .collect();
    expected.sort_unstable();
    for grid in all {
        let is_right = rules.constraints().iter().all(|rule| holds(rule, grid));
        assert_eq!(rules.is_solved_by(grid), is_right, "{rules:?} {grid}");
    }
    for entry in registry::<N>() {
        let Ok(mut engine) = entry.engine(rules) else {
            assert_ne!(entry.support, Support::AnyRules, "{}", entry.name);
            continue;
        };
        let found = engine.solutions(puzzle, usize::MAX);
        let mut sorted = found.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, expected, "{}: {rules:?} {puzzle}", entry.name);
        if entry.lexicographic {
            assert_eq!(found, sorted, "{}: {rules:?}", entry.name);
        }
    }
}

/// A constraint of random cells, whether or not any grid satisfies it.
fn random_constraint<const N: usize>(random: &mut Random) -> Result<Constraint<N>, RulesError> {
    let mut all: Vec<Cell<N>> = Cell::all().collect();
    random.shuffle(&mut all);
    let cells = &all[..2 + random.below(N - 1)];
    let number = 1 + random.below(2 * N) as u32;
    let line = random.below(N);
    let row: Vec<Cell<N>> = (0..N).map(|column| Cell::at(line, column)).collect();
    match random.below(18) {
        0 => Constraint::thermometer(cells),
        1 => Constraint::arrow(cells[0], &cells[1..]),
        2 => Constraint::difference(cells[0], cells[1], number as u8),
        3 => Constraint::ratio(cells[0], cells[1], number as u8),
        4 => Constraint::xv(cells[0], cells[1], number as u8),
        5 => Constraint::greater(cells[0], cells[1]),
        6 => Constraint::whisper(cells, 1 + random.below(N / 2) as u8),
        7 => Constraint::palindrome(cells),
        8 => Constraint::clone_of(&cells[..cells.len() / 2], &all[N + 1..][..cells.len() / 2]),
        9 => Constraint::renban(cells),
        10 => Constraint::between(&all[..3 + random.below(2)]),
        11 => Constraint::parity(cells, number % 2 == 1),
        12 => Constraint::little_killer(cells, number + 2),
        13 => Constraint::sandwich(&row, number - 1),
        14 => Constraint::distinct(cells),
        15 => Ok(Constraint::anti_knight()),
        16 => Ok(Constraint::anti_king()),
        _ => Ok(Constraint::nonconsecutive()),
    }
}

#[test]
fn every_engine_finds_what_a_check_of_all_grids_finds() {
    let all = Solver::<4>::new().engine().solutions(&Grid::EMPTY, 300);
    assert_eq!(all.len(), 288);
    let mut random = Random::new(1);
    let (mut possible, mut refused) = (0, 0);
    for round in 0..1500 {
        let mut rules = Rules::classic();
        for _ in 0..=round % 3 {
            match random_constraint(&mut random) {
                Ok(constraint) => {
                    // What is refused to be made has no solution; what is made may have some.
                    possible += usize::from(all.iter().any(|grid| holds(&constraint, grid)));
                    rules = rules.with(constraint);
                }
                Err(error) => {
                    refused += 1;
                    assert!(!error.to_string().is_empty());
                }
            }
        }
        check(&rules, &Grid::EMPTY, &all);
    }
    assert!(possible > 500 && refused > 50, "{possible} {refused}");
}

/// The solutions of a puzzle under other rules than those drawn with it: those of the classic rules.
fn drawn<const N: usize>(seed: u64, kind: Kind, most: usize) {
    let mut generator = Generator::<N>::new(seed);
    let (rules, mut puzzle) = generator
        .variant(kind, 4)
        .unwrap_or_else(|| panic!("{kind:?}"));
    let constraints = rules.constraints();
    assert!((1..=4).contains(&constraints.len()), "{kind:?}");
    let Answer::Unique(solution) = Solver::with_rules(&rules).solve(&puzzle) else {
        panic!("{kind:?}: not one solution: {puzzle}");
    };
    assert!(rules.is_solved_by(&solution));
    assert!(constraints.iter().all(|rule| holds(rule, &solution)));
    for (cell, _) in puzzle.givens() {
        let mut fewer = puzzle;
        fewer.set(cell, None);
        assert_eq!(Solver::with_rules(&rules).count(&fewer, 2), 2, "{kind:?}");
    }
    assert_eq!(
        Generator::new(seed).variant(kind, 4),
        Some((rules.clone(), puzzle)),
        "{kind:?}: the same seed, the same puzzle"
    );
    // No step of a person removes a digit of the solution.
    let rater = Rater::new(&rules);
    for step in rater.steps(&puzzle) {
        for (cell, digit) in &step.removed {
            assert_ne!(solution[*cell], Some(*digit), "{kind:?}: {step}");
        }
        if let Some((cell, digit)) = step.placed {
            assert_eq!(solution[cell], Some(digit), "{kind:?}: {step}");
        }
    }
    // With more givens there are few enough classic solutions to check them all.
    for cell in Cell::all() {
        if puzzle.count_solutions(most as u64 + 1) <= most as u64 {
            break;
        }
        puzzle.set(cell, solution[cell]);
    }
    let classic: Vec<Grid<N>> = puzzle.solutions().collect();
    check(&rules, &puzzle, &classic);
}

#[test]
fn drawn_puzzles_have_one_solution() {
    for kind in Kind::ALL {
        // Under the other two rules there is no grid of side 4.
        if kind != Kind::Nonconsecutive && kind != Kind::AntiKing {
            drawn::<4>(1, kind, 288);
        }
        drawn::<6>(2, kind, 300);
        // Of side 9 a minimal one takes a minute to draw.
        if kind != Kind::Nonconsecutive {
            drawn::<9>(3, kind, 300);
        }
    }
}

#[test]
fn a_quadruple_holds_its_digits() {
    let all = Solver::<4>::new().engine().solutions(&Grid::EMPTY, 300);
    let cells = [(1, 1), (1, 2), (2, 1), (2, 2)].map(|(row, column)| Cell::<4>::at(row, column));
    for digits in [&[1][..], &[1, 1], &[1, 2, 3], &[3, 3, 4, 4]] {
        let rules = Rules::classic().with(Constraint::quadruple(&cells, digits).unwrap());
        let expected = all.iter().filter(|grid| {
            let held = cells.map(|cell| grid.values()[cell.index()]);
            (1..=4).all(|digit| {
                let of = |digits: &[u8]| digits.iter().filter(|&&d| d == digit).count();
                of(&held) >= of(digits)
            })
        });
        let found = Solver::with_rules(&rules).count(&Grid::EMPTY, 300);
        assert_eq!(found, expected.count() as u64, "{digits:?}");
    }
    for digits in [&[5][..], &[0], &[1, 2, 3, 4, 1]] {
        assert!(Constraint::quadruple(&cells, digits).is_err(), "{digits:?}");
    }
}

#[test]
fn wrong_constraints_are_refused() {
    let line = |count: usize| -> Vec<Cell<9>> { Cell::all().take(count).collect() };
    let cases = [
        (
            Constraint::thermometer(&line(10)),
            "row 1, column 1: thermometer: found 10 cells, expected 2 to 9",
        ),
        (
            Constraint::renban(&[]),
            "renban: found 0 cells, expected 1 to 9",
        ),
        (
            Constraint::sandwich(&line(8), 0),
            "row 1, column 1: sandwich: found 8 cells, expected 9",
        ),
        (
            Constraint::sandwich(&line(9), 36),
            "row 1, column 1: sandwich: no digits satisfy it",
        ),
        (
            Constraint::little_killer(&line(3), 28),
            "row 1, column 1: little killer: no digits satisfy it",
        ),
        (
            Constraint::whisper(&[line(1), line(1)].concat(), 5),
            "row 1, column 1: the cell is named twice",
        ),
        (
            Constraint::clone_of(&line(2), &line(9)[6..]),
            "row 1, column 7: clone: found 3 cells, expected 2",
        ),
    ];
    for (made, message) in cases {
        assert_eq!(made.unwrap_err().to_string(), message);
    }
    let line: Vec<Cell<25>> = (0..25).map(|column| Cell::at(0, column)).collect();
    let large = Constraint::sandwich(&line, 0).unwrap_err().to_string();
    assert_eq!(
        large,
        "row 1, column 1: sandwich: the side of the grid is too large"
    );
}

#[test]
fn overlapping_grids_share_their_cells() {
    let two = Overlap::<4>::new([((0, 0), Rules::classic()), ((2, 2), Rules::classic())]).unwrap();
    let all = Solver::<4>::new().engine().solutions(&Grid::EMPTY, 300);
    let (mut first, mut second) = (all[17], all[230]);
    for cell in Cell::all().filter(|cell| cell.index() % 3 > 0) {
        first.set(cell, None);
    }
    for cell in Cell::all().filter(|cell| cell.index() % 5 > 0 || cell.row() < 2) {
        second.set(cell, None);
    }
    let agrees = |grid: &Grid<4>, puzzle: &Grid<4>| {
        let mut givens = puzzle.givens();
        givens.all(|(cell, digit)| grid.get(cell) == Some(digit))
    };
    let mut expected = Vec::new();
    for one in all.iter().filter(|grid| agrees(grid, &first)) {
        for other in all.iter().filter(|grid| agrees(grid, &second)) {
            let shared = [(2, 2), (2, 3), (3, 2), (3, 3)];
            if shared.iter().all(|&(row, column)| {
                one[Cell::at(row, column)] == other[Cell::at(row - 2, column - 2)]
            }) {
                expected.push(vec![*one, *other]);
            }
        }
    }
    assert!(expected.len() > 1);
    let mut solver = OverlapSolver::new(&two);
    let mut found = solver.solutions(&[first, second], usize::MAX);
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected);
    // Different digits in a shared cell, and too few grids.
    let (mut one, mut other) = (Grid::<4>::EMPTY, Grid::<4>::EMPTY);
    one.set(Cell::at(3, 3), all[0][Cell::at(0, 0)]);
    other.set(Cell::at(1, 1), all[0][Cell::at(0, 1)]);
    assert!(solver.solutions(&[one, other], 1).is_empty());
    assert!(solver.solutions(&[Grid::EMPTY], 1).is_empty());
    for (corners, grid) in [
        (vec![], 1),
        (vec![(0, 0), (1, 0), (0, 0)], 3),
        (vec![(0, 1001)], 1),
    ] {
        let error = Overlap::<4>::new(corners.into_iter().map(|c| (c, Rules::classic())));
        let message = error.unwrap_err().to_string();
        assert!(message.starts_with(&format!("grid {grid}: ")), "{message}");
    }
}

#[test]
fn a_samurai_is_read_solved_and_written() {
    let samurai = Overlap::samurai();
    assert_eq!((samurai.size(), samurai.cells()), ((21, 21), 369));
    let puzzle = overlapping(1, &samurai).expect("a puzzle");
    let solutions = OverlapSolver::new(&samurai).solutions(&puzzle, 2);
    assert_eq!(solutions.len(), 1);
    assert!(samurai.is_solved_by(&solutions[0]));
    assert!(!samurai.is_solved_by(&puzzle));
    let text = samurai.format(&puzzle);
    assert_eq!(samurai.parse(&text), Ok(puzzle));
    for (wrong, message) in [
        (
            text.replacen('#', ".", 1),
            "line 1, column 10: found '.', expected ",
        ),
        (text.replacen('.', "x", 1), "found 'x', expected "),
        (
            text[..text.len() - 2].to_owned(),
            "line 21, column 21: found the end of the line, ",
        ),
        (
            String::new(),
            "line 1, column 1: found the end of the input, expected ",
        ),
        (
            format!("{text}1"),
            "line 22, column 1: found '1', expected ",
        ),
    ] {
        let error = samurai.parse(&wrong).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

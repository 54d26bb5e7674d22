//! Seeded puzzles: the same seed gives the same grids on every machine and in every version.
//!
//! That promise rules out asking an engine for a grid, because an engine may get cleverer and then
//! finds another one. Here an engine only ever counts solutions, and the number of solutions
//! does not depend on the engine; all random draws are made by code of this module.

use crate::engine::nine::{self, Answer, Batch, Values};
use crate::engine::{self, Engine};
use crate::grid::{Cell, Digit, Grid};
use crate::rules::Rules;
use core::fmt;

/// A source of random numbers: SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom
/// number generators", OOPSLA 2014).
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The sequence of this seed.
    pub fn new(seed: u64) -> Self {
        Random { state: seed }
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 to `count - 1`, each as likely as the others.
    ///
    /// # Panics
    ///
    /// If `count` is 0.
    pub fn below(&mut self, count: usize) -> usize {
        assert!(count > 0, "there is no number below 0");
        let count = count as u64;
        // The draws from `fair` on would make the small numbers likelier.
        let fair = u64::MAX - u64::MAX % count;
        loop {
            let draw = self.next_u64();
            if draw < fair {
                return (draw % count) as usize;
            }
        }
    }

    /// Puts the items into a random order, each order as likely as the others.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// No complete grid obeys the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unsatisfiable;

impl fmt::Display for Unsatisfiable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no complete grid obeys the rules: check the regions, houses and cages")
    }
}

impl std::error::Error for Unsatisfiable {}

/// How many grids [`Generator::unique`] and its like dig into before they give up.
const ATTEMPTS: usize = 100;

/// Makes grids and puzzles under some rules.
pub struct Generator<const N: usize> {
    random: Random,
    rules: Rules<N>,
    engine: Box<dyn Engine<N>>,
}

impl<const N: usize> Generator<N> {
    /// A generator of classic puzzles.
    pub fn new(seed: u64) -> Self {
        Self::unproven(seed, &Rules::classic())
    }

    /// A generator of puzzles under `rules`.
    ///
    /// # Errors
    ///
    /// [`Unsatisfiable`] when no complete grid obeys the rules, as under some jigsaw maps.
    pub fn with_rules(seed: u64, rules: &Rules<N>) -> Result<Self, Unsatisfiable> {
        let mut generator = Self::unproven(seed, rules);
        // A random grid is the quickest proof that there is one, but only a search can refute it.
        let mut random = Random::new(0);
        if fill(&mut random, rules).is_some() || generator.engine.count(&Grid::EMPTY, 1) > 0 {
            Ok(generator)
        } else {
            Err(Unsatisfiable)
        }
    }

    /// The generator, without the proof that a complete grid exists.
    fn unproven(seed: u64, rules: &Rules<N>) -> Self {
        Generator {
            random: Random::new(seed),
            rules: rules.clone(),
            engine: engine::fastest(rules),
        }
    }

    /// The random numbers that the puzzles are drawn from, for what a caller adds to them.
    pub fn random(&mut self) -> &mut Random {
        &mut self.random
    }

    /// A complete grid.
    pub fn complete(&mut self) -> Grid<N> {
        fill(&mut self.random, &self.rules).unwrap_or_else(|| self.complete_by_search())
    }

    /// A complete grid where hardly any random beginning leads to one: digits in random order, each
    /// kept if the engine finds that a solution is left.
    fn complete_by_search(&mut self) -> Grid<N> {
        let mut grid = Grid::EMPTY;
        let mut cells: Vec<Cell<N>> = Cell::all().collect();
        self.random.shuffle(&mut cells);
        let mut digits: Vec<Digit<N>> = Digit::all().collect();
        for cell in cells {
            self.random.shuffle(&mut digits);
            for &digit in &digits {
                grid.set(cell, Some(digit));
                if self.engine.count(&grid, 1) > 0 {
                    break;
                }
            }
        }
        grid
    }

    /// A puzzle with one solution that has several as soon as any given is taken away.
    ///
    /// A 25x25 puzzle may take hours: from about 280 givens down, each proof of uniqueness is hard
    /// work, and there are hundreds of them. [`Generator::unique`] with 290 or more is quick.
    pub fn minimal(&mut self) -> Grid<N> {
        let mut puzzle = self.complete();
        self.dig(&mut puzzle, 0, 1);
        puzzle
    }

    /// `count` minimal puzzles, the same that as many calls of [`Generator::minimal`] make.
    ///
    /// Classic 9x9 puzzles are made many at a time, each step of all of them checked together by
    /// [`Batch`]: several times as fast as one by one.
    pub fn minimals(&mut self, count: usize) -> Vec<Grid<N>> {
        if N != 9 || !self.rules.is_classic() {
            return (0..count).map(|_| self.minimal()).collect();
        }
        let mut puzzles = Vec::with_capacity(count);
        let mut batch = Batch::new();
        while puzzles.len() < count {
            // The random numbers are drawn as `minimal` draws them; the checks need none.
            let together: Vec<(Values, Vec<usize>)> = (puzzles.len()..count)
                .take(TOGETHER)
                .filter_map(|_| {
                    let full = nine::to_values(self.complete().as_side()?);
                    let mut order: Vec<usize> = (0..N * N).collect();
                    self.random.shuffle(&mut order);
                    Some((full, order))
                })
                .collect();
            let minimal = minimize_together(&mut batch, &together);
            puzzles.extend(
                minimal
                    .iter()
                    .filter_map(|values| nine::from_values(values).as_side().copied()),
            );
        }
        puzzles
    }

    /// A puzzle with one solution and exactly `givens` givens, or `None` when a hundred grids
    /// allowed none with so few.
    pub fn unique(&mut self, givens: usize) -> Option<Grid<N>> {
        for _ in 0..ATTEMPTS {
            let mut puzzle = self.complete();
            self.dig(&mut puzzle, givens, 1);
            if puzzle.count_givens() == givens {
                return Some(puzzle);
            }
        }
        None
    }

    /// A puzzle with exactly `solutions` solutions and at most `givens` givens, or `None` when a
    /// hundred grids gave none.
    ///
    /// The givens are taken from a puzzle with one solution until there are enough solutions, so
    /// that there are few less than `givens` where `solutions` is small. `None` for `u64::MAX` too:
    /// no count can rule out one more.
    pub fn several(&mut self, solutions: u64, givens: usize) -> Option<Grid<N>> {
        let too_many = solutions.checked_add(1)?;
        for _ in 0..ATTEMPTS {
            let mut puzzle = self.complete();
            self.dig(&mut puzzle, givens, 1);
            while puzzle.count_givens() > 0 {
                let found = self.engine.count(&puzzle, too_many);
                if found == solutions && puzzle.count_givens() <= givens {
                    return Some(puzzle);
                }
                let fewer = puzzle.count_givens() - 1;
                self.dig(&mut puzzle, fewer, solutions);
                if puzzle.count_givens() > fewer {
                    break;
                }
            }
        }
        None
    }

    /// A puzzle with exactly `givens` givens, no two of which clash, and no solution; or `None`
    /// when a hundred grids gave none.
    ///
    /// One of the givens, in no particular place, is the wrong digit.
    pub fn unsolvable(&mut self, givens: usize) -> Option<Grid<N>> {
        for _ in 0..ATTEMPTS {
            let mut puzzle = self.unique(givens.checked_sub(1)?)?;
            let solution = self.engine.first(&puzzle)?;
            let mut wrong: Vec<(Cell<N>, Digit<N>)> = Vec::new();
            for cell in Cell::all().filter(|&cell| puzzle.get(cell).is_none()) {
                for digit in Digit::all().filter(|&digit| solution.get(cell) != Some(digit)) {
                    let mut spoilt = puzzle;
                    spoilt.set(cell, Some(digit));
                    if self.rules.allow(&spoilt) {
                        wrong.push((cell, digit));
                    }
                }
            }
            if !wrong.is_empty() {
                let (cell, digit) = wrong[self.random.below(wrong.len())];
                puzzle.set(cell, Some(digit));
                return Some(puzzle);
            }
        }
        None
    }

    /// Rules with cages that leave the empty grid one solution: a killer puzzle. The cages cover the
    /// grid and have at most `most` cells each.
    ///
    /// Cages are drawn over a complete grid, then split where they leave several solutions.
    pub fn killer(&mut self, most: usize) -> Rules<N> {
        let solution = self.complete();
        let mut cages = self.partition(&solution, most.clamp(1, N));
        loop {
            let rules = cages.iter().fold(self.rules.clone(), |rules, cells| {
                let digits = cells.iter().filter_map(|&cell| solution.get(cell));
                let sum = digits.map(|digit| u32::from(digit.value())).sum();
                match rules.with_cage(cells, sum) {
                    Ok(rules) => rules,
                    Err(_) => unreachable!("the cells of a cage hold different digits"),
                }
            });
            let found = engine::fastest(&rules).solutions(&Grid::EMPTY, 2);
            let Some(other) = found.iter().find(|&found| *found != solution) else {
                return rules;
            };
            let cells: Vec<Cell<N>> = Cell::all()
                .filter(|&cell| other.get(cell) != solution.get(cell))
                .collect();
            let cell = cells[self.random.below(cells.len())];
            if let Some(cage) = cages.iter_mut().find(|cage| cage.contains(&cell)) {
                cage.retain(|&held| held != cell);
                cages.push(vec![cell]);
            }
        }
    }

    /// All cells in cages of neighbours that hold different digits, each of up to `most` cells.
    fn partition(&mut self, solution: &Grid<N>, most: usize) -> Vec<Vec<Cell<N>>> {
        let mut is_free = vec![true; N * N];
        let mut order: Vec<Cell<N>> = Cell::all().collect();
        self.random.shuffle(&mut order);
        let mut cages = Vec::new();
        for first in order {
            if !core::mem::replace(&mut is_free[first.index()], false) {
                continue;
            }
            let mut cage = vec![first];
            let size = 1 + self.random.below(most).max(usize::from(most > 1));
            while cage.len() < size {
                let fits = |cell: &Cell<N>| {
                    let is_beside = |held: &Cell<N>| {
                        held.row().abs_diff(cell.row()) + held.column().abs_diff(cell.column()) == 1
                    };
                    is_free[cell.index()]
                        && cage.iter().any(is_beside)
                        && cage
                            .iter()
                            .all(|&held| solution.get(held) != solution.get(*cell))
                };
                let beside: Vec<Cell<N>> = Cell::all().filter(fits).collect();
                if beside.is_empty() {
                    break;
                }
                let cell = beside[self.random.below(beside.len())];
                is_free[cell.index()] = false;
                cage.push(cell);
            }
            cages.push(cage);
        }
        cages
    }

    /// Takes givens away, in random order, as long as there are more than `givens` and the puzzle
    /// has no more than `solutions` solutions.
    fn dig(&mut self, puzzle: &mut Grid<N>, givens: usize, solutions: u64) {
        let mut held: Vec<(Cell<N>, Digit<N>)> = puzzle.givens().collect();
        self.random.shuffle(&mut held);
        let mut left = held.len();
        for (cell, digit) in held {
            if left <= givens {
                break;
            }
            puzzle.set(cell, None);
            if self.engine.count(puzzle, solutions.saturating_add(1)) > solutions {
                puzzle.set(cell, Some(digit));
            } else {
                left -= 1;
            }
        }
    }
}

/// The number of puzzles that are made minimal together.
const TOGETHER: usize = 512;

/// Takes from each grid the givens that its solution does not need, cell by cell in its order.
fn minimize_together(batch: &mut Batch, grids: &[(Values, Vec<usize>)]) -> Vec<Values> {
    let mut puzzles: Vec<Values> = grids.iter().map(|(grid, _)| *grid).collect();
    let (mut doubtful, mut fewer) = (Vec::new(), Vec::new());
    let mut answers = vec![Answer::NONE; grids.len()];
    for step in 0..81 {
        doubtful.clear();
        fewer.clear();
        for (index, (puzzle, (grid, order))) in puzzles.iter_mut().zip(grids).enumerate() {
            let cell = order[step];
            puzzle[cell] = 0;
            if !sees_all_others(puzzle, cell, grid[cell]) {
                doubtful.push(index);
                fewer.push(*puzzle);
            }
        }
        batch.solve(&fewer, &mut answers, 2);
        for (&index, answer) in doubtful.iter().zip(&answers) {
            if answer.count > 1 {
                let (grid, order) = &grids[index];
                puzzles[index][order[step]] = grid[order[step]];
            }
        }
    }
    puzzles
}

/// Whether the cell's houses hold all digits but this one, so that it can be no other.
fn sees_all_others(puzzle: &Values, cell: usize, digit: u8) -> bool {
    let (row, column) = (cell / 9, cell % 9);
    let corner = row / 3 * 27 + column / 3 * 3;
    let mut seen = 1u16 << digit;
    for i in 0..9 {
        seen |= 1 << puzzle[9 * row + i];
        seen |= 1 << puzzle[9 * i + column];
        seen |= 1 << puzzle[corner + i / 3 * 9 + i % 3];
    }
    seen | 1 == 0x3ff
}

/// A random search for a complete grid, which branches on a smallest set of candidates: the digits
/// of a cell or the places of a digit in a house.
struct Fill<'a, const N: usize> {
    random: &'a mut Random,
    rules: &'a Rules<N>,
    grid: Grid<N>,
    left: Left,
    /// How many more digits may be tried.
    budget: usize,
}

/// The candidates that are left.
#[derive(Clone)]
struct Left {
    /// Of each cell the digits, as bits.
    digits: Vec<u64>,
    /// The number of digits of each cell, then of places of each digit in each house; [`CLOSED`]
    /// for those that hold their digit.
    sizes: Vec<u8>,
}

const CLOSED: u8 = u8::MAX;

/// A random complete grid, or `None` where a thousand random beginnings lead to none. Chance does
/// not meet the sums of cages.
fn fill<const N: usize>(random: &mut Random, rules: &Rules<N>) -> Option<Grid<N>> {
    if !rules.cages().is_empty() {
        return None;
    }
    (0..RESTARTS).find_map(|_| {
        // Some beginnings are unlucky: it is cheaper to start again than to see them through.
        let mut fill = Fill::new(random, rules);
        fill.search().then_some(fill.grid)
    })
}

/// How many random beginnings [`fill`] tries.
const RESTARTS: usize = 1000;

impl<'a, const N: usize> Fill<'a, N> {
    fn new(random: &'a mut Random, rules: &'a Rules<N>) -> Self {
        let sets = N * N + rules.houses().len() * N;
        Fill {
            random,
            rules,
            grid: Grid::EMPTY,
            left: Left {
                digits: vec![(1 << N) - 1; N * N],
                sizes: vec![N as u8; sets],
            },
            budget: 2 * N * N,
        }
    }

    /// Whether the grid could be completed; if so, it is. If not, some candidates are gone.
    fn search(&mut self) -> bool {
        let smallest = match self.left.sizes.iter().fold(CLOSED, |a, &b| a.min(b)) {
            CLOSED => return true,
            smallest => smallest,
        };
        let mut branches = self.draw_set(smallest);
        self.random.shuffle(&mut branches);
        while let [(cell, digit), others @ ..] = &branches[..] {
            if self.budget == 0 {
                return false;
            }
            self.budget -= 1;
            let (cell, digit) = (*cell, *digit);
            let before = (!others.is_empty()).then(|| self.left.clone());
            self.place(cell, digit);
            self.grid
                .set(Cell::from_index(cell), Some(Digit::from_index(digit)));
            if self.search() {
                return true;
            }
            self.grid.set(Cell::from_index(cell), None);
            if let Some(before) = before {
                self.left = before;
            }
            branches.remove(0);
        }
        false
    }

    /// The candidates (cell, digit) of a set of this size, each set as likely as the others.
    fn draw_set(&mut self, size: u8) -> Vec<(usize, usize)> {
        let sizes = &self.left.sizes;
        let ties = sizes.iter().filter(|&&other| other == size).count();
        let chosen = self.random.below(ties);
        let mut sets = (0..sizes.len()).filter(|&set| sizes[set] == size);
        let set = match sets.nth(chosen) {
            Some(set) => set,
            None => unreachable!("drawn among the sets of this size"),
        };
        let has = |cell: usize, digit: usize| self.left.digits[cell] >> digit & 1 == 1;
        match set.checked_sub(N * N) {
            None => (0..N)
                .filter(|&digit| has(set, digit))
                .map(|digit| (set, digit))
                .collect(),
            Some(place) => {
                let (house, digit) = (place / N, place % N);
                let cells = self.rules.houses()[house].cells().iter();
                cells
                    .map(|cell| (cell.index(), digit))
                    .filter(|&(cell, digit)| has(cell, digit))
                    .collect()
            }
        }
    }

    /// Takes away the candidates that this digit in this cell rules out.
    fn place(&mut self, cell: usize, digit: usize) {
        let Left { digits, sizes } = &mut self.left;
        let set = |house: usize, digit: usize| N * N + house * N + digit;
        for seat in self.rules.seats_of(cell) {
            let house = seat.house;
            sizes[set(house, digit)] = CLOSED;
            let mut others = digits[cell] & !(1 << digit);
            while others != 0 {
                sizes[set(house, others.trailing_zeros() as usize)] -= 1;
                others &= others - 1;
            }
        }
        sizes[cell] = CLOSED;
        digits[cell] = 0;
        for seat in self.rules.seats_of(cell) {
            for other in self.rules.houses()[seat.house].cells() {
                let other = other.index();
                if digits[other] >> digit & 1 == 0 {
                    continue;
                }
                digits[other] &= !(1 << digit);
                sizes[other] -= 1;
                for seat in self.rules.seats_of(other) {
                    let size = &mut sizes[set(seat.house, digit)];
                    if *size != CLOSED {
                        *size -= 1;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_random_sequence_is_splitmix64() {
        // The first numbers of the reference implementation for seed 1234567.
        let mut random = Random::new(1_234_567);
        let drawn = [random.next_u64(), random.next_u64(), random.next_u64()];
        let reference = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
        ];
        assert_eq!(drawn, reference);
    }

    /// Pinned: a change of these grids changes every test case that was ever generated.
    #[test]
    fn a_seed_gives_the_same_grid_for_ever() {
        let rows = Generator::<4>::new(1).complete().to_rows();
        assert_eq!(
            rows,
            [[4, 3, 1, 2], [1, 2, 4, 3], [2, 1, 3, 4], [3, 4, 2, 1]]
        );
        let rows = Generator::<9>::new(1).complete().to_rows();
        assert_eq!(rows[0], [7, 3, 8, 6, 9, 1, 4, 2, 5]);
        assert_eq!(rows[8], [5, 6, 1, 8, 4, 2, 9, 3, 7]);
        let rows = Generator::<9>::new(1).minimal().to_rows();
        assert_eq!(rows[3], [3, 2, 0, 5, 0, 0, 7, 0, 0]);
        assert_eq!(rows[8], [0, 0, 1, 0, 0, 0, 0, 0, 0]);
    }

    fn makes_what_it_says<const N: usize>(givens: usize, rules: &Rules<N>) {
        let mut generator = Generator::with_rules(7, rules).unwrap();
        let mut engine = engine::fastest(rules);
        assert!(rules.is_solved_by(&generator.complete()));
        let unique = generator.unique(givens).unwrap();
        assert_eq!(
            (unique.count_givens(), engine.count(&unique, 2)),
            (givens, 1)
        );
        let several = generator.several(3, givens).unwrap();
        assert!(several.count_givens() <= givens);
        assert_eq!(engine.count(&several, 4), 3);
        let unsolvable = generator.unsolvable(givens).unwrap();
        assert!(rules.allow(&unsolvable));
        assert_eq!(
            (unsolvable.count_givens(), engine.count(&unsolvable, 1)),
            (givens, 0)
        );
    }

    #[test]
    fn every_side_makes_what_it_says() {
        makes_what_it_says::<4>(6, &Rules::classic());
        makes_what_it_says::<9>(32, &Rules::classic());
        makes_what_it_says::<9>(32, &Rules::diagonal());
        makes_what_it_says::<16>(140, &Rules::classic());
        makes_what_it_says::<25>(380, &Rules::classic());
    }

    #[test]
    fn rules_that_no_grid_obeys_are_refused() {
        // Region 0 and row 1 share three cells; the fourth of each holds the same digit, but both
        // lie in column 4.
        let map = [[0, 0, 0, 1], [1, 1, 1, 0], [2, 2, 2, 2], [3, 3, 3, 3]];
        let rules = Rules::<4>::jigsaw(&map).unwrap();
        let refused = Generator::with_rules(1, &rules).err();
        assert_eq!(refused, Some(Unsatisfiable));
    }

    #[test]
    fn a_search_completes_the_grid_where_chance_does_not() {
        let mut generator = Generator::<9>::new(4);
        let grid = generator.complete_by_search();
        assert!(Rules::classic().is_solved_by(&grid));
    }

    #[test]
    fn more_solutions_than_can_be_counted_are_not_made() {
        assert_eq!(Generator::<4>::new(1).several(u64::MAX, 8), None);
        assert_eq!(Generator::<4>::new(1).several(u64::MAX - 1, 8), None);
    }

    #[test]
    fn many_minimal_puzzles_are_those_made_one_by_one() {
        let mut one = Generator::<9>::new(5);
        let mut many = Generator::<9>::new(5);
        let expected: Vec<Grid<9>> = (0..TOGETHER + 30).map(|_| one.minimal()).collect();
        assert_eq!(many.minimals(TOGETHER + 30), expected);
        assert_eq!(many.minimal(), one.minimal());
        let (mut one, mut many) = (Generator::<4>::new(5), Generator::<4>::new(5));
        assert_eq!(many.minimals(2), [one.minimal(), one.minimal()]);
    }

    #[test]
    fn killers_have_one_solution() {
        for (seed, most) in [(1, 2), (2, 4), (3, 6)] {
            let rules = Generator::<9>::new(seed).killer(most);
            let caged: usize = rules.cages().iter().map(|cage| cage.cells().len()).sum();
            assert_eq!(caged, 81);
            assert!(rules.cages().iter().all(|cage| cage.cells().len() <= most));
            assert_eq!(engine::fastest(&rules).count(&Grid::EMPTY, 2), 1);
        }
        let rules = Generator::<6>::new(1).killer(3);
        assert_eq!(engine::fastest(&rules).count(&Grid::EMPTY, 2), 1);
        // Chance alone does not make a grid under cages.
        let complete = Generator::with_rules(1, &rules).unwrap().complete();
        assert!(rules.is_solved_by(&complete));
    }

    #[test]
    fn a_minimal_puzzle_needs_every_given() {
        let mut engine = engine::fastest(&Rules::classic());
        let puzzle = Generator::<9>::new(3).minimal();
        assert_eq!(engine.count(&puzzle, 2), 1);
        for (cell, _) in puzzle.givens() {
            let mut fewer = puzzle;
            fewer.set(cell, None);
            assert_eq!(engine.count(&fewer, 2), 2);
        }
    }
}

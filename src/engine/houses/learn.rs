//! The rules as exactly-one sets and clauses, for the search that learns from contradictions.
//!
//! ```text
//!   cell              its digits, an exactly-one set
//!   house and digit   its places, an exactly-one set
//!   different cells   for each pair and digit: not both
//!   patterns          a variable for each pattern; one of them holds, and a cell's digit belongs to one that does
//!   sums              of different digits, or an arrow with such a shaft: patterns of one set of digits each;
//!                     otherwise a variable for each value of each partial sum, an exactly-one set for each
//!                     number of cells
//!   excluded places   a candidate that excludes a digit from several places of a house implies the others
//! ```

use super::{Receive, Space};
use crate::engine::Statistics;
use crate::engine::big::learning::problem::{Literal, Problem};
use crate::engine::big::learning::search;
use crate::engine::constraints::{Propagate, Sum};
use crate::engine::mask::Mask;
use crate::rules::Patterns;

/// Passes every solution below the propagated `root` to `visit` until it breaks, except those already
/// `found`.
pub(super) fn finish<S: Space>(
    space: &S,
    root: &[S::Digits],
    found: &[S::Digits],
    statistics: &mut Statistics,
    visit: &mut Receive<'_, S::Digits>,
) {
    let (map, constraints) = (space.map(), space.constraints());
    let cells = map.cells();
    let digits: Vec<u64> = root[..cells].iter().map(|set| set.bits()).collect();
    let mut clauses = Clauses::new(S::SIDE, &digits);
    let mut set = Vec::new();
    for cell in 0..cells {
        set.extend(clauses.of_cell(cell, digits[cell]));
        clauses.exactly_one(&mut set);
    }
    for house in map.cell_at.chunks_exact(S::SIDE) {
        for digit in 0..S::SIDE {
            set.extend(house.iter().filter_map(|&cell| clauses.open(cell, digit)));
            clauses.exactly_one(&mut set);
        }
    }
    for cell in 0..cells {
        for &peer in map.peers(cell).iter().filter(|&&peer| peer > cell) {
            for digit in (digits[cell] & digits[peer]).members() {
                let both = [clauses.open(cell, digit), clauses.open(peer, digit)];
                if let [Some(one), Some(other)] = both {
                    clauses.list.push(vec![one.negated(), other.negated()]);
                }
            }
        }
    }
    for (cell, digits) in digits.iter().enumerate() {
        for digit in digits.members() {
            for house in map.cell_at.chunks_exact(S::SIDE) {
                clauses.add_excluded(space, house, cell, digit);
            }
        }
    }
    for sum in constraints.sums() {
        clauses.add_sum(sum);
    }
    for patterns in constraints.patterns() {
        clauses.add_patterns(patterns);
    }
    for found in found.chunks_exact(cells) {
        let places = || found.iter().zip(&digits).enumerate();
        if places().all(|(_, (held, &digits))| held.bits() & digits != 0) {
            let held = places().filter_map(|(cell, (held, _))| clauses.open(cell, held.smallest()));
            let block = held.map(Literal::negated).collect();
            clauses.list.push(block);
        }
    }
    let Clauses { problem, list, .. } = clauses;
    let mut solution = root[..cells].to_vec();
    search(problem, &list, FIRST_TURN, statistics, &mut |candidates| {
        for candidate in candidates {
            solution[candidate.cell as usize] = S::Digits::single(usize::from(candidate.digit));
        }
        visit(&solution)
    });
}

/// See [`search`]: what takes long is the proof that there are no more solutions. With 2000 as for large grids the
/// hardest nonconsecutive grids took two fifths more time.
const FIRST_TURN: u64 = 20_000;

/// The number of places of a house that a candidate must exclude for a clause, its own cell among them: with fewer
/// there are many clauses of little use.
const MIN_EXCLUDED: usize = 3;

/// The maximum number of sets of digits of a sum that are listed as patterns.
const MAX_SETS: usize = 200;

/// The maximum number of cells of a sum that only follows from others.
const MAX_DERIVED: usize = 4;

struct Clauses<'a> {
    side: usize,
    /// The candidates of each cell. A cell of one digit has no variable.
    digits: &'a [u64],
    problem: Problem,
    /// By cell and digit.
    candidates: Vec<Option<Literal>>,
    list: Vec<Vec<Literal>>,
}

impl<'a> Clauses<'a> {
    /// The variables of the candidates.
    fn new(side: usize, digits: &'a [u64]) -> Self {
        let mut problem = Problem::empty();
        let mut candidates = vec![None; digits.len() * side];
        for (cell, digits) in digits.iter().enumerate() {
            if digits.has_several() {
                for digit in digits.members() {
                    candidates[cell * side + digit] = Some(problem.add_candidate(cell, digit));
                }
            }
        }
        Clauses {
            side,
            digits,
            problem,
            candidates,
            list: Vec::new(),
        }
    }

    /// The variable of a candidate that is neither excluded nor decided.
    fn open(&self, cell: usize, digit: usize) -> Option<Literal> {
        self.candidates[cell * self.side + digit]
    }

    /// The variables of some digits of a cell.
    fn of_cell(&self, cell: usize, digits: u64) -> Vec<Literal> {
        digits
            .members()
            .filter_map(|digit| self.open(cell, digit))
            .collect()
    }

    /// Exactly one of the literals is true; empties the list. One literal alone belongs to a decided digit.
    fn exactly_one(&mut self, set: &mut Vec<Literal>) {
        if set.len() > 1 && !self.problem.add_set(set) {
            self.list.push(set.clone());
            for (place, one) in set.iter().enumerate() {
                for other in &set[..place] {
                    self.list.push(vec![one.negated(), other.negated()]);
                }
            }
        }
        set.clear();
    }

    /// A candidate that excludes another digit from several places of a house implies that the digit is in one of
    /// the others. (Without these clauses that takes a decision.)
    fn add_excluded<S: Space>(&mut self, space: &S, house: &[usize], cell: usize, digit: usize) {
        let Some(candidate) = self.open(cell, digit) else {
            return;
        };
        for other in (0..self.side).filter(|&other| other != digit) {
            let excluded = space.excluded(cell, digit, other);
            if excluded.iter().map(|word| word.len()).sum::<u32>() < MIN_EXCLUDED as u32 {
                continue;
            }
            let places = house.iter().filter(|&&at| self.open(at, other).is_some());
            let (excluded, rest): (Vec<usize>, Vec<usize>) =
                places.partition(|&&at| excluded[at / 64].has(at % 64));
            if excluded.len() >= MIN_EXCLUDED {
                let rest = rest.iter().filter_map(|&at| self.open(at, other));
                let clause = rest.chain([candidate.negated()]).collect();
                self.list.push(clause);
            }
        }
    }

    /// One of the patterns holds.
    fn add_patterns(&mut self, patterns: &Patterns) {
        let possible = patterns.iter().filter_map(|groups| {
            let mut sets = vec![0; patterns.cells.len()];
            for group in groups {
                for place in group.places.members() {
                    sets[place] = group.digits & self.digits[patterns.cells[place]];
                }
            }
            (!sets.contains(&0)).then_some(sets)
        });
        let possible: Vec<Vec<u64>> = possible.collect();
        self.add_possible(&patterns.cells, &possible);
    }

    /// One of the patterns holds: each gives each cell some of its candidates.
    fn add_possible(&mut self, cells: &[usize], patterns: &[Vec<u64>]) {
        // If a pattern allows a single digit in a cell, and no other pattern allows that digit there, the pattern and
        // that candidate are one literal.
        let own = |pattern: &Vec<u64>| {
            (0..cells.len()).find_map(|place| {
                let digits = pattern[place];
                let users = patterns.iter().filter(|p| p[place] & digits != 0).count();
                let literal = self.open(cells[place], digits.smallest());
                literal.filter(|_| users == 1 && !digits.has_several())
            })
        };
        let names: Vec<Option<Literal>> = patterns.iter().map(own).collect();
        let names: Vec<Literal> = names
            .into_iter()
            .map(|name| name.unwrap_or_else(|| self.problem.add_variable()))
            .collect();
        // That one of a cell's candidates holds is known.
        let cell = |name: &Literal| Some(self.problem.candidates.get(name.variable())?.cell);
        let first = names.first().and_then(cell);
        if first.is_none() || names.iter().any(|name| cell(name) != first) {
            self.list.push(names.clone());
        }
        for (place, &cell) in cells.iter().enumerate() {
            for (pattern, name) in patterns.iter().zip(&names) {
                for other in self.of_cell(cell, self.digits[cell] & !pattern[place]) {
                    self.list.push(vec![name.negated(), other.negated()]);
                }
            }
            for digit in self.digits[cell].members() {
                if let Some(literal) = self.open(cell, digit) {
                    let with = patterns.iter().zip(&names);
                    let with = with.filter(|(pattern, _)| pattern[place].has(digit));
                    let mut clause: Vec<Literal> = with.map(|(_, &name)| name).collect();
                    if !clause.contains(&literal) {
                        clause.push(literal.negated());
                        self.list.push(clause);
                    }
                }
            }
        }
    }

    fn add_sum(&mut self, sum: &Sum) {
        if let Some(patterns) = self.sets_of(sum) {
            self.add_possible(&sum.cells, &patterns);
        } else if !sum.is_derived || sum.cells.len() <= MAX_DERIVED {
            self.add_partial_sums(sum);
        }
    }

    /// The sum as patterns: the values of the mirrored cells and the set of digits of the others, which are all
    /// different. `None` if they are not or there are too many.
    fn sets_of(&self, sum: &Sum) -> Option<Vec<Vec<u64>>> {
        if !sum.are_others_distinct() {
            return None;
        }
        let (mirrored, others) = sum.cells.split_at(sum.mirrored);
        let all = others.iter().fold(0, |all, &cell| all | self.digits[cell]);
        let mut patterns = Vec::new();
        let own = match mirrored {
            [] => 0,
            [cell] => self.digits[*cell],
            _ => return None,
        };
        let mut add = |own: u64, rest: u32| {
            let mut sets = Vec::new();
            sets_of_sum(all, others.len(), rest, 0, &mut sets);
            patterns.extend(sets.iter().map(|set| {
                let own = mirrored.iter().map(|_| own);
                let sets = others.iter().map(|&cell| set & self.digits[cell]);
                own.chain(sets).collect::<Vec<u64>>()
            }));
        };
        if mirrored.is_empty() {
            add(0, sum.sum);
        }
        for digit in own.members() {
            let rest = sum.sum.checked_sub((self.side - digit) as u32);
            add(1 << digit, rest.unwrap_or(0));
        }
        let is_small = patterns.len() <= MAX_SETS;
        patterns.retain(|pattern| !pattern.contains(&0));
        is_small.then_some(patterns)
    }

    /// Variables for the sum of the first cells, for each number of cells.
    fn add_partial_sums(&mut self, sum: &Sum) {
        let (side, total, count) = (self.side, sum.sum as usize, sum.cells.len());
        let digits: Vec<u64> = sum.cells.iter().map(|&cell| self.digits[cell]).collect();
        let value = |place: usize, digit: usize| {
            if place < sum.mirrored {
                side - digit
            } else {
                digit + 1
            }
        };
        let steps = |place: usize| {
            let digits = digits[place].members();
            digits.map(move |digit| (digit, value(place, digit)))
        };
        // By number of cells: the sums that they can have and from which the total can be reached.
        let mut layers = vec![vec![0]];
        for place in 0..count {
            let sums = layers[place].iter();
            let sums = sums.flat_map(|from| steps(place).map(move |step| from + step.1));
            let mut sums: Vec<usize> = sums.filter(|&sum| sum <= total).collect();
            sums.sort_unstable();
            sums.dedup();
            layers.push(sums);
        }
        layers[count].retain(|&sum| sum == total);
        for place in (0..count).rev() {
            let (layer, next) = layers[place..].split_at_mut(1);
            layer[0].retain(|from| steps(place).any(|step| next[0].contains(&(from + step.1))));
        }
        if layers[0].is_empty() {
            return self.list.push(Vec::new());
        }
        // The sum of the first cell is its value, that of all but the last follows from the value of the last.
        let of_value = |clauses: &Self, place: usize, value: usize| {
            let digit = steps(place).find(|step| step.1 == value)?.0;
            clauses.open(sum.cells[place], digit)
        };
        let mut names: Vec<Vec<Option<Literal>>> = Vec::new();
        for (place, layer) in layers.iter().enumerate() {
            names.push(match layer[..] {
                [_] => vec![None],
                _ if place == 1 => layer.iter().map(|&sum| of_value(self, 0, sum)).collect(),
                _ if place + 1 == count => {
                    let rest = layer.iter().map(|sum| total - sum);
                    rest.map(|rest| of_value(self, place, rest)).collect()
                }
                _ => {
                    let mut set: Vec<Literal> =
                        layer.iter().map(|_| self.problem.add_variable()).collect();
                    let names = set.iter().copied().map(Some).collect();
                    self.exactly_one(&mut set);
                    names
                }
            });
        }
        let name = |place: usize, sum: usize| {
            let index = layers[place].binary_search(&sum).ok()?;
            Some(names[place][index])
        };
        // A sum and the next value imply the next sum; a sum and the last value imply the sum before it.
        for place in 0..count {
            for (digit, value) in steps(place) {
                let literal = self.open(sum.cells[place], digit);
                if place == 0 || place + 1 < count {
                    for (&from, &before) in layers[place].iter().zip(&names[place]) {
                        self.add_implication([before, literal], name(place + 1, from + value));
                    }
                }
                if place > 0 {
                    for (&to, &after) in layers[place + 1].iter().zip(&names[place + 1]) {
                        let from = to.checked_sub(value);
                        self.add_implication(
                            [after, literal],
                            from.and_then(|from| name(place, from)),
                        );
                    }
                }
            }
        }
    }

    /// The conditions imply the conclusion, or contradict each other if it is `None`. A literal that is `None`
    /// is certain.
    fn add_implication(
        &mut self,
        conditions: [Option<Literal>; 2],
        conclusion: Option<Option<Literal>>,
    ) {
        let is_known = conclusion.is_some_and(|it| it.is_none() || conditions.contains(&it));
        if !is_known {
            let conditions = conditions.into_iter().flatten().map(Literal::negated);
            self.list
                .push(conditions.chain(conclusion.flatten()).collect());
        }
    }
}

/// All sets of `count` of the digits from `from` on whose values have the sum; stops above [`MAX_SETS`].
fn sets_of_sum(digits: u64, count: usize, sum: u32, set: u64, sets: &mut Vec<u64>) {
    if count == 0 {
        if sum == 0 {
            sets.push(set);
        }
        return;
    }
    let mut rest = digits;
    while !rest.is_empty() && sets.len() <= MAX_SETS {
        let value = rest.smallest() as u32 + 1;
        let bit = rest & rest.wrapping_neg();
        rest &= !bit;
        if value > sum {
            return;
        }
        sets_of_sum(rest, count - 1, sum - value, set | bit, sets);
    }
}

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

use super::{Houses, Receive};
use crate::engine::Statistics;
use crate::engine::big::learning::problem::{Literal, Problem};
use crate::engine::big::learning::search;
use crate::engine::constraints::{Links, Propagate, Sum, mirror};
use crate::engine::mask::Mask;
use crate::rules::Patterns;

/// Passes every solution below the propagated `root` to `visit` until it breaks, except those already
/// `found`.
pub(super) fn finish<const N: usize, M: Mask, A: Propagate>(
    houses: &Houses<N, M, A>,
    root: &[M],
    found: &[M],
    statistics: &mut Statistics,
    visit: &mut Receive<'_, M>,
) {
    let digits: Vec<u64> = root[..houses.cells].iter().map(|set| set.bits()).collect();
    let mut clauses = Clauses::new(N, &digits);
    let mut set = Vec::new();
    for cell in 0..houses.cells {
        set.extend(clauses.of_cell(cell, digits[cell]));
        clauses.exactly_one(&mut set);
    }
    for house in houses.map.cell_at.chunks_exact(N) {
        for digit in 0..N {
            set.extend(house.iter().filter_map(|&cell| clauses.open(cell, digit)));
            clauses.exactly_one(&mut set);
        }
    }
    for cell in 0..houses.cells {
        for &peer in houses.map.peers(cell).iter().filter(|&&peer| peer > cell) {
            for digit in (digits[cell] & digits[peer]).members() {
                let both = [clauses.open(cell, digit), clauses.open(peer, digit)];
                if let [Some(one), Some(other)] = both {
                    clauses.list.push(vec![one.negated(), other.negated()]);
                }
            }
        }
    }
    if let Some(links) = houses.constraints.links(2) {
        for (cell, &digits) in digits.iter().enumerate() {
            for digit in digits.members() {
                for house in houses.map.cell_at.chunks_exact(N) {
                    clauses.add_links(&links, house, cell, digit);
                }
            }
        }
    }
    for sum in houses.constraints.sums() {
        clauses.add_sum(sum);
    }
    for patterns in houses.constraints.patterns() {
        clauses.add_patterns(patterns);
    }
    for found in found.chunks_exact(houses.cells) {
        let places = || found.iter().zip(&digits).enumerate();
        if places().all(|(_, (held, &digits))| held.bits() & digits != 0) {
            let held = places().filter_map(|(cell, (held, _))| clauses.open(cell, held.smallest()));
            let block = held.map(Literal::negated).collect();
            clauses.list.push(block);
        }
    }
    let Clauses { problem, list, .. } = clauses;
    let mut solution: Vec<M> = root[..houses.cells].to_vec();
    search(problem, &list, FIRST_TURN, statistics, &mut |candidates| {
        for candidate in candidates {
            solution[candidate.cell as usize] = M::single(usize::from(candidate.digit));
        }
        visit(&solution)
    });
}

/// See [`search`]: what takes long is the proof that there are no more solutions. With 2000 as for large grids the
/// hardest nonconsecutive grids took two fifths more time.
const FIRST_TURN: u64 = 20_000;

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
    fn add_links(&mut self, links: &Links, house: &[usize], cell: usize, digit: usize) {
        let Some(candidate) = self.open(cell, digit) else {
            return;
        };
        for other in links.digits(cell, digit).members() {
            let places = house.iter().filter(|&&at| self.open(at, other).is_some());
            let is_excluded = |at: usize| links.excludes(cell, digit, other, at);
            let (excluded, rest): (Vec<usize>, Vec<usize>) =
                places.partition(|&&at| is_excluded(at));
            if excluded.len() > 1 {
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
        // A pattern that alone gives a cell some digit, and only this one, is that candidate.
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
        let values: Vec<u64> = sum
            .cells
            .iter()
            .enumerate()
            .map(|(place, &cell)| {
                let digits = self.digits[cell];
                if place < sum.mirrored {
                    mirror(digits, self.side)
                } else {
                    digits
                }
            })
            .collect();
        let value_literal = |clauses: &Self, place: usize, value: usize| {
            let digit = if place < sum.mirrored {
                clauses.side - 1 - value
            } else {
                value
            };
            clauses.open(sum.cells[place], digit)
        };
        let total = sum.sum as usize;
        // By number of cells, from the last to the first: the sums from which the total can be reached.
        let mut leads = vec![vec![false; total + 1]; values.len() + 1];
        leads[values.len()][total] = true;
        for place in (0..values.len()).rev() {
            for from in 0..=total {
                leads[place][from] = values[place]
                    .members()
                    .any(|value| leads[place + 1].get(from + value + 1) == Some(&true));
            }
        }
        if !leads[0][0] {
            return self.list.push(Vec::new());
        }
        // The sum of the first cell is its value, that of all but the last follows from the value of the last.
        let second_last = match values.len() {
            0..3 => usize::MAX,
            count => count - 2,
        };
        // The reachable sums: `None` for one that is certain.
        let mut before: Vec<(usize, Option<Literal>)> = vec![(0, None)];
        for place in 0..values.len().min(second_last.saturating_add(1)) {
            let mut reached: Vec<usize> = Vec::new();
            for &(from, _) in &before {
                let next = values[place].members().map(|value| from + value + 1);
                reached.extend(next.filter(|&to| to <= total && leads[place + 1][to]));
            }
            reached.sort_unstable();
            reached.dedup();
            let is_certain = reached.len() == 1;
            let name = |clauses: &mut Self, to: usize| match place {
                _ if is_certain => None,
                0 => value_literal(clauses, 0, to - 1),
                _ if place == second_last => value_literal(clauses, place + 1, total - to - 1),
                _ => Some(clauses.problem.add_variable()),
            };
            let after = reached.iter().map(|&to| (to, name(self, to)));
            let after: Vec<(usize, Option<Literal>)> = after.collect();
            // A sum that is the value of a cell excludes the cell's other values.
            let of_value: Option<(usize, &dyn Fn(usize) -> usize)> = match place {
                0 => Some((0, &|value| value + 1)),
                _ if place == second_last => {
                    Some((place + 1, &|value| total.wrapping_sub(value + 1)))
                }
                _ => None,
            };
            match of_value {
                Some((named, sum_of)) => {
                    let unreached = values[named]
                        .members()
                        .filter(|&v| !reached.contains(&sum_of(v)));
                    let literals = unreached.filter_map(|value| value_literal(self, named, value));
                    let excluded: Vec<Literal> = literals.map(Literal::negated).collect();
                    self.list
                        .extend(excluded.into_iter().map(|literal| vec![literal]));
                }
                None => {
                    let mut set: Vec<Literal> = after.iter().filter_map(|after| after.1).collect();
                    self.exactly_one(&mut set);
                }
            }
            if place == 0 {
                before = after;
                continue;
            }
            for &(from, name) in &before {
                for value in values[place].members() {
                    let literal = value_literal(self, place, value);
                    let to = after.iter().find(|after| after.0 == from + value + 1);
                    self.add_implication([name, literal], to.map(|to| to.1));
                }
            }
            // The sum and the value of the last cell imply the sum before it.
            for &(to, name) in &after {
                for value in values[place].members() {
                    let literal = value_literal(self, place, value);
                    let from = before.iter().find(|before| before.0 + value + 1 == to);
                    self.add_implication([name, literal], from.map(|from| from.1));
                }
            }
            before = after;
        }
    }

    /// The conditions imply the conclusion, or contradict each other if it is `None`. A literal that is `None`
    /// is certain.
    fn add_implication(
        &mut self,
        conditions: [Option<Literal>; 2],
        conclusion: Option<Option<Literal>>,
    ) {
        if conclusion != Some(None) {
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

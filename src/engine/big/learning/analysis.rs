//! Learning from a conflict.

use super::assignment::{Assignment, Conflict, Reason};
use super::heap::Heap;
use super::problem::Literal;
use super::scratch::Scratch;
use super::solver::Solver;

/// The parts of the solver that resolution needs.
struct Visit<'a> {
    assignment: &'a Assignment,
    heap: &'a mut Heap,
    candidates: usize,
    seen: &'a mut [u8],
    to_clear: &'a mut Vec<u32>,
    learned: &'a mut Vec<Literal>,
    /// The current level, and the number of its literals that are seen but not resolved.
    level: u32,
    pending: usize,
}

impl Visit<'_> {
    /// Marks the variables of literals as seen; they were open when the search began.
    #[inline(always)]
    fn literals(&mut self, literals: impl IntoIterator<Item = Literal>) {
        for literal in literals {
            let variable = literal.variable();
            let level = self.assignment.origins[variable].level;
            if self.seen[variable] != 0 || level == 0 {
                continue;
            }
            self.seen[variable] = 1;
            self.to_clear.push(variable as u32);
            if variable < self.candidates {
                self.heap.bump(variable);
            }
            if level == self.level {
                self.pending += 1;
            } else {
                let is_false = self.assignment.value(literal) < 0;
                self.learned
                    .push(if is_false { literal } else { literal.negated() });
            }
        }
    }
}

/// The number of different levels of the literals. Counted levels get the `mark`.
fn count_levels(
    assignment: &Assignment,
    literals: impl Iterator<Item = Literal>,
    marks: &mut [u64],
    mark: u64,
) -> u32 {
    let mut count = 0;
    for literal in literals {
        let level = assignment.origins[literal.variable()].level as usize;
        if marks[level] != mark {
            marks[level] = mark;
            count += 1;
        }
    }
    count
}

impl Solver {
    /// Learns from a conflict: a clause that would have prevented it, at the first unique
    /// implication point. Backtracks to the level at which the clause is unit, and assigns its
    /// literal. Returns the clause's glue, or `None` if the conflict depends on no decision.
    pub fn learn(&mut self, conflict: Conflict) -> Option<u32> {
        if self.assignment.level() == 0 {
            return None;
        }
        let uip = self.first_uip(conflict);
        self.scratch.learned[0] = uip.negated();
        self.shorten();
        self.merge();
        self.scratch.mark += 1;
        let glue = count_levels(
            &self.assignment,
            self.scratch.learned.iter().copied(),
            &mut self.scratch.level_marks,
            self.scratch.mark,
        );
        let mut back = 0;
        if self.scratch.learned.len() > 1 {
            let mut deepest = 1;
            for k in 2..self.scratch.learned.len() {
                if self.assignment.origins[self.scratch.learned[k].variable()].level
                    > self.assignment.origins[self.scratch.learned[deepest].variable()].level
                {
                    deepest = k;
                }
            }
            self.scratch.learned.swap(1, deepest);
            back = self.assignment.origins[self.scratch.learned[1].variable()].level as usize;
        }
        for k in 0..self.scratch.to_clear.len() {
            self.scratch.seen[self.scratch.to_clear[k] as usize] = 0;
        }
        self.scratch.to_clear.clear();
        self.heap.decay();
        self.back_to(back);
        let asserted = self.scratch.learned[0];
        if self.scratch.learned.len() == 1 {
            self.assign(asserted, Reason::None);
        } else {
            let reason = self.clauses.add(&self.scratch.learned, glue, false);
            self.assign(asserted, reason);
        }
        Some(glue)
    }

    /// Resolves with the reasons until one literal of the current level is left, and returns it.
    /// The literals of other levels are in `learned` from the second on.
    fn first_uip(&mut self, conflict: Conflict) -> Literal {
        let Solver {
            problem,
            clauses,
            heap,
            assignment,
            scratch,
            ..
        } = self;
        scratch.learned.clear();
        scratch.learned.push(Literal(0));
        let mut visit = Visit {
            assignment,
            heap,
            candidates: problem.candidates.len(),
            seen: &mut scratch.seen,
            to_clear: &mut scratch.to_clear,
            learned: &mut scratch.learned,
            level: assignment.level() as u32,
            pending: 0,
        };
        let trail = assignment.trail();
        let mut at = trail.len();
        let mut used = None;
        match conflict {
            Conflict::Empty(set) => visit.literals(problem.members(set as usize).iter().copied()),
            Conflict::Pair(a, b) => visit.literals([a, b]),
            Conflict::Clause(clause) => used = Some(clause),
        }
        loop {
            if let Some(clause) = used {
                visit.literals(clauses.literals(clause));
                if clauses.glue(clause) > 2 {
                    scratch.mark += 1;
                    let (marks, mark) = (&mut scratch.level_marks, scratch.mark);
                    let glue = count_levels(assignment, clauses.literals(clause), marks, mark);
                    clauses.used(clause, glue);
                }
                used = None;
            }
            let literal = loop {
                at -= 1;
                if visit.seen[trail[at].variable()] != 0 {
                    break trail[at];
                }
            };
            visit.pending -= 1;
            if visit.pending == 0 {
                return literal;
            }
            // The literal itself is among those of its set or clause, but it has been seen.
            match assignment.origins[literal.variable()].reason.get() {
                Reason::Other(other) => visit.literals([other]),
                Reason::Last(set) => visit.literals(problem.members(set as usize).iter().copied()),
                Reason::Clause(clause) => used = Some(clause),
                Reason::None => unreachable!("a decision is the last to be reached"),
            }
        }
    }

    /// Replaces literals that are false for the same true one by that one. (A single such literal
    /// stays: the clause says more with it.)
    fn merge(&mut self) {
        // A literal found once is marked `mark`, found again `mark + 1`, replaced `mark + 2`.
        let mark = self.scratch.mark + 1;
        self.scratch.mark += 3;
        let Scratch {
            learned, merged, ..
        } = &mut self.scratch;
        let origins = &self.assignment.origins;
        let cause = |literal: Literal| match origins[literal.variable()].reason.get() {
            Reason::Other(other) => Some(other),
            _ => None,
        };
        for &literal in &learned[1..] {
            if let Some(other) = cause(literal) {
                let seen = &mut merged[other.variable()];
                *seen = if *seen < mark { mark } else { mark + 1 };
            }
        }
        let mut kept = 1;
        for k in 1..learned.len() {
            let mut literal = learned[k];
            if let Some(other) = cause(literal) {
                let seen = &mut merged[other.variable()];
                if *seen == mark + 2 {
                    continue;
                }
                if *seen == mark + 1 {
                    *seen = mark + 2;
                    literal = other.negated();
                }
            }
            learned[kept] = literal;
            kept += 1;
        }
        learned.truncate(kept);
    }

    /// Minimises the learned clause: removes literals that its others imply.
    fn shorten(&mut self) {
        self.scratch.mark += 1;
        for literal in &self.scratch.learned {
            self.scratch.level_marks[self.assignment.origins[literal.variable()].level as usize] =
                self.scratch.mark;
        }
        let mut kept = 1;
        for k in 1..self.scratch.learned.len() {
            let literal = self.scratch.learned[k];
            if !self.follows(literal.variable()) {
                self.scratch.learned[kept] = literal;
                kept += 1;
            }
        }
        self.scratch.learned.truncate(kept);
    }

    /// Whether a variable's value is implied by the variables with `seen` 1, found by following its
    /// reasons. `seen` becomes 2 for implied variables, 3 for others.
    fn follows(&mut self, variable: usize) -> bool {
        if self.assignment.origins[variable].reason.get() == Reason::None {
            return false;
        }
        let start = self.scratch.to_clear.len();
        self.scratch.stack.clear();
        self.scratch.stack.push(Literal::is_true(variable));
        while let Some(next) = self.scratch.stack.pop() {
            let next = next.variable();
            let mut fine = true;
            match self.assignment.origins[next].reason.get() {
                Reason::None => fine = false,
                Reason::Other(other) => fine = self.check(other.variable()),
                Reason::Last(set) => {
                    for member in 0..self.problem.members(set as usize).len() {
                        let other = self.problem.members(set as usize)[member].variable();
                        if other != next && !self.check(other) {
                            fine = false;
                            break;
                        }
                    }
                }
                Reason::Clause(clause) => {
                    for k in 0..self.clauses.len(clause) {
                        let other = self.clauses.literal(clause, k).variable();
                        if other != next && !self.check(other) {
                            fine = false;
                            break;
                        }
                    }
                }
            }
            if !fine {
                for k in start..self.scratch.to_clear.len() {
                    self.scratch.seen[self.scratch.to_clear[k] as usize] = 3;
                }
                return false;
            }
        }
        true
    }

    /// Whether `variable` may still be implied; if that is not known yet, pushes it onto the stack.
    #[inline(always)]
    fn check(&mut self, variable: usize) -> bool {
        let level = self.assignment.origins[variable].level as usize;
        if level == 0 {
            return true;
        }
        match self.scratch.seen[variable] {
            1 | 2 => true,
            3 => false,
            _ => {
                if self.assignment.origins[variable].reason.get() == Reason::None
                    || self.scratch.level_marks[level] != self.scratch.mark
                {
                    return false;
                }
                self.scratch.seen[variable] = 2;
                self.scratch.to_clear.push(variable as u32);
                self.scratch.stack.push(Literal::is_true(variable));
                true
            }
        }
    }
}

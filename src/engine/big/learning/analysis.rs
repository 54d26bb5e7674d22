//! What is learned from a conflict.

use super::assignment::{Conflict, Reason};
use super::problem::Literal;
use super::solver::Solver;

/// Memory for looking into a conflict, kept from one to the next.
pub struct Scratch {
    /// By variable: 1 it is in the clause or on the way there, 2 it follows from those, 3 it does
    /// not.
    seen: Vec<u8>,
    /// The variables that are seen.
    to_clear: Vec<u32>,
    /// The clause; the literal that it asserts comes first.
    learned: Vec<Literal>,
    stack: Vec<Literal>,
    /// By level, and by variable: the last `mark` it was given.
    level_marks: Vec<u64>,
    merged: Vec<u64>,
    mark: u64,
}

impl Scratch {
    pub fn new(variables: usize) -> Self {
        Scratch {
            seen: vec![0; variables],
            to_clear: Vec::new(),
            learned: Vec::new(),
            stack: Vec::new(),
            level_marks: vec![0; variables + 1],
            merged: vec![0; variables],
            mark: 0,
        }
    }
}

impl Solver {
    /// Learns from a conflict: a clause that would have prevented it, at the first unique
    /// implication point. Goes back to where the clause has one literal left, and assigns it.
    /// The clause's glue, or `None` when the conflict depends on
    /// no decision.
    pub fn learn(&mut self, conflict: Conflict) -> Option<u32> {
        if self.assignment.decisions.is_empty() {
            return None;
        }
        let current = self.assignment.decisions.len() as u32;
        self.scratch.learned.clear();
        self.scratch.learned.push(Literal(0));
        let mut pending = 0usize;
        let mut at = self.assignment.trail.len();
        let mut cause: Option<usize> = None;
        let uip = loop {
            match cause {
                None => match conflict {
                    Conflict::Empty(set) => self.visit_set(set, None, &mut pending),
                    Conflict::Pair(a, b) => {
                        self.visit(a.variable(), &mut pending);
                        self.visit(b.variable(), &mut pending);
                    }
                    Conflict::Clause(clause) => self.visit_clause(clause, None, &mut pending),
                },
                Some(variable) => match self.assignment.origins[variable].reason.get() {
                    Reason::Other(other) => self.visit(other.variable(), &mut pending),
                    Reason::Last(set) => self.visit_set(set, Some(variable), &mut pending),
                    Reason::Clause(clause) => {
                        self.visit_clause(clause, Some(variable), &mut pending);
                    }
                    Reason::None => unreachable!("a decision is the last to be reached"),
                },
            }
            let literal = loop {
                at -= 1;
                let literal = self.assignment.trail[at];
                if self.scratch.seen[literal.variable()] != 0 {
                    break literal;
                }
            };
            debug_assert_eq!(self.assignment.origins[literal.variable()].level, current);
            pending -= 1;
            if pending == 0 {
                break literal;
            }
            cause = Some(literal.variable());
        };
        self.scratch.learned[0] = uip.negated();
        self.shorten();
        self.merge();
        let glue = self.glue();
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
            let clause = self.clauses.add(&self.scratch.learned, glue, false);
            self.assign(asserted, Reason::Clause(clause));
        }
        Some(glue)
    }

    #[inline(always)]
    fn visit(&mut self, variable: usize, pending: &mut usize) {
        if self.scratch.seen[variable] != 0 || self.assignment.origins[variable].level == 0 {
            return;
        }
        self.scratch.seen[variable] = 1;
        self.scratch.to_clear.push(variable as u32);
        if variable < self.problem.candidates.len() {
            self.heap.bump(variable);
        }
        if self.assignment.origins[variable].level as usize == self.assignment.decisions.len() {
            *pending += 1;
        } else {
            let literal = Literal::is_true(variable);
            self.scratch.learned.push(if self.value(literal) < 0 {
                literal
            } else {
                literal.negated()
            });
        }
    }

    /// Every other member of the set. All were open when the search began.
    fn visit_set(&mut self, set: u32, but: Option<usize>, pending: &mut usize) {
        for member in 0..self.problem.members(set as usize).len() {
            let variable = self.problem.members(set as usize)[member].variable();
            if Some(variable) != but {
                self.visit(variable, pending);
            }
        }
    }

    fn visit_clause(&mut self, clause: u32, but: Option<usize>, pending: &mut usize) {
        for k in 0..self.clauses.len(clause) {
            let variable = self.clauses.literal(clause, k).variable();
            if Some(variable) != but {
                self.visit(variable, pending);
            }
        }
        if self.clauses.glue(clause) > 2 {
            self.scratch.mark += 1;
            let mut glue = 0;
            for k in 0..self.clauses.len(clause) {
                let level = self.assignment.origins[self.clauses.literal(clause, k).variable()]
                    .level as usize;
                if self.scratch.level_marks[level] != self.scratch.mark {
                    self.scratch.level_marks[level] = self.scratch.mark;
                    glue += 1;
                }
            }
            self.clauses.used(clause, glue);
        }
    }

    /// How many decisions the learned clause depends on.
    fn glue(&mut self) -> u32 {
        self.scratch.mark += 1;
        let mut glue = 0;
        for literal in &self.scratch.learned {
            let level = self.assignment.origins[literal.variable()].level as usize;
            if self.scratch.level_marks[level] != self.scratch.mark {
                self.scratch.level_marks[level] = self.scratch.mark;
                glue += 1;
            }
        }
        glue
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

    /// Drops the literals of the learned clause that follow from its others.
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

    /// Whether a variable's value follows from the variables seen (`seen` 1), found by going back
    /// through its reasons. `seen` becomes 2 for what follows, 3 for what does not.
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

    /// Whether it is still possible that `variable` follows; if that is open, it is to be looked
    /// into.
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

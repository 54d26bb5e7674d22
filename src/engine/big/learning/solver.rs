//! Assignments, what follows from them, and what is learned when they contradict each other.

use super::clauses::{Clauses, Watch};
use super::heap::Heap;
use super::problem::{Literal, Problem};
use crate::engine::mask::Mask;

/// Why a variable has its value.
///
/// The reasons that come from the rules are never written out as clauses: they are read off the
/// sets when a conflict is looked into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// It was decided, or held from the start.
    None,
    /// It is false, since this other member of one of its sets is true.
    Other(u32),
    /// It is true, since the other members of this set are false.
    Last(u32),
    /// The clause's other literals are false.
    Clause(u32),
}

/// What cannot be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conflict {
    /// Every member of the set is false.
    Empty(u32),
    /// Both are true and in one set.
    Pair(u32, u32),
    /// Every literal of the clause is false.
    Clause(u32),
}

/// The state of a search that learns.
pub struct Solver<const N: usize, M> {
    pub problem: Problem<N, M>,
    pub clauses: Clauses,
    pub heap: Heap,
    /// By literal: 1 true, -1 false, 0 not assigned.
    values: Vec<i8>,
    /// By variable.
    levels: Vec<u32>,
    reasons: Vec<Reason>,
    phases: Vec<bool>,
    trail: Vec<Literal>,
    /// Where the trail stood at each decision.
    decisions: Vec<usize>,
    /// Up to where the trail has been followed through the sets, and through the clauses.
    followed_sets: usize,
    followed_clauses: usize,
    /// Sets that have at most one open member.
    single: Vec<u32>,
    seen: Vec<u8>,
    to_clear: Vec<u32>,
    learned: Vec<Literal>,
    stack: Vec<Literal>,
    level_marks: Vec<u64>,
    mark: u64,
    pub conflicts: u64,
    pub last_glue: u32,
}

impl<const N: usize, M: Mask> Solver<N, M> {
    pub fn new(problem: Problem<N, M>) -> Self {
        let count = problem.candidates.len();
        Solver {
            clauses: Clauses::new(count),
            heap: Heap::new(count, 0.95),
            values: vec![0; 2 * count],
            levels: vec![0; count],
            reasons: vec![Reason::None; count],
            phases: vec![true; count],
            trail: Vec::with_capacity(count),
            decisions: Vec::new(),
            followed_sets: 0,
            followed_clauses: 0,
            single: Vec::new(),
            seen: vec![0; count],
            to_clear: Vec::new(),
            learned: Vec::new(),
            stack: Vec::new(),
            level_marks: vec![0; count + 1],
            mark: 0,
            conflicts: 0,
            last_glue: 0,
            problem,
        }
    }

    #[inline(always)]
    pub fn value(&self, literal: Literal) -> i8 {
        self.values[literal.index()]
    }

    /// Gives an unassigned literal's variable its value.
    #[inline(always)]
    pub fn assign(&mut self, literal: Literal, reason: Reason) {
        let variable = literal.variable();
        self.values[literal.index()] = 1;
        self.values[literal.negated().index()] = -1;
        self.levels[variable] = self.decisions.len() as u32;
        self.reasons[variable] = reason;
        self.trail.push(literal);
        if !literal.wants_true() {
            let membership = self.problem.memberships[variable];
            for k in 0..4 {
                let set = usize::from(membership.sets[k]);
                let open = self.problem.open[set] & !M::single(usize::from(membership.members[k]));
                self.problem.open[set] = open;
                if !open.has_several() {
                    self.single.push(set as u32);
                }
            }
        }
    }

    pub fn decide(&mut self, literal: Literal) {
        self.decisions.push(self.trail.len());
        self.assign(literal, Reason::None);
    }

    /// Takes back every decision above `level`.
    pub fn back_to(&mut self, level: usize) {
        if level >= self.decisions.len() {
            return;
        }
        let start = self.decisions[level];
        self.decisions.truncate(level);
        for k in (start..self.trail.len()).rev() {
            let literal = self.trail[k];
            let variable = literal.variable();
            self.values[literal.index()] = 0;
            self.values[literal.negated().index()] = 0;
            self.phases[variable] = literal.wants_true();
            if !literal.wants_true() {
                let membership = self.problem.memberships[variable];
                for k in 0..4 {
                    let set = usize::from(membership.sets[k]);
                    self.problem.open[set] |= M::single(usize::from(membership.members[k]));
                }
            }
            self.heap.insert(variable);
        }
        self.trail.truncate(start);
        self.followed_sets = start;
        self.followed_clauses = start;
        self.single.clear();
    }

    /// Follows up every assignment: through the sets first, which is cheap, then through the
    /// clauses.
    pub fn propagate(&mut self) -> Result<(), Conflict> {
        loop {
            if let Some(set) = self.single.pop() {
                let open = self.problem.open[set as usize];
                if open.is_empty() {
                    return Err(Conflict::Empty(set));
                }
                let variable = self.problem.variables[set as usize][open.smallest()];
                if self.values[Literal::is_true(variable).index()] == 0 {
                    self.assign(Literal::is_true(variable), Reason::Last(set));
                }
            } else if self.followed_sets < self.trail.len() {
                let literal = self.trail[self.followed_sets];
                self.followed_sets += 1;
                if literal.wants_true() {
                    self.close_others(literal.variable())?;
                }
            } else if self.followed_clauses < self.trail.len() {
                let literal = self.trail[self.followed_clauses];
                self.followed_clauses += 1;
                self.follow_clauses(literal.negated())?;
            } else {
                return Ok(());
            }
        }
    }

    /// Makes the other members of a true variable's sets false.
    fn close_others(&mut self, variable: usize) -> Result<(), Conflict> {
        let membership = self.problem.memberships[variable];
        for k in 0..4 {
            let set = usize::from(membership.sets[k]);
            let others = self.problem.open[set] & !M::single(usize::from(membership.members[k]));
            for member in others.members() {
                let other = self.problem.variables[set][member];
                if self.values[Literal::is_true(other).index()] != 0 {
                    return Err(Conflict::Pair(variable as u32, other));
                }
                self.assign(Literal::is_false(other), Reason::Other(variable as u32));
            }
        }
        Ok(())
    }

    /// Looks at the clauses that watch a literal that has become false.
    fn follow_clauses(&mut self, gone: Literal) -> Result<(), Conflict> {
        let mut watches = core::mem::take(&mut self.clauses.watches[gone.index()]);
        let mut kept = 0;
        let mut at = 0;
        let mut outcome = Ok(());
        'watches: while at < watches.len() {
            let watch = watches[at];
            at += 1;
            if self.value(watch.blocker) > 0 {
                watches[kept] = watch;
                kept += 1;
                continue;
            }
            let words = self.clauses.words(watch.clause);
            if words[0] == gone.0 {
                words.swap(0, 1);
            }
            let first = Literal(words[0]);
            if first != watch.blocker && self.values[first.index()] > 0 {
                watches[kept] = Watch {
                    clause: watch.clause,
                    blocker: first,
                };
                kept += 1;
                continue;
            }
            for k in 2..words.len() {
                let literal = Literal(words[k]);
                if self.values[literal.index()] >= 0 {
                    words.swap(1, k);
                    self.clauses.watches[literal.index()].push(Watch {
                        clause: watch.clause,
                        blocker: first,
                    });
                    continue 'watches;
                }
            }
            watches[kept] = watch;
            kept += 1;
            if self.value(first) < 0 {
                outcome = Err(Conflict::Clause(watch.clause));
                break;
            }
            self.assign(first, Reason::Clause(watch.clause));
        }
        watches.copy_within(at.., kept);
        watches.truncate(kept + watches.len() - at);
        self.clauses.watches[gone.index()] = watches;
        outcome
    }

    /// The next variable to decide, the most active one, and its value.
    pub fn choose(&mut self) -> Option<Literal> {
        while let Some(variable) = self.heap.pop() {
            if self.values[2 * variable] == 0 {
                let variable32 = variable as u32;
                return Some(if self.phases[variable] {
                    Literal::is_true(variable32)
                } else {
                    Literal::is_false(variable32)
                });
            }
        }
        None
    }

    /// The decisions that stand, first to last.
    pub fn decided(&self) -> impl DoubleEndedIterator<Item = Literal> + '_ {
        self.decisions.iter().map(move |&at| self.trail[at])
    }

    /// Learns from a conflict: a clause that would have prevented it, at the first unique
    /// implication point. Goes back to where the clause has one literal left, and assigns it.
    /// `false` when the conflict depends on no decision.
    pub fn learn(&mut self, conflict: Conflict) -> bool {
        if self.decisions.is_empty() {
            return false;
        }
        self.conflicts += 1;
        let current = self.decisions.len() as u32;
        self.learned.clear();
        self.learned.push(Literal(0));
        let mut pending = 0usize;
        let mut at = self.trail.len();
        let mut cause = None;
        let uip = loop {
            match cause {
                None => match conflict {
                    Conflict::Empty(set) => self.visit_set(set, None, &mut pending),
                    Conflict::Pair(a, b) => {
                        self.visit(a as usize, &mut pending);
                        self.visit(b as usize, &mut pending);
                    }
                    Conflict::Clause(clause) => self.visit_clause(clause, None, &mut pending),
                },
                Some(variable) => match self.reasons[variable] {
                    Reason::Other(other) => self.visit(other as usize, &mut pending),
                    Reason::Last(set) => self.visit_set(set, Some(variable), &mut pending),
                    Reason::Clause(clause) => {
                        self.visit_clause(clause, Some(variable), &mut pending);
                    }
                    Reason::None => unreachable!("a decision is the last to be reached"),
                },
            }
            let literal = loop {
                at -= 1;
                let literal = self.trail[at];
                if self.seen[literal.variable()] != 0 {
                    break literal;
                }
            };
            debug_assert_eq!(self.levels[literal.variable()], current);
            pending -= 1;
            if pending == 0 {
                break literal;
            }
            cause = Some(literal.variable());
        };
        self.learned[0] = uip.negated();
        self.shorten();
        let glue = self.glue();
        self.last_glue = glue;
        let mut back = 0;
        if self.learned.len() > 1 {
            let mut deepest = 1;
            for k in 2..self.learned.len() {
                if self.levels[self.learned[k].variable()]
                    > self.levels[self.learned[deepest].variable()]
                {
                    deepest = k;
                }
            }
            self.learned.swap(1, deepest);
            back = self.levels[self.learned[1].variable()] as usize;
        }
        for k in 0..self.to_clear.len() {
            self.seen[self.to_clear[k] as usize] = 0;
        }
        self.to_clear.clear();
        self.heap.decay();
        self.back_to(back);
        let asserted = self.learned[0];
        if self.learned.len() == 1 {
            self.assign(asserted, Reason::None);
        } else {
            let clause = self.clauses.add(&self.learned, glue, false);
            self.assign(asserted, Reason::Clause(clause));
        }
        true
    }

    #[inline(always)]
    fn visit(&mut self, variable: usize, pending: &mut usize) {
        if self.seen[variable] != 0 || self.levels[variable] == 0 {
            return;
        }
        self.seen[variable] = 1;
        self.to_clear.push(variable as u32);
        self.heap.bump(variable);
        if self.levels[variable] as usize == self.decisions.len() {
            *pending += 1;
        } else {
            let literal = Literal::is_true(variable as u32);
            self.learned.push(if self.value(literal) < 0 {
                literal
            } else {
                literal.negated()
            });
        }
    }

    /// Every other member of the set. All were open when the search began.
    fn visit_set(&mut self, set: u32, but: Option<usize>, pending: &mut usize) {
        let members = self.problem.all[set as usize];
        for member in members.members() {
            let variable = self.problem.variables[set as usize][member] as usize;
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
            self.mark += 1;
            let mut glue = 0;
            for k in 0..self.clauses.len(clause) {
                let level = self.levels[self.clauses.literal(clause, k).variable()] as usize;
                if self.level_marks[level] != self.mark {
                    self.level_marks[level] = self.mark;
                    glue += 1;
                }
            }
            self.clauses.used(clause, glue);
        }
    }

    /// How many decisions the learned clause depends on.
    fn glue(&mut self) -> u32 {
        self.mark += 1;
        let mut glue = 0;
        for literal in &self.learned {
            let level = self.levels[literal.variable()] as usize;
            if self.level_marks[level] != self.mark {
                self.level_marks[level] = self.mark;
                glue += 1;
            }
        }
        glue
    }

    /// Drops the literals of the learned clause that follow from its others.
    fn shorten(&mut self) {
        self.mark += 1;
        for literal in &self.learned {
            self.level_marks[self.levels[literal.variable()] as usize] = self.mark;
        }
        let mut kept = 1;
        for k in 1..self.learned.len() {
            let literal = self.learned[k];
            if !self.follows(literal.variable()) {
                self.learned[kept] = literal;
                kept += 1;
            }
        }
        self.learned.truncate(kept);
    }

    /// Whether a variable's value follows from the variables seen (`seen` 1), found by going back
    /// through its reasons. `seen` becomes 2 for what follows, 3 for what does not.
    fn follows(&mut self, variable: usize) -> bool {
        if self.reasons[variable] == Reason::None {
            return false;
        }
        let start = self.to_clear.len();
        self.stack.clear();
        self.stack.push(Literal::is_true(variable as u32));
        while let Some(next) = self.stack.pop() {
            let next = next.variable();
            let mut fine = true;
            match self.reasons[next] {
                Reason::None => fine = false,
                Reason::Other(other) => fine = self.check(other as usize),
                Reason::Last(set) => {
                    for member in self.problem.all[set as usize].members() {
                        let other = self.problem.variables[set as usize][member] as usize;
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
                for k in start..self.to_clear.len() {
                    self.seen[self.to_clear[k] as usize] = 3;
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
        let level = self.levels[variable] as usize;
        if level == 0 {
            return true;
        }
        match self.seen[variable] {
            1 | 2 => true,
            3 => false,
            _ => {
                if self.reasons[variable] == Reason::None || self.level_marks[level] != self.mark {
                    return false;
                }
                self.seen[variable] = 2;
                self.to_clear.push(variable as u32);
                self.stack.push(Literal::is_true(variable as u32));
                true
            }
        }
    }

    /// Rules the present assignment out. `false` when it depends on no decision.
    pub fn block(&mut self) -> bool {
        if self.decisions.is_empty() {
            return false;
        }
        let literals: Vec<Literal> = self.decided().rev().map(Literal::negated).collect();
        let level = self.decisions.len() - 1;
        self.back_to(level);
        let asserted = literals[0];
        if literals.len() == 1 {
            self.assign(asserted, Reason::None);
        } else {
            let clause = self.clauses.add(&literals, u32::MAX >> 2, true);
            self.assign(asserted, Reason::Clause(clause));
        }
        true
    }

    /// Forgets clauses of little use.
    pub fn forget(&mut self) {
        let (values, reasons) = (&self.values, &self.reasons);
        let mut changes = Vec::new();
        self.clauses.forget(
            |clauses, clause| {
                let first = clauses.literal(clause, 0);
                values[first.index()] > 0 && reasons[first.variable()] == Reason::Clause(clause)
            },
            |old, new| changes.push((old, new)),
        );
        for k in 0..self.trail.len() {
            let variable = self.trail[k].variable();
            if let Reason::Clause(old) = self.reasons[variable] {
                let found = changes.binary_search_by_key(&old, |change| change.0);
                if let Ok(at) = found {
                    self.reasons[variable] = Reason::Clause(changes[at].1);
                }
            }
        }
    }
}

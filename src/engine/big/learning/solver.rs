//! The state of a search that learns: assignment, learned clauses, and the next decision.

use super::assignment::{Assignment, Conflict, PackedReason, Reason};
use super::clauses::{Clauses, Watch};
use super::heap::Heap;
use super::problem::{Literal, Problem};
use super::scratch::Scratch;

/// The state of a search that learns.
pub struct Solver {
    pub problem: Problem,
    pub(super) clauses: Clauses,
    pub(super) heap: Heap,
    pub(super) assignment: Assignment,
    pub(super) scratch: Scratch,
    /// By candidate: its last value (phase saving).
    phases: Vec<bool>,
    /// Whether decisions use the saved phases; otherwise candidates are decided to be true.
    pub remember: bool,
    /// The number of literals of the trail that are propagated through the clauses.
    followed: usize,
}

/// The initial glue of clauses that are kept in any case: the worst one.
const KEPT_GLUE: u32 = u32::MAX >> 2;

/// The factor of an activity at each conflict.
const DECAY: f64 = 0.99;

impl Solver {
    /// A solver without decisions and learned clauses.
    pub fn new(problem: Problem) -> Self {
        let count = problem.variables;
        Solver {
            clauses: Clauses::new(count),
            heap: Heap::new(problem.candidates.len(), DECAY),
            assignment: Assignment::new(&problem),
            scratch: Scratch::new(count),
            phases: vec![true; problem.candidates.len()],
            remember: false,
            followed: 0,
            problem,
        }
    }

    /// Whether a variable is true.
    pub fn is_true(&self, variable: usize) -> bool {
        self.value(Literal::is_true(variable)) > 0
    }

    #[inline(always)]
    pub(super) fn value(&self, literal: Literal) -> i8 {
        self.assignment.value(literal)
    }

    /// Assigns an open literal.
    #[inline(always)]
    pub(super) fn assign(&mut self, literal: Literal, reason: Reason) {
        self.assignment.assign(&self.problem, literal, reason);
    }

    /// Assigns an open literal permanently.
    pub fn decide(&mut self, literal: Literal) {
        self.assignment.decide(&self.problem, literal);
    }

    /// Backtracks to `level`.
    pub fn back_to(&mut self, level: usize) {
        if level >= self.assignment.level() {
            return;
        }
        let (heap, phases) = (&mut self.heap, &mut self.phases);
        let candidates = self.problem.candidates.len();
        self.assignment.back_to(&self.problem, level, |literal| {
            let variable = literal.variable();
            if variable < candidates {
                phases[variable] = literal.wants_true();
                heap.insert(variable);
            }
        });
        self.followed = self.assignment.trail().len();
    }

    /// Propagates every assignment: first through the sets, which is cheap, then through the clauses.
    pub fn propagate(&mut self) -> Result<(), Conflict> {
        loop {
            self.assignment.propagate(&self.problem)?;
            if self.followed == self.assignment.trail().len() {
                return Ok(());
            }
            let literal = self.assignment.trail()[self.followed];
            self.followed += 1;
            self.follow_implied(literal)?;
            self.follow_clauses(literal.negated())?;
        }
    }

    /// Makes the literals true that a true literal implies.
    fn follow_implied(&mut self, literal: Literal) -> Result<(), Conflict> {
        let implied = self.clauses.implied.get(literal.index());
        for &implied in implied.into_iter().flatten() {
            match self.assignment.value(implied) {
                0 => self
                    .assignment
                    .assign(&self.problem, implied, Reason::Other(literal)),
                1 => {}
                _ => return Err(Conflict::Pair(literal, implied)),
            }
        }
        Ok(())
    }

    /// Propagates through the clauses that watch a literal that has become false.
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
            if first != watch.blocker && self.assignment.value(first) > 0 {
                watches[kept] = Watch {
                    clause: watch.clause,
                    blocker: first,
                };
                kept += 1;
                continue;
            }
            for k in 2..words.len() {
                let literal = Literal(words[k]);
                if self.assignment.value(literal) >= 0 {
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
            if self.value(Literal::is_true(variable)) == 0 {
                let literal = Literal::is_true(variable);
                return Some(if self.remember && !self.phases[variable] {
                    literal.negated()
                } else {
                    literal
                });
            }
        }
        None
    }

    /// Adds a clause of open literals that is never forgotten, before anything is decided.
    /// `false` when it cannot hold.
    pub fn add(&mut self, literals: &[Literal]) -> bool {
        match literals {
            [] => false,
            [only] => {
                if self.value(*only) == 0 {
                    self.assign(*only, Reason::None);
                }
                self.value(*only) > 0
            }
            _ => {
                self.clauses.add(literals, KEPT_GLUE, true);
                true
            }
        }
    }

    /// Excludes the current assignment, a solution. `false` when it depends on no decision.
    pub fn block(&mut self) -> bool {
        if self.assignment.level() == 0 {
            return false;
        }
        let decided = self.assignment.decided().rev();
        let literals: Vec<Literal> = decided.map(Literal::negated).collect();
        let level = self.assignment.level() - 1;
        self.back_to(level);
        let asserted = literals[0];
        if literals.len() == 1 {
            self.assign(asserted, Reason::None);
        } else {
            let reason = self.clauses.add(&literals, KEPT_GLUE, true);
            self.assign(asserted, reason);
        }
        true
    }

    /// Forgets clauses of little use.
    pub fn forget(&mut self) {
        let assignment = &self.assignment;
        let mut changes = Vec::new();
        self.clauses.forget(
            |clauses, clause| {
                let first = clauses.literal(clause, 0);
                assignment.value(first) > 0
                    && assignment.origins[first.variable()].reason.get() == Reason::Clause(clause)
            },
            |old, new| changes.push((old, new)),
        );
        for k in 0..self.assignment.trail().len() {
            let variable = self.assignment.trail()[k].variable();
            if let Reason::Clause(old) = self.assignment.origins[variable].reason.get() {
                let found = changes.binary_search_by_key(&old, |change| change.0);
                if let Ok(at) = found {
                    self.assignment.origins[variable].reason =
                        PackedReason::new(Reason::Clause(changes[at].1));
                }
            }
        }
    }
}

//! The assignment: values of the variables, their reasons, and propagation through the exactly-one
//! sets.

use super::problem::{Literal, Memberships, Problem};

/// Why a variable has its value.
///
/// Reasons from the rules are never materialised as clauses: conflict analysis reads them from the
/// sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// It was decided, or true from the start.
    None,
    /// This true literal implies it, through a set or a clause of two literals.
    Other(Literal),
    /// The other members of this set are false.
    Last(u32),
    /// The clause's other literals are false.
    Clause(u32),
}

/// A [`Reason`] in four bytes: the kind in the two lowest bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PackedReason(u32);

impl PackedReason {
    #[inline(always)]
    pub fn new(reason: Reason) -> Self {
        PackedReason(match reason {
            Reason::None => 0,
            Reason::Other(literal) => literal.0 << 2 | 1,
            Reason::Last(set) => set << 2 | 2,
            Reason::Clause(clause) => clause << 2 | 3,
        })
    }

    #[inline(always)]
    pub fn get(self) -> Reason {
        let number = self.0 >> 2;
        match self.0 & 3 {
            0 => Reason::None,
            1 => Reason::Other(Literal(number)),
            2 => Reason::Last(number),
            _ => Reason::Clause(number),
        }
    }
}

/// Where an assigned variable's value comes from.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    pub reason: PackedReason,
    /// The decision level.
    pub level: u32,
}

/// The contradiction that propagation found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conflict {
    /// Every member of the set is false.
    Empty(u32),
    /// Both are true and in one set, or the first implies the second, which is false.
    Pair(Literal, Literal),
    /// Every literal of the clause is false.
    Clause(u32),
}

/// A set's summary of its members. The upper bits hold the number of members that are not false, plus
/// [`TRUE`] for each true one; the lower bits hold the sum of the members that are not false. If one is
/// left, the sum is that member.
#[derive(Clone, Copy)]
struct Tally(u32);

/// The number of bits of a sum.
const SUM_BITS: u32 = 24;

/// The count of one member that is not false.
const ONE: u32 = 1 << SUM_BITS;

/// The extra count of a true literal: the set then never seems to have one literal left to assign.
/// (Four in one set overflow to nothing, but then four members are not false.)
const TRUE: u32 = 64 << SUM_BITS;

impl Tally {
    fn new(members: &[Literal]) -> Self {
        Tally(members.iter().map(|literal| ONE + literal.0).sum())
    }

    /// The number of members that are not false; at least 64 if one is true.
    #[inline(always)]
    fn count(self) -> u32 {
        self.0 >> SUM_BITS
    }

    /// The only member left, if the count is 1.
    #[inline(always)]
    fn last(self) -> Literal {
        Literal(self.0 & (ONE - 1))
    }
}

/// The number of decisions for which tallies are saved. Searches for the one solution of a puzzle
/// are rarely deeper; on an empty grid they are, by thousands.
const MAX_SAVED: usize = 64;

/// The number of possible set numbers: an index of that type needs no bounds check.
const SETS: usize = 1 << 16;

/// The values of the variables, and the trail, their order of assignment.
pub struct Assignment {
    /// By literal: 1 true, -1 false, 0 not assigned.
    values: Vec<i8>,
    /// By variable.
    pub origins: Vec<Origin>,
    /// The true literals in order of assignment, with capacity for all.
    trail: Vec<Literal>,
    assigned: usize,
    /// The length of the trail at each decision.
    decisions: Vec<usize>,
    /// By decision, of the first [`MAX_SAVED`], and set: the tallies before it. Copying them back is
    /// cheaper than taking every assignment back from its sets.
    saved: Vec<Tally>,
    sets: usize,
    /// By set.
    tallies: Box<[Tally; SETS]>,
    /// Sets with one literal left that is not false, not yet propagated; with capacity for all.
    single: Vec<u16>,
    singles: usize,
    /// The number of literals of the trail that are propagated through the sets.
    followed: usize,
}

impl Assignment {
    /// The empty assignment.
    pub fn new(problem: &Problem) -> Self {
        let unknown = Origin {
            reason: PackedReason::new(Reason::None),
            level: 0,
        };
        let sets = problem.sets();
        let mut tallies: Vec<Tally> = (0..sets)
            .map(|set| Tally::new(problem.members(set)))
            .collect();
        tallies.resize(SETS, Tally(0));
        Assignment {
            values: vec![0; 2 * problem.variables],
            origins: vec![unknown; problem.variables],
            trail: vec![Literal(0); problem.variables],
            assigned: 0,
            decisions: Vec::new(),
            saved: Vec::new(),
            sets,
            tallies: tallies
                .into_boxed_slice()
                .try_into()
                .unwrap_or_else(|_| unreachable!("as many as SETS")),
            single: vec![0; sets],
            singles: 0,
            followed: 0,
        }
    }

    /// 1 if the literal is true, -1 if it is false, 0 if it is not assigned.
    #[inline(always)]
    pub fn value(&self, literal: Literal) -> i8 {
        self.values[literal.index()]
    }

    /// The true literals, first to last.
    #[inline(always)]
    pub fn trail(&self) -> &[Literal] {
        &self.trail[..self.assigned]
    }

    /// The current decision level.
    #[inline(always)]
    pub fn level(&self) -> usize {
        self.decisions.len()
    }

    /// The literals that were decided, first to last.
    pub fn decided(&self) -> impl DoubleEndedIterator<Item = Literal> + '_ {
        self.decisions.iter().map(|&at| self.trail[at])
    }

    /// The parts, for a loop that keeps them in registers.
    #[inline(always)]
    fn hand<'a>(&'a mut self, problem: &'a Problem) -> Hand<'a> {
        Hand {
            problem,
            memberships: &problem.memberships,
            values: &mut self.values,
            origins: &mut self.origins,
            trail: &mut self.trail,
            assigned: self.assigned,
            tallies: &mut self.tallies,
            single: &mut self.single,
            singles: self.singles,
            followed: self.followed,
            level: self.decisions.len() as u32,
        }
    }

    /// Assigns an open literal permanently. All earlier assignments must be propagated.
    pub fn decide(&mut self, problem: &Problem, literal: Literal) {
        self.decisions.push(self.assigned);
        if self.decisions.len() <= MAX_SAVED {
            self.saved.extend_from_slice(&self.tallies[..self.sets]);
        }
        self.assign(problem, literal, Reason::None);
    }

    /// Assigns an open literal.
    pub fn assign(&mut self, problem: &Problem, literal: Literal, reason: Reason) {
        let mut hand = self.hand(problem);
        hand.assign(literal, reason);
        (self.assigned, self.singles) = (hand.assigned, hand.singles);
    }

    /// Backtracks to `level`, and calls `undone` with each unassigned literal.
    #[inline(always)]
    pub fn back_to(&mut self, problem: &Problem, level: usize, mut undone: impl FnMut(Literal)) {
        let start = self.decisions[level];
        self.decisions.truncate(level);
        if level < MAX_SAVED {
            let saved = level * self.sets;
            self.tallies[..self.sets].copy_from_slice(&self.saved[saved..saved + self.sets]);
            self.saved.truncate(saved);
        } else {
            self.reopen(problem, start);
        }
        let hand = self.hand(problem);
        for &literal in &hand.trail[start..hand.assigned] {
            let gone = literal.negated();
            hand.values[literal.index()] = 0;
            hand.values[gone.index()] = 0;
            undone(literal);
        }
        self.assigned = start;
        self.followed = start;
        self.singles = 0;
    }

    /// Undoes the effect on the tallies of the literals from `start` on.
    fn reopen(&mut self, problem: &Problem, start: usize) {
        for &literal in &self.trail[start..self.assigned] {
            let gone = literal.negated();
            problem.memberships[literal.index()].each(|set| {
                let tally = &mut self.tallies[usize::from(set)].0;
                *tally = tally.wrapping_sub(TRUE);
            });
            problem.memberships[gone.index()].each(|set| {
                let tally = &mut self.tallies[usize::from(set)].0;
                *tally = tally.wrapping_add(ONE + gone.0);
            });
        }
    }

    /// Propagates every assignment through the sets.
    #[inline(never)]
    pub fn propagate(&mut self, problem: &Problem) -> Result<(), Conflict> {
        let mut hand = self.hand(problem);
        let outcome = hand.propagate();
        (self.assigned, self.singles, self.followed) = (hand.assigned, hand.singles, hand.followed);
        outcome
    }
}

/// The parts of an [`Assignment`], so that they stay in registers.
struct Hand<'a> {
    problem: &'a Problem,
    memberships: &'a [Memberships],
    values: &'a mut [i8],
    origins: &'a mut [Origin],
    trail: &'a mut [Literal],
    assigned: usize,
    tallies: &'a mut [Tally; SETS],
    single: &'a mut [u16],
    singles: usize,
    followed: usize,
    level: u32,
}

impl Hand<'_> {
    #[inline(always)]
    fn assign(&mut self, literal: Literal, reason: Reason) {
        let gone = literal.negated();
        self.values[literal.index()] = 1;
        self.values[gone.index()] = -1;
        self.origins[literal.variable()] = Origin {
            reason: PackedReason::new(reason),
            level: self.level,
        };
        self.trail[self.assigned] = literal;
        self.assigned += 1;
        self.memberships[literal.index()].each(|set| {
            let tally = &mut self.tallies[usize::from(set)].0;
            *tally = tally.wrapping_add(TRUE);
        });
        self.memberships[gone.index()].each(|set| {
            let tally = &mut self.tallies[usize::from(set)];
            tally.0 = tally.0.wrapping_sub(ONE + gone.0);
            if tally.count() == 1 {
                self.single[self.singles] = set;
                self.singles += 1;
            }
        });
    }

    /// Propagates sets with one literal left first, the newest of them before the others: other orders
    /// took more conflicts.
    #[inline(always)]
    fn propagate(&mut self) -> Result<(), Conflict> {
        loop {
            while self.singles > 0 {
                self.singles -= 1;
                let set = self.single[self.singles];
                let tally = self.tallies[usize::from(set)];
                match tally.count() {
                    0 => return Err(Conflict::Empty(u32::from(set))),
                    1 => self.assign(tally.last(), Reason::Last(u32::from(set))),
                    _ => {}
                }
            }
            if self.followed == self.assigned {
                return Ok(());
            }
            let literal = self.trail[self.followed];
            self.followed += 1;
            self.close(literal)?;
        }
    }

    /// Makes the other members of a true literal's sets false.
    #[inline(always)]
    fn close(&mut self, literal: Literal) -> Result<(), Conflict> {
        for &set in self.memberships[literal.index()].sets() {
            // The others that are not false, a true one among them being a contradiction.
            let mut others = self.tallies[usize::from(set)].count() % 64 - 1;
            if others == 0 {
                continue;
            }
            for &other in self.problem.members(usize::from(set)) {
                let value = self.values[other.index()];
                if value >= 0 && other != literal {
                    if value > 0 {
                        return Err(Conflict::Pair(literal, other));
                    }
                    self.assign(other.negated(), Reason::Other(literal));
                    others -= 1;
                    if others == 0 {
                        break;
                    }
                }
            }
        }
        Ok(())
    }
}

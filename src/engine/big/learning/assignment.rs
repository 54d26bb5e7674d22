//! Which literals are true and why, and what follows from the exactly-one sets.

use super::problem::{Literal, Problem};

/// Why a variable has its value.
///
/// The reasons that come from the rules are never written out as clauses: they are read off the
/// sets when a conflict is looked into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// It was decided, or held from the start.
    None,
    /// This true literal is in a set with it, or with its negation.
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
    /// How many decisions stood.
    pub level: u32,
}

/// What cannot be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conflict {
    /// Every member of the set is false.
    Empty(u32),
    /// Both are true and in one set.
    Pair(Literal, Literal),
    /// Every literal of the clause is false.
    Clause(u32),
}

/// Counted in a set for a true literal: the set then never looks as if it had a literal left to
/// make true.
const DECIDED: u16 = 256;

/// The values of the variables, in the order in which they got them.
pub struct Assignment {
    /// By literal: 1 true, -1 false, 0 not assigned.
    values: Vec<i8>,
    /// By variable.
    pub origins: Vec<Origin>,
    /// The true literals, first to last.
    pub trail: Vec<Literal>,
    /// Where the trail stood at each decision.
    pub decisions: Vec<usize>,
    /// By set: how many of its literals are not false, and [`DECIDED`] for each that is true.
    open: Vec<u16>,
    /// Sets that have come down to one literal that is not false, and have not been looked at.
    single: Vec<u16>,
    /// Up to where the trail has been followed through the sets.
    followed: usize,
}

impl Assignment {
    /// Nothing assigned.
    pub fn new(problem: &Problem) -> Self {
        let unknown = Origin {
            reason: PackedReason::new(Reason::None),
            level: 0,
        };
        Assignment {
            values: vec![0; 2 * problem.variables],
            origins: vec![unknown; problem.variables],
            trail: Vec::with_capacity(problem.variables),
            decisions: Vec::new(),
            open: problem.sizes(),
            single: Vec::new(),
            followed: 0,
        }
    }

    /// 1 when the literal is true, -1 when it is false, 0 when that is open.
    #[inline(always)]
    pub fn value(&self, literal: Literal) -> i8 {
        self.values[literal.index()]
    }

    /// Makes an open literal true.
    #[inline(always)]
    pub fn assign(&mut self, problem: &Problem, literal: Literal, reason: Reason) {
        let gone = literal.negated();
        self.values[literal.index()] = 1;
        self.values[gone.index()] = -1;
        self.origins[literal.variable()] = Origin {
            reason: PackedReason::new(reason),
            level: self.decisions.len() as u32,
        };
        self.trail.push(literal);
        for &set in problem.memberships[literal.index()].sets() {
            self.open[usize::from(set)] += DECIDED;
        }
        for &set in problem.memberships[gone.index()].sets() {
            let open = &mut self.open[usize::from(set)];
            *open -= 1;
            if *open == 1 {
                self.single.push(set);
            }
        }
    }

    /// Takes back every decision above `level`, telling `undone` each literal.
    pub fn back_to(&mut self, problem: &Problem, level: usize, mut undone: impl FnMut(Literal)) {
        let start = self.decisions[level];
        self.decisions.truncate(level);
        for &literal in &self.trail[start..] {
            let gone = literal.negated();
            self.values[literal.index()] = 0;
            self.values[gone.index()] = 0;
            for &set in problem.memberships[literal.index()].sets() {
                self.open[usize::from(set)] -= DECIDED;
            }
            for &set in problem.memberships[gone.index()].sets() {
                self.open[usize::from(set)] += 1;
            }
            undone(literal);
        }
        self.trail.truncate(start);
        self.followed = start;
        self.single.clear();
    }

    /// Follows up every assignment through the sets.
    #[inline(never)]
    pub fn propagate(&mut self, problem: &Problem) -> Result<(), Conflict> {
        loop {
            while let Some(set) = self.single.pop() {
                if self.open[usize::from(set)] == 0 {
                    return Err(Conflict::Empty(u32::from(set)));
                }
                if self.open[usize::from(set)] > 1 {
                    continue;
                }
                for &literal in problem.members(usize::from(set)) {
                    if self.value(literal) == 0 {
                        self.assign(problem, literal, Reason::Last(u32::from(set)));
                        break;
                    }
                }
            }
            if self.followed == self.trail.len() {
                return Ok(());
            }
            let literal = self.trail[self.followed];
            self.followed += 1;
            for &set in problem.memberships[literal.index()].sets() {
                // A set of which only this literal is left has nothing to close.
                if self.open[usize::from(set)] == DECIDED + 1 {
                    continue;
                }
                for &other in problem.members(usize::from(set)) {
                    let value = self.value(other);
                    if value >= 0 && other != literal {
                        if value > 0 {
                            return Err(Conflict::Pair(literal, other));
                        }
                        self.assign(problem, other.negated(), Reason::Other(literal));
                    }
                }
            }
        }
    }
}

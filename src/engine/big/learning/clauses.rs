//! Clauses in one buffer with their watched literals; those of two literals as implications.
//!
//! ```text
//!   words:  | length | glue << 2 | used, kept | lit 0 | lit 1 | lit 2 | ... | length | ...
//!             ^ a clause's number is the index of this word
//! ```
//!
//! The first two literals are watched: a clause is examined only when one of them becomes false.

use super::assignment::Reason;
use super::problem::Literal;

/// A clause that watches a literal, and one of its other literals (the blocker): while that one is
/// true the clause need not be examined.
#[derive(Clone, Copy, Debug)]
pub struct Watch {
    pub clause: u32,
    pub blocker: Literal,
}

/// See the [module](self).
#[derive(Clone, Debug, Default)]
pub struct Clauses {
    words: Vec<u32>,
    /// By literal.
    pub watches: Vec<Vec<Watch>>,
    /// By literal: the literals that it implies, by clauses of two literals, which are not in `words`. Empty while there
    /// is no such clause: easy grids need none.
    pub implied: Vec<Vec<Literal>>,
    /// The number of clauses that may be forgotten.
    pub forgettable: usize,
}

/// Words before a clause's literals.
const HEADER: usize = 2;
const USED: u32 = 1;
const KEPT: u32 = 2;

impl Clauses {
    pub fn new(variables: usize) -> Self {
        Clauses {
            words: Vec::new(),
            watches: vec![Vec::new(); 2 * variables],
            implied: Vec::new(),
            forgettable: 0,
        }
    }

    /// Adds a clause of two literals or more. `glue` is the number of decisions it takes to make
    /// the clause false; a clause that is `kept`, or has two literals, is never forgotten. Returns the reason
    /// of the first literal when the others are false.
    pub fn add(&mut self, literals: &[Literal], glue: u32, kept: bool) -> Reason {
        if let [one, other] = *literals {
            self.implied.resize(self.watches.len(), Vec::new());
            self.implied[one.negated().index()].push(other);
            self.implied[other.negated().index()].push(one);
            return Reason::Other(other.negated());
        }
        let clause = self.words.len() as u32;
        self.words.push(literals.len() as u32);
        self.words.push(glue << 2 | if kept { KEPT } else { USED });
        self.words.extend(literals.iter().map(|literal| literal.0));
        self.forgettable += usize::from(!kept);
        self.watch(clause);
        Reason::Clause(clause)
    }

    fn watch(&mut self, clause: u32) {
        let (first, second) = (self.literal(clause, 0), self.literal(clause, 1));
        self.watches[first.index()].push(Watch {
            clause,
            blocker: second,
        });
        self.watches[second.index()].push(Watch {
            clause,
            blocker: first,
        });
    }

    #[inline(always)]
    fn start(clause: u32) -> usize {
        clause as usize + HEADER
    }

    #[inline(always)]
    pub fn len(&self, clause: u32) -> usize {
        self.words[clause as usize] as usize
    }

    #[inline(always)]
    pub fn literal(&self, clause: u32, at: usize) -> Literal {
        Literal(self.words[Self::start(clause) + at])
    }

    /// The clause's literals.
    #[inline(always)]
    pub fn literals(&self, clause: u32) -> impl Iterator<Item = Literal> + '_ {
        let start = Self::start(clause);
        let words = &self.words[start..start + self.len(clause)];
        words.iter().map(|&word| Literal(word))
    }

    #[inline(always)]
    pub fn words(&mut self, clause: u32) -> &mut [u32] {
        let start = Self::start(clause);
        let len = self.len(clause);
        &mut self.words[start..start + len]
    }

    pub fn glue(&self, clause: u32) -> u32 {
        self.words[clause as usize + 1] >> 2
    }

    /// Marks the clause as used in a conflict, and updates its glue if that has become smaller.
    pub fn used(&mut self, clause: u32, glue: u32) {
        let word = &mut self.words[clause as usize + 1];
        if glue < *word >> 2 {
            *word = glue << 2 | *word & 3;
        }
        *word |= USED;
    }

    /// Whether the clause was used in a conflict since the last call, and whether it is kept for ever.
    fn take_flags(&mut self, clause: u32) -> (bool, bool) {
        let word = &mut self.words[clause as usize + 1];
        let flags = *word;
        *word &= !USED;
        (flags & USED != 0, flags & KEPT != 0)
    }

    /// Forgets the worse half of the clauses that are neither `locked` nor kept, of small glue or
    /// used lately. Clauses move; `moved` receives the old and the new number of each remaining one.
    pub fn forget(&mut self, locked: impl Fn(&Self, u32) -> bool, mut moved: impl FnMut(u32, u32)) {
        let mut all = Vec::new();
        let mut at = 0;
        while at < self.words.len() {
            all.push(at as u32);
            at += HEADER + self.words[at] as usize;
        }
        let mut worst = Vec::new();
        for &clause in &all {
            let (used, kept) = self.take_flags(clause);
            let glue = self.glue(clause);
            if !(kept || glue <= 2 || used && glue <= 6 || locked(self, clause)) {
                worst.push((!used, glue, self.len(clause), clause));
            }
        }
        worst.sort_unstable_by(|a, b| b.cmp(a));
        worst.truncate(worst.len() / 2);
        let mut gone: Vec<u32> = worst.into_iter().map(|(_, _, _, clause)| clause).collect();
        self.forgettable -= gone.len();
        gone.sort_unstable();
        let mut gone = gone.into_iter().peekable();
        let mut words = Vec::with_capacity(self.words.len());
        for watches in &mut self.watches {
            watches.clear();
        }
        for clause in all {
            if gone.peek() == Some(&clause) {
                gone.next();
                continue;
            }
            let start = clause as usize;
            moved(clause, words.len() as u32);
            words.extend_from_slice(&self.words[start..start + HEADER + self.len(clause)]);
        }
        self.words = words;
        let mut at = 0;
        while at < self.words.len() {
            self.watch(at as u32);
            at += HEADER + self.words[at] as usize;
        }
    }
}

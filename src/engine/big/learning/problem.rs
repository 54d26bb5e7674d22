//! A puzzle as variables in exactly-one sets.
//!
//! A row and a box share a *segment*: `side` cells in a line. Where a digit can still be in
//! several cells of a segment, a variable of its own says that it is NOT in the segment. Then every
//! rule is an exactly-one set of few literals:
//!
//! ```text
//!   cell          its digits                                      x1 x2 ... xN     (one each)
//!   segment       the digit's cells in it, or none of them        x1 x2 x3 x4  n
//!   row, column   in which of its segments the digit is           !n1 !n2 !n3 !n4
//!   box           in which of its segments, both ways             !n1 !n2 !n3 !n4
//! ```
//!
//! All consequences of singles and of locked candidates follow from these sets one at a time, and
//! a learned clause can speak of a segment where it had to name each of its cells.

use super::super::views::{CELL, COLUMN, ROW, Views};
use crate::engine::mask::Mask;
use crate::rules::box_side;

/// A literal: a variable, and whether it is meant to be false. The variable's number is in the
/// upper bits, so that a literal is an index of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Literal(pub u32);

impl Literal {
    #[inline(always)]
    pub fn is_true(variable: usize) -> Self {
        Literal((variable as u32) << 1)
    }

    #[inline(always)]
    pub fn variable(self) -> usize {
        (self.0 >> 1) as usize
    }

    #[inline(always)]
    pub fn wants_true(self) -> bool {
        self.0 & 1 == 0
    }

    #[inline(always)]
    pub fn negated(self) -> Self {
        Literal(self.0 ^ 1)
    }

    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The sets that a literal is in.
#[derive(Clone, Copy, Debug, Default)]
pub struct Memberships {
    sets: [u16; MAX_SETS],
    count: u16,
}

/// A candidate is in its cell's set, and either in its segment's or, alone in the segment, in the
/// line's and the box's; the latter in both directions.
const MAX_SETS: usize = 5;

impl Memberships {
    /// Calls a function with each set. There are few sets, and unrolled code is faster.
    #[inline(always)]
    pub fn each(&self, mut act: impl FnMut(u16)) {
        for (k, &set) in self.sets.iter().enumerate() {
            if k == usize::from(self.count) {
                break;
            }
            act(set);
        }
    }

    /// The sets' numbers.
    #[inline(always)]
    pub fn sets(&self) -> &[u16] {
        &self.sets[..usize::from(self.count)]
    }
}

/// A digit that a cell can hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Candidate {
    pub cell: u32,
    pub digit: u8,
}

/// See the [module](self).
#[derive(Clone, Debug, Default)]
pub struct Problem {
    /// The candidates that are open after the root's propagation; they are the first variables.
    pub candidates: Vec<Candidate>,
    /// The number of variables.
    pub variables: usize,
    /// By literal.
    pub memberships: Vec<Memberships>,
    /// By set: where its literals start in `literals`; one more entry at the end.
    starts: Vec<u32>,
    literals: Vec<Literal>,
}

/// Whether a digit is in a segment.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    No,
    Yes,
    Open(Literal),
}

impl Problem {
    /// The variables and sets of `views`, which must be fully propagated, including locked
    /// candidates.
    pub fn new<const N: usize, M: Mask>(views: &Views<N, M>) -> Self {
        let side = box_side(N);
        let mut problem = Problem::empty();
        // By cell and digit: the variable.
        let mut numbers = vec![[0; N]; N * N];
        for (r, line) in views.sets[CELL].iter().enumerate() {
            for (c, &digits) in line.iter().enumerate() {
                if digits.has_several() {
                    for d in digits.members() {
                        numbers[r * N + c][d] = problem.candidates.len();
                        problem.add_candidate(r * N + c, d);
                    }
                }
            }
        }
        let mut set = Vec::with_capacity(N);
        for (r, line) in views.sets[CELL].iter().enumerate() {
            for (c, &digits) in line.iter().enumerate() {
                set.extend(
                    digits
                        .members()
                        .map(|d| Literal::is_true(numbers[r * N + c][d])),
                );
                problem.close(&mut set);
            }
        }
        let segment = M::first(side);
        for (by_row, lines) in [(true, &views.sets[ROW]), (false, &views.sets[COLUMN])] {
            for d in 0..N {
                let mut inside = [[Inside::No; 6]; N];
                for line in 0..N {
                    let open = lines[d][line];
                    for (k, inside) in inside[line].iter_mut().enumerate().take(side) {
                        let cells = open & (segment << (k * side));
                        if cells.is_empty() {
                            continue;
                        }
                        let number = |at: usize| {
                            let cell = if by_row { line * N + at } else { at * N + line };
                            numbers[cell][d]
                        };
                        if cells == open {
                            // The segment has all of the line, and so all of the box.
                            *inside = Inside::Yes;
                        } else if cells.has_several() {
                            let outside = problem.add_variable();
                            *inside = Inside::Open(outside.negated());
                            set.push(outside);
                        } else {
                            *inside = Inside::Open(Literal::is_true(number(cells.smallest())));
                            continue;
                        }
                        if open.has_several() {
                            set.extend(cells.members().map(|at| Literal::is_true(number(at))));
                        }
                        problem.close(&mut set);
                    }
                }
                let literals = |segment: Inside| match segment {
                    Inside::Open(literal) => Some(literal),
                    _ => None,
                };
                for line in 0..N {
                    set.extend(inside[line].iter().copied().filter_map(literals));
                    problem.close(&mut set);
                }
                for band in 0..side {
                    for k in 0..side {
                        let lines = &inside[band * side..(band + 1) * side];
                        set.extend(lines.iter().filter_map(|line| literals(line[k])));
                        problem.close(&mut set);
                    }
                }
            }
        }
        problem
    }

    /// The problem without variables.
    pub fn empty() -> Self {
        Problem {
            starts: vec![0],
            ..Problem::default()
        }
    }

    /// Adds a candidate's variable. All of them come before other variables.
    pub fn add_candidate(&mut self, cell: usize, digit: usize) -> Literal {
        self.candidates.push(Candidate {
            cell: cell as u32,
            digit: digit as u8,
        });
        self.add_variable()
    }

    /// Adds a variable.
    pub fn add_variable(&mut self) -> Literal {
        self.variables += 1;
        self.memberships
            .resize(2 * self.variables, Memberships::default());
        Literal::is_true(self.variables - 1)
    }

    /// Adds an exactly-one set, unless a literal is in [`MAX_SETS`] already. Returns whether it was added.
    pub fn add_set(&mut self, set: &[Literal]) -> bool {
        let has_room =
            |literal: &Literal| usize::from(self.memberships[literal.index()].count) < MAX_SETS;
        let is_added = self.sets() < usize::from(u16::MAX) && set.iter().all(has_room);
        if is_added {
            self.close(&mut set.to_vec());
        }
        is_added
    }

    /// Ends a set. A set with a single literal belongs to a placed digit and is dropped.
    fn close(&mut self, set: &mut Vec<Literal>) {
        if set.len() > 1 {
            for literal in set.iter() {
                let memberships = &mut self.memberships[literal.index()];
                memberships.sets[usize::from(memberships.count)] = (self.starts.len() - 1) as u16;
                memberships.count += 1;
            }
            self.literals.extend_from_slice(set);
            self.starts.push(self.literals.len() as u32);
        }
        set.clear();
    }

    /// The number of sets.
    pub fn sets(&self) -> usize {
        self.starts.len() - 1
    }

    /// The members of a set.
    #[inline(always)]
    pub fn members(&self, set: usize) -> &[Literal] {
        &self.literals[self.starts[set] as usize..self.starts[set + 1] as usize]
    }
}

//! A puzzle as variables in exactly-one sets.

use super::super::views::{Placement, Views};
use crate::engine::mask::Mask;

/// A literal: a variable, and whether it is meant to be false. The variable's number is in the
/// upper bits, so that a literal is an index of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Literal(pub u32);

impl Literal {
    #[inline(always)]
    pub fn is_true(variable: u32) -> Self {
        Literal(variable << 1)
    }

    #[inline(always)]
    pub fn is_false(variable: u32) -> Self {
        Literal(variable << 1 | 1)
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

/// The four sets that a candidate is in, and which member it is of each.
#[derive(Clone, Copy, Debug)]
pub struct Membership {
    pub sets: [u16; 4],
    pub members: [u8; 4],
}

/// The candidates that are open after the root's propagation, one variable each, and the sets of
/// the four views that they are in: exactly one variable of each set is true.
#[derive(Clone, Debug)]
pub struct Problem<const N: usize, M> {
    /// By variable.
    pub candidates: Vec<Placement>,
    /// By variable.
    pub memberships: Vec<Membership>,
    /// By set: the members it had at first.
    pub all: Vec<M>,
    /// By set: which of its members are not false.
    pub open: Vec<M>,
    /// By set and member: the variable; meaningless for members that are not open.
    pub variables: Vec<[u32; N]>,
}

impl<const N: usize, M: Mask> Problem<N, M> {
    /// The variables and sets of `views`, in which everything that follows has been placed.
    pub fn new(views: &Views<N, M>) -> Self {
        let mut problem = Problem {
            candidates: Vec::new(),
            memberships: Vec::new(),
            all: Vec::new(),
            open: Vec::new(),
            variables: Vec::new(),
        };
        let mut numbers = vec![[0u32; N]; N * N];
        for (r, line) in views.cells.iter().enumerate() {
            for (c, &digits) in line.iter().enumerate() {
                if digits.has_several() {
                    for d in digits.members() {
                        numbers[r * N + c][d] = problem.candidates.len() as u32;
                        problem.candidates.push(Placement::new(r, c, d));
                    }
                }
            }
        }
        let nowhere = Membership {
            sets: [0; 4],
            members: [0; 4],
        };
        problem.memberships = vec![nowhere; problem.candidates.len()];
        for (id, open) in views.sets() {
            if !open.has_several() {
                continue;
            }
            let view = id.view;
            let set = problem.open.len();
            let mut variables = [0; N];
            for member in open.members() {
                let candidate = id.candidate::<N>(member);
                let cell = usize::from(candidate.row) * N + usize::from(candidate.column);
                let variable = numbers[cell][usize::from(candidate.digit)];
                variables[member] = variable;
                let membership = &mut problem.memberships[variable as usize];
                membership.sets[view as usize] = set as u16;
                membership.members[view as usize] = member as u8;
            }
            problem.open.push(open);
            problem.variables.push(variables);
        }
        problem.all = problem.open.clone();
        problem
    }
}

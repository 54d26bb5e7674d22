//! When to restart, to forget, and to change how candidates are decided.

use super::solver::Solver;

/// How candidates are decided and when the search begins anew.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Turn {
    /// True, with many restarts: the shortest proofs.
    True,
    /// As they were last, with few restarts ("stable"): most puzzles of ten thousand conflicts are
    /// solved soonest so.
    Stable,
    /// As they were last, with many restarts: finds solutions where there are many.
    Last,
}

/// In conflicts: the first turn, of deciding "true", and the second, the only stable one. The
/// others alternate, each pair twice as long as the one before: the puzzles that are not solved by
/// then are solved sooner with many restarts.
const FIRST: u64 = 1000;
const STABLE: u64 = 15_000;
const ALTERNATE: u64 = 4000;

/// In conflicts: a stable turn begins anew after this many times 1, 1, 2, 1, 1, 2, 4, ... conflicts
/// (Luby, Sinclair and Zuckerman, 1993).
const LUBY: u64 = 1024;

/// See the [module](self).
pub struct Schedule {
    conflicts: u64,
    /// Means of the learned clauses' glue, over the last few and over all of late.
    glue_now: f64,
    glue_long: f64,
    since_restart: u64,
    forget_at: u64,
    forgotten: u64,
    turn: Turn,
    turn_ends: u64,
    /// How long turns are that alternate.
    length: u64,
    /// In a stable turn: how many times it began anew.
    stable_restarts: u64,
}

impl Schedule {
    pub fn new() -> Self {
        Schedule {
            conflicts: 0,
            glue_now: 0.0,
            glue_long: 0.0,
            since_restart: 0,
            forget_at: 2000,
            forgotten: 0,
            turn: Turn::True,
            turn_ends: FIRST,
            length: ALTERNATE,
            stable_restarts: 0,
        }
    }

    /// A clause of this glue was learned.
    pub fn learned(&mut self, glue: u32, solver: &mut Solver) {
        self.conflicts += 1;
        self.since_restart += 1;
        let least = 1.0 / self.conflicts as f64;
        self.glue_now += (f64::from(glue) - self.glue_now) * least.max(1.0 / 32.0);
        self.glue_long += (f64::from(glue) - self.glue_long) * least.max(1.0 / 8192.0);
        if self.conflicts >= self.forget_at {
            self.forgotten += 1;
            self.forget_at = self.conflicts + 4000 + 300 * self.forgotten;
            // Half, and more once the search is long: what is left should fit the cache.
            let late = self.conflicts > FIRST + STABLE;
            solver.forget(if late { 3 } else { 2 });
        }
        if self.conflicts >= self.turn_ends {
            self.turn = match self.turn {
                Turn::True if self.turn_ends == FIRST => Turn::Stable,
                Turn::True => Turn::Last,
                Turn::Stable => Turn::True,
                Turn::Last => {
                    self.length *= 2;
                    Turn::True
                }
            };
            self.turn_ends += match self.turn {
                Turn::Stable => STABLE,
                _ => self.length,
            };
            self.since_restart = 0;
            solver.remember = self.turn != Turn::True;
        }
    }

    /// Whether it is time to begin anew: in a stable turn by the count of conflicts, else when
    /// clauses have become so much worse.
    pub fn restart(&mut self) -> bool {
        let restart = if self.turn == Turn::Stable {
            self.since_restart >= LUBY * luby(self.stable_restarts + 1)
        } else {
            self.since_restart > 20 && self.glue_now > 1.2 * self.glue_long
        };
        if restart {
            self.since_restart = 0;
            self.stable_restarts += u64::from(self.turn == Turn::Stable);
        }
        restart
    }
}

/// The number at a place, from 1 on, of the sequence 1, 1, 2, 1, 1, 2, 4, 1, 1, 2, ...
fn luby(place: u64) -> u64 {
    let power = (place + 1).next_power_of_two();
    if place + 1 == power {
        power / 2
    } else {
        luby(place + 1 - power / 2)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_luby_sequence() {
        let first: Vec<u64> = (1..=15).map(super::luby).collect();
        assert_eq!(first, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}

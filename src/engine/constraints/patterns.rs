//! Finds the digits that no pattern gives their cell.

use crate::engine::mask::Mask;
use crate::rules::Patterns;

/// Leaves in each cell's candidates those that fit no pattern, which the caller removes.
///
/// Exact, except that of cells with different digits only the groups are examined: a group with
/// fewer digits than cells rules its pattern out.
pub(crate) fn prune_patterns(patterns: &Patterns, cells: &mut [(usize, u64)]) {
    let mut fit = [0; 64];
    for groups in patterns.iter() {
        let is_possible = groups.iter().all(|group| {
            let mut union = 0;
            for place in group.places.members() {
                let digits = cells[place].1 & group.digits;
                if digits == 0 {
                    return false;
                }
                union |= digits;
            }
            !patterns.is_distinct || union.count_ones() >= group.places.count_ones()
        });
        if is_possible {
            for group in groups {
                for place in group.places.members() {
                    fit[place] |= group.digits;
                }
            }
        }
    }
    for ((_, digits), fit) in cells.iter_mut().zip(fit) {
        *digits &= !fit;
    }
}

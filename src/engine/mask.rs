//! Sets of digits or places as the bits of one integer.

use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not, Shl, Shr};

/// An unsigned integer used as a set of small numbers. The narrowest type with `N` bits is the
/// fastest: an engine copies thousands of them at every guess.
pub trait Mask:
    Copy
    + Eq
    + BitAnd<Output = Self>
    + BitAndAssign
    + BitOr<Output = Self>
    + BitOrAssign
    + Not<Output = Self>
    + Shl<usize, Output = Self>
    + Shr<usize, Output = Self>
    + From<u16>
    + Send
    + 'static
{
    /// The set without a member.
    const EMPTY: Self;
    /// The number of members that a set can hold.
    const CAPACITY: usize;

    /// The set of `member` alone.
    fn single(member: usize) -> Self;

    /// The set of the numbers below `count`.
    fn first(count: usize) -> Self;

    /// The number of members.
    fn len(self) -> u32;

    /// The members as the bits of a word.
    fn bits(self) -> u64;

    /// The smallest member; meaningless in the empty set.
    fn smallest(self) -> usize;

    /// The set without its smallest member. The empty set stays empty.
    fn without_smallest(self) -> Self;

    /// Whether there is no member.
    #[inline]
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// Whether there are two members or more.
    #[inline]
    fn has_several(self) -> bool {
        self.without_smallest() != Self::EMPTY
    }

    /// Whether `member` is in the set.
    #[inline]
    fn has(self, member: usize) -> bool {
        self & Self::single(member) != Self::EMPTY
    }

    /// The members, smallest first.
    #[inline]
    fn members(self) -> Members<Self> {
        Members(self)
    }
}

macro_rules! mask {
    ($($integer:ty),*) => {$(
        impl Mask for $integer {
            const EMPTY: Self = 0;
            const CAPACITY: usize = <$integer>::BITS as usize;

            #[inline]
            fn single(member: usize) -> Self {
                1 << member
            }

            #[inline]
            fn first(count: usize) -> Self {
                if count == Self::CAPACITY { !0 } else { (1 << count) - 1 }
            }

            #[inline]
            fn len(self) -> u32 {
                self.count_ones()
            }

            #[inline]
            fn bits(self) -> u64 {
                u64::from(self)
            }

            #[inline]
            fn smallest(self) -> usize {
                self.trailing_zeros() as usize
            }

            #[inline]
            fn without_smallest(self) -> Self {
                self & self.wrapping_sub(1)
            }
        }
    )*};
}

mask!(u16, u32, u64);

/// The members of a set, smallest first.
#[derive(Clone)]
pub struct Members<M>(M);

impl<M: Mask> Iterator for Members<M> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0.is_empty() {
            return None;
        }
        let member = self.0.smallest();
        self.0 = self.0.without_smallest();
        Some(member)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_come_smallest_first() {
        let set = u16::single(3) | u16::single(0) | u16::single(15);
        assert_eq!(set.members().collect::<Vec<_>>(), [0, 3, 15]);
        assert_eq!(set.len(), 3);
        assert!(set.has(15) && !set.has(1) && set.has_several());
        assert_eq!(u16::first(16), !0);
        assert_eq!(u32::first(25).len(), 25);
        assert!(!u64::single(35).has_several());
    }
}

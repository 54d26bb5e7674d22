//! Sixteen `u16` lanes: the few operations that the vector engines are written over.
//!
//! An engine is written once, over [`Machine`]; [`Portable`] runs it anywhere, [`Avx2`] and
//! `Avx512` run it in 256-bit registers. Operations within a lane, or within a group of sixteen, are
//! written over [`Registers`], and can use registers of twice that size. A value of a machine's type proves
//! that the processor supports the machine: only [`Avx2::new`], which checks the processor, returns an
//! [`Avx2`].
//!
//! The vector engines keep cells of three rows and three stacks in the lanes. Lane `4 * s + r` is
//! the cell of row `r` of a band and of stack `s`; where `r` or `s` is 3 the lane is spare and
//! holds 0:
//!
//! ```text
//! lane   0 1 2 3   4 5 6 7   8 9 10 11   12 13 14 15
//! stack  0 0 0 -   1 1 1 -   2 2  2  -    -  -  -  -
//! row    0 1 2 -   0 1 2 -   0 1  2  -    -  -  -  -
//! ```

#[cfg(all(target_arch = "x86_64", has_avx512))]
mod avx512;
mod portable;
#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(all(target_arch = "x86_64", has_avx512))]
pub use avx512::Avx512;
pub use portable::Portable;
#[cfg(target_arch = "x86_64")]
pub use x86::Avx2;

/// The vector instructions that an engine runs on. Every engine gives the same results, and the same
/// statistics, on all of them.
#[derive(Clone, Copy, Debug)]
pub struct Processor(Kind);

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Plain arrays, on any processor.
    Portable,
    /// AVX2.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// AVX-512 for vectors of 256 bits.
    #[cfg(all(target_arch = "x86_64", has_avx512))]
    Avx512(Avx512),
}

impl Processor {
    /// Plain arrays, which every processor has.
    pub const PORTABLE: Self = Processor(Kind::Portable);

    /// All that this processor supports, the best last.
    pub fn all() -> Vec<Self> {
        #[cfg_attr(not(target_arch = "x86_64"), allow(unused_mut))]
        let mut all = vec![Self::PORTABLE];
        #[cfg(target_arch = "x86_64")]
        all.extend(Avx2::new().map(|avx2| Processor(Kind::Avx2(avx2))));
        #[cfg(all(target_arch = "x86_64", has_avx512))]
        all.extend(Avx512::new().map(|avx512| Processor(Kind::Avx512(avx512))));
        all
    }

    /// The best that this processor supports.
    pub fn detect() -> Self {
        #[cfg(all(target_arch = "x86_64", has_avx512))]
        if let Some(avx512) = Avx512::new() {
            return Processor(Kind::Avx512(avx512));
        }
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = Avx2::new() {
            return Processor(Kind::Avx2(avx2));
        }
        Self::PORTABLE
    }

    /// Whether these are vector instructions, not plain arrays.
    pub fn has_vectors(self) -> bool {
        !matches!(self.0, Kind::Portable)
    }

    /// Runs `task` with these instructions.
    pub(super) fn run<T: Task>(self, task: T) -> T::Output {
        match self.0 {
            Kind::Portable => Portable.run(task),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2(avx2) => avx2.run(task),
            #[cfg(all(target_arch = "x86_64", has_avx512))]
            Kind::Avx512(avx512) => avx512.run(task),
        }
    }
}

/// The number of lanes of a vector.
pub const LANES: usize = 16;

/// The lanes of a vector in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(32))]
pub struct Lanes(pub [u16; LANES]);

/// Bit `i` in lane `i`.
const BITS: Lanes = {
    let mut bits = [0; LANES];
    let mut lane = 0;
    while lane < LANES {
        bits[lane] = 1 << lane;
        lane += 1;
    }
    Lanes(bits)
};

/// The lanes that hold cells.
pub const USED: Lanes = Lanes(used());

/// `!0` in the lanes that hold cells, 0 in the spare ones.
const fn used() -> [u16; LANES] {
    let mut lanes = [0; LANES];
    let mut stack = 0;
    while stack < 3 {
        let mut row = 0;
        while row < 3 {
            lanes[4 * stack + row] = !0;
            row += 1;
        }
        stack += 1;
    }
    lanes
}

/// A task that runs on a machine. All functions that it calls must be `#[inline(always)]`, so that
/// they are compiled with the machine's instructions.
pub trait Task {
    /// The result of the work.
    type Output;
    /// Does the work.
    fn run<M: Machine>(self, machine: M) -> Self::Output;
}

/// Vectors of one or two groups of sixteen `u16`. Operations work lane by lane unless documented
/// otherwise; lane numbers are relative to the group.
pub trait Registers: Copy {
    /// A vector.
    type V: Copy;

    /// The number of groups of a vector.
    const GROUPS: usize;

    /// The groups of vectors, one behind the other.
    fn groups(self, vectors: &mut [Self::V]) -> &mut [Lanes];
    /// `value` in every lane.
    fn splat(self, value: u16) -> Self::V;
    /// These lanes in every group.
    fn repeat(self, lanes: &Lanes) -> Self::V;
    /// `!0` in lane `i` where bit `i` of `set` is 1, 0 in the others. Lanes are counted on from
    /// group to group here.
    fn mask(self, set: u32) -> Self::V;
    /// Bit `i` is the top bit of lane `i`, counted as in `mask`.
    fn top_bits(self, a: Self::V) -> u32;

    /// `a & b`.
    fn and(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a | b`.
    fn or(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a & !b`.
    fn without(self, a: Self::V, b: Self::V) -> Self::V;
    /// The bits that are in at least one of three.
    #[inline(always)]
    fn or3(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.or(self.or(a, b), c)
    }
    /// The bits that are in at least two of three.
    #[inline(always)]
    fn majority(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.or(self.and(a, b), self.and(self.or(a, b), c))
    }
    /// `a + b`, wrapping.
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a - b`, wrapping.
    fn sub(self, a: Self::V, b: Self::V) -> Self::V;
    /// The low half of `a * b`.
    fn multiply(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a << BITS`.
    fn shift_left<const BITS: i32>(self, a: Self::V) -> Self::V;
    /// `a >> BITS`.
    fn shift_right<const BITS: i32>(self, a: Self::V) -> Self::V;
    /// The smaller of `a` and `b`.
    fn min(self, a: Self::V, b: Self::V) -> Self::V;
    /// The larger of `a` and `b`.
    fn max(self, a: Self::V, b: Self::V) -> Self::V;
    /// `!0` where `a == b`, else 0.
    fn equal(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a` where `a & b` is 0, else 0.
    fn if_apart(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a` where `a & b` is 0, else `a & b`.
    fn narrow(self, a: Self::V, b: Self::V) -> Self::V;

    /// Row `r` gets row `r + 1` of the same stack, modulo 3.
    fn next_row(self, a: Self::V) -> Self::V;
    /// Row `r` gets row `r + 2` of the same stack, modulo 3.
    fn last_row(self, a: Self::V) -> Self::V;
    /// Stack `s` gets stack `s + 1`, modulo 3.
    fn next_stack(self, a: Self::V) -> Self::V;
    /// Stack `s` gets stack `s + 2`, modulo 3.
    fn last_stack(self, a: Self::V) -> Self::V;
}

/// A machine: registers of one group, and operations across lanes.
pub trait Machine: Registers {
    /// The widest registers of this machine.
    type Broad: Registers;

    /// The widest registers of this machine.
    fn broad(self) -> Self::Broad;
    /// The vector of two groups, or the first alone where [`Machine::Broad`] has one only.
    fn join(self, first: Self::V, second: Self::V) -> <Self::Broad as Registers>::V;

    /// Runs `task` compiled for this machine.
    fn run<T: Task>(self, task: T) -> T::Output;

    /// The vector of these lanes.
    fn load(self, lanes: &[u16; LANES]) -> Self::V;
    /// The lanes of `a`.
    fn store(self, a: Self::V) -> Lanes;

    /// Whether every lane is 0.
    fn is_zero(self, a: Self::V) -> bool;
    /// The sum of all lanes, each below `1 << 15`.
    fn total(self, a: Self::V) -> u32;
    /// The largest lane.
    fn largest(self, a: Self::V) -> u16;

    /// In each lane the candidates that a cell with that value has: all nine for 0, one for a
    /// digit, none for other values; bit `d` for digit `d + 1`.
    fn candidates(self, values: &[u8; LANES]) -> Self::V;
    /// The digit of each lane that has one candidate; anything for other lanes.
    fn digits(self, a: Self::V) -> [u8; LANES];

    /// The three vectors of a band from its 27 cells, row by row: vector `k` has column `k` of each
    /// stack. The values after the 27 have no effect.
    fn spread(self, band: &[u16; 32]) -> [Self::V; 3];
    /// Lane `j` of vector `i` goes to lane `i` of vector `j`.
    fn transpose(self, rows: [Self::V; LANES]) -> [Self::V; LANES];
}

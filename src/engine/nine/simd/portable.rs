//! The machine for any processor: arrays of sixteen `u16`.

use super::{BITS, LANES, Lanes, Machine, Registers, Task};

/// Runs the vector engines on any processor.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

#[inline(always)]
fn zip(a: Lanes, b: Lanes, f: impl Fn(u16, u16) -> u16) -> Lanes {
    let mut lanes = [0; LANES];
    for i in 0..LANES {
        lanes[i] = f(a.0[i], b.0[i]);
    }
    Lanes(lanes)
}

#[inline(always)]
fn pick(a: Lanes, from: impl Fn(usize, usize) -> usize) -> Lanes {
    let mut lanes = [0; LANES];
    for i in 0..LANES {
        lanes[i] = a.0[from(i / 4, i % 4)];
    }
    Lanes(lanes)
}

/// 0, 1, 2 turned by `by`; 3 stays.
#[inline(always)]
fn turn(index: usize, by: usize) -> usize {
    if index == 3 { 3 } else { (index + by) % 3 }
}

// In tests the operations below are not inlined: the sixteen lanes of each would be unrolled hundreds of times, which
// would take a third of the time to compile the library.

/// Operations of [`Registers`] that take two vectors, each from what it does in a lane.
macro_rules! lane_by_lane {
    ($($name:ident: $in_a_lane:expr;)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline(never))]
        fn $name(self, a: Lanes, b: Lanes) -> Lanes {
            zip(a, b, $in_a_lane)
        }
    )*};
}

/// Operations of [`Registers`] that move lanes, each from the lane that a stack and row is taken from.
macro_rules! moves {
    ($($name:ident: $from:expr;)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline(never))]
        fn $name(self, a: Lanes) -> Lanes {
            pick(a, $from)
        }
    )*};
}

impl Registers for Portable {
    type V = Lanes;

    const GROUPS: usize = 1;

    #[inline(always)]
    fn groups(self, vectors: &mut [Lanes]) -> &mut [Lanes] {
        vectors
    }
    #[inline(always)]
    fn splat(self, value: u16) -> Lanes {
        Lanes([value; LANES])
    }
    #[inline(always)]
    fn repeat(self, lanes: &Lanes) -> Lanes {
        *lanes
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline(never))]
    fn mask(self, set: u32) -> Lanes {
        zip(self.splat(set as u16), BITS, |set, bit| {
            if set & bit == 0 { 0 } else { !0 }
        })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline(never))]
    fn top_bits(self, a: Lanes) -> u32 {
        let mut bits = 0;
        for (i, lane) in a.0.iter().enumerate() {
            bits |= u32::from(lane >> 15) << i;
        }
        bits
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline(never))]
    fn shift_left<const BITS: i32>(self, a: Lanes) -> Lanes {
        zip(a, a, |a, _| a << BITS)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline(never))]
    fn shift_right<const BITS: i32>(self, a: Lanes) -> Lanes {
        zip(a, a, |a, _| a >> BITS)
    }

    lane_by_lane! {
        and: |a, b| a & b;
        or: |a, b| a | b;
        without: |a, b| a & !b;
        add: u16::wrapping_add;
        sub: u16::wrapping_sub;
        multiply: u16::wrapping_mul;
        min: |a, b| if a < b { a } else { b };
        max: |a, b| if a > b { a } else { b };
        equal: |a, b| if a == b { !0 } else { 0 };
        if_apart: |a, b| if a & b == 0 { a } else { 0 };
        narrow: |a, b| if a & b == 0 { a } else { a & b };
    }
    moves! {
        next_row: |stack, row| 4 * stack + turn(row, 1);
        last_row: |stack, row| 4 * stack + turn(row, 2);
        next_stack: |stack, row| 4 * turn(stack, 1) + row;
        last_stack: |stack, row| 4 * turn(stack, 2) + row;
    }
}

impl Machine for Portable {
    type Broad = Self;

    #[inline(always)]
    fn broad(self) -> Self {
        self
    }
    #[inline(always)]
    fn join(self, first: Lanes, _: Lanes) -> Lanes {
        first
    }

    #[inline(always)]
    fn run<T: Task>(self, task: T) -> T::Output {
        task.run(self)
    }

    #[inline(always)]
    fn load(self, lanes: &[u16; LANES]) -> Lanes {
        Lanes(*lanes)
    }
    #[inline(always)]
    fn store(self, a: Lanes) -> Lanes {
        a
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline(never))]
    fn is_zero(self, a: Lanes) -> bool {
        a.0.iter().fold(0, |all, lane| all | lane) == 0
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline(never))]
    fn total(self, a: Lanes) -> u32 {
        a.0.iter().map(|&lane| u32::from(lane)).sum()
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline(never))]
    fn candidates(self, values: &[u8; LANES]) -> Lanes {
        let mut lanes = [0; LANES];
        for i in 0..LANES {
            lanes[i] = match values[i] {
                0 => 0x1ff,
                digit @ 1..=9 => 1 << (digit - 1),
                _ => 0,
            };
        }
        Lanes(lanes)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline(never))]
    fn digits(self, a: Lanes) -> [u8; LANES] {
        let mut values = [0; LANES];
        for i in 0..LANES {
            values[i] = a.0[i].trailing_zeros() as u8 + 1;
        }
        values
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline(never))]
    fn largest(self, a: Lanes) -> u16 {
        a.0.iter()
            .fold(0, |best, &lane| if lane > best { lane } else { best })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline(never))]
    fn spread(self, band: &[u16; 32]) -> [Lanes; 3] {
        let mut vectors = [Lanes([0; LANES]); 3];
        for cell in 0..27 {
            let (row, stack, column) = (cell / 9, cell % 9 / 3, cell % 3);
            vectors[column].0[4 * stack + row] = band[cell];
        }
        vectors
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline(never))]
    fn transpose(self, rows: [Lanes; LANES]) -> [Lanes; LANES] {
        let mut columns = [Lanes([0; LANES]); LANES];
        for i in 0..LANES {
            for j in 0..LANES {
                columns[j].0[i] = rows[i].0[j];
            }
        }
        columns
    }
}

//! The machine that needs nothing: arrays of sixteen `u16`.

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
    #[inline(always)]
    fn mask(self, set: u32) -> Lanes {
        zip(self.splat(set as u16), BITS, |set, bit| {
            if set & bit == 0 { 0 } else { !0 }
        })
    }

    #[inline(always)]
    fn and(self, a: Lanes, b: Lanes) -> Lanes {
        zip(a, b, |a, b| a & b)
    }
    #[inline(always)]
    fn or(self, a: Lanes, b: Lanes) -> Lanes {
        zip(a, b, |a, b| a | b)
    }
    #[inline(always)]
    fn without(self, a: Lanes, b: Lanes) -> Lanes {
        zip(a, b, |a, b| a & !b)
    }
    #[inline(always)]
    fn add(self, a: Lanes, b: Lanes) -> Lanes {
        zip(a, b, u16::wrapping_add)
    }
    #[inline(always)]
    fn min(self, a: Lanes, b: Lanes) -> Lanes {
        zip(a, b, |a, b| if a < b { a } else { b })
    }
    #[inline(always)]
    fn equal(self, a: Lanes, b: Lanes) -> Lanes {
        zip(a, b, |a, b| if a == b { !0 } else { 0 })
    }
    #[inline(always)]
    fn if_apart(self, a: Lanes, b: Lanes) -> Lanes {
        zip(a, b, |a, b| if a & b == 0 { a } else { 0 })
    }
    #[inline(always)]
    fn narrow(self, a: Lanes, b: Lanes) -> Lanes {
        zip(a, b, |a, b| if a & b == 0 { a } else { a & b })
    }
    #[inline(always)]
    fn top_bits(self, a: Lanes) -> u32 {
        let mut bits = 0;
        for (i, lane) in a.0.iter().enumerate() {
            bits |= u32::from(lane >> 15) << i;
        }
        bits
    }
    #[inline(always)]
    fn sub(self, a: Lanes, b: Lanes) -> Lanes {
        zip(a, b, u16::wrapping_sub)
    }
    #[inline(always)]
    fn multiply(self, a: Lanes, b: Lanes) -> Lanes {
        zip(a, b, u16::wrapping_mul)
    }
    #[inline(always)]
    fn shift_left<const BITS: i32>(self, a: Lanes) -> Lanes {
        zip(a, a, |a, _| a << BITS)
    }
    #[inline(always)]
    fn shift_right<const BITS: i32>(self, a: Lanes) -> Lanes {
        zip(a, a, |a, _| a >> BITS)
    }
    #[inline(always)]
    fn max(self, a: Lanes, b: Lanes) -> Lanes {
        zip(a, b, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    fn next_row(self, a: Lanes) -> Lanes {
        pick(a, |stack, row| 4 * stack + turn(row, 1))
    }
    #[inline(always)]
    fn last_row(self, a: Lanes) -> Lanes {
        pick(a, |stack, row| 4 * stack + turn(row, 2))
    }
    #[inline(always)]
    fn next_stack(self, a: Lanes) -> Lanes {
        pick(a, |stack, row| 4 * turn(stack, 1) + row)
    }
    #[inline(always)]
    fn last_stack(self, a: Lanes) -> Lanes {
        pick(a, |stack, row| 4 * turn(stack, 2) + row)
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

    #[inline(always)]
    fn is_zero(self, a: Lanes) -> bool {
        a.0.iter().fold(0, |all, lane| all | lane) == 0
    }
    #[inline(always)]
    fn total(self, a: Lanes) -> u32 {
        a.0.iter().map(|&lane| u32::from(lane)).sum()
    }
    #[inline(always)]
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
    #[inline(always)]
    fn digits(self, a: Lanes) -> [u8; LANES] {
        let mut values = [0; LANES];
        for i in 0..LANES {
            values[i] = a.0[i].trailing_zeros() as u8 + 1;
        }
        values
    }
    #[inline(always)]
    fn largest(self, a: Lanes) -> u16 {
        a.0.iter()
            .fold(0, |best, &lane| if lane > best { lane } else { best })
    }

    #[inline(always)]
    fn spread(self, band: &[u16; 32]) -> [Lanes; 3] {
        let mut vectors = [Lanes([0; LANES]); 3];
        for cell in 0..27 {
            let (row, stack, column) = (cell / 9, cell % 9 / 3, cell % 3);
            vectors[column].0[4 * stack + row] = band[cell];
        }
        vectors
    }

    #[inline(always)]
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

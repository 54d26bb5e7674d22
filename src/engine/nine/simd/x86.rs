//! The machine of 256-bit registers, on x86-64 processors that have AVX2.
#![allow(unsafe_code)]

use super::{BITS, LANES, Lanes, Machine, Registers, Task, USED};
use core::arch::x86_64::*;
use core::hint::black_box;

/// Runs the vector engines in AVX2 registers.
#[derive(Clone, Copy, Debug)]
pub struct Avx2 {
    pub(super) next_row: &'static Lanes,
    pub(super) last_row: &'static Lanes,
}

impl Avx2 {
    /// The machine, or `None` when this processor lacks AVX2.
    pub fn new() -> Option<Self> {
        // Where the compiler knows the shuffles, it splits each into two of another kind.
        std::arch::is_x86_feature_detected!("avx2").then(|| Avx2 {
            next_row: black_box(&NEXT_ROW),
            last_row: black_box(&LAST_ROW),
        })
    }
}

/// Runs `task` with AVX2 instructions wherever it is inlined.
#[target_feature(enable = "avx2")]
fn run_on_avx2<T: Task>(machine: Avx2, task: T) -> T::Output {
    task.run(machine)
}

/// Of two groups the first.
#[target_feature(enable = "avx2")]
fn alone(first: __m256i, _: __m256i) -> __m256i {
    first
}

/// Calls AVX2 intrinsics in a method of a machine.
macro_rules! avx2 {
    ($call:expr) => {
        // SAFETY: `self` exists, so `new` has found that the processor has what the machine
        // needs, AVX2 at least; what is called here has no other precondition.
        unsafe { $call }
    };
}

/// Operations of [`Registers`] that are one intrinsic on two vectors, called in `$unsafe`.
macro_rules! intrinsics {
    ($unsafe:ident, $vector:ty: $($name:ident: $intrinsic:ident;)*) => {$(
        #[inline(always)]
        fn $name(self, a: $vector, b: $vector) -> $vector {
            $unsafe!($intrinsic(a, b))
        }
    )*};
}

/// The shuffle that gives row `r` the row `r + by`, modulo 3, in each group of four lanes.
const fn row_shuffle(by: usize) -> Lanes {
    let mut lanes = [0; LANES];
    let mut i = 0;
    while i < LANES {
        // A byte shuffle works in each half of eight lanes by itself.
        let (group, row) = (i % 8 / 4, i % 4);
        let from = 4 * group + if row == 3 { 3 } else { (row + by) % 3 };
        lanes[i] = (2 * from + ((2 * from + 1) << 8)) as u16;
        i += 1;
    }
    Lanes(lanes)
}

static NEXT_ROW: Lanes = row_shuffle(1);
static LAST_ROW: Lanes = row_shuffle(2);

/// The table in each half, where a byte shuffle looks.
#[inline(always)]
pub(super) fn table(bytes: [i8; 16]) -> __m256i {
    let mut both = [0; 32];
    both[..16].copy_from_slice(&bytes);
    both[16..].copy_from_slice(&bytes);
    // SAFETY: any 32 bytes are a vector; nothing is executed that needs AVX2.
    unsafe { core::mem::transmute::<[i8; 32], __m256i>(both) }
}

/// Implements [`Machine`] with AVX2 intrinsics, for a machine with the fields of [`Avx2`].
macro_rules! machine {
    ($machine:ty, $broad:ty, $run_task:ident, $join:ident) => {
        impl Registers for $machine {
            type V = __m256i;

            const GROUPS: usize = 1;

            #[inline(always)]
            fn groups(self, vectors: &mut [__m256i]) -> &mut [Lanes] {
                // SAFETY: both are 32 bytes, aligned to 32, and any bytes are a value of either.
                unsafe {
                    core::slice::from_raw_parts_mut(vectors.as_mut_ptr().cast(), vectors.len())
                }
            }
            #[inline(always)]
            fn splat(self, value: u16) -> __m256i {
                avx2!(_mm256_set1_epi16(value as i16))
            }
            #[inline(always)]
            fn repeat(self, lanes: &Lanes) -> __m256i {
                self.load(&lanes.0)
            }
            #[inline(always)]
            fn mask(self, set: u32) -> __m256i {
                let bits = self.load(&BITS.0);
                self.equal(self.and(self.splat(set as u16), bits), bits)
            }

            intrinsics! { avx2, __m256i:
                and: _mm256_and_si256;
                or: _mm256_or_si256;
                add: _mm256_add_epi16;
                sub: _mm256_sub_epi16;
                multiply: _mm256_mullo_epi16;
                min: _mm256_min_epu16;
                max: _mm256_max_epu16;
                equal: _mm256_cmpeq_epi16;
            }
            #[inline(always)]
            fn without(self, a: __m256i, b: __m256i) -> __m256i {
                avx2!(_mm256_andnot_si256(b, a))
            }
            #[inline(always)]
            fn if_apart(self, a: __m256i, b: __m256i) -> __m256i {
                avx2!({
                    let zero = _mm256_setzero_si256();
                    _mm256_and_si256(a, _mm256_cmpeq_epi16(_mm256_and_si256(a, b), zero))
                })
            }
            #[inline(always)]
            fn narrow(self, a: __m256i, b: __m256i) -> __m256i {
                avx2!({
                    let both = _mm256_and_si256(a, b);
                    let apart = _mm256_cmpeq_epi16(both, _mm256_setzero_si256());
                    _mm256_blendv_epi8(both, a, apart)
                })
            }
            #[inline(always)]
            fn top_bits(self, a: __m256i) -> u32 {
                avx2!({
                    let (low, high) = (_mm256_castsi256_si128(a), _mm256_extracti128_si256::<1>(a));
                    _mm_movemask_epi8(_mm_packs_epi16(low, high)) as u32
                })
            }
            #[inline(always)]
            fn shift_left<const BITS: i32>(self, a: __m256i) -> __m256i {
                avx2!(_mm256_slli_epi16::<BITS>(a))
            }
            #[inline(always)]
            fn shift_right<const BITS: i32>(self, a: __m256i) -> __m256i {
                avx2!(_mm256_srli_epi16::<BITS>(a))
            }

            #[inline(always)]
            fn next_row(self, a: __m256i) -> __m256i {
                avx2!(_mm256_shuffle_epi8(a, self.load(&self.next_row.0)))
            }
            #[inline(always)]
            fn last_row(self, a: __m256i) -> __m256i {
                avx2!(_mm256_shuffle_epi8(a, self.load(&self.last_row.0)))
            }
            #[inline(always)]
            fn next_stack(self, a: __m256i) -> __m256i {
                avx2!(_mm256_permute4x64_epi64::<0b11_00_10_01>(a))
            }
            #[inline(always)]
            fn last_stack(self, a: __m256i) -> __m256i {
                avx2!(_mm256_permute4x64_epi64::<0b11_01_00_10>(a))
            }
        }

        impl Machine for $machine {
            type Broad = $broad;

            #[inline(always)]
            fn broad(self) -> $broad {
                self.into()
            }
            #[inline(always)]
            fn join(self, first: __m256i, second: __m256i) -> <$broad as Registers>::V {
                avx2!($join(first, second))
            }

            #[inline(always)]
            fn run<T: Task>(self, task: T) -> T::Output {
                avx2!($run_task(self, task))
            }

            #[inline(always)]
            fn load(self, lanes: &[u16; LANES]) -> __m256i {
                // SAFETY: AVX2 as above; the array is 32 bytes and the load needs no alignment.
                unsafe { _mm256_loadu_si256(lanes.as_ptr().cast()) }
            }
            #[inline(always)]
            fn store(self, a: __m256i) -> Lanes {
                let mut lanes = Lanes([0; LANES]);
                // SAFETY: AVX2 as above; `Lanes` is 32 bytes, aligned to 32.
                unsafe { _mm256_store_si256(lanes.0.as_mut_ptr().cast(), a) };
                lanes
            }

            #[inline(always)]
            fn is_zero(self, a: __m256i) -> bool {
                avx2!(_mm256_testz_si256(a, a) != 0)
            }
            #[inline(always)]
            fn total(self, a: __m256i) -> u32 {
                avx2!({
                    let pairs = _mm256_madd_epi16(a, _mm256_set1_epi16(1));
                    let (low, high) = (
                        _mm256_castsi256_si128(pairs),
                        _mm256_extracti128_si256::<1>(pairs),
                    );
                    let four = _mm_add_epi32(low, high);
                    let two = _mm_add_epi32(four, _mm_unpackhi_epi64(four, four));
                    _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<1>(two))) as u32
                })
            }
            #[inline(always)]
            fn candidates(self, values: &[u8; LANES]) -> __m256i {
                // The low and the high byte of the candidates of each value.
                const LOW: [i8; 16] = [-1, 1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0];
                const HIGH: [i8; 16] = [1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0];
                // SAFETY: AVX2 as above; `values` is 16 bytes and the load needs no alignment.
                unsafe {
                    let bytes = _mm_loadu_si128(values.as_ptr().cast());
                    let wide = _mm256_cvtepu8_epi16(_mm_min_epu8(bytes, _mm_set1_epi8(15)));
                    let low = _mm256_shuffle_epi8(table(LOW), wide);
                    let high = _mm256_shuffle_epi8(table(HIGH), wide);
                    // The odd bytes of `wide` are 0 and look up what is not wanted.
                    let low = _mm256_and_si256(low, _mm256_set1_epi16(0xff));
                    _mm256_or_si256(low, _mm256_slli_epi16::<8>(high))
                }
            }
            #[inline(always)]
            fn digits(self, a: __m256i) -> [u8; LANES] {
                const LOW: [i8; 16] = [0, 1, 2, 0, 3, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0];
                const HIGH: [i8; 16] = [0, 5, 6, 0, 7, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0];
                let mut values = [0; LANES];
                // SAFETY: AVX2 as above; `values` is 16 bytes and the store needs no alignment.
                unsafe {
                    let nibble = _mm256_set1_epi16(15);
                    let low = _mm256_and_si256(a, nibble);
                    let high = _mm256_and_si256(_mm256_srli_epi16::<4>(a), nibble);
                    let digits = _mm256_or_si256(
                        _mm256_shuffle_epi8(table(LOW), low),
                        _mm256_shuffle_epi8(table(HIGH), high),
                    );
                    let nine = _mm256_cmpeq_epi16(a, _mm256_set1_epi16(1 << 8));
                    let digits =
                        _mm256_or_si256(digits, _mm256_and_si256(nine, _mm256_set1_epi16(9)));
                    let packed = _mm_packus_epi16(
                        _mm256_castsi256_si128(digits),
                        _mm256_extracti128_si256::<1>(digits),
                    );
                    _mm_storeu_si128(values.as_mut_ptr().cast(), packed);
                }
                values
            }
            #[inline(always)]
            fn largest(self, a: __m256i) -> u16 {
                avx2!({
                    let half =
                        _mm_max_epu16(_mm256_castsi256_si128(a), _mm256_extracti128_si256::<1>(a));
                    // The one horizontal instruction looks for the smallest.
                    let smallest = _mm_minpos_epu16(_mm_xor_si128(half, _mm_set1_epi16(-1)));
                    !(_mm_cvtsi128_si32(smallest) as u16)
                })
            }

            #[inline(always)]
            fn spread(self, band: &[u16; 32]) -> [__m256i; 3] {
                // In each half two groups of three of the eight lanes from its first on, each
                // with a spare lane behind it.
                const GROUPS: [i8; 16] = [0, 1, 2, 3, 4, 5, -1, -1, 6, 7, 8, 9, 10, 11, -1, -1];
                let row = |row: usize| {
                    let (left, right) = (&band[9 * row..][..8], &band[9 * row + 6..][..8]);
                    // SAFETY: AVX2 as above; both slices are 16 bytes and the loads need no
                    // alignment.
                    unsafe {
                        let left = _mm_loadu_si128(left.as_ptr().cast());
                        let right = _mm_loadu_si128(right.as_ptr().cast());
                        _mm256_shuffle_epi8(_mm256_set_m128i(right, left), table(GROUPS))
                    }
                };
                let (row0, row1, row2) = (row(0), row(1), row(2));
                avx2!({
                    // Rows 0 and 1, and row 2 and nothing, lane by lane, then pair by pair: a
                    // group of four is now three rows of a column of a stack.
                    let zero = _mm256_setzero_si256();
                    let low = _mm256_unpacklo_epi16(row0, row1);
                    let low2 = _mm256_unpacklo_epi16(row2, zero);
                    let high = _mm256_unpackhi_epi16(row0, row1);
                    let high2 = _mm256_unpackhi_epi16(row2, zero);
                    let (even01, even2) = (
                        _mm256_unpacklo_epi32(low, low2),
                        _mm256_unpackhi_epi32(low, low2),
                    );
                    let (odd01, odd2) = (
                        _mm256_unpacklo_epi32(high, high2),
                        _mm256_unpackhi_epi32(high, high2),
                    );
                    // Stack 3 does not exist: what row 2's load took from beyond goes.
                    let used = self.load(&USED.0);
                    [
                        _mm256_and_si256(_mm256_unpacklo_epi64(even01, odd01), used),
                        _mm256_and_si256(_mm256_unpackhi_epi64(even01, odd01), used),
                        _mm256_and_si256(_mm256_unpacklo_epi64(even2, odd2), used),
                    ]
                })
            }

            #[inline(always)]
            fn transpose(self, rows: [__m256i; LANES]) -> [__m256i; LANES] {
                avx2!({
                    let (mut a, mut b) = (rows, rows);
                    // Interleaving single lanes, then pairs, then fours, transposes each half of eight
                    // columns; the last step joins the halves of rows 0-7 and rows 8-15.
                    for i in 0..8 {
                        a[2 * i] = _mm256_unpacklo_epi16(rows[2 * i], rows[2 * i + 1]);
                        a[2 * i + 1] = _mm256_unpackhi_epi16(rows[2 * i], rows[2 * i + 1]);
                    }
                    for i in 0..4 {
                        b[4 * i] = _mm256_unpacklo_epi32(a[4 * i], a[4 * i + 2]);
                        b[4 * i + 1] = _mm256_unpackhi_epi32(a[4 * i], a[4 * i + 2]);
                        b[4 * i + 2] = _mm256_unpacklo_epi32(a[4 * i + 1], a[4 * i + 3]);
                        b[4 * i + 3] = _mm256_unpackhi_epi32(a[4 * i + 1], a[4 * i + 3]);
                    }
                    for i in 0..2 {
                        for j in 0..4 {
                            a[8 * i + 2 * j] =
                                _mm256_unpacklo_epi64(b[8 * i + j], b[8 * i + 4 + j]);
                            a[8 * i + 2 * j + 1] =
                                _mm256_unpackhi_epi64(b[8 * i + j], b[8 * i + 4 + j]);
                        }
                    }
                    for i in 0..8 {
                        b[i] = _mm256_permute2x128_si256::<0x20>(a[i], a[8 + i]);
                        b[8 + i] = _mm256_permute2x128_si256::<0x31>(a[i], a[8 + i]);
                    }
                    b
                })
            }
        }
    };
}

machine!(Avx2, Avx2, run_on_avx2, alone);
#[cfg(has_avx512)]
pub(super) use {avx2, intrinsics, machine};

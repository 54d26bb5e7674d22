//! The machines of 256-bit and of 512-bit registers, on x86-64 processors that have AVX-512.
#![allow(unsafe_code)]
// Compiled with Rust 1.89 and later only.
#![allow(clippy::incompatible_msrv)]

use super::x86::{Avx2, avx2, intrinsics, machine, table};
use super::{BITS, LANES, Lanes, Machine, Registers, Task, USED};
use core::arch::x86_64::*;

/// Runs the vector engines in the 32 registers that a vector of 256 bits can be in with AVX-512,
/// which also joins two logical operations into one. Needs Rust 1.89.
#[derive(Clone, Copy, Debug)]
pub struct Avx512 {
    next_row: &'static Lanes,
    last_row: &'static Lanes,
}

impl Avx512 {
    /// The machine, or `None` when this processor lacks AVX-512 for vectors of 256 bits.
    pub fn new() -> Option<Self> {
        let has_avx512 = std::arch::is_x86_feature_detected!("avx512vl")
            && std::arch::is_x86_feature_detected!("avx512bw");
        let avx2 = Avx2::new()?;
        has_avx512.then_some(Avx512 {
            next_row: avx2.next_row,
            last_row: avx2.last_row,
        })
    }
}

/// Runs `task` with AVX-512 instructions wherever it is inlined.
#[target_feature(enable = "avx2,avx512vl,avx512bw")]
fn run_on_avx512<T: Task>(machine: Avx512, task: T) -> T::Output {
    task.run(machine)
}

/// Vectors of two groups, for a processor that supports [`Avx512`].
#[derive(Clone, Copy, Debug)]
pub struct Avx512Broad(Avx512);

impl From<Avx512> for Avx512Broad {
    fn from(machine: Avx512) -> Self {
        Avx512Broad(machine)
    }
}

/// Two groups in one vector.
#[target_feature(enable = "avx512f")]
fn side_by_side(first: __m256i, second: __m256i) -> __m512i {
    _mm512_inserti64x4::<1>(_mm512_castsi256_si512(first), second)
}

/// Calls AVX-512 intrinsics in a method of [`Avx512Broad`].
macro_rules! avx512 {
    ($call:expr) => {
        // SAFETY: `self` was made from an `Avx512`, so the processor has AVX-512F and BW; what is
        // called here has no other precondition.
        unsafe { $call }
    };
}

impl Registers for Avx512Broad {
    type V = __m512i;

    const GROUPS: usize = 2;

    #[inline(always)]
    fn groups(self, vectors: &mut [__m512i]) -> &mut [Lanes] {
        // SAFETY: one is as long as two of the other and aligned to more, and any bytes are a value
        // of either.
        unsafe { core::slice::from_raw_parts_mut(vectors.as_mut_ptr().cast(), 2 * vectors.len()) }
    }
    #[inline(always)]
    fn splat(self, value: u16) -> __m512i {
        avx512!(_mm512_set1_epi16(value as i16))
    }
    #[inline(always)]
    fn mask(self, set: u32) -> __m512i {
        avx512!(_mm512_movm_epi16(set))
    }

    intrinsics! { avx512, __m512i:
        and: _mm512_and_si512;
        or: _mm512_or_si512;
        add: _mm512_add_epi16;
        sub: _mm512_sub_epi16;
        multiply: _mm512_mullo_epi16;
        min: _mm512_min_epu16;
        max: _mm512_max_epu16;
    }
    #[inline(always)]
    fn or3(self, a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        avx512!(_mm512_ternarylogic_epi64::<0xfe>(a, b, c))
    }
    #[inline(always)]
    fn majority(self, a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        avx512!(_mm512_ternarylogic_epi64::<0xe8>(a, b, c))
    }
    #[inline(always)]
    fn without(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_andnot_si512(b, a))
    }
    #[inline(always)]
    fn equal(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_movm_epi16(_mm512_cmpeq_epi16_mask(a, b)))
    }
    #[inline(always)]
    fn if_apart(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_maskz_mov_epi16(_mm512_testn_epi16_mask(a, b), a))
    }
    #[inline(always)]
    fn narrow(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!({
            let joint = _mm512_test_epi16_mask(a, b);
            _mm512_mask_mov_epi16(a, joint, _mm512_and_si512(a, b))
        })
    }
    #[inline(always)]
    fn top_bits(self, a: __m512i) -> u32 {
        avx512!(_mm512_movepi16_mask(a))
    }
    #[inline(always)]
    fn shift_left<const BITS: i32>(self, a: __m512i) -> __m512i {
        avx512!(_mm512_sll_epi16(a, _mm_cvtsi32_si128(BITS)))
    }
    #[inline(always)]
    fn shift_right<const BITS: i32>(self, a: __m512i) -> __m512i {
        avx512!(_mm512_srl_epi16(a, _mm_cvtsi32_si128(BITS)))
    }
    #[inline(always)]
    fn repeat(self, lanes: &Lanes) -> __m512i {
        // SAFETY: AVX-512 as above; `Lanes` is 32 bytes, aligned to 32.
        unsafe { _mm512_broadcast_i64x4(_mm256_load_si256(lanes.0.as_ptr().cast())) }
    }
    #[inline(always)]
    fn next_row(self, a: __m512i) -> __m512i {
        avx512!(_mm512_shuffle_epi8(a, self.repeat(self.0.next_row)))
    }
    #[inline(always)]
    fn last_row(self, a: __m512i) -> __m512i {
        avx512!(_mm512_shuffle_epi8(a, self.repeat(self.0.last_row)))
    }
    #[inline(always)]
    fn next_stack(self, a: __m512i) -> __m512i {
        avx512!(_mm512_permutex_epi64::<0b11_00_10_01>(a))
    }
    #[inline(always)]
    fn last_stack(self, a: __m512i) -> __m512i {
        avx512!(_mm512_permutex_epi64::<0b11_01_00_10>(a))
    }
}

machine!(Avx512, Avx512Broad, run_on_avx512, side_by_side);

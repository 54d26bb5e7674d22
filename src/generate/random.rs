//! Random numbers.

/// A source of random numbers: SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom
/// number generators", OOPSLA 2014).
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The sequence of this seed.
    pub fn new(seed: u64) -> Self {
        Random { state: seed }
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 to `count - 1`, each as likely as the others.
    ///
    /// # Panics
    ///
    /// If `count` is 0.
    pub fn below(&mut self, count: usize) -> usize {
        assert!(count > 0, "there is no number below 0");
        let count = count as u64;
        // The draws from `fair` on would make the small numbers likelier.
        let fair = u64::MAX - u64::MAX % count;
        loop {
            let draw = self.next_u64();
            if draw < fair {
                return (draw % count) as usize;
            }
        }
    }

    /// Puts the items into a random order, each order as likely as the others.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// With the feature `rand`, the numbers can be used with the crate `rand` 0.10, and a generator can get
/// its seed from there: `Generator::new(rand::random())`.
#[cfg(feature = "rand")]
impl rand_core::TryRng for Random {
    type Error = rand_core::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Ok((Random::next_u64(self) >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Ok(Random::next_u64(self))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        for part in bytes.chunks_mut(8) {
            part.copy_from_slice(&Random::next_u64(self).to_le_bytes()[..part.len()]);
        }
        Ok(())
    }
}

#[cfg(feature = "rand")]
impl rand_core::SeedableRng for Random {
    type Seed = [u8; 8];

    fn from_seed(seed: [u8; 8]) -> Self {
        Random::new(u64::from_le_bytes(seed))
    }
}

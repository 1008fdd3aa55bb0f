//! Chance that repeats itself: numbers drawn from a seed and a place, so that row 5,000,000 can be
//! made without the rows before it.
//!
//! The mixing is SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators,
//! 2014). It makes plausible figures, no secrets.

/// A stream of numbers that belongs to one seed and one place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Draw(u64);

impl Draw {
    pub(super) fn at(seed: u64, place: u64) -> Self {
        Self(mix(seed ^ mix(place.wrapping_add(0x9e37_79b9_7f4a_7c15))))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A number from 0 to one less than `end`.
    pub(super) fn below(&mut self, end: u32) -> u32 {
        // The high half of a 64-bit product: the result is less than `end`, so it fits.
        let scaled = (u64::from(u32::MAX) & (self.next() >> 32)) * u64::from(end);
        u32::try_from(scaled >> 32).unwrap_or(0)
    }

    /// A number from `start` to `end`, both included.
    pub(super) fn between(&mut self, start: u32, end: u32) -> u32 {
        start + self.below(end - start + 1)
    }

    /// One of these, each as likely as the others.
    pub(super) fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        let index = self.below(u32::try_from(choices.len()).unwrap_or(u32::MAX));
        choices[usize::try_from(index).unwrap_or(0)]
    }

    /// An amount in hundredths between `start` and `end`, small ones more likely than large ones.
    pub(super) fn amount(&mut self, start: u32, end: u32) -> i64 {
        let low = self.between(start, end);
        i64::from(low.min(self.between(start, end)))
    }
}

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_always_draws_the_same() {
        let draw = |place| {
            let mut draw = Draw::at(7, place);
            [draw.below(1000), draw.below(1000), draw.between(5, 6)]
        };
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
        assert!((0..1000).all(|place| (5..=6).contains(&draw(place)[2])));
    }
}

//! Units of length: powers of two, so that a tree's coordinates are about 1 for any size of the model.

/// A power of two as the unit of length of a tree, with an exponent between −960 and 960. Beyond, coordinates
/// are not near 1, which costs only speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unit(i32);

impl Unit {
    const LIMIT: i32 = 960;

    #[cfg(test)]
    pub(super) const ONE: Self = Self(0);

    /// The least power of two above a length.
    pub(super) fn above(length: f64) -> Self {
        let biased = (length.to_bits() >> 52 & 0x7FF) as i32;
        Self((biased - 1022).clamp(-Self::LIMIT, Self::LIMIT))
    }

    /// 2 to the power of `exponent`, if that is in range.
    #[cfg(feature = "serde")]
    pub(super) fn of_exponent(exponent: i32) -> Option<Self> {
        (-Self::LIMIT..=Self::LIMIT).contains(&exponent).then_some(Self(exponent))
    }

    pub(super) fn exponent(self) -> i32 {
        self.0
    }

    pub(super) fn reciprocal(self) -> f64 {
        power_of_two(-self.0)
    }
}

/// 2 to the power of `exponent`, for −1022 to 1023.
pub(super) fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_in_their_unit_are_below_one_and_at_least_a_half() {
        for length in [1.0, 0.75, 3.0, 1e-9, 1e9, 1e-280, 1e280, 1.0_f64.next_down()] {
            let inside = length * Unit::above(length).reciprocal();
            assert!((0.5..1.0).contains(&inside), "{length}: {inside}");
        }
        assert!((1e-320 * Unit::above(1e-320).reciprocal()) < 1.0);
        assert!((f64::MAX * Unit::above(f64::MAX).reciprocal()).is_finite());
    }
}

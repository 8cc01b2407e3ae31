//! The sign of a number, the result of many predicates.

use std::ops::{Mul, Neg};

/// Negative, zero or positive; multiplies, negates and orders like −1, 0 and 1.
///
/// ```
/// use xcollide_predicates::Sign;
///
/// assert_eq!(Sign::of(-2.5), Sign::Negative);
/// assert_eq!(Sign::Negative * Sign::Negative, Sign::Positive);
/// assert_eq!(-Sign::Zero, Sign::Zero);
/// assert!(Sign::Negative < Sign::Zero);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(i8)]
pub enum Sign {
    /// Less than zero.
    Negative = -1,
    /// Exactly zero.
    Zero = 0,
    /// Greater than zero.
    Positive = 1,
}

impl Sign {
    /// The sign of an exactly known number; [`Sign::Zero`] for NaN and both zeros.
    #[inline]
    #[must_use]
    pub fn of(value: f64) -> Self {
        if value > 0.0 {
            Self::Positive
        } else if value < 0.0 {
            Self::Negative
        } else {
            Self::Zero
        }
    }

    /// Whether this is [`Sign::Negative`].
    #[inline]
    #[must_use]
    pub const fn is_negative(self) -> bool {
        matches!(self, Self::Negative)
    }

    /// Whether this is [`Sign::Zero`].
    #[inline]
    #[must_use]
    pub const fn is_zero(self) -> bool {
        matches!(self, Self::Zero)
    }

    /// Whether this is [`Sign::Positive`].
    #[inline]
    #[must_use]
    pub const fn is_positive(self) -> bool {
        matches!(self, Self::Positive)
    }
}

impl Neg for Sign {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        match self {
            Self::Negative => Self::Positive,
            Self::Zero => Self::Zero,
            Self::Positive => Self::Negative,
        }
    }
}

impl Mul for Sign {
    type Output = Self;

    #[inline]
    fn mul(self, other: Self) -> Self {
        match self {
            Self::Negative => -other,
            Self::Zero => Self::Zero,
            Self::Positive => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Sign::{self, Negative, Positive, Zero};

    #[test]
    fn signs_compute_like_integers() {
        for a in [Negative, Zero, Positive] {
            assert_eq!((-a) as i32, -(a as i32));
            for b in [Negative, Zero, Positive] {
                assert_eq!((a * b) as i32, a as i32 * b as i32);
                assert_eq!(a.cmp(&b), (a as i32).cmp(&(b as i32)));
            }
        }
    }

    #[test]
    fn the_smallest_numbers_have_a_sign() {
        assert_eq!(Sign::of(5e-324), Positive);
        assert_eq!(Sign::of(-5e-324), Negative);
        assert_eq!(Sign::of(-0.0), Zero);
        assert_eq!(Sign::of(f64::NAN), Zero);
    }
}

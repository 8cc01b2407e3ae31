//! Exact times.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};

use crate::exact::power_of_two;

/// The time `numerator` / 2^`shift`.
#[derive(Clone, Debug)]
pub(crate) struct Instant {
    numerator: BigInt,
    shift: usize,
}

impl Instant {
    /// The time of a f64 in [0, 1].
    pub(crate) fn of(time: f64) -> Self {
        if time == 0.0 {
            return Self { numerator: BigInt::zero(), shift: 0 };
        }
        let bits = time.to_bits();
        let biased = (bits >> 52) as usize & 0x7ff;
        let fraction = bits & ((1 << 52) - 1);
        let mantissa = if biased == 0 { fraction } else { fraction | 1 << 52 };
        let shift = 1075 - biased.max(1);
        let zeros = (mantissa.trailing_zeros() as usize).min(shift);
        Self { numerator: (mantissa >> zeros).into(), shift: shift - zeros }
    }

    pub(crate) fn new(numerator: BigInt, shift: usize) -> Self {
        Self { numerator, shift }
    }

    pub(crate) fn numerator(&self) -> &BigInt {
        &self.numerator
    }

    pub(crate) fn shift(&self) -> usize {
        self.shift
    }

    fn aligned(&self, other: &Self) -> (BigInt, BigInt, usize) {
        let shift = self.shift.max(other.shift);
        (&self.numerator << (shift - self.shift), &other.numerator << (shift - other.shift), shift)
    }

    /// Halfway between two times.
    pub(crate) fn middle(&self, other: &Self) -> Self {
        let (a, b, shift) = self.aligned(other);
        let (mut numerator, mut shift) = (a + b, shift + 1);
        let zeros = numerator.trailing_zeros().unwrap_or(0).min(shift as u64) as usize;
        numerator >>= zeros;
        shift -= zeros;
        Self { numerator, shift }
    }

    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        if self.shift == other.shift {
            return self.numerator.cmp(&other.numerator);
        }
        let (a, b, _) = self.aligned(other);
        a.cmp(&b)
    }

    /// The f64 that is this time; `None` if there is none (or it is subnormal).
    pub(crate) fn representable(&self) -> Option<f64> {
        if self.numerator.bits() > 53 || self.shift > 1022 {
            return None;
        }
        self.numerator.to_f64().map(|numerator| numerator * power_of_two(-(self.shift as i32)))
    }
}

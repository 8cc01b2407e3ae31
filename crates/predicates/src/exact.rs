//! Exact arithmetic on dyadic numbers m·2ᵉ with big integers: the last stage of every predicate.
//!
//! Every finite f64 is dyadic, as are sums, differences and products of dyadic numbers. An operation
//! takes microseconds; only nearly degenerate input needs this stage.

use std::ops::{Add, Mul, Neg, Sub};

use num_bigint::{BigInt, Sign as BigSign};
use num_traits::{ToPrimitive, Zero};

use crate::{Point, Sign};

/// An exact number m·2ᵉ.
#[derive(Clone, Debug)]
pub(crate) struct Dyadic {
    mantissa: BigInt,
    exponent: i64,
}

impl Dyadic {
    /// The value of a finite f64. Infinities and NaN become zero.
    pub(crate) fn of(value: f64) -> Self {
        if !value.is_finite() || value == 0.0 {
            return Self { mantissa: BigInt::zero(), exponent: 0 };
        }
        let bits = value.to_bits();
        let biased = ((bits >> 52) & 0x7ff) as i64;
        let fraction = (bits & ((1 << 52) - 1)) as i64;
        // Subnormal numbers have no hidden bit and the exponent of the smallest normal numbers.
        let (mantissa, exponent) =
            if biased == 0 { (fraction, -1074) } else { (fraction | 1 << 52, biased - 1075) };
        // Short mantissas keep products short: coordinates are often integers.
        let shift = mantissa.trailing_zeros();
        let mantissa = mantissa >> shift;
        let mantissa = if value < 0.0 { -mantissa } else { mantissa };
        Self { mantissa: mantissa.into(), exponent: exponent + i64::from(shift) }
    }

    /// mantissa · 2ᵉ
    pub(crate) fn of_integer(mantissa: BigInt, exponent: i64) -> Self {
        Self { mantissa, exponent }
    }

    /// The number divided by a power of two that is not above its exponent, but for zero.
    fn integer(self, exponent: i64) -> BigInt {
        // The exponent of zero may be above or below the least.
        self.mantissa << (self.exponent - exponent).max(0) as usize
    }

    pub(crate) fn sign(&self) -> Sign {
        match self.mantissa.sign() {
            BigSign::Minus => Sign::Negative,
            BigSign::NoSign => Sign::Zero,
            BigSign::Plus => Sign::Positive,
        }
    }

    pub(crate) fn squared(&self) -> Self {
        self * self
    }

    /// The number of binary digits before the point: the absolute value is below 2 to this power, and at least half of
    /// that; 0 for zero.
    pub(crate) fn magnitude(&self) -> i64 {
        if self.mantissa.is_zero() { 0 } else { self.mantissa.bits() as i64 + self.exponent }
    }

    /// The number times 2ᵉ.
    pub(crate) fn times_power(mut self, exponent: i64) -> Self {
        self.exponent += exponent;
        self
    }

    /// Both mantissas at the smaller of the two exponents.
    fn aligned(&self, other: &Self) -> (BigInt, BigInt, i64) {
        // The exponent of zero must not lengthen the other mantissa.
        let exponent = match (self.mantissa.is_zero(), other.mantissa.is_zero()) {
            (true, _) => other.exponent,
            (_, true) => self.exponent,
            _ => self.exponent.min(other.exponent),
        };
        let shifted = |number: &Self| {
            if number.mantissa.is_zero() {
                BigInt::zero()
            } else {
                &number.mantissa << (number.exponent - exponent) as usize
            }
        };
        (shifted(self), shifted(other), exponent)
    }

    /// The quotient, with 2^−digits as the greatest error; zero if the divisor is zero.
    pub(crate) fn quotient(&self, divisor: &Self, digits: i64) -> Self {
        if divisor.mantissa.is_zero() {
            return Self::of(0.0);
        }
        let shift = self.exponent - divisor.exponent + digits;
        let numerator = &self.mantissa << shift.max(0) as usize;
        let denominator = &divisor.mantissa << (-shift).max(0) as usize;
        Self::of_integer(numerator / denominator, -digits)
    }

    /// The f64 nearest to `self / divisor`; zero if the divisor is zero, infinite if out of range. Off
    /// by less than one unit in the last place (below the normal range, by the least f64).
    pub(crate) fn ratio(&self, divisor: &Self) -> f64 {
        if self.mantissa.is_zero() || divisor.mantissa.is_zero() {
            return 0.0;
        }
        // A quotient of 65 or 66 bits. Its lowest bit is set if it is inexact, so that the conversion
        // to f64 rounds correctly.
        let shift = divisor.mantissa.bits() as i64 - self.mantissa.bits() as i64 + 66;
        let numerator = &self.mantissa << shift.max(0) as usize;
        let denominator = &divisor.mantissa << (-shift).max(0) as usize;
        let mut quotient = &numerator / &denominator;
        if !quotient.bit(0) && &quotient * &denominator != numerator {
            quotient += if quotient.sign() == BigSign::Minus { -1 } else { 1 };
        }
        scale(quotient.to_f64().unwrap_or(0.0), self.exponent - divisor.exponent - shift)
    }
}

/// The numbers times the least power of two that makes all of them integers.
pub(crate) fn as_integers<const N: usize>(numbers: [f64; N]) -> [BigInt; N] {
    let numbers = numbers.map(Dyadic::of);
    let least = least_exponent(numbers.iter());
    numbers.map(|number| number.integer(least))
}

/// The same of exact numbers.
pub(crate) fn integers(numbers: &[&Dyadic]) -> Vec<BigInt> {
    let least = least_exponent(numbers.iter().copied());
    numbers.iter().map(|&number| number.clone().integer(least)).collect()
}

fn least_exponent<'a>(numbers: impl Iterator<Item = &'a Dyadic>) -> i64 {
    let nonzero = numbers.filter(|number| !number.mantissa.is_zero());
    nonzero.map(|number| number.exponent).min().unwrap_or(0)
}

/// value·2ᵉ in at most three steps, each by a power of two that f64 holds.
fn scale(mut value: f64, mut exponent: i64) -> f64 {
    while exponent > 1000 && value.is_finite() {
        value *= power_of_two(1000);
        exponent -= 1000;
    }
    while exponent < -1000 && value != 0.0 {
        // The value starts with an exponent above 0, so it stays normal up to the last step.
        value *= power_of_two(-1000);
        exponent += 1000;
    }
    value * power_of_two(exponent.clamp(-1000, 1000) as i32)
}

/// 2ᵏ for −1074 ≤ k ≤ 1023.
#[inline]
pub(crate) fn power_of_two(k: i32) -> f64 {
    debug_assert!((-1074..=1023).contains(&k));
    if k >= -1022 {
        f64::from_bits(((k + 1023) as u64) << 52)
    } else {
        f64::from_bits(1 << (k + 1074))
    }
}

impl Add for &Dyadic {
    type Output = Dyadic;

    fn add(self, other: &Dyadic) -> Dyadic {
        let (a, b, exponent) = self.aligned(other);
        Dyadic { mantissa: a + b, exponent }
    }
}

impl Sub for &Dyadic {
    type Output = Dyadic;

    fn sub(self, other: &Dyadic) -> Dyadic {
        let (a, b, exponent) = self.aligned(other);
        Dyadic { mantissa: a - b, exponent }
    }
}

impl Mul for &Dyadic {
    type Output = Dyadic;

    fn mul(self, other: &Dyadic) -> Dyadic {
        Dyadic {
            mantissa: &self.mantissa * &other.mantissa,
            exponent: self.exponent + other.exponent,
        }
    }
}

impl Neg for &Dyadic {
    type Output = Dyadic;

    fn neg(self) -> Dyadic {
        Dyadic { mantissa: -&self.mantissa, exponent: self.exponent }
    }
}

impl PartialEq for Dyadic {
    fn eq(&self, other: &Self) -> bool {
        (self - other).sign().is_zero()
    }
}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some((self - other).sign().cmp(&Sign::Zero))
    }
}

/// A vector with exact coordinates.
pub(crate) type Vector = [Dyadic; 3];

pub(crate) fn difference(a: Point, b: Point) -> Vector {
    [0, 1, 2].map(|k| &Dyadic::of(b[k]) - &Dyadic::of(a[k]))
}

pub(crate) fn vector(point: Point) -> Vector {
    point.map(Dyadic::of)
}

pub(crate) fn minus(a: &Vector, b: &Vector) -> Vector {
    [0, 1, 2].map(|k| &a[k] - &b[k])
}

pub(crate) fn dot(a: &Vector, b: &Vector) -> Dyadic {
    &(&(&a[0] * &b[0]) + &(&a[1] * &b[1])) + &(&a[2] * &b[2])
}

pub(crate) fn cross(a: &Vector, b: &Vector) -> Vector {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| &(&a[i] * &b[j]) - &(&a[j] * &b[i]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_finite() -> impl Strategy<Value = f64> {
        any::<f64>().prop_filter("finite", |value| value.is_finite())
    }

    proptest! {
        #[test]
        fn every_f64_comes_back(value in any_finite()) {
            prop_assert_eq!(Dyadic::of(value).ratio(&Dyadic::of(1.0)), value);
        }

        #[test]
        fn sums_of_near_numbers_are_those_of_integers(a in -1i64 << 50..1 << 50, b in -1i64 << 50..1 << 50) {
            let (x, y) = (Dyadic::of(a as f64), Dyadic::of(b as f64));
            prop_assert_eq!(&x + &y, Dyadic::of((a + b) as f64));
            prop_assert_eq!(&x - &y, Dyadic::of((a - b) as f64));
            prop_assert_eq!(x.partial_cmp(&y), a.partial_cmp(&b));
        }

        #[test]
        fn a_quotient_is_that_of_the_processor(a in any_finite(), b in any_finite()) {
            // Division rounds correctly, and so must `ratio` wherever the result is normal.
            let quotient = a / b;
            prop_assume!(quotient.is_normal());
            prop_assert_eq!(Dyadic::of(a).ratio(&Dyadic::of(b)), quotient);
        }
    }

    #[test]
    fn nothing_is_lost_between_the_ends_of_the_range() {
        let (huge, tiny) = (Dyadic::of(f64::MAX), Dyadic::of(5e-324));
        let sum = &huge + &tiny;
        assert!(sum > huge);
        assert_eq!(&sum - &huge, tiny);
        assert_eq!((&(&huge * &tiny) - &(&tiny * &huge)).sign(), Sign::Zero);
        assert_eq!((&tiny * &tiny).sign(), Sign::Positive);
    }

    #[test]
    fn powers_of_two_are_exact_to_both_ends() {
        for k in -1074..=1023 {
            assert_eq!(
                Dyadic::of(power_of_two(k)),
                Dyadic { mantissa: 1.into(), exponent: k.into() }
            );
        }
    }
}

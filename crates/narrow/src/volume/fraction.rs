//! Fractions of big integers, for volumes that no floating-point number tells.

use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{Signed, ToPrimitive, Zero};

use super::number::Number;

/// An exact number.
#[derive(Clone, Debug)]
pub(super) struct Fraction(Ratio<BigInt>);

impl Number for Fraction {
    fn of(value: f64) -> Self {
        let bits = value.to_bits();
        let exponent = (bits >> 52 & 0x7FF) as i32;
        let fraction = bits & ((1 << 52) - 1);
        let whole = if exponent == 0 { fraction << 1 } else { fraction | 1 << 52 };
        let whole = BigInt::from(if value < 0.0 { -(whole as i64) } else { whole as i64 });
        let power = exponent - 1075;
        let one = || BigInt::from(1);
        Self(if power < 0 {
            Ratio::new(whole, one() << power.unsigned_abs())
        } else {
            Ratio::from_integer(whole << power.unsigned_abs())
        })
    }

    fn add(&self, other: &Self) -> Self {
        Self(&self.0 + &other.0)
    }

    fn sub(&self, other: &Self) -> Self {
        Self(&self.0 - &other.0)
    }

    fn mul(&self, other: &Self) -> Self {
        Self(&self.0 * &other.0)
    }

    fn div(&self, other: &Self) -> Self {
        Self(&self.0 / &other.0)
    }

    /// Neighbours, or the same number twice.
    fn bounds(&self) -> [f64; 2] {
        if self.0.is_zero() {
            return [0.0; 2];
        }
        let mut near = self.rounded();
        let order = |x: f64| Self::of(x).0.cmp(&self.0);
        while order(near).is_gt() {
            near = near.next_down();
        }
        while order(near.next_up()).is_le() {
            near = near.next_up();
        }
        [near, if order(near).is_lt() { near.next_up() } else { near }]
    }
}

impl Fraction {
    /// A number within some units in the last place.
    fn rounded(&self) -> f64 {
        let (above, below) = (self.0.numer(), self.0.denom());
        // The quotient gets 62 to 64 bits.
        let power = below.bits() as i64 - above.bits() as i64 + 63;
        let quotient = if power >= 0 {
            (above.abs() << power.unsigned_abs()) / below
        } else {
            above.abs() / (below << power.unsigned_abs())
        };
        let size = quotient.to_f64().unwrap_or(f64::MAX);
        // In two steps, as a power may be out of range.
        let half = power / 2;
        let size = libm::ldexp(libm::ldexp(size, -half as i32), (half - power) as i32);
        if above.is_negative() { -size } else { size }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_neighbors() {
        let third = Fraction::of(1.0).div(&Fraction::of(3.0));
        for power in [0, 900, -900, -1060] {
            let scale = Fraction::of(libm::ldexp(1.0, power));
            for number in [third.clone(), Fraction::of(-0.75), Fraction::of(0.0).sub(&third)] {
                let scaled = number.mul(&scale);
                let [low, high] = scaled.bounds();
                let exact = Fraction::of(low).0 == scaled.0;
                assert!(Fraction::of(low).0 <= scaled.0 && scaled.0 <= Fraction::of(high).0);
                assert_eq!(high, if exact { low } else { low.next_up() });
            }
        }
    }
}

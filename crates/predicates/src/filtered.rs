//! Numbers for one formula in two stages: f64 with a bound on the error, which knows most signs, and [`Dyadic`], which knows all.

use crate::Sign;
use crate::exact::Dyadic;

/// A number whose sign may be known.
pub(crate) trait Number: Clone {
    /// A finite number, exactly.
    fn of(value: f64) -> Self;
    fn add(&self, other: &Self) -> Self;
    fn sub(&self, other: &Self) -> Self;
    fn mul(&self, other: &Self) -> Self;
    /// `None` if rounding hides it.
    fn sign(&self) -> Option<Sign>;

    fn neg(&self) -> Self {
        Self::of(0.0).sub(self)
    }

    fn squared(&self) -> Self {
        self.mul(self)
    }
}

impl Number for Dyadic {
    fn of(value: f64) -> Self {
        Self::of(value)
    }

    fn add(&self, other: &Self) -> Self {
        self + other
    }

    fn sub(&self, other: &Self) -> Self {
        self - other
    }

    fn mul(&self, other: &Self) -> Self {
        self * other
    }

    fn sign(&self) -> Option<Sign> {
        Some(self.sign())
    }
}

/// A value, and a bound on its error. Zeros, and products with 0 and ±1, stay exact, so that axis-parallel lines and matrices
/// need no second stage.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Filtered {
    value: f64,
    error: f64,
}

/// 2⁻⁵³.
const UNIT: f64 = f64::EPSILON / 2.0;
/// Above the underflow of a product.
const UNDERFLOW: f64 = 1e-300;
/// For the rounding of the bound itself.
const MORE: f64 = 1.0 + 1e-14;

impl Filtered {
    const ZERO: Self = Self { value: 0.0, error: 0.0 };

    fn is(&self, value: f64) -> bool {
        self.value == value && self.error == 0.0
    }

    /// A sum or difference: it underflows exactly.
    #[inline]
    fn sum(value: f64, error: f64) -> Self {
        Self { value, error: MORE * (error + UNIT * value.abs()) }
    }
}

impl Number for Filtered {
    #[inline]
    fn of(value: f64) -> Self {
        Self { value, error: 0.0 }
    }

    #[inline]
    fn add(&self, other: &Self) -> Self {
        match (self.is(0.0), other.is(0.0)) {
            (true, _) => *other,
            (_, true) => *self,
            _ => Self::sum(self.value + other.value, self.error + other.error),
        }
    }

    #[inline]
    fn sub(&self, other: &Self) -> Self {
        self.add(&Self { value: -other.value, error: other.error })
    }

    #[inline]
    fn mul(&self, other: &Self) -> Self {
        for (one, other) in [(self, other), (other, self)] {
            if one.is(0.0) {
                return Self::ZERO;
            }
            if one.error == 0.0 && one.value.abs() == 1.0 {
                return Self { value: one.value * other.value, error: other.error };
            }
        }
        let error = self.value.abs() * other.error + other.value.abs() * self.error;
        let product = Self::sum(self.value * other.value, error + self.error * other.error);
        Self { error: product.error + UNDERFLOW, ..product }
    }

    #[inline]
    fn sign(&self) -> Option<Sign> {
        (self.error == 0.0 || self.value.abs() > self.error).then(|| Sign::of(self.value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever is computed: a sign that is known is the true one.
    #[test]
    fn known_signs_are_true() {
        let mut state = 7_u64;
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            ((state >> 40) as f64 - 8_388_608.0) * 0.1
        };
        let mut known = 0;
        for round in 0..2000 {
            let [a, b, c, d] = [next(), next(), next(), next()];
            // Near a root in every other round.
            let last = if round % 2 == 0 { a * b / c } else { d };
            let signs = [of::<Filtered>([a, b, c, last]), of::<Dyadic>([a, b, c, last])];
            assert!(signs[0].is_none() || signs[0] == signs[1], "{a} {b} {c} {last}");
            known += usize::from(signs[0].is_some());
        }
        assert!((1000..2000).contains(&known), "{known}");
        let one = Filtered::of(0.1).sub(&Filtered::of(0.1));
        assert_eq!(one.sign(), Some(Sign::Zero));
        assert_eq!(Filtered::of(1e-200).squared().sign(), None, "underflow");
    }

    fn of<N: Number>([a, b, c, d]: [f64; 4]) -> Option<Sign> {
        let of = N::of;
        of(a).mul(&of(b)).sub(&of(c).mul(&of(d))).sign()
    }
}

//! Numbers a + b √s with the same s: exact.

use crate::Sign;
use crate::exact::Dyadic;
use crate::moved_solid::less_root;

/// The number a + b √s by a and b; s is known from elsewhere, and not negative.
#[derive(Clone)]
pub(crate) struct Surd(pub(crate) [Dyadic; 2]);

impl Surd {
    pub(crate) fn rational(number: Dyadic) -> Self {
        Self([number, Dyadic::of(0.0)])
    }

    pub(crate) fn plus(&self, other: &Self) -> Self {
        Self([0, 1].map(|k| &self.0[k] + &other.0[k]))
    }

    pub(crate) fn times(&self, factor: &Dyadic) -> Self {
        Self(self.0.each_ref().map(|x| x * factor))
    }

    pub(crate) fn product(&self, other: &Self, square: &Dyadic) -> Self {
        let ([a, b], [c, d]) = (&self.0, &other.0);
        Self([&(a * c) + &(&(b * d) * square), &(a * d) + &(b * c)])
    }

    pub(crate) fn sign(&self, square: &Dyadic) -> Sign {
        let [a, b] = &self.0;
        let term = &b.squared() * square;
        if b.sign().is_negative() { less_root(a, &term) } else { -less_root(&-a, &term) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// By squares of integers.
        #[test]
        fn signs_are_those_of_integers(a in -40_i32..40, b in -40_i32..40, s in 0_i32..1600) {
            let surd = Surd([a, b].map(|x| Dyadic::of(f64::from(x))));
            let sign = surd.sign(&Dyadic::of(f64::from(s)));
            let of_root = (b * b * s) * b.signum();
            let by_squares = (a * a * a.signum() + of_root).signum();
            prop_assert_eq!(sign as i32, by_squares);
        }
    }
}

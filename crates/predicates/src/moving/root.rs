//! Roots of polynomials as exact times: isolated by Sturm's theorem, compared by signs.

use std::cmp::Ordering;

use num_bigint::BigInt;

use super::TimeInterval;
use super::instant::Instant;
use super::polynomial::{Polynomial, RemainderSequence};
use crate::Sign;

/// A time that is the only root of a square-free polynomial in an open interval, or known exactly.
#[derive(Clone, Debug)]
pub(crate) struct Root<'p> {
    polynomial: &'p Polynomial,
    place: Place,
    /// Contains the root.
    bounds: TimeInterval,
}

#[derive(Clone, Debug)]
enum Place {
    At(Instant),
    /// Neither end is a root; the polynomial has the given sign at `low` and the opposite at `high`.
    Between {
        low: Instant,
        high: Instant,
        sign_at_low: Sign,
    },
}

/// A polynomial with the same roots, each of them simple, for a polynomial that is not zero.
pub(crate) fn square_free(polynomial: &Polynomial) -> Polynomial {
    let sequence = RemainderSequence::new(polynomial.clone(), polynomial.derivative());
    let common = sequence.greatest_common_divisor();
    if common.is_constant() { polynomial.clone() } else { polynomial.quotient(common) }
}

/// What a function tells of all roots from 0 to 1; none of a constant.
pub(crate) fn with_roots<T>(polynomial: &Polynomial, of: impl FnOnce(&mut [Root<'_>]) -> T) -> T {
    /// Much less than what f64 tells signs by.
    const NARROW: f64 = 1.0 / (1_u64 << 44) as f64;
    let approached = |mut roots: Vec<Root<'_>>| {
        for root in &mut roots {
            root.approach();
            root.enclose(NARROW * root.bounds.hi);
        }
        of(&mut roots)
    };
    match Root::isolate_by_halves(polynomial) {
        Some(roots) => approached(roots),
        None => approached(Root::isolate(&square_free(polynomial), 1.0)),
    }
}

impl<'p> Root<'p> {
    /// All roots of a square-free polynomial in [0, `until`], in order.
    pub(crate) fn isolate(polynomial: &'p Polynomial, until: f64) -> Vec<Self> {
        let mut roots = Vec::new();
        if polynomial.is_constant() {
            return roots;
        }
        let all = TimeInterval { lo: 0.0, hi: until };
        let exactly = |time: Instant| Self { polynomial, place: Place::At(time), bounds: all };
        let sequence = RemainderSequence::new(polynomial.clone(), polynomial.derivative());
        // Roots in (low, high] are the variations at `low` less those at `high`.
        let variations = |time: &Instant| sequence.variations(time);
        let end = |time: Instant| (variations(&time), polynomial.sign_at(&time), time);
        let (first, last) = (end(Instant::of(0.0)), end(Instant::of(until)));
        let mut ordered = if until > 0.0 { vec![(first.clone(), last)] } else { Vec::new() };
        if first.1.is_zero() {
            roots.push(exactly(first.2));
        }
        while let Some((low, high)) = ordered.pop() {
            let count = low.0 - high.0 - usize::from(high.1.is_zero());
            if count == 1 && !low.1.is_zero() && !high.1.is_zero() {
                let (low, sign_at_low) = (low.2, low.1);
                let place = Place::Between { low, high: high.2, sign_at_low };
                roots.push(Self { polynomial, place, bounds: all });
                continue;
            }
            if count > 0 {
                let middle = end(low.2.middle(&high.2));
                ordered.push((middle.clone(), high));
                ordered.push((low, middle));
            } else if high.1.is_zero() {
                roots.push(exactly(high.2));
            }
        }
        roots
    }

    /// All roots from 0 to 1, in order, if they are simple or at halves, quarters and so on, and not very near each other: by Descartes' rule
    /// of signs on halves of the interval, which is faster (Collins and Akritas 1976).
    fn isolate_by_halves(polynomial: &'p Polynomial) -> Option<Vec<Self>> {
        const DEPTH: usize = 256;
        if polynomial.is_constant() {
            return Some(Vec::new());
        }
        let ends = [0.0, 1.0].map(Instant::of);
        let root = |place| Self { polynomial, place, bounds: TimeInterval { lo: 0.0, hi: 1.0 } };
        let at_ends = ends.iter().filter(|end| polynomial.sign_at(end).is_zero());
        let mut roots: Vec<Self> = at_ends.map(|end| root(Place::At(end.clone()))).collect();
        let mut parts = vec![(polynomial.clone(), BigInt::ZERO, 0)];
        while let Some((part, number, depth)) = parts.pop() {
            let variations = part.variations();
            let [sign_at_low, sign_at_high] = ends.each_ref().map(|end| part.sign_at(end));
            if variations == 1 && !sign_at_low.is_zero() && !sign_at_high.is_zero() {
                let [low, high] =
                    [number.clone(), number + 1].map(|number| Instant::new(number, depth));
                roots.push(root(Place::Between { low, high, sign_at_low }));
            } else if variations > 0 {
                if depth == DEPTH {
                    return None;
                }
                let lower = part.stretched();
                let (upper, number) = (lower.shifted(), number << 1);
                let after: BigInt = &number + 1;
                if upper.sign_at(&ends[0]).is_zero() {
                    roots.push(root(Place::At(Instant::new(after.clone(), depth + 1))));
                }
                parts.extend([(upper, after, depth + 1), (lower, number, depth + 1)]);
            }
        }
        roots.sort_by(|one, other| one.ends()[0].compare(other.ends()[0]));
        Some(roots)
    }

    /// The only root in an interval, at whose ends the polynomial has opposite signs.
    pub(crate) fn between(polynomial: &'p Polynomial, bounds: TimeInterval) -> Self {
        let (low, high) = (Instant::of(bounds.lo), Instant::of(bounds.hi));
        let sign_at_low = polynomial.sign_at(&low);
        Self { polynomial, place: Place::Between { low, high, sign_at_low }, bounds }
    }

    /// Whether the root is less than, equal to or greater than a number in [0, 1]; remembers it.
    fn compare(&mut self, time: f64) -> Ordering {
        let instant = Instant::of(time);
        let ordering = match &mut self.place {
            Place::At(exactly) => exactly.compare(&instant),
            Place::Between { low, high, sign_at_low } => {
                if instant.compare(low) != Ordering::Greater {
                    Ordering::Greater
                } else if instant.compare(high) != Ordering::Less {
                    Ordering::Less
                } else {
                    match self.polynomial.sign_at(&instant) {
                        Sign::Zero => {
                            self.place = Place::At(instant);
                            Ordering::Equal
                        }
                        sign if sign == *sign_at_low => {
                            *low = instant;
                            Ordering::Greater
                        }
                        _ => {
                            *high = instant;
                            Ordering::Less
                        }
                    }
                }
            }
        };
        if ordering != Ordering::Less {
            self.bounds.lo = self.bounds.lo.max(time);
        }
        if ordering != Ordering::Greater {
            self.bounds.hi = self.bounds.hi.min(time);
        }
        ordering
    }

    /// Narrows the interval to about 2⁻⁴⁸, mostly: compares with a root in f64 and its neighbourhood.
    pub(crate) fn approach(&mut self) {
        if let Place::At(time) = &self.place {
            if let Some(time) = time.representable() {
                self.bounds = TimeInterval { lo: time, hi: time };
            }
            return;
        }
        let guess = self.guess();
        if self.compare(guess) == Ordering::Equal {
            return;
        }
        for steps in [4.0, 256.0, 65536.0] {
            let reach = steps * f64::EPSILON * guess;
            let above = self.compare((guess + reach).min(self.bounds.hi));
            let below = self.compare((guess - reach).max(self.bounds.lo));
            if below != Ordering::Less && above != Ordering::Greater {
                return;
            }
        }
    }

    /// A root of the rounded polynomial by bisection and Newton's method, in the bounds.
    fn guess(&self) -> f64 {
        let coefficients: Vec<f64> = self.polynomial.rounded().collect();
        let Place::Between { low, high, sign_at_low } = &self.place else { return self.bounds.lo };
        let (mut low, mut high) = (
            low.representable().unwrap_or(self.bounds.lo),
            high.representable().unwrap_or(self.bounds.hi),
        );
        let mut time = 0.5 * (low + high);
        for _ in 0..60 {
            let (mut value, mut slope) = (0.0, 0.0);
            for &c in coefficients.iter().rev() {
                slope = slope * time + value;
                value = value * time + c;
            }
            let sign = Sign::of(value);
            if sign.is_zero() {
                break;
            } else if sign == *sign_at_low {
                low = time;
            } else {
                high = time;
            }
            let newton = time - value / slope;
            let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
            if (next - time).abs() <= f64::EPSILON * time {
                time = next;
                break;
            }
            time = next;
        }
        time
    }

    /// An interval of f64 that contains the root, not wider than asked; at the narrowest two
    /// neighbouring numbers, or the root itself if it is one.
    pub(crate) fn enclose(&mut self, width: f64) -> TimeInterval {
        // Times are not negative, so their bits are ordered like them.
        loop {
            let TimeInterval { lo, hi } = self.bounds;
            if hi - lo <= width || hi.to_bits() - lo.to_bits() <= 1 {
                break;
            }
            let middle = f64::from_bits(lo.to_bits().midpoint(hi.to_bits()));
            self.compare(middle);
        }
        // A root that is known exactly may be an end.
        if matches!(self.place, Place::At(_)) {
            for end in [self.bounds.lo, self.bounds.hi] {
                self.compare(end);
            }
        }
        self.bounds
    }

    /// A time after this root and before a later one.
    pub(crate) fn time_before(&mut self, later: &mut Self) -> Instant {
        loop {
            let (high, low) = (self.ends()[1].clone(), later.ends()[0].clone());
            if high.compare(&low) == Ordering::Less {
                return high.middle(&low);
            }
            self.halve();
            later.halve();
        }
    }

    /// Exact times between which the root is, both included.
    fn ends(&self) -> [&Instant; 2] {
        match &self.place {
            Place::At(time) => [time, time],
            Place::Between { low, high, .. } => [low, high],
        }
    }

    fn halve(&mut self) {
        let Place::Between { low, high, sign_at_low } = &mut self.place else { return };
        let middle = low.middle(high);
        match self.polynomial.sign_at(&middle) {
            Sign::Zero => self.place = Place::At(middle),
            sign if sign == *sign_at_low => *low = middle,
            _ => *high = middle,
        }
    }

    /// The sign of a polynomial at this time.
    pub(crate) fn sign_of(&self, polynomial: &Polynomial) -> Sign {
        match &self.place {
            Place::At(time) => polynomial.sign_at(time),
            Place::Between { low, high, .. } => constant_sign(polynomial, low, high)
                .or_else(|| polynomial.sign_between(self.bounds.lo, self.bounds.hi))
                .unwrap_or_else(|| self.tarski_query(polynomial, low, high)),
        }
    }

    /// Σ sign q(τ) over the roots τ of f between two times that are none is the number of variations
    /// of the signed remainders of f and f′q at the first less that at the second (Tarski; Sturm for
    /// q = 1). There is one root.
    fn tarski_query(&self, polynomial: &Polynomial, low: &Instant, high: &Instant) -> Sign {
        let remainder = polynomial.remainder(self.polynomial);
        if remainder.is_zero() {
            return Sign::Zero;
        }
        let product = &self.polynomial.derivative() * &remainder;
        let second = product.remainder(self.polynomial);
        let sequence = RemainderSequence::new(self.polynomial.clone(), second);
        match sequence.variations(low).cmp(&sequence.variations(high)) {
            Ordering::Less => Sign::Negative,
            Ordering::Equal => Sign::Zero,
            Ordering::Greater => Sign::Positive,
        }
    }
}

/// The sign of a polynomial of degree 2 at most on a whole interval, if it is obvious: the same at both
/// ends, and the derivative, which is linear, changes no sign.
fn constant_sign(polynomial: &Polynomial, low: &Instant, high: &Instant) -> Option<Sign> {
    let sign = polynomial.sign_at(low);
    let derivative = polynomial.derivative();
    (derivative.derivative().is_constant()
        && sign == polynomial.sign_at(high)
        && !sign.is_zero()
        && derivative.sign_at(low) == derivative.sign_at(high))
    .then_some(sign)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The product of some bt − a.
    fn product(factors: &[(i32, i32)]) -> Polynomial {
        let factor = |&(a, b): &(i32, i32)| Polynomial::new(vec![(-a).into(), b.into()]);
        let one = Polynomial::new(vec![1.into()]);
        factors.iter().map(factor).fold(one, |product, factor| &product * &factor)
    }

    proptest! {
        /// Roots are found and compared with fractions by both ways, double ones and those at halves included.
        #[test]
        fn roots_are_those_of_the_factors(
            factors in proptest::collection::vec((-3_i32..12, 1_i32..9), 1..7),
            fractions in proptest::collection::vec((0_i32..9, 1_i32..9), 4),
        ) {
            let polynomial = product(&factors);
            let mut expected: Vec<(i32, i32)> =
                factors.iter().copied().filter(|&(a, b)| (0..=b).contains(&a)).collect();
            expected.sort_by(|(a, b), (c, d)| (a * d).cmp(&(c * b)));
            expected.dedup_by(|(a, b), (c, d)| *a * *d == *c * *b);
            let check = |roots: &[Root<'_>]| {
                prop_assert_eq!(roots.len(), expected.len());
                for (root, (a, b)) in roots.iter().zip(&expected) {
                    for &(c, d) in &fractions {
                        let sign = Sign::of(f64::from(a * d - c * b));
                        prop_assert_eq!(root.sign_of(&product(&[(c, d)])), sign);
                        let all = product(&[(c, d), (c, d), (c, d), (1, 9)]);
                        let ninth = Sign::of(f64::from(9 * a - b));
                        prop_assert_eq!(root.sign_of(&all), sign * ninth);
                    }
                }
                Ok(())
            };
            with_roots(&polynomial, |roots| check(roots))?;
            check(&Root::isolate(&square_free(&polynomial), 1.0))?;
            if let Some(roots) = Root::isolate_by_halves(&polynomial) {
                check(&roots)?;
            }
        }
    }

    /// 100t³ − 120t² + 21t + 3 is positive and rises at 0 and at 1, and is negative between.
    #[test]
    fn cubics_may_change_their_sign_twice_between_the_bounds_of_a_root() {
        let polynomial = |numbers: &[i32]| {
            Polynomial::new(numbers.iter().map(|&number| number.into()).collect())
        };
        let line = polynomial(&[-1, 2]);
        let cubic = polynomial(&[3, 21, -120, 100]);
        let roots = Root::isolate(&line, 1.0);
        assert!(matches!(roots[0].place, Place::Between { .. }));
        assert_eq!(roots[0].sign_of(&cubic), Sign::Negative);
    }
}

//! Polynomials in one variable with exact coefficients, and where their roots are (Sturm 1829).
//!
//! In a Sturm chain every polynomial is the negative remainder of the two before it, up to a positive factor. The number of changes of
//! sign along the chain at a, less that at b, is the number of different roots in (a, b] of a polynomial without multiple roots.

use crate::Sign;
use crate::exact::Dyadic;

/// The coefficients by ascending powers; the last one is not zero.
#[derive(Clone, Debug)]
pub(crate) struct Polynomial(Vec<Dyadic>);

impl Polynomial {
    pub(crate) fn new(mut coefficients: Vec<Dyadic>) -> Self {
        while coefficients.last().is_some_and(|last| last.sign().is_zero()) {
            coefficients.pop();
        }
        Self(coefficients)
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    fn coefficient(&self, power: usize) -> Dyadic {
        self.0.get(power).cloned().unwrap_or_else(|| Dyadic::of(0.0))
    }

    fn each(&self, other: &Self, op: impl Fn(&Dyadic, &Dyadic) -> Dyadic) -> Self {
        let count = self.0.len().max(other.0.len());
        Self::new((0..count).map(|i| op(&self.coefficient(i), &other.coefficient(i))).collect())
    }

    pub(crate) fn add(&self, other: &Self) -> Self {
        self.each(other, |a, b| a + b)
    }

    pub(crate) fn sub(&self, other: &Self) -> Self {
        self.each(other, |a, b| a - b)
    }

    pub(crate) fn mul(&self, other: &Self) -> Self {
        let mut product = vec![Dyadic::of(0.0); self.0.len() + other.0.len()];
        for (i, a) in self.0.iter().enumerate() {
            for (j, b) in other.0.iter().enumerate() {
                product[i + j] = &product[i + j] + &(a * b);
            }
        }
        Self::new(product)
    }

    pub(crate) fn sign_at(&self, x: &Dyadic) -> Sign {
        let zero = Dyadic::of(0.0);
        self.0.iter().rev().fold(zero, |sum, coefficient| &(&sum * x) + coefficient).sign()
    }

    fn derivative(&self) -> Self {
        let powers = self.0.iter().enumerate().skip(1);
        Self::new(powers.map(|(power, a)| a * &Dyadic::of(power as f64)).collect())
    }

    /// The quotient and the remainder of a positive multiple by another polynomial, which is not zero.
    fn divided(&self, by: &Self) -> [Self; 2] {
        let mut remainder = self.0.clone();
        let mut quotient = vec![Dyadic::of(0.0); self.0.len()];
        let Some(leading) = by.0.last() else { return [self.clone(), Self(Vec::new())] };
        let is_negative = leading.sign().is_negative();
        let scale = if is_negative { -leading } else { leading.clone() };
        while remainder.len() >= by.0.len() {
            let Some(top) = remainder.pop() else { break };
            let top = if is_negative { -&top } else { top };
            let power = remainder.len() + 1 - by.0.len();
            remainder.iter_mut().for_each(|a| *a = &*a * &scale);
            quotient.iter_mut().for_each(|a| *a = &*a * &scale);
            quotient[power] = &quotient[power] + &top;
            for (a, b) in remainder[power..].iter_mut().zip(&by.0) {
                *a = &*a - &(&top * b);
            }
        }
        [Self::new(quotient), Self::new(remainder)]
    }

    /// The greatest common divisor, up to a factor.
    fn divisor(&self, other: &Self) -> Self {
        let (mut a, mut b) = (self.clone(), other.clone());
        while !b.is_zero() {
            let [_, remainder] = a.divided(&b);
            (a, b) = (b, remainder);
        }
        a
    }

    /// No root has so large an absolute value (Cauchy).
    fn bound(&self) -> Dyadic {
        let Some(leading) = self.0.last() else { return Dyadic::of(1.0) };
        let largest = self.0.iter().filter(|a| !a.sign().is_zero()).map(Dyadic::magnitude).max();
        let ratio = largest.unwrap_or(0) - leading.magnitude();
        Dyadic::of(1.0).times_power(ratio.max(0) + 2)
    }

    /// The roots that are not negative, in order; those of zero are none.
    pub(crate) fn roots_from_zero(&self) -> Vec<Root> {
        let (zero, chain) = (Dyadic::of(0.0), Sturm::of(self));
        let mut roots = Vec::new();
        if !self.is_zero() && self.sign_at(&zero).is_zero() {
            let mut below = Dyadic::of(-1.0);
            while chain.count(&below, &zero) > 1 {
                below = below.times_power(-1);
            }
            roots.push(Root { chain: chain.clone(), low: below, high: zero.clone() });
        }
        let mut parts = vec![[zero, self.bound()]];
        while let Some([low, high]) = parts.pop() {
            match chain.count(&low, &high) {
                0 => {}
                1 => roots.push(Root { chain: chain.clone(), low, high }),
                _ => {
                    let middle = middle(&low, &high);
                    parts.push([middle.clone(), high]);
                    parts.push([low, middle]);
                }
            }
        }
        roots
    }
}

pub(crate) fn middle(low: &Dyadic, high: &Dyadic) -> Dyadic {
    (low + high).times_power(-1)
}

/// The chain of a polynomial's factor without multiple roots.
#[derive(Clone, Debug)]
struct Sturm(Vec<Polynomial>);

impl Sturm {
    fn of(polynomial: &Polynomial) -> Self {
        let common = polynomial.divisor(&polynomial.derivative());
        let simple = if common.0.len() > 1 {
            let [quotient, _] = polynomial.divided(&common);
            quotient
        } else {
            polynomial.clone()
        };
        let mut chain = vec![simple.derivative(), simple];
        chain.swap(0, 1);
        while let [.., a, b] = &chain[..]
            && !b.is_zero()
        {
            let [_, remainder] = a.divided(b);
            chain.push(Polynomial(remainder.0.iter().map(|a| -a).collect()));
        }
        Self(chain)
    }

    fn changes(&self, x: &Dyadic) -> usize {
        let signs = self.0.iter().map(|polynomial| polynomial.sign_at(x));
        let signs: Vec<Sign> = signs.filter(|sign| !sign.is_zero()).collect();
        signs.windows(2).filter(|pair| pair[0] != pair[1]).count()
    }

    /// The number of different roots above `low`, up to `high`.
    fn count(&self, low: &Dyadic, high: &Dyadic) -> usize {
        self.changes(low).saturating_sub(self.changes(high))
    }
}

/// A root, the only one in an interval without its lower end.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    chain: Sturm,
    pub(crate) low: Dyadic,
    pub(crate) high: Dyadic,
}

impl Root {
    /// Halves the interval.
    pub(crate) fn refine(&mut self) {
        let middle = middle(&self.low, &self.high);
        if self.chain.count(&self.low, &middle) == 1 {
            self.high = middle;
        } else {
            self.low = middle;
        }
    }

    /// The sign of a polynomial at the root.
    pub(crate) fn sign_of(&self, polynomial: &Polynomial) -> Sign {
        let Some(own) = self.chain.0.first() else { return Sign::Zero };
        let common = own.divisor(polynomial);
        if polynomial.is_zero() || Sturm::of(&common).count(&self.low, &self.high) == 1 {
            return Sign::Zero;
        }
        let others = Sturm::of(polynomial);
        let mut root = self.clone();
        while others.count(&root.low, &root.high) > 0 {
            root.refine();
        }
        polynomial.sign_at(&root.high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcollide_fixtures::Random;

    fn of(coefficients: &[i64]) -> Polynomial {
        Polynomial::new(coefficients.iter().map(|&a| Dyadic::of(a as f64)).collect())
    }

    /// The product of x − a/2 for some numbers a, and of x² + x + 1 if that is wanted.
    fn with_roots(halves: &[i64], has_complex: bool) -> Polynomial {
        let start = if has_complex { of(&[1, 1, 1]) } else { of(&[-3]) };
        halves.iter().fold(start, |product, &a| product.mul(&of(&[-a, 2])))
    }

    /// Roots at halves, multiple ones and zero among them, are isolated, and other polynomials have their signs there.
    #[test]
    fn roots_and_signs_at_them_are_those_of_the_factors() {
        let mut random = Random::new(3);
        let (mut multiple, mut zeros) = (0, 0);
        for round in 0..400 {
            let halves: Vec<i64> =
                (0..random.below(4) + 1).map(|_| random.integer(-3, 5)).collect();
            let other: Vec<i64> = (0..random.below(3)).map(|_| random.integer(-3, 5)).collect();
            let polynomial = with_roots(&halves, round % 2 == 0);
            let second = with_roots(&other, round % 3 == 0);
            let mut expected: Vec<i64> = halves.iter().copied().filter(|&a| a >= 0).collect();
            expected.sort_unstable();
            let count = expected.len();
            expected.dedup();
            multiple += usize::from(expected.len() < count);
            let roots = polynomial.roots_from_zero();
            assert_eq!(roots.len(), expected.len(), "{halves:?}");
            for (mut root, &half) in roots.into_iter().zip(&expected) {
                let at = Dyadic::of(half as f64 * 0.5);
                let sign = root.sign_of(&second);
                assert_eq!(sign, second.sign_at(&at), "{halves:?} {other:?}");
                zeros += usize::from(sign.is_zero());
                for _ in 0..20 {
                    root.refine();
                    assert!(root.low < at && at <= root.high);
                }
            }
        }
        assert!(multiple > 30 && zeros > 30, "{multiple} {zeros}");
        // Roots that are no numbers of the computer: x² − 2 at 1.414…
        let [root] = &of(&[-2, 0, 1]).roots_from_zero()[..] else { panic!("one root") };
        assert_eq!(root.sign_of(&of(&[-1414, 1000])), Sign::Positive);
        assert_eq!(root.sign_of(&of(&[-1415, 1000])), Sign::Negative);
        assert_eq!(root.sign_of(&of(&[2, 3, -1])), Sign::Positive);
        assert_eq!(root.sign_of(&of(&[0, -4, 0, 2])), Sign::Zero);
    }
}

//! Polynomials in the time with integer coefficients, and their signs at exact times.

use std::ops::{Add, Mul, Neg, Sub};

use num_bigint::{BigInt, Sign as BigSign};
use num_traits::{Signed, ToPrimitive, Zero};

use super::instant::Instant;
use crate::Sign;

/// c₀ + c₁t + c₂t² + …, without leading zeros; zero has no coefficients.
#[derive(Clone, Debug)]
pub(crate) struct Polynomial(Vec<BigInt>);

impl Polynomial {
    pub(crate) fn new(mut coefficients: Vec<BigInt>) -> Self {
        while coefficients.last().is_some_and(Zero::is_zero) {
            coefficients.pop();
        }
        Self(coefficients)
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn is_constant(&self) -> bool {
        self.0.len() <= 1
    }

    pub(crate) fn derivative(&self) -> Self {
        Self((1..self.0.len()).map(|i| &self.0[i] * i).collect())
    }

    /// The sign of the value at a time, by Horner's rule on the numerator.
    pub(crate) fn sign_at(&self, time: &Instant) -> Sign {
        let Some((leading, rest)) = self.0.split_last() else {
            return Sign::Zero;
        };
        let mut sum = leading.clone();
        for (i, coefficient) in rest.iter().rev().enumerate() {
            sum *= time.numerator();
            if !coefficient.is_zero() {
                sum += coefficient << (time.shift() * (i + 1));
            }
        }
        sign_of(&sum)
    }

    fn leading(&self) -> Option<&BigInt> {
        self.0.last()
    }

    /// Quotient and remainder of a positive multiple of this polynomial by another one, which is not
    /// zero.
    fn divided(&self, divisor: &Self) -> (Self, Self) {
        let Some(leading) = divisor.leading() else {
            return (Self(Vec::new()), self.clone());
        };
        let (factor, is_negative) = (leading.abs(), leading.is_negative());
        let mut remainder = self.clone();
        let mut quotient = vec![BigInt::zero(); self.0.len()];
        while remainder.0.len() >= divisor.0.len() {
            let Some(top) = remainder.0.pop() else { break };
            let top = if is_negative { -top } else { top };
            let shift = remainder.0.len() + 1 - divisor.0.len();
            remainder.0.iter_mut().chain(&mut quotient).for_each(|c| *c *= &factor);
            for (i, coefficient) in divisor.0.iter().rev().skip(1).rev().enumerate() {
                remainder.0[shift + i] -= &top * coefficient;
            }
            quotient[shift] += top;
            remainder = Self::new(remainder.0);
        }
        (Self::new(quotient), remainder)
    }

    /// A positive multiple of the remainder of the division by a polynomial that is not zero.
    pub(crate) fn remainder(&self, divisor: &Self) -> Self {
        self.divided(divisor).1
    }

    /// A multiple of the quotient by a divisor of this polynomial.
    pub(crate) fn quotient(&self, divisor: &Self) -> Self {
        self.divided(divisor).0
    }

    /// The coefficients, c₀ first, times a common power of two, rounded.
    pub(crate) fn rounded(&self) -> impl DoubleEndedIterator<Item = f64> {
        let bits = self.0.iter().map(BigInt::bits).max().unwrap_or(0);
        let surplus = bits.saturating_sub(500);
        self.0.iter().map(move |c| {
            let value = if surplus == 0 { c.to_f64() } else { (c >> surplus).to_f64() };
            value.unwrap_or(0.0)
        })
    }
}

fn sign_of(number: &BigInt) -> Sign {
    match number.sign() {
        BigSign::Minus => Sign::Negative,
        BigSign::NoSign => Sign::Zero,
        BigSign::Plus => Sign::Positive,
    }
}

impl Add for &Polynomial {
    type Output = Polynomial;

    fn add(self, other: &Polynomial) -> Polynomial {
        let (long, short) =
            if self.0.len() < other.0.len() { (other, self) } else { (self, other) };
        let mut sum = long.0.clone();
        for (a, b) in sum.iter_mut().zip(&short.0) {
            *a += b;
        }
        Polynomial::new(sum)
    }
}

impl Sub for &Polynomial {
    type Output = Polynomial;

    fn sub(self, other: &Polynomial) -> Polynomial {
        let mut difference = self.0.clone();
        difference.resize(self.0.len().max(other.0.len()), BigInt::zero());
        for (a, b) in difference.iter_mut().zip(&other.0) {
            *a -= b;
        }
        Polynomial::new(difference)
    }
}

impl Mul for &Polynomial {
    type Output = Polynomial;

    fn mul(self, other: &Polynomial) -> Polynomial {
        let mut product = vec![BigInt::zero(); (self.0.len() + other.0.len()).saturating_sub(1)];
        for (i, a) in self.0.iter().enumerate() {
            for (j, b) in other.0.iter().enumerate() {
                product[i + j] += a * b;
            }
        }
        Polynomial::new(product)
    }
}

impl Neg for Polynomial {
    type Output = Self;

    fn neg(self) -> Self {
        Self(self.0.into_iter().map(Neg::neg).collect())
    }
}

/// The signed remainders of two polynomials, of which the first is not zero: each is minus a positive
/// multiple of the remainder of the two before it. The last is a greatest common divisor.
pub(crate) struct RemainderSequence(Vec<Polynomial>);

impl RemainderSequence {
    pub(crate) fn new(first: Polynomial, second: Polynomial) -> Self {
        let mut sequence = vec![first];
        let mut next = second;
        while !next.is_zero() {
            let after = -sequence[sequence.len() - 1].remainder(&next);
            sequence.push(next);
            next = after;
        }
        Self(sequence)
    }

    pub(crate) fn greatest_common_divisor(&self) -> &Polynomial {
        &self.0[self.0.len() - 1]
    }

    /// How often the sign changes along the sequence at a time, zeros left out.
    pub(crate) fn variations(&self, time: &Instant) -> usize {
        let signs = self.0.iter().map(|polynomial| polynomial.sign_at(time));
        let mut variations = 0;
        let mut last = Sign::Zero;
        for sign in signs.filter(|sign| !sign.is_zero()) {
            variations += usize::from(sign == -last);
            last = sign;
        }
        variations
    }
}

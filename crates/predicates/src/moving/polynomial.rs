//! Polynomials in the time with integer coefficients, and their signs at exact times.

use std::ops::{Add, Mul, Neg, Sub};

use num_bigint::{BigInt, Sign as BigSign};
use num_traits::{One, Signed, ToPrimitive, Zero};

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

    /// Divided by the greatest power of t.
    pub(crate) fn without_root_at_zero(&self) -> Self {
        Self(self.0.iter().skip_while(|c| c.is_zero()).cloned().collect())
    }

    /// The polynomial of t/2, times a power of two.
    pub(crate) fn stretched(&self) -> Self {
        let degree = self.0.len().saturating_sub(1);
        Self(self.0.iter().enumerate().map(|(i, c)| c << (degree - i)).collect())
    }

    /// The polynomial of t + 1.
    pub(crate) fn shifted(&self) -> Self {
        let mut coefficients = self.0.clone();
        for start in 1..coefficients.len() {
            for i in (start..coefficients.len()).rev() {
                let (lower, upper) = coefficients.split_at_mut(i);
                lower[i - 1] += &upper[0];
            }
        }
        Self(coefficients)
    }

    /// How often the sign changes along the coefficients of (1 + t)ⁿ p(1 / (1 + t)), with the degree n: as often as there are roots
    /// between 0 and 1, or by an even number more (Descartes).
    pub(crate) fn variations(&self) -> usize {
        let turned = Self(self.0.iter().rev().cloned().collect()).shifted();
        variations(turned.0.iter().map(sign_of))
    }

    fn leading(&self) -> Option<&BigInt> {
        self.0.last()
    }

    /// Quotient and remainder of a positive multiple of this polynomial by another one, which is not
    /// zero; and how often it is multiplied by the absolute value of the divisor's leading coefficient.
    fn divided(&self, divisor: &Self) -> (Self, Self, usize) {
        let mut times = 0;
        let Some(leading) = divisor.leading() else {
            return (Self(Vec::new()), self.clone(), times);
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
            times += 1;
            remainder = Self::new(remainder.0);
        }
        (Self::new(quotient), remainder, times)
    }

    /// A positive multiple of the remainder of the division by a polynomial that is not zero.
    pub(crate) fn remainder(&self, divisor: &Self) -> Self {
        self.divided(divisor).1
    }

    /// A multiple of the quotient by a divisor of this polynomial.
    pub(crate) fn quotient(&self, divisor: &Self) -> Self {
        self.divided(divisor).0
    }

    /// The sign on an interval within [0, 1], if f64 tells it.
    ///
    /// Of each term the least and the greatest value are products of at most n + 2 numbers, each operation off by 2⁻⁵³ of the
    /// result, with n of them added up: below 2⁻⁴⁸ of the sum of all absolute values for degrees up to 12. What is cut off of a coefficient
    /// is less than 1.
    pub(crate) fn sign_between(&self, low: f64, high: f64) -> Option<Sign> {
        const ROUNDING: f64 = 1.0 / (1_u64 << 48) as f64;
        let (mut least, mut greatest, mut sum) = (0.0, 0.0, 0.0);
        let (mut of_low, mut of_high) = (1.0, 1.0);
        for coefficient in self.rounded() {
            let (at_low, at_high) = (coefficient * of_low, coefficient * of_high);
            least += at_low.min(at_high);
            greatest += at_low.max(at_high);
            sum += at_high.abs();
            of_low *= low;
            of_high *= high;
        }
        let error = ROUNDING * sum + self.0.len() as f64;
        if self.0.len() > 13 || !sum.is_finite() {
            None
        } else if least > error {
            Some(Sign::Positive)
        } else {
            (greatest < -error).then_some(Sign::Negative)
        }
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
///
/// By what the dividend was multiplied in one step, the remainder of the next step can be divided, if that was as often as may be needed
/// (Collins, *Subresultants and reduced polynomial remainder sequences*, 1967). Else coefficients would have twice as many digits in
/// each step.
pub(crate) struct RemainderSequence(Vec<Polynomial>);

impl RemainderSequence {
    pub(crate) fn new(first: Polynomial, second: Polynomial) -> Self {
        let mut sequence = vec![first];
        let mut next = second;
        let mut divisor = BigInt::one();
        while !next.is_zero() {
            let last = &sequence[sequence.len() - 1];
            let (_, mut after, times) = last.divided(&next);
            after.0.iter_mut().for_each(|c| *c /= &divisor);
            let is_whole = times == (last.0.len() + 1).saturating_sub(next.0.len());
            divisor = match next.leading() {
                Some(leading) if is_whole => leading.abs().pow(times as u32),
                _ => BigInt::one(),
            };
            sequence.push(next);
            next = -after;
        }
        Self(sequence)
    }

    pub(crate) fn greatest_common_divisor(&self) -> &Polynomial {
        &self.0[self.0.len() - 1]
    }

    /// How often the sign changes along the sequence at a time, zeros left out.
    pub(crate) fn variations(&self, time: &Instant) -> usize {
        variations(self.0.iter().map(|polynomial| polynomial.sign_at(time)))
    }
}

/// How often the sign changes, zeros left out.
fn variations(signs: impl Iterator<Item = Sign>) -> usize {
    let mut variations = 0;
    let mut last = Sign::Zero;
    for sign in signs.filter(|sign| !sign.is_zero()) {
        variations += usize::from(sign == -last);
        last = sign;
    }
    variations
}

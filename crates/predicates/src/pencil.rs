//! Whether one quadratic function keeps another one positive: exact.
//!
//! Let f and g be quadratic functions, and let g be negative somewhere. Then f is not negative wherever g is not positive if and only
//! if f + μg is not negative anywhere for some number μ ≥ 0 (the S-lemma, Yakubovich 1971; Pólik and Terlaky, *A survey of
//! the S-lemma*, 2007). With the symmetric matrices F and G of both, and τ = μ / (1 + μ), that is a number from 0 to 1 for which
//! (1 − τ) F + τG has no negative eigenvalue. These numbers are an interval, the ends of which are 0 or roots of the
//! determinant. A matrix has no negative eigenvalue if the sums of its principal minors of each size are not negative; they are polynomials in
//! τ, whose signs at the roots are decided exactly.

use num_bigint::BigInt;

use crate::Sign;
use crate::exact::{Dyadic, integers};
use crate::moving::instant::Instant;
use crate::moving::polynomial::Polynomial;
use crate::moving::root::{Root, with_roots};

/// A symmetric matrix of three or four rows.
pub(crate) type Matrix = Vec<Vec<Dyadic>>;

/// The matrices (1 − τ) F + τG for τ from 0 to 1; G has a negative eigenvalue.
pub(crate) struct Pencil {
    /// The sums of the principal minors by their size, but the determinant.
    sums: Vec<Polynomial>,
    determinant: Polynomial,
    /// G is multiplied by 2 to this power.
    exponent: i64,
}

impl Pencil {
    pub(crate) fn new(f: &Matrix, g: &Matrix) -> Self {
        let count = f.len();
        // Of about the same size, so that the ends are not near 0 or 1.
        let size = |matrix: &Matrix| {
            let sizes = matrix.iter().flatten().filter(|x| !x.sign().is_zero());
            sizes.map(Dyadic::magnitude).max().unwrap_or(0)
        };
        let exponent = size(f) - size(g);
        let scaled: Vec<Dyadic> =
            g.iter().flatten().map(|x| x.clone().times_power(exponent)).collect();
        let all: Vec<&Dyadic> = f.iter().flatten().chain(&scaled).collect();
        let whole = integers(&all);
        let (of_f, of_g) = whole.split_at(count * count);
        let entry = |i: usize| {
            let difference: BigInt = &of_g[i] - &of_f[i];
            Polynomial::new(vec![of_f[i].clone(), difference])
        };
        let entries: Vec<Polynomial> = (0..count * count).map(entry).collect();
        let rows: Vec<&[Polynomial]> = entries.chunks(count).collect();
        let sum = |size: usize| {
            let zero = Polynomial::new(Vec::new());
            let sets = (0..1_usize << count).filter(|set| set.count_ones() as usize == size);
            sets.fold(zero, |sum, set| {
                let chosen: Vec<usize> = (0..count).filter(|k| set >> k & 1 == 1).collect();
                &sum + &minor(&rows, &chosen, &chosen)
            })
        };
        let determinant = sum(count);
        Self { sums: (1..count).map(sum).collect(), determinant, exponent }
    }

    /// Positive if one of the matrices is positive definite, zero if one has at least no negative eigenvalue, else negative.
    pub(crate) fn sign(&self) -> Sign {
        if self.begins_definite() {
            return Sign::Positive;
        }
        self.with_ends(|ends| match ends.len() {
            0 => Sign::Negative,
            1 => Sign::Zero,
            _ => Sign::Positive,
        })
    }

    /// The weights of F and G in a matrix that is positive definite, if there is one.
    pub(crate) fn definite_at(&self) -> Option<[Dyadic; 2]> {
        let weights = |time: &Instant| {
            let part = Dyadic::of_integer(time.numerator().clone(), -(time.shift() as i64));
            [&Dyadic::of(1.0) - &part, part.times_power(self.exponent)]
        };
        if self.begins_definite() {
            return Some(weights(&Instant::of(0.0)));
        }
        self.with_ends(|ends| match ends {
            [first, .., last] => Some(weights(&first.time_before(last))),
            _ => None,
        })
    }

    /// Whether F is positive definite.
    fn begins_definite(&self) -> bool {
        let start = Instant::of(0.0);
        let all = self.sums.iter().chain([&self.determinant]);
        all.map(|sum| sum.sign_at(&start)).all(Sign::is_positive)
    }

    /// What a function tells of the ends of the interval, if it is not empty and does not begin with a positive definite matrix.
    fn with_ends<T>(&self, of: impl FnOnce(&mut [Root<'_>]) -> T) -> T {
        with_roots(&self.determinant, |roots| {
            let is_end =
                |root: &Root<'_>| self.sums.iter().all(|sum| !root.sign_of(sum).is_negative());
            let mut ends: Vec<Root<'_>> =
                roots.iter().filter(|&root| is_end(root)).cloned().collect();
            of(&mut ends)
        })
    }
}

/// The determinant of some rows and columns.
pub(crate) fn minor(all: &[&[Polynomial]], rows: &[usize], columns: &[usize]) -> Polynomial {
    let Some((&row, rows)) = rows.split_first() else {
        return Polynomial::new(vec![BigInt::from(1)]);
    };
    let mut sum = Polynomial::new(Vec::new());
    for (i, &column) in columns.iter().enumerate() {
        let others: Vec<usize> = columns.iter().copied().filter(|&k| k != column).collect();
        let term = &all[row][column] * &minor(all, rows, &others);
        sum = if i.is_multiple_of(2) { &sum + &term } else { &sum - &term };
    }
    sum
}

//! Whether one quadratic function keeps another one positive: exact.
//!
//! Let f and g be quadratic functions, and let g be negative somewhere. Then f is not negative wherever g is not positive if and only
//! if f + μg is not negative anywhere for some number μ ≥ 0 (the S-lemma, Yakubovich 1971; Pólik and Terlaky, *A survey of
//! the S-lemma*, 2007). With the symmetric matrices F and G of both, that is a number for which F + μG has no negative eigenvalue. These
//! numbers are an interval, the ends of which are 0 or roots of det(F + μG). A matrix has no negative eigenvalue if the sums of its
//! principal minors of each size are not negative; they are polynomials in μ, whose signs at the roots are decided exactly.

use crate::Sign;
use crate::exact::Dyadic;
use crate::polynomial::{Polynomial, Root, middle};

/// A symmetric matrix of three or four rows.
pub(crate) type Matrix = Vec<Vec<Dyadic>>;

/// The matrices F + μG for all numbers μ ≥ 0; G has a negative eigenvalue.
pub(crate) struct Pencil {
    /// The sums of the principal minors by their size; the last one is the determinant.
    sums: Vec<Polynomial>,
}

impl Pencil {
    pub(crate) fn new(f: &Matrix, g: &Matrix) -> Self {
        let count = f.len();
        let entry = |i: usize, j: usize| Polynomial::new(vec![f[i][j].clone(), g[i][j].clone()]);
        let all: Vec<Vec<Polynomial>> =
            (0..count).map(|i| (0..count).map(|j| entry(i, j)).collect()).collect();
        let sum = |size: usize| {
            let zero = Polynomial::new(Vec::new());
            let sets = (0..1_usize << count).filter(|set| set.count_ones() as usize == size);
            sets.fold(zero, |sum, set| {
                let rows: Vec<usize> = (0..count).filter(|k| set >> k & 1 == 1).collect();
                sum.add(&determinant(&all, &rows, &rows))
            })
        };
        Self { sums: (1..=count).map(sum).collect() }
    }

    /// Positive if one of the matrices is positive definite, zero if one has at least no negative eigenvalue, else negative.
    pub(crate) fn sign(&self) -> Sign {
        match (self.is_definite(&Dyadic::of(0.0)), self.ends().len()) {
            (true, _) | (_, 2..) => Sign::Positive,
            (_, 1) => Sign::Zero,
            (_, 0) => Sign::Negative,
        }
    }

    /// A number for which the matrix is positive definite, if there is one.
    pub(crate) fn definite_at(&self) -> Option<Dyadic> {
        let zero = Dyadic::of(0.0);
        if self.is_definite(&zero) {
            return Some(zero);
        }
        let ends = self.ends();
        let [first, .., last] = &ends[..] else { return None };
        let (mut first, mut last) = (first.clone(), last.clone());
        loop {
            let between = middle(&first.high, &last.low);
            if self.is_definite(&between) {
                return Some(between);
            }
            first.refine();
            last.refine();
        }
    }

    fn is_definite(&self, at: &Dyadic) -> bool {
        self.sums.iter().all(|sum| sum.sign_at(at).is_positive())
    }

    /// The ends of the interval, if it is not empty and does not begin with a positive definite matrix at 0.
    fn ends(&self) -> Vec<Root> {
        let Some((determinant, others)) = self.sums.split_last() else { return Vec::new() };
        let mut roots = determinant.roots_from_zero();
        roots.retain(|root| others.iter().all(|sum| !root.sign_of(sum).is_negative()));
        roots
    }
}

fn determinant(all: &[Vec<Polynomial>], rows: &[usize], columns: &[usize]) -> Polynomial {
    let Some((&row, rows)) = rows.split_first() else {
        return Polynomial::new(vec![Dyadic::of(1.0)]);
    };
    let mut sum = Polynomial::new(Vec::new());
    for (i, &column) in columns.iter().enumerate() {
        let others: Vec<usize> = columns.iter().copied().filter(|&k| k != column).collect();
        let term = all[row][column].mul(&determinant(all, rows, &others));
        sum = if i.is_multiple_of(2) { sum.add(&term) } else { sum.sub(&term) };
    }
    sum
}

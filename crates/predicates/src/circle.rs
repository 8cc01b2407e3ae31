//! Circles in space, and where on them functions are not negative: exact.
//!
//! With the center c and two radii u and v, the points (1 + t²) c + (1 − t²) u + 2t v, in homogeneous coordinates, are a quarter of the
//! circle for t from 0 to 1. A quadratic function of them is a polynomial of degree four in t, a linear one of degree two.

use crate::Sign;
use crate::exact::{Dyadic, integers};
use crate::moving::polynomial::Polynomial;
use crate::moving::root::{Root, with_roots};
use crate::pencil::Matrix;
use crate::quadric::{Form, value};

/// A quarter of a circle, or of an ellipse if the radii are not perpendicular: what is multiplied by 1, t and t².
pub(crate) struct Quarter([Form; 3]);

impl Quarter {
    /// Those of a circle by its center and two radii.
    pub(crate) fn all([center, u, v]: &[Form; 3]) -> [Self; 4] {
        let quarter = |turns: usize| {
            let [from, to] = [turns, turns + 1].map(|turn| {
                let radius = if turn.is_multiple_of(2) { u } else { v };
                radius.each_ref().map(|x| if turn & 2 == 0 { x.clone() } else { -x })
            });
            let along = |k: usize| {
                [&center[k] + &from[k], to[k].clone().times_power(1), &center[k] - &from[k]]
            };
            let columns = [0, 1, 2, 3].map(along);
            Self([0, 1, 2].map(|power| columns.each_ref().map(|column| column[power].clone())))
        };
        [0, 1, 2, 3].map(quarter)
    }

    /// The points with which a quadratic form has the matrix for [`quadratic`].
    pub(crate) fn columns(&self) -> &[Form; 3] {
        &self.0
    }

    /// A linear function.
    pub(crate) fn linear(&self, form: &Form) -> Polynomial {
        polynomial(&self.0.each_ref().map(|column| value(form, column)))
    }
}

/// A quadratic function by its matrix for the columns of a quarter.
pub(crate) fn quadratic(matrix: &Matrix) -> Polynomial {
    let twice = |i: usize, j: usize| matrix[i][j].clone().times_power(1);
    let middle = &twice(0, 2) + &matrix[1][1];
    polynomial(&[matrix[0][0].clone(), twice(0, 1), middle, twice(1, 2), matrix[2][2].clone()])
}

fn polynomial(coefficients: &[Dyadic]) -> Polynomial {
    Polynomial::new(integers(&coefficients.iter().collect::<Vec<_>>()))
}

/// Negative if all of some polynomials are positive somewhere from 0 on to a little beyond 1, zero if at least none of them is negative,
/// else positive.
///
/// Where none is negative begins at 0 or at a root of one of them, and where all are positive right after one.
pub(crate) fn common_sign(all: &[Polynomial]) -> Sign {
    let mut least = Sign::Positive;
    let is_nowhere = each_beginning(all.iter(), |root| {
        if all.iter().all(|polynomial| sign_after(root, polynomial).is_positive()) {
            return false;
        }
        if all.iter().all(|polynomial| !root.sign_of(polynomial).is_negative()) {
            least = Sign::Zero;
        }
        true
    });
    if is_nowhere { least } else { Sign::Negative }
}

/// Whether everywhere from 0 to 1 the polynomials of at least one list are not negative.
///
/// Where this is not so begins at 0 or right after a root.
pub(crate) fn is_covered(lists: &[Vec<Polynomial>]) -> bool {
    each_beginning(lists.iter().flatten(), |root| {
        let is_inside = |polynomial| !sign_after(root, polynomial).is_negative();
        lists.iter().any(|list| list.iter().all(is_inside))
    })
}

/// Whether something holds at 0 and at all roots of some polynomials from 0 to 1.
fn each_beginning<'p>(
    all: impl Iterator<Item = &'p Polynomial>,
    mut holds: impl FnMut(&Root<'_>) -> bool,
) -> bool {
    let mut at_roots =
        |polynomial: &Polynomial| with_roots(polynomial, |roots| roots.iter().all(&mut holds));
    let mut changing = all.filter(|polynomial| !polynomial.is_constant());
    at_roots(&Polynomial::new(vec![0.into(), 1.into()])) && changing.all(at_roots)
}

/// The sign right after a root.
fn sign_after(root: &Root<'_>, polynomial: &Polynomial) -> Sign {
    let mut derivative = polynomial.clone();
    while !derivative.is_zero() {
        let sign = root.sign_of(&derivative);
        if !sign.is_zero() {
            return sign;
        }
        derivative = derivative.derivative();
    }
    Sign::Zero
}

//! Solids with formulas that are moved without rounding: points that f64 has, and heights above planes. Exact, without a root:
//! numbers with roots are compared by their signs and squares.
//!
//! A convex set is below a plane if its height above it, the greatest value of a linear function, is not positive. For the
//! moved image of a round solid, that is a number and the root of another one.

use crate::exact::{Dyadic, Vector, dot, vector};
use crate::{Point, Sign, Solid};

/// A solid that is moved by a matrix and a translation, as for [`solid_side`](crate::solid_side).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MovedSolid {
    /// The solid in its frame.
    pub solid: Solid,
    /// The matrix: a rotation within 1e-6 of any entry.
    pub matrix: [[f64; 3]; 3],
    /// Where the origin of the frame is.
    pub translation: Point,
}

impl MovedSolid {
    /// The image of a vector of the frame.
    pub(crate) fn turned(&self, local: [f64; 3]) -> Vector {
        self.matrix.map(|row| dot(&row.map(Dyadic::of), &local.map(Dyadic::of)))
    }

    pub(crate) fn center(&self) -> Vector {
        vector(self.translation)
    }

    /// The image of a point of the frame, if f64 has it.
    ///
    /// ```
    /// use xcollide_predicates::{MovedSolid, Solid};
    ///
    /// let matrix = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
    /// let solid = Solid::Cuboid { half: [1.0, 2.0, 3.0] };
    /// let moved = MovedSolid { solid, matrix, translation: [0.5, 0.0, 0.0] };
    /// assert_eq!(moved.exact_point([1.0, 2.0, 3.0]), Some([-1.5, 1.0, 3.0]));
    /// assert_eq!(moved.exact_point([1.0, 1e-30, 3.0]), None);
    /// ```
    #[must_use]
    pub fn exact_point(&self, local: [f64; 3]) -> Option<Point> {
        let image = self.turned(local);
        let center = self.center();
        let mut point = [0.0; 3];
        for k in 0..3 {
            let exact = &center[k] + &image[k];
            point[k] = exact.ratio(&Dyadic::of(1.0));
            if !point[k].is_finite() || Dyadic::of(point[k]) != exact {
                return None;
            }
        }
        Some(point)
    }

    /// The signs of the least and the greatest height of a cylinder, cone or ellipsoid above a plane; `base`: that of the center. `None` for
    /// other solids.
    pub(crate) fn extremes(&self, normal: &Vector, base: Dyadic) -> Option<[Sign; 2]> {
        // The normal in the frame.
        let along: Vector = [0, 1, 2].map(|k| {
            let column = self.matrix.map(|row| Dyadic::of(row[k]));
            dot(normal, &column)
        });
        let of = Dyadic::of;
        let across = &along[0].squared() + &along[1].squared();
        let (mut least, mut greatest) = (Sign::Positive, Sign::Negative);
        // A disc, ball or ellipsoid about a center: its height is that of the center, and more or less by a root.
        let mut add = |center: Dyadic, square: Dyadic| {
            least = least.min(less_root(&center, &square));
            greatest = greatest.max(-less_root(&-&center, &square));
        };
        match self.solid {
            Solid::Cylinder { half, radius } => {
                let square = &of(radius).squared() * &across;
                let end = &of(half) * &along[2];
                add(&base - &end, square.clone());
                add(&base + &end, square);
            }
            Solid::Cone { half, radius } => {
                let end = &of(half) * &along[2];
                add(&base - &end, &of(radius).squared() * &across);
                add(&base + &end, of(0.0));
            }
            Solid::Ellipsoid { half } => {
                let part = |k: usize| (&of(half[k]) * &along[k]).squared();
                add(base, &(&part(0) + &part(1)) + &part(2));
            }
            _ => return None,
        }
        Some([least, greatest])
    }
}

/// The sign of number − √square.
pub(crate) fn less_root(number: &Dyadic, square: &Dyadic) -> Sign {
    match number.sign() {
        Sign::Positive => (&number.squared() - square).sign(),
        Sign::Zero => -square.sign(),
        Sign::Negative => Sign::Negative,
    }
}

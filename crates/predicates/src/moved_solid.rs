//! Solids with formulas that are moved without rounding: points that f64 has, and heights above planes. Exact, without a root:
//! numbers with roots are compared by their signs and squares.
//!
//! A convex set is below a plane if its height above it, the greatest value of a linear function, is not positive. For the
//! moved image of a round solid, that is a number and the root of another one.

use crate::exact::{Dyadic, Vector, dot, minus, vector};
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

    /// The signs of the least and of the greatest value of normal · (p − point) for all points p of the solid; `None` for half
    /// spaces. Exact for all finite numbers. Takes some microseconds.
    ///
    /// ```
    /// use xcollide_predicates::{MovedSolid, Sign, Solid};
    ///
    /// // A ball of radius 7 under a plane with a normal of length 7: it touches.
    /// let matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let solid = Solid::Capsule { half: 0.0, radius: 7.0 };
    /// let ball = MovedSolid { solid, matrix, translation: [-2.0, -3.0, -6.0] };
    /// assert_eq!(ball.heights([2.0, 3.0, 6.0], [0.0; 3]), Some([Sign::Negative, Sign::Zero]));
    /// ```
    #[must_use]
    pub fn heights(&self, normal: [f64; 3], point: Point) -> Option<[Sign; 2]> {
        let normal = vector(normal);
        let base = dot(&normal, &minus(&self.center(), &vector(point)));
        self.extremes(&normal, base)
    }

    /// The same of normal · p − offset.
    #[must_use]
    pub fn heights_above(&self, normal: [f64; 3], offset: f64) -> Option<[Sign; 2]> {
        let normal = vector(normal);
        let base = &dot(&normal, &self.center()) - &Dyadic::of(offset);
        self.extremes(&normal, base)
    }

    /// The signs of the least and the greatest height; `base`: that of the center.
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
            Solid::HalfSpace => return None,
            Solid::Capsule { half, radius } => {
                let square = &of(radius).squared() * &dot(normal, normal);
                let end = &of(half) * &along[2];
                add(&base - &end, square.clone());
                add(&base + &end, square);
            }
            Solid::Cuboid { half } => {
                let size = |k: usize| {
                    let size = &of(half[k]) * &along[k];
                    if size.sign().is_negative() { -&size } else { size }
                };
                let all = &(&size(0) + &size(1)) + &size(2);
                add(&base - &all, of(0.0));
                add(&base + &all, of(0.0));
            }
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

//! How convex bodies lie to each other, and to triangles: exact.
//!
//! A body is moved by a matrix without rounding, so that everything is a question about polynomials in its numbers. There are three
//! kinds:
//!
//! - hulls of points, with a radius or without one: balls, capsules, boxes, polytopes. With a radius, squared distances decide; without,
//!   the planes of the faces.
//! - cylinders, cones and ellipsoids against what consists of triangles: each of these is clipped (`round_solid.rs`).
//! - round bodies against each other: pencils of quadratic functions (`pencil.rs`) against ellipsoids, ends and projections of
//!   cylinders and cones (`frusta_contact.rs`), and the parts of polytopes with a radius (`rounded_contact.rs`).

use crate::ellipsoid_contact::ellipsoid_gap;
use crate::ellipsoid_in_rounded::{Ellipsoid, holds_ellipsoid};
use crate::exact::{Dyadic, Vector, dot, vector};
use crate::exact_point::ExactPoint;
use crate::frusta_contact::frusta_gap;
use crate::quadric::homogeneous;
use crate::round_solid::{Piece, RoundSolid};
use crate::rounded_contact::{holds_disc, rounded_gap};
use crate::rounded_hull::RoundedHull;
use crate::{MovedSolid, Point, Sign, Solid};

/// A bounded convex body that is moved without rounding, for questions about touching.
///
/// ```
/// use xcollide_predicates::{ConvexBody, MovedSolid, Sign, Solid};
///
/// let matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let body = |solid, translation| ConvexBody::of(&MovedSolid { solid, matrix, translation });
/// let can = body(Solid::Cylinder { half: 1.0, radius: 5.0 }, [0.0; 3]).unwrap();
/// // The corner of a box in its side, at (4, 3, 0).
/// let cuboid = |x| body(Solid::Cuboid { half: [1.0; 3] }, [x, 4.0, 1.0]).unwrap();
/// assert_eq!(can.gap(&cuboid(5.0)), Sign::Zero);
/// assert_eq!(can.gap(&cuboid(5.0_f64.next_up())), Sign::Positive);
/// assert_eq!(can.gap(&cuboid(5.0_f64.next_down())), Sign::Negative);
/// ```
#[derive(Clone, Debug)]
pub struct ConvexBody {
    moved: MovedSolid,
    form: Form,
}

#[derive(Clone, Debug)]
enum Form {
    Hull(Box<RoundedHull>),
    Round(Box<RoundSolid>),
}

impl ConvexBody {
    /// A solid; `None` for half spaces, and for a cylinder, cone or ellipsoid under a matrix without an inverse.
    #[must_use]
    pub fn of(moved: &MovedSolid) -> Option<Self> {
        let hull = RoundedHull::of(moved).map(|hull| Form::Hull(Box::new(hull)));
        let form =
            hull.or_else(|| RoundSolid::of(moved).map(|round| Form::Round(Box::new(round))))?;
        Some(Self { moved: *moved, form })
    }

    /// A convex polytope by its vertices and its faces, each a loop of strictly convex corners, and all points at most `radius` away.
    /// A polygon, segment or point has faces of its own corners. The matrix moves the polytope and leaves the radius.
    ///
    /// `None` if there is no vertex.
    ///
    /// ```
    /// use xcollide_predicates::{ConvexBody, Sign};
    ///
    /// let matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let tile = |z| {
    ///     let corners = [[0.0; 3], [3.0, 0.0, 0.0], [0.0, 3.0, 0.0]];
    ///     ConvexBody::rounded(&corners, [[0, 1, 2]], 0.25, matrix, [0.0, 0.0, z]).unwrap()
    /// };
    /// assert_eq!(tile(0.0).gap(&tile(0.5)), Sign::Zero);
    /// assert_eq!(tile(0.0).side([1.0, 1.0, 0.25]), Sign::Zero);
    /// ```
    #[must_use]
    pub fn rounded<F: AsRef<[u32]>>(
        vertices: &[Point],
        faces: impl IntoIterator<Item = F>,
        radius: f64,
        matrix: [[f64; 3]; 3],
        translation: Point,
    ) -> Option<Self> {
        // Only the frame counts.
        let moved = MovedSolid { solid: Solid::HalfSpace, matrix, translation };
        let is_any = !vertices.is_empty();
        is_any.then(|| {
            let hull = RoundedHull::new(vertices, faces, radius, &moved);
            Self { moved, form: Form::Hull(Box::new(hull)) }
        })
    }

    pub(crate) fn hull(&self) -> Option<&RoundedHull> {
        match &self.form {
            Form::Hull(hull) => Some(hull),
            Form::Round(_) => None,
        }
    }

    /// Whether it has inner points; only a flat polytope without a radius has none.
    #[must_use]
    pub fn has_interior(&self) -> bool {
        match &self.form {
            Form::Hull(hull) => hull.has_interior(),
            Form::Round(_) => true,
        }
    }

    /// A point in the interior, or of a flat polytope without a radius in it.
    #[must_use]
    pub fn inner_point(&self) -> ExactPoint {
        ExactPoint::homogeneous(match &self.form {
            Form::Hull(hull) => hull.middle(),
            Form::Round(round) => homogeneous(round.center(), 1.0),
        })
    }

    /// How it lies to a triangle, which may be a segment or a point: positive if they are apart, zero if the triangle touches the surface
    /// only, negative if it reaches into the interior. Exact for all finite numbers. Takes some dozen microseconds, and more in
    /// proportion to the faces of a polytope.
    #[must_use]
    pub fn triangle_gap(&self, triangle: &[Point; 3]) -> Sign {
        self.gap_to(&triangle.map(vector))
    }

    /// The same for corners that f64 need not have.
    pub(crate) fn gap_to(&self, triangle: &[Vector; 3]) -> Sign {
        match &self.form {
            Form::Hull(hull) => hull.triangle_gap(triangle),
            Form::Round(round) => round.triangle_gap(triangle),
        }
    }

    /// Whether a point is inside (negative), on the surface (zero) or outside (positive). Exact.
    #[must_use]
    pub fn side(&self, point: Point) -> Sign {
        self.triangle_gap(&[point; 3])
    }

    /// How two bodies lie to each other: positive if they are apart, zero if they touch, negative if one has a point in the interior
    /// of the other. Exact for all finite numbers. Takes some microseconds to some hundred, between round bodies up to about a
    /// millisecond, and of a polytope with a radius some hundred microseconds for each edge that is near.
    #[must_use]
    pub fn gap(&self, body: &Self) -> Sign {
        match (&self.form, &body.form) {
            (Form::Hull(one), Form::Hull(other)) => one.gap(other),
            (Form::Hull(hull), Form::Round(round)) | (Form::Round(round), Form::Hull(hull)) => {
                if hull.is_round() {
                    rounded_gap(hull, round)
                } else {
                    hull.round_gap(round)
                }
            }
            (Form::Round(one), Form::Round(other)) => match (one.frustum(), other.frustum()) {
                (None, _) => ellipsoid_gap(&one.quadric(), other),
                (_, None) => ellipsoid_gap(&other.quadric(), one),
                (Some(one), Some(other)) => frusta_gap(&one, &other),
            },
        }
    }

    /// Whether all points of this body are in another one. Exact for all finite numbers. Takes about as long as [`gap`](Self::gap);
    /// an ellipsoid in a polytope with a radius some hundred microseconds for each corner and edge that it is near.
    #[must_use]
    pub fn is_in(&self, other: &Self) -> bool {
        let pieces = || match &self.form {
            Form::Hull(hull) => hull.pieces(),
            Form::Round(round) => round.pieces(),
        };
        match (&self.form, &other.form) {
            (Form::Hull(one), Form::Hull(other)) => one.is_in(other),
            (_, Form::Round(round)) => pieces().iter().all(|piece| round.holds(piece)),
            (Form::Round(round), Form::Hull(hull)) if !hull.is_round() => hull.holds(round),
            (_, Form::Hull(hull)) => {
                if let Some(ball) = hull.ball() {
                    return pieces().iter().all(|piece| piece.is_in(&ball));
                }
                if let Form::Round(round) = &self.form
                    && let Some(ellipsoid) = Ellipsoid::of(round)
                {
                    return holds_ellipsoid(hull, &ellipsoid);
                }
                pieces().iter().all(|piece| match piece {
                    Piece::Point([x, y, z, _]) => {
                        hull.holds_point(&[x.clone(), y.clone(), z.clone()])
                    }
                    Piece::Disc(disc) => holds_disc(hull, disc),
                    // Ellipsoids only, which are told above.
                    Piece::Round(_) => false,
                })
            }
        }
    }

    /// The signs of the least and of the greatest value of normal · (p − point) for all points p of the body. Exact for all finite
    /// numbers. Takes some microseconds.
    ///
    /// ```
    /// use xcollide_predicates::{ConvexBody, MovedSolid, Sign, Solid};
    ///
    /// // A ball of radius 7 under a plane with a normal of length 7: it touches.
    /// let matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let solid = Solid::Capsule { half: 0.0, radius: 7.0 };
    /// let ball = MovedSolid { solid, matrix, translation: [-2.0, -3.0, -6.0] };
    /// let ball = ConvexBody::of(&ball).unwrap();
    /// assert_eq!(ball.heights([2.0, 3.0, 6.0], [0.0; 3]), [Sign::Negative, Sign::Zero]);
    /// ```
    #[must_use]
    pub fn heights(&self, normal: [f64; 3], point: Point) -> [Sign; 2] {
        let (normal, point) = (vector(normal), vector(point));
        self.heights_over(&normal, &dot(&normal, &point))
    }

    /// The same of normal · p − offset.
    #[must_use]
    pub fn heights_above(&self, normal: [f64; 3], offset: f64) -> [Sign; 2] {
        self.heights_over(&vector(normal), &Dyadic::of(offset))
    }

    fn heights_over(&self, normal: &Vector, offset: &Dyadic) -> [Sign; 2] {
        match &self.form {
            Form::Hull(hull) => hull.heights(normal, offset),
            Form::Round(round) => {
                let base = &dot(normal, round.center()) - offset;
                self.moved.extremes(normal, base).unwrap_or([Sign::Negative, Sign::Positive])
            }
        }
    }
}

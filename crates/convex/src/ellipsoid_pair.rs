//! The ellipsoids of two polytopes: they separate the bodies, prove contact, or give a first direction.
//!
//! ```text
//!      ____                With A and B the shapes in the world and d from center to center, take
//!    /  A  \     ____      w = (A + B)⁻¹ d. Between two clouds of points of these shapes that is the
//!   |   ●───x──/──●  \     direction that tells them apart best (Fisher 1936), and the point x at
//!    \ ____/  \__B___/     A w from the one center is at −B w from the other: the same point, and
//!                          about equally deep in both.
//! ```
//!
//! Along w the ellipsoids reach √(wᵀAw) and √(wᵀBw) from their centers, of d · w = wᵀAw + wᵀBw from center to center. If
//! that leaves a gap, w separates the bodies. If both roots are within the inner part of their ellipsoids, x is in both
//! bodies. This decides most pairs of unrelated poses, in a time that does not depend on the numbers of vertices. If x
//! lies in both bodies but not in the inner ellipsoids, the faces prove it. Otherwise w is a first direction, which
//! separates four of five pairs that are apart; the direction from center to center separates every second one.
//!
//! Sources: Fisher, *The use of multiple measurements in taxonomic problems*, 1936; Rimon and Boyd 1997: ellipsoids about
//! and inside of polytopes for collisions; the bounds are ours.

use xcollide_math::Pose;
use xcollide_simd::{F64x2, Simd, SimdFloat, SimdKernel, dispatch, vec3};

use crate::body::Body;
use crate::ellipsoid::{Ellipsoid, Shape, lanes, product};
use crate::pair::Pair;
use crate::plane::Plane;
use xcollide_math::vector::{add, dot, largest, scale, sub, taxicab};

/// The ellipsoids of a pair.
pub(crate) struct EllipsoidPair<'a> {
    ellipsoids: [&'a Ellipsoid; 2],
    centers: [[f64; 3]; 2],
    /// A and B.
    shapes: [F64x2; 6],
    /// The inverse of their sum, times `determinant`.
    adjugate: Shape,
    /// d.
    between: [f64; 3],
    /// w times `determinant`.
    pub(crate) direction: [f64; 3],
    determinant: f64,
    /// √(wᵀAw) and √(wᵀBw), times `determinant`.
    half_widths: [f64; 2],
    /// The sum of the taxicab lengths of the translations.
    far: f64,
}

/// All rounding errors here are below this part of the sizes: some dozen roundings, and a root that may be as small as
/// 1e-3 of the size.
pub(crate) const MARGIN: f64 = 1e-10;

/// The part of the inner ellipsoids that is left out, so that the rest is deep in the bodies.
pub(crate) const RIM: f64 = 1e-3;

impl<'a> EllipsoidPair<'a> {
    /// `None` if one of the two has no ellipsoid.
    #[inline]
    pub(crate) fn of(pair: &Pair<'a>) -> Option<Self> {
        let [a, b] = [pair.a(), pair.b()];
        let ellipsoids = [a.polytope().ellipsoid()?, b.polytope().ellipsoid()?];
        let motions = [a.pose(), b.pose()];
        Some(Self::new(ellipsoids, motions))
    }

    /// Without `map`, whose closures might not be inlined.
    #[inline]
    fn new(ellipsoids: [&'a Ellipsoid; 2], [a, b]: [&Pose; 2]) -> Self {
        let [of_a, of_b] = ellipsoids;
        let row = |i: usize| {
            let (r, s) = (a.rotation()[i], b.rotation()[i]);
            [
                F64x2::from_array([r[0], s[0]]),
                F64x2::from_array([r[1], s[1]]),
                F64x2::from_array([r[2], s[2]]),
            ]
        };
        let rotation = [row(0), row(1), row(2)];
        let entry = |i: usize| F64x2::from_array([of_a.shape[i], of_b.shape[i]]);
        let local = [entry(0), entry(1), entry(2), entry(3), entry(4), entry(5)];
        let shapes = lanes::rotated(&local, rotation);
        let (s, t) = (of_a.center, of_b.center);
        let local = [
            F64x2::from_array([s[0], t[0]]),
            F64x2::from_array([s[1], t[1]]),
            F64x2::from_array([s[2], t[2]]),
        ];
        let (mut centers, mut between) = ([[0.0; 3]; 2], [0.0; 3]);
        for i in 0..3 {
            let shift = F64x2::from_array([a.translation()[i], b.translation()[i]]);
            let [of_a, of_b] = vec3::dot(rotation[i], local).add(shift).to_array();
            (centers[0][i], centers[1][i], between[i]) = (of_a, of_b, of_b - of_a);
        }
        let mut sum = [0.0; 6];
        for i in 0..6 {
            let [of_a, of_b] = shapes[i].to_array();
            sum[i] = of_a + of_b;
        }
        let [xx, yy, zz, xy, xz, yz] = sum;
        let adjugate = [
            yy * zz - yz * yz,
            xx * zz - xz * xz,
            xx * yy - xy * xy,
            xz * yz - xy * zz,
            xy * yz - xz * yy,
            xy * xz - xx * yz,
        ];
        let determinant = (xx * adjugate[0] + xy * adjugate[3]) + xz * adjugate[4];
        let direction = product(&adjugate, between);
        let w = vec3::splat(direction);
        let [square_a, square_b] = vec3::dot(lanes::product(&shapes, w), w).to_array();
        let half_widths = [square_a.max(0.0).sqrt(), square_b.max(0.0).sqrt()];
        let far = taxicab(a.translation()) + taxicab(b.translation());
        Self {
            ellipsoids,
            centers,
            shapes,
            adjugate,
            between,
            direction,
            determinant,
            half_widths,
            far,
        }
    }

    /// A plane that separates the ellipsoids.
    #[inline]
    pub(crate) fn apart(&self) -> Option<Plane> {
        let (w, [a, b]) = (self.direction, self.half_widths);
        let size = (self.ellipsoids[0].size + self.ellipsoids[1].size) + self.far;
        let certain = dot(w, self.between) - (a + b) > MARGIN * size * taxicab(w);
        let [low, high] = [dot(w, self.centers[0]) + a, dot(w, self.centers[1]) - b];
        let offset = 0.5 * low + 0.5 * high;
        // w grows with the distance and may overflow very far away.
        (certain && offset.is_finite()).then_some(Plane { normal: w, offset })
    }

    /// A point in both bodies, if there is one in the ellipsoids inside of them.
    #[inline]
    pub(crate) fn common_point(&self, pair: &Pair<'_>) -> Option<[f64; 3]> {
        let [a, b] = self.ellipsoids;
        let [of_a, of_b] = self.half_widths;
        let limit = self.determinant * (1.0 - RIM);
        // False for NaN.
        let inside = of_a <= limit * a.inner && of_b <= limit * b.inner;
        if !inside {
            return None;
        }
        let w = scale(self.direction, 1.0 / self.determinant);
        let points = [
            add(self.centers[0], product(&self.shape(0), w)),
            sub(self.centers[1], product(&self.shape(1), w)),
        ];
        certified(pair, points, [RIM * a.ball, RIM * b.ball])
    }

    /// The same by the planes of all faces: tests the point, then projects it a few times to slightly inside of the face
    /// that it is farthest beyond (Agmon 1954; Motzkin and Schoenberg 1954). The projection is along P n, where
    /// P = (A⁻¹ + B⁻¹)⁻¹ is roughly the shape of the intersection.
    pub(crate) fn common_point_by_faces(&self, pair: &Pair<'_>) -> Option<[f64; 3]> {
        dispatch(ByFaces { ellipsoids: self, pair })
    }

    #[inline(always)]
    fn point_by_faces<S: Simd>(&self, pair: &Pair<'_>) -> Option<[f64; 3]> {
        let [shape_a, shape_b] = [self.shape(0), self.shape(1)];
        let mut from_a = scale(product(&shape_a, self.direction), 1.0 / self.determinant);
        for _ in 0..PROJECTIONS {
            let local = [pair.a().local(from_a), pair.b().local(sub(from_a, self.between))];
            let of_a = self.ellipsoids[0].highest_face::<S>(local[0])?;
            let of_b = self.ellipsoids[1].highest_face::<S>(local[1])?;
            let depths = [of_a.depth, of_b.depth];
            if depths[0] > 0.0 && depths[1] > 0.0 {
                let place = |body: &Body<'_>, center, local| add(center, body.turned(local));
                let points = [
                    place(pair.a(), self.centers[0], local[0]),
                    place(pair.b(), self.centers[1], local[1]),
                ];
                return certified(pair, points, depths);
            }
            let (body, ellipsoid, face) = if of_a.height > of_b.height {
                (pair.a(), self.ellipsoids[0], of_a)
            } else {
                (pair.b(), self.ellipsoids[1], of_b)
            };
            let normal = body.turned(ellipsoid.normal(&face));
            let along = product(&shape_a, product(&self.adjugate, product(&shape_b, normal)));
            let steps = (face.height - (1.0 - INSIDE)) / dot(normal, along);
            from_a = sub(from_a, scale(along, steps));
        }
        None
    }

    #[inline(always)]
    fn shape(&self, lane: usize) -> Shape {
        let [xx, yy, zz, xy, xz, yz] = self.shapes;
        let of = |both: F64x2| both.to_array()[lane];
        [of(xx), of(yy), of(zz), of(xy), of(xz), of(yz)]
    }

    /// Whether the point is probably in both bodies: within about half the way from the inner ellipsoids to the outer
    /// ones.
    #[inline]
    pub(crate) fn is_likely_inside(&self) -> bool {
        let [a, b] = self.half_widths;
        let limit = |ellipsoid: &Ellipsoid| self.determinant * (0.45 + 0.55 * ellipsoid.inner);
        a < limit(self.ellipsoids[0]) && b < limit(self.ellipsoids[1])
    }
}

/// [`EllipsoidPair::common_point_by_faces`], as one kernel.
struct ByFaces<'a, 'e, 'p> {
    ellipsoids: &'a EllipsoidPair<'e>,
    pair: &'a Pair<'p>,
}

impl SimdKernel for ByFaces<'_, '_, '_> {
    type Output = Option<[f64; 3]>;

    #[inline(always)]
    fn run<S: Simd>(self) -> Option<[f64; 3]> {
        self.ellipsoids.point_by_faces::<S>(self.pair)
    }
}

/// The most points tested. For more, GJK is faster.
const PROJECTIONS: u32 = 2;

/// How far inside of the face, as part of the way to the center.
const INSIDE: f64 = 0.05;

/// The first of two points, which are equal but for rounding, if these depths in their hulls prove that it is in both
/// bodies.
///
/// In the second body the first point is less deep than the second by their distance. A matrix is a rotation up to 1e-5,
/// which shortens depths by as much.
#[inline]
pub(crate) fn certified(
    pair: &Pair<'_>,
    [x, twin]: [[f64; 3]; 2],
    depths: [f64; 2],
) -> Option<[f64; 3]> {
    let apart = 2.0 * largest(sub(x, twin));
    let noise = pair.a().noise() + pair.b().noise();
    let deep = |body: &Body<'_>, depth: f64| {
        let solidity = body.polytope().solidity();
        solidity.is_some_and(|solid| depth > 1.02 * (solid.dent + 2.0 * noise + apart))
    };
    (deep(pair.a(), depths[0]) && deep(pair.b(), depths[1])).then_some(x)
}

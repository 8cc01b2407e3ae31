//! Two polytopes as their ellipsoids see them: apart, in each other, or in which direction to look.
//!
//! ```text
//!      ____                With A and B the shapes in the world and d from centre to centre, take
//!    /  A  \     ____      w = (A + B)⁻¹ d. Between two clouds of points of these shapes that is the
//!   |   ●───x──/──●  \     direction that tells them apart best (Fisher 1936), and the point x at
//!    \ ____/  \__B___/     A w from the one centre is at −B w from the other: the same point, and
//!                          equally deep in both, more or less.
//! ```
//!
//! Along w the ellipsoids reach √(wᵀAw) and √(wᵀBw) from their centres, of d · w = wᵀAw + wᵀBw from
//! centre to centre. If that leaves a gap, w parts the bodies; if one root is within the part of its
//! ellipsoid that the one body fills, and so is the other, x is in both. Most pairs of poses that
//! have nothing to do with each other are decided by this, in a time that depends on no number of
//! vertices. Where x lies in both bodies, but not in those ellipsoids, their faces know. Else w is a
//! first direction, which separates four of five pairs that are apart; the direction from centre to
//! centre does every second one.
//!
//! Sources: Fisher, *The use of multiple measurements in taxonomic problems*, 1936; ellipsoids about
//! and inside of polytopes for collisions, Rimon and Boyd 1997; the bounds are ours.

use xcollide_bounds::Motion;

use super::ellipsoid::{Ellipsoid, product};
use super::pair::{Body, Pair};
use super::vector::{Vector, add, dot, largest, scaled, sub, taxicab};
use crate::Plane;

/// What the ellipsoids of a pair tell.
pub(super) struct EllipsoidPair<'a> {
    ellipsoids: [&'a Ellipsoid; 2],
    centres: [Vector; 2],
    /// A and B, lane by lane.
    shapes: [Both; 6],
    /// d.
    between: Vector,
    /// w times `determinant`.
    pub(super) direction: Vector,
    determinant: f64,
    /// √(wᵀAw) and √(wᵀBw), times `determinant`.
    half_widths: Both,
    /// Of the translations.
    far: f64,
}

/// Numbers of both bodies, side by side: the processor computes two at a time.
type Both = [f64; 2];

/// All rounding errors here are below this part of what is bounded: some dozen roundings, and a
/// root that may be as small as 1e-3 of the size.
const MARGIN: f64 = 1e-10;

/// How much of the inner ellipsoids is left out, so that what is in them is deep in the bodies.
const RIM: f64 = 1e-3;

impl<'a> EllipsoidPair<'a> {
    /// `None` where one of the two has no ellipsoid.
    #[inline]
    pub(super) fn of(pair: &Pair<'a>) -> Option<Self> {
        let [a, b] = [pair.a(), pair.b()];
        let ellipsoids = [a.polytope().ellipsoid()?, b.polytope().ellipsoid()?];
        let motions = [a.motion(), b.motion()];
        Some(Self::new(ellipsoids, motions))
    }

    /// Loops, not `map` with closures, which might not be inlined.
    #[inline]
    fn new(ellipsoids: [&'a Ellipsoid; 2], [a, b]: [&Motion; 2]) -> Self {
        let [of_a, of_b] = ellipsoids;
        let (mut rotation, mut half) = ([[[0.0; 2]; 3]; 3], [[[0.0; 2]; 3]; 3]);
        let (mut local, mut shape) = ([[0.0; 2]; 3], [[0.0; 2]; 6]);
        for i in 0..3 {
            for j in 0..3 {
                rotation[i][j] = [a.rotation[i][j], b.rotation[i][j]];
            }
            local[i] = [of_a.centre()[i], of_b.centre()[i]];
        }
        for i in 0..6 {
            shape[i] = [of_a.shape()[i], of_b.shape()[i]];
        }
        let [xx, yy, zz, xy, xz, yz] = shape;
        for i in 0..3 {
            half[i][0] = inner(rotation[i], [xx, xy, xz]);
            half[i][1] = inner(rotation[i], [xy, yy, yz]);
            half[i][2] = inner(rotation[i], [xz, yz, zz]);
        }
        let shapes = [
            inner(half[0], rotation[0]),
            inner(half[1], rotation[1]),
            inner(half[2], rotation[2]),
            inner(half[0], rotation[1]),
            inner(half[0], rotation[2]),
            inner(half[1], rotation[2]),
        ];
        let (mut centres, mut between) = ([[0.0; 3]; 2], [0.0; 3]);
        for i in 0..3 {
            let moved = plus(inner(rotation[i], local), [a.translation[i], b.translation[i]]);
            (centres[0][i], centres[1][i]) = (moved[0], moved[1]);
            between[i] = moved[1] - moved[0];
        }
        let mut sum = [0.0; 6];
        for i in 0..6 {
            sum[i] = shapes[i][0] + shapes[i][1];
        }
        // The inverse of the sum, times its determinant.
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
        let w = [[direction[0]; 2], [direction[1]; 2], [direction[2]; 2]];
        let [xx, yy, zz, xy, xz, yz] = shapes;
        let turned = [inner([xx, xy, xz], w), inner([xy, yy, yz], w), inner([xz, yz, zz], w)];
        let [square_a, square_b] = inner(turned, w);
        let half_widths = [square_a.max(0.0).sqrt(), square_b.max(0.0).sqrt()];
        let far = taxicab(a.translation) + taxicab(b.translation);
        Self { ellipsoids, centres, shapes, between, direction, determinant, half_widths, far }
    }

    /// A plane between the ellipsoids.
    #[inline]
    pub(super) fn apart(&self) -> Option<Plane> {
        let (w, [a, b]) = (self.direction, self.half_widths);
        let size = (self.ellipsoids[0].size() + self.ellipsoids[1].size()) + self.far;
        let certain = dot(w, self.between) - (a + b) > MARGIN * size * taxicab(w);
        let [low, high] = [dot(w, self.centres[0]) + a, dot(w, self.centres[1]) - b];
        certain.then_some(Plane { normal: w, offset: 0.5 * low + 0.5 * high })
    }

    /// A point in both bodies, if it is in the ellipsoids that the bodies fill.
    #[inline]
    pub(super) fn common_point(&self, pair: &Pair<'_>) -> Option<Vector> {
        let [a, b] = self.ellipsoids;
        let [of_a, of_b] = self.half_widths;
        let limit = self.determinant * (1.0 - RIM);
        // False for what is not a number.
        let inside = of_a <= limit * a.inner() && of_b <= limit * b.inner();
        if inside { self.certified(pair, [RIM * a.ball(), RIM * b.ball()]) } else { None }
    }

    /// The same, if the planes of all faces say so.
    pub(super) fn common_point_by_faces(&self, pair: &Pair<'_>) -> Option<Vector> {
        let w = scaled(self.direction, 1.0 / self.determinant);
        let offset =
            |body: &Body<'_>, ellipsoid: &Ellipsoid, w| product(ellipsoid.shape(), body.local(w));
        let [a, b] = self.ellipsoids;
        let of_a = a.depth(offset(pair.a(), a, w)).filter(|&depth| depth > 0.0)?;
        let of_b = b.depth(offset(pair.b(), b, scaled(w, -1.0))).filter(|&depth| depth > 0.0)?;
        self.certified(pair, [of_a, of_b])
    }

    /// How far out of the centres the point is that is probably deepest in both, relative to what
    /// the ellipsoids about the bodies allow: no hit is likely if it is far.
    #[inline]
    pub(super) fn is_likely_inside(&self) -> bool {
        let [a, b] = self.half_widths;
        a.max(b) < LIKELY * self.determinant
    }

    /// x, if it is in both bodies when it is so deep in their hulls.
    ///
    /// Computed from either body it is not quite the same; in the second it is less deep by the
    /// difference. A matrix that is a rotation only up to 1e-5 shortens depths by that.
    #[inline]
    fn certified(&self, pair: &Pair<'_>, depths: [f64; 2]) -> Option<Vector> {
        let w = scaled(self.direction, 1.0 / self.determinant);
        let [xx, yy, zz, xy, xz, yz] = self.shapes;
        let moved = |k| product(&[xx[k], yy[k], zz[k], xy[k], xz[k], yz[k]], w);
        let (x, twin) = (add(self.centres[0], moved(0)), sub(self.centres[1], moved(1)));
        let apart = 2.0 * largest(sub(x, twin));
        let noise = pair.a().noise() + pair.b().noise();
        let deep = |body: &Body<'_>, depth: f64| {
            let solidity = body.polytope().solidity();
            solidity.is_some_and(|solid| depth > 1.02 * (solid.dent + 2.0 * noise + apart))
        };
        (deep(pair.a(), depths[0]) && deep(pair.b(), depths[1])).then_some(x)
    }
}

/// See [`EllipsoidPair::is_likely_inside`]. Measured.
const LIKELY: f64 = 0.9;

#[inline(always)]
fn plus(a: Both, b: Both) -> Both {
    [a[0] + b[0], a[1] + b[1]]
}

#[inline(always)]
fn times(a: Both, b: Both) -> Both {
    [a[0] * b[0], a[1] * b[1]]
}

#[inline(always)]
fn inner(a: [Both; 3], b: [Both; 3]) -> Both {
    plus(plus(times(a[0], b[0]), times(a[1], b[1])), times(a[2], b[2]))
}

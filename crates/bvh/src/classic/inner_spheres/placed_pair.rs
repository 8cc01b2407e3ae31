//! Two sets of inner spheres at two poses, in the frame of the first, with all that rounding can do.
//!
//! A sphere in a body at rest is not quite in the placed body: its vertices are rounded, and a pose is a rotation only
//! within 1e-6. In the frame of the first body, the surfaces of both are off by at most [`Pose::relative_margin`] from
//! where the unrounded relative motion has them. A ball whose inner points no surface reaches stays in the body if its
//! radius is less by that much, because the winding number of a point changes only when a surface passes over it. A
//! matrix with singular values in [σ₁, σ₂] maps a ball to a set that holds the ball of σ₁ times the radius. Volumes in the
//! frame of the first body are those in the world divided by the determinant of its matrix, and distances change by its
//! singular values.

use xcollide_bounds::Sphere;
use xcollide_math::Pose;
use xcollide_math::vector::{cross, dot, largest, length, sub};

/// Unit roundoff.
const UNIT: f64 = f64::EPSILON / 2.0;
/// Coordinates up to here have bounds: cubes stay in the range of f64.
const TRUSTED: f64 = 1e60;

/// The relation of two sets of spheres.
#[derive(Clone, Debug)]
pub(super) struct PlacedPair {
    /// From the frame of the second body into that of the first.
    pub(super) into: Pose,
    /// By how much radii are less, and gaps are off.
    pub(super) margin: f64,
    /// Bounds of the factors by which lengths change from the second frame to the first.
    stretch: [f64; 2],
    /// The same from the first frame to the world.
    pub(super) to_world: [f64; 2],
    /// Bounds of the factor by which volumes change from the first frame to the world.
    pub(super) volume: [f64; 2],
    /// Whether the coordinates are small enough for bounds.
    pub(super) trusted: bool,
}

impl PlacedPair {
    pub(super) fn new([a, b]: [&Pose; 2], [reach_a, reach_b]: [f64; 2]) -> Self {
        let into = Pose::relative(a, b);
        let far = largest(into.translation()) + reach_a + reach_b;
        let margin = Pose::relative_margin(a, b, reach_a, reach_b) + 64.0 * UNIT * far;
        let rows = a.rotation();
        let determinant = dot(rows[0], cross(rows[1], rows[2])).abs();
        let trusted = [reach_a, reach_b, largest(a.translation()), largest(b.translation())]
            .into_iter()
            .all(|size| size < TRUSTED);
        Self {
            margin,
            stretch: stretch(&into),
            to_world: stretch(a),
            volume: [determinant * (1.0 - 64.0 * UNIT), determinant * (1.0 + 64.0 * UNIT)],
            trusted,
            into,
        }
    }

    /// A sphere of the second set in the first frame, so large that it holds what it stands for.
    #[inline(always)]
    pub(super) fn outer(&self, sphere: &Sphere) -> Sphere {
        let radius = sphere.radius * self.stretch[1] + self.margin;
        Sphere::new(self.into.apply(sphere.center), radius)
    }

    /// Two inner spheres in the first frame, so small that they are in the placed bodies. Radii below zero are those of
    /// points that a body comes so close to.
    #[inline(always)]
    pub(super) fn inner(&self, a: &Sphere, b: &Sphere) -> [Sphere; 2] {
        let of_b = self.into.apply(b.center);
        [
            Sphere::new(a.center, a.radius - self.margin),
            Sphere::new(of_b, b.radius * self.stretch[0] - self.margin),
        ]
    }

    /// The gap between two spheres in the first frame, negative where they overlap; off by less than the margin.
    #[inline(always)]
    pub(super) fn gap([a, b]: &[Sphere; 2]) -> f64 {
        length(sub(b.center, a.center)) - a.radius - b.radius
    }
}

/// Bounds of the singular values of a pose's matrix: of the square roots of the eigenvalues of Rᵀ·R, which differ from 1
/// by at most the largest row sum of Rᵀ·R − I.
fn stretch(pose: &Pose) -> [f64; 2] {
    let r = pose.rotation();
    let entry = |i: usize, j: usize| {
        let product: f64 = (0..3).map(|k| r[k][i] * r[k][j]).sum();
        (product - f64::from(u8::from(i == j))).abs()
    };
    let row = |i| entry(i, 0) + entry(i, 1) + entry(i, 2);
    let off = row(0).max(row(1)).max(row(2)) + 32.0 * UNIT;
    [(1.0 - off).max(0.0).sqrt() * (1.0 - 4.0 * UNIT), (1.0 + off).sqrt() * (1.0 + 4.0 * UNIT)]
}

//! The separating axis test of oriented boxes (Gottschalk, Lin, Manocha 1996; slides "Actually
//! computing the SAT for OBBs").
//!
//! Two boxes are disjoint if and only if their projections on one of 15 lines are: the three normals of
//! each, and the cross products of an edge direction of either.
//!
//! Arithmetic is rounded and axes are orthonormal only up to a frame error, so a gap counts only if it
//! exceeds a slack: [`SLACK`] times the sum of all half sides and the distance of the centers. Cross
//! products are not normalised; a nearly vanishing one has a gap of about the rounding error and never
//! separates.

use crate::frame::FRAME_ERROR;
use crate::obb::Obb;
use xcollide_math::vector::dot;

/// The slack for frames whose scalar products are orthonormal up to δ = 128u, u = 2⁻⁵³ ([`FRAME_ERROR`]).
///
/// A point of a box is at `Σ wₖ aₖ*` from the center, with |wₖ| ≤ halfₖ and the dual axes aₖ*, which
/// differ from the axes by less than 3.1δ. Along an axis of the other box it is off by 3.1δ times the sum
/// of half sides; along a cross product, where `aₖ × aᵢ` replaces the third axis, which it equals up to
/// 3.3δ, by 6.5δ. Rounding adds less than 60u: 892u in all.
pub(crate) const SLACK: f64 = 8.0 * FRAME_ERROR;

/// Whether none of the 15 lines separates two boxes that are not empty.
///
/// The normals of the first box come first, each with the products of axes that it needs: most disjoint
/// pairs are separated along one of them. Nothing is computed in advance that an early end would waste.
#[inline]
pub(crate) fn overlap(a: &Obb, b: &Obb) -> bool {
    let between = [0, 1, 2].map(|k| b.center[k] - a.center[k]);
    let size = (a.half[0] + a.half[1] + a.half[2]) + (b.half[0] + b.half[1] + b.half[2]);
    let far = between[0].abs() + between[1].abs() + between[2].abs();
    let slack = SLACK * (size + far) + f64::MIN_POSITIVE;
    // Scalar products of the axes of a (rows) and b, and their magnitudes.
    let (mut r, mut m, mut in_a) = ([[0.0; 3]; 3], [[0.0; 3]; 3], [0.0; 3]);
    for i in 0..3 {
        r[i] = b.axes.map(|v| dot(a.axes[i], v));
        m[i] = r[i].map(f64::abs);
        in_a[i] = dot(a.axes[i], between);
        if in_a[i].abs() > a.half[i] + dot(m[i], b.half) + slack {
            return false;
        }
    }
    for j in 0..3 {
        let shadow = a.half[0] * m[0][j] + a.half[1] * m[1][j] + a.half[2] * m[2][j];
        if dot(b.axes[j], between).abs() > b.half[j] + shadow + slack {
            return false;
        }
    }
    for i in 0..3 {
        let [i1, i2] = OTHERS[i];
        for j in 0..3 {
            let [j1, j2] = OTHERS[j];
            let shadow_a = a.half[i1] * m[i2][j] + a.half[i2] * m[i1][j];
            let shadow_b = b.half[j1] * m[i][j2] + b.half[j2] * m[i][j1];
            let distance = in_a[i2] * r[i1][j] - in_a[i1] * r[i2][j];
            if distance.abs() > shadow_a + shadow_b + slack {
                return false;
            }
        }
    }
    true
}

/// Two boxes, the second seen in the frame of the first; for distances.
pub(crate) struct Pair<'a> {
    a: &'a Obb,
    b: &'a Obb,
    /// From the center of `a` to that of `b`, in the world.
    between: [f64; 3],
    /// The same along the axes of `a`.
    in_a: [f64; 3],
    /// Scalar products of the axes of `a` (rows) and `b`.
    r: [[f64; 3]; 3],
    /// What a gap must exceed.
    slack: f64,
}

impl<'a> Pair<'a> {
    #[inline]
    pub(crate) fn new(a: &'a Obb, b: &'a Obb) -> Self {
        let between = [0, 1, 2].map(|i| b.center[i] - a.center[i]);
        let size = a.half[0] + a.half[1] + a.half[2] + b.half[0] + b.half[1] + b.half[2];
        let far = between[0].abs() + between[1].abs() + between[2].abs();
        Self {
            a,
            b,
            between,
            in_a: a.axes.map(|axis| dot(axis, between)),
            r: a.axes.map(|u| b.axes.map(|v| dot(u, v))),
            slack: SLACK * (size + far) + f64::MIN_POSITIVE,
        }
    }

    /// A lower bound of the square of the distance.
    pub(crate) fn distance_squared(&self) -> f64 {
        // The gaps along the normals of one box are legs of a right triangle or box.
        let legs = |gaps: [f64; 3]| gaps.iter().map(|g| g.max(0.0) * g.max(0.0)).sum::<f64>();
        let mut largest = legs([0, 1, 2].map(|i| self.gap_a(i)));
        largest = largest.max(legs([0, 1, 2].map(|j| self.gap_b(j))));
        for i in 0..3 {
            for j in 0..3 {
                let gap = self.gap_edges(i, j).max(0.0);
                let length_squared = 1.0 - self.r[i][j] * self.r[i][j];
                largest = largest.max(gap * gap / (length_squared.max(0.0) + 4.0 * SLACK));
            }
        }
        // The axes are of unit length, and at right angles, only up to the frame error.
        largest * (1.0 - 1e-12)
    }

    /// Gap along a normal of the first box, less the slack.
    #[inline]
    fn gap_a(&self, i: usize) -> f64 {
        let r = self.r[i];
        let half = self.b.half;
        let shadow = half[0] * r[0].abs() + half[1] * r[1].abs() + half[2] * r[2].abs();
        self.in_a[i].abs() - (self.a.half[i] + shadow) - self.slack
    }

    /// Gap along a normal of the second box, less the slack.
    #[inline]
    fn gap_b(&self, j: usize) -> f64 {
        let half = self.a.half;
        let shadow = half[0] * self.r[0][j].abs()
            + half[1] * self.r[1][j].abs()
            + half[2] * self.r[2][j].abs();
        dot(self.b.axes[j], self.between).abs() - (self.b.half[j] + shadow) - self.slack
    }

    /// Gap along the cross product of two axes, not normalised, less the slack.
    #[inline]
    fn gap_edges(&self, i: usize, j: usize) -> f64 {
        let ([i1, i2], [j1, j2]) = (OTHERS[i], OTHERS[j]);
        let (a, b, r) = (&self.a.half, &self.b.half, &self.r);
        let shadow_a = a[i1] * r[i2][j].abs() + a[i2] * r[i1][j].abs();
        let shadow_b = b[j1] * r[i][j2].abs() + b[j2] * r[i][j1].abs();
        let distance = self.in_a[i2] * r[i1][j] - self.in_a[i1] * r[i2][j];
        distance.abs() - (shadow_a + shadow_b) - self.slack
    }
}

/// The two axes after each, cyclically.
const OTHERS: [[usize; 2]; 3] = [[1, 2], [2, 0], [0, 1]];

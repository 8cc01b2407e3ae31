//! Rays against triangles, counted so that the sum over a closed surface is its winding number.
//!
//! # Why the sum is exact
//!
//! Let S be a closed surface: triangles whose oriented edges cancel, by corner positions. If p
//! is on none of them, the winding number of S about p is that about every point of a
//! neighbourhood of p, and about p′ = p + (0, ε, ε²) for all small enough ε > 0. It is the
//! number of times the ray p′ + s·(1, 0, 0) leaves S through a triangle's front minus the number
//! of times it enters through a back, provided that the ray meets no edge.
//!
//! It meets none: in the projection along x, the point (y + ε, z + ε²) moves on a parabola with ε, so
//! for small enough ε it avoids all edges, and all triangles that project to segments or points
//! (without area, or parallel to the ray): these count 0.
//!
//! An edge of a projected triangle passes the height z + ε² iff one end is above z and the other is
//! not. If it does, p′ is on the same side of the edge as p, unless p's projection is exactly on the
//! edge's line; then the derivative by ε decides: −(z₁ − z₀), which is never zero, puts p′ to the right
//! of edges that go up and to the left of edges that go down. The sum over the edges, +1 for one that
//! goes up with p′ strictly on its left, −1 for one that goes down with p′ on its right, is the winding
//! number w ∈ {−1, 0, 1} of the projected triangle about p′; its sign is that of the normal's x.
//!
//! If w ≠ 0, the line through p′ pierces the triangle's inside, and the triangle is not parallel
//! to x. It does so ahead of p′ iff p is on the negative side of the plane for w = 1, on the
//! positive one for w = −1. If p is exactly on the plane, it is the limit of points of the plane
//! whose projections are inside, so it is on the closed triangle. If w = 0, p may still be on the
//! border, which `point_on_triangle` decides.

use crate::orientation::{TrianglePlane, orient2d};
use crate::triangle::point_on_triangle;
use crate::{Point, Sign};

/// How a ray crosses a triangle; see [`ray_crossing`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Crossing {
    /// 1 if the ray leaves through the front, −1 if it enters through it, 0 if it misses the
    /// triangle or starts on it.
    pub winding: i32,
    /// Whether the ray starts on the closed triangle.
    pub on_surface: bool,
}

/// How the ray p + s·(1, 0, 0), s ≥ 0, crosses a triangle, under one fixed symbolic perturbation
/// of `p`, the same for all triangles. Exact for all finite coordinates.
///
/// For a closed surface (every oriented edge is cancelled by an opposite one), and p not on it, the sum
/// of `winding` is the exact winding number of the surface about p: 1 inside and 0 outside of a solid
/// whose faces are counter-clockwise as seen from outside. The sum of |`winding`| modulo 2 is the
/// parity. The ray may meet vertices and edges, and triangles may be degenerate. The front of a triangle
/// is the side from which its corners are counter-clockwise.
///
/// ```
/// use xcollide_predicates::ray_crossing;
///
/// let o = [0.0; 3];
/// let (x, y, z) = ([4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]);
/// let solid = [[o, y, x], [o, z, y], [o, x, z], [x, y, z]];
/// let winding = |p| solid.iter().map(|face| ray_crossing(p, face).winding).sum::<i32>();
/// assert_eq!(winding([1.0, 1.0, 1.0]), 1);
/// assert_eq!(winding([-1.0, 0.0, 0.0]), 0, "the ray runs along an edge");
/// assert!(solid.iter().any(|face| ray_crossing([2.0, 1.0, 1.0], face).on_surface));
/// ```
#[inline]
#[must_use]
pub fn ray_crossing(p: Point, triangle: &[Point; 3]) -> Crossing {
    let [a, b, c] = *triangle;
    // Wholly above, below, beside or behind: neither crossed nor touched.
    for axis in [1, 2] {
        let q = p[axis];
        if (a[axis] > q && b[axis] > q && c[axis] > q)
            || (a[axis] < q && b[axis] < q && c[axis] < q)
        {
            return Crossing::default();
        }
    }
    if a[0] < p[0] && b[0] < p[0] && c[0] < p[0] {
        return Crossing::default();
    }
    let winding = edge_count(p, a, b) + edge_count(p, b, c) + edge_count(p, c, a);
    if a[0] > p[0] && b[0] > p[0] && c[0] > p[0] {
        return Crossing { winding, on_surface: false }; // all of it is ahead
    }
    if winding == 0 {
        return Crossing { winding, on_surface: point_on_triangle(p, triangle) };
    }
    match TrianglePlane::new(triangle).side(p) {
        Sign::Zero => Crossing { winding: 0, on_surface: true },
        side if side as i32 == -winding => Crossing { winding, on_surface: false },
        _ => Crossing::default(),
    }
}

/// Contribution of the edge from `a` to `b`, projected along x, to the winding number about p′.
#[inline]
pub(crate) fn edge_count(p: Point, a: Point, b: Point) -> i32 {
    let side = || orient2d([a[1], a[2]], [b[1], b[2]], [p[1], p[2]]);
    match (a[2] > p[2], b[2] > p[2]) {
        (false, true) => i32::from(side().is_positive()),
        (true, false) => -i32::from(side().is_negative()),
        _ => 0,
    }
}

//! Planarity of faces and collinearity of corners.
//!
//! Source: Zachmann 1994, 4.2.2, "Flatness", method (b): the distance of each vertex from the plane
//! of the face, compared with a tolerance, because files round coordinates to six or seven digits.
//! Here exact predicates first sort out the faces that are exactly planar.

use crate::projection::{bounds, largest_component, project};
use crate::{Face, PolygonMesh, VertexId};
use xcollide_math::vector::{add, cross, dot, length, scale, sub};
use xcollide_predicates::{Point, orient2d, orient3d};

/// Largest distance of a corner from the plane of its face, relative to the size of the face, at
/// which [`Topology::PLANAR_FACES`](crate::Topology::PLANAR_FACES) counts the face as planar.
///
/// The plane contains the mean of the corners and has Newell's normal; the size is the largest extent
/// along an axis. On a face as large as its distance from the origin, rounding to six digits moves a
/// corner by about 10⁻⁶. Collisions never depend on the tolerance.
pub const PLANARITY_TOLERANCE: f64 = 1e-5;

/// The best plane of a face: through the mean of its corners, with Newell's normal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FittedPlane {
    pub(crate) center: Point,
    /// Unit normal; zero if the area vanishes in floating point.
    pub(crate) normal: Point,
    /// The largest extent of the face along an axis.
    pub(crate) size: f64,
}

/// The first three non-collinear corners, in the given order; `None` if all are collinear. Exact, O(n).
pub(crate) fn base_corners(mesh: &PolygonMesh, corners: &[VertexId]) -> Option<[VertexId; 3]> {
    let at = |corner: VertexId| mesh.position(corner);
    let (&first, rest) = corners.split_first()?;
    let second = rest.iter().position(|&corner| at(corner) != at(first))?;
    let beyond = &rest[second + 1..];
    let second = rest[second];
    let third = beyond.iter().find(|&&third| !collinear(at(first), at(second), at(third)))?;
    Some([first, second, *third])
}

pub(crate) fn is_exactly_planar(mesh: &PolygonMesh, face: Face<'_>, base: [VertexId; 3]) -> bool {
    let [a, b, c] = base.map(|corner| mesh.position(corner));
    face.corners().len() == 3
        || face.corners().iter().all(|&corner| {
            base.contains(&corner) || orient3d(a, b, c, mesh.position(corner)).is_zero()
        })
}

/// The largest distance of a corner from the [`FittedPlane`] of its face, divided by the size of the
/// face. In floating point; 0 for a face without area.
pub(crate) fn deviation(mesh: &PolygonMesh, face: Face<'_>, base: [VertexId; 3]) -> f64 {
    let plane = FittedPlane::of(mesh, face, base);
    let largest = face
        .corners()
        .iter()
        .map(|&corner| plane.height(mesh.position(corner)).abs())
        .fold(0.0, f64::max);
    if plane.size > 0.0 { largest / plane.size } else { 0.0 }
}

impl FittedPlane {
    /// `base` is three non-collinear corners; they span the plane if Newell's normal cancels, as in a
    /// bow tie.
    pub(crate) fn of(mesh: &PolygonMesh, face: Face<'_>, base: [VertexId; 3]) -> Self {
        let share = 1.0 / face.corners().len() as f64;
        let positions = face.corners().iter().map(|&corner| mesh.position(corner));
        let center = positions.clone().fold([0.0; 3], |sum, p| add(sum, scale(p, share)));
        let [low, high] = bounds(positions);
        let half_size = (0..3).map(|axis| high[axis] / 2.0 - low[axis] / 2.0).fold(0.0, f64::max);
        let relative =
            |corner: VertexId| scaled_difference(mesh.position(corner), center, half_size);
        let mut normal = [0.0; 3];
        for contour in face.contours() {
            let mut from = relative(contour[contour.len() - 1]);
            for &corner in contour {
                let to = relative(corner);
                normal = add(normal, cross(from, to));
                from = to;
            }
        }
        if normal == [0.0; 3] {
            let [a, b, c] = base.map(relative);
            normal = cross(sub(b, a), sub(c, a));
        }
        let length = length(normal);
        if length > 0.0 {
            normal = normal.map(|component| component / length);
        }
        Self { center, normal, size: 2.0 * half_size }
    }

    pub(crate) fn height(&self, point: Point) -> f64 {
        2.0 * dot(self.normal, scaled_difference(point, self.center, 1.0))
    }
}

/// Whether three points are collinear; two may coincide. Exact.
pub(crate) fn collinear(a: Point, b: Point, c: Point) -> bool {
    // Collinear in space iff in each projection. The largest projection comes first: it usually
    // decides, and exact zeros are expensive.
    let hint = largest_component(cross(sub(b, a), sub(c, a)));
    [0, 1, 2].map(|turn| (hint + turn) % 3).into_iter().all(|axis| {
        let flat = |point| project(point, axis);
        orient2d(flat(a), flat(b), flat(c)).is_zero()
    })
}

/// (a − b) / (2 s), without overflow for any finite a and b.
fn scaled_difference(a: Point, b: Point, s: f64) -> Point {
    [0, 1, 2].map(|axis| (a[axis] / 2.0 - b[axis] / 2.0) / s)
}

//! Planarity of faces and collinearity of corners.
//!
//! Source: Zachmann 1994, 4.2.2, "Flatness", method (b): the distance of each vertex from the plane
//! of the face, compared with a tolerance. Here exact predicates decide first; the distance is
//! measured only for the other faces. Files round coordinates to six or seven digits, so hardly any
//! polygon with more than three corners is exactly planar.

use crate::{Face, PolygonMesh, VertexId};
use xcollide_predicates::{Point, orient2d, orient3d};

/// Largest distance of a corner from the plane of its face, relative to the size of the face, for
/// which the face counts as planar in [`Topology::PLANAR_FACES`](crate::Topology::PLANAR_FACES).
///
/// The plane goes through the mean of the corners, normal to Newell's normal; the size is the largest
/// extent along an axis. Rounding to six digits on a face as large as its distance from the origin
/// leaves about 10⁻⁶. No collision answer depends on the tolerance.
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

/// Whether all corners lie in the plane of three of them. Exact.
pub(crate) fn is_exactly_planar(mesh: &PolygonMesh, face: Face<'_>, base: [VertexId; 3]) -> bool {
    let [a, b, c] = base.map(|corner| mesh.position(corner));
    face.corners().len() == 3
        || face.corners().iter().all(|&corner| {
            base.contains(&corner) || orient3d(a, b, c, mesh.position(corner)).is_zero()
        })
}

/// The largest distance of a corner from the plane of its face, divided by the largest extent of the
/// face along an axis. In floating point; 0 for a face without area.
///
/// Uses the [`FittedPlane`]; where Newell's normal cancels, as in a bow tie, three corners span it.
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
    /// `base`: three non-collinear corners.
    pub(crate) fn of(mesh: &PolygonMesh, face: Face<'_>, base: [VertexId; 3]) -> Self {
        let share = 1.0 / face.corners().len() as f64;
        let mut center = [0.0; 3];
        let mut low = [f64::INFINITY; 3];
        let mut high = [f64::NEG_INFINITY; 3];
        for position in face.corners().iter().map(|&corner| mesh.position(corner)) {
            for axis in 0..3 {
                center[axis] += position[axis] * share;
                low[axis] = low[axis].min(position[axis]);
                high[axis] = high[axis].max(position[axis]);
            }
        }
        let half_size = (0..3).map(|axis| high[axis] / 2.0 - low[axis] / 2.0).fold(0.0, f64::max);
        let relative =
            |corner: VertexId| scaled_difference(mesh.position(corner), center, half_size);
        let mut normal = [0.0; 3];
        for contour in face.contours() {
            let mut from = relative(contour[contour.len() - 1]);
            for &corner in contour {
                let to = relative(corner);
                let part = cross(from, to);
                normal = [normal[0] + part[0], normal[1] + part[1], normal[2] + part[2]];
                from = to;
            }
        }
        if normal == [0.0; 3] {
            let [a, b, c] = base.map(relative);
            normal = cross(difference(b, a), difference(c, a));
        }
        let length = dot(normal, normal).sqrt();
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
    let hint = largest_component(cross(difference(b, a), difference(c, a)));
    [0, 1, 2].map(|turn| (hint + turn) % 3).into_iter().all(|axis| {
        let flat = |point| project(point, axis);
        orient2d(flat(a), flat(b), flat(c)).is_zero()
    })
}

/// The point without one coordinate, keeping the orientation as seen from the positive end of that axis.
pub(crate) fn project(point: Point, axis: usize) -> [f64; 2] {
    [point[(axis + 1) % 3], point[(axis + 2) % 3]]
}

pub(crate) fn largest_component(vector: Point) -> usize {
    let size = vector.map(f64::abs);
    let larger = if size[1] > size[0] { 1 } else { 0 };
    if size[2] > size[larger] { 2 } else { larger }
}

/// (a − b) / (2 s), without overflow for any finite a and b.
fn scaled_difference(a: Point, b: Point, s: f64) -> Point {
    [0, 1, 2].map(|axis| (a[axis] / 2.0 - b[axis] / 2.0) / s)
}

pub(crate) fn difference(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(crate) fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

//! Convex hulls of points, exact for every input.
//!
//! All decisions are signs of exact predicates. Faces are polygons: exactly coplanar points share a
//! face, and points inside a face or an edge are not vertices. So the hull depends on neither the order
//! of the points nor rounding.
//!
//! Source: Clarkson and Shor, *Applications of random sampling in computational geometry II*, 1989
//! (randomized incremental construction with a conflict graph); in the plane Andrew's monotone
//! chain, 1979.

mod facets;
mod incremental;
mod planar;

use std::cmp::Ordering;

use xcollide_predicates::{Point, Sign, orient2d, orient3d};

use crate::projection::{project, unit_scale};
use crate::{MeshError, PolygonMesh};

/// The convex hull of a set of points.
///
/// The mesh depends on the [`dimension`](Self::dimension):
///
/// - 3: a closed convex polyhedron; faces are strictly convex polygons, counter-clockwise as seen
///   from outside, no two of them coplanar;
/// - 2, points in a plane: two faces, the two sides of a strictly convex polygon;
/// - 1, points on a line: one face of two vertices;
/// - 0, one distinct point: one face of one vertex.
///
/// The vertices are the extreme points in input order; each face starts with its lowest vertex, and
/// faces are sorted.
///
/// ```
/// use xcollide_brep::ConvexHull;
///
/// // The corners of a cube, the middles of its edges and faces, its center; all twice.
/// let steps = [0.0, 1.0, 2.0];
/// let grid = steps.map(|x| steps.map(|y| steps.map(|z| [x, y, z]))).concat().concat();
/// let hull = ConvexHull::of(&[grid.clone(), grid].concat())?;
/// assert_eq!(hull.dimension(), 3);
/// assert_eq!(hull.mesh().vertex_count(), 8);
/// assert_eq!(hull.mesh().face_count(), 6);
/// assert_eq!(hull.points()[..2], [0, 2]); // numbers of the input points
/// # Ok::<(), xcollide_brep::HullError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexHull {
    mesh: PolygonMesh,
    points: Vec<usize>,
    dimension: usize,
}

/// Error of computing a convex hull.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HullError {
    /// There is no point.
    #[error("no points, expected at least one")]
    Empty,
    /// A coordinate is not finite, or there are too many points.
    #[error("points of a hull: {0}")]
    Points(#[from] MeshError),
}

impl ConvexHull {
    /// The convex hull of one point or more; equal points (−0 being 0) count once.
    ///
    /// Takes expected O(n log n) steps for n points in any order and position: the insertion order is
    /// shuffled, the same way at every call.
    ///
    /// # Errors
    /// No point, or a non-finite coordinate.
    pub fn of(points: &[Point]) -> Result<Self, HullError> {
        if points.is_empty() {
            return Err(HullError::Empty);
        }
        // Also checks the coordinates.
        let all = PolygonMesh::from_positions(points.to_vec())?;
        let distinct = distinct(points);
        let places = in_range(distinct.iter().map(|&index| points[index as usize]).collect());
        let (dimension, faces) = match frame(&places) {
            Frame::Point => (0, vec![vec![0]]),
            Frame::Line => (1, vec![vec![0, places.len() as u32 - 1]]),
            Frame::Plane(drop) => (2, planar::both_sides(&places, drop)),
            Frame::Space(simplex) => {
                (3, facets::polygons(&places, &incremental::hull(&places, simplex)))
            }
        };
        Self::assemble(&all, dimension, &faces, &distinct)
    }

    /// The hull as a mesh.
    #[must_use]
    pub fn mesh(&self) -> &PolygonMesh {
        &self.mesh
    }

    /// Returns the mesh.
    #[must_use]
    pub fn into_mesh(self) -> PolygonMesh {
        self.mesh
    }

    /// For each vertex of the mesh, the index of the first input point with its position. Ascending.
    #[must_use]
    pub fn points(&self) -> &[usize] {
        &self.points
    }

    /// The dimension: 3 for a body, 2 for a polygon, 1 for a segment, 0 for a point.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Builds the mesh; `faces` contain indices into `distinct`.
    fn assemble(
        all: &PolygonMesh,
        dimension: usize,
        faces: &[Vec<u32>],
        distinct: &[u32],
    ) -> Result<Self, HullError> {
        let mut points: Vec<usize> =
            faces.iter().flatten().map(|&place| distinct[place as usize] as usize).collect();
        points.sort_unstable();
        points.dedup();
        let mut vertex_of = vec![u32::MAX; all.vertex_count()];
        for (vertex, &point) in (0..).zip(&points) {
            vertex_of[point] = vertex;
        }
        let mut polygons: Vec<Vec<u32>> = faces
            .iter()
            .map(|face| {
                let mut polygon: Vec<u32> = face
                    .iter()
                    .map(|&place| vertex_of[distinct[place as usize] as usize])
                    .collect();
                let lowest = (0..polygon.len()).min_by_key(|&i| polygon[i]).unwrap_or(0);
                polygon.rotate_left(lowest);
                polygon
            })
            .collect();
        polygons.sort_unstable();
        let positions = points.iter().map(|&point| all.positions()[point]).collect();
        Ok(Self { mesh: PolygonMesh::from_polygons(positions, polygons)?, points, dimension })
    }
}

/// The index of the first of each set of equal points, in lexicographic order of the points.
fn distinct(points: &[Point]) -> Vec<u32> {
    let compare = |&a: &u32, &b: &u32| {
        let (p, q) = (points[a as usize], points[b as usize]);
        p.partial_cmp(&q).unwrap_or(Ordering::Equal)
    };
    let mut order: Vec<u32> = (0..points.len() as u32).collect();
    order.sort_unstable_by(|a, b| compare(a, b).then(a.cmp(b)));
    order.dedup_by(|b, a| compare(a, b).is_eq());
    order
}

/// The points scaled by a power of two to a size near 1, where the predicates are fastest, if that is
/// exact for all of them; otherwise unchanged. −0 becomes 0, so that bits order like values.
fn in_range(points: Vec<Point>) -> Vec<Point> {
    let scale = unit_scale(points.iter().copied());
    let scaled: Vec<Point> = points.iter().map(|p| p.map(|x| x * scale + 0.0)).collect();
    let exact = scaled.iter().flatten().zip(points.iter().flatten()).all(|(s, x)| s / scale == *x);
    if exact { scaled } else { points.iter().map(|p| p.map(|x| x + 0.0)).collect() }
}

enum Frame {
    Point,
    Line,
    /// Dropping this coordinate maps the plane one to one.
    Plane(usize),
    /// Four points that are not coplanar, the fourth on the positive side of the others.
    Space([u32; 4]),
}

/// The span of sorted, distinct points.
fn frame(points: &[Point]) -> Frame {
    let [a, .., b] = *points else { return Frame::Point };
    let turns = |c: Point, drop: usize| {
        let [a, b, c] = [a, b, c].map(|p| project(p, drop));
        !orient2d(a, b, c).is_zero()
    };
    let off_line = |&i: &usize| (0..3).any(|drop| turns(points[i], drop));
    let Some(third) = (0..points.len()).find(off_line) else { return Frame::Line };
    let c = points[third];
    let off_plane = |&i: &usize| orient3d(a, b, c, points[i]) != Sign::Zero;
    let Some(fourth) = (0..points.len()).find(off_plane) else {
        return Frame::Plane((0..3).find(|&drop| turns(c, drop)).unwrap_or(0));
    };
    let last = points.len() - 1;
    let simplex = match orient3d(a, b, c, points[fourth]) {
        Sign::Negative => [0, third, last, fourth],
        _ => [0, last, third, fourth],
    };
    Frame::Space(simplex.map(|i| i as u32))
}

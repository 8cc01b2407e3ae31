//! Joins holes to the outer contour by bridges, for file formats with one contour a face.
//!
//! ```text
//!   3-----------2        3-----------2     A bridge is an edge traversed both ways: the
//!   |   5---6   |        |   5---6   |     contour 0 1 2 3 with the hole 4 5 6 7 becomes
//!   |   |   |   |   →    |   |   |   |     0 4 5 6 7 4 0 1 2 3. Its two sides cancel, so the
//!   |   4---7   |        |   4---7   |     boundary stays the same.
//!   0-----------1        0-'---------1
//! ```
//!
//! Whether the ends of a bridge see each other is decided exactly, in the projection along the largest
//! component of the face's normal. Sources: Held, *FIST: fast industrial-strength triangulation of
//! polygons*, 2001, section 3.2 (joining holes from left to right); Eberly, *Triangulation by ear
//! clipping*, section 3 (existence of a visible vertex).

use xcollide_predicates::Point2;

use crate::diagonal::{Corner, before, blocks, enters};
use crate::projection::Projection;
use crate::{Face, PolygonMesh, VertexId};

impl PolygonMesh {
    /// Whether any face has hole contours.
    #[must_use]
    pub fn has_holes(&self) -> bool {
        self.faces().any(|face| face.holes().len() > 0)
    }

    /// The same mesh with every face as one contour: bridges, which are edges traversed both ways, join
    /// the holes to the outer contour. Vertices and faces keep their numbers.
    ///
    /// The directed edges of each face stay the same after opposite ones cancel. Bridges cross neither
    /// contours nor each other, unless contours cross or a hole is outside the outer contour.
    ///
    /// Usually takes O(n log n + n h) steps for a face of n corners and h holes, n² h at worst.
    ///
    /// ```
    /// use xcollide_brep::PolygonMesh;
    ///
    /// let square = |a: f64, b: f64| [[a, a, 0.0], [b, a, 0.0], [b, b, 0.0], [a, b, 0.0]];
    /// let positions = [square(0.0, 3.0), square(1.0, 2.0)].concat();
    /// let mut mesh = PolygonMesh::from_positions(positions)?;
    /// mesh.push_face_with_holes(&[0, 1, 2, 3], &[&[4, 7, 6, 5]])?;
    /// let bridged = mesh.bridged();
    /// assert!(!bridged.has_holes());
    /// assert_eq!(bridged.face(0.into()).outer().len(), 10);
    /// # Ok::<(), xcollide_brep::MeshError>(())
    /// ```
    #[must_use]
    pub fn bridged(&self) -> PolygonMesh {
        if !self.has_holes() {
            return self.clone();
        }
        let polygons = self.faces().map(|face| -> Vec<u32> {
            if face.holes().len() == 0 {
                return face.outer().iter().map(|vertex| vertex.0).collect();
            }
            bridged_contour(self.positions(), face).iter().map(|corner| corner.vertex.0).collect()
        });
        // Adds two corners a hole, so it fails only at the limit of the mesh size.
        Self::from_polygons(self.positions().to_vec(), polygons).unwrap_or_else(|_| self.clone())
    }
}

/// All contours of a face, joined to one by bridges.
pub(crate) fn bridged_contour(positions: &[[f64; 3]], face: Face<'_>) -> Vec<Corner> {
    let projection = Projection::of_contour(positions, face.outer());
    let corner =
        |&vertex: &VertexId| Corner { vertex, point: projection.apply(positions[vertex.index()]) };
    let mut merged: Vec<Corner> = face.outer().iter().map(corner).collect();
    let mut holes: Vec<Vec<Corner>> = face
        .holes()
        .map(|hole| {
            let mut hole: Vec<Corner> = hole.iter().map(corner).collect();
            let is_left = |i: usize, j: usize| before(hole[i].point, hole[j].point);
            let leftmost =
                (1..hole.len()).fold(0, |best, i| if is_left(i, best) { i } else { best });
            hole.rotate_left(leftmost);
            hole
        })
        .collect();
    // From left to right, so that contours to the left of a hole are merged before it.
    holes.sort_by(|a, b| {
        let (p, q) = (a[0].point, b[0].point);
        p[0].total_cmp(&q[0]).then(p[1].total_cmp(&q[1]))
    });
    for hole in holes {
        let end = bridge_end(&merged, &hole);
        let (near, far) = (merged[end], hole[0]);
        merged.splice(end + 1..end + 1, hole.into_iter().chain([far, near]));
    }
    merged
}

/// The corner of the merged contour to join with the first, leftmost corner of a hole.
fn bridge_end(merged: &[Corner], hole: &[Corner]) -> usize {
    let start = hole[0].point;
    let n = merged.len();
    let point = |i: usize| merged[i % n].point;
    let mut order: Vec<usize> = (0..n).collect();
    // Near corners first; rounding of the distances affects only the order.
    let distance = |i: usize| distance_squared(point(i), start);
    order.sort_unstable_by(|&i, &j| distance(i).total_cmp(&distance(j)).then(i.cmp(&j)));
    let sees = |&i: &usize| {
        let end = point(i);
        if end == start {
            // The hole touches the contour here; its next edge must lead inside.
            let next = hole[1 % hole.len()].point;
            return next == start || enters(point(i + n - 1), end, point(i + 1), next);
        }
        before(end, start)
            && enters(point(i + n - 1), end, point(i + 1), start)
            && (0..n).all(|j| !blocks(point(j), point(j + 1), start, end))
    };
    order.iter().copied().find(sees).unwrap_or(order[0])
}

fn distance_squared(a: Point2, b: Point2) -> f64 {
    let [x, y] = [a[0] - b[0], a[1] - b[1]];
    x * x + y * y
}

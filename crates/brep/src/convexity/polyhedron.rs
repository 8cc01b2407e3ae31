//! Convexity of bodies: no edge bends inwards, and the surface winds once around an inner point.
//!
//! Sources: Zachmann 1994, 4.2.2, "Convexity", tests the dihedral angles of a closed manifold with
//! planar convex faces. This also accepts bodies whose surface winds twice around a vertex, such as
//! a bipyramid over a pentagram. Mehlhorn et al., *Checking geometric programs or verification of
//! geometric structures*, 1999, add a linear-time check: a point strictly inside all faces, and a
//! ray from it that leaves through exactly one of them. Seen from that point the surface covers the
//! sphere without folds, and the ray counts how often.

use crate::planarity::{FittedPlane, PLANARITY_TOLERANCE, collinear};
use crate::{Dcel, EdgeId, FaceId, PolygonMesh, VertexId};
use xcollide_math::vector::{add, cross, dot, scale, sub};
use xcollide_predicates::{Point, Sign, orient3d, ray_crossing};

#[derive(Debug)]
pub(crate) struct Convexity {
    pub(crate) convex: bool,
    /// Edges with a dihedral angle above 180°.
    pub(crate) reflex_edges: Vec<EdgeId>,
}

/// Decides whether a closed, manifold, oriented, connected mesh with convex planar faces bounds a convex
/// body. `bases`: three non-collinear corners of each face.
///
/// Exact if `exact`, which says that all faces are exactly planar. Otherwise an edge counts as flat if
/// it bends no more than the planarity tolerance allows within a face.
pub(crate) fn convexity(
    mesh: &PolygonMesh,
    dcel: &Dcel,
    bases: &[[VertexId; 3]],
    exact: bool,
) -> Convexity {
    let body = Body { mesh, dcel, base: &|face: FaceId| bases[face.index()] };
    let (out, inwards) = body.bends(exact);
    if !out.is_empty() && !inwards.is_empty() {
        // If edges bend both ways, the sign of the volume decides which are reflex, for the report only.
        let reflex_edges = if body.signed_volume() >= 0.0 { out } else { inwards };
        return Convexity { convex: false, reflex_edges };
    }
    let flat = out.is_empty() && inwards.is_empty();
    Convexity { convex: !flat && body.winds_once(exact), reflex_edges: Vec::new() }
}

/// [`Convexity::convex`] alone. `base`: three non-collinear corners of each face. Ends at the first two edges that bend
/// in different directions.
pub(crate) fn is_convex_body(
    mesh: &PolygonMesh,
    dcel: &Dcel,
    base: &dyn Fn(FaceId) -> [VertexId; 3],
    exact: bool,
) -> bool {
    let body = Body { mesh, dcel, base };
    let mut bend = Sign::Zero;
    for side in dcel.edges().map(|edge| body.bend(edge, exact)) {
        if !side.is_zero() && side == -bend {
            return false;
        }
        bend = if side.is_zero() { bend } else { side };
    }
    !bend.is_zero() && body.winds_once(exact)
}

struct Body<'a> {
    mesh: &'a PolygonMesh,
    dcel: &'a Dcel,
    /// Three non-collinear corners of a face.
    base: &'a dyn Fn(FaceId) -> [VertexId; 3],
}

impl Body<'_> {
    fn base(&self, face: FaceId) -> [Point; 3] {
        (self.base)(face).map(|corner| self.mesh.position(corner))
    }

    /// The edges whose second face lies above the first one, and those whose second face lies below.
    fn bends(&self, exact: bool) -> (Vec<EdgeId>, Vec<EdgeId>) {
        let (mut above, mut below) = (Vec::new(), Vec::new());
        for edge in self.dcel.edges() {
            match self.bend(edge, exact) {
                Sign::Positive => above.push(edge),
                Sign::Negative => below.push(edge),
                Sign::Zero => {}
            }
        }
        (above, below)
    }

    /// The side of the plane of the first face of an edge on which the second face lies.
    fn bend(&self, edge: EdgeId, exact: bool) -> Sign {
        let first = self.dcel.first_side(edge);
        let Some(second) = self.dcel.twin(first) else { return Sign::Zero };
        let faces = [first, second].map(|side| self.dcel.face(side));
        if exact { self.exact_bend(edge, faces) } else { self.bend_within_tolerance(faces) }
    }

    /// [`bend`](Self::bend), exact for exactly planar convex faces: such a face lies on one side of any line through
    /// its border, so any corner off the line decides.
    fn exact_bend(&self, edge: EdgeId, [face, other]: [FaceId; 2]) -> Sign {
        let [a, b, c] = self.base(face);
        let ends = self.dcel.ends(edge);
        let corners = (self.base)(other).into_iter();
        corners
            .filter(|corner| !ends.contains(corner))
            .map(|corner| orient3d(a, b, c, self.mesh.position(corner)))
            .find(|side| !side.is_zero())
            .unwrap_or(Sign::Zero)
    }

    /// [`bend`](Self::bend) for faces that are planar only within the tolerance: an edge is flat if the center of the
    /// second face is within the tolerance of the plane of the first.
    fn bend_within_tolerance(&self, faces: [FaceId; 2]) -> Sign {
        let [plane, beyond] =
            faces.map(|face| FittedPlane::of(self.mesh, self.mesh.face(face), (self.base)(face)));
        let height = plane.height(beyond.center);
        let allowed = PLANARITY_TOLERANCE * plane.size.max(beyond.size);
        if height.abs() > allowed { Sign::of(height) } else { Sign::Zero }
    }

    /// Whether the surface, which bends in one direction only, winds once around its inside.
    fn winds_once(&self, exact: bool) -> bool {
        match self.winds_once_around(self.middle(), exact) {
            Some(once) => once,
            None => exact && self.holds_all_vertices_inside(),
        }
    }

    /// Whether the surface winds around a point exactly once; `None` if the point is not strictly on
    /// the same side of all faces.
    fn winds_once_around(&self, point: Point, exact: bool) -> Option<bool> {
        let mut side_of_all = Sign::Zero;
        let mut times = 0;
        for face in self.mesh.faces() {
            let corners = face.outer();
            let at = |index: usize| self.mesh.position(corners[index]);
            let mut check = |[a, b, c]: [Point; 3]| {
                let side = orient3d(a, b, c, point);
                if side.is_zero() || side == -side_of_all {
                    return None;
                }
                side_of_all = side;
                Some(())
            };
            if exact {
                check(self.base(face.id()))?;
            }
            for index in 2..corners.len() {
                let triangle = [at(0), at(index - 1), at(index)];
                if !exact && !collinear(triangle[0], triangle[1], triangle[2]) {
                    check(triangle)?;
                }
                times += ray_crossing(point, &triangle).winding;
            }
        }
        Some(times.abs() == 1)
    }

    /// Whether all vertices are on the inner side of all faces, no two coincide, and the surface is a
    /// sphere. Exact, O(n²); needed only for bodies so thin that no f64 point inside is found.
    ///
    /// Such a surface lies on the surface of its hull. If it covered the hull several times, each corner
    /// of the hull would be covered several times by one vertex, and by the Riemann-Hurwitz formula the
    /// Euler characteristic would not be 2.
    fn holds_all_vertices_inside(&self) -> bool {
        let used: Vec<Point> = (0..self.mesh.vertex_count())
            .map(VertexId::from_index)
            .filter(|&vertex| !self.dcel.half_edges_at(vertex).is_empty())
            .map(|vertex| self.mesh.position(vertex))
            .collect();
        let euler =
            used.len() as i64 - self.dcel.edge_count() as i64 + self.mesh.face_count() as i64;
        let mut places = used.clone();
        places.sort_unstable_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
        if euler != 2 || places.windows(2).any(|pair| pair[0] == pair[1]) {
            return false;
        }
        // A few vertices first: they usually find a folded face.
        let few: Vec<Point> = used.iter().step_by(used.len().div_ceil(16)).copied().collect();
        let sides = |points: &[Point]| {
            let mut side_of_all = Sign::Zero;
            for face in 0..self.mesh.face_count() {
                let [a, b, c] = self.base(FaceId::from_index(face));
                for &point in points {
                    let side = orient3d(a, b, c, point);
                    if !side.is_zero() && side == -side_of_all {
                        return None;
                    }
                    side_of_all = if side.is_zero() { side_of_all } else { side };
                }
            }
            Some(side_of_all)
        };
        sides(&few).is_some() && sides(&used).is_some_and(|side| !side.is_zero())
    }

    fn middle(&self) -> Point {
        let corners = self.dcel.half_edge_count() as f64;
        let mut middle = [0.0; 3];
        for vertex in (0..self.mesh.vertex_count()).map(VertexId::from_index) {
            // Weighted by corners, so that unused vertices do not count.
            let share = self.dcel.half_edges_at(vertex).len() as f64 / corners;
            middle = add(middle, scale(self.mesh.position(vertex), share));
        }
        middle
    }

    /// Six times the volume, in floating point.
    fn signed_volume(&self) -> f64 {
        let origin = self.middle();
        let mut volume = 0.0;
        for face in self.mesh.faces() {
            let corners = face.outer();
            let at = |index: usize| sub(self.mesh.position(corners[index]), origin);
            for index in 2..corners.len() {
                volume += dot(at(0), cross(at(index - 1), at(index)));
            }
        }
        volume
    }
}

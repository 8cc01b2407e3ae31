//! Contacts: the common points of two faces that meet.
//!
//! Triangles decide about models, so a contact is one of *two triangles*, whose common points are one convex
//! set with a few corners. The contacts of two polygons are those of their triangles: a cut through a
//! diagonal has two pieces with a common end; if only an end of a cut lies on the diagonal, the other
//! triangle has that point as a contact.

use xcollide_bounds::Aabb;
use xcollide_brep::FaceId;
use xcollide_predicates::{
    Point, TriangleOverlap, point_on_triangle, segment_triangle_point, triangle_pair_overlap,
    triangles_within,
};

use crate::proof::witness::{corners_meet, edges, point_tolerance};
use crate::{Placed, ProofError};

/// Two triangles that meet, and all their common points.
///
/// [`NarrowPhase::contacts`](crate::NarrowPhase::contacts) lists pairs of faces; [`contacts`](crate::contacts) makes a
/// `Contact` of each pair of their triangles that meets. Polygons with more than three corners may have several.
///
/// Which triangles meet, and whether in a point, a segment or (in one plane) a polygon, is exact. The points
/// are rounded, see [`triangle_pair_overlap`]. Every algorithm lists the same contacts, bit for bit.
///
/// A contact is not that of a physics engine: it has neither normal nor depth, which
/// [`penetration`](crate::penetration) has for the pair of models.
///
/// ```
/// use xcollide_narrow::{Model, Placed, Pose, contacts};
/// # use xcollide_brep::PolygonMesh;
///
/// # let triangle = |corners: [[f64; 3]; 3]| PolygonMesh::from_polygons(corners.to_vec(), [[0, 1, 2]]);
/// let floor = Model::from_mesh(triangle([[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]])?)?;
/// let blade = Model::from_mesh(triangle([[0.0, 0.0, -1.0], [2.0, 0.0, -1.0], [1.0, 0.0, 1.0]])?)?;
/// let pose = Pose::from_translation([0.0, 1.0, 0.0]);
/// let (a, b) = (Placed::new(&floor, &Pose::IDENTITY)?, Placed::new(&blade, &pose)?);
///
/// let found = contacts(a, b)?;
/// assert_eq!(found.len(), 1);
/// assert_eq!(found[0].segment(), [[0.5, 1.0, 0.0], [1.5, 1.0, 0.0]]);
/// found[0].verify(a, b)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Contact {
    /// A face of the first and one of the second model.
    pub faces: [FaceId; 2],
    /// Their triangles, by number in the models' [triangulations](crate::Model::triangulation).
    pub triangles: [usize; 2],
    /// Their common points, in world coordinates.
    pub overlap: TriangleOverlap,
}

impl Contact {
    /// The contact of triangle `s` of the first model and `t` of the second; `None` if they are apart.
    ///
    /// # Panics
    /// A model has no such triangle.
    #[must_use]
    pub fn of_triangles(a: Placed<'_>, s: usize, b: Placed<'_>, t: usize) -> Option<Self> {
        let overlap = triangle_pair_overlap(&a.triangle(s), &b.triangle(t))?;
        let faces = [(a, s), (b, t)]
            .map(|(placed, triangle)| placed.model().triangulation().face_of(triangle));
        Some(Self { faces, triangles: [s, t], overlap })
    }

    /// Adds the contacts of a face of the first model and one of the second, by ascending triangles.
    pub(crate) fn of_faces(
        a: Placed<'_>,
        face_a: FaceId,
        b: Placed<'_>,
        face_b: FaceId,
        contacts: &mut Vec<Self>,
    ) {
        let of_b = b.model().triangulation().triangles_of(face_b);
        for s in a.model().triangulation().triangles_of(face_a) {
            let of_first = Aabb::from_points(a.triangle(s));
            for t in of_b.clone() {
                if of_first.overlaps(&Aabb::from_points(b.triangle(t))) {
                    contacts.extend(Self::of_triangles(a, s, b, t));
                }
            }
        }
    }

    /// The ends of the intersection segment. If the triangles only touch, that point twice; if they overlap in
    /// one plane, the two corners of the [overlap](Self::overlap) that are farthest from each other.
    #[must_use]
    pub fn segment(&self) -> [Point; 2] {
        self.overlap.ends()
    }

    /// Verifies this contact without the algorithm that found it: the triangles belong to the faces, they
    /// meet, each point is on both up to 2⁻³⁸ of their largest coordinate, and no common point is farther than
    /// that from the overlap.
    ///
    /// # Errors
    /// The first condition that does not hold.
    pub fn verify(&self, a: Placed<'_>, b: Placed<'_>) -> Result<(), ProofError> {
        let [s, t] = [
            triangle(a, self.faces[0], self.triangles[0])?,
            triangle(b, self.faces[1], self.triangles[1])?,
        ];
        if !corners_meet(&s, &t) {
            return Err(ProofError::FeaturesDisjoint);
        }
        let tolerance = point_tolerance(&[s], &[t]);
        let near = |point: Point, triangle: &[Point; 3]| {
            triangles_within(&[point; 3], triangle, tolerance)
        };
        for &point in self.overlap.corners() {
            let on_both = near(point, &s) && near(point, &t);
            if !point.iter().all(|x| x.is_finite()) || !on_both {
                return Err(ProofError::PointOff { point });
            }
        }
        // The overlap as a fan of triangles.
        let corners = self.overlap.corners();
        let [first, rest @ ..] = corners else { return Err(ProofError::FeaturesDisjoint) };
        let covered = |point: Point| {
            near(point, &[*first; 3])
                || rest.iter().enumerate().any(|(i, &corner)| {
                    near(point, &[*first, corner, *rest.get(i + 1).unwrap_or(&corner)])
                })
        };
        let missing = common_points(&s, &t).into_iter().find(|&point| !covered(point));
        missing.map_or(Ok(()), |point| Err(ProofError::Incomplete { point }))
    }
}

/// Points whose convex hull is the intersection of two triangles: corners on the other triangle, and points
/// where an edge meets the other triangle or an edge of it.
fn common_points(s: &[Point; 3], t: &[Point; 3]) -> Vec<Point> {
    let mut points = Vec::new();
    for (own, other) in [(s, t), (t, s)] {
        points.extend(own.iter().filter(|&&corner| point_on_triangle(corner, other)));
        for edge in edges(own) {
            points.extend(segment_triangle_point(&edge, other));
            for [start, end] in edges(other) {
                points.extend(segment_triangle_point(&edge, &[start, end, end]));
            }
        }
    }
    points
}

/// A triangle in the world, if it belongs to the face.
fn triangle(placed: Placed<'_>, face: FaceId, triangle: usize) -> Result<[Point; 3], ProofError> {
    let model = placed.model();
    let known = face.index() < model.mesh().face_count()
        && model.triangulation().triangles_of(face).contains(&triangle);
    if known {
        Ok(placed.triangle(triangle))
    } else {
        Err(ProofError::UnknownElement { element: format!("triangle {triangle} of face {face}") })
    }
}

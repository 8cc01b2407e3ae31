//! Verifies the answer "no farther apart than a tolerance".
//!
//! The nearest points are rounded, so as a rule they are on no face, and their distance is not the
//! one that was compared. The *features* are the proof, as with a [`Witness`](crate::Witness): two
//! faces, of which the predicates say exactly whether they are within the tolerance. Where one body
//! holds the other, the point is a vertex, exactly, and in both.

use xcollide_brep::FaceId;
use xcollide_predicates::{Point, triangles_within};

use crate::point_in_polyhedron::{Location, locate};
use crate::proof::witness::{POINT_TOLERANCE, triangles};
use crate::proximity::Nearness;
use crate::{Feature, Placed, ProofError, Semantics};

impl Nearness {
    /// Checks that the two placed models are at most `tolerance` apart, by what this names and
    /// nothing else, and that the points lie on the faces up to 2⁻³⁸ of their largest coordinate.
    ///
    /// Exact as to the tolerance. Time: a comparison for each pair of triangles of the two faces, or
    /// two of [`locate`].
    ///
    /// # Errors
    /// What does not hold.
    pub fn verify(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        tolerance: f64,
        semantics: Semantics,
    ) -> Result<(), ProofError> {
        match self.faces {
            Some(faces) => self.verify_faces(a, b, faces, tolerance),
            None if semantics == Semantics::Surface => Err(ProofError::NoBody),
            None => {
                let [point, other] = self.points;
                let in_both = |placed| locate(placed, point) != Location::Outside;
                let holds = tolerance >= 0.0 && point == other && in_both(a) && in_both(b);
                holds.then_some(()).ok_or(ProofError::PointOff { point })
            }
        }
    }

    fn verify_faces(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        faces: [FaceId; 2],
        tolerance: f64,
    ) -> Result<(), ProofError> {
        let of_a = triangles(a, Feature::Face(faces[0]))?;
        let of_b = triangles(b, Feature::Face(faces[1]))?;
        let near = of_a.iter().any(|s| of_b.iter().any(|t| triangles_within(s, t, tolerance)));
        if !near {
            return Err(ProofError::TooFar { a: faces[0], b: faces[1], tolerance });
        }
        let all = of_a.iter().chain(&of_b).flatten().flatten();
        let largest = all.fold(0.0, |m: f64, x| m.max(x.abs()));
        let on = |point: Point, set: &[[Point; 3]]| {
            point.iter().all(|x| x.is_finite())
                && set.iter().any(|t| triangles_within(&[point; 3], t, largest * POINT_TOLERANCE))
        };
        for (point, set) in self.points.into_iter().zip([&of_a, &of_b]) {
            if !on(point, set) {
                return Err(ProofError::PointOff { point });
            }
        }
        Ok(())
    }
}

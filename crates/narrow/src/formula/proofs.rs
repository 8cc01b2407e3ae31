//! The proofs of any two models, by what they are.

use xcollide_convex::Plane;

use super::verify::{verify_separation, verify_suspects, verify_witness};
use super::{any_formula, pair};
use crate::proof::separation::find_plane;
use crate::query::Deadline;
use crate::{Placed, ProofError, Semantics, Separation, Suspects, Witness};

impl Separation {
    /// Verifies this proof without the algorithm that found it. Exact.
    ///
    /// A plane takes time linear in the vertices, a front see [`Front::verify`](crate::Front::verify); `Pairwise` builds a
    /// front first. With solid semantics a front proves the surfaces apart, and
    /// [`locate`](crate::point_in_polyhedron::locate) that no body contains the other.
    ///
    /// # Errors
    /// The first condition that does not hold.
    pub fn verify(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        semantics: Semantics,
    ) -> Result<(), ProofError> {
        if any_formula(a, b) {
            return verify_separation(self, a, b, semantics);
        }
        self.verify_of_meshes(a, b, semantics)
    }

    /// Searches a plane between two models: axis-parallel between the boxes, else along the directions of the
    /// separating vector iteration (Chung 1996, formula 3.2: reflect the direction at the line between the two
    /// support vertices). Every candidate is verified exactly.
    ///
    /// `None` if none was found: the convex hulls overlap, or the gap is too narrow for f64. Takes at most two
    /// dozen passes over the vertices.
    #[must_use]
    pub fn find_plane(a: Placed<'_>, b: Placed<'_>) -> Option<Plane> {
        if any_formula(a, b) {
            return pair::find_plane(a, b);
        }
        find_plane(a, b, &mut Deadline::never()).unwrap_or(None)
    }
}

impl Witness {
    /// Verifies this proof without the algorithm that found it.
    ///
    /// Exact as to whether the features meet. Takes time linear in the triangles of the two faces, or of the
    /// model if a vertex is in a body.
    ///
    /// # Errors
    /// The first condition that does not hold.
    pub fn verify(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        semantics: Semantics,
    ) -> Result<(), ProofError> {
        if any_formula(a, b) {
            return verify_witness(self, a, b, semantics);
        }
        self.verify_of_meshes(a, b, semantics)
    }
}

impl Suspects {
    /// Verifies that the features are no farther apart: exactly, or of a formula by a bound that is proved. Takes a comparison
    /// for each pair of their triangles; of the body of a mesh these are all.
    ///
    /// # Errors
    /// A model has no such feature, or they are farther apart.
    pub fn verify(&self, a: Placed<'_>, b: Placed<'_>) -> Result<(), ProofError> {
        if any_formula(a, b) {
            return verify_suspects(self, a, b);
        }
        self.verify_of_meshes(a, b)
    }
}

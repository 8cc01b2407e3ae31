//! Models given by formulas: against each other, and against meshes.
//!
//! A formula is an ideal convex set, a mesh its rounded triangles, which decide exactly. So an answer about a pair with a
//! formula is proved: by bounds on rounding, and where that hides whether the two touch by exact arithmetic
//! ([`ConvexBody`](xcollide_predicates::ConvexBody)).
//!
//! A mesh is tested triangle by triangle, those near the body as the hierarchy of boxes finds them. If none meets the
//! body, the body is in the mesh or outside as a whole, and one of its points tells which.
//!
//! Formulas are bodies under both semantics: [`Semantics::Surface`](crate::Semantics) is about meshes.

mod common_point;
mod distance;
mod enclosed;
mod exact_contact;
mod exact_plane;
mod features;
pub(crate) mod half_spaces;
pub(crate) mod mesh;
mod narrow_phase;
pub(crate) mod pair;
mod penetration;
pub(crate) mod polyhedra;
mod proofs;
mod triangle_distance;
mod verify;

pub(crate) use common_point::{common_points, parting_normals};
pub use distance::{distance, within};
pub(crate) use distance::{distance_in_time, triangles_near};
pub(crate) use exact_contact::{exact_gap, is_near_formula, point_between};
pub(crate) use exact_plane::exact_separation;
pub(crate) use features::contact_points;
pub(crate) use mesh::normals_near;
pub use narrow_phase::Formulas;
pub(crate) use penetration::hull_penetration;

use crate::{Placed, QueryError, Reason, Verdict};

/// Whether one of two models is given by a formula.
#[inline]
pub(crate) fn any_formula(a: Placed<'_>, b: Placed<'_>) -> bool {
    a.model().formula().is_some() || b.model().formula().is_some()
}

/// The answer of an algorithm for meshes if one of the models is given by a formula.
#[inline]
pub(crate) fn refusal([a, b]: [Placed<'_>; 2]) -> Option<Verdict> {
    any_formula(a, b).then_some(Verdict::Undecided(Reason::NotAccepted))
}

/// The error of a query about meshes.
pub(crate) fn need_meshes(a: Placed<'_>, b: Placed<'_>) -> Result<(), QueryError> {
    need_mesh(a, "first")?;
    need_mesh(b, "second")
}

/// The same for one of them.
pub(crate) fn need_mesh(placed: Placed<'_>, side: &'static str) -> Result<(), QueryError> {
    match placed.model().formula() {
        Some(formula) => Err(QueryError::NoMesh { side, formula: formula.name() }),
        None => Ok(()),
    }
}

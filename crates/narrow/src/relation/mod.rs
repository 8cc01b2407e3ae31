//! How two placed models lie to each other: apart, touching, overlapping, piercing, enclosed or equal. Exact.
//!
//! # How it is decided
//!
//! The surfaces of both models together cut space into open cells, each wholly inside or outside of each body. All
//! [`Kind`]s but one follow from which of the four combinations occur, and from which parts of a surface are on, inside or
//! outside of the other model (`facts.rs`). Every cell but the unbounded one has a piece of a surface on its border; so it is enough
//! to take one point in each piece into which the other surfaces cut a triangle, and to locate both sides of it
//! ([`xcollide_predicates::ray_passage`]). These points are fractions of big integers, so that nothing is rounded.
//!
//! Most pairs need few of them:
//!
//! - Where two triangles cross, two points mostly show that the bodies overlap.
//! - If the plane of a triangle in contact has one model on each side, they only touch.
//! - Triangles that do not touch the other model, and are connected by such triangles, lie to it as one of
//!   their vertices does.
//!
//! Else every triangle that touches the other model is cut by all triangles that it touches (`cells.rs` in the predicates).
//!
//! Whether surfaces that bound no bodies pierce each other is decided along the segments in which they meet
//! (`crossing.rs`).
//!
//! The names are those of Egenhofer and Franzosa, *Point-set topological spatial relations*, 1991, where engineers have
//! no others.

mod crossing;
mod exact_formulas;
mod facts;
mod flat_polytope;
mod of_formulas;
mod operand;

use crate::formula::any_formula;
use crate::{Placed, Semantics};
use facts::Facts;

pub(crate) use operand::Operand;

/// How two placed models lie to each other, as point sets.
///
/// The *interior* of a model is that of the body it bounds; other models have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Kind {
    /// They have no point in common.
    Apart,
    /// They have a point in common, but only of their boundaries: no point of either is in the interior of the other.
    /// A surface that bounds no body is all boundary; it touches another such surface if they neither overlap nor cross.
    Touching,
    /// Their interiors meet, and neither contains the other. Two surfaces that bound no bodies have an area in common,
    /// and do not cross.
    Overlapping,
    /// A surface passes through the other model: into the interior of a body, or from one side of another surface to
    /// the other.
    Piercing,
    /// The first model is a part of the second and reaches into its interior, if it has one.
    Enclosed,
    /// The second model is a part of the first and reaches into its interior, if it has one.
    Enclosing,
    /// They are the same point set.
    Equal,
}

impl Kind {
    /// The name in programs; that of `Enclosing` is `enclosed`, too.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Apart => "apart",
            Self::Touching => "touching",
            Self::Overlapping => "overlapping",
            Self::Piercing => "piercing",
            Self::Enclosed | Self::Enclosing => "enclosed",
            Self::Equal => "equal",
        }
    }

    /// The kind of the same two models in the other order.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Enclosed => Self::Enclosing,
            Self::Enclosing => Self::Enclosed,
            other => other,
        }
    }
}

/// How two placed models lie to each other. Exact for the triangles over their rounded vertices, as
/// `docs/semantics.md` defines them, for any models: non-convex, in several pieces, turned inside out, with surfaces that
/// intersect themselves.
///
/// Under surface semantics no model has an interior.
///
/// Of a model given by a formula the kind is proved, by intervals or where rounding hides it by exact arithmetic; `None` for
/// the pairs with meshes that intersect themselves that `docs/semantics.md` names.
///
/// Takes a search for the triangles that meet, and mostly some microseconds more. If these do not show the kind at
/// once, some dozen microseconds for each part into which the triangles in contact cut each other.
#[must_use]
pub fn kind(a: Placed<'_>, b: Placed<'_>, semantics: Semantics) -> Option<Kind> {
    if any_formula(a, b) {
        return of_formulas::kind(a, b, semantics);
    }
    Some(kind_of_meshes(a, b, semantics))
}

/// The kind of two meshes.
pub(crate) fn kind_of_meshes(a: Placed<'_>, b: Placed<'_>, semantics: Semantics) -> Kind {
    let Some(facts) = Facts::of(a, b, semantics) else { return Kind::Equal };
    facts.kind()
}

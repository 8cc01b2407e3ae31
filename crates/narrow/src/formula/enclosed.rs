//! Whether a bounded body that no triangle of a mesh meets is in the mesh: as it is connected, one of its points tells.

use xcollide_predicates::Point;

use super::pair::Body;
use crate::model::formula_side::placed_body;
use crate::point_in_polyhedron::{Location, locate};
use crate::relation::Operand;
use crate::{Placed, Semantics};

/// A point of the body, if it is in the mesh under solid semantics. A body as thin as what is rounded has its point rounded: near
/// the body, which is located exactly.
pub(super) fn point_within(body: Placed<'_>, shape: &Body<'_>, mesh: Placed<'_>) -> Option<Point> {
    let inner = shape.inner_point();
    let is_inside = if shape.has_inner_point() {
        locate(mesh, inner) != Location::Outside
    } else {
        // On no triangle.
        let exact = placed_body(body)?.inner_point();
        Operand::new(mesh, Semantics::Solid).sides(&exact, 0).inside[0]
    };
    is_inside.then_some(inner)
}

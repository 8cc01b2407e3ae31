//! The kind of relation of formulas where rounding hides it from proofs by intervals: decided by exact arithmetic.
//!
//! - Two bounded formulas: how they lie to each other, and whether one is in the other
//!   ([`ConvexBody`](xcollide_predicates::ConvexBody)).
//! - A half space and a bounded formula: the heights of the formula above the border.
//! - A bounded formula and a mesh: how each triangle lies to the formula. If none reaches into its interior, that is in the mesh or
//!   outside as a whole, and an inner point tells which. Else both sides of those triangles tell whether the inside of the mesh and its
//!   outside are in the formula. A box whose corners f64 has is first compared as the mesh of these corners, which it may
//!   equal.

use std::ops::ControlFlow;

use xcollide_brep::{Interior, PolygonMesh};
use xcollide_convex::shape::Core;
use xcollide_predicates::{ExactPoint, Point, SheetContact, Sign, ray_axis};

use super::flat_polytope::flat_and_mesh;
use super::kind;
use super::of_formulas::of_overlap;
use super::operand::Operand;
use crate::formula::mesh::each_meeting;
use crate::formula::pair::Side;
use crate::formula::polyhedra::BOX_SIDES;
use crate::model::formula_side::{formula_side, moved_solid, placed_body};
use crate::{Kind, Model, Placed, Pose, Semantics};

/// The kind of two placed models, at least one of them given by a formula; `None` where it is not decided.
pub(super) fn exact_kind(a: Placed<'_>, b: Placed<'_>, semantics: Semantics) -> Option<Kind> {
    match (Side::of(a), Side::of(b)) {
        (Side::HalfSpace(_), Side::Shape(..)) => above_ground(a, b),
        (Side::Shape(..), Side::HalfSpace(_)) => Some(above_ground(b, a)?.reversed()),
        (Side::Shape(..), Side::Shape(..)) => of_bodies(a, b),
        (Side::Shape(..), Side::Mesh(_)) => body_and_mesh(a, b, semantics),
        (Side::Mesh(_), Side::Shape(..)) => Some(body_and_mesh(b, a, semantics)?.reversed()),
        _ => None,
    }
}

/// Two bounded formulas.
fn of_bodies(a: Placed<'_>, b: Placed<'_>) -> Option<Kind> {
    let (one, other) = (placed_body(a)?, placed_body(b)?);
    let (first, second) = (one.has_interior(), other.has_interior());
    match one.gap(&other) {
        Sign::Positive => Some(Kind::Apart),
        Sign::Zero if first || second => Some(Kind::Touching),
        _ => Some(match of_overlap(!one.is_in(&other), !other.is_in(&one)) {
            // Flat polytopes without a radius are surfaces.
            Kind::Overlapping if !first && !second => match one.sheet_contact(&other) {
                Some(SheetContact::Area) => Kind::Overlapping,
                Some(SheetContact::Crossing) => Kind::Piercing,
                None => Kind::Touching,
            },
            Kind::Overlapping if !first || !second => Kind::Piercing,
            kind => kind,
        }),
    }
}

/// A half space and a bounded formula.
fn above_ground(ground: Placed<'_>, body: Placed<'_>) -> Option<Kind> {
    let normal = ground.pose().rotation().map(|row| row[2]);
    let [lowest, highest] = placed_body(body)?.heights(normal, ground.pose().translation());
    Some(match lowest {
        Sign::Positive => Kind::Apart,
        Sign::Zero => Kind::Touching,
        Sign::Negative if highest.is_positive() => Kind::Overlapping,
        Sign::Negative => Kind::Enclosing,
    })
}

/// A box at its pose as a mesh of exactly the same points.
fn box_mesh(placed: Placed<'_>) -> Option<Model> {
    let formula = placed.model().formula()?;
    let Core::Cuboid { half } = formula.shape()?.core() else { return None };
    let moved = moved_solid(placed)?;
    let corner = |number: usize| {
        let sides = [0, 1, 2].map(|k| if number >> k & 1 == 0 { -half[k] } else { half[k] });
        moved.exact_point(sides)
    };
    let corners = (0..8).map(corner).collect::<Option<Vec<Point>>>()?;
    Model::from_mesh(PolygonMesh::from_polygons(corners, BOX_SIDES).ok()?).ok()
}

/// A bounded formula and a mesh.
fn body_and_mesh(body: Placed<'_>, mesh: Placed<'_>, semantics: Semantics) -> Option<Kind> {
    if semantics == Semantics::Solid
        && let Some(as_mesh) = box_mesh(body)
    {
        return kind(Placed::new(&as_mesh, &Pose::IDENTITY).ok()?, mesh, semantics);
    }
    let (exact, formula) = (placed_body(body)?, body.model().formula()?);
    if !exact.has_interior() {
        return Some(flat_and_mesh(&exact, body, mesh, semantics));
    }
    let mut operand = Operand::new(mesh, semantics);
    let is_body = operand.interior != Interior::None;
    let (mut reaching, mut touches) = (Vec::new(), false);
    each_meeting(body, mesh, |number, triangle| match exact.triangle_gap(&triangle) {
        Sign::Negative => reaching.push(number),
        Sign::Zero => touches = true,
        Sign::Positive => {}
    });
    if reaching.is_empty() {
        return Some(if is_body && operand.sides(&exact.inner_point(), 0).inside[0] {
            Kind::Enclosed
        } else if touches {
            Kind::Touching
        } else {
            Kind::Apart
        });
    }
    let mut used = mesh.model().used_vertices().iter();
    let is_in = |p| formula_side(formula, body.pose(), p) != Sign::Positive;
    if used.all(|&vertex| is_in(mesh.position(vertex))) {
        return Some(Kind::Enclosing);
    }
    if !is_body {
        return Some(Kind::Piercing);
    }
    // Whether points of the body are outside of the mesh, and inside.
    let mut seen = [false; 2];
    for number in reaching {
        let Some(axis) = ray_axis(&operand.triangle(number)) else { continue };
        let mut parts: Vec<[bool; 2]> = Vec::new();
        let _ = operand.cells(number, [], &mut |own, point| {
            parts.push(outside_and_inside(own, point, axis));
            ControlFlow::Continue(())
        });
        if parts.windows(2).any(|pair| pair[0] != pair[1]) {
            // Only those that the body reaches into count.
            let reached = operand.cells_reached(number, &exact)?;
            parts =
                reached.iter().map(|point| outside_and_inside(&mut operand, point, axis)).collect();
        }
        seen = [0, 1].map(|k| seen[k] || parts.iter().any(|part| part[k]));
        if seen == [true; 2] {
            return Some(Kind::Overlapping);
        }
    }
    // If only triangles without area reach into it, one of its points tells.
    let is_inside = match seen {
        [false, false] => operand.sides(&exact.inner_point(), 0).inside[0],
        [_, is_inside] => is_inside,
    };
    Some(if is_inside { Kind::Enclosed } else { Kind::Piercing })
}

/// Whether there are points of a body beside one on a triangle that are outside of a mesh, and inside.
fn outside_and_inside(mesh: &mut Operand<'_>, point: &ExactPoint, axis: usize) -> [bool; 2] {
    let [before, behind] = mesh.sides(point, axis).inside;
    [!(before && behind), before || behind]
}

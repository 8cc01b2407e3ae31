//! The kind of relation of a mesh and a flat polytope without a radius, whose corners f64 may not have.
//!
//! The polytope is a convex surface that bounds nothing, so that the facts about it are few: where its parts are, whether all vertices of the
//! mesh are on it, and whether the mesh continues on both of its sides.

use std::ops::ControlFlow;

use xcollide_brep::Interior;
use xcollide_predicates::{ConvexBody, Point, Sign};

use super::facts::{Facts, has_interior};
use super::operand::{Operand, Sides};
use crate::formula::mesh::each_near;
use crate::formula::pair::Side;
use crate::{Kind, Placed, Semantics};

/// `flat`: the body, exactly.
pub(super) fn flat_and_mesh(
    flat: &ConvexBody,
    body: Placed<'_>,
    mesh: Placed<'_>,
    semantics: Semantics,
) -> Kind {
    let mut operand = Operand::new(mesh, semantics);
    let mut meeting: Vec<[Point; 3]> = Vec::new();
    if let Side::Shape(_, shape) = Side::of(body) {
        let _ = each_near(&shape, 0.0, mesh, |number| {
            let triangle = mesh.triangle(number as usize);
            if flat.triangle_gap(&triangle) != Sign::Positive {
                meeting.push(triangle);
            }
            ControlFlow::Continue(())
        });
    }
    let mut facts = Facts { meet: !meeting.is_empty(), ..Facts::default() };
    let points = flat.cells(&meeting);
    match flat.ray_axis() {
        Some(axis) => {
            let own = Sides { on: true, inside: [false; 2] };
            points.iter().for_each(|point| facts.add(0, own, operand.sides(point, axis)));
        }
        None => facts.add_points(0, &points, &meeting, &mut operand),
    }
    let mut vertices = mesh.model().used_vertices().iter();
    facts.sticks_out[1] |=
        vertices.any(|&vertex| flat.side(mesh.position(vertex)) == Sign::Positive);
    facts.cross = operand.interior == Interior::None && flat.is_crossed_by(&meeting);
    facts.has_interior = [false, has_interior(&mut operand)];
    facts.kind()
}

//! The kind of relation of a mesh and a flat polytope without a radius: that of the mesh and the same polygon as a mesh.
//!
//! Where f64 has the corners of the polygon, they are the same surface. Else they are rounded. That changes how the polygon lies
//! to the mesh only if on the way a corner of one passes through a triangle of the other, or an edge through an edge. No such two
//! meet if they are farther from each other than the corners are moved.

use std::ops::ControlFlow;

use xcollide_brep::PolygonMesh;
use xcollide_math::vector::largest;
use xcollide_predicates::{Point, closest_points};

use super::kind_of_meshes;
use crate::formula::mesh::each_near;
use crate::formula::pair::Side;
use crate::model::formula_side::placed_body;
use crate::{Formula, Kind, Model, Placed, Semantics};

/// `None` where rounding hides how they lie to each other, and for other bodies.
pub(super) fn flat_and_mesh(
    body: Placed<'_>,
    mesh: Placed<'_>,
    semantics: Semantics,
) -> Option<Kind> {
    let (corners, is_exact) = placed_body(body)?.rounded_corners()?;
    let Formula::Rounded(shape) = body.model().formula()? else { return None };
    let all = || (0..corners.len() as u32).collect();
    // A segment and a point have no facets.
    let facet = shape.polytope().facets().next().map_or_else(all, <[u32]>::to_vec);
    if facet.len() != corners.len() {
        return None;
    }
    let polygon = Model::from_mesh(PolygonMesh::from_polygons(corners, [facet]).ok()?).ok()?;
    let polygon = Placed::unmoved(&polygon);
    let is_known = is_exact || are_features_apart(body, polygon, mesh);
    is_known.then(|| kind_of_meshes(polygon, mesh, semantics))
}

/// Whether no corner of one is near a triangle of the other, and no edge near an edge. `body`: the polygon before it was rounded.
fn are_features_apart(body: Placed<'_>, polygon: Placed<'_>, mesh: Placed<'_>) -> bool {
    let Side::Shape(_, shape) = Side::of(body) else { return false };
    let [a, b] = [polygon, mesh].map(|placed| placed.world_box());
    let far = [a.min, a.max, b.min, b.max].into_iter().map(largest).fold(0.0, f64::max);
    // More than the error of distances, 2⁻⁴⁰ of the greatest difference of coordinates, and than what rounding moves.
    let least = far * libm::exp2(-36.0);
    let triangles = || (0..polygon.model().triangulation().len()).map(|k| polygon.triangle(k));
    let flow = each_near(&shape, least, mesh, |number| {
        let other = mesh.triangle(number as usize);
        match triangles().all(|own| nearest_features(&own, &other) > least) {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    });
    flow.is_continue()
}

/// The least distance of a corner of one triangle and the other triangle, or of two edges.
fn nearest_features(one: &[Point; 3], other: &[Point; 3]) -> f64 {
    let corners = |of: &[Point; 3], to: &[Point; 3]| {
        of.iter()
            .map(|&corner| closest_points(&[corner], to).distance)
            .fold(f64::INFINITY, f64::min)
    };
    let edges = |of: &[Point; 3]| [[of[0], of[1]], [of[1], of[2]], [of[2], of[0]]];
    let of_edges = edges(one)
        .into_iter()
        .flat_map(|edge| edges(other).map(|there| closest_points(&edge, &there).distance));
    of_edges.fold(corners(one, other).min(corners(other, one)), f64::min)
}

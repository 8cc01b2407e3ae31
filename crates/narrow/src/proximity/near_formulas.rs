//! Where a body given by a formula is near another model. It is convex, and one region; those of a mesh are sets of triangles, as
//! among meshes.

use std::ops::ControlFlow;

use xcollide_math::vector::{dot, sub, unit};
use xcollide_predicates::{ClosestPoints, Point};

use super::regions::{NearRegions, Pair, Regions, corners, normal};
use super::triangle;
use crate::formula::{self, triangles_near};
use crate::point_distance::on_surface;
use crate::{Placed, Semantics};

/// The regions of two models, at least one of them given by a formula, that are at most `tolerance` apart, in no order. What
/// rounding hides counts as near.
pub(super) fn near_formulas(a: Placed<'_>, b: Placed<'_>, tolerance: f64) -> Vec<NearRegions> {
    let is_formula = [a, b].map(|placed| placed.model().formula().is_some());
    if is_formula == [true; 2] {
        return of_formulas(a, b, tolerance).into_iter().collect();
    }
    let (body, mesh) = if is_formula[0] { (a, b) } else { (b, a) };
    let mut regions = Regions::default();
    let _ = triangles_near(body, mesh, tolerance, |number, found| {
        let [on_body, on_mesh] = found.points;
        // In each other they have the point of the triangle in common.
        let on_body = if found.at_most > 0.0 { on_body } else { on_mesh };
        let [a, b] = if is_formula[0] { [on_body, on_mesh] } else { [on_mesh, on_body] };
        let nearest = ClosestPoints { a, b, distance: found.at_most };
        let facing = match nearest.distance {
            0.0 => {
                let out = on_surface(body, on_mesh).map(|surface| surface.normal);
                out.zip(normal(&triangle(mesh, number))).map_or(1.0, |(m, n)| dot(m, n))
            }
            _ => 0.0,
        };
        let pair = Pair { nearest, facing, triangles: [number, 0] };
        regions.add([corners(mesh, number), [0; 3]], pair);
        ControlFlow::Continue(())
    });
    let told = |nearest: &Pair, pairs| {
        let points = [nearest.nearest.a, nearest.nearest.b];
        let surface = || match is_formula[0] {
            true => on_surface(a, points[0]).map(|found| found.normal),
            false => normal(&triangle(a, nearest.triangles[0])),
        };
        of_points(points, nearest.nearest.distance, surface, pairs)
    };
    regions.roots().map(|region| told(&region.nearest, region.pairs)).collect()
}

/// Two formulas are one pair of regions, or none.
fn of_formulas(a: Placed<'_>, b: Placed<'_>, tolerance: f64) -> Option<NearRegions> {
    // Only of meshes there may be none.
    let found = formula::distance(a, b, Semantics::Solid).ok()?;
    if found.at_least > tolerance {
        return None;
    }
    let surface = || on_surface(a, found.points[0]).map(|surface| surface.normal);
    Some(of_points(found.points, found.at_most, surface, 1))
}

fn of_points(
    points: [Point; 2],
    distance: f64,
    surface: impl Fn() -> Option<[f64; 3]>,
    pairs: usize,
) -> NearRegions {
    let apart = unit(sub(points[1], points[0])).filter(|_| distance > 0.0);
    let normal = apart.or_else(surface).unwrap_or_default();
    NearRegions { distance, points, normal, faces: None, pairs }
}

//! Solidity: how far the body that a model bounds fills its convex hull.
//!
//! Convex algorithms test hulls, but the triangles over the rounded vertices decide, and the body they bound
//! has dents: rounding bends faces, and the mesh may be convex within a tolerance only. So two hulls may
//! meet although the bodies do not. But points deep enough in the hull are in the body:
//!
//! - Let no point of the local surface be deeper than `dent` below the border of the hull. The set of all
//!   deeper points is convex and contains no surface, so all of them are in the body or none, as the center.
//! - Rounding the vertices of the moved body moves each point of its surface by at most the rounding error
//!   ε of a vertex. So no surface crosses a point deeper than `dent` + ε, whose winding number stays the
//!   same.
//!
//! This holds for triangles of any shape: no plane through nearly collinear corners is used.

use xcollide_bounds::Aabb;
use xcollide_brep::Interior;
use xcollide_convex::{Polytope, Solidity, VertexSearch};
use xcollide_predicates::triangle_distance;

use super::vertex_tree::VertexTree;
use crate::point_in_polyhedron::{Location, locate};
use crate::{Model, Placed, Pose};
use xcollide_math::vector::{add, cross, dot, length_squared, scale, sub, unit};

/// Measures a model; `None` if its surface bounds no body, if the center is not inside, or if the dents reach
/// down to the center.
pub(crate) fn of_model(model: &Model, polytope: &Polytope) -> Option<Solidity> {
    let center = polytope.center();
    let here = Placed::new(model, &Pose::IDENTITY).ok()?;
    if model.interior() == Interior::None || locate(here, center) != Location::Inside {
        return None;
    }
    let inner = inner_radius(center, here);
    let triangles = (0..model.triangulation().len()).map(|triangle| here.triangle(triangle));
    let dent = Dents::new(polytope).deepest(triangles, DEEPEST * inner)?;
    Some(Solidity { inner, dent })
}

/// Measures a convex part in the body that a whole model bounds: `inner` is the radius of a ball in the part
/// about its center. The argument is the same with the surface of the whole, whose vertices may be farther
/// from the origin and rounded more.
pub(crate) fn of_part(part: &Model, whole: &Model, polytope: &Polytope) -> Option<Solidity> {
    let center = polytope.center();
    let placed = |model| Placed::new(model, &Pose::IDENTITY).ok();
    let (of_part, here) = (placed(part)?, placed(whole)?);
    if whole.interior() == Interior::None || locate(here, center) != Location::Inside {
        return None;
    }
    let inner = inner_radius(center, of_part);
    let bounds = part.local_box();
    let near: Vec<[[f64; 3]; 3]> = (0..whole.triangulation().len())
        .map(|triangle| here.triangle(triangle))
        .filter(|corners| Aabb::from_points(*corners).overlaps(&bounds))
        .collect();
    // First the triangle that is probably the deepest, which rejects most parts that do not fit.
    let from_center = |corners: &&[[f64; 3]; 3]| {
        let outwards = corners.map(|p| length_squared(sub(p, center)));
        outwards.into_iter().fold(f64::INFINITY, f64::min)
    };
    let nearest = near.iter().min_by(|p, q| from_center(p).total_cmp(&from_center(q)));
    let first = nearest.into_iter().chain(&near).copied();
    let dent = Dents::new(polytope).deepest(first, DEEPEST * inner)?;
    let Aabb { min, max } = whole.local_box();
    let reach = (0..3).map(|k| min[k].abs().max(max[k].abs())).sum::<f64>();
    let dent = dent + 64.0 * f64::EPSILON * reach;
    (dent < DEEPEST * inner).then_some(Solidity { inner, dent })
}

/// The radius of a ball about a center that no triangle meets.
fn inner_radius(center: [f64; 3], placed: Placed<'_>) -> f64 {
    let triangles = (0..placed.model().triangulation().len()).map(|t| placed.triangle(t));
    let distances = triangles.map(|triangle| triangle_distance(&[center; 3], &triangle));
    distances.fold(f64::INFINITY, f64::min) * (1.0 - 1e-9)
}

/// The deepest allowed dent, relative to the inner ball.
const DEEPEST: f64 = 0.125;

/// Measures how deep triangles are below the border of the hull.
struct Dents<'a> {
    polytope: &'a Polytope,
    near: u32,
    /// Built on demand.
    vertices: Option<VertexTree>,
    /// Unit normals of the hull's faces and the hull's heights along them, computed on demand.
    normals: Vec<([f64; 3], Option<f64>)>,
    /// The number of heights that may still be computed for triangles not obviously on the border.
    budget: usize,
}

impl<'a> Dents<'a> {
    fn new(polytope: &'a Polytope) -> Self {
        Self { polytope, near: 0, vertices: None, normals: Vec::new(), budget: 1 << 24 }
    }

    /// An upper bound of the depth of all points of some triangles; `None` if it is not below `limit`.
    fn deepest(
        &mut self,
        triangles: impl Iterator<Item = [[f64; 3]; 3]>,
        limit: f64,
    ) -> Option<f64> {
        let mut deepest = 0.0_f64;
        for triangle in triangles {
            deepest = deepest.max(self.depth(&triangle, deepest));
            if deepest >= limit {
                return None;
            }
        }
        (deepest < limit).then_some(deepest)
    }

    /// An upper bound of the depth of all points of a triangle, the best known or at most `enough`. The hull
    /// lies on one side of each supporting plane, so no point is deeper than its distance below any of them.
    fn depth(&mut self, triangle: &[[f64; 3]; 3], enough: f64) -> f64 {
        let [a, b, c] = *triangle;
        let middle = scale(add(add(a, b), c), 1.0 / 3.0);
        let outwards = sub(middle, self.polytope.center());
        let mut depth = f64::INFINITY;
        if let Some(normal) = unit(cross(sub(b, a), sub(c, a))) {
            let normal = if dot(normal, outwards) < 0.0 { scale(normal, -1.0) } else { normal };
            let top = self.top(normal);
            depth = self.below(triangle, normal, top);
        }
        let scale = self.polytope.reach();
        if depth <= enough.max(1e-13 * scale) {
            return depth;
        }
        // A sliver, whose normal is noise, or a dent: try the planes of the hull's faces.
        self.find_normals();
        for index in 0..self.normals.len() {
            let (normal, known) = self.normals[index];
            if self.budget == 0 || depth <= enough.max(1e-14 * scale) {
                break;
            }
            if dot(normal, outwards) > 0.0 {
                let top = known.unwrap_or_else(|| {
                    self.budget = self.budget.saturating_sub(self.polytope.len().min(64));
                    self.top(normal)
                });
                self.normals[index].1 = Some(top);
                self.budget = self.budget.saturating_sub(1);
                depth = depth.min(self.below(triangle, normal, top));
            }
        }
        depth
    }

    /// An upper bound of the hull's height along a unit normal.
    fn top(&mut self, normal: [f64; 3]) -> f64 {
        let polytope = self.polytope;
        let error = polytope.reach() * f64::EPSILON;
        if polytope.len() <= VertexSearch::ALL_VERTICES_UP_TO {
            self.near = VertexSearch::AllVertices.farthest(polytope, normal, self.near);
            return dot(normal, polytope.position(self.near)) + 12.0 * error;
        }
        self.near = VertexSearch::Climbing.farthest(polytope, normal, self.near);
        let height = dot(normal, polytope.position(self.near));
        let slack = VertexSearch::Climbing.slack(polytope, self.near);
        if slack <= 16.0 {
            return height + error * (8.0 + 4.0 * slack);
        }
        // A fine surface. All vertices for all triangles would take a time that grows with the square of their number.
        let vertices = self.vertices.get_or_insert_with(|| VertexTree::new(polytope.positions()));
        // The search compares rounded heights, each off by at most 1.5 errors.
        vertices.height(normal, height) + 16.0 * error
    }

    /// The depth of the lowest corner below the supporting plane with this unit normal.
    fn below(&self, triangle: &[[f64; 3]; 3], normal: [f64; 3], top: f64) -> f64 {
        let lowest = triangle.iter().map(|&p| dot(normal, p)).fold(f64::INFINITY, f64::min);
        // Allows for a normal of length 1 up to rounding.
        (top - lowest).max(0.0) + 8.0 * (self.polytope.reach() * f64::EPSILON)
    }

    fn find_normals(&mut self) {
        if !self.normals.is_empty() {
            return;
        }
        let polytope = self.polytope;
        let normal = |corners: &[u32]| {
            let at = |i: usize| polytope.position(corners[i % corners.len()]);
            // The corner with the greatest cross product: the best known normal.
            let turns =
                (0..corners.len()).map(|i| cross(sub(at(i + 1), at(i)), sub(at(i + 2), at(i + 1))));
            let best = turns.max_by(|u, v| length_squared(*u).total_cmp(&length_squared(*v)));
            Some((best.and_then(unit)?, None))
        };
        self.normals = polytope.facets().filter_map(normal).collect();
    }
}

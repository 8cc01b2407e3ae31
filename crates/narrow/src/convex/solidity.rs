//! How far the body that a model bounds fills its convex hull.
//!
//! Convex algorithms see hulls; what decides are the triangles over the rounded vertices, and the
//! body they bound has dents: rounding bends faces, and the mesh itself may be convex within a
//! tolerance only. So that two hulls meet does not yet mean that the bodies do. But deep enough
//! inside the hull, every point is in the body:
//!
//! - Let no point of the local surface be deeper than `dent` below the border of the hull. Then
//!   the surface stays out of the set of all deeper points, which is convex and so in one piece:
//!   either all of them are in the body or none is, and the center tells which.
//! - Rounding the vertices of the moved body moves each point of its surface by no more than the
//!   rounding error ε of a vertex. So no surface is pushed across a point that is deeper than
//!   `dent` + ε, and its winding number stays what it was.
//!
//! This holds for triangles of any shape: no plane through nearly collinear corners is ever used.

use xcollide_bounds::Aabb;
use xcollide_brep::Interior;
use xcollide_convex::{Polytope, Solidity, VertexSearch};
use xcollide_predicates::triangle_distance;

use crate::point_in_polyhedron::{Location, locate};
use crate::{Model, Placed, Pose};
use xcollide_math::vector::{add, cross, dot, length_squared, scale, sub, unit};

/// Measures a model; `None` where its surface bounds no body, where the center is not inside,
/// or where the dents reach down to the center.
pub(crate) fn of_model(model: &Model, polytope: &Polytope) -> Option<Solidity> {
    let center = polytope.center();
    let here = Placed::new(model, &Pose::IDENTITY).ok()?;
    if model.interior() == Interior::None || locate(here, center) != Location::Inside {
        return None;
    }
    let triangles = 0..model.triangulation().len();
    let nearest = triangles
        .clone()
        .map(|triangle| triangle_distance(&[center; 3], &here.triangle(triangle)))
        .fold(f64::INFINITY, f64::min);
    let inner = nearest * (1.0 - 1e-9);
    let triangles = triangles.map(|triangle| here.triangle(triangle));
    let dent = Dents::new(polytope).deepest(triangles, DEEPEST * inner)?;
    Some(Solidity { inner, dent })
}

/// Measures a convex part in the body that a whole model bounds: `inner` is then about the
/// center of the part, and in the part. The argument is the same, with the surface of the whole,
/// whose vertices may be farther from the origin and rounded more.
pub(crate) fn of_part(part: &Model, whole: &Model, polytope: &Polytope) -> Option<Solidity> {
    let center = polytope.center();
    let placed = |model| Placed::new(model, &Pose::IDENTITY).ok();
    let (of_part, here) = (placed(part)?, placed(whole)?);
    if whole.interior() == Interior::None || locate(here, center) != Location::Inside {
        return None;
    }
    let nearest = (0..part.triangulation().len())
        .map(|triangle| triangle_distance(&[center; 3], &of_part.triangle(triangle)))
        .fold(f64::INFINITY, f64::min);
    let inner = nearest * (1.0 - 1e-9);
    let bounds = part.local_box();
    let near: Vec<[[f64; 3]; 3]> = (0..whole.triangulation().len())
        .map(|triangle| here.triangle(triangle))
        .filter(|corners| Aabb::from_points(*corners).overlaps(&bounds))
        .collect();
    // First the one that is probably the deepest: most parts that do not fit are known by it.
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

/// Dents of this part of the inner ball or more are too deep.
const DEEPEST: f64 = 0.125;

/// Finds how deep triangles lie below the border of the hull.
struct Dents<'a> {
    polytope: &'a Polytope,
    near: u32,
    /// Unit normals of the hull's faces, and how high the hull reaches along each; both computed when
    /// first needed.
    normals: Vec<([f64; 3], Option<f64>)>,
    /// How many more heights may be computed for triangles that are not obviously on the border.
    budget: usize,
}

impl<'a> Dents<'a> {
    fn new(polytope: &'a Polytope) -> Self {
        Self { polytope, near: 0, normals: Vec::new(), budget: 1 << 24 }
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

    /// An upper bound of the depth of all points of a triangle, as good as one can tell or not above
    /// `enough`. The hull lies on one side of any of its supporting planes, so no point is deeper than
    /// it is below whichever of them.
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
        // A sliver, whose normal is noise, or a dent: the plane of some face of the hull will do.
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

    /// How high the hull reaches along a unit normal, at most.
    fn top(&mut self, normal: [f64; 3]) -> f64 {
        let polytope = self.polytope;
        let error = polytope.reach() * f64::EPSILON;
        let mut slack = f64::INFINITY;
        if polytope.len() > VertexSearch::BRUTE_FORCE_UP_TO {
            self.near = VertexSearch::Climbing.farthest(polytope, normal, self.near);
            slack = VertexSearch::Climbing.slack(polytope, self.near);
        }
        if slack > 16.0 {
            self.near = VertexSearch::BruteForce.farthest(polytope, normal, self.near);
            slack = 1.0;
        }
        dot(normal, polytope.position(self.near)) + error * (8.0 + 4.0 * slack)
    }

    /// How far below the hull's supporting plane of this unit normal the lowest corner is.
    fn below(&self, triangle: &[[f64; 3]; 3], normal: [f64; 3], top: f64) -> f64 {
        let lowest = triangle.iter().map(|&p| dot(normal, p)).fold(f64::INFINITY, f64::min);
        // A unit vector is one up to rounding; that changes a length of at most the diameter.
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

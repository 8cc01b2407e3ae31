//! A mesh near what it has in common with a formula, with coordinates that are small there.

use std::ops::ControlFlow;

use xcollide_bounds::Aabb;
use xcollide_bvh::wide::Traversal;
use xcollide_math::vector::{add, cross, dot, largest, length, scale, sub, unit};
use xcollide_predicates::Point;

use super::body::Body;
use super::inscribed::{Frame, Other, View, each_near, moved_volume};
use super::number::rounded;
use crate::{Model, Placed, Pose};

/// A mesh seen from another origin.
pub(super) struct MovedMesh {
    pub(super) model: Model,
    pub(super) view: View,
    /// No vertex is farther from where it should be.
    pub(super) error: f64,
    /// `None` if no vertex is rounded.
    touched: Option<Touched>,
}

/// The part of a mesh's surface that may be in a formula.
struct Touched {
    triangles: Vec<u32>,
    bounds: Aabb,
    /// The formula may be larger by this.
    slack: f64,
}

/// A triangle, and a convex polygon that contains what of it is in the formula.
type Part = (u32, Vec<Point>);

/// Where more triangles are near the formula their places are not rounded.
const MOST: usize = 64;
/// Nor where this part of the extent, or more, is in common.
const SMALL: f64 = 0.25;

impl MovedMesh {
    /// `None` if the mesh is as well where it is.
    pub(super) fn new(mesh: Placed<'_>, formula: Placed<'_>) -> Option<Self> {
        let common = mesh.world_box().intersection(&formula.world_box());
        Self::in_contact(mesh, formula, &common).or_else(|| Self::near_origin(mesh, &common))
    }

    /// From a point near what is in common, if no vertex is rounded by that.
    fn near_origin(mesh: Placed<'_>, common: &Aabb) -> Option<Self> {
        let (center, extent) = (common.center(), length(common.size()));
        if extent.is_nan() || largest(center) < 4.0 * extent {
            return None;
        }
        // With few digits, so that differences have no more than vertices have.
        let unit = libm::exp2(libm::ceil(libm::log2(0.25 * extent)));
        let origin = center.map(|x| (x / unit).round() * unit);
        let moved = mesh.model().mesh().positions().iter().map(|&local| {
            let position = mesh.pose().apply(local);
            let moved = [0, 1, 2].map(|k| position[k] - origin[k]);
            // Of a sum and its parts one difference is exact (Dekker): that with the larger part.
            let is_exact = (0..3).all(|k| {
                position[k] - moved[k] == origin[k] && moved[k] + origin[k] == position[k]
            });
            is_exact.then_some(moved)
        });
        let model = moved_model(mesh.model(), moved.collect::<Option<_>>()?)?;
        Some(Self { model, view: View::from(origin), error: 0.0, touched: None })
    }

    /// From the middle of the surface that is in the formula, with an axis along its normal, if it is small.
    fn in_contact(mesh: Placed<'_>, formula: Placed<'_>, common: &Aabb) -> Option<Self> {
        let parts = parts_inside(mesh, formula, common)?;
        let corners = || parts.iter().flat_map(|(_, polygon)| polygon).copied();
        let bounds = Aabb::from_points(corners());
        if length(bounds.size()) > SMALL * length(common.size()) {
            return None;
        }
        let axis = formula.pose().rotation().map(|row| row[2]);
        let view = view_along(&parts, bounds.center(), axis)?;
        let frame = Frame::of(&Pose::IDENTITY, &view);
        let seen = |point: Point| rounded(&frame.at(point));
        let positions = mesh.model().mesh().positions().iter();
        let moved: Vec<Point> = positions.map(|&local| seen(mesh.pose().apply(local))).collect();
        let far = moved.iter().copied().map(largest).fold(0.0, f64::max);
        let model = moved_model(mesh.model(), moved)?;
        let slack = slack(mesh, formula);
        let bounds = Aabb::from_points(corners().map(seen)).expanded(slack);
        let triangles = parts.iter().map(|(triangle, _)| *triangle).collect();
        let touched = Some(Touched { triangles, bounds, slack });
        Some(Self { model, view, error: 2.0 * f64::EPSILON * far, touched })
    }

    /// A box, in the view, around what of the surface may be in a polyhedron whose corners are at most `error` from the
    /// formula; `None` if the error is larger than was allowed for.
    pub(super) fn bounds(&self, error: f64) -> Option<Aabb> {
        let touched = self.touched.as_ref().filter(|touched| error + self.error <= touched.slack);
        touched.map(|touched| touched.bounds)
    }

    /// A bound of the volume in a box between the surface in the formula and what it would be without rounding.
    pub(super) fn rounding(&self, within: &Aabb) -> f64 {
        let Some(touched) = &self.touched else { return 0.0 };
        let placed = Placed::unmoved(&self.model);
        let triangles = touched.triangles.iter().map(|&number| placed.triangle(number as usize));
        1.25 * triangles.map(|corners| moved_volume(&corners, 0.0, within)).sum::<f64>()
    }
}

/// With an axis along the mean normal of some polygons, and another one along the line in which their planes meet, across which coordinates
/// are 0 there; if they are parallel, beside a direction.
fn view_along(parts: &[Part], origin: Point, beside: [f64; 3]) -> Option<View> {
    let areas = parts.iter().map(|(_, polygon)| area(polygon));
    let normal = unit(areas.clone().fold([0.0; 3], add))?;
    let edges = areas.filter_map(unit).map(|direction| cross(direction, normal));
    let longest = edges.max_by(|one, other| length(*one).total_cmp(&length(*other)))?;
    let beside = if length(longest) > 1e-3 { longest } else { beside };
    Some(View::along(origin, normal, beside))
}

/// The same body with other coordinates; `None` if its faces are other triangles then.
fn moved_model(model: &Model, positions: Vec<Point>) -> Option<Model> {
    let moved = model.moved(positions).ok()?;
    let is_same = moved.triangulation().triangles() == model.triangulation().triangles();
    Body::of(model, "first").ok()?.keep_for(&moved);
    is_same.then_some(moved)
}

/// More than what rounding moves the surfaces of two placed models, here and in a view.
fn slack(mesh: Placed<'_>, formula: Placed<'_>) -> f64 {
    let [a, b] = [mesh, formula].map(|placed| placed.world_box());
    let far = [a.min, a.max, b.min, b.max].into_iter().map(largest);
    let far = far.filter(|x| x.is_finite()).fold(0.0, f64::max);
    256.0 * f64::EPSILON * far
}

/// The parts of a mesh's triangles in a formula; `None` if they are many.
fn parts_inside(mesh: Placed<'_>, formula: Placed<'_>, common: &Aabb) -> Option<Vec<Part>> {
    let slack = slack(mesh, formula);
    let common = common.expanded(slack);
    let body = Other::new(formula, 0.0, 0.0);
    let mut parts = Vec::new();
    let consider = |number: u32| {
        let triangle = mesh.triangle(number as usize);
        if Aabb::from_points(triangle).overlaps(&common) {
            let polygon = part_inside(&body, triangle, slack);
            if !polygon.is_empty() {
                parts.push((number, polygon));
            }
        }
        if parts.len() > MOST { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let ball = (common.center(), 0.5 * length(common.size()));
    let flow = each_near(mesh, ball, &mut Traversal::new(), consider);
    flow.is_continue().then_some(parts)
}

/// A convex polygon in a triangle that contains the part of it in a body: planes that touch the body cut off corners, the farthest one
/// first, and each time about half of the way to the body.
fn part_inside(body: &Other<'_>, triangle: [Point; 3], slack: f64) -> Vec<Point> {
    const MOST: usize = 256;
    // Each corner with the plane beside it, and how far it is above that.
    let beyond = |point: Point| {
        let plane = body.plane_beside(point);
        let height = plane.map_or(f64::NEG_INFINITY, |(normal, level)| dot(normal, point) - level);
        (point, plane, height)
    };
    let mut polygon = triangle.map(beyond).to_vec();
    for _ in 0..MOST {
        let highest = polygon.iter().max_by(|(_, _, one), (_, _, other)| one.total_cmp(other));
        let Some(&(_, Some((normal, level)), highest)) = highest else { break };
        if highest <= 4.0 * slack {
            break;
        }
        let heights: Vec<f64> =
            polygon.iter().map(|&(point, ..)| dot(normal, point) - level - slack).collect();
        let mut below = Vec::with_capacity(polygon.len() + 1);
        for (k, corner) in polygon.iter().enumerate() {
            let next = (k + 1) % polygon.len();
            let [here, there] = [heights[k], heights[next]];
            if here <= 0.0 {
                below.push(*corner);
            }
            if (here <= 0.0) != (there <= 0.0) {
                let (from, to) = (corner.0, polygon[next].0);
                below.push(beyond(add(from, scale(sub(to, from), here / (here - there)))));
            }
        }
        polygon = below;
    }
    polygon.into_iter().map(|(point, ..)| point).collect()
}

/// The area of a polygon, along its normal.
fn area(polygon: &[Point]) -> [f64; 3] {
    (2..polygon.len()).fold([0.0; 3], |sum, k| {
        let [p, q, r] = [polygon[0], polygon[k - 1], polygon[k]];
        add(sum, scale(cross(sub(q, p), sub(r, p)), 0.5))
    })
}

#[cfg(test)]
mod tests {
    use xcollide_convex::shape::Ball;

    use super::*;
    use crate::Formula;

    /// A triangle a micrometre below the top of a ball has a disc in this.
    #[test]
    fn polygons_contain_what_is_in_a_ball_and_little_more() -> Result<(), Box<dyn std::error::Error>>
    {
        const DEPTH: f64 = 1e-6;
        let ball = Model::from_formula(Formula::Ball(Ball::new(0.5)?));
        let body = Other::new(Placed::unmoved(&ball), 0.0, 0.0);
        let height = 0.5 - DEPTH;
        let radius = (2.0 * 0.5 * DEPTH - DEPTH * DEPTH).sqrt();
        for near in [0.75, 1e-3] {
            let triangle = [[-near, -0.5, height], [2.0, -0.75, height], [0.25, 3.0, height]];
            let polygon = part_inside(&body, triangle, 1e-14);
            let sides = |k: usize| [polygon[k], polygon[(k + 1) % polygon.len()]];
            for degree in 0..360 {
                let (sine, cosine) = f64::from(degree).to_radians().sin_cos();
                let point = [radius * cosine, radius * sine];
                let is_left = |[p, q]: [Point; 2]| {
                    let cross =
                        (q[0] - p[0]) * (point[1] - p[1]) - (q[1] - p[1]) * (point[0] - p[0]);
                    cross > -1e-14
                };
                // What is beyond the triangle's first side is not in the triangle.
                let [first, _, last] = triangle;
                if is_left([first, triangle[1]]) && is_left([last, first]) {
                    assert!((0..polygon.len()).all(|k| is_left(sides(k))), "{near} {degree}");
                }
            }
            let far = polygon.iter().map(|p| p[0].hypot(p[1])).fold(0.0, f64::max);
            assert!(far < 4.0 * radius, "{near} {far}");
        }
        Ok(())
    }
}

//! How a formula lies to another one or to a mesh, as far as intervals and exact sides prove it.
//!
//! Apart and a common interior are proved by the verdict. That a convex body A sticks out of B is proved by a direction along which it
//! reaches farther. That it is in B is proved by points whose hull, with a radius about each, contains A: each must be as deep in B.
//! Of a mesh the sides of the vertices are exact; where its surface reaches into a formula, points just before and behind it
//! show whether its body does. Where none of this is a proof, as where two bodies touch, exact arithmetic decides
//! (`exact_formulas.rs`).

use xcollide_brep::Interior;
use xcollide_convex::shape::{Core, Hull, PlacedShape, ShapeVerdict};
use xcollide_math::vector::{add, cross, dot, largest, length, neg, scale, sub, taxicab, unit};
use xcollide_predicates::{Point, Sign, closest_points};

use super::exact_formulas::exact_kind;
use crate::formula::half_spaces::Borders;
use crate::formula::mesh::each_meeting;
use crate::formula::pair::{Body, Side, verdict_of_insides};
use crate::formula::polyhedra::core_points;
use crate::model::formula::{Formula, HalfSpace};
use crate::model::formula_side::{formula_side, half_space_side};
use crate::point_distance::{on_surface, signed_distance};
use crate::point_in_polyhedron::{Location, locate};
use crate::query::Deadline;
use crate::{Feature, Kind, Placed, Pose, Query, Semantics, Verdict};

/// The kind of two placed models, at least one of them given by a formula; `None` where there is no proof of any.
pub(crate) fn kind(a: Placed<'_>, b: Placed<'_>, semantics: Semantics) -> Option<Kind> {
    proved_kind(a, b, semantics).or_else(|| exact_kind(a, b, semantics))
}

/// The kind as far as intervals and sides of points prove it.
fn proved_kind(a: Placed<'_>, b: Placed<'_>, semantics: Semantics) -> Option<Kind> {
    match (Side::of(a), Side::of(b)) {
        (Side::Mesh(_), Side::Mesh(_)) => return None,
        (Side::HalfSpace(of_a), Side::HalfSpace(of_b)) => {
            return Some(of_half_spaces(&of_a, &of_b));
        }
        (Side::HalfSpace(ground), Side::Mesh(mesh)) => {
            return ground_and_mesh(a, &ground, mesh, semantics);
        }
        (Side::Mesh(_), Side::HalfSpace(_)) => {
            return Some(proved_kind(b, a, semantics)?.reversed());
        }
        _ => {}
    }
    let query = Query::new().semantics(semantics);
    let witness = match verdict_of_insides(a, b, &query, &mut Deadline::never()).0 {
        Verdict::Collides(witness) => witness,
        Verdict::Apart(_) => return Some(Kind::Apart),
        Verdict::Undecided(_) => return None,
    };
    match (Side::of(a), Side::of(b)) {
        (Side::Shape(_, of_a), Side::Shape(_, of_b)) => {
            if is_same(a, b) {
                return Some(Kind::Equal);
            }
            let first = sticks_out([a, b], &of_a, &of_b)?;
            Some(of_overlap(first, sticks_out([b, a], &of_b, &of_a)?))
        }
        (Side::Shape(_, shape), Side::HalfSpace(ground)) => {
            Some(of_overlap(rises(&ground, &shape)?, true))
        }
        (Side::HalfSpace(ground), Side::Shape(_, shape)) => {
            Some(of_overlap(true, rises(&ground, &shape)?))
        }
        (Side::Shape(formula, shape), Side::Mesh(mesh)) => {
            shape_and_mesh(a, formula, &shape, mesh, witness.b, semantics)
        }
        (Side::Mesh(mesh), Side::Shape(formula, shape)) => {
            Some(shape_and_mesh(b, formula, &shape, mesh, witness.a, semantics)?.reversed())
        }
        _ => None,
    }
}

/// The kind of two bodies whose interiors meet, by whether the first and the second has a point outside of the other.
pub(super) fn of_overlap(first: bool, second: bool) -> Kind {
    match (first, second) {
        (true, true) => Kind::Overlapping,
        (false, true) => Kind::Enclosed,
        (true, false) => Kind::Enclosing,
        (false, false) => Kind::Equal,
    }
}

/// The kind of two half spaces: exact.
fn of_half_spaces(a: &HalfSpace, b: &HalfSpace) -> Kind {
    match (Borders::of(a.normal, b.normal), half_space_side(b, a.point)) {
        (Borders::Cross, _) => Kind::Overlapping,
        (Borders::SameWay, Sign::Negative) => Kind::Enclosed,
        (Borders::SameWay, Sign::Zero) => Kind::Equal,
        (Borders::SameWay, Sign::Positive) => Kind::Enclosing,
        (Borders::Opposite, Sign::Negative) => Kind::Overlapping,
        (Borders::Opposite, Sign::Zero) => Kind::Touching,
        (Borders::Opposite, Sign::Positive) => Kind::Apart,
    }
}

/// Whether both are the same formula at the same pose, bit for bit.
fn is_same(a: Placed<'_>, b: Placed<'_>) -> bool {
    let equal = match (a.model().formula(), b.model().formula()) {
        (Some(one), Some(other)) => match (one.shape(), other.shape()) {
            (Some(one), Some(other)) => {
                one.core() != Core::Other
                    && one.core() == other.core()
                    && one.radius() == other.radius()
            }
            _ => false,
        },
        _ => false,
    };
    a.pose() == b.pose() && (equal || a.model().is_same(b.model()))
}

/// Whether a shape has a point above the border.
fn rises(ground: &HalfSpace, shape: &Body<'_>) -> Option<bool> {
    let up = ground.up();
    let border = dot(up, ground.point);
    let (height, error) = shape.height(up);
    let error = error + 16.0 * f64::EPSILON * (largest(ground.point) + height.abs());
    if height - error > border {
        return Some(true);
    }
    (height + error < border).then_some(false)
}

/// Directions to all sides.
fn all_sides() -> impl Iterator<Item = [f64; 3]> {
    let way = |i: u32| [i % 3, i / 3 % 3, i / 9].map(|k| f64::from(k) - 1.0);
    (0..27).map(way).filter_map(unit)
}

/// Whether a convex body has a point outside of another one: proved by bounds on rounding.
fn sticks_out(
    [body, other]: [Placed<'_>; 2],
    shape: &Body<'_>,
    of_other: &Body<'_>,
) -> Option<bool> {
    /// Steps towards the point that sticks out farthest.
    const STEPS: usize = 12;
    /// Corners of the polyhedron around a round core.
    const SIDES: usize = 96;
    let between = unit(sub(shape.inner_point(), of_other.inner_point()));
    for mut direction in all_sides().chain(between) {
        for _ in 0..STEPS {
            if is_higher(shape, of_other, direction) {
                return Some(true);
            }
            let farthest = shape.farthest_point(direction);
            let Some(next) = on_surface(other, farthest).map(|found| found.normal) else { break };
            if length(sub(next, direction)) < 1e-9 {
                break;
            }
            direction = next;
        }
    }
    let (points, radius) = core_points(body.model().formula()?, SIDES, true)?;
    is_deep(body.pose(), &points, radius, of_other).then_some(false)
}

/// Whether the balls of a radius about some points at a pose are in a body: proved.
fn is_deep(pose: &Pose, points: &[Point], radius: f64, other: &Body<'_>) -> bool {
    points.iter().all(|&point| {
        let rounding = 16.0 * f64::EPSILON * (taxicab(point) + taxicab(pose.translation()));
        other.depth_at(pose.apply(point)) > radius + rounding
    })
}

/// Whether a body reaches farther along a direction: proved.
fn is_higher(body: &Body<'_>, other: &Body<'_>, direction: [f64; 3]) -> bool {
    let ((height, error), (of_other, of_error)) = (body.height(direction), other.height(direction));
    height - error > of_other + of_error
}

/// What points about the surface of a mesh that reaches into a body show.
#[derive(Default)]
struct Probes {
    /// The surface does reach into it.
    reaches: bool,
    /// A point of both interiors.
    inside: bool,
    /// A point of the body outside of the mesh.
    outside: bool,
}

impl Probes {
    /// Looks before and behind the deepest point of a triangle that is found from another one.
    fn look(&mut self, body: Placed<'_>, mesh: Placed<'_>, triangle: &[Point; 3], point: Point) {
        let [p, q, r] = *triangle;
        let Some(normal) = unit(cross(sub(q, p), sub(r, p))) else { return };
        let (depth, deepest) = deepest(body, triangle, point);
        // Behind a corner there may be an edge.
        let places = [deepest, towards_middle(deepest, triangle)];
        for (part, place) in
            [0.5, 1e-3, 1e-6].into_iter().flat_map(|part| places.map(|p| (part, p)))
        {
            for side in [normal, neg(normal)] {
                let probe = add(place, scale(side, part * depth));
                if side_of(body, probe) == Sign::Negative {
                    match locate(mesh, probe) {
                        Location::Inside => self.inside = true,
                        Location::Outside => self.outside = true,
                        Location::OnSurface => {}
                    }
                }
            }
            if self.inside && self.outside {
                return;
            }
        }
    }
}

/// A point of a triangle, moved a little from its corners and sides.
fn towards_middle(point: Point, [p, q, r]: &[Point; 3]) -> Point {
    let middle = scale(add(add(*p, *q), *r), 1.0 / 3.0);
    add(point, scale(sub(middle, point), 1e-3))
}

/// A point of a triangle that is deep in a body, and about how deep: by steps against the normal of the body's surface.
fn deepest(body: Placed<'_>, triangle: &[Point; 3], start: Point) -> (f64, Point) {
    const STEPS: usize = 24;
    let depth = |point| signed_distance(body, point).map_or(0.0, |found| -found.distance);
    let mut best = (depth(start), start);
    let size = length(sub(triangle[1], triangle[0])).max(length(sub(triangle[2], triangle[0])));
    let mut step = size.min(length(body.model().local_box().size()));
    for _ in 0..STEPS {
        let Some(surface) = on_surface(body, best.1) else { break };
        let target = add(best.1, scale(surface.normal, -step));
        let point = closest_points(&[target], triangle).b;
        let found = (depth(point), point);
        if found.0 > best.0 { best = found } else { step *= 0.5 }
    }
    best
}

fn side_of(body: Placed<'_>, point: Point) -> Sign {
    body.model()
        .formula()
        .map_or(Sign::Positive, |formula| formula_side(formula, body.pose(), point))
}

/// The kind of a bounded formula and a mesh that meet. `feature`: of the mesh, that meets it.
fn shape_and_mesh(
    body: Placed<'_>,
    formula: &Formula,
    shape: &Body<'_>,
    mesh: Placed<'_>,
    feature: Feature,
    semantics: Semantics,
) -> Option<Kind> {
    let is_body = semantics == Semantics::Solid && mesh.model().interior() != Interior::None;
    // No triangle meets the formula, so it is in the mesh.
    if feature == Feature::Body {
        return Some(Kind::Enclosed);
    }
    let mut probes = Probes::default();
    each_meeting(body, mesh, |_, triangle| {
        if probes.inside && probes.outside {
            return;
        }
        if let Some(point) = deep_point(formula, body, shape, &triangle) {
            probes.reaches = true;
            if is_body {
                probes.look(body, mesh, &triangle, point);
            }
        }
    });
    if !probes.reaches {
        return None;
    }
    let used = mesh.model().used_vertices();
    let mut sides = used.iter().map(|&vertex| side_of(body, mesh.position(vertex)));
    if sides.all(|side| side != Sign::Positive) {
        let is_out = probes.outside || sticks_out_of_mesh(shape, mesh);
        return is_out.then_some(Kind::Enclosing);
    }
    if !is_body {
        return Some(Kind::Piercing);
    }
    (probes.inside && probes.outside).then_some(Kind::Overlapping)
}

/// A point of a triangle that is in the interior of a body, about.
fn deep_point(
    formula: &Formula,
    body: Placed<'_>,
    shape: &Body<'_>,
    triangle: &[Point; 3],
) -> Option<Point> {
    let corner = |&&p: &&Point| formula_side(formula, body.pose(), p) == Sign::Negative;
    if let Some(corner) = triangle.iter().find(corner) {
        // Towards the middle of the triangle, so that there is a side before and behind it.
        let near = towards_middle(*corner, triangle);
        return Some(if side_of(body, near) == Sign::Negative { near } else { *corner });
    }
    let hull = Hull::new(triangle).ok()?;
    let hull = PlacedShape::new(&hull, &Pose::IDENTITY).ok()?;
    match shape.collide(&hull) {
        ShapeVerdict::Collides(point) => Some(point),
        _ => None,
    }
}

/// Whether a body reaches farther than all vertices along some direction: proved.
fn sticks_out_of_mesh(shape: &Body<'_>, mesh: Placed<'_>) -> bool {
    let used = mesh.model().used_vertices();
    let points: Vec<Point> = used.iter().map(|&vertex| mesh.position(vertex)).collect();
    let Ok(hull) = Hull::new(&points) else { return false };
    let Ok(hull) = PlacedShape::new(&hull, &Pose::IDENTITY) else { return false };
    let higher = |direction| {
        let ((height, error), (of_mesh, of_error)) =
            (shape.height(direction), hull.height(direction));
        height - error > of_mesh + of_error
    };
    all_sides().any(higher)
}

/// The kind of a half space and a mesh: exact, but for meshes parts of which bound nothing.
fn ground_and_mesh(
    body: Placed<'_>,
    ground: &HalfSpace,
    mesh: Placed<'_>,
    semantics: Semantics,
) -> Option<Kind> {
    let is_body = semantics == Semantics::Solid && mesh.model().interior() != Interior::None;
    let mut seen = [false; 3];
    for &vertex in mesh.model().used_vertices() {
        seen[(half_space_side(ground, mesh.position(vertex)) as i8 + 1) as usize] = true;
    }
    let [below, on, above] = seen;
    match (below, above) {
        (false, _) => return Some(if on { Kind::Touching } else { Kind::Apart }),
        (true, false) => return Some(Kind::Enclosing),
        (true, true) if !is_body => return Some(Kind::Piercing),
        (true, true) => {}
    }
    let mut probes = Probes::default();
    for number in 0..mesh.model().triangulation().len() {
        let triangle = mesh.triangle(number);
        let lowest = triangle.iter().find(|&&p| half_space_side(ground, p) == Sign::Negative);
        if let Some(&lowest) = lowest {
            probes.look(body, mesh, &triangle, towards_middle(lowest, &triangle));
        }
        if probes.inside {
            return Some(Kind::Overlapping);
        }
    }
    None
}

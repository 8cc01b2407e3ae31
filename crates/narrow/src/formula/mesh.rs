//! A formula against the triangles of a mesh.

use std::cell::{Cell, OnceCell};
use std::ops::ControlFlow;

use xcollide_bounds::Aabb;
use xcollide_bvh::binary::Bvh;
use xcollide_convex::shape::{Hull, PlacedShape, ShapeVerdict};
use xcollide_math::vector::{cross, dot, largest, length, neg, sub};
use xcollide_predicates::{ConvexBody, Sign, closest_points, triangles_within};

use super::enclosed::point_within;
use super::pair::{Body, Side, by_boxes};
use super::triangle_distance::{half_space_and_points, to_triangle};
use super::verify::verify_plane;
use crate::hierarchy::prepared::prepared;
use crate::model::formula::{Formula, HalfSpace, top};
use crate::model::formula_side::{convex_body, half_space_side};
use crate::query::Deadline;
use crate::{
    Certificate, Feature, Placed, Pose, Query, Reason, Semantics, Separation, Stats, Suspects,
    Verdict, Witness,
};

/// Whether a body and a triangle meet.
pub(crate) enum Meeting {
    Apart,
    /// At this point, up to rounding.
    At([f64; 3]),
}

/// A bounded formula at a pose, for the triangles of a mesh.
pub(crate) struct Meetings<'a> {
    body: Placed<'a>,
    formula: &'a Formula,
    shape: Body<'a>,
    /// Made when the first triangle needs it.
    exact: OnceCell<Option<ConvexBody>>,
}

impl<'a> Meetings<'a> {
    pub(crate) fn new(body: Placed<'a>, formula: &'a Formula, shape: Body<'a>) -> Self {
        Self { body, formula, shape, exact: OnceCell::new() }
    }

    /// Whether the body meets a triangle in the world: by bounds on rounding, and where it hides the answer exactly.
    pub(crate) fn with(&self, triangle: &[[f64; 3]; 3]) -> Meeting {
        let center = self.body.pose().translation();
        let beside = || closest_points(&[center], triangle).b;
        if let (Formula::Ball(_), Some(ball)) = (self.formula, self.formula.shape()) {
            let meets = triangles_within(&[center; 3], triangle, ball.radius());
            return if meets { Meeting::At(beside()) } else { Meeting::Apart };
        }
        let hull = Hull::new(triangle).ok();
        let hull = hull.as_ref().and_then(|hull| PlacedShape::new(hull, &Pose::IDENTITY).ok());
        match hull.map(|hull| self.shape.collide(&hull)) {
            Some(ShapeVerdict::Apart(_)) => return Meeting::Apart,
            Some(ShapeVerdict::Collides(point)) => return Meeting::At(point),
            Some(ShapeVerdict::Undecided) | None => {}
        }
        if self.gap(triangle) == Sign::Positive {
            return Meeting::Apart;
        }
        Meeting::At(hull.map_or_else(beside, |hull| self.shape.distance(&hull).points[1]))
    }

    /// How the body lies to a triangle: zero if that touches the surface only. Exact.
    fn gap(&self, triangle: &[[f64; 3]; 3]) -> Sign {
        let body = self.exact.get_or_init(|| convex_body(self.formula, self.body.pose()));
        body.as_ref().map_or(Sign::Positive, |body| body.triangle_gap(triangle))
    }
}

/// The verdict about a body, the first, at a pose and a mesh.
pub(crate) fn and_shape(
    formula: &Formula,
    shape: &Body<'_>,
    body: Placed<'_>,
    mesh: Placed<'_>,
    query: &Query,
    time: &mut Deadline,
    stats: &mut Stats,
) -> Verdict {
    if let Some(verdict) = by_boxes(body, mesh) {
        return verdict;
    }
    let center = body.pose().translation();
    let face = |number: u32| Feature::Face(mesh.model().triangulation().face_of(number as usize));
    let around = local_box(shape, mesh);
    let near = |bounds: &Aabb| around.overlaps(bounds).then_some(0.0);
    let (mut witness, meetings) = (None, Meetings::new(body, formula, *shape));
    let left = each_in_time(mesh, near, time, |number| {
        stats.primitive_tests += 1;
        match meetings.with(&mesh.triangle(number as usize)) {
            Meeting::Apart => ControlFlow::Continue(()),
            Meeting::At(point) => {
                witness = Some(Witness { a: Feature::Body, b: face(number), point });
                ControlFlow::Break(())
            }
        }
    });
    if let Some(witness) = witness {
        return Verdict::Collides(witness);
    }
    if let Some(left) = left {
        let triangle = mesh.triangle(left.first as usize);
        let at_most = to_triangle(formula, shape, center, &triangle).at_most;
        let near = Suspects { features: [Feature::Body, face(left.first)], at_most };
        return Verdict::Undecided(Reason::Unfinished { near, parts: left.parts });
    }
    if query.semantics == Semantics::Solid
        && let Some(inner) = point_within(body, shape, mesh)
    {
        return Verdict::Collides(Witness::common(inner));
    }
    Verdict::Apart(separation(shape, body, mesh, query))
}

/// The proof that a body and a mesh are apart.
fn separation(shape: &Body<'_>, body: Placed<'_>, mesh: Placed<'_>, query: &Query) -> Separation {
    if query.certificate == Certificate::Free {
        return Separation::Pairwise;
    }
    let used = mesh.model().used_vertices();
    let vertices: Vec<_> = used.iter().map(|&vertex| mesh.position(vertex)).collect();
    let found = Hull::new(&vertices).ok().and_then(|hull| {
        match shape.collide(&PlacedShape::new(&hull, &Pose::IDENTITY).ok()?) {
            ShapeVerdict::Apart(plane) => Some(plane),
            _ => None,
        }
    });
    match found {
        Some(plane) if verify_plane(&plane, body, mesh).is_ok() => Separation::Plane(plane),
        _ => Separation::Pairwise,
    }
}

/// The verdict about a half space, the first, and a mesh. Exact.
pub(crate) fn and_half_space(
    half_space: &HalfSpace,
    mesh: Placed<'_>,
    time: &mut Deadline,
    stats: &mut Stats,
) -> Verdict {
    let bounds = mesh.world_box();
    if bounds.is_empty() {
        return Verdict::Apart(Separation::Pairwise);
    }
    let lowest = lowest_corner(half_space, &bounds);
    let above = |point| half_space_side(half_space, point) == Sign::Positive;
    if above(lowest) {
        let (height, _) = half_space.height(lowest);
        let plane = half_space.plane_before_box(height, &bounds);
        return Verdict::Apart(plane.map_or(Separation::Pairwise, Separation::Plane));
    }
    let vertices = mesh.model().used_vertices();
    stats.primitive_tests += vertices.len() as u64;
    for (number, &vertex) in vertices.iter().enumerate() {
        let (b, point) = (Feature::Vertex(vertex), mesh.position(vertex));
        if time.passed() {
            let at_most = half_space_and_points(half_space, [point]).at_most;
            let near = Suspects { features: [Feature::Body, b], at_most };
            let parts = (vertices.len() - number) as u32;
            return Verdict::Undecided(Reason::Unfinished { near, parts });
        }
        if !above(point) {
            return Verdict::Collides(Witness { a: Feature::Body, b, point });
        }
    }
    Verdict::Apart(Separation::Pairwise)
}

/// The corner of a box that is lowest over a half space.
pub(crate) fn lowest_corner(half_space: &HalfSpace, bounds: &Aabb) -> [f64; 3] {
    [0, 1, 2].map(
        |axis| {
            if half_space.normal[axis] > 0.0 { bounds.min[axis] } else { bounds.max[axis] }
        },
    )
}

/// What a search of a mesh left when its time was over.
pub(crate) struct Unsearched {
    /// The triangle that would have been tested next.
    pub(crate) first: u32,
    /// The triangles of the last box, and the boxes that would have been opened.
    pub(crate) parts: u32,
    /// The least gap of what was left.
    pub(crate) at_least: f64,
}

/// Shows `visit` the triangles of a mesh below the boxes that have a `gap`, until it breaks or the time is over; then what was left.
/// `gap` is a lower bound of the distance of a box that has to be opened.
pub(crate) fn each_in_time(
    mesh: Placed<'_>,
    gap: impl Fn(&Aabb) -> Option<f64>,
    time: &mut Deadline,
    mut visit: impl FnMut(u32) -> ControlFlow<()>,
) -> Option<Unsearched> {
    let (parts, at_least, of_leaf) = (Cell::new(0_u32), Cell::new(f64::INFINITY), Cell::new(0.0));
    let leave = |gap: f64| {
        parts.set(parts.get().saturating_add(1));
        at_least.set(at_least.get().min(gap));
    };
    let opens = |bounds: &Aabb| match gap(bounds) {
        None => false,
        // The time is over: what waits is not opened.
        Some(gap) if parts.get() > 0 => {
            leave(gap);
            false
        }
        Some(gap) => {
            of_leaf.set(gap);
            true
        }
    };
    let mut first = None;
    let mut found = |number: u32| {
        if first.is_none() && time.check_for(A_TRIANGLE).is_ok() {
            return visit(number);
        }
        first.get_or_insert(number);
        leave(of_leaf.get());
        ControlFlow::Continue(())
    };
    let _ = match prepared::<Bvh<Aabb>>(mesh.model()) {
        Some(tree) => tree.search(opens, found),
        None => (0..mesh.model().triangulation().len() as u32).try_for_each(&mut found),
    };
    first.map(|first| Unsearched { first, parts: parts.get(), at_least: at_least.get() })
}

/// A body and a triangle take as long as some steps of a search.
const A_TRIANGLE: usize = 8;

/// Shows `visit` all triangles of a mesh that are nearer than `margin` to a body, and others.
pub(crate) fn each_near(
    shape: &Body<'_>,
    margin: f64,
    mesh: Placed<'_>,
    mut visit: impl FnMut(u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let around = local_box(shape, mesh).expanded(margin);
    match prepared::<Bvh<Aabb>>(mesh.model()) {
        Some(tree) => tree.search(|bounds| around.overlaps(bounds), visit),
        None => (0..mesh.model().triangulation().len() as u32).try_for_each(&mut visit),
    }
}

/// A box in the frame of the mesh around a body, with a margin for all rounding, and for matrices that are no rotations
/// within 1e-6.
pub(crate) fn local_box(shape: &Body<'_>, mesh: Placed<'_>) -> Aabb {
    let pose = mesh.pose();
    let origin = pose.translation();
    let mut bounds = Aabb::EMPTY;
    for axis in 0..3 {
        let direction = pose.rotation().map(|row| row[axis]);
        bounds.max[axis] = top(shape, direction) - dot(direction, origin);
        bounds.min[axis] = -top(shape, neg(direction)) - dot(direction, origin);
    }
    let local = mesh.model().local_box();
    let size = length(bounds.size()) + length(bounds.center());
    let of_mesh = largest(local.min).max(largest(local.max));
    let margin = 1e-5 * (size + of_mesh) + 1e-13 * largest(origin);
    bounds.expanded(margin)
}

/// Normals of the triangles of one of two placed models, a mesh, that meet the other, a formula; not of length 1.
pub(crate) fn normals_near(a: Placed<'_>, b: Placed<'_>) -> Vec<[f64; 3]> {
    let mut normals = Vec::new();
    each_meeting(a, b, |_, [p, q, r]| normals.push(cross(sub(q, p), sub(r, p))));
    normals
}

/// Shows `visit` the triangles of one of two placed models, a mesh, that meet the other, a bounded formula, with their numbers.
pub(crate) fn each_meeting(
    a: Placed<'_>,
    b: Placed<'_>,
    mut visit: impl FnMut(u32, [[f64; 3]; 3]),
) {
    let (body, mesh) = if a.model().formula().is_some() { (a, b) } else { (b, a) };
    let (Side::Shape(formula, shape), Side::Mesh(mesh)) = (Side::of(body), Side::of(mesh)) else {
        return;
    };
    let meetings = Meetings::new(body, formula, shape);
    let _ = each_near(&shape, 0.0, mesh, |number| {
        let triangle = mesh.triangle(number as usize);
        if let Meeting::At(_) = meetings.with(&triangle) {
            visit(number, triangle);
        }
        ControlFlow::Continue(())
    });
}

#[cfg(test)]
mod tests {
    use xcollide_convex::shape::{Ball, Capsule};

    use super::super::distance::distance_in_time;
    use super::super::triangle_distance::distance_to_triangle;
    use super::*;
    use crate::Model;

    type Outcome = Result<(), Box<dyn std::error::Error>>;

    /// Whenever a search ends, each triangle was shown, or is not nearer than the bound of what was left.
    #[test]
    fn what_was_left_is_not_nearer_than_the_bound() -> Outcome {
        let knot = Model::from_mesh(xcollide_scenes::shape("shape:knot?faces=2000")?)?;
        let mesh = Placed::unmoved(&knot);
        let ball = Model::from_formula(Formula::Ball(Ball::new(0.2)?));
        let (mut ended, mut sharp) = (0, 0);
        for (number, place) in [[0.0; 3], [3.0, 1.0, 0.5], [6.0, 0.0, 0.0]].into_iter().enumerate()
        {
            let pose = Pose::from_translation(place);
            let body = Placed::new(&ball, &pose)?;
            let Side::Shape(_, shape) = Side::of(body) else { return Err("a ball".into()) };
            let around = local_box(&shape, mesh);
            let gap = |bounds: &Aabb| Some(around.distance_squared(bounds).sqrt() * (1.0 - 1e-5));
            let all = knot.triangulation().len();
            for count in [0, 1, 2, 5, 40, 300, 1900, all] {
                // A triangle takes nine steps.
                let mut time = Deadline::after(9 * count as u32);
                let mut shown = vec![false; all];
                let left = each_in_time(mesh, gap, &mut time, |number| {
                    shown[number as usize] = true;
                    ControlFlow::Continue(())
                });
                let Some(left) = left else {
                    assert!(shown.iter().all(|&shown| shown), "{count}");
                    continue;
                };
                ended += 1;
                let number_shown = shown.iter().filter(|&&shown| shown).count();
                assert_eq!(number_shown, count);
                assert!(left.parts > 0 && !shown[left.first as usize]);
                sharp += usize::from(left.at_least > 0.1);
                for (triangle, _) in (0..).zip(&shown).filter(|(_, shown)| !**shown) {
                    let found = distance_to_triangle(body, &mesh.triangle(triangle));
                    let found = found.ok_or("a formula")?;
                    assert!(left.at_least <= found.at_most, "{number} {triangle}");
                }
            }
        }
        assert!(ended > 15 && sharp > 3, "{ended} {sharp}");
        Ok(())
    }

    /// Verdicts and distances that are stopped at once or after some time tell nothing wrong.
    #[test]
    fn what_is_known_of_a_formula_and_a_mesh_in_time_holds() -> Outcome {
        let knot = Model::from_mesh(xcollide_scenes::shape("shape:knot?faces=1000")?)?;
        let bodies = [
            Formula::Ball(Ball::new(0.3)?),
            Formula::Capsule(Capsule::new(1.0, 0.2)?),
            Formula::HalfSpace,
        ];
        let (mut unfinished, mut bounded, mut whole) = (0, 0, 0);
        for formula in bodies {
            let body = Model::from_formula(formula);
            for place in [[0.0, 0.0, -1.5], [0.4, 0.1, 0.0], [0.0, 0.0, -9.0], [4.0, 2.0, -4.0]] {
                let pose = Pose::from_translation(place);
                for swapped in [false, true] {
                    let pair = [Placed::new(&body, &pose)?, Placed::unmoved(&knot)];
                    let [a, b] = if swapped { [pair[1], pair[0]] } else { pair };
                    let exact = super::super::distance(a, b, Semantics::Solid)?;
                    for steps in [0, 1, 30, 100, 400, 2000, 64_000] {
                        let time = &mut Deadline::after(steps);
                        let (found, left) = distance_in_time(a, b, Semantics::Solid, time)?;
                        assert!(found.at_least <= exact.at_most, "{found:?} {exact:?}");
                        assert!(exact.at_least <= found.at_most, "{found:?} {exact:?}");
                        bounded += usize::from(left > 0);
                        if left == 0 {
                            assert_eq!(found, exact);
                            whole += 1;
                        }
                        let time = &mut Deadline::after(steps);
                        let (verdict, _) = super::super::pair::verdict(a, b, &Query::new(), time);
                        if let Verdict::Undecided(Reason::Unfinished { near, parts }) = verdict {
                            near.verify(a, b)?;
                            assert!(parts > 0 && exact.at_least <= near.at_most);
                            let nearer = Suspects {
                                at_most: near.at_most.min(exact.at_least) * 0.5 - 1e-9,
                                ..near
                            };
                            assert!(nearer.verify(a, b).is_err());
                            unfinished += 1;
                        } else {
                            assert_eq!(verdict.is_collision(), exact.at_most == 0.0);
                        }
                    }
                }
            }
        }
        assert!(unfinished > 5 && bounded > 20 && whole > 20, "{unfinished} {bounded} {whole}");
        Ok(())
    }
}

//! A formula against the triangles of a mesh.

use std::ops::ControlFlow;

use xcollide_bounds::Aabb;
use xcollide_bvh::binary::Bvh;
use xcollide_convex::shape::{Hull, PlacedShape, ShapeVerdict};
use xcollide_math::vector::{cross, dot, largest, length, neg, sub};
use xcollide_predicates::{Sign, closest_points, triangles_within};

use super::pair::{Body, Side, TOO_CLOSE, by_boxes};
use super::verify::verify_plane;
use crate::hierarchy::prepared::prepared;
use crate::model::formula::{Formula, HalfSpace, top};
use crate::model::formula_side::half_space_side;
use crate::point_in_polyhedron::{Location, locate};
use crate::query::Deadline;
use crate::{
    Certificate, Feature, Placed, Pose, Query, Reason, Semantics, Separation, Stats, Verdict,
    Witness,
};

/// Whether a body and a triangle meet.
pub(crate) enum Meeting {
    Apart,
    /// At this point, up to rounding.
    At([f64; 3]),
    TooClose,
}

/// Whether a body meets a triangle in the world: proved.
pub(crate) fn meeting(
    formula: &Formula,
    shape: &Body<'_>,
    center: [f64; 3],
    triangle: &[[f64; 3]; 3],
) -> Meeting {
    if let (Formula::Ball(_), Some(ball)) = (formula, formula.shape()) {
        let meets = triangles_within(&[center; 3], triangle, ball.radius());
        return if meets {
            Meeting::At(closest_points(&[center], triangle).b)
        } else {
            Meeting::Apart
        };
    }
    let Ok(hull) = Hull::new(triangle) else { return Meeting::TooClose };
    let Ok(hull) = PlacedShape::new(&hull, &Pose::IDENTITY) else { return Meeting::TooClose };
    match shape.collide(&hull) {
        ShapeVerdict::Apart(_) => Meeting::Apart,
        ShapeVerdict::Collides(point) => Meeting::At(point),
        ShapeVerdict::Undecided => Meeting::TooClose,
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
    let (mut witness, mut unsure, mut late) = (None, false, false);
    let _ = each_near(shape, 0.0, mesh, |number| {
        if time.passed() {
            late = true;
            return ControlFlow::Break(());
        }
        stats.primitive_tests += 1;
        match meeting(formula, shape, center, &mesh.triangle(number as usize)) {
            Meeting::Apart => ControlFlow::Continue(()),
            Meeting::At(point) => {
                let face = mesh.model().triangulation().face_of(number as usize);
                witness = Some(Witness { a: Feature::Body, b: Feature::Face(face), point });
                ControlFlow::Break(())
            }
            Meeting::TooClose => {
                unsure = true;
                ControlFlow::Continue(())
            }
        }
    });
    match witness {
        Some(witness) => return Verdict::Collides(witness),
        None if late => return Verdict::Undecided(Reason::OutOfTime),
        None => {}
    }
    // If no part of the surface reaches the body, which is connected, one of its points tells where it is.
    let inner = shape.inner_point();
    if query.semantics == Semantics::Solid && locate(mesh, inner) != Location::Outside {
        return Verdict::Collides(Witness::common(inner));
    }
    if unsure {
        return TOO_CLOSE;
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
    stats: &mut Stats,
) -> Verdict {
    let bounds = mesh.world_box();
    if bounds.is_empty() {
        return Verdict::Apart(Separation::Pairwise);
    }
    let lowest = [0, 1, 2].map(|axis| {
        if half_space.normal[axis] > 0.0 { bounds.min[axis] } else { bounds.max[axis] }
    });
    let above = |point| half_space_side(half_space, point) == Sign::Positive;
    if above(lowest) {
        let (height, _) = half_space.height(lowest);
        let plane = half_space.plane_before_box(height, &bounds);
        return Verdict::Apart(plane.map_or(Separation::Pairwise, Separation::Plane));
    }
    stats.primitive_tests += mesh.model().used_vertices().len() as u64;
    let mut vertices = mesh.model().used_vertices().iter();
    match vertices.find(|&&vertex| !above(mesh.position(vertex))) {
        Some(&vertex) => Verdict::Collides(Witness {
            a: Feature::Body,
            b: Feature::Vertex(vertex),
            point: mesh.position(vertex),
        }),
        None => Verdict::Apart(Separation::Pairwise),
    }
}

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
    each_meeting(a, b, |[p, q, r]| normals.push(cross(sub(q, p), sub(r, p))));
    normals
}

/// Shows `visit` the triangles of one of two placed models, a mesh, that meet the other, a bounded formula.
pub(crate) fn each_meeting(a: Placed<'_>, b: Placed<'_>, mut visit: impl FnMut([[f64; 3]; 3])) {
    let (body, mesh) = if a.model().formula().is_some() { (a, b) } else { (b, a) };
    let (Side::Shape(formula, shape), Side::Mesh(mesh)) = (Side::of(body), Side::of(mesh)) else {
        return;
    };
    let center = body.pose().translation();
    let _ = each_near(&shape, 0.0, mesh, |number| {
        let triangle = mesh.triangle(number as usize);
        if !matches!(meeting(formula, &shape, center, &triangle), Meeting::Apart) {
            visit(triangle);
        }
        ControlFlow::Continue(())
    });
}

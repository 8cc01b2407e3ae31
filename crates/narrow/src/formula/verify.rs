//! Verifiers of proofs about pairs with a formula.

use xcollide_convex::Plane;
use xcollide_math::vector::{length, neg, scale};
use xcollide_predicates::{Sign, plane_side};

use super::enclosed::point_within;
use super::half_spaces::Borders;
use super::mesh::{Meeting, Meetings};
use super::pair::{Body, Side};
use super::triangle_distance::distance_to_triangle;
use super::{exact_gap, is_near_formula};
use crate::model::formula::top;
use crate::model::formula_side::{formula_side, half_space_side, placed_body};
use crate::point_in_polyhedron::{Location, locate};
use crate::proof::separation::verify_side;
use crate::proof::witness::{is_near, point_tolerance, triangles};
use crate::{Feature, Placed, ProofError, Semantics, Separation, Suspects, Witness};

/// Verifies a witness: a point in both bodies, or a vertex or a face that meets the body.
pub(crate) fn verify_witness(
    witness: &Witness,
    a: Placed<'_>,
    b: Placed<'_>,
    semantics: Semantics,
) -> Result<(), ProofError> {
    let off = ProofError::PointOff { point: witness.point };
    let sides = [(a, witness.a), (b, witness.b)];
    for (placed, feature) in sides {
        if placed.model().formula().is_some() && feature != Feature::Body {
            return Err(ProofError::UnknownElement {
                element: "a feature of a body that has none".into(),
            });
        }
    }
    for (placed, feature) in sides {
        let is_in = match (placed.model().formula(), feature) {
            (Some(formula), _) if sides.iter().all(|(_, of)| !is_face(*of)) => {
                formula_side(formula, placed.pose(), witness.point) != Sign::Positive
            }
            (None, Feature::Vertex(vertex)) => {
                triangles(placed, feature)?;
                placed.position(vertex) == witness.point
            }
            (None, Feature::Body) if semantics == Semantics::Surface => {
                return Err(ProofError::NoBody);
            }
            (None, Feature::Body) => locate(placed, witness.point) != Location::Outside,
            _ => true,
        };
        if !is_in && !is_touching(witness.point, a, b) && !is_enclosed(witness.point, a, b) {
            return Err(off);
        }
    }
    match (is_face(witness.a), is_face(witness.b)) {
        (false, true) => verify_face(witness, a, b, witness.b),
        (true, false) => verify_face(witness, b, a, witness.a),
        _ => Ok(()),
    }
}

/// Verifies that a feature of a mesh is as near to a body as is said.
pub(crate) fn verify_suspects(
    suspects: &Suspects,
    a: Placed<'_>,
    b: Placed<'_>,
) -> Result<(), ProofError> {
    let [of_a, of_b] = suspects.features;
    let (body, mesh, feature) = if of_a == Feature::Body { (a, b, of_b) } else { (b, a, of_a) };
    let near = triangles(mesh, feature)?.iter().any(|triangle| {
        distance_to_triangle(body, triangle).is_some_and(|found| found.at_most <= suspects.at_most)
    });
    if near { Ok(()) } else { Err(suspects.too_far()) }
}

/// Whether a point is near two formulas that meet: exactly, but at points that f64 does not have.
fn is_touching(point: [f64; 3], a: Placed<'_>, b: Placed<'_>) -> bool {
    is_near_formula(a, point)
        && is_near_formula(b, point)
        && exact_gap(a, b).is_some_and(|gap| gap != Sign::Positive)
}

/// Whether a point is near a body that is thinner than what is rounded, in a mesh.
fn is_enclosed(point: [f64; 3], a: Placed<'_>, b: Placed<'_>) -> bool {
    let (body, shape, mesh) = match (Side::of(a), Side::of(b)) {
        (Side::Shape(_, shape), Side::Mesh(mesh)) => (a, shape, mesh),
        (Side::Mesh(mesh), Side::Shape(_, shape)) => (b, shape, mesh),
        _ => return false,
    };
    !shape.has_inner_point()
        && is_near_formula(body, point)
        && point_within(body, &shape, mesh).is_some()
}

fn is_face(feature: Feature) -> bool {
    matches!(feature, Feature::Face(_) | Feature::Edge { .. })
}

/// Verifies that a face or an edge of a mesh meets a body, near the point.
fn verify_face(
    witness: &Witness,
    body: Placed<'_>,
    mesh: Placed<'_>,
    feature: Feature,
) -> Result<(), ProofError> {
    let all = triangles(mesh, feature)?;
    if !is_near(witness.point, &all, point_tolerance(&all, &[])) {
        return Err(ProofError::PointOff { point: witness.point });
    }
    let meets = match Side::of(body) {
        Side::Shape(formula, shape) => {
            let meetings = Meetings::new(body, formula, shape);
            all.iter().any(|triangle| matches!(meetings.with(triangle), Meeting::At(_)))
        }
        Side::HalfSpace(half_space) => {
            let is_in = |&corner| half_space_side(&half_space, corner) != Sign::Positive;
            all.iter().flatten().any(is_in)
        }
        Side::Mesh(_) => false,
    };
    if meets { Ok(()) } else { Err(ProofError::FeaturesDisjoint) }
}

/// Verifies the plane of a separation. Without a plane it tests all triangles of the mesh again.
pub(crate) fn verify_separation(
    separation: &Separation,
    a: Placed<'_>,
    b: Placed<'_>,
    semantics: Semantics,
) -> Result<(), ProofError> {
    match separation {
        Separation::Plane(plane) => verify_plane(plane, a, b),
        Separation::Pairwise => match (Side::of(a), Side::of(b)) {
            (Side::Mesh(mesh), other) => pairwise(other, b, mesh, "second", semantics),
            (other, Side::Mesh(mesh)) => pairwise(other, a, mesh, "first", semantics),
            (Side::Shape(_, shape), Side::HalfSpace(half_space))
            | (Side::HalfSpace(half_space), Side::Shape(_, shape)) => {
                let [at_least, _] = half_space.gap(&shape);
                let is_apart = || exact_gap(a, b) == Some(Sign::Positive);
                if at_least > 0.0 || is_apart() { Ok(()) } else { Err(ProofError::BodiesMeet) }
            }
            (Side::Shape(_, of_a), Side::Shape(_, of_b)) => {
                let is_apart = || exact_gap(a, b) == Some(Sign::Positive);
                if of_a.distance(&of_b).at_least > 0.0 || is_apart() {
                    Ok(())
                } else {
                    Err(ProofError::BodiesMeet)
                }
            }
            (Side::HalfSpace(_), Side::HalfSpace(_)) => match exact_gap(a, b) {
                Some(Sign::Positive) => Ok(()),
                _ => Err(ProofError::BodiesMeet),
            },
        },
        Separation::Front(_) => {
            Err(ProofError::BrokenFront { what: "a body by a formula has no triangles" })
        }
    }
}

/// Tests every triangle, and where the body is.
fn pairwise(
    other: Side<'_>,
    body: Placed<'_>,
    mesh: Placed<'_>,
    side: &'static str,
    semantics: Semantics,
) -> Result<(), ProofError> {
    let meetings = match &other {
        Side::Shape(formula, shape) => Some(Meetings::new(body, formula, *shape)),
        _ => None,
    };
    for number in 0..mesh.model().triangulation().len() {
        let triangle = mesh.triangle(number);
        let is_apart = match &other {
            Side::Shape(..) => meetings
                .as_ref()
                .is_some_and(|meetings| matches!(meetings.with(&triangle), Meeting::Apart)),
            Side::HalfSpace(half_space) => {
                triangle.iter().all(|&p| half_space_side(half_space, p) == Sign::Positive)
            }
            Side::Mesh(_) => false,
        };
        if !is_apart {
            let face = mesh.model().triangulation().face_of(number);
            return Err(ProofError::FaceMeetsBody { side, face });
        }
    }
    let Side::Shape(_, shape) = &other else { return Ok(()) };
    if semantics == Semantics::Solid && point_within(body, shape, mesh).is_some() {
        return Err(ProofError::BodiesMeet);
    }
    Ok(())
}

/// Verifies a plane: the formula by its heights or its border, the mesh by its vertices. One of the two may touch it. Exact.
pub(super) fn verify_plane(plane: &Plane, a: Placed<'_>, b: Placed<'_>) -> Result<(), ProofError> {
    // What is on both sides of nothing is not parted; exact numbers take infinite ones for 0.
    let Plane { normal: [x, y, z], offset } = *plane;
    if [x, y, z] == [0.0; 3] || ![x, y, z, offset].iter().all(|x| x.is_finite()) {
        return Err(ProofError::BodyBeyond { side: "first" });
    }
    let turned = Plane { normal: neg(plane.normal), offset: -plane.offset };
    let mut touches = false;
    for (placed, plane, side) in [(a, plane, "first"), (b, &turned, "second")] {
        let height = match Side::of(placed) {
            Side::Mesh(mesh) => {
                let touching = verify_side(plane, mesh, side, Sign::Positive)?;
                if touching.is_some() { Sign::Zero } else { Sign::Negative }
            }
            Side::Shape(_, shape) if is_below(&shape, plane) => Sign::Negative,
            Side::Shape(..) => {
                let Plane { normal, offset } = *plane;
                let heights = placed_body(placed).map(|body| body.heights_above(normal, offset));
                heights.map_or(Sign::Positive, |[_, highest]| highest)
            }
            Side::HalfSpace(half_space)
                if Borders::of(half_space.normal, plane.normal) == Borders::SameWay =>
            {
                plane_side(plane.normal, plane.offset, half_space.point)
            }
            Side::HalfSpace(_) => Sign::Positive,
        };
        if height.is_positive() || height.is_zero() && touches {
            return Err(ProofError::BodyBeyond { side });
        }
        touches = height.is_zero();
    }
    Ok(())
}

/// Whether a body is strictly below a plane: proved.
fn is_below(shape: &Body<'_>, Plane { normal, offset }: &Plane) -> bool {
    let size = length(*normal);
    if !(size > 0.0 && size.is_finite()) {
        return false;
    }
    let rounding = 4.0 * f64::EPSILON * offset.abs() / size;
    top(shape, scale(*normal, 1.0 / size)) < offset / size - rounding
}

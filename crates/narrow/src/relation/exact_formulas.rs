//! The kind of relation of formulas where rounding hides it from proofs by intervals: decided by exact arithmetic, for the pairs
//! for which there is one.
//!
//! - Balls and capsules, against each other and against meshes: squared distances of their axes.
//! - Two boxes: all directions in which a plane may part them.
//! - A half space and any bounded formula but a rounded polytope: the heights of the formula above the border.
//! - A box whose corners f64 has at its pose is the mesh of these corners.
//! - Other convex formulas, and meshes, touch if a plane is between them, which both may touch, and both have a point
//!   in common; they are apart if one of them at most touches the plane, and overlap if a point of the one is in the interior of the
//!   other. Planes and points are guessed: those that rounding gives. Both are tested exactly.

use xcollide_brep::{Interior, PolygonMesh};
use xcollide_convex::shape::Core;
use xcollide_predicates::{
    Point, Sign, capsule_in_capsule, capsule_triangle_gap, capsules_gap, cuboid_in_cuboid,
    cuboids_gap, dot_sign,
};

use super::kind;
use super::of_formulas::of_overlap;
use crate::formula::mesh::each_meeting;
use crate::formula::pair::Side;
use crate::formula::{exact_separation, is_common, located, parting_normals};
use crate::model::formula_side::{formula_side, moved_solid};
use crate::point_in_polyhedron::{Location, locate};
use crate::{Kind, Model, Placed, Pose, Semantics};

/// The kind of two placed models, at least one of them given by a formula; `None` where it is not decided.
pub(super) fn exact_kind(a: Placed<'_>, b: Placed<'_>, semantics: Semantics) -> Option<Kind> {
    if let (Some(one), Some(other)) = (moved_solid(a), moved_solid(b))
        && let Some(gap) = capsules_gap(&one, &other).or_else(|| cuboids_gap(&one, &other))
    {
        return match gap {
            Sign::Positive => Some(Kind::Apart),
            Sign::Zero => Some(Kind::Touching),
            Sign::Negative => {
                let sticks_out = |one, other| {
                    let is_in = capsule_in_capsule(one, other);
                    is_in.or_else(|| cuboid_in_cuboid(one, other)).map(|is_in| !is_in)
                };
                of_overlap(sticks_out(&one, &other), sticks_out(&other, &one))
            }
        };
    }
    match (Side::of(a), Side::of(b)) {
        (Side::HalfSpace(_), Side::Shape(..)) => return above_ground(a, b),
        (Side::Shape(..), Side::HalfSpace(_)) => return Some(above_ground(b, a)?.reversed()),
        _ => {}
    }
    by_boxes(a, b, semantics)
        .or_else(|| capsule_and_mesh(a, b, semantics))
        .or_else(|| capsule_and_mesh(b, a, semantics).map(Kind::reversed))
        .or_else(|| by_guesses(a, b, semantics))
}

/// A half space and a bounded formula.
fn above_ground(ground: Placed<'_>, body: Placed<'_>) -> Option<Kind> {
    let normal = ground.pose().rotation().map(|row| row[2]);
    let [lowest, highest] = moved_solid(body)?.heights(normal, ground.pose().translation())?;
    Some(match lowest {
        Sign::Positive => Kind::Apart,
        Sign::Zero => Kind::Touching,
        Sign::Negative if highest.is_positive() => Kind::Overlapping,
        Sign::Negative => Kind::Enclosing,
    })
}

/// With boxes as meshes, if there are any whose corners f64 has. The meshes of boxes are bodies under solid semantics only.
fn by_boxes(a: Placed<'_>, b: Placed<'_>, semantics: Semantics) -> Option<Kind> {
    if semantics != Semantics::Solid {
        return None;
    }
    let [of_a, of_b] = [box_mesh(a), box_mesh(b)];
    if of_a.is_none() && of_b.is_none() {
        return None;
    }
    kind(or_box(a, of_a.as_ref())?, or_box(b, of_b.as_ref())?, semantics)
}

fn or_box<'a>(placed: Placed<'a>, mesh: Option<&'a Model>) -> Option<Placed<'a>> {
    mesh.map_or(Some(placed), |mesh| Placed::new(mesh, &Pose::IDENTITY).ok())
}

/// A box at its pose as a mesh of exactly the same points.
fn box_mesh(placed: Placed<'_>) -> Option<Model> {
    let formula = placed.model().formula()?;
    let Core::Cuboid { half } = formula.shape()?.core() else { return None };
    let moved = moved_solid(placed)?;
    let corner = |number: usize| {
        let sides = [0, 1, 2].map(|k| if number >> k & 1 == 0 { -half[k] } else { half[k] });
        moved.exact_point(sides)
    };
    let corners = (0..8).map(corner).collect::<Option<Vec<Point>>>()?;
    const FACES: [[u32; 4]; 6] =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    Model::from_mesh(PolygonMesh::from_polygons(corners, FACES).ok()?).ok()
}

/// A ball or capsule, and a mesh.
fn capsule_and_mesh(body: Placed<'_>, mesh: Placed<'_>, semantics: Semantics) -> Option<Kind> {
    let (moved, formula) = (moved_solid(body)?, body.model().formula()?);
    if mesh.model().formula().is_some() {
        return None;
    }
    let mut gap = Some(Sign::Positive);
    each_meeting(body, mesh, |triangle| {
        gap = gap.zip(capsule_triangle_gap(&moved, &triangle)).map(|(least, one)| least.min(one));
    });
    let is_body = semantics == Semantics::Solid && mesh.model().interior() != Interior::None;
    match gap? {
        // The surface does not reach into the body, so that its inside is in or out as a whole.
        gap @ (Sign::Positive | Sign::Zero) => {
            Some(if is_body && locate(mesh, moved.translation) == Location::Inside {
                Kind::Enclosed
            } else if gap == Sign::Zero {
                Kind::Touching
            } else {
                Kind::Apart
            })
        }
        Sign::Negative => {
            let mut used = mesh.model().used_vertices().iter();
            let is_in = |p| formula_side(formula, body.pose(), p) != Sign::Positive;
            let is_all_in = used.all(|&vertex| is_in(mesh.position(vertex)));
            // A polyhedron is never all of a round body.
            match (is_all_in, is_body) {
                (true, _) => Some(Kind::Enclosing),
                (false, false) => Some(Kind::Piercing),
                (false, true) => None,
            }
        }
    }
}

/// A point, and where it is in both models, if that is known.
type Guess = (Point, [Option<Location>; 2]);

/// By planes and points that rounding gives.
fn by_guesses(a: Placed<'_>, b: Placed<'_>, semantics: Semantics) -> Option<Kind> {
    let normals = parting_normals(a, b);
    let points: Vec<Guess> = located(a, b, &normals).collect();
    if touching(a, b, &normals, &points) {
        return Some(Kind::Touching);
    }
    if overlapping(a, b, &points, semantics) {
        return Some(Kind::Overlapping);
    }
    exact_separation(a, b, &normals).map(|_| Kind::Apart)
}

/// Whether two bodies overlap: a point of a formula is in the interior of the other body, and each body has a point that is not in the
/// other.
fn overlapping(a: Placed<'_>, b: Placed<'_>, points: &[Guess], semantics: Semantics) -> bool {
    let has_interior = |placed: Placed<'_>| match placed.model().formula() {
        // A rounded polytope may be flat.
        Some(formula) => {
            moved_solid(placed).is_some() || formula.shape().is_none_or(|s| s.radius() > 0.0)
        }
        None => semantics == Semantics::Solid && placed.model().interior() != Interior::None,
    };
    if !has_interior(a) || !has_interior(b) {
        return false;
    }
    let (mut meet, mut sticks_out) = (false, [false; 2]);
    for (_, places) in points {
        let [Some(of_a), Some(of_b)] = *places else { continue };
        // Of a formula, which is convex, inner points are near each point.
        let near = |placed: Placed<'_>, place| match place {
            Location::Inside => true,
            Location::OnSurface => placed.model().formula().is_some(),
            Location::Outside => false,
        };
        meet |=
            near(a, of_a) && of_b == Location::Inside || near(b, of_b) && of_a == Location::Inside;
        let is_out = |of_a, of_b| of_a != Location::Outside && of_b == Location::Outside;
        sticks_out = [sticks_out[0] || is_out(of_a, of_b), sticks_out[1] || is_out(of_b, of_a)];
    }
    meet && sticks_out == [true; 2]
}

/// Whether a plane parts the interiors of two models that have a point in common: proved.
fn touching(a: Placed<'_>, b: Placed<'_>, normals: &[[f64; 3]], points: &[Guess]) -> bool {
    points.iter().filter(|(_, places)| is_common(places)).any(|&(point, _)| {
        normals.iter().any(|&normal| {
            let [of_a, of_b] = [a, b].map(|placed| heights(placed, normal, point));
            of_a.zip(of_b).is_some_and(|([low, high], [other_low, other_high])| {
                (!high.is_positive() && !other_low.is_negative())
                    || (!low.is_negative() && !other_high.is_positive())
            })
        })
    })
}

/// The signs of the least and the greatest height of a model above a plane; `None` for rounded polytopes.
fn heights(placed: Placed<'_>, normal: [f64; 3], point: Point) -> Option<[Sign; 2]> {
    if placed.model().formula().is_some() {
        return moved_solid(placed)?.heights(normal, point);
    }
    let used = placed.model().used_vertices().iter();
    let sides = used.map(|&vertex| dot_sign([0.0; 3], normal, point, placed.position(vertex)));
    Some(sides.fold([Sign::Positive, Sign::Negative], |[low, high], side| {
        [low.min(side), high.max(side)]
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Formula;
    use xcollide_convex::shape::Ball;

    /// A triangle without area has no plane: what overlaps there is not parted by it.
    #[test]
    fn triangles_without_area_part_nothing() -> Result<(), Box<dyn std::error::Error>> {
        let positions = vec![[-2.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0; 3], [0.0, 2.0, 0.5]];
        let mesh = PolygonMesh::from_polygons(positions, [[0, 1, 2], [0, 1, 3]])?;
        let mesh = Model::from_mesh(mesh)?;
        let ball = Model::from_formula(Formula::Ball(Ball::new(1.0)?));
        let [a, b] = [Placed::unmoved(&ball), Placed::unmoved(&mesh)];
        assert!(parting_normals(a, b).iter().all(|normal| *normal != [0.0; 3]));
        let normals = parting_normals(a, b);
        let points: Vec<Guess> = located(a, b, &normals).collect();
        assert!(points.iter().any(|(_, places)| is_common(places)));
        assert!(!touching(a, b, &normals, &points));
        Ok(())
    }
}

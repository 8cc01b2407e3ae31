//! Where a formula and another model in contact may push each other apart: points for a [manifold](crate::Manifold).
//!
//! As seen along the contact normal, the patch in contact is where the face or edge of the one covers that of the other. Its corners are
//! corners of either one, and crossings of their edges. Whether such a place is in contact, and how deep, two rays along the
//! normal tell: the first finds the formula there, the second the way from that point out of the other model.

use xcollide_convex::shape::{Core, Shape};
use xcollide_math::vector::{add, cross, dot, length, neg, perpendicular, scale, sub, unit};
use xcollide_predicates::Point;

use super::mesh::each_meeting;
use crate::model::formula::Formula;
use crate::point_in_polyhedron::{Location, locate};
use crate::rays::{Ray, first_hit};
use crate::{Placed, Pose};

/// Corners of a round face.
const ROUND: usize = 8;

/// The sine of an angle.
const LEANS: f64 = 1e-3;

/// Points in contact of two placed models, of which at least one is a formula, with their depths along the contact normal, which is
/// from B to A.
pub(crate) fn contact_points(a: Placed<'_>, b: Placed<'_>, normal: [f64; 3]) -> Vec<(Point, f64)> {
    // The formula comes first, with the direction in which it reaches into the other.
    let (body, other, down) =
        if a.model().formula().is_some_and(|formula| formula.shape().is_some())
            || b.model().formula().is_none()
        {
            (a, b, neg(normal))
        } else {
            (b, a, normal)
        };
    let Some(face) = face_of(body, down) else { return of_ground(body, other, down) };
    let mut places = inset(&face);
    let mut add_face = |other: &[Point]| {
        places.extend(inset(other));
        places.extend(crossings(&face, other, down));
    };
    match other.model().formula() {
        Some(_) => {
            if let Some(face) = face_of(other, neg(down)) {
                add_face(&face);
            }
        }
        None => each_meeting(body, other, |_, triangle| {
            let [p, q, r] = triangle;
            if dot(cross(sub(q, p), sub(r, p)), down) < 0.0 {
                add_face(&triangle);
            }
        }),
    }
    let found = places.into_iter().filter_map(|(place, probe)| {
        let (middle, depth) = depth_at(body, other, down, probe)?;
        // Where the corner is, not where the probe was.
        let aside = sub(place, probe);
        Some((add(middle, sub(aside, scale(down, dot(aside, down)))), depth))
    });
    found.collect()
}

/// Of a half space and a mesh: the vertices below the border.
fn of_ground(ground: Placed<'_>, mesh: Placed<'_>, up: [f64; 3]) -> Vec<(Point, f64)> {
    let place = ground.pose().translation();
    let positions = mesh.model().used_vertices().iter().map(|&vertex| mesh.position(vertex));
    let depths = positions.map(|p| (p, dot(sub(p, place), neg(up))));
    let below = depths.filter(|(_, depth)| *depth > 0.0);
    below.map(|(p, depth)| (add(p, scale(up, 0.5 * depth)), depth)).collect()
}

/// How deep a formula is in another model at a place along a direction, if it is, and the middle there. Where its lowest point
/// is beside the other, the other's highest one may be in it, as at the rim of a cone.
fn depth_at(
    body: Placed<'_>,
    other: Placed<'_>,
    down: [f64; 3],
    place: Point,
) -> Option<(Point, f64)> {
    let from_other = || {
        other.model().formula().and_then(Formula::shape)?;
        depth_from(other, body, neg(down), place)
    };
    depth_from(body, other, down, place).or_else(from_other)
}

/// From the point of the formula that is lowest at a place, the way out of the other model, if it is in it.
fn depth_from(
    body: Placed<'_>,
    other: Placed<'_>,
    down: [f64; 3],
    place: Point,
) -> Option<(Point, f64)> {
    let bounds = body.world_box();
    let far = length(bounds.size()) + length(sub(place, bounds.center()));
    let from = add(place, scale(down, far));
    let lowest = first_hit(body, &Ray::new(from, neg(down)).ok()?)?.point;
    if locate(other, lowest) == Location::Outside {
        return None;
    }
    let depth = first_hit(other, &Ray::new(lowest, neg(down)).ok()?)?.parameter;
    Some((add(lowest, scale(down, -0.5 * depth)), depth))
}

/// How far rays keep from the border of a face, in its size.
const INSET: f64 = 1e-7;

fn center(face: &[Point]) -> Point {
    let sum = face.iter().fold([0.0; 3], |sum, &corner| add(sum, corner));
    scale(sum, 1.0 / face.len() as f64)
}

/// The corners, each with a place a little inside of the face where rays are safe from its border.
fn inset(face: &[Point]) -> Vec<(Point, Point)> {
    let center = center(face);
    face.iter().map(|&corner| (corner, add(corner, scale(sub(center, corner), INSET)))).collect()
}

/// The sides of a polygon, or of a segment, with their inward normals in the plane across a direction; that of a segment is 0.
fn sides(face: &[Point], across: [f64; 3]) -> Vec<([Point; 2], [f64; 3])> {
    let center = center(face);
    let count = if face.len() > 2 { face.len() } else { face.len().saturating_sub(1) };
    let side = |i: usize| {
        let [p, q] = [face[i], face[(i + 1) % face.len()]];
        let normal = cross(across, sub(q, p));
        let inward = if dot(normal, sub(center, p)) < 0.0 { neg(normal) } else { normal };
        ([p, q], if face.len() > 2 { unit(inward).unwrap_or([0.0; 3]) } else { [0.0; 3] })
    };
    (0..count).map(side).collect()
}

/// Where the sides of two polygons, or segments, cross as seen along a direction: points of the first, with places inside of both.
fn crossings(face: &[Point], other: &[Point], along: [f64; 3]) -> Vec<(Point, Point)> {
    let mut found = Vec::new();
    let of_other = sides(other, along);
    for ([p, q], inward) in sides(face, along) {
        for ([r, s], other_inward) in &of_other {
            let (u, v, w) = (sub(q, p), sub(*s, *r), sub(*r, p));
            let under = dot(cross(u, v), along);
            let [at, of_other] = [dot(cross(w, v), along) / under, dot(cross(w, u), along) / under];
            // False where the edges are parallel.
            if (0.0..=1.0).contains(&at) && (0.0..=1.0).contains(&of_other) {
                let place = add(p, scale(u, at));
                let size = INSET * length(u).min(length(v));
                found.push((place, add(place, scale(add(inward, *other_inward), size))));
            }
        }
    }
    found
}

/// The face, edge or point of a bounded formula that is farthest along a direction, in the world; `None` for half spaces and meshes.
fn face_of(placed: Placed<'_>, direction: [f64; 3]) -> Option<Vec<Point>> {
    let formula = placed.model().formula()?;
    let shape = formula.shape()?;
    let pose = placed.pose();
    let [r, s, t] = *pose.rotation();
    let [x, y, z] = direction;
    let local = [0, 1, 2].map(|k| r[k] * x + s[k] * y + t[k] * z);
    let corners = match formula {
        Formula::Rounded(rounded) => {
            lowest_of(rounded.polytope().positions(), local, shape.radius())
        }
        _ => local_face(shape, local),
    };
    Some(in_world(&corners, pose))
}

fn in_world(corners: &[Point], pose: &Pose) -> Vec<Point> {
    corners.iter().map(|&corner| pose.apply(corner)).collect()
}

fn local_face(shape: &dyn Shape, direction: [f64; 3]) -> Vec<Point> {
    let [x, y, z] = direction;
    let across = (x * x + y * y).sqrt();
    // A face that hardly leans keeps its corners.
    let outward = if across > LEANS { [x / across, y / across] } else { [1.0, 0.0] };
    let rim = |radius: f64, z: f64| [outward[0] * radius, outward[1] * radius, z];
    let disc = |radius: f64, z: f64| -> Vec<Point> {
        // A corner towards the direction.
        (0..ROUND)
            .map(|i| {
                let angle = std::f64::consts::TAU * i as f64 / ROUND as f64;
                let (sin, cos) = (libm::sin(angle), libm::cos(angle));
                let [u, v] = outward;
                [(u * cos - v * sin) * radius, (v * cos + u * sin) * radius, z]
            })
            .collect()
    };
    match shape.core() {
        Core::Segment { half } => {
            let radius = scale(direction, shape.radius());
            [-half, half].map(|z| add([0.0, 0.0, z], radius)).to_vec()
        }
        Core::Cuboid { half } => {
            let axis =
                (1..3).fold(
                    0,
                    |best, k| {
                        if direction[k].abs() > direction[best].abs() { k } else { best }
                    },
                );
            let [i, j] = [(axis + 1) % 3, (axis + 2) % 3];
            [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
                .map(|(u, v)| {
                    let mut corner = [0.0; 3];
                    corner[axis] = half[axis].copysign(direction[axis]);
                    (corner[i], corner[j]) = (u * half[i], v * half[j]);
                    corner
                })
                .to_vec()
        }
        Core::Cylinder { half, radius } if z.abs() > across => disc(radius, half.copysign(z)),
        Core::Cylinder { half, radius } => vec![rim(radius, -half), rim(radius, half)],
        Core::Cone { half, radius } => {
            let slope = (4.0 * half * half + radius * radius).sqrt();
            let of_side = (2.0 * half * across + radius * z) / slope;
            if -z > of_side {
                disc(radius, -half)
            } else {
                vec![rim(radius, -half), [0.0, 0.0, half]]
            }
        }
        Core::Ellipsoid { .. } => vec![shape.farthest(direction)],
        _ => vec![add(shape.farthest(direction), scale(direction, shape.radius()))],
    }
}

/// The corners of a polytope that are about farthest along a direction, moved by a radius: in the order around it.
fn lowest_of(positions: &[Point], direction: [f64; 3], radius: f64) -> Vec<Point> {
    /// Of the extent: a face that is tilted by so much counts as a face.
    const TILT: f64 = 0.05;
    let height = |p: &Point| dot(*p, direction);
    let most = positions.iter().map(height).fold(f64::NEG_INFINITY, f64::max);
    let least = positions.iter().map(height).fold(f64::INFINITY, f64::min);
    let limit = most - TILT * (most - least);
    let mut near: Vec<Point> = positions.iter().copied().filter(|p| height(p) >= limit).collect();
    let sum = near.iter().fold([0.0; 3], |sum, &p| add(sum, p));
    let center = scale(sum, 1.0 / near.len().max(1) as f64);
    let u = unit(perpendicular(direction)).unwrap_or([1.0, 0.0, 0.0]);
    let v = cross(direction, u);
    let angle = |p: &Point| libm::atan2(dot(sub(*p, center), v), dot(sub(*p, center), u));
    near.sort_by(|p, q| angle(p).total_cmp(&angle(q)));
    near.into_iter().map(|p| add(p, scale(direction, radius))).collect()
}

//! Spheres that move along a segment.
//!
//! A sphere meets a triangle on its way iff the segment of its center is at most the radius away, which the predicates
//! decide exactly. When it first does is computed in f64: the center is then on the border of the triangle grown by the
//! radius, which consists of two moved triangles, three cylinders and three spheres.

use std::ops::ControlFlow;

use xcollide_brep::FaceId;
use xcollide_bvh::wide::Traversal;
use xcollide_math::vector::{add, cross, dot, length, scale, sub};
use xcollide_predicates::{Point, closest_points};

use super::{each, each_near, is_within};
use crate::query_error::check_point;
use crate::{Placed, QueryError};

/// A sphere whose center moves straight from one point to another; for [`sphere_casts`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MovingSphere {
    /// The first and the last center; they may be equal.
    pub segment: [Point; 2],
    /// The radius, which may be 0.
    pub radius: f64,
}

impl MovingSphere {
    /// Checks the values.
    ///
    /// # Errors
    /// A coordinate is not finite, or the radius is negative or not finite.
    pub fn check(&self) -> Result<(), QueryError> {
        check_point("origin", self.segment[0])?;
        check_point("end", self.segment[1])?;
        if !self.radius.is_finite() || self.radius < 0.0 {
            return Err(QueryError::NoRay { what: "radius", value: [self.radius; 3] });
        }
        Ok(())
    }
}

/// Where a moving sphere first meets a placed model.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct SphereHit {
    /// The face; `None` on a [formula](crate::Formula).
    pub face: Option<FaceId>,
    /// The time, from 0 at the start to 1 at the end, rounded.
    pub parameter: f64,
    /// The center then, rounded.
    pub center: [f64; 3],
    /// The point of the model that it touches, or at time 0 the nearest one, rounded.
    pub point: [f64; 3],
}

/// Where a sphere whose center moves straight from one point to another first meets the surface of a placed model; `None` if
/// it does not. The points may be equal, and the radius 0.
///
/// Whether it meets the surface is exact. The time is rounded, and decides which face is first; of equal times the
/// lowest number does.
///
/// A [formula](crate::Formula) is a body: a sphere that begins in it meets it at time 0. Whether it meets it is proved, and before
/// the time it does not.
///
/// ```
/// # use xcollide_brep::PolygonMesh;
/// use xcollide_narrow::rays::sphere_cast;
/// use xcollide_narrow::{Model, Placed, Pose};
///
/// # let (corners, faces) = xcollide_fixtures::cube();
/// let cube = Model::from_mesh(PolygonMesh::from_polygons(corners.to_vec(), faces)?)?;
/// let cube = Placed::new(&cube, &Pose::IDENTITY)?;
/// let hit = sphere_cast(cube, [[0.5, 0.5, 5.0], [0.5, 0.5, 1.0]], 0.5)?.ok_or("missed")?;
/// assert_eq!((hit.parameter, hit.point), (0.875, [0.5, 0.5, 1.0]));
/// assert!(sphere_cast(cube, [[0.5, 0.5, 5.0], [0.5, 0.5, 1.75]], 0.5)?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A coordinate is not finite, or the radius is negative or not finite. Of a formula: [`QueryError::Undecided`], if the sphere
/// comes so near that rounding hides whether it touches; [`QueryError::Scale`], if its radius is not 0 and not between 1e-60 and
/// 1e60.
pub fn sphere_cast(
    placed: Placed<'_>,
    segment: [Point; 2],
    radius: f64,
) -> Result<Option<SphereHit>, QueryError> {
    cast(placed, &MovingSphere { segment, radius }, &mut Traversal::new())
}

/// [`sphere_cast`] of each of some spheres, in their order: with the feature `parallel` on the threads of rayon's current
/// pool. One that is refused leaves the others their answers.
#[must_use]
pub fn sphere_casts(
    placed: Placed<'_>,
    spheres: &[MovingSphere],
) -> Vec<Result<Option<SphereHit>, QueryError>> {
    each(placed, spheres, |scratch, sphere| cast(placed, sphere, scratch))
}

fn cast(
    placed: Placed<'_>,
    sphere: &MovingSphere,
    scratch: &mut Traversal,
) -> Result<Option<SphereHit>, QueryError> {
    sphere.check()?;
    if let Some(formula) = placed.model().formula() {
        return super::formula::sphere_hit(placed, formula, sphere);
    }
    let MovingSphere { segment, radius } = *sphere;
    let mut first: Option<(f64, u32)> = None;
    let reach = radius * (1.0 + 1e-12);
    each_near(placed, segment, reach, scratch, |number, triangle| {
        if is_within(segment, radius, triangle) {
            let found = (time_of_contact(segment, radius, triangle), number);
            let is_earlier = first.is_none_or(|(time, least)| {
                found.0.total_cmp(&time).then(number.cmp(&least)).is_lt()
            });
            if is_earlier {
                first = Some(found);
            }
        }
        ControlFlow::Continue(())
    });
    Ok(first.map(|(parameter, number)| {
        let center = add(segment[0], scale(sub(segment[1], segment[0]), parameter));
        let triangle = placed.triangle(number as usize);
        SphereHit {
            face: Some(placed.model().triangulation().face_of(number as usize)),
            parameter,
            center,
            point: closest_points(&[center; 3], &triangle).b,
        }
    }))
}

/// The first time of a sphere that meets a triangle on its way, rounded.
fn time_of_contact([from, to]: [Point; 2], radius: f64, triangle: &[Point; 3]) -> f64 {
    let distance = |p: Point| closest_points(&[p; 3], triangle).distance;
    if distance(from) <= radius {
        return 0.0;
    }
    let along = sub(to, from);
    let square = dot(along, along);
    let mut best = f64::INFINITY;
    let mut consider = |time: f64| {
        if (0.0..=1.0).contains(&time) && time < best {
            best = time;
        }
    };
    let [a, b, c] = *triangle;
    // The plane, moved by the radius to the side of the start; the foot must be in the triangle.
    let normal = cross(sub(b, a), sub(c, a));
    let size = length(normal);
    if size > 0.0 {
        let height = dot(sub(from, a), normal) / size;
        let speed = dot(along, normal) / size;
        let time = (height - radius.copysign(height)) / -speed;
        let foot =
            sub(add(from, scale(along, time)), scale(normal, radius.copysign(height) / size));
        let is_in = [(a, b), (b, c), (c, a)]
            .into_iter()
            .all(|(p, q)| dot(cross(sub(q, p), sub(foot, p)), normal) >= -1e-12 * size * size);
        if is_in {
            consider(time);
        }
    }
    let first_root = |square: f64, half: f64, rest: f64| {
        // square t² + 2 half t + rest = 0, without cancellation for the smaller root.
        let root = (half * half - square * rest).max(0.0).sqrt();
        if half <= 0.0 { rest / (root - half) } else { (-half - root) / square }
    };
    for (p, q) in [(a, b), (b, c), (c, a)] {
        let to_p = sub(from, p);
        let (half, rest) = (dot(to_p, along), dot(to_p, to_p) - radius * radius);
        if half * half >= square * rest {
            consider(first_root(square, half, rest));
        }
        // The cylinder: components across the edge.
        let edge = sub(q, p);
        let length_squared = dot(edge, edge);
        if length_squared > 0.0 {
            let across = |v: Point| sub(v, scale(edge, dot(v, edge) / length_squared));
            let (w, d) = (across(to_p), across(along));
            let (square, half, rest) = (dot(d, d), dot(w, d), dot(w, w) - radius * radius);
            if square > 0.0 && half * half >= square * rest {
                let time = first_root(square, half, rest);
                let at = dot(sub(add(from, scale(along, time)), p), edge) / length_squared;
                if (0.0..=1.0).contains(&at) {
                    consider(time);
                }
            }
        }
    }
    if best.is_finite() {
        return best;
    }
    // Rounding hides a contact that only touches: where the center comes nearest.
    let nearest = closest_points(&[from, to, to], triangle).a;
    (dot(sub(nearest, from), along) / square).clamp(0.0, 1.0)
}

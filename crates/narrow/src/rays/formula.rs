//! Rays and moving spheres against a model given by a formula.
//!
//! The predicates decide exactly whether a part of the ray meets the solid. That is monotone in the ends of the part: it meets the
//! part from 0 to s from where the ray enters on, and the part from s on up to where it leaves. So an approximate parameter,
//! computed by the formula of the surface, is certified by two such decisions about it. Where rounding spoils the approximation, as at
//! a ray that only touches, bisection finds one. A rounded polytope has no exact test; its shape is cast instead.

use arrayvec::ArrayVec;
use xcollide_convex::shape::{Ball, Core, Hull, PlacedShape, Shape, ShapeCast};
use xcollide_math::vector::{add, dot, length, length_squared, scale, scaled_length, sub, taxicab};
use xcollide_predicates::{Sign, Solid, ray_meets_solid, ray_side};

use super::{MovingSphere, Ray, RayHit, SphereHit};
use crate::model::formula::{Formula, HalfSpace, PlacedFormula};
use crate::model::formula_side::{formula_side, solid};
use crate::point_distance::on_surface;
use crate::{Placed, Pose, QueryError, Reason};

/// A parameter of a ray, and a bound on its error.
#[derive(Clone, Copy)]
struct Certified {
    parameter: f64,
    error: f64,
}

/// Where a ray enters a formula, and where it leaves it; once, if rounding does not tell them apart.
pub(super) fn hits(placed: Placed<'_>, formula: &Formula, ray: &Ray) -> ArrayVec<RayHit, 2> {
    let ends = match solid(formula) {
        Some(solid) => of_solid(placed.pose(), formula, &solid, ray),
        None => of_rounded(placed, formula, ray),
    };
    let mut hits: ArrayVec<RayHit, 2> = ArrayVec::new();
    for Certified { parameter, error } in ends.into_iter().flatten() {
        if hits.last().is_some_and(|hit| parameter - hit.parameter <= error + hit.error) {
            continue;
        }
        hits.push(RayHit {
            face: None,
            triangle: None,
            point: ray.line.at(parameter),
            parameter,
            error,
            barycentric: [0.0; 3],
        });
    }
    hits
}

/// Where the ray enters and leaves, each if it does within reach.
fn of_solid(pose: &Pose, formula: &Formula, solid: &Solid, ray: &Ray) -> [Option<Certified>; 2] {
    let (matrix, place) = (pose.rotation(), pose.translation());
    let meets = |part| ray_meets_solid(&ray.line, part, solid, matrix, place);
    let side = |parameter| ray_side(&ray.line, parameter, solid, matrix, place);
    if !meets([0.0, ray.reach]) {
        return [None; 2];
    }
    let ([enters, leaves], [from, to]) = crossings(pose, formula, ray);
    let range = [from.max(0.0), to.min(ray.reach).min(f64::MAX)];
    // A part of the size of the numbers.
    let size = taxicab(sub(ray.origin(), place)) + formula.shape().map_or(0.0, extent);
    let ulp = 4.0 * f64::EPSILON * size / length(ray.direction());
    let ulp = if ulp.is_finite() { ulp } else { 0.0 };
    let first = match side(0.0) {
        Sign::Positive => {
            let has_entered = |parameter| meets([0.0, parameter]);
            Some(certified(has_entered, enters, ulp, range))
        }
        Sign::Zero => Some(Certified { parameter: 0.0, error: 0.0 }),
        Sign::Negative => None,
    };
    let leaves_in_reach = if ray.reach.is_finite() {
        match side(ray.reach) {
            Sign::Positive => true,
            // It leaves there, or goes on in the solid.
            Sign::Zero => !meets([ray.reach.next_up(), f64::INFINITY]),
            Sign::Negative => false,
        }
    } else {
        formula.shape().is_some() || !meets([f64::MAX, f64::INFINITY])
    };
    let second = leaves_in_reach.then(|| {
        let has_left = |parameter| !meets([parameter, f64::INFINITY]);
        certified(has_left, leaves, ulp, range)
    });
    [first, second]
}

fn extent(shape: &dyn Shape) -> f64 {
    shape.reach() + shape.radius()
}

/// The least parameter of a range from which on a monotone condition holds, near an approximation. The condition counts as false
/// at the beginning and as true at the end.
fn certified(
    holds: impl Fn(f64) -> bool,
    approximation: f64,
    ulp: f64,
    [first, last]: [f64; 2],
) -> Certified {
    /// Wider brackets are searched by bisection.
    const TRIALS: usize = 5;
    let fine = ulp + 4.0 * f64::EPSILON * approximation.abs();
    let [mut low, mut high] = [first, last];
    let mut width = fine;
    for _ in 0..TRIALS {
        let [below, above] = [approximation - width, approximation + width];
        if below > low && below < high {
            if holds(below) { high = below } else { low = below }
        }
        if above > low && above < high {
            if holds(above) { high = above } else { low = above }
        }
        if high - low <= 2.0 * width {
            break;
        }
        width *= 64.0;
    }
    let is_fine = |low: f64, high: f64| high - low <= 2.5 * fine.max(f64::EPSILON * high);
    while !is_fine(low, high) {
        let middle = 0.5 * low + 0.5 * high;
        if middle <= low || middle >= high {
            break;
        }
        if holds(middle) { high = middle } else { low = middle }
    }
    let is_between = low <= approximation && approximation <= high;
    let parameter = if is_between { approximation } else { 0.5 * low + 0.5 * high };
    Certified { parameter, error: (high - parameter).max(parameter - low).next_up() }
}

/// Where the line of a ray enters and leaves, rounded, if it does, else NaN or anything; and a range that contains both.
fn crossings(pose: &Pose, formula: &Formula, ray: &Ray) -> ([f64; 2], [f64; 2]) {
    let [r, s, t] = pose.rotation();
    let turned = |[x, y, z]: [f64; 3]| [0, 1, 2].map(|k| r[k] * x + s[k] * y + t[k] * z);
    let origin = turned(sub(ray.origin(), pose.translation()));
    let along = turned(ray.direction());
    let Some(shape) = formula.shape() else {
        return ([-origin[2] / along[2]; 2], [0.0, f64::MAX]);
    };
    // From the point that is nearest to the center, so that no digits are lost in squares.
    let offset = -dot(origin, along) / length_squared(along);
    if !offset.is_finite() || !length_squared(along).is_finite() {
        return ([f64::NAN; 2], [0.0, f64::MAX]);
    }
    let origin = add(origin, scale(along, offset));
    // More than the rounding, and than the matrix stretches.
    let window = 1.001 * extent(shape) / length(along) + 1e-9 * offset.abs();
    let ends = match shape.core() {
        Core::Point => in_ball(origin, along, shape.radius()),
        Core::Segment { half } => {
            let mut ends = in_cylinder(origin, along, half, shape.radius());
            for half in [-half, half] {
                let [from, to] = in_ball(sub(origin, [0.0, 0.0, half]), along, shape.radius());
                // The least and the greatest, without those that are NaN.
                ends = [from.min(ends[0]), to.max(ends[1])];
            }
            ends
        }
        Core::Cuboid { half } => {
            let [x, y, z] = [0, 1, 2].map(|k| in_slab(origin[k], along[k], half[k]));
            [x[0].max(y[0]).max(z[0]), x[1].min(y[1]).min(z[1])]
        }
        Core::Cylinder { half, radius } => in_cylinder(origin, along, half, radius),
        Core::Cone { half, radius } => in_cone(origin, along, half, radius, window),
        Core::Ellipsoid { half } => {
            let [origin, along] = [origin, along].map(|v| [0, 1, 2].map(|k| v[k] / half[k]));
            let again = -dot(origin, along) / length_squared(along);
            in_ball(add(origin, scale(along, again)), along, 1.0).map(|s| s + again)
        }
        _ => [f64::NAN; 2],
    };
    (ends.map(|s| s + offset), [offset - window, offset + window])
}

/// The parameters at which a line is in a ball about the origin. NaN if it passes by.
fn in_ball(origin: [f64; 3], along: [f64; 3], radius: f64) -> [f64; 2] {
    roots(length_squared(along), dot(origin, along), length_squared(origin) - radius * radius)
}

fn in_slab(origin: f64, along: f64, half: f64) -> [f64; 2] {
    if along == 0.0 {
        return [f64::NEG_INFINITY, f64::INFINITY];
    }
    let [one, other] = [-half, half].map(|side| (side - origin) / along);
    [one.min(other), one.max(other)]
}

fn in_cylinder(origin: [f64; 3], along: [f64; 3], half: f64, radius: f64) -> [f64; 2] {
    let [from, to] = in_slab(origin[2], along[2], half);
    let flat = |v: [f64; 3]| [v[0], v[1], 0.0];
    if along[0] == 0.0 && along[1] == 0.0 {
        return [from, to];
    }
    let [enters, leaves] = in_ball(flat(origin), flat(along), radius);
    let ends = [from.max(enters), to.min(leaves)];
    if enters.is_nan() || ends[0] > ends[1] { [f64::NAN; 2] } else { ends }
}

/// The parameters at which a line is in a cone; beyond the `window` about 0 it is not.
fn in_cone(origin: [f64; 3], along: [f64; 3], half: f64, radius: f64, window: f64) -> [f64; 2] {
    let [from, to] = in_slab(origin[2], along[2], half);
    let [from, to] = [from.max(-window), to.min(window)];
    // x² + y² − k² (half − z)²
    let k = radius / (2.0 * half);
    let (below, falls) = (k * (half - origin[2]), -k * along[2]);
    let square = along[0] * along[0] + along[1] * along[1] - falls * falls;
    let middle = origin[0] * along[0] + origin[1] * along[1] - below * falls;
    let rest = origin[0] * origin[0] + origin[1] * origin[1] - below * below;
    let under = (middle * middle - square * rest).max(0.0).sqrt();
    let q = -(middle + under.copysign(middle));
    let near = rest / q;
    // The other root, if it is in the window.
    let far = if q.abs() < window * square.abs() { q / square } else { f64::NAN };
    if square > 0.0 || far.is_nan() {
        let [enters, leaves] = if far.is_nan() {
            // Inside on that side of the root to which the function falls.
            if middle + square * near < 0.0 { [near, to] } else { [from, near] }
        } else {
            [near.min(far), near.max(far)]
        };
        return [from.max(enters), to.min(leaves)];
    }
    // Inside before the first root and after the second: the other nappe is beyond the apex.
    if along[2] > 0.0 { [from, to.min(near.min(far))] } else { [from.max(near.max(far)), to] }
}

/// The roots of square s² + 2 middle s + rest, without cancellation. NaN if there are none.
fn roots(square: f64, middle: f64, rest: f64) -> [f64; 2] {
    let under = (middle * middle - square * rest).sqrt();
    let q = -(middle + under.copysign(middle));
    if q == 0.0 {
        return [0.0, 0.0];
    }
    let [one, other] = [rest / q, q / square];
    [one.min(other), one.max(other)]
}

/// By casts of a point from either end.
fn of_rounded(placed: Placed<'_>, formula: &Formula, ray: &Ray) -> [Option<Certified>; 2] {
    let none = [None; 2];
    let Ok(PlacedFormula::Shape(shape)) = formula.placed(placed.pose()) else { return none };
    // Along a direction of length 1, however short the given one is.
    let (origin, size) = (ray.origin(), scaled_length(ray.direction()));
    let along = ray.direction().map(|x| x / size);
    let line = xcollide_predicates::Ray::new(origin, along);
    let endless = Ray { line, reach: f64::INFINITY };
    let Some([_, leaves]) = endless.range_in(&placed.world_box()) else { return none };
    let beyond = leaves + formula.shape().map_or(0.0, extent);
    let rounding = 64.0 * f64::EPSILON * (taxicab(origin) + beyond);
    let cast = |from: [f64; 3], way: [f64; 3]| {
        let points = [from];
        let hull = Hull::new(&points).ok()?;
        let point = PlacedShape::new(&hull, &Pose::IDENTITY).ok()?;
        match shape.cast(&point, way) {
            ShapeCast::Misses => None,
            ShapeCast::Meets { time, .. } => Some(time),
            ShapeCast::Undecided { time, .. } => Some([time; 2]),
        }
    };
    let certified = |low: f64, high: f64| Certified {
        parameter: low / size,
        error: (high - low + rounding) / size,
    };
    let first = match formula_side(formula, placed.pose(), origin) {
        Sign::Positive => {
            let last = beyond.min(ray.reach * size);
            let Some([low, high]) = cast(origin, scale(along, last)) else { return none };
            Some(certified(low * last, high * last))
        }
        Sign::Zero => Some(Certified { parameter: 0.0, error: 0.0 }),
        Sign::Negative => None,
    };
    let back = cast(endless.line.at(beyond), scale(along, -beyond));
    let second = back.map(|[low, high]| {
        let [low, high] = [(1.0 - high).max(0.0) * beyond, (1.0 - low) * beyond];
        Certified { parameter: high / size, ..certified(low, high) }
    });
    [first, second.filter(|second| second.parameter <= ray.reach)]
}

/// Where a moving sphere first meets a formula.
pub(super) fn sphere_hit(
    placed: Placed<'_>,
    formula: &Formula,
    sphere: &MovingSphere,
) -> Result<Option<SphereHit>, QueryError> {
    let too_close = Err(QueryError::Undecided(Reason::TooClose));
    let MovingSphere { segment: [from, to], radius } = *sphere;
    let way = sub(to, from);
    let hit = |parameter: f64| {
        let center = if parameter < 1.0 { add(from, scale(way, parameter)) } else { to };
        let point = match on_surface(placed, center) {
            // One in the body touches itself.
            Some(found) if formula_side(formula, placed.pose(), center) == Sign::Positive => {
                found.point
            }
            _ => center,
        };
        Ok(Some(SphereHit { face: None, parameter, center, point }))
    };
    let shape = match formula.placed(placed.pose()) {
        Ok(PlacedFormula::Shape(shape)) => shape,
        Ok(PlacedFormula::HalfSpace(ground)) => {
            return match falls_on(&ground, [from, to], radius) {
                Some(Some(time)) => hit(time),
                Some(None) => Ok(None),
                None => too_close,
            };
        }
        Err(error) => return Err(error.into()),
    };
    let cast = if radius == 0.0 {
        let points = [from];
        let Ok(hull) = Hull::new(&points) else { return Err(QueryError::Scale { side: "second" }) };
        shape.cast(&PlacedShape::new(&hull, &Pose::IDENTITY)?, way)
    } else {
        let Ok(ball) = Ball::new(radius) else { return Err(QueryError::Scale { side: "second" }) };
        shape.cast(&PlacedShape::new(&ball, &Pose::from_translation(from))?, way)
    };
    match cast {
        ShapeCast::Misses => Ok(None),
        ShapeCast::Meets { time: [time, _], .. } => hit(time),
        ShapeCast::Undecided { .. } => too_close,
    }
}

/// When a sphere comes to a half space: `None` if rounding hides whether.
fn falls_on(ground: &HalfSpace, centers: [[f64; 3]; 2], radius: f64) -> Option<Option<f64>> {
    // Heights above the border, less the radius; the length of the normal is rounded.
    let [first, last] = centers.map(|center| {
        let (height, error) = ground.height(center);
        let error = error + 8.0 * f64::EPSILON * (height.abs() + radius);
        (height - radius, error)
    });
    if first.0 < -first.1 {
        return Some(Some(0.0));
    }
    if last.0 < -last.1 {
        return Some(Some((first.0 / (first.0 - last.0)).clamp(0.0, 1.0)));
    }
    (first.0 > first.1 && last.0 > last.1).then_some(None)
}

//! The volume that a formula has in common with another one or with a mesh, in an interval that is proved.
//!
//! Two balls, and a ball and a half space, have closed forms: sums of caps, whose volume grows with their height. In any other
//! formula there is a polyhedron, and caps between this and the surface (`inscribed`). The volume of what the polyhedra
//! have in common is that of meshes; the caps in the other body are added, and those of which this is not known are between nothing
//! and all. A half space becomes a box under its border that is larger than the other model.

use std::f64::consts::PI;

use xcollide_bounds::Aabb;
use xcollide_convex::shape::{Cuboid, Shape};
use xcollide_math::vector::{cross, largest, length, perpendicular, sub, unit};

use super::body::Body;
use super::inscribed::{Caps, Inscribed, Other};
use super::of_bodies;
use crate::formula::pair::Side;
use crate::model::formula::{Formula, HalfSpace};
use crate::relation::kind;
use crate::{Kind, Model, OverlapVolume, Placed, Pose, QueryError, Semantics};

/// The bounds are at most this part of `at_least` apart, unless patches become too many or too small.
const WIDTH: f64 = 1e-9;

/// The volume of what two placed models have in common, of which at least one is a formula.
pub(crate) fn volume(a: Placed<'_>, b: Placed<'_>) -> Result<OverlapVolume, QueryError> {
    match [a, b].map(|placed| placed.model().formula()) {
        [Some(Formula::HalfSpace), Some(Formula::HalfSpace)] => return Err(QueryError::Unbounded),
        [Some(of_a), Some(of_b)] => {
            if let Some(found) = of_balls([(of_a, a), (of_b, b)]) {
                return Ok(found);
            }
        }
        [None, _] => _ = Body::of(a.model(), "first")?,
        [_, None] => _ = Body::of(b.model(), "second")?,
    }
    let common = a.world_box().intersection(&b.world_box());
    if common.is_empty() {
        return Ok(OverlapVolume::default());
    }
    match kind(a, b, Semantics::Solid) {
        Some(Kind::Apart | Kind::Touching) => Ok(OverlapVolume::default()),
        Some(Kind::Enclosed | Kind::Equal) => whole(a),
        Some(Kind::Enclosing) => whole(b),
        _ => refined(a, b),
    }
}

/// The volume of a model: of what it has in common with a box around it.
fn whole(placed: Placed<'_>) -> Result<OverlapVolume, QueryError> {
    let bounds = placed.world_box();
    let room = Cuboid::new(bounds.size()).map_err(|_| QueryError::Scale { side: "first" })?;
    let room = Model::from_formula(Formula::Cuboid(room));
    refined(placed, Placed::new(&room, &Pose::from_translation(bounds.center()))?)
}

/// The same for two models whose boxes meet: with more and more patches.
fn refined(a: Placed<'_>, b: Placed<'_>) -> Result<OverlapVolume, QueryError> {
    // About the middle of what is in common, where coordinates are small; a mesh stays where its vertices are rounded.
    let is_mesh = [a, b].iter().any(|placed| placed.model().formula().is_none());
    let middle = a.world_box().intersection(&b.world_box()).center();
    let origin = if is_mesh { [0.0; 3] } else { middle };
    let poses = [a, b].map(|placed| {
        let pose = placed.pose();
        if is_mesh { *pose } else { pose.with_translation(sub(pose.translation(), origin)) }
    });
    let moved = [Placed::new(a.model(), &poses[0])?, Placed::new(b.model(), &poses[1])?];
    let common = moved[0].world_box().intersection(&moved[1].world_box());
    let mut bodies = [0, 1].map(|of| inscribed(moved[of], moved[1 - of]));
    let error: f64 = bodies.iter().flatten().map(|body| body.error).sum();
    let lost = 4.0 * error * common.surface();
    let scale = length(common.size());
    let mut size = 0.25 * scale;
    let mut best = OverlapVolume { at_least: 0.0, at_most: f64::INFINITY };
    loop {
        let caps = refine(&mut bodies, moved, size, scale);
        let between = of_polyhedra(&bodies, moved)?;
        let inside = caps[0].inside + caps[1].inside;
        let unknown = caps[0].unknown + caps[1].unknown;
        let lost = lost + 1e-13 * (inside + between.at_most);
        best.at_least = best.at_least.max(between.at_least + inside - lost);
        best.at_most = best.at_most.min(between.at_most + inside + unknown + lost);
        best.at_most = best.at_most.max(best.at_least);
        let wanted = 0.8 * WIDTH * best.at_least;
        let is_full = bodies.iter().flatten().any(Inscribed::is_full);
        if unknown <= wanted || is_full || size <= error {
            return Ok(best);
        }
        // What is not known is about proportional to this power of the size.
        let power = if is_mesh { 3.0 } else { 4.0 };
        size *= libm::pow(0.7 * wanted / unknown, 1.0 / power).clamp(1.0 / 64.0, 0.7);
    }
}

/// The polyhedron in a formula, as far as it matters for what it has in common with another model; `None` for a mesh.
fn inscribed(placed: Placed<'_>, other: Placed<'_>) -> Option<Inscribed> {
    match Side::of(placed) {
        Side::Shape(formula, _) => Inscribed::of_formula(formula, placed.pose()),
        Side::HalfSpace(ground) => Some(below(&ground, &other.world_box())),
        Side::Mesh(_) => None,
    }
}

/// The caps of both, which are counted once: what of the one reaches caps of the other is not known to be inside. So these must be low,
/// which takes fewer patches of tubes than of spheres.
fn refine(
    bodies: &mut [Option<Inscribed>; 2],
    placed: [Placed<'_>; 2],
    size: f64,
    scale: f64,
) -> [Caps; 2] {
    let has_spheres =
        bodies.each_ref().map(|body| body.as_ref().is_some_and(Inscribed::has_spheres));
    let is_curved = bodies.each_ref().map(|body| body.as_ref().is_some_and(Inscribed::is_curved));
    let low = usize::from(has_spheres[0] || !is_curved[0]);
    // With a thirty-second spheres need about as many patches for this as for the curves in which the surfaces meet.
    let height = match (is_curved[1 - low], has_spheres[low]) {
        (false, _) => f64::INFINITY,
        (true, false) => size * (size / scale),
        (true, true) => size / 32.0,
    };
    let mut caps = [Caps::default(); 2];
    for (of, height) in [(low, height), (1 - low, f64::INFINITY)] {
        if let Some(body) = &mut bodies[of] {
            let margin = if of == low { 0.0 } else { caps[low].height };
            caps[of] = body.refine(&mut Other::new(placed[1 - of], margin), [size, height]);
        }
    }
    caps
}

/// The volume that the polyhedra, or a mesh, have in common.
fn of_polyhedra(
    bodies: &[Option<Inscribed>; 2],
    placed: [Placed<'_>; 2],
) -> Result<OverlapVolume, QueryError> {
    let too_large = |_| QueryError::Scale { side: "first" };
    let model = |body: &Inscribed| Model::from_mesh(body.mesh()?);
    let models = bodies.each_ref().map(|body| body.as_ref().map(model).transpose());
    let [first, second] = models.map(|model| model.map_err(too_large));
    let models = [first?, second?];
    let placed = [0, 1].map(|of| models[of].as_ref().map_or(placed[of], Placed::unmoved));
    let known = |of: usize, side| match &models[of] {
        Some(model) => Ok(Body::closed(model)),
        None => Body::of(placed[of].model(), side),
    };
    let bodies = [known(0, "first")?, known(1, "second")?];
    Ok(of_bodies(placed, bodies, 0.1 * WIDTH))
}

/// A box under the border of a half space that contains what another model has below it.
fn below(ground: &HalfSpace, other: &Aabb) -> Inscribed {
    let (up, center) = (ground.up(), other.center());
    let reach = length(other.size());
    let foot = ground.foot(center);
    let (height, _) = ground.height(center);
    let right = perpendicular(up);
    let right = unit(right).unwrap_or(right);
    let front = cross(up, right);
    let floor = (height - reach).min(-reach);
    let corner = |i: usize| {
        let side = |k: usize| if i >> k & 1 == 0 { -reach } else { reach };
        let z = if i >> 2 & 1 == 0 { floor } else { 0.0 };
        [0, 1, 2].map(|k| foot[k] + (side(0) * right[k] + side(1) * front[k]) + z * up[k])
    };
    let far = largest(ground.point) + largest(center) + reach;
    Inscribed::of_box((0..8).map(corner).collect(), 32.0 * f64::EPSILON * far)
}

/// Of two balls, or a ball and a half space.
fn of_balls(sides: [(&Formula, Placed<'_>); 2]) -> Option<OverlapVolume> {
    match sides {
        [(Formula::Ball(one), a), (Formula::Ball(other), b)] => {
            let line = sub(b.pose().translation(), a.pose().translation());
            let distance = length(line);
            let error = 4.0 * f64::EPSILON * distance;
            Some(of_two_balls([one.radius(), other.radius()], [distance - error, distance + error]))
        }
        [(Formula::Ball(ball), a), (Formula::HalfSpace, b)]
        | [(Formula::HalfSpace, b), (Formula::Ball(ball), a)] => {
            let normal = b.pose().rotation().map(|row| row[2]);
            let ground = HalfSpace { normal, point: b.pose().translation() };
            let (height, error) = ground.height(a.pose().translation());
            let radius = ball.radius();
            let error = error + 8.0 * f64::EPSILON * (height.abs() + radius);
            let [low, high] = [radius - height - error, radius - height + error];
            Some(between(cap(radius, low), cap(radius, high)))
        }
        _ => None,
    }
}

/// With the rounding of a few operations.
fn between(low: f64, high: f64) -> OverlapVolume {
    const ROUNDING: f64 = 1e-14;
    let at_least = low * (1.0 - ROUNDING);
    OverlapVolume { at_least, at_most: (high * (1.0 + ROUNDING)).max(at_least) }
}

/// The volume of what is at most `height` from the lowest point of a ball.
fn cap(radius: f64, height: f64) -> f64 {
    let height = height.clamp(0.0, 2.0 * radius);
    PI / 3.0 * height * height * (3.0 * radius - height)
}

/// The nearer the centers, the larger the volume.
fn of_two_balls(radii: [f64; 2], [near, far]: [f64; 2]) -> OverlapVolume {
    let [smaller, larger] = [radii[0].min(radii[1]), radii[0].max(radii[1])];
    // At a distance the common part is a cap of each ball, or the smaller ball.
    let at = |distance: f64, side: f64| {
        if distance <= larger - smaller || distance <= 0.0 {
            return cap(smaller, 2.0 * smaller);
        }
        let heights = [[smaller, larger], [larger, smaller]].map(|[own, other]| {
            let [low, high] = [other - (distance - own), other + (distance - own)];
            let rounding = side * 8.0 * f64::EPSILON * (smaller + larger + distance);
            (low + rounding).max(0.0) * (high + rounding).max(0.0) / (2.0 * distance)
        });
        cap(smaller, heights[0]) + cap(larger, heights[1])
    };
    let whole = cap(smaller, 2.0 * smaller);
    between(at(far, -1.0).min(whole), at(near, 1.0).min(whole * (1.0 + 1e-14)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lenses_are_between_their_bounds() {
        // Equal balls of radius 1 at distance 1: 5π/12.
        let found = of_two_balls([1.0, 1.0], [1.0, 1.0]);
        let exact = 5.0 * PI / 12.0;
        assert!(found.at_least <= exact && exact <= found.at_most, "{found:?}");
        assert!(found.at_most - found.at_least < 1e-13);
        // A thin lens loses digits, but not its bounds.
        let thin = of_two_balls([1.0, 2.0], [3.0 - 1e-6; 2]);
        // π h² (R r / (R + r)) for the height h of the gap, to first order.
        let about = PI * 1e-12 * (2.0 / 3.0);
        assert!(thin.at_least < about && about * 0.999_99 < thin.at_most, "{thin:?} {about}");
        assert_eq!(of_two_balls([1.0, 2.0], [3.5, 3.5]).at_least, 0.0);
        let inside = of_two_balls([1.0, 4.0], [2.0, 2.0]);
        assert!((inside.at_most - 4.0 / 3.0 * PI).abs() < 1e-12);
    }
}

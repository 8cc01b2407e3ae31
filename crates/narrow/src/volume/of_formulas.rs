//! The volume that a formula has in common with another one or with a mesh, in an interval that is proved.
//!
//! [Balls](super::balls) have closed forms; bodies along parallel axes are known by their sections
//! ([`parallel_axes`](super::parallel_axes)). In any other formula a polyhedron is inscribed, and the caps between this
//! and the surface have closed forms (`inscribed`). The volume of overlap is that of the two polyhedra, which are meshes, and of
//! the parts of the caps in the other body, which are bounded from below and above. Surfaces that coincide are left out before
//! ([`coinciding`](super::coinciding)), and where they nearly do, the volume is integrated over directions ([`gauge`](super::gauge)). A half space becomes a box under its border that
//! contains all of the other model there.

use xcollide_bounds::Aabb;
use xcollide_convex::shape::{Cuboid, Shape};
use xcollide_math::vector::{add, cross, largest, length, scale as scaled, sub};
use xcollide_predicates::Point;

use super::balls::of_balls;
use super::body::Body;
use super::coinciding::{Simpler, simpler};
use super::inscribed::{Caps, Inscribed, Other, View};
use super::moved_mesh::MovedMesh;
use super::number::{Double, Rounded};
use super::{Common, WIDTH, gauge, parallel_axes};
use crate::formula::hull_penetration;
use crate::model::formula::Formula;
use crate::point_in_polyhedron::{Location, locate};
use crate::relation::kind;
use crate::{Kind, Model, OverlapVolume, Placed, Pose, QueryError, Semantics};

/// What is not known to be bounded.
const EVERYWHERE: Aabb = Aabb { min: [f64::NEG_INFINITY; 3], max: [f64::INFINITY; 3] };

/// Thinner overlaps are seen along the direction in which they are thin, in parts of the size.
const THIN: f64 = 1.0 / 64.0;

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
        _ => reduced(a, b),
    }
}

/// By what is known in advance, if that tells enough.
fn reduced(a: Placed<'_>, b: Placed<'_>) -> Result<OverlapVolume, QueryError> {
    let mut found = OverlapVolume { at_least: 0.0, at_most: f64::INFINITY };
    if let Some(simpler) = simpler([a, b]) {
        found = without_coinciding([a, b], simpler)?;
    }
    if !found.is_narrow(WIDTH)
        && let Some(other) = parallel_axes::volume([a, b])
    {
        found = both(found, other);
    }
    if found.is_narrow(WIDTH) {
        return Ok(found);
    }
    // What probably takes less time at first.
    let is_suited = gauge::is_suited([a, b]);
    for by_gauges in [is_suited, !is_suited] {
        let other = if by_gauges { gauge::volume([a, b]) } else { Some(refined(a, b)?) };
        found = other.map_or(found, |other| both(found, other));
        if found.is_narrow(WIDTH) {
            break;
        }
    }
    Ok(found)
}

/// What two intervals of the same volume have in common.
fn both(one: OverlapVolume, other: OverlapVolume) -> OverlapVolume {
    debug_assert!(
        one.at_least <= other.at_most && other.at_least <= one.at_most,
        "{one:?} {other:?}"
    );
    let at_least = one.at_least.max(other.at_least);
    OverlapVolume { at_least, at_most: one.at_most.min(other.at_most).max(at_least) }
}

/// Without what does not bound the overlap.
fn without_coinciding(
    placed: [Placed<'_>; 2],
    simpler: Simpler,
) -> Result<OverlapVolume, QueryError> {
    let (found, lost) = match simpler {
        Simpler::Known(found) => (found, 0.0),
        Simpler::Whole(of, lost) => (whole(placed[of])?, lost),
        Simpler::Boxed(of, cuboid, lost) => {
            let cuboid = Model::from_formula(Formula::Cuboid(cuboid));
            (volume(placed[1 - of], Placed::new(&cuboid, placed[of].pose())?)?, lost)
        }
    };
    Ok(OverlapVolume { at_least: (found.at_least - lost).max(0.0), ..found })
}

/// The volume of a model: of what it has in common with a box around it.
fn whole(placed: Placed<'_>) -> Result<OverlapVolume, QueryError> {
    let bounds = placed.world_box();
    let room = Cuboid::new(bounds.size()).map_err(|_| QueryError::Scale { side: "first" })?;
    let room = Model::from_formula(Formula::Cuboid(room));
    refined(placed, Placed::new(&room, &Pose::from_translation(bounds.center()))?)
}

/// The same for two models whose boxes meet: with more and more patches.
pub(super) fn refined(a: Placed<'_>, b: Placed<'_>) -> Result<OverlapVolume, QueryError> {
    let mesh = match [a, b].map(|placed| placed.model().formula().is_none()) {
        [true, _] => MovedMesh::new(a, b),
        [_, true] => MovedMesh::new(b, a),
        _ => None,
    };
    let own_view;
    let view = match &mesh {
        Some(mesh) => &mesh.view,
        None => {
            own_view = view(a, b);
            &own_view
        }
    };
    let seen = [a, b].map(|placed| match (placed.model().formula(), &mesh) {
        (None, Some(mesh)) => Some((&mesh.model, Pose::IDENTITY, mesh.error)),
        // It stays where its vertices are rounded.
        (None, None) => Some((placed.model(), *placed.pose(), 0.0)),
        (Some(formula), _) => {
            let reach = formula.shape().map_or(0.0, Shape::reach);
            let (pose, error) = view.pose(placed.pose(), reach)?;
            Some((placed.model(), pose, error))
        }
    });
    let [Some((model_a, of_a, error_a)), Some((model_b, of_b, error_b))] = seen else {
        return Err(QueryError::Scale { side: "first" });
    };
    let moved = [Placed::new(model_a, &of_a)?, Placed::new(model_b, &of_b)?];
    Refinement { placed: [a, b], moved, errors: [error_a, error_b], view, mesh: mesh.as_ref() }
        .volume()
}

/// Two models, and how they are seen.
struct Refinement<'p> {
    placed: [Placed<'p>; 2],
    moved: [Placed<'p>; 2],
    /// No point of what is moved is farther from where it should be.
    errors: [f64; 2],
    view: &'p View,
    mesh: Option<&'p MovedMesh>,
}

impl Refinement<'_> {
    fn volume(&self) -> Result<OverlapVolume, QueryError> {
        let mut common = self.moved[0].world_box().intersection(&self.moved[1].world_box());
        let mut bodies = self.inscribed(&common);
        let is_mesh = self.placed.iter().any(|placed| placed.model().formula().is_none());
        let are_curved = bodies.iter().flatten().filter(|body| body.is_curved()).count() == 2;
        let mut scale = length(common.size());
        let mut size = 0.25 * scale;
        // Where the caps are that may be partly inside.
        let mut reached = [EVERYWHERE; 2];
        // How high caps are that others may reach, in parts of the size.
        let mut lowness = 1.0 / 32.0;
        // Whether the size was chosen for this step to be the last one.
        let mut is_last = false;
        let mut best = OverlapVolume { at_least: 0.0, at_most: f64::INFINITY };
        loop {
            let lownesses = [lowness, size / scale];
            let caps = refine(&mut bodies, (self.moved, self.errors), &reached, size, lownesses);
            // With more than the rounding of either.
            let errors: f64 =
                bodies.iter().flatten().map(Inscribed::error).chain(self.errors).sum();
            let rounding = 2.0 * errors + 1e-12 * largest(common.min).max(largest(common.max));
            reached = caps.map(|caps| caps.bounds.expanded(rounding));
            let (between, bounds) = of_polyhedra(&bodies, self.moved, common.center())?;
            let inside = caps[0].inside + caps[1].inside;
            let unknown = caps[0].unknown + caps[1].unknown;
            let within = self.bounds(&bodies, &caps, (&between, &bounds), &common);
            let of_bodies: f64 = bodies.iter().flatten().map(|body| body.rounding(&within)).sum();
            let of_mesh = self.mesh.map_or(0.0, |mesh| mesh.rounding(&within));
            let lost = of_bodies + of_mesh + 1e-13 * (inside + between.at_most);
            best.at_least = best.at_least.max(between.at_least + inside - lost);
            best.at_most = best.at_most.min(between.at_most + inside + unknown + lost);
            best.at_most = best.at_most.max(best.at_least);
            let extent = length(within.size());
            if best.is_narrow(WIDTH) {
                return Ok(best);
            }
            if extent < 0.25 * scale {
                // What is far away is rounded more.
                common = within;
                bodies = self.inscribed(&common);
                reached = [EVERYWHERE; 2];
                scale = extent;
                size = size.min(0.25 * scale);
                continue;
            }
            // With what the polyhedra have in common, which is less wide by far.
            let least_wanted = 0.3 * WIDTH * best.at_least;
            let wanted = (0.9 * WIDTH * best.at_least - 2.0 * lost).max(least_wanted);
            let is_full = bodies.iter().flatten().any(Inscribed::is_full);
            let is_small = size <= 64.0 * f64::EPSILON * scale;
            if unknown <= wanted || is_full || is_small {
                return Ok(best);
            }
            if between.at_least > 0.0 && size < extent / 16.0 {
                // Surfaces meet at about this angle, so that what others may reach is about as wide as the patches.
                let thickness = within.size().into_iter().fold(f64::INFINITY, f64::min);
                lowness = lowness.min(2.0 * thickness / extent);
            }
            // What is not known is about proportional to this power of the size, but where surfaces coincide: there a size that is too
            // small a part of the one before may take more patches than there may be.
            let (power, least) = (4.0, if is_mesh { 1.0 / 16.0 } else { 1.0 / 64.0 });
            let part = libm::pow(0.7 * wanted / unknown, 1.0 / power);
            if is_last && unknown > 16.0 * wanted && are_curved {
                // Surfaces meet at a small angle, and what others may reach is a wide part of them.
                lowness *= 1.0 / 16.0;
                is_last = false;
            } else {
                size *= part.clamp(least, 0.7);
                is_last = part >= least;
            }
        }
    }

    /// The polyhedra in the formulas, as far as they are in a box.
    fn inscribed(&self, within: &Aabb) -> [Option<Inscribed>; 2] {
        self.placed.map(|placed| match placed.model().formula()? {
            Formula::HalfSpace => Some(Inscribed::of_half_space(placed.pose(), self.view, within)),
            formula => Inscribed::of_formula(formula, placed.pose(), self.view, within),
        })
    }

    /// A box that contains what is in common of the bodies, and of the polyhedra.
    ///
    /// What of a polyhedron's surface is in a mesh is below caps, or ends at the mesh's surface, or at corners of a flat one.
    fn bounds(
        &self,
        bodies: &[Option<Inscribed>; 2],
        caps: &[Caps; 2],
        (between, bounds): (&OverlapVolume, &Aabb),
        common: &Aabb,
    ) -> Aabb {
        let of_caps = caps[0].bounds.merged(&caps[1].bounds);
        let error = bodies.iter().flatten().map(Inscribed::error).fold(0.0, f64::max);
        let mesh = self.moved.iter().find(|moved| moved.model().formula().is_none());
        let Some(&mesh) = mesh else {
            return common.intersection(&widened(bounds, between.at_least, error).merged(&of_caps));
        };
        let Some(surface) = self.mesh.and_then(|mesh| mesh.bounds(error)) else { return *common };
        let corners = bodies.iter().flatten().flat_map(Inscribed::flat_corners);
        let inside = corners.filter(|&&corner| locate(mesh, corner) != Location::Outside);
        common.intersection(&surface.merged(&of_caps).merged(&Aabb::from_points(inside.copied())))
    }
}

/// From the middle of what is in common, where coordinates are small, and with an axis along the direction in which this is thin: there
/// little is rounded. A mesh stays where its vertices are rounded.
fn view(a: Placed<'_>, b: Placed<'_>) -> View {
    if [a, b].iter().any(|placed| placed.model().formula().is_none()) {
        return View::from([0.0; 3]);
    }
    let common = a.world_box().intersection(&b.world_box());
    let origin = common.center();
    match hull_penetration(a, b) {
        Ok(Some(found)) if found.at_most < THIN * length(common.size()) => {
            let [p, q] = found.points;
            let origin = scaled(add(p, q), 0.5);
            // The axis that is more across.
            let axes = [a, b].map(|placed| placed.pose().rotation().map(|row| row[2]));
            let [across_a, across_b] = axes.map(|axis| length(cross(axis, found.direction)));
            let beside = if across_a >= across_b { axes[0] } else { axes[1] };
            View::along(origin, found.direction, beside)
        }
        _ => View::from(origin),
    }
}

/// A box around what two convex polyhedra have in common wherever their corners move by an error, by the box and the volume of this
/// without the error.
///
/// A convex set of the volume V and the surface S contains a ball of the radius r = V/S, about a point c. Seen from c, what is at most e
/// from a set that contains this ball is in the set enlarged by 1 + e/r.
fn widened(bounds: &Aabb, volume: f64, error: f64) -> Aabb {
    let part = 1.01 * error * bounds.surface() / volume;
    if bounds.is_empty() || part.is_nan() || part >= 1.0 {
        return EVERYWHERE;
    }
    let by = bounds.size().map(|size| part * size);
    Aabb::new(sub(bounds.min, by), add(bounds.max, by))
}

/// The caps of both, which are counted once: what of the one reaches caps of the other is not known to be inside. So these must be low
/// where caps of the other may be, which takes fewer patches of tubes than of spheres: for each a height, in parts of the size.
fn refine(
    bodies: &mut [Option<Inscribed>; 2],
    (placed, errors): ([Placed<'_>; 2], [f64; 2]),
    reached: &[Aabb; 2],
    size: f64,
    [of_spheres, of_tubes]: [f64; 2],
) -> [Caps; 2] {
    let has_spheres =
        bodies.each_ref().map(|body| body.as_ref().is_some_and(Inscribed::has_spheres));
    let is_curved = bodies.each_ref().map(|body| body.as_ref().is_some_and(Inscribed::is_curved));
    let low = usize::from(has_spheres[0] || !is_curved[0]);
    let height = match (is_curved[1 - low], has_spheres[low]) {
        (false, _) => f64::INFINITY,
        (true, false) => size * of_tubes.min(of_spheres),
        (true, true) => size * of_spheres,
    };
    let mut caps = [Caps::new(); 2];
    for (of, height) in [(low, height), (1 - low, f64::INFINITY)] {
        if let Some(body) = &mut bodies[of] {
            let margin = if of == low { 0.0 } else { caps[low].height };
            let mut other = Other::new(placed[1 - of], margin, errors[1 - of]);
            caps[of] = body.refine(&mut other, size, (height, &reached[1 - of]));
        }
    }
    caps
}

/// The volume that the polyhedra, or a mesh, have in common, and a box around that; by an origin near it.
fn of_polyhedra(
    bodies: &[Option<Inscribed>; 2],
    placed: [Placed<'_>; 2],
    origin: Point,
) -> Result<(OverlapVolume, Aabb), QueryError> {
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
    if placed[0].world_box().intersection(&placed[1].world_box()).is_empty() {
        return Ok((OverlapVolume::default(), Aabb::EMPTY));
    }
    // Coarse polyhedra may only touch. That need not be known, so nothing is decided exactly.
    let common = Common::new(placed, bodies, origin);
    let found = common.volume::<Rounded>().filter(|found| found.is_narrow(0.1 * WIDTH));
    let unknown = OverlapVolume { at_least: 0.0, at_most: f64::INFINITY };
    let found = found.or_else(|| common.volume::<Double>()).unwrap_or(unknown);
    Ok((found, common.bounds()))
}

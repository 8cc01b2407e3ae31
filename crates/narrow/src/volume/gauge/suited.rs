//! Which pairs gauges take less time for than polyhedra do, probably. Both give the same volumes.

use xcollide_bounds::Aabb;
use xcollide_convex::shape::{Core, Shape};
use xcollide_predicates::Point;

use super::body::is_flat;
use super::pair::Pair;
use crate::volume::number::rounded;
use crate::{Formula, Placed};

/// Whether this probably takes less time than polyhedra in the bodies: where surfaces nearly coincide these tell little, along rims they
/// have many corners, and on surfaces that are round along two directions many faces.
pub(in crate::volume) fn is_suited(placed: [Placed<'_>; 2]) -> bool {
    let [a, b] = placed;
    match placed.map(|placed| placed.model().formula().is_some()) {
        [true, true] => are_alike(placed) || [[a, b], [b, a]].into_iter().any(is_deep_ellipsoid),
        [true, false] => is_suited_for_mesh(a, b),
        [false, _] => is_suited_for_mesh(b, a),
    }
}

/// Whether the first formula is an ellipsoid whose bounding box lies to a large part in that of the other formula.
fn is_deep_ellipsoid([ellipsoid, other]: [Placed<'_>; 2]) -> bool {
    let shape = ellipsoid.model().formula().and_then(Formula::shape);
    shape.is_some_and(|shape| matches!(shape.core(), Core::Ellipsoid { .. }))
        && is_deep(ellipsoid, other)
}

/// The same for a mesh: it has about the same place and size, with as many triangles as it takes
/// to follow a surface; or it has not too many, and the formula is no core with a radius.
/// A large part of the formula must be in it, and curved.
fn is_suited_for_mesh(formula: Placed<'_>, mesh: Placed<'_>) -> bool {
    const NEAR: f64 = 1.0 / 16.0;
    const FEW: usize = 64;
    const MANY: usize = 1 << 15;
    let Some(of) = formula.model().formula() else { return false };
    let Some(core) = of.shape().map(Shape::core) else { return false };
    if is_flat(of) || !is_deep(formula, mesh) {
        return false;
    }
    let boxes = [formula.world_box(), mesh.world_box()];
    let sizes = boxes.map(|bounds| bounds.size());
    let centers = boxes.map(|bounds| bounds.center());
    let are_near =
        |of: [Point; 2]| (0..3).all(|k| (of[0][k] - of[1][k]).abs() <= NEAR * sizes[0][k]);
    let count = mesh.model().triangulation().len();
    let is_quick = matches!(
        core,
        Core::Point | Core::Cylinder { .. } | Core::Cone { .. } | Core::Ellipsoid { .. }
    );
    match count {
        0..FEW => is_quick,
        FEW..=MANY => is_quick || are_near(sizes),
        _ => are_near(sizes) && are_near(centers),
    }
}

/// Whether a large part of a model's box is in that of another one.
fn is_deep(model: Placed<'_>, other: Placed<'_>) -> bool {
    const LARGE: f64 = 1.0 / 8.0;
    let volume = |bounds: &Aabb| bounds.size().into_iter().product::<f64>();
    let own = model.world_box();
    let common = own.intersection(&other.world_box());
    !common.is_empty() && volume(&common) >= LARGE * volume(&own)
}

/// Whether two formulas have the same place and size, about, along at least two of the first one's axes.
fn are_alike(placed: [Placed<'_>; 2]) -> bool {
    const NEAR: f64 = 1.0 / 8.0;
    let Some(pair) = Pair::new(placed) else { return false };
    if pair.formulas.into_iter().all(is_flat) {
        return false;
    }
    let Some(([one, other], frames)) = pair.seen(pair.centers[0]) else { return false };
    let [from, to] = [0, 1].map(|of| rounded(&frames[of].at(pair.local[of])));
    let is_near = |k: &usize| {
        let most = NEAR * one[*k].min(other[*k]);
        (one[*k] - other[*k]).abs() < most && (to[*k] - from[*k]).abs() < most
    };
    (0..3).filter(is_near).count() >= 2
}

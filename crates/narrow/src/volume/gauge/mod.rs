//! The volume that a formula and another model have in common, by the gauges of both: also where surfaces nearly coincide, so that no polyhedra
//! tell which part of one body is in the other one.
//!
//! The gauge of a body is the greatest of those of its atoms: of the quadrics and planes that bound a ball, an ellipsoid, a box, a cylinder
//! or a cone, and of a body with a radius as a whole, which is known feature by feature ([`atom`], [`quadric`]). It is
//! integrated over all directions ([`integral`]). How much two gauges differ is known from the difference of their coefficients,
//! so that for bodies which differ by a part d an error of d times the square of the size of a triangle remains.
//!
//! The origin must be well inside of both bodies; a [mesh](mesh) may be anywhere. Coordinates are parts of sizes, so that thin bodies without a radius are as
//! round as others.

mod atom;
mod body;
mod features;
mod gauss;
mod integral;
mod jet;
mod mesh;
mod pair;
mod piece;
mod quadric;
mod suited;
#[cfg(test)]
mod tests;

use xcollide_math::vector::{add, scale};

use super::OverlapVolume;
use crate::Placed;
use pair::Pair;

pub(super) use suited::is_suited;

/// How far the integral may be wrong, in parts of the volume: less than half of the width of an interval.
const WIDTH: f64 = 0.45 * super::WIDTH;

/// The volume that two models have in common. At least one must be a formula.
///
/// `None` for a half space and for a body without volume, if neither the middle between the centers of two formulas nor the center of their
/// boxes' common part is well inside of both, and if rounding alone makes the interval too wide.
pub(super) fn volume(placed: [Placed<'_>; 2]) -> Option<OverlapVolume> {
    match placed.map(|placed| placed.model().formula().is_some()) {
        [true, true] => {
            let pair = Pair::new(placed)?;
            let middle = scale(add(pair.centers[0], pair.centers[1]), 0.5);
            let common = placed[0].world_box().intersection(&placed[1].world_box());
            let about = |origin| pair.volume(origin, WIDTH).and_then(interval);
            about(middle).or_else(|| about(common.center()))
        }
        [true, false] => mesh::volume(placed[0], placed[1], WIDTH).and_then(interval),
        [false, _] => mesh::volume(placed[1], placed[0], WIDTH).and_then(interval),
    }
}

/// The interval of a volume in parts of sizes; `None` if it contains 0.
fn interval((volume, error, sizes): (f64, f64, [f64; 3])) -> Option<OverlapVolume> {
    let factor = sizes[0] * sizes[1] * sizes[2];
    let [at_least, at_most] = [volume - error, volume + error].map(|x| factor * x);
    (at_least > 0.0).then_some(OverlapVolume { at_least, at_most })
}

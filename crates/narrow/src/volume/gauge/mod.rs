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
mod piece;
mod quadric;
#[cfg(test)]
mod tests;

use xcollide_math::vector::{add, scale};
use xcollide_predicates::Point;

use super::OverlapVolume;
use super::inscribed::{Frame, View};
use super::number::rounded;
use crate::{Formula, Placed};
use body::{Body, center, even_sizes, is_flat};

/// How far the integral may be wrong, in parts of the volume: less than half of the width of an interval.
const WIDTH: f64 = 0.45 * super::WIDTH;
/// How far bodies may be rounded.
const ROUNDED: f64 = 0.04 * super::WIDTH;

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
            pair.volume(middle).or_else(|| pair.volume(common.center()))
        }
        [true, false] => in_mesh(placed[0], placed[1]),
        [false, _] => in_mesh(placed[1], placed[0]),
    }
}

fn in_mesh(formula: Placed<'_>, mesh: Placed<'_>) -> Option<OverlapVolume> {
    let (volume, error, sizes) = mesh::volume(formula, mesh, WIDTH)?;
    interval(volume, error, sizes)
}

/// Whether this probably takes less time than polyhedra in the bodies: where surfaces nearly coincide these tell little, and
/// along rims they have many corners.
pub(super) fn is_suited(placed: [Placed<'_>; 2]) -> bool {
    let [a, b] = placed;
    match placed.map(|placed| placed.model().formula().is_some()) {
        [true, true] => are_alike(placed),
        [true, false] => mesh::is_suited(a, b),
        [false, _] => mesh::is_suited(b, a),
    }
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

/// Two formulas and points well inside of each.
struct Pair<'a> {
    placed: [Placed<'a>; 2],
    formulas: [&'a Formula; 2],
    local: [Point; 2],
    centers: [Point; 2],
}

impl<'a> Pair<'a> {
    fn new(placed: [Placed<'a>; 2]) -> Option<Self> {
        let formulas = [placed[0].model().formula()?, placed[1].model().formula()?];
        let local = [center(formulas[0])?, center(formulas[1])?];
        let centers = [0, 1].map(|of| placed[of].pose().apply(local[of]));
        Some(Self { placed, formulas, local, centers })
    }

    /// Extents and frames, along the axes of the first body.
    fn seen(&self, origin: Point) -> Option<([[f64; 3]; 2], [Frame; 2])> {
        let [x, z] = [0, 2].map(|k| self.placed[0].pose().rotation().map(|row| row[k]));
        let view = View::along(origin, z, x);
        let frames = self.placed.map(|placed| Frame::of(placed.pose(), &view));
        let extents = |of: usize| body::extents(self.formulas[of], &frames[of]);
        Some(([extents(0)?, extents(1)?], frames))
    }

    fn volume(&self, origin: Point) -> Option<OverlapVolume> {
        let (extents, frames) = self.seen(origin)?;
        let sizes = [0, 1, 2].map(|k| extents[0][k].min(extents[1][k]));
        let sizes = even_sizes(sizes, self.formulas);
        let body = |of: usize| Body::new(self.formulas[of], &frames[of], sizes);
        let (one, other) = (body(0)?, body(1)?);
        let rounding = 3.0 * (one.error + other.error) + 1e-14;
        if rounding.is_nan() || rounding > ROUNDED {
            return None;
        }
        let atoms: Vec<_> = one.atoms.into_iter().chain(other.atoms).collect();
        let (volume, error) = integral::volume(&atoms, WIDTH);
        let error = error + rounding * volume;
        interval(volume, error, sizes)
    }
}

/// The interval of a volume in parts of sizes; `None` if it contains 0.
fn interval(volume: f64, error: f64, sizes: [f64; 3]) -> Option<OverlapVolume> {
    let factor = sizes[0] * sizes[1] * sizes[2];
    let [at_least, at_most] = [volume - error, volume + error].map(|x| factor * x);
    (at_least > 0.0).then_some(OverlapVolume { at_least, at_most })
}

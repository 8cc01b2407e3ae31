//! Two formulas: what all of their atoms have in common, about a point inside of both.

use xcollide_predicates::Point;

use super::body::{Body, center, even_sizes, extents};
use super::integral;
use crate::volume::inscribed::{Frame, View};
use crate::{Formula, Placed};

/// How far bodies may be rounded, in parts of how far the volume may be wrong.
const ROUNDED: f64 = 0.1;

/// Two formulas and points well inside of each.
pub(super) struct Pair<'a> {
    placed: [Placed<'a>; 2],
    pub(super) formulas: [&'a Formula; 2],
    pub(super) local: [Point; 2],
    pub(super) centers: [Point; 2],
}

impl<'a> Pair<'a> {
    /// `None` for half spaces and meshes.
    pub(super) fn new(placed: [Placed<'a>; 2]) -> Option<Self> {
        let formulas = [placed[0].model().formula()?, placed[1].model().formula()?];
        let local = [center(formulas[0])?, center(formulas[1])?];
        let centers = [0, 1].map(|of| placed[of].pose().apply(local[of]));
        Some(Self { placed, formulas, local, centers })
    }

    /// Extents and frames, along the axes of the first body.
    pub(super) fn seen(&self, origin: Point) -> Option<([[f64; 3]; 2], [Frame; 2])> {
        let [x, z] = [0, 2].map(|k| self.placed[0].pose().rotation().map(|row| row[k]));
        let view = View::along(origin, z, x);
        let frames = self.placed.map(|placed| Frame::of(placed.pose(), &view));
        let extents = |of: usize| extents(self.formulas[of], &frames[of]);
        Some(([extents(0)?, extents(1)?], frames))
    }

    /// The volume and its error in parts of some sizes, and these; `None` if the origin is not well inside of both, and if rounding alone
    /// is too much.
    pub(super) fn volume(&self, origin: Point, width: f64) -> Option<(f64, f64, [f64; 3])> {
        let (extents, frames) = self.seen(origin)?;
        let sizes = [0, 1, 2].map(|k| extents[0][k].min(extents[1][k]));
        let sizes = even_sizes(sizes, self.formulas);
        let body = |of: usize| Body::new(self.formulas[of], &frames[of], sizes);
        let (one, other) = (body(0)?, body(1)?);
        let rounding = 3.0 * (one.error + other.error) + 1e-14;
        if rounding.is_nan() || rounding > ROUNDED * width {
            return None;
        }
        let atoms: Vec<_> = one.atoms.into_iter().chain(other.atoms).collect();
        let (volume, error) = integral::volume(&atoms, width);
        Some((volume, error + rounding * volume, sizes))
    }
}

//! Eight bodies, as far as all steps of many pairs need them.

use xcollide_bounds::Motion;
use xcollide_convex::batch::{EIGHT, Eight, Motions, MovedSet, Three, rows, taxicab};
use xcollide_convex::{NormalFan, PointSet};

use crate::convex::batch_data::BatchData;
use crate::convex::pair::{Body, HEIGHT_ERROR, NOISE, UNIT};

impl MovedSet for Body<'_> {
    #[inline(always)]
    fn points(&self) -> &PointSet {
        self.polytope().points()
    }

    #[inline(always)]
    fn positions(&self) -> &[[f64; 3]] {
        self.polytope().positions()
    }

    #[inline(always)]
    fn fan(&self) -> Option<&NormalFan> {
        self.polytope().fan()
    }

    #[inline(always)]
    fn motion(&self) -> &Motion {
        Self::motion(self)
    }
}

/// The first or the second bodies of eight pairs.
pub(crate) struct Bodies<'a, 'p, E> {
    pub(crate) each: [&'a Body<'p>; EIGHT],
    pub(crate) portraits: [&'p BatchData; EIGHT],
    pub(crate) motions: Motions<E>,
    /// The sum of the magnitudes of the translations' coordinates.
    pub(crate) far: E,
    /// How far from the origins of their frames they reach, and of their ellipsoids how large these are, and
    /// how much is filled.
    pub(crate) reach: E,
    pub(crate) size: E,
    pub(crate) inner: E,
}

impl<'a, 'p, E: Eight> Bodies<'a, 'p, E> {
    #[inline(always)]
    pub(crate) fn of(each: [&'a Body<'p>; EIGHT], portraits: [&'p BatchData; EIGHT]) -> Self {
        let motions = Motions::of(each.map(Body::motion));
        let far = taxicab(motions.translation);
        let [size, inner, reach] = E::columns(rows(&portraits, |portrait| &portrait.sizes));
        Self { each, portraits, motions, far, reach, size, inner }
    }

    /// Points of the frames in the world.
    #[inline(always)]
    pub(crate) fn place(&self, points: [&[f64; 3]; EIGHT]) -> Three<E> {
        self.motions.place(E::columns(points))
    }

    /// What rounding moves a vertex, or a point computed from a few of them.
    #[inline(always)]
    pub(crate) fn noise(&self) -> E {
        let [of_reach, of_far] = NOISE;
        let sum = E::splat(of_reach).times(self.reach).plus(E::splat(of_far).times(self.far));
        E::splat(UNIT).times(sum)
    }

    /// By how much heights along directions of length 1 may be off, of searches that miss nothing.
    #[inline(always)]
    pub(crate) fn height_error(&self) -> E {
        let [of_reach, of_slack, of_far] = HEIGHT_ERROR;
        let of_reach = E::splat(of_reach + of_slack).times(self.reach);
        E::splat(UNIT).times(of_reach.plus(E::splat(of_far).times(self.far)))
    }
}

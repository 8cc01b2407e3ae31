//! Eight bodies, as far as all steps of many pairs need them.

use xcollide_bounds::Motion;
use xcollide_tree::eight::{EIGHT, Eight, Motions, MovedSet, Three, rows, taxicab};
use xcollide_tree::{NormalFan, PointSet};

use crate::convex::pair::{Body, HEIGHT_ERROR, NOISE, UNIT};
use crate::convex::portrait::Portrait;

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
pub(super) struct Bodies<'a, 'p, E> {
    pub(super) each: [&'a Body<'p>; EIGHT],
    pub(super) portraits: [&'p Portrait; EIGHT],
    pub(super) motions: Motions<E>,
    /// The sum of the magnitudes of the translations' coordinates.
    pub(super) far: E,
    /// How far from the origins of their frames they reach, and of their ellipsoids how large these are, and
    /// how much is filled.
    pub(super) reach: E,
    pub(super) size: E,
    pub(super) inner: E,
}

impl<'a, 'p, E: Eight> Bodies<'a, 'p, E> {
    #[inline(always)]
    pub(super) fn of(each: [&'a Body<'p>; EIGHT], portraits: [&'p Portrait; EIGHT]) -> Self {
        let motions = Motions::of(each.map(Body::motion));
        let far = taxicab(motions.translation);
        let [size, inner, reach] = E::columns(rows(&portraits, |portrait| &portrait.sizes));
        Self { each, portraits, motions, far, reach, size, inner }
    }

    /// Points of the frames in the world.
    #[inline(always)]
    pub(super) fn place(&self, points: [&[f64; 3]; EIGHT]) -> Three<E> {
        self.motions.place(E::columns(points))
    }

    /// What rounding moves a vertex, or a point computed from a few of them.
    #[inline(always)]
    pub(super) fn noise(&self) -> E {
        let [of_reach, of_far] = NOISE;
        let sum = E::splat(of_reach).times(self.reach).plus(E::splat(of_far).times(self.far));
        E::splat(UNIT).times(sum)
    }

    /// By how much heights along directions of length 1 may be off, of searches that miss nothing.
    #[inline(always)]
    pub(super) fn height_error(&self) -> E {
        let [of_reach, of_slack, of_far] = HEIGHT_ERROR;
        let of_reach = E::splat(of_reach + of_slack).times(self.reach);
        E::splat(UNIT).times(of_reach.plus(E::splat(of_far).times(self.far)))
    }
}

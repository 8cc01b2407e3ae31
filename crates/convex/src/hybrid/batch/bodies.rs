//! Eight bodies, as far as all steps of many pairs need them.

use crate::batch::{EIGHT, Motions, MovedSet, rows};
use crate::{NormalFan, PointSet};
use xcollide_math::Pose;
use xcollide_simd::F64x8;
use xcollide_simd::vec3::taxicab;

use crate::batch_data::BatchData;
use crate::pair::{Body, HEIGHT_ERROR, NOISE, UNIT};

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
    fn motion(&self) -> &Pose {
        Self::motion(self)
    }
}

/// The first or the second bodies of eight pairs.
pub(crate) struct Bodies<'a, 'p, F> {
    pub(crate) each: [&'a Body<'p>; EIGHT],
    pub(crate) portraits: [&'p BatchData; EIGHT],
    pub(crate) motions: Motions<F>,
    /// The sum of the magnitudes of the translations' coordinates.
    pub(crate) far: F,
    /// How far from the origins of their frames they reach, and of their ellipsoids how large these are, and
    /// how much is filled.
    pub(crate) reach: F,
    pub(crate) size: F,
    pub(crate) inner: F,
}

impl<'a, 'p, F: F64x8> Bodies<'a, 'p, F> {
    #[inline(always)]
    pub(crate) fn of(each: [&'a Body<'p>; EIGHT], portraits: [&'p BatchData; EIGHT]) -> Self {
        let motions = Motions::of(each.map(Body::motion));
        let far = taxicab(motions.translation);
        let [size, inner, reach] = F::from_vectors(rows(&portraits, |portrait| &portrait.sizes));
        Self { each, portraits, motions, far, reach, size, inner }
    }

    /// Points of the frames in the world.
    #[inline(always)]
    pub(crate) fn place(&self, points: [&[f64; 3]; EIGHT]) -> [F; 3] {
        self.motions.place(F::from_vectors(points))
    }

    /// What rounding moves a vertex, or a point computed from a few of them.
    #[inline(always)]
    pub(crate) fn noise(&self) -> F {
        let [of_reach, of_far] = NOISE;
        let sum = F::splat(of_reach).mul(self.reach).add(F::splat(of_far).mul(self.far));
        F::splat(UNIT).mul(sum)
    }

    /// By how much heights along directions of length 1 may be off, of searches that miss nothing.
    #[inline(always)]
    pub(crate) fn height_error(&self) -> F {
        let [of_reach, of_slack, of_far] = HEIGHT_ERROR;
        let of_reach = F::splat(of_reach + of_slack).mul(self.reach);
        F::splat(UNIT).mul(of_reach.add(F::splat(of_far).mul(self.far)))
    }
}

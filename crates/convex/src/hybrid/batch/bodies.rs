//! Eight bodies: the numbers that all steps of a batch use.

use crate::batch::{EIGHT, Motions, rows};
use xcollide_simd::F64x8;
use xcollide_simd::vec3::taxicab;

use crate::batch_data::BatchData;
use crate::body::{Body, HEIGHT_ERROR, NOISE, UNIT};

/// The first or the second bodies of eight pairs.
pub(crate) struct Bodies<'a, 'p, F> {
    pub(crate) each: &'a [&'a Body<'p>; EIGHT],
    pub(crate) data: &'a [&'p BatchData; EIGHT],
    pub(crate) motions: Motions<F>,
    /// The taxicab lengths of the translations.
    pub(crate) far: F,
    /// [`Polytope::reach`](crate::Polytope::reach).
    pub(crate) reach: F,
    /// The radius and the filled part of the ellipsoids.
    pub(crate) radius: F,
    pub(crate) inner: F,
}

impl<'a, 'p, F: F64x8> Bodies<'a, 'p, F> {
    #[inline(always)]
    pub(crate) fn of(each: &'a [&'a Body<'p>; EIGHT], data: &'a [&'p BatchData; EIGHT]) -> Self {
        let motions = Motions::of(each.map(Body::pose));
        let far = taxicab(motions.translation);
        let [radius, inner, reach] = F::from_vectors(rows(data, |data| &data.sizes.0));
        Self { each, data, motions, far, reach, radius, inner }
    }

    /// Moves points of the frames to the world.
    #[inline(always)]
    pub(crate) fn place(&self, points: [&[f64; 3]; EIGHT]) -> [F; 3] {
        self.motions.place(F::from_vectors(points))
    }

    /// The centers of the ellipsoids.
    #[inline(always)]
    pub(crate) fn center(&self) -> [F; 3] {
        self.place(rows(self.data, |data| &data.ellipsoid_center.0))
    }

    /// The sizes of the ellipsoids.
    #[inline(always)]
    pub(crate) fn size(&self) -> F {
        self.radius.add(F::splat(2.0).mul(self.reach))
    }

    /// [`Body::noise`].
    #[inline(always)]
    pub(crate) fn noise(&self) -> F {
        let [of_reach, of_far] = NOISE;
        let sum = F::splat(of_reach).mul(self.reach).add(F::splat(of_far).mul(self.far));
        F::splat(UNIT).mul(sum)
    }

    /// The means of the vertices, and the factors by which the bodies must be shrunk for their dents and rounding; NaN
    /// without solidity.
    #[inline(always)]
    pub(crate) fn solid(&self, noise: F) -> ([F; 3], F) {
        let [dent, factor, _] = F::from_vectors(rows(self.data, |data| &data.solidity.0));
        let depth = dent.add(F::splat(2.0).mul(noise));
        (self.place(rows(self.data, |data| &data.center.0)), depth.mul(factor))
    }

    /// The errors of heights along directions of length 1, for searches with slack 1.
    #[inline(always)]
    pub(crate) fn height_error(&self) -> F {
        let [of_reach, of_slack, of_far] = HEIGHT_ERROR;
        let of_reach = F::splat(of_reach + of_slack).mul(self.reach);
        F::splat(UNIT).mul(of_reach.add(F::splat(of_far).mul(self.far)))
    }
}

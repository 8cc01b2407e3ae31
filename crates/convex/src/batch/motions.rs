//! The poses of eight bodies.

use xcollide_math::Pose;
use xcollide_simd::F64x8;
use xcollide_simd::vec3::dot;

use super::{EIGHT, rows};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Motions<F> {
    /// The rows of the matrices.
    pub rotation: [[F; 3]; 3],
    pub translation: [F; 3],
}

impl<F: F64x8> Motions<F> {
    #[inline(always)]
    pub(crate) fn of(motions: [&Pose; EIGHT]) -> Self {
        let rotation = [
            F::from_vectors(rows(&motions, |motion| &motion.rotation()[0])),
            F::from_vectors(rows(&motions, |motion| &motion.rotation()[1])),
            F::from_vectors(rows(&motions, |motion| &motion.rotation()[2])),
        ];
        let translation = F::from_vectors(rows(&motions, |motion| motion.translation_ref()));
        Self { rotation, translation }
    }

    /// Turns directions to the frames of the bodies: `(r₀x + s₀y) + t₀z` and so on for the rows r, s, t.
    #[inline(always)]
    pub(crate) fn local(&self, direction: [F; 3]) -> [F; 3] {
        let [[a, b, c], [d, e, f], [g, h, i]] = self.rotation;
        [dot([a, d, g], direction), dot([b, e, h], direction), dot([c, f, i], direction)]
    }

    /// Moves points of the frames to the world, with the bits of [`Pose::apply`].
    #[inline(always)]
    pub(crate) fn place(&self, point: [F; 3]) -> [F; 3] {
        let [r, s, t] = self.rotation;
        let [x, y, z] = self.translation;
        [dot(r, point).add(x), dot(s, point).add(y), dot(t, point).add(z)]
    }
}

//! Motions of eight bodies.

use xcollide_bounds::Motion;

use super::{EIGHT, Eight, Three, dot, rows};

/// Where eight bodies are.
#[derive(Clone, Copy, Debug)]
pub struct Motions<E> {
    /// Rows of the rotation matrices.
    pub rotation: [Three<E>; 3],
    /// Where the origins go.
    pub translation: Three<E>,
}

impl<E: Eight> Motions<E> {
    /// The motions.
    #[inline(always)]
    #[must_use]
    pub fn of(motions: [&Motion; EIGHT]) -> Self {
        let rotation = [
            E::columns(rows(&motions, |motion| &motion.rotation[0])),
            E::columns(rows(&motions, |motion| &motion.rotation[1])),
            E::columns(rows(&motions, |motion| &motion.rotation[2])),
        ];
        Self { rotation, translation: E::columns(rows(&motions, |motion| &motion.translation)) }
    }

    /// Directions in the frames of the bodies: `(r₀x + s₀y) + t₀z` and so on for the rows r, s, t.
    #[inline(always)]
    #[must_use]
    pub fn local(&self, direction: Three<E>) -> Three<E> {
        let [[a, b, c], [d, e, f], [g, h, i]] = self.rotation;
        [dot([a, d, g], direction), dot([b, e, h], direction), dot([c, f, i], direction)]
    }

    /// Points of the frames in the world, to the bit where [`Motion::apply`] puts them.
    #[inline(always)]
    #[must_use]
    pub fn place(&self, point: Three<E>) -> Three<E> {
        let [r, s, t] = self.rotation;
        let [x, y, z] = self.translation;
        [dot(r, point).plus(x), dot(s, point).plus(y), dot(t, point).plus(z)]
    }
}

//! Which planes of a k-DOP bound it in a new direction.
//!
//! A turned k-DOP is enclosed by a new one plane by plane (slides, "The idea: enclose an oriented DOP by a
//! new axis-aligned one"). In the direction c the old one reaches no further than `λ₁d₁ + λ₂d₂ + λ₃d₃` for
//! any three of its planes with `c = λ₁b₁ + λ₂b₂ + λ₃b₃` and all λ ≥ 0: the sum of three inequalities. The
//! slides take the three planes that meet at the corner of a generic k-DOP that is furthest in the
//! direction c, so c lies in the cone of their normals; planes and weights depend on the rotation only.
//! Here the cones are the triangles between neighbouring directions on the sphere. Sorting the components
//! of c finds them by symmetry: with magnitudes p ≥ q ≥ r,
//!
//! ```text
//!   6   c =  p · axis           + q · second axis  + r · third axis
//!  14   c = (p − q) · axis      + (q + r)/2 · corner + (q − r)/2 · the corner across r
//!  18   c = (p − q − r) · axis  + q · edge pq  + r · edge pr                if p ≥ q + r, else
//!         (p + q − r)/2 · edge pq + (p + r − q)/2 · edge pr + (q + r − p)/2 · edge qr
//!  26   c = (p − q) · axis      + (q − r) · edge pq  + r · corner
//! ```

use xcollide_math::Pose;

/// The directions of a k-DOP: of the axes, then of the edges, then of the corners of a cube.
pub(crate) struct Generators<const N: usize>;

/// The first half of the directions of a 26-DOP.
const ALL: [[i8; 3]; 13] = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [1, 1, 0],
    [1, -1, 0],
    [1, 0, 1],
    [1, 0, -1],
    [0, 1, 1],
    [0, 1, -1],
    [1, 1, 1],
    [1, 1, -1],
    [1, -1, 1],
    [1, -1, -1],
];

impl<const N: usize> Generators<N> {
    const HALF: usize = N / 2;

    /// Components 0 and ±1.
    const SIGNS: [[i8; 3]; N] = {
        assert!(N == 6 || N == 14 || N == 18 || N == 26, "a k-DOP has 6, 14, 18 or 26 directions");
        let mut signs = [[0; 3]; N];
        let mut i = 0;
        while i < N / 2 {
            let b = ALL[if N == 14 && i >= 3 { i + 6 } else { i }];
            signs[i] = b;
            signs[i + N / 2] = [-b[0], -b[1], -b[2]];
            i += 1;
        }
        signs
    };

    /// The directions as vectors.
    pub(crate) const DIRECTIONS: [[f64; 3]; N] = {
        let mut directions = [[0.0; 3]; N];
        let mut i = 0;
        while i < N {
            let b = Self::SIGNS[i];
            directions[i] = [b[0] as f64, b[1] as f64, b[2] as f64];
            i += 1;
        }
        directions
    };

    /// The number of a direction, by [`code`].
    const INDEX: [u8; 27] = {
        let mut index = [u8::MAX; 27];
        let mut i = 0;
        while i < N {
            index[code(Self::SIGNS[i])] = i as u8;
            i += 1;
        }
        index
    };

    /// The three exact products whose sum is `bᵢ · p`.
    #[inline]
    pub(crate) fn product(i: usize, p: [f64; 3]) -> [f64; 3] {
        let b = Self::DIRECTIONS[i];
        [b[0] * p[0], b[1] * p[1], b[2] * p[2]]
    }

    /// Square of the length of a direction: 1, 2 or 3.
    #[inline]
    pub(crate) fn length_squared(i: usize) -> f64 {
        let b = Self::DIRECTIONS[i];
        b[0] * b[0] + b[1] * b[1] + b[2] * b[2]
    }

    /// Length of a direction, rounded up.
    #[inline]
    pub(crate) fn length_above(i: usize) -> f64 {
        const LENGTHS: [f64; 4] = [0.0, 1.0, 1.414_213_562_373_096, 1.732_050_807_568_878];
        LENGTHS[Self::length_squared(i) as usize]
    }
}

/// A number below 27 for a vector of components −1, 0, 1.
const fn code(b: [i8; 3]) -> usize {
    ((b[0] + 1) + 3 * (b[1] + 1) + 9 * (b[2] + 1)) as usize
}

/// For each direction three planes of the unmoved k-DOP and their weights.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Correspondence<const N: usize> {
    planes: [[u8; 3]; N],
    weights: [[f64; 3]; N],
    /// `bᵢ · translation` plus the outward margin, for each plane.
    shift: [f64; N],
}

/// A power of 2 above all numbers of planes, so that a masked index needs no bounds check.
const PLACES: usize = 32;

impl<const N: usize> Correspondence<N> {
    /// The correspondence of a motion, which also moves each plane outward by `margin`, rounded.
    pub(crate) fn new(motion: &Pose, margin: f64) -> Self {
        let (mut planes, mut weights, mut shift) = ([[0; 3]; N], [[0.0; 3]; N], [0.0; N]);
        let half = Generators::<N>::HALF;
        let r = motion.rotation();
        for i in 0..half {
            let b = Generators::<N>::DIRECTIONS[i];
            let turned_back = [0, 1, 2].map(|k| b[0] * r[0][k] + b[1] * r[1][k] + b[2] * r[2][k]);
            (planes[i], weights[i]) = cone::<N>(turned_back);
            let [x, y, z] = Generators::<N>::product(i, motion.translation());
            let along = x + y + z;
            let outward = margin * Generators::<N>::length_above(i);
            // The opposite direction lies in the opposite cone.
            planes[i + half] = planes[i].map(|j| ((j as usize + half) % N) as u8);
            weights[i + half] = weights[i];
            shift[i] = outward + along;
            shift[i + half] = outward - along;
        }
        Self { planes, weights, shift }
    }

    /// The reaches of the moved k-DOP, rounded.
    #[inline]
    pub(crate) fn moved(&self, reach: &[f64; N]) -> [f64; N] {
        let mut old = [0.0; PLACES];
        old[..N].copy_from_slice(reach);
        let at = |plane: u8| old[plane as usize % PLACES];
        let mut new = [0.0; N];
        for i in 0..N {
            let ([a, b, c], [u, v, w]) = (self.planes[i], self.weights[i]);
            new[i] = u * at(a) + v * at(b) + w * at(c) + self.shift[i];
        }
        new
    }
}

/// Three directions whose cone contains c, and the weights of c in it.
fn cone<const N: usize>(c: [f64; 3]) -> ([u8; 3], [f64; 3]) {
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| c[j].abs().total_cmp(&c[i].abs()));
    let [p, q, r] = order.map(|i| c[i].abs());
    // The direction with components as given along the largest, middle, smallest component of c,
    // each with the sign of that component.
    let along = |components: [i8; 3]| {
        let mut b = [0; 3];
        for (&axis, component) in order.iter().zip(components) {
            b[axis] = if c[axis] < 0.0 { -component } else { component };
        }
        Generators::<N>::INDEX[code(b)]
    };
    let (directions, weights) = match N {
        6 => ([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [p, q, r]),
        14 => ([[1, 0, 0], [1, 1, 1], [1, 1, -1]], [p - q, 0.5 * (q + r), 0.5 * (q - r)]),
        18 if p >= q + r => ([[1, 0, 0], [1, 1, 0], [1, 0, 1]], [p - q - r, q, r]),
        18 => (
            [[1, 1, 0], [1, 0, 1], [0, 1, 1]],
            [0.5 * (p + q - r), 0.5 * (p + r - q), 0.5 * (q + r - p)],
        ),
        _ => ([[1, 0, 0], [1, 1, 0], [1, 1, 1]], [p - q, q - r, r]),
    };
    (directions.map(along), weights.map(|weight| weight.max(0.0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn is_combination<const N: usize>(c: [f64; 3]) {
        let (planes, weights) = cone::<N>(c);
        let mut sum = [0.0; 3];
        for (plane, weight) in planes.into_iter().zip(weights) {
            assert!(weight >= 0.0);
            let b = Generators::<N>::DIRECTIONS[plane as usize];
            sum = [0, 1, 2].map(|k| sum[k] + weight * b[k]);
        }
        let error = (0..3).map(|k| (sum[k] - c[k]).abs()).fold(0.0, f64::max);
        assert!(error <= 1e-15 * c.iter().map(|x| x.abs()).sum::<f64>(), "{N}: {c:?} {sum:?}");
    }

    proptest! {
        /// What the proof in the module's head asks of planes and weights.
        #[test]
        fn every_direction_lies_in_the_cone_found_for_it(
            x in -1.0..1.0,
            y in prop_oneof![Just(0.0), -1.0..1.0],
            z in prop_oneof![Just(0.5), -0.2..0.2],
        ) {
            let c = [x, y, z];
            is_combination::<6>(c);
            is_combination::<14>(c);
            is_combination::<18>(c);
            is_combination::<26>(c);
        }
    }

    #[test]
    fn a_direction_of_the_set_is_its_own_cone() {
        for (i, b) in Generators::<18>::DIRECTIONS.into_iter().enumerate() {
            let (planes, weights) = cone::<18>(b);
            let own = (0..3).find(|&m| planes[m] as usize == i).expect("the plane itself");
            assert_eq!(weights[own], 1.0);
            assert_eq!(weights.iter().sum::<f64>(), 1.0);
        }
    }
}

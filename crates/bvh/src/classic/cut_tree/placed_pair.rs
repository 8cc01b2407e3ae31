//! Two trees at two poses: the motions between their frames, and the margin for rounding.

use xcollide_math::Pose;

/// The input of box tests for two trees at two poses.
#[derive(Clone, Debug)]
pub(crate) struct PlacedPair {
    /// From the frame of the second tree into that of the first, and back.
    pub(crate) into: [Pose; 2],
    /// Local bodies whose rounded world bodies meet are no farther apart.
    pub(crate) margin: f64,
    /// By how much boxes are enlarged beyond rounding.
    pub(crate) wider: f64,
    /// At least the sum of all magnitudes that coordinates are computed from.
    pub(crate) magnitude: f64,
    /// Whether the coordinates are in the range for which box tests make promises.
    pub(crate) trusted: bool,
}

/// Box tests make promises up to this magnitude.
const TRUSTED: f64 = 1e100;

impl PlacedPair {
    pub(crate) fn new(motions: [&Pose; 2], reaches: [f64; 2]) -> Self {
        let [a, b] = motions;
        let [reach_a, reach_b] = reaches;
        let into = [Pose::relative(a, b), Pose::relative(b, a)];
        let far = into
            .iter()
            .map(|motion| motion.translation().iter().map(|value| value.abs()).sum::<f64>())
            .fold(0.0, f64::max);
        let small = |value: f64| value.abs() < TRUSTED;
        Self {
            into,
            margin: Pose::relative_margin(a, b, reach_a, reach_b),
            wider: 0.0,
            magnitude: 2.0 * (reach_a + reach_b) + far,
            trusted: reaches.into_iter().all(small)
                && motions.iter().all(|motion| motion.translation().into_iter().all(small)),
        }
    }

    /// With a margin for rounded world bodies that are no farther apart than `distance`.
    pub(crate) fn widened(mut self, distance: f64) -> Self {
        // Rotations are orthonormal up to 1e-6.
        self.wider = 1.0001 * distance;
        self
    }
}

//! Two frames at two poses: the motions between them and the margin for all rounding.

use xcollide_math::Pose;

/// What tests of boxes need to know about two trees at two poses.
#[derive(Clone, Debug)]
pub(crate) struct PlacedPair {
    /// `into[0]`: from the frame of the second tree into that of the first; `into[1]`: back.
    pub(crate) into: [Pose; 2],
    /// How far local bodies may be apart whose rounded world bodies meet.
    pub(crate) margin: f64,
    /// The sum of all magnitudes that coordinates are computed from, at least.
    pub(crate) magnitude: f64,
    /// Whether the numbers are in the range in which the tests of boxes promise anything.
    pub(crate) trusted: bool,
}

/// Up to here the tests of boxes promise to be right.
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
            magnitude: 2.0 * (reach_a + reach_b) + far,
            trusted: reaches.into_iter().all(small)
                && motions.iter().all(|motion| motion.translation().into_iter().all(small)),
        }
    }
}

//! Random motion of joints, from one configuration to the next.

use super::joints::{Joint, Kind, Tree};
use crate::simulation::random_of;

/// Number of configurations in the cycle.
const CONFIGURATIONS: usize = 20;

/// The values of all joints by frame, for one cycle; those of mimic joints are still to be computed.
pub(super) fn random(seed: u64, import: usize, tree: &Tree, steps: usize) -> Vec<Vec<f64>> {
    // A stream distant from those of the objects.
    let mut random = random_of(seed, (1 << 40) + import, 0);
    let mut configurations = vec![rest(tree)];
    for _ in 1..CONFIGURATIONS {
        let value = |joint: &Joint| {
            let [low, high] = range(joint);
            random.between(low, high).clamp(low, high)
        };
        configurations.push(tree.joints.iter().map(value).collect());
    }
    let mut rows = Vec::with_capacity(CONFIGURATIONS * steps);
    for (index, from) in configurations.iter().enumerate() {
        let to = &configurations[(index + 1) % CONFIGURATIONS];
        for step in 0..steps {
            let part = step as f64 / steps as f64;
            // Starts and ends at speed zero.
            let way = part * part * (3.0 - 2.0 * part);
            rows.push(from.iter().zip(to).map(|(from, to)| from + way * (to - from)).collect());
        }
    }
    rows
}

/// The values nearest to 0 that the limits of the joints allow.
pub(super) fn rest(tree: &Tree) -> Vec<f64> {
    let nearest = |joint: &Joint| {
        let [low, high] = limits(joint);
        0.0_f64.clamp(low, high)
    };
    tree.joints.iter().map(nearest).collect()
}

/// The limits; half a turn to each side without any.
fn limits(joint: &Joint) -> [f64; 2] {
    let most = if joint.moves() { core::f64::consts::PI } else { 0.0 };
    joint.limits().unwrap_or([-most, most])
}

/// The limits, or a default range if the limits are so large that they mean "none".
fn range(joint: &Joint) -> [f64; 2] {
    let [low, high] = limits(joint);
    let most = match joint.kind {
        Kind::Turning(_) => core::f64::consts::TAU,
        Kind::Fixed | Kind::Sliding(_) => 1e3,
    };
    // Limits entirely beyond the default range stay unchanged.
    let ends = [low.max(-most), high.min(most)];
    if ends[0] <= ends[1] { ends } else { [low, high] }
}

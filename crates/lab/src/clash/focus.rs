//! Where to look at a clash.

use xcollide::math::vector::{add, length, scale, sub};
use xcollide_clash::{Clash, InstanceSet};

/// A ball that shows what clashes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Focus {
    pub(crate) center: [f64; 3],
    pub(crate) radius: f64,
}

impl Focus {
    /// The ball about the contact points of clashes, which are not none.
    ///
    /// It holds the parts of the boxes that overlap, and a quarter of the diagonal of the smaller one.
    pub(crate) fn of(clashes: &[&Clash], set: &InstanceSet) -> Self {
        let balls: Vec<Self> = clashes.iter().map(|clash| Self::of_clash(clash, set)).collect();
        let count = balls.len().max(1) as f64;
        let center =
            balls.iter().fold([0.0; 3], |sum, ball| add(sum, scale(ball.center, 1.0 / count)));
        let reach = |ball: &Self| length(sub(ball.center, center)) + ball.radius;
        let radius = balls.iter().map(reach).fold(0.0, f64::max);
        Self { center, radius }
    }

    fn of_clash(clash: &Clash, set: &InstanceSet) -> Self {
        let found = &clash.interference;
        let [a, b] = clash.pair.map(|id| set.bounds(id));
        let common = a.expanded(found.distance).intersection(&b.expanded(found.distance));
        let overlap = if common.is_empty() { 0.0 } else { 0.5 * length(common.size()) };
        let smaller = length(a.size()).min(length(b.size()));
        let radius = overlap.max(0.25 * smaller);
        Self { center: found.point, radius: if radius > 0.0 { radius } else { 1.0 } }
    }
}

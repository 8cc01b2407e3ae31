//! The relative pose of two trees, and the distance travelled since (proof in the head of `temporal_front`).

use xcollide_math::Pose;

use super::super::WideTree;
use super::super::relative_transform::skew;
use super::super::unit::power_of_two;

/// The pose of one of two trees, the mover, relative to the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sighting {
    /// From the frame of the mover into that of the other, as rounded.
    relative: Pose,
    /// The largest row sum of |Rᵀ·R − I|.
    skew: f64,
    /// A bound of the rounding of world coordinates, in the unit of the first tree.
    pub(super) noise: f64,
}

/// The constants of a pair of trees.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mover {
    /// Whether the mover is the second tree. It is the smaller one, whose points move least in rotations.
    is_second: bool,
    /// The largest distance of its points from its origin, in the unit of the first tree.
    reach: f64,
    /// Its origin in its model's frame.
    origin: [f64; 3],
    /// A bound of the origin's coordinates.
    magnitude: f64,
    /// One over the unit of the first tree.
    pub(super) scale: f64,
}

/// Matrices of larger skew are no rotations and have no bound of the motion.
const ROTATION: f64 = 1.0 / 1024.0;
/// The largest difference of the units of two trees, as a power of two.
const EXPONENTS: i32 = 100;

impl Mover {
    /// `None` if the sizes of the trees differ too much.
    pub(super) fn of(a: (&WideTree, &Pose), b: (&WideTree, &Pose)) -> Option<Self> {
        let exponents = b.0.frame.unit.exponent() - a.0.frame.unit.exponent();
        if exponents.abs() > EXPONENTS {
            return None;
        }
        let of_b = b.0.frame.reach * power_of_two(exponents);
        let is_second = of_b <= a.0.frame.reach;
        let tree = if is_second { b.0 } else { a.0 };
        Some(Self {
            is_second,
            reach: if is_second { of_b } else { a.0.frame.reach },
            origin: tree.frame.origin,
            magnitude: tree.frame.magnitude,
            scale: a.0.frame.unit.reciprocal(),
        })
    }

    pub(super) fn sight(&self, a: (&WideTree, &Pose), b: (&WideTree, &Pose)) -> Sighting {
        let (from, to) = if self.is_second { (&a, &b) } else { (&b, &a) };
        let relative = Pose::relative(from.1, to.1);
        let margin = Pose::relative_margin(a.1, b.1, a.0.frame.magnitude, b.0.frame.magnitude);
        Sighting { relative, skew: skew(relative.rotation()), noise: 4.0 * margin * self.scale }
    }

    /// A bound of the distance that any point of the mover has moved in the frame of the other, in the unit of
    /// the first tree. NaN or infinite if there is no bound; 0 for equal sightings.
    pub(super) fn motion_between(&self, then: &Sighting, now: &Sighting) -> f64 {
        /// 2⁻⁵⁰, eight times the unit roundoff.
        const ROUNDING: f64 = 4.0 * f64::EPSILON;
        /// Covers all errors in proportion to the result.
        const SLACK: f64 = 1.0 + 1.0 / (1 << 20) as f64;
        let worst = then.skew.max(now.skew);
        let is_rotation = worst <= ROTATION; // not for NaN
        if !is_rotation {
            return f64::INFINITY;
        }
        let mut squares = 0.0;
        let mut turned = [0.0; 3];
        let mut moved = [0.0; 3];
        for row in 0..3 {
            for column in 0..3 {
                let change =
                    now.relative.rotation()[row][column] - then.relative.rotation()[row][column];
                squares += change * change;
                turned[row] += change * self.origin[column] * self.scale;
            }
            moved[row] =
                (now.relative.translation()[row] - then.relative.translation()[row]) * self.scale;
        }
        let all = squares.sqrt();
        let turn = if all < 1.0 {
            all.min(0.708 * all + 2.4 * (then.skew + now.skew + 4.0 * ROUNDING))
        } else {
            all
        };
        let length = |v: [f64; 3]| (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
        let center = length([turned[0] + moved[0], turned[1] + moved[1], turned[2] + moved[2]]);
        let rounding = ROUNDING * (3.0 * all * self.magnitude * self.scale + length(moved));
        SLACK * (turn * self.reach + center + rounding)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{WideOptions, WideTree};
    use super::*;
    use xcollide_scenes::{Placement, Poses, Random};

    fn motion(placement: &Placement) -> Pose {
        placement.pose()
    }

    /// A corner moves by D·p + t₁ − t₀, which cancels nothing that the bound does not; it must
    /// never be above the bound, and is seldom far below.
    #[test]
    fn no_point_moves_farther_than_the_bound() {
        let mut random = Random::new(6);
        let mut poses = Poses::new(7);
        let mut tight = 0;
        for round in 0..3000 {
            let factor = [1.0, 1e-9, 1e9][round % 3];
            let away = [0.0, 1.0, 1e3, 1e6][round / 3 % 4];
            let offset = random.direction().map(|x| x * away);
            let mut cloud = |size: f64| {
                let point = |_| {
                    let p = random.in_ball();
                    [0, 1, 2].map(|axis| (offset[axis] + size * p[axis]) * factor)
                };
                let positions: Vec<[f64; 3]> = (0..30).map(point).collect();
                let triangles: Vec<[u32; 3]> =
                    (0..10).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
                (WideTree::build(&positions, &triangles, WideOptions::default()), positions)
            };
            let ((a, points_a), (b, points_b)) =
                (cloud([1.0, 0.1, 2.0][round / 12 % 3]), cloud(1.0));
            let step = [1e-14, 1e-9, 1e-3, 0.1, 3.0][round / 36 % 5];
            let length = [0.0, 0.999e-6][round / 180 % 2];
            let mut placement = poses.at_distance(2.0 * factor * (1.0 + away));
            let first = motion(&placement);
            placement = poses.nudged(&placement, step * factor, step);
            let quaternion = placement.rotation.quaternion().map(|x| x * (1.0 + length));
            placement = Placement::turned(quaternion, placement.translation);
            let second = motion(&placement);
            let here = motion(&poses.at_distance(factor));

            let pairs = [&first, &second].map(|there| ((&a, &here), (&b, there)));
            let Some(mover) = Mover::of(pairs[0].0, pairs[0].1) else { panic!("sizes compare") };
            let [then, now] = pairs.map(|(a, b)| mover.sight(a, b));
            let bound = mover.motion_between(&then, &now);
            let points = if mover.is_second { points_b } else { points_a };
            let mut farthest: f64 = 0.0;
            for p in points {
                let by = [0, 1, 2].map(|row| {
                    let [x, y, z] = [0, 1, 2].map(|column| {
                        now.relative.rotation()[row][column] - then.relative.rotation()[row][column]
                    });
                    let moved = now.relative.translation()[row] - then.relative.translation()[row];
                    (x * p[0] + y * p[1] + z * p[2] + moved) * mover.scale
                });
                farthest = farthest.max((by[0] * by[0] + by[1] * by[1] + by[2] * by[2]).sqrt());
            }
            // The point's own rounding is that of the offset.
            let rounding = 1e-15 * (1.0 + away) * f64::min(step + length, 2.0);
            assert!(farthest <= bound * (1.0 + 1e-12) + rounding, "{farthest:e} above {bound:e}");
            tight += usize::from(bound < 3.0 * farthest);
            assert_eq!(mover.motion_between(&now, &now), 0.0, "rest is no motion");
        }
        assert!(tight > 1500, "{tight} times less than 3 times too large");
    }
}

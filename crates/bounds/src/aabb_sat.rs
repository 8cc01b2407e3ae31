//! A separating axis test for axis-aligned boxes of two frames (SOLID: van den Bergen 1997).

use crate::Aabb;
use crate::rounding::{UNIT, largest_magnitude};
use xcollide_math::Pose;
use xcollide_math::vector::{dot, sub};

/// The lines on which boxes of two frames are compared, except the axes of the first frame: the overlap
/// test of the re-enclosed second box covers those.
///
/// All boxes of a frame have the same axes, so the lines are computed once for two hierarchies. A test
/// takes nine multiplications a line, and nine for the distance of the centers.
///
/// ```
/// use xcollide_bounds::{Aabb, BoundingVolume, AabbSat};
/// use xcollide_math::Pose;
///
/// let rows = [[0.6, -0.8, 0.0], [0.8, 0.6, 0.0], [0.0, 0.0, 1.0]];
/// let turn = Pose::from_matrix(rows, [1.8, 2.2, 0.0])?;
/// let cube = Aabb::new([-1.0; 3], [1.0; 3]);
/// assert!(cube.overlaps(&cube.transformed(&turn)));
/// assert!(!AabbSat::normals(&turn, 0.0).overlap(&cube, &cube), "apart along an axis of the second");
/// # Ok::<(), xcollide_math::PoseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct AabbSat {
    motion: Pose,
    lines: Vec<Line>,
    /// The part of the slack that does not depend on the boxes.
    slack: f64,
}

/// A direction, and the weights of the half sides of a box of either frame along it.
#[derive(Clone, Copy, Debug)]
struct Line {
    direction: [f64; 3],
    of_first: [f64; 3],
    of_second: [f64; 3],
}

impl AabbSat {
    /// The three axes of the second frame. `motion` maps the second frame to the first; boxes closer than
    /// `margin` overlap.
    #[must_use]
    pub fn normals(motion: &Pose, margin: f64) -> Self {
        let mut lines = Self::none(motion, margin);
        lines.add((0..3).map(|j| lines.motion.rotation().map(|row| row[j])).collect());
        lines
    }

    /// The axes of the second frame and the nine cross products of an axis of each.
    #[must_use]
    pub fn all(motion: &Pose, margin: f64) -> Self {
        let mut lines = Self::normals(motion, margin);
        let r = motion.rotation();
        let products = (0..9).map(|index| {
            let (i, j) = (index / 3, index % 3);
            let (next, last) = ((i + 1) % 3, (i + 2) % 3);
            let mut product = [0.0; 3];
            product[next] = -r[last][j];
            product[last] = r[next][j];
            product
        });
        lines.add(products.collect());
        lines
    }

    fn none(motion: &Pose, margin: f64) -> Self {
        let translation = largest_magnitude(motion.translation());
        // Directions are longer than 1 by less than 1e-5.
        let slack = 64.0 * UNIT * translation + margin * 1.0001 + f64::MIN_POSITIVE;
        Self { motion: *motion, lines: Vec::new(), slack }
    }

    fn add(&mut self, directions: Vec<[f64; 3]>) {
        let r = self.motion.rotation();
        self.lines.extend(directions.into_iter().map(|direction| Line {
            direction,
            of_first: direction.map(f64::abs),
            of_second: [0, 1, 2].map(|k| {
                let [x, y, z] = direction;
                (x * r[0][k] + y * r[1][k] + z * r[2][k]).abs()
            }),
        }));
    }

    /// Whether none of the lines separates two boxes, neither of them empty. False only if they have no
    /// point in common.
    ///
    /// Rounding: let m be the sum of the magnitudes of centers, half sides and translation. Centers and
    /// half sides are off by u of m, a coordinate of their difference by 6u more, so a product with a
    /// direction by 16u; the weights of half sides by 6u, and their sum by as much: less than 64u.
    #[inline]
    #[must_use]
    pub fn overlap(&self, first: &Aabb, second: &Aabb) -> bool {
        let (a, b) = (first.center(), second.center());
        let half = |of: &Aabb| [0, 1, 2].map(|k| 0.5 * of.max[k] - 0.5 * of.min[k]);
        let (half_a, half_b) = (half(first), half(second));
        let sum = |v: [f64; 3]| v[0].abs() + v[1].abs() + v[2].abs();
        let magnitude = sum(a) + sum(b) + sum(half_a) + sum(half_b);
        let slack = 64.0 * UNIT * magnitude + self.slack;
        let between = sub(self.motion.apply(b), a);
        self.lines.iter().all(|line| {
            let reach = dot(line.of_first, half_a) + dot(line.of_second, half_b);
            dot(line.direction, between).abs() <= reach + slack
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BoundingVolume, Obb};
    use proptest::prelude::*;

    fn turn([x, y, z, w]: [f64; 4], stretch: f64) -> Pose {
        let length = (x * x + y * y + z * z + w * w).sqrt();
        Pose::from_quaternion([x, y, z, w].map(|c| c / length * stretch), [0.0; 3]).unwrap()
    }

    fn aabb() -> impl Strategy<Value = Aabb> {
        let place = prop_oneof![Just(0.0), Just(1e6), Just(1e9)];
        ([-1.0..1.0, -1.0..1.0, -1.0..1.0], [0.0..1.0, 0.0..0.1, 0.0..2.0], place).prop_map(
            |(center, half, place)| {
                let center = [0, 1, 2].map(|k| center[k] * (1.0 + place));
                Aabb::new(
                    [0, 1, 2].map(|k| center[k] - half[k]),
                    [0, 1, 2].map(|k| center[k] + half[k]),
                )
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

        /// Boxes with a common point, known by construction, overlap on every line; and the full
        /// test says what that of oriented boxes says, but for gaps near rounding.
        #[test]
        fn boxes_with_a_common_point_overlap(
            first in aabb(), second in aabb(), q in [0.1..1.0, -1.0..1.0, -1.0..1.0, -1.0..1.0],
            stretch in prop_oneof![Just(1.0), Just(1.0 + 0.999e-6), Just(1.0 - 0.999e-6)],
            [s, t] in [[0.0..=1.0, 0.0..=1.0, 0.0..=1.0], [0.0..=1.0, 0.0..=1.0, 0.0..=1.0]],
            apart in [-2.0..2.0, -2.0..2.0, -2.0..2.0],
        ) {
            let within = |of: &Aabb, s: [f64; 3]| {
                [0, 1, 2].map(|k| (of.min[k] + s[k] * (of.max[k] - of.min[k])).clamp(of.min[k], of.max[k]))
            };
            let (p, image) = (within(&first, s), within(&second, t));
            let rotation = turn(q, stretch);
            let turned = rotation.apply(image);
            // The translation is rounded, so the points are apart by this at most.
            let motion = rotation.with_translation([0, 1, 2].map(|k| p[k] - turned[k]));
            let moved = motion.apply(image);
            let margin = (0..3).map(|k| (moved[k] - p[k]).abs()).sum::<f64>() * 2.0 + 1e-15;
            prop_assert!(AabbSat::normals(&motion, margin).overlap(&first, &second));
            prop_assert!(AabbSat::all(&motion, margin).overlap(&first, &second));

            let motion = rotation.with_translation([0, 1, 2].map(|k| motion.translation()[k] + apart[k]));
            let other = Obb::from(second).transformed(&motion);
            let full = first.overlaps(&second.transformed(&motion))
                && AabbSat::all(&motion, 0.0).overlap(&first, &second);
            let tolerance = 1e-5 * 4.0 + 1e-12 * first.max.iter().chain(&second.max).fold(0.0, |m: f64, x| m.max(x.abs()));
            if full && stretch == 1.0 {
                prop_assert!(Obb::from(first).distance_squared(&other).sqrt() <= tolerance);
            }
            if !full {
                prop_assert!(!Obb::from(first).expanded(-tolerance).overlaps(&other.expanded(-tolerance)));
            }
        }
    }
}

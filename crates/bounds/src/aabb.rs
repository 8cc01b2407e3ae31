//! Axis-aligned boxes (Zachmann 1994, 5.2).

use crate::BoundingVolume;
use crate::rounding::UNIT;
use xcollide_math::Pose;

/// An axis-aligned box: the closed set of points between `min` and `max` on every axis.
///
/// A box with `min > max` on some axis is empty.
///
/// In memory `min` comes first, so the sides can be read as six numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Aabb {
    /// Smallest coordinates.
    pub min: [f64; 3],
    /// Largest coordinates.
    pub max: [f64; 3],
}

impl Default for Aabb {
    /// The empty box.
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Aabb {
    /// The box without points; the neutral element of [`merged`](Self::merged).
    pub const EMPTY: Self = Self { min: [f64::INFINITY; 3], max: [f64::NEG_INFINITY; 3] };

    /// The box between two corners.
    #[inline]
    #[must_use]
    pub const fn new(min: [f64; 3], max: [f64; 3]) -> Self {
        Self { min, max }
    }

    /// The smallest box around all points; empty if there are none.
    #[must_use]
    pub fn from_points(points: impl IntoIterator<Item = [f64; 3]>) -> Self {
        let mut bounds = Self::EMPTY;
        for point in points {
            bounds.extend(point);
        }
        bounds
    }

    /// Enlarges the box to contain `point`.
    #[inline]
    pub fn extend(&mut self, point: [f64; 3]) {
        for axis in 0..3 {
            // Unlike in the thesis (7.3.2) no else-branch: the first point sets both sides.
            if point[axis] < self.min[axis] {
                self.min[axis] = point[axis];
            }
            if point[axis] > self.max[axis] {
                self.max[axis] = point[axis];
            }
        }
    }

    /// Whether the box has no points.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        (0..3).any(|axis| self.min[axis] > self.max[axis])
    }

    /// Whether the boxes have a point in common. Touching boxes do; the empty box never does.
    #[inline]
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        (0..3).all(|axis| {
            self.min[axis] <= other.max[axis]
                && other.min[axis] <= self.max[axis]
                && self.min[axis] <= self.max[axis]
                && other.min[axis] <= other.max[axis]
        })
    }

    /// Whether `point` lies in the box or on its border.
    #[inline]
    #[must_use]
    pub fn contains(&self, point: [f64; 3]) -> bool {
        (0..3).all(|axis| self.min[axis] <= point[axis] && point[axis] <= self.max[axis])
    }

    /// The smallest box around both.
    #[inline]
    #[must_use]
    pub fn merged(&self, other: &Self) -> Self {
        let mut merged = *self;
        for axis in 0..3 {
            merged.min[axis] = merged.min[axis].min(other.min[axis]);
            merged.max[axis] = merged.max[axis].max(other.max[axis]);
        }
        merged
    }

    /// The intersection of both boxes, which may be empty.
    #[inline]
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        let mut common = *self;
        for axis in 0..3 {
            common.min[axis] = common.min[axis].max(other.min[axis]);
            common.max[axis] = common.max[axis].min(other.max[axis]);
        }
        common
    }

    /// The box grown by `margin` on every side, rounded outward.
    #[must_use]
    pub fn expanded(&self, margin: f64) -> Self {
        Self {
            min: self.min.map(|value| (value - margin).next_down()),
            max: self.max.map(|value| (value + margin).next_up()),
        }
    }

    /// The middle of the box. Not meaningful for the empty box.
    #[inline]
    #[must_use]
    pub fn center(&self) -> [f64; 3] {
        [0, 1, 2].map(|axis| 0.5 * self.min[axis] + 0.5 * self.max[axis])
    }

    /// The lengths of the sides; 0 on axes along which the box is empty.
    #[inline]
    #[must_use]
    pub fn size(&self) -> [f64; 3] {
        [0, 1, 2].map(|axis| (self.max[axis] - self.min[axis]).max(0.0))
    }

    /// The axis (0, 1 or 2) of the longest side; the first of equal ones.
    #[inline]
    #[must_use]
    pub fn longest_axis(&self) -> usize {
        let [x, y, z] = self.size();
        if x >= y && x >= z {
            0
        } else if y >= z {
            1
        } else {
            2
        }
    }

    /// Volume of the box, rounded.
    #[must_use]
    pub fn volume(&self) -> f64 {
        let [x, y, z] = self.size();
        x * y * z
    }

    /// Area of the box's six sides, rounded.
    #[must_use]
    pub fn surface(&self) -> f64 {
        let [x, y, z] = self.size();
        2.0 * (x * y + y * z + z * x)
    }

    /// The squared distance of two boxes, rounded; 0 if they overlap.
    ///
    /// The result can exceed the true value by a relative error of at most 4 · 2⁻⁵³, and
    /// underflows to 0 for gaps below 1e-162.
    #[inline]
    #[must_use]
    pub fn distance_squared(&self, other: &Self) -> f64 {
        let mut sum = 0.0;
        for axis in 0..3 {
            let gap =
                (self.min[axis] - other.max[axis]).max(other.min[axis] - self.max[axis]).max(0.0);
            sum += gap * gap;
        }
        sum
    }

    /// A box around the moved box, in 18 multiplications (Zachmann 1994, 5.2.1).
    ///
    /// It contains the image of every point of the box, both the true image and the one that
    /// [`Pose::apply`] computes, by a margin of 20 · 2⁻⁵³ of the sum of all magnitudes.
    #[inline]
    #[must_use]
    pub fn transformed(&self, pose: &Pose) -> Self {
        self.moved(&Self::prepare(pose, 0.0))
    }

    /// A box around the moved intersection of this box and the ball of `radius` about its
    /// [center](Self::center). Three comparisons more than [`transformed`](Self::transformed); for round
    /// objects no wider than a [`FixedCube`](crate::FixedCube) in any orientation.
    ///
    /// ```
    /// use xcollide_bounds::Aabb;
    /// use xcollide_math::Pose;
    ///
    /// let around_ball = Aabb::new([-1.0; 3], [1.0; 3]);
    /// let rows = [[0.6, -0.8, 0.0], [0.8, 0.6, 0.0], [0.0, 0.0, 1.0]];
    /// let turned = Pose::from_matrix(rows, [0.0; 3])?;
    /// assert!(around_ball.transformed(&turned).max[0] > 1.39);
    /// assert!(around_ball.transformed_with_ball(1.0, &turned).max[0] < 1.001);
    /// # Ok::<(), xcollide_math::PoseError>(())
    /// ```
    ///
    /// Conservative as `transformed` is, for a matrix that is a rotation up to 1e-5.
    #[inline]
    #[must_use]
    pub fn transformed_with_ball(&self, radius: f64, motion: &Pose) -> Self {
        // A matrix that is a rotation only nearly may lengthen vectors, and the radius is rounded.
        const STRETCH: f64 = 1.0 + 1.0 / (1 << 14) as f64;
        self.moved_with_ball(radius * STRETCH, &Self::prepare(motion, 0.0))
    }

    /// The moved box, cut off at distance `radius` from its center.
    #[inline(always)]
    fn moved_with_ball(&self, radius: f64, prepared: &PreparedAabb) -> Self {
        if self.is_empty() {
            return Self::EMPTY;
        }
        let center = self.center();
        let half = [0, 1, 2].map(|axis| 0.5 * self.max[axis] - 0.5 * self.min[axis]);
        let [x, y, z] = center.map(f64::abs);
        // Let m be the sum of the magnitudes, M that of their products with a row and the translation; M is
        // at most m + |t|, up to 1e-5. Center and half side are off by u of m each, their images by 4u of
        // M each, their sum by 2u; the rounded image of a point by 4u.
        let magnitude = ((x + y) + z) + ((half[0] + half[1]) + half[2]);
        let margin = 20.0 * UNIT * magnitude + prepared.grown;
        let middle = prepared.motion.apply(center);
        let reach = prepared.magnitudes.map(|m| {
            let side = m[0] * half[0] + m[1] * half[1] + m[2] * half[2];
            (if radius < side { radius } else { side }) + margin
        });
        Self {
            min: [0, 1, 2].map(|row| middle[row] - reach[row]),
            max: [0, 1, 2].map(|row| middle[row] + reach[row]),
        }
    }
}

/// A motion prepared for boxes: center and half sides take nine multiplications each.
#[derive(Clone, Copy, Debug)]
pub struct PreparedAabb {
    motion: Pose,
    magnitudes: [[f64; 3]; 3],
    /// The part of the outward margin that does not depend on the box.
    grown: f64,
}

impl BoundingVolume for Aabb {
    type Prepared = PreparedAabb;

    /// The smallest box around the points.
    fn fit(points: &[[f64; 3]]) -> Self {
        Self::from_points(points.iter().copied())
    }

    #[inline]
    fn merged(&self, other: &Self) -> Self {
        Self::merged(self, other)
    }

    #[inline]
    fn overlaps(&self, other: &Self) -> bool {
        Self::overlaps(self, other)
    }

    #[inline]
    fn contains(&self, point: [f64; 3]) -> bool {
        Self::contains(self, point)
    }

    fn expanded(&self, margin: f64) -> Self {
        if self.is_empty() { Self::EMPTY } else { Self::expanded(self, margin) }
    }

    #[inline]
    fn prepare(motion: &Pose, margin: f64) -> PreparedAabb {
        let mut translation = 0.0;
        for magnitude in motion.translation().map(f64::abs) {
            translation = if magnitude > translation { magnitude } else { translation };
        }
        PreparedAabb {
            motion: *motion,
            magnitudes: motion.rotation().map(|[x, y, z]| [x.abs(), y.abs(), z.abs()]),
            grown: 20.0 * UNIT * translation + margin * (1.0 + 4.0 * UNIT) + f64::MIN_POSITIVE,
        }
    }

    #[inline]
    fn moved(&self, prepared: &PreparedAabb) -> Self {
        self.moved_with_ball(f64::INFINITY, prepared)
    }

    fn volume(&self) -> f64 {
        Self::volume(self)
    }

    fn surface(&self) -> f64 {
        Self::surface(self)
    }

    /// The inherent [`distance_squared`](Self::distance_squared) less its error bound.
    #[inline]
    fn distance_squared(&self, other: &Self) -> f64 {
        Self::distance_squared(self, other) * (1.0 - 4.0 * f64::EPSILON)
    }

    fn center(&self) -> [f64; 3] {
        Self::center(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcollide_fixtures::Random;

    const UNIT: Aabb = Aabb::new([0.0; 3], [1.0; 3]);

    #[test]
    fn touching_boxes_overlap_and_empty_ones_never() {
        assert!(UNIT.overlaps(&Aabb::new([1.0; 3], [2.0; 3])));
        assert!(!UNIT.overlaps(&Aabb::new([1.0_f64.next_up(), 0.0, 0.0], [2.0; 3])));
        assert!(!UNIT.overlaps(&Aabb::EMPTY));
        assert!(!Aabb::EMPTY.overlaps(&Aabb::EMPTY));
        let inverted_inside = Aabb::new([0.6, 0.0, 0.0], [0.4, 1.0, 1.0]);
        assert!(!UNIT.overlaps(&inverted_inside));
    }

    #[test]
    fn merging_and_intersecting_agree_with_points() {
        let other = Aabb::new([0.5, -1.0, 0.25], [3.0, 0.5, 0.75]);
        assert_eq!(UNIT.merged(&Aabb::EMPTY), UNIT);
        assert_eq!(UNIT.intersection(&other), Aabb::new([0.5, 0.0, 0.25], [1.0, 0.5, 0.75]));
        for point in grid() {
            let in_both = UNIT.contains(point) && other.contains(point);
            assert_eq!(UNIT.intersection(&other).contains(point), in_both);
            if UNIT.contains(point) || other.contains(point) {
                assert!(UNIT.merged(&other).contains(point));
            }
        }
    }

    fn grid() -> impl Iterator<Item = [f64; 3]> {
        let steps = || (-4..=12).map(|i| f64::from(i) * 0.25);
        steps().flat_map(move |x| steps().flat_map(move |y| steps().map(move |z| [x, y, z])))
    }

    #[test]
    fn squared_distance_is_that_of_the_nearest_points() {
        let far = Aabb::new([4.0, 5.0, 0.0], [5.0, 6.0, 1.0]);
        assert_eq!(UNIT.distance_squared(&far), 9.0 + 16.0);
        assert_eq!(UNIT.distance_squared(&UNIT), 0.0);
    }

    /// The image of each corner, computed the way poses map vertices, lies in the moved box, at
    /// any scale and far from the origin.
    #[test]
    fn a_moved_box_holds_every_rounded_image() {
        let mut generator = Random::new(0x9E37_79B9_7F4A_7C15);
        let mut random = || generator.signed();
        for round in 0..20_000 {
            let scale = [1.0, 1e-9, 1e9, 1e-300, 1e150][round % 5];
            let q = [random(), random(), random(), random()];
            let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
            let translation = [random(), random(), random()].map(|t| t * scale * 1e3);
            let pose = Pose::from_quaternion(q.map(|value| value / norm), translation).unwrap();
            let a = [random(), random(), random()].map(|v| v * scale);
            let b = [random(), random(), random()].map(|v| v * scale);
            let local = Aabb::from_points([a, b]);
            let moved = local.transformed(&pose);
            for corner in 0..8 {
                let p = [0, 1, 2].map(|axis| {
                    if corner >> axis & 1 == 0 { local.min[axis] } else { local.max[axis] }
                });
                let image = pose.apply(p);
                assert!(moved.contains(image), "{moved:?} lacks {image:?}");
            }
        }
    }

    /// The same for points that are in a ball about the middle, too; also for a matrix that is a
    /// rotation only nearly. The box lies in the one without the ball, and is no wider than the ball.
    #[test]
    fn a_moved_box_with_a_ball_holds_what_is_in_both() {
        let mut generator = Random::new(7);
        let mut random = || generator.signed();
        let mut smaller = 0;
        for round in 0..20_000 {
            let scale = [1.0, 1e-9, 1e9, 1e-300, 1e150][round % 5];
            let q = [random(), random(), random(), random()];
            let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt() * (1.0 + 0.999e-6 * random());
            let far = [0.0, 1.0, 1e3][round % 3] * scale;
            let translation = [random(), random(), random()].map(|t| t * far);
            let motion = Pose::from_quaternion(q.map(|value| value / norm), translation).unwrap();
            // On a sphere, so that some image is at the very end of the box.
            let points: Vec<[f64; 3]> = (0..8)
                .map(|_| {
                    let v = [random(), random(), random()];
                    let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
                    v.map(|x| x / length * scale)
                })
                .collect();
            let local = Aabb::from_points(points.iter().copied());
            let radius = crate::Sphere::about(local.center(), points.iter().copied()).radius;
            let moved = local.transformed_with_ball(radius, &motion);
            for &point in &points {
                let image = motion.apply(point);
                assert!(moved.contains(image), "{moved:?} lacks {image:?}");
            }
            let plain = local.transformed(&motion);
            assert!(plain.contains(moved.min) && plain.contains(moved.max));
            let widest = moved.size().into_iter().fold(0.0, f64::max);
            assert!(widest <= 2.001 * radius + 1e-12 * far);
            smaller += u32::from(moved.volume() < 0.9 * plain.volume());
        }
        assert!(smaller > 2000, "smaller in {smaller} cases only");
    }
}

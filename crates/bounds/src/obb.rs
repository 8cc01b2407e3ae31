//! Oriented boxes (Gottschalk, Lin, Manocha 1996).

use crate::frame::{Frame, WORLD, orthonormal, turned};
use crate::rounding::{UNIT, largest_magnitude};
use crate::sat::{self, Pair, SLACK};
use crate::{Aabb, BoundingVolume};
use xcollide_math::Pose;
use xcollide_math::vector::dot;

/// A box in any orientation: the points x with `|axisᵢ · (x − center)| ≤ halfᵢ` for its three
/// axes.
///
/// The axes are orthonormal up to 128 · 2⁻⁵³. Fitted and merged boxes have their longest side
/// first.
///
/// [`fit`](BoundingVolume::fit) tries frames and keeps the one of smallest surface, in O(n). Up to
/// rounding, the box is no larger than the axis-aligned one, except that frames are compared on a sample of
/// large sets. It recovers a box from its triangles, and from its corners if the sides differ clearly.
///
/// ```
/// use xcollide_bounds::{BoundingVolume, Obb};
/// use xcollide_math::Pose;
///
/// // A rod along the diagonal: nearly flat, where an axis-aligned box would be a cube.
/// let rod = Obb::fit(&[[0.0, 0.0, 0.0], [5.0, 5.1, 5.0], [10.0, 10.0, 10.0]]);
/// assert!(rod.volume() < 1e-9 && rod.contains([5.0, 5.1, 5.0]));
///
/// let beside = rod.transformed(&Pose::from_translation([1.0, -1.0, 0.0]));
/// assert!(!rod.overlaps(&beside));
/// assert!(beside.distance_squared(&rod) > 1.7);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "crate::stored::StoredObb"))]
pub struct Obb {
    pub(crate) center: [f64; 3],
    pub(crate) axes: Frame,
    /// Half the lengths of the sides; negative where the box is empty.
    pub(crate) half: [f64; 3],
}

impl Default for Obb {
    /// The empty box.
    fn default() -> Self {
        Self::EMPTY
    }
}

impl From<Aabb> for Obb {
    fn from(aabb: Aabb) -> Self {
        Self::around_aabb(&aabb, WORLD)
    }
}

impl Obb {
    /// The box without points.
    pub const EMPTY: Self = Self { center: [0.0; 3], axes: WORLD, half: [f64::NEG_INFINITY; 3] };

    /// The smallest box around the points with sides in given directions. The first is kept, the others
    /// are made orthonormal to it.
    #[must_use]
    pub fn with_axes(points: &[[f64; 3]], axes: [[f64; 3]; 3]) -> Self {
        measure(points, &orthonormal(axes[0], axes[1])).sorted()
    }

    /// The axes, unit vectors.
    #[must_use]
    pub fn axes(&self) -> &[[f64; 3]; 3] {
        &self.axes
    }

    /// Half the lengths of the sides; negative where the box is empty.
    #[must_use]
    pub fn half_extents(&self) -> [f64; 3] {
        self.half
    }

    /// Whether the box has no points.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.half[0] < 0.0
    }

    /// The smallest axis-aligned box around this one, rounded outward.
    #[must_use]
    pub fn aabb(&self) -> Aabb {
        if self.is_empty() {
            return Aabb::EMPTY;
        }
        let reach = WORLD.map(|axis| self.reach(axis));
        Aabb {
            min: [0, 1, 2].map(|i| (self.center[i] - reach[i]).next_down()),
            max: [0, 1, 2].map(|i| (self.center[i] + reach[i]).next_up()),
        }
    }

    /// How far the box reaches from its center along a direction of about unit length, at most.
    #[inline]
    fn reach(&self, direction: [f64; 3]) -> f64 {
        let shadow: f64 = (0..3).map(|i| self.half[i] * dot(self.axes[i], direction).abs()).sum();
        shadow + SLACK * self.size() + f64::MIN_POSITIVE
    }

    /// The sum of the half sides.
    fn size(&self) -> f64 {
        self.half[0] + self.half[1] + self.half[2]
    }

    /// The smallest box in one of some frames that holds both.
    fn merged_in(&self, other: &Self, frames: &[Frame]) -> Self {
        let between = [0, 1, 2].map(|i| other.center[i] - self.center[i]);
        let far = between.iter().map(|x| x.abs()).sum::<f64>();
        let mut best = Self::EMPTY;
        for axes in frames {
            // Intervals about the center of the first box.
            let mut offset = [0.0; 3];
            let mut half = [0.0; 3];
            for i in 0..3 {
                let (a, b) = (self.reach(axes[i]), other.reach(axes[i]));
                let shift = dot(axes[i], between);
                let (low, high) = ((-a).min(shift - b), a.max(shift + b));
                offset[i] = 0.5 * low + 0.5 * high;
                half[i] = 0.5 * high - 0.5 * low;
            }
            let center = [0, 1, 2].map(|k| {
                self.center[k]
                    + (offset[0] * axes[0][k] + offset[1] * axes[1][k] + offset[2] * axes[2][k])
            });
            // Allow for the rounding of the center.
            let moved = [0, 1, 2].map(|k| center[k] - self.center[k]);
            for i in 0..3 {
                let shift = (dot(axes[i], moved) - offset[i]).abs();
                half[i] += shift + SLACK * (far + self.size() + other.size());
            }
            let merged = Self { center, axes: *axes, half };
            if best.is_empty() || merged.surface() < best.surface() {
                best = merged;
            }
        }
        best.sorted()
    }

    /// The same box with its longest side first.
    pub(crate) fn sorted(&self) -> Self {
        let mut order = [0, 1, 2];
        order.sort_by(|&i, &j| self.half[j].total_cmp(&self.half[i]));
        Self {
            center: self.center,
            axes: order.map(|i| self.axes[i]),
            half: order.map(|i| self.half[i]),
        }
    }

    fn around_aabb(aabb: &Aabb, axes: Frame) -> Self {
        if aabb.is_empty() {
            return Self::EMPTY;
        }
        let center = aabb.center();
        let half =
            [0, 1, 2].map(|i| (aabb.max[i] - center[i]).max(center[i] - aabb.min[i]).next_up());
        Self { center, axes, half }.sorted()
    }
}

/// The smallest box in a frame around points.
pub(crate) fn measure(points: &[[f64; 3]], axes: &Frame) -> Obb {
    let Some(&origin) = points.first() else { return Obb::EMPTY };
    // Relative to the first point: far from the origin nothing is lost.
    let (mut low, mut high, mut size) = ([0.0_f64; 3], [0.0_f64; 3], 0.0_f64);
    for p in points {
        let d = [0, 1, 2].map(|k| p[k] - origin[k]);
        size = size.max(d[0].abs() + d[1].abs() + d[2].abs());
        for i in 0..3 {
            let along = dot(axes[i], d);
            low[i] = low[i].min(along);
            high[i] = high[i].max(along);
        }
    }
    let middle = [0, 1, 2].map(|i| 0.5 * low[i] + 0.5 * high[i]);
    let center = [0, 1, 2].map(|k| {
        origin[k] + (middle[0] * axes[0][k] + middle[1] * axes[1][k] + middle[2] * axes[2][k])
    });
    let offset = [0, 1, 2].map(|k| center[k] - origin[k]);
    let far = offset[0].abs() + offset[1].abs() + offset[2].abs();
    let half = [0, 1, 2].map(|i| {
        let middle = dot(axes[i], offset);
        // A difference is off by one unit, a product with an axis by four more.
        (high[i] - middle).max(middle - low[i]) + 16.0 * UNIT * (size + far) + f64::MIN_POSITIVE
    });
    Obb { center, axes: *axes, half }
}

/// A motion prepared for oriented boxes: each box only turns two axes and moves its center.
#[derive(Clone, Copy, Debug)]
pub struct PreparedObb {
    motion: Pose,
    /// A rotation near that of the motion, orthonormal to 16 · 2⁻⁵³.
    rotation: Frame,
    /// The growth of each half side as a share of the sum of half sides.
    stretch: f64,
    /// The growth of each half side besides.
    grown: f64,
}

impl BoundingVolume for Obb {
    type Prepared = PreparedObb;

    /// The box of smallest surface in one of up to 42 frames: the principal axes of the points, the axes of
    /// the world, eight turns about the axis of least variance, and, with each three points as a triangle,
    /// eight turns about the mean normal. Up to 64 triangles: also the frames of the edges of the first
    /// eight.
    fn fit(points: &[[f64; 3]]) -> Self {
        crate::obb_fit::fit(points)
    }

    /// The smallest box around both in the frame of either or of the world.
    fn merged(&self, other: &Self) -> Self {
        if self.is_empty() {
            *other
        } else if other.is_empty() {
            *self
        } else {
            self.merged_in(other, &[self.axes, other.axes, WORLD])
        }
    }

    /// The separating axis test on all 15 lines.
    #[inline]
    fn overlaps(&self, other: &Self) -> bool {
        !self.is_empty() && !other.is_empty() && sat::overlap(self, other)
    }

    #[inline]
    fn contains(&self, point: [f64; 3]) -> bool {
        let d = [0, 1, 2].map(|k| point[k] - self.center[k]);
        let slack = 8.0 * UNIT * (d[0].abs() + d[1].abs() + d[2].abs()) + f64::MIN_POSITIVE;
        (0..3).all(|i| dot(self.axes[i], d).abs() <= self.half[i] + slack)
    }

    fn expanded(&self, margin: f64) -> Self {
        let half = self.half.map(|half| (half + margin * (1.0 + 16.0 * UNIT)).next_up());
        Self { half, ..*self }
    }

    fn prepare(motion: &Pose, margin: f64) -> PreparedObb {
        let [first, second, third] = *motion.rotation();
        let mut rotation = orthonormal(first, second);
        if dot(rotation[2], third) < 0.0 {
            rotation[2] = rotation[2].map(|x| -x);
        }
        let off = (0..3).map(|row| {
            let d = [0, 1, 2].map(|k| motion.rotation()[row][k] - rotation[row][k]);
            dot(d, d)
        });
        let translation = largest_magnitude(motion.translation());
        PreparedObb {
            motion: *motion,
            rotation,
            // The Frobenius norm of the part that is no rotation, rounded up. Of the frames: a new axis
            // differs from the turned old one by less than 54u, the last, a cross product, by less than
            // 3.3δ + 140u (δ: the frame error), and after straightening by less than 7.3δ + 200u < 1200u;
            // that times the distance of a point from the center.
            stretch: off.sum::<f64>().sqrt() * (1.0 + 256.0 * UNIT) + 2048.0 * UNIT,
            grown: 32.0 * UNIT * translation + margin * (1.0 + 128.0 * UNIT) + f64::MIN_POSITIVE,
        }
    }

    /// The box with turned axes, which are orthonormal even if the motion is a rotation only nearly.
    #[inline]
    fn moved(&self, prepared: &PreparedObb) -> Self {
        if self.is_empty() {
            return Self::EMPTY;
        }
        let [x, y, z] = self.center.map(f64::abs);
        let size = self.size();
        // Mapping rounds center and points by 4 units of the magnitude on each of three coordinates;
        // magnitudes on a row are at most √3 times the largest coordinate, which for the points is that of
        // the center plus all half sides.
        let rounding = 32.0 * UNIT * (x.max(y).max(z) + size);
        let grown = prepared.stretch * size + (rounding + prepared.grown);
        Self {
            center: prepared.motion.apply(self.center),
            axes: turned(&prepared.rotation, &self.axes),
            half: self.half.map(|half| half + grown),
        }
    }

    fn volume(&self) -> f64 {
        if self.is_empty() { 0.0 } else { 8.0 * self.half[0] * self.half[1] * self.half[2] }
    }

    fn surface(&self) -> f64 {
        let [x, y, z] = self.half;
        if self.is_empty() { 0.0 } else { 8.0 * (x * y + y * z + z * x) }
    }

    /// The largest gap on the 15 lines of the separating axis test, with the gaps along the normals of one
    /// box combined. Exact up to rounding if the nearest features face each other along such a line.
    fn distance_squared(&self, other: &Self) -> f64 {
        if self.is_empty() || other.is_empty() {
            return f64::INFINITY;
        }
        Pair::new(self, other).distance_squared()
    }

    fn center(&self) -> [f64; 3] {
        self.center
    }
}

//! Bounding spheres (Hubbard's trees; Zachmann 1994, 5.2).

use crate::BoundingVolume;
use crate::rounding::{UNIT, largest_magnitude};
use crate::welzl::center_of_smallest_ball;
use xcollide_math::Pose;
use xcollide_math::vector::sub;

/// A ball: the points no further than `radius` from `center`.
///
/// [`fit`](BoundingVolume::fit) finds the smallest sphere, up to a relative 1e-12 of its radius.
///
/// ```
/// use xcollide_bounds::{BoundingVolume, Sphere};
///
/// let sphere = Sphere::fit(&[[-3.0, 0.0, 0.0], [3.0, 0.0, 0.0], [0.0, 2.9, 0.0]]);
/// assert_eq!(sphere.center(), [0.0, 0.0, 0.0]);
/// assert!((sphere.radius - 3.0).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sphere {
    /// The middle.
    pub center: [f64; 3],
    /// The radius; negative where the sphere is empty.
    pub radius: f64,
}

impl Default for Sphere {
    /// The empty sphere.
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Sphere {
    /// The sphere without points.
    pub const EMPTY: Self = Self { center: [0.0; 3], radius: f64::NEG_INFINITY };

    /// The sphere with this center and radius.
    ///
    /// ```
    /// use xcollide_bounds::{BoundingVolume, Sphere};
    ///
    /// let (a, b) = (Sphere::new([0.0; 3], 1.0), Sphere::new([3.0, 0.0, 0.0], 2.0));
    /// assert!(a.overlaps(&b)); // they touch
    /// assert!(!a.overlaps(&Sphere::new([3.0, 0.0, 0.0], 1.9)));
    /// ```
    #[inline]
    #[must_use]
    pub const fn new(center: [f64; 3], radius: f64) -> Self {
        Self { center, radius }
    }

    /// The smallest sphere about a given center that holds the points, rounded outward.
    #[must_use]
    pub fn about(center: [f64; 3], points: impl IntoIterator<Item = [f64; 3]>) -> Self {
        let radius = points.into_iter().map(|p| length_above(sub(p, center)));
        Self { center, radius: radius.fold(f64::NEG_INFINITY, f64::max) }
    }

    /// Whether the sphere has no points.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.radius < 0.0
    }
}

/// A motion prepared for spheres.
#[derive(Clone, Copy, Debug)]
pub struct PreparedSphere {
    motion: Pose,
    margin: f64,
    /// No vector grows by more than this factor: 1 and a few units for a rotation.
    stretch: f64,
    /// The largest magnitude of a coordinate of the translation.
    translation: f64,
}

impl BoundingVolume for Sphere {
    type Prepared = PreparedSphere;

    /// The smallest sphere around the points (Welzl 1991), in expected time O(n).
    fn fit(points: &[[f64; 3]]) -> Self {
        center_of_smallest_ball(points)
            .map_or(Self::EMPTY, |center| Self::about(center, points.iter().copied()))
    }

    /// The smallest sphere around two.
    fn merged(&self, other: &Self) -> Self {
        if self.is_empty() {
            return *other;
        } else if other.is_empty() {
            return *self;
        }
        let between = sub(other.center, self.center);
        let distance = length_above(between);
        if distance + other.radius <= self.radius {
            return *self;
        } else if distance + self.radius <= other.radius {
            return *other;
        }
        // Neither contains the other, so the distance is not zero.
        let share = 0.5 + 0.5 * (other.radius - self.radius) / distance;
        let center = [0, 1, 2].map(|k| self.center[k] + between[k] * share.clamp(0.0, 1.0));
        let reach = |s: &Self| (length_above(sub(s.center, center)) + s.radius).next_up();
        Self { center, radius: reach(self).max(reach(other)) }
    }

    #[inline]
    fn overlaps(&self, other: &Self) -> bool {
        !self.is_empty()
            && !other.is_empty()
            && !beyond(sub(other.center, self.center), self.radius + other.radius)
    }

    #[inline]
    fn contains(&self, point: [f64; 3]) -> bool {
        !self.is_empty() && !beyond(sub(point, self.center), self.radius)
    }

    fn expanded(&self, margin: f64) -> Self {
        Self { center: self.center, radius: (self.radius + margin).next_up() }
    }

    fn prepare(motion: &Pose, margin: f64) -> PreparedSphere {
        // The largest row sum of the transpose times the matrix bounds its largest eigenvalue, the
        // square of the stretch.
        let r = motion.rotation();
        let product = |i: usize, j: usize| (0..3).map(|k| r[k][i] * r[k][j]).sum::<f64>().abs();
        let row = |i| product(i, 0) + product(i, 1) + product(i, 2);
        let stretch = row(0).max(row(1)).max(row(2)).sqrt() * (1.0 + 16.0 * UNIT);
        let translation = largest_magnitude(motion.translation());
        PreparedSphere { motion: *motion, margin, stretch, translation }
    }

    #[inline]
    fn moved(&self, prepared: &PreparedSphere) -> Self {
        if self.is_empty() {
            return Self::EMPTY;
        }
        let largest = largest_magnitude(self.center);
        // Center and points are rounded by 4 units of their magnitude on each coordinate.
        let rounding = 32.0 * UNIT * (largest + self.radius + prepared.translation);
        let radius = self.radius * prepared.stretch + rounding + prepared.margin;
        Self { center: prepared.motion.apply(self.center), radius: radius.next_up() }
    }

    fn volume(&self) -> f64 {
        let r = self.radius.max(0.0);
        4.0 / 3.0 * std::f64::consts::PI * r * r * r
    }

    fn surface(&self) -> f64 {
        let r = self.radius.max(0.0);
        4.0 * std::f64::consts::PI * r * r
    }

    fn distance_squared(&self, other: &Self) -> f64 {
        if self.is_empty() || other.is_empty() {
            return f64::INFINITY;
        }
        let distance = length_above(sub(other.center, self.center)) * (1.0 - 24.0 * UNIT);
        let gap = (distance - (self.radius + other.radius) * (1.0 + 2.0 * UNIT)).max(0.0);
        gap * gap * (1.0 - 4.0 * UNIT)
    }

    fn center(&self) -> [f64; 3] {
        self.center
    }
}

/// Whether a rounded difference of points is certainly longer than `radius`: squares, sums and the
/// difference are off by less than 8 units on each side; underflow is below the absolute term.
#[inline]
fn beyond(d: [f64; 3], radius: f64) -> bool {
    let squared = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    squared > radius * radius * (1.0 + 32.0 * UNIT) + f64::MIN_POSITIVE
}

/// Length of a rounded difference of points, rounded up by at most 16 units. Never over- or underflows.
pub(crate) fn length_above(d: [f64; 3]) -> f64 {
    let largest = largest_magnitude(d);
    if largest == 0.0 {
        return 0.0;
    }
    let [x, y, z] = d.map(|x| x / largest);
    (largest * (x * x + y * y + z * z).sqrt() * (1.0 + 12.0 * UNIT)).next_up()
}

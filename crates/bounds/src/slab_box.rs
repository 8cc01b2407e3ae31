//! An axis-aligned box with one slab of its own (slabs: Kay and Kajiya 1986 in Zachmann 1994, 5.2).
//!
//! A slab is the space between two parallel planes. Near the leaves of a hierarchy a surface is
//! nearly flat; a box across the axes is thick there, and a slab along the patch's normal cuts
//! away what is not. Two patches that run close to each other (conforming surfaces) are parted by
//! their slabs after as few steps as by oriented boxes, at half the memory.

use crate::frame::{covariance, eigenvectors, unit};
use crate::motion::dot;
use crate::obb_fit::mean_normal;
use crate::rounding::UNIT;
use crate::{Aabb, BoundingVolume, Motion, PreparedAabb};

/// The points of an axis-aligned box between two parallel planes: `low ≤ n · (x − c) ≤ high` for a
/// unit vector n and the box's center c.
///
/// Tightness: the box is the smallest; the normal is that of least variance or the mean normal
/// of the points taken as triangles, whichever gives the thinner slab.
///
/// ```
/// use xcollide_bounds::{BoundingVolume, SlabBox};
///
/// let sheet = [[0.0, 0.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0], [1.0, 1.0, 1.0]];
/// let above = sheet.map(|[x, y, z]| [x, y, z + 0.01]);
/// let (sheet, above) = (SlabBox::fit(&sheet), SlabBox::fit(&above));
/// assert!(sheet.bounds().overlaps(&above.bounds()), "the boxes nearly coincide");
/// assert!(!sheet.overlaps(&above), "the slabs do not");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "crate::stored::StoredSlabBox"))]
pub struct SlabBox {
    bounds: Aabb,
    normal: [f64; 3],
    low: f64,
    high: f64,
}

/// A motion for slab boxes.
#[derive(Clone, Copy, Debug)]
pub struct PreparedSlabBox {
    bounds: PreparedAabb,
    motion: Motion,
    margin: f64,
}

impl From<Aabb> for SlabBox {
    /// The box, with a slab that cuts nothing away.
    fn from(bounds: Aabb) -> Self {
        if bounds.is_empty() {
            return Self::EMPTY;
        }
        // Farther than any point from the center, which is rounded.
        let [x, y, z] = bounds.size();
        let reach = x + y + z + f64::MIN_POSITIVE;
        Self { bounds, normal: [0.0, 0.0, 1.0], low: -reach, high: reach }
    }
}

impl SlabBox {
    /// The volume without points.
    pub const EMPTY: Self =
        Self { bounds: Aabb::EMPTY, normal: [0.0, 0.0, 1.0], low: 0.0, high: 0.0 };

    #[cfg(feature = "serde")]
    pub(crate) fn from_parts(bounds: Aabb, normal: [f64; 3], [low, high]: [f64; 2]) -> Self {
        Self { bounds, normal, low, high }
    }

    /// The box.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// Whether the volume has no points. (A box and a slab that have may still have none in common.)
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bounds.is_empty()
    }

    /// The unit normal of the slab.
    #[must_use]
    pub fn normal(&self) -> [f64; 3] {
        self.normal
    }

    /// Where the slab lies along its normal, relative to the box's center.
    #[must_use]
    pub fn interval(&self) -> [f64; 2] {
        [self.low, self.high]
    }

    fn with_normal(bounds: Aabb, points: &[[f64; 3]], normal: [f64; 3]) -> Self {
        let center = bounds.center();
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for p in points {
            let along = dot(normal, [0, 1, 2].map(|k| p[k] - center[k]));
            low = low.min(along);
            high = high.max(along);
        }
        let rounding = 8.0 * UNIT * half_sum(&bounds) + f64::MIN_POSITIVE;
        Self { bounds, normal, low: low - rounding, high: high + rounding }
    }

    /// The points of a box between two planes, whose heights along the unit normal, relative to the
    /// box's center, may be off by 8 units of themselves and of the box's size.
    pub(crate) fn around_slab(bounds: Aabb, normal: [f64; 3], [low, high]: [f64; 2]) -> Self {
        if bounds.is_empty() {
            return Self::EMPTY;
        }
        let size = half_sum(&bounds) + low.abs() + high.abs();
        let rounding = 8.0 * UNIT * size + f64::MIN_POSITIVE;
        Self { bounds, normal, low: low - rounding, high: high + rounding }
    }

    fn fit_with(points: &[[f64; 3]], normals: impl IntoIterator<Item = [f64; 3]>) -> Self {
        let bounds = Aabb::fit(points);
        if bounds.is_empty() {
            return Self::EMPTY;
        }
        let mut best: Option<Self> = None;
        for normal in normals.into_iter().filter_map(unit) {
            let slab = Self::with_normal(bounds, points, normal);
            if best.is_none_or(|best| slab.thickness() < best.thickness()) {
                best = Some(slab);
            }
        }
        best.unwrap_or_else(|| Self::with_normal(bounds, points, [0.0, 0.0, 1.0]))
    }

    fn thickness(&self) -> f64 {
        self.high - self.low
    }

    /// Where the volume lies along `direction` (of length up to about 1), relative to `origin`;
    /// outward by a margin for rounding.
    ///
    /// Any split of the direction into a multiple of the normal and a rest bounds it by the slab
    /// and the box. Two are tried: no normal at all, and the rest across the normal.
    pub(crate) fn interval_along(&self, direction: [f64; 3], origin: [f64; 3]) -> [f64; 2] {
        let center = self.bounds.center();
        let from = [0, 1, 2].map(|k| center[k] - origin[k]);
        let middle = dot(direction, from);
        let half =
            |v: [f64; 3]| 0.5 * (0..3).map(|k| v[k].abs() * self.bounds.size()[k]).sum::<f64>();
        let share = dot(direction, self.normal);
        let rest = half([0, 1, 2].map(|k| direction[k] - share * self.normal[k]));
        let (a, b) = (share * self.low, share * self.high);
        let whole = half(direction);
        let far = from[0].abs() + from[1].abs() + from[2].abs();
        // The center is rounded: far from the origin the box reaches farther from it to one side
        // than half its size.
        let off = center[0].abs() + center[1].abs() + center[2].abs();
        let rounding =
            UNIT * (32.0 * (half_sum(&self.bounds) + far) + 4.0 * off) + f64::MIN_POSITIVE;
        [
            middle + (a.min(b) - rest).max(-whole) - rounding,
            middle + (a.max(b) + rest).min(whole) + rounding,
        ]
    }

    /// The gap along the normal of `self` to `other`; negative where there is none.
    fn gap(&self, other: &Self) -> f64 {
        let [low, high] = other.interval_along(self.normal, self.bounds.center());
        (low - self.high).max(self.low - high)
    }

    /// Whether the slab of `self` alone has nothing of `other`.
    #[inline]
    fn parts(&self, other: &Self) -> bool {
        self.gap(other) > 0.0
    }
}

/// The sum of the half sides, rounded up.
fn half_sum(bounds: &Aabb) -> f64 {
    let [x, y, z] = bounds.size();
    (x + y + z) * (0.5 + 4.0 * UNIT)
}

impl BoundingVolume for SlabBox {
    type Prepared = PreparedSlabBox;

    /// The smallest box, with the slab along the axis of least variance or, each three points taken
    /// for a triangle, their mean normal: the thinner.
    fn fit(points: &[[f64; 3]]) -> Self {
        let (triangles, _) = points.as_chunks::<3>();
        Self::fit_with(points, [mean_normal(triangles), least_variance(points)])
    }

    /// The merged box, with the slab along either normal, the thinner.
    fn merged(&self, other: &Self) -> Self {
        if self.is_empty() {
            return *other;
        } else if other.is_empty() {
            return *self;
        }
        let bounds = self.bounds.merged(&other.bounds);
        let center = bounds.center();
        let along = |normal| {
            let [a, b] = self.interval_along(normal, center);
            let [c, d] = other.interval_along(normal, center);
            Self { bounds, normal, low: a.min(c), high: b.max(d) }
        };
        let (one, two) = (along(self.normal), along(other.normal));
        if two.thickness() < one.thickness() { two } else { one }
    }

    #[inline]
    fn overlaps(&self, other: &Self) -> bool {
        self.bounds.overlaps(&other.bounds) && !self.parts(other) && !other.parts(self)
    }

    fn contains(&self, point: [f64; 3]) -> bool {
        let center = self.bounds.center();
        let along = dot(self.normal, [0, 1, 2].map(|k| point[k] - center[k]));
        let rounding = 8.0 * UNIT * half_sum(&self.bounds) + f64::MIN_POSITIVE;
        self.bounds.contains(point) && along >= self.low - rounding && along <= self.high + rounding
    }

    fn expanded(&self, margin: f64) -> Self {
        if self.is_empty() {
            return Self::EMPTY;
        }
        let bounds = self.bounds.expanded(margin);
        // The center may have moved by a rounding error.
        let shift = dot(self.normal, difference(self.bounds.center(), bounds.center()));
        let grown =
            margin * (1.0 + 16.0 * UNIT) + 16.0 * UNIT * half_sum(&bounds) + f64::MIN_POSITIVE;
        Self {
            bounds,
            normal: self.normal,
            low: self.low + shift - grown,
            high: self.high + shift + grown,
        }
    }

    fn prepare(motion: &Motion, margin: f64) -> PreparedSlabBox {
        PreparedSlabBox { bounds: Aabb::prepare(motion, margin), motion: *motion, margin }
    }

    /// The moved box, and the slab with its normal turned.
    fn moved(&self, prepared: &PreparedSlabBox) -> Self {
        if self.is_empty() {
            return Self::EMPTY;
        }
        let motion = &prepared.motion;
        let bounds = self.bounds.moved(&prepared.bounds);
        let Some(normal) = unit(motion.turn(self.normal)) else { return *self };
        // Along the new normal an image reaches as far as the original along the normal turned
        // back, which is the old one for a rotation and nearly so otherwise.
        let r = &motion.rotation;
        let back =
            [0, 1, 2].map(|k| normal[0] * r[0][k] + normal[1] * r[1][k] + normal[2] * r[2][k]);
        let old = self.bounds.center();
        let [low, high] = self.interval_along(back, old);
        let shift = dot(normal, difference(motion.apply(old), bounds.center()));
        // Center and points are rounded by 4 units of their magnitude on each of three
        // coordinates, as for oriented boxes.
        let largest = |v: [f64; 3]| v.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let magnitude = largest(old) + largest(motion.translation) + half_sum(&self.bounds);
        let grown = 48.0 * UNIT * magnitude + prepared.margin * (1.0 + 16.0 * UNIT);
        Self { bounds, normal, low: low + shift - grown, high: high + shift + grown }
    }

    /// An upper bound: that of the box, or the slab's thickness times the box's shadow along the
    /// normal.
    fn volume(&self) -> f64 {
        if self.is_empty() {
            return 0.0;
        }
        let [x, y, z] = self.bounds.size();
        let [u, v, w] = self.normal.map(f64::abs);
        self.bounds.volume().min(self.thickness() * (u * y * z + v * z * x + w * x * y))
    }

    /// An upper bound: that of the box.
    fn surface(&self) -> f64 {
        self.bounds.surface()
    }

    fn distance_squared(&self, other: &Self) -> f64 {
        if self.is_empty() || other.is_empty() {
            return f64::INFINITY;
        }
        let gap = self.gap(other).max(other.gap(self)).max(0.0) * (1.0 - 16.0 * UNIT);
        BoundingVolume::distance_squared(&self.bounds, &other.bounds).max(gap * gap)
    }

    fn center(&self) -> [f64; 3] {
        self.bounds.center()
    }
}

/// The axis of least variance.
fn least_variance(points: &[[f64; 3]]) -> [f64; 3] {
    if points.is_empty() { [0.0; 3] } else { eigenvectors(covariance(points.iter().copied()))[2] }
}

fn difference(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|k| a[k] - b[k])
}

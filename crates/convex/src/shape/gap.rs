//! Whether two shapes meet, and their distance.
//!
//! Every direction bounds the distance from below, every pair of core points from above, and the rounding errors are
//! known. So a search may stop anywhere.
//!
//! Cores that are nearer than the radii prove contact. A shape without a radius gets one: its core is shrunk about the
//! center of an inner ball, by a factor that makes room for the errors of the arithmetic and a little more. See
//! [`ContactCertificate`](crate::ContactCertificate).

use super::closed_form::Boxes;
use super::moved::MovedShape;
use super::placed::PlacedShape;
use super::search::NearestSearch;
use super::{Core, Shape, boolean, closed_form};
use crate::plane::Plane;
use xcollide_math::vector::{add, dot, length, length_squared, neg, scale, sub, unit};
use xcollide_simd::dispatch;

/// Whether two shapes meet.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ShapeVerdict {
    /// They do not: all points of the first are strictly on the negative side of this plane, all points of the second
    /// strictly on its positive side.
    Apart(Plane),
    /// They do: this point is in both. If one of the shapes has neither a radius nor an inner ball, as
    /// [`Hull`](super::Hull), it is within the rounding error of a point that is in both.
    Collides([f64; 3]),
    /// They touch or nearly touch, and rounding hides which.
    Undecided,
}

/// The distance of two shapes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ShapeDistance {
    /// The nearest points in the world, rounded. If the shapes meet, one point of both, up to rounding.
    pub points: [[f64; 3]; 2],
    /// A lower bound of the distance; 0 if they meet.
    pub at_least: f64,
    /// An upper bound.
    pub at_most: f64,
    /// The direction from the first to the second along which they are `at_least` apart, of length 1; zero if they are
    /// not known to be apart.
    pub direction: [f64; 3],
}

/// A search for the distance ends when the bounds differ by this part of the size.
const ENOUGH: f64 = 1e-15;

/// The same for curved cores, where each further digit takes some more steps.
const ENOUGH_CURVED: f64 = 1e-11;

/// In errors: by how much a gap of a ball may be smaller than its distance without being measured.
const LARGEST_LOSS: f64 = 4.0;

/// Between these the squared lengths of directions are far from under- and overflow.
pub(super) const LENGTHS_SQUARED: std::ops::Range<f64> = 1e-200..1e200;

impl<A: Shape + ?Sized> PlacedShape<'_, A> {
    /// Whether two shapes have a point in common, proved. Touching is not distinguished from nearly touching.
    ///
    /// With ε = 2⁻⁵³ · (the reach of both + their distance from the origin), errors are at most some 100 ε. The answer is
    /// `Apart` if a gap exceeds them, and `Collides` if the shapes, shrunk by about as much, still meet. It may be
    /// `Undecided`
    ///
    /// - for balls, capsules, boxes and rounded polytopes, at a gap or depth below 1000 ε, times the ratio of the reach to
    ///   the inner ball for a shape without a radius;
    /// - for cylinders, cones and ellipsoids, where simplices become ever thinner, at a gap or depth below 1e-8 of the
    ///   size: measured, not proved. At 1e-9 one answer in fifty is missing.
    ///
    /// ```
    /// use xcollide_math::Pose;
    /// use xcollide_convex::shape::{Cone, Cylinder, PlacedShape, ShapeVerdict};
    ///
    /// let (cone, cylinder) = (Cone::new(1.0, 0.5)?, Cylinder::new(1.0, 0.5)?);
    /// let a = PlacedShape::new(&cone, &Pose::IDENTITY)?; // its apex is at z = 1
    /// let b = PlacedShape::new(&cylinder, &Pose::from_translation([0.25, 0.0, 2.125]))?;
    /// assert!(matches!(a.collide(&b), ShapeVerdict::Apart(_)));
    /// let b = PlacedShape::new(&cylinder, &Pose::from_translation([0.25, 0.0, 1.875]))?;
    /// assert!(matches!(a.collide(&b), ShapeVerdict::Collides(_)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn collide<B: Shape + ?Sized>(&self, other: &PlacedShape<'_, B>) -> ShapeVerdict {
        let pair = Pair::new(self, other, true);
        let mut gap = Gap::NOTHING;
        if let Some(nearest) = pair.of_ball() {
            if let Some(point) = pair.between(pair.shrunk(nearest), pair.margins) {
                return ShapeVerdict::Collides(point);
            }
            gap = pair.gap_of_ball(nearest);
            if pair.are_apart(&gap) {
                return ShapeVerdict::Apart(pair.plane(&gap));
            }
        } else if let Some(nearest) = closed_form::segments(self, other) {
            if let Some(point) = pair.between(nearest, pair.margins) {
                return ShapeVerdict::Collides(point);
            }
            gap = pair.gap_between(nearest);
            if pair.are_apart(&gap) {
                return ShapeVerdict::Apart(pair.plane(&gap));
            }
        }
        if let Some(verdict) = pair.estimate() {
            return verdict;
        }
        let start =
            if gap.at_least > f64::NEG_INFINITY { gap.direction } else { pair.between_centers() };
        let (gap, points) = pair.search(start, pair.limits());
        if pair.are_apart(&gap) {
            return ShapeVerdict::Apart(pair.plane(&gap));
        }
        pair.between(points, pair.margins).map_or(ShapeVerdict::Undecided, ShapeVerdict::Collides)
    }

    /// The distance of two shapes, with their nearest points.
    ///
    /// Both bounds hold. They agree up to a few units in the last place of the sizes for balls, capsules, boxes and rounded
    /// polytopes, and for a ball and a cylinder or cone; mostly to 1e-11 of the size for other curved shapes.
    #[must_use]
    pub fn distance<B: Shape + ?Sized>(&self, other: &PlacedShape<'_, B>) -> ShapeDistance {
        let pair = Pair::new(self, other, false);
        let [of_a, of_b] = [self.radius, other.radius];
        // If the radii overlap, only a common point is needed.
        let (gap, [p, q]) = pair.nearest(of_a + of_b);
        let (line, error) = (sub(q, p), 2.0 * pair.error);
        let between = length_squared(line).sqrt();
        let at_least = (gap.at_least - (of_a + of_b) - error).max(0.0);
        let at_most = (between - (of_a + of_b)).max(0.0) + error;
        let direction = if at_least > 0.0 { gap.direction } else { [0.0; 3] };
        let points = if between > of_a + of_b {
            let outward = scale(line, 1.0 / between);
            [add(p, scale(outward, of_a)), sub(q, scale(outward, of_b))]
        } else {
            let part = if of_a + of_b > 0.0 { of_a / (of_a + of_b) } else { 0.5 };
            [add(p, scale(line, part)); 2]
        };
        ShapeDistance { points, at_least, at_most, direction }
    }
}

/// The widest gap of two cores that was measured.
#[derive(Clone, Copy)]
pub(super) struct Gap {
    /// −∞ before a measurement.
    pub(super) at_least: f64,
    pub(super) direction: [f64; 3],
    heights: [f64; 2],
}

impl Gap {
    const NOTHING: Self =
        Self { at_least: f64::NEG_INFINITY, direction: [0.0; 3], heights: [0.0; 2] };

    /// Takes the gap along a direction of length 1 with these farthest points, if it is wider.
    #[inline]
    fn widen(&mut self, direction: [f64; 3], [p, q]: [[f64; 3]; 2]) {
        let at_least = dot(direction, sub(q, p));
        if at_least > self.at_least {
            *self = Self { at_least, direction, heights: [dot(direction, p), dot(direction, q)] };
        }
    }
}

/// Two shapes, and the effects of rounding and shrinking.
pub(super) struct Pair<'p, A: ?Sized, B: ?Sized> {
    pub(super) a: &'p PlacedShape<'p, A>,
    pub(super) b: &'p PlacedShape<'p, B>,
    pub(super) centers: [[f64; 3]; 2],
    pub(super) factors: [f64; 2],
    /// Points so near to a shrunk core are in the shape for sure; none are if this is negative.
    pub(super) margins: [f64; 2],
    /// The sum of the errors of both shapes.
    pub(super) error: f64,
}

impl<'p, A: Shape + ?Sized, B: Shape + ?Sized> Pair<'p, A, B> {
    pub(super) fn new(a: &'p PlacedShape<'p, A>, b: &'p PlacedShape<'p, B>, shrink: bool) -> Self {
        let error = a.error + b.error;
        let of_a = given(a.inner_ball.1, a.radius, error, shrink);
        let of_b = given(b.inner_ball.1, b.radius, error, shrink);
        Self {
            a,
            b,
            centers: [a.inner_ball.0, b.inner_ball.0],
            factors: [of_a.0, of_b.0],
            margins: [of_a.1 - error, of_b.1 - error],
            error,
        }
    }

    /// The nearest points of the cores, and the gap between them if they are at least `measured` apart; if they are nearer, any
    /// points of the cores or a common point of the shapes.
    pub(super) fn nearest(&self, measured: f64) -> (Gap, [[f64; 3]; 2]) {
        let mut gap = Gap::NOTHING;
        let of_ball = self.of_ball();
        let mut known = of_ball.or_else(|| closed_form::segments(self.a, self.b));
        if let Some(nearest @ [p, q]) = known {
            let between = length(sub(q, p));
            if between >= measured {
                gap = if of_ball.is_some() {
                    self.gap_of_ball(nearest)
                } else {
                    self.gap_between(nearest)
                };
                if between - gap.at_least > LARGEST_LOSS * self.error {
                    known = None;
                }
            }
        }
        let points = known.unwrap_or_else(|| {
            // Of cores alone there is no estimate.
            let are_cores = measured < self.a.radius + self.b.radius;
            let estimate =
                if are_cores { None } else { Pair::new(self.a, self.b, true).estimate() };
            let start = match estimate {
                Some(ShapeVerdict::Collides(point)) => return [point; 2],
                Some(ShapeVerdict::Apart(plane)) => plane.normal,
                _ if gap.at_least > f64::NEG_INFINITY => gap.direction,
                _ => self.between_centers(),
            };
            let (widest, points) = self.search(start, [f64::INFINITY, 0.0]);
            gap = widest;
            points
        });
        (gap, points)
    }

    /// The nearest points of the cores, if one is a point and there is a formula for the other.
    #[inline(always)]
    fn of_ball(&self) -> Option<[[f64; 3]; 2]> {
        if self.a.core == Core::Point {
            let center = self.a.center();
            return Some([center, closed_form::nearest_in(self.b, center)?]);
        }
        if self.b.core == Core::Point {
            let center = self.b.center();
            return Some([closed_form::nearest_in(self.a, center)?, center]);
        }
        None
    }

    /// The gap between the nearest points of two cores, one of which is a point.
    ///
    /// Let n be the point of the other core C that is nearest to l, all in the frame of C, e = l − n, and d the direction
    /// in the world. For x in C the product e · (x − n) is at most 0, but Rᵀd |e| differs from e by rounding, less than a
    /// third of the error, and by (`RᵀR` − I) n. So C reaches beyond the plane across d by at most that times twice the
    /// reach, divided by |e|. If that is too much, the gap is measured.
    #[inline(always)]
    fn gap_of_ball(&self, [p, q]: [[f64; 3]; 2]) -> Gap {
        let line = sub(q, p);
        let between = length(line);
        let direction = scale(line, 1.0 / between);
        let heights = [dot(direction, p), dot(direction, q)];
        let of_b = self.a.core == Core::Point;
        let (drift, reach) =
            if of_b { (self.b.drift, self.b.reach) } else { (self.a.drift, self.a.reach) };
        let loss = reach * (2.0 * drift * reach + self.error) / between;
        if loss <= LARGEST_LOSS * self.error {
            let [low, high] = heights;
            let heights = if of_b { [low, high - loss] } else { [low + loss, high] };
            return Gap { at_least: between - loss, direction, heights };
        }
        self.gap_between([p, q])
    }

    /// The gap of the cores along the line between two points.
    fn gap_between(&self, [p, q]: [[f64; 3]; 2]) -> Gap {
        let mut gap = Gap::NOTHING;
        if let Some(direction) = unit(sub(q, p)) {
            self.look(direction, &mut gap);
        }
        gap
    }

    /// Points of the cores, moved to the shrunk cores.
    #[inline(always)]
    fn shrunk(&self, ends: [[f64; 3]; 2]) -> [[f64; 3]; 2] {
        let mut moved = ends;
        for k in 0..2 {
            if self.factors[k] > 0.0 {
                moved[k] = add(ends[k], scale(sub(self.centers[k], ends[k]), self.factors[k]));
            }
        }
        moved
    }

    /// A proved answer by the widest gap or a common point of boxes, or by boolean GJK.
    fn estimate(&self) -> Option<ShapeVerdict> {
        match closed_form::boxes(self.a, self.b, self.factors) {
            Some(Boxes::Gap(direction)) => {
                let mut gap = Gap::NOTHING;
                if let Some(direction) = unit(direction) {
                    self.look(direction, &mut gap);
                }
                if self.are_apart(&gap) {
                    return Some(ShapeVerdict::Apart(self.plane(&gap)));
                }
            }
            Some(Boxes::Near(points)) => {
                if let Some(point) = self.between(points, self.margins) {
                    return Some(ShapeVerdict::Collides(point));
                }
            }
            None => {}
        }
        boolean::verdict(self)
    }

    /// From one center to the other, or along an axis where they coincide.
    pub(super) fn between_centers(&self) -> [f64; 3] {
        let between = sub(self.centers[1], self.centers[0]);
        if LENGTHS_SQUARED.contains(&length_squared(between)) { between } else { [1.0, 0.0, 0.0] }
    }

    /// Searches from a direction until the cores are farther apart than a distance or the shrunk cores nearer than
    /// another, or to the end.
    fn search(&self, start: [f64; 3], [apart, near]: [f64; 2]) -> (Gap, [[f64; 3]; 2]) {
        let (of_a, of_b) = (|d| self.a.shape.farthest(d), |d| self.b.shape.farthest(d));
        let found = dispatch(NearestSearch {
            sides: [
                MovedShape::new(self.a, [0.0; 3], 0.0, 0.0, &of_a),
                MovedShape::new(self.b, [0.0; 3], 0.0, 0.0, &of_b),
            ],
            centers: self.centers,
            factors: self.factors,
            start,
            scale: self.a.reach + self.b.reach,
            enough: if self.a.core.is_curved() || self.b.core.is_curved() {
                ENOUGH_CURVED
            } else {
                ENOUGH
            },
            apart,
            near,
        });
        let mut gap = Gap::NOTHING;
        if let Some(direction) = unit(found.direction) {
            gap.widen(direction, found.farthest);
        }
        (gap, found.points)
    }

    /// Measures the gap of the cores along a direction; returns its end points.
    #[inline]
    pub(super) fn look(&self, direction: [f64; 3], widest: &mut Gap) -> [[f64; 3]; 2] {
        let (p, q) = (self.a.farthest(direction), self.b.farthest(neg(direction)));
        widest.widen(direction, [p, q]);
        [p, q]
    }

    /// Whether the gap exceeds the radii and errors.
    #[inline]
    fn are_apart(&self, gap: &Gap) -> bool {
        gap.at_least > self.a.radius + self.b.radius + 2.0 * self.error
    }

    /// Limits of a search, beyond which [`are_apart`](Self::are_apart) and [`between`](Self::between) hold.
    fn limits(&self) -> [f64; 2] {
        let [of_a, of_b] = self.margins;
        let near = if self.can_meet(self.margins) { of_a + of_b - 1.5 * self.error } else { 0.0 };
        [self.a.radius + self.b.radius + 2.5 * self.error, near]
    }

    /// The plane in the middle of a gap.
    fn plane(&self, gap: &Gap) -> Plane {
        let low = gap.heights[0] + self.a.radius;
        let high = gap.heights[1] - self.b.radius;
        Plane { normal: gap.direction, offset: 0.5 * low + 0.5 * high }
    }

    /// Whether points with these margins can prove contact: a shape without interior has a negative margin, and the other
    /// must make up for it.
    fn can_meet(&self, [of_a, of_b]: [f64; 2]) -> bool {
        let is_flat = [of_a < 0.0, of_b < 0.0];
        let is_deep = [of_a > self.error, of_b > self.error];
        is_deep[0] && (is_deep[1] || is_flat[1]) || is_deep[1] && is_flat[0]
    }

    /// A point in both shapes, if these points are near enough to prove one: all points so near to them as the margins
    /// are in the shapes. A negative margin: a point of that shape is so near to its point. Then that one is returned.
    #[inline]
    pub(super) fn between(
        &self,
        [p, q]: [[f64; 3]; 2],
        [of_a, of_b]: [f64; 2],
    ) -> Option<[f64; 3]> {
        let enough = of_a + of_b - self.error;
        let line = sub(q, p);
        let point = add(p, scale(line, (of_a / (of_a + of_b)).clamp(0.0, 1.0)));
        // A flat simplex may have weights that are NaN, for which this is false.
        let is_near = enough > 0.0 && length_squared(line) < enough * enough;
        (is_near && self.can_meet([of_a, of_b])).then_some(point)
    }
}

/// How much smaller a shape is made, so that there is room for this error.
pub(super) fn inset(error: f64) -> f64 {
    8.0 * error
}

/// The factor by which a core is shrunk, and the distance from the rest within which points are in the shape.
fn given(inner: f64, radius: f64, error: f64, shrink: bool) -> (f64, f64) {
    /// A shape keeps at least this part of its core.
    const LARGEST_FACTOR: f64 = 0.25;
    let needed = inset(error);
    if radius > needed || !shrink {
        return (0.0, radius);
    }
    let factor = needed / inner;
    if factor < LARGEST_FACTOR { (factor, needed + radius) } else { (0.0, radius) }
}

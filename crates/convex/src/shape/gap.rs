//! GJK over cores: whether two shapes meet, and their distance.
//!
//! Every direction bounds the distance from below, every simplex from above, and the rounding errors are known. So the
//! search may stop anywhere.
//!
//! Cores that are nearer than the radii prove contact. A shape without a radius gets one: its core is shrunk about the
//! center of an inner ball, by a factor that makes room for the errors of the arithmetic and a little more. See
//! [`ContactCertificate`](crate::ContactCertificate).

use super::closed_form::Boxes;
use super::placed::{PlacedShape, shrunk};
use super::{Shape, closed_form};
use crate::gjk::simplex::Simplex;
use crate::plane::Plane;
use xcollide_math::vector::{add, cross, dot, length_squared, neg, scale, sub, unit};

/// Whether two shapes meet.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ShapeVerdict {
    /// They do not: all points of the first are strictly on the negative side of this plane, all points of the second
    /// strictly on its positive side.
    Apart(Plane),
    /// They do: this point is in both.
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

/// The most steps. Polytopes, capsules and balls take ten, curved bodies some thirty, or a hundred if they nearly touch.
const MOST_STEPS: usize = 160;

/// The search ends when the bounds differ by this part of the size.
const ENOUGH: f64 = 1e-15;

/// Below this distance, relative to the size, the nearest point is mostly rounding.
const NEAR_CONTACT: f64 = 1e-6;

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
        if let Some(nearest) = pair.start(&mut gap) {
            if pair.are_apart(&gap) {
                return ShapeVerdict::Apart(pair.plane(&gap));
            }
            if let Some(point) = pair.between(nearest) {
                return ShapeVerdict::Collides(point);
            }
        }
        match closed_form::boxes(self, other, pair.factors) {
            Some(Boxes::Gap(direction)) => {
                if let Some(direction) = unit(direction) {
                    pair.look(direction, &mut gap);
                    if pair.are_apart(&gap) {
                        return ShapeVerdict::Apart(pair.plane(&gap));
                    }
                }
            }
            Some(Boxes::Near(points)) => {
                if let Some(point) = pair.between(points) {
                    return ShapeVerdict::Collides(point);
                }
            }
            None => {}
        }
        let mut search = Search::new(&pair, gap);
        while search.step() {
            if pair.are_apart(&search.gap) {
                return ShapeVerdict::Apart(pair.plane(&search.gap));
            }
            if let Some(point) = search.common_point() {
                return ShapeVerdict::Collides(point);
            }
        }
        ShapeVerdict::Undecided
    }

    /// The distance of two shapes, with their nearest points.
    ///
    /// Both bounds hold. They agree up to a few units in the last place of the sizes for balls, capsules, boxes and rounded
    /// polytopes, and mostly to 1e-9 of the size for curved shapes.
    #[must_use]
    pub fn distance<B: Shape + ?Sized>(&self, other: &PlacedShape<'_, B>) -> ShapeDistance {
        let pair = Pair::new(self, other, false);
        let mut gap = Gap::NOTHING;
        let [of_a, of_b] = [self.radius, other.radius];
        let known = pair.start(&mut gap).filter(|&[p, q]| {
            let between = length_squared(sub(q, p)).sqrt();
            // If the radii overlap, only a common point is needed.
            between < of_a + of_b || between - gap.at_least <= pair.error
        });
        let [p, q] = known.unwrap_or_else(|| {
            let mut search = Search::new(&pair, gap);
            while search.step() && !search.holds_origin {}
            gap = search.gap;
            search.nearest_points()
        });
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
struct Gap {
    /// −∞ before a measurement.
    at_least: f64,
    direction: [f64; 3],
    heights: [f64; 2],
}

impl Gap {
    const NOTHING: Self =
        Self { at_least: f64::NEG_INFINITY, direction: [0.0; 3], heights: [0.0; 2] };
}

/// Two shapes, and the effects of rounding and shrinking.
struct Pair<'p, A: ?Sized, B: ?Sized> {
    a: &'p PlacedShape<'p, A>,
    b: &'p PlacedShape<'p, B>,
    centers: [[f64; 3]; 2],
    factors: [f64; 2],
    /// Points so near to a shrunk core are in the shape for sure; none are if this is negative.
    margins: [f64; 2],
    /// The sum of the errors of both shapes.
    error: f64,
}

impl<'p, A: Shape + ?Sized, B: Shape + ?Sized> Pair<'p, A, B> {
    fn new(a: &'p PlacedShape<'p, A>, b: &'p PlacedShape<'p, B>, shrink: bool) -> Self {
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

    /// The nearest points of the shrunk cores, if there is a formula; measures the gap between them.
    fn start(&self, gap: &mut Gap) -> Option<[[f64; 3]; 2]> {
        let [p, q] = closed_form::nearest(self.a, self.b, self.factors)?;
        if let Some(direction) = unit(sub(q, p)) {
            self.look(direction, gap);
        }
        Some([p, q])
    }

    /// Measures the gap of the cores along a direction; returns its end points.
    fn look(&self, direction: [f64; 3], widest: &mut Gap) -> [[f64; 3]; 2] {
        let (p, q) = (self.a.farthest(direction), self.b.farthest(neg(direction)));
        let gap = dot(direction, sub(q, p));
        if gap > widest.at_least {
            let heights = [dot(direction, p), dot(direction, q)];
            *widest = Gap { at_least: gap, direction, heights };
        }
        [p, q]
    }

    /// Whether the gap exceeds the radii and errors.
    fn are_apart(&self, gap: &Gap) -> bool {
        gap.at_least > self.a.radius + self.b.radius + 2.0 * self.error
    }

    /// The plane in the middle of a gap.
    fn plane(&self, gap: &Gap) -> Plane {
        let low = gap.heights[0] + self.a.radius;
        let high = gap.heights[1] - self.b.radius;
        Plane { normal: gap.direction, offset: 0.5 * low + 0.5 * high }
    }

    /// A point in both shapes, if these points of the shrunk cores are near enough to prove one.
    fn between(&self, [p, q]: [[f64; 3]; 2]) -> Option<[f64; 3]> {
        let [of_a, of_b] = self.margins;
        let enough = of_a + of_b - self.error;
        let line = sub(q, p);
        let point = add(p, scale(line, of_a / (of_a + of_b)));
        // A flat simplex may have weights that are NaN, for which this is false.
        let is_near = length_squared(line).sqrt() < enough;
        (of_a > self.error && of_b > self.error && is_near).then_some(point)
    }
}

struct Search<'p, A: ?Sized, B: ?Sized> {
    pair: &'p Pair<'p, A, B>,
    /// Points of the shrunk cores; the ends of the simplex are their numbers.
    points: Vec<[[f64; 3]; 2]>,
    simplex: Simplex,
    /// The next direction.
    next: [f64; 3],
    gap: Gap,
    /// An upper bound of the distance of the shrunk cores, up to rounding.
    at_most: f64,
    holds_origin: bool,
    ended: bool,
    /// Whether the last step came no nearer, so that the next is a second try.
    tried: bool,
    scale: f64,
}

impl<'p, A: Shape + ?Sized, B: Shape + ?Sized> Search<'p, A, B> {
    /// Starts along the widest gap so far, or from center to center.
    fn new(pair: &'p Pair<'p, A, B>, gap: Gap) -> Self {
        let seen = gap.at_least > f64::NEG_INFINITY;
        let between = || unit(sub(pair.centers[1], pair.centers[0])).unwrap_or([1.0, 0.0, 0.0]);
        Self {
            pair,
            points: Vec::with_capacity(16),
            simplex: Simplex::new(),
            next: if seen { gap.direction } else { between() },
            gap,
            at_most: f64::INFINITY,
            holds_origin: false,
            ended: false,
            tried: false,
            scale: pair.a.shape.reach() + pair.b.shape.reach(),
        }
    }

    /// Searches one direction; `false` at the end.
    fn step(&mut self) -> bool {
        if self.ended || self.points.len() == MOST_STEPS {
            return false;
        }
        let pair = self.pair;
        let [p, q] = pair.look(self.next, &mut self.gap);
        let p = shrunk(p, pair.centers[0], pair.factors[0]);
        let q = shrunk(q, pair.centers[1], pair.factors[1]);
        let number = self.points.len() as u32;
        self.points.push([p, q]);
        let before = self.simplex;
        self.simplex.push(sub(q, p), [number; 2]);
        let Some(nearest) = self.simplex.reduce() else {
            (self.holds_origin, self.at_most, self.ended) = (true, 0.0, true);
            return true;
        };
        let length = length_squared(nearest).sqrt();
        let nearer = length < self.at_most;
        if nearer {
            (self.at_most, self.tried) = (length, false);
            self.ended = length - self.gap.at_least <= ENOUGH * (length + self.scale);
        } else {
            // No nearer: the old simplex was better.
            self.simplex = before;
        }
        // Near contact the nearest point is noise, but the simplex still has a direction. On curved shapes the simplex
        // may be too thin to have one. If one direction fails, the other is tried.
        let near_contact = self.at_most < NEAR_CONTACT * self.scale;
        let towards = match self.simplex.reduce() {
            Some(nearest) if near_contact == nearer => self.simplex.towards_origin(nearest),
            Some(nearest) => nearest,
            None => [0.0; 3],
        };
        self.ended |= !nearer && std::mem::replace(&mut self.tried, true);
        match unit(towards) {
            Some(towards) => self.next = towards,
            None => self.ended = true,
        }
        true
    }

    /// The nearest points of the shrunk cores.
    fn nearest_points(&self) -> [[f64; 3]; 2] {
        let weights = match *self.simplex.points() {
            [a, b, c, d] if self.holds_origin => of_origin([a, b, c, d]),
            _ => [0, 1, 2, 3].map(|i| self.simplex.weights().get(i).copied().unwrap_or(0.0)),
        };
        let mut nearest = [[0.0; 3]; 2];
        for (&[number, _], weight) in self.simplex.ends().iter().zip(weights) {
            let pair = self.points[number as usize];
            nearest = [0, 1].map(|k| add(nearest[k], scale(pair[k], weight)));
        }
        nearest
    }

    /// A point in both shapes, if the shrunk cores are near enough to prove one.
    fn common_point(&self) -> Option<[f64; 3]> {
        let [of_a, of_b] = self.pair.margins;
        let hopeless = self.at_most >= of_a + of_b - self.pair.error;
        if hopeless { None } else { self.pair.between(self.nearest_points()) }
    }
}

/// The factor by which a core is shrunk, and the distance from the rest within which points are in the shape.
fn given(inner: f64, radius: f64, error: f64, shrink: bool) -> (f64, f64) {
    /// A shape keeps at least this part of its core.
    const LARGEST_FACTOR: f64 = 0.25;
    let needed = 8.0 * error;
    if radius > needed || !shrink {
        return (0.0, radius);
    }
    let factor = needed / inner;
    if factor < LARGEST_FACTOR { (factor, needed + radius) } else { (0.0, radius) }
}

/// The weights with which four points make the origin: not negative, with sum 1 up to rounding.
///
/// For curved shapes that hardly meet, the four are close together and almost in a plane. So the weights are those of
/// the edges, and are refined twice.
fn of_origin([a, b, c, d]: [[f64; 3]; 4]) -> [f64; 4] {
    let edges = [sub(b, a), sub(c, a), sub(d, a)];
    let sides = [0, 1, 2].map(|i| cross(edges[(i + 1) % 3], edges[(i + 2) % 3]));
    let volume = dot(edges[0], sides[0]);
    let mut weights = [0.0; 3];
    let mut rest = a;
    for _ in 0..3 {
        for i in 0..3 {
            weights[i] -= dot(rest, sides[i]) / volume;
        }
        let made = (0..3).fold([0.0; 3], |sum, i| add(sum, scale(edges[i], weights[i])));
        rest = add(a, made);
    }
    let first = 1.0 - (weights[0] + weights[1] + weights[2]);
    let weights = [first, weights[0], weights[1], weights[2]].map(|weight| weight.max(0.0));
    let sum: f64 = weights.iter().sum();
    weights.map(|weight| weight / sum)
}

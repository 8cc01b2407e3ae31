//! Gilbert's algorithm over cores: whether two shapes meet, and how far they are apart.
//!
//! Every direction that was looked at bounds the distance from below, every simplex from above, and
//! what is rounded is known. So the search may stop wherever it likes.
//!
//! That cores are nearer than the radii proves contact only where there are radii; what a shape
//! without one lacks it is given: its core is shrunk about the centre of a ball that it holds, by
//! the factor that makes the errors of the arithmetic, and a little, a radius. See
//! [`Inset`](crate::convex::Inset).

use super::placed::{PlacedShape, shrunk};
use super::{Shape, closed_form};
use crate::Plane;
use crate::convex::Simplex;
use crate::convex::gjk::towards_origin;
use crate::convex::vector::{Vector, add, cross, dot, negated, scaled, square, sub, unit};

/// Whether two shapes meet, proved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ShapeVerdict {
    /// They do not: the plane has all points of the first strictly on its negative side, and all of
    /// the second strictly on its positive side.
    Apart(Plane),
    /// They do: this point is in both.
    Collides([f64; 3]),
    /// They touch or nearly touch: rounding does not let us tell.
    Undecided,
}

/// How far two shapes are apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeDistance {
    /// The nearest points of the two, in the world, rounded. Where the shapes meet, one point of
    /// both, up to rounding.
    pub points: [[f64; 3]; 2],
    /// The distance is not less. 0 where they meet.
    pub at_least: f64,
    /// The distance is not more.
    pub at_most: f64,
    /// The direction from the first to the second along which they are `at_least` apart, of length
    /// 1; zero where they are not known to be apart.
    pub direction: [f64; 3],
}

/// The most steps of a search. Polytopes, capsules and balls need ten, curved bodies some thirty,
/// where they nearly touch a hundred.
const MOST_STEPS: usize = 160;

/// Relative to the size: bounds that are so near to each other are one.
const ENOUGH: f64 = 1e-15;

/// Relative to the size: below this distance the nearest point is mostly rounding.
const NEAR_CONTACT: f64 = 1e-6;

/// Whether two shapes have a point in common. Touching is not told from nearly touching.
///
/// With ε = 2⁻⁵³ · (the reach of both + their distance from the origin), errors are at most some
/// 100 ε. `Apart` is answered where a gap exceeds them, and `Collides` where the shapes, shrunk by
/// about as much, still meet; the margin in which the answer may be `Undecided` is
///
/// - for balls, capsules, boxes and rounded polytopes: a gap or depth below 1000 ε, times the ratio
///   of the reach to the inner ball where a shape has no radius;
/// - for cylinders, cones and ellipsoids, where simplices become ever thinner: measured, not proved,
///   a gap or depth below 1e-8 of the size. At 1e-9 one answer in fifty is missing.
///
/// ```
/// use xcollide_narrow::Pose;
/// use xcollide_narrow::convex::shape::{Cone, Cylinder, PlacedShape, ShapeVerdict, collide};
///
/// let (cone, cylinder) = (Cone::new(1.0, 0.5)?, Cylinder::new(1.0, 0.5)?);
/// let a = PlacedShape::new(&cone, &Pose::identity())?; // its apex is at z = 1
/// let b = PlacedShape::new(&cylinder, &Pose::translation(0.25, 0.0, 2.125))?;
/// assert!(matches!(collide(&a, &b), ShapeVerdict::Apart(_)));
/// let b = PlacedShape::new(&cylinder, &Pose::translation(0.25, 0.0, 1.875))?;
/// assert!(matches!(collide(&a, &b), ShapeVerdict::Collides(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn collide<A, B>(a: &PlacedShape<'_, A>, b: &PlacedShape<'_, B>) -> ShapeVerdict
where
    A: Shape + ?Sized,
    B: Shape + ?Sized,
{
    let mut search = Search::new(a, b, true);
    if let Some(nearest) = search.start() {
        if search.are_apart() {
            return ShapeVerdict::Apart(search.plane());
        }
        if let Some(point) = search.between(nearest) {
            return ShapeVerdict::Collides(point);
        }
    }
    while search.step() {
        if search.are_apart() {
            return ShapeVerdict::Apart(search.plane());
        }
        if let Some(point) = search.common_point() {
            return ShapeVerdict::Collides(point);
        }
    }
    ShapeVerdict::Undecided
}

/// The distance of two shapes, with their nearest points.
///
/// Both bounds hold; they agree up to a few units in the last place of the sizes for balls,
/// capsules, boxes and rounded polytopes, and mostly to 1e-9 of the size for curved ones.
#[must_use]
pub fn distance<A, B>(a: &PlacedShape<'_, A>, b: &PlacedShape<'_, B>) -> ShapeDistance
where
    A: Shape + ?Sized,
    B: Shape + ?Sized,
{
    let mut search = Search::new(a, b, false);
    let [of_a, of_b] = [a.shape().radius(), b.shape().radius()];
    let is_known = |search: &Search<'_, A, B>, [p, q]: [Vector; 2]| {
        let between = square(sub(q, p)).sqrt();
        // Where the radii overlap, there is nothing to be known but a point.
        between < of_a + of_b || between - search.at_least <= search.error
    };
    let known = search.start();
    let [p, q] = known.filter(|&nearest| is_known(&search, nearest)).unwrap_or_else(|| {
        while search.step() && !search.holds_origin {}
        search.nearest_points()
    });
    let (line, error) = (sub(q, p), 2.0 * search.error);
    let between = square(line).sqrt();
    let at_least = (search.at_least - (of_a + of_b) - error).max(0.0);
    let at_most = (between - (of_a + of_b)).max(0.0) + error;
    let direction = if at_least > 0.0 { search.direction } else { [0.0; 3] };
    // Where the radii overlap, a point that is in both.
    let points = if between > of_a + of_b {
        let outward = scaled(line, 1.0 / between);
        [add(p, scaled(outward, of_a)), sub(q, scaled(outward, of_b))]
    } else {
        let part = if of_a + of_b > 0.0 { of_a / (of_a + of_b) } else { 0.5 };
        [add(p, scaled(line, part)); 2]
    };
    ShapeDistance { points, at_least, at_most, direction }
}

/// A search with what it knows.
struct Search<'p, A: ?Sized, B: ?Sized> {
    a: &'p PlacedShape<'p, A>,
    b: &'p PlacedShape<'p, B>,
    /// Points of the shrunk cores; the simplex names them by number.
    points: Vec<[Vector; 2]>,
    simplex: Simplex,
    /// Where to look next.
    next: Vector,
    /// The largest gap of the cores that was seen, and along which direction.
    at_least: f64,
    direction: Vector,
    heights: [f64; 2],
    /// The distance of the shrunk cores is not more, up to rounding.
    at_most: f64,
    holds_origin: bool,
    ended: bool,
    /// Whether the last step came no nearer, and the next is a second try.
    tried: bool,
    centres: [Vector; 2],
    factors: [f64; 2],
    /// How far beyond a shrunk core a point is in the shape for sure; nothing where negative.
    margins: [f64; 2],
    /// How far heights and points may be off, for both shapes together.
    error: f64,
    scale: f64,
}

impl<'p, A: Shape + ?Sized, B: Shape + ?Sized> Search<'p, A, B> {
    fn new(a: &'p PlacedShape<'p, A>, b: &'p PlacedShape<'p, B>, shrink: bool) -> Self {
        let error = a.error() + b.error();
        let of_a = given(a.inner_ball().1, a.shape().radius(), error, shrink);
        let of_b = given(b.inner_ball().1, b.shape().radius(), error, shrink);
        let centres = [a.inner_ball().0, b.inner_ball().0];
        let next = unit(sub(centres[1], centres[0])).unwrap_or([1.0, 0.0, 0.0]);
        let scale = a.shape().reach() + b.shape().reach();
        Self {
            a,
            b,
            points: Vec::new(),
            simplex: Simplex::new(),
            next,
            at_least: f64::NEG_INFINITY,
            direction: next,
            heights: [0.0; 2],
            at_most: f64::INFINITY,
            holds_origin: false,
            ended: false,
            tried: false,
            centres,
            factors: [of_a.0, of_b.0],
            margins: [of_a.1 - error, of_b.1 - error],
            error,
            scale,
        }
    }

    /// The nearest points of the shrunk cores, if there is a formula; and how large the gap between
    /// them is.
    fn start(&mut self) -> Option<[Vector; 2]> {
        let [p, q] = closed_form::nearest(self.a, self.b, self.factors)?;
        if let Some(direction) = unit(sub(q, p)) {
            self.look(direction);
            self.next = direction;
        }
        Some([p, q])
    }

    /// Measures the gap of the cores along a direction; returns the points that it is between.
    fn look(&mut self, direction: Vector) -> [Vector; 2] {
        let (p, q) = (self.a.farthest(direction), self.b.farthest(negated(direction)));
        let gap = dot(direction, sub(q, p));
        if gap > self.at_least {
            (self.at_least, self.direction) = (gap, direction);
            self.heights = [dot(direction, p), dot(direction, q)];
        }
        [p, q]
    }

    /// Whether a gap was seen that is one for sure.
    fn are_apart(&self) -> bool {
        let radii = self.a.shape().radius() + self.b.shape().radius();
        self.at_least > radii + 2.0 * self.error
    }

    /// Looks along one direction; `false` where there is nothing more to find out.
    fn step(&mut self) -> bool {
        if self.ended || self.points.len() == MOST_STEPS {
            return false;
        }
        if self.points.is_empty() {
            self.points.reserve(16);
        }
        let [p, q] = self.look(self.next);
        let p = shrunk(p, self.centres[0], self.factors[0]);
        let q = shrunk(q, self.centres[1], self.factors[1]);
        let number = self.points.len() as u32;
        self.points.push([p, q]);
        let before = self.simplex;
        self.simplex.push(sub(q, p), [number; 2]);
        let Some(nearest) = self.simplex.reduce() else {
            (self.holds_origin, self.at_most, self.ended) = (true, 0.0, true);
            return true;
        };
        let length = square(nearest).sqrt();
        let nearer = length < self.at_most;
        if nearer {
            (self.at_most, self.tried) = (length, false);
            self.ended = length - self.at_least <= ENOUGH * (length + self.scale);
        } else {
            // No nearer: what was there was better.
            self.simplex = before;
        }
        // Near contact the nearest point is noise, but the simplex still has a direction; on curved
        // shapes it may become so thin that it has none. Where one fails the other is tried.
        let near_contact = self.at_most < NEAR_CONTACT * self.scale;
        let towards = match self.simplex.reduce() {
            Some(nearest) if near_contact == nearer => towards_origin(&self.simplex, nearest),
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

    /// The plane half way in the widest gap.
    fn plane(&self) -> Plane {
        let low = self.heights[0] + self.a.shape().radius();
        let high = self.heights[1] - self.b.shape().radius();
        Plane { normal: self.direction, offset: 0.5 * low + 0.5 * high }
    }

    /// The nearest points of the shrunk cores.
    fn nearest_points(&self) -> [Vector; 2] {
        let weights = match *self.simplex.points() {
            [a, b, c, d] if self.holds_origin => of_origin([a, b, c, d]),
            _ => [0, 1, 2, 3].map(|i| self.simplex.weights().get(i).copied().unwrap_or(0.0)),
        };
        let mut nearest = [[0.0; 3]; 2];
        for (&[number, _], weight) in self.simplex.ends().iter().zip(weights) {
            let pair = self.points[number as usize];
            nearest = [0, 1].map(|k| add(nearest[k], scaled(pair[k], weight)));
        }
        nearest
    }

    /// A point in both shapes, if the shrunk cores are near enough to each other to prove one.
    fn common_point(&self) -> Option<Vector> {
        let [of_a, of_b] = self.margins;
        let hopeless = self.at_most >= of_a + of_b - self.error;
        if hopeless { None } else { self.between(self.nearest_points()) }
    }

    /// The same for points of the shrunk cores, near to each other.
    fn between(&self, [p, q]: [Vector; 2]) -> Option<Vector> {
        let [of_a, of_b] = self.margins;
        let enough = of_a + of_b - self.error;
        let line = sub(q, p);
        let point = add(p, scaled(line, of_a / (of_a + of_b)));
        // Of weights that are no weights, from a flat simplex, nothing follows.
        let is_near = square(line).sqrt() < enough;
        (of_a > self.error && of_b > self.error && is_near).then_some(point)
    }
}

/// The factor by which a core is shrunk, and how far beyond what is left points are in the shape.
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

/// The weights with which four points make the origin; not negative, and of sum 1 but for rounding.
///
/// On curved shapes that hardly meet the four are close together and almost in a plane: so the
/// weights are those of the edges, and improved twice.
fn of_origin([a, b, c, d]: [Vector; 4]) -> [f64; 4] {
    let edges = [sub(b, a), sub(c, a), sub(d, a)];
    let sides = [0, 1, 2].map(|i| cross(edges[(i + 1) % 3], edges[(i + 2) % 3]));
    let volume = dot(edges[0], sides[0]);
    let mut weights = [0.0; 3];
    let mut rest = a;
    for _ in 0..3 {
        for i in 0..3 {
            weights[i] -= dot(rest, sides[i]) / volume;
        }
        let made = (0..3).fold([0.0; 3], |sum, i| add(sum, scaled(edges[i], weights[i])));
        rest = add(a, made);
    }
    let first = 1.0 - (weights[0] + weights[1] + weights[2]);
    let weights = [first, weights[0], weights[1], weights[2]].map(|weight| weight.max(0.0));
    let sum: f64 = weights.iter().sum();
    weights.map(|weight| weight / sum)
}

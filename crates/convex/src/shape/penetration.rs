//! The penetration depth of two shapes, with proved bounds.
//!
//! As of [polytopes](crate::epa::penetration), with the set M of all differences q − p of a point of B and one of A, whose
//! border is nearest to the origin at the depth. M is that of the cores, and all points at most both radii r away from
//! it. So where the cores are a distance d apart, the depth is r − d. Where the cores meet, a polytope grows in their M, and
//! the depth is that of the cores plus r. Of round cores the facets near the nearest point are divided again and again: steps are
//! limited, and both bounds hold at any.

use super::Shape;
use super::gap::Pair;
use super::placed::PlacedShape;
use crate::body::UNIT;
use crate::epa::penetration::Penetration;
use crate::epa::{ExpandingPolytope, LowestFacet};
use xcollide_math::vector::{
    add, cross, dot, length, length_squared, neg, perpendicular, scale, sub, unit,
};

/// The most facets searched.
const MOST_STEPS: usize = 256;

/// The search of round cores ends when the bounds differ by this part of the size.
const ENOUGH_CURVED: f64 = 1e-10;

impl<A: Shape + ?Sized> PlacedShape<'_, A> {
    /// The penetration depth of two shapes that meet: of shapes that are apart the bounds are about 0.
    ///
    /// - Moved by [`at_most`](Penetration::at_most) along the direction, this shape is apart from the other, or touches it.
    /// - Moved by less than [`at_least`](Penetration::at_least) anywhere, it still meets it.
    ///
    /// The bounds agree up to rounding where the cores are apart, as those of balls and capsules in contact, and for boxes;
    /// for cylinders, cones and ellipsoids mostly up to 1e-9 of the size. If many directions are as good, as in the middle
    /// of two round bodies, the limit of steps leaves them some percent apart.
    ///
    /// ```
    /// use xcollide_math::Pose;
    /// use xcollide_convex::shape::{Ball, Cuboid, PlacedShape};
    ///
    /// let (ball, cuboid) = (Ball::new(0.5)?, Cuboid::new([4.0, 4.0, 1.0])?);
    /// let ball = PlacedShape::new(&ball, &Pose::from_translation([1.0, 0.0, 1.25]))?;
    /// let cuboid = PlacedShape::new(&cuboid, &Pose::IDENTITY)?;
    /// let found = ball.penetration(&cuboid);
    /// assert!(found.at_least <= 0.25 && 0.25 <= found.at_most && found.at_most - found.at_least < 1e-12);
    /// assert_eq!(found.direction, [0.0, 0.0, 1.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn penetration<B: Shape + ?Sized>(&self, other: &PlacedShape<'_, B>) -> Penetration {
        let pair = Pair::new(self, other, false);
        let radii = self.radius + other.radius;
        if radii > 0.0 {
            let (gap, [p, q]) = pair.nearest(0.0);
            let between = length(sub(q, p));
            // Else the direction is noise.
            if gap.at_least > 64.0 * pair.error {
                let direction = neg(gap.direction);
                let rounding = 2.0 * pair.error + 8.0 * UNIT * radii;
                let points = [
                    add(p, scale(direction, -self.radius)),
                    add(q, scale(direction, other.radius)),
                ];
                let at_most = (radii - gap.at_least + rounding).max(0.0);
                let at_least = (radii - between - rounding).clamp(0.0, at_most);
                return Penetration { direction, points, at_least, at_most, probes: 1 };
            }
        }
        Search::new(&pair).run()
    }
}

/// A search for the nearest point of the border of M of the cores.
struct Search<'p, A: ?Sized, B: ?Sized> {
    pair: &'p Pair<'p, A, B>,
    expanding: ExpandingPolytope,
    /// The points of the cores of all differences.
    ends: Vec<[[f64; 3]; 2]>,
    /// The least height of M along any direction so far, and the direction.
    best: (f64, [f64; 3]),
}

/// A point of M, by its number.
type Difference = ([f64; 3], u32);

impl<'p, A: Shape + ?Sized, B: Shape + ?Sized> Search<'p, A, B> {
    fn new(pair: &'p Pair<'p, A, B>) -> Self {
        let best = (f64::INFINITY, [1.0, 0.0, 0.0]);
        Self { pair, expanding: ExpandingPolytope::default(), ends: Vec::new(), best }
    }

    fn run(mut self) -> Penetration {
        let Pair { a, b, error, .. } = *self.pair;
        let radii = a.radius + b.radius;
        let mut of_cores = f64::NEG_INFINITY;
        let mut middle = None;
        if self.begin()
            && let Some(facet) = self.expand()
            && self.expanding.holds_origin()
        {
            // One unit for each difference, seven more for direction and height.
            of_cores = facet.height - 16.0 * UNIT * self.expanding.reach() - error;
            middle = self.foot(facet);
        }
        if self.is_curved() {
            self.refine();
        }
        let (height, direction) = self.best;
        let rounding = 2.0 * error + 16.0 * UNIT * (height.abs() + radii);
        let at_most = (height + radii + rounding).max(0.0);
        if of_cores == f64::NEG_INFINITY {
            // A flat M, or one that the origin is hardly in: what the nearest points of the cores tell.
            let [p, q] = self.pair.nearest(0.0).1;
            of_cores = -length(sub(q, p)) - 2.0 * error;
        }
        let at_least = (of_cores + radii - rounding).clamp(0.0, at_most);
        let [p, q] = middle.unwrap_or_else(|| [a.farthest(neg(direction)), b.farthest(direction)]);
        let points = [add(p, scale(direction, -a.radius)), add(q, scale(direction, b.radius))];
        Penetration { direction, points, at_least, at_most, probes: self.ends.len() as u64 }
    }

    /// The points of the cores that make the foot of the perpendicular of the lowest facet.
    fn foot(&self, facet: LowestFacet) -> Option<[[f64; 3]; 2]> {
        let simplex = self.expanding.foot(facet);
        let mut points = [[0.0; 3]; 2];
        for (&[end, _], &weight) in simplex.ends().iter().zip(simplex.weights()) {
            let ends = self.ends.get(end as usize)?;
            points = [0, 1].map(|k| add(points[k], scale(ends[k], weight)));
        }
        (!simplex.is_empty()).then_some(points)
    }

    /// The point of M farthest along a unit vector.
    fn farthest(&mut self, direction: [f64; 3]) -> Difference {
        let [p, q] = [self.pair.a.farthest(neg(direction)), self.pair.b.farthest(direction)];
        let height = dot(direction, sub(q, p));
        if height < self.best.0 {
            self.best = (height, direction);
        }
        self.ends.push([p, q]);
        (sub(q, p), self.ends.len() as u32 - 1)
    }

    /// Starts with four points of M that span space. `false` if M is flat, after a search along the direction across it.
    fn begin(&mut self) -> bool {
        let mut found: Vec<Difference> = Vec::with_capacity(6);
        for axis in 0..3 {
            for side in [1.0, -1.0] {
                let mut direction = [0.0; 3];
                direction[axis] = side;
                found.push(self.farthest(direction));
            }
        }
        let width = |i: usize| length_squared(sub(found[2 * i + 1].0, found[2 * i].0));
        let widest = (1..3).fold(0, |best, i| if width(i) > width(best) { i } else { best });
        let (a, b) = (found[2 * widest], found[2 * widest + 1]);
        let line = sub(b.0, a.0);
        let first = perpendicular(line);
        for direction in [first, cross(line, first)] {
            self.both_ways(direction, &mut found);
        }
        let distance = |&(point, _): &Difference| length_squared(cross(line, sub(point, a.0)));
        let c = found
            .iter()
            .fold(a, |c, point| if distance(point) > distance(&c) { *point } else { c });
        let normal = cross(line, sub(c.0, a.0));
        found.clear();
        self.both_ways(normal, &mut found);
        let aside = |point: &Difference| dot(normal, sub(point.0, a.0)).abs();
        found.sort_by(|p, q| aside(q).total_cmp(&aside(p)));
        found.iter().any(|d| {
            let (points, ends) = ([a.0, b.0, c.0, d.0], [a.1, b.1, c.1, d.1]);
            self.expanding.start(points, ends.map(|end| [end; 2]))
        })
    }

    fn both_ways(&mut self, direction: [f64; 3], found: &mut Vec<Difference>) {
        if let Some(direction) = unit(direction) {
            for direction in [direction, neg(direction)] {
                found.push(self.farthest(direction));
            }
        }
    }

    /// Expands the polytope until hardly a point is beyond its lowest facet, and returns that facet.
    fn expand(&mut self) -> Option<LowestFacet> {
        let part = if self.is_curved() { ENOUGH_CURVED } else { 2.0 * UNIT };
        for _ in 0..MOST_STEPS {
            let facet = self.expanding.nearest()?;
            if self.best.0 - facet.height <= part * self.expanding.reach() {
                break;
            }
            let (point, end) = self.farthest(facet.direction);
            if self.expanding.sees(facet.facet, point) {
                self.expanding.expand(facet.facet, point, [end; 2]);
            } else if !self.expanding.measure_again(facet) {
                break;
            }
        }
        self.expanding.nearest()
    }

    fn is_curved(&self) -> bool {
        self.pair.a.core.is_curved() || self.pair.b.core.is_curved()
    }

    /// Turns the best direction to that in which the shapes are nearest where they are just apart, while that is better.
    fn refine(&mut self) {
        const TURNS: usize = 8;
        let Pair { a, b, .. } = *self.pair;
        for _ in 0..TURNS {
            let (height, direction) = self.best;
            let apart = height + a.radius + b.radius + 1e-3 * self.expanding.reach();
            let moved = a.translated(scale(direction, apart));
            let found = moved.distance(b);
            if found.direction == [0.0; 3] {
                return;
            }
            self.farthest(neg(found.direction));
            if self.best.0 >= height {
                return;
            }
        }
    }
}

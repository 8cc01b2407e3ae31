//! How deep two convex bodies are in each other, with bounds that hold.
//!
//! The bodies have a point in common iff the set M of all differences q − p, of a point of B and
//! one of A, holds the origin. Moving A by t moves M by −t; so the shortest move that parts the two
//! goes to the nearest point of the border of M, and its length is the depth.
//!
//! ```text
//!        ________
//!      ╱    ·n   ╲  M       A polytope P grows inside M (van den Bergen 2001): its facet nearest
//!     │   __↑__   │         to the origin shows a direction n, support along n a point of M
//!     │  ╱  ·  ╲  │         beyond it, and P takes that in. Until there is nothing beyond.
//!     │ ╱___o___╲ │
//!      ╲_________╱          distance to the border of P ≤ depth ≤ height of M along any n
//! ```
//!
//! Both bounds hold at any step, so the number of steps is limited without harm; and both are
//! widened by all that was rounded on the way. That P is convex and holds the origin is decided
//! exactly, see [`epa`](super). Whether the bodies meet at all, somebody else must have decided.
//!
//! Source: van den Bergen, *Proximity queries and penetration depth computation on 3D game
//! objects*, 2001; the bounds are ours.

use super::{ExpandingPolytope, Nearest};
use crate::contact_certificate::needed;
use crate::gjk::distance::points;
use crate::gjk::simplex::Simplex;
use crate::pair::Pair;
use xcollide_math::vector::{cross, dot, length_squared, neg, perpendicular, sub, unit};

/// How deep two bodies are in each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Penetration {
    /// The normal of contact, of length 1, in the world, from B to A: moving A along it parts the
    /// two soonest.
    pub direction: [f64; 3],
    /// The deepest point of A in B and of B in A, in the world, rounded: A moved by the depth along
    /// the direction touches B there.
    pub points: [[f64; 3]; 2],
    /// The depth is not less: placed at a translation that differs from its own by less than this,
    /// A still collides with B. 0 where a body is not known to fill its hull.
    pub at_least: f64,
    /// The depth is not more: placed at a translation that differs from its own by this times the
    /// direction, A is apart from B.
    pub at_most: f64,
    /// How often both bodies were searched for support.
    pub probes: u64,
}

/// The most facets that are looked at. Random pairs need ten to fifty; round ones that lie in each
/// other's middle, where all directions are nearly as good, use up any number.
const MOST_STEPS: usize = 512;

/// A length that moves apart what coincides.
const SMALLEST: f64 = 1e-300;

/// u = 2⁻⁵³, the relative error of one rounding.
const UNIT: f64 = f64::EPSILON / 2.0;

/// What is kept with a pair from query to query; it changes bounds by rounding only.
#[derive(Debug, Default)]
pub struct PenetrationMemory {
    /// The vertices of the simplex that held the origin.
    start: Vec<[u32; 2]>,
    /// Its memory is used again.
    expanding: ExpandingPolytope,
}

/// What is known about the points of a polytope.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Filled {
    /// Those that are deep enough are in the body.
    Body,
    /// All are in the surface.
    Flat,
    /// Nothing.
    No,
}

impl Pair<'_> {
    /// How deep two bodies that meet are in each other; `None` where products of coordinates leave the range in
    /// which rounding errors are known.
    ///
    /// - [`at_most`](Penetration::at_most) is proved of whatever the polytopes hold.
    /// - [`at_least`](Penetration::at_least) is proved of bodies whose [`Solidity`](crate::Solidity) is known, up
    ///   to their dents, and of what is `flat` and all of its polytope. Of others it is 0.
    ///
    /// For convex bodies the two bounds mostly agree up to 1e-13 of the size of the bodies, which is
    /// what they allow for rounding. Round bodies of some hundred facets that lie in each other's middle
    /// use up the steps; then the bounds are some percent apart, and hold all the same.
    pub fn penetration(
        &mut self,
        flat: [bool; 2],
        memory: &mut PenetrationMemory,
    ) -> Option<Penetration> {
        let [a, b] = [self.a().polytope(), self.b().polytope()];
        if !self.is_certifiable() && (a.reach() != 0.0 || b.reach() != 0.0) {
            return None;
        }
        let known = |end: [u32; 2]| (end[0] as usize) < a.len() && (end[1] as usize) < b.len();
        memory.start.retain(|&end| known(end));
        let filled = |is_body: bool, is_flat: bool| match (is_body, is_flat) {
            (true, _) => Filled::Body,
            (_, true) => Filled::Flat,
            _ => Filled::No,
        };
        let filled =
            [filled(a.solidity().is_some(), flat[0]), filled(b.solidity().is_some(), flat[1])];
        Some(Search::new(self, memory).run(filled))
    }
}

/// A search for the nearest point of the border.
struct Search<'p, 'a> {
    pair: &'p mut Pair<'a>,
    memory: &'p mut PenetrationMemory,
    ends: [u32; 2],
    /// The least height of M that a direction has shown, and the direction.
    best: (f64, [f64; 3]),
}

/// A point of M with the vertices that it comes from.
type Difference = ([f64; 3], [u32; 2]);

impl<'p, 'a> Search<'p, 'a> {
    fn new(pair: &'p mut Pair<'a>, memory: &'p mut PenetrationMemory) -> Self {
        let ends = memory.start.first().copied().unwrap_or_default();
        Self { pair, memory, ends, best: (f64::INFINITY, [1.0, 0.0, 0.0]) }
    }

    fn run(mut self, filled: [Filled; 2]) -> Penetration {
        let meeting = self.pair.nearest(&self.memory.start);
        self.memory.start.clear();
        self.memory.start.extend_from_slice(meeting.simplex.ends());
        let mut witnesses = meeting.points;
        let mut hulls_at_least = 0.0;
        if self.begin(&meeting.simplex)
            && let Some(facet) = self.expand()
        {
            let expanding = &self.memory.expanding;
            if expanding.holds_origin() {
                // Rounded: the differences by one unit each, direction and height by seven more.
                hulls_at_least = facet.height - 16.0 * UNIT * expanding.reach();
            }
            let simplex = expanding.foot(facet);
            witnesses = points(self.pair, &simplex);
        }
        let (_, direction) = self.best;
        let at_most = self.at_most();
        let at_least = self.at_least(hulls_at_least, filled).clamp(0.0, at_most);
        Penetration { direction, points: witnesses, at_least, at_most, probes: self.pair.probes() }
    }

    /// The point of M farthest along a unit vector.
    fn farthest(&mut self, direction: [f64; 3]) -> Difference {
        let probe = self.pair.probe(neg(direction), self.ends);
        self.ends = probe.ends;
        let height = -probe.gap;
        if height < self.best.0 {
            self.best = (height, direction);
        }
        (probe.difference, probe.ends)
    }

    /// Starts with four points of M that span space: those that hold the origin, or any. `false`
    /// where M is flat; the direction across it is then among those looked at.
    fn begin(&mut self, simplex: &Simplex) -> bool {
        if let (&[a, b, c, d], &[e, f, g, h]) = (simplex.points(), simplex.ends())
            && self.memory.expanding.start([a, b, c, d], [e, f, g, h])
        {
            return true;
        }
        let mut found = Vec::with_capacity(6);
        for axis in 0..3 {
            for side in [1.0, -1.0] {
                let mut direction = [0.0; 3];
                direction[axis] = side;
                found.push(self.farthest(direction));
            }
        }
        // The widest of three; it may be wide along another axis.
        let width = |i: usize| length_squared(sub(found[2 * i + 1].0, found[2 * i].0));
        let widest = (1..3).fold(0, |best, i| if width(i) > width(best) { i } else { best });
        let (a, b) = (found[2 * widest], found[2 * widest + 1]);
        let line = sub(b.0, a.0);
        let first = perpendicular(line);
        let distance = |&(point, _): &Difference| length_squared(cross(line, sub(point, a.0)));
        for direction in [first, cross(line, first)] {
            self.both_ways(direction, &mut found);
        }
        let mut c = a;
        for point in &found {
            if distance(point) > distance(&c) {
                c = *point;
            }
        }
        let normal = cross(line, sub(c.0, a.0));
        found.clear();
        self.both_ways(normal, &mut found);
        let aside = |point: &Difference| dot(normal, sub(point.0, a.0)).abs();
        found.sort_by(|p, q| aside(q).total_cmp(&aside(p)));
        found.iter().any(|d| {
            let (points, ends) = ([a.0, b.0, c.0, d.0], [a.1, b.1, c.1, d.1]);
            self.memory.expanding.start(points, ends)
        })
    }

    fn both_ways(&mut self, direction: [f64; 3], found: &mut Vec<Difference>) {
        if let Some(direction) = unit(direction) {
            for direction in [direction, neg(direction)] {
                found.push(self.farthest(direction));
            }
        }
    }

    /// Lets the polytope grow until nothing is beyond its nearest facet, and returns that one.
    fn expand(&mut self) -> Option<Nearest> {
        for _ in 0..MOST_STEPS {
            let facet = self.memory.expanding.nearest()?;
            let enough = 2.0 * UNIT * self.memory.expanding.reach();
            if self.best.0 - facet.height <= enough {
                break;
            }
            let (point, ends) = self.farthest(facet.direction);
            let expanding = &mut self.memory.expanding;
            if expanding.sees(facet.facet, point) {
                expanding.expand(facet.facet, point, ends);
            } else if !expanding.measure_again(facet) {
                break;
            }
        }
        self.memory.expanding.nearest()
    }

    /// How far the vertices of A, placed again near by, and of B are from where they would be
    /// without rounding: now, and then.
    fn noise(&self, move_by: f64) -> f64 {
        2.0 * self.pair.a().noise() + self.pair.b().noise() + 64.0 * UNIT * move_by
    }

    /// The height of M along the best direction, with all rounding.
    fn at_most(&mut self) -> f64 {
        let (height, direction) = self.best;
        let mut probe = self.pair.probe(neg(direction), self.ends);
        let mut slack = self.pair.slack(&probe);
        if slack.iter().any(|&slack| slack > 1.0) {
            probe = self.pair.probe_all(neg(direction));
            slack = [1.0; 2];
        }
        let [high, low] = probe.heights;
        let height = height.max(high - low).max(0.0);
        let error = 2.0 * self.pair.heights_error(slack) + 2.0 * self.noise(2.0 * height);
        // The last is for two points in the origin, where nothing is rounded.
        height + error + 16.0 * UNIT * (height + error) + SMALLEST
    }

    /// The depth of bodies whose hulls are at least so deep in each other.
    ///
    /// Shrink both hulls about their centers until what is left is in the bodies for sure, see
    /// [`ContactCertificate`](crate::ContactCertificate): no vertex moves by more than that part of the radius, so M does not
    /// lose more than both together.
    fn at_least(&self, hulls: f64, filled: [Filled; 2]) -> f64 {
        /// More than this part of a body is never taken away.
        const LARGEST_FACTOR: f64 = 0.25;
        if filled.contains(&Filled::No) || filled == [Filled::Flat; 2] {
            return 0.0;
        }
        let noise = self.noise(2.0 * hulls.max(0.0));
        let mut lost = 2.0 * noise + 16.0 * UNIT * hulls.abs();
        for body in [self.pair.a(), self.pair.b()] {
            let Some(factor) = needed(body, noise) else { continue };
            if factor > LARGEST_FACTOR {
                return 0.0;
            }
            lost += 1.01 * factor * body.polytope().radius();
        }
        hulls - lost
    }
}

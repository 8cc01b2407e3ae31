//! The penetration depth of two convex bodies, with proved bounds.
//!
//! The bodies have a point in common iff the set M of all differences q − p, of a point of B and one of A, holds the
//! origin. Moving A by t moves M by −t; so the shortest move that separates the two goes to the nearest point of the
//! border of M, and its length is the depth.
//!
//! ```text
//!        ________
//!      ╱    ·n   ╲  M       A polytope P grows inside M (van den Bergen 2001): the support query
//!     │   __↑__   │         along the normal n of its facet nearest to the origin finds a point of
//!     │  ╱  ·  ╲  │         M beyond the facet, which P adds, until there is none.
//!     │ ╱___o___╲ │
//!      ╲_________╱          distance to the border of P ≤ depth ≤ height of M along any n
//! ```
//!
//! Both bounds hold in every step, so the number of steps can be limited, and both include all rounding errors.
//! [Exact predicates](super) decide that P is convex and holds the origin. The caller must know that the bodies meet.
//!
//! Source: van den Bergen, *Proximity queries and penetration depth computation on 3D game objects*, 2001; the bounds are
//! ours.

use super::{ExpandingPolytope, LowestFacet};
use crate::body::UNIT;
use crate::contact_certificate::{LARGEST_FACTOR, needed};
use crate::gjk::distance::points;
use crate::gjk::simplex::Simplex;
use crate::pair::Pair;
use xcollide_math::vector::{cross, dot, length_squared, neg, perpendicular, sub, unit};

/// The penetration depth of two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Penetration {
    /// The contact normal in the world, of length 1, from B to A: moving A along it separates the two soonest.
    pub direction: [f64; 3],
    /// The deepest point of A in B and of B in A, in the world, rounded: A moved by the depth along the direction touches
    /// B there.
    pub points: [[f64; 3]; 2],
    /// A lower bound of the depth: at a translation that differs by less than this, A still collides with B. 0 if a body
    /// is not known to fill its hull.
    pub at_least: f64,
    /// An upper bound of the depth: at a translation that differs by this times the direction, A is apart from B.
    pub at_most: f64,
    /// The number of support queries of both bodies.
    pub probes: u64,
}

/// The most facets searched. Random pairs take ten to fifty; round ones in the middle of each other, where all directions
/// are nearly as good, use up any number.
const MOST_STEPS: usize = 512;

/// A length that separates coinciding points.
const SMALLEST: f64 = 1e-300;

/// The memory of a pair; it changes bounds by rounding only.
#[derive(Debug, Default)]
pub struct PenetrationMemory {
    /// The vertices of the simplex that held the origin.
    start: Vec<[u32; 2]>,
    /// Kept for its allocations.
    expanding: ExpandingPolytope,
}

impl Pair<'_> {
    /// The penetration depth of two bodies that meet; `None` if products of coordinates leave the range in which rounding
    /// errors are known.
    ///
    /// - [`at_most`](Penetration::at_most) is proved for any set inside the polytopes.
    /// - [`at_least`](Penetration::at_least) is proved for bodies with a [`Solidity`](crate::Solidity), up to their dents,
    ///   and for `flat` bodies that are all of their polytope. For others it is 0.
    ///
    /// For convex bodies the bounds mostly agree up to 1e-13 of the size, which is the allowance for rounding. Round
    /// bodies of some hundred facets in the middle of each other use up the steps; then the bounds still hold, and are
    /// some percent apart.
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
        let is_body = [a.solidity().is_some(), b.solidity().is_some()];
        // All deep points of a body, and all points of what is flat, belong to it; of two flat bodies none is deep.
        let are_filled =
            (is_body[0] || flat[0]) && (is_body[1] || flat[1]) && is_body != [false; 2];
        Some(Search::new(self, memory).run(are_filled))
    }
}

/// A search for the nearest point of the border.
struct Search<'p, 'a> {
    pair: &'p mut Pair<'a>,
    memory: &'p mut PenetrationMemory,
    ends: [u32; 2],
    /// The least height of M along any direction so far, and the direction.
    best: (f64, [f64; 3]),
}

/// A point of M with its vertices.
type Difference = ([f64; 3], [u32; 2]);

impl<'p, 'a> Search<'p, 'a> {
    fn new(pair: &'p mut Pair<'a>, memory: &'p mut PenetrationMemory) -> Self {
        let ends = memory.start.first().copied().unwrap_or_default();
        Self { pair, memory, ends, best: (f64::INFINITY, [1.0, 0.0, 0.0]) }
    }

    fn run(mut self, are_filled: bool) -> Penetration {
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
                // Rounding: one unit for each difference, seven more for direction and height.
                hulls_at_least = facet.height - 16.0 * UNIT * expanding.reach();
            }
            let simplex = expanding.foot(facet);
            witnesses = points(self.pair, &simplex);
        }
        let (_, direction) = self.best;
        let at_most = self.at_most();
        let at_least = if are_filled { self.at_least(hulls_at_least) } else { 0.0 };
        let at_least = at_least.clamp(0.0, at_most);
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

    /// Starts with four points of M that span space: those of the simplex, or any. `false` if M is flat, after a search
    /// along the direction across it.
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
        // The widest of the three axes.
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

    /// Expands the polytope until no point is beyond its lowest facet, and returns that facet.
    fn expand(&mut self) -> Option<LowestFacet> {
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

    /// A bound of the rounding errors of the vertices of A and B, now and after A has moved.
    fn noise(&self, move_by: f64) -> f64 {
        2.0 * self.pair.a().noise() + self.pair.b().noise() + 64.0 * UNIT * move_by
    }

    /// An upper bound of the height of M along the best direction.
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
        // The last term is for two points in the origin, without rounding.
        height + error + 16.0 * UNIT * (height + error) + SMALLEST
    }

    /// A lower bound of the depth of bodies, given one of their hulls.
    ///
    /// Both hulls are shrunk about their centers until the rest is in the bodies for sure (see
    /// [`ContactCertificate`](crate::ContactCertificate)). A vertex moves by at most that part of the radius, so M loses at
    /// most both together.
    fn at_least(&self, hulls: f64) -> f64 {
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

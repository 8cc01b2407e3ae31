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
//! exactly, see [`expanding`](super::epa). Whether the depth is to be asked for at all is the
//! exact verdict's.
//!
//! Source: van den Bergen, *Proximity queries and penetration depth computation on 3D game
//! objects*, 2001; the bounds are ours.

use xcollide_brep::Topology;

use super::contact_certificate::needed;
use super::epa::{ExpandingPolytope, Nearest};
use super::gjk_distance::{nearest, points};
use super::hybrid::Hybrid;
use super::pair::{Body, Pair};
use super::polytope::Polytope;
use super::simplex::Simplex;
use super::vector::{Vector, cross, dot, negated, square, sub, unit};
use crate::{Model, NarrowPhase, PairCache, Placed, Query};

/// How deep two placed models are in each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Penetration {
    /// The normal of contact, of length 1, in the world, from B to A: moving A along it parts the
    /// two soonest.
    pub direction: [f64; 3],
    /// The deepest point of A in B and of B in A, in the world, rounded: A moved by the depth along
    /// the direction touches B there.
    pub points: [[f64; 3]; 2],
    /// The depth is not less: placed at a translation that differs from its own by less than this,
    /// A still collides with B. 0 where a model is not known to fill its hull.
    pub at_least: f64,
    /// The depth is not more: placed at a translation that differs from its own by this times the
    /// direction, A is apart from B.
    pub at_most: f64,
    /// How often both bodies were searched for support.
    pub probes: u64,
}

/// Why a depth has no bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PenetrationError {
    /// Products of coordinates leave the range in which rounding errors are known.
    #[error("the {side} model reaches beyond 1e60, or not beyond 1e-60: its depth has no bounds")]
    Scale {
        /// `"first"` or `"second"`.
        side: &'static str,
    },
}

/// The most facets that are looked at. Random pairs need ten to fifty; round ones that lie in each
/// other's middle, where all directions are nearly as good, use up any number.
const MOST_STEPS: usize = 512;

/// A length that moves apart what coincides.
const SMALLEST: f64 = 1e-300;

/// u = 2⁻⁵³, the relative error of one rounding.
const UNIT: f64 = f64::EPSILON / 2.0;

/// How deep the hulls of two placed models are in each other; `None` where the models are apart.
///
/// - *Whether* there is a depth is exact: it is the verdict of [`Hybrid`] about the bodies, which is
///   that of every exact algorithm. Models that touch have a depth of zero, within the bounds.
/// - [`at_most`](Penetration::at_most) is proved, for any models: hulls that are moved apart part
///   what they hold.
/// - [`at_least`](Penetration::at_least) is proved for models that fill their hulls: convex bodies
///   (up to their measured [dents](super::Solidity)), and single convex polygons, segments and
///   points. For others it is 0.
///
/// For convex bodies the two bounds mostly agree up to 1e-13 of the size of the bodies, which is
/// what they allow for rounding. Round bodies of some hundred facets that lie in each other's middle
/// use up the steps; then the bounds are some percent apart, and hold all the same.
///
/// `cache` keeps what makes the next query of the pair quicker; it changes bounds by rounding only.
///
/// ```
/// # use xcollide_brep::PolygonMesh;
/// use xcollide_narrow::convex::penetration;
/// use xcollide_narrow::{Model, PairCache, Placed, Pose};
///
/// # let positions = (0..8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(f64::from)).collect();
/// # let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
/// # let unit_cube = PolygonMesh::from_polygons(positions, faces)?;
/// let cube = Model::from_mesh(unit_cube)?;
/// let a = Placed::new(&cube, &Pose::translation(0.75, 0.125, 0.0))?;
/// let b = Placed::new(&cube, &Pose::identity())?;
/// let found = penetration(a, b, &mut PairCache::new())?.ok_or("apart")?;
/// assert_eq!(found.direction, [1.0, 0.0, 0.0]); // A is to leave B along +x
/// assert!(found.at_least <= 0.25 && 0.25 <= found.at_most);
/// assert!(found.at_most - found.at_least < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The models collide, but are so large or small that nothing is known about rounding.
pub fn penetration(
    a: Placed<'_>,
    b: Placed<'_>,
    cache: &mut PairCache,
) -> Result<Option<Penetration>, PenetrationError> {
    if !Hybrid::default().test(a, b, &Query::new(), cache).is_collision() {
        return Ok(None);
    }
    let [of_a, of_b] = [a, b].map(|placed| Polytope::of(placed.model()));
    let mut pair = Pair::new(Body::new(&of_a, &a), Body::new(&of_b, &b));
    if !pair.is_certifiable() && (of_a.reach() != 0.0 || of_b.reach() != 0.0) {
        let side = if of_a.is_certifiable() { "second" } else { "first" };
        return Err(PenetrationError::Scale { side });
    }
    let memory: &mut Memory = cache.get_or_default();
    let known = |end: [u32; 2]| (end[0] as usize) < of_a.len() && (end[1] as usize) < of_b.len();
    memory.start.retain(|&end| known(end));
    let filled = [a, b].map(|placed| Filled::of(placed.model()));
    Ok(Some(Search::new(&mut pair, memory).run(filled)))
}

/// What is kept with a pair.
#[derive(Debug, Default)]
struct Memory {
    /// The vertices of the simplex that held the origin.
    start: Vec<[u32; 2]>,
    /// Its memory is used again.
    expanding: ExpandingPolytope,
}

/// What is known about the points of a model's hull.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Filled {
    /// Those that are deep enough are in the body.
    Body,
    /// All are in the surface.
    Flat,
    /// Nothing.
    No,
}

impl Filled {
    fn of(model: &Model) -> Self {
        let polytope = Polytope::of(model);
        if polytope.solidity().is_some() {
            return Self::Body;
        }
        // A polygon that has all extreme points as corners is the hull if it does not cross itself.
        let flat = polytope.hull().is_some_and(|hull| hull.dimension() < 3);
        let orderly = polytope.len() < 4 || model.topology().contains(Topology::CONVEX_FACES);
        let whole = model.mesh().faces().any(|face| {
            let mut corners = face.outer().to_vec();
            corners.sort_unstable();
            corners.dedup();
            corners.len() == polytope.len() && face.outer().len() == face.corners().len()
        });
        // What is no corner of the hull may be one of the polygon, and dent it.
        let all = model.used_vertices().len() == polytope.len();
        if flat && orderly && whole && all { Self::Flat } else { Self::No }
    }
}

/// A search for the nearest point of the border.
struct Search<'p, 'a> {
    pair: &'p mut Pair<'a>,
    memory: &'p mut Memory,
    ends: [u32; 2],
    /// The least height of M that a direction has shown, and the direction.
    best: (f64, Vector),
}

/// A point of M with the vertices that it comes from.
type Difference = (Vector, [u32; 2]);

impl<'p, 'a> Search<'p, 'a> {
    fn new(pair: &'p mut Pair<'a>, memory: &'p mut Memory) -> Self {
        let ends = memory.start.first().copied().unwrap_or_default();
        Self { pair, memory, ends, best: (f64::INFINITY, [1.0, 0.0, 0.0]) }
    }

    fn run(mut self, filled: [Filled; 2]) -> Penetration {
        let meeting = nearest(self.pair, &self.memory.start);
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
    fn farthest(&mut self, direction: Vector) -> Difference {
        let probe = self.pair.probe(negated(direction), self.ends);
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
        let width = |i: usize| square(sub(found[2 * i + 1].0, found[2 * i].0));
        let widest = (1..3).fold(0, |best, i| if width(i) > width(best) { i } else { best });
        let (a, b) = (found[2 * widest], found[2 * widest + 1]);
        let line = sub(b.0, a.0);
        let first = Pair::across(line);
        let distance = |&(point, _): &Difference| square(cross(line, sub(point, a.0)));
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

    fn both_ways(&mut self, direction: Vector, found: &mut Vec<Difference>) {
        if let Some(direction) = unit(direction) {
            for direction in [direction, negated(direction)] {
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
        let mut probe = self.pair.probe(negated(direction), self.ends);
        let mut slack = self.pair.slack(&probe);
        if slack.iter().any(|&slack| slack > 1.0) {
            probe = self.pair.probe_all(negated(direction));
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
    /// [`ContactCertificate`](super::ContactCertificate): no vertex moves by more than that part of the radius, so M does not
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

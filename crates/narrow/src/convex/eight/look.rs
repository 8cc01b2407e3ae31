//! What eight pairs come to, looked at together.

use xcollide_tree::eight::{EIGHT, Eight, EightWork, Three, dot, farthest, minus, rows};
use xcollide_tree::{Met, Passed, Portal, PortalSearches, PortalsPassed};

use super::bodies::{Bodies, taxicab};
use super::ellipsoids::Ellipsoids;
use super::insets::{Insets, corners};
use crate::convex::ellipsoid_pair::{RIM, certified};
use crate::convex::finding::Finding;
use crate::convex::hybrid::HybridMemory;
use crate::convex::joint::Joint;
use crate::convex::pair::{Body, Pair, SHORTEST};
use crate::convex::portrait::Portrait;
use crate::convex::simplex::Simplex;
use crate::convex::vector::{Vector, square};

/// Looks at pairs: lane by lane, of which the first so many count.
pub(super) struct Look<'a, 'p> {
    pub(super) bodies: [[&'a Body<'p>; EIGHT]; 2],
    pub(super) portraits: [[&'p Portrait; EIGHT]; 2],
    pub(super) count: usize,
    /// Where fewer are open after the first direction they are left to others.
    pub(super) least: u32,
    pub(super) seen: &'a mut Seen,
}

/// What was seen, lane by lane; where a bit is set, it holds of that lane.
pub(super) struct Seen {
    /// Planes across the first directions part the bodies, by the ellipsoids or by what was met.
    by_ellipsoids: u8,
    by_vertices: u8,
    offset: Lane,
    /// First directions separate, more or less.
    beyond: u8,
    /// These points are in the ellipsoids that the bodies fill, as seen from either body.
    inside: u8,
    inner_points: [[Lane; 3]; 2],
    /// First directions and what they met.
    direction: [Lane; 3],
    ends: [[u32; EIGHT]; 2],
    difference: [Lane; 3],
    gap: Lane,
    heights: [Lane; 2],
    /// What portals of the others have come to, if they were searched.
    searched: u8,
    passed: PortalsPassed,
    /// These points are in both bodies.
    common: u8,
    common_points: [Lane; 3],
}

type Lane = [f64; EIGHT];

const NOTHING: Lane = [0.0; EIGHT];

impl Seen {
    /// Nothing yet.
    pub(super) fn new() -> Self {
        Self {
            by_ellipsoids: 0,
            by_vertices: 0,
            offset: NOTHING,
            beyond: 0,
            inside: 0,
            inner_points: [[NOTHING; 3]; 2],
            direction: [NOTHING; 3],
            ends: [[0; EIGHT]; 2],
            difference: [NOTHING; 3],
            gap: NOTHING,
            heights: [NOTHING; 2],
            searched: 0,
            passed: PortalsPassed::default(),
            common: 0,
            common_points: [NOTHING; 3],
        }
    }

    /// Makes a finding of what was seen of one pair, and tells its memory; `false` where it is open yet.
    #[inline(always)]
    pub(super) fn tell(
        &self,
        lane: usize,
        joint: &mut Joint<'_, HybridMemory>,
        finding: &mut Finding,
    ) -> bool {
        let lane = lane % EIGHT;
        let Joint { pair, memory } = joint;
        let holds = |bits: u8| bits >> lane & 1 == 1;
        let at = |of: &[Lane; 3]| [of[0][lane], of[1][lane], of[2][lane]];
        let normal = at(&self.direction);
        if holds(self.by_ellipsoids) {
            memory.forget();
            let [x, y, z] = normal;
            finding.set_apart(x, y, z, self.offset[lane]);
            return true;
        }
        if holds(self.by_vertices) {
            pair.count(1);
            memory.remember_vector(normal, [self.ends[0][lane], self.ends[1][lane]]);
            let [x, y, z] = normal;
            finding.set_apart(x, y, z, self.offset[lane]);
            return true;
        }
        if holds(self.inside) {
            let points = [at(&self.inner_points[0]), at(&self.inner_points[1])];
            if let Some([x, y, z]) = certified(pair, points, [rim(pair.a()), rim(pair.b())]) {
                memory.forget();
                finding.set_meet(x, y, z);
            } else {
                alone(pair, memory, normal, finding);
            }
            return true;
        }
        if holds(self.searched) {
            self.tell_of_portal(lane, joint, finding);
            return true;
        }
        if holds(self.beyond) {
            let met = Met {
                direction: normal,
                ends: [self.ends[0][lane], self.ends[1][lane]],
                difference: at(&self.difference),
                gap: self.gap[lane],
                heights: [self.heights[0][lane], self.heights[1][lane]],
            };
            pair.count(1);
            beyond(pair, memory, &met, finding);
            return true;
        }
        false
    }

    #[inline]
    fn tell_of_portal(
        &self,
        lane: usize,
        Joint { pair, memory }: &mut Joint<'_, HybridMemory>,
        finding: &mut Finding,
    ) {
        let (passed, holds) = (&self.passed, |bits: u8| bits >> lane & 1 == 1);
        let at = |of: &[Lane; 3]| [of[0][lane], of[1][lane], of[2][lane]];
        if holds(passed.clear) {
            let (normal, [low, high]) = (at(&passed.direction), &passed.heights);
            let offset = 0.5 * low[lane] + 0.5 * high[lane];
            if square(normal) > SHORTEST && offset.is_finite() {
                pair.count(u64::from(passed.probes(lane)));
                memory.remember_vector(normal, passed.last_ends(lane));
                let [x, y, z] = normal;
                finding.set_apart(x, y, z, offset);
                return;
            }
        }
        if holds(self.common) {
            pair.count(u64::from(passed.probes(lane)));
            memory.remember_portal([0, 1, 2].map(|number| passed.corner(lane, number)));
            let [x, y, z] = at(&self.common_points);
            finding.set_meet(x, y, z);
            return;
        }
        let Passed { portal, probes } = passed.of(lane);
        pair.count(u64::from(probes));
        match portal {
            Portal::Beyond { met, .. } => beyond(pair, memory, &met, finding),
            Portal::Held(_) | Portal::Near => alone(pair, memory, at(&self.direction), finding),
        }
    }
}

/// What is found of a pair that a direction separates, more or less.
#[cold]
fn beyond(pair: &mut Pair<'_>, memory: &mut HybridMemory, met: &Met, finding: &mut Finding) {
    memory.remember_vector(met.direction, met.ends);
    *finding = pair.parted(met).map_or(Finding::Parting(met.direction), Finding::Apart);
}

/// What is found of a pair that is searched alone, from a direction on.
#[cold]
fn alone(pair: &mut Pair<'_>, memory: &mut HybridMemory, direction: Vector, finding: &mut Finding) {
    let is_direction = (f64::MIN_POSITIVE..f64::INFINITY).contains(&square(direction));
    *finding = memory.search_on(pair, is_direction.then_some(direction), Simplex::new());
}

/// How deep in the body the rim of what the ellipsoid fills is.
#[inline]
fn rim(body: &Body<'_>) -> f64 {
    body.polytope().ellipsoid().map_or(0.0, |ellipsoid| RIM * ellipsoid.ball())
}

impl EightWork for Look<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        let Self { bodies: [of_a, of_b], portraits: [in_a, in_b], count, least, seen } = self;
        let bodies = [Bodies::<E>::of(of_a, in_a), Bodies::<E>::of(of_b, in_b)];
        let ellipsoids = Ellipsoids::of(&bodies);
        let direction = ellipsoids.direction;
        store(direction, &mut seen.direction);
        let finite = E::splat(f64::INFINITY);
        let (apart, offset_between) = ellipsoids.apart();
        let apart = E::and(apart, finite.above(offset_between.magnitude()));
        (seen.by_ellipsoids, seen.inside) = (E::bits(apart), E::bits(ellipsoids.inside()));
        if seen.inside != 0 {
            let [one, twin] = ellipsoids.inner_points();
            store(one, &mut seen.inner_points[0]);
            store(twin, &mut seen.inner_points[1]);
        }
        offset_between.store(&mut seen.offset);
        (seen.by_vertices, seen.beyond, seen.searched, seen.common) = (0, 0, 0, 0);
        let open = (u8::MAX >> (EIGHT - count)) & !(seen.by_ellipsoids | seen.inside);
        if open == 0 {
            return;
        }
        // What the directions meet.
        let [a, b] = &bodies;
        let zero = E::splat(0.0);
        let (p, at_p) = farthest(&a.each, &a.motions, direction, open);
        let (q, at_q) = farthest(&b.each, &b.motions, minus([zero; 3], direction), open);
        let (at_p, at_q) = (a.motions.place(at_p), b.motions.place(at_q));
        let difference = minus(at_q, at_p);
        let gap = dot(direction, difference);
        let (low, high) = (dot(direction, at_p), dot(direction, at_q));
        let half = E::splat(0.5);
        let offset = half.times(low).plus(half.times(high));
        offset_between.chosen(apart, offset).store(&mut seen.offset);
        // Doubts are infinite where a search might have missed something.
        let doubt = E::splat(2.0).times(a.height_error().plus(b.height_error()));
        let doubt = doubt.chosen(E::and(looks_exactly(a), looks_exactly(b)), finite);
        let clear = high.minus(low).above(doubt.times(taxicab(direction)));
        let clear = E::and(clear, finite.above(offset.magnitude()));
        let long = dot(direction, direction).above(E::splat(SHORTEST));
        let beyond = E::bits(gap.above(zero)) & open;
        seen.beyond = beyond;
        seen.by_vertices = E::bits(E::and(clear, long)) & beyond;
        seen.ends = [p, q];
        let doubtful = beyond & !seen.by_vertices;
        if doubtful != 0 {
            store(difference, &mut seen.difference);
            gap.store(&mut seen.gap);
            low.store(&mut seen.heights[0]);
            high.store(&mut seen.heights[1]);
        }
        let open = open & !beyond;
        if open.count_ones() < least {
            return;
        }
        seen.searched = open;
        let insets = Insets::of(&bodies);
        let searches = PortalSearches {
            sets: [a.each, b.each],
            motions: [a.motions, b.motions],
            shift: insets.shift,
            centre: insets.centre,
            direction,
            ends: [p, q],
            difference,
            height: ellipsoids.width(),
            roundness: half.times(a.inner.plus(b.inner)),
            doubt,
        };
        searches.run(open, &mut seen.passed);
        if seen.passed.held != 0 {
            prove_contacts(&bodies, &insets, seen);
        }
    }
}

/// Where nothing is missed but what rounding hides.
#[inline(always)]
fn looks_exactly<E: Eight>(bodies: &Bodies<'_, '_, E>) -> E::Mask {
    let [_, _, exact] = E::columns(rows(&bodies.portraits, |portrait| &portrait.solidity));
    exact.above(E::splat(0.5))
}

/// Points in both bodies, of those whose portals hold the origin.
#[inline(always)]
fn prove_contacts<E: Eight>(bodies: &[Bodies<'_, '_, E>; 2], insets: &Insets<E>, seen: &mut Seen) {
    let mut numbers = [[[0; EIGHT]; 3]; 2];
    let held = seen.passed.held;
    for lane in 0..EIGHT {
        if held >> lane & 1 == 1 {
            for number in 0..3 {
                let [p, q] = seen.passed.corner(lane, number);
                (numbers[0][number][lane], numbers[1][number][lane]) = (p, q);
            }
        }
    }
    let ([a, b], [p, q]) = (bodies, numbers);
    let of_a = [corners(a, &p[0]), corners(a, &p[1]), corners(a, &p[2])];
    let of_b = [corners(b, &q[0]), corners(b, &q[1]), corners(b, &q[2])];
    let (proved, points) = insets.common_points(&of_a, &of_b);
    seen.common = E::bits(proved) & held;
    store(points, &mut seen.common_points);
}

#[inline(always)]
fn store<E: Eight>(lanes: Three<E>, values: &mut [Lane; 3]) {
    lanes[0].store(&mut values[0]);
    lanes[1].store(&mut values[1]);
    lanes[2].store(&mut values[2]);
}

//! The look at eight pairs: ellipsoids, a first direction, portals and proofs, in lanes.
//!
//! What it calls proved is proved by the bounds of [`Pair::apart`](crate::convex::Pair::apart),
//! [`ContactCertificate`](crate::convex::ContactCertificate) and the ellipsoids; a search that may have missed a vertex proves no plane
//! here. What that makes of each pair: [`Seen`].

use xcollide_convex::MprBatch;
use xcollide_convex::batch::{
    EIGHT, Eight, EightWork, MovedSets, dot, minus, rows, store, taxicab,
};

use super::bodies::Bodies;
use super::contact_certificates::{Insets, corners};
use super::early_results::Seen;
use super::ellipsoids::Ellipsoids;
use crate::convex::batch_data::BatchData;
use crate::convex::pair::{Body, SHORTEST};

/// Looks at pairs: lane by lane, of which the first so many count.
pub(crate) struct Look<'a, 'p> {
    pub(crate) bodies: [[&'a Body<'p>; EIGHT]; 2],
    pub(crate) portraits: [[&'p BatchData; EIGHT]; 2],
    pub(crate) count: usize,
    /// Where fewer are open after the first direction they are left to others.
    pub(crate) least: u32,
    pub(crate) seen: &'a mut Seen,
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
        let sets = [MovedSets::of(&a.each, &a.motions), MovedSets::of(&b.each, &b.motions)];
        let zero = E::splat(0.0);
        let (p, at_p) = sets[0].farthest(direction, open);
        let (q, at_q) = sets[1].farthest(minus([zero; 3], direction), open);
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
        let searches = MprBatch {
            sets: &sets,
            shift: insets.shift,
            center: insets.center,
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

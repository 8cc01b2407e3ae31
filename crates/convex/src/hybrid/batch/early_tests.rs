//! The look at eight pairs: ellipsoids, a first direction, portals and proofs, in lanes.
//!
//! What it calls proved is proved by the bounds of [`Pair::apart`](crate::Pair::apart),
//! [`ContactCertificate`](crate::ContactCertificate) and the ellipsoids; a search that may have missed a vertex proves no plane
//! here. What that makes of each pair: [`Seen`].

use crate::batch::{EIGHT, MovedSets, rows};
use crate::mpr::MprBatch;
use xcollide_simd::vec3::{dot, neg, store, sub, taxicab};
use xcollide_simd::{F64x8, Simd, SimdFloat, SimdKernel, SimdMask};

use super::bodies::Bodies;
use super::contact_certificates::{Insets, corners};
use super::early_results::Seen;
use super::ellipsoids::Ellipsoids;
use crate::batch_data::BatchData;
use crate::pair::{Body, SHORTEST};

/// Looks at pairs: lane by lane, of which the first so many count.
pub(crate) struct Look<'a, 'p> {
    pub(crate) bodies: [[&'a Body<'p>; EIGHT]; 2],
    pub(crate) portraits: [[&'p BatchData; EIGHT]; 2],
    pub(crate) count: usize,
    /// Where fewer are open after the first direction they are left to others.
    pub(crate) least: u32,
    pub(crate) seen: &'a mut Seen,
}

impl SimdKernel for Look<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        let Self { bodies: [of_a, of_b], portraits: [in_a, in_b], count, least, seen } = self;
        let bodies = [Bodies::<S::F64x8>::of(of_a, in_a), Bodies::<S::F64x8>::of(of_b, in_b)];
        let ellipsoids = Ellipsoids::of(&bodies);
        let direction = ellipsoids.direction;
        store(direction, &mut seen.direction);
        let finite = S::F64x8::splat(f64::INFINITY);
        let (apart, offset_between) = ellipsoids.apart();
        let apart = apart.and(finite.gt(offset_between.abs()));
        (seen.by_ellipsoids, seen.inside) = (apart.to_bits(), ellipsoids.inside().to_bits());
        if seen.inside != 0 {
            let [one, twin] = ellipsoids.inner_points();
            store(one, &mut seen.inner_points[0]);
            store(twin, &mut seen.inner_points[1]);
        }
        offset_between.store(&mut seen.offset);
        (seen.by_vertices, seen.beyond, seen.searched, seen.common) = (0, 0, 0, 0);
        let open = (u32::from(u8::MAX) >> (EIGHT - count)) & !(seen.by_ellipsoids | seen.inside);
        if open == 0 {
            return;
        }
        // What the directions meet.
        let [a, b] = &bodies;
        let sets = [
            MovedSets::<S, _>::of(&a.each, &a.motions),
            MovedSets::<S, _>::of(&b.each, &b.motions),
        ];
        let zero = S::F64x8::splat(0.0);
        let (p, at_p) = sets[0].farthest(direction, open);
        let (q, at_q) = sets[1].farthest(neg(direction), open);
        let (at_p, at_q) = (a.motions.place(at_p), b.motions.place(at_q));
        let difference = sub(at_q, at_p);
        let gap = dot(direction, difference);
        let (low, high) = (dot(direction, at_p), dot(direction, at_q));
        let half = S::F64x8::splat(0.5);
        let offset = half.mul(low).add(half.mul(high));
        S::F64x8::select(apart, offset_between, offset).store(&mut seen.offset);
        // Doubts are infinite where a search might have missed something.
        let doubt = S::F64x8::splat(2.0).mul(a.height_error().add(b.height_error()));
        let doubt = S::F64x8::select(looks_exactly(a).and(looks_exactly(b)), doubt, finite);
        let clear = high.sub(low).gt(doubt.mul(taxicab(direction)));
        let clear = clear.and(finite.gt(offset.abs()));
        let long = dot(direction, direction).gt(S::F64x8::splat(SHORTEST));
        let beyond = gap.gt(zero).to_bits() & open;
        seen.beyond = beyond;
        seen.by_vertices = clear.and(long).to_bits() & beyond;
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
            roundness: half.mul(a.inner.add(b.inner)),
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
fn looks_exactly<F: F64x8>(bodies: &Bodies<'_, '_, F>) -> F::Mask {
    let [_, _, exact] = F::from_vectors(rows(&bodies.portraits, |portrait| &portrait.solidity));
    exact.gt(F::splat(0.5))
}

/// Points in both bodies, of those whose portals hold the origin.
#[inline(always)]
fn prove_contacts<F: F64x8>(bodies: &[Bodies<'_, '_, F>; 2], insets: &Insets<F>, seen: &mut Seen) {
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
    seen.common = proved.to_bits() & held;
    store(points, &mut seen.common_points);
}

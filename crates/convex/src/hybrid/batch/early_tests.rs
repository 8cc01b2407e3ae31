//! The tests of eight pairs in lanes: ellipsoids, a first direction, MPR and proofs.
//!
//! The bounds of the proofs are those of [`Pair::apart`](crate::Pair::apart),
//! [`ContactCertificate`](crate::ContactCertificate) and the ellipsoids. A search that may have missed a vertex proves no
//! plane here. [`EarlyResults`] makes results of them.

use crate::batch::{EIGHT, MovedSets, rows};
use crate::mpr::MprBatch;
use xcollide_simd::vec3::{dot, neg, store, sub, taxicab};
use xcollide_simd::{F64x8, Simd, SimdFloat, SimdKernel, SimdMask};

use super::bodies::Bodies;
use super::contact_certificates::{ContactCertificates, corners};
use super::early_results::EarlyResults;
use super::ellipsoids::Ellipsoids;
use crate::batch_data::BatchData;
use crate::body::{Body, SHORTEST};

/// The kernel. The first `count` lanes have a pair.
pub(crate) struct EarlyTests<'a, 'p> {
    pub(crate) bodies: [[&'a Body<'p>; EIGHT]; 2],
    pub(crate) data: [[&'p BatchData; EIGHT]; 2],
    pub(crate) count: usize,
    /// If fewer lanes are open after the first direction, they are not searched.
    pub(crate) least: u32,
    pub(crate) found: &'a mut EarlyResults,
}

impl SimdKernel for EarlyTests<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        let Self { bodies, data, count, least, found } = self;
        let [in_a, in_b] = &data;
        let [of_a, of_b] = &bodies;
        let bodies = [Bodies::<S::F64x8>::of(of_a, in_a), Bodies::<S::F64x8>::of(of_b, in_b)];
        let ellipsoids = Ellipsoids::of(&bodies);
        let direction = ellipsoids.direction;
        store(direction, &mut found.direction);
        let finite = S::F64x8::splat(f64::INFINITY);
        let (apart, offset_between) = ellipsoids.apart();
        let apart = apart.and(finite.gt(offset_between.abs()));
        (found.by_ellipsoids, found.inside) = (apart.to_bits(), ellipsoids.inside().to_bits());
        if found.inside != 0 {
            let [one, twin] = ellipsoids.inner_points();
            store(one, &mut found.inner_points[0]);
            store(twin, &mut found.inner_points[1]);
        }
        offset_between.store(&mut found.offset);
        (found.by_vertices, found.beyond, found.searched, found.common) = (0, 0, 0, 0);
        let open = (u32::from(u8::MAX) >> (EIGHT - count)) & !(found.by_ellipsoids | found.inside);
        if open == 0 {
            return;
        }
        // The farthest vertices along the directions.
        let [a, b] = &bodies;
        let sets = [MovedSets::<S>::of(a.each, &a.motions), MovedSets::<S>::of(b.each, &b.motions)];
        let zero = S::F64x8::splat(0.0);
        let (p, at_p) = sets[0].farthest(direction, open);
        let (q, at_q) = sets[1].farthest(neg(direction), open);
        let (at_p, at_q) = (a.motions.place(at_p), b.motions.place(at_q));
        let difference = sub(at_q, at_p);
        let gap = dot(direction, difference);
        let (low, high) = (dot(direction, at_p), dot(direction, at_q));
        let half = S::F64x8::splat(0.5);
        let offset = half.mul(low).add(half.mul(high));
        S::F64x8::select(apart, offset_between, offset).store(&mut found.offset);
        // Infinite doubts for fans that are not exact.
        let doubt = S::F64x8::splat(2.0).mul(a.height_error().add(b.height_error()));
        let doubt = S::F64x8::select(searches_exactly(a).and(searches_exactly(b)), doubt, finite);
        let clear = high.sub(low).gt(doubt.mul(taxicab(direction)));
        let clear = clear.and(finite.gt(offset.abs()));
        let long = dot(direction, direction).gt(S::F64x8::splat(SHORTEST));
        let beyond = gap.gt(zero).to_bits() & open;
        found.beyond = beyond;
        found.by_vertices = clear.and(long).to_bits() & beyond;
        found.ends = [p, q];
        let doubtful = beyond & !found.by_vertices;
        if doubtful != 0 {
            store(difference, &mut found.difference);
            gap.store(&mut found.gap);
            low.store(&mut found.heights[0]);
            high.store(&mut found.heights[1]);
        }
        let open = open & !beyond;
        if open.count_ones() < least {
            return;
        }
        found.searched = open;
        let certificates = ContactCertificates::of(&bodies);
        let searches = MprBatch {
            sets: &sets,
            shift: certificates.shift,
            center: certificates.center,
            direction,
            ends: [p, q],
            difference,
            height: ellipsoids.width(),
            roundness: half.mul(a.inner.add(b.inner)),
            doubt,
        };
        searches.run(open, &mut found.mpr);
        if found.mpr.held != 0 {
            prove_contacts(&bodies, &certificates, found);
        }
    }
}

/// The lanes whose fan, if there is one, is exact.
#[inline(always)]
fn searches_exactly<F: F64x8>(bodies: &Bodies<'_, '_, F>) -> F::Mask {
    let [_, _, exact] = F::from_vectors(rows(bodies.data, |data| &data.solidity.0));
    exact.gt(F::splat(0.5))
}

/// Proves points in both bodies for the lanes whose portals hold the origin.
#[inline(always)]
fn prove_contacts<F: F64x8>(
    bodies: &[Bodies<'_, '_, F>; 2],
    certificates: &ContactCertificates<F>,
    found: &mut EarlyResults,
) {
    let mut numbers = [[[0; EIGHT]; 3]; 2];
    let held = found.mpr.held;
    for lane in 0..EIGHT {
        if held >> lane & 1 == 1 {
            for number in 0..3 {
                let [p, q] = found.mpr.corner(lane, number);
                (numbers[0][number][lane], numbers[1][number][lane]) = (p, q);
            }
        }
    }
    let ([a, b], [p, q]) = (bodies, numbers);
    let of_a = [corners(a, &p[0]), corners(a, &p[1]), corners(a, &p[2])];
    let of_b = [corners(b, &q[0]), corners(b, &q[1]), corners(b, &q[2])];
    let (proved, points) = certificates.common_points(&of_a, &of_b);
    found.common = proved.to_bits() & held;
    store(points, &mut found.common_points);
}

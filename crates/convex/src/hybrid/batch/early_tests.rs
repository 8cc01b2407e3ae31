//! The tests of eight pairs in lanes: ellipsoids, a first direction, MPR and proofs.
//!
//! Bodies of at most eight vertices are [searched in single precision](Single), others in double precision. The bounds of
//! the proofs in double precision are those of [`Pair::apart`](crate::Pair::apart),
//! [`ContactCertificate`](crate::ContactCertificate) and the ellipsoids. A search that may have missed a vertex proves no
//! plane here. [`EarlyResults`] makes results of them.

use crate::batch::{EIGHT, MovedSets, PlacedSets, rows};
use crate::mpr::MprBatch;
use xcollide_simd::vec3::{dot, neg, store, sub, taxicab};
use xcollide_simd::{F64x8, FloatX8, Simd, SimdFloat, SimdKernel, SimdMask};

use super::bodies::Bodies;
use super::contact_certificates::ContactCertificates;
use super::early_results::EarlyResults;
use super::ellipsoids::Ellipsoids;
use super::single::Single;
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
        store(ellipsoids.direction, &mut found.direction);
        let finite = S::F64x8::splat(f64::INFINITY);
        let (apart, offset) = ellipsoids.apart();
        let apart = apart.and(finite.gt(offset.abs()));
        (found.by_ellipsoids, found.inside) = (apart.to_bits(), ellipsoids.inside().to_bits());
        if found.inside != 0 {
            let [one, twin] = ellipsoids.inner_points();
            store(one, &mut found.inner_points[0]);
            store(twin, &mut found.inner_points[1]);
        }
        offset.store(&mut found.offset);
        found.in_single = false;
        (found.by_vertices, found.beyond, found.searched, found.common) = (0, 0, 0, 0);
        let open = (u32::from(u8::MAX) >> (EIGHT - count)) & !(found.by_ellipsoids | found.inside);
        if open == 0 {
            return;
        }
        let (bodies, ellipsoids) = (&bodies, &ellipsoids);
        let eight = Eight { bodies, ellipsoids, apart, offset, open, least };
        let certificates = match Single::of(&eight, &data) {
            Some(single) => single.search::<S>(&eight, found),
            None => eight.search_in_double::<S>(found),
        };
        if let Some(certificates) = certificates
            && found.mpr.held != 0
        {
            prove_contacts(bodies, &certificates, found);
        }
    }
}

/// Eight pairs that the ellipsoids have left open.
pub(crate) struct Eight<'a, 'p, F: F64x8> {
    pub(crate) bodies: &'a [Bodies<'a, 'p, F>; 2],
    pub(crate) ellipsoids: &'a Ellipsoids<F>,
    /// The lanes in which these offsets separate the ellipsoids.
    pub(crate) apart: F::Mask,
    offset: F,
    pub(crate) open: u32,
    pub(crate) least: u32,
}

impl<F: F64x8> Eight<'_, '_, F> {
    /// Returns certificates if MPR was needed.
    #[inline(always)]
    fn search_in_double<S: Simd<F64x8 = F>>(
        &self,
        found: &mut EarlyResults,
    ) -> Option<ContactCertificates<F>> {
        let Self { bodies: [a, b], ellipsoids, open, .. } = *self;
        let sets = [
            MovedSets::<S> { each: a.each, motions: &a.motions },
            MovedSets::<S> { each: b.each, motions: &b.motions },
        ];
        let direction = ellipsoids.direction;
        // Infinite doubts for fans that are not exact.
        let doubt = F::splat(2.0).mul(a.height_error().add(b.height_error()));
        let exact = searches_exactly(a).and(searches_exactly(b));
        let doubt = F::select(exact, doubt, F::splat(f64::INFINITY));
        let first = FirstStep::of(&sets, direction, doubt, open);
        let [low, high] = first.heights;
        let half = F::splat(0.5);
        self.add_first(&first, direction, half.mul(low).add(half.mul(high)), found);
        let open = open & !found.beyond;
        if open.count_ones() < self.least {
            return None;
        }
        let certificates = ContactCertificates::of(self.bodies);
        let searches = MprBatch {
            sets: &sets,
            shift: certificates.shift,
            center: certificates.center,
            direction,
            ends: first.ends,
            difference: first.difference,
            height: ellipsoids.width(),
            roundness: half.mul(a.inner.add(b.inner)),
            doubt,
            resolution: 1e-14,
        };
        found.searched = open;
        searches.run(open, &mut found.mpr);
        Some(certificates)
    }

    /// Writes what first directions decide, and the offsets of their planes.
    #[inline(always)]
    pub(crate) fn add_first<G: FloatX8>(
        &self,
        first: &FirstStep<G>,
        direction: [F; 3],
        offset: F,
        found: &mut EarlyResults,
    ) {
        F::select(self.apart, self.offset, offset).store(&mut found.offset);
        let finite = F::splat(f64::INFINITY).gt(offset.abs());
        let long = dot(direction, direction).gt(F::splat(SHORTEST));
        found.ends = first.ends;
        found.beyond = first.gap.gt(G::rounded(0.0)).to_bits() & self.open;
        found.by_vertices = first.clear.to_bits() & finite.and(long).to_bits() & found.beyond;
    }
}

/// The farthest vertices along first directions.
pub(crate) struct FirstStep<F: FloatX8> {
    pub(crate) ends: [[u32; EIGHT]; 2],
    pub(crate) difference: [F; 3],
    pub(crate) heights: [F; 2],
    gap: F,
    /// The gap exceeds the errors of the heights.
    clear: F::Mask,
}

impl<F: FloatX8> FirstStep<F> {
    #[inline(always)]
    pub(crate) fn of(
        sets: &[impl PlacedSets<F>; 2],
        direction: [F; 3],
        doubt: F,
        open: u32,
    ) -> Self {
        let (p, at_p) = sets[0].farthest(direction, open);
        let (q, at_q) = sets[1].farthest(neg(direction), open);
        let (low, high) = (dot(direction, at_p), dot(direction, at_q));
        let difference = sub(at_q, at_p);
        Self {
            ends: [p, q],
            difference,
            heights: [low, high],
            gap: dot(direction, difference),
            clear: high.sub(low).gt(doubt.mul(taxicab(direction))),
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
    let [a, b] = bodies;
    let mut corners = [[[&[0.0; 3]; EIGHT]; 3]; 2];
    let mut left = found.mpr.held;
    while left != 0 {
        let lane = left.trailing_zeros() as usize % EIGHT;
        left &= left - 1;
        let of_a = a.each[lane].polytope().positions();
        let of_b = b.each[lane].polytope().positions();
        for number in 0..3 {
            let [p, q] = found.mpr.corner(lane, number);
            corners[0][number][lane] = &of_a[p as usize];
            corners[1][number][lane] = &of_b[q as usize];
        }
    }
    let [p, q] = corners;
    let of_a = [a.place(p[0]), a.place(p[1]), a.place(p[2])];
    let of_b = [b.place(q[0]), b.place(q[1]), b.place(q[2])];
    let (proved, points) = certificates.common_points(&of_a, &of_b);
    found.common = proved.to_bits() & found.mpr.held;
    store(points, &mut found.common_points);
}

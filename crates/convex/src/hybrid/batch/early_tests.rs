//! The tests of eight pairs in lanes: ellipsoids, a first direction, MPR and proofs.
//!
//! Here in double precision; bodies of at most eight vertices have [tests of their own](super::single). The bounds of the
//! proofs are those of [`Pair::apart`](crate::Pair::apart),
//! [`ContactCertificate`](crate::ContactCertificate) and the ellipsoids. A search that may have missed a vertex proves no
//! plane here. [`EarlyResults`] makes results of them.

use crate::batch::{EIGHT, MovedSets, PlacedSets, rows};
use crate::mpr::MprBatch;
use xcollide_simd::vec3::{dot, load, neg, store, sub, taxicab};
use xcollide_simd::{F64x8, FloatX8, Simd, SimdFloat, SimdKernel, SimdMask};

use super::bodies::Bodies;
use super::contact_certificates::ContactCertificates;
use super::early_results::EarlyResults;
use super::ellipsoids::Ellipsoids;
use super::lanes::Lanes;
use super::open_pairs::Starts;
use crate::body::SHORTEST;
use crate::contact_certificate::TOLERANCE;

/// The kernel.
pub(crate) struct EarlyTests<'a, 'p> {
    pub(crate) of: Lanes<'a, 'p>,
    pub(crate) begin: Begin<'a>,
    pub(crate) found: &'a mut EarlyResults,
}

/// With what a kernel begins.
#[derive(Clone, Copy)]
pub(crate) enum Begin<'a> {
    /// With the first tests. If they leave fewer than `least` lanes open, these are not searched.
    Tests { least: u32 },
    /// With the searches, from here.
    Search(&'a Starts),
}

impl SimdKernel for EarlyTests<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        let Self { of: Lanes { bodies: [of_a, of_b], data: [in_a, in_b], all }, begin, found } =
            self;
        let bodies = [Bodies::<S::F64x8>::of(&of_a, &in_a), Bodies::<S::F64x8>::of(&of_b, &in_b)];
        let [a, b] = &bodies;
        let sets = [
            MovedSets::<S> { each: a.each, motions: &a.motions },
            MovedSets::<S> { each: b.each, motions: &b.motions },
        ];
        found.start(false);
        let mut open = all;
        match begin {
            Begin::Search(starts) => found.starts.clone_from(starts),
            Begin::Tests { least } => {
                open = test_in_double::<S>(&bodies, &sets, open, found);
                if open == 0 || open.count_ones() < least {
                    return;
                }
            }
        }
        let (starts, certificates) = (&found.starts, certificates(&bodies));
        let (direction, center) = (load(&starts.direction), certificates.center);
        let [p, q] = [load(&starts.points[0]), load(&starts.points[1])];
        let searches = MprBatch {
            sets: &sets,
            center,
            direction,
            ends: starts.ends,
            points: [p, q],
            height: dot(direction, sub(center, sub(q, p))),
            roundness: S::F64x8::load(&starts.roundness),
            doubt: doubt(&bodies),
            resolution: 1e-14,
        };
        found.searched = open;
        let portals = searches.run(open, &mut found.mpr);
        let (proved, points) = certificates.common_points(&portals);
        found.common = proved.to_bits() & found.mpr.held;
        store(points, &mut found.common_points);
    }
}

/// The ellipsoids, and first directions; returns the lanes that remain open.
#[inline(always)]
fn test_in_double<S: Simd>(
    bodies: &[Bodies<'_, '_, S::F64x8>; 2],
    sets: &[MovedSets<'_, S>; 2],
    all: u32,
    found: &mut EarlyResults,
) -> u32 {
    let ellipsoids = Ellipsoids::of(bodies);
    let direction = ellipsoids.direction;
    store(direction, &mut found.starts.direction);
    let (apart, by_ellipsoids) = ellipsoids.apart();
    let apart = apart.and(S::F64x8::splat(f64::INFINITY).gt(by_ellipsoids.abs()));
    (found.by_ellipsoids, found.inside) = (apart.to_bits(), ellipsoids.inside().to_bits());
    if found.inside != 0 {
        let [one, twin] = ellipsoids.inner_points();
        store(one, &mut found.inner_points[0]);
        store(twin, &mut found.inner_points[1]);
    }
    by_ellipsoids.store(&mut found.offset);
    let open = all & !(found.by_ellipsoids | found.inside);
    if open == 0 {
        return 0;
    }
    let first = FirstStep::of(sets, direction, doubt(bodies), open);
    let [low, high] = first.heights;
    let half = S::F64x8::splat(0.5);
    let offset = half.mul(low).add(half.mul(high));
    S::F64x8::select(apart, by_ellipsoids, offset).store(&mut found.offset);
    first.add_to(found, direction, offset, open);
    let ([a, b], starts) = (bodies, &mut found.starts);
    for (points, stored) in first.points.into_iter().zip(&mut starts.points) {
        store(points, stored);
    }
    half.mul(a.inner.add(b.inner)).store(&mut starts.roundness);
    open & !found.beyond
}

/// The sums of the errors of both heights along directions of length 1; infinite for fans that are not exact.
#[inline(always)]
fn doubt<F: F64x8>([a, b]: &[Bodies<'_, '_, F>; 2]) -> F {
    let doubt = F::splat(2.0).mul(a.height_error().add(b.height_error()));
    let exact = searches_exactly(a).and(searches_exactly(b));
    F::select(exact, doubt, F::splat(f64::INFINITY))
}

/// The farthest vertices along first directions.
pub(crate) struct FirstStep<F: FloatX8> {
    pub(crate) ends: [[u32; EIGHT]; 2],
    pub(crate) points: [[F; 3]; 2],
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
        Self {
            ends: [p, q],
            points: [at_p, at_q],
            heights: [low, high],
            gap: dot(direction, sub(at_q, at_p)),
            clear: high.sub(low).gt(doubt.mul(taxicab(direction))),
        }
    }

    /// Writes what the directions decide, by planes with these offsets.
    #[inline(always)]
    pub(crate) fn add_to<D: F64x8>(
        &self,
        found: &mut EarlyResults,
        direction: [D; 3],
        offset: D,
        open: u32,
    ) {
        let finite = D::splat(f64::INFINITY).gt(offset.abs());
        let long = dot(direction, direction).gt(D::splat(SHORTEST));
        found.starts.ends = self.ends;
        found.beyond = self.gap.gt(F::rounded(0.0)).to_bits() & open;
        found.by_vertices = self.clear.to_bits() & finite.and(long).to_bits() & found.beyond;
    }
}

/// The lanes whose fan, if there is one, is exact.
#[inline(always)]
fn searches_exactly<F: F64x8>(bodies: &Bodies<'_, '_, F>) -> F::Mask {
    let [_, _, exact] = F::from_vectors(rows(bodies.data, |data| &data.solidity.0));
    exact.gt(F::splat(0.5))
}

/// What proves points that are in both bodies, which have a twin in the other one.
#[inline(always)]
fn certificates<F: F64x8>([a, b]: &[Bodies<'_, '_, F>; 2]) -> ContactCertificates<F> {
    let noise = a.noise().add(b.noise());
    let [(center_a, needed_a), (center_b, needed_b)] = [a.solid(noise), b.solid(noise)];
    let tolerance = F::splat(TOLERANCE).mul(noise);
    ContactCertificates::new([center_a, center_b], [needed_a, needed_b], tolerance)
}

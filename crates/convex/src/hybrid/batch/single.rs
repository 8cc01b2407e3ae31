//! The search of bodies of at most eight vertices, such as boxes, in single precision.
//!
//! Points are relative to the center of the first ellipsoid, turned as the world, in units of the sum of both radii. So
//! they are exact to a part of the size of the bodies, wherever those are. Planes, [points of
//! ellipsoids](SingleEllipsoids) and [points of portals](ContactCertificates) beyond all rounding errors are proved here;
//! other portals are proved in double precision pair by pair; what is left is searched like a single pair.

use crate::batch::{EIGHT, FewSets};
use crate::mpr::MprBatch;
use xcollide_simd::vec3::{add, dot, scale, store, sub};
use xcollide_simd::{F64x8, FloatX8, Simd, SimdFloat, SimdKernel, SimdMask};

use super::bodies::Bodies;
use super::contact_certificates::ContactCertificates;
use super::early_results::EarlyResults;
use super::early_tests::FirstStep;
use super::lanes::Lanes;
use super::single_ellipsoids::{SingleEllipsoids, Turned};
use crate::batch_data::FewVertices;
use crate::ellipsoid_pair::MARGIN;

/// 2⁻²⁴, the relative error of one rounding.
const UNIT: f64 = f32::EPSILON as f64 / 2.0;

/// The errors of both heights along a direction of taxicab length 1 in units of 2⁻²⁴, for each unit of the greater
/// radius and of the greatest coordinate between the centers.
///
/// A coordinate of a turned point has the errors of a matrix, a point, a product and two sums: 5u times the radius. In
/// the second body the distance between the centers is added: 6u times the radius and 2u times its coordinate. A height
/// is rounded by 3u times the greatest coordinate. So heights are off by at most 9u times the radius and 5u times the
/// distance, and the plane half way between them must be farther than that from both. The rest covers the rounding of the
/// radii and of this sum.
const HEIGHT_ERRORS: [f64; 2] = [20.0, 12.0];

/// The error of a point in both bodies, in units of [`Single::doubt`], which is at least 10u + 12uD, where D is the
/// greatest coordinate between the centers.
///
/// With ρ the part of the first radius, a coordinate of the point has the error of turned points, 5uρ, and roundings of
/// 9uρ. Its twin has the latter, too, the error of turned points of the second body, 6u(1 − ρ) + 2uD, and those of the
/// differences, the weights and their sums, 14u(1 + D). That is less than √3 · (23u + 16uD) < 40u + 28uD in space. The
/// weight of the center is off by less than 10u, and the radius of the ball about it is below 1.
const POINT_ERROR: f64 = 5.0;

/// The greatest distance of two points that count as one, in the same units.
const POINT_TOLERANCE: f64 = 1.0;

/// The part of the way to the border of their ellipsoids that such bodies reach, roughly. The search would wait for the
/// distance of the first difference, which serves larger bodies better.
const REACHED: f64 = 0.78;

/// Points must be farther than the portal by this part of the size.
const RESOLUTION: f64 = 1e-6;

/// The kernel.
pub(crate) struct SingleTests<'a, 'p> {
    pub(crate) of: Lanes<'a, 'p>,
    pub(crate) vertices: [[&'p FewVertices; EIGHT]; 2],
    /// If fewer lanes are open after the first direction, they are not searched.
    pub(crate) least: u32,
    pub(crate) found: &'a mut EarlyResults,
}

impl SimdKernel for SingleTests<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        let Self { of, vertices, least, found } = self;
        let Lanes { bodies: [of_a, of_b], data: [in_a, in_b], all } = of;
        let bodies = [Bodies::<S::F64x8>::of(&of_a, &in_a), Bodies::<S::F64x8>::of(&of_b, &in_b)];
        found.start(true);
        let single = Single::<S>::new(&bodies, vertices);
        single.search(all, least, found);
    }
}

/// The eight pairs in the frames of their searches.
struct Single<'a, 'p, S: Simd> {
    bodies: &'a [Bodies<'a, 'p, S::F64x8>; 2],
    turned: [Turned<'p, S::F32x8>; 2],
    /// The centers of the ellipsoids; the first one is the origin of the frame.
    centers: [[S::F64x8; 3]; 2],
    between: [S::F64x8; 3],
    /// The units of the frames, and the inverse.
    unit: S::F64x8,
    inverse: S::F64x8,
}

impl<'a, 'p, S: Simd> Single<'a, 'p, S> {
    #[inline(always)]
    fn new(
        bodies: &'a [Bodies<'a, 'p, S::F64x8>; 2],
        vertices: [[&'p FewVertices; EIGHT]; 2],
    ) -> Self {
        let [a, b] = bodies;
        let unit = a.radius.add(b.radius);
        let inverse = S::F64x8::splat(1.0).div(unit);
        let centers = [a.center(), b.center()];
        Self {
            bodies,
            turned: [turned::<S>(a, vertices[0], inverse), turned::<S>(b, vertices[1], inverse)],
            centers,
            between: sub(centers[1], centers[0]),
            unit,
            inverse,
        }
    }

    /// Tests the lanes in `all` and searches those that remain open, if these are as many as `least`.
    #[inline(always)]
    fn search(&self, all: u32, least: u32, found: &mut EarlyResults) {
        let zero = [S::F32x8::splat(0.0); 3];
        let between = self.rounded(self.between);
        let ellipsoids = SingleEllipsoids::of(&self.turned, between);
        let direction = ellipsoids.direction;
        let in_double = widened(direction);
        store(in_double, &mut found.starts.direction);
        let (apart, by_ellipsoids) = if ellipsoids.any_apart(between) {
            self.apart(&ellipsoids, in_double)
        } else {
            (<S::F64x8 as SimdFloat>::Mask::from_bits(0), S::F64x8::splat(0.0))
        };
        (found.by_ellipsoids, found.inside) = (apart.to_bits(), ellipsoids.inside.to_bits());
        if found.inside != 0 {
            let length = self.unit.mul(widened_number(ellipsoids.length));
            let [of_a, of_b] = ellipsoids.products;
            let [center_a, center_b] = self.centers;
            store(add(center_a, scale(widened(of_a), length)), &mut found.inner_points[0]);
            store(sub(center_b, scale(widened(of_b), length)), &mut found.inner_points[1]);
        }
        by_ellipsoids.store(&mut found.offset);
        let open = all & !(found.by_ellipsoids | found.inside);
        if open == 0 || open.count_ones() < least {
            return;
        }
        let [a, b] = &self.turned;
        let sets = [
            FewSets::of(a.numbers.map(|few| &few.points), a.rotation, zero),
            FewSets::of(b.numbers.map(|few| &few.points), b.rotation, between),
        ];
        let doubt = S::F32x8::from_f64(&self.doubt().mul(self.inverse).to_f64());
        let first = FirstStep::of(&sets, direction, doubt, open);
        let half = S::F64x8::splat(0.5);
        let [low, high] = [widened_number(first.heights[0]), widened_number(first.heights[1])];
        let offset = self.height(half.mul(low).add(half.mul(high)), in_double);
        S::F64x8::select(apart, by_ellipsoids, offset).store(&mut found.offset);
        first.add_to(found, in_double, offset, open);
        let open = open & !found.beyond;
        if open == 0 {
            return;
        }
        let certificates = self.certificates(between, doubt);
        let [of_a, of_b] = ellipsoids.half_widths;
        let [in_a, in_b] = ellipsoids.inner;
        let searches = MprBatch {
            sets: &sets,
            center: certificates.center,
            direction,
            ends: first.ends,
            points: first.points,
            height: S::F32x8::rounded(REACHED).mul(of_a.add(of_b)),
            roundness: S::F32x8::splat(0.5).mul(in_a.add(in_b)),
            doubt,
            resolution: RESOLUTION,
        };
        found.searched = open;
        let portals = searches.run(open, &mut found.mpr);
        if found.mpr.held != 0 {
            let (proved, points) = certificates.common_points(&portals);
            found.common = proved.to_bits() & found.mpr.held;
            let points = add(self.centers[0], scale(widened(points), self.unit));
            store(points, &mut found.common_points);
        }
        if found.mpr.clear != 0 {
            let [x, y, z] = &found.mpr.direction;
            let direction = [S::F64x8::load(x), S::F64x8::load(y), S::F64x8::load(z)];
            for heights in &mut found.mpr.heights {
                self.height(S::F64x8::load(heights), direction).store(heights);
            }
        }
    }

    /// What proves points that are in both bodies.
    #[inline(always)]
    fn certificates(
        &self,
        between: [S::F32x8; 3],
        doubt: S::F32x8,
    ) -> ContactCertificates<S::F32x8> {
        let noise = S::F32x8::rounded(POINT_ERROR + POINT_TOLERANCE).mul(doubt);
        let [a, b] = [&self.turned[0], &self.turned[1]];
        let [(center_a, needed_a), (center_b, needed_b)] = [a.solid(noise), b.solid(noise)];
        let tolerance = S::F32x8::rounded(POINT_TOLERANCE).mul(doubt);
        let centers = [center_a, add(between, center_b)];
        ContactCertificates::new(centers, [needed_a, needed_b], tolerance)
    }

    /// The lanes in which a plane across the direction separates the ellipsoids, and its offsets.
    #[inline(always)]
    fn apart(
        &self,
        ellipsoids: &SingleEllipsoids<S::F32x8>,
        direction: [S::F64x8; 3],
    ) -> (<S::F64x8 as SimdFloat>::Mask, S::F64x8) {
        let [a, b] = self.bodies;
        let [of_a, of_b] = ellipsoids.half_widths;
        let of_a = self.unit.mul(widened_number(of_a));
        let of_b = self.unit.mul(widened_number(of_b));
        let size = a.size().add(b.size()).add(a.far.add(b.far));
        let gap = dot(direction, self.between).sub(of_a.add(of_b));
        let apart = gap.gt(S::F64x8::splat(MARGIN).mul(size));
        let low = dot(direction, self.centers[0]).add(of_a);
        let high = dot(direction, self.centers[1]).sub(of_b);
        let half = S::F64x8::splat(0.5);
        let offset = half.mul(low).add(half.mul(high));
        (apart.and(S::F64x8::splat(f64::INFINITY).gt(offset.abs())), offset)
    }

    /// The sums of the errors of both heights along directions of taxicab length 1.
    #[inline(always)]
    fn doubt(&self) -> S::F64x8 {
        let [a, b] = self.bodies;
        let [x, y, z] = self.between;
        let far = x.abs().max(y.abs()).max(z.abs());
        let [of_radius, of_far] = HEIGHT_ERRORS;
        let of_radius = S::F64x8::splat(UNIT * of_radius).mul(a.radius.max(b.radius));
        let of_single = of_radius.add(S::F64x8::splat(UNIT * of_far).mul(far));
        of_single.add(S::F64x8::splat(2.0).mul(a.height_error().add(b.height_error())))
    }

    /// Heights of the frames in the world.
    #[inline(always)]
    fn height(&self, height: S::F64x8, direction: [S::F64x8; 3]) -> S::F64x8 {
        dot(direction, self.centers[0]).add(self.unit.mul(height))
    }

    /// Vectors in units of the frames.
    #[inline(always)]
    fn rounded(&self, vector: [S::F64x8; 3]) -> [S::F32x8; 3] {
        rounded::<S>(scale(vector, self.inverse))
    }
}

/// Bodies in units with these inverses.
#[inline(always)]
fn turned<'p, S: Simd>(
    bodies: &Bodies<'_, 'p, S::F64x8>,
    vertices: [&'p FewVertices; EIGHT],
    inverse: S::F64x8,
) -> Turned<'p, S::F32x8> {
    let radius = bodies.radius.mul(inverse);
    let [r, s, t] = bodies.motions.rotation;
    let rotation = [
        rounded::<S>(scale(r, radius)),
        rounded::<S>(scale(s, radius)),
        rounded::<S>(scale(t, radius)),
    ];
    let radius = S::F32x8::from_f64(&radius.to_f64());
    Turned { numbers: vertices, rotation, radius }
}

#[inline(always)]
fn rounded<S: Simd>([x, y, z]: [S::F64x8; 3]) -> [S::F32x8; 3] {
    [
        S::F32x8::from_f64(&x.to_f64()),
        S::F32x8::from_f64(&y.to_f64()),
        S::F32x8::from_f64(&z.to_f64()),
    ]
}

#[inline(always)]
fn widened<F: F64x8>([x, y, z]: [impl FloatX8; 3]) -> [F; 3] {
    [widened_number(x), widened_number(y), widened_number(z)]
}

#[inline(always)]
fn widened_number<F: F64x8>(number: impl FloatX8) -> F {
    F::load(&number.to_f64())
}

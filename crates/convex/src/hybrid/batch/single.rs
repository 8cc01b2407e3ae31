//! The search of bodies of at most eight vertices, such as boxes, in single precision.
//!
//! Points are relative to the center of the first ellipsoid, turned as the world, in units of the sum of both radii. So
//! they are exact to a part of the size of the bodies, wherever those are. Planes with a gap beyond all rounding errors
//! are proved here; portals are proved in double precision; what is left is searched like a single pair.

use crate::batch::{EIGHT, FewSets};
use crate::mpr::MprBatch;
use xcollide_simd::vec3::{dot, scale, select, store, sub, taxicab};
use xcollide_simd::{F64x8, FloatX8, Simd, SimdFloat};

use super::bodies::Bodies;
use super::contact_certificates::ContactCertificates;
use super::early_results::EarlyResults;
use super::early_tests::{Eight, FirstStep};
use crate::batch_data::BatchData;

/// The coordinates of eight bodies, each relative to the center of its ellipsoid.
type Points<'p> = [[&'p [f32; EIGHT]; EIGHT]; 3];

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

/// Points must be farther than the portal by this part of the size.
const RESOLUTION: f64 = 1e-6;

/// The eight pairs in the frames of their searches.
pub(crate) struct Single<'p, F> {
    points: [Points<'p>; 2],
    /// The origins of the frames.
    origin: [F; 3],
    between: [F; 3],
    /// The units of the frames, and the inverse.
    unit: F,
    inverse: F,
    doubt: F,
}

impl<'p, F: F64x8> Single<'p, F> {
    /// `None` if a body has more vertices.
    #[inline(always)]
    pub(crate) fn of(eight: &Eight<'_, '_, F>, data: &[[&'p BatchData; EIGHT]; 2]) -> Option<Self> {
        let points = [points(&data[0])?, points(&data[1])?];
        let [a, b] = eight.bodies;
        let ([origin, other], radii) = (eight.ellipsoids.centers(), eight.ellipsoids.radii());
        let unit = radii[0].add(radii[1]);
        let inverse = F::splat(1.0).div(unit);
        let between = sub(other, origin);
        let [x, y, z] = between;
        let far = x.abs().max(y.abs()).max(z.abs());
        let [of_radius, of_far] = HEIGHT_ERRORS;
        let of_radius = F::splat(UNIT * of_radius).mul(radii[0].max(radii[1]));
        let of_single = of_radius.add(F::splat(UNIT * of_far).mul(far));
        let of_double = F::splat(2.0).mul(a.height_error().add(b.height_error()));
        Some(Self { points, origin, between, unit, inverse, doubt: of_single.add(of_double) })
    }

    /// Returns certificates if MPR was needed.
    #[inline(always)]
    pub(crate) fn search<S: Simd<F64x8 = F>>(
        &self,
        eight: &Eight<'_, '_, F>,
        found: &mut EarlyResults,
    ) -> Option<ContactCertificates<F>> {
        found.in_single = true;
        let [a, b] = eight.bodies;
        let zero = [S::F32x8::splat(0.0); 3];
        let between = self.rounded::<S>(self.between);
        let sets = [
            FewSets::of(&self.points[0], self.rotation::<S>(a), zero),
            FewSets::of(&self.points[1], self.rotation::<S>(b), between),
        ];
        let shorter = F::splat(1.0).div(taxicab(eight.ellipsoids.direction));
        let direction = rounded::<S>(scale(eight.ellipsoids.direction, shorter));
        let doubt = S::F32x8::from_f64(&self.doubt.mul(self.inverse).to_f64());
        let first = FirstStep::of(&sets, direction, doubt, eight.open);
        let in_double = widened(direction);
        let half = F::splat(0.5);
        let [low, high] = [widened_number::<F>(first.heights[0]), widened_number(first.heights[1])];
        let offset = self.height(half.mul(low).add(half.mul(high)), in_double);
        eight.add_first(&first, in_double, offset, found);
        let of_ellipsoids = eight.ellipsoids.direction;
        store(select(eight.apart, of_ellipsoids, in_double), &mut found.direction);
        let open = eight.open & !found.beyond;
        if open.count_ones() < eight.least {
            return None;
        }
        let certificates = ContactCertificates::of(eight.bodies);
        let height = eight.ellipsoids.width().mul(shorter).mul(self.inverse);
        let searches = MprBatch {
            sets: &sets,
            shift: self.rounded::<S>(certificates.shift),
            center: self.rounded::<S>(certificates.center),
            direction,
            ends: first.ends,
            difference: first.difference,
            height: S::F32x8::from_f64(&height.to_f64()),
            roundness: S::F32x8::from_f64(&half.mul(a.inner.add(b.inner)).to_f64()),
            doubt,
            resolution: RESOLUTION,
        };
        found.searched = open;
        searches.run(open, &mut found.mpr);
        if found.mpr.clear != 0 {
            let [x, y, z] = &found.mpr.direction;
            let direction = [F::load(x), F::load(y), F::load(z)];
            for heights in &mut found.mpr.heights {
                self.height(F::load(heights), direction).store(heights);
            }
        }
        Some(certificates)
    }

    /// Heights of the frames in the world.
    #[inline(always)]
    fn height(&self, height: F, direction: [F; 3]) -> F {
        dot(direction, self.origin).add(self.unit.mul(height))
    }

    /// The rows of the matrices that turn points to the frames.
    #[inline(always)]
    fn rotation<S: Simd<F64x8 = F>>(&self, body: &Bodies<'_, '_, F>) -> [[S::F32x8; 3]; 3] {
        let [r, s, t] = body.motions.rotation;
        [self.rounded::<S>(r), self.rounded::<S>(s), self.rounded::<S>(t)]
    }

    /// Vectors in units of the frames.
    #[inline(always)]
    fn rounded<S: Simd<F64x8 = F>>(&self, vector: [F; 3]) -> [S::F32x8; 3] {
        rounded::<S>(scale(vector, self.inverse))
    }
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

/// `None` if one of eight bodies has more vertices.
#[inline(always)]
fn points<'p>(data: &[&'p BatchData; EIGHT]) -> Option<Points<'p>> {
    let mut points = [[&[0.0; EIGHT]; EIGHT]; 3];
    for (lane, data) in data.iter().enumerate() {
        let [x, y, z] = data.few.as_ref()?;
        (points[0][lane], points[1][lane], points[2][lane]) = (x, y, z);
    }
    Some(points)
}

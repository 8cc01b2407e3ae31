//! Ray casting in a hierarchy: the boxes along a ray, in the order in which it enters them.
//!
//! In the frame of a tree, with contents within R of its origin, the ray is c + t u: u is the direction, scaled by a power of
//! two to a length of about 1, and c the point of its line nearest to the origin of the tree. So |t u| ≤ R where it meets
//! something, however far away it begins.
//!
//! # Proof of the margin
//!
//! Let a point of the ray, at the exact parameter s, be in a triangle whose corners are rounded in the *world*; by
//! [`Pose::relative_margin`], with the frame that has its origin where the ray begins, it is in the frame of the model no
//! farther than that from a point p of the triangle there. Points are where the model is, so in that frame their coordinates
//! are below twice the sum of the model's coordinates and of the distance of the two origins. All further computations
//! of c, u and t are in f64, with some ten operations at the magnitude of these: 2⁻⁴⁶ of their sum covers them, the recentering
//! to the frame of the tree, and a direction that is rounded. All lengths from here on are in the unit of the tree, and
//! u = 2⁻²⁴:
//!
//! - rounding c to f32 moves it by less than 1.1uR, and rounding the direction moves the point by 0.9uR;
//! - for a box with center b, axes aⱼ and extents eⱼ, |b| ≤ R, all p in it have |(p − b)·aⱼ| ≤ eⱼ, for the rounded numbers,
//!   so |(b − c)·aⱼ − t u·aⱼ| ≤ eⱼ but for rounding: 2.1uR of the difference b − c, 6.4uR of its product with the axis, 3.2uR of
//!   that of the direction, 2.2uR of the sum of extent and margin and 4.3uR of the difference to it.
//!
//! Together less than 2⁻¹⁹R. These are bounds of t for each axis, with a relative rounding of 4u: `SLACK`. If |u·aⱼ| is below
//! 2⁻⁴⁰, it is replaced by that, which moves the left side by less than 2⁻³⁹|t|; |t| is below 2.25R. All that together is less than 2⁻¹⁸R.

use std::ops::ControlFlow;

use xcollide_math::Pose;
use xcollide_math::vector::{dot, scale, sub};
use xcollide_simd::vec3::{dot as dot_lanes, splat, sub as sub_lanes};
use xcollide_simd::{F32x8, SimdMask};

use super::fit::round_up;
use super::kernel::Boxes;
use super::node::WIDTH;
use super::ordered_query::{ALL, Order, SLACK};
use super::relative_transform::TreeFrame;
use super::unit::{Unit, power_of_two};

/// 2⁻¹⁸, the margin for f32.
const MARGIN: f64 = 1.0 / (1 << 18) as f64;
/// 2⁻⁴⁶, the margin for f64.
const ROUNDING: f64 = 1.0 / (1_u64 << 46) as f64;
/// Above 1 / |u|.
const LONGEST: f64 = 2.25;
/// 2⁻⁴⁰: slower boxes count as that fast.
const SLOWEST: f32 = 1.0 / (1_u64 << 40) as f32;
/// 2⁶⁰: with a larger margin nothing is pruned.
const LARGEST: f64 = (1_u64 << 60) as f64;

/// The order along a ray; the visitor tells parameters.
pub(super) struct AlongRay {
    center: [f32; 3],
    direction: [f32; 3],
    margin: f32,
    /// t where it begins and ends, with the margin.
    start: f32,
    end: f32,
    /// Of the largest |t|.
    slack: f32,
    /// At parameter s, t is less than `offset + s * speed`.
    offset: f64,
    speed: f64,
}

impl AlongRay {
    /// The ray `origin + s · direction`, 0 ≤ s ≤ `reach`, in the world; `Break` if it passes by.
    #[inline(always)]
    pub(super) fn new(
        frame: &TreeFrame,
        to_world: &Pose,
        [origin, direction]: [[f64; 3]; 2],
        reach: f64,
    ) -> ControlFlow<(), Self> {
        let begin = Pose::from_translation(origin);
        let between = largest(sub(origin, to_world.translation()));
        let magnitude = frame.magnitude + between;
        let margin = Pose::relative_margin(to_world, &begin, frame.magnitude, 2.0 * magnitude);
        let of_unit = frame.unit.reciprocal();
        let margin = MARGIN * frame.reach + (margin + ROUNDING * magnitude) * of_unit;
        // With coordinates below 1, so that no square leaves the range of f64.
        let size = Unit::above(largest(direction));
        let along = scale(direction, size.reciprocal());
        // At the identity nothing is turned, and the division for the inverse is saved.
        let [from, along] = if *to_world == Pose::IDENTITY {
            [origin, along]
        } else {
            to_world.to_local(origin, along)
        };
        let square = dot(along, along);
        let from = scale(sub(from, frame.origin), of_unit);
        let start = dot(from, along) / square;
        let center = sub(from, scale(along, start));
        // Not so of NaN.
        if !(margin < LARGEST && square * LONGEST * LONGEST > 1.0 && square < 16.0) {
            return ControlFlow::Continue(Self::EVERYWHERE);
        }
        let farthest = frame.reach + margin;
        if dot(center, center) > farthest * farthest * (1.0 + ROUNDING) {
            return ControlFlow::Break(());
        }
        let farthest = round_up(LONGEST * (farthest + margin));
        let mut ray = Self {
            center: center.map(|x| x as f32),
            direction: along.map(|x| x as f32),
            margin: round_up(margin),
            start: ((start - 2.0 * LONGEST * margin) as f32).max(-farthest),
            end: farthest,
            slack: SLACK * farthest,
            offset: start + 2.0 * LONGEST * margin,
            speed: power_of_two(size.exponent()) * of_unit,
        };
        ray.end = ray.limit(reach);
        if ray.start > ray.end { ControlFlow::Break(()) } else { ControlFlow::Continue(ray) }
    }

    /// Prunes nothing.
    const EVERYWHERE: Self = Self {
        center: [0.0; 3],
        direction: [1.0, 0.0, 0.0],
        margin: f32::INFINITY,
        start: f32::NEG_INFINITY,
        end: f32::INFINITY,
        slack: f32::INFINITY,
        offset: f64::INFINITY,
        speed: 0.0,
    };
}

fn largest([x, y, z]: [f64; 3]) -> f64 {
    x.abs().max(y.abs()).max(z.abs())
}

impl Order for AlongRay {
    #[inline(always)]
    fn limit(&self, told: f64) -> f32 {
        let limit = (self.offset + told * self.speed) as f32;
        if limit < self.end { limit } else { self.end }
    }

    #[inline(always)]
    fn keys<F: F32x8>(&self, boxes: &Boxes<F>, limit: f32) -> (u32, [f32; WIDTH]) {
        let between = sub_lanes(boxes.center, splat(self.center));
        let direction: [F; 3] = splat(self.direction);
        let (margin, slowest, one) = (F::splat(self.margin), F::splat(SLOWEST), F::splat(1.0));
        let (mut from, mut to) = (F::splat(self.start), F::splat(limit));
        for axis in 0..3 {
            let place = dot_lanes(between, boxes.axes[axis]);
            let speed = dot_lanes(direction, boxes.axes[axis]);
            let inverse = one.div(F::select(speed.abs().lt(slowest), slowest, speed));
            let reach = boxes.extent[axis].add(margin);
            let near = place.sub(reach).mul(inverse);
            let far = place.add(reach).mul(inverse);
            // NaN leaves the bounds as they are.
            from = near.min(far).max(from);
            to = near.max(far).min(to);
        }
        let misses = from.gt(to.add(F::splat(self.slack)));
        (!misses.to_bits() & ALL, from.to_array())
    }
}

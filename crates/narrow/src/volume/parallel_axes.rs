//! The volume that cylinders, cones and capsules have in common if their axes are parallel: their [sections](super::sections)
//! across the axes are discs.
//!
//! The axes of placed bodies are parallel, and their sections discs, up to rounding. If no point of a body is farther than e from a body
//! K, and none of K farther from the body, then the body contains K without a margin of e, and is in K with such a margin. Both
//! have discs as sections, too.

use xcollide_convex::shape::Core;

use super::OverlapVolume;
use super::inscribed::View;
use super::number::{Double, Number, dot, enlargement, inverse};
use super::sections::{self, root};
use super::seen::{Seen, longest, size};
use crate::{Formula, Placed};

/// Bodies that are farther from having parallel axes, in parts of their size, have not.
const NEAR: f64 = 1e-12;

/// `None` if the axes are not parallel. Balls are left to the refinement, which needs no more time for them.
pub(super) fn volume(placed: [Placed<'_>; 2]) -> Option<OverlapVolume> {
    let formulas = [placed[0].model().formula()?, placed[1].model().formula()?];
    let shapes = [formulas[0].shape()?, formulas[1].shape()?];
    // In the frame of a cylinder or cone, whose sections the matrix changes; else in one that keeps lengths.
    let rank = |of: usize| match shapes[of].core() {
        Core::Cylinder { .. } | Core::Cone { .. } => Some(2),
        Core::Segment { .. } => Some(1),
        _ => None,
    };
    let of = usize::from(rank(1)? > rank(0)?);
    let pose = placed[of].pose();
    let (rows, factor) = if shapes[of].radius() > 0.0 {
        let axis = pose.rotation().map(|row| row[2]);
        (*View::along(pose.translation(), axis, [0.0; 3]).rows(), 1.0)
    } else {
        (inverse(pose.rotation()), enlargement(pose.rotation()))
    };
    let body = |of: usize| {
        let seen = Seen::along(formulas[of], placed[of].pose(), pose.translation(), &rows)?;
        Revolved::new(formulas[of], &seen)
    };
    let bodies = [body(0)?, body(1)?];
    let [x, y] = [0, 1].map(|k| bodies[0].center[k].sub(&bodies[1].center[k]));
    let square = x.mul(&x).add(&y.mul(&y));
    let ranges = bodies.each_ref().map(Revolved::range);
    let [low, high] = [ranges[0][0].max(ranges[1][0]), ranges[0][1].min(ranges[1][1])];
    let middle = highest([low, high], |z| {
        let radius = |body: &Revolved| body.radius(z).map_or(f64::NEG_INFINITY, |r| r.rounded());
        radius(&bodies[0]) + radius(&bodies[1])
    });
    let found = sections::volume([low, middle, high], |z| {
        let [Some(one), Some(other)] = bodies.each_ref().map(|body| body.radii(z)) else {
            return [0.0; 2];
        };
        sections::lens([one, other], &square)
    })?;
    // The factor is rounded.
    let [at_least, at_most] = [(found.at_least, -1e-15), (found.at_most, 1e-15)]
        .map(|(x, part)| factor * x * (1.0 + part));
    Some(OverlapVolume { at_least, at_most })
}

/// Where a concave function is greatest, about.
fn highest([mut low, mut high]: [f64; 2], of: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..200 {
        let third = (high - low) / 3.0;
        let [one, other] = [low + third, high - third];
        let (left, right) = (of(one), of(other));
        if left <= right {
            low = one;
        }
        if right <= left {
            high = other;
        }
    }
    0.5 * (low + high)
}

enum Side {
    Round,
    Straight,
    /// With the height of the apex.
    Pointed(f64),
}

/// A body of revolution about an axis along z, but for a margin.
struct Revolved {
    side: Side,
    center: [Double; 2],
    /// Where the radius is greatest.
    widest: [f64; 2],
    radius: f64,
    /// How far the body may be from this one: across the axis and along it.
    margin: [f64; 2],
}

impl Revolved {
    fn new(formula: &Formula, seen: &Seen) -> Option<Self> {
        let shape = formula.shape()?;
        let (first, last) = (seen.parts.first()?, seen.parts.last()?);
        let [bottom, top] = [first, last].map(|part| part.center[2].rounded());
        let (side, radius, at_top, widest) = match shape.core() {
            Core::Cylinder { radius, .. } => (Side::Straight, radius, radius, [bottom, top]),
            Core::Cone { radius, .. } => (Side::Pointed(top), radius, 0.0, [bottom, bottom]),
            _ => (Side::Round, shape.radius(), shape.radius(), [bottom, top]),
        };
        let half = Double::of(0.5);
        let center = [0, 1].map(|k| first.center[k].add(&last.center[k]).mul(&half));
        let mut margin = [0.0_f64; 2];
        for (part, radius) in [(first, radius), (last, at_top)] {
            let off = longest(&[0, 1].map(|k| part.center[k].sub(&center[k])));
            let square = Double::of(radius).mul(&Double::of(radius));
            // What the squares of the map's singular values have more or less than they should have.
            let excess = |i: usize, j: usize| {
                let product = dot(&part.map[i], &part.map[j]);
                size(&if i == j { product.sub(&square) } else { product })
            };
            let across = excess(0, 0) + excess(1, 1) + 2.0 * excess(0, 1);
            // No root is off by more than either of these.
            let part_of = |excess: f64| (excess / radius).min(excess.sqrt());
            let change = match side {
                Side::Round => {
                    let along = excess(2, 2) + 2.0 * (excess(0, 2) + excess(1, 2));
                    [part_of(across + along); 2]
                }
                _ => [part_of(across), longest(&part.map[2])],
            };
            let rounding = f64::EPSILON * part.center[2].rounded().abs();
            margin[0] = margin[0].max(off + change[0]);
            margin[1] = margin[1].max(change[1] + rounding);
        }
        let is_parallel =
            margin.iter().all(|margin| *margin <= NEAR * (radius + (top - bottom).abs()));
        let widest = [widest[0].min(widest[1]), widest[0].max(widest[1])];
        is_parallel.then_some(Self { side, center, widest, radius, margin })
    }

    /// From the lowest to the highest point, with the margin.
    fn range(&self) -> [f64; 2] {
        let [low, high] = self.widest;
        let [low, high] = match self.side {
            Side::Straight => [low, high],
            Side::Round => [low - self.radius, high + self.radius],
            Side::Pointed(apex) => [low.min(apex), high.max(apex)],
        };
        let more = 2.0 * self.margin[1] + 4.0 * f64::EPSILON * (low.abs() + high.abs());
        [low - more, high + more]
    }

    /// The radius at a height, without the margin, up to a part of 1e-28.
    fn radius(&self, z: f64) -> Option<Double> {
        let nearest = z.clamp(self.widest[0], self.widest[1]);
        if z == nearest {
            return Some(Double::of(self.radius));
        }
        match self.side {
            Side::Straight => None,
            Side::Round => {
                let (beyond, radius) = (Double::difference(nearest, z), Double::of(self.radius));
                let square = radius.sub(&beyond).mul(&radius.add(&beyond));
                (square.rounded() >= 0.0).then(|| root(&square))
            }
            Side::Pointed(apex) => {
                let all = Double::difference(self.widest[0], apex);
                let part = Double::difference(z, apex).div(&all);
                let is_in = (0.0..=1.0).contains(&part.rounded());
                is_in.then(|| part.mul(&Double::of(self.radius)))
            }
        }
    }

    /// Bounds of the radius; `None` if there is nothing.
    fn radii(&self, z: f64) -> Option<[Double; 2]> {
        const ROUNDING: f64 = 1e-28;
        let [across, along] = self.margin;
        // With the rounding of heights that are changed by it.
        let along = along + f64::EPSILON * z.abs();
        // Downward and upward, and towards where it is widest.
        let nearest = z.clamp(self.widest[0], self.widest[1]);
        let wider =
            if (z - nearest).abs() <= along { nearest } else { z - along.copysign(z - nearest) };
        let highest = self.radius(wider)?;
        let narrower = [z - along, z + along].map(|z| self.radius(z));
        let lowest = match narrower {
            [Some(one), Some(other)] if one.rounded() < other.rounded() => one,
            [Some(_), Some(other)] => other,
            _ => Double::of(0.0),
        };
        let rounding = |radius: &Double| ROUNDING * radius.rounded();
        let low = lowest.sub(&Double::of(across + rounding(&lowest)));
        let high = highest.add(&Double::of(across + rounding(&highest)));
        Some([low, high])
    }
}

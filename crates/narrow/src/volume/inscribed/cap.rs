//! The solid between a facet and the surface, and how much of it is below a plane.

use xcollide_bounds::Aabb;
use xcollide_math::vector::{add, cross, dot, largest, length, scale, sub};
use xcollide_predicates::Point;

/// The solid between a facet, or a part of it, and the surface.
pub(super) struct Cap {
    pub(super) volume: f64,
    /// Points whose hull contains it: the corners of the facet, and as many above.
    pub(super) points: [Point; 8],
    /// The number of these points.
    pub(super) count: usize,
    pub(super) thickness: Thickness,
    /// No point of it is farther from the surface.
    pub(super) height: f64,
    /// The longest side of a triangle, or the length of a part of a strip.
    pub(super) size: f64,
    /// The same of a triangle; how wide a part of a strip is.
    pub(super) width: f64,
}

/// How thick a cap is over each point of its facet: a polynomial of the second degree, times a number between two factors.
pub(super) enum Thickness {
    /// Over the point with the weights a, b and c of the corners: ab, bc and ca times the squares of the sides, per area of the
    /// whole facet.
    Triangle { sides: [f64; 3], factors: [f64; 2] },
    /// At a place along a tube with radius r there, at y r from the middle of a chord of length c r: r² (c²/4 − y²), per length along
    /// the tube and y.
    Strip { places: [f64; 2], radii: [f64; 2], chord: f64, factors: [f64; 2] },
}

/// A point of a facet in the coordinates of its thickness, and its height above a plane.
type Corner = ([f64; 3], f64);

impl Cap {
    pub(super) fn points(&self) -> &[Point] {
        &self.points[..self.count]
    }

    /// More than the rounding of its points, and of their heights along a direction of length 1.
    pub(super) fn rounding(&self) -> f64 {
        16.0 * f64::EPSILON * self.points().iter().map(|&p| largest(p)).fold(0.0, f64::max)
    }

    /// A box around what is below a plane.
    pub(super) fn bounds_below(&self, normal: [f64; 3], level: f64) -> Aabb {
        let level = level + self.rounding();
        let points = || self.points().iter().map(|&p| (p, dot(normal, p) - level));
        let mut bounds =
            Aabb::from_points(points().filter(|(_, height)| *height <= 0.0).map(|(p, _)| p));
        for (p, of_p) in points().filter(|(_, height)| *height <= 0.0) {
            for (q, of_q) in points().filter(|(_, height)| *height > 0.0) {
                let cut = add(p, scale(sub(q, p), of_p / (of_p - of_q)));
                bounds = bounds.merged(&Aabb::from_points([cut]));
            }
        }
        bounds
    }

    /// Bounds of the volume of what is in a body, if all points of the cap below the plane of the first height along a
    /// normal of length 1 are in it, and none above that of the second.
    ///
    /// Every point of the cap is at most `height` from one of the facet under it, so the parts of the facet that are so much lower
    /// or higher bound its volume.
    pub(super) fn between(&self, normal: [f64; 3], [low, high]: [f64; 2]) -> [f64; 2] {
        let heights = |level: f64| -> [f64; 4] {
            std::array::from_fn(|k| dot(normal, self.points[k]) - level)
        };
        let reach = self.height + self.rounding();
        let [least, most] = [low - reach, high + reach].map(heights);
        let [at_least, at_most] = match &self.thickness {
            Thickness::Triangle { sides: [e, f, g], factors } => {
                let weights = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
                let thickness = |[a, b, c]: [f64; 3]| a * b * e + b * c * f + c * a * g;
                let part = |heights: [f64; 4]| {
                    let corners: [Corner; 3] = std::array::from_fn(|k| (weights[k], heights[k]));
                    integral(&corners, |a, b, c| dot(a, cross(b, c)).abs(), thickness)
                };
                [factors[0] * part(least), factors[1] * part(most)]
            }
            Thickness::Strip { places, radii, chord, factors } => {
                // Along the chord z = r y; the thickness r (c²/4 − y²) per z grows with the radius.
                let corner = |k: usize| {
                    let z = if k & 1 == 0 { -0.5 } else { 0.5 } * chord * radii[k >> 1];
                    [places[k >> 1], z, 0.0]
                };
                let area = |a, b, c| 0.5 * length(cross(sub(b, a), sub(c, a)));
                let part = |heights: [f64; 4], radius: f64| {
                    if radius == 0.0 {
                        return 0.0;
                    }
                    let corners = [0, 1, 3, 2].map(|k| (corner(k), heights[k]));
                    let thickness =
                        |[_, z, _]: [f64; 3]| 0.25 * radius * chord * chord - z * z / radius;
                    integral(&corners, area, thickness)
                };
                let [r, s] = *radii;
                [factors[0] * part(least, r.min(s)), factors[1] * part(most, r.max(s))]
            }
        };
        // More than the rounding of some operations.
        const ROUNDING: f64 = 1e-9;
        let lost = ROUNDING * self.volume;
        [(at_least - lost).clamp(0.0, self.volume), (at_most + lost).clamp(0.0, self.volume)]
    }
}

/// The integral of a polynomial of the second degree over the part of a convex polygon whose height is not positive: of each triangle
/// its area and the mean of the values in the middles of the sides.
fn integral(
    polygon: &[Corner],
    area: impl Fn([f64; 3], [f64; 3], [f64; 3]) -> f64,
    value: impl Fn([f64; 3]) -> f64,
) -> f64 {
    let mut below = [[0.0; 3]; 8];
    let mut count = 0;
    let mut keep = |point| {
        below[count] = point;
        count += 1;
    };
    for (k, &(point, height)) in polygon.iter().enumerate() {
        let (next, above) = polygon[(k + 1) % polygon.len()];
        if height <= 0.0 {
            keep(point);
        }
        if (height <= 0.0) != (above <= 0.0) {
            keep(add(point, scale(sub(next, point), height / (height - above))));
        }
    }
    let middle = |a, b| scale(add(a, b), 0.5);
    let mut sum = 0.0;
    for k in 2..count {
        let (a, b, c) = (below[0], below[k - 1], below[k]);
        let values = value(middle(a, b)) + value(middle(b, c)) + value(middle(c, a));
        sum += area(a, b, c) * values / 3.0;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::super::frame::{Frame, View};
    use super::super::patch::{Sphere, Tube};
    use super::*;
    use crate::Pose;
    use crate::volume::number::{Double, Number};

    /// Of a ball above and below a plane, of a cone in halves: the bounds contain the share, and get near it as caps get small.
    #[test]
    fn shares_are_between_their_bounds() {
        let center = [1.0, 2.0, 3.0];
        let frame = Frame::of(&Pose::from_translation(center), &View::from([0.0; 3]));
        let sphere = Sphere::new(frame.scaled([2.0, 3.0, 4.0]));
        let ends = [0.0, 3.0]
            .map(|z| Frame::of(&Pose::from_translation([0.0, 0.0, z]), &View::from([0.0; 3])));
        let ends = ends.map(|end| end.scaled([2.0, 2.0, 1.0]));
        let ends = [ends[0].clone(), ends[1].times(&Double::of(0.5))];
        let tube = Tube::new(ends, 0.5, 4.0 * 3.0);
        for (size, width) in [(0.5_f64, 1.0), (0.05, 0.15), (0.005, 0.015)] {
            let (sine, cosine) = (libm::sin(size), libm::cos(size));
            let ways = [[1.0, 0.0, 0.0], [cosine, sine, 0.0], [cosine, 0.0, sine]];
            let cap = sphere.cap(&ways, ways.map(|way| sphere.at(way)));
            let whole = cap.between([1.0, 0.0, 0.0], [9.0, 9.0]);
            assert!(whole[0] > (1.0 - width) * cap.volume && whole[1] == cap.volume, "{whole:?}");
            let lines = [ways[0], ways[1]];
            let corners = [0, 1].map(|end| lines.map(|way| tube.at(end, way)));
            let strip = tube.cap(&lines, &corners, size, [0.25, 0.25 + 0.25 * size]);
            let whole = strip.between([1.0, 0.0, 0.0], [9.0, 9.0]);
            assert!(whole[0] > (1.0 - width) * strip.volume, "{whole:?} {}", strip.volume);
            // What is below a plane and what is above it are the whole.
            let normal = [0.0, -0.8, 0.6];
            let level = dot(normal, center);
            let below = cap.between(normal, [level, level]);
            let above = cap.between(normal.map(|x| -x), [-level, -level]);
            assert!(below[0] + above[0] <= cap.volume && cap.volume <= below[1] + above[1]);
            assert!(below[1] - below[0] < width * cap.volume, "{size} {below:?} {}", cap.volume);
            // The middle of the strip.
            let side = [-libm::sin(0.5 * size), libm::cos(0.5 * size), 0.0];
            let half = strip.between(side, [0.0; 2]);
            assert!(half[0] <= 0.5 * strip.volume && 0.5 * strip.volume <= half[1], "{half:?}");
            assert!(half[1] - half[0] < width * strip.volume, "{size} {half:?}");
            assert_eq!(strip.between(side, [-9.0; 2]), [0.0, 1e-9 * strip.volume]);
        }
    }
}

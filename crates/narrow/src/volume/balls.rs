//! The volume that balls have in common with each other and with a half space: closed forms. Two ellipsoids of one form in one
//! orientation are balls, too, seen through the map of one of them.

use std::f64::consts::PI;

use xcollide_convex::shape::{Core, Shape};

use super::OverlapVolume;
use super::number::{Double, Number, Vector, dot, enlargement, vector};
use super::seen::{Part, Seen, size};
use crate::Placed;
use crate::model::formula::Formula;

/// Of two balls, a ball and a half space, or two ellipsoids that differ by their size and place only; `None` for all others.
pub(super) fn of_balls(sides: [(&Formula, Placed<'_>); 2]) -> Option<OverlapVolume> {
    let line = |from: Placed<'_>, to: Placed<'_>| -> Vector<Double> {
        vector(from.pose().translation(), to.pose().translation())
    };
    match sides {
        [(Formula::Ball(one), a), (Formula::Ball(other), b)] => {
            Some(of_two_balls([one.radius(), other.radius()], &line(a, b)))
        }
        [(Formula::Ball(ball), a), (Formula::HalfSpace, b)]
        | [(Formula::HalfSpace, b), (Formula::Ball(ball), a)] => {
            let normal = b.pose().rotation().map(|row| row[2]);
            Some(above_ground(ball.radius(), normal, &line(b, a)))
        }
        _ => of_ellipsoids(sides),
    }
}

/// Of two ellipsoids that differ by their size and place only.
fn of_ellipsoids([(one, a), (other, b)]: [(&Formula, Placed<'_>); 2]) -> Option<OverlapVolume> {
    const NEAR: f64 = 1e-12;
    let Core::Ellipsoid { half } = other.shape()?.core() else { return None };
    if !matches!(one.shape()?.core(), Core::Ellipsoid { .. }) {
        return None;
    }
    // In the frame in which the other one is the unit ball.
    let seen = Seen::new(one, a.pose(), b.pose())?;
    let [Part { center, map }] = &seen.parts[..] else { return None };
    let unit = |k: usize, x: &Double| x.div(&Double::of(half[k]));
    let center = [0, 1, 2].map(|k| unit(k, &center[k]));
    let rows: [Vector<Double>; 3] = [0, 1, 2].map(|k| map[k].each_ref().map(|x| unit(k, x)));
    let product = |k: usize| dot(&rows[k / 3], &rows[k % 3]);
    let radius = product(0).rounded().max(0.0).sqrt();
    let square = Double::of(radius).mul(&Double::of(radius));
    let excess = |k: usize| {
        let product = product(k);
        size(&if k.is_multiple_of(4) { product.sub(&square) } else { product })
    };
    let error = (0..9).map(excess).sum::<f64>() / radius;
    if error.is_nan() || error > NEAR * radius {
        return None;
    }
    let factor = half[0] * half[1] * half[2] * enlargement(b.pose().rotation());
    // As the depth changes with the radius, it does with the distance; the curvature changes by a small part.
    let distance = dot(&center, &center).rounded().sqrt();
    let at = |change: f64| {
        let part = if distance > 0.0 { Double::of(change / distance) } else { Double::of(0.0) };
        let scale = Double::of(1.0).add(&part);
        of_two_balls([radius, 1.0], &center.each_ref().map(|x| x.mul(&scale)))
    };
    let part = 1e-14 + 16.0 * error / radius;
    let at_least = factor * at(1.01 * error).at_least * (1.0 - part);
    let at_most = factor * at(-1.01 * error).at_most * (1.0 + part);
    Some(OverlapVolume { at_least, at_most: at_most.max(at_least) })
}

/// With the rounding of a few operations.
fn between([low, high]: [f64; 2]) -> OverlapVolume {
    const ROUNDING: f64 = 1e-14;
    let at_least = low * (1.0 - ROUNDING);
    OverlapVolume { at_least, at_most: (high * (1.0 + ROUNDING)).max(at_least) }
}

/// A ball with its center at the end of a line that begins on the border of a half space.
fn above_ground(radius: f64, normal: [f64; 3], line: &Vector<Double>) -> OverlapVolume {
    let normal = normal.map(Double::of);
    let (height, square) = (dot(&normal, line), dot(&normal, &normal));
    let size = square.rounded().sqrt();
    let (up, r) = (height.rounded() / size, Double::of(radius));
    // The depth r − h/|n| is (r² n² − h²) / |n| (r |n| + h).
    let product = r.mul(&r).mul(&square).sub(&height.mul(&height));
    let depths = match up > 0.0 {
        true => product.bounds().map(|product| product / (size * size * (radius + up))),
        false => [radius - up; 2],
    };
    between(depths.map(|depth| {
        let depth = depth.clamp(0.0, 2.0 * radius);
        PI / 3.0 * depth * depth * (3.0 * radius - depth)
    }))
}

/// With a line from one center to the other.
///
/// At the distance d, with the radii r ≤ s, e = s − r and the depth h = r + s − d, the lens has the volume
/// π h² ((d − e)(d + 3e) + 4 d r) / 12 d, where no digits are lost but in h = ((r + s)² − d²) / (r + s + d).
fn of_two_balls(radii: [f64; 2], line: &Vector<Double>) -> OverlapVolume {
    let [smaller, larger] = [radii[0].min(radii[1]), radii[0].max(radii[1])];
    let difference = larger - smaller;
    let square = dot(line, line);
    let distance = square.rounded().max(0.0).sqrt();
    if distance <= difference || distance == 0.0 {
        return between([4.0 / 3.0 * PI * smaller * smaller * smaller; 2]);
    }
    let sum = Double::of(smaller).add(&Double::of(larger));
    let depths = sum.mul(&sum).sub(&square).bounds();
    between(depths.map(|product| {
        let depth = product.max(0.0) / (smaller + larger + distance);
        let factor = (distance - difference) * (distance + 3.0 * difference);
        PI * depth * depth * (factor + 4.0 * distance * smaller) / (12.0 * distance)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lenses_are_between_their_bounds() {
        let found = |radii, distance| of_two_balls(radii, &[distance, 0.0, 0.0].map(Double::of));
        // Equal balls of radius 1 at distance 1: 5π/12.
        let lens = found([1.0, 1.0], 1.0);
        let exact = 5.0 * PI / 12.0;
        assert!(lens.at_least <= exact && exact <= lens.at_most, "{lens:?}");
        assert!(lens.at_most - lens.at_least < 1e-13);
        // Without losing digits to the order of h³: π h² (2 r s / (r + s) − …).
        let depth = 2.0_f64.powi(-20);
        let thin = found([1.0, 2.0], 3.0 - depth);
        let distance = 3.0 - depth;
        let exact =
            PI * depth * depth * (distance * distance + 6.0 * distance - 3.0) / (12.0 * distance);
        assert!(thin.at_least <= exact && exact <= thin.at_most, "{thin:?} {exact}");
        assert!(thin.at_most - thin.at_least < 1e-13 * exact, "{thin:?}");
        assert_eq!(found([1.0, 2.0], 3.5).at_least, 0.0);
        let inside = found([1.0, 4.0], 2.0);
        assert!((inside.at_most - 4.0 / 3.0 * PI).abs() < 1e-12);
    }
}

//! The volume that two balls have in common: a lens of two caps.
//!
//! ```text
//!       ╭───╮          With t = r + s − d, the cap of A beyond the plane of the common circle is
//!      ╱   ╭┼──╮       (s − r + d) t / 2d high, that of B (r − s + d) t / 2d, and a cap h high
//!     │  A ││ B │      has the volume π h² (3r − h) / 3.
//!      ╲   ╰┼──╯
//!       ╰───╯ d
//! ```
//!
//! # Bounds
//!
//! h² (3r − h) grows with h up to 2r, so heights that are too small give a volume that is too small. The differences in the
//! heights are off by less than 4u(r + s + d), u = 2⁻⁵³, which is taken from them or added; all that remains are products,
//! quotients and sums of positive numbers, off by less than 32u of the result. (3r − h is at least r, so no digits cancel.)

use std::f64::consts::PI;

/// Unit roundoff.
const UNIT: f64 = f64::EPSILON / 2.0;

/// Numbers between which the volume is that two balls at a distance have in common. No number may be above 1e100.
pub(super) fn lens(radii: [f64; 2], distance: f64) -> [f64; 2] {
    let [a, b] = radii;
    let error = 4.0 * UNIT * (a + b + distance);
    let small = a.min(b);
    let ball = 4.0 / 3.0 * PI * small * small * small;
    [-error, error].map(|error| {
        let widen = if error < 0.0 { 1.0 - 32.0 * UNIT } else { 1.0 + 32.0 * UNIT };
        let depth = a + b - distance + error;
        if depth <= 0.0 {
            return 0.0;
        }
        if distance - error <= (a - b).abs() {
            return ball * widen;
        }
        // Farther apart the balls have less in common; equal balls with one center have no common circle.
        let distance = if error < 0.0 { distance.max(1e-6 * small) } else { distance };
        let height = |difference: f64| (difference + error).max(0.0) * depth / (2.0 * distance);
        let cap = |r: f64, h: f64| {
            let h = h.min(2.0 * r);
            h * h * (3.0 * r - h)
        };
        let caps = cap(a, height(b - a + distance)) + cap(b, height(a - b + distance));
        (PI / 3.0 * caps * widen).min(ball * widen)
    })
}

/// The place of the common circle's plane on the way from the first center to the second, as a part of their distance.
pub(super) fn middle([a, b]: [f64; 2], distance: f64) -> f64 {
    if distance <= (a - b).abs() {
        // One holds the other: the middle of the smaller one.
        return if a < b { 0.0 } else { 1.0 };
    }
    (0.5 + (a - b) * (a + b) / (2.0 * distance * distance)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lenses_have_the_volumes_of_the_formula() {
        // Two unit balls at distance 1: 5π/12.
        let [low, high] = lens([1.0, 1.0], 1.0);
        let exact = 5.0 * PI / 12.0;
        assert!(low <= exact && exact <= high && high - low < 1e-13);
        // One in the other, and apart.
        let [low, high] = lens([2.0, 0.5], 1.0);
        assert!(low <= PI / 6.0 && PI / 6.0 <= high && high - low < 1e-13);
        assert_eq!(lens([1.0, 1.0], 2.5), [0.0, 0.0]);
        assert_eq!(lens([1.0, 1.0], 2.0)[0], 0.0);
    }

    /// Slices of the two balls, summed by the midpoint rule, as the slow twin.
    #[test]
    fn lenses_agree_with_a_sum_over_slices() {
        for (a, b, distance) in
            [(1.0, 1.0, 0.3), (1.0, 0.4, 0.8), (0.2, 1.0, 0.9), (1.0, 0.9, 1.85)]
        {
            let slices = 200_000;
            let sum: f64 = (0..slices)
                .map(|slice| {
                    let x = -a + (f64::from(slice) + 0.5) * 2.0 * a / f64::from(slices);
                    let of_b = b * b - (x - distance) * (x - distance);
                    PI * (a * a - x * x).min(of_b).max(0.0) * 2.0 * a / f64::from(slices)
                })
                .sum();
            let [low, high] = lens([a, b], distance);
            assert!((sum - low).abs() < 1e-7 && (sum - high).abs() < 1e-7, "{a} {b} {distance}");
        }
    }
}

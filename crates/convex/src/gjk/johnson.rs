//! Johnson's subalgorithm: the point of a simplex nearest to the origin, by trying all subsets of its
//! corners (Gilbert, Johnson and Keerthi 1988; Chung 1996, 5.2).
//!
//! The point is Σ λᵢ yᵢ with λᵢ = Δᵢ / Σ Δ over the one subset for which all Δᵢ are positive, and no
//! corner j outside would get a positive Δⱼ (conditions 5.6). The Δ grow from subset to subset by
//!
//! ```text
//! Δᵢ({yᵢ}) = 1,    Δⱼ(S ∪ {yⱼ}) = Σ Δᵢ(S) yᵢ · (yₖ − yⱼ),  i in S, k the first of S      (5.4)
//! ```
//!
//! For a nearly flat simplex they are small differences of large numbers, and it happens that no subset satisfies all
//! conditions. Then the *back-up procedure* takes the nearest point of all subsets with positive Δᵢ (formula 5.7).

use xcollide_math::vector::{add, cross, dot, length_squared, scale, sub};

/// The weights of the corners in the point nearest to the origin; zero for corners of other features. Four positive
/// weights: the origin is inside.
pub(crate) fn weights(points: &[[f64; 3]]) -> [f64; 4] {
    let count = points.len();
    // By subset, as a set of bits, and by corner.
    let mut delta = [[0.0; 4]; 16];
    for subset in 1_usize..1 << count {
        for j in members(subset, count) {
            let rest = subset & !(1 << j);
            delta[subset][j] = match members(rest, count).next() {
                None => 1.0,
                Some(k) => {
                    let line = sub(points[k], points[j]);
                    members(rest, count).map(|i| delta[rest][i] * dot(points[i], line)).sum()
                }
            };
        }
    }
    let positive = |subset: usize| members(subset, count).all(|i| delta[subset][i] > 0.0);
    let complete =
        |subset: usize| members(!subset, count).all(|j| delta[subset | 1 << j][j] <= 0.0);
    let weighted = |subset: usize| {
        let sum: f64 = members(subset, count).map(|i| delta[subset][i]).sum();
        let mut weights = [0.0; 4];
        for i in members(subset, count) {
            weights[i] = delta[subset][i] / sum;
        }
        let point = (0..count).fold([0.0; 3], |sum, i| add(sum, scale(points[i], weights[i])));
        (weights, length_squared(point))
    };
    let largest = points.iter().map(|&point| length_squared(point)).fold(0.0, f64::max);
    let holds = |subset: usize| {
        // The point of all four must be the origin; otherwise they are so flat that the signs are noise.
        subset != 0b1111 || (!is_flat(points) && weighted(subset).1 <= INSIDE * largest)
    };
    let subsets = 1_usize..1 << count;
    if let Some(subset) = subsets.clone().find(|&s| positive(s) && complete(s) && holds(s)) {
        return weighted(subset).0;
    }
    // The back-up procedure.
    let mut best = ([1.0, 0.0, 0.0, 0.0], f64::INFINITY);
    for subset in subsets.filter(|&s| s != 0b1111 && positive(s)) {
        let candidate = weighted(subset);
        if candidate.1 < best.1 {
            best = candidate;
        }
    }
    best.0
}

/// Points within this, squared and relative to the largest corner, count as the origin.
const INSIDE: f64 = 1e-20;

fn is_flat(points: &[[f64; 3]]) -> bool {
    let [a, b, c] = [1, 2, 3].map(|i| sub(points[i], points[0]));
    let reach = length_squared(a).max(length_squared(b)).max(length_squared(c));
    dot(cross(a, b), c).abs() < 1e-14 * reach * reach.sqrt()
}

fn members(subset: usize, count: usize) -> impl Iterator<Item = usize> {
    (0..count).filter(move |i| subset >> i & 1 == 1)
}

//! The concavity of a convex piece: how far it reaches beyond its model.

use std::cmp::Ordering;

use xcollide_convex::Polytope;

use super::point_distance::PointDistance;
use xcollide_math::vector::{cross, dot, length_squared, sub, unit};

/// Bounds on the largest distance of a point of a piece from the model (the body, or the surface if it bounds
/// none). They differ by some 2 % of the size of the piece, and less for pieces that fit closely.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Concavity {
    /// A lower bound.
    pub at_least: f64,
    /// An upper bound.
    pub at_most: f64,
}

/// The most distances measured for a piece.
const BUDGET: usize = 2000;

/// The difference of the bounds at which the search ends, relative to the size.
const ENOUGH: f64 = 0.02;

/// A cube with a bound, ordered by the bound.
#[derive(Clone, Copy, Debug)]
struct Cube {
    center: [f64; 3],
    half: f64,
    /// No point of the cube is farther from the model.
    at_most: f64,
}

impl Cube {
    fn order(&self, other: &Self) -> Ordering {
        let centers = self.center.iter().zip(&other.center);
        centers.fold(self.at_most.total_cmp(&other.at_most), |so_far, (x, y)| {
            so_far.then(x.total_cmp(y))
        })
    }
}

/// Measures a piece.
///
/// If it is [solid](xcollide_convex::Solidity), points deeper than a dent are in the body, and shrinking the
/// piece about its center by the ratio of dent and inner ball moves every point there. Else by branch and
/// bound over the cubes of an octree: the distance from the model is 1-Lipschitz.
pub(crate) fn measure(model: &PointDistance<'_>, piece: &Polytope) -> Concavity {
    if piece.is_empty() {
        return Concavity::default();
    }
    let planes = planes(piece);
    let (low, high) = piece.positions().iter().fold(
        ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]),
        |(low, high), p| {
            ([0, 1, 2].map(|k| low[k].min(p[k])), [0, 1, 2].map(|k| high[k].max(p[k])))
        },
    );
    let size = [0, 1, 2].map(|k| high[k] - low[k]).into_iter().fold(0.0, f64::max);
    let noise = 1e-12 * (size + piece.reach());
    if let Some(solidity) = piece.solidity() {
        let at_most = piece.radius() * (solidity.dent / solidity.inner) + noise;
        if at_most <= ENOUGH * size {
            return Concavity { at_least: 0.0, at_most };
        }
    }
    let mut measured = 0;
    let mut cubes: Vec<Cube> = Vec::new();
    let mut at_least = 0.0_f64;
    let mut look = |center: [f64; 3], half: f64, at_least: &mut f64| {
        // Half the diagonal, a little up.
        let corner = 1.7321 * half + noise;
        let height = planes.iter().map(|(n, offset)| dot(*n, center) - offset);
        let outside = height.fold(f64::NEG_INFINITY, f64::max);
        if outside > corner {
            return None;
        }
        measured += 1;
        let distance = model.distance(center)?;
        if outside < -noise {
            *at_least = at_least.max(distance - noise);
        }
        // Negative distances: the whole cube is in the body.
        Some((Cube { center, half, at_most: (distance + corner).max(0.0) }, measured))
    };
    for vertex in piece.positions() {
        if let Some(distance) = model.distance(*vertex) {
            at_least = at_least.max(distance - noise);
        }
    }
    let middle = [0, 1, 2].map(|k| 0.5 * low[k] + 0.5 * high[k]);
    cubes.extend(look(middle, 0.5 * size, &mut at_least).map(|(cube, _)| cube));
    let mut spent = false;
    while let Some(worst) = (0..cubes.len()).max_by(|&i, &j| cubes[i].order(&cubes[j])) {
        let cube = cubes.swap_remove(worst);
        if spent || cube.at_most <= at_least + ENOUGH * size {
            return Concavity { at_least, at_most: cube.at_most.max(at_least) };
        }
        let half = 0.5 * cube.half;
        for corner in 0..8_u32 {
            let center =
                [0, 1, 2].map(|k| cube.center[k] + if corner >> k & 1 == 0 { -half } else { half });
            if let Some((cube, measured)) = look(center, half, &mut at_least) {
                cubes.push(cube);
                spent |= measured >= BUDGET;
            }
        }
    }
    Concavity { at_least, at_most: at_least }
}

/// Outward unit normals of the faces and their heights; both sides of a flat hull.
fn planes(piece: &Polytope) -> Vec<([f64; 3], f64)> {
    let of_face = |corners: &[u32]| {
        let at = |i: usize| piece.position(corners[i % corners.len()]);
        let turns =
            (0..corners.len()).map(|i| cross(sub(at(i + 1), at(i)), sub(at(i + 2), at(i + 1))));
        let normal = turns.max_by(|u, v| length_squared(*u).total_cmp(&length_squared(*v)))?;
        let normal = unit(normal)?;
        // The highest of all corners, so that a rounded normal cuts none off.
        let heights = piece.positions().iter().map(|&p| dot(normal, p));
        Some((normal, heights.fold(f64::NEG_INFINITY, f64::max)))
    };
    piece.facets().filter_map(of_face).collect()
}

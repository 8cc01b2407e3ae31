//! How far a convex piece reaches beyond the model that it stands for.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use xcollide_convex::Polytope;

use super::point_distance::PointDistance;
use xcollide_math::vector::{cross, dot, length_squared, sub, unit};

/// The largest distance of a point of a piece from the model (the body, or the surface where it
/// bounds none), between two bounds.
///
/// The bounds are within some 2 % of the size of the piece; of pieces that fit closely the upper one
/// is much better than that.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Concavity {
    /// Some point of the piece is so far from the model.
    pub at_least: f64,
    /// None is farther.
    pub at_most: f64,
}

/// How many distances are measured for a piece, at most.
const BUDGET: usize = 2000;

/// The bounds need not be nearer to each other than this part of the size.
const ENOUGH: f64 = 0.02;

/// A cube of which the distance is known at the center.
#[derive(Clone, Copy, Debug)]
struct Cube {
    center: [f64; 3],
    half: f64,
    /// No point of the cube is farther from the model.
    at_most: f64,
}

impl PartialEq for Cube {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Cube {}

impl PartialOrd for Cube {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Cube {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_center = || {
            let both = self.center.iter().zip(&other.center);
            both.fold(Ordering::Equal, |so_far, (x, y)| so_far.then(x.total_cmp(y)))
        };
        self.at_most.total_cmp(&other.at_most).then_with(by_center)
    }
}

/// Measures a piece.
///
/// Where it is [solid](xcollide_convex::Solidity), what is deeper than a dent is in the body, and
/// shrinking the piece about its center by the part that the dent is of the inner ball brings every
/// point there. Else by branch and bound over the cubes of an octree: from one point to another the
/// distance from the model changes by no more than theirs.
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
    let mut cubes = BinaryHeap::new();
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
        // Deep in the body all of the cube is.
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
    while let Some(&cube) = cubes.peek() {
        if spent || cube.at_most <= at_least + ENOUGH * size {
            return Concavity { at_least, at_most: cube.at_most.max(at_least) };
        }
        cubes.pop();
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

/// Unit normals of the faces, outward, and their heights. Of a flat hull both sides.
fn planes(piece: &Polytope) -> Vec<([f64; 3], f64)> {
    let of_face = |corners: &[u32]| {
        let at = |i: usize| piece.position(corners[i % corners.len()]);
        let turns =
            (0..corners.len()).map(|i| cross(sub(at(i + 1), at(i)), sub(at(i + 2), at(i + 1))));
        let normal = turns.max_by(|u, v| length_squared(*u).total_cmp(&length_squared(*v)))?;
        let normal = unit(normal)?;
        // The highest corner of all, so that no rounding of the normal cuts any off.
        let heights = piece.positions().iter().map(|&p| dot(normal, p));
        Some((normal, heights.fold(f64::NEG_INFINITY, f64::max)))
    };
    piece.facets().filter_map(of_face).collect()
}

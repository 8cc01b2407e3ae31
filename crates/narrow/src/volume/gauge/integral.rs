//! The volume that bodies have in common, by an integral over directions.
//!
//! A body that contains the origin is all d/s for directions d and numbers s that are at least its gauge γ(d); what bodies have
//! in common has the greatest of their gauges. The part over a triangle with the corners p, q, r has the volume
//! det(p, q, r)/6 times the mean of 1/γ³ over the triangle. Eight triangles around the origin are divided, the one
//! about which least is known first, until the sum is known well enough. What is known of a triangle is in [`piece`](super::piece).

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use xcollide_math::vector::{add, dot, scale, sub};

use super::atom::Atom;
use super::piece::{Hints, Pieces, Triangle};
use crate::volume::number::{Double, Number};

/// More triangles take too long.
const MOST: usize = 1 << 18;
/// After this many updates the running sum, which loses digits with each, is added up anew from all parts.
const ANEW: usize = 1 << 10;

/// The volume that at most 32 atoms have in common, and no less than its error: if there may be as many triangles as it takes, a part `width` of
/// the volume.
pub(super) fn volume(atoms: &[Atom], width: f64) -> (f64, f64) {
    let eighth = |number: usize| {
        let way = |k: usize| {
            let mut way = [0.0; 3];
            way[k] = if number >> k & 1 == 0 { 1.0 } else { -1.0 };
            way
        };
        ([way(0), way(1), way(2)], 1.0)
    };
    volume_over((0..8).map(eighth), atoms, width)
}

/// The same over some triangles, with their weights.
///
/// What a closed surface contains is, but for a set without volume, the sum of what is between the origin and each of its triangles, with a
/// sign. So this is what it has in common with other bodies, if one of the atoms is the plane of the triangle.
pub(super) fn volume_over(
    triangles: impl Iterator<Item = (Triangle, f64)>,
    atoms: &[Atom],
    width: f64,
) -> (f64, f64) {
    let pieces = Pieces::new(atoms);
    let all = u32::MAX >> (32 - atoms.len());
    let part = |(corners, weight)| Part::new(&pieces, (corners, weight), ([0; 2], all));
    let mut parts: BinaryHeap<Part> = triangles.map(part).collect();
    let most = parts.len() + MOST;
    let mut sum = Sum::of(&parts);
    while !sum.is_known(width) && parts.len() < most {
        let Some(worst) = parts.pop() else { break };
        sum.add(&worst, -1.0);
        for half in divided(worst.corners) {
            let half = (half, worst.weight);
            let half = Part::new(&pieces, half, (worst.features, worst.still));
            sum.add(&half, 1.0);
            parts.push(half);
        }
        if parts.len().is_multiple_of(ANEW) {
            sum = Sum::of(&parts);
        }
    }
    // With more digits, as there are many.
    let (mut volume, mut all, mut error) = (Double::of(0.0), 0.0, 0.0);
    for part in &parts {
        pieces.each(part.corners, (&mut { part.hints }, part.active), &mut 0, &mut |piece| {
            let of_piece = pieces.volume(&piece);
            volume = volume.add(&Double::of(part.weight * of_piece));
            all += of_piece;
            error += piece.error;
        });
    }
    let volume = volume.rounded();
    // Of Gauss's sums.
    (volume, error * (1.0 + 1e-9) + 256.0 * f64::EPSILON * all)
}

/// A triangle of directions.
struct Part {
    corners: Triangle,
    weight: f64,
    /// What it was made with, so that its pieces can be made again: which of several features is found depends on that.
    hints: Hints,
    active: u32,
    /// The features in its middle.
    features: Hints,
    /// The atoms whose gauges may be greatest in it.
    still: u32,
    /// About, without the weight.
    volume: f64,
    error: f64,
}

impl Part {
    /// By what is known of a triangle around it.
    fn new(
        pieces: &Pieces<'_>,
        (corners, weight): (Triangle, f64),
        (hints, active): (Hints, u32),
    ) -> Self {
        let (mut volume, mut error) = (0.0, 0.0);
        let (mut features, mut still) = (hints, 0);
        pieces.each(corners, (&mut features, active), &mut still, &mut |piece| {
            volume += piece.volume;
            error += piece.error;
        });
        Self { corners, weight, hints, active, features, still, volume, error }
    }
}

/// Halves, by a line to the middle of the longest side.
fn divided(corners: Triangle) -> [Triangle; 2] {
    let side = |k: usize| {
        let line = sub(corners[k], corners[(k + 1) % 3]);
        dot(line, line)
    };
    let longest = (1..3).fold(0, |best, k| if side(k) > side(best) { k } else { best });
    let [a, b, c] = [0, 1, 2].map(|step| corners[(longest + step) % 3]);
    let middle = scale(add(a, b), 0.5);
    [[a, middle, c], [middle, b, c]]
}

/// Of parts.
struct Sum {
    /// Errors from here on, about the volume of all, would lose too many digits of the sum.
    large: f64,
    volume: f64,
    error: f64,
    /// The number of those with such errors.
    unknown: f64,
}

impl Sum {
    fn of(parts: &BinaryHeap<Part>) -> Self {
        let large = parts.iter().map(|part| part.volume).sum();
        let mut sum = Self { large, volume: 0.0, error: 0.0, unknown: 0.0 };
        parts.iter().for_each(|part| sum.add(part, 1.0));
        sum
    }

    fn add(&mut self, part: &Part, times: f64) {
        self.volume += times * part.weight * part.volume;
        if part.error < self.large {
            self.error += times * part.error;
        } else {
            self.unknown += times;
        }
    }

    fn is_known(&self, width: f64) -> bool {
        self.unknown == 0.0 && self.error <= width * self.volume
    }
}

impl PartialEq for Part {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Part {}

impl PartialOrd for Part {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Part {
    fn cmp(&self, other: &Self) -> Ordering {
        self.error.total_cmp(&other.error)
    }
}

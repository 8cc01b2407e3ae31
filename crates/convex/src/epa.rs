//! The expanding polytope algorithm (EPA): a hull grows inside the Minkowski difference of two polytopes, facet by facet.
//!
//! Source: van den Bergen, *Proximity queries and penetration depth computation on 3D game objects*, 2001. There, facets
//! that rounding turned over break the border or hide the nearest facet. Here exact predicates on the rounded differences
//! decide whether a point sees a facet. So the polytope is the true hull of its points in every step.

pub(crate) mod penetration;

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use xcollide_predicates::{Sign, orient3d};

use crate::gjk::simplex::Simplex;
use xcollide_math::vector::{cross, dot, length_squared, sub, taxicab, unit};

/// The hull of some differences, with a triangulated border.
#[derive(Debug, Default)]
pub(crate) struct ExpandingPolytope {
    points: Vec<[f64; 3]>,
    ends: Vec<[u32; 2]>,
    facets: Vec<Facet>,
    /// Nearest first, including some that are gone.
    nearest: BinaryHeap<Entry>,
    horizon: Vec<Ridge>,
    /// By point of the horizon: the new facet that begins there.
    begins: Vec<u32>,
    stack: Vec<u32>,
    reach: f64,
}

/// Facets whose heights differ by less than this part of the size count as coplanar.
const FLAT: f64 = 1e-13;

/// A triangle of the border, counter-clockwise as seen from outside.
#[derive(Clone, Copy, Debug)]
struct Facet {
    corners: [u32; 3],
    /// The facets across the sides 0–1, 1–2 and 2–0.
    across: [u32; 3],
    /// Outward, of length 1.
    direction: [f64; 3],
    /// No corner is lower than this along the direction.
    height: f64,
    gone: bool,
}

/// A side between a facet that goes and one that stays: from, to, and the latter.
type Ridge = (u32, u32, u32);

/// A facet by its height.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Entry {
    height: f64,
    facet: u32,
}

impl Eq for Entry {}

impl Ord for Entry {
    /// The lowest is the greatest; among equals the oldest.
    fn cmp(&self, other: &Self) -> Ordering {
        other.height.total_cmp(&self.height).then(other.facet.cmp(&self.facet))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The lowest facet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LowestFacet {
    pub(crate) facet: u32,
    pub(crate) direction: [f64; 3],
    pub(crate) height: f64,
}

impl ExpandingPolytope {
    /// Restarts with four differences; `false` if they are coplanar.
    pub(crate) fn start(&mut self, points: [[f64; 3]; 4], ends: [[u32; 2]; 4]) -> bool {
        self.points.clear();
        self.ends.clear();
        self.facets.clear();
        self.nearest.clear();
        self.reach = 0.0;
        let [a, b, c, d] = points;
        let order = match orient3d(a, b, c, d) {
            Sign::Zero => return false,
            // The fourth must not see the first facet.
            Sign::Negative => [0, 1, 2, 3],
            Sign::Positive => [0, 2, 1, 3],
        };
        for i in order {
            self.add_point(points[i], ends[i]);
        }
        self.add_facet([0, 1, 2], [1, 2, 3]);
        self.add_facet([0, 3, 1], [3, 2, 0]);
        self.add_facet([1, 3, 2], [1, 3, 0]);
        self.add_facet([2, 3, 0], [2, 1, 0]);
        true
    }

    /// The facet with the lowest plane: the nearest one, if the origin is inside.
    pub(crate) fn nearest(&mut self) -> Option<LowestFacet> {
        while let Some(&Entry { height, facet }) = self.nearest.peek() {
            let Facet { direction, height: measured, gone, .. } = self.facets[facet as usize];
            if !gone && measured == height {
                return Some(LowestFacet { facet, direction, height });
            }
            self.nearest.pop();
        }
        None
    }

    /// Whether a point is strictly outside of a facet. Exact.
    pub(crate) fn sees(&self, facet: u32, point: [f64; 3]) -> bool {
        let [a, b, c] = self.corners(facet);
        orient3d(a, b, c, point) == Sign::Positive
    }

    /// Adds a point that sees a facet: removes all facets that it sees, and closes the hole with a cone.
    pub(crate) fn expand(&mut self, facet: u32, point: [f64; 3], ends: [u32; 2]) {
        debug_assert!(self.sees(facet, point));
        self.horizon.clear();
        self.stack.push(facet);
        self.facets[facet as usize].gone = true;
        while let Some(facet) = self.stack.pop() {
            let Facet { corners, across, .. } = self.facets[facet as usize];
            for side in 0..3 {
                let other = across[side];
                if self.facets[other as usize].gone {
                    continue;
                }
                if self.sees(other, point) {
                    self.facets[other as usize].gone = true;
                    self.stack.push(other);
                } else {
                    self.horizon.push((corners[side], corners[(side + 1) % 3], other));
                }
            }
        }
        let tip = self.add_point(point, ends);
        let first = self.facets.len() as u32;
        self.begins.resize(self.points.len(), u32::MAX);
        for (i, &(from, ..)) in (first..).zip(&self.horizon) {
            self.begins[from as usize] = i;
        }
        for i in 0..self.horizon.len() {
            let (from, to, other) = self.horizon[i];
            let new = self.facets.len() as u32;
            self.add_facet([from, to, tip], [other, self.begins[to as usize], u32::MAX]);
            let kept = &mut self.facets[other as usize];
            let side = (0..3).find(|&side| kept.corners[side] == to).unwrap_or(0);
            kept.across[side] = new;
        }
        for new in first..self.facets.len() as u32 {
            let next = self.facets[new as usize].across[1];
            self.facets[next as usize].across[2] = new;
        }
    }

    /// Raises the height of a facet along the direction of its nearest point, for needles whose normal is noise. `false` if
    /// that is no higher.
    pub(crate) fn measure_again(&mut self, known: LowestFacet) -> bool {
        let corners = self.corners(known.facet);
        let mut simplex = Simplex::new();
        for (i, corner) in (0..).zip(corners) {
            simplex.push(corner, [i; 2]);
        }
        let Some(direction) = simplex.reduce().and_then(unit) else { return false };
        let height = lowest_along(direction, corners);
        // A facet that the origin sees is no bound.
        let higher = height > known.height && !self.sees(known.facet, [0.0; 3]);
        if higher {
            let facet = &mut self.facets[known.facet as usize];
            (facet.direction, facet.height) = (direction, height);
            self.nearest.push(Entry { height, facet: known.facet });
        }
        higher
    }

    /// Whether the origin is inside or on the border. Exact.
    pub(crate) fn holds_origin(&self) -> bool {
        let alive = (0..self.facets.len()).filter(|&facet| !self.facets[facet].gone);
        alive.into_iter().all(|facet| !self.sees(facet as u32, [0.0; 3]))
    }

    /// The feature of the border that is nearest to the origin, given the lowest facet: another facet in its plane may
    /// hold the foot of the perpendicular.
    pub(crate) fn foot(&self, lowest: LowestFacet) -> Simplex {
        let limit = lowest.height + FLAT * self.reach;
        let candidates = self.facets.iter().filter(|facet| !facet.gone && facet.height <= limit);
        let mut best = (f64::INFINITY, Simplex::new());
        for facet in candidates {
            let mut simplex = Simplex::new();
            for corner in facet.corners.map(|point| point as usize) {
                simplex.push(self.points[corner], self.ends[corner]);
            }
            let distance = simplex.reduce().map_or(0.0, length_squared);
            if distance < best.0 {
                best = (distance, simplex);
            }
        }
        best.1
    }

    fn corners(&self, facet: u32) -> [[f64; 3]; 3] {
        self.facets[facet as usize].corners.map(|point| self.points[point as usize])
    }

    /// The largest sum of magnitudes of the coordinates of a point.
    pub(crate) fn reach(&self) -> f64 {
        self.reach
    }

    fn add_point(&mut self, point: [f64; 3], ends: [u32; 2]) -> u32 {
        self.points.push(point);
        self.ends.push(ends);
        self.reach = self.reach.max(taxicab(point));
        self.points.len() as u32 - 1
    }

    fn add_facet(&mut self, corners: [u32; 3], across: [u32; 3]) {
        let [a, b, c] = corners.map(|point| self.points[point as usize]);
        let (direction, height) = lowest(a, b, c);
        self.nearest.push(Entry { height, facet: self.facets.len() as u32 });
        self.facets.push(Facet { corners, across, direction, height, gone: false });
    }
}

/// The direction of a triangle, and the height of its lowest corner along it: a lower bound of the distance from the
/// origin, however inaccurate the direction is.
fn lowest(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> ([f64; 3], f64) {
    let (ab, bc, ca) = (sub(b, a), sub(c, b), sub(a, c));
    // The product at the corner between the shortest sides has the least error.
    let (s, t, u) = (length_squared(ab), length_squared(bc), length_squared(ca));
    let normal = if s >= t && s >= u {
        cross(bc, ca)
    } else if t >= u {
        cross(ca, ab)
    } else {
        cross(ab, bc)
    };
    // The normal of a needle is noise, but any direction gives a bound.
    let direction = unit(normal).unwrap_or([1.0, 0.0, 0.0]);
    (direction, lowest_along(direction, [a, b, c]))
}

fn lowest_along(direction: [f64; 3], corners: [[f64; 3]; 3]) -> f64 {
    corners.iter().map(|&corner| dot(direction, corner)).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests;

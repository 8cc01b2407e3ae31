//! Gilbert's algorithm by itself: boolean, and for distances.
//!
//! Source: Gilbert, Johnson and Keerthi 1988; Chung 1996, 5.1 to 5.4. The improved termination of
//! the thesis is built in: support vertices that the simplex already has end the search.

use super::certified::{Certified, Search};
use super::finding::Finding;
use super::gjk;
use super::inset::Inset;
use super::pair::Pair;
use super::simplex::Simplex;
use super::vector::{Vector, add, dot, scaled, square, sub};

/// Boolean Gilbert, from the simplex of the last query.
pub type Gilbert = Certified<GilbertSearch>;

/// The search of [`Gilbert`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GilbertSearch;

/// What is remembered: the vertices of the last simplex.
#[derive(Clone, Debug, Default)]
pub struct GilbertMemory {
    ends: [u32; 2],
    simplex: Vec<[u32; 2]>,
}

impl Search for GilbertSearch {
    const NAME: &'static str = "gilbert";
    type Memory = GilbertMemory;

    fn search(&self, pair: &mut Pair<'_>, memory: &mut GilbertMemory) -> Finding {
        let inset = Inset::of(pair);
        let shift = inset.map_or([0.0; 3], |inset| inset.shift);
        let mut simplex = Simplex::new();
        for &ends in &memory.simplex {
            simplex.push(sub(pair.difference(ends), shift), ends);
        }
        let (mut direction, mut ends) = (pair.first_direction(), memory.ends);
        let finding = gjk::search(pair, inset.as_ref(), &mut simplex, &mut direction, &mut ends);
        memory.ends = ends;
        memory.simplex.clear();
        memory.simplex.extend_from_slice(simplex.ends());
        finding
    }
}

/// The nearest points of two hulls, and bounds on their distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// A point of each hull in the world, rounded. They coincide where the hulls meet.
    pub points: [[f64; 3]; 2],
    /// The distance of the points: not less than that of the hulls, up to rounding.
    pub distance: f64,
    /// A distance that the hulls have at least, up to rounding: the largest gap that any direction
    /// has shown. Zero where they meet.
    pub at_least: f64,
    /// The direction of that gap, of length 1; zero where none was found.
    pub direction: [f64; 3],
    /// The vertices whose hulls have the nearest points: the features of contact.
    pub simplex: Simplex,
}

/// The most steps of a search for a distance.
const MOST_STEPS: u32 = 128;

/// The search ends where the bounds are this near to each other.
const ENOUGH: f64 = 1e-14;

/// The distance of the hulls of a pair, from the vertices of an earlier simplex, or none.
///
/// Rounded: the two bounds usually agree to a few units in the last place of the size of the
/// bodies. It decides nothing: to know whether bodies touch ask a
/// [`NarrowPhase`](crate::NarrowPhase).
#[must_use]
pub fn nearest(pair: &mut Pair<'_>, from: &[[u32; 2]]) -> Nearest {
    let mut simplex = Simplex::new();
    for &ends in from.iter().take(4) {
        simplex.push(pair.difference(ends), ends);
    }
    let mut ends = from.first().copied().unwrap_or_default();
    if simplex.is_empty() {
        let probe = pair.probe(pair.first_direction(), ends);
        ends = probe.ends;
        simplex.push(probe.difference, ends);
    }
    let (mut at_least, mut direction) = (0.0, [0.0; 3]);
    let mut point = simplex.reduce();
    for _ in 0..MOST_STEPS {
        let Some(nearest) = point else { break };
        let length = square(nearest).sqrt();
        if length == 0.0 {
            break;
        }
        let probe = pair.probe(nearest, ends);
        ends = probe.ends;
        let gap = dot(nearest, probe.difference) / length;
        if gap > at_least {
            (at_least, direction) = (gap, scaled(nearest, 1.0 / length));
        }
        let before = simplex;
        if length - at_least <= ENOUGH * length || !simplex.push(probe.difference, ends) {
            break;
        }
        let next = simplex.reduce();
        // No nearer: rounding has the last word, and what was there was better.
        if next.is_some_and(|next| square(next) >= square(nearest)) {
            simplex = before;
            break;
        }
        point = next;
    }
    match point {
        Some(_) => {
            let [p, q] = points(pair, &simplex);
            let distance = square(sub(q, p)).sqrt();
            Nearest { points: [p, q], distance, at_least, direction, simplex }
        }
        // The simplex holds the origin.
        None => {
            let weighted = Inset::nothing(pair).weigh(pair, &simplex);
            let points = weighted.unwrap_or([pair.a().centre(); 2]);
            Nearest { points, distance: 0.0, at_least: 0.0, direction: [0.0; 3], simplex }
        }
    }
}

/// The nearest points from the weights of a reduced simplex.
pub(super) fn points(pair: &Pair<'_>, simplex: &Simplex) -> [Vector; 2] {
    let mut points = [[0.0; 3]; 2];
    for (&[p, q], &weight) in simplex.ends().iter().zip(simplex.weights()) {
        points[0] = add(points[0], scaled(pair.a().position(p), weight));
        points[1] = add(points[1], scaled(pair.b().position(q), weight));
    }
    points
}

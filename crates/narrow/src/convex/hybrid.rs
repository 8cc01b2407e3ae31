//! The fastest for convex pairs: a separating vector where one is near, Gilbert where not.
//!
//! - After a hit, the tetrahedron that held the origin is looked at again: if it still does, no
//!   support is searched at all.
//! - After a miss, the vector that separated is tried again, and up to two reflections of it
//!   (Chung 1996, formula 3.2): mostly one of them separates.
//! - What they have met is a simplex already, and boolean Gilbert goes on from there.

use super::certified::{Certified, Search};
use super::finding::Finding;
use super::gjk;
use super::inset::Inset;
use super::pair::Pair;
use super::simplex::Simplex;
use super::vector::{Vector, scaled, square, sub};

/// Cached tetrahedron, cached vector and two reflections, then Gilbert: the fastest of those here.
pub type Hybrid = Certified<HybridSearch>;

/// The search of [`Hybrid`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HybridSearch;

/// What is remembered of a pair: how it was last proved apart, or to meet.
#[derive(Clone, Copy, Debug, Default)]
pub struct HybridMemory {
    direction: Option<Vector>,
    ends: [u32; 2],
    /// The vertices of a tetrahedron that held the origin.
    tetrahedron: Option<[[u32; 2]; 4]>,
}

/// How often a vector is reflected before Gilbert takes over.
const REFLECTIONS: u32 = 2;

impl Search for HybridSearch {
    const NAME: &'static str = "hybrid";
    type Memory = HybridMemory;

    #[inline]
    fn search(&self, pair: &mut Pair<'_>, memory: &mut HybridMemory) -> Finding {
        let mut simplex = Simplex::new();
        let mut direction = memory.direction.unwrap_or_else(|| pair.first_direction());
        let mut ends = memory.ends;
        let inset;
        if let Some(tetrahedron) = memory.tetrahedron {
            inset = Inset::of(pair);
            let shift = inset.map_or([0.0; 3], |inset| inset.shift);
            for ends in tetrahedron {
                simplex.push(sub(pair.difference(ends), shift), ends);
            }
            let point = inset.and_then(|inset| inset.common_point(pair, &simplex));
            if let Some(point) = point {
                return Finding::Meet(point);
            }
        } else {
            for reflected in 0..=REFLECTIONS {
                let probe = pair.probe(direction, ends);
                ends = probe.ends;
                if probe.gap > 0.0 {
                    (memory.direction, memory.ends) = (Some(direction), ends);
                    let plane = pair.apart(direction, &probe);
                    return plane.map_or(Finding::Parting(direction), Finding::Apart);
                }
                simplex.push(probe.difference, ends);
                let length = square(probe.difference);
                if reflected == REFLECTIONS || length == 0.0 {
                    break;
                }
                let along = 2.0 * probe.gap / length;
                direction = sub(direction, scaled(probe.difference, along));
            }
            inset = Inset::of(pair);
            if let Some(inset) = &inset {
                simplex.shift(inset.shift);
            }
        }
        let finding = gjk::search(pair, inset.as_ref(), &mut simplex, &mut direction, &mut ends);
        memory.ends = ends;
        memory.direction = Some(direction);
        memory.tetrahedron = match (finding, simplex.ends()) {
            (Finding::Meet(_), &[a, b, c, d]) => Some([a, b, c, d]),
            _ => None,
        };
        finding
    }
}

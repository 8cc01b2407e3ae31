//! The kernels of searches for the origin in the differences of two polytopes.
//!
//! Polytopes of up to 32 vertices are moved to the world first, by a kernel without loops for each number of blocks.

use xcollide_simd::{Simd, SimdKernel, SimdLevel, dispatch};

use crate::body::Body;
use crate::placed_set::PlacedSet;
use crate::point_set;
use crate::point_set::few::Few;

/// A search of two sets.
pub(crate) trait SearchOfSets: Copy {
    type Output;

    /// Each step takes O(m + n) for m and n points, or, with fans, a time that hardly depends on them.
    fn run<S: Simd>(self, sides: &[impl PlacedSet; 2]) -> Self::Output;
}

/// The most blocks of points that are moved to the world.
const MOST_BLOCKS: usize = 4;

/// Runs a search of two polytopes, each with at least one vertex.
#[inline]
pub(crate) fn search<Q: SearchOfSets>(bodies: [Body<'_>; 2], search: Q) -> Q::Output {
    match most_blocks(&bodies) {
        1 => dispatch(OfFew::<Q, 1> { bodies, search }),
        2 => dispatch(OfFew::<Q, 2> { bodies, search }),
        3 => dispatch(OfFew::<Q, 3> { bodies, search }),
        MOST_BLOCKS => dispatch(OfFew::<Q, MOST_BLOCKS> { bodies, search }),
        _ => dispatch(OfAny { bodies, search }),
    }
}

/// The same on one level; `None` if the processor does not have it.
#[cfg(test)]
pub(crate) fn search_at<Q: SearchOfSets>(
    level: SimdLevel,
    bodies: [Body<'_>; 2],
    search: Q,
) -> Option<Q::Output> {
    use xcollide_simd::dispatch_at;

    match most_blocks(&bodies) {
        1 => dispatch_at(level, OfFew::<Q, 1> { bodies, search }),
        2 => dispatch_at(level, OfFew::<Q, 2> { bodies, search }),
        3 => dispatch_at(level, OfFew::<Q, 3> { bodies, search }),
        MOST_BLOCKS => dispatch_at(level, OfFew::<Q, MOST_BLOCKS> { bodies, search }),
        _ => dispatch_at(level, OfAny { bodies, search }),
    }
}

/// The number of blocks of the greater set.
#[inline(always)]
fn most_blocks([a, b]: &[Body<'_>; 2]) -> usize {
    a.polytope().points.blocks.len().max(b.polytope().points.blocks.len())
}

#[derive(Clone, Copy)]
struct OfAny<'a, Q> {
    bodies: [Body<'a>; 2],
    search: Q,
}

impl<Q: SearchOfSets> SimdKernel for OfAny<'_, Q> {
    type Output = Q::Output;

    #[inline(always)]
    fn run<S: Simd>(self) -> Q::Output {
        self.search.run::<S>(&self.bodies)
    }
}

/// For sets of up to `BLOCKS` blocks.
#[derive(Clone, Copy)]
struct OfFew<'a, Q, const BLOCKS: usize> {
    bodies: [Body<'a>; 2],
    search: Q,
}

impl<Q: SearchOfSets, const BLOCKS: usize> SimdKernel for OfFew<'_, Q, BLOCKS> {
    type Output = Q::Output;
    // Each step waits for masks, which take longer to come from the mask registers of AVX-512 than from the others; only its
    // widest registers make up for that.
    const MAX_LEVEL: SimdLevel =
        if BLOCKS <= point_set::NARROW { SimdLevel::Avx2 } else { SimdLevel::Avx512 };

    #[inline(always)]
    fn run<S: Simd>(self) -> Q::Output {
        let [a, b] = self.bodies;
        let moved = [
            Few::<BLOCKS>::new::<S>(&a.polytope().points, a.pose()),
            Few::<BLOCKS>::new::<S>(&b.polytope().points, b.pose()),
        ];
        self.search.run::<S>(&moved)
    }
}

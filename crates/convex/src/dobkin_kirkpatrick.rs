//! The hierarchy of Dobkin and Kirkpatrick: support in O(log n) steps from any direction.
//!
//! Source: Dobkin and Kirkpatrick, *A linear algorithm for determining the separation of convex
//! polyhedra*, 1985; Chung 1996, 2.5 and 5.3.
//!
//! Each level is the hull of what is left of the one below after an independent set of vertices
//! of small degree was taken away. The farthest vertex v of a level is known; which is farthest on
//! the level below? If it is not v, a neighbour of v there is farther, and that was taken away, for
//! all others are no farther than v. Its neighbours were not taken away, so none of them is farther
//! still: it is the one.

use crate::polytope::Polytope;
use crate::support::{Support, climb};
use crate::vertex_removal::Peeling;
use xcollide_math::vector::dot;

/// The levels of a polytope.
///
/// Built from the polytope in O(n) time, as by Dobkin and Kirkpatrick: where a vertex is taken away,
/// the hole is filled with the faces that its neighbours make, of which there are a few. Exact. Takes
/// O(n) memory.
#[derive(Debug)]
pub struct Hierarchy {
    /// The vertices of the top level.
    top: Vec<u32>,
    levels: usize,
    /// By vertex: where its lists begin in `starts`; one list for each level below its highest.
    lists: Vec<u32>,
    /// Where in `taken` each list begins; it ends where the next one begins.
    starts: Vec<u32>,
    /// Neighbours that were taken away.
    taken: Vec<u32>,
}

/// No more levels above one as small as this.
const SMALL: usize = 12;

impl Hierarchy {
    /// The hierarchy over a polytope.
    #[must_use]
    pub fn new(polytope: &Polytope) -> Self {
        Self::peeled(Peeling::of(polytope))
    }

    fn peeled(mut peeling: Peeling<'_>) -> Self {
        let mut neighbours = Vec::new();
        let mut levels = 0;
        // By vertex: on how many levels it stays when others are taken away.
        let mut stays = vec![0; peeling.positions().len()];
        while peeling.take_away(SMALL, |taken, neighbour| {
            neighbours.push((neighbour, levels, taken));
        }) {
            levels += 1;
            for &vertex in peeling.left() {
                stays[vertex as usize] = levels;
            }
        }
        let mut lists = Vec::with_capacity(stays.len());
        let mut list = 0;
        for &count in &stays {
            lists.push(list);
            list += count;
        }
        // Sorted by list, by counting.
        let slot = |vertex: u32, level: u32| (lists[vertex as usize] + level) as usize;
        let mut starts = vec![0; list as usize + 1];
        for &(neighbour, level, _) in &neighbours {
            starts[slot(neighbour, level)] += 1;
        }
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        let mut taken = vec![0; neighbours.len()];
        for &(neighbour, level, vertex) in neighbours.iter().rev() {
            let start = &mut starts[slot(neighbour, level)];
            *start -= 1;
            taken[*start as usize] = vertex;
        }
        Self { top: peeling.left().to_vec(), levels: levels as usize, lists, starts, taken }
    }

    /// How many levels there are: O(log n).
    #[must_use]
    pub fn levels(&self) -> usize {
        self.levels + 1
    }

    /// The neighbours of a vertex that were taken away from a level; none where the vertex itself
    /// is on no higher one.
    fn taken(&self, vertex: u32, level: usize) -> &[u32] {
        let list = self.lists[vertex as usize] as usize + level;
        let next =
            self.lists.get(vertex as usize + 1).map_or(self.starts.len() - 1, |&l| l as usize);
        if list >= next {
            return &[];
        }
        &self.taken[self.starts[list] as usize..self.starts[list + 1] as usize]
    }
}

/// Search from the top of a hierarchy down.
#[derive(Clone, Copy, Debug)]
pub struct Hierarchical<'a> {
    /// The polytope.
    pub polytope: &'a Polytope,
    /// Its hierarchy.
    pub hierarchy: &'a Hierarchy,
}

impl Hierarchical<'_> {
    /// How many vertices a search along a direction looks at, those that it looks at again
    /// included: O(log n) of n, as a vertex has a bounded number of neighbours on the mean.
    #[must_use]
    pub fn effort(&self, direction: [f64; 3], near: u32) -> usize {
        let mut all = 0;
        let found = self.search(direction, near, |vertices| all += vertices);
        // The last look round.
        all + 1 + self.polytope.neighbours(found).len()
    }

    /// `looks` is told how many vertices are looked at.
    #[inline]
    fn search(&self, direction: [f64; 3], near: u32, mut looks: impl FnMut(usize)) -> u32 {
        let height = |vertex: u32| dot(direction, self.polytope.position(vertex));
        // The first of the highest, as everywhere.
        let mut highest = |vertices: &[u32], best: (f64, u32)| {
            looks(vertices.len());
            vertices.iter().fold(best, |best, &vertex| {
                let other = height(vertex);
                if other > best.0 { (other, vertex) } else { best }
            })
        };
        let mut best = highest(&self.hierarchy.top, (f64::NEG_INFINITY, near));
        for level in (0..self.hierarchy.levels).rev() {
            best = highest(self.hierarchy.taken(best.1, level), best);
        }
        // Rounded heights may have led astray by a step: then this goes it.
        climb(self.polytope, direction, best.1)
    }
}

impl Support for Hierarchical<'_> {
    fn farthest(&self, direction: [f64; 3], near: u32) -> u32 {
        self.search(direction, near, |_| ())
    }

    fn slack(&self, vertex: u32) -> f64 {
        self.polytope.climbing_slack(vertex)
    }
}

//! The hierarchy of Dobkin and Kirkpatrick: support in O(log n) steps from any direction.
//!
//! Source: Dobkin and Kirkpatrick, *A linear algorithm for determining the separation of convex
//! polyhedra*, 1985; Chung 1996, 2.5 and 5.3.
//!
//! Each level is the hull of what remains of the level below after the removal of an independent set of vertices of
//! small degree. If the farthest vertex v of a level is not the farthest one on the level below, a removed neighbour
//! of v is: all vertices that remain are no farther than v. The neighbours of a removed vertex remain, so none of
//! them is farther still.

use crate::polytope::Polytope;
use crate::support::climb;
use crate::vertex_removal::Peeling;
use xcollide_math::vector::dot;

/// The levels of a polytope, built in O(n) time as by Dobkin and Kirkpatrick: the hole that a removed vertex leaves is
/// filled with faces between its few neighbours. Exact; takes O(n) memory.
#[derive(Debug)]
pub(crate) struct Hierarchy {
    /// The vertices of the top level.
    top: Vec<u32>,
    levels: usize,
    /// By vertex: where its lists begin in `starts`; one list for each level below its highest.
    lists: Vec<u32>,
    /// Where in `taken` each list begins; it ends where the next one begins.
    starts: Vec<u32>,
    /// Removed neighbours.
    taken: Vec<u32>,
}

/// A level of at most this many vertices is the top.
const SMALL: usize = 12;

impl Hierarchy {
    /// Memory, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let lists = [&self.top, &self.lists, &self.starts, &self.taken];
        lists.into_iter().map(|list| size_of_val(&**list)).sum()
    }

    /// The hierarchy over a polytope.
    pub(crate) fn new(polytope: &Polytope) -> Self {
        let mut peeling = Peeling::of(polytope);
        let mut neighbours = Vec::new();
        let mut levels = 0;
        // By vertex: the number of removals that it survives.
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

    /// The neighbours of a vertex that were removed from a level; none if the vertex is on no higher level.
    fn taken(&self, vertex: u32, level: usize) -> &[u32] {
        let list = self.lists[vertex as usize] as usize + level;
        let next =
            self.lists.get(vertex as usize + 1).map_or(self.starts.len() - 1, |&l| l as usize);
        if list >= next {
            return &[];
        }
        &self.taken[self.starts[list] as usize..self.starts[list + 1] as usize]
    }

    /// The vertex farthest along a direction; `near` if no vertex has a height that is a number.
    pub(crate) fn farthest(&self, polytope: &Polytope, direction: [f64; 3], near: u32) -> u32 {
        self.search(polytope, direction, near, |_| ())
    }

    /// Calls `count` with the number of vertices that each step compares.
    #[inline]
    fn search(
        &self,
        polytope: &Polytope,
        direction: [f64; 3],
        near: u32,
        mut count: impl FnMut(usize),
    ) -> u32 {
        let height = |vertex: u32| dot(direction, polytope.position(vertex));
        // The first of the highest, as in all searches.
        let mut highest = |vertices: &[u32], best: (f64, u32)| {
            count(vertices.len());
            vertices.iter().fold(best, |best, &vertex| {
                let other = height(vertex);
                if other > best.0 { (other, vertex) } else { best }
            })
        };
        let mut best = highest(&self.top, (f64::NEG_INFINITY, near));
        for level in (0..self.levels).rev() {
            best = highest(self.taken(best.1, level), best);
        }
        // Rounded heights may have missed the vertex by a step.
        climb(polytope, direction, best.1)
    }
}

#[cfg(test)]
mod tests;

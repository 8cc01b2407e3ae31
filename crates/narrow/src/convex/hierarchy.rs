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

use std::sync::Arc;

use xcollide_brep::{ConvexHull, Dcel, VertexId};

use super::polytope::Polytope;
use super::support::{Support, climb};
use super::vector::dot;
use crate::Model;

/// The levels of a polytope.
///
/// Built in expected O(n log n): every level's hull is made anew, which is simpler than mending
/// the one before in linear time, and exact. Takes O(n) memory.
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

/// Vertices with more neighbours stay: at least half of all have no more than five.
const MOST_NEIGHBOURS: usize = 8;

impl Hierarchy {
    /// The hierarchy over the [polytope](Polytope::of) of a model, built on the first call.
    #[must_use]
    pub fn of(model: &Model) -> Arc<Self> {
        let polytope = Polytope::of(model);
        model.prepared(|_| Self::new(&polytope))
    }

    /// The hierarchy over a polytope.
    #[must_use]
    pub fn new(polytope: &Polytope) -> Self {
        let mut alive: Vec<u32> = (0..polytope.len() as u32).collect();
        // By vertex the lists of its levels, the lowest first.
        let mut lists: Vec<Vec<Vec<u32>>> = vec![Vec::new(); polytope.len()];
        let mut levels = 0;
        while alive.len() > SMALL {
            let Some(level) = Level::of(polytope, &alive) else { break };
            let taken = level.independent();
            if !taken.contains(&true) {
                break;
            }
            let mut left = Vec::new();
            for (local, &vertex) in alive.iter().enumerate() {
                if taken[local] {
                    continue;
                }
                left.push(vertex);
                let around = level.neighbours[local].iter().filter(|&&other| taken[other as usize]);
                lists[vertex as usize].push(around.map(|&other| alive[other as usize]).collect());
            }
            alive = left;
            levels += 1;
        }
        let mut hierarchy =
            Self { top: alive, levels, lists: Vec::new(), starts: Vec::new(), taken: Vec::new() };
        for of_vertex in lists {
            hierarchy.lists.push(hierarchy.starts.len() as u32);
            for list in of_vertex {
                hierarchy.starts.push(hierarchy.taken.len() as u32);
                hierarchy.taken.extend(list);
            }
        }
        hierarchy.starts.push(hierarchy.taken.len() as u32);
        hierarchy
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

/// The hull of some vertices, in numbers of their own.
struct Level {
    neighbours: Vec<Vec<u32>>,
}

impl Level {
    /// `None` where the hull is flat or, after rounding, lacks some of the vertices.
    fn of(polytope: &Polytope, alive: &[u32]) -> Option<Self> {
        let points: Vec<[f64; 3]> = alive.iter().map(|&v| polytope.position(v)).collect();
        let hull = ConvexHull::of(&points).ok()?;
        if hull.dimension() < 3 || hull.points().len() < points.len() {
            return None;
        }
        let dcel = Dcel::new(hull.mesh());
        let around = |v| dcel.vertex_neighbours(v).map(|other| other.0).collect();
        Some(Self {
            neighbours: (0..alive.len()).map(|v| around(VertexId::from_index(v))).collect(),
        })
    }

    /// Which vertices to take away, those with the fewest neighbours first.
    fn independent(&self) -> Vec<bool> {
        let mut order: Vec<usize> = (0..self.neighbours.len()).collect();
        order.sort_by_key(|&v| self.neighbours[v].len());
        order.retain(|&v| self.neighbours[v].len() <= MOST_NEIGHBOURS);
        let mut taken = vec![false; self.neighbours.len()];
        for v in order {
            taken[v] = !self.neighbours[v].iter().any(|&other| taken[other as usize]);
        }
        taken
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

impl Support for Hierarchical<'_> {
    fn farthest(&self, direction: [f64; 3], near: u32) -> u32 {
        let height = |vertex: u32| dot(direction, self.polytope.position(vertex));
        // The first of the highest, as everywhere.
        let highest = |vertices: &[u32], best: (f64, u32)| {
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

    fn slack(&self, vertex: u32) -> f64 {
        self.polytope.climbing_slack(vertex)
    }
}

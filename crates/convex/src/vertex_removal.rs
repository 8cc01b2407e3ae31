//! Removal of vertices from a convex surface, which stays convex.
//!
//! ```text
//!      l₂───l₁              l₂───l₁     The hole at v is filled with faces of the hull of the others,
//!     ╱  ╲ ╱  ╲            ╱    ╱  ╲    whose corners are neighbours of v. They are found from edge to
//!    l₃───v────l₀    →    l₃───╱────l₀  edge by gift wrapping: no other neighbour is above a face with
//!     ╲  ╱ ╲  ╱            ╲  ╱ ╲  ╱    the right third corner.
//!      l₄───l₅              l₄───l₅
//! ```
//!
//! Source: Dobkin and Kirkpatrick, *A linear algorithm for determining the separation of convex
//! polyhedra*, 1985; wrapping: Chand and Kapur, *An algorithm for convex polytopes*, 1970.

use xcollide_predicates::{Sign, orient3d};

use crate::polytope::Polytope;

/// The surface of the hull of the remaining vertices.
pub(crate) struct Peeling<'a> {
    positions: &'a [[f64; 3]],
    left: Vec<u32>,
    /// The surface, counter-clockwise seen from outside. Coplanar triangles are not merged.
    triangles: Vec<[u32; 3]>,
    links: Links,
    fate: Vec<Fate>,
    /// Vertices, triangles and pairs of corners visited so far.
    work: u64,
}

/// Vertices with more neighbours stay. At least half of all have no more, because the average is below six.
const MOST_NEIGHBOURS: usize = 8;

impl<'a> Peeling<'a> {
    /// The surface of a polytope. Linear time.
    pub(crate) fn of(polytope: &'a Polytope) -> Self {
        let positions = polytope.positions();
        let mut triangles = Vec::new();
        // Polygons keep all vertices.
        if polytope.dimension() == 3 {
            for corners in polytope.facets() {
                zigzag(corners, &mut triangles);
            }
        }
        let left = (0..positions.len() as u32).collect();
        let links = Links::new(positions.len());
        let fate = vec![Fate::Open; positions.len()];
        Self { positions, left, triangles, links, fate, work: 0 }
    }

    pub(crate) fn positions(&self) -> &'a [[f64; 3]] {
        self.positions
    }

    /// The remaining vertices, ascending.
    pub(crate) fn left(&self) -> &[u32] {
        &self.left
    }

    /// Removes an independent set of vertices, those with the fewest neighbours first, while more than `least` remain;
    /// calls `removed` with each of them and each of its neighbours. `false` if it removed none.
    ///
    /// Time linear in the number of vertices. At least one in eighteen goes: half of all have eight neighbours or fewer,
    /// and each keeps only these from going too. In practice it is one in four.
    pub(crate) fn take_away(&mut self, least: usize, mut removed: impl FnMut(u32, u32)) -> bool {
        self.links.update(&self.left, &self.triangles);
        self.work += (self.left.len() + self.triangles.len()) as u64;
        let mut left = std::mem::take(&mut self.left);
        let before = left.len();
        let mut can_go = before.saturating_sub(least);
        let mut mended = Vec::new();
        for degree in 3..=MOST_NEIGHBOURS {
            self.work += before as u64;
            for &vertex in &left {
                let open = self.fate[vertex as usize] == Fate::Open;
                if can_go == 0 || !open || self.links.degree(vertex) != degree {
                    continue;
                }
                let Some(link) = self.links.around(vertex) else { continue };
                self.fate[vertex as usize] = Fate::Goes;
                can_go -= 1;
                for &neighbour in &link {
                    self.fate[neighbour as usize] = Fate::Stays;
                    removed(vertex, neighbour);
                }
                self.fill(&link, &mut mended);
            }
        }
        let goes = |vertex: &u32| self.fate[*vertex as usize] == Fate::Goes;
        left.retain(|vertex| !goes(vertex));
        self.triangles.retain(|triangle| !triangle.iter().any(goes));
        self.triangles.append(&mut mended);
        for &vertex in &left {
            self.fate[vertex as usize] = Fate::Open;
        }
        self.left = left;
        self.left.len() < before
    }

    /// Fills a hole with the faces of the hull; a face must be next to the edge from the last to the first corner.
    fn fill(&mut self, hole: &[u32], mended: &mut Vec<[u32; 3]>) {
        let (&[first, .., last], true) = (hole, hole.len() > 2) else { return };
        self.work += hole.len() as u64;
        let at = |corner: u32| self.positions[corner as usize];
        let mut third = 1;
        for other in 2..hole.len() - 1 {
            let above = orient3d(at(last), at(first), at(hole[third]), at(hole[other]));
            if above == Sign::Positive {
                third = other;
            }
        }
        mended.push([last, first, hole[third]]);
        self.fill(&hole[..=third], mended);
        self.fill(&hole[third..], mended);
    }
}

/// The fate of a vertex in a step.
#[derive(Clone, Copy, PartialEq)]
enum Fate {
    Open,
    Goes,
    Stays,
}

/// Triangulates a convex polygon from both ends of an edge in turn, so that no corner gets more than two more neighbours.
fn zigzag(polygon: &[u32], triangles: &mut Vec<[u32; 3]>) {
    let (mut low, mut high) = (0, polygon.len().saturating_sub(1));
    let mut from_low = true;
    while high > low + 1 {
        let third = if from_low { low + 1 } else { high - 1 };
        triangles.push([polygon[high], polygon[low], polygon[third]]);
        if from_low {
            low += 1;
        } else {
            high -= 1;
        }
        from_low = !from_low;
    }
}

/// The triangles around each vertex, by their opposite edges.
struct Links {
    /// The edges of vertex `v` begin at `starts[v]`; there are `degrees[v]` of them.
    edges: Vec<[u32; 2]>,
    starts: Vec<u32>,
    degrees: Vec<u32>,
}

impl Links {
    fn new(vertices: usize) -> Self {
        Self { edges: Vec::new(), starts: vec![0; vertices], degrees: vec![0; vertices] }
    }

    /// Time linear in the number of remaining vertices.
    fn update(&mut self, left: &[u32], triangles: &[[u32; 3]]) {
        for &vertex in left {
            self.degrees[vertex as usize] = 0;
        }
        for &corner in triangles.iter().flatten() {
            self.degrees[corner as usize] += 1;
        }
        let mut end = 0;
        for &vertex in left {
            end += self.degrees[vertex as usize];
            self.starts[vertex as usize] = end;
        }
        self.edges.resize(end as usize, [0; 2]);
        for &[a, b, c] in triangles {
            for [corner, from, to] in [[a, b, c], [b, c, a], [c, a, b]] {
                let start = &mut self.starts[corner as usize];
                *start -= 1;
                self.edges[*start as usize] = [from, to];
            }
        }
    }

    fn degree(&self, vertex: u32) -> usize {
        self.degrees[vertex as usize] as usize
    }

    /// The neighbours of a vertex, counter-clockwise; quadratic in their number.
    fn around(&self, vertex: u32) -> Option<Vec<u32>> {
        let edges = &self.edges[self.starts[vertex as usize] as usize..][..self.degree(vertex)];
        let mut link = vec![edges.first()?[0]];
        for _ in 1..edges.len() {
            let last = link[link.len() - 1];
            link.push(edges.iter().find(|edge| edge[0] == last)?[1]);
        }
        Some(link)
    }
}

#[cfg(test)]
mod tests;

//! The half-edges of a closed convex surface, in flat arrays.
//!
//! Half-edge *h* runs from corner *h* of the [`Facets`] to the next corner of the facet, and its twin runs back along the
//! same edge. Edges are numbered in the order of their first half-edges.

use crate::facets::Facets;
use crate::polytope::PolytopeError;

/// The half-edges of a closed surface.
pub(crate) struct FacetAdjacency<'a> {
    facets: &'a Facets,
    facet_of: Vec<u32>,
    twin: Vec<u32>,
    edge: Vec<u32>,
    /// By edge: the smaller of its half-edges.
    first_side: Vec<u32>,
    /// By vertex: the smallest half-edge that leaves it.
    leaving: Vec<u32>,
}

impl<'a> FacetAdjacency<'a> {
    /// # Errors
    /// The facets are not a closed oriented surface over all vertices.
    pub(crate) fn new(vertices: usize, facets: &'a Facets) -> Result<Self, PolytopeError> {
        let corners = facets.corners();
        let mut facet_of = Vec::with_capacity(corners.len());
        // Half-edges with the ends of their edges, the lower one first.
        let mut sides: Vec<([u32; 2], u32)> = Vec::with_capacity(corners.len());
        let mut leaving = vec![u32::MAX; vertices];
        for facet in 0..facets.len() {
            let range = facets.range(facet);
            for h in range.clone() {
                let from = corners[h];
                let to = corners[if h + 1 == range.end { range.start } else { h + 1 }];
                facet_of.push(facet as u32);
                sides.push(([from.min(to), from.max(to)], h as u32));
                let first = leaving.get_mut(from as usize);
                let first = first.ok_or(PolytopeError::UnknownVertex { vertex: from })?;
                *first = (*first).min(h as u32);
            }
        }
        if let Some(unused) = leaving.iter().position(|&h| h == u32::MAX) {
            return Err(PolytopeError::UnusedVertex { vertex: unused as u32 });
        }
        sides.sort_unstable();
        let mut twin: Vec<u32> = (0..corners.len() as u32).collect();
        for both in sides.chunk_by(|a, b| a.0 == b.0) {
            let ends = both[0].0;
            match *both {
                [(_, g), (_, h)] if corners[g as usize] != corners[h as usize] => {
                    (twin[g as usize], twin[h as usize]) = (h, g);
                }
                // A point has one facet of one corner.
                [_] if corners.len() == 1 => {}
                _ => return Err(PolytopeError::NotClosed { ends }),
            }
        }
        let (mut edge, mut first_side) = (vec![0; corners.len()], Vec::new());
        for (h, &other) in twin.iter().enumerate() {
            if h < other as usize {
                edge[h] = first_side.len() as u32;
                edge[other as usize] = edge[h];
                first_side.push(h as u32);
            }
        }
        Ok(Self { facets, facet_of, twin, edge, first_side, leaving })
    }

    /// The first half-edge of each edge.
    pub(crate) fn first_sides(&self) -> impl Iterator<Item = u32> + '_ {
        self.first_side.iter().copied()
    }

    pub(crate) fn origin(&self, h: u32) -> u32 {
        self.facets.corners()[h as usize]
    }

    pub(crate) fn target(&self, h: u32) -> u32 {
        self.origin(self.twin(h))
    }

    pub(crate) fn twin(&self, h: u32) -> u32 {
        self.twin[h as usize]
    }

    pub(crate) fn facet(&self, h: u32) -> u32 {
        self.facet_of[h as usize]
    }

    pub(crate) fn edge(&self, h: u32) -> u32 {
        self.edge[h as usize]
    }

    /// The half-edges that leave a vertex, in rotational order from the smallest one on.
    pub(crate) fn half_edges_at(&self, vertex: u32) -> impl Iterator<Item = u32> + '_ {
        let first = self.leaving[vertex as usize];
        std::iter::successors(Some(first), move |&h| {
            let range = self.facets.range(self.facet(h) as usize);
            let before = if h as usize == range.start { range.end as u32 } else { h } - 1;
            Some(self.twin(before)).filter(|&next| next != first)
        })
    }

    /// The vertices that share an edge with a vertex, in rotational order; none for a point.
    ///
    /// The first one is across the edge of the smallest half-edge, unless the twin of that is smaller.
    pub(crate) fn neighbours(&self, vertex: u32) -> impl Iterator<Item = u32> + '_ {
        let first = self.leaving[vertex as usize];
        let skipped = usize::from(first > self.twin(first));
        let all = || self.half_edges_at(vertex).map(|h| self.target(h));
        all().skip(skipped).chain(all().take(skipped)).filter(move |&other| other != vertex)
    }
}

#[cfg(test)]
mod tests;

//! Vertices around which the surface certainly does not meet itself: seen from one direction, the triangles at the vertex go once
//! round it at most.
//!
//! # Why that suffices
//!
//! Project the triangles at a vertex along a direction that all of them face. Each covers an angle at the vertex, between the
//! directions of its two sides there, and less than half a turn. If the angles follow each other and do not get past the
//! first side again, two of them have at most the direction of a side in common, and the two triangles then have that side in
//! common, and nothing else in this direction. So no two triangles at the vertex meet in more than what they share.

use std::sync::Arc;

use xcollide_math::vector::{add, cross, sub, taxicab, unit};
use xcollide_predicates::Point;

use super::edge_neighbors::EdgeNeighbors;
use super::smooth_regions::faces;
use crate::{Model, PreparedData};

/// For each vertex the others of the triangles at it, in their order around it.
#[derive(Debug)]
pub(super) struct Fans {
    /// Where those of a vertex begin. They end with the first one if the fan is closed.
    starts: Vec<u32>,
    /// None if the triangles at a vertex are no single fan.
    around: Vec<u32>,
}

impl PreparedData for Fans {
    fn refitted(self: Arc<Self>, _: &Model, triangles_kept: bool) -> Option<Arc<Self>> {
        triangles_kept.then_some(self)
    }

    fn bytes(&self) -> usize {
        size_of_val(self) + size_of_val(&self.starts[..]) + size_of_val(&self.around[..])
    }
}

impl Fans {
    /// Linear time.
    pub(super) fn new(model: &Model) -> Self {
        let neighbors = model.data(EdgeNeighbors::new);
        let triangles = model.triangulation().triangles();
        let count = model.mesh().vertex_count();
        // For each vertex the triangles at it, and one where a fan may begin: with no other one before it, if there is such.
        let mut degrees = vec![0_u32; count];
        let mut first = vec![EdgeNeighbors::NONE; count];
        for (number, corners) in (0..).zip(triangles) {
            for (i, vertex) in corners.iter().enumerate() {
                degrees[vertex.index()] += 1;
                let begins = neighbors.of(number)[i] == EdgeNeighbors::NONE;
                let known = &mut first[vertex.index()];
                if begins || *known == EdgeNeighbors::NONE {
                    *known = number;
                }
            }
        }
        let (mut starts, mut around) = (vec![0], Vec::with_capacity(3 * triangles.len()));
        for (vertex, (&first, &degree)) in (0..).zip(first.iter().zip(&degrees)) {
            let start = around.len();
            let mut number = first;
            let mut seen = 0;
            while number != EdgeNeighbors::NONE && seen < degree {
                let corners = triangles[number as usize].map(|corner| corner.0);
                let Some(i) = corners.iter().position(|&corner| corner == vertex) else { break };
                if seen == 0 {
                    around.push(corners[(i + 1) % 3]);
                }
                around.push(corners[(i + 2) % 3]);
                seen += 1;
                number = neighbors.of(number)[(i + 2) % 3];
                if number == first {
                    break;
                }
            }
            // Those left over are in another fan; a closed one has come back to where it began.
            let is_closed = number == first && around[start..].len() > 1;
            let comes_back = || around[start] == around[around.len() - 1];
            if seen < degree || degree == 0 || (is_closed && !comes_back()) {
                around.truncate(start);
            }
            starts.push(around.len() as u32);
        }
        Self { starts, around }
    }

    /// Whether no two triangles at a vertex meet in more than what they share; `false` if that is not certain.
    pub(super) fn is_smooth(&self, positions: &[Point], vertex: u32) -> bool {
        let place = vertex as usize;
        let around = &self.around[self.starts[place] as usize..self.starts[place + 1] as usize];
        let from = positions[place];
        let side = |other: u32| sub(positions[other as usize], from);
        let pairs = || around.windows(2).map(|pair| (side(pair[0]), side(pair[1])));
        let mean = pairs().fold([0.0; 3], |sum, (u, v)| add(sum, cross(u, v)));
        let (Some(direction), Some(&first)) = (unit(mean), around.first()) else { return false };
        // Certainly to the left.
        let turns = |u, v| faces(cross(u, v), taxicab(u) * taxicab(v), direction);
        let begin = side(first);
        let last = around.len() - 2;
        pairs().enumerate().all(|(i, (u, v))| {
            // Past the first angle, and before the one that may end where the first begins, none has the first side in it.
            let is_within = || i == 0 || turns(begin, u) || turns(v, begin);
            let ends_there = i == last && around[i + 1] == first;
            turns(u, v) && (ends_there || is_within())
        })
    }
}

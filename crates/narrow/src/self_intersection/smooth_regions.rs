//! Regions of a surface that are so smooth that they do not meet themselves: all their triangles face one direction.
//!
//! Source: Volino and Magnenat-Thalmann, *Efficient self-collision detection on smoothly discretized surface animations
//! using geometrical shape regularity*, 1994. The regions are what is below nodes of the hierarchy, as in Provot, *Collision
//! and self-collision handling in cloth model dedicated to design garments*, 1997.

use std::ops::Range;

use xcollide_bvh::wide::WideTree;
use xcollide_math::vector::{add, cross, dot, length, sub};

use crate::Model;

type Vector = [f64; 3];

/// The nodes of a hierarchy that are not within a smooth region, in ranges. Linear time for each level of the hierarchy.
pub(super) fn nodes_outside(model: &Model, tree: &WideTree) -> Vec<Range<usize>> {
    let mut surface = FacedTriangles::new(model, tree.order());
    let mut is_within = vec![false; tree.triangle_count()];
    let mut nodes: Vec<Range<usize>> = Vec::new();
    // A node comes after its parent.
    for (node, below) in tree.triangles_below().into_iter().enumerate() {
        if is_within[below.start] {
            continue;
        }
        if surface.face_one_direction(below.clone()) && surface.are_one_piece(below.clone()) {
            is_within[below].fill(true);
            continue;
        }
        match nodes.last_mut() {
            Some(last) if last.end == node => last.end += 1,
            _ => nodes.push(node..node + 1),
        }
    }
    nodes
}

/// The triangles of a model, in the order of the leaves.
struct FacedTriangles<'a> {
    model: &'a Model,
    order: &'a [u32],
    /// The normal of each, as long as twice its area, and the product of the lengths of two sides: the rounding error of
    /// the normal is a few units in the last place of that.
    normals: Vec<(Vector, f64)>,
    /// The sum of all normals before each place.
    sums: Vec<Vector>,
    /// For each vertex the last set of triangles in which it was seen, and another one of its piece.
    pieces: Vec<(u32, u32)>,
    sets: u32,
}

impl<'a> FacedTriangles<'a> {
    fn new(model: &'a Model, order: &'a [u32]) -> Self {
        let positions = model.mesh().positions();
        let triangles = model.triangulation().triangles();
        let normal = |&number: &u32| {
            let [a, b, c] = triangles[number as usize].map(|vertex| positions[vertex.index()]);
            let (u, v) = (sub(b, a), sub(c, a));
            (cross(u, v), length(u) * length(v))
        };
        let normals: Vec<_> = order.iter().map(normal).collect();
        let mut sums = vec![[0.0; 3]];
        sums.extend(normals.iter().scan([0.0; 3], |sum, (normal, _)| {
            *sum = add(*sum, *normal);
            Some(*sum)
        }));
        let pieces = vec![(0, 0); positions.len()];
        Self { model, order, normals, sums, pieces, sets: 0 }
    }

    /// Whether the normals of all triangles at some places are within less than a right angle of their mean.
    fn face_one_direction(&self, places: Range<usize>) -> bool {
        /// The least sine of the angle between a triangle and the direction. Far more than rounding.
        const LEAST: f64 = 1e-6;
        let direction = sub(self.sums[places.end], self.sums[places.start]);
        let least = LEAST * length(direction);
        // False if a number is NaN.
        self.normals[places].iter().all(|(normal, size)| dot(*normal, direction) > least * size)
    }

    /// Whether one can get from each triangle at some places to each other over common vertices.
    fn are_one_piece(&mut self, places: Range<usize>) -> bool {
        self.sets += 1;
        let mut pieces = 0;
        for &number in &self.order[places] {
            let corners = self.model.triangulation().triangles()[number as usize];
            for vertex in corners {
                let entry = &mut self.pieces[vertex.index()];
                if entry.0 != self.sets {
                    *entry = (self.sets, vertex.0);
                    pieces += 1;
                }
            }
            let [a, b, c] = corners.map(|vertex| vertex.0);
            for other in [b, c] {
                let (one, other) = (self.first_of(a), self.first_of(other));
                if one != other {
                    self.pieces[one as usize].1 = other;
                    pieces -= 1;
                }
            }
        }
        pieces == 1
    }

    /// The vertex that stands for the piece of another.
    fn first_of(&mut self, mut vertex: u32) -> u32 {
        loop {
            let next = self.pieces[vertex as usize].1;
            if next == vertex {
                return vertex;
            }
            let after = self.pieces[next as usize].1;
            self.pieces[vertex as usize].1 = after;
            vertex = after;
        }
    }
}

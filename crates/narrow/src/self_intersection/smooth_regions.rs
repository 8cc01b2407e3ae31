//! Regions of a surface that certainly do not meet themselves: all their triangles face one direction, and their outline, seen
//! from there, does not meet itself.
//!
//! # Why that suffices
//!
//! Glue the triangles of a region along their common sides, where two triangles with opposite senses meet in one, and project
//! the result along the direction. Each triangle keeps its sense. Then almost every point of the plane is covered as often
//! as the outline, the sides that are not glued, winds round it. If the outline is one polygon that does not meet itself, that
//! is once or not at all.
//!
//! Let two points of the glued surface have one projection. Around it, each of them covers a sector: all directions if it is
//! within the surface, else those on one side of the outline. Two sectors of which one is whole overlap, so a point nearby
//! is covered twice, against the above. So both points are on the outline, which does not meet itself: they are one. Hence
//! points of two triangles that coincide in space are one point of the glued surface, on a side or in a corner that both
//! triangles have.
//!
//! The regions are what is below nodes of the hierarchy.
//!
//! Sources: Volino and Magnenat-Thalmann, *Efficient self-collision detection on smoothly discretized surface animations using
//! geometrical shape regularity*, 1994, whose condition on the outline is tested here and not assumed; the nodes as in Provot,
//! *Collision and self-collision handling in cloth model dedicated to design garments*, 1997.

use std::ops::Range;

use xcollide_bvh::wide::WideTree;
use xcollide_math::vector::{add, cross, dot, largest, perpendicular, sub, taxicab, unit};

use super::edge_neighbors::EdgeNeighbors;
use super::outline::Rounded;
use super::vertex_stars::Fans;
use crate::Model;

type Vector = [f64; 3];

/// What is smooth of a model.
pub(super) struct SmoothParts {
    /// The nodes of the hierarchy that are not within a smooth region, in ranges.
    pub(super) nodes_outside: Vec<Range<usize>>,
    /// For each vertex whether the triangles at it certainly meet only in what they share. `false` for those within a smooth
    /// region.
    pub(super) is_smooth_vertex: Vec<bool>,
    /// The pairs of triangles within smooth regions.
    pub(super) pairs_within: u64,
}

impl SmoothParts {
    /// Nothing is known to be smooth.
    pub(super) fn none(tree: &WideTree) -> Self {
        let all = 0..tree.node_count();
        Self { nodes_outside: vec![all], is_smooth_vertex: Vec::new(), pairs_within: 0 }
    }

    /// Linear time for each level of the hierarchy, and O(k log k) for outlines of k sides.
    pub(super) fn new(model: &Model, tree: &WideTree) -> Self {
        let mut surface = FacedTriangles::new(model, tree.order());
        let mut is_within = vec![false; tree.triangle_count()];
        let mut is_outside = vec![false; model.mesh().vertex_count()];
        let mut nodes_outside: Vec<Range<usize>> = Vec::new();
        let mut pairs_within = 0;
        // A node comes after its parent.
        for (node, below) in tree.triangles_below().into_iter().enumerate() {
            if is_within[below.start] {
                continue;
            }
            if surface.are_smooth(below.clone()) {
                let count = below.len() as u64;
                pairs_within += count * (count - 1) / 2;
                is_within[below].fill(true);
                surface.outline.iter().for_each(|&vertex| is_outside[vertex as usize] = true);
                continue;
            }
            match nodes_outside.last_mut() {
                Some(last) if last.end == node => last.end += 1,
                _ => nodes_outside.push(node..node + 1),
            }
        }
        let triangles = model.triangulation().triangles();
        for (&number, _) in tree.order().iter().zip(&is_within).filter(|(_, within)| !**within) {
            triangles[number as usize].iter().for_each(|v| is_outside[v.index()] = true);
        }
        let (fans, positions) = (model.data(Fans::new), model.mesh().positions());
        let is_smooth = |(vertex, is_outside)| is_outside && fans.is_smooth(positions, vertex);
        let is_smooth_vertex = (0..).zip(is_outside).map(is_smooth).collect();
        Self { nodes_outside, is_smooth_vertex, pairs_within }
    }
}

/// Whether a normal is within less than a right angle of a direction, certainly. `size` is at least the product of the
/// lengths of two vectors whose cross product is the normal.
#[inline(always)]
pub(super) fn faces(normal: Vector, size: f64, direction: Vector) -> bool {
    /// The least sine of the angle between a triangle and the direction. Far more than rounding.
    const LEAST: f64 = 1e-6;
    // False if a number is NaN.
    dot(normal, direction) > LEAST * size + f64::MIN_POSITIVE
}

/// The triangles of a model, in the order of the leaves.
struct FacedTriangles<'a> {
    model: &'a Model,
    neighbors: &'a EdgeNeighbors,
    order: &'a [u32],
    /// The place of each triangle.
    places: Vec<u32>,
    /// The normal of each, as long as twice its area, and a bound on the product of the lengths of two sides: the rounding
    /// error of the normal is a few units in the last place of that.
    normals: Vec<(Vector, f64)>,
    /// The sum of all normals before each place.
    sums: Vec<Vector>,
    /// For each vertex the last set of triangles with it on the outline, and the vertex after it there.
    next: Vec<(u32, u32)>,
    sets: u32,
    /// The vertices of an outline, and memory for its projection.
    outline: Vec<u32>,
    projected: Vec<[f64; 2]>,
    by_start: Vec<u32>,
}

impl<'a> FacedTriangles<'a> {
    fn new(model: &'a Model, order: &'a [u32]) -> Self {
        let positions = model.mesh().positions();
        let triangles = model.triangulation().triangles();
        let normal = |&number: &u32| {
            let [a, b, c] = triangles[number as usize].map(|vertex| positions[vertex.index()]);
            let (u, v) = (sub(b, a), sub(c, a));
            (cross(u, v), taxicab(u) * taxicab(v))
        };
        let normals: Vec<_> = order.iter().map(normal).collect();
        let mut sums = Vec::with_capacity(order.len() + 1);
        sums.push([0.0; 3]);
        sums.extend(normals.iter().scan([0.0; 3], |sum, (normal, _)| {
            *sum = add(*sum, *normal);
            Some(*sum)
        }));
        let mut places = vec![0; order.len()];
        for (place, &number) in (0..).zip(order) {
            places[number as usize] = place;
        }
        Self {
            model,
            neighbors: model.data(EdgeNeighbors::new),
            order,
            places,
            normals,
            sums,
            next: vec![(0, 0); positions.len()],
            sets: 0,
            outline: Vec::new(),
            projected: Vec::new(),
            by_start: Vec::new(),
        }
    }

    /// Whether the triangles at some places certainly meet only in what they share: see the head of the module.
    fn are_smooth(&mut self, places: Range<usize>) -> bool {
        let mean = sub(self.sums[places.end], self.sums[places.start]);
        unit(mean).is_some_and(|direction| {
            self.face(direction, places.clone())
                && self.trace_outline(places)
                && self.outline_is_simple(direction)
        })
    }

    /// Whether the triangles at some places all face a direction.
    fn face(&self, direction: Vector, places: Range<usize>) -> bool {
        self.normals[places].iter().all(|&(normal, size)| faces(normal, size, direction))
    }

    /// Whether the sides of the triangles at some places that have no neighbor there are one closed polygon, which is then
    /// the outline.
    fn trace_outline(&mut self, places: Range<usize>) -> bool {
        self.sets += 1;
        let (mut count, mut first) = (0, None);
        for &number in &self.order[places.clone()] {
            let corners = self.model.triangulation().triangles()[number as usize];
            for (i, neighbor) in self.neighbors.of(number).into_iter().enumerate() {
                let is_glued = neighbor != EdgeNeighbors::NONE
                    && places.contains(&(self.places[neighbor as usize] as usize));
                if is_glued {
                    continue;
                }
                let (from, to) = (corners[i], corners[(i + 1) % 3]);
                let next = &mut self.next[from.index()];
                if next.0 == self.sets {
                    return false;
                }
                *next = (self.sets, to.0);
                first = first.or(Some(from.0));
                count += 1;
            }
        }
        let Some(first) = first else { return false };
        self.outline.clear();
        let mut at = first;
        loop {
            self.outline.push(at);
            let (set, next) = self.next[at as usize];
            if set != self.sets || self.outline.len() > count {
                return false;
            }
            at = next;
            if at == first {
                return self.outline.len() == count;
            }
        }
    }

    /// Whether the outline does not meet itself, seen from a direction.
    fn outline_is_simple(&mut self, direction: Vector) -> bool {
        let positions = self.model.mesh().positions();
        let place = |vertex: u32| positions[vertex as usize];
        let Some(&first) = self.outline.first() else { return false };
        let origin = place(first);
        // The projection is that along the cross product of these two, as they are rounded.
        let Some(across) = unit(perpendicular(direction)) else { return false };
        let up = cross(direction, across);
        let mut reach = 0.0_f64;
        self.projected.clear();
        for &vertex in &self.outline {
            let from_origin = sub(place(vertex), origin);
            reach = reach.max(largest(from_origin));
            self.projected.push([dot(from_origin, across), dot(from_origin, up)]);
        }
        // Of a difference and a product with a unit vector; the sum of three such is at most √3 times as large as the largest.
        let error = 32.0 * f64::EPSILON * reach + f64::MIN_POSITIVE;
        Rounded { error }.is_simple(&self.projected, &mut self.by_start)
    }
}

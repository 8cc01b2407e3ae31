//! Grows patches (Daneu 2002, 3.3.1, with flood fill instead of a search through all patches).

use std::collections::VecDeque;

use xcollide_predicates::{Sign, TrianglePlane, orient2d};

use super::adjacency::{NONE, neighbours};
use super::{Bend, End, NOBODY, PatchTriangle, Patches};

/// The state of a decomposition.
pub(super) struct Growth<'a> {
    positions: &'a [[f64; 3]],
    triangles: &'a [[u32; 3]],
    most: usize,
    across: Vec<[u32; 3]>,
    /// Whether a triangle has an area; others are patches of their own.
    proper: Vec<bool>,
    /// The patch that a triangle is in, or `NONE`.
    patch_of: Vec<u32>,
    /// Its place there.
    place_of: Vec<u8>,
    /// Triangles at the border of patches, where the next ones start.
    front: VecDeque<u32>,
    /// Triangles next to the growing patch, each with its neighbour in the patch.
    seen: VecDeque<(u32, u32)>,
    patches: Patches,
    /// Where the growing patch begins in the lists of `patches`.
    first_vertex: usize,
    first_triangle: usize,
    bend: Bend,
}

impl<'a> Growth<'a> {
    pub(super) fn new(positions: &'a [[f64; 3]], triangles: &'a [[u32; 3]], most: usize) -> Self {
        let corners = |t: &[u32; 3]| t.map(|vertex| positions[vertex as usize]);
        Self {
            positions,
            triangles,
            most,
            across: neighbours(triangles),
            proper: triangles.iter().map(|t| facing(&corners(t)).is_some()).collect(),
            patch_of: vec![NONE; triangles.len()],
            place_of: vec![0; triangles.len()],
            front: VecDeque::new(),
            seen: VecDeque::new(),
            patches: Patches {
                triangles: Vec::with_capacity(triangles.len()),
                ..Patches::default()
            },
            first_vertex: 0,
            first_triangle: 0,
            bend: Bend::Flat,
        }
    }

    /// Grows patch after patch until every triangle is in one.
    pub(super) fn run(mut self) -> Patches {
        for next in 0..self.triangles.len() as u32 {
            self.front.push_back(next);
            while let Some(seed) = self.front.pop_front() {
                if self.patch_of[seed as usize] == NONE {
                    self.grow(seed);
                }
            }
        }
        self.patches
    }

    fn grow(&mut self, seed: u32) {
        self.first_vertex = self.patches.vertices.len();
        self.first_triangle = self.patches.triangles.len();
        self.bend = Bend::Flat;
        self.seen.clear();
        self.take(seed);
        while let Some((triangle, from)) = self.seen.pop_front() {
            if self.patch_of[triangle as usize] != NONE {
                continue;
            }
            let full = self.patches.triangles.len() - self.first_triangle == self.most;
            match self.bend_with(triangle, from) {
                Some(bend) if !full => {
                    self.bend = bend;
                    self.take(triangle);
                }
                _ => self.front.push_back(triangle),
            }
        }
        self.join();
        self.patches.ends.push(End {
            vertices: self.patches.vertices.len() as u32,
            triangles: self.patches.triangles.len() as u32,
            bend: self.bend,
        });
    }

    /// Adds a triangle to the patch, and its neighbours to `seen`.
    fn take(&mut self, triangle: u32) {
        let index = triangle as usize;
        self.patch_of[index] = self.patches.ends.len() as u32;
        self.place_of[index] = (self.patches.triangles.len() - self.first_triangle) as u8;
        let corners = self.triangles[index].map(|vertex| {
            let known = &self.patches.vertices[self.first_vertex..];
            let place = known.iter().position(|&other| other == vertex).unwrap_or_else(|| {
                self.patches.vertices.push(vertex);
                self.patches.vertices.len() - 1 - self.first_vertex
            });
            place as u8
        });
        let across = [NOBODY; 3];
        self.patches.triangles.push(PatchTriangle { number: triangle, corners, across });
        if self.proper[index] {
            for other in self.across[index] {
                if other != NONE && self.patch_of[other as usize] == NONE {
                    self.seen.push_back((other, triangle));
                }
            }
        }
    }

    /// The bend of the patch with one more triangle, a neighbour of `from`; `None` if it would not be convex.
    fn bend_with(&self, triangle: u32, from: u32) -> Option<Bend> {
        if !self.proper[triangle as usize] {
            return None;
        }
        let numbers = self.triangles[triangle as usize];
        let corners = self.corners(numbers);
        let plane = TrianglePlane::new(&corners);
        let vertices = &self.patches.vertices[self.first_vertex..];
        let mut bend = self.bend;
        for &vertex in vertices.iter().filter(|vertex| !numbers.contains(vertex)) {
            bend = bend.with(plane.side(self.positions[vertex as usize]));
            if bend == Bend::Loose {
                return None;
            }
        }
        for added in numbers.into_iter().filter(|vertex| !vertices.contains(vertex)) {
            for member in &self.patches.triangles[self.first_triangle..] {
                let corners = self.corners(self.triangles[member.number as usize]);
                let side = TrianglePlane::new(&corners).side(self.positions[added as usize]);
                bend = bend.with(side);
                if bend == Bend::Loose {
                    return None;
                }
            }
        }
        // In one plane a triangle must not be folded onto its neighbour. (In a patch that is not flat it
        // cannot be: a vertex below one would be above the other.)
        let other = self.corners(self.triangles[from as usize]);
        (bend != Bend::Flat || facing(&corners) == facing(&other)).then_some(bend)
    }

    /// Sets the neighbours within the finished patch.
    fn join(&mut self) {
        let patch = self.patches.ends.len() as u32;
        for member in &mut self.patches.triangles[self.first_triangle..] {
            let index = member.number as usize;
            if self.proper[index] {
                member.across = self.across[index].map(|other| match other {
                    NONE => NOBODY,
                    _ if self.patch_of[other as usize] == patch => self.place_of[other as usize],
                    _ => NOBODY,
                });
            }
        }
    }

    fn corners(&self, numbers: [u32; 3]) -> [[f64; 3]; 3] {
        numbers.map(|vertex| self.positions[vertex as usize])
    }
}

/// An axis along which the projection of a triangle has an area, and its orientation; `None` if its corners
/// are collinear. The axis is the same for all triangles in one plane.
pub(super) fn facing(corners: &[[f64; 3]; 3]) -> Option<(usize, Sign)> {
    (0..3).find_map(|axis| {
        let flat = corners.map(|p| [p[(axis + 1) % 3], p[(axis + 2) % 3]]);
        let turn = orient2d(flat[0], flat[1], flat[2]);
        (turn != Sign::Zero).then_some((axis, turn))
    })
}

//! Sphere trees from octrees (Hubbard 1993; Zachmann 1994, 2.4 and 3.6.6).
//!
//! ```text
//!   +-------+---+---+     An octree divides the cube around a model as long as a cell has several triangles. The
//!   |       | / |   |     sphere around the cell of a leaf is a leaf of the sphere tree, the sphere around the cell
//!   |       |/  |   |     above contains it: half a diagonal is the distance of the centers and of the radii.
//!   +-------+---+---+
//!   |      /|       |     Cells without triangles are dropped. A triangle is listed in every leaf that it
//!   |     / |       |     reaches into.
//!   +-------+-------+
//! ```
//!
//! Unlike the [binary tree](crate::binary) of spheres, whose spheres are fitted to triangles, the spheres of one level are
//! all of one size, so a search that ends at a level knows how accurate it is: see [`LevelSearch`](crate::levels::LevelSearch).
//!
//! # Why no colliding pair is lost
//!
//! Cells share their borders, so they partition the cube without gaps. A point of a triangle lies in the cell of some leaf;
//! the triangle's box has the point in common with the cell, and its plane passes through the cell, so the leaf lists the
//! triangle (the test of the plane errs on that side). The spheres of the leaf and above contain their cells. So the
//! [proof](crate::binary#why-no-colliding-pair-is-lost) for binary trees holds, where a leaf contains the point in question
//! instead of the whole triangle.

mod build;
mod traversal;

use std::ops::ControlFlow;

use xcollide_bounds::{Aabb, Sphere};
use xcollide_math::Pose;
use xcollide_math::vector::{add, dot, scale, sub};

use crate::BuildError;
use crate::build_error::check;
use crate::levels::Opening;
use crate::levels::sealed::Open;

pub use traversal::SphereOctreeTraversal;

/// How an octree is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SphereOctreeOptions {
    /// The most divisions above a leaf, at most 20.
    pub max_depth: u32,
    /// A cell is divided if it has more triangles than this.
    pub leaf_size: usize,
}

impl Default for SphereOctreeOptions {
    /// Up to ten divisions, three triangles a leaf.
    fn default() -> Self {
        Self { max_depth: 10, leaf_size: 3 }
    }
}

/// A sphere tree over the triangles of a model.
///
/// Building takes O(n · depth). There are at most eight entries in leaves for a triangle: where divisions would list more,
/// they end.
///
/// ```
/// use xcollide_bvh::Candidates;
/// use xcollide_bvh::classic::sphere_octree::{SphereOctree, SphereOctreeOptions, SphereOctreeTraversal};
/// use xcollide_math::Pose;
/// use xcollide_predicates::triangles_intersect;
///
/// let strip: Vec<[[f64; 3]; 3]> = (0..100)
///     .map(|i| [0.0, 1.0, 2.0].map(|k| [f64::from(i) + k, k % 2.0, 0.0]))
///     .collect();
/// let tree = SphereOctree::new(&strip, &SphereOctreeOptions::default())?;
/// let upright = Pose::from_matrix([[0.0, -1.0, 0.0], [0.0, 0.0, -1.0], [1.0, 0.0, 0.0]], [50.0, 0.0, 0.0])?;
///
/// let world = |motion: &Pose, i: u32| strip[i as usize].map(|corner| motion.apply(corner));
/// let hits = SphereOctreeTraversal::new((&tree, &Pose::IDENTITY), (&tree, &upright))
///     .all(|a, b| triangles_intersect(&world(&Pose::IDENTITY, a), &world(&upright, b)));
/// assert!(!hits.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SphereOctree {
    /// The root first; the children of a node stand side by side.
    nodes: Vec<Node>,
    /// The triangles of all leaves.
    list: Vec<u32>,
    /// The number of triangles.
    triangles: usize,
    /// The largest magnitude of a coordinate.
    reach: f64,
}

/// A node as stored.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    sphere: Sphere,
    /// The first child, or the place of the first triangle in the list.
    first: u32,
    /// The number of children, or of triangles.
    count: u32,
    is_leaf: bool,
}

impl Node {
    /// The places of the children or triangles.
    #[inline]
    fn range(&self) -> std::ops::Range<usize> {
        self.first as usize..self.first as usize + self.count as usize
    }
}

/// Spheres promise nothing beyond this magnitude.
const TRUSTED: f64 = 1e100;

impl SphereOctree {
    /// Builds the tree. Triangles may be degenerate.
    ///
    /// # Errors
    /// Coordinates that are not finite; 2³¹ triangles, or that many entries in leaves.
    pub fn new(
        triangles: &[[[f64; 3]; 3]],
        options: &SphereOctreeOptions,
    ) -> Result<Self, BuildError> {
        let reach = check(triangles)?;
        let (nodes, list) = build::build(triangles, reach, options)?;
        Ok(Self { nodes, list, triangles: triangles.len(), reach })
    }

    /// The first triangle below a node.
    #[cold]
    fn first_below(&self, node: u32) -> Option<u32> {
        let mut node = self.nodes.get(node as usize)?;
        while !node.is_leaf {
            node = self.nodes.get(node.first as usize)?;
        }
        self.list.get(node.range())?.first().copied()
    }

    /// The largest magnitude of a coordinate.
    #[must_use]
    pub fn reach(&self) -> f64 {
        self.reach
    }

    /// Bytes on the heap.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>() + self.list.len() * size_of::<u32>()
    }

    /// Calls `found` with the triangles of all leaves whose spheres a segment in the world comes near, until it breaks:
    /// all that have a point in common with it when their corners are moved by [`Pose::apply`], some repeatedly.
    pub fn segment_query(
        &self,
        motion: &Pose,
        [start, end]: [[f64; 3]; 2],
        mut found: impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let ends = start.iter().chain(&end);
        let far = ends.fold(self.reach, |most: f64, value| most.max(value.abs()));
        let is_trusted = [far].iter().chain(&motion.translation()).all(|v| v.abs() < TRUSTED);
        if !is_trusted {
            return (0..self.triangles as u32).try_for_each(found);
        }
        let margin = Pose::relative_margin(motion, &Pose::IDENTITY, self.reach, far);
        let into_tree = Pose::relative(motion, &Pose::IDENTITY);
        let [start, end] = [start, end].map(|end| into_tree.apply(end));
        let along = sub(end, start);
        let length_squared = dot(along, along);
        // The nearest point of the segment is rounded by some units of the coordinates, and a distance by some of itself.
        let noise = 1e-13 * (far + length_squared.sqrt() + self.reach) + margin;
        let is_near = |sphere: &Sphere| {
            let to = sub(sphere.center, start);
            let share = if length_squared > 0.0 { dot(to, along) / length_squared } else { 0.0 };
            let nearest = add(start, scale(along, share.clamp(0.0, 1.0)));
            let gap = sub(sphere.center, nearest);
            let reach = sphere.radius + noise;
            dot(gap, gap) <= reach * reach * (1.0 + 1e-12)
        };
        let mut waiting: Vec<u32> = (!self.nodes.is_empty()).then_some(0).into_iter().collect();
        while let Some(node) = waiting.pop() {
            let node = &self.nodes[node as usize];
            if !is_near(&node.sphere) {
                continue;
            }
            if node.is_leaf {
                self.list[node.range()].iter().try_for_each(|&triangle| found(triangle))?;
            } else {
                waiting.extend(node.first..node.first + node.count);
            }
        }
        ControlFlow::Continue(())
    }
}

impl Open for SphereOctree {
    type Volume = Sphere;

    fn root(&self) -> Option<Opening<Sphere>> {
        Some(Opening { id: 0, volume: self.nodes.first()?.sphere })
    }

    fn open(
        &self,
        node: &Opening<Sphere>,
        children: &mut Vec<Opening<Sphere>>,
        primitives: &mut Vec<u32>,
    ) {
        let node = &self.nodes[node.id as usize];
        if node.is_leaf {
            primitives.extend(&self.list[node.range()]);
        } else {
            let child = |id: u32| Opening { id, volume: self.nodes[id as usize].sphere };
            children.extend((node.first..node.first + node.count).map(child));
        }
    }

    fn magnitude(&self) -> f64 {
        self.reach
    }
}

/// The sphere around a cell, by its corners.
fn around(cell: &Aabb) -> Sphere {
    let corners = (0..8).map(|corner| {
        [0, 1, 2].map(|k| if corner >> k & 1 == 0 { cell.min[k] } else { cell.max[k] })
    });
    Sphere::about(cell.center(), corners)
}

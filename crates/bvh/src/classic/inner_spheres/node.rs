//! Nodes with eight spheres.

use xcollide_bounds::{BoundingVolume, Sphere};

/// The children of a node.
pub(super) const WIDTH: usize = 8;

/// Eight spheres, coordinate by coordinate: inner spheres in a leaf, else the wrapped spheres of the children.
#[derive(Clone, Debug)]
pub(super) struct SphereNode {
    pub(super) center: [[f64; WIDTH]; 3],
    /// −∞ where there is no sphere.
    pub(super) radius: [f64; WIDTH],
    /// The sum of the volumes of the inner spheres in each.
    pub(super) volume: [f64; WIDTH],
    /// The first child, or in a leaf the first inner sphere; the others follow.
    pub(super) first: u32,
    pub(super) count: u32,
    pub(super) is_leaf: bool,
}

impl SphereNode {
    pub(super) fn new(first: u32, is_leaf: bool) -> Self {
        Self {
            center: [[0.0; WIDTH]; 3],
            radius: [f64::NEG_INFINITY; WIDTH],
            volume: [0.0; WIDTH],
            first,
            count: 0,
            is_leaf,
        }
    }

    /// Adds a sphere, at most eight.
    pub(super) fn push(&mut self, sphere: &Sphere, volume: f64) {
        let lane = self.count as usize;
        for axis in 0..3 {
            self.center[axis][lane] = sphere.center[axis];
        }
        self.radius[lane] = sphere.radius;
        self.volume[lane] = volume;
        self.count += 1;
    }

    pub(super) fn sphere(&self, lane: usize) -> Sphere {
        Sphere::new([0, 1, 2].map(|axis| self.center[axis][lane]), self.radius[lane])
    }

    /// A leaf of at most eight spheres.
    pub(super) fn leaf(spheres: &[Sphere], first: u32) -> Self {
        let mut node = Self::new(first, true);
        for sphere in spheres {
            node.push(sphere, sphere.volume());
        }
        node
    }
}

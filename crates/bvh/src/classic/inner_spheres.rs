//! Inner sphere trees (IST): a hierarchy over disjoint spheres that fill a body from the inside (Weller and Zachmann,
//! *Inner sphere trees for proximity and penetration queries*, 2009; lecture slides, "Inner Sphere Trees").
//!
//! Two bodies are no farther apart than two of their inner spheres, and have at least the volume in common that the
//! spheres have, as no part of it is counted twice: the spheres of a body are disjoint. One search answers both
//! ([`proximity`]), adds up forces and torques, and can end at any time with bounds.
//!
//! The hierarchy is *wrapped*: the sphere of a node is fitted to all inner spheres below it, not to the spheres of its
//! children, which would be larger. Nodes have eight children, in the source four to eight, and eight spheres are compared at
//! once. The source clusters by batch neural gas; here the centers are halved along the longest side of their box.
//!
//! The spheres come from a packing, which knows the body; this module knows only spheres.

mod build;
mod lens;
mod node;
mod placed_pair;
mod proximity;
#[cfg(test)]
mod tests;

use xcollide_bounds::{BoundingVolume, Sphere};

pub use proximity::{Proximity, ProximitySearch, common_point, proximity};

use node::SphereNode;

/// A wrapped hierarchy over disjoint spheres, each inside a body.
///
/// ```
/// use xcollide_bounds::Sphere;
/// use xcollide_bvh::classic::inner_spheres::{InnerSphereTree, ProximitySearch, proximity};
/// use xcollide_math::Pose;
///
/// let spheres = [0.0, 2.0, 4.0].map(|x| Sphere::new([x, 0.0, 0.0], 1.0));
/// let tree = InnerSphereTree::build(&spheres, 5.0);
/// assert!(tree.is_disjoint());
/// let at = Pose::from_translation([7.0, 0.0, 0.0]);
/// let found = proximity((&tree, &Pose::IDENTITY), (&tree, &at), &mut ProximitySearch::new(), None);
/// assert!(found.distance_at_most >= 1.0 && found.distance_at_most < 1.0 + 1e-10);
/// ```
#[derive(Clone, Debug, Default)]
pub struct InnerSphereTree {
    /// The root first.
    nodes: Vec<SphereNode>,
    /// The inner spheres, in the order of the leaves.
    spheres: Vec<Sphere>,
    /// The largest magnitude of a coordinate of the body.
    reach: f64,
    /// The sum of the volumes of all spheres.
    volume: f64,
}

impl InnerSphereTree {
    /// Builds the hierarchy in O(n log n). `reach` is the largest magnitude of a coordinate of the body that the spheres
    /// are in: the rounding of poses depends on it. Spheres that are empty or not finite are left out.
    ///
    /// Bounds of volumes are right only if the spheres are [disjoint](Self::is_disjoint), apart from touching.
    #[must_use]
    pub fn build(spheres: &[Sphere], reach: f64) -> Self {
        let is_sound = |sphere: &&Sphere| {
            sphere.radius >= 0.0
                && sphere.radius < 1e100
                && sphere.center.iter().all(|x| x.abs() < 1e100)
        };
        let mut spheres: Vec<Sphere> = spheres.iter().filter(is_sound).copied().collect();
        let nodes = build::nodes(&mut spheres);
        let reach = spheres.iter().fold(reach, |most, sphere| {
            sphere.center.iter().fold(most, |most, x| most.max(x.abs() + sphere.radius))
        });
        let volume = spheres.iter().map(Sphere::volume).sum();
        Self { nodes, spheres, reach, volume }
    }

    /// The inner spheres, in the order of the leaves.
    #[must_use]
    pub fn spheres(&self) -> &[Sphere] {
        &self.spheres
    }

    /// The sum of the volumes of all spheres, rounded.
    #[must_use]
    pub fn volume(&self) -> f64 {
        self.volume
    }

    /// Whether no two spheres have inner points in common, as certain as rounding allows: spheres that overlap by a few
    /// units in the last place of their distance count as touching. O(n log n) for spheres that are disjoint.
    #[must_use]
    pub fn is_disjoint(&self) -> bool {
        build::are_disjoint(&self.spheres)
    }

    /// Its memory in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.nodes) + size_of_val(&*self.spheres)
    }
}

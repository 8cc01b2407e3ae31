//! Until when parts of two meshes in linear motion are certainly apart, by their hierarchies.
//!
//! Meshes that go straight have the wide hierarchies of their models. Those that change their shape have boxes at both ends in
//! the binary ones, which are parted along more directions than those of the axes: axis-aligned boxes alone, eight at once, take
//! thirty times as long where surfaces pass each other closely.

use xcollide_bvh::NodePair;
use xcollide_bvh::binary::{Bvh, NodeId};
use xcollide_bvh::wide::{MovingTrees, RelativeMotion};
use xcollide_math::vector::sub;

use super::meshes_separation::SweptPair;
use super::motion_front::{Children, children};
use super::moving_mesh::MovingMesh;

/// The hierarchies of two moving meshes.
pub(super) enum MeshTrees<'a> {
    /// Both go straight. `None` if one has no triangles.
    Translated(Option<Box<MovingTrees<'a>>>),
    Deforming(SweptPair<'a>),
}

/// A pair of nodes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Nodes {
    Wide(NodePair),
    Binary([NodeId; 2]),
}

impl<'a> MeshTrees<'a> {
    /// `None` if a model is too large for a hierarchy.
    pub(super) fn new(meshes: [&'a MovingMesh; 2]) -> Option<Self> {
        let [a, b] = meshes;
        let (Some([start_a, end_a]), Some([start_b, end_b])) = (a.translation(), b.translation())
        else {
            return Some(Self::Deforming(SweptPair::new(meshes, [a.tree()?, b.tree()?])));
        };
        let [of_a, of_b] = [[start_a, end_a], [start_b, end_b]]
            .map(|[start, end]| sub(end.translation(), start.translation()));
        let motion = RelativeMotion {
            shift: sub(of_b, of_a),
            // Vertices are rounded at both ends, and go straight from the one to the other.
            distance: 64.0 * f64::EPSILON * (a.size() + b.size()),
            ..RelativeMotion::default()
        };
        let (tree_a, tree_b) = (a.wide_tree()?, b.wide_tree()?);
        let trees = MovingTrees::new((tree_a, start_a), (tree_b, start_b), &motion);
        Some(Self::Translated(trees.map(Box::new)))
    }

    /// The whole meshes, and a time up to which they are certainly apart; `None` if one has no triangles.
    pub(super) fn root(&self) -> Option<(Nodes, f64)> {
        match self {
            Self::Translated(trees) => trees.as_ref().map(|trees| {
                let root = trees.root();
                (Nodes::Wide(root), trees.look(root).part)
            }),
            Self::Deforming(pair) => match pair.trees.map(Bvh::root) {
                [Some(a), Some(b)] => Some((Nodes::Binary([a, b]), 0.0)),
                _ => None,
            },
        }
    }

    /// Adds the pairs below a pair of nodes that may meet, with times up to which they are certainly apart; of those that are so
    /// until `enough`, any such time. The triangles of leaves are returned in their place.
    pub(super) fn open(
        &self,
        nodes: Nodes,
        enough: f64,
        below: &mut Vec<(Nodes, f64)>,
    ) -> Option<[&'a [u32]; 2]> {
        match (self, nodes) {
            (Self::Translated(Some(trees)), Nodes::Wide(pair)) => {
                if let Some(triangles) = trees.triangles(pair) {
                    return Some(triangles);
                }
                let pairs = trees.below(pair);
                below.extend(pairs.iter().map(|(pair, part)| (Nodes::Wide(pair), part)));
            }
            (Self::Deforming(pair), Nodes::Binary(nodes)) => match children(pair.trees, nodes) {
                Children::Triangles(triangles) => return Some(triangles),
                Children::Nodes(both) => below.extend(
                    both.map(|nodes| (Nodes::Binary(nodes), pair.entry_of_nodes(nodes, enough).1)),
                ),
            },
            _ => {}
        }
        None
    }
}

//! Until when the boxes of two meshes in linear motion are certainly apart, by their wide hierarchies.

use xcollide_bvh::NodePair;
use xcollide_bvh::wide::{MovingTrees, RelativeMotion, SweptTrees};
use xcollide_math::vector::sub;

use super::moving_mesh::MovingMesh;

/// The hierarchies of two moving meshes.
pub(super) enum WidePair<'a> {
    /// Both go straight: oriented boxes in motion. `None` if one has no triangles.
    Translated(Option<MovingTrees<'a>>),
    /// Axis-aligned boxes at both ends.
    Swept(SweptTrees<'a>),
}

impl<'a> WidePair<'a> {
    /// `None` if a model is too large for a hierarchy.
    pub(super) fn new(meshes: [&'a MovingMesh; 2]) -> Option<Self> {
        let [a, b] = meshes;
        let (Some([start_a, end_a]), Some([start_b, end_b])) = (a.translation(), b.translation())
        else {
            return Some(Self::Swept(SweptTrees::new(a.swept_tree()?, b.swept_tree()?)));
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
        Some(Self::Translated(trees))
    }

    /// The whole meshes; `None` if one has no triangles.
    pub(super) fn root(&self) -> Option<NodePair> {
        match self {
            Self::Translated(trees) => trees.as_ref().map(MovingTrees::root),
            Self::Swept(trees) => trees.root(),
        }
    }

    /// A time up to which a pair of nodes is certainly apart; above 1 if it is so all the time.
    pub(super) fn look(&self, pair: NodePair) -> f64 {
        match self {
            Self::Translated(trees) => trees.as_ref().map_or(0.0, |trees| trees.look(pair).part),
            Self::Swept(trees) => trees.look(pair),
        }
    }

    /// Adds the pairs below a pair of nodes that are not certainly apart all the time, with these times.
    pub(super) fn open(&self, pair: NodePair, below: &mut Vec<(NodePair, f64)>) {
        match self {
            Self::Translated(Some(trees)) => {
                trees.open(pair, |pair, entry| below.push((pair, entry.part)));
            }
            Self::Translated(None) => {}
            Self::Swept(trees) => trees.open(pair, |pair, part| below.push((pair, part))),
        }
    }

    /// The triangles of a pair of leaves.
    pub(super) fn triangles(&self, pair: NodePair) -> Option<[&'a [u32]; 2]> {
        match self {
            Self::Translated(trees) => trees.as_ref()?.triangles(pair),
            Self::Swept(trees) => trees.triangles(pair),
        }
    }
}

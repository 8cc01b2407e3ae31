//! Hierarchies of models as lines: a level of one, and the leaves that a query of two reaches
//! (Zachmann 1994, figure 3.31).

use xcollide::bounds::{Aabb, KDop, Obb, Sphere, Wireframe};
use xcollide::narrow::bvh::binary::Bvh;
use xcollide::narrow::bvh::classic::box_tree::BoxTree;
use xcollide::narrow::bvh::classic::interval_tree::IntervalTree;
use xcollide::narrow::bvh::levels::{Level, LevelVolume, Levels, ReachedLeaf, reached_leaves};
use xcollide::narrow::bvh::wide::WideTree;
use xcollide::narrow::mesh::BvhPair;
use xcollide::narrow::{Model, Placed};

/// A volume of a hierarchy as lines, in the model's frame, and the triangles in it.
pub(super) struct OutlinedVolume {
    /// The edges of a box or polytope, three circles of a sphere; each line by its two ends.
    pub(super) lines: Vec<[[f64; 3]; 2]>,
    /// Numbers in the model's triangulation, ascending. Boxes of a box-tree may be empty.
    pub(super) triangles: Vec<u32>,
}

/// A leaf that the descent of two hierarchies reaches.
pub(super) struct ReachedVolume {
    pub(super) volume: OutlinedVolume,
    /// Whether it overlaps a leaf of the other model, so that triangles have to decide.
    pub(super) overlaps: bool,
}

/// The names of the algorithms whose hierarchies can be drawn.
pub(crate) fn outlined_algorithms() -> impl Iterator<Item = &'static str> + Clone {
    DRAWERS.iter().map(|drawer| drawer.name)
}

/// The volumes of a level of the hierarchy that an algorithm keeps with a model.
pub(super) fn outlines(
    algorithm: &str,
    model: &Model,
    level: Level,
) -> Result<Vec<OutlinedVolume>, String> {
    let drawer = drawer(algorithm)?;
    (drawer.level)(model, level).ok_or_else(|| too_large(algorithm))
}

/// The leaves of two placed models that a descent of their hierarchies reaches, each in its model's
/// frame. The overlapping ones contain all faces that meet.
pub(super) fn reached_outlines(
    algorithm: &str,
    a: Placed<'_>,
    b: Placed<'_>,
) -> Result<[Vec<ReachedVolume>; 2], String> {
    let drawer = drawer(algorithm)?;
    (drawer.reached)(a, b).ok_or_else(|| too_large(algorithm))
}

/// How the hierarchies of one algorithm are drawn.
struct Drawer {
    name: &'static str,
    level: fn(&Model, Level) -> Option<Vec<OutlinedVolume>>,
    reached: fn(Placed<'_>, Placed<'_>) -> Option<[Vec<ReachedVolume>; 2]>,
}

macro_rules! drawer {
    ($name:literal, $tree:ty) => {
        Drawer {
            name: $name,
            level: |model, level| {
                let tree = BvhPair::<$tree>::tree(model)?;
                Some(tree.volumes(level).map(drawn).collect())
            },
            reached: |a, b| {
                let trees = [BvhPair::<$tree>::tree(a.model())?, BvhPair::tree(b.model())?];
                Some(leaves_reached(trees, a, b))
            },
        }
    };
}

const DRAWERS: [Drawer; 7] = [
    drawer!("box-tree", BoxTree),
    drawer!("interval-tree", IntervalTree),
    drawer!("aabb-tree", Bvh<Aabb>),
    drawer!("obb-tree", Bvh<Obb>),
    drawer!("kdop-tree", Bvh<KDop<18>>),
    drawer!("sphere-tree", Bvh<Sphere>),
    drawer!("wide-obb", WideTree),
];

fn drawer(name: &str) -> Result<&'static Drawer, String> {
    DRAWERS.iter().find(|drawer| drawer.name == name).ok_or_else(|| {
        let known = outlined_algorithms().collect::<Vec<_>>().join(", ");
        format!("{name} has no hierarchy to draw, expected one of {known}")
    })
}

fn too_large(algorithm: &str) -> String {
    format!("too many triangles for the hierarchy of {algorithm}")
}

fn leaves_reached<T: Levels<Volume: Wireframe>>(
    [tree_a, tree_b]: [&T; 2],
    a: Placed<'_>,
    b: Placed<'_>,
) -> [Vec<ReachedVolume>; 2] {
    let both = reached_leaves((tree_a, a.pose()), (tree_b, b.pose()));
    both.map(|leaves| {
        let leaf = |leaf: ReachedLeaf<T::Volume>| ReachedVolume {
            volume: drawn(leaf.leaf),
            overlaps: leaf.overlaps,
        };
        leaves.into_iter().map(leaf).collect()
    })
}

fn drawn<V: Wireframe>(one: LevelVolume<V>) -> OutlinedVolume {
    OutlinedVolume { lines: one.volume.wireframe(), triangles: one.primitives }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use xcollide::narrow::mesh::BruteForce;
    use xcollide::narrow::{NarrowPhase, PairCache, Pose, Query};

    use super::*;

    type Outcome = Result<(), Box<dyn std::error::Error>>;

    #[test]
    fn what_cannot_be_drawn_is_told_with_what_can() -> Outcome {
        let model = Model::from_mesh(xcollide_scenes::shape("shape:box")?)?;
        let told = outlines("brute-force", &model, Level::Leaves).err().unwrap_or_default();
        assert!(
            told.starts_with("brute-force has no hierarchy to draw, expected one of box-tree,")
        );
        Ok(())
    }

    /// The picture of two models at work shows every face that meets in a volume that is marked.
    #[test]
    fn faces_that_meet_are_in_volumes_that_overlap() -> Outcome {
        let a = Model::from_mesh(xcollide_scenes::shape("shape:torus?faces=2000")?)?;
        let b = Model::from_mesh(xcollide_scenes::shape("shape:tetraflake?depth=2")?)?;
        let (here, there) = (Pose::IDENTITY, Pose::from_translation([0.9, 0.2, 0.1]));
        let (a, b) = (Placed::new(&a, &here)?, Placed::new(&b, &there)?);
        let mut contacts = Vec::new();
        let query = Query::new();
        let _ = BruteForce.contacts(a, b, &query, usize::MAX, &mut PairCache::new(), &mut contacts);
        assert!(!contacts.is_empty());
        for name in outlined_algorithms() {
            let reached = reached_outlines(name, a, b)?;
            for (side, (leaves, placed)) in reached.iter().zip([a, b]).enumerate() {
                let faces: BTreeSet<_> = leaves
                    .iter()
                    .filter(|leaf| leaf.overlaps)
                    .flat_map(|leaf| &leaf.volume.triangles)
                    .map(|&triangle| placed.model().triangulation().face_of(triangle as usize))
                    .collect();
                for pair in &contacts {
                    assert!(faces.contains(&[pair.0, pair.1][side]), "{name}: {pair:?}");
                }
                let all = placed.model().mesh().face_count();
                assert!(side == 1 || faces.len() < all, "{name} marks everything");
            }
        }
        Ok(())
    }
}

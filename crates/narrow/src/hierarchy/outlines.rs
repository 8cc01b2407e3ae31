//! The hierarchies that models keep, as lines to be drawn: a level of one, and what two of them reach
//! in each other (Zachmann 1994, figure 3.31).

use xcollide_bounds::{Aabb, KDop, Obb, Sphere, Wireframe};
use xcollide_bvh::binary::Bvh;
use xcollide_bvh::classic::box_tree::BoxTree;
use xcollide_bvh::classic::interval_tree::IntervalTree;
use xcollide_bvh::levels::reached_leaves;
use xcollide_bvh::levels::{Level, LevelVolume, Levels};
use xcollide_bvh::wide::WideTree;

use super::Hierarchy;
use super::prepared::prepared;
use crate::{Model, Placed};

/// A volume of a hierarchy as lines, in the model's frame, and what it bounds.
#[derive(Clone, Debug, PartialEq)]
pub struct OutlinedVolume {
    /// The edges of a box or polytope, three circles of a sphere; each line by its two ends.
    pub lines: Vec<[[f64; 3]; 2]>,
    /// Steps below the root.
    pub level: usize,
    /// Whether nothing but triangles is below.
    pub is_leaf: bool,
    /// The triangles below, ascending, by their numbers in the model's
    /// [triangulation](Model::triangulation). A box-tree has empty boxes, too.
    pub triangles: Vec<u32>,
}

/// A leaf that the descent of two hierarchies comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct ReachedVolume {
    /// The leaf.
    pub volume: OutlinedVolume,
    /// Whether it overlaps a leaf of the other model, so that triangles have to decide.
    pub overlaps: bool,
}

/// Why there is nothing to draw.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OutlineError {
    /// No algorithm of this name descends hierarchies that can be drawn.
    #[error("{name} has no hierarchy to draw, expected one of {known}", known = known())]
    Unknown {
        /// The name.
        name: String,
    },
    /// The model has more triangles than the hierarchy can number.
    #[error("too many triangles for the hierarchy of {name}")]
    TooLarge {
        /// The algorithm.
        name: &'static str,
    },
}

/// The names of the algorithms whose hierarchies can be drawn.
pub fn outlined_algorithms() -> impl Iterator<Item = &'static str> + Clone {
    DRAWERS.iter().map(|drawer| drawer.name)
}

/// The volumes of a level of the hierarchy that an algorithm keeps with a model; it is built if it is
/// not there yet.
///
/// # Errors
/// There is no such algorithm among the [`outlined_algorithms`]; the model is too large for it.
///
/// ```
/// # use xcollide_brep::PolygonMesh;
/// use xcollide_narrow::Model;
/// use xcollide_narrow::mesh::{Level, outlines};
///
/// # let tetrahedron = PolygonMesh::from_polygons(
/// #     vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
/// #     [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
/// # )?;
/// let model = Model::from_mesh(tetrahedron)?;
/// let whole = outlines("aabb-tree", &model, Level::At(0))?;
/// assert_eq!((whole.len(), whole[0].lines.len()), (1, 12));
/// assert_eq!(outlines("obb-tree", &model, Level::Leaves)?.len(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn outlines(
    algorithm: &str,
    model: &Model,
    level: Level,
) -> Result<Vec<OutlinedVolume>, OutlineError> {
    let drawer = drawer(algorithm)?;
    (drawer.level)(model, level).ok_or(OutlineError::TooLarge { name: drawer.name })
}

/// The leaves of two placed models that a descent of their hierarchies comes to, each in its model's
/// frame: see [`reached`](xcollide_bvh::levels::reached_leaves). All faces that meet are in those that overlap.
///
/// # Errors
/// As for [`outlines`].
pub fn reached_outlines(
    algorithm: &str,
    a: Placed<'_>,
    b: Placed<'_>,
) -> Result<[Vec<ReachedVolume>; 2], OutlineError> {
    let drawer = drawer(algorithm)?;
    (drawer.reached)(a, b).ok_or(OutlineError::TooLarge { name: drawer.name })
}

/// How the hierarchies of one algorithm are drawn.
struct Drawer {
    name: &'static str,
    level: fn(&Model, Level) -> Option<Vec<OutlinedVolume>>,
    reached: fn(Placed<'_>, Placed<'_>) -> Option<[Vec<ReachedVolume>; 2]>,
}

const DRAWERS: [Drawer; 7] = [
    Drawer::of::<BoxTree>(),
    Drawer::of::<IntervalTree>(),
    Drawer::of::<Bvh<Aabb>>(),
    Drawer::of::<Bvh<Obb>>(),
    Drawer::of::<Bvh<KDop<18>>>(),
    Drawer::of::<Bvh<Sphere>>(),
    Drawer::of::<WideTree>(),
];

fn drawer(name: &str) -> Result<&'static Drawer, OutlineError> {
    let found = DRAWERS.iter().find(|drawer| drawer.name == name);
    found.ok_or_else(|| OutlineError::Unknown { name: name.to_owned() })
}

fn known() -> String {
    outlined_algorithms().collect::<Vec<_>>().join(", ")
}

impl Drawer {
    const fn of<H: Hierarchy + Levels<Volume: Wireframe>>() -> Self {
        Self { name: H::NAME, level: level_of::<H>, reached: reached_by::<H> }
    }
}

fn level_of<H: Hierarchy + Levels<Volume: Wireframe>>(
    model: &Model,
    level: Level,
) -> Option<Vec<OutlinedVolume>> {
    Some(prepared::<H>(model)?.volumes(level).map(drawn).collect())
}

fn reached_by<H: Hierarchy + Levels<Volume: Wireframe>>(
    a: Placed<'_>,
    b: Placed<'_>,
) -> Option<[Vec<ReachedVolume>; 2]> {
    let (tree_a, tree_b) = (prepared::<H>(a.model())?, prepared::<H>(b.model())?);
    let both = reached_leaves((tree_a, a.transform().motion()), (tree_b, b.transform().motion()));
    Some(both.map(|leaves| {
        let leaves = leaves.into_iter();
        leaves
            .map(|one| ReachedVolume { volume: drawn(one.leaf), overlaps: one.overlaps })
            .collect()
    }))
}

fn drawn<V: Wireframe>(one: LevelVolume<V>) -> OutlinedVolume {
    let LevelVolume { volume, level, is_leaf, primitives } = one;
    OutlinedVolume { lines: volume.wireframe(), level, is_leaf, triangles: primitives }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NarrowPhase, PairCache, Pose, Query, mesh::BruteForce};
    use std::collections::BTreeSet;

    type Outcome = Result<(), Box<dyn std::error::Error>>;

    #[test]
    fn what_cannot_be_drawn_is_told_with_what_can() -> Outcome {
        let model = Model::from_mesh(xcollide_scenes::shape("shape:box")?)?;
        let error = outlines("brute-force", &model, Level::Leaves);
        let told = error.err().map(|error| error.to_string()).unwrap_or_default();
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
        let (here, there) = (Pose::identity(), Pose::translation(0.9, 0.2, 0.1));
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

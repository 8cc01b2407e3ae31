//! Merges nodes that are shown alternately into one body with a changing material. Core glTF cannot
//! animate materials or visibility; it recommends a scale of 0 for hidden nodes (glTF 2.0, 3.5.3.2). So a
//! body that changes its colour is several nodes with the same mesh and pose, and one is visible at a
//! time.

use std::collections::BTreeMap;
use std::ops::Range;

use ::gltf::json::Root;
use ::gltf::json::mesh::Primitive;
use ::gltf::json::validation::Checked;

use super::placing::Placement;
use super::primitive::positions;

/// A node with a mesh.
pub(super) struct Shown<'a> {
    pub(super) above: Option<usize>,
    /// Representative of its mesh's geometry ([`of_one_geometry`]).
    pub(super) mesh: Option<usize>,
    /// Whether its own rotation and translation are animated.
    pub(super) moves: bool,
    /// World transforms by frame.
    pub(super) worlds: &'a [Placement],
}

/// For each mesh, the first mesh with the same vertices and faces; materials may differ.
pub(super) fn of_one_geometry(root: &Root) -> Vec<usize> {
    let mut firsts = BTreeMap::new();
    let geometry = |primitive: &Primitive| {
        let indices = primitive.indices.map(|accessor| accessor.value());
        let mode = match primitive.mode {
            Checked::Valid(mode) => Some(mode.as_gl_enum()),
            Checked::Invalid => None,
        };
        let targets = primitive.targets.iter().flatten().map(|target| target.positions);
        let targets: Vec<_> = targets.map(|accessor| accessor.map(|a| a.value())).collect();
        (positions(primitive).map(|accessor| accessor.value()), indices, mode, targets)
    };
    let meshes = root.meshes.iter().enumerate();
    meshes
        .map(|(number, mesh)| {
            let whole: Vec<_> = mesh.primitives.iter().map(geometry).collect();
            let weights: Vec<_> = mesh.weights.iter().flatten().map(|w| w.to_bits()).collect();
            *firsts.entry((whole, weights)).or_insert(number)
        })
        .collect()
}

/// Groups the nodes into bodies: one node, or consecutive siblings with the same mesh and constant pose
/// if exactly one is visible in each frame. O(n) in the frames of all nodes.
pub(super) fn bodies(shown: &[Shown<'_>]) -> Vec<Range<usize>> {
    let mut bodies = Vec::with_capacity(shown.len());
    let mut start = 0;
    while let Some(one) = shown.get(start) {
        let like = |other: &&Shown<'_>| {
            let place = |of: &Shown<'_>| of.worlds.first().map(|world| world.pose);
            (other.above, other.mesh, other.moves) == (one.above, one.mesh, false)
                && place(other) == place(one)
        };
        let alike = shown[start..].iter().take_while(like).count();
        let turns = alike > 1 && alternate(&shown[start..start + alike]);
        let end = start + if turns { alike } else { 1 };
        bodies.push(start..end);
        start = end;
    }
    bodies
}

fn alternate(shown: &[Shown<'_>]) -> bool {
    let frames = shown.first().map_or(0, |one| one.worlds.len());
    (0..frames).all(|frame| shown.iter().filter(|one| !one.worlds[frame].is_hidden()).count() == 1)
}

/// Merges a body's transforms: takes in each frame the transform of its visible node.
pub(super) fn join(first: &mut [Placement], others: impl IntoIterator<Item = Vec<Placement>>) {
    for other in others {
        for (world, other) in first.iter_mut().zip(other) {
            if world.is_hidden() {
                *world = other;
            }
        }
    }
}

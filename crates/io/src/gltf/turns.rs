//! Nodes that are shown in turns: one body that changes its looks.
//!
//! Core glTF cannot animate a material or what is visible; it recommends a scale of 0 for what is hidden
//! (glTF 2.0, 3.5.3.2). So a body that changes its colour is several nodes, of one mesh, at one
//! place, all but one of them hidden. Here they become one again.

use std::collections::BTreeMap;
use std::ops::Range;

use ::gltf::json::Root;
use ::gltf::json::mesh::Primitive;
use ::gltf::json::validation::Checked;

use super::placing::World;
use super::primitive::positions;

/// A node that shows something.
pub(super) struct Shown<'a> {
    /// The node above.
    pub(super) above: Option<usize>,
    /// Which mesh it shows, as [`of_one_geometry`] has it.
    pub(super) mesh: Option<usize>,
    /// Whether its own rotation and translation are animated.
    pub(super) moves: bool,
    /// Where it is, by frame.
    pub(super) worlds: &'a [World],
}

/// For each mesh the first one of the same vertices and faces; other materials do not count.
pub(super) fn of_one_geometry(root: &Root) -> Vec<usize> {
    let mut firsts = BTreeMap::new();
    let geometry = |primitive: &Primitive| {
        let indices = primitive.indices.map(|accessor| accessor.value());
        let mode = match primitive.mode {
            Checked::Valid(mode) => Some(mode.as_gl_enum()),
            Checked::Invalid => None,
        };
        (positions(primitive).map(|accessor| accessor.value()), indices, mode)
    };
    let meshes = root.meshes.iter().enumerate();
    meshes
        .map(|(number, mesh)| {
            let whole: Vec<_> = mesh.primitives.iter().map(geometry).collect();
            *firsts.entry(whole).or_insert(number)
        })
        .collect()
}

/// The nodes by bodies: one each, or several neighbours that take turns. These are below the same
/// node, show the same mesh, stand still there at one place, and exactly one of them is not hidden
/// in each frame. Takes linear time in the number of frames of all nodes.
pub(super) fn bodies(shown: &[Shown<'_>]) -> Vec<Range<usize>> {
    let mut bodies = Vec::with_capacity(shown.len());
    let mut start = 0;
    while let Some(one) = shown.get(start) {
        let like = |other: &&Shown<'_>| {
            let place = |of: &Shown<'_>| of.worlds.first().map(World::pose);
            (other.above, other.mesh, other.moves) == (one.above, one.mesh, false)
                && place(other) == place(one)
        };
        let alike = shown[start..].iter().take_while(like).count();
        let turns = alike > 1 && take_turns(&shown[start..start + alike]);
        let end = start + if turns { alike } else { 1 };
        bodies.push(start..end);
        start = end;
    }
    bodies
}

fn take_turns(shown: &[Shown<'_>]) -> bool {
    let frames = shown.first().map_or(0, |one| one.worlds.len());
    (0..frames).all(|frame| shown.iter().filter(|one| !one.worlds[frame].is_hidden()).count() == 1)
}

/// Where a body is, by frame: where that of its nodes is which is shown.
pub(super) fn join(first: &mut [World], others: impl IntoIterator<Item = Vec<World>>) {
    for other in others {
        for (world, other) in first.iter_mut().zip(other) {
            if world.is_hidden() {
                *world = other;
            }
        }
    }
}

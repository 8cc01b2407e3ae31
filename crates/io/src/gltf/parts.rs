//! Reads the meshes of a scene and their motion, as rigid bodies.

use ::gltf::json::Root;
use xcollide_brep::PolygonMesh;
use xcollide_math::Pose;

use super::alternating_nodes::{self, Shown};
use super::animation::Animation;
use super::buffers::Buffers;
use super::elements::Source;
use super::extensions;
use super::instances::is_instanced;
use super::place::place_node;
use super::placing::{Matrix, Placement};
use super::primitive::Triangles;
use super::scene::{Visited, visit};
use super::skin::NodeFrames;
use super::transform::Transform;
use crate::error::{Position, Problem, ReadError};
use crate::report::{ReadReport, RemarkKind};

/// The parts of a scene.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Parts {
    /// A part for each node with faces, depth first: parents before their children. Nodes that alternate
    /// by scales of 0 are one part with the name of their parent; so are all instances of a node. A
    /// skinned node is a part in the world that stands still, in its rest pose.
    pub parts: Vec<Part>,
    /// Number of frames; 1 without an animation.
    pub frames: usize,
    /// What was skipped.
    pub report: ReadReport,
}

/// A rigid body: a node with a mesh.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Part {
    /// Number of the node in the file.
    pub node: usize,
    /// Name of the node, or `node 3` if it has none; not unique.
    pub name: String,
    /// Name of the node above, or its number as `node 2`; `None` for a root of the scene.
    pub above: Option<String>,
    /// Index in [`Parts::parts`] of the nearest ancestor with a mesh.
    pub parent: Option<usize>,
    /// The mesh in the part's frame, with the node's scale applied.
    pub mesh: PolygonMesh,
    /// Poses of the part's frame relative to its parent's, or to the world if it has no parent: one for
    /// each frame, or a single one if the animation does not move it relative to its parent.
    pub poses: Vec<Pose>,
    /// Red, green and blue from 0 to 1, of the first primitive's material.
    pub color: Option<[f64; 3]>,
}

/// Options of [`parts`](super::parts).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct PartOptions {
    /// Number of the animation. A file without animations accepts 0.
    pub animation: usize,
    /// Frames per second.
    pub rate: f64,
}

impl Default for PartOptions {
    /// The first animation, at 30 frames a second.
    fn default() -> Self {
        Self { animation: 0, rate: 30.0 }
    }
}

impl PartOptions {
    /// The options with an animation and a frame rate.
    #[must_use]
    pub const fn new(animation: usize, rate: f64) -> Self {
        Self { animation, rate }
    }
}

pub(super) fn read(
    root: &Root,
    buffers: &Buffers<'_>,
    bytes: usize,
    options: &PartOptions,
) -> Result<Parts, ReadError> {
    let mut source = Source::new(root, buffers, bytes);
    extensions::report(root, &mut source.report);
    let animation = Animation::read(&mut source, options)?;
    let visited = visit(root)?;
    let locals = visited
        .iter()
        .map(|visited| {
            let at = Position::element("node", visited.node);
            Placement::of(&root.nodes[visited.node]).map_err(|problem| problem.at(at))
        })
        .collect::<Result<Vec<_>, _>>()?;
    let mut moving: Vec<bool> =
        visited.iter().map(|visited| animation.moves(visited.node)).collect();
    if let Some(at) =
        (0..visited.len()).find(|&at| moving[at] && root.nodes[visited[at].node].matrix.is_some())
    {
        let problem = Problem::unexpected("an animated node with a matrix", "one without");
        return Err(problem.at(Position::element("node", visited[at].node)));
    }
    let shown: Vec<usize> =
        (0..visited.len()).filter(|&at| shows_faces(root, visited[at].node)).collect();
    for Visited { node, .. } in &visited {
        if root.nodes[*node].mesh.is_some() && !shows_faces(root, *node) {
            let at = Position::element("node", *node);
            // No warning: a scene has bodies beside its drawings.
            source.report.add(RemarkKind::Attribute, "node", " of points or lines", 1, at);
        }
    }
    source
        .spend((visited.len() as u64).saturating_mul(animation.frames as u64))
        .map_err(|problem| problem.at(Position::File))?;
    let is_skinned = |at: usize| root.nodes[visited[at].node].skin.is_some();
    // World transforms of each shown node, by frame.
    let mut worlds: Vec<Vec<Placement>> = vec![Vec::new(); shown.len()];
    let mut now: Vec<Placement> = Vec::with_capacity(visited.len());
    for frame in 0..animation.frames {
        now.clear();
        for (visited, local) in visited.iter().zip(&locals) {
            let mut local = *local;
            animation.apply(visited.node, frame, &mut local);
            let outer = visited.above.map_or(Placement::IDENTITY, |above| now[above]);
            now.push(outer.then(&local));
        }
        for (worlds, &at) in worlds.iter_mut().zip(&shown) {
            // Joints place the vertices of a skinned node, not the node.
            worlds.push(if is_skinned(at) { Placement::IDENTITY } else { now[at] });
        }
    }
    let bodies = {
        let alike = alternating_nodes::of_one_geometry(root);
        let looks = shown.iter().zip(&worlds).map(|(&at, worlds)| {
            let Visited { node, above } = visited[at];
            let mesh = root.nodes[node].mesh.and_then(|mesh| alike.get(mesh.value())).copied();
            // With a skin, weights or instances of its own it has a shape of its own.
            let own = &root.nodes[node];
            let is_own = is_skinned(at) || own.weights.is_some() || is_instanced(own);
            let mesh = if is_own { Some(root.meshes.len() + node) } else { mesh };
            Shown { above, mesh, moves: animation.carries(node), worlds }
        });
        alternating_nodes::bodies(&looks.collect::<Vec<_>>())
    };
    let mut all = worlds.into_iter();
    let mut worlds: Vec<Vec<Placement>> = Vec::with_capacity(bodies.len());
    for body in &bodies {
        let mut first = all.next().unwrap_or_default();
        if body.len() > 1 {
            alternating_nodes::join(&mut first, all.by_ref().take(body.len() - 1));
            // Alternating visibility is not motion.
            moving[shown[body.start]] = false;
        }
        worlds.push(first);
    }
    let shown: Vec<usize> = bodies.iter().map(|body| shown[body.start]).collect();
    let mut frames = NodeFrames::new(root, &visited);
    let mut parts = Vec::with_capacity(shown.len());
    for (number, &at) in shown.iter().enumerate() {
        let node = visited[at].node;
        let wrong = |problem: Problem| problem.at(Position::element("node", node));
        let shape = rigid(&worlds[number]).map_err(wrong)?;
        let (parent, moves) = if is_skinned(at) {
            (None, false)
        } else {
            carrier(&visited, &shown, &moving, at, is_skinned)
        };
        let poses = worlds[number].iter().enumerate().map(|(frame, world)| {
            let outer = parent.map(|parent: usize| worlds[parent][frame].pose);
            outer.map_or(world.pose, |outer| {
                let way = Pose::relative(&outer, &world.pose).translation();
                (outer.inverse() * world.pose).with_translation(way)
            })
        });
        let poses: Vec<Pose> = if moves { poses.collect() } else { poses.take(1).collect() };
        let translations = poses.iter().flat_map(Pose::translation);
        if let Some(value) = translations.into_iter().find(|value| !value.is_finite()) {
            let found = format!("a translation by {value}");
            return Err(wrong(Problem::unexpected(found, "a finite number")));
        }
        let mut mesh = PolygonMesh::new();
        place_node(&mut source, &mut frames, node, &Transform::linear(shape), &mut mesh)?;
        // Alternating nodes have names of their own, so the part is named after their parent.
        let over = |at: usize| visited[at].above;
        let named_at = over(at).filter(|_| bodies[number].len() > 1);
        let own = |node: usize| root.nodes[node].name.clone();
        let name = named_at.and_then(|at| own(visited[at].node)).or_else(|| own(node));
        let name = name.unwrap_or_else(|| format!("node {node}"));
        let above = over(named_at.unwrap_or(at)).map(|above| visited[above].node);
        let above = above.map(|node| own(node).unwrap_or_else(|| format!("node {node}")));
        parts.push(Part { node, name, above, parent, mesh, poses, color: color(root, node) });
    }
    Ok(Parts { parts, frames: animation.frames, report: source.report })
}

/// Whether a node has a mesh with triangles. A missing mesh counts, so that it is reported later.
fn shows_faces(root: &Root, node: usize) -> bool {
    let Some(mesh) = root.nodes[node].mesh else { return false };
    let Some(mesh) = root.meshes.get(mesh.value()) else { return true };
    mesh.primitives.iter().any(|primitive| !matches!(Triangles::of(primitive), Ok(None)))
}

/// The nearest rigid part above a visited node, and whether a node between them is animated.
fn carrier(
    visited: &[Visited],
    shown: &[usize],
    moving: &[bool],
    at: usize,
    is_skinned: impl Fn(usize) -> bool,
) -> (Option<usize>, bool) {
    let (mut here, mut moves) = (at, moving[at]);
    while let Some(above) = visited[here].above {
        // Parts and visited nodes have the same order.
        if let Ok(part) = shown.binary_search(&above)
            && !is_skinned(above)
        {
            return (Some(part), moves);
        }
        moves |= moving[above];
        here = above;
    }
    (None, moves)
}

/// The scale and shear of a node's transform, without its rotation and translation. They must be the same
/// in all frames.
fn rigid(worlds: &[Placement]) -> Result<Matrix, Problem> {
    const TOLERANCE: f64 = 1e-5;
    let first = worlds.first().map_or(Placement::IDENTITY, |world| *world).shape;
    let size = first.iter().flatten().fold(0.0_f64, |most, value| most.max(value.abs()));
    for (frame, Placement { shape, .. }) in worlds.iter().enumerate() {
        let gaps = shape.iter().flatten().zip(first.iter().flatten()).map(|(a, b)| (a - b).abs());
        // The comparison fails for NaN.
        if !gaps.fold(0.0, f64::max).le(&(TOLERANCE * size)) || !size.is_finite() {
            let found = format!("a scale or shear that changes until frame {frame}");
            let expected = "a rigid motion: a constant scale, and none by axis above what turns";
            return Err(Problem::unsupported(found, expected));
        }
    }
    Ok(first)
}

fn color(root: &Root, node: usize) -> Option<[f64; 3]> {
    let mesh = root.meshes.get(root.nodes[node].mesh?.value())?;
    let material = root.materials.get(mesh.primitives.first()?.material?.value())?;
    let [red, green, blue, _] = material.pbr_metallic_roughness.base_color_factor.0;
    let color = [red, green, blue].map(f64::from);
    color.iter().all(|part| (0.0..=1.0).contains(part)).then_some(color)
}

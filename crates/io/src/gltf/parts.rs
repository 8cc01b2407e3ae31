//! Reads the meshes of a scene and their motion, as rigid bodies.

use std::collections::BTreeSet;

use ::gltf::json::Root;
use ::gltf::json::scene::Node;
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
    /// The nodes with faces that cannot be read, in the order of the parts; without
    /// [`skip_broken`](PartOptions::skip_broken) they are errors.
    #[cfg_attr(feature = "serde", serde(default))]
    pub broken: Vec<BrokenPart>,
    /// What was skipped.
    pub report: ReadReport,
}

/// A node with faces that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct BrokenPart {
    /// Number of the node in the file.
    pub node: usize,
    /// As [`Part::name`].
    pub name: String,
    /// As [`Part::above`].
    pub above: Option<String>,
    /// What is wrong, with its place, which may be a node above, a mesh or an accessor.
    pub message: String,
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
    /// Whether a node that cannot be read, or is below one without a place, is among [`Parts::broken`], and the others are
    /// read. What concerns the whole file, such as its JSON, its buffers, the tree of its nodes and its animation, is an error
    /// all the same.
    #[cfg_attr(feature = "serde", serde(default))]
    pub skip_broken: bool,
}

impl Default for PartOptions {
    /// The first animation, at 30 frames a second.
    fn default() -> Self {
        Self::new(0, 30.0)
    }
}

impl PartOptions {
    /// The options with an animation and a frame rate.
    #[must_use]
    pub const fn new(animation: usize, rate: f64) -> Self {
        Self { animation, rate, skip_broken: false }
    }

    /// The options with [`skip_broken`](Self::skip_broken).
    #[must_use]
    pub const fn skip_broken(mut self, skip_broken: bool) -> Self {
        self.skip_broken = skip_broken;
        self
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
    let mut moving: Vec<bool> =
        visited.iter().map(|visited| animation.moves(visited.node)).collect();
    let mut locals = Vec::with_capacity(visited.len());
    // Why a node has no place: its own transform, or that of a node above.
    let mut lost: Vec<Option<String>> = Vec::with_capacity(visited.len());
    for (Visited { node, above }, &moves) in visited.iter().zip(&moving) {
        let above = above.and_then(|above| lost[above].clone());
        let placed = local(&root.nodes[*node], moves);
        match placed.map_err(|problem| problem.at(Position::element("node", *node))) {
            Err(error) if !options.skip_broken => return Err(error),
            Err(error) => lost.push(above.or_else(|| Some(error.to_string()))),
            Ok(local) => {
                locals.push(local);
                lost.push(above);
                continue;
            }
        }
        locals.push(Placement::IDENTITY);
    }
    let faces = (0..visited.len()).filter(|&at| shows_faces(root, visited[at].node));
    let (shown, unplaced): (Vec<usize>, Vec<usize>) = faces.partition(|&at| lost[at].is_none());
    let mut broken: Vec<(usize, String)> =
        unplaced.into_iter().filter_map(|at| Some((at, lost[at].take()?))).collect();
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
    // Alternating nodes have names of their own, so their part is named after their parent.
    let own = |node: usize| root.nodes[node].name.clone();
    let over = |at: usize| visited[at].above;
    let turning: BTreeSet<usize> =
        bodies.iter().zip(&shown).filter(|(body, _)| body.len() > 1).map(|(_, &at)| at).collect();
    let names = |at: usize| {
        let named_at = over(at).filter(|_| turning.contains(&at));
        let name = named_at.and_then(|at| own(visited[at].node)).or_else(|| own(visited[at].node));
        let name = name.unwrap_or_else(|| format!("node {}", visited[at].node));
        let above = over(named_at.unwrap_or(at)).map(|above| visited[above].node);
        (name, above.map(|node| own(node).unwrap_or_else(|| format!("node {node}"))))
    };
    let mut frames = NodeFrames::new(root, &visited);
    let mut parts: Vec<Part> = Vec::with_capacity(shown.len());
    // For each visited node, the index of its part and that of its transforms, if nodes below are placed relative to it.
    let mut carriers: Vec<Option<(usize, usize)>> = vec![None; visited.len()];
    for (number, &at) in shown.iter().enumerate() {
        let node = visited[at].node;
        let wrong = |problem: Problem| problem.at(Position::element("node", node));
        let (parent, moves) =
            if is_skinned(at) { (None, false) } else { carrier(&visited, &carriers, &moving, at) };
        let outer = parent.map(|(_, outer): (usize, usize)| &worlds[outer][..]);
        let read = rigid(&worlds[number])
            .and_then(|shape| Ok((shape, relative_poses(&worlds[number], outer, moves)?)));
        let read = read.map_err(wrong).and_then(|(shape, poses)| {
            let mut mesh = PolygonMesh::new();
            place_node(&mut source, &mut frames, node, &Transform::linear(shape), &mut mesh)?;
            Ok((mesh, poses))
        });
        match read {
            Ok((mesh, poses)) => {
                carriers[at] = (!is_skinned(at)).then_some((parts.len(), number));
                let ((name, above), color) = (names(at), color(root, node));
                let parent = parent.map(|(part, _)| part);
                parts.push(Part { node, name, above, parent, mesh, poses, color });
            }
            Err(error) if options.skip_broken => broken.push((at, error.to_string())),
            Err(error) => return Err(error),
        }
    }
    broken.sort_by_key(|(at, _)| *at);
    let broken = broken.into_iter().map(|(at, message)| {
        let (name, above) = names(at);
        BrokenPart { node: visited[at].node, name, above, message }
    });
    let broken = broken.collect();
    Ok(Parts { parts, frames: animation.frames, broken, report: source.report })
}

/// The transform of a node to its parent. `moves`: whether an animation moves it.
fn local(node: &Node, moves: bool) -> Result<Placement, Problem> {
    if moves && node.matrix.is_some() {
        return Err(Problem::unexpected("an animated node with a matrix", "one without"));
    }
    Placement::of(node)
}

/// The poses of a part relative to those of another one, or to the world; only the first if they do not change.
fn relative_poses(
    worlds: &[Placement],
    outer: Option<&[Placement]>,
    moves: bool,
) -> Result<Vec<Pose>, Problem> {
    let poses = worlds.iter().enumerate().map(|(frame, world)| match outer {
        None => world.pose,
        Some(outer) => {
            let outer = outer[frame].pose;
            let way = Pose::relative(&outer, &world.pose).translation();
            (outer.inverse() * world.pose).with_translation(way)
        }
    });
    let poses: Vec<Pose> = poses.take(if moves { worlds.len() } else { 1 }).collect();
    match poses.iter().flat_map(Pose::translation).find(|value| !value.is_finite()) {
        Some(value) => {
            Err(Problem::unexpected(format!("a translation by {value}"), "a finite number"))
        }
        None => Ok(poses),
    }
}

/// Whether a node has a mesh with triangles. A missing mesh counts, so that it is reported later.
fn shows_faces(root: &Root, node: usize) -> bool {
    let Some(mesh) = root.nodes[node].mesh else { return false };
    let Some(mesh) = root.meshes.get(mesh.value()) else { return true };
    mesh.primitives.iter().any(|primitive| !matches!(Triangles::of(primitive), Ok(None)))
}

/// The nearest of the `carriers` above a visited node, and whether a node between them is animated.
fn carrier<T: Copy>(
    visited: &[Visited],
    carriers: &[Option<T>],
    moving: &[bool],
    at: usize,
) -> (Option<T>, bool) {
    let (mut here, mut moves) = (at, moving[at]);
    while let Some(above) = visited[here].above {
        if carriers[above].is_some() {
            return (carriers[above], moves);
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

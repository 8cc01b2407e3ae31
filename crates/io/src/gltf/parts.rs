//! The meshes of a scene one by one, and how they move: what a scene of rigid bodies needs.

use ::gltf::json::Root;
use ::gltf::json::scene::Node;
use xcollide_brep::PolygonMesh;

use super::animation::{Animation, Path};
use super::buffers::Buffers;
use super::elements::{Source, missing};
use super::placing::{Local, World, invert, multiply, rotate};
use super::primitive::Triangles;
use super::scene::{place, roots};
use super::transform::Transform;
use super::turns::{self, Shown};
use crate::error::{Position, Problem, ReadError};

/// The parts of a scene.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Parts {
    /// A part for each node that shows faces, depth first: parents before their children. Nodes that
    /// are shown in turns, by scales of 0, are one part, called as the node above.
    pub parts: Vec<Part>,
    /// How many frames its animation has; 1 without one.
    pub frames: usize,
}

/// A node with a mesh: a rigid body.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Part {
    /// The number of the node in the file.
    pub node: usize,
    /// The node's name, or `node 3` where it has none. Several may be called alike.
    pub name: String,
    /// The next node above that has a mesh, as its place among the parts.
    pub parent: Option<usize>,
    /// Its mesh in a frame that moves with the node; scale is applied to it.
    pub mesh: PolygonMesh,
    /// Where that frame is relative to the parent's, or in the world without one: a pose a frame,
    /// or one if the animation does not move it against its parent.
    pub poses: Vec<Pose>,
    /// Red, green and blue, from 0 to 1, of the first primitive's material.
    pub color: Option<[f64; 3]>,
}

/// A rigid motion: turned, then moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// The unit quaternion (x, y, z, w) of the rotation.
    pub rotation: [f64; 4],
    /// How far the origin is moved.
    pub translation: [f64; 3],
}

/// What is wanted of a file's animations.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PartOptions {
    /// The number of the animation. A file without any may be asked for the first.
    pub animation: usize,
    /// Frames a second.
    pub rate: f64,
}

impl Default for PartOptions {
    /// The first animation, 30 frames a second.
    fn default() -> Self {
        Self { animation: 0, rate: 30.0 }
    }
}

impl PartOptions {
    /// This animation at so many frames a second.
    #[must_use]
    pub const fn new(animation: usize, rate: f64) -> Self {
        Self { animation, rate }
    }
}

/// A node that is reached from the scene.
struct Visited {
    node: usize,
    /// The node above, as its place among the visited.
    above: Option<usize>,
}

pub(super) fn read(
    root: &Root,
    buffers: &Buffers<'_>,
    bytes: usize,
    options: &PartOptions,
) -> Result<Parts, ReadError> {
    let mut source = Source::new(root, buffers, bytes);
    let animation = Animation::read(&mut source, options)?;
    let visited = visit(root)?;
    let locals = visited
        .iter()
        .map(|visited| {
            let at = Position::element("node", visited.node);
            Local::of(&root.nodes[visited.node]).map_err(|problem| problem.at(at))
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
    source
        .spend((visited.len() as u64).saturating_mul(animation.frames as u64))
        .map_err(|problem| problem.at(Position::File))?;
    // Where each shown node is, by frame.
    let mut worlds: Vec<Vec<World>> = vec![Vec::new(); shown.len()];
    let mut now: Vec<World> = Vec::with_capacity(visited.len());
    for frame in 0..animation.frames {
        now.clear();
        for (visited, local) in visited.iter().zip(&locals) {
            let mut local = *local;
            animation.apply(visited.node, frame, &mut local);
            now.push(match visited.above {
                Some(above) => now[above].then(&local),
                None => World::of(&local),
            });
        }
        for (worlds, &at) in worlds.iter_mut().zip(&shown) {
            worlds.push(now[at]);
        }
    }
    let bodies = {
        let alike = turns::of_one_geometry(root);
        let looks = shown.iter().zip(&worlds).map(|(&at, worlds)| {
            let Visited { node, above } = visited[at];
            let mesh = root.nodes[node].mesh.and_then(|mesh| alike.get(mesh.value())).copied();
            Shown { above, mesh, moves: animation.carries(node), worlds }
        });
        turns::bodies(&looks.collect::<Vec<_>>())
    };
    let mut all = worlds.into_iter();
    let mut worlds: Vec<Vec<World>> = Vec::with_capacity(bodies.len());
    for body in &bodies {
        let mut first = all.next().unwrap_or_default();
        if body.len() > 1 {
            turns::join(&mut first, all.by_ref().take(body.len() - 1));
            // A change of looks is no motion.
            moving[shown[body.start]] = false;
        }
        worlds.push(first);
    }
    let shown: Vec<usize> = bodies.iter().map(|body| shown[body.start]).collect();
    let mut parts = Vec::with_capacity(shown.len());
    for (number, &at) in shown.iter().enumerate() {
        let node = visited[at].node;
        let wrong = |problem: Problem| problem.at(Position::element("node", node));
        let linear = rigid(&worlds[number]).map_err(wrong)?;
        let (parent, moves) = carrier(&visited, &shown, &moving, at);
        let poses = worlds[number].iter().enumerate().map(|(frame, world)| {
            let outer = parent.map(|parent: usize| worlds[parent][frame].pose());
            relative(outer, world.pose())
        });
        let poses = if moves { poses.collect() } else { poses.take(1).collect() };
        let mesh = mesh(&mut source, root, node, linear)?;
        // What changes its looks is called as the node above, the looks have names of their own.
        let above =
            visited[at].above.filter(|_| bodies[number].len() > 1).map(|above| visited[above].node);
        let own = |node: usize| root.nodes[node].name.clone();
        let name = above.and_then(own).or_else(|| own(node));
        let name = name.unwrap_or_else(|| format!("node {node}"));
        parts.push(Part { node, name, parent, mesh, poses, color: color(root, node) });
    }
    Ok(Parts { parts, frames: animation.frames })
}

/// Whether a node has a mesh, and not of points and lines only: these have no faces that collide. A
/// mesh that is not there counts, so that it is missed later.
fn shows_faces(root: &Root, node: usize) -> bool {
    let Some(mesh) = root.nodes[node].mesh else { return false };
    let Some(mesh) = root.meshes.get(mesh.value()) else { return true };
    mesh.primitives.iter().any(|primitive| !matches!(Triangles::of(primitive), Ok(None)))
}

/// The nodes that are reached, parents first, in depth-first order.
fn visit(root: &Root) -> Result<Vec<Visited>, ReadError> {
    let mut seen = vec![false; root.nodes.len()];
    let mut visited = Vec::new();
    let mut open: Vec<(usize, Option<usize>)> =
        roots(root)?.into_iter().rev().map(|node| (node, None)).collect();
    while let Some((index, above)) = open.pop() {
        let Some(node) = root.nodes.get(index) else {
            return Err(missing("node", index, root.nodes.len()).at(Position::File));
        };
        if std::mem::replace(&mut seen[index], true) {
            let problem = Problem::unexpected("a node that is reached twice", "a tree of nodes");
            return Err(problem.at(Position::element("node", index)));
        }
        visited.push(Visited { node: index, above });
        let here = Some(visited.len() - 1);
        open.extend(children(node).rev().map(|child| (child, here)));
    }
    Ok(visited)
}

fn children(node: &Node) -> impl DoubleEndedIterator<Item = usize> {
    node.children.iter().flatten().map(::gltf::json::Index::value)
}

/// The next part above a visited node, and whether a node from there down to it is animated.
fn carrier(
    visited: &[Visited],
    shown: &[usize],
    moving: &[bool],
    at: usize,
) -> (Option<usize>, bool) {
    let (mut here, mut moves) = (at, moving[at]);
    while let Some(above) = visited[here].above {
        // Parts are in the order of the visit.
        if let Ok(part) = shown.binary_search(&above) {
            return (Some(part), moves);
        }
        moves |= moving[above];
        here = above;
    }
    (None, moves)
}

/// What is left of a node's map when its rotation and translation are taken away: its scale, which
/// must be the same in all frames.
fn rigid(worlds: &[World]) -> Result<[[f64; 3]; 3], Problem> {
    const TOLERANCE: f64 = 1e-5;
    let first = worlds.first().map_or(World::IDENTITY, |world| *world).shape();
    let size = first.iter().flatten().fold(0.0_f64, |most, value| most.max(value.abs()));
    for (frame, world) in worlds.iter().enumerate() {
        let shape = world.shape();
        let gaps = shape.iter().flatten().zip(first.iter().flatten()).map(|(a, b)| (a - b).abs());
        // Not a number is no small gap either.
        if !gaps.fold(0.0, f64::max).le(&(TOLERANCE * size)) || !size.is_finite() {
            let found = format!("a scale or shear that changes until frame {frame}");
            let expected = "a rigid motion: a constant scale, and none by axis above what turns";
            return Err(Problem::unsupported(found, expected));
        }
    }
    Ok(first)
}

/// The second pose as it is seen from the first.
fn relative(outer: Option<Pose>, inner: Pose) -> Pose {
    let Some(outer) = outer else { return inner };
    let back = invert(outer.rotation);
    let gap = [0, 1, 2].map(|k| inner.translation[k] - outer.translation[k]);
    Pose { rotation: multiply(back, inner.rotation), translation: rotate(back, gap) }
}

fn mesh(
    source: &mut Source<'_>,
    root: &Root,
    node: usize,
    linear: [[f64; 3]; 3],
) -> Result<PolygonMesh, ReadError> {
    let mut mesh = PolygonMesh::new();
    if let Some(index) = root.nodes[node].mesh {
        if index.value() >= root.meshes.len() {
            let problem = missing("mesh", index.value(), root.meshes.len());
            return Err(problem.at(Position::element("node", node)));
        }
        place(source, index.value(), &Transform::linear(linear), &mut mesh)?;
    }
    Ok(mesh)
}

fn color(root: &Root, node: usize) -> Option<[f64; 3]> {
    let mesh = root.meshes.get(root.nodes[node].mesh?.value())?;
    let material = root.materials.get(mesh.primitives.first()?.material?.value())?;
    let [red, green, blue, _] = material.pbr_metallic_roughness.base_color_factor.0;
    let color = [red, green, blue].map(f64::from);
    color.iter().all(|part| (0.0..=1.0).contains(part)).then_some(color)
}

impl Animation {
    /// Puts a node where it is in a frame.
    fn apply(&self, node: usize, frame: usize, local: &mut Local) {
        for channel in self.of_node(node) {
            let value = channel.at(self.time(frame));
            match channel.path {
                Path::Translation => local.translation = [value[0], value[1], value[2]],
                Path::Rotation => local.rotation = value,
                Path::Scale => local.set_scale([value[0], value[1], value[2]]),
            }
        }
    }
}

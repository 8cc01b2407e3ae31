//! Reads a scene as one mesh: adds the transformed meshes of its nodes.

use ::gltf::json::scene::Node;
use ::gltf::json::{Index, Root};
use xcollide_brep::PolygonMesh;

use super::buffers::Buffers;
use super::elements::{Source, get};
use super::extensions;
use super::place::{Shown, place, place_node};
use super::skin::NodeFrames;
use super::transform::Transform;
use crate::error::{Position, Problem, ReadError};
use crate::report::ReadReport;

/// Reads the scene. `bytes`: the size of the file with its buffers.
pub(super) fn read(
    root: &Root,
    buffers: &Buffers<'_>,
    bytes: usize,
) -> Result<(PolygonMesh, ReadReport), ReadError> {
    let mut source = Source::new(root, buffers, bytes);
    extensions::report(root, &mut source.report);
    let mut mesh = PolygonMesh::new();
    if root.nodes.is_empty() {
        for index in 0..root.meshes.len() {
            place(&mut source, index, &Shown::at(Transform::IDENTITY), &mut mesh)?;
        }
        return Ok((mesh, source.report));
    }
    let visited = visit(root)?;
    let mut frames = NodeFrames::new(root, &visited);
    for Visited { node, .. } in visited {
        let frame =
            frames.of(root, node).map_err(|problem| problem.at(Position::element("node", node)))?;
        place_node(&mut source, &mut frames, node, &frame, &mut mesh)?;
    }
    Ok((mesh, source.report))
}

/// A node reachable from the scene.
pub(super) struct Visited {
    pub(super) node: usize,
    /// Index of its parent among the visited nodes.
    pub(super) above: Option<usize>,
}

/// The reachable nodes in depth-first order, parents first. Nodes must form trees, so that the traversal
/// ends and visits each node once.
pub(super) fn visit(root: &Root) -> Result<Vec<Visited>, ReadError> {
    let mut seen = vec![false; root.nodes.len()];
    let mut visited = Vec::new();
    let mut open: Vec<(usize, Option<usize>)> =
        roots(root)?.into_iter().rev().map(|node| (node, None)).collect();
    while let Some((index, above)) = open.pop() {
        let node = get("node", &root.nodes, index).map_err(|problem| problem.at(Position::File))?;
        if std::mem::replace(&mut seen[index], true) {
            let problem = Problem::unexpected("a node that is reached twice", "a tree of nodes");
            return Err(problem.at(Position::element("node", index)));
        }
        let here = Some(visited.len());
        visited.push(Visited { node: index, above });
        let children = node.children.iter().flatten().rev();
        open.extend(children.map(|child| (child.value(), here)));
    }
    Ok(visited)
}

/// The roots of the default scene, or of the first scene, or else all nodes without a parent.
fn roots(root: &Root) -> Result<Vec<usize>, ReadError> {
    let values = |nodes: &[Index<Node>]| nodes.iter().map(Index::value).collect();
    if root.scene.is_some() || !root.scenes.is_empty() {
        let index = root.scene.map_or(0, |scene| scene.value());
        let scene = get("scene", &root.scenes, index);
        return scene.map(|scene| values(&scene.nodes)).map_err(|p| p.at(Position::File));
    }
    let mut is_child = vec![false; root.nodes.len()];
    for child in root.nodes.iter().flat_map(|node| node.children.iter().flatten()) {
        if let Some(flag) = is_child.get_mut(child.value()) {
            *flag = true;
        }
    }
    Ok((0..root.nodes.len()).filter(|&node| !is_child[node]).collect())
}

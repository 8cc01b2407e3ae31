//! Reads a scene as one mesh: adds the transformed meshes of its nodes.

use std::collections::BTreeMap;

use ::gltf::json::accessor::Type;
use ::gltf::json::scene::Node;
use ::gltf::json::{Index, Root};
use xcollide_brep::PolygonMesh;

use super::buffers::Buffers;
use super::elements::{Source, get};
use super::primitive::{self, Triangles};
use super::transform::Transform;
use crate::error::{Position, Problem, ReadError};

/// Reads the scene. `bytes`: the size of the file with its buffers.
pub(super) fn read(
    root: &Root,
    buffers: &Buffers<'_>,
    bytes: usize,
) -> Result<PolygonMesh, ReadError> {
    let mut source = Source::new(root, buffers, bytes);
    let mut mesh = PolygonMesh::new();
    if root.nodes.is_empty() {
        for index in 0..root.meshes.len() {
            place(&mut source, index, &Transform::IDENTITY, &mut mesh)?;
        }
        return Ok(mesh);
    }
    let mut transforms: Vec<Transform> = Vec::new();
    for Visited { node: index, above } in visit(root)? {
        let local = Transform::of(&root.nodes[index])
            .map_err(|problem| problem.at(Position::element("node", index)))?;
        let outer = above.map_or(Transform::IDENTITY, |above| transforms[above]);
        let transform = outer.after(&local);
        transforms.push(transform);
        place_node(&mut source, index, &transform, &mut mesh)?;
    }
    Ok(mesh)
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

pub(super) fn place_node(
    source: &mut Source<'_>,
    node: usize,
    transform: &Transform,
    mesh: &mut PolygonMesh,
) -> Result<(), ReadError> {
    let root = source.root;
    let Some(index) = root.nodes[node].mesh else { return Ok(()) };
    get("mesh", &root.meshes, index.value())
        .map_err(|problem| problem.at(Position::element("node", node)))?;
    place(source, index.value(), transform, mesh)
}

fn place(
    source: &mut Source<'_>,
    index: usize,
    transform: &Transform,
    mesh: &mut PolygonMesh,
) -> Result<(), ReadError> {
    // The first vertex and the number of vertices of each accessor of positions.
    let mut placed = BTreeMap::<usize, (u32, u32)>::new();
    for (number, primitive) in source.root.meshes[index].primitives.iter().enumerate() {
        let name = || format!("mesh {index}, primitive");
        let at = || Position::element(name(), number);
        // Empty primitives count too: many nodes may share a mesh with many of them.
        source.spend(1).map_err(|problem| problem.at(at()))?;
        let Some(mode) = Triangles::of(primitive).map_err(|problem| problem.at(at()))? else {
            continue;
        };
        let Some(accessor) = primitive::positions(primitive) else { continue };
        let (first, count) = match placed.get(&accessor.value()) {
            Some(&range) => range,
            None => {
                let positions = source.vectors::<3>(accessor, Type::Vec3, "positions")?;
                let first = mesh.vertex_count() as u32;
                for (vertex, position) in positions.iter().enumerate() {
                    let position = transform.apply(*position);
                    if let Some(value) = position.iter().find(|value| !value.is_finite()) {
                        let name = format!("mesh {index}, primitive {number}, vertex");
                        let at = Position::element(name, vertex);
                        return Err(Problem::not_finite(value).at(at));
                    }
                    mesh.push_vertex(position).map_err(|error| Problem::from(error).at(at()))?;
                }
                // A mesh has fewer than 2³² vertices.
                let range = (first, positions.len() as u32);
                placed.insert(accessor.value(), range);
                range
            }
        };
        let numbers = match primitive.indices {
            Some(indices) => source.indices(indices)?,
            None => (0..count).collect(),
        };
        if let Some(&found) = numbers.iter().find(|&&number| number >= count) {
            let valid = 0..=i64::from(count) - 1;
            return Err(Problem::vertex_number(found.into(), &valid).at(at()));
        }
        let mut add = |[a, b, c]: [u32; 3]| {
            let triangle = if transform.mirrors { [b, a, c] } else { [a, b, c] };
            mesh.push_face(&triangle.map(|number| first + number)).map(drop)
        };
        // A strip or fan makes three corners for each of its vertices.
        source.spend(3 * numbers.len() as u64).map_err(|problem| problem.at(at()))?;
        mode.each(&numbers, |triangle| add(triangle).map_err(Problem::from))
            .map_err(|problem| problem.at(at()))?;
    }
    Ok(())
}

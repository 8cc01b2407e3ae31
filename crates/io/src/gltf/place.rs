//! Adds the mesh of a node to a mesh: its primitives' triangles, morphed, skinned and transformed.

use std::collections::BTreeMap;

use ::gltf::json::Index;
use ::gltf::json::accessor::{Accessor, Type};
use ::gltf::json::mesh::{Mode, Primitive, Semantic};
use ::gltf::json::validation::Checked;
use xcollide_brep::PolygonMesh;

use super::draco::Decoded;
use super::elements::{Source, get};
use super::instances::{instances, is_instanced};
use super::primitive::{self, Triangles};
use super::skin::{Influences, NodeFrames, Skin, influence_accessors};
use super::transform::Transform;
use crate::error::{Position, Problem, ReadError};
use crate::report::RemarkKind;

/// How a mesh is shown.
pub(super) struct Shown<'s> {
    transform: Transform,
    /// The skin, which moves vertices with joints instead of the transform.
    skin: Option<&'s Skin>,
    /// The weights of morph targets that replace those of the mesh.
    weights: Option<&'s [f32]>,
}

impl Shown<'_> {
    pub(super) fn at(transform: Transform) -> Self {
        Self { transform, skin: None, weights: None }
    }
}

/// Adds the triangles of a node's mesh, if it has one: mapped by `transform`, once for each of its
/// instances, or moved to the scene by its skin.
pub(super) fn place_node(
    source: &mut Source<'_>,
    frames: &mut NodeFrames,
    node: usize,
    transform: &Transform,
    mesh: &mut PolygonMesh,
) -> Result<(), ReadError> {
    let root = source.root;
    let shown = &root.nodes[node];
    let Some(index) = shown.mesh else { return Ok(()) };
    let at = || Position::element("node", node);
    get("mesh", &root.meshes, index.value()).map_err(|problem| problem.at(at()))?;
    let weights = shown.weights.as_deref();
    if let Some(skin) = shown.skin {
        let skin = Skin::read(source, skin.value(), frames)?;
        source.report.add(RemarkKind::Pose, "skinned node", "", 1, at());
        if is_instanced(shown) {
            source.report.add(RemarkKind::Unknown, "instancing", " of a skinned node", 1, at());
        }
        // Primitives without joints stand in the node's own frame.
        let transform = frames.of(root, node).map_err(|problem| problem.at(at()))?;
        let shown = Shown { transform, skin: Some(&skin), weights };
        return place(source, index.value(), &shown, mesh);
    }
    for instance in instances(source, node)? {
        let shown = Shown { transform: transform.after(&instance), skin: None, weights };
        place(source, index.value(), &shown, mesh)?;
    }
    Ok(())
}

/// Adds the triangles of a mesh.
pub(super) fn place(
    source: &mut Source<'_>,
    index: usize,
    shown: &Shown<'_>,
    mesh: &mut PolygonMesh,
) -> Result<(), ReadError> {
    // The first vertex and the number of vertices of primitives with the same accessors.
    let mut placed = BTreeMap::<Vec<usize>, (u32, u32)>::new();
    for (number, primitive) in source.root.meshes[index].primitives.iter().enumerate() {
        let name = || format!("mesh {index}, primitive");
        let at = || Position::element(name(), number);
        let wrong = |problem: Problem| problem.at(at());
        // Counts empty primitives too: many nodes may share a mesh with many of them.
        source.spend(1).map_err(wrong)?;
        let Some(mode) = Triangles::of(primitive).map_err(wrong)? else {
            let lines = primitive.mode != Checked::Valid(Mode::Points);
            let what = if lines { " of lines" } else { " of points" };
            source.report.add(RemarkKind::Geometry, "primitive", what, 1, at());
            continue;
        };
        let Some(accessor) = primitive::positions(primitive) else {
            source.report.add(RemarkKind::Unknown, "primitive", " without positions", 1, at());
            continue;
        };
        report_attributes(source, primitive, &at());
        let decoded = Decoded::of(source, primitive).map_err(wrong)?;
        let key = accessors(primitive);
        let known = if decoded.is_none() { placed.get(&key).copied() } else { None };
        let (first, count) = match known {
            Some(range) => range,
            None => {
                let mut positions = match &decoded {
                    Some(decoded) => {
                        let normalized = is_normalized(source, accessor);
                        decoded.vectors::<3>("POSITION", normalized).map_err(wrong)?
                    }
                    None => source.vectors::<3>(accessor, Type::Vec3, "positions")?,
                };
                let weights = shown.weights.or(source.root.meshes[index].weights.as_deref());
                morph(source, primitive, weights.unwrap_or_default(), &mut positions, &at)?;
                transform(source, primitive, decoded.as_ref(), shown, &mut positions, &at)?;
                let first = mesh.vertex_count() as u32;
                for (vertex, position) in positions.iter().enumerate() {
                    if let Some(value) = position.iter().find(|value| !value.is_finite()) {
                        let name = format!("mesh {index}, primitive {number}, vertex");
                        let at = Position::element(name, vertex);
                        return Err(Problem::not_finite(value).at(at));
                    }
                    mesh.push_vertex(*position).map_err(|error| wrong(error.into()))?;
                }
                // A mesh has fewer than 2³² vertices.
                let range = (first, positions.len() as u32);
                placed.insert(key, range);
                range
            }
        };
        let (numbers, mode) = match (decoded, primitive.indices) {
            (Some(decoded), _) => (decoded.corners(), Triangles::List),
            (None, Some(indices)) => (source.indices(indices)?, mode),
            (None, None) => ((0..count).collect(), mode),
        };
        if let Some(&found) = numbers.iter().find(|&&number| number >= count) {
            let valid = 0..=i64::from(count) - 1;
            return Err(wrong(Problem::vertex_number(found.into(), &valid)));
        }
        let mirrors = match shown.skin {
            Some(skin) if is_skinned(primitive) => skin.mirrors,
            _ => shown.transform.mirrors,
        };
        let mut add = |[a, b, c]: [u32; 3]| {
            let triangle = if mirrors { [b, a, c] } else { [a, b, c] };
            mesh.push_face(&triangle.map(|number| first + number)).map(drop)
        };
        // A strip or fan makes three corners for each of its vertices.
        source.spend(3 * numbers.len() as u64).map_err(wrong)?;
        mode.each(&numbers, |triangle| add(triangle).map_err(Problem::from)).map_err(wrong)?;
    }
    Ok(())
}

/// The accessors on which the positions of a primitive depend.
fn accessors(primitive: &Primitive) -> Vec<usize> {
    let targets = primitive.targets.iter().flatten().map(|target| target.positions);
    let skin = influence_accessors(primitive);
    let all = primitive::positions(primitive).into_iter().map(Some).chain(targets);
    let all = all.chain(skin.flatten().map(Some));
    all.map(|accessor| accessor.map_or(usize::MAX, |accessor| accessor.value())).collect()
}

fn is_skinned(primitive: &Primitive) -> bool {
    primitive.attributes.contains_key(&Checked::Valid(Semantic::Joints(0)))
}

fn report_attributes(source: &mut Source<'_>, primitive: &Primitive, at: &Position) {
    for semantic in primitive.attributes.keys() {
        let used = matches!(
            semantic,
            Checked::Valid(Semantic::Positions | Semantic::Joints(_) | Semantic::Weights(_))
        );
        if !used {
            let name = format!(" `{}`", semantic.to_string());
            source.report.add(RemarkKind::Attribute, "attribute", &name, 1, at.clone());
        }
    }
}

/// Adds the weighted displacements of the morph targets (glTF 2.0, 3.7.2.2).
fn morph(
    source: &mut Source<'_>,
    primitive: &Primitive,
    weights: &[f32],
    positions: &mut [[f64; 3]],
    at: &impl Fn() -> Position,
) -> Result<(), ReadError> {
    for (target, &weight) in primitive.targets.iter().flatten().zip(weights) {
        let Some(displacements) = target.positions.filter(|_| weight != 0.0) else { continue };
        let displacements = source.vectors::<3>(displacements, Type::Vec3, "displacements")?;
        if displacements.len() != positions.len() {
            let found = format!("a morph target of {} vertices", displacements.len());
            return Err(Problem::unexpected(found, positions.len().to_string()).at(at()));
        }
        for (position, displacement) in positions.iter_mut().zip(displacements) {
            *position = [0, 1, 2].map(|k| position[k] + f64::from(weight) * displacement[k]);
        }
    }
    Ok(())
}

fn is_normalized(source: &Source<'_>, accessor: Index<Accessor>) -> bool {
    source.root.accessors.get(accessor.value()).is_some_and(|accessor| accessor.normalized)
}

/// Maps positions by the skin if the primitive has joints, else by the transform.
fn transform(
    source: &mut Source<'_>,
    primitive: &Primitive,
    decoded: Option<&Decoded<'_>>,
    shown: &Shown<'_>,
    positions: &mut [[f64; 3]],
    at: &impl Fn() -> Position,
) -> Result<(), ReadError> {
    match shown.skin {
        Some(skin) if is_skinned(primitive) => {
            let mut influences = Influences::new();
            for [joints, weights] in influence_accessors(primitive) {
                influences.push(match decoded {
                    // More than four joints a vertex are read if they are not compressed.
                    Some(decoded) if influences.is_empty() => {
                        let normalized = is_normalized(source, weights);
                        let wrong = |problem: Problem| problem.at(at());
                        (
                            decoded.vectors::<4>("JOINTS_0", false).map_err(wrong)?,
                            decoded.vectors::<4>("WEIGHTS_0", normalized).map_err(wrong)?,
                        )
                    }
                    _ => (
                        source.vectors::<4>(joints, Type::Vec4, "joints")?,
                        source.vectors::<4>(weights, Type::Vec4, "weights")?,
                    ),
                });
            }
            skin.apply(positions, &influences).map_err(|problem| problem.at(at()))
        }
        _ => {
            positions.iter_mut().for_each(|position| *position = shown.transform.apply(*position));
            Ok(())
        }
    }
}

//! Instances of a node's mesh (extension `EXT_mesh_gpu_instancing`).

use ::gltf::json::Index;
use ::gltf::json::accessor::Type;
use ::gltf::json::scene::Node;

use super::elements::{Source, whole};
use super::transform::Transform;
use crate::error::{Position, Problem, ReadError};

pub(super) const NAME: &str = "EXT_mesh_gpu_instancing";

/// Whether a node has instances.
pub(super) fn is_instanced(node: &Node) -> bool {
    node.extensions.as_ref().is_some_and(|extensions| extensions.others.contains_key(NAME))
}

/// The transforms of a node's instances to its frame; one identity if it has none.
pub(super) fn instances(source: &mut Source<'_>, node: usize) -> Result<Vec<Transform>, ReadError> {
    let extensions = source.root.nodes[node].extensions.as_ref();
    let Some(instancing) = extensions.and_then(|extensions| extensions.others.get(NAME)) else {
        return Ok(vec![Transform::IDENTITY]);
    };
    let attributes = &instancing["attributes"];
    let wrong = |problem: Problem| problem.at(Position::element("node", node));
    let accessor = |name: &'static str| match attributes.get(name) {
        None => Ok(None),
        Some(_) => whole(attributes, name).map(|index| Some(Index::new(index as u32))),
    };
    let translations = accessor("TRANSLATION").map_err(wrong)?;
    let rotations = accessor("ROTATION").map_err(wrong)?;
    let scales = accessor("SCALE").map_err(wrong)?;
    let translations =
        translations.map(|index| source.vectors::<3>(index, Type::Vec3, "translations"));
    let rotations = rotations.map(|index| source.vectors::<4>(index, Type::Vec4, "rotations"));
    let scales = scales.map(|index| source.vectors::<3>(index, Type::Vec3, "scales"));
    let (translations, rotations, scales) =
        (translations.transpose()?, rotations.transpose()?, scales.transpose()?);

    let counts = [
        translations.as_ref().map(Vec::len),
        rotations.as_ref().map(Vec::len),
        scales.as_ref().map(Vec::len),
    ];
    let mut counts = counts.into_iter().flatten();
    let Some(count) = counts.next() else {
        let expected = "TRANSLATION, ROTATION or SCALE";
        return Err(wrong(Problem::unexpected("instances without attributes", expected)));
    };
    if let Some(other) = counts.find(|&other| other != count) {
        let found = format!("attributes of {count} and of {other} instances");
        return Err(wrong(Problem::unexpected(found, "one number of instances")));
    }
    let of = |values: &Option<Vec<[f64; 3]>>, index: usize, default: [f64; 3]| {
        values.as_ref().map_or(default, |values| values[index])
    };
    (0..count)
        .map(|index| {
            let rotation = rotations.as_ref().map_or([0.0, 0.0, 0.0, 1.0], |all| all[index]);
            let translation = of(&translations, index, [0.0; 3]);
            Transform::of_parts(translation, rotation, of(&scales, index, [1.0; 3])).map_err(wrong)
        })
        .collect()
}

//! Converts the parts of a scene of another format to objects.

use std::collections::BTreeSet;

use super::check::check_poses;
use super::{
    FilePart, Import, MeshSource, Motion, Object, Recording, SceneError, SceneFile, Start,
};
use crate::SceneFiles;

/// Reads the parts of an import's file.
pub(super) fn import(
    index: usize,
    import: &Import,
    file: &SceneFile,
    files: &mut dyn SceneFiles,
) -> Result<Vec<Object>, SceneError> {
    let key = format!("imports[{index}].file");
    let refuse = |problem| SceneError::File { key: key.clone(), path: file.path.clone(), problem };
    let parts = files.parts(file).map_err(refuse)?;
    if parts.is_empty() {
        return Err(refuse("shows no mesh, expected at least one".to_owned()));
    }
    let names = names(import, &parts);
    let mut objects: Vec<Object> = Vec::with_capacity(parts.len());
    // Parts that never move are static, unless none moves; then all pairs are tested once.
    let moves = parts.iter().any(|part| part.poses.len() > 1);
    for (part, name) in parts.iter().zip(&names) {
        check_poses(&key, &part.poses)?;
        let mut object = Object::new(name, "");
        object.mesh = MeshSource::File(part.mesh.clone());
        object.color = part.color;
        object.group.clone_from(&import.name);
        // Parents precede their children.
        let parent = part.parent.filter(|&parent| parent < objects.len());
        object.parent = parent.map(|parent| names[parent].clone());
        let stands = parent.is_none_or(|parent| objects[parent].is_static);
        object.is_static = moves && stands && part.poses.len() == 1;
        let poses = part.poses.iter().map(|pose| match parent {
            Some(_) => *pose,
            None => import.pose.after(pose),
        });
        match part.poses.len() {
            0 => {}
            1 => object.start = Start::At(poses.collect()),
            _ => {
                object.jointed = parent.is_some();
                let poses = Recording::Listed(poses.collect());
                object.motion = Motion::Recorded { poses, ending: file.ending };
            }
        }
        objects.push(object);
    }
    Ok(objects)
}

/// Unique names of the parts: the second part called `wheel` is `wheel#2`.
fn names(import: &Import, parts: &[FilePart]) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let mut names = Vec::with_capacity(parts.len());
    for (index, part) in parts.iter().enumerate() {
        let own = if part.name.is_empty() { format!("part {index}") } else { part.name.clone() };
        let own = match import.name.as_str() {
            "" => own,
            before => format!("{before}/{own}"),
        };
        let mut name = own.clone();
        let mut number = 1;
        while !taken.insert(name.clone()) {
            number += 1;
            name = format!("{own}#{number}");
        }
        names.push(name);
    }
    names
}

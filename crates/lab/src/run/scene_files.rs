//! The files of a scene, relative to the scene's own folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use xcollide::brep::PolygonMesh;
use xcollide::robot::Packages;
use xcollide_io::MeshFile;
use xcollide_io::gltf::{self, PartOptions};
use xcollide_scenes::{FilePart, Placement, SceneFile, SceneFiles};

use crate::foreign_format::ForeignFormat;
use crate::mesh_source::counted;
use crate::{pose_line, read_warnings};

/// Reads a scene's files from a folder.
#[derive(Clone, Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    /// Parts of glTF files, by the name in the scene.
    parts: BTreeMap<String, PolygonMesh>,
}

impl Folder {
    pub(super) fn of(path: &Path) -> Self {
        Self { path: path.to_owned(), parts: BTreeMap::new() }
    }

    /// The path of a file of the scene.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }
}

impl SceneFiles for Folder {
    fn mesh(&mut self, path: &str) -> Result<PolygonMesh, String> {
        let whole = self.path.join(path);
        if let Some((file, _)) = path.rsplit_once('#')
            && !whole.is_file()
        {
            if !self.parts.contains_key(path) {
                SceneFiles::parts(self, &SceneFile::new(file))?;
            }
            let part = self.parts.get(path).cloned();
            return part.ok_or_else(|| "is no node with a mesh".to_owned());
        }
        let file = MeshFile::read(&whole).map_err(|error| {
            let format = ForeignFormat::of_file(&whole);
            format.map_or_else(|| format!("is no mesh: {error}"), |format| format.to_string())
        })?;
        read_warnings::show(&whole.display().to_string(), &file.report)?;
        match file.mesh.face_count() {
            0 => Err(format!("has {} and no faces", counted(file.mesh.vertex_count()))),
            _ => Ok(file.mesh),
        }
    }

    fn poses(&mut self, path: &str) -> Result<Vec<Placement>, String> {
        let text = std::fs::read_to_string(self.path.join(path))
            .map_err(|error| format!("cannot be read: {error}"))?;
        let lines = text.lines().enumerate().filter(|(_, line)| {
            let line = line.trim_start();
            !line.is_empty() && !line.starts_with('#')
        });
        lines
            .map(|(number, line)| {
                pose_line::placement(line)
                    .map_err(|error| format!("is wrong in line {}: {error}", number + 1))
            })
            .collect()
    }

    /// Reads a glTF file and stores its meshes.
    fn parts(&mut self, file: &SceneFile) -> Result<Vec<FilePart>, String> {
        let path = self.path.join(&file.path);
        let bytes = std::fs::read(&path).map_err(|error| format!("cannot be read: {error}"))?;
        let options = PartOptions::new(file.animation, file.rate);
        let folder = path.parent().unwrap_or(Path::new("."));
        let scene = gltf::parts(&bytes, Some(folder), &options)
            .map_err(|error| format!("is no scene: {error}"))?;
        read_warnings::show(&path.display().to_string(), &scene.report)?;
        let mut parts = Vec::with_capacity(scene.parts.len());
        for part in scene.parts {
            // Points and lines collide with nothing, but children need their nodes.
            let mesh = format!("{}#{}", file.path, part.node);
            self.parts.insert(mesh.clone(), part.mesh);
            parts.push(FilePart {
                name: part.name,
                mesh,
                parent: part.parent,
                poses: part.poses.into_iter().map(Placement::from).collect(),
                color: part.color,
            });
        }
        Ok(parts)
    }

    fn text(&mut self, path: &str) -> Result<String, String> {
        std::fs::read_to_string(self.path.join(path))
            .map_err(|error| format!("cannot be read: {error}"))
    }

    fn mesh_of_robot(&mut self, name: &str, beside: &str) -> Result<String, String> {
        let path = Packages::from_environment().find(name, &self.path.join(beside))?;
        // Relative to this folder.
        let inner = path.strip_prefix(&self.path).unwrap_or(&path);
        Ok(inner.to_string_lossy().into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_poses_are_read_line_by_line() -> std::io::Result<()> {
        let place = tempfile::tempdir()?;
        let mut folder = Folder::of(place.path());
        std::fs::write(
            place.path().join("way"),
            "# one\n\n0 0 3 0 0 0 1\n  # two\n1,2,3,0,0,0,1\n",
        )?;
        let heights = folder.poses("way").map(|poses| {
            let numbers = poses.iter().map(Placement::numbers);
            numbers.collect::<Vec<Vec<f64>>>()
        });
        let expected = [[0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 1.0], [1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 1.0]];
        assert_eq!(heights, Ok(expected.map(Vec::from).to_vec()));
        std::fs::write(place.path().join("way"), "0 0 3 0 0 0 1\n\n1 2\n")?;
        let wrong = folder.poses("way").err().unwrap_or_default();
        assert!(wrong.starts_with("is wrong in line 3: "), "{wrong}");
        let wrong = folder.poses("nowhere").err().unwrap_or_default();
        assert!(wrong.starts_with("cannot be read: "), "{wrong}");
        assert!(folder.mesh("way").is_err_and(|wrong| wrong.starts_with("is no mesh: ")));
        Ok(())
    }
}

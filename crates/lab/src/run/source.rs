//! Sources of scenes: files and embedded scenes.

use std::ffi::OsStr;
use std::num::NonZeroUsize;
use std::path::Path;

use xcollide_io::Format;
use xcollide_scenes::{
    DEFAULT_SCENE, Import, Robot, Scene, SceneError, SceneFile, SceneFiles, embedded, names,
};

use super::scene_files::Folder;
use crate::exit::Failure;
use crate::files::{Input, text};
use crate::foreign_format::ForeignFormat;

/// A scene, its name in messages, and the folder of its files.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) scene: Scene,
    pub(crate) files: Folder,
}

impl Source {
    /// Reads a scene file or creates an embedded scene, by default the default one.
    ///
    /// The name of an embedded scene takes precedence; `./cage` is a file, `-` standard input. Anything
    /// else is a file if it exists or has the extension of one.
    pub(crate) fn open(asked: Option<&OsStr>) -> Result<Self, Failure> {
        let Some(asked) = asked else { return Self::embedded(DEFAULT_SCENE) };
        let path = Path::new(asked);
        let looks_like_a_file =
            || ends_in(path, &ENDINGS) || path.exists() || path.components().count() > 1;
        match asked.to_str() {
            Some("-") => Self::toml(path),
            Some(text) if Self::is_embedded(text) => Self::embedded(text),
            Some(text) if !looks_like_a_file() => Self::embedded(text),
            _ => Self::file(path),
        }
    }

    /// Whether this names an embedded scene, with or without parameters.
    pub(crate) fn is_embedded(text: &str) -> bool {
        let name = text.split_once('?').map_or(text, |(name, _)| name);
        names().contains(&name)
    }

    fn embedded(asked: &str) -> Result<Self, Failure> {
        let scene = embedded(asked).map_err(Failure::bad_input)?;
        Ok(Self { name: scene.name.clone(), scene, files: Folder::of(Path::new("")) })
    }

    fn file(path: &Path) -> Result<Self, Failure> {
        let name = path.display().to_string();
        if ends_in(path, &["obj", "stl", "ply", "off"]) {
            return Err(Failure::bad_input(format!(
                "{name}: found a mesh, expected a scene (.toml .urdf .gltf .glb or the name of an \
                 embedded one); `xcollide check` and `xcollide classify` take meshes"
            )));
        }
        if ends_in(path, &["srdf"]) {
            let what = "found an SRDF file, expected its .urdf file, beside which it is read";
            return Err(Failure::bad_input(format!("{name}: {what}")));
        }
        if ends_in(path, &["gltf", "glb"]) {
            return Self::gltf(path, name);
        }
        if ends_in(path, &["urdf"]) {
            // An error of opening it is not one of a scene.
            let Input { name, .. } = Input::open(path)?;
            return Ok(Self { name, scene: robot(path), files: Folder::of(Path::new("")) });
        }
        Self::toml(path)
    }

    /// A scene as TOML; the files of one on standard input are relative to the working folder.
    fn toml(path: &Path) -> Result<Self, Failure> {
        let input = Input::open(path)?;
        let name = input.name.clone();
        let bytes = input.read()?;
        if let Some(format) = ForeignFormat::of(&bytes, path) {
            return Err(Failure::bad_input(format!("{name}: {format}")));
        }
        if let Some(format) = Format::of_content(&bytes) {
            let what =
                "expected a scene as TOML; scenes as glTF are files that end in .gltf or .glb";
            return Err(Failure::bad_input(format!("{name}: found {format}, {what}")));
        }
        let scene = Scene::from_toml(&text(bytes, &name)?, &name).map_err(Failure::bad_input)?;
        let files = Folder::of(path.parent().unwrap_or(Path::new("")));
        Ok(Self { name, scene, files })
    }

    /// Sets the number of frames and the seed, if given, and replaces robots and files by their
    /// parts.
    pub(crate) fn resolve(
        &mut self,
        frames: Option<NonZeroUsize>,
        seed: Option<u64>,
    ) -> Result<(), Failure> {
        if let Some(frames) = frames {
            self.scene.frames = frames.get();
            self.scene.frames_from_table = false;
        }
        self.scene.seed = seed.unwrap_or(self.scene.seed);
        self.scene = self.scene.resolved(&mut self.files).map_err(|error| match error {
            // The error of an import names its own file.
            SceneError::Robot { error, .. } => Failure::bad_input(error),
            error => Failure::bad_input(format!("{}: {error}", self.name)),
        })?;
        if self.scene.objects.is_empty() {
            let what = "found no objects, expected at least one";
            return Err(Failure::bad_input(format!("{}: {what}", self.name)));
        }
        Ok(())
    }

    /// A scene of a glTF file, as long as its animation.
    fn gltf(path: &Path, name: String) -> Result<Self, Failure> {
        let mut files = Folder::of(Path::new(""));
        let file = SceneFile::new(&path.to_string_lossy());
        let parts = files
            .parts(&file)
            .map_err(|problem| Failure::bad_input(format!("{name}: {problem}")))?;
        let mut scene = Scene::new(&path.file_stem().unwrap_or_default().to_string_lossy());
        "a glTF scene".clone_into(&mut scene.about);
        scene.frames = parts.iter().map(|part| part.poses.len()).fold(1, usize::max);
        scene.imports.push(Import::from(file));
        Ok(Self { name, scene, files })
    }
}

/// Extensions of files, whether they exist or not.
const ENDINGS: [&str; 9] = ["toml", "urdf", "gltf", "glb", "srdf", "obj", "stl", "ply", "off"];

/// A scene of a robot that moves at random, with the SRDF file of the same name, if any.
fn robot(path: &Path) -> Scene {
    let mut scene = Scene::new(&path.file_stem().unwrap_or_default().to_string_lossy());
    "a robot, from one random configuration to the next".clone_into(&mut scene.about);
    scene.frames = 1000;
    let mut robot = Robot::new(&path.to_string_lossy());
    let beside = path.with_extension("srdf");
    robot.srdf = beside.is_file().then(|| beside.to_string_lossy().into_owned());
    scene.imports.push(Import::from(robot));
    scene
}

fn ends_in(path: &Path, endings: &[&str]) -> bool {
    path.extension().is_some_and(|found| endings.iter().any(|one| found.eq_ignore_ascii_case(one)))
}

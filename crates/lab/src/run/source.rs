//! Where a scene comes from: a file, or the embedded ones.

use std::ffi::OsStr;
use std::path::Path;

use xcollide_scenes::{DEFAULT_SCENE, Scene, embedded, names};

use super::folder::Folder;
use crate::exit::Failure;

/// A scene, what messages call it, and where the files are that it names.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) scene: Scene,
    pub(crate) files: Folder,
}

impl Source {
    /// Reads the file, or makes the embedded scene of this name; the default one without a name.
    ///
    /// What begins with the name of an embedded scene is one; `./cage` is a file. Anything else is
    /// taken for a file where it looks like one: it ends in `.toml`, or is there.
    pub(crate) fn open(asked: Option<&OsStr>) -> Result<Self, Failure> {
        let Some(asked) = asked else { return Self::embedded(DEFAULT_SCENE) };
        let path = Path::new(asked);
        let looks_like_a_file = || {
            path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml"))
                || path.exists()
                || path.components().count() > 1
        };
        match asked.to_str() {
            Some(text) if Self::is_embedded(text) => Self::embedded(text),
            Some(text) if !looks_like_a_file() => Self::embedded(text),
            _ => Self::file(path),
        }
    }

    /// Whether this is an embedded scene, parameters or not.
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
        let text = std::fs::read_to_string(path)
            .map_err(|error| Failure::bad_input(format!("{name}: cannot be read: {error}")))?;
        let scene = Scene::from_toml(&text, &name).map_err(Failure::bad_input)?;
        let files = Folder::of(path.parent().unwrap_or(Path::new("")));
        Ok(Self { name, scene, files })
    }
}

//! Imports of a scene from other files.

use super::Ending;
use crate::Placement;

/// Objects from another file, which [`Scene::resolved`](super::Scene::resolved) reads.
///
/// ```
/// use xcollide_scenes::{Import, Robot, Scene};
///
/// let mut scene = Scene::new("arm");
/// let mut robot = Robot::new("arm.urdf");
/// robot.srdf = Some("arm.srdf".to_owned());
/// scene.imports.push(Import::from(robot));
/// let text = "name = 'arm'\n[[imports]]\nrobot = 'arm.urdf'\nsrdf = 'arm.srdf'\n";
/// assert_eq!(Scene::from_toml(text, "arm.toml")?, scene);
/// # Ok::<(), xcollide_scenes::SceneFileError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Import {
    /// Prefix of the names of its objects and groups, joined by a slash: `left/wrist`. None if empty.
    pub name: String,
    /// Pose of its origin in the world.
    pub pose: Placement,
    /// The imported file.
    pub from: ImportFrom,
}

/// Kind of an import.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum ImportFrom {
    /// A robot.
    Robot(Robot),
    /// A scene of another format, such as glTF.
    File(SceneFile),
}

impl Import {
    /// Whether it is a robot with a table of joint values.
    pub(super) fn has_table(&self) -> bool {
        match &self.from {
            ImportFrom::Robot(robot) => matches!(robot.joints, JointMotion::File { .. }),
            ImportFrom::File(_) => false,
        }
    }
}

impl From<ImportFrom> for Import {
    fn from(from: ImportFrom) -> Self {
        Self { name: String::new(), pose: Placement::IDENTITY, from }
    }
}

impl From<SceneFile> for Import {
    fn from(file: SceneFile) -> Self {
        ImportFrom::File(file).into()
    }
}

impl From<Robot> for Import {
    fn from(robot: Robot) -> Self {
        ImportFrom::Robot(robot).into()
    }
}

/// A scene of another format: its meshes are objects, its animation their recorded motion.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct SceneFile {
    /// The path of the file.
    pub path: String,
    /// The number of the animation.
    pub animation: usize,
    /// Frames a second.
    pub rate: f64,
    /// What follows the last frame of the animation.
    pub ending: Ending,
}

impl SceneFile {
    /// Default frame rate.
    pub const RATE: f64 = 30.0;

    /// A file with its first animation at 30 frames a second.
    #[must_use]
    pub fn new(path: &str) -> Self {
        Self { path: path.to_owned(), animation: 0, rate: Self::RATE, ending: Ending::Stay }
    }
}

/// An object of a [`SceneFile`], from [`SceneFiles::parts`](crate::SceneFiles::parts).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FilePart {
    /// Its name, not necessarily unique.
    pub name: String,
    /// Its path for [`SceneFiles::mesh`](crate::SceneFiles::mesh).
    pub mesh: String,
    /// Index of its parent, which precedes it.
    pub parent: Option<usize>,
    /// Poses relative to its parent, or to the world: one for each frame, or a single one if it does not move
    /// relative to its parent.
    pub poses: Vec<Placement>,
    /// Red, green and blue from 0 to 1.
    pub color: Option<[f64; 3]>,
}

/// A robot from a URDF file: its links are objects, moved by its joints.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Robot {
    /// The path of the URDF file.
    pub urdf: String,
    /// The path of an SRDF file, whose disabled pairs of links are not tested.
    pub srdf: Option<String>,
    /// How the joints move.
    pub joints: JointMotion,
    /// Whether links connected by a joint are tested against each other. Off by default, because they usually
    /// overlap.
    pub adjacent: bool,
}

impl Robot {
    /// A robot with random motion and no SRDF file.
    #[must_use]
    pub fn new(urdf: &str) -> Self {
        let joints = JointMotion::Random { steps: JointMotion::STEPS };
        Self { urdf: urdf.to_owned(), srdf: None, joints, adjacent: false }
    }
}

/// How the joints of a robot move.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum JointMotion {
    /// Smoothly between random configurations within the limits, in a cycle of twenty. In the first one all
    /// joints are as near to 0 as their limits allow.
    Random {
        /// Number of frames between configurations.
        steps: usize,
    },
    /// From a table: names of joints, then a row for each frame.
    File {
        /// The path.
        path: String,
        /// What follows the last row.
        ending: Ending,
    },
}

impl JointMotion {
    /// Default number of frames between random configurations.
    pub const STEPS: usize = 50;
}

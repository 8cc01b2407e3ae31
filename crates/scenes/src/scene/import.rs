//! What a scene takes over from other files.

use super::Ending;
use crate::Placement;

/// Objects out of another file, which [`Scene::resolved`](super::Scene::resolved) reads.
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
#[non_exhaustive]
pub struct Import {
    /// What the names of its objects and groups begin with, with a slash after it: `left/wrist`.
    /// Empty for nothing.
    pub name: String,
    /// Where its origin is in the world.
    pub pose: Placement,
    /// What it is.
    pub from: ImportFrom,
}

/// What is taken over.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ImportFrom {
    /// A robot.
    Robot(Robot),
    /// A scene of another format, such as glTF.
    File(SceneFile),
}

impl From<SceneFile> for Import {
    fn from(file: SceneFile) -> Self {
        let from = ImportFrom::File(file);
        Self { name: String::new(), pose: Placement::IDENTITY, from }
    }
}

/// A scene of another format: its meshes are objects, its animation their recorded motion.
#[derive(Clone, Debug, PartialEq)]
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
    /// Frames a second unless told otherwise.
    pub const RATE: f64 = 30.0;

    /// A file's first animation, 30 frames a second.
    #[must_use]
    pub fn new(path: &str) -> Self {
        Self { path: path.to_owned(), animation: 0, rate: Self::RATE, ending: Ending::Stay }
    }
}

/// An object of a [`SceneFile`], as [`SceneFiles::parts`](crate::SceneFiles::parts) has it.
#[derive(Clone, Debug, PartialEq)]
pub struct FilePart {
    /// What it is called; others may be called so too.
    pub name: String,
    /// What [`SceneFiles::mesh`](crate::SceneFiles::mesh) is to be asked for.
    pub mesh: String,
    /// The part that it is fastened to, which comes before it.
    pub parent: Option<usize>,
    /// Where it is relative to its parent, or in the world: a pose a frame, or one if it never moves
    /// against its parent.
    pub poses: Vec<Placement>,
    /// Red, green and blue from 0 to 1.
    pub color: Option<[f64; 3]>,
}

impl From<Robot> for Import {
    fn from(robot: Robot) -> Self {
        let from = ImportFrom::Robot(robot);
        Self { name: String::new(), pose: Placement::IDENTITY, from }
    }
}

/// A robot out of a URDF file: its links are objects, its joints move them.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Robot {
    /// The path of the URDF file.
    pub urdf: String,
    /// The path of an SRDF file, whose disabled pairs of links are not wanted.
    pub srdf: Option<String>,
    /// How the joints move.
    pub joints: JointMotion,
    /// Whether links that a joint connects are tested against each other. They overlap at the
    /// joint as a rule, so they are not unless this says so.
    pub adjacent: bool,
}

impl Robot {
    /// A robot that moves at random, without an SRDF file.
    #[must_use]
    pub fn new(urdf: &str) -> Self {
        let joints = JointMotion::Random { steps: JointMotion::STEPS };
        Self { urdf: urdf.to_owned(), srdf: None, joints, adjacent: false }
    }
}

/// How the joints of a robot move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JointMotion {
    /// From one random configuration within the limits to the next, beginning and ending each way
    /// softly; after the twentieth back to the first, where all joints are as near to 0 as their
    /// limits let them, and so on.
    Random {
        /// How many frames from one configuration to the next.
        steps: usize,
    },
    /// As a table says, a row a frame under the names of joints.
    File {
        /// The path.
        path: String,
        /// What follows the last row.
        ending: Ending,
    },
}

impl JointMotion {
    /// How many frames a random motion takes to its next configuration unless told otherwise.
    pub const STEPS: usize = 50;
}

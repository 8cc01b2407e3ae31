//! Objects of a scene: mesh, initial poses, motion.

use super::{Flexible, HeightField, Heights, MotionPromise};
use crate::{Formula, Placement};

/// An object with `count` instances, each with its own pose.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Object {
    /// Its name, unique unless empty.
    pub name: String,
    /// The source of its mesh.
    pub mesh: MeshSource,
    /// Uniform scale of the mesh.
    pub scale: f64,
    /// Additional scale along each axis of the mesh. Negative factors mirror; faces are then reversed so that
    /// they still face outward.
    pub stretch: [f64; 3],
    /// Whether the origin is moved to the center of the mesh's box.
    pub centered: bool,
    /// Red, green and blue from 0 to 1, for pictures.
    pub color: Option<[f64; 3]>,
    /// Number of instances.
    pub count: usize,
    /// Number of different meshes of a spec with `{}`; 0 means one for each instance.
    pub variants: usize,
    /// Its initial pose; with a parent, relative to it.
    pub start: Start,
    /// Its motion; with a parent, relative to it.
    pub motion: Motion,
    /// Whether it never moves. Static objects are not tested against each other.
    pub is_static: bool,
    /// Its group for interest rules; may be empty.
    pub group: String,
    /// The name of its parent, which has as many instances as this object or one.
    pub parent: Option<String>,
    /// Whether a joint connects it with its parent. If not, the two form a rigid piece, whose pairs are not
    /// tested.
    pub jointed: bool,
    /// Its mass; by default its volume, or that of its bounding sphere if it is not closed.
    pub mass: Option<f64>,
    /// What it is made of, if it changes its shape.
    pub flexible: Option<Flexible>,
    /// How its velocity changes, if that is known; for objects that move, without a parent.
    #[cfg_attr(feature = "serde", serde(default))]
    pub promise: Option<MotionPromise>,
}

impl Object {
    /// One fixed instance at the origin. `mesh` is a spec such as `shape:sphere?faces=500`, or a path.
    #[must_use]
    pub fn new(name: &str, mesh: &str) -> Self {
        Self {
            name: name.to_owned(),
            mesh: MeshSource::from(mesh),
            scale: 1.0,
            stretch: [1.0; 3],
            centered: false,
            color: None,
            count: 1,
            variants: 0,
            start: Start::At(vec![Placement::IDENTITY]),
            motion: Motion::Fixed,
            is_static: false,
            group: String::new(),
            parent: None,
            jointed: false,
            mass: None,
            flexible: None,
            promise: None,
        }
    }

    /// A static object with an instance at each of these placements.
    #[must_use]
    pub fn standing(name: &str, mesh: &str, at: Vec<Placement>) -> Self {
        let mut object = Self::new(name, mesh);
        object.count = at.len();
        object.start = Start::At(at);
        object.is_static = true;
        object
    }

    /// `count` free bodies with random positions and rotations.
    #[must_use]
    pub fn flying(name: &str, mesh: &str, count: usize, speed: Speed, degrees: f64) -> Self {
        let mut object = Self::new(name, mesh);
        object.count = count;
        object.start = Start::anywhere();
        object.motion = Motion::free(speed, degrees);
        object
    }
}

/// Source of a mesh.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum MeshSource {
    /// A spec that begins with `shape:`, or with `formula:` for a body that is given by a [formula](crate::Formula). `{}` in it is replaced by the number of the instance, from 0, as in
    /// `seed={}`; [`Object::variants`] limits the number of different meshes.
    Shape(String),
    /// The path of a file, relative to the folder of the scene's file.
    File(String),
    /// Ground under heights on a grid.
    HeightField(HeightField),
}

impl From<&str> for MeshSource {
    fn from(text: &str) -> Self {
        if text.starts_with("shape:") || text.starts_with(Formula::PREFIX) {
            Self::Shape(text.to_owned())
        } else {
            Self::File(text.to_owned())
        }
    }
}

impl MeshSource {
    /// The spec or path; `height field` for one without a file.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Shape(text) => text,
            Self::File(_) | Self::HeightField(_) => self.file().unwrap_or("height field"),
        }
    }

    /// The path, if it is a file.
    #[must_use]
    pub fn file(&self) -> Option<&str> {
        match self {
            Self::File(path)
            | Self::HeightField(HeightField { heights: Heights::File(path), .. }) => Some(path),
            Self::Shape(_) | Self::HeightField(_) => None,
        }
    }

    /// The same with the path of its file, if it has one, replaced.
    #[must_use]
    pub fn with_file(mut self, path: &str) -> Self {
        if let Self::File(old)
        | Self::HeightField(HeightField { heights: Heights::File(old), .. }) = &mut self
        {
            path.clone_into(old);
        }
        self
    }
}

/// Initial poses of an object.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Start {
    /// Given placements, one for each instance.
    At(Vec<Placement>),
    /// Random positions in a box. If there is room, bounding spheres overlap neither each other nor the boxes of
    /// objects at given placements.
    Random {
        /// The least and the greatest corner for the bodies' origins; by default those of the cage.
        within: Option<[[f64; 3]; 2]>,
        /// Whether rotations are random.
        turned: bool,
    },
}

impl Start {
    /// Random positions in the cage with random rotations.
    #[must_use]
    pub const fn anywhere() -> Self {
        Self::Random { within: None, turned: true }
    }
}

/// Motion of an object by frame.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Motion {
    /// None.
    Fixed,
    /// Moves straight on, spinning about its origin, until it meets a wall of the cage or collides.
    Free {
        /// Direction and speed.
        way: Way,
        /// Axis of its spin, of any nonzero length; by default random.
        axis: Option<[f64; 3]>,
        /// Rotation in degrees per frame.
        degrees: f64,
    },
    /// Revolves around an axis, always showing it the same side.
    Orbit {
        /// A point of the axis.
        center: [f64; 3],
        /// The direction of the axis, of any nonzero length.
        axis: [f64; 3],
        /// Rotation in degrees per frame.
        degrees: f64,
    },
    /// Recorded poses by frame; the start is ignored.
    Recorded {
        /// The poses from frame 0 on.
        poses: Recording,
        /// What follows the last pose.
        ending: Ending,
    },
}

impl Motion {
    /// Moves straight on in a random direction, spinning about a random axis by `degrees` a frame.
    #[must_use]
    pub const fn free(speed: Speed, degrees: f64) -> Self {
        Self::Free { way: Way::Random(speed), axis: None, degrees }
    }
}

/// Direction and speed of a free body.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Way {
    /// This vector per frame.
    Along([f64; 3]),
    /// A random direction for each instance.
    Random(Speed),
}

/// Speed of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Speed {
    /// Units of length per frame.
    Units(f64),
    /// Radii of its bounding sphere per frame, as in I-COLLIDE and Chung.
    Radii(f64),
}

/// Poses by frame.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Recording {
    /// Poses in the scene.
    Listed(Vec<Placement>),
    /// A file with one pose a line, as for `xcollide check --poses`.
    File(String),
}

/// What a recorded motion does after its last pose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Ending {
    /// It stays there.
    #[default]
    Stay,
    /// It starts again.
    Repeat,
}

impl Ending {
    /// Both with their names in files.
    pub const ALL: [(Self, &'static str); 2] = [(Self::Stay, "stay"), (Self::Repeat, "repeat")];
}

//! An object of a scene: its mesh, where it begins, how it moves.

use crate::Placement;

/// An object, or many of a kind: each of its `count` instances has a pose of its own.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Object {
    /// What it is called; no two objects share a name, unless it is empty.
    pub name: String,
    /// Where its mesh comes from.
    pub mesh: MeshSource,
    /// How much the mesh is enlarged, in all directions alike.
    pub scale: f64,
    /// How much it is enlarged along each of its own axes, besides; a number below 0 mirrors, and
    /// an odd number of those turns the faces round, so that they look outward again.
    pub stretch: [f64; 3],
    /// Whether the middle of the mesh's box becomes its origin, about which it turns.
    pub centered: bool,
    /// Red, green and blue from 0 to 1, for pictures.
    pub color: Option<[f64; 3]>,
    /// How many instances there are.
    pub count: usize,
    /// How many different meshes a spec with `{}` makes; 0 for one for each instance.
    pub variants: usize,
    /// Where it begins; with a parent, relative to it.
    pub start: Start,
    /// How it moves; with a parent, relative to it.
    pub motion: Motion,
    /// Whether it never moves, so that static objects need no test among themselves.
    pub is_static: bool,
    /// The group that interest rules know it by; may be empty.
    pub group: String,
    /// The name of the object it is fastened to: instance by instance, or all to the one.
    pub parent: Option<String>,
    /// Whether it moves against its parent as by a joint. What is fastened without one is a piece
    /// with its parent, within which no pairs are tested.
    pub jointed: bool,
    /// Its mass; without one, its volume, or that of its bounding sphere if it is not closed.
    pub mass: Option<f64>,
}

impl Object {
    /// One instance that stays at the origin. `mesh` is a spec such as `shape:sphere?faces=500`,
    /// or the path of a file.
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
        }
    }

    /// An object that never moves, with an instance at each of these places.
    #[must_use]
    pub fn standing(name: &str, mesh: &str, at: Vec<Placement>) -> Self {
        let mut object = Self::new(name, mesh);
        object.count = at.len();
        object.start = Start::At(at);
        object.is_static = true;
        object
    }

    /// So many free bodies at random places, turned anyhow.
    #[must_use]
    pub fn flying(name: &str, mesh: &str, count: usize, speed: Speed, degrees: f64) -> Self {
        let mut object = Self::new(name, mesh);
        object.count = count;
        object.start = Start::anywhere();
        object.motion = Motion::free(speed, degrees);
        object
    }
}

/// Where a mesh comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MeshSource {
    /// A spec that begins with `shape:`. In it `{}` stands for the number of the instance, from 0,
    /// so that instances can differ, as with `seed={}`; [`Object::variants`] limits how many do.
    Shape(String),
    /// The path of a file; relative paths are meant from the folder of the scene's file.
    File(String),
}

impl From<&str> for MeshSource {
    fn from(text: &str) -> Self {
        if text.starts_with("shape:") {
            Self::Shape(text.to_owned())
        } else {
            Self::File(text.to_owned())
        }
    }
}

impl MeshSource {
    /// The spec or path.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Shape(text) | Self::File(text) => text,
        }
    }
}

/// Where an object begins.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Start {
    /// At given places, one an instance.
    At(Vec<Placement>),
    /// Anywhere in a box, such that bounding spheres do not overlap where room is found: among
    /// those placed so, nor with the boxes of the objects at given places.
    Random {
        /// The least and the greatest corner for the bodies' origins; without it the cage.
        within: Option<[[f64; 3]; 2]>,
        /// Whether it is turned anyhow, or not at all.
        turned: bool,
    },
}

impl Start {
    /// Anywhere in the cage, turned anyhow.
    #[must_use]
    pub const fn anywhere() -> Self {
        Self::Random { within: None, turned: true }
    }
}

/// How an object moves, a step a frame.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Motion {
    /// Not at all.
    Fixed,
    /// Straight on, spinning about its origin, until a wall of the cage or a collision.
    Free {
        /// Where to and how fast.
        way: Way,
        /// The axis of its spin; random without one. Any length but 0.
        axis: Option<[f64; 3]>,
        /// How far it turns in a frame, in degrees.
        degrees: f64,
    },
    /// Around an axis through a point, turning with it like a moon.
    Orbit {
        /// A point of the axis.
        center: [f64; 3],
        /// The direction of the axis, of any length but 0.
        axis: [f64; 3],
        /// How far in a frame, in degrees.
        degrees: f64,
    },
    /// At a recorded pose each frame; the place where it begins counts for nothing.
    Recorded {
        /// The poses of frame 0 and on.
        poses: Recording,
        /// What follows the last of them.
        ending: Ending,
    },
}

impl Motion {
    /// Straight on in a random direction, spinning about a random axis by so many degrees a frame.
    #[must_use]
    pub const fn free(speed: Speed, degrees: f64) -> Self {
        Self::Free { way: Way::Random(speed), axis: None, degrees }
    }
}

/// Where a free body goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Way {
    /// By this vector each frame.
    Along([f64; 3]),
    /// In a random direction, another for each instance.
    Random(Speed),
}

/// How fast a body is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Speed {
    /// Units of length a frame.
    Units(f64),
    /// Parts of the radius of its bounding sphere a frame, as I-COLLIDE and Chung have it.
    Radii(f64),
}

/// Poses by frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Recording {
    /// Given in the scene.
    Listed(Vec<Placement>),
    /// A file of poses, one a line, as those of `xcollide check --poses`.
    File(String),
}

/// What a recorded motion does after its last pose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// It stays there.
    #[default]
    Stay,
    /// It begins again.
    Repeat,
}

impl Ending {
    /// Both with the words that stand for them in files.
    pub const ALL: [(Self, &'static str); 2] = [(Self::Stay, "stay"), (Self::Repeat, "repeat")];
}

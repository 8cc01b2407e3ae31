//! Scenes as values: objects, their motion, which pairs are tested, and the response to collisions.
//!
//! A scene determines a run: with its seed it gives the same poses on every platform. It contains no meshes and
//! reads no files; a [`Simulation`](crate::Simulation) makes the shapes and asks its caller for files.

mod check;
mod error;
mod file_parts;
mod flexible;
mod height_field;
mod import;
mod object;
mod promise;
mod read;
mod read_import;
mod resolve;
mod table;
mod write;

pub(crate) use check::check_poses;
pub use error::{SceneError, SceneFileError};
pub use flexible::{Clay, Cloth, Flexible};
pub use height_field::{HeightField, Heights};
pub use import::{FilePart, Import, ImportFrom, JointMotion, Robot, SceneFile};
pub use object::{Ending, MeshSource, Motion, Object, Recording, Speed, Start, Way};
pub use promise::MotionPromise;

/// Objects, their motion, and options of a run. `docs/scenes.md` describes the file format.
///
/// The fields can be set freely; [`check`](Self::check) validates them before use.
///
/// ```
/// use xcollide_scenes::{CageBox, Object, Response, Scene, Simulation, Speed};
///
/// let mut scene = Scene::new("two-balls");
/// scene.cage = Some(CageBox::cube(5.0));
/// scene.response = Response::Impulse;
/// // Two balls at random places that move by 0.1 and turn by 3 degrees a frame.
/// let ball = Object::flying("ball", "shape:sphere?faces=100", 2, Speed::Units(0.1), 3.0);
/// scene.objects.push(ball);
///
/// let mut simulation = Simulation::new(&scene)?;
/// for _ in 0..scene.frames {
///     // Detect collisions at `simulation.poses()` here.
///     let colliding = [];
///     simulation.respond(&colliding);
///     simulation.advance();
/// }
/// # Ok::<(), xcollide_scenes::SceneError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Scene {
    /// Its name.
    pub name: String,
    /// A description of one line; may be empty.
    pub about: String,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Number of frames of a run; frame 0 has the initial poses.
    pub frames: usize,
    /// Whether [`resolved`](Self::resolved) sets the number of frames to that of the rows in a robot's
    /// [table of joint values](JointMotion::File). A file sets it by such a table without `frames`.
    pub frames_from_table: bool,
    /// The box whose walls free bodies bounce off, if any.
    pub cage: Option<CageBox>,
    /// The response of free bodies to collisions.
    pub response: Response,
    /// Whether bodies are tested on their whole way from frame to frame, and not only at the poses of the frames. The
    /// way is that of [`Motion::linear`](xcollide_math::Motion::linear), about the origin of the mesh.
    pub continuous: bool,
    /// Default algorithms of a run.
    pub phases: Phases,
    /// The limit of tests a frame, and what comes first; `None`: all pairs are tested.
    pub schedule: Option<TestSchedule>,
    /// Which groups are tested against which: later rules override earlier ones; all by default.
    pub interest: Vec<Rule>,
    /// Its objects.
    pub objects: Vec<Object>,
    /// Imports from other files, which become objects after its own.
    pub imports: Vec<Import>,
}

impl Scene {
    /// A scene without objects: seed 1, 100 frames, no cage, no response.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            about: String::new(),
            seed: 1,
            frames: 100,
            frames_from_table: false,
            cage: None,
            response: Response::None,
            continuous: false,
            phases: Phases::default(),
            schedule: None,
            interest: Vec::new(),
            objects: Vec::new(),
            imports: Vec::new(),
        }
    }

    /// `count` free bodies with these meshes in turn, one object each, at random positions in a cube of volume
    /// `count` · `room`, whose walls reflect their origins. Each frame moves a body by `step` and rotates it by
    /// `degrees`. Collisions have no response.
    ///
    /// The literature measures whole pipelines on such scenes (Zachmann 1994, 3.6.4 and 6.6; I-COLLIDE 1995,
    /// 5.3). The bodies begin without overlap if there is room; after some
    /// [`advance`](crate::Simulation::advance)s they overlap at random.
    ///
    /// ```
    /// use xcollide_scenes::{Scene, Simulation};
    ///
    /// let scene = Scene::crowd(&["shape:box", "shape:sphere"], 10, 12.5, 0.1, 3.0);
    /// let mut simulation = Simulation::new(&scene)?;
    /// assert!((simulation.cage().map_or(0.0, |[_, max]| max[0]) - 2.5).abs() < 1e-12);
    /// let before = simulation.poses()[3].translation();
    /// simulation.advance();
    /// let now = simulation.poses()[3].translation();
    /// let moved = xcollide_math::vector::sub(now, before);
    /// assert!((xcollide_math::vector::length(moved) - 0.1).abs() < 1e-12);
    /// assert_eq!(simulation.instances()[3].mesh, 1);
    /// # Ok::<(), xcollide_scenes::SceneError>(())
    /// ```
    #[must_use]
    pub fn crowd(meshes: &[&str], count: usize, room: f64, step: f64, degrees: f64) -> Self {
        let side = libm::cbrt(count as f64 * room);
        let mut scene = Self::new("crowd");
        scene.cage = Some(CageBox { keep: Keep::Origin, ..CageBox::cube(side) });
        let bodies = meshes.iter().cycle().take(count);
        let flying = |mesh: &&str| Object::flying("", mesh, 1, Speed::Units(step), degrees);
        scene.objects.extend(bodies.map(flying));
        scene
    }

    /// Number of instances of all objects, without imports.
    #[must_use]
    pub fn instance_count(&self) -> usize {
        self.objects.iter().fold(0, |sum, object| sum.saturating_add(object.count))
    }
}

/// An axis-aligned box that reflects free bodies: a wall mirrors the body's origin, so the body keeps its speed
/// and is never outside.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct CageBox {
    /// Its size.
    pub size: CageSize,
    /// Which part of a body stays inside.
    pub keep: Keep,
}

/// Size of a [`CageBox`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum CageSize {
    /// A box by two corners.
    Box {
        /// Least coordinates.
        min: [f64; 3],
        /// Greatest coordinates.
        max: [f64; 3],
    },
    /// A cube about the origin, so large that the bodies fill this fraction of it, above 0 and at most 1
    /// ("density" in I-COLLIDE 1995, section 7). Static objects do not count; an object that is not closed counts with the
    /// volume of its bounding sphere.
    Density(f64),
}

/// Which part of a body stays inside a [`CageBox`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Keep {
    /// The sphere about the body's origin that contains the body and its assembly; it must fit into the cage.
    #[default]
    Body,
    /// Only the body's origin.
    Origin,
}

impl CageBox {
    /// A cube about the origin that keeps whole bodies.
    #[must_use]
    pub const fn cube(side: f64) -> Self {
        let half = 0.5 * side;
        Self { size: CageSize::Box { min: [-half; 3], max: [half; 3] }, keep: Keep::Body }
    }

    /// A cube about the origin, so large that the bodies fill this fraction of it.
    #[must_use]
    pub const fn of_density(density: f64) -> Self {
        Self { size: CageSize::Density(density), keep: Keep::Body }
    }
}

/// The response of free bodies to collisions. Other bodies have infinite mass. In an assembly the root responds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Response {
    /// None: bodies pass through each other.
    #[default]
    None,
    /// Linear and angular velocities are reversed, once a frame (Zachmann 1994, 3.2.1; Chung 1996, 6.2).
    Reverse,
    /// The two bodies exchange their linear velocities if they approach (I-COLLIDE 1995, 5.3).
    Exchange,
    /// An elastic impulse along the line of centers if they approach, conserving momentum and energy.
    Impulse,
    /// Each body leaves along the line of centers with the other's amount of momentum (Daneu 2002, 4.3.3, who
    /// uses the contact point instead of the middle of the centers). Conserves the sum of the amounts, not
    /// momentum.
    Deflect,
}

impl Response {
    /// All responses with their names in files.
    pub const ALL: [(Self, &'static str); 5] = [
        (Self::None, "none"),
        (Self::Reverse, "reverse"),
        (Self::Exchange, "exchange"),
        (Self::Impulse, "impulse"),
        (Self::Deflect, "deflect"),
    ];
}

/// Names of algorithms in the registry of the `xcollide` crate, which validates them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Phases {
    /// The broad phase.
    pub broad: Option<String>,
    /// The narrow phase.
    pub narrow: Option<String>,
    /// The bounding volumes.
    pub bounds: Option<String>,
    /// The execution mode.
    pub execution: Option<String>,
    /// The build options of the narrow phase's hierarchies.
    pub build: Option<String>,
    /// The narrow phase of frames whose exact tests would take too long.
    pub degrade_to: Option<String>,
    /// How long a frame may take before it is tested so, such as `8ms`.
    pub degrade: Option<String>,
}

/// The most tests in a frame, and which pairs come first (Daneu 2002, 4.1.4): a `Schedule` of the `xcollide` crate, without
/// its limit of time, which would make a scene run differently from machine to machine.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct TestSchedule {
    /// The most tests, from 1.
    pub tests: usize,
    /// The name of the order, which a run validates; `None` for its default.
    pub order: Option<String>,
    /// The place from which pairs are seen: large and near ones are important. `None`: all are equally so.
    pub viewer: Option<[f64; 3]>,
    /// The weight of relative speed in the importance; 0: none.
    pub speed: f64,
    /// Whether pairs that are not tested count as in contact.
    pub assume_contact: bool,
}

impl TestSchedule {
    /// At most so many tests, in the default order, of pairs that are equally important; untested ones have no effect.
    #[must_use]
    pub const fn new(tests: usize) -> Self {
        Self { tests, order: None, viewer: None, speed: 0.0, assume_contact: false }
    }
}

/// Whether two groups of objects are tested against each other.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rule {
    /// The groups in any order; `*` is any group. For the pairs within a group, name it twice.
    pub groups: [String; 2],
    /// Whether their pairs are tested.
    pub on: bool,
}

impl Rule {
    /// A rule for the pairs of two groups.
    #[must_use]
    pub fn new(a: &str, b: &str, on: bool) -> Self {
        Self { groups: [a.to_owned(), b.to_owned()], on }
    }

    /// Whether the rule applies to a pair of members of these groups.
    #[must_use]
    pub fn covers(&self, a: &str, b: &str) -> bool {
        let is = |rule: &str, group: &str| rule == "*" || rule == group;
        let [c, d] = &self.groups;
        (is(c, a) && is(d, b)) || (is(c, b) && is(d, a))
    }
}

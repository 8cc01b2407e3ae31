//! A scene as a value: which objects there are, how they move, who may touch whom, and how it
//! goes on when they do.
//!
//! A scene says all that a run needs to be repeated: with its seed it gives the same poses on
//! every platform. It holds no meshes and reads no files; a [`Simulation`](crate::Simulation)
//! makes the shapes, and asks its caller for what is in files.

mod check;
mod error;
mod file_parts;
mod import;
mod object;
mod read;
mod read_import;
mod resolve;
mod table;
mod write;

pub(crate) use check::check_poses;
pub(crate) use error::number;
pub use error::{SceneError, SceneFileError};
pub use import::{FilePart, Import, ImportFrom, JointMotion, Robot, SceneFile};
pub use object::{Ending, MeshSource, Motion, Object, Recording, Speed, Start, Way};
pub(crate) use resolve::Imported;

/// Objects, their motion, and how a run treats them. `docs/scenes.md` describes the file format.
///
/// The fields are free to set; [`check`](Self::check) tells what is wrong with them, and nothing
/// is made of a scene that was not checked.
///
/// ```
/// use xcollide_scenes::{CageBox, Object, Response, Scene, Simulation, Speed};
///
/// let mut scene = Scene::new("two-balls");
/// scene.cage = Some(CageBox::cube(5.0));
/// scene.response = Response::Impulse;
/// // Two balls that begin anywhere, go 0.1 a frame and turn by 3 degrees.
/// let ball = Object::flying("ball", "shape:sphere?faces=100", 2, Speed::Units(0.1), 3.0);
/// scene.objects.push(ball);
///
/// let mut simulation = Simulation::new(&scene)?;
/// for _ in 0..scene.frames {
///     // Here the application detects collisions at `simulation.poses()`.
///     let colliding = [];
///     simulation.respond(&colliding);
///     simulation.advance();
/// }
/// # Ok::<(), xcollide_scenes::SceneError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Scene {
    /// What it is called.
    pub name: String,
    /// What it is, in a line; may be empty.
    pub about: String,
    /// Chooses all random numbers.
    pub seed: u64,
    /// How many frames a run has; frame 0 is that of the initial poses.
    pub frames: usize,
    /// The box that free bodies turn round in, if there is one.
    pub cage: Option<CageBox>,
    /// What happens to free bodies that collide.
    pub response: Response,
    /// The algorithms a run takes where its caller names none.
    pub phases: Phases,
    /// Which groups may touch which: later rules overrule earlier ones, all is on without any.
    pub interest: Vec<Rule>,
    /// What is in the scene.
    pub objects: Vec<Object>,
    /// What it takes over from other files, as objects after its own.
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
            cage: None,
            response: Response::None,
            phases: Phases::default(),
            interest: Vec::new(),
            objects: Vec::new(),
            imports: Vec::new(),
        }
    }

    /// So many free bodies, of these meshes by turns, anywhere in a cube whose walls turn their
    /// origins back, and which has so much room, by volume, for each of them. A frame moves each by
    /// `step` and turns it by `degrees`. Each is an object of its own. There is no response: they go
    /// through each other.
    ///
    /// The sources measured whole pipelines on such crowds (Zachmann 1994, 3.6.4 and 6.6; I-COLLIDE
    /// 1995, 5.3). They begin clear of each other where there is room; after some
    /// [`advance`](crate::Simulation::advance)s they overlap as bodies at random places do.
    ///
    /// ```
    /// use xcollide_scenes::{Scene, Simulation};
    ///
    /// let scene = Scene::crowd(&["shape:box", "shape:sphere"], 10, 12.5, 0.1, 3.0);
    /// let mut simulation = Simulation::new(&scene)?;
    /// assert!((simulation.cage().map_or(0.0, |[_, max]| max[0]) - 2.5).abs() < 1e-12);
    /// let before = simulation.poses()[3].translation.vector;
    /// simulation.advance();
    /// let moved = simulation.poses()[3].translation.vector - before;
    /// assert!((moved.norm() - 0.1).abs() < 1e-12);
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

    /// How many instances all objects have together; those of imports are not counted.
    #[must_use]
    pub fn instance_count(&self) -> usize {
        self.objects.iter().fold(0, |sum, object| sum.saturating_add(object.count))
    }
}

/// A box along the axes at whose walls free bodies turn round.
///
/// A body's origin is mirrored in the wall, so it keeps its speed, and it never is outside.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct CageBox {
    /// How large it is.
    pub size: CageSize,
    /// What of a body stays inside.
    pub keep: Keep,
}

/// How large a [`CageBox`] is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CageSize {
    /// From the least corner to the greatest.
    Box {
        /// The least coordinates.
        min: [f64; 3],
        /// The greatest coordinates.
        max: [f64; 3],
    },
    /// A cube about the origin that the bodies fill to this part of its volume, above 0 and at
    /// most 1 (I-COLLIDE 1995, section 7: "density"). Static objects do not count; an object that
    /// is not closed counts as its bounding sphere.
    Density(f64),
}

/// What of a body stays inside a [`CageBox`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// The sphere about the body's origin that holds the body, and its assembly. The cage must
    /// have room for it.
    #[default]
    Body,
    /// The body's origin only.
    Origin,
}

impl CageBox {
    /// A cube about the origin of so long a side, that keeps whole bodies.
    #[must_use]
    pub const fn cube(side: f64) -> Self {
        let half = 0.5 * side;
        Self { size: CageSize::Box { min: [-half; 3], max: [half; 3] }, keep: Keep::Body }
    }

    /// A cube about the origin that the bodies fill to this part.
    #[must_use]
    pub const fn of_density(density: f64) -> Self {
        Self { size: CageSize::Density(density), keep: Keep::Body }
    }
}

/// What happens to free bodies that collide.
///
/// A body that is not free stands like a wall of infinite mass. In assemblies the root answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Response {
    /// Nothing: bodies go through each other.
    #[default]
    None,
    /// Linear and angular velocities are reversed, once a frame whatever a body hits (Zachmann
    /// 1994, 3.2.1; Chung 1996, 6.2).
    Reverse,
    /// The two exchange their linear velocities, if they approach (I-COLLIDE 1995, 5.3).
    Exchange,
    /// An elastic impulse along the line of the centers, if they approach: momentum and energy are
    /// conserved.
    Impulse,
    /// Each leaves along the line of centers with the other's amount of momentum (Daneu 2002,
    /// 4.3.3, his car game; he aims from the contact point, here the middle of the centers stands
    /// for it). Sums of amounts, not momenta, are conserved.
    Deflect,
}

impl Response {
    /// All of them with the words that stand for them in files.
    pub const ALL: [(Self, &'static str); 5] = [
        (Self::None, "none"),
        (Self::Reverse, "reverse"),
        (Self::Exchange, "exchange"),
        (Self::Impulse, "impulse"),
        (Self::Deflect, "deflect"),
    ];
}

/// Names of algorithms, as the registry of the `xcollide` crate has them; it judges them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Phases {
    /// Finds pairs of boxes.
    pub broad: Option<String>,
    /// Decides pairs of models.
    pub narrow: Option<String>,
    /// Makes the boxes.
    pub bounds: Option<String>,
    /// Runs the phases.
    pub execution: Option<String>,
    /// Builds the hierarchies of the algorithm that decides pairs.
    pub build: Option<String>,
}

/// Whether two groups of objects are to be tested against each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The groups, in any order; `*` is any group. The same twice: members among themselves.
    pub groups: [String; 2],
    /// Whether their pairs are wanted.
    pub on: bool,
}

impl Rule {
    /// Pairs of these groups are wanted, or not.
    #[must_use]
    pub fn new(a: &str, b: &str, on: bool) -> Self {
        Self { groups: [a.to_owned(), b.to_owned()], on }
    }

    /// Whether it speaks of a pair of members of these groups.
    #[must_use]
    pub fn covers(&self, a: &str, b: &str) -> bool {
        let is = |rule: &str, group: &str| rule == "*" || rule == group;
        let [c, d] = &self.groups;
        (is(c, a) && is(d, b)) || (is(c, b) && is(d, a))
    }
}

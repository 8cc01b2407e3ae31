//! Robots: does one meet itself or its surroundings, configuration by configuration?
//!
//! A [`Robot`] is read from a URDF file and optionally an SRDF file. A [`RobotState`] sets its joints and asks
//! which links collide, or how far they are apart; it keeps what algorithms remember of each pair. A robot is
//! never changed by queries, so each thread has a state of its own, as [`Robot::query_many`] does.
//!
//! *Bodies* are the links with collision geometry, objects attached to links, and obstacles that stand in the
//! frame of the base. Two bodies are tested if they can move relative to each other, unless they are links
//! that a joint connects or that the SRDF file disables; [`Robot::allow`] and [`Robot::disallow`] override
//! this for a pair.
//!
//! Answers are exact for the polyhedra of the description at their rounded poses. Spheres, cylinders and capsules are
//! [formulas](crate::narrow::Formula), and what is said of them is proved. Where rounding hides whether two bodies touch, they
//! count as colliding: so it is for gaps below some 1e-13 of the size, of cylinders 1e-8.

mod edge;
mod error;
mod files;
mod formula;
mod packages;
mod state;

use std::ops::Range;
use std::path::Path;

use xcollide_scenes::Placement;

use crate::narrow::combine::Auto;
use crate::narrow::formula::Formulas;
use crate::narrow::{Model, NarrowPhase, Placed, Pose};

pub use edge::{Edge, EdgeOutcome, EdgeVerdict};
pub use error::RobotError;
pub use formula::model_of_formula;
pub use packages::Packages;
pub use state::{Clearance, RobotState, RobotStats};
pub use xcollide_io::ReadReport;
pub use xcollide_scenes::RobotError as DescriptionError;
pub use xcollide_scenes::robot::{
    ConfigurationError, JointPath, LinkGeometry, LinkPath, RobotDescription, RobotJoint,
};

/// A robot for queries, with objects attached to its links and obstacles around it.
///
/// ```
/// use xcollide::robot::{Packages, Robot, RobotState};
///
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/scenes");
/// # std::env::set_current_dir(folder)?;
/// let arm = Robot::load("arm.urdf", Some("arm.srdf"), &Packages::new())?;
/// let mut state = arm.state()?;
/// state.set_joints(&[0.0, 1.5, 0.0, 0.02])?; // shoulder, elbow, wrist, finger
/// for [a, b] in state.colliding_pairs()? {
///     println!("{} meets {}", arm.name(a), arm.name(b));
/// }
/// let many = vec![[0.0, 0.5, 0.0, 0.0], [0.0, 1.5, 0.0, 0.02]];
/// let verdicts: Vec<bool> = arm.query_many(&many, RobotState::collides)?;
/// # assert_eq!(verdicts.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Robot {
    description: RobotDescription,
    bodies: Vec<Body>,
    shapes: Vec<Shape>,
    /// For each body the later ones that are tested against it, ascending.
    partners: Vec<Vec<u32>>,
    margin: f64,
    narrow: Auto,
    skipped: Vec<MeshReport>,
}

/// What was skipped in a mesh file of a robot.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MeshReport {
    /// The path of the file.
    pub path: String,
    /// What was skipped.
    pub report: ReadReport,
}

/// A body of a robot: a link with collision geometry, an attached object or an obstacle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BodyId(u32);

impl BodyId {
    /// Its number, from 0. That of a body that is gone is given to one that is added later.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Debug)]
struct Body {
    name: String,
    /// The link; `None` for attached objects and obstacles.
    link: Option<usize>,
    /// The topmost link to which it is rigidly connected; the base for obstacles.
    rigid_root: usize,
    /// Empty if the body was taken away; its id is free then.
    shapes: Range<usize>,
}

impl Body {
    fn is_gone(&self) -> bool {
        self.shapes.is_empty()
    }
}

#[derive(Clone, Debug)]
struct Shape {
    body: u32,
    model: Model,
    /// The link that moves it; `None` for obstacles.
    link: Option<usize>,
    /// Its pose in the frame of the link, or of the base.
    origin: Placement,
}

impl Robot {
    /// Reads a URDF file with its meshes, and optionally an SRDF file.
    ///
    /// Mimic joints follow their leader; floating, planar and spherical joints do not move. Meshes of `package://`
    /// are searched in the `packages`; [`mesh_reports`](Self::mesh_reports) has what was skipped in them.
    ///
    /// # Errors
    /// A file cannot be read, or is invalid; the message names file, line and element.
    pub fn load<P: AsRef<Path>>(
        urdf: P,
        srdf: Option<P>,
        packages: &Packages,
    ) -> Result<Self, RobotError> {
        let [urdf, srdf] = [Some(urdf), srdf]
            .map(|path| path.map(|path| path.as_ref().to_string_lossy().into_owned()));
        let mut files = files::RobotFiles::new(packages);
        let urdf = urdf.unwrap_or_default();
        let mut robot = Self::new(RobotDescription::read(&urdf, srdf.as_deref(), &mut files)?)?;
        robot.skipped = files.into_reports();
        Ok(robot)
    }

    /// A robot that was read already. Prepares its meshes for queries.
    ///
    /// # Errors
    /// A mesh has more elements than 32-bit ids can number.
    pub fn new(description: RobotDescription) -> Result<Self, RobotError> {
        let mut robot = Self {
            description,
            bodies: Vec::new(),
            shapes: Vec::new(),
            partners: Vec::new(),
            margin: 0.0,
            narrow: Auto::new(),
            skipped: Vec::new(),
        };
        for link in 0..robot.description.links().len() {
            let geometries = robot.description.geometries(link);
            let name = robot.description.links()[link].clone();
            let model = |geometry: &LinkGeometry| {
                let wrong = |error| RobotError::Mesh { name: name.clone(), error };
                let model = match &geometry.formula {
                    Some(formula) => model_of_formula(formula)
                        .map_err(|error| RobotError::Formula { name: name.clone(), error })?,
                    None => Model::from_mesh(geometry.mesh.clone()).map_err(wrong)?,
                };
                Ok((model, geometry.origin))
            };
            let shapes = geometries.iter().map(model).collect::<Result<Vec<_>, RobotError>>()?;
            if !shapes.is_empty() {
                robot.add(name, Some(link), Some(link), shapes);
            }
        }
        Ok(robot)
    }

    /// Counts bodies at most this far apart as colliding, in units of length; 0 at first. Whether they are is
    /// decided exactly.
    ///
    /// # Errors
    /// The margin is negative or not finite.
    pub fn set_margin(&mut self, margin: f64) -> Result<(), RobotError> {
        if !(margin.is_finite() && margin >= 0.0) {
            return Err(RobotError::Margin { found: margin });
        }
        self.margin = margin;
        Ok(())
    }

    /// Attaches an object to a link, at a pose in the frame of the link. It is tested against all other links,
    /// objects and obstacles that can move relative to it. [`detach`](Self::detach) takes it off again.
    ///
    /// # Errors
    /// There is no such link, the name is taken, the model has no faces, or the pose moves it beyond the range
    /// of f64.
    pub fn attach(
        &mut self,
        link: &str,
        name: &str,
        model: &Model,
        pose: &Pose,
    ) -> Result<BodyId, RobotError> {
        let links = self.description.links();
        let number = links.iter().position(|other| other == link);
        let number = number.ok_or_else(|| unknown(link, links.iter().map(String::as_str)))?;
        self.add_object(name, Some(number), model, pose)
    }

    /// Adds an obstacle at a pose in the frame of the base. It is tested against all links and attached objects
    /// that can move relative to the base, so not against links that are rigidly connected to it.
    ///
    /// # Errors
    /// The name is taken, the model has no faces, or the pose moves it beyond the range of f64.
    pub fn add_obstacle(
        &mut self,
        name: &str,
        model: &Model,
        pose: &Pose,
    ) -> Result<BodyId, RobotError> {
        self.add_object(name, None, model, pose)
    }

    /// Takes an attached object off its link; it is not tested any more. What
    /// [`allow`](Self::allow) and [`disallow`](Self::disallow) said of it is forgotten. The ids of other bodies
    /// stay; its own is given to a body that is added later.
    ///
    /// ```
    /// # use xcollide::robot::{Packages, Robot};
    /// # use xcollide::{Model, Pose};
    /// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/scenes");
    /// # std::env::set_current_dir(folder)?;
    /// # let cup = Model::from_mesh(xcollide_scenes::shape("shape:prism?sides=9&height=0.1&radius=0.02")?)?;
    /// let mut arm = Robot::load("arm.urdf", Some("arm.srdf"), &Packages::new())?;
    /// arm.attach("hand", "cup", &cup, &Pose::from_translation([0.1, 0.0, 0.0]))?;
    /// arm.detach("cup")?;
    /// assert!(arm.body("cup").is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// No object of this name is attached.
    pub fn detach(&mut self, name: &str) -> Result<(), RobotError> {
        self.remove_object(name, "attached object", |shape| shape.link.is_some())
    }

    /// Takes an obstacle away, as [`detach`](Self::detach) does an attached object.
    ///
    /// # Errors
    /// There is no obstacle of this name.
    pub fn remove_obstacle(&mut self, name: &str) -> Result<(), RobotError> {
        self.remove_object(name, "obstacle", |shape| shape.link.is_none())
    }

    /// No longer tests a pair of bodies, by name: they are allowed to touch.
    ///
    /// # Errors
    /// No body has this name.
    pub fn allow(&mut self, a: &str, b: &str) -> Result<(), RobotError> {
        self.set_tested(a, b, false)
    }

    /// Tests a pair of bodies, by name, whatever else says that they are not.
    ///
    /// # Errors
    /// No body has this name, or both are the same.
    pub fn disallow(&mut self, a: &str, b: &str) -> Result<(), RobotError> {
        self.set_tested(a, b, true)
    }

    /// Links and joints.
    #[must_use]
    pub fn description(&self) -> &RobotDescription {
        &self.description
    }

    /// The mesh files of [`load`](Self::load) in which something was skipped. Their
    /// [warnings](ReadReport::warnings) are what may change the shape or be a mistake.
    #[must_use]
    pub fn mesh_reports(&self) -> &[MeshReport] {
        &self.skipped
    }

    /// All bodies by their ids, ascending: links in the order of the file, then objects and obstacles in the order
    /// in which they were added, but for those that took the place of one that is gone.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> {
        let bodies = (0..).zip(&self.bodies).filter(|(_, body)| !body.is_gone());
        bodies.map(|(number, _)| BodyId(number))
    }

    /// The body of this name.
    #[must_use]
    pub fn body(&self, name: &str) -> Option<BodyId> {
        self.bodies().find(|&body| self.name(body) == name)
    }

    /// The name of a link, object or obstacle. Empty for a body that is gone, or one of another robot with more of
    /// them.
    #[must_use]
    pub fn name(&self, body: BodyId) -> &str {
        self.bodies.get(body.index()).map_or("", |body| &body.name)
    }

    /// The pairs that are tested, the smaller body first, in order.
    pub fn tested_pairs(&self) -> impl Iterator<Item = [BodyId; 2]> {
        let pairs = self.partners.iter().enumerate();
        pairs.flat_map(|(a, behind)| behind.iter().map(move |&b| [BodyId(a as u32), BodyId(b)]))
    }

    /// A state with all joints at 0, for queries. Allocates; reuse it for many configurations.
    ///
    /// # Errors
    /// A body is beyond the range of f64.
    pub fn state(&self) -> Result<RobotState<'_>, RobotError> {
        RobotState::new(self)
    }

    /// The answers to `query` at each configuration, in order: with the feature `parallel` on the threads of
    /// rayon's current pool, each with a state of its own. The same at any number of threads, as long as
    /// `query` depends on the configuration alone.
    ///
    /// # Errors
    /// Values are no configuration, or a query fails; the error is that of the first one that does.
    pub fn query_many<'r, C, R>(
        &'r self,
        configurations: &[C],
        query: impl Fn(&mut RobotState<'r>) -> Result<R, RobotError> + Sync,
    ) -> Result<Vec<R>, RobotError>
    where
        C: AsRef<[f64]> + Sync,
        R: Send,
    {
        let answer = |state: &mut Result<RobotState<'r>, RobotError>, configuration: &C| {
            let state = state.as_mut().map_err(|error| error.clone())?;
            state.set_joints(configuration.as_ref())?;
            query(state)
        };
        #[cfg(feature = "parallel")]
        let answers: Vec<Result<R, RobotError>> = {
            use rayon::prelude::*;
            /// Configurations a thread takes at least, so that its state pays.
            const SHARE: usize = 64;
            let shares = configurations.par_iter().with_min_len(SHARE);
            shares.map_init(|| self.state(), answer).collect()
        };
        #[cfg(not(feature = "parallel"))]
        let answers: Vec<Result<R, RobotError>> = {
            let mut state = self.state();
            configurations.iter().map(|configuration| answer(&mut state, configuration)).collect()
        };
        let of_many = |(index, answer): (usize, Result<R, RobotError>)| {
            answer.map_err(|error| RobotError::OfMany { index, error: Box::new(error) })
        };
        answers.into_iter().enumerate().map(of_many).collect()
    }

    fn add_object(
        &mut self,
        name: &str,
        carrier: Option<usize>,
        model: &Model,
        pose: &Pose,
    ) -> Result<BodyId, RobotError> {
        let name = name.to_owned();
        if self.body(&name).is_some() || self.description.links().contains(&name) {
            return Err(RobotError::NameTaken { name });
        }
        if model.triangulation().is_empty() && model.formula().is_none() {
            return Err(RobotError::NoFaces { name });
        }
        if let Err(error) = Placed::new(model, pose) {
            return Err(RobotError::Pose { name, error });
        }
        let shapes = vec![(model.clone(), Placement::from(*pose))];
        Ok(self.add(name, None, carrier, shapes))
    }

    /// Adds a body that is this link, or is carried by one or by the base, in the first free place.
    fn add(
        &mut self,
        name: String,
        link: Option<usize>,
        carrier: Option<usize>,
        shapes: Vec<(Model, Placement)>,
    ) -> BodyId {
        for (model, _) in &shapes {
            // It accepts every model.
            let _ = self.narrow.prepare(model);
        }
        let place = self.bodies.iter().position(Body::is_gone).unwrap_or(self.bodies.len());
        let body = place as u32;
        // Shapes have the order of their bodies.
        let first = self.bodies.get(place).map_or(self.shapes.len(), |gone| gone.shapes.start);
        let count = shapes.len();
        let shape = |(model, origin)| Shape { body, model, link: carrier, origin };
        self.shapes.splice(first..first, shapes.into_iter().map(shape));
        if self.shapes.iter().any(|shape| shape.model.formula().is_some()) {
            for shape in &self.shapes {
                // It accepts every model, and builds nothing twice.
                let _ = Formulas.prepare(&shape.model);
            }
        }
        let rigid_root = self.description.rigid_root(carrier.unwrap_or(self.description.base()));
        let added = Body { name, link, rigid_root, shapes: first..first + count };
        if place == self.bodies.len() {
            self.bodies.push(added);
            self.partners.push(Vec::new());
        } else {
            self.bodies[place] = added;
            for later in &mut self.bodies[place + 1..] {
                later.shapes = later.shapes.start + count..later.shapes.end + count;
            }
        }
        for other in (0..self.bodies.len()).filter(|&other| other != place) {
            if self.is_tested_by_default(place, other) {
                self.set_pair(place, other, true);
            }
        }
        BodyId(body)
    }

    fn is_tested_by_default(&self, a: usize, b: usize) -> bool {
        let [a, b] = [a, b].map(|body| &self.bodies[body]);
        match [a.link, b.link] {
            _ if a.is_gone() || b.is_gone() => false,
            [Some(a), Some(b)] => self.description.are_tested(a, b),
            _ => a.rigid_root != b.rigid_root,
        }
    }

    /// Takes away the object of this name whose shape `is_kind`; `kind` names it in the error.
    fn remove_object(
        &mut self,
        name: &str,
        kind: &'static str,
        is_kind: impl Fn(&Shape) -> bool,
    ) -> Result<(), RobotError> {
        let is_object = |body: &Body| {
            body.link.is_none() && self.shapes[body.shapes.clone()].first().is_some_and(&is_kind)
        };
        let found = self.bodies.iter().position(|body| body.name == name && is_object(body));
        let Some(place) = found else {
            let names = self.bodies.iter().filter(|body| is_object(body));
            let expected = names.map(|body| body.name.as_str()).collect::<Vec<_>>().join(", ");
            return Err(RobotError::UnknownObject { kind, found: name.to_owned(), expected });
        };
        let Range { start, end } = self.bodies[place].shapes.clone();
        self.shapes.drain(start..end);
        self.bodies[place].name = String::new();
        self.bodies[place].shapes = start..start;
        for later in &mut self.bodies[place + 1..] {
            let count = end - start;
            later.shapes = later.shapes.start - count..later.shapes.end - count;
        }
        for other in (0..self.bodies.len()).filter(|&other| other != place) {
            self.set_pair(place, other, false);
        }
        Ok(())
    }

    fn set_tested(&mut self, a: &str, b: &str, tested: bool) -> Result<(), RobotError> {
        let names = || self.bodies().map(|body| self.name(body));
        let id = |name: &str| self.body(name).ok_or_else(|| unknown(name, names()));
        let [BodyId(a), BodyId(b)] = [id(a)?, id(b)?];
        if a == b && tested {
            return Err(RobotError::SameBody { name: self.name(BodyId(a)).to_owned() });
        }
        self.set_pair(a as usize, b as usize, tested);
        Ok(())
    }

    fn set_pair(&mut self, a: usize, b: usize, tested: bool) {
        let (behind, later) = (&mut self.partners[a.min(b)], a.max(b) as u32);
        match behind.binary_search(&later) {
            Ok(place) if !tested => drop(behind.remove(place)),
            Err(place) if tested => behind.insert(place, later),
            _ => {}
        }
    }
}

fn unknown<'a>(found: &str, names: impl Iterator<Item = &'a str>) -> RobotError {
    let expected = names.collect::<Vec<_>>().join(", ");
    RobotError::UnknownBody { found: found.to_owned(), expected }
}

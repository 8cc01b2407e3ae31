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
//! Answers are exact for the polyhedra of the description at their rounded poses: spheres, cylinders and
//! capsules are polyhedra that contain them, by at most 0.6 % of the radius larger, so no contact is missed.

mod error;
mod files;
mod packages;
mod state;

use std::ops::Range;
use std::path::Path;

use xcollide_scenes::Placement;

use crate::narrow::combine::Auto;
use crate::narrow::{Model, Placed, Pose};

pub use error::RobotError;
pub use packages::Packages;
pub use state::{Clearance, RobotState, RobotStats};
pub use xcollide_scenes::RobotError as DescriptionError;
pub use xcollide_scenes::robot::{ConfigurationError, LinkGeometry, RobotDescription, RobotJoint};

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
}

/// A body of a robot: a link with collision geometry, an attached object or an obstacle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(u32);

impl BodyId {
    /// Its number in [`Robot::bodies`].
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
    shapes: Range<usize>,
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
    /// are searched in the `packages`.
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
        let mut files = files::RobotFiles(packages);
        let urdf = urdf.unwrap_or_default();
        Self::new(RobotDescription::read(&urdf, srdf.as_deref(), &mut files)?)
    }

    /// A robot that was read already.
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
        };
        for link in 0..robot.description.links().len() {
            let geometries = robot.description.geometries(link);
            let name = robot.description.links()[link].clone();
            let model = |geometry: &LinkGeometry| {
                let model = Model::from_mesh(geometry.mesh.clone());
                let wrong = |error| RobotError::Mesh { name: name.clone(), error };
                Ok((model.map_err(wrong)?, geometry.origin))
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
    /// objects and obstacles that can move relative to it.
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

    /// All bodies: links in the order of the file, then objects and obstacles in the order in which they were
    /// added.
    #[must_use]
    pub fn bodies(&self) -> impl ExactSizeIterator<Item = BodyId> + use<> {
        (0..self.bodies.len() as u32).map(BodyId)
    }

    /// The body of this name.
    #[must_use]
    pub fn body(&self, name: &str) -> Option<BodyId> {
        self.bodies().find(|&body| self.name(body) == name)
    }

    /// The name of a link, object or obstacle. Empty for a body of another robot with more of them.
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
        if model.triangulation().is_empty() {
            return Err(RobotError::NoFaces { name });
        }
        if let Err(error) = Placed::new(model, pose) {
            return Err(RobotError::Pose { name, error });
        }
        let shapes = vec![(model.clone(), Placement::from(*pose))];
        Ok(self.add(name, None, carrier, shapes))
    }

    /// Adds a body that is this link, or is carried by one or by the base.
    fn add(
        &mut self,
        name: String,
        link: Option<usize>,
        carrier: Option<usize>,
        shapes: Vec<(Model, Placement)>,
    ) -> BodyId {
        let body = self.bodies.len() as u32;
        let first = self.shapes.len();
        let shape = |(model, origin)| Shape { body, model, link: carrier, origin };
        self.shapes.extend(shapes.into_iter().map(shape));
        let rigid_root = self.description.rigid_root(carrier.unwrap_or(self.description.base()));
        let added = Body { name, link, rigid_root, shapes: first..self.shapes.len() };
        for (other, behind) in self.bodies.iter().zip(&mut self.partners) {
            let tested = match [other.link, added.link] {
                [Some(a), Some(b)] => self.description.are_tested(a, b),
                _ => other.rigid_root != added.rigid_root,
            };
            if tested {
                behind.push(body);
            }
        }
        self.bodies.push(added);
        self.partners.push(Vec::new());
        BodyId(body)
    }

    fn set_tested(&mut self, a: &str, b: &str, tested: bool) -> Result<(), RobotError> {
        let names = || self.bodies.iter().map(|body| body.name.as_str());
        let id = |name: &str| self.body(name).ok_or_else(|| unknown(name, names()));
        let [BodyId(a), BodyId(b)] = [id(a)?, id(b)?];
        if a == b && tested {
            return Err(RobotError::SameBody { name: self.name(BodyId(a)).to_owned() });
        }
        let behind = &mut self.partners[a.min(b) as usize];
        match behind.binary_search(&a.max(b)) {
            Ok(place) if !tested => drop(behind.remove(place)),
            Err(place) if tested => behind.insert(place, a.max(b)),
            _ => {}
        }
        Ok(())
    }
}

fn unknown<'a>(found: &str, names: impl Iterator<Item = &'a str>) -> RobotError {
    let expected = names.collect::<Vec<_>>().join(", ");
    RobotError::UnknownBody { found: found.to_owned(), expected }
}

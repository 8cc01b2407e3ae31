//! Scenes by name: the experiments of the literature with their parameters, and some of our own.

mod asteroids;
mod bullets;
mod cage;
mod car_game;
mod cars;
mod city;
mod cloth;
mod icollide;
mod pile;
mod potter;
mod qcollide;
mod sphere_in_sphere;
mod tetra_flakes;
mod tumble;

use std::fmt;

use crate::error::excerpt;
use crate::shape::write_defaults;
use crate::spec::Arguments;
use crate::{Object, Parameter, Scene, ShapeError};

/// The default scene of a run.
pub const DEFAULT_SCENE: &str = "cage";

/// Makes an embedded scene by name, with parameters as for shapes: `cage?objects=50&faces=500`. Parameters that
/// are not given have the source's values. Every scene has `seed` and `frames`.
///
/// ```
/// use xcollide_scenes::embedded;
///
/// let scene = embedded("icollide?objects=200")?;
/// assert_eq!((scene.name.as_str(), scene.instance_count()), ("icollide", 200));
/// assert!(embedded("nowhere").is_err());
/// # Ok::<(), xcollide_scenes::EmbeddedError>(())
/// ```
///
/// # Errors
/// An unknown name or parameter, a repeated parameter, or an invalid value. Errors of a shape are
/// reported when the simulation starts.
pub fn embedded(name: &str) -> Result<Scene, EmbeddedError> {
    let (name, parameters) = name.split_once('?').unwrap_or((name, ""));
    let Some(known) = scenes().iter().find(|scene| scene.name == name) else {
        let found = excerpt(name);
        return Err(EmbeddedError::UnknownScene { found, expected: names().join(", ") });
    };
    known.make(parameters).map_err(|error| EmbeddedError::Parameter { scene: known.name, error })
}

/// The names of all embedded scenes, ordered.
#[must_use]
pub fn names() -> Vec<&'static str> {
    scenes().iter().map(|scene| scene.name).collect()
}

/// All embedded scenes, ordered by name.
#[must_use]
pub fn scenes() -> &'static [EmbeddedScene] {
    &SCENES
}

/// Description of an embedded scene. Its `Display` is its name with all defaults.
#[derive(Clone, Copy, Debug)]
pub struct EmbeddedScene {
    /// The name.
    pub name: &'static str,
    /// A description of one line.
    pub about: &'static str,
    /// The source of its parameters.
    pub source: &'static str,
    /// Its parameters, besides `seed` and `frames`.
    pub parameters: &'static [Parameter],
    /// Default number of frames.
    pub frames: usize,
    build: fn(&Arguments, &mut Scene),
}

impl EmbeddedScene {
    fn make(&self, text: &str) -> Result<Scene, ShapeError> {
        let parameters = self.all_parameters();
        let given = Arguments::parse(self.name, &parameters, text)?;
        let mut scene = Scene::new(self.name);
        self.about.clone_into(&mut scene.about);
        scene.seed = given.seed();
        scene.frames = self.frames;
        (self.build)(&given, &mut scene);
        // The scene may have set the length of its motion.
        let frames = frames(self.frames);
        if given.has(&frames) {
            scene.frames = given.count(&frames);
        }
        Ok(scene)
    }

    /// All its parameters, with `seed` and `frames`.
    #[must_use]
    pub fn all_parameters(&self) -> Vec<Parameter> {
        [self.parameters, &[frames(self.frames), Parameter::SEED]].concat()
    }
}

impl fmt::Display for EmbeddedScene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_defaults(f, self.name, &self.all_parameters())
    }
}

/// Error of making an embedded scene.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EmbeddedError {
    /// No scene has this name.
    #[error("scene `{found}` is unknown, expected one of: {expected}")]
    UnknownScene {
        /// The unknown name.
        found: String,
        /// The existing names.
        expected: String,
    },
    /// A parameter is wrong.
    #[error("scene `{scene}`: {}", message_without_shape(.error))]
    Parameter {
        /// The scene.
        scene: &'static str,
        /// The error.
        error: ShapeError,
    },
}

/// The message of an error, without the prefix that would call the scene a shape.
fn message_without_shape(error: &ShapeError) -> String {
    match error {
        ShapeError::Parameters { problem, .. } => problem.clone(),
        other => other.to_string(),
    }
}

const BLUE: [f64; 3] = [0.3, 0.45, 0.7];
const GREEN: [f64; 3] = [0.35, 0.7, 0.4];
const RED: [f64; 3] = [0.8, 0.3, 0.25];
const YELLOW: [f64; 3] = [0.9, 0.75, 0.25];

impl Object {
    fn colored(self, color: [f64; 3]) -> Self {
        Self { color: Some(color), ..self }
    }

    fn fixed(self) -> Self {
        Self { is_static: true, ..self }
    }
}

/// The number of bodies of kind `index` if `kinds` kinds share `count` bodies evenly.
fn share(count: usize, kinds: usize, index: usize) -> usize {
    (count + kinds - 1 - index) / kinds
}

const fn frames(default: usize) -> Parameter {
    Parameter::count("frames", "how many frames a run has", [default, 1, 1_000_000_000])
}

const fn objects(default: usize) -> Parameter {
    Parameter::count("objects", "how many bodies move", [default, 1, 1_000_000])
}

const fn velocity(default: f64) -> Parameter {
    let about = "how far a body moves in a frame, in percent of its radius";
    Parameter::number("velocity", about, [default, 0.0, 1e6])
}

const fn rotation(default: f64) -> Parameter {
    let about = "how far a body turns in a frame, in degrees";
    Parameter::number("rotation", about, [default, 0.0, 1e6])
}

const fn density(default: f64) -> Parameter {
    let about = "how much of the cage the bodies fill, in percent";
    Parameter::number("density", about, [default, 1e-9, 30.0])
}

static SCENES: [EmbeddedScene; 14] = [
    asteroids::SCENE,
    bullets::SCENE,
    cage::SCENE,
    car_game::SCENE,
    cars::SCENE,
    city::SCENE,
    cloth::SCENE,
    icollide::SCENE,
    pile::SCENE,
    potter::SCENE,
    qcollide::SCENE,
    sphere_in_sphere::SCENE,
    tetra_flakes::SCENE,
    tumble::SCENE,
];

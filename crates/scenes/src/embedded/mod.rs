//! Scenes by name: the sources' experiments with the sources' parameters, and a few of ours.

mod asteroids;
mod cage;
mod car_game;
mod cars;
mod city;
mod icollide;
mod nested;
mod pile;
mod qcollide;
mod tetra_flakes;
mod tumble;

use std::fmt;

use crate::error::excerpt;
use crate::spec::Arguments;
use crate::{Kind, Parameter, Scene, ShapeError};

/// The scene that a run shows when nobody names one.
pub const DEFAULT_SCENE: &str = "cage";

/// Makes an embedded scene by name, with parameters as for shapes: `cage?objects=50&faces=500`.
///
/// What is not given has its default: the value of the source. `seed` and `frames` every scene
/// has.
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
/// The name or a parameter is unknown, a parameter is given twice, or its value is none it can
/// have. What a shape refuses shows when the scene begins.
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

/// A scene that [`embedded`] can make. Its `Display` is its name with all defaults.
#[derive(Clone, Copy, Debug)]
pub struct EmbeddedScene {
    /// The name.
    pub name: &'static str,
    /// What it shows, in a line.
    pub about: &'static str,
    /// Where its parameters come from.
    pub source: &'static str,
    /// What can be asked of it, besides `seed` and `frames`.
    pub parameters: &'static [Parameter],
    /// How many frames it has unless told otherwise.
    pub frames: usize,
    build: fn(&Arguments, &mut Scene),
}

impl EmbeddedScene {
    fn make(&self, text: &str) -> Result<Scene, ShapeError> {
        let parameters = self.all_parameters();
        let given = Arguments::parse_for(self.name, &parameters, text)?;
        let mut scene = Scene::new(self.name);
        self.about.clone_into(&mut scene.about);
        scene.seed = given.seed(&SEED);
        scene.frames = self.frames;
        (self.build)(&given, &mut scene);
        // A scene may have set how many its motion takes.
        let frames = frames(self.frames);
        if given.has(&frames) {
            scene.frames = given.count(&frames);
        }
        Ok(scene)
    }

    /// What can be asked of it.
    #[must_use]
    pub fn all_parameters(&self) -> Vec<Parameter> {
        [self.parameters, &[frames(self.frames), SEED]].concat()
    }
}

impl fmt::Display for EmbeddedScene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        for (i, parameter) in self.all_parameters().iter().enumerate() {
            let before = if i == 0 { '?' } else { '&' };
            write!(f, "{before}{}={}", parameter.name, parameter.default_text())?;
        }
        Ok(())
    }
}

/// Why an embedded scene was not made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EmbeddedError {
    /// No scene has this name.
    #[error("scene `{found}` is unknown, expected one of: {expected}")]
    UnknownScene {
        /// The name found.
        found: String,
        /// The names there are.
        expected: String,
    },
    /// A parameter is wrong.
    #[error("scene `{scene}`: {}", told(.error))]
    Parameter {
        /// The scene.
        scene: &'static str,
        /// What is wrong.
        error: ShapeError,
    },
}

/// The message of an error, without the words that would call the scene a shape.
fn told(error: &ShapeError) -> String {
    match error {
        ShapeError::UnknownParameter { found, expected, .. } => {
            format!("there is no parameter `{found}`, expected {expected}")
        }
        ShapeError::NotAParameter { found, expected, .. } => {
            format!("found `{found}`, expected name=value with a name out of {expected}")
        }
        ShapeError::Repeated { parameter, .. } => {
            format!("parameter `{parameter}` is given twice, expected once")
        }
        other => other.to_string(),
    }
}

const SEED: Parameter =
    Parameter { name: "seed", about: "chooses the random numbers", kind: Kind::Seed };

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
    Parameter::number(
        "rotation",
        "how far a body turns in a frame, in degrees",
        [default, 0.0, 1e6],
    )
}

const fn density(default: f64) -> Parameter {
    let about = "how much of the cage the bodies fill, in percent";
    Parameter::number("density", about, [default, 1e-9, 30.0])
}

static SCENES: [EmbeddedScene; 11] = [
    asteroids::SCENE,
    cage::SCENE,
    car_game::SCENE,
    cars::SCENE,
    city::SCENE,
    icollide::SCENE,
    pile::SCENE,
    qcollide::SCENE,
    nested::SCENE,
    tetra_flakes::SCENE,
    tumble::SCENE,
];

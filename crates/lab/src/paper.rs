//! Experiments of the sources, repeated: `xcollide compare --paper NAME`.
//!
//! Each experiment is set up as its source says, runs on the harness of [`compare`](crate::compare),
//! and gives sheets in which the published figures stand beside ours. Machines are thirty years
//! apart, so what can be compared are ratios, thresholds, orders and counts; times are there for the
//! record. Where a source leaves something open, the experiment says what was taken for it.

mod box_tree_thresholds;
mod car_drive;
mod command;
mod flying_boxes;
mod grid;
mod multibody;
mod octree;
mod perceptron;
mod polytopes;
mod registered;
mod searching_steps;
mod sheet;
mod tumble;

pub(crate) use command::run;
pub use sheet::{Cell, Published, Row, Sheet};

use xcollide_scenes::{NoFiles, Scene};

use crate::compare::{CompareError, Comparison, Motion, Outcome};
use xcollide::narrow::Semantics;

/// An experiment of a source.
///
/// ```no_run
/// use xcollide_lab::paper::{Effort, experiment};
///
/// let table = experiment("daneu-table-2").ok_or("no such experiment")?;
/// for sheet in table.run(&Effort::default(), &mut |_| ())? {
///     println!("{sheet}");
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Experiment {
    /// The name that `--paper` takes.
    pub name: &'static str,
    /// What is looked at.
    pub about: &'static str,
    /// The paper and section.
    pub source: &'static str,
    run: Run,
}

/// Repeats an experiment, and tells what is being done.
type Run = fn(&Effort, &mut dyn FnMut(&str)) -> Result<Vec<Sheet>, CompareError>;

/// How much is spent on an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Effort {
    /// How many frames are looked at; each experiment has a default, by which it takes seconds.
    pub frames: Option<usize>,
    /// How often they are timed.
    pub rounds: usize,
    /// At most so many bodies where there are hundreds: not the source's world any more, only
    /// the experiment on a smaller one. `None`: as many as the source has.
    pub objects: Option<usize>,
}

impl Default for Effort {
    fn default() -> Self {
        Self { frames: None, rounds: 3, objects: None }
    }
}

impl Effort {
    /// Enough to see what an experiment gives, not for its figures: six frames, timed once, of at most
    /// forty bodies.
    #[must_use]
    pub fn quick() -> Self {
        Self { frames: Some(6), rounds: 1, objects: Some(40) }
    }

    /// The same effort with so many frames.
    #[must_use]
    pub fn frames(self, frames: usize) -> Self {
        Self { frames: Some(frames), ..self }
    }

    /// The same effort with so many rounds.
    #[must_use]
    pub fn rounds(self, rounds: usize) -> Self {
        Self { rounds, ..self }
    }

    /// How many bodies of those that the source has.
    #[must_use]
    pub fn objects_of(&self, source: usize) -> usize {
        self.objects.map_or(source, |most| most.min(source))
    }

    /// How many frames, where nobody says otherwise.
    #[must_use]
    pub fn frames_or(&self, default: usize) -> usize {
        self.frames.unwrap_or(default)
    }
}

impl Experiment {
    /// Repeats it. `stage` is told what is being done.
    ///
    /// # Errors
    /// Algorithms disagree, or one fails.
    pub fn run(
        &self,
        effort: &Effort,
        stage: &mut dyn FnMut(&str),
    ) -> Result<Vec<Sheet>, CompareError> {
        (self.run)(effort, stage)
    }
}

/// All experiments, by source.
#[must_use]
pub fn experiments() -> &'static [Experiment] {
    &[
        perceptron::ERRORS,
        box_tree_thresholds::EXPERIMENT,
        octree::EXPERIMENT,
        grid::EXPERIMENT,
        grid::EXACT,
        grid::PIPELINE,
        tumble::EXPERIMENT,
        searching_steps::APART,
        searching_steps::ALL,
        searching_steps::MOST,
        polytopes::VELOCITY_20,
        polytopes::VELOCITY_500,
        polytopes::ROTATION_20,
        polytopes::ROTATION_500,
        polytopes::DENSITY_20,
        polytopes::DENSITY_500,
        multibody::NUMBER,
        multibody::FACES,
        multibody::DENSITY,
        multibody::ROTATION,
        multibody::PARTS_DYNAMIC,
        multibody::PARTS_FIXED,
        car_drive::CARS,
        car_drive::SPHERES,
    ]
}

/// The experiment of a name.
#[must_use]
pub fn experiment(name: &str) -> Option<&'static Experiment> {
    experiments().iter().find(|experiment| experiment.name == name)
}

/// A scene, played by all.
fn played(
    scene: &Scene,
    semantics: Semantics,
    comparison: &Comparison,
) -> Result<(Motion, Outcome), CompareError> {
    let motion = Motion::record_as(semantics, scene, &mut NoFiles, |_| ())?;
    let outcome = comparison.run(&motion, |_| ())?;
    Ok((motion, outcome))
}

/// An embedded scene with so many frames.
fn scene(asked: &str, frames: usize) -> Result<Scene, CompareError> {
    let mut scene = xcollide_scenes::embedded(asked).map_err(|error| CompareError::Scene {
        scene: asked.to_owned(),
        problem: error.to_string(),
    })?;
    scene.frames = frames;
    Ok(scene)
}

/// A problem of a scene's meshes or of what is made of them.
fn unusable(scene: &str, problem: impl std::fmt::Display) -> CompareError {
    CompareError::Scene { scene: scene.to_owned(), problem: problem.to_string() }
}

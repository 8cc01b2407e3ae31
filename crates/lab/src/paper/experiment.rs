//! An experiment, and what experiments share.

use serde::Serialize;
use xcollide::narrow::Semantics;
use xcollide_scenes::{NoFiles, Scene};

use super::FigureTable;
use super::finding::listed;
use crate::compare::{Algorithm, CompareError, Comparison, Figures, Motion, Outcome};

/// An experiment of a source.
///
/// ```no_run
/// use xcollide_lab::paper::{Effort, experiment};
///
/// let table = experiment("daneu-table-2").ok_or("no such experiment")?;
/// for table in table.run(&Effort::default(), &mut |_| ())? {
///     println!("{table}");
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct Experiment {
    /// The name for `--paper`.
    #[serde(rename = "paper")]
    pub name: &'static str,
    /// Its subject.
    pub about: &'static str,
    /// The paper and section.
    pub source: &'static str,
    #[serde(skip)]
    pub(super) run: fn(&Effort, Stage<'_>) -> Tables,
}

/// Called with a description of each stage.
pub(super) type Stage<'a> = &'a mut dyn FnMut(&str);

pub(super) type Tables = Result<Vec<FigureTable>, CompareError>;

/// How much an experiment measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Effort {
    /// Number of frames; by default each experiment takes seconds.
    pub frames: Option<usize>,
    /// Number of timed rounds.
    pub rounds: usize,
    /// The most bodies in a scene, which then differs from the source's; `None` for the source's
    /// number.
    pub objects: Option<usize>,
}

impl Default for Effort {
    fn default() -> Self {
        Self { frames: None, rounds: 3, objects: None }
    }
}

impl Effort {
    /// A quick look, not for figures: six frames, timed once, at most forty bodies.
    #[must_use]
    pub fn quick() -> Self {
        Self { frames: Some(6), rounds: 1, objects: Some(40) }
    }

    /// Sets the number of frames.
    #[must_use]
    pub fn frames(self, frames: usize) -> Self {
        Self { frames: Some(frames), ..self }
    }

    pub(super) fn objects_of(&self, source: usize) -> usize {
        self.objects.map_or(source, |most| most.min(source))
    }

    pub(super) fn frames_or(&self, default: usize) -> usize {
        self.frames.unwrap_or(default)
    }
}

impl Experiment {
    /// Runs the experiment. Calls `stage` with a description of each stage.
    ///
    /// # Errors
    /// Algorithms disagree, or one fails.
    pub fn run(
        &self,
        effort: &Effort,
        stage: &mut dyn FnMut(&str),
    ) -> Result<Vec<FigureTable>, CompareError> {
        (self.run)(effort, stage)
    }
}

/// Adds registry algorithms by name: broad phases, narrow phases, bounds.
pub(super) fn with_registered(
    mut comparison: Comparison,
    [broad, narrow, bounds]: [&[&str]; 3],
) -> Result<Comparison, CompareError> {
    for name in broad {
        comparison = comparison.broad(known(name, Algorithm::broad_phase(name))?);
    }
    for name in narrow {
        comparison = comparison.narrow(known(name, Algorithm::narrow_phase(name))?);
    }
    for name in bounds {
        comparison = comparison.bounds(known(name, Algorithm::bounding(name))?);
    }
    Ok(comparison)
}

fn known<T>(name: &str, algorithm: Option<T>) -> Result<T, CompareError> {
    algorithm.ok_or_else(|| unusable(name, "there is no such algorithm"))
}

pub(super) fn collisions(motion: &Motion) -> f64 {
    let all: usize = (0..motion.frames()).map(|frame| motion.colliding(frame).len()).sum();
    all as f64 / motion.frames() as f64
}

/// Records a scene and plays it with all combinations.
pub(super) fn played(
    scene: &Scene,
    semantics: Semantics,
    comparison: &Comparison,
) -> Result<(Motion, Outcome), CompareError> {
    let motion = Motion::record_as(semantics, scene, &mut NoFiles, |_| ())?;
    let outcome = comparison.run(&motion, |_| ())?;
    Ok((motion, outcome))
}

/// What a test of each algorithm takes, for reasons: tests of boxes, and of primitives. The same on every machine.
pub(super) fn counts_of_a_test(outcome: &Outcome) -> String {
    let of = |count: fn(&Figures) -> u64| {
        let all = outcome.figures.iter();
        listed(all.map(|one| count(one) as f64 / one.tested.max(1) as f64))
    };
    let (boxes, primitives) = (of(|one| one.volume_tests), of(|one| one.primitive_tests));
    format!(
        "a test takes {boxes} tests of boxes and {primitives} of primitives, in the order of the table"
    )
}

pub(super) fn scene(spec: &str, frames: usize) -> Result<Scene, CompareError> {
    let mut scene = xcollide_scenes::embedded(spec).map_err(|error| unusable(spec, error))?;
    scene.frames = frames;
    Ok(scene)
}

pub(super) fn unusable(scene: &str, problem: impl std::fmt::Display) -> CompareError {
    CompareError::Scene { scene: scene.to_owned(), problem: problem.to_string() }
}

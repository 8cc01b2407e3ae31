//! Plays several combinations on one motion, in turns.
//!
//! The speed of a shared machine varies. All combinations therefore play a piece of the motion, then
//! the next one, in rotating order, and the whole motion is played several times. Disturbances affect
//! all alike, and medians remove them.

use std::fmt;

use serde::Serialize;
use xcollide::bounding::{AxisAligned, Bounding};
use xcollide::broad::BroadPhase;
use xcollide::execution::Execution;
use xcollide::narrow::NarrowPhase;

use super::combination::by_layer;
use super::disagreement::Disagreement;
use super::figures::{Figures, Score};
use super::player::Player;
use super::{Algorithm, Build, Combination, CompareError, Motion};
use crate::output::nanoseconds;

/// The algorithms to compare and the number of rounds.
///
/// Plays all combinations of the added algorithms. The defaults of layers without any are `auto`,
/// `auto`, `axis-aligned`, `serial` and the algorithms' own builders.
///
/// ```
/// use xcollide_lab::compare::{Algorithm, Comparison, Motion};
/// use xcollide_scenes::{NoFiles, embedded};
///
/// let scene = embedded("cage?objects=4&faces=50&side=3&frames=20")?;
/// let motion = Motion::record(&scene, &mut NoFiles, |_| ())?;
/// let mut comparison = Comparison::new().rounds(2);
/// for name in ["wide-obb", "box-tree"] {
///     comparison = comparison.narrow(Algorithm::narrow_phase(name).ok_or(name)?);
/// }
/// let outcome = comparison.run(&motion, |_| ())?;
/// for figures in &outcome.figures {
///     println!("{}: {} µs a frame", figures.names[1], figures.median_ns / 1e3);
/// }
/// assert_eq!(outcome.figures.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Comparison {
    broad: Vec<Algorithm<dyn BroadPhase>>,
    narrow: Vec<Algorithm<dyn NarrowPhase>>,
    bounds: Vec<Algorithm<dyn Bounding>>,
    execution: Vec<Algorithm<dyn Execution>>,
    build: Vec<Build>,
    rounds: Option<usize>,
}

/// The results on one motion.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Outcome {
    /// The figures, in the order of the combinations.
    pub figures: Vec<Figures>,
    /// Combinations that do not accept the scene or the builder.
    pub left_out: Vec<LeftOut>,
}

/// A combination that cannot play the scene.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LeftOut {
    /// The names of broad phase, narrow phase, bounds, execution and builder.
    #[serde(flatten, serialize_with = "by_layer")]
    pub names: [String; 5],
    /// The reason, as text.
    #[serde(rename = "left_out")]
    pub why: String,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Combination::words(self.names.each_ref().map(String::as_str));
        write!(f, "{names} is left out: {}", self.why)
    }
}

impl Comparison {
    /// Only defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a broad phase.
    pub fn broad(mut self, algorithm: Algorithm<dyn BroadPhase>) -> Self {
        self.broad.push(algorithm);
        self
    }

    /// Adds a narrow phase.
    pub fn narrow(mut self, algorithm: Algorithm<dyn NarrowPhase>) -> Self {
        self.narrow.push(algorithm);
        self
    }

    /// Adds a bounding strategy.
    pub fn bounds(mut self, algorithm: Algorithm<dyn Bounding>) -> Self {
        self.bounds.push(algorithm);
        self
    }

    /// Adds an execution mode.
    pub fn execution(mut self, algorithm: Algorithm<dyn Execution>) -> Self {
        self.execution.push(algorithm);
        self
    }

    /// Adds a builder of hierarchies. Narrow phases that cannot use it are [left
    /// out](Outcome::left_out).
    pub fn build(mut self, build: Build) -> Self {
        self.build.push(build);
        self
    }

    /// Sets the number of timed rounds, at least one; by default there are five.
    pub fn rounds(self, rounds: usize) -> Self {
        Self { rounds: Some(rounds.max(1)), ..self }
    }

    /// All combinations.
    #[must_use]
    pub fn combinations(&self) -> Vec<Combination> {
        let broad = or_default(&self.broad, || Algorithm::broad_phase("auto"));
        let narrow = or_default(&self.narrow, || Algorithm::narrow_phase("auto"));
        let bounds = or_default(&self.bounds, || Algorithm::bounding("axis-aligned"));
        let execution = or_default(&self.execution, || Algorithm::execution("serial", 0));
        let own = [Build::default()];
        let builds = if self.build.is_empty() { &own[..] } else { &self.build };
        let mut all = Vec::new();
        for broad in &broad {
            for narrow in &narrow {
                for bounds in &bounds {
                    for execution in &execution {
                        all.extend(builds.iter().map(|build| Combination {
                            broad: broad.clone(),
                            narrow: narrow.clone(),
                            bounds: bounds.clone(),
                            execution: execution.clone(),
                            build: build.clone(),
                        }));
                    }
                }
            }
        }
        all
    }

    /// The bounding strategy that was added first, else the default.
    pub(super) fn first_bounds(&self) -> Algorithm<dyn Bounding> {
        let default = || Algorithm::new("axis-aligned", || Box::new(AxisAligned) as _);
        self.bounds.first().cloned().unwrap_or_else(default)
    }

    /// Plays the motion once to warm up and to count work, then in timed rounds. Compares the
    /// answers of every frame with the recorded ones. Calls `seen` with the number of frames played
    /// so far, over all combinations and rounds.
    ///
    /// # Errors
    /// Combinations disagree, or one fails. A combination that is [left out](Outcome::left_out) is
    /// not an error.
    pub fn run(
        &self,
        motion: &Motion,
        mut seen: impl FnMut(usize),
    ) -> Result<Outcome, CompareError> {
        let combinations = self.combinations();
        let mut outcome = Outcome::default();
        let mut players = Vec::new();
        for combination in &combinations {
            match Player::new(combination, motion) {
                Ok(player) => players.push((player, Score::default())),
                Err(why) => {
                    let names = combination.names().map(str::to_owned);
                    outcome.left_out.push(LeftOut { names, why });
                }
            }
        }
        let mut done = 0;
        let mut piece = 1;
        for round in 0..=self.rounds.unwrap_or(5) {
            if round > 0 {
                for (player, _) in &mut players {
                    player.rewind(false).map_err(|problem| CompareError::Failed {
                        combination: player.combination.in_words(),
                        frame: 0,
                        problem,
                    })?;
                }
            }
            for start in (0..motion.frames()).step_by(piece) {
                let end = (start + piece).min(motion.frames());
                let count = players.len();
                // The first player of a piece starts with cold caches, so the order rotates.
                for turn in 0..count {
                    let (player, score) = &mut players[(turn + round + start / piece) % count];
                    for frame in start..end {
                        play(motion, player, score, [round, frame])?;
                    }
                    done += end - start;
                    seen(done);
                }
                if round == 0 {
                    candidates_agree(motion, &players, start)?;
                }
            }
            if round == 0 {
                piece = piece_for(&players);
                for (_, score) in &mut players {
                    score.times.clear();
                }
            }
        }
        for (player, score) in players {
            let mut figures = score.figures(player.combination.names());
            figures.prepared_bytes = player.prepared_bytes();
            figures.build_ns = nanoseconds(player.build);
            (figures.broad_bytes, figures.choice) = player.broad_phase();
            outcome.figures.push(figures);
        }
        Ok(outcome)
    }
}

fn or_default<T: ?Sized>(
    some: &[Algorithm<T>],
    default: impl FnOnce() -> Option<Algorithm<T>>,
) -> Vec<Algorithm<T>> {
    if some.is_empty() { default().into_iter().collect() } else { some.to_vec() }
}

fn play(
    motion: &Motion,
    player: &mut Player<'_>,
    score: &mut Score,
    [round, frame]: [usize; 2],
) -> Result<(), CompareError> {
    let time = player.play(frame)?;
    if frame == 0 {
        score.times.push(Vec::with_capacity(motion.frames()));
    }
    if let Some(times) = score.times.last_mut() {
        times.push(time);
    }
    if round == 0 {
        score.work.push(player.work());
    }
    match player.contradiction(motion.colliding(frame)) {
        None => Ok(()),
        Some(contradiction) => Err(CompareError::Disagreement(Box::new(Disagreement::of_pair(
            motion,
            frame,
            player.combination,
            contradiction,
        )))),
    }
}

/// Checks that broad phases with the same bounds and volumes find equally many pairs. (Volumes
/// tighter than boxes may give fewer. A wrong pair shows in the collisions.)
fn candidates_agree(
    motion: &Motion,
    players: &[(Player<'_>, Score)],
    frame: usize,
) -> Result<(), CompareError> {
    let mut known = Vec::new();
    for (player, score) in players {
        let volumes = (player.combination.bounds.name(), player.volume);
        let found = score.work[frame].pairs;
        match known.iter().find(|(known, _)| *known == volumes) {
            None => known.push((volumes, found)),
            Some(&(_, expected)) if expected == found => {}
            Some(&(_, expected)) => {
                let numbers = [found, expected].map(|number| number as usize);
                let combination = player.combination;
                let found = Disagreement::of_candidates(motion, frame, combination, numbers);
                return Err(CompareError::Disagreement(Box::new(found)));
            }
        }
    }
    Ok(())
}

/// The number of frames that a player plays in a row: enough that the fastest is not dominated by
/// loading its models, few enough that disturbances affect all alike.
fn piece_for(players: &[(Player<'_>, Score)]) -> usize {
    const ENOUGH: f64 = 1e6;
    let mean = |score: &Score| {
        let times = score.times.iter().flatten().map(|time| time.whole as f64);
        times.sum::<f64>() / score.work.len().max(1) as f64
    };
    let fastest = players.iter().map(|(_, score)| mean(score)).fold(f64::INFINITY, f64::min);
    if fastest.is_finite() {
        ((ENOUGH / fastest.max(1.0)).ceil() as usize).clamp(1, 1000)
    } else {
        1
    }
}

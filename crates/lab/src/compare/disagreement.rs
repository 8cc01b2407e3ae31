//! A contradiction between algorithms, with a scene that reproduces it.

use std::fmt;

use xcollide::narrow::mesh::BruteForce;
use xcollide::narrow::{Model, NarrowPhase, PairCache, Placed, Query};
use xcollide::registry::{self, Kind};
use xcollide_scenes::{Phases, Scene};

use super::player::{Contradiction, Player};
use super::{Build, Combination, Motion};

/// A contradiction between a combination and the others.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Disagreement {
    /// The scene.
    pub scene: String,
    /// The frame of the scene.
    pub frame: usize,
    /// The combination, as text.
    pub combination: String,
    /// The claim.
    pub claim: Claim,
    /// A scene of the objects concerned: standing still at their exact poses if that reproduces the
    /// claim, else moving as recorded.
    pub reduced: Scene,
    /// Whether `reduced` reproduces it.
    pub reproduced: bool,
}

/// The disputed fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Claim {
    /// Whether a pair collides.
    Pair {
        /// The two instances of the scene.
        objects: [u32; 2],
        /// Whether the combination says that they collide; the default algorithms say the opposite.
        collides: bool,
        /// The answer of brute force over all triangles.
        referee: Option<bool>,
    },
    /// The number of overlapping boxes, from the same boxes.
    Candidates {
        /// By the combination.
        found: usize,
        /// By another one.
        expected: usize,
    },
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |collides: bool| if collides { "collide" } else { "are apart" };
        write!(f, "{}, frame {}: {} ", self.scene, self.frame, self.combination)?;
        match self.claim {
            Claim::Pair { objects: [a, b], collides, referee } => {
                let (said, others) = (word(collides), word(!collides));
                write!(f, "says that objects {a} and {b} {said}, others that they {others}")?;
                match referee {
                    Some(right) => write!(f, "; brute force says that they {}", word(right)),
                    None => Ok(()),
                }
            }
            Claim::Candidates { found, expected } => {
                write!(f, "finds {found} pairs of boxes, others {expected} of the same boxes")
            }
        }
    }
}

impl Disagreement {
    pub(super) fn of_pair(
        motion: &Motion,
        frame: usize,
        combination: &Combination,
        contradiction: Contradiction,
    ) -> Self {
        let Contradiction { pair, collides } = contradiction;
        let both = pair.map(|index| index as usize);
        let reduced = [motion.still(frame, &both), motion.until(frame, &both)].map(|mut scene| {
            scene.phases = phases(combination);
            scene
        });
        let shown = reduced.iter().position(|scene| shows(motion, scene, combination, collides));
        let [still, until] = reduced;
        Self {
            scene: motion.scene().name.clone(),
            frame,
            combination: combination.in_words(),
            claim: Claim::Pair { objects: pair, collides, referee: referee(motion, frame, both) },
            reduced: if shown == Some(0) { still } else { until },
            reproduced: shown.is_some(),
        }
    }

    /// A disputed number of candidates; the scene has all objects.
    pub(super) fn of_candidates(
        motion: &Motion,
        frame: usize,
        combination: &Combination,
        [found, expected]: [usize; 2],
    ) -> Self {
        let all: Vec<usize> = (0..motion.simulation().instances().len()).collect();
        let mut reduced = motion.still(frame, &all);
        reduced.phases = phases(combination);
        Self {
            scene: motion.scene().name.clone(),
            frame,
            combination: combination.in_words(),
            claim: Claim::Candidates { found, expected },
            reduced,
            reproduced: false,
        }
    }
}

/// The combination's algorithms, without those that are not in the registry.
fn phases(combination: &Combination) -> Phases {
    let known = |kind: Kind, name: &str| registry::find(kind, name).map(|entry| entry.name.into());
    let [broad, narrow, bounds, execution, build] = combination.names();
    let mut phases = Phases::default();
    phases.broad = known(Kind::Broad, broad);
    phases.narrow = known(Kind::Narrow, narrow);
    phases.bounds = known(Kind::Bounds, bounds);
    phases.execution = known(Kind::Execution, execution);
    phases.build = known(Kind::Build, build).filter(|build| build != Build::DEFAULT);
    phases
}

/// Whether the combination makes the same claim in the last frame of a reduced scene. False for
/// scenes with files, which only the caller can read.
fn shows(whole: &Motion, scene: &Scene, combination: &Combination, collides: bool) -> bool {
    let semantics = whole.semantics();
    let Ok(motion) = Motion::record_as(semantics, scene, &mut xcollide_scenes::NoFiles, |_| ())
    else {
        return false;
    };
    let Ok(mut player) = Player::new(combination, &motion) else { return false };
    let played = (0..motion.frames()).try_for_each(|frame| player.play(frame).map(|_| ()));
    let expected: &[[u32; 2]] = if collides { &[] } else { &[[0, 1]] };
    played.is_ok() && player.contradiction(expected).is_some()
}

fn referee(motion: &Motion, frame: usize, pair: [usize; 2]) -> Option<bool> {
    let simulation = motion.simulation();
    let model = |index: usize| {
        let mesh = &simulation.meshes()[simulation.instances()[index].mesh];
        Model::from_mesh(mesh.clone()).ok()
    };
    let (a, b) = (model(pair[0])?, model(pair[1])?);
    let query = Query::new().semantics(motion.semantics());
    let poses = pair.map(|index| motion.pose(frame, index).pose());
    let a = Placed::new(&a, &poses[0]).ok()?;
    let b = Placed::new(&b, &poses[1]).ok()?;
    BruteForce.test(a, b, &query, &mut PairCache::new()).decided()
}

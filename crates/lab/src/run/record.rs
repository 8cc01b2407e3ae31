//! The output of a run, as JSON or text.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use xcollide::narrow::Feature;
use xcollide::{FrameStats, StageTimes};
use xcollide_scenes::Scene;

use super::detector::Layers;
use super::flexible::FlexibleFrame;
use super::frame_totals::FrameTotals;
use super::scene_world::{Lists, SceneWorld};
use crate::meetings::{MeetingLog, PairContact};
use crate::options::RunOptions;
use crate::output::{count, nanoseconds, time};
use crate::witness::WitnessRecord;

/// The stages of a frame: setting poses, bounding moved objects, finding pairs of boxes, testing them.
pub(super) const STAGES: [&str; 4] = ["pose", "bounds", "broad", "narrow"];

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StageNs(pub(crate) [u64; 4]);

impl From<&StageTimes> for StageNs {
    fn from(times: &StageTimes) -> Self {
        Self([times.pose, times.bounds, times.broad, times.narrow].map(nanoseconds))
    }
}

impl Serialize for StageNs {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(STAGES.into_iter().zip(self.0))
    }
}

/// The output for a frame.
#[derive(Serialize)]
pub(super) struct FrameRecord<'a> {
    pub(super) frame: usize,
    #[serde(flatten)]
    pub(super) lists: &'a Lists,
    /// Under a limit that assumes contacts: the pairs that were not tested in time, ordered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) assumed: Option<Vec<[u32; 2]>>,
    /// With `--distance`: two objects and their distance, ordered by pair.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) distances: Option<Vec<(u32, u32, f64)>>,
    /// Of a continuous scene: two objects that touch on their way from the last frame to this, and when at the
    /// earliest and at the latest, in parts of the time between the frames; ordered by pair.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) times: Option<Vec<(u32, u32, f64, f64)>>,
    /// Pairs without an answer: two objects, and how far apart they are at most, or null; ordered by pair.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) undecided: Vec<(u32, u32, Option<f64>)>,
    /// Whether the tests were approximate.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) approximate: bool,
    /// Wanted pairs with overlapping boxes.
    pub(super) pairs: usize,
    /// With `--names`, `--witness`, `--contacts`.
    #[serde(flatten)]
    pub(super) details: Details,
    /// Of a scene with flexible objects.
    #[serde(flatten)]
    pub(super) flexible: Option<FlexibleFrame>,
    pub(super) ns: StageNs,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stats: Option<Work>,
}

/// What a frame has on request.
#[derive(Default, Serialize)]
pub(super) struct Details {
    /// The names of the objects in the lists, by number.
    #[serde(skip_serializing_if = "Option::is_none")]
    names: Option<BTreeMap<u32, String>>,
    /// Why the current collisions are some, ordered by pair.
    #[serde(skip_serializing_if = "Option::is_none")]
    witnesses: Option<Vec<PairWitness>>,
    /// The faces that meet, ordered by pair.
    #[serde(skip_serializing_if = "Option::is_none")]
    contacts: Option<Vec<PairContacts>>,
}

#[derive(Serialize)]
struct PairWitness {
    pair: [u32; 2],
    witness: WitnessRecord,
}

#[derive(Serialize)]
struct PairContacts {
    pair: [u32; 2],
    faces: Vec<[u32; 2]>,
}

impl Details {
    /// Those that the options ask for; `names` are those of all objects.
    pub(super) fn new(options: &RunOptions, staged: &SceneWorld, names: &[String]) -> Self {
        let lists = staged.lists();
        let named = || {
            let numbers = lists.colliding().chain(lists.ended.iter().copied()).flatten();
            numbers
                .filter_map(|number| Some((number, names.get(number as usize)?.clone())))
                .collect()
        };
        let witness = |(pair, collision)| {
            let PairContact { features, point, .. } = PairContact::of_collision(pair, collision);
            let [a, b] = features.unwrap_or([Feature::Body; 2]);
            PairWitness { pair, witness: WitnessRecord::new(a, b, point) }
        };
        let contacts = |(pair, collision)| {
            let mut faces: Vec<[u32; 2]> = staged
                .found()
                .contacts(collision)
                .iter()
                .map(|contact| contact.faces.map(|face| face.0))
                .collect();
            faces.sort_unstable();
            faces.dedup();
            PairContacts { pair, faces }
        };
        Self {
            names: options.names.then(named),
            witnesses: options.witness.then(|| staged.collisions().map(witness).collect()),
            contacts: options.contacts.map(|_| staged.collisions().map(contacts).collect()),
        }
    }
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Work {
    /// Wanted pairs with overlapping boxes.
    #[serde(skip)]
    pub(crate) pairs: u64,
    pub(crate) moved: u64,
    pub(crate) tested: u64,
    pub(crate) undecided: u64,
    pub(crate) box_tests: u64,
    pub(crate) exchanges: u64,
    pub(crate) moves: u64,
    pub(crate) volume_tests: u64,
    pub(crate) primitive_tests: u64,
    pub(crate) probes: u64,
    pub(crate) fallbacks: u64,
    #[serde(skip)]
    pub(crate) handed_over: u64,
}

impl Work {
    pub(crate) fn new(stats: &FrameStats, undecided: usize) -> Self {
        let FrameStats { broad, narrow, .. } = stats;
        Self {
            pairs: stats.pairs as u64,
            moved: stats.moved as u64,
            tested: stats.tested as u64,
            undecided: undecided as u64,
            box_tests: broad.tests,
            exchanges: broad.exchanges,
            moves: broad.moves,
            volume_tests: narrow.volume_tests,
            primitive_tests: narrow.primitive_tests,
            probes: narrow.probes,
            fallbacks: narrow.fallbacks,
            handed_over: narrow.handed_over,
        }
    }

    #[must_use]
    pub(crate) fn plus(self, other: &Self) -> Self {
        Self {
            pairs: self.pairs + other.pairs,
            moved: self.moved + other.moved,
            tested: self.tested + other.tested,
            undecided: self.undecided + other.undecided,
            box_tests: self.box_tests + other.box_tests,
            exchanges: self.exchanges + other.exchanges,
            moves: self.moves + other.moves,
            volume_tests: self.volume_tests + other.volume_tests,
            primitive_tests: self.primitive_tests + other.primitive_tests,
            probes: self.probes + other.probes,
            fallbacks: self.fallbacks + other.fallbacks,
            handed_over: self.handed_over + other.handed_over,
        }
    }

    pub(super) fn counts(self) -> [(&'static str, u64); 9] {
        [
            ("moves of objects", self.moved),
            ("tests of the broad phase", self.box_tests),
            ("exchanges of the broad phase", self.exchanges),
            ("moves of the broad phase", self.moves),
            ("pairs tested", self.tested),
            ("tests of volumes", self.volume_tests),
            ("tests of primitives", self.primitive_tests),
            ("directions searched", self.probes),
            ("exact fallbacks", self.fallbacks),
        ]
    }

    fn in_words(&self) -> String {
        let Self { moved, tested, box_tests, exchanges, moves, .. } = self;
        let Self { volume_tests, primitive_tests, probes, fallbacks, .. } = self;
        format!(
            "{moved} moves of objects; {box_tests} tests, {exchanges} exchanges, {moves} moves of \
             the broad phase; {tested} pairs tested, {volume_tests} tests of volumes, \
             {primitive_tests} of primitives, {probes} directions searched, {fallbacks} exact \
             fallbacks"
        )
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// Consecutive objects with one name: the instances of one object of the scene.
#[derive(Serialize)]
struct Named<'a> {
    name: &'a str,
    /// The number of the first.
    first: usize,
    count: usize,
}

fn named(scene: &Scene) -> Vec<Named<'_>> {
    let mut first = 0;
    let all = scene.objects.iter().map(|object| {
        let named = Named { name: &object.name, first, count: object.count };
        first += object.count;
        named
    });
    all.filter(|named| !named.name.is_empty()).collect()
}

#[derive(Serialize)]
pub(super) struct Summary<'a> {
    scene: &'a str,
    seed: u64,
    frames: usize,
    objects: usize,
    #[serde(rename = "static")]
    fixed: usize,
    /// Objects that found no free place to begin.
    crowded: usize,
    meshes: usize,
    faces: usize,
    #[serde(flatten)]
    pub(super) layers: Layers,
    pub(super) threads: usize,
    /// Whether objects are tested on their way from frame to frame.
    continuous: bool,
    /// Sums over all frames.
    pairs: usize,
    began: usize,
    persisting: usize,
    ended: usize,
    undecided: usize,
    /// Frames that were tested approximately.
    #[serde(skip_serializing_if = "is_zero")]
    approximate: usize,
    /// Of a scene with flexible objects.
    #[serde(flatten)]
    pub(super) flexible: Option<FlexibleFrame>,
    ns: StageNs,
    /// Time of making and preparing the objects.
    pub(super) preparing_ns: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    named: Vec<Named<'a>>,
    /// With `--stats`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stats: Option<Work>,
    /// With `--stats`: the final choice of an adaptive broad phase.
    #[serde(skip_serializing_if = "String::is_empty")]
    choice: String,
}

impl<'a> Summary<'a> {
    pub(super) fn new(
        scene: &'a Scene,
        staged: &SceneWorld,
        threads: usize,
        totals: &FrameTotals,
    ) -> Self {
        let (layers, simulation) = (staged.layers(), staged.simulation());
        let meshes = simulation.meshes();
        let instances = simulation.instances();
        let [began, persisting, ended, undecided] = totals.counts;
        let world = staged.world().filter(|_| layers.stats);
        Self {
            scene: &scene.name,
            seed: scene.seed,
            frames: totals.frames,
            objects: instances.len(),
            fixed: instances.iter().filter(|instance| instance.is_static).count(),
            crowded: simulation.crowded(),
            meshes: meshes.len(),
            faces: instances.iter().map(|instance| meshes[instance.mesh].face_count()).sum(),
            layers,
            threads,
            continuous: scene.continuous,
            pairs: totals.pairs,
            began,
            persisting,
            ended,
            undecided,
            approximate: totals.approximate,
            flexible: totals.flexible,
            ns: StageNs(totals.sum),
            preparing_ns: nanoseconds(staged.preparing),
            named: named(scene),
            stats: totals.work.filter(|_| layers.stats),
            choice: world.map_or_else(String::new, |world| world.broad_phase().choice()),
        }
    }

    pub(super) fn counts(&self) -> [(&'static str, usize); 9] {
        [
            ("frames", self.frames),
            ("objects", self.objects),
            ("of these static", self.fixed),
            ("faces of all objects", self.faces),
            ("pairs of boxes, all frames", self.pairs),
            ("collisions that began", self.began),
            ("that ended", self.ended),
            ("at the end", self.began - self.ended),
            ("tests undecided", self.undecided),
        ]
    }

    pub(super) fn in_words(
        &self,
        scene: &Scene,
        totals: &FrameTotals,
        meetings: &MeetingLog,
    ) -> String {
        let Layers { broad, narrow, bounds, execution, .. } = self.layers;
        let mut lines = vec![match &*scene.about {
            "" => scene.name.clone(),
            about => format!("{}: {about}", scene.name),
        }];
        lines.push(format!(
            "{} ({} static), {}, {}; seed {}",
            count(self.objects, "object", "objects"),
            self.fixed,
            count(self.meshes, "mesh", "meshes"),
            count(self.faces, "face", "faces"),
            self.seed,
        ));
        if self.crowded > 0 {
            let those = count(self.crowded, "object begins", "objects begin");
            lines.push(format!("{those} where there was no free place"));
        }
        lines.push(format!(
            "broad {broad}, narrow {narrow}, bounds {bounds}, execution {execution}, {}",
            count(self.threads, "thread", "threads"),
        ));
        if self.continuous {
            lines.push("tested on the whole way from frame to frame".to_owned());
        }
        lines.push(format!(
            "{}: {} of boxes, {} began, {} ended, {} at the end",
            count(self.frames, "frame", "frames"),
            count(self.pairs, "pair", "pairs"),
            count(self.began, "collision", "collisions"),
            self.ended,
            self.began - self.ended,
        ));
        if let Some(flexible) = &self.flexible {
            lines.push(flexible.in_words(self.frames));
        }
        if self.approximate > 0 {
            let frames = count(self.approximate, "frame was", "frames were");
            lines.push(format!("{frames} tested approximately, as exact tests took too long"));
        }
        if self.undecided > 0 {
            lines.push(format!("{} undecided", count(self.undecided, "test", "tests")));
        }
        lines.extend(meetings.in_words("--json or --report"));
        lines.push(totals.table());
        lines.push(format!("preparing took {}", time(self.preparing_ns)));
        lines.extend(self.stats.as_ref().map(Work::in_words));
        if !self.choice.is_empty() {
            lines.push(format!("{broad} chose {}", self.choice));
        }
        lines.join("\n")
    }
}

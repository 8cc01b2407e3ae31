//! The output of a run, as JSON or text.

use std::time::Duration;

use serde::Serialize;
use xcollide::StageTimes;
use xcollide::broad;
use xcollide::narrow::Stats;
use xcollide_scenes::Scene;

use super::frame_totals::FrameTotals;
use super::scene_world::{FrameMeasurement, Lists, SceneWorld};
use crate::output::{count, time};

/// The output for a frame. Objects are numbered through the scene; pairs have the smaller number
/// first; lists are ordered.
#[derive(Debug, Serialize)]
pub struct FrameRecord<'a> {
    frame: usize,
    began: &'a [[u32; 2]],
    persisting: &'a [[u32; 2]],
    ended: &'a [[u32; 2]],
    /// Wanted pairs with overlapping boxes.
    pairs: usize,
    ns: StageNs,
    #[serde(skip_serializing_if = "Option::is_none")]
    stats: Option<FrameWork>,
}

/// Nanoseconds by stage.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct StageNs {
    /// Setting all poses.
    pub pose: u64,
    /// Bounding moved objects.
    pub bounds: u64,
    /// Finding pairs of boxes.
    pub broad: u64,
    /// Testing pairs.
    pub narrow: u64,
}

/// Work of a frame or a run, with `--stats`.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct FrameWork {
    moved: usize,
    tested: usize,
    undecided: usize,
    box_tests: u64,
    exchanges: u64,
    moves: u64,
    volume_tests: u64,
    primitive_tests: u64,
    probes: u64,
    fallbacks: u64,
}

/// The last line of a run.
#[derive(Debug, Serialize)]
pub struct SummaryRecord<'a> {
    /// The summary.
    pub summary: &'a Summary<'a>,
}

/// Consecutive objects with one name: the instances of one object of the scene.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Named<'a> {
    name: &'a str,
    /// The number of the first.
    first: usize,
    count: usize,
}

/// The summary of a run.
#[derive(Debug, Serialize)]
pub struct Summary<'a> {
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
    broad: &'static str,
    narrow: &'static str,
    bounds: &'static str,
    execution: &'static str,
    threads: usize,
    /// Sums over all frames.
    pairs: usize,
    began: usize,
    persisting: usize,
    ended: usize,
    undecided: usize,
    /// Sums over all frames.
    ns: StageNs,
    /// Time of making and preparing the objects.
    preparing_ns: u64,
    /// The named objects.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    named: Vec<Named<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stats: Option<FrameWork>,
    /// With `--stats`: the final choice of an adaptive broad phase.
    #[serde(skip_serializing_if = "String::is_empty")]
    choice: String,
}

impl<'a> FrameRecord<'a> {
    pub(super) fn new(measured: &FrameMeasurement, lists: &'a Lists, stats: bool) -> Self {
        Self {
            frame: measured.frame,
            began: &lists.began,
            persisting: &lists.persisting,
            ended: &lists.ended,
            pairs: measured.stats.pairs,
            ns: StageNs::from(measured.times),
            stats: stats.then(|| FrameWork::from(measured)),
        }
    }
}

impl From<StageTimes> for StageNs {
    fn from(times: StageTimes) -> Self {
        let [pose, bounds, broad, narrow] =
            [times.pose, times.bounds, times.broad, times.narrow].map(nanoseconds);
        Self { pose, bounds, broad, narrow }
    }
}

pub(super) fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

impl StageNs {
    /// The stages in order.
    #[must_use]
    pub fn stages(&self) -> [u64; 4] {
        [self.pose, self.bounds, self.broad, self.narrow]
    }
}

impl From<&FrameMeasurement> for FrameWork {
    fn from(measured: &FrameMeasurement) -> Self {
        let stats = &measured.stats;
        let broad::Stats { tests, exchanges, moves, .. } = stats.broad;
        let Stats { volume_tests, primitive_tests, probes, fallbacks, .. } = stats.narrow;
        Self {
            moved: stats.moved,
            tested: stats.tested,
            undecided: measured.counts[3],
            box_tests: tests,
            exchanges,
            moves,
            volume_tests,
            primitive_tests,
            probes,
            fallbacks,
        }
    }
}

impl FrameWork {
    pub(super) fn add(&mut self, other: &Self) {
        self.moved += other.moved;
        self.tested += other.tested;
        self.undecided += other.undecided;
        self.box_tests += other.box_tests;
        self.exchanges += other.exchanges;
        self.moves += other.moves;
        self.volume_tests += other.volume_tests;
        self.primitive_tests += other.primitive_tests;
        self.probes += other.probes;
        self.fallbacks += other.fallbacks;
    }

    fn counts(self) -> [(&'static str, u64); 9] {
        [
            ("moves of objects", self.moved as u64),
            ("tests of the broad phase", self.box_tests),
            ("exchanges of the broad phase", self.exchanges),
            ("moves of the broad phase", self.moves),
            ("pairs tested", self.tested as u64),
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

/// The named objects of a scene, by instance numbers.
fn named(scene: &Scene) -> Vec<Named<'_>> {
    let mut first = 0;
    let all = scene.objects.iter().map(|object| {
        let named = Named { name: &object.name, first, count: object.count };
        first += object.count;
        named
    });
    all.filter(|named| !named.name.is_empty()).collect()
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
        Self {
            scene: &scene.name,
            seed: scene.seed,
            frames: totals.frames,
            objects: instances.len(),
            fixed: instances.iter().filter(|instance| instance.is_static).count(),
            crowded: simulation.crowded(),
            meshes: meshes.len(),
            faces: instances.iter().map(|instance| meshes[instance.mesh].face_count()).sum(),
            broad: layers.broad,
            narrow: layers.narrow,
            bounds: layers.bounds,
            execution: layers.execution,
            threads,
            pairs: totals.pairs,
            began: totals.counts[0],
            persisting: totals.counts[1],
            ended: totals.counts[2],
            undecided: totals.counts[3],
            ns: totals.sum,
            preparing_ns: nanoseconds(staged.preparing),
            named: named(scene),
            stats: totals.work,
            choice: staged.world().map_or_else(String::new, |world| world.broad_phase().choice()),
        }
        .with_stats(layers.stats)
    }

    fn with_stats(self, wanted: bool) -> Self {
        let choice = if wanted { self.choice } else { String::new() };
        Self { stats: self.stats.filter(|_| wanted), choice, ..self }
    }

    /// Counts over the whole run.
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

    /// Nanoseconds of preparing.
    pub(super) fn preparing(&self) -> u64 {
        self.preparing_ns
    }

    pub(super) fn threads(&self) -> usize {
        self.threads
    }

    /// The work of all frames, if counted.
    pub(super) fn work(&self) -> Option<[(&'static str, u64); 9]> {
        self.stats.map(FrameWork::counts)
    }

    /// The summary as text.
    pub(super) fn in_words(&self, scene: &Scene, totals: &FrameTotals) -> String {
        let Self { broad, narrow, bounds, execution, seed, .. } = self;
        let mut lines = vec![match &*scene.about {
            "" => scene.name.clone(),
            about => format!("{}: {about}", scene.name),
        }];
        lines.push(format!(
            "{} ({} static), {}, {}; seed {seed}",
            count(self.objects, "object", "objects"),
            self.fixed,
            count(self.meshes, "mesh", "meshes"),
            count(self.faces, "face", "faces"),
        ));
        if self.crowded > 0 {
            let those = count(self.crowded, "object begins", "objects begin");
            lines.push(format!("{those} where there was no free place"));
        }
        lines.push(format!(
            "broad {broad}, narrow {narrow}, bounds {bounds}, execution {execution}, {}",
            count(self.threads, "thread", "threads"),
        ));
        lines.push(format!(
            "{}: {} of boxes, {} began, {} ended, {} at the end",
            count(self.frames, "frame", "frames"),
            count(self.pairs, "pair", "pairs"),
            count(self.began, "collision", "collisions"),
            self.ended,
            self.began - self.ended,
        ));
        if self.undecided > 0 {
            lines.push(format!("{} undecided", count(self.undecided, "test", "tests")));
        }
        lines.push(totals.table());
        lines.push(format!("preparing took {}", time(self.preparing_ns)));
        lines.extend(self.stats.as_ref().map(FrameWork::in_words));
        if !self.choice.is_empty() {
            lines.push(format!("{broad} chose {}", self.choice));
        }
        lines.join("\n")
    }
}

//! Measurements of a combination on a scene.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::combination::LAYERS;
use super::cost_model::{CostModel, Observation};
use super::player::FrameTime;
use crate::output::optional;
use crate::quantile::ranked;
use crate::run::{StageNs, Work};

/// Measurements of one combination on one scene. Times are nanoseconds.
///
/// The time of a frame is the median over the rounds. The first frame counts only if it is the only
/// one, as the world is new in it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Figures {
    /// The names of broad phase, narrow phase, bounds, execution and builder.
    pub names: [String; 5],
    /// The median over the frames.
    pub median_ns: f64,
    /// The shortest frame.
    pub min_ns: f64,
    /// The 99th percentile of the frames.
    pub p99_ns: f64,
    /// The longest frame.
    pub max_ns: f64,
    /// The mean over the frames.
    pub mean_ns: f64,
    /// Spread of the rounds: half the interquartile range of their median frames, relative to the
    /// median round.
    pub spread: f64,
    /// Mean times of the stages: poses, bounds, broad phase, narrow phase.
    pub stages_ns: [f64; 4],
    /// The time of each counted frame.
    pub frames_ns: Vec<f64>,
    /// The narrow phase's time in each counted frame, the minimum of the rounds.
    pub narrow_ns: Vec<f64>,
    /// The stages of each counted frame, medians over the rounds.
    pub frames_stages_ns: Vec<[f64; 4]>,
    /// Number of timed rounds.
    pub rounds: usize,
    /// Wanted pairs with overlapping boxes, over all frames (as all sums below).
    pub pairs: u64,
    /// Pairs tested.
    pub tested: u64,
    /// Pairs undecided.
    pub undecided: u64,
    /// Box tests of the broad phase.
    pub box_tests: u64,
    /// `N_V`: volume tests.
    pub volume_tests: u64,
    /// `N_P`: primitive tests.
    pub primitive_tests: u64,
    /// Directions searched by convex algorithms.
    pub probes: u64,
    /// Exact triangle tests after a convex algorithm found no certificate.
    pub fallbacks: u64,
    /// How often another convex algorithm than the one that was asked found the answer.
    pub handed_over: u64,
    /// The fitted cost model.
    pub cost: Option<CostModel>,
    /// Bytes of the broad phase.
    pub broad_bytes: usize,
    /// The final choice of an adaptive broad phase; empty for others.
    pub choice: String,
    /// Bytes that the narrow phase keeps with the models, if known.
    pub prepared_bytes: Option<usize>,
    /// Time of preparing the models.
    pub build_ns: u64,
}

impl Figures {
    /// Whether every pair was decided. Contradictions are errors, so there are no figures with any.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.undecided == 0
    }
}

/// The figures as a part of a JSON object.
impl Serialize for Figures {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let whole = |ns: f64| ns.round() as u64;
        let mut map = serializer.serialize_map(None)?;
        for (layer, name) in LAYERS.iter().zip(&self.names).take(4) {
            map.serialize_entry(layer, name)?;
        }
        map.serialize_entry("median_ns", &whole(self.median_ns))?;
        map.serialize_entry("min_ns", &whole(self.min_ns))?;
        map.serialize_entry("max_ns", &whole(self.max_ns))?;
        map.serialize_entry("equal", &self.is_decided())?;
        map.serialize_entry("volume_tests", &self.volume_tests)?;
        map.serialize_entry("primitive_tests", &self.primitive_tests)?;
        let bytes = self.prepared_bytes.map(|bytes| bytes + self.broad_bytes);
        optional(&mut map, "bytes", bytes)?;
        map.serialize_entry("build_ns", &self.build_ns)?;
        map.serialize_entry("build", &self.names[4])?;
        map.serialize_entry("mean_ns", &whole(self.mean_ns))?;
        map.serialize_entry("p99_ns", &whole(self.p99_ns))?;
        map.serialize_entry("spread", &self.spread)?;
        map.serialize_entry("ns", &StageNs(self.stages_ns.map(whole)))?;
        map.serialize_entry("frames", &self.frames_ns.len())?;
        map.serialize_entry("rounds", &self.rounds)?;
        map.serialize_entry("pairs", &self.pairs)?;
        map.serialize_entry("tested", &self.tested)?;
        map.serialize_entry("undecided", &self.undecided)?;
        map.serialize_entry("box_tests", &self.box_tests)?;
        map.serialize_entry("broad_bytes", &self.broad_bytes)?;
        optional(&mut map, "choice", Some(&self.choice).filter(|choice| !choice.is_empty()))?;
        optional(&mut map, "cost", self.cost)?;
        map.serialize_entry("probes", &self.probes)?;
        map.serialize_entry("fallbacks", &self.fallbacks)?;
        map.serialize_entry("handed_over", &self.handed_over)?;
        map.end()
    }
}

#[derive(Default)]
pub(super) struct Score {
    /// By round and frame.
    pub(super) times: Vec<Vec<FrameTime>>,
    /// By frame, from the counting round.
    pub(super) work: Vec<Work>,
}

impl Score {
    /// The figures without bytes and build time.
    pub(super) fn figures(&self, names: [&str; 5]) -> Figures {
        let count = self.work.len();
        let counted = if count > 1 { 1..count } else { 0..count };
        let middle = |frame: usize, of: &dyn Fn(&FrameTime) -> u64| {
            median(self.times.iter().map(|round| of(&round[frame]) as f64).collect())
        };
        let frames_ns: Vec<f64> =
            counted.clone().map(|frame| middle(frame, &|time| time.whole)).collect();
        let stages = |frame| [0, 1, 2, 3].map(|stage| middle(frame, &|time| time.stages[stage]));
        let frames_stages_ns: Vec<[f64; 4]> = counted.clone().map(stages).collect();
        // Disturbances only lengthen frames. The fit uses the minimum of the rounds, as a few long
        // frames would outweigh all others.
        let least = |frame: usize| {
            self.times.iter().map(|round| round[frame].stages[3]).min().unwrap_or(0) as f64
        };
        let rounded: Vec<u64> = frames_ns.iter().map(|&ns| ns.round() as u64).collect();
        let narrow_ns: Vec<f64> = counted.clone().map(least).collect();
        let round = |round: &Vec<FrameTime>| {
            median(round[counted.clone()].iter().map(|time| time.whole as f64).collect())
        };
        let observations: Vec<Observation> = self.work[counted.clone()]
            .iter()
            .zip(&narrow_ns)
            .map(|(work, &nanoseconds)| Observation {
                volume_tests: work.volume_tests as f64,
                primitive_tests: work.primitive_tests as f64,
                pairs: work.tested as f64,
                nanoseconds,
            })
            .collect();
        let work = self.work.iter().fold(Work::default(), Work::plus);
        Figures {
            names: names.map(str::to_owned),
            median_ns: median(frames_ns.clone()),
            min_ns: frames_ns.iter().copied().fold(f64::INFINITY, f64::min),
            p99_ns: ranked(&rounded, 0.99).1 as f64,
            max_ns: frames_ns.iter().copied().fold(0.0, f64::max),
            mean_ns: mean(&frames_ns),
            spread: spread(self.times.iter().map(round).collect()),
            stages_ns: [0, 1, 2, 3].map(|stage| {
                mean(&frames_stages_ns.iter().map(|frame| frame[stage]).collect::<Vec<_>>())
            }),
            frames_ns,
            narrow_ns,
            frames_stages_ns,
            rounds: self.times.len(),
            pairs: work.pairs,
            tested: work.tested,
            undecided: work.undecided,
            box_tests: work.box_tests,
            volume_tests: work.volume_tests,
            primitive_tests: work.primitive_tests,
            probes: work.probes,
            fallbacks: work.fallbacks,
            handed_over: work.handed_over,
            cost: CostModel::fit(&observations),
            broad_bytes: 0,
            choice: String::new(),
            prepared_bytes: None,
            build_ns: 0,
        }
    }
}

pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The median; the mean of the two middle values of an even number; 0 of none.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let half = values.len() / 2;
    match values.len() {
        0 => 0.0,
        odd if odd % 2 == 1 => values[half],
        _ => 0.5 * (values[half - 1] + values[half]),
    }
}

/// Half the interquartile range, relative to the median.
fn spread(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let Some(last) = values.len().checked_sub(1) else { return 0.0 };
    let at = |share: f64| values[(last as f64 * share).round() as usize];
    let middle = at(0.5);
    if middle > 0.0 { 0.5 * (at(0.75) - at(0.25)) / middle } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(frames: &[u64]) -> Vec<FrameTime> {
        frames.iter().map(|&whole| FrameTime { stages: [whole, 0, 0, 2 * whole], whole }).collect()
    }

    /// One disturbed frame in one round changes nothing, nor does the first frame.
    #[test]
    fn medians_are_taken_frame_by_frame() {
        let times = vec![
            round(&[900, 10, 20, 30]),
            round(&[800, 10, 9_000, 30]),
            round(&[700, 11, 21, 32]),
        ];
        let work = vec![Work { pairs: 3, tested: 2, volume_tests: 5, ..Work::default() }; 4];
        let score = Score { times, work };
        let figures = score.figures(["a", "b", "c", "d", "e"]);
        assert_eq!(figures.frames_ns, [10.0, 21.0, 30.0]);
        assert_eq!([figures.min_ns, figures.median_ns, figures.max_ns], [10.0, 21.0, 30.0]);
        assert_eq!(figures.stages_ns, [61.0 / 3.0, 0.0, 0.0, 122.0 / 3.0]);
        assert_eq!([figures.pairs, figures.tested, figures.volume_tests], [12, 8, 20]);
        assert_eq!(figures.rounds, 3);
    }

    #[test]
    fn an_only_frame_counts() {
        let score = Score { times: vec![round(&[5]), round(&[7])], work: vec![Work::default()] };
        let figures = score.figures(["a", "b", "c", "d", "e"]);
        assert_eq!((figures.median_ns, figures.cost), (6.0, None));
    }

    #[test]
    fn medians_and_spread_of_few_values() {
        assert_eq!([median(vec![]), median(vec![3.0]), median(vec![4.0, 1.0])], [0.0, 3.0, 2.5]);
        assert_eq!(spread(vec![]), 0.0);
        assert_eq!(spread(vec![10.0, 8.0, 12.0, 11.0, 100.0]), 0.5 * 2.0 / 11.0);
    }
}

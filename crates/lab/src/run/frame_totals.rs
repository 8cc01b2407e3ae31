//! Sums over the frames of a run.

use super::record::{FrameWork, StageNs};
use super::scene_world::FrameMeasurement;
use crate::output::{count, time};

pub(super) const STAGES: [&str; 4] = ["pose", "bounds", "broad", "narrow"];

#[derive(Clone, Debug, Default)]
pub(super) struct FrameTotals {
    pub(super) frames: usize,
    pub(super) pairs: usize,
    /// Numbers of pairs that began, persisted, ended, were undecided.
    pub(super) counts: [usize; 4],
    pub(super) sum: StageNs,
    pub(super) work: Option<FrameWork>,
    longest: [u64; 4],
    longest_frame: u64,
}

impl FrameTotals {
    pub(super) fn add(&mut self, measured: &FrameMeasurement) {
        self.frames += 1;
        self.pairs += measured.stats.pairs;
        for (sum, count) in self.counts.iter_mut().zip(measured.counts) {
            *sum += count;
        }
        let ns = StageNs::from(measured.times);
        self.sum.pose += ns.pose;
        self.sum.bounds += ns.bounds;
        self.sum.broad += ns.broad;
        self.sum.narrow += ns.narrow;
        for (longest, ns) in self.longest.iter_mut().zip(ns.stages()) {
            *longest = ns.max(*longest);
        }
        self.longest_frame = self.longest_frame.max(ns.stages().iter().sum());
        self.work.get_or_insert_default().add(&FrameWork::from(measured));
    }

    /// A table of times by stage: mean, longest and total.
    pub(super) fn table(&self) -> String {
        let sums = self.sum.stages();
        let all: u64 = sums.iter().sum();
        let row = |[name, mean, longest, total]: [&str; 4]| {
            format!("{name:<8}{mean:>12}{longest:>12}{total:>12}")
        };
        let mut rows = vec![row(["stage", "mean", "longest", "total"])];
        let stages = STAGES.into_iter().zip(sums).zip(self.longest);
        let stages = stages.map(|((name, sum), longest)| (name, sum, longest));
        for (name, sum, longest) in stages.chain([("all", all, self.longest_frame)]) {
            let mean = sum / (self.frames as u64).max(1);
            rows.push(row([name, &time(mean), &time(longest), &time(sum)]));
        }
        rows.join("\n")
    }
}

/// The progress line of a running simulation.
pub(super) fn live_line(measured: &FrameMeasurement) -> String {
    let ms: Vec<String> = STAGES
        .into_iter()
        .zip(StageNs::from(measured.times).stages())
        .map(|(stage, ns)| format!("{stage} {:.2}", ns as f64 / 1e6))
        .collect();
    format!(
        "{}, {}, {}; ms: {}",
        count(measured.stats.objects, "object", "objects"),
        count(measured.stats.pairs, "pair", "pairs"),
        count(measured.stats.colliding, "collision", "collisions"),
        ms.join(", "),
    )
}

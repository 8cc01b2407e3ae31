//! Sums over the frames of a run.

use super::record::{FrameWork, StageNs};
use super::scene_world::Seen;
use crate::output::{count, time};

pub(super) const STAGES: [&str; 4] = ["pose", "bounds", "broad", "narrow"];

/// Sums and maxima.
#[derive(Clone, Debug, Default)]
pub(super) struct Totals {
    pub(super) frames: usize,
    pub(super) pairs: usize,
    /// How many pairs began, persisted, ended, were undecided.
    pub(super) counts: [usize; 4],
    pub(super) sum: StageNs,
    pub(super) work: Option<FrameWork>,
    longest: [u64; 4],
    longest_frame: u64,
}

impl Totals {
    pub(super) fn add(&mut self, seen: &Seen) {
        self.frames += 1;
        self.pairs += seen.stats.pairs;
        for (sum, count) in self.counts.iter_mut().zip(seen.counts) {
            *sum += count;
        }
        let ns = StageNs::from(seen.times);
        self.sum.pose += ns.pose;
        self.sum.bounds += ns.bounds;
        self.sum.broad += ns.broad;
        self.sum.narrow += ns.narrow;
        for (longest, ns) in self.longest.iter_mut().zip(ns.stages()) {
            *longest = ns.max(*longest);
        }
        self.longest_frame = self.longest_frame.max(ns.stages().iter().sum());
        self.work.get_or_insert_default().add(&FrameWork::from(seen));
    }

    /// Times by stage: the mean over the frames, the longest, and all together.
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

/// What is shown while the run goes on.
pub(super) fn live_line(seen: &Seen) -> String {
    let ms: Vec<String> = STAGES
        .into_iter()
        .zip(StageNs::from(seen.times).stages())
        .map(|(stage, ns)| format!("{stage} {:.2}", ns as f64 / 1e6))
        .collect();
    format!(
        "{}, {}, {}; ms: {}",
        count(seen.stats.objects, "object", "objects"),
        count(seen.stats.pairs, "pair", "pairs"),
        count(seen.stats.colliding, "collision", "collisions"),
        ms.join(", "),
    )
}

//! Sums over the frames of a run.

use super::record::{STAGES, Work};
use super::scene_world::FrameMeasurement;
use crate::output::{count, time};

#[derive(Default)]
pub(super) struct FrameTotals {
    pub(super) frames: usize,
    pub(super) pairs: usize,
    pub(super) counts: [usize; 4],
    pub(super) sum: [u64; 4],
    pub(super) work: Option<Work>,
    longest: [u64; 4],
    longest_frame: u64,
}

impl FrameTotals {
    pub(super) fn add(&mut self, measured: &FrameMeasurement) {
        self.frames += 1;
        self.pairs += measured.stats.pairs;
        let stages = measured.ns.0;
        self.counts = std::array::from_fn(|i| self.counts[i] + measured.counts[i]);
        self.sum = std::array::from_fn(|i| self.sum[i] + stages[i]);
        self.longest = std::array::from_fn(|i| self.longest[i].max(stages[i]));
        self.longest_frame = self.longest_frame.max(stages.iter().sum());
        self.work = Some(self.work.unwrap_or_default().plus(&measured.work()));
    }

    /// A table of times by stage: mean, longest and total.
    pub(super) fn table(&self) -> String {
        let row = |[name, mean, longest, total]: [&str; 4]| {
            format!("{name:<8}{mean:>12}{longest:>12}{total:>12}")
        };
        let mut rows = vec![row(["stage", "mean", "longest", "total"])];
        let stages = (0..4).map(|stage| (STAGES[stage], self.sum[stage], self.longest[stage]));
        for (name, sum, longest) in
            stages.chain([("all", self.sum.iter().sum(), self.longest_frame)])
        {
            let mean = sum / (self.frames as u64).max(1);
            rows.push(row([name, &time(mean), &time(longest), &time(sum)]));
        }
        rows.join("\n")
    }
}

pub(super) fn live_line(measured: &FrameMeasurement) -> String {
    let stages = STAGES.iter().zip(measured.ns.0);
    let ms: Vec<String> =
        stages.map(|(stage, ns)| format!("{stage} {:.2}", ns as f64 / 1e6)).collect();
    format!(
        "{}, {}, {}; ms: {}",
        count(measured.stats.objects, "object", "objects"),
        count(measured.stats.pairs, "pair", "pairs"),
        count(measured.stats.colliding, "collision", "collisions"),
        ms.join(", "),
    )
}

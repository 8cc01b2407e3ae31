//! Sums over the frames of a run.

use super::flexible::FlexibleFrame;
use super::record::{STAGES, Work};
use super::scene_world::FrameMeasurement;
use crate::output::{count, time};
use crate::quantile::ranked;

#[derive(Default)]
pub(super) struct FrameTotals {
    pub(super) frames: usize,
    pub(super) pairs: usize,
    pub(super) counts: [usize; 4],
    pub(super) sum: [u64; 4],
    pub(super) work: Option<Work>,
    pub(super) flexible: Option<FlexibleFrame>,
    /// Frames that were tested approximately.
    pub(super) approximate: usize,
    /// The stages of each frame.
    times: Vec<[u64; 4]>,
}

impl FrameTotals {
    pub(super) fn add(&mut self, measured: &FrameMeasurement) {
        self.frames += 1;
        self.pairs += measured.stats.pairs;
        let stages = measured.ns.0;
        self.counts = std::array::from_fn(|i| self.counts[i] + measured.counts[i]);
        self.sum = std::array::from_fn(|i| self.sum[i] + stages[i]);
        self.times.push(stages);
        self.approximate += usize::from(measured.approximate);
        if let Some(flexible) = &measured.flexible {
            self.flexible = Some(self.flexible.unwrap_or_default().plus(flexible));
        }
        self.work = Some(self.work.unwrap_or_default().plus(&measured.work()));
    }

    /// A table of times by stage: mean, 99th percentile, longest and total.
    pub(super) fn table(&self) -> String {
        let row = |[name, mean, high, longest, total]: [&str; 5]| {
            format!("{name:<8}{mean:>12}{high:>12}{longest:>12}{total:>12}")
        };
        let mut rows = vec![row(["stage", "mean", "99 %", "longest", "total"])];
        let of_stage = |stage: usize| self.times.iter().map(|stages| stages[stage]).collect();
        let stages = (0..4).map(|stage| (STAGES[stage], of_stage(stage)));
        let frames = self.times.iter().map(|stages| stages.iter().sum()).collect();
        for (name, times) in stages.chain([("all", frames)]) {
            let times: Vec<u64> = times;
            let sum: u64 = times.iter().sum();
            let mean = sum / (self.frames as u64).max(1);
            let [high, longest] = [0.99, 1.0].map(|part| time(ranked(&times, part).1));
            rows.push(row([name, &time(mean), &high, &longest, &time(sum)]));
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

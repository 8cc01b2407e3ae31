//! Quantiles of many boxes, estimated from a few.

use xcollide_bounds::Aabb;

use crate::stats::held;

/// Boxes in a sample.
const SIZE: usize = 128;

#[derive(Debug, Default)]
pub(crate) struct Sample(Vec<f64>);

impl Sample {
    /// The distance between sampled things, for `len` in all.
    pub(crate) fn step(len: usize) -> usize {
        len.div_ceil(SIZE).max(1)
    }

    /// Quantiles (from 0 to 1) of a measure of the boxes with these indices, from about [`SIZE`] evenly spaced
    /// ones. Each is the measure of a box; 0 if there are no indices.
    pub(crate) fn quantiles<const N: usize>(
        &mut self,
        indices: &[u32],
        all: &[Aabb],
        measure: impl Fn(&Aabb) -> f64,
        quantiles: [f64; N],
    ) -> [f64; N] {
        let some = indices.iter().step_by(Self::step(indices.len()));
        let values = some.map(|&index| measure(&all[index as usize]));
        self.quantiles_of(values, quantiles).unwrap_or([0.0; N])
    }

    pub(crate) fn median(
        &mut self,
        indices: &[u32],
        all: &[Aabb],
        measure: impl Fn(&Aabb) -> f64,
    ) -> f64 {
        let [median] = self.quantiles(indices, all, measure, [0.5]);
        median
    }

    /// Quantiles (from 0 to 1) of some values, each one of them; `None` if there are none.
    pub(crate) fn quantiles_of<const N: usize>(
        &mut self,
        values: impl Iterator<Item = f64>,
        quantiles: [f64; N],
    ) -> Option<[f64; N]> {
        self.0.clear();
        self.0.extend(values);
        let last = self.0.len().checked_sub(1)?;
        Some(quantiles.map(|quantile| {
            let place = (quantile * last as f64) as usize;
            *self.0.select_nth_unstable_by(place, f64::total_cmp).1
        }))
    }

    pub(crate) fn median_of(&mut self, values: impl Iterator<Item = f64>) -> Option<f64> {
        self.quantiles_of(values, [0.5]).map(|[median]| median)
    }

    pub(crate) fn bytes(&self) -> usize {
        held(&self.0)
    }
}

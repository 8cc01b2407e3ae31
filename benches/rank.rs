//! Quantiles of times.

/// The nearest-rank quantile: the smallest of `values` with at least `part` of them not larger. `None` if there are none.
#[must_use]
pub fn ranked<T: Copy + PartialOrd>(values: &[T], part: f64) -> Option<T> {
    let mut sorted = values.to_vec();
    sorted.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    let rank = (part * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.max(1) - 1).copied()
}

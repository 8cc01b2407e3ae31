//! Splits a batch between an algorithm that takes its part as a batch and one that does not.

use crate::{PairQuery, Verdict};

/// Writes one verdict for each pair, in order, to `verdicts` (which is cleared first): those with
/// `is_for_batch` by one call of `batch`, the others by `single`. If all are for `batch`, nothing is copied
/// or allocated.
pub(crate) fn shared_out(
    batch: impl FnOnce(&mut [PairQuery<'_>], &mut Vec<Verdict>),
    is_for_batch: impl Fn(&PairQuery<'_>) -> bool,
    mut single: impl FnMut(&mut PairQuery<'_>) -> Verdict,
    pairs: &mut [PairQuery<'_>],
    verdicts: &mut Vec<Verdict>,
) {
    verdicts.clear();
    if pairs.iter().all(&is_for_batch) {
        return batch(pairs, verdicts);
    }
    let for_batch = pairs.iter_mut().filter(|pair| is_for_batch(pair));
    let mut for_batch: Vec<PairQuery<'_>> = for_batch.map(PairQuery::lent).collect();
    let mut answers = Vec::with_capacity(for_batch.len());
    if !for_batch.is_empty() {
        batch(&mut for_batch, &mut answers);
    }
    let mut answers = answers.into_iter();
    verdicts.extend(pairs.iter_mut().map(|pair| {
        let answer = if is_for_batch(pair) { answers.next() } else { None };
        answer.unwrap_or_else(|| single(pair))
    }));
}

//! Splits a batch between an algorithm that takes its part as a batch and one that does not.

use arrayvec::ArrayVec;

use crate::{PairQuery, Reason, Verdict};

/// The most pairs that are searched together. With 64 at a time a pair takes 2 to 8 % longer.
pub(crate) const TOGETHER: usize = 256;

/// Adds one verdict for each pair, in order, to `verdicts`: those with `is_for_batch` come from calls of `batch`, which
/// adds its verdicts, the others from `single`. Allocates nothing if `verdicts` has room.
pub(crate) fn shared_out(
    batch: impl Fn(&mut [PairQuery<'_>], &mut Vec<Verdict>),
    is_for_batch: impl Fn(&PairQuery<'_>) -> bool,
    mut single: impl FnMut(&mut PairQuery<'_>) -> Verdict,
    pairs: &mut [PairQuery<'_>],
    verdicts: &mut Vec<Verdict>,
) {
    if pairs.iter().all(&is_for_batch) {
        return batch(pairs, verdicts);
    }
    for pairs in pairs.chunks_mut(TOGETHER) {
        let begin = verdicts.len();
        let count = pairs.iter().filter(|pair| is_for_batch(pair)).count();
        if count > 0 {
            let chosen = pairs.iter_mut().filter(|pair| is_for_batch(pair));
            let mut for_batch = ArrayVec::<PairQuery<'_>, TOGETHER>::new();
            for_batch.extend(chosen.map(PairQuery::lent));
            batch(&mut for_batch, verdicts);
        }
        if verdicts.len() != begin + count {
            // Which pairs the verdicts are for is unknown.
            verdicts.truncate(begin);
        }
        // The verdicts of the batch move up to their places, the last one first.
        let mut left = verdicts.len() - begin;
        verdicts.resize(begin + pairs.len(), Verdict::Undecided(Reason::OutOfTime));
        for (number, pair) in pairs.iter_mut().enumerate().rev() {
            if left > 0 && is_for_batch(pair) {
                left -= 1;
                verdicts.swap(begin + number, begin + left);
            } else {
                verdicts[begin + number] = single(pair);
            }
        }
    }
}

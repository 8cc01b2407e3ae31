//! Splits a batch between an algorithm that takes its part as a batch and one that does not.

use crate::{NarrowPhase, PairQuery, Query, Verdict};

/// Hands all pairs with `is_for_one` to `one` in one call, and each of the rest to `other`; one verdict
/// for each query, in order. If all are for `one`, nothing is copied or allocated.
pub(crate) fn shared_out(
    one: &impl NarrowPhase,
    is_for_one: impl Fn(&PairQuery<'_>) -> bool,
    mut other: impl FnMut(&mut PairQuery<'_>) -> Verdict,
    questions: &mut [PairQuery<'_>],
    query: &Query,
    verdicts: &mut Vec<Verdict>,
) {
    if questions.iter().all(&is_for_one) {
        return one.test_many(questions, query, verdicts);
    }
    let of_one = questions.iter_mut().filter(|question| is_for_one(question));
    let mut of_one: Vec<PairQuery<'_>> = of_one.map(PairQuery::lent).collect();
    let mut answers = Vec::with_capacity(of_one.len());
    if !of_one.is_empty() {
        one.test_many(&mut of_one, query, &mut answers);
    }
    let mut answers = answers.into_iter();
    verdicts.clear();
    verdicts.extend(questions.iter_mut().map(|question| {
        let answer = if is_for_one(question) { answers.next() } else { None };
        answer.unwrap_or_else(|| other(question))
    }));
}

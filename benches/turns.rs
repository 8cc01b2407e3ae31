//! Times successive queries with caches. A query changes its cache, so none is repeated at once.

use std::hint::black_box;
use std::time::Instant;

use crate::contest::Contestant;

/// How many queries are timed at once: fewer than fit into a time slice of a busy machine.
const PIECE: usize = 200;

/// Nanoseconds a query and the number of hits, for each contestant.
///
/// All answer a piece of the sequence, in an order that rotates from round to round, before the
/// next one is begun, and the whole sequence is gone through `rounds` times. The figure is the sum over the pieces of the median over the rounds.
pub fn in_turns(
    contestants: &mut [Contestant<'_>],
    queries: usize,
    rounds: usize,
) -> Vec<(f64, usize)> {
    let pieces = queries.div_ceil(PIECE);
    let mut times = vec![vec![Vec::new(); pieces]; contestants.len()];
    let mut hits = vec![0; contestants.len()];
    for round in 0..rounds {
        for piece in 0..pieces {
            let range = piece * PIECE..queries.min((piece + 1) * PIECE);
            // Whoever is first finds the models in no cache, so everybody is first in turn.
            for turn in 0..contestants.len() {
                let index = (turn + round) % contestants.len();
                let contestant = &mut contestants[index];
                let start = Instant::now();
                let found = range
                    .clone()
                    .filter(|&query| black_box((contestant.answer)(query)) == Some(true));
                let found = found.count();
                times[index][piece].push(start.elapsed().as_secs_f64() * 1e9);
                hits[index] += if round == 0 { found } else { 0 };
            }
        }
    }
    let whole = |pieces: Vec<Vec<f64>>| pieces.into_iter().map(median).sum::<f64>();
    let figures = times.into_iter().map(|pieces| whole(pieces) / queries as f64);
    figures.zip(hits).collect()
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_contestant_answers_every_query_in_order() {
        let mut asked = Vec::new();
        let mut contestants = [
            Contestant::new("even", |query| Some(query % 2 == 0)),
            Contestant::new("listener", |query| {
                asked.push(query);
                None
            }),
        ];
        let figures = in_turns(&mut contestants, 500, 3);
        assert_eq!([figures[0].1, figures[1].1], [250, 0]);
        assert!(figures.iter().all(|(nanoseconds, _)| *nanoseconds > 0.0));
        drop(contestants);
        assert_eq!(asked, (0..500).cycle().take(1500).collect::<Vec<_>>());
    }
}

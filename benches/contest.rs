//! Times several algorithms on the same queries, in turns.
//!
//! The speed of a shared machine varies. So every contestant answers all queries once, then again,
//! and so on; disturbances affect all alike. Reports the median over the passes (of all queries
//! together if they are fast, else of each) and the interquartile range.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// One who answers queries: a name, and whether query number i hits; `None` where it gave up.
pub struct Contestant<'a> {
    /// What the table calls it.
    pub name: String,
    /// Answers a query.
    pub answer: Box<dyn FnMut(usize) -> Option<bool> + 'a>,
}

impl<'a> Contestant<'a> {
    /// A contestant of a name.
    pub fn new(
        name: impl Into<String>,
        answer: impl FnMut(usize) -> Option<bool> + 'a,
    ) -> Contestant<'a> {
        Contestant { name: name.into(), answer: Box::new(answer) }
    }
}

/// How to time.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// How often each contestant answers all queries, the first time not counted.
    pub passes: usize,
    /// After how much time a contestant is let go, if it has finished a counted pass.
    pub patience: Duration,
    /// Whether caches hold nothing of the models when a query comes. Before it, contestants answer
    /// two more, those after the last: small ones about other models, so that what is timed is not
    /// the way of their code and stack from memory.
    pub cold: bool,
}

/// What one contestant did.
#[derive(Clone, Debug, PartialEq)]
pub struct Timing {
    /// Its name.
    pub name: String,
    /// Nanoseconds a query: the median over the passes. Infinite where it gave up.
    pub nanoseconds: f64,
    /// Half of what the middle half of the passes spans, relative to the median.
    pub spread: f64,
    /// How many queries hit.
    pub hits: usize,
}

/// Times all contestants on `queries` queries.
pub fn contest(contestants: &mut [Contestant<'_>], queries: usize, rules: Rules) -> Vec<Timing> {
    let mut flush = Flush::new(rules.cold);
    let mut scores: Vec<Score> = contestants.iter().map(|_| Score::default()).collect();
    for _ in 0..rules.passes + 1 {
        for (contestant, score) in contestants.iter_mut().zip(&mut scores) {
            if !score.gave_up && (score.passes < 2 || score.spent < rules.patience) {
                pass(contestant, queries, &mut flush, score);
            }
        }
    }
    contestants.iter().zip(scores).map(|(contestant, score)| score.timing(contestant)).collect()
}

#[derive(Default)]
struct Score {
    /// Nanoseconds of each part of each pass. A part is all queries where they take little time,
    /// else one query: what is long is likely to be disturbed, but seldom twice in the same part.
    parts: Vec<Vec<f64>>,
    passes: usize,
    spent: Duration,
    /// How often to go through the queries in a pass, so that the clock can be read.
    rounds: u32,
    hits: usize,
    gave_up: bool,
}

/// How long a part should take for the clock's own time not to matter.
const PART: Duration = Duration::from_micros(500);

fn pass(contestant: &mut Contestant<'_>, queries: usize, flush: &mut Flush, score: &mut Score) {
    let cold = !flush.lines.is_empty();
    let rounds = score.rounds.max(1);
    // The first pass, which is to warm up, is timed by queries.
    let by_queries = cold || rounds == 1;
    let mut times = vec![Duration::ZERO; if by_queries { queries } else { 1 }];
    if !by_queries {
        // Others were in the caches.
        for query in 0..queries {
            black_box((contestant.answer)(query));
        }
    }
    let whole = Instant::now();
    for _ in 0..rounds {
        score.hits = 0;
        for query in 0..queries {
            if cold {
                flush.all();
                black_box([queries, queries + 1].map(|small| (contestant.answer)(small)));
            }
            let began = by_queries.then(Instant::now);
            let Some(hit) = (contestant.answer)(query) else {
                score.gave_up = true;
                return;
            };
            score.hits += usize::from(black_box(hit));
            if let Some(began) = began {
                times[query] = began.elapsed();
            }
        }
    }
    if !by_queries {
        times[0] = whole.elapsed() / rounds;
    }
    let once: Duration = times.iter().sum();
    score.spent += once * rounds;
    score.passes += 1;
    if score.passes == 1 {
        let enough = PART.as_nanos() / once.as_nanos().max(1);
        score.rounds = if cold { 1 } else { enough.clamp(1, 10_000) as u32 };
        score.parts = vec![Vec::new(); if cold || score.rounds == 1 { queries } else { 1 }];
        return;
    }
    for (part, time) in score.parts.iter_mut().zip(times) {
        part.push(time.as_nanos() as f64 / queries as f64);
    }
}

impl Score {
    fn timing(mut self, contestant: &Contestant<'_>) -> Timing {
        let name = contestant.name.clone();
        if self.gave_up || self.passes < 2 {
            return Timing { name, nanoseconds: f64::INFINITY, spread: 0.0, hits: self.hits };
        }
        let (mut nanoseconds, mut range) = (0.0, 0.0);
        for part in &mut self.parts {
            part.sort_by(f64::total_cmp);
            let at = |share: f64| part[((part.len() - 1) as f64 * share).round() as usize];
            nanoseconds += at(0.5);
            range += at(0.75) - at(0.25);
        }
        Timing { name, nanoseconds, spread: 0.5 * range / nanoseconds, hits: self.hits }
    }
}

/// Drives everything out of the caches by writing to more memory than they hold.
struct Flush {
    /// Empty where caches are to stay warm.
    lines: Vec<[u64; 8]>,
}

impl Flush {
    /// 64 MB: twice the last cache of the machine that the tables were taken on.
    const LINES: usize = 1 << 20;

    fn new(cold: bool) -> Self {
        Self { lines: vec![[1; 8]; if cold { Self::LINES } else { 0 }] }
    }

    fn all(&mut self) {
        for line in &mut self.lines {
            line[0] = line[0].wrapping_mul(5).wrapping_add(1);
        }
        black_box(&mut self.lines);
    }
}

//! Coarse grain: objects and pairs spread over threads (Zachmann 1994, 6.2).
//!
//! Work is balanced dynamically, as the thesis recommends: "every process retrieves a small portion of the
//! total work; when it is finished, the process tries to retrieve another portion until there is nothing
//! left". Unlike there, it begins with its own share, and the broad phase may be parallel too.
//!
//! Short jobs run on the calling thread: waking another one may take longer, and the
//! thesis's cage of a hundred tetrahedra gained almost nothing from four processors (6.6). The calling
//! thread always takes part.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::keep_awake::keep_awake;
use super::{Execution, Job};

/// Runs all stages on a rayon pool if they are [long enough](Job::work). Callbacks run in order on the thread
/// that calls [`World::check`](crate::World::check), but for the [parallel](crate::World::set_parallel_callback) one.
///
/// Checks that take half a millisecond or more are best made on a thread of the pool, the whole loop in one
/// [`install`](rayon::ThreadPool::install). A thread outside is one more than the pool has; where these are as many as the
/// processors, the system now and then queues two of them on one processor while another is idle, and a frame then takes
/// as long as on one thread. 100,000 moving objects on two processors took 7.9 to 8.3 ms a frame from outside, the 99th
/// percentile 14 to 15 ms; on a thread of the pool 6.6 to 6.7 ms, and 8.3 to 8.9. If all threads of the pool also move the
/// objects between the checks, these take 0.92 of the time again, as most of what a thread reads is in its own caches.
///
/// ```
/// use xcollide::execution::Parallel;
/// use xcollide::prelude::*;
///
/// let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build()?;
/// let frames = pool.install(|| {
///     let mut world = World::builder().execution(Parallel::new()).build();
///     (0..10).filter(|_| world.check().began.is_empty()).count()
/// });
/// assert_eq!(frames, 10);
/// # Ok::<(), rayon::ThreadPoolBuildError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Parallel {
    /// `None` for the global pool.
    pool: Option<Arc<rayon::ThreadPool>>,
}

/// The system cannot start threads.
#[derive(Debug, thiserror::Error)]
#[error("cannot start {threads} threads: {source}")]
pub struct ThreadsError {
    threads: usize,
    source: rayon::ThreadPoolBuildError,
}

/// Shorter jobs run on the calling thread.
const WORTHWHILE: Duration = Duration::from_micros(100);

/// The most pieces of a job for each thread.
const PIECES: usize = 64;

/// The least work of a piece. Threads pass pieces to each other one by one, so with shorter ones sixteen threads would
/// wait for that.
const PIECE: Duration = Duration::from_micros(16);

/// A check whose work takes longer than this on one thread runs on a thread of the pool, with [all of them
/// awake](keep_awake). From outside, the caller is one thread more than the pool has, and the system may queue one of
/// them behind another for milliseconds. Shorter checks are faster from outside: the threads of the pool take too long
/// to wake. Measured on two processors of a virtual machine, with checks of 1, 3 and 10 ms.
const LONG: Duration = Duration::from_millis(8);

/// The same for a caller on a thread of the pool, which need not wait for another one to begin: from here on the other
/// threads are woken once instead of for each job. Measured on two processors with checks of 0.3 to 15 ms.
const LONG_INSIDE: Duration = Duration::from_micros(500);

impl Parallel {
    /// Uses rayon's current pool, usually one thread per processor.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Uses `threads` threads of its own; 0 means one per processor.
    ///
    /// # Errors
    /// The system cannot start them.
    pub fn with_threads(threads: usize) -> Result<Self, ThreadsError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|source| ThreadsError { threads, source })?;
        Ok(Self { pool: Some(Arc::new(pool)) })
    }

    fn threads(&self) -> usize {
        match &self.pool {
            Some(pool) => pool.current_num_threads(),
            None => rayon::current_num_threads(),
        }
    }

    /// As [`run`](Execution::run), but entirely on threads of the pool, which can share single pairs.
    pub(super) fn run_in_pool(&self, job: Job<'_>) {
        match &self.pool {
            Some(pool) if job.work() >= WORTHWHILE => pool.install(|| halve(job)),
            None if job.work() >= WORTHWHILE => halve(job),
            _ => job.finish(),
        }
    }
}

impl Execution for Parallel {
    fn name(&self) -> &'static str {
        "parallel"
    }

    fn run(&self, job: Job<'_>) {
        let threads = self.threads();
        if job.work() < WORTHWHILE || threads == 1 {
            return job.finish();
        }
        let mut pieces = Vec::new();
        let of_work = (job.work().as_nanos() / PIECE.as_nanos()) as usize;
        cut(job, of_work.clamp(threads, PIECES * threads), &mut pieces);
        let helpers = (threads - 1).min(pieces.len() - 1);
        let shares = Shares::new(pieces, threads);
        match &self.pool {
            Some(pool) => {
                let own = pool.current_thread_index();
                pool.in_place_scope(|scope| shares.finish_all(scope, own, helpers));
            }
            None => {
                let own = rayon::current_thread_index();
                rayon::in_place_scope(|scope| shares.finish_all(scope, own, helpers));
            }
        }
    }

    fn enter(&self, last: Duration, stages: &mut (dyn FnMut() + Send)) {
        let work = last * self.threads() as u32;
        let own = match &self.pool {
            Some(pool) => pool.current_thread_index(),
            None => rayon::current_thread_index(),
        };
        let least = if own.is_some() { LONG_INSIDE } else { LONG };
        match &self.pool {
            _ if work < least => stages(),
            Some(pool) => pool.install(|| keep_awake(stages)),
            None => rayon::scope(|_| keep_awake(stages)),
        }
    }

    fn is_parallel(&self) -> bool {
        true
    }
}

/// The pieces of a job, in a share for each thread. A thread finishes its own share first, then the pieces that others have
/// not begun. So most objects and pairs of a piece are in the caches of its thread, which wrote them in the last job or check.
struct Shares<'j> {
    pieces: Vec<Mutex<Option<Job<'j>>>>,
    /// The next piece of each share.
    next: Vec<AtomicUsize>,
}

impl<'j> Shares<'j> {
    fn new(pieces: Vec<Mutex<Option<Job<'j>>>>, count: usize) -> Self {
        let first = |share: usize| AtomicUsize::new(pieces.len() * share / count);
        let next = (0..count).map(first).collect();
        Self { pieces, next }
    }

    /// Finishes all pieces on `helpers` threads of the pool and the calling thread, which has the first share. `own` is
    /// its number in the pool, if it has one.
    fn finish_all<'s>(&'s self, scope: &rayon::Scope<'s>, own: Option<usize>, helpers: usize) {
        let count = self.next.len();
        let own = own.unwrap_or(count - 1);
        for _ in 0..helpers {
            scope.spawn(move |_| {
                let at = rayon::current_thread_index().unwrap_or(own);
                self.finish((at + count - own) % count);
            });
        }
        self.finish(0);
    }

    /// Finishes pieces until none is left, those of a share first.
    fn finish(&self, share: usize) {
        let Self { pieces, next } = self;
        let count = next.len();
        for share in (share..count).chain(0..share) {
            let pieces = &pieces[..pieces.len() * (share + 1) / count];
            // Only distributes numbers, so relaxed order is enough.
            while let Some(piece) = pieces.get(next[share].fetch_add(1, Ordering::Relaxed)) {
                let piece = piece.lock().unwrap_or_else(PoisonError::into_inner).take();
                if let Some(piece) = piece {
                    piece.finish();
                }
            }
        }
    }
}

/// Cuts a job into at most `at_most` pieces of about the same size, in order.
fn cut<'j>(job: Job<'j>, at_most: usize, pieces: &mut Vec<Mutex<Option<Job<'j>>>>) {
    if at_most > 1 {
        match job.split() {
            (first, Some(second)) => {
                cut(first, at_most / 2, pieces);
                cut(second, at_most / 2, pieces);
            }
            (whole, None) => pieces.push(Mutex::new(Some(whole))),
        }
    } else {
        pieces.push(Mutex::new(Some(job)));
    }
}

fn halve(job: Job<'_>) {
    match job.split() {
        (first, Some(second)) => {
            rayon::join(|| halve(first), || halve(second));
        }
        (whole, None) => whole.finish(),
    }
}

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
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
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

/// The most parts of a job for each thread.
const PARTS: usize = 4;

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
        let pieces = (job.work().as_nanos() / PIECE.as_nanos()) as usize;
        let shares = Shares::new(job, threads, pieces.clamp(threads, PIECES * threads));
        let helpers = (threads - 1).min(shares.parts.len() - 1);
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

/// The parts of a job, in a share for each thread. A thread finishes its own share first, then what others have
/// not begun. So most objects and pairs of a piece are in the caches of its thread, which wrote them in the last job or check.
struct Shares<'j> {
    parts: Vec<Part<'j>>,
    threads: usize,
    /// The most pieces of a part.
    pieces: usize,
}

/// The thread that begins a part cuts it into pieces. So the time before all threads have work does not grow with the
/// number of pieces.
struct Part<'j> {
    whole: Mutex<Option<Job<'j>>>,
    pieces: OnceLock<Vec<Mutex<Option<Job<'j>>>>>,
    /// The number of the next piece.
    next: AtomicUsize,
}

impl<'j> Shares<'j> {
    /// Cuts a job into at most [`PARTS`] parts a thread. `pieces` is the most that all parts will have together, up to rounding.
    fn new(job: Job<'j>, threads: usize, pieces: usize) -> Self {
        let mut wholes = Vec::new();
        cut(job, pieces.min(PARTS * threads), &mut wholes);
        let pieces = pieces.div_ceil(wholes.len());
        let part = |whole| Part { whole, pieces: OnceLock::new(), next: AtomicUsize::new(0) };
        Self { parts: wholes.into_iter().map(part).collect(), threads, pieces }
    }

    /// Finishes all parts on `helpers` threads of the pool and the calling thread, which has the first share. `own` is
    /// its number in the pool, if it has one.
    fn finish_all<'s>(&'s self, scope: &rayon::Scope<'s>, own: Option<usize>, helpers: usize) {
        let own = own.unwrap_or(self.threads - 1);
        for _ in 0..helpers {
            scope.spawn(move |_| {
                let at = rayon::current_thread_index().unwrap_or(own);
                self.finish((at + self.threads - own) % self.threads);
            });
        }
        self.finish(0);
    }

    /// Finishes pieces until none is left, those of a share first.
    fn finish(&self, share: usize) {
        let (others, own) = self.parts.split_at(self.parts.len() * share / self.threads);
        for part in own.iter().chain(others) {
            part.finish(self.pieces);
        }
    }
}

impl Part<'_> {
    /// Runs the pieces that no other thread has taken. The first thread cuts the part, into at most `at_most` pieces.
    fn finish(&self, at_most: usize) {
        let pieces = self.pieces.get_or_init(|| {
            let mut pieces = Vec::new();
            if let Some(whole) = take(&self.whole) {
                cut(whole, at_most, &mut pieces);
            }
            pieces
        });
        // Only distributes numbers, so relaxed order is enough.
        while let Some(piece) = pieces.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            if let Some(piece) = take(piece) {
                piece.finish();
            }
        }
    }
}

fn take<'j>(job: &Mutex<Option<Job<'j>>>) -> Option<Job<'j>> {
    job.lock().unwrap_or_else(PoisonError::into_inner).take()
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

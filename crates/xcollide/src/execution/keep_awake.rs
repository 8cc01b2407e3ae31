//! Keeps the threads of a pool awake while the stages of a check follow one another.
//!
//! A check has some twenty jobs, with short serial parts between them. A thread of the pool that finds no work sleeps
//! after a few microseconds, and waking it takes tens of microseconds. So sixteen threads would mostly sleep and be
//! woken. During a check each thread but the one that runs the stages has a *companion*: a task that looks for work
//! until the check is over.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A companion without work for so long ends. The thread then sleeps, and wakes as usual. So a check that waits for
/// something else does not burn processors, and checks of several worlds that share a pool never wait for each other's
/// companions for long.
const IDLE: Duration = Duration::from_millis(1);

/// Companions look for work only when all of them have begun, or after this time: a thread that is awake early could
/// take the companions of others.
const GATHERING: Duration = Duration::from_micros(30);

/// Pauses of the processor between two looks for work.
const PAUSES: usize = 8;

/// Calls `stages` once, on a thread of rayon's current pool, where the calling thread must be. The other threads of the
/// pool stay awake meanwhile.
pub(super) fn keep_awake(stages: &mut (dyn FnMut() + Send)) {
    let others = rayon::current_num_threads() - 1;
    let Some(own) = rayon::current_thread_index().filter(|_| others > 0) else {
        return stages();
    };
    let companions = Companions { others, own, ..Companions::default() };
    rayon::in_place_scope(|scope| {
        for _ in 0..others {
            scope.spawn(|_| companions.accompany());
        }
        let _end = EndOfStages(&companions.is_over);
        stages();
    });
}

/// The companions of a check.
#[derive(Default)]
struct Companions {
    others: usize,
    /// The index of the thread that runs the stages.
    own: usize,
    begun: AtomicUsize,
    is_over: AtomicBool,
}

impl Companions {
    fn accompany(&self) {
        // While it waits for a job the thread of the stages may take a companion that no other thread has begun.
        if rayon::current_thread_index() == Some(self.own) {
            return;
        }
        let is_over = || self.is_over.load(Ordering::Acquire);
        self.begun.fetch_add(1, Ordering::Relaxed);
        let began = Instant::now();
        while self.begun.load(Ordering::Relaxed) < self.others
            && began.elapsed() < GATHERING
            && !is_over()
        {
            std::hint::spin_loop();
        }
        let mut worked = Instant::now();
        while !is_over() {
            if rayon::yield_now() == Some(rayon::Yield::Executed) {
                worked = Instant::now();
            } else if worked.elapsed() > IDLE {
                return;
            }
            for _ in 0..PAUSES {
                std::hint::spin_loop();
            }
        }
    }
}

/// Notes the end of the stages, also where one of them panics.
struct EndOfStages<'a>(&'a AtomicBool);

impl Drop for EndOfStages<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    /// Runs stages that share work several times, with companions; returns how many pieces were done.
    fn check() -> usize {
        let done = AtomicUsize::new(0);
        keep_awake(&mut || {
            for _ in 0..20 {
                rayon::scope(|scope| {
                    for _ in 0..8 {
                        scope.spawn(|_| _ = done.fetch_add(1, Ordering::Relaxed));
                    }
                });
            }
        });
        done.into_inner()
    }

    #[test]
    fn stages_run_once_on_pools_of_any_size() -> Result<(), rayon::ThreadPoolBuildError> {
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
            for _ in 0..50 {
                assert_eq!(pool.install(check), 160);
            }
        }
        Ok(())
    }

    /// Checks of several worlds on one pool, one within the waiting of another, all end.
    #[test]
    fn several_at_once_end() -> Result<(), rayon::ThreadPoolBuildError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build()?;
        for _ in 0..50 {
            let found = pool.install(|| {
                let two = || rayon::join(check, check);
                rayon::join(two, two)
            });
            assert_eq!(found, ((160, 160), (160, 160)));
        }
        Ok(())
    }

    #[test]
    fn a_panic_of_the_stages_ends_the_companions() -> Result<(), rayon::ThreadPoolBuildError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build()?;
        let fails = || pool.install(|| keep_awake(&mut || panic!("on purpose")));
        assert!(catch_unwind(AssertUnwindSafe(fails)).is_err());
        assert_eq!(pool.install(check), 160);
        Ok(())
    }
}

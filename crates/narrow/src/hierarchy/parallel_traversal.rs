//! One pair of models by several threads: the parallel traversal of Zachmann 1994, 6.3.1.
//!
//! The thesis feared for it "that a process is spawned with every recursion, which might be very
//! expensive". Here the search is cut, breadth first, into some tens of parts that are in the order of
//! the search; who has nothing to do takes the next part. So the answer is that of one thread:
//!
//! - *the first pair that meets* is the first of the first part that has one. A part is broken off only
//!   when an earlier one has a hit, never because a later one has;
//! - *all pairs that meet* are those of the parts, one part after the other.

use std::ops::{ControlFlow, Range};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use xcollide_bounds::Motion;
use xcollide_bvh::{Counter, NodePair};

use super::Hierarchy;
use super::work::Monitor;
use crate::Stats;
use crate::parallel_for::{HelpTrigger, share};

/// Into how many parts a search is cut at least, for each thread: enough for all to be busy to the
/// end, though some parts take a hundred times as long as others.
const PARTS: usize = 48;

/// Pairs of nodes that the caller looks into before it calls for help: about 30 µs.
const STEPS: u32 = 1000;

/// How many parts are worked off before what they found is shown; then twice as many, and so on.
const ROUND: usize = 16;

/// A search that is cut into parts.
pub(crate) struct PartedSearch<'a, H: Hierarchy> {
    a: (&'a H, &'a Motion),
    b: (&'a H, &'a Motion),
    parts: Vec<NodePair>,
    helpers: usize,
}

impl<'a, H: Hierarchy> PartedSearch<'a, H> {
    /// Cuts the search; what cutting takes is counted by `monitor`, which may break it off.
    pub(crate) fn new(
        a: (&'a H, &'a Motion),
        b: (&'a H, &'a Motion),
        helpers: usize,
        scratch: &mut H::Scratch,
        monitor: &mut Monitor,
    ) -> Self {
        let mut parts = Vec::new();
        H::parts(a, b, PARTS * (helpers + 1), scratch, monitor, &mut parts);
        Self { a, b, parts, helpers }
    }

    /// The first pair for which `meets` holds.
    pub(crate) fn first(
        &self,
        monitor: &mut Monitor,
        meets: impl Fn(u32, u32) -> bool + Sync,
    ) -> Option<(u32, u32)> {
        let (all, earliest) = (0..self.parts.len(), AtomicUsize::new(usize::MAX));
        let results = self.work_off(all, &mut STEPS.clone(), monitor, &earliest, |s, t, found| {
            if meets(s, t) {
                found.push((s, t));
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        // What comes after the first hit was done, or not, as time would have it: it does not count.
        for Result { found, stats } in results {
            monitor.stats += stats;
            if let Some(&first) = found.first() {
                return Some(first);
            }
        }
        None
    }

    /// Shows `visit`, in the order of the search, the pairs for which `meets` holds.
    pub(crate) fn all(
        &self,
        monitor: &mut Monitor,
        meets: impl Fn(u32, u32) -> bool + Sync,
        mut visit: impl FnMut(u32, u32) -> ControlFlow<()>,
    ) {
        let (mut begin, mut round, mut steps) = (0, ROUND, STEPS);
        while begin < self.parts.len() && !monitor.out_of_time {
            let end = self.parts.len().min(begin + round);
            let never = AtomicUsize::new(usize::MAX);
            let results = self.work_off(begin..end, &mut steps, monitor, &never, |s, t, found| {
                if meets(s, t) {
                    found.push((s, t));
                }
                ControlFlow::Continue(())
            });
            for Result { found, stats } in results {
                monitor.stats += stats;
                for (s, t) in found {
                    if visit(s, t).is_break() {
                        return;
                    }
                }
            }
            (begin, round) = (end, 2 * round);
        }
    }

    /// Works some parts off. A part ends where one before `earliest` has ended with a break of `test`.
    fn work_off(
        &self,
        range: Range<usize>,
        steps: &mut u32,
        monitor: &mut Monitor,
        earliest: &AtomicUsize,
        test: impl Fn(u32, u32, &mut Vec<(u32, u32)>) -> ControlFlow<()> + Sync,
    ) -> Vec<Result> {
        let results: Vec<OnceLock<Result>> = range.clone().map(|_| OnceLock::new()).collect();
        let out_of_time = AtomicUsize::new(0);
        let of_all = &*monitor;
        *steps = share(range.len(), self.helpers, *steps, |number, patience| {
            let number = range.start + number;
            let mut found = Vec::new();
            let monitor = of_all.for_a_part();
            let mut work = PartWork { number, earliest, patience, monitor };
            if work.go_on_with_part().is_continue() {
                let (part, scratch) = (self.parts[number], &mut H::Scratch::default());
                let visit = |s, t| {
                    let flow = test(s, t, &mut found);
                    if flow.is_break() {
                        earliest.fetch_min(number, Ordering::Relaxed);
                    }
                    flow
                };
                H::candidates_below(part, self.a, self.b, scratch, &mut work, visit);
            }
            out_of_time.fetch_add(usize::from(work.monitor.out_of_time), Ordering::Relaxed);
            let result = Result { found, stats: work.monitor.stats };
            // Each part is worked off once.
            let _ = results[number - range.start].set(result);
        });
        monitor.out_of_time |= out_of_time.into_inner() > 0;
        results.into_iter().filter_map(OnceLock::into_inner).collect()
    }
}

/// What a part came to.
struct Result {
    found: Vec<(u32, u32)>,
    stats: Stats,
}

/// Counts the work of a part, and ends it when it is not wanted any more.
struct PartWork<'w> {
    number: usize,
    earliest: &'w AtomicUsize,
    patience: &'w HelpTrigger<'w>,
    monitor: Monitor,
}

impl PartWork<'_> {
    #[inline]
    fn go_on_with_part(&mut self) -> ControlFlow<()> {
        self.patience.step();
        // A hint that guards no memory: what was found is read when all threads have ended.
        if self.earliest.load(Ordering::Relaxed) < self.number {
            return ControlFlow::Break(());
        }
        self.monitor.in_time()
    }
}

impl Counter for PartWork<'_> {
    #[inline]
    fn volumes(&mut self, tests: u64) {
        self.monitor.volumes(tests);
    }

    #[inline]
    fn primitives(&mut self, tests: u64) {
        self.monitor.primitives(tests);
    }

    #[inline]
    fn moved(&mut self, _: u64) {}

    #[inline]
    fn go_on(&mut self) -> ControlFlow<()> {
        self.go_on_with_part()
    }
}

//! Parallel traversal: several threads search one pair of models (Zachmann 1994, 6.3.1).
//!
//! The search is cut, breadth first, into some tens of parts in the order of the search; an idle thread
//! takes the next part. The answer is that of one thread:
//!
//! - *the first pair that meets* is the first of the first part with a hit. Only a hit in an earlier part
//!   stops a part;
//! - *all pairs that meet* are those of the parts, in order.
//!
//! When the time is over, what the parts have left adds up, those that were not begun as one pair of nodes each. How much that
//! is depends on the clock; that all contacts are below it does not.

use std::ops::{ControlFlow, Range};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use xcollide_bvh::Counter;
use xcollide_bvh::wide::Visit;
use xcollide_math::Pose;

use super::Hierarchy;
use super::work::Monitor;
use crate::Stats;
use crate::pair_search::Left;
use crate::parallel_for::{HelpTrigger, share};

/// The least number of parts for each thread: enough to keep all threads busy to the end, although some
/// parts take a hundred times as long as others.
const PARTS: usize = 48;

/// Pairs of nodes that the calling thread opens before it calls helpers: about 30 µs.
const STEPS: u32 = 1000;

/// The number of parts that are searched before their hits are shown; doubled each time.
const ROUND: usize = 16;

/// The parts of a search, in its order. Each can be searched on its own.
pub(crate) trait Parts: Sync {
    fn count(&self) -> usize;

    /// Shows `visit` the candidates of a part, until it or `work` breaks.
    fn search(&self, number: usize, work: &mut impl Counter, visit: impl Visit);
}

/// The least number of parts for a calling thread and some helpers.
pub(crate) fn parts_for(helpers: usize) -> usize {
    PARTS * (helpers + 1)
}

/// The parts of the search of two hierarchies.
pub(crate) struct PairParts<'a, H: Hierarchy> {
    a: (&'a H, &'a Pose),
    b: (&'a H, &'a Pose),
    parts: Vec<H::Part>,
}

impl<'a, H: Hierarchy> PairParts<'a, H> {
    /// Cuts the search; `monitor` counts this work and may end it.
    pub(crate) fn new(
        a: (&'a H, &'a Pose),
        b: (&'a H, &'a Pose),
        helpers: usize,
        scratch: &mut H::Scratch,
        monitor: &mut Monitor,
    ) -> Self {
        let mut parts = Vec::new();
        H::parts(a, b, parts_for(helpers), scratch, monitor, &mut parts);
        Self { a, b, parts }
    }
}

impl<H: Hierarchy> Parts for PairParts<'_, H> {
    fn count(&self) -> usize {
        self.parts.len()
    }

    fn search(&self, number: usize, work: &mut impl Counter, visit: impl Visit) {
        let scratch = &mut H::Scratch::default();
        H::candidates_below(&self.parts[number], self.a, self.b, scratch, work, visit);
    }
}

/// A search that is cut into parts.
pub(crate) struct PartedSearch<P> {
    parts: P,
    helpers: usize,
}

impl<P: Parts> PartedSearch<P> {
    pub(crate) fn new(parts: P, helpers: usize) -> Self {
        Self { parts, helpers }
    }

    /// The first pair for which `meets` holds.
    pub(crate) fn first(
        &self,
        monitor: &mut Monitor,
        meets: impl Fn(u32, u32) -> bool + Sync,
    ) -> Option<(u32, u32)> {
        let (all, earliest) = (0..self.parts.count(), AtomicUsize::new(usize::MAX));
        let results =
            self.search_parts(all, &mut STEPS.clone(), monitor, &earliest, |s, t, found| {
                if meets(s, t) {
                    found.push((s, t));
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            });
        // Whether parts after the first hit were searched depends on timing: they do not count.
        for Result { found, stats, left } in results {
            monitor.stats += stats;
            left.into_iter().for_each(|left| monitor.add_left(left));
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
        while begin < self.parts.count() && !monitor.out_of_time {
            let end = self.parts.count().min(begin + round);
            let never = AtomicUsize::new(usize::MAX);
            let results =
                self.search_parts(begin..end, &mut steps, monitor, &never, |s, t, found| {
                    if meets(s, t) {
                        found.push((s, t));
                    }
                    ControlFlow::Continue(())
                });
            for Result { found, stats, left } in results {
                monitor.stats += stats;
                left.into_iter().for_each(|left| monitor.add_left(left));
                for (s, t) in found {
                    if visit(s, t).is_break() {
                        return;
                    }
                }
            }
            (begin, round) = (end, 2 * round);
        }
        // Each part that was not begun is a pair of nodes.
        monitor.left(self.parts.count() - begin, || None);
    }

    /// Searches some parts. A part ends as soon as `test` has broken off an earlier one.
    fn search_parts(
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
        *steps = share(range.len(), self.helpers, *steps, |number, trigger| {
            let number = range.start + number;
            let mut found = Vec::new();
            let mut work = PartWork::new(number, earliest, trigger, of_all.for_a_part());
            // A part that begins too late tells what it leaves.
            if !work.is_useless() {
                let visit = |s, t| {
                    let flow = test(s, t, &mut found);
                    if flow.is_break() {
                        earliest.fetch_min(number, Ordering::Relaxed);
                    }
                    flow
                };
                self.parts.search(number, &mut work, visit);
            }
            out_of_time.fetch_add(usize::from(work.monitor.out_of_time), Ordering::Relaxed);
            let Monitor { stats, left, .. } = work.monitor;
            let result = Result { found, stats, left };
            // Each part is searched once, so the slot is free.
            let _ = results[number - range.start].set(result);
        });
        monitor.out_of_time |= out_of_time.into_inner() > 0;
        results.into_iter().filter_map(OnceLock::into_inner).collect()
    }
}

/// The result of a part.
struct Result {
    found: Vec<(u32, u32)>,
    stats: Stats,
    /// If it ended as the time was over.
    left: Option<Left>,
}

/// Counts the work of a part, and ends the part if an earlier one has a hit.
pub(crate) struct PartWork<'w> {
    number: usize,
    earliest: &'w AtomicUsize,
    trigger: &'w HelpTrigger<'w>,
    pub(crate) monitor: Monitor,
}

impl<'w> PartWork<'w> {
    pub(crate) fn new(
        number: usize,
        earliest: &'w AtomicUsize,
        trigger: &'w HelpTrigger<'w>,
        monitor: Monitor,
    ) -> Self {
        Self { number, earliest, trigger, monitor }
    }

    /// Whether an earlier part has a hit.
    #[inline]
    fn is_useless(&self) -> bool {
        // A hint that guards no memory: results are read when all threads have ended.
        self.earliest.load(Ordering::Relaxed) < self.number
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
    fn go_on(&mut self) -> ControlFlow<()> {
        self.trigger.step();
        if self.is_useless() {
            return ControlFlow::Break(());
        }
        self.monitor.in_time()
    }

    fn left(&mut self, pairs: usize, first: impl FnOnce() -> Option<(u32, u32)>) {
        self.monitor.left(pairs, first);
    }
}

//! Both phases at the same time (Zachmann 1994, 6.3.2: medium grain).
//!
//! In the thesis either phase ends the other as soon as it finds a collision. Here only the first phase
//! ends the second, and hits of the second are shown after all of the first, so the first hit is that of
//! one phase after the other. Each phase computes its own world coordinates.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Arbitrary, EdgeHit, Phase, Workspace, common_region};
use crate::Placed;
use crate::hierarchy::parallel_traversal::PartWork;
use crate::hierarchy::work::Monitor;
use crate::parallel_for::HelpTrigger;

/// Runs both phases; shows what one after the other would show, and counts the same except that both
/// transform vertices. Returns the transforms. `only_first`: `found` breaks at the first hit.
pub(crate) fn run(
    options: Arbitrary,
    [a, b]: [Placed<'_>; 2],
    workspace: &mut Workspace,
    only_first: bool,
    monitor: &mut Monitor,
    mut found: impl FnMut(EdgeHit) -> ControlFlow<()>,
) -> u64 {
    if monitor.in_time().is_break() {
        return 0;
    }
    let Some(region) = common_region([a, b], 0.0, monitor) else { return 0 };
    let first = Phase { options, a, b, region, within: 0.0, edge_of_b: false };
    let second = Phase { edge_of_b: true, ..first };
    let mut own = workspace.second.take().unwrap_or_default();
    own.place([a, b]);
    // The second phase is part 1, and ends if part 0 has a hit.
    let earliest = AtomicUsize::new(usize::MAX);
    let (part, mut hits, mut late) = (monitor.for_a_part(), Vec::new(), None);
    let first = rayon::in_place_scope(|scope| {
        scope.spawn(|_| {
            let trigger = HelpTrigger::none();
            let mut work = PartWork::new(1, &earliest, &trigger, part);
            let _ = second.run(&mut own, &mut work, |hit| {
                hits.push(hit);
                if only_first { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            late = Some(work.monitor);
        });
        let first = first.run(workspace, monitor, &mut found);
        if first.is_break() {
            earliest.store(0, Ordering::Relaxed);
        }
        first
    });
    let mut transforms = workspace.transforms();
    if let (Some(late), ControlFlow::Continue(())) = (late, first) {
        transforms += own.transforms();
        monitor.stats += late.stats;
        monitor.out_of_time = late.out_of_time;
        late.left.into_iter().for_each(|left| monitor.add_left(left));
        let _ = hits.into_iter().try_for_each(found);
    }
    workspace.second = Some(own);
    transforms
}

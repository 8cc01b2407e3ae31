//! Both phases at the same time (Zachmann 1994, 6.3.2: medium grain).
//!
//! The thesis lets either phase end the other as soon as it has found a collision. Here only the first
//! phase ends the second: a hit of the second is shown after all of the first, as if one had come
//! after the other, so that the same hit is the first. What that costs is the time in which
//! only the second phase would have known. Each phase has its own world coordinates, as they are
//! worked out when they are wanted; that is what is done twice.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{EdgeHit, Phase, PhaseEnd, Workspace};
use crate::parallel_for::helpers;
use crate::query::Deadline;
use crate::query::stats::Count;
use crate::{Placed, Query};

/// Models of fewer faces, both together, are done sooner than a thread is woken up.
const FACES: usize = 250;

pub(crate) fn are_worth_it(a: Placed<'_>, b: Placed<'_>, query: &Query) -> bool {
    let faces = |placed: Placed<'_>| placed.model().mesh().face_count();
    helpers(query.grain) > 0 && faces(a) + faces(b) >= FACES
}

/// Runs both phases; shows and counts what one after the other would have shown, and counted but for
/// what is placed twice. `only_first`: `visit` breaks off at the first hit.
pub(crate) fn run<C: Count>(
    [first, second]: [Phase<'_>; 2],
    workspace: &mut Workspace,
    only_first: bool,
    mut deadline: Deadline,
    count: &mut C,
    mut visit: impl FnMut(EdgeHit) -> ControlFlow<()>,
) -> PhaseEnd {
    let mut own = workspace.second.take().unwrap_or_default();
    own.place(second.a, second.b);
    let is_over = AtomicBool::new(false);
    let mut of_second = deadline.clone();
    let (mut end, mut hits, mut counted) = (PhaseEnd::Complete, Vec::new(), C::default());
    let ended = rayon::in_place_scope(|scope| {
        scope.spawn(|_| {
            // A hint that guards no memory.
            let passed = || is_over.load(Ordering::Relaxed) || of_second.passed();
            end = second.run(&mut own, passed, &mut counted, |hit| {
                hits.push(hit);
                if only_first { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
        });
        let ended = first.run(workspace, || deadline.passed(), count, &mut visit);
        if ended != PhaseEnd::Complete {
            is_over.store(true, Ordering::Relaxed);
        }
        ended
    });
    if ended == PhaseEnd::Complete {
        counted.transforms(own.transforms());
        count.add(counted);
    }
    workspace.second = Some(own);
    if ended != PhaseEnd::Complete {
        return ended;
    }
    for hit in hits {
        if visit(hit).is_break() {
            return PhaseEnd::Stopped;
        }
    }
    end
}

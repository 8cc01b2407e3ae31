//! The pair of triangles that met last, for hierarchies that keep nothing else from query to query.

use std::ops::ControlFlow;

use xcollide_bvh::Counter;
use xcollide_bvh::wide::Visit;
use xcollide_math::Pose;

use crate::hierarchy::Hierarchy;

/// The pair at which the last search broke.
#[derive(Clone, Copy, Debug, Default)]
pub struct LastPair(Option<(u32, u32)>);

impl LastPair {
    /// [`Hierarchy::coherent`]: the last pair first, then all.
    pub(crate) fn search<H: Hierarchy>(
        &mut self,
        [a, b]: [(&H, &Pose); 2],
        scratch: &mut H::Scratch,
        work: &mut impl Counter,
        mut visit: impl Visit,
    ) {
        if let Some((s, t)) = self.0.take() {
            work.primitives(1);
            if visit.pair(s, t).is_break() {
                self.0 = Some((s, t));
                return;
            }
        }
        let mut last = None;
        H::candidates(a, b, scratch, work, |s, t| {
            let flow: ControlFlow<()> = visit.pair(s, t);
            if flow.is_break() {
                last = Some((s, t));
            }
            flow
        });
        self.0 = last;
    }
}

/// The part of [`Hierarchy`] by which one tests the last pair first.
macro_rules! last_pair_first {
    () => {
        type Front = $crate::classic::last_pair::LastPair;

        fn coherent(
            a: (&Self, &Pose),
            b: (&Self, &Pose),
            front: &mut Self::Front,
            scratch: &mut Self::Scratch,
            work: &mut impl Counter,
            visit: impl Visit,
            _: &mut dyn FnMut(u32, u32) -> [[Point; 3]; 2],
        ) {
            front.search::<Self>([a, b], scratch, work, visit);
        }
    };
}

pub(super) use last_pair_first;

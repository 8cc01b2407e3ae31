//! Frame-to-frame coherence of a pair of models: what a [`coherent`](crate::PairCache::coherent)
//! cache keeps for a hierarchy.

use std::ops::ControlFlow;

use xcollide_bvh::wide::{TemporalFront, Traversal, WidePlaced, WideTree};
use xcollide_math::Pose;

use xcollide_bvh::Counter;

/// What a hierarchy remembers of a pair of models for the next query, to look only at what the
/// motion since can have changed. It never changes an answer.
///
/// For the 8-wide hierarchies it is the [`TemporalFront`]; the proof that nothing is lost stands
/// there. It notices when it is used for other models.
#[derive(Clone, Debug, Default)]
pub struct Coherence {
    front: TemporalFront,
}

impl Coherence {
    /// Bytes that are remembered.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.front.bytes()
    }

    /// The search of two 8-wide hierarchies.
    #[inline]
    pub(crate) fn search_wide(
        &mut self,
        a: (&WideTree, &Pose),
        b: (&WideTree, &Pose),
        traversal: &mut Traversal,
        work: &mut impl Counter,
        visit: impl FnMut(u32, u32) -> ControlFlow<()>,
        world: impl FnMut(u32, u32) -> [[[f64; 3]; 3]; 2],
    ) {
        let (a, b) =
            (WidePlaced { tree: a.0, pose: *a.1 }, WidePlaced { tree: b.0, pose: *b.1 });
        // The visitor knows whether it broke off.
        let _ = self.front.search(a, b, traversal, work, visit, world);
    }
}

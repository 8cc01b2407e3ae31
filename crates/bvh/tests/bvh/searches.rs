//! Searches of wide trees, compiled once for all visitors: kernels of every instruction set for each visitor would take
//! longer to compile than all tests to run.

use std::ops::ControlFlow;

use xcollide_bvh::wide::{self, NodeKind, Traversal, WideBvh};
use xcollide_bvh::{Counter, NodePair};
use xcollide_math::Pose;

type Placed<'a, N> = (&'a WideBvh<N>, &'a Pose);

pub(crate) fn candidates<N: NodeKind, T: Counter>(
    a: Placed<'_, N>,
    b: Placed<'_, N>,
    traversal: &mut Traversal,
    counter: &mut T,
    visit: &mut dyn FnMut(u32, u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    wide::candidates(a, b, traversal, counter, visit)
}

pub(crate) fn candidates_below<N: NodeKind, T: Counter>(
    part: NodePair,
    a: Placed<'_, N>,
    b: Placed<'_, N>,
    counter: &mut T,
    visit: &mut dyn FnMut(u32, u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    wide::candidates_below(part, a, b, &mut Traversal::new(), counter, visit)
}

pub(crate) fn first_hit<N: NodeKind>(
    a: Placed<'_, N>,
    b: Placed<'_, N>,
    traversal: &mut Traversal,
    exact: &mut dyn FnMut(u32, u32) -> bool,
) -> Option<(u32, u32)> {
    wide::first_hit(a, b, traversal, exact)
}

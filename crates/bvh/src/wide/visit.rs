//! Receivers of pairs of triangles.

use std::ops::ControlFlow;

use crate::Counter;

/// Receives pairs of triangles by their numbers in the first and in the second mesh, until it breaks. Every
/// function of two numbers implements it.
pub trait Visit {
    /// One pair.
    fn pair(&mut self, first: u32, second: u32) -> ControlFlow<()>;

    /// All pairs of two leaves of one to four triangles each. An override must count each pair before it
    /// tests it, in the order of [`each_pair`].
    #[inline(always)]
    fn leaves(
        &mut self,
        first: &[u32],
        second: &[u32],
        counter: &mut impl Counter,
    ) -> ControlFlow<()> {
        each_pair(self, first, second, counter)
    }
}

impl<F: FnMut(u32, u32) -> ControlFlow<()>> Visit for F {
    #[inline(always)]
    fn pair(&mut self, first: u32, second: u32) -> ControlFlow<()> {
        self(first, second)
    }
}

/// Passes `visit` all pairs of two leaves one by one.
#[inline(always)]
pub fn each_pair<V: Visit + ?Sized>(
    visit: &mut V,
    first: &[u32],
    second: &[u32],
    counter: &mut impl Counter,
) -> ControlFlow<()> {
    for &t in second {
        for &s in first {
            counter.primitives(1);
            visit.pair(s, t)?;
        }
    }
    ControlFlow::Continue(())
}

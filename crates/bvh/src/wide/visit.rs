//! Who is shown pairs of triangles.

use std::ops::ControlFlow;

use crate::Counter;

/// Is shown pairs of triangles by their numbers in the first and in the second mesh, until it breaks
/// off. Any function of two numbers is one.
pub trait Visit {
    /// Is shown a pair.
    fn pair(&mut self, first: u32, second: u32) -> ControlFlow<()>;

    /// Is shown all pairs of two leaves, which have one to four triangles each: for those who can make
    /// use of seeing them together. Each is to be told to `counter` before it is tested, those with the
    /// first triangle of the second leaf first, as [`each_pair`] does.
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

/// Shows `visit` all pairs of two leaves one by one.
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

//! The traversal of two wide hierarchies down to boxes of a size: whether the models may come that close.

use xcollide_simd::{Simd, SimdKernel};

use super::descent::{Side, whole};
use super::node::{Node, WIDTH};
use super::opened_node::Opened;
use super::relative_transform::PlacedTrees;
use crate::Counter;

/// The kernel that looks for two boxes that overlap and are small.
pub(super) struct CoarseDescent<'d, 'a, N, T> {
    pub(super) trees: &'d PlacedTrees<'a, N>,
    /// The size, as halvings of the smaller tree's box.
    pub(super) halvings: u8,
    pub(super) deep: &'d mut Vec<Opened>,
    pub(super) counter: &'d mut T,
}

impl<N: Node, T: Counter> SimdKernel for CoarseDescent<'_, '_, N, T> {
    /// The first triangles below the pair found.
    type Output = Option<(u32, u32)>;

    #[inline(always)]
    fn run<S: Simd>(self) -> Option<(u32, u32)> {
        let Self { trees, halvings, deep, counter } = self;
        let [a, b] = Side::both(trees);
        let whole = whole::<S::F32x8, _>(&a, &b, counter)?;
        let size = (0..halvings).fold(whole.smaller(), |size, _| 0.5 * size);
        deep.clear();
        deep.push(Opened::only(whole));
        while let Some(top) = deep.last_mut() {
            let mut pair = top.take_pair::<S::F32x8, _>([&a, &b]);
            if top.is_done() {
                deep.pop();
            }
            loop {
                if counter.go_on().is_break() {
                    let left = 1 + Opened::pairs_left(deep);
                    counter.left(left, || Some(Side::first_below([&a, &b], pair)));
                    return None;
                }
                if pair.is_within(size) {
                    return Some(Side::first_below([&a, &b], pair));
                }
                counter.volumes(WIDTH as u64);
                let found = Opened::new::<S::F32x8, _>([&a, &b], pair);
                let Some((opened, next)) = found else { break };
                if !opened.is_done() {
                    deep.push(opened);
                }
                pair = next;
            }
        }
        None
    }
}

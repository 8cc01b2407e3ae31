//! The descent in parts: cut breadth first, each part worked off by itself.

use std::ops::ControlFlow;

use xcollide_simd::{Simd, SimdKernel};

use super::descent::{Pair, Side, below, open, whole};
use super::node::{Tree, WIDTH};
use super::relative_transform::PairTraversal;
use super::{Tally, Visit};
use crate::NodePair;

/// Cutting a search into parts.
pub(super) struct Cut<'d, 'a, H, T> {
    pub(super) pairing: &'d PairTraversal<'a, H>,
    pub(super) at_least: usize,
    pub(super) tally: &'d mut T,
    pub(super) parts: &'d mut Vec<NodePair>,
}

impl<H: Tree, T: Tally> SimdKernel for Cut<'_, '_, H, T> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<S: Simd>(self) -> ControlFlow<()> {
        let Self { pairing, at_least, tally, parts } = self;
        let [a, b] = Side::both(pairing);
        let mut level: Vec<Pair> = whole::<S::F32x8, _>(&a, &b, tally).into_iter().collect();
        let mut next = Vec::new();
        while level.len() < at_least {
            let mut is_cut = true;
            for pair in level.drain(..) {
                if pair.is_of_leaves() {
                    next.push(pair);
                    continue;
                }
                is_cut = false;
                tally.go_on()?;
                tally.boxes(WIDTH as u64);
                let mut slots = [Pair::NOTHING; WIDTH];
                let count = open::<S::F32x8, _>(&a, &b, pair, &mut slots);
                // The one that the descent would look into next is the last.
                next.extend(slots[..count].iter().rev());
            }
            std::mem::swap(&mut level, &mut next);
            if is_cut {
                break;
            }
        }
        parts.extend(level.iter().map(Pair::part));
        ControlFlow::Continue(())
    }
}

/// The search below a part.
pub(super) struct Below<'d, 'a, H, T, V> {
    pub(super) part: NodePair,
    pub(super) pairing: &'d PairTraversal<'a, H>,
    pub(super) tally: &'d mut T,
    pub(super) visit: &'d mut V,
}

impl<H, T, V> SimdKernel for Below<'_, '_, H, T, V>
where
    H: Tree,
    T: Tally,
    V: Visit,
{
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<S: Simd>(self) -> ControlFlow<()> {
        let Self { part, pairing, tally, visit } = self;
        let [a, b] = Side::both(pairing);
        let pair = Side::at([&a, &b], part);
        below::<S::F32x8, _>([&a, &b], pair, tally, visit)
    }
}

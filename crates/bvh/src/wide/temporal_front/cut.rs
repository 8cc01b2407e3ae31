//! The cut through all pairs of boxes at which a descent ended, and its update.

use std::ops::ControlFlow;
use xcollide_math::Pose;

use xcollide_simd::{F32x8, Simd, SimdKernel, prefetch};

use super::super::node::{ChildRef, Node, OrientedBox, WIDTH};
use super::super::relative_transform::PlacedTrees;
use super::super::tree::WideTree;
use super::triangle_gap::triangle_gap;
use crate::Counter;

/// Pairs of boxes that were tested, and how long their results hold.
#[derive(Clone, Debug, Default)]
pub(super) struct Cut {
    /// On the scale of [`Clock`]: until then none of the separated children of an opened pair can meet, or
    /// none of the triangles of two leaves.
    expires: Vec<f32>,
    pairs: Vec<Pair>,
    /// The same for trees whose roots are apart. There are no pairs then.
    whole: Option<f32>,
}

#[derive(Clone, Copy, Debug)]
struct Pair {
    a: Slot,
    b: Slot,
    /// Bit i is set if child i of the opened node has a pair of its own in the cut.
    kept: u8,
}

/// A pair of overlapping boxes still to be opened.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Entry {
    a: Slot,
    b: Slot,
    gap: f32,
}

/// A box of a tree: where it leads, and where it is stored.
#[derive(Clone, Copy, Debug)]
struct Slot {
    child: ChildRef,
    /// Node × 8 + lane.
    place: u32,
}

impl Slot {
    #[inline(always)]
    fn root(tree: &WideTree) -> Self {
        Self { child: tree.nodes[0].children()[0], place: 0 }
    }

    #[inline(always)]
    fn bounds(self, tree: &WideTree) -> OrientedBox {
        tree.nodes[self.place as usize / WIDTH].get(self.place as usize % WIDTH)
    }

    /// The longest half side.
    #[inline(always)]
    fn size(self, tree: &WideTree) -> f32 {
        tree.nodes[self.place as usize / WIDTH].size(self.place as usize % WIDTH)
    }
}

impl Entry {
    /// Whether `b` is to be opened rather than `a`; not both lead to triangles.
    #[inline(always)]
    fn opens_b(&self, trees: &PlacedTrees<'_>) -> bool {
        if self.a.child.is_leaf() || self.b.child.is_leaf() {
            return self.a.child.is_leaf();
        }
        trees.b_to_a.scaled(self.b.size(trees.b)) >= self.a.size(trees.a)
    }

    /// Prefetches the node that opening this pair reads first.
    #[inline(always)]
    fn prefetch(&self, trees: &PlacedTrees<'_>) {
        let (tree, slot) = match (self.a.child.is_leaf(), self.b.child.is_leaf()) {
            (true, true) => return,
            _ if self.opens_b(trees) => (trees.b, self.b),
            _ => (trees.a, self.a),
        };
        if let Some(node) = tree.nodes.get(slot.child.index()) {
            prefetch(node);
        }
    }
}

/// The distance travelled, by which the pairs of a cut expire.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    /// Pairs below this have expired.
    pub(super) now: f32,
    /// The start of gaps that are found now.
    pub(super) from: f64,
    /// One over the unit of the first tree.
    pub(super) scale: f64,
}

impl Clock {
    /// The part of a gap that remains in all frames (see the head of `temporal_front`).
    const PART: f64 = 1.0 - 1.0 / 128.0;

    pub(super) fn new(travelled: f64, noise: f64, scale: f64) -> Self {
        // NaN expires all.
        Self { now: ((travelled + noise) as f32).next_up(), from: travelled - noise, scale }
    }

    /// When a gap expires, in the unit of the first tree.
    #[inline(always)]
    fn expiry(&self, gap: f64) -> f32 {
        round_down(self.from + Self::PART * gap)
    }
}

/// Rounds down, by at most two units in the last place; infinity gives NaN.
#[inline(always)]
fn round_down(value: f64) -> f32 {
    let nearest = value as f32;
    nearest - nearest.abs() * f32::EPSILON - f32::MIN_POSITIVE
}

impl Cut {
    /// The most pairs of a cut; 24 bytes each.
    pub(super) const LIMIT: usize = 1 << 16;

    pub(super) fn is_empty(&self) -> bool {
        self.pairs.is_empty() && self.whole.is_none()
    }

    pub(super) fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether the roots of the trees were apart.
    pub(super) fn is_of_roots(&self) -> bool {
        self.whole.is_some()
    }

    pub(super) fn bytes(&self) -> usize {
        self.pairs.capacity() * size_of::<Pair>() + self.expires.capacity() * size_of::<f32>()
    }

    pub(super) fn is_full(&self) -> bool {
        self.pairs.len() >= Self::LIMIT
    }

    /// Removes all pairs, and frees large memory.
    pub(super) fn clear(&mut self) {
        /// Memory for this many pairs is kept.
        const KEPT: usize = 1 << 12;
        self.expires.clear();
        self.pairs.clear();
        self.expires.shrink_to(KEPT);
        self.pairs.shrink_to(KEPT);
        self.whole = None;
    }

    /// The number of expired pairs.
    pub(super) fn expired(&self, now: f32) -> usize {
        let mut count = 0_u32;
        for &expire in self.expires.iter().chain(&self.whole) {
            let holds = expire >= now; // false for NaN
            count += u32::from(!holds);
        }
        count as usize
    }

    /// Moves the origin of the clock forward, so that f32 keeps its precision.
    pub(super) fn rebase(&mut self, by: f64) {
        for expire in self.expires.iter_mut().chain(&mut self.whole) {
            if *expire < f32::INFINITY {
                *expire = round_down(f64::from(*expire) - by);
            }
        }
    }

    fn push(&mut self, entry: Entry, kept: u8, expire: f32) {
        if !self.is_full() {
            self.pairs.push(Pair { a: entry.a, b: entry.b, kept });
            self.expires.push(expire);
        }
    }
}

/// The kernel that fills an empty cut, or tests the expired pairs of a cut again.
pub(super) struct Update<'t, 'p, T> {
    pub(super) cut: &'t mut Cut,
    pub(super) clock: Clock,
    pub(super) placed: [(&'p WideTree, &'p Pose); 2],
    pub(super) stack: &'t mut Vec<Entry>,
    pub(super) counter: &'t mut T,
    /// Whether to go on after a pair of triangles.
    pub(super) exact: &'t mut dyn FnMut(u32, u32) -> ControlFlow<()>,
    /// The corners of two triangles in the world.
    pub(super) world: &'t mut dyn FnMut(u32, u32) -> [Corners; 2],
}

type Corners = [[f64; 3]; 3];

impl<T: Counter> SimdKernel for Update<'_, '_, T> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<S: Simd>(mut self) -> ControlFlow<()> {
        self.stack.clear();
        let flow =
            if self.cut.is_empty() { self.make::<S::F32x8>() } else { self.renew::<S::F32x8>() };
        // After a break, pairs that were not tested have expired.
        while let Some(entry) = self.stack.pop() {
            self.cut.push(entry, 0, f32::NEG_INFINITY);
        }
        flow
    }
}

impl<T: Counter> Update<'_, '_, T> {
    #[inline(always)]
    fn make<F: F32x8>(&mut self) -> ControlFlow<()> {
        /// Enough for most pairs of meshes.
        const USUAL: usize = 128;
        self.cut.pairs.reserve(USUAL);
        self.cut.expires.reserve(USUAL);
        let [a, b] = self.placed;
        let Some(trees) = PlacedTrees::new(a, b) else {
            return ControlFlow::Continue(());
        };
        let (a, b) = (Slot::root(a.0), Slot::root(b.0));
        self.counter.volumes(1);
        let probe = trees.a_to_b.probe(&a.bounds(trees.a));
        let whole = trees.b.nodes[0].gaps::<F>(&probe);
        if whole.overlapping & 1 == 0 {
            let gap = f64::from(whole.gaps[0]) * f64::from(trees.b_to_a.scaled(1.0));
            self.cut.whole = Some(self.clock.expiry(gap));
            return ControlFlow::Continue(());
        }
        self.stack.push(Entry { a, b, gap: whole.gaps[0] });
        self.finish::<F>(&trees)
    }

    #[inline(always)]
    fn renew<F: F32x8>(&mut self) -> ControlFlow<()> {
        let mut known = None;
        for index in 0..self.cut.len() {
            if self.cut.expires[index] >= self.clock.now {
                continue;
            }
            let Pair { a, b, kept } = self.cut.pairs[index];
            let entry = Entry { a, b, gap: 0.0 };
            if a.child.is_leaf() && b.child.is_leaf() {
                self.cut.expires[index] = self.leaves(entry)?;
                continue;
            }
            if known.is_none() {
                let [a, b] = self.placed;
                known = PlacedTrees::new(a, b);
            }
            let Some(trees) = &known else {
                // The distance separates the trees; the cut stays valid.
                return ControlFlow::Continue(());
            };
            self.counter.go_on()?;
            let (kept, expire) = self.open::<F>(trees, entry, kept);
            self.cut.pairs[index].kept = kept;
            self.cut.expires[index] = expire;
            self.finish::<F>(trees)?;
        }
        ControlFlow::Continue(())
    }

    /// Tests all pairs on the stack and below them.
    #[inline(always)]
    fn finish<F: F32x8>(&mut self, trees: &PlacedTrees<'_>) -> ControlFlow<()> {
        while let Some(entry) = self.stack.pop() {
            if let ControlFlow::Break(()) = self.counter.go_on() {
                self.stack.push(entry);
                return ControlFlow::Break(());
            }
            if entry.a.child.is_leaf() && entry.b.child.is_leaf() {
                match self.leaves(entry) {
                    ControlFlow::Continue(expire) => self.cut.push(entry, 0, expire),
                    ControlFlow::Break(()) => {
                        self.stack.push(entry);
                        return ControlFlow::Break(());
                    }
                }
            } else {
                let (kept, expire) = self.open::<F>(trees, entry, 0);
                self.cut.push(entry, kept, expire);
            }
        }
        ControlFlow::Continue(())
    }

    /// Tests the triangles of two leaves; returns until when they are disjoint.
    #[inline(always)]
    fn leaves(&mut self, Entry { a, b, .. }: Entry) -> ControlFlow<(), f32> {
        let [tree_a, tree_b] = self.placed.map(|placed| placed.0);
        let full = self.cut.is_full();
        let mut gap = f64::INFINITY;
        for &second in &tree_b.order[b.child.range()] {
            for &first in &tree_a.order[a.child.range()] {
                self.counter.primitives(1);
                (self.exact)(first, second)?;
                // Not needed if the pair is not kept.
                if gap > 0.0 && !full {
                    let [s, t] = (self.world)(first, second);
                    gap = gap.min(triangle_gap(&s, &t));
                }
            }
        }
        ControlFlow::Continue(self.clock.expiry(gap * self.clock.scale))
    }

    /// Tests a box against the children of a node and pushes those that overlap and have no pair yet.
    /// Returns the children with a pair, and until when the others are apart.
    #[inline(always)]
    fn open<F: F32x8>(&mut self, trees: &PlacedTrees<'_>, entry: Entry, kept: u8) -> (u8, f32) {
        let Entry { a, b, .. } = entry;
        let opens_b = entry.opens_b(trees);
        let (node, probe) = if opens_b {
            let probe = trees.a_to_b.probe(&a.bounds(trees.a));
            (&trees.b.nodes[b.child.index()], probe)
        } else {
            let probe = trees.b_to_a.probe(&b.bounds(trees.b));
            (&trees.a.nodes[a.child.index()], probe)
        };
        self.counter.volumes(WIDTH as u64);
        let found = node.gaps::<F>(&probe);
        let first = self.stack.len();
        let mut all_kept = kept;
        let mut new = found.overlapping & !u32::from(kept);
        while new != 0 {
            let lane = new.trailing_zeros() as usize % WIDTH;
            new &= new - 1;
            let child = node.children()[lane];
            if child == ChildRef::NONE {
                continue;
            }
            all_kept |= 1 << lane;
            let gap = found.gaps[lane];
            let place = |opened: Slot| (opened.child.index() * WIDTH + lane) as u32;
            let next = if opens_b {
                Entry { a, b: Slot { child, place: place(b) }, gap }
            } else {
                Entry { a: Slot { child, place: place(a) }, b, gap }
            };
            next.prefetch(trees);
            self.stack.push(next);
            let mut i = self.stack.len() - 1;
            while i > first && self.stack[i - 1].gap < self.stack[i].gap {
                self.stack.swap(i - 1, i);
                i -= 1;
            }
        }
        // Lanes without a child count too; their boxes are far away.
        let parted = !(found.overlapping | u32::from(kept));
        let smallest = smallest(&found.gaps, parted);
        if smallest == f32::INFINITY {
            return (all_kept, f32::INFINITY);
        }
        let unit = if opens_b { trees.b_to_a.scaled(1.0) } else { 1.0 };
        (all_kept, self.clock.expiry(f64::from(smallest) * f64::from(unit)))
    }
}

/// The smallest number among those with a bit; infinite if there is none. In halves, so that compilers use
/// SIMD.
#[inline(always)]
fn smallest(values: &[f32; WIDTH], chosen: u32) -> f32 {
    let mut values = *values;
    for lane in 0..WIDTH {
        values[lane] = if chosen & 1 << lane != 0 { values[lane] } else { f32::INFINITY };
    }
    let mut width = WIDTH / 2;
    while width > 0 {
        for lane in 0..width {
            let other = values[lane + width];
            values[lane] = if other < values[lane] { other } else { values[lane] };
        }
        width /= 2;
    }
    values[0]
}

//! Boxes sorted by cell.

use xcollide_bounds::Aabb;
use xcollide_simd::prefetch;

use super::layout::Layout;
use crate::counting_sort::counting_sort;
use crate::overlap::{Packed, Sides};
use crate::parallel::{for_both_chunks_mut, for_chunks_mut, resize};
use crate::stats::held;

/// How many boxes ahead are fetched while boxes are sorted: each is somewhere else in memory.
const AHEAD: usize = 16;

/// Boxes of similar size, sorted by the cells of their low corners.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// `None` if there are no boxes.
    pub(super) layout: Option<Layout>,
    /// The first box of each place; one more entry than there are places.
    starts: Vec<u32>,
    /// Index and box.
    pub(super) boxes: Vec<(u32, Aabb)>,
    /// The boxes in f32, relative to the origin of the layout, in the same order.
    pub(super) sides: Vec<Sides>,
    /// The same, for comparing eight at once.
    pub(super) packed: Packed,
    /// The places in the order of the input, for sorting.
    unsorted: Vec<u32>,
    /// The indices, sorted.
    order: Vec<u32>,
}

impl Table {
    /// Sorts boxes into cells, ascending; they are [read](Self::read) next. `corners` bounds the low corners, `widest` the
    /// sides.
    #[inline(always)]
    pub(super) fn sort(
        &mut self,
        indices: &[u32],
        all: &[Aabb],
        corners: &Aabb,
        widest: [f64; 3],
        threads: bool,
    ) {
        let layout = Layout::new(indices.len(), corners, widest);
        self.layout = Some(layout);
        let len = indices.len();
        resize(&mut self.unsorted, len, 0, threads);
        for_chunks_mut(&mut self.unsorted, threads, |first, places| {
            for (place, &index) in places.iter_mut().zip(&indices[first..]) {
                let [x, y, z] = layout.coordinates(&all[index as usize].min);
                *place = layout.row(y, z) + x;
            }
        });
        let unsorted = &self.unsorted;
        let told = (|at: usize| unsorted[at], |at: usize, index: &mut u32| *index = indices[at]);
        let lists = (&mut self.starts, &mut self.order);
        counting_sort(len, layout.len(), told, lists, threads, |_, _| {});
    }

    /// Reads the boxes that were sorted.
    #[inline(always)]
    pub(super) fn read(&mut self, all: &[Aabb], threads: bool) {
        let (len, origin) =
            (self.order.len(), self.layout.map_or([0.0; 3], |layout| layout.origin));
        resize(&mut self.boxes, len, (0, Aabb::EMPTY), threads);
        resize(&mut self.sides, len, Sides::default(), threads);
        let (boxes, sides, order) = (&mut self.boxes, &mut self.sides, &self.order);
        for_both_chunks_mut(boxes, sides, threads, |first, boxes, sides| {
            for (at, (entry, sides)) in (first..).zip(boxes.iter_mut().zip(sides)) {
                if let Some(&later) = order.get(at + AHEAD) {
                    prefetch(&all[later as usize]);
                }
                let aabb = &all[order[at] as usize];
                *entry = (order[at], *aabb);
                *sides = Sides::around_finite(aabb, &origin);
            }
        });
        let sides = &self.sides;
        self.packed.refill(len, threads, |at| sides[at].to_box());
    }

    pub(super) fn clear(&mut self) {
        self.layout = None;
        self.starts.clear();
        self.order.clear();
        self.boxes.clear();
        self.sides.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.boxes.len()
    }

    /// The boxes of places `first..last` of one row.
    #[inline(always)]
    pub(super) fn span(&self, row: u32, first: u32, last: u32) -> (usize, usize) {
        (self.starts[(row + first) as usize] as usize, self.starts[(row + last) as usize] as usize)
    }

    /// The end of the boxes of a place.
    #[inline(always)]
    pub(super) fn end(&self, place: u32) -> usize {
        self.starts[place as usize + 1] as usize
    }

    #[inline(always)]
    pub(super) fn entry(&self, at: usize) -> (u32, &Aabb) {
        let (index, aabb) = &self.boxes[at];
        (*index, aabb)
    }

    pub(super) fn bytes(&self) -> usize {
        held(&self.starts)
            + held(&self.unsorted)
            + held(&self.order)
            + held(&self.boxes)
            + held(&self.sides)
            + self.packed.bytes()
    }
}

//! Boxes sorted by cell.

use xcollide_bounds::Aabb;

use super::layout::Layout;
use crate::counting_sort::counting_sort;
use crate::overlap::Sides;
use crate::parallel::for_each_chunk;
use crate::stats::held;

/// Boxes of similar size, sorted by the cells of their low corners.
#[derive(Debug, Default)]
pub(super) struct Table {
    layout: Option<Layout>,
    /// The first box of each place; one more entry than there are places.
    starts: Vec<u32>,
    /// The boxes, in the same order.
    boxes: Vec<Placed>,
    /// The boxes in f32, relative to the origin of the layout, in the same order.
    sides: Vec<Sides>,
    /// The places in the order of the input, for sorting.
    unsorted: Vec<u32>,
}

/// A box and its index.
#[derive(Clone, Copy, Debug, Default)]
struct Placed {
    aabb: Aabb,
    index: u32,
}

impl Table {
    /// Sorts boxes into cells, ascending. `corners` bounds the low corners, `widest` the sides.
    #[inline(always)]
    pub(super) fn fill(
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
        self.unsorted.resize(len, 0);
        for_each_chunk(&mut self.unsorted, threads, |first, places| {
            for (place, &index) in places.iter_mut().zip(&indices[first..]) {
                let [x, y, z] = layout.coordinates(&all[index as usize].min);
                *place = layout.row(y, z) + x;
            }
        });
        let unsorted = &self.unsorted;
        let placed = |at: usize| Placed { index: indices[at], aabb: all[indices[at] as usize] };
        let told = (|at: usize| unsorted[at], placed);
        let lists = (&mut self.starts, &mut self.boxes);
        counting_sort(len, layout.len(), told, lists, threads, |_, _| {});
        self.sides.resize(len, Sides::default());
        let boxes = &self.boxes;
        for_each_chunk(&mut self.sides, threads, |first, sides| {
            for (sides, placed) in sides.iter_mut().zip(&boxes[first..]) {
                *sides = Sides::around_finite(&placed.aabb, layout.origin());
            }
        });
    }

    /// Removes all boxes.
    pub(super) fn clear(&mut self) {
        self.layout = None;
        self.starts.clear();
        self.boxes.clear();
        self.sides.clear();
    }

    /// The cells; `None` without boxes.
    pub(super) fn layout(&self) -> Option<&Layout> {
        self.layout.as_ref()
    }

    /// How many boxes there are.
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

    /// The index of a box.
    #[inline(always)]
    pub(super) fn index(&self, at: usize) -> u32 {
        self.boxes[at].index
    }

    /// A box.
    #[inline(always)]
    pub(super) fn aabb(&self, at: usize) -> &Aabb {
        &self.boxes[at].aabb
    }

    /// The boxes in f32, relative to the origin of the layout.
    #[inline(always)]
    pub(super) fn sides(&self) -> &[Sides] {
        &self.sides
    }

    pub(super) fn bytes(&self) -> usize {
        held(&self.starts) + held(&self.unsorted) + held(&self.boxes) + held(&self.sides)
    }
}

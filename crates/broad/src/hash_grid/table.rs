//! Boxes sorted by cell.

use std::mem::take;

use xcollide_bounds::Aabb;

use super::layout::Layout;
use crate::lanes::Sides;
use crate::parts::{each_part, share_out, sharers};

/// Boxes of similar size, sorted by the cells of their low corners.
#[derive(Debug, Default)]
pub(super) struct Table {
    layout: Option<Layout>,
    /// Where the boxes of each place begin; one more entry than there are places.
    starts: Vec<u32>,
    /// The index of each box, in the same order.
    indices: Vec<u32>,
    /// The boxes themselves, in the same order.
    boxes: Vec<Aabb>,
    /// The boxes in f32, seen from the origin of the layout, in the same order.
    sides: Vec<Sides>,
    /// The places in the order of the input, for sorting.
    unsorted: Vec<u32>,
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
        each_part(&mut self.unsorted, threads, |first, places| {
            for (place, &index) in places.iter_mut().zip(&indices[first..]) {
                let [x, y, z] = layout.coordinates(&all[index as usize].min);
                *place = layout.row(y, z) + x;
            }
        });
        self.starts.clear();
        self.starts.resize(layout.len() + 1, 0);
        for &place in &self.unsorted {
            self.starts[place as usize] += 1;
        }
        // Now each place gets where its boxes end; filled from the back, that becomes the start.
        let mut end = 0;
        for start in &mut self.starts {
            end += *start;
            *start = end;
        }
        self.indices.resize(len, 0);
        self.boxes.resize(len, Aabb::EMPTY);
        let unsorted = &self.unsorted;
        let shares = Share::of(&mut self.starts, &mut self.indices, &mut self.boxes, threads);
        share_out(shares, |share| share.fill(indices, unsorted, all));
        self.sides.resize(len, Sides::default());
        let boxes = &self.boxes;
        each_part(&mut self.sides, threads, |first, sides| {
            for (sides, aabb) in sides.iter_mut().zip(&boxes[first..]) {
                *sides = Sides::around_finite(aabb, layout.origin());
            }
        });
    }

    /// Leaves no box.
    pub(super) fn clear(&mut self) {
        self.layout = None;
        self.starts.clear();
        self.indices.clear();
        self.boxes.clear();
        self.sides.clear();
    }

    /// How space is cut; `None` while there are no boxes.
    pub(super) fn layout(&self) -> Option<&Layout> {
        self.layout.as_ref()
    }

    /// How many boxes there are.
    pub(super) fn len(&self) -> usize {
        self.indices.len()
    }

    /// The boxes of places `first..last` of one row.
    #[inline(always)]
    pub(super) fn span(&self, row: u32, first: u32, last: u32) -> (usize, usize) {
        (self.starts[(row + first) as usize] as usize, self.starts[(row + last) as usize] as usize)
    }

    /// Where the boxes of a place end.
    #[inline(always)]
    pub(super) fn end(&self, place: u32) -> usize {
        self.starts[place as usize + 1] as usize
    }

    /// The index of a box.
    #[inline(always)]
    pub(super) fn index(&self, at: usize) -> u32 {
        self.indices[at]
    }

    /// A box.
    #[inline(always)]
    pub(super) fn aabb(&self, at: usize) -> &Aabb {
        &self.boxes[at]
    }

    /// The boxes in f32, seen from the origin of the layout.
    #[inline(always)]
    pub(super) fn sides(&self) -> &[Sides] {
        &self.sides
    }

    pub(super) fn bytes(&self) -> usize {
        let numbers = self.starts.capacity() + self.indices.capacity() + self.unsorted.capacity();
        numbers * size_of::<u32>()
            + self.boxes.capacity() * size_of::<Aabb>()
            + self.sides.capacity() * size_of::<Sides>()
    }
}

/// Some places that follow each other, and the boxes that belong into them.
struct Share<'a> {
    first_place: u32,
    /// Where the boxes of each place end; and begin, once they are there.
    starts: &'a mut [u32],
    first_box: usize,
    indices: &'a mut [u32],
    boxes: &'a mut [Aabb],
}

impl<'a> Share<'a> {
    /// Shares of about as many boxes for each thread that is to fill them.
    fn of(
        mut starts: &'a mut [u32],
        mut indices: &'a mut [u32],
        mut boxes: &'a mut [Aabb],
        threads: bool,
    ) -> Vec<Self> {
        let len = indices.len();
        let sharers = sharers(len, threads);
        let (mut first_place, mut first_box) = (0, 0);
        let shares = (1..=sharers).map(|number| {
            let limit = (len * number / sharers) as u32;
            let places = if number == sharers {
                starts.len()
            } else {
                starts.partition_point(|&end| end <= limit)
            };
            let (mine, others) = take(&mut starts).split_at_mut(places);
            starts = others;
            let count = mine.last().map_or(0, |&end| end as usize - first_box);
            let (my_indices, others) = take(&mut indices).split_at_mut(count);
            indices = others;
            let (my_boxes, others) = take(&mut boxes).split_at_mut(count);
            boxes = others;
            let (place, at) = (first_place, first_box);
            first_place += places as u32;
            first_box += count;
            Self {
                first_place: place,
                starts: mine,
                first_box: at,
                indices: my_indices,
                boxes: my_boxes,
            }
        });
        shares.collect()
    }

    /// Puts those of the boxes that belong here where they belong.
    #[inline(always)]
    fn fill(self, indices: &[u32], unsorted: &[u32], all: &[Aabb]) {
        for (&index, &place) in indices.iter().zip(unsorted).rev() {
            let place = place.wrapping_sub(self.first_place) as usize;
            let Some(start) = self.starts.get_mut(place) else { continue };
            *start -= 1;
            let at = *start as usize - self.first_box;
            self.indices[at] = index;
            self.boxes[at] = all[index as usize];
        }
    }
}

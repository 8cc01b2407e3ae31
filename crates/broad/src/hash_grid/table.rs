//! Boxes sorted by cell.

use xcollide_bounds::Aabb;

use super::layout::Layout;
use crate::lanes::Sides;

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
    pub(super) fn fill(&mut self, indices: &[u32], all: &[Aabb], corners: &Aabb, widest: [f64; 3]) {
        let layout = Layout::new(indices.len(), corners, widest);
        self.layout = Some(layout);
        self.starts.clear();
        self.starts.resize(layout.len() + 1, 0);
        self.unsorted.clear();
        for &index in indices {
            let [x, y, z] = layout.coordinates(&all[index as usize].min);
            let place = layout.row(y, z) + x;
            self.unsorted.push(place);
            self.starts[place as usize] += 1;
        }
        // Now each place gets where its boxes end; filled from the back, that becomes the start.
        let mut end = 0;
        for start in &mut self.starts {
            end += *start;
            *start = end;
        }
        let len = indices.len();
        self.indices.resize(len, 0);
        self.boxes.resize(len, Aabb::EMPTY);
        for (&index, &place) in indices.iter().zip(&self.unsorted).rev() {
            let start = &mut self.starts[place as usize];
            *start -= 1;
            let at = *start as usize;
            self.indices[at] = index;
            self.boxes[at] = all[index as usize];
        }
        self.sides.clear();
        let sides = self.boxes.iter().map(|aabb| Sides::around_finite(aabb, layout.origin()));
        self.sides.extend(sides);
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

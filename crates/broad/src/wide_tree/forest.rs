//! The hierarchy of a set of boxes.

use xcollide_bounds::Aabb;
use xcollide_simd::dispatch;

use super::descent::{Across, Within};
use super::morton::Morton;
use crate::PairCollector;
use crate::overlap::{BoxF32, Packed, WIDTH};
use crate::parallel::{HEAVY, find_in_chunks, for_each_chunk};
use crate::sample::Sample;

/// The largest coordinate in a hierarchy.
const FARTHEST: f64 = 1e150;

/// Boxes in eights, and those in eights, up to the top; unbounded boxes in a list beside it.
#[derive(Debug, Default)]
pub(super) struct Forest {
    /// The key on the curve, and the index, in the order of the leaves.
    order: Vec<(u32, u32)>,
    /// The boxes in that order.
    boxes: Vec<Aabb>,
    /// The boxes in f32, then the nodes above them; each tier has an eighth of the one before, and
    /// the last that is in use has at most eight.
    tiers: Vec<Packed>,
    used: usize,
    origin: [f64; 3],
    unbounded: Vec<(u32, Aabb)>,
    indices: Vec<u32>,
    sample: Sample,
}

impl Forest {
    /// Whether a box gets a place in the hierarchy: neither empty nor out of all proportion, so that
    /// no difference of coordinates overflows.
    #[inline]
    pub(super) fn has_place(aabb: &Aabb) -> bool {
        !aabb.is_empty() && aabb.min.iter().chain(&aabb.max).all(|side| side.abs() <= FARTHEST)
    }

    /// Replaces the set by the boxes with these indices; empty ones are left out.
    pub(super) fn fill(&mut self, indices: impl Iterator<Item = u32>, all: &[Aabb], threads: bool) {
        self.unbounded.clear();
        self.indices.clear();
        for index in indices {
            let aabb = &all[index as usize];
            if Self::has_place(aabb) {
                self.indices.push(index);
            } else if !aabb.is_empty() {
                self.unbounded.push((index, *aabb));
            }
        }
        self.order.clear();
        if !self.indices.is_empty() {
            let curve = Morton::new(&mut self.sample, &self.indices, all);
            self.order.resize(self.indices.len(), (0, 0));
            let indices = &self.indices;
            for_each_chunk(&mut self.order, threads, |first, order| {
                for (entry, &index) in order.iter_mut().zip(&indices[first..]) {
                    *entry = (curve.key(&all[index as usize]), index);
                }
            });
            radsort::sort_by_key(&mut self.order, |&(key, _)| key);
            // Something in the thick of it, so that f32 is fine enough.
            let middle = self.order[self.order.len() / 2].1;
            self.origin = all[middle as usize].min;
        }
        self.refit(all, threads);
    }

    /// Fits the hierarchy to where the boxes are now. They must be those that it was filled with,
    /// and none may have become empty or unbounded.
    pub(super) fn refit(&mut self, all: &[Aabb], threads: bool) {
        self.boxes.resize(self.order.len(), Aabb::EMPTY);
        let order = &self.order;
        for_each_chunk(&mut self.boxes, threads, |first, boxes| {
            for (place, &(_, index)) in boxes.iter_mut().zip(&order[first..]) {
                *place = all[index as usize];
            }
        });
        for (index, aabb) in &mut self.unbounded {
            *aabb = all[*index as usize];
        }
        if self.tiers.is_empty() {
            self.tiers.push(Packed::default());
        }
        let (boxes, origin) = (&self.boxes, &self.origin);
        self.tiers[0].refill(boxes.len(), |at| BoxF32::around_finite(&boxes[at], origin));
        self.used = 1;
        while self.tiers[self.used - 1].len() > WIDTH {
            if self.tiers.len() == self.used {
                self.tiers.push(Packed::default());
            }
            let (below, above) = self.tiers.split_at_mut(self.used);
            let below = &below[self.used - 1];
            above[0].refill(below.len().div_ceil(WIDTH), |node| below.around_eight(node * WIDTH));
            self.used += 1;
        }
        for tier in &mut self.tiers[self.used..] {
            tier.refill(0, |_| BoxF32::EMPTY);
        }
    }

    /// The tiers in use, the boxes first.
    #[inline(always)]
    pub(super) fn tiers(&self) -> &[Packed] {
        &self.tiers[..self.used]
    }

    /// How many boxes are in the hierarchy.
    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    /// The index of a box.
    #[inline(always)]
    pub(super) fn index(&self, at: usize) -> u32 {
        self.order[at].1
    }

    /// A box.
    #[inline(always)]
    pub(super) fn aabb(&self, at: usize) -> &Aabb {
        &self.boxes[at]
    }

    /// The point from which coordinates in f32 are counted.
    #[inline(always)]
    pub(super) fn origin(&self) -> &[f64; 3] {
        &self.origin
    }

    /// Offers all pairs within the set.
    pub(super) fn pairs(&self, threads: bool, collector: &mut PairCollector<'_>) {
        find_in_chunks(self.len(), HEAVY, threads, collector, |boxes, collector| {
            dispatch(Within { forest: self, boxes, collector });
        });
        self.pairs_with_list(&self.unbounded, collector);
        for (at, (a, box_a)) in self.unbounded.iter().enumerate() {
            offer_list(*a, box_a, &self.unbounded[at + 1..], collector);
        }
    }

    /// Offers all pairs of a box of this set with one of another.
    pub(super) fn pairs_with(
        &self,
        other: &Self,
        threads: bool,
        collector: &mut PairCollector<'_>,
    ) {
        let (few, many) = if self.len() <= other.len() { (self, other) } else { (other, self) };
        find_in_chunks(few.len(), HEAVY, threads, collector, |boxes, collector| {
            let probes = boxes.map(|at| (few.index(at), *few.aabb(at)));
            dispatch(Across { probes, forest: many, collector });
        });
        self.pairs_with_list(&other.unbounded, collector);
        other.pairs_with_list(&self.unbounded, collector);
        for (a, box_a) in &self.unbounded {
            offer_list(*a, box_a, &other.unbounded, collector);
        }
    }

    /// Offers all pairs of some boxes, none of them empty, with those of this set, but none of a
    /// box with itself.
    pub(super) fn pairs_around(
        &self,
        probes: &[(u32, Aabb)],
        threads: bool,
        collector: &mut PairCollector<'_>,
    ) {
        find_in_chunks(probes.len(), HEAVY, threads, collector, |range, collector| {
            dispatch(Across { probes: probes[range].iter().copied(), forest: self, collector });
        });
        for (a, box_a) in &self.unbounded {
            for (b, box_b) in probes.iter().filter(|(b, _)| a != b) {
                collector.test_boxes((*a, box_a), (*b, box_b));
            }
        }
    }

    fn pairs_with_list(&self, list: &[(u32, Aabb)], collector: &mut PairCollector<'_>) {
        if !list.is_empty() {
            dispatch(Across { probes: list.iter().copied(), forest: self, collector });
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.order.capacity() * size_of::<(u32, u32)>()
            + self.boxes.capacity() * size_of::<Aabb>()
            + self.tiers.iter().map(Packed::bytes).sum::<usize>()
            + self.unbounded.capacity() * size_of::<(u32, Aabb)>()
            + self.indices.capacity() * size_of::<u32>()
            + self.sample.bytes()
    }
}

fn offer_list(a: u32, box_a: &Aabb, list: &[(u32, Aabb)], collector: &mut PairCollector<'_>) {
    for (b, box_b) in list {
        collector.test_boxes((a, box_a), (*b, box_b));
    }
}

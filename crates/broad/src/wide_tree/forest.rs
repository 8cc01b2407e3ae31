//! The hierarchy of a set of boxes.

use xcollide_bounds::Aabb;
use xcollide_simd::dispatch;

use super::descent::{Across, Within};
use super::morton::Morton;
use crate::overlap::{BoxF32, Packed, WIDTH};
use crate::parallel::{HEAVY, for_chunks_mut};
use crate::parallel_search::find_in_chunks;
use crate::sample::Sample;
use crate::sides::is_ordinary;
use crate::split_finder::{BoxSet, test_list, test_lists};
use crate::stats::held;
use crate::{Mobility, PairCollector, Proxies, SearchStep};

/// Boxes in groups of eight, these in groups of eight, up to the top; unbounded boxes in a list.
#[derive(Debug, Default)]
pub struct Forest {
    /// The key on the curve, and the index, in the order of the leaves.
    order: Vec<(u32, u32)>,
    boxes: Vec<Aabb>,
    /// The boxes in f32, then the nodes above them. Each tier is an eighth of the one before; the last one in
    /// use has at most eight.
    tiers: Vec<Packed>,
    used: usize,
    /// The origin of coordinates in f32.
    pub(super) origin: [f64; 3],
    unbounded: Vec<(u32, Aabb)>,
    indices: Vec<u32>,
    sample: Sample,
}

impl Forest {
    fn fit(&mut self, all: &[Aabb], threads: bool) {
        self.boxes.resize(self.order.len(), Aabb::EMPTY);
        let order = &self.order;
        for_chunks_mut(&mut self.boxes, threads, |first, boxes| {
            for (place, &(_, index)) in boxes.iter_mut().zip(&order[first..]) {
                *place = all[index as usize];
            }
        });
        if self.tiers.is_empty() {
            self.tiers.push(Packed::default());
        }
        let (boxes, origin) = (&self.boxes, &self.origin);
        self.tiers[0].refill(boxes.len(), threads, |at| BoxF32::around_finite(&boxes[at], origin));
        self.used = 1;
        while self.tiers[self.used - 1].len() > WIDTH {
            if self.tiers.len() == self.used {
                self.tiers.push(Packed::default());
            }
            let (below, above) = self.tiers.split_at_mut(self.used);
            let below = &below[self.used - 1];
            above[0].refill(below.len().div_ceil(WIDTH), threads, |node| {
                below.around_eight(node * WIDTH)
            });
            self.used += 1;
        }
        for tier in &mut self.tiers[self.used..] {
            tier.refill(0, false, |_| BoxF32::EMPTY);
        }
    }

    /// The tiers in use, the boxes first.
    #[inline(always)]
    pub(super) fn tiers(&self) -> &[Packed] {
        &self.tiers[..self.used]
    }

    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    #[inline(always)]
    pub(super) fn entry(&self, at: usize) -> (u32, &Aabb) {
        (self.order[at].1, &self.boxes[at])
    }

    fn pairs_with_list(&self, list: &[(u32, Aabb)], collector: &mut PairCollector<'_>) {
        if !list.is_empty() {
            dispatch(Across { probes: list.iter().copied(), forest: self, collector });
        }
    }
}

impl BoxSet for Forest {
    const NAME: &'static str = "wide-tree";

    fn sort(&mut self, proxies: &Proxies, mobility: Mobility, threads: bool) {
        let all = proxies.boxes();
        self.unbounded.clear();
        self.indices.clear();
        for index in (0..all.len() as u32).filter(|&index| proxies.mobility(index) == mobility) {
            let aabb = &all[index as usize];
            if is_ordinary(aabb) {
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
            for_chunks_mut(&mut self.order, threads, |first, order| {
                for (entry, &index) in order.iter_mut().zip(&indices[first..]) {
                    *entry = (curve.key(&all[index as usize]), index);
                }
            });
            radsort::sort_by_key(&mut self.order, |&(key, _)| key);
            // A point among the boxes, so that f32 is precise enough.
            let middle = self.order[self.order.len() / 2].1;
            self.origin = all[middle as usize].min;
        }
    }

    fn read(&mut self, proxies: &Proxies, threads: bool) {
        self.fit(proxies.boxes(), threads);
    }

    fn pairs(&self, step: SearchStep, threads: bool, collector: &mut PairCollector<'_>) {
        let boxes = step.range(self.len());
        find_in_chunks(boxes, HEAVY, threads, collector, |boxes, collector| {
            dispatch(Within { forest: self, boxes, collector });
        });
        if step.is_last() {
            self.pairs_with_list(&self.unbounded, collector);
            test_list(&self.unbounded, collector);
        }
    }

    fn pairs_with(
        &self,
        other: &Self,
        step: SearchStep,
        threads: bool,
        collector: &mut PairCollector<'_>,
    ) {
        let (few, many) = if self.len() <= other.len() { (self, other) } else { (other, self) };
        let boxes = step.range(few.len());
        find_in_chunks(boxes, HEAVY, threads, collector, |boxes, collector| {
            let probes = boxes.map(|at| (few.order[at].1, few.boxes[at]));
            dispatch(Across { probes, forest: many, collector });
        });
        if step.is_last() {
            self.pairs_with_list(&other.unbounded, collector);
            other.pairs_around(&self.unbounded, threads, collector);
        }
    }

    fn pairs_around(
        &self,
        probes: &[(u32, Aabb)],
        threads: bool,
        collector: &mut PairCollector<'_>,
    ) {
        find_in_chunks(0..probes.len(), HEAVY, threads, collector, |range, collector| {
            self.pairs_with_list(&probes[range], collector);
        });
        test_lists(&self.unbounded, probes, collector);
    }

    fn bytes(&self) -> usize {
        held(&self.order)
            + held(&self.boxes)
            + self.tiers.iter().map(Packed::bytes).sum::<usize>()
            + held(&self.unbounded)
            + held(&self.indices)
            + self.sample.bytes()
    }
}

//! Descents of a hierarchy, for eight of its own boxes at once or for single other boxes.

use std::ops::Range;

use xcollide_bounds::Aabb;
use xcollide_simd::{F32x8, Simd, SimdKernel, SimdLevel};

use super::forest::Forest;
use crate::PairCollector;
use crate::overlap::{Bits, BoxF32, Probe, WIDTH};

/// Capacity of the stack: at most seven siblings on each of at most eleven tiers, and eight more.
const DEPTH: usize = 96;

/// Tests the pairs within a hierarchy whose first box is in `boxes`, which starts at a multiple of eight.
pub(super) struct Within<'a, 's, 'p> {
    pub(super) forest: &'a Forest,
    pub(super) boxes: Range<usize>,
    pub(super) collector: &'s mut PairCollector<'p>,
}

impl SimdKernel for Within<'_, '_, '_> {
    type Output = ();
    const MAX_LEVEL: SimdLevel = SimdLevel::Avx2;

    #[inline(always)]
    fn run<S: Simd>(self) {
        let Self { forest, boxes, collector } = self;
        let tiers = forest.tiers();
        let top = tiers.len() - 1;
        let groups = boxes.start / WIDTH..boxes.end.div_ceil(WIDTH);
        if top == 0 {
            return among::<S::F32x8>(forest, 0, collector);
        }
        let mut stack = [(0_usize, 0_usize); DEPTH];
        for group in groups {
            among::<S::F32x8>(forest, group, collector);
            let probe = Probe::<S::F32x8>::new(&tiers[1].get(group));
            let mut height = 1;
            stack[0] = (top, 0);
            while height > 0 {
                height -= 1;
                let (tier, first) = stack[height];
                let hits = probe.overlap(&tiers[tier], first);
                // Skips nodes that contain only earlier groups.
                let current = group >> (3 * (tier - 1));
                let earliest = if tier == 1 { current + 1 } else { current };
                for hit in Bits(hits & bits_from(earliest.saturating_sub(first))) {
                    let node = first + hit;
                    if tier == 1 {
                        between::<S::F32x8>(forest, group, node, collector);
                    } else {
                        stack[height] = (tier - 1, node * WIDTH);
                        height += 1;
                    }
                }
            }
        }
    }
}

/// Tests the pairs among eight boxes.
#[inline(always)]
fn among<F: F32x8>(forest: &Forest, group: usize, collector: &mut PairCollector<'_>) {
    let first = group * WIDTH;
    let boxes = &forest.tiers()[0];
    for at in first..(first + WIDTH).min(boxes.len()).saturating_sub(1) {
        let hits =
            Probe::<F>::new(&boxes.get(at)).overlap(boxes, first) & bits_from(at - first + 1);
        confirm(forest, at, first, hits, collector);
    }
}

/// Tests eight boxes against eight others.
#[inline(always)]
fn between<F: F32x8>(
    forest: &Forest,
    group: usize,
    other: usize,
    collector: &mut PairCollector<'_>,
) {
    let boxes = &forest.tiers()[0];
    let node = Probe::<F>::new(&forest.tiers()[1].get(other));
    for close in Bits(node.overlap(boxes, group * WIDTH)) {
        let at = group * WIDTH + close;
        let hits = Probe::<F>::new(&boxes.get(at)).overlap(boxes, other * WIDTH);
        confirm(forest, at, other * WIDTH, hits, collector);
    }
}

/// The exact test of one box with the hits among eight boxes.
#[inline(always)]
fn confirm(forest: &Forest, at: usize, first: usize, hits: u32, collector: &mut PairCollector<'_>) {
    for hit in Bits(hits) {
        collector.test_boxes(forest.entry(at), forest.entry(first + hit));
    }
}

/// The eight bits without the lowest `count`.
#[inline(always)]
fn bits_from(count: usize) -> u32 {
    (0xFF << count.min(WIDTH)) & 0xFF
}

/// Tests boxes against those of a hierarchy with other indices.
pub(super) struct Across<'a, 's, 'p, I> {
    pub(super) probes: I,
    pub(super) forest: &'a Forest,
    pub(super) collector: &'s mut PairCollector<'p>,
}

impl<I: Iterator<Item = (u32, Aabb)>> SimdKernel for Across<'_, '_, '_, I> {
    type Output = ();
    const MAX_LEVEL: SimdLevel = SimdLevel::Avx2;

    #[inline(always)]
    fn run<S: Simd>(self) {
        let Self { probes, forest, collector } = self;
        let tiers = forest.tiers();
        if forest.len() == 0 {
            return;
        }
        let mut stack = [(0_usize, 0_usize); DEPTH];
        for (index, aabb) in probes {
            let probe = Probe::<S::F32x8>::new(&BoxF32::around(&aabb, &forest.origin));
            let mut height = 1;
            stack[0] = (tiers.len() - 1, 0);
            while height > 0 {
                height -= 1;
                let (tier, first) = stack[height];
                for hit in Bits(probe.overlap(&tiers[tier], first)) {
                    let node = first + hit;
                    if tier > 0 {
                        stack[height] = (tier - 1, node * WIDTH);
                        height += 1;
                    } else if forest.entry(node).0 != index {
                        collector.test_boxes((index, &aabb), forest.entry(node));
                    }
                }
            }
        }
    }
}

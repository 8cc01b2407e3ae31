//! A plane sweep along one axis, from scratch in each call.

use xcollide_bounds::Aabb;
use xcollide_simd::{Simd, SimdKernel, SimdLevel, dispatch};

use crate::counting_sort::{counting_sort, sort_groups};
use crate::overlap::{Bits, BoxF32, Packed, Probe, WIDTH};
use crate::parallel::HEAVY;
use crate::parallel_search::find_in_chunks;
use crate::stats::held;
use crate::{PairCollector, PairFinder, PairManager, Proxies};

/// Sorts the boxes along the axis on which their centers vary most, and compares each with those that start
/// before it ends, eight at a time (plane sweep: Zachmann, lecture slides; sorted by distribution, as in Terdiman 2000).
///
/// O(n + p₁) for p₁ pairs that overlap on that axis, about n^(5/3) in a cube of evenly spread boxes. Good for up
/// to some thousand boxes, and for long worlds. Motion does not matter.
pub type Sweep = PairManager<SweepFinder>;

/// The algorithm of [`Sweep`].
#[derive(Debug, Default)]
pub struct SweepFinder {
    threads: bool,
    sorted: SortedBoxes,
}

impl PairFinder for SweepFinder {
    fn name(&self) -> &'static str {
        "sweep"
    }

    fn may_skip_updates(&self) -> bool {
        true
    }

    fn find(&mut self, proxies: &Proxies, collector: &mut PairCollector<'_>) {
        self.sorted.fill(proxies.boxes(), self.threads);
        self.sorted.pairs(self.threads, collector);
    }

    fn use_threads(&mut self) {
        self.threads = true;
    }

    fn uses_threads(&self) -> bool {
        self.threads
    }

    fn bytes(&self) -> usize {
        self.sorted.bytes()
    }
}

/// Boxes sorted along the axis on which their centers vary most.
#[derive(Debug, Default)]
pub(crate) struct SortedBoxes {
    /// Reused memory for the order before it is sorted, and the first of each slab.
    unsorted: Vec<(f32, u32)>,
    starts: Vec<u32>,
    /// The low side on the axis and the index, sorted by low side.
    order: Vec<(f32, u32)>,
    /// The boxes in that order, with the axis first.
    packed: Packed,
    boxes: Vec<Aabb>,
}

impl SortedBoxes {
    /// Replaces all boxes; leaves out empty ones.
    pub(crate) fn fill(&mut self, boxes: &[Aabb], threads: bool) {
        let origin = boxes.iter().find(|aabb| is_finite(aabb)).map_or([0.0; 3], |aabb| aabb.min);
        let axis = longest_axis(boxes, &origin);
        self.unsorted.clear();
        let filled = boxes.iter().enumerate().filter(|(_, aabb)| !aabb.is_empty());
        let side = |aabb: &Aabb| packed(aabb, &origin).min[axis];
        self.unsorted.extend(filled.map(|(index, aabb)| (side(aabb), index as u32)));
        self.sort(threads);
        self.boxes.clear();
        self.boxes.extend(self.order.iter().map(|&(_, index)| boxes[index as usize]));
        let sorted = &self.boxes;
        self.packed.refill(sorted.len(), threads, |at| {
            let BoxF32 { mut min, mut max } = packed(&sorted[at], &origin);
            min.swap(0, axis);
            max.swap(0, axis);
            BoxF32 { min, max }
        });
    }

    /// Sorts by the low side. A counting sort by about as many slabs of equal width as there are boxes, then a sort of each.
    fn sort(&mut self, threads: bool) {
        let Self { unsorted, starts, order, .. } = self;
        let lows = || unsorted.iter().map(|&(low, _)| low).filter(|low| low.is_finite());
        let first = lows().fold(f32::INFINITY, f32::min);
        let slabs = unsorted.len().max(1);
        let width = (lows().fold(first, f32::max) - first) / slabs as f32;
        // Ascends with the side, also from and to infinity, and is 0 for NaN.
        let slab = |low: f32| (((low - first) / width) as u32).min(slabs as u32 - 1);
        let told =
            (|at: usize| slab(unsorted[at].0), |at: usize, place: &mut _| *place = unsorted[at]);
        counting_sort(unsorted.len(), slabs, told, (starts, order), threads, |starts, order| {
            sort_groups(starts, order, |a: &(f32, u32), b| {
                a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1))
            });
        });
    }

    /// Tests all pairs that overlap on the axis.
    pub(crate) fn pairs(&self, threads: bool, collector: &mut PairCollector<'_>) {
        find_in_chunks(0..self.order.len(), HEAVY, threads, collector, |range, collector| {
            dispatch(Pass { sorted: self, range, collector });
        });
    }

    pub(crate) fn bytes(&self) -> usize {
        held(&self.unsorted)
            + held(&self.starts)
            + held(&self.order)
            + held(&self.boxes)
            + self.packed.bytes()
    }
}

#[inline(always)]
fn packed(aabb: &Aabb, origin: &[f64; 3]) -> BoxF32 {
    const FAR: f64 = 1e30;
    let is_near = |axis: usize| {
        let (low, high) = (aabb.min[axis] - origin[axis], aabb.max[axis] - origin[axis]);
        (-FAR <= low) & (low <= high) & (high <= FAR)
    };
    if is_near(0) & is_near(1) & is_near(2) {
        BoxF32::around_finite(aabb, origin)
    } else {
        BoxF32::around(aabb, origin)
    }
}

fn is_finite(aabb: &Aabb) -> bool {
    !aabb.is_empty() && aabb.min.iter().chain(&aabb.max).all(|side| side.is_finite())
}

fn longest_axis(boxes: &[Aabb], origin: &[f64; 3]) -> usize {
    let (mut sums, mut squares, mut count) = ([0.0; 3], [0.0; 3], 0.0);
    for aabb in boxes.iter().filter(|aabb| is_finite(aabb)) {
        count += 1.0;
        for axis in 0..3 {
            let middle = 0.5 * (aabb.min[axis] - origin[axis] + (aabb.max[axis] - origin[axis]));
            sums[axis] += middle;
            squares[axis] += middle * middle;
        }
    }
    let variance = |axis: usize| squares[axis] - sums[axis] * sums[axis] / f64::max(count, 1.0);
    (1..3).fold(0, |best, axis| if variance(axis) > variance(best) { axis } else { best })
}

/// Compares each box of a range with those after it.
struct Pass<'a, 's, 'p> {
    sorted: &'a SortedBoxes,
    range: std::ops::Range<usize>,
    collector: &'s mut PairCollector<'p>,
}

impl SimdKernel for Pass<'_, '_, '_> {
    type Output = ();
    const MAX_LEVEL: SimdLevel = SimdLevel::Avx2;

    #[inline(always)]
    fn run<S: Simd>(self) {
        let Self { sorted, range, collector } = self;
        let lows = sorted.packed.lows();
        for at in range {
            let probe = sorted.packed.get(at);
            let lanes = Probe::<S::F32x8>::new(&probe);
            let mut other = at + 1;
            while other < lows.len() && lows[other] <= probe.max[0] {
                // Boxes that start beyond the end do not overlap, so their lanes need no mask.
                for hit in Bits(lanes.overlap(&sorted.packed, other)) {
                    let other = other + hit;
                    collector.test_boxes(
                        (sorted.order[at].1, &sorted.boxes[at]),
                        (sorted.order[other].1, &sorted.boxes[other]),
                    );
                }
                other += WIDTH;
            }
        }
    }
}

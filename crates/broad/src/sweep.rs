//! A plane sweep along one axis, from scratch in each call.

use xcollide_bounds::Aabb;
use xcollide_simd::{Simd, SimdKernel, SimdLevel, dispatch};

use crate::overlap::{Bits, BoxF32, Packed, Probe, WIDTH};
use crate::parallel::HEAVY;
use crate::parallel_search::find_in_chunks;
use crate::stats::held;
use crate::{PairCollector, PairFinder, PairManager, Proxies};

/// Sorts the boxes along the axis on which their centers vary most, and compares each with those that start
/// before it ends, eight at a time (plane sweep: Zachmann, lecture slides; radix sort as in Terdiman 2000).
///
/// O(n + p₁) for p₁ pairs that overlap on that axis, about n^(5/3) in a cube of evenly spread boxes. Good for up
/// to some thousand boxes, and for long worlds. Motion does not matter.
pub type Sweep = PairManager<SweepFinder>;

/// The algorithm of [`Sweep`].
#[derive(Debug, Default)]
pub struct SweepFinder {
    threads: bool,
    /// The low side on the axis and the index, sorted by low side.
    order: Vec<(f32, u32)>,
    /// The boxes in that order, with the axis first.
    packed: Packed,
    boxes: Vec<Aabb>,
}

impl PairFinder for SweepFinder {
    fn name(&self) -> &'static str {
        "sweep"
    }

    fn may_skip_updates(&self) -> bool {
        true
    }

    fn find(&mut self, proxies: &Proxies, collector: &mut PairCollector<'_>) {
        let boxes = proxies.boxes();
        let origin = boxes.iter().find(|aabb| is_finite(aabb)).map_or([0.0; 3], |aabb| aabb.min);
        let axis = longest_axis(boxes, &origin);
        self.order.clear();
        let filled = boxes.iter().enumerate().filter(|(_, aabb)| !aabb.is_empty());
        let side = |aabb: &Aabb| packed(aabb, &origin).min[axis];
        self.order.extend(filled.map(|(index, aabb)| (side(aabb), index as u32)));
        radsort::sort_by_key(&mut self.order, |&(side, _)| side);
        self.boxes.clear();
        self.boxes.extend(self.order.iter().map(|&(_, index)| boxes[index as usize]));
        let sorted = &self.boxes;
        self.packed.refill(sorted.len(), self.threads, |at| {
            let BoxF32 { mut min, mut max } = packed(&sorted[at], &origin);
            min.swap(0, axis);
            max.swap(0, axis);
            BoxF32 { min, max }
        });
        let sorted = &*self;
        find_in_chunks(
            0..sorted.order.len(),
            HEAVY,
            self.threads,
            collector,
            |range, collector| {
                dispatch(Pass { sorted, range, collector });
            },
        );
    }

    fn use_threads(&mut self) {
        self.threads = true;
    }

    fn uses_threads(&self) -> bool {
        self.threads
    }

    fn bytes(&self) -> usize {
        held(&self.order) + held(&self.boxes) + self.packed.bytes()
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
    sorted: &'a SweepFinder,
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

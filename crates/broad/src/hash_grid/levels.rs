//! A set of boxes of any sizes: several tables, each for boxes of similar sizes.

use std::mem::take;

use xcollide_bounds::Aabb;
use xcollide_simd::{Simd, SimdKernel, SimdLevel, dispatch};

use super::search::{Across, Within};
use super::table::Table;
use crate::parallel::{HEAVY, LIGHT, PROBES, fill_per_chunk, gather};
use crate::parallel_search::find_in_chunks;
use crate::sample::Sample;
use crate::sides::{FARTHEST, greatest};
use crate::split_finder::{BoxSet, test_list, test_lists};
use crate::stats::held;
use crate::{Mobility, PairCollector, Proxies, SearchStep};

/// Up to this many boxes are compared with each other without a table.
const FEW: usize = 32;

/// Boxes sorted into tables by size, the small ones first; boxes that fit no table are in a list.
#[derive(Debug, Default)]
pub struct Levels {
    tables: Vec<Table>,
    used: usize,
    /// Boxes without a table, because they are few, unbounded, or far away.
    rest: Vec<(u32, Aabb)>,
    /// The boxes that have no table yet.
    left: Vec<u32>,
    /// The boxes of the next table.
    ordinary: Vec<u32>,
    /// Reused memory for `left` as it was before the next table.
    others: Vec<u32>,
    /// Reused memory for the results of each chunk of the boxes.
    found: Vec<Found>,
    sample: Sample,
}

impl Levels {
    /// Replaces the set by the non-empty boxes with the indices `index(0)` to `index(count - 1)`.
    pub(crate) fn fill_with(
        &mut self,
        count: usize,
        index: impl Fn(usize) -> Option<u32> + Sync,
        all: &[Aabb],
        threads: bool,
    ) {
        dispatch(Sort { levels: self, count, index, all, threads });
        dispatch(Read { levels: self, all, threads });
    }

    /// Moves the boxes within the limits to the next table, and the others to `left`.
    #[inline(always)]
    fn partition(
        &mut self,
        count: usize,
        index: impl Fn(usize) -> Option<u32> + Sync,
        limits: Limits,
        all: &[Aabb],
        threads: bool,
    ) {
        let Self { left, ordinary, rest, found, .. } = self;
        fill_per_chunk(count, LIGHT, threads, found, |part, found| {
            found.clear();
            found.partition(part.filter_map(&index), all, &limits);
        });
        let mut similar = Similar::default();
        ordinary.clear();
        found.iter().for_each(|part| similar.merge(&part.similar));
        gather(found.iter().map(|part| &part.ordinary[..]), ordinary, threads);
        gather(found.iter().map(|part| &part.left[..]), left, threads);
        gather(found.iter().map(|part| &part.rest[..]), rest, threads);
        self.fill_table(&similar, all, threads);
    }

    /// Moves at least half of the boxes that are left to the next table. False if no such half has similar
    /// sizes.
    #[inline(always)]
    fn fill_next(&mut self, all: &[Aabb], threads: bool) -> bool {
        let limits = Limits::of_indices(&mut self.sample, &self.left, all);
        std::mem::swap(&mut self.left, &mut self.others);
        self.left.clear();
        let used = self.used;
        let indices = take(&mut self.others);
        self.partition(indices.len(), |number| Some(indices[number]), limits, all, threads);
        self.others = indices;
        self.used > used
    }

    #[inline(always)]
    fn fill_table(&mut self, similar: &Similar, all: &[Aabb], threads: bool) {
        if self.ordinary.len() < FEW / 2 {
            self.left.append(&mut self.ordinary);
            return;
        }
        if self.used == self.tables.len() {
            self.tables.push(Table::default());
        }
        let (corners, widest) = similar.bounds();
        self.tables[self.used].sort(&self.ordinary, all, &corners, widest, threads);
        self.used += 1;
    }

    fn tables(&self) -> &[Table] {
        &self.tables[..self.used]
    }
}

impl BoxSet for Levels {
    const NAME: &'static str = "hash-grid";

    fn sort(&mut self, proxies: &Proxies, mobility: Mobility, threads: bool) {
        let all = proxies.boxes();
        let index =
            |at: usize| Some(at as u32).filter(|&index| proxies.mobility(index) == mobility);
        dispatch(Sort { levels: self, count: all.len(), index, all, threads });
    }

    fn read(&mut self, proxies: &Proxies, threads: bool) {
        dispatch(Read { levels: self, all: proxies.boxes(), threads });
    }

    fn pairs(&self, step: SearchStep, threads: bool, collector: &mut PairCollector<'_>) {
        for (level, table) in self.tables().iter().enumerate() {
            let boxes = step.range(table.len());
            find_in_chunks(boxes, HEAVY, threads, collector, |boxes, collector| {
                dispatch(Within { table, boxes, collector });
            });
            for smaller in &self.tables()[..level] {
                across(&table.boxes[step.range(table.len())], smaller, threads, collector);
            }
            across(&self.rest[step.range(self.rest.len())], table, threads, collector);
        }
        if step.is_last() {
            test_list(&self.rest, collector);
        }
    }

    fn pairs_with(
        &self,
        other: &Self,
        step: SearchStep,
        threads: bool,
        collector: &mut PairCollector<'_>,
    ) {
        for table in self.tables() {
            for others in other.tables() {
                // The larger boxes search the table of the smaller ones, or the fewer boxes that of the many.
                let [mine, theirs] = [table, others].map(widest_side);
                let (probes, searched) =
                    if mine > 2.0 * theirs || mine * 2.0 >= theirs && table.len() <= others.len() {
                        (table, others)
                    } else {
                        (others, table)
                    };
                across(&probes.boxes[step.range(probes.len())], searched, threads, collector);
            }
        }
        if step.is_last() {
            for table in self.tables() {
                across(&other.rest, table, threads, collector);
            }
            other.pairs_around(&self.rest, threads, collector);
        }
    }

    fn pairs_around(
        &self,
        probes: &[(u32, Aabb)],
        threads: bool,
        collector: &mut PairCollector<'_>,
    ) {
        for table in self.tables() {
            find_in_chunks(0..probes.len(), PROBES, threads, collector, |range, collector| {
                dispatch(Across { probes: &probes[range], table, collector });
            });
        }
        test_lists(&self.rest, probes, collector);
    }

    fn bytes(&self) -> usize {
        self.tables.iter().map(Table::bytes).sum::<usize>()
            + held(&self.rest)
            + held(&self.left)
            + held(&self.ordinary)
            + held(&self.others)
            + self.found.iter().map(Found::bytes).sum::<usize>()
            + self.sample.bytes()
    }
}

/// [`Levels::sort`], compiled for the processor's vector instructions.
struct Sort<'a, F> {
    levels: &'a mut Levels,
    count: usize,
    index: F,
    all: &'a [Aabb],
    threads: bool,
}

impl<F: Fn(usize) -> Option<u32> + Sync> SimdKernel for Sort<'_, F> {
    type Output = ();
    const MAX_LEVEL: SimdLevel = SimdLevel::Avx2;

    #[inline(always)]
    fn run<S: Simd>(self) {
        let Self { levels, count, index, all, threads } = self;
        levels.rest.clear();
        levels.left.clear();
        levels.used = 0;
        let limits = Limits::of_some(&mut levels.sample, &mut levels.others, count, &index, all);
        levels.partition(count, index, limits.unwrap_or(Limits::NONE), all, threads);
        while levels.left.len() > FEW && levels.fill_next(all, threads) {}
        levels.rest.extend(levels.left.drain(..).map(|index| (index, all[index as usize])));
        for table in &mut levels.tables[levels.used..] {
            table.clear();
        }
    }
}

/// [`Levels::read`], compiled for the processor's vector instructions.
struct Read<'a> {
    levels: &'a mut Levels,
    all: &'a [Aabb],
    threads: bool,
}

impl SimdKernel for Read<'_> {
    type Output = ();
    const MAX_LEVEL: SimdLevel = SimdLevel::Avx2;

    #[inline(always)]
    fn run<S: Simd>(self) {
        for table in &mut self.levels.tables[..self.levels.used] {
            table.read(self.all, self.threads);
        }
    }
}

/// Which boxes go to one table.
#[derive(Clone, Copy)]
struct Limits {
    side: f64,
    /// The median of the low corners, and the greatest permitted distance from it on an axis.
    middle: [f64; 3],
    reach: f64,
}

impl Limits {
    const NONE: Self = Self { side: -1.0, middle: [0.0; 3], reach: 0.0 };

    /// Computes limits from a sample of the boxes with the indices `index(0)` to `index(count - 1)`, which it writes
    /// to `some`. `None` if the sample is too small.
    fn of_some(
        sample: &mut Sample,
        some: &mut Vec<u32>,
        count: usize,
        index: impl Fn(usize) -> Option<u32>,
        all: &[Aabb],
    ) -> Option<Self> {
        let sampled = (0..count).step_by(Sample::step(count)).filter_map(index);
        some.clear();
        some.extend(sampled.filter(|&at| has_sides(sides(&all[at as usize]))));
        (some.len() > FEW).then(|| Self::of_indices(sample, some, all))
    }

    /// Computes limits for about half or more of the boxes with these indices, from a sample.
    fn of_indices(sample: &mut Sample, indices: &[u32], all: &[Aabb]) -> Self {
        let side = 2.0 * sample.median(indices, all, |aabb| longest(sides(aabb)));
        let middle = [0, 1, 2].map(|axis| sample.median(indices, all, |aabb| aabb.min[axis]));
        let limits = Self { side, middle, reach: 0.0 };
        let spread = sample.median(indices, all, |aabb| limits.away(aabb));
        // Within reach of a layout whose cells are about as wide as the widest box.
        let reach = (side.max(spread * 1e-3) * (1 << 28) as f64).min(FARTHEST);
        Self { reach, ..limits }
    }

    #[inline(always)]
    fn away(&self, aabb: &Aabb) -> f64 {
        let far = |axis: usize| (aabb.min[axis] - self.middle[axis]).abs();
        longest([far(0), far(1), far(2)])
    }

    #[inline(always)]
    fn hold(&self, aabb: &Aabb, sides: [f64; 3]) -> bool {
        has_sides(sides) && longest(sides) <= self.side && self.away(aabb) <= self.reach
    }
}

/// Whether the sides allow a table: none is negative, and none has overflowed.
#[inline(always)]
fn has_sides(sides: [f64; 3]) -> bool {
    sides.iter().all(|&side| side >= 0.0) && longest(sides) <= f64::MAX
}

#[derive(Debug, Default)]
struct Found {
    similar: Similar,
    ordinary: Vec<u32>,
    /// Boxes that may fit another table.
    left: Vec<u32>,
    /// Boxes that fit no table.
    rest: Vec<(u32, Aabb)>,
}

impl Found {
    fn clear(&mut self) {
        self.similar = Similar::default();
        self.ordinary.clear();
        self.left.clear();
        self.rest.clear();
    }

    fn bytes(&self) -> usize {
        held(&self.ordinary) + held(&self.left) + held(&self.rest)
    }

    #[inline(always)]
    fn partition(&mut self, indices: impl Iterator<Item = u32>, all: &[Aabb], limits: &Limits) {
        let mut similar = self.similar;
        for index in indices {
            let aabb = &all[index as usize];
            let sides = sides(aabb);
            if limits.hold(aabb, sides) {
                similar.add(aabb, sides);
                self.ordinary.push(index);
            } else if has_sides(sides) {
                self.left.push(index);
            } else if !aabb.is_empty() {
                self.rest.push((index, *aabb));
            }
        }
        self.similar = similar;
    }
}

/// Bounds of boxes of similar sizes: the maxima on each axis of the low corners, the negated low corners, and
/// the sides.
#[derive(Clone, Copy, Debug)]
struct Similar([f64; 9]);

impl Default for Similar {
    fn default() -> Self {
        let [low, none] = [f64::NEG_INFINITY, 0.0];
        Self([low, low, low, low, low, low, none, none, none])
    }
}

impl Similar {
    #[inline(always)]
    fn add(&mut self, aabb: &Aabb, [a, b, c]: [f64; 3]) {
        let [x, y, z] = aabb.min;
        self.merge(&Self([x, y, z, -x, -y, -z, a, b, c]));
    }

    #[inline(always)]
    fn merge(&mut self, other: &Self) {
        // The same operation for all nine values, so that compilers use vector instructions.
        for (most, &value) in self.0.iter_mut().zip(&other.0) {
            *most = greatest(*most, value);
        }
    }

    /// A box around the low corners, and the widest sides.
    fn bounds(&self) -> (Aabb, [f64; 3]) {
        let [x, y, z, fx, fy, fz, a, b, c] = self.0;
        (Aabb::new([-fx, -fy, -fz], [x, y, z]), [a, b, c])
    }
}

#[inline(always)]
fn sides(aabb: &Aabb) -> [f64; 3] {
    let Aabb { min, max } = aabb;
    [max[0] - min[0], max[1] - min[1], max[2] - min[2]]
}

#[inline(always)]
fn longest(sides: [f64; 3]) -> f64 {
    greatest(greatest(sides[0], sides[1]), sides[2])
}

fn widest_side(table: &Table) -> f64 {
    longest(table.layout.map_or([0.0; 3], |layout| layout.widest))
}

/// Tests the candidate pairs of some boxes with those of a table.
fn across(probes: &[(u32, Aabb)], table: &Table, threads: bool, collector: &mut PairCollector<'_>) {
    find_in_chunks(0..probes.len(), HEAVY, threads, collector, |range, collector| {
        dispatch(Across { probes: &probes[range], table, collector });
    });
}

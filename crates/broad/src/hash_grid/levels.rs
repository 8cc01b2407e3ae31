//! A set of boxes of any sizes as several tables, each for boxes of similar size.

use std::mem::take;

use xcollide_bounds::Aabb;
use xcollide_simd::{Simd, SimdKernel, SimdLevel, dispatch};

use super::layout::FARTHEST;
use super::search::{Across, Within};
use super::table::Table;
use crate::PairCollector;

use crate::parallel::{HEAVY, fill_per_chunk, find_in_chunks};
use crate::sample::Sample;

/// Below so many boxes, comparing all is the quickest way.
const FEW: usize = 32;

/// Boxes sorted into tables by size, the small ones first; what fits in no table is in a list.
#[derive(Debug, Default)]
pub(crate) struct Levels {
    tables: Vec<Table>,
    /// How many of the tables are in use.
    used: usize,
    /// Few, or unbounded, or far away.
    rest: Vec<(u32, Aabb)>,
    /// The boxes that have no table yet.
    left: Vec<u32>,
    /// The boxes of the next table.
    ordinary: Vec<u32>,
    /// Memory for those that had none when the next table was begun.
    others: Vec<u32>,
    /// Memory for what is found in each part of the boxes.
    found: Vec<Found>,
    sample: Sample,
}

impl Levels {
    /// Replaces the set by the boxes with the indices that `index` gives for the numbers below
    /// `count`; empty ones are left out.
    pub(crate) fn fill(
        &mut self,
        count: usize,
        index: impl Fn(usize) -> Option<u32> + Sync,
        all: &[Aabb],
        threads: bool,
    ) {
        dispatch(Fill { levels: self, count, index, all, threads });
    }

    #[inline(always)]
    fn fill_inline(
        &mut self,
        count: usize,
        index: impl Fn(usize) -> Option<u32> + Sync,
        all: &[Aabb],
        threads: bool,
    ) {
        self.rest.clear();
        self.left.clear();
        self.used = 0;
        let limits = Limits::of_some(&mut self.sample, count, &index, all);
        self.sort_out(count, index, limits.unwrap_or(Limits::NONE), all, threads);
        while self.left.len() > FEW && self.fill_next(all, threads) {}
        self.rest.extend(self.left.drain(..).map(|index| (index, all[index as usize])));
        for table in &mut self.tables[self.used..] {
            table.clear();
        }
    }

    /// Sorts out the numbers below `count`: what is within the limits goes to the first table, the
    /// others to those that are left.
    #[inline(always)]
    fn sort_out(
        &mut self,
        count: usize,
        index: impl Fn(usize) -> Option<u32> + Sync,
        limits: Limits,
        all: &[Aabb],
        threads: bool,
    ) {
        let Self { left, ordinary, rest, found, .. } = self;
        fill_per_chunk(count, threads, found, |part, found| {
            found.clear();
            found.sort_out(part.filter_map(&index), all, &limits);
        });
        let mut similar = Similar::default();
        ordinary.clear();
        for part in found {
            similar.merge(&part.similar);
            if ordinary.is_empty() {
                std::mem::swap(ordinary, &mut part.ordinary);
            } else {
                ordinary.extend_from_slice(&part.ordinary);
            }
            left.extend_from_slice(&part.left);
            rest.extend_from_slice(&part.rest);
        }
        self.fill_table(&similar, all, threads);
    }

    /// Moves at least half of the boxes that are left, all of similar size, to the next table.
    /// False where there is no such half.
    #[inline(always)]
    fn fill_next(&mut self, all: &[Aabb], threads: bool) -> bool {
        let limits = Limits::of_indices(&mut self.sample, &self.left, all);
        std::mem::swap(&mut self.left, &mut self.others);
        self.left.clear();
        let used = self.used;
        let indices = take(&mut self.others);
        self.sort_out(indices.len(), |number| Some(indices[number]), limits, all, threads);
        self.others = indices;
        self.used > used
    }

    /// Puts the ordinary boxes into the next table, unless they are too few for one.
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
        self.tables[self.used].fill(&self.ordinary, all, &corners, widest, threads);
        self.used += 1;
    }

    /// The tables, small boxes first.
    pub(super) fn tables(&self) -> &[Table] {
        &self.tables[..self.used]
    }

    /// Offers all pairs within the set.
    pub(crate) fn pairs(&self, threads: bool, collector: &mut PairCollector<'_>) {
        for (level, table) in self.tables().iter().enumerate() {
            within(table, threads, collector);
            for smaller in &self.tables()[..level] {
                across(table, smaller, threads, collector);
            }
            dispatch(Across { probes: self.rest.iter().copied(), table, collector });
        }
        for (at, (a, box_a)) in self.rest.iter().enumerate() {
            for (b, box_b) in &self.rest[at + 1..] {
                collector.test_boxes((*a, box_a), (*b, box_b));
            }
        }
    }

    /// Offers all pairs of a box of this set with one of another.
    pub(super) fn pairs_with(
        &self,
        other: &Self,
        threads: bool,
        collector: &mut PairCollector<'_>,
    ) {
        for table in self.tables() {
            for others in other.tables() {
                // The larger boxes look for the smaller ones, or the fewer for the many.
                let [mine, theirs] = [table, others].map(widest_side);
                if mine > 2.0 * theirs || mine * 2.0 >= theirs && table.len() <= others.len() {
                    across(table, others, threads, collector);
                } else {
                    across(others, table, threads, collector);
                }
            }
        }
        for (rest, tables) in [(&self.rest, other.tables()), (&other.rest, self.tables())] {
            for table in tables {
                dispatch(Across { probes: rest.iter().copied(), table, collector });
            }
        }
        for (a, box_a) in &self.rest {
            for (b, box_b) in &other.rest {
                collector.test_boxes((*a, box_a), (*b, box_b));
            }
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
        for table in self.tables() {
            find_in_chunks(probes.len(), HEAVY, threads, collector, |range, collector| {
                dispatch(Across { probes: probes[range].iter().copied(), table, collector });
            });
        }
        for (a, box_a) in &self.rest {
            for (b, box_b) in probes.iter().filter(|(b, _)| a != b) {
                collector.test_boxes((*a, box_a), (*b, box_b));
            }
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.tables.iter().map(Table::bytes).sum::<usize>()
            + self.rest.capacity() * size_of::<(u32, Aabb)>()
            + (self.left.capacity() + self.ordinary.capacity() + self.others.capacity())
                * size_of::<u32>()
            + self.found.iter().map(Found::bytes).sum::<usize>()
            + self.sample.bytes()
    }
}

/// [`Levels::fill`], compiled for what the processor has.
struct Fill<'a, F> {
    levels: &'a mut Levels,
    count: usize,
    index: F,
    all: &'a [Aabb],
    threads: bool,
}

impl<F: Fn(usize) -> Option<u32> + Sync> SimdKernel for Fill<'_, F> {
    type Output = ();
    const MAX_LEVEL: SimdLevel = SimdLevel::Avx2;

    #[inline(always)]
    fn run<S: Simd>(self) {
        self.levels.fill_inline(self.count, self.index, self.all, self.threads);
    }
}

/// Which boxes go to one table.
#[derive(Clone, Copy)]
struct Limits {
    /// The longest that a side may be.
    side: f64,
    /// The middle of where most of them are, and how far away from it the others may be.
    middle: [f64; 3],
    reach: f64,
}

impl Limits {
    /// Hold no box.
    const NONE: Self = Self { side: -1.0, middle: [0.0; 3], reach: 0.0 };

    /// By a look at some of the boxes for whose numbers `index` gives an index. `None` where it does
    /// so for too few to tell.
    fn of_some(
        sample: &mut Sample,
        count: usize,
        index: impl Fn(usize) -> Option<u32>,
        all: &[Aabb],
    ) -> Option<Self> {
        let some = (0..count).step_by(Sample::step(count)).filter_map(index);
        let some: Vec<u32> = some.filter(|&at| has_sides(sides(&all[at as usize]))).collect();
        (some.len() > FEW).then(|| Self::of_indices(sample, &some, all))
    }

    /// For at least half of the boxes with these indices, by a look at some.
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

/// Whether these are sides of a box that may get a table. Not if they overflow, either.
#[inline(always)]
fn has_sides(sides: [f64; 3]) -> bool {
    sides.iter().all(|&side| side >= 0.0) && longest(sides) <= f64::MAX
}

/// Boxes, sorted out.
#[derive(Debug, Default)]
struct Found {
    similar: Similar,
    /// Within the limits.
    ordinary: Vec<u32>,
    /// May get another table.
    left: Vec<u32>,
    /// Cannot get any.
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
        (self.ordinary.capacity() + self.left.capacity()) * size_of::<u32>()
            + self.rest.capacity() * size_of::<(u32, Aabb)>()
    }

    #[inline(always)]
    fn sort_out(&mut self, indices: impl Iterator<Item = u32>, all: &[Aabb], limits: &Limits) {
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

/// What boxes of similar size have in common: the largest of their low corners on each axis, of those
/// with the sign changed, and of their sides.
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
        // One operation for all, so that compilers do several at once.
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

/// `f64::max` without its care for NaN, which there is none of: one instruction.
#[inline(always)]
fn greatest(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

fn widest_side(table: &Table) -> f64 {
    longest(table.layout().map_or([0.0; 3], |layout| *layout.widest()))
}

/// Offers all pairs within a table.
fn within(table: &Table, threads: bool, collector: &mut PairCollector<'_>) {
    find_in_chunks(table.len(), HEAVY, threads, collector, |boxes, collector| {
        dispatch(Within { table, boxes, collector });
    });
}

/// Offers all pairs of one table with another.
fn across(probes: &Table, table: &Table, threads: bool, collector: &mut PairCollector<'_>) {
    find_in_chunks(probes.len(), HEAVY, threads, collector, |boxes, collector| {
        let probes = boxes.map(|at| (probes.index(at), *probes.aabb(at)));
        dispatch(Across { probes, table, collector });
    });
}

//! A set of boxes of any sizes as several tables, each for boxes of similar size.

use std::mem::take;

use xcollide_bounds::Aabb;

use super::layout::FARTHEST;
use super::search::{Across, Within};
use super::table::Table;
use crate::Sink;
use crate::lanes::{self, Job, Lanes};
use crate::parts::{in_parts, map_parts};
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
    /// Those of them that go to the next table, and the others.
    ordinary: Vec<u32>,
    others: Vec<u32>,
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
        lanes::run(Fill { levels: self, count, index, all, threads });
    }

    #[inline(always)]
    fn fill_inline(
        &mut self,
        count: usize,
        index: impl Fn(usize) -> Option<u32> + Sync,
        all: &[Aabb],
        threads: bool,
    ) {
        let Self { left, rest, .. } = self;
        rest.clear();
        left.clear();
        if threads {
            for part in map_parts(count, threads, |part| {
                let mut found = (Vec::with_capacity(part.len()), Vec::new());
                sort_out(part.filter_map(&index), all, &mut found);
                found
            }) {
                left.extend_from_slice(&part.0);
                rest.extend_from_slice(&part.1);
            }
        } else {
            let mut found = (take(left), take(rest));
            sort_out((0..count).filter_map(index), all, &mut found);
            (*left, *rest) = found;
        }
        self.used = 0;
        while self.left.len() > FEW && self.fill_next(all, threads) {}
        self.rest.extend(self.left.drain(..).map(|index| (index, all[index as usize])));
        for table in &mut self.tables[self.used..] {
            table.clear();
        }
    }

    /// Moves at least half of the boxes that are left, all of similar size, to the next table.
    /// False where there is no such half.
    #[inline(always)]
    fn fill_next(&mut self, all: &[Aabb], threads: bool) -> bool {
        let Self { left, ordinary, others, sample, .. } = self;
        let limit = 2.0 * sample.median(left, all, |aabb| longest(sides(aabb)));
        let middle = [0, 1, 2].map(|axis| sample.median(left, all, |aabb| aabb.min[axis]));
        let away = |aabb: &Aabb| {
            let far = |axis: usize| (aabb.min[axis] - middle[axis]).abs();
            longest([far(0), far(1), far(2)])
        };
        let spread = sample.median(left, all, away);
        // Within reach of a layout whose cells are about as wide as the widest box.
        let reach = (limit.max(spread * 1e-3) * (1 << 28) as f64).min(FARTHEST);
        let is_ordinary =
            |aabb: &Aabb, sides: [f64; 3]| longest(sides) <= limit && away(aabb) <= reach;
        ordinary.clear();
        others.clear();
        let mut all_of_them = Similar::default();
        if threads {
            for part in map_parts(left.len(), threads, |part| {
                let mut found = Similar::default();
                let (mut ordinary, mut others) = (Vec::with_capacity(part.len()), Vec::new());
                found.select(&left[part], all, is_ordinary, [&mut ordinary, &mut others]);
                (found, ordinary, others)
            }) {
                all_of_them.merge(&part.0);
                ordinary.extend_from_slice(&part.1);
                others.extend_from_slice(&part.2);
            }
        } else {
            all_of_them.select(left, all, is_ordinary, [ordinary, others]);
        }
        if ordinary.len() < FEW / 2 {
            others.append(ordinary);
            std::mem::swap(left, others);
            return false;
        }
        std::mem::swap(left, others);
        if self.used == self.tables.len() {
            self.tables.push(Table::default());
        }
        let Similar { corners, widest } = all_of_them;
        self.tables[self.used].fill(&self.ordinary, all, &corners, widest, threads);
        self.used += 1;
        true
    }

    /// The tables, small boxes first.
    pub(super) fn tables(&self) -> &[Table] {
        &self.tables[..self.used]
    }

    /// Offers all pairs within the set.
    pub(crate) fn pairs(&self, threads: bool, sink: &mut Sink<'_>) {
        for (level, table) in self.tables().iter().enumerate() {
            within(table, threads, sink);
            for smaller in &self.tables()[..level] {
                across(table, smaller, threads, sink);
            }
            lanes::run(Across { probes: self.rest.iter().copied(), table, sink });
        }
        for (at, (a, box_a)) in self.rest.iter().enumerate() {
            for (b, box_b) in &self.rest[at + 1..] {
                sink.offer_boxes((*a, box_a), (*b, box_b));
            }
        }
    }

    /// Offers all pairs of a box of this set with one of another.
    pub(super) fn pairs_with(&self, other: &Self, threads: bool, sink: &mut Sink<'_>) {
        for table in self.tables() {
            for others in other.tables() {
                // The larger boxes look for the smaller ones, or the fewer for the many.
                let [mine, theirs] = [table, others].map(widest_side);
                if mine > 2.0 * theirs || mine * 2.0 >= theirs && table.len() <= others.len() {
                    across(table, others, threads, sink);
                } else {
                    across(others, table, threads, sink);
                }
            }
        }
        for (rest, tables) in [(&self.rest, other.tables()), (&other.rest, self.tables())] {
            for table in tables {
                lanes::run(Across { probes: rest.iter().copied(), table, sink });
            }
        }
        for (a, box_a) in &self.rest {
            for (b, box_b) in &other.rest {
                sink.offer_boxes((*a, box_a), (*b, box_b));
            }
        }
    }

    /// Offers all pairs of some boxes, none of them empty, with those of this set, but none of a
    /// box with itself.
    pub(super) fn pairs_around(&self, probes: &[(u32, Aabb)], threads: bool, sink: &mut Sink<'_>) {
        for table in self.tables() {
            in_parts(probes.len(), threads, sink, |range, sink| {
                lanes::run(Across { probes: probes[range].iter().copied(), table, sink });
            });
        }
        for (a, box_a) in &self.rest {
            for (b, box_b) in probes.iter().filter(|(b, _)| a != b) {
                sink.offer_boxes((*a, box_a), (*b, box_b));
            }
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.tables.iter().map(Table::bytes).sum::<usize>()
            + self.rest.capacity() * size_of::<(u32, Aabb)>()
            + (self.left.capacity() + self.ordinary.capacity() + self.others.capacity())
                * size_of::<u32>()
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

impl<F: Fn(usize) -> Option<u32> + Sync> Job for Fill<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        self.levels.fill_inline(self.count, self.index, self.all, self.threads);
    }
}

/// Adds boxes to those that may get a table, and to those that cannot.
#[inline(always)]
fn sort_out(
    indices: impl Iterator<Item = u32>,
    all: &[Aabb],
    (left, rest): &mut (Vec<u32>, Vec<(u32, Aabb)>),
) {
    for index in indices {
        let aabb = &all[index as usize];
        let sides = sides(aabb);
        // Not for sides that overflow, either.
        if sides.iter().all(|&side| side >= 0.0) && longest(sides) <= f64::MAX {
            left.push(index);
        } else if !aabb.is_empty() {
            rest.push((index, *aabb));
        }
    }
}

/// What boxes of similar size have in common.
struct Similar {
    /// Around their low corners.
    corners: Aabb,
    /// The widest sides.
    widest: [f64; 3],
}

impl Default for Similar {
    fn default() -> Self {
        Self { corners: Aabb::EMPTY, widest: [0.0; 3] }
    }
}

impl Similar {
    /// Adds the ordinary ones of some boxes, and lists them and the others.
    #[inline(always)]
    fn select(
        &mut self,
        indices: &[u32],
        all: &[Aabb],
        is_ordinary: impl Fn(&Aabb, [f64; 3]) -> bool,
        [ordinary, others]: [&mut Vec<u32>; 2],
    ) {
        let Self { mut corners, mut widest } = *self;
        for &index in indices {
            let aabb = &all[index as usize];
            let sides = sides(aabb);
            if is_ordinary(aabb, sides) {
                for axis in 0..3 {
                    corners.min[axis] = least(corners.min[axis], aabb.min[axis]);
                    corners.max[axis] = greatest(corners.max[axis], aabb.min[axis]);
                    widest[axis] = greatest(widest[axis], sides[axis]);
                }
                ordinary.push(index);
            } else {
                others.push(index);
            }
        }
        *self = Self { corners, widest };
    }

    fn merge(&mut self, other: &Self) {
        for axis in 0..3 {
            let (corners, more) = (&mut self.corners, &other.corners);
            corners.min[axis] = least(corners.min[axis], more.min[axis]);
            corners.max[axis] = greatest(corners.max[axis], more.max[axis]);
            self.widest[axis] = greatest(self.widest[axis], other.widest[axis]);
        }
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

/// `f64::min` without its care for NaN, which there is none of: one instruction.
#[inline(always)]
fn least(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

/// As [`least`].
#[inline(always)]
fn greatest(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

fn widest_side(table: &Table) -> f64 {
    longest(table.layout().map_or([0.0; 3], |layout| *layout.widest()))
}

/// Offers all pairs within a table.
fn within(table: &Table, threads: bool, sink: &mut Sink<'_>) {
    in_parts(table.len(), threads, sink, |boxes, sink| lanes::run(Within { table, boxes, sink }));
}

/// Offers all pairs of one table with another.
fn across(probes: &Table, table: &Table, threads: bool, sink: &mut Sink<'_>) {
    in_parts(probes.len(), threads, sink, |boxes, sink| {
        let probes = boxes.map(|at| (probes.index(at), *probes.aabb(at)));
        lanes::run(Across { probes, table, sink });
    });
}

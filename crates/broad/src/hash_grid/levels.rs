//! A set of boxes of any sizes as several tables, each for boxes of similar size.

use xcollide_bounds::Aabb;

use super::layout::FARTHEST;
use super::search::{Across, Within};
use super::table::Table;
use crate::Sink;
use crate::lanes::{self, Job, Lanes};
use crate::parts::in_parts;
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
    ordinary: Vec<u32>,
    sample: Sample,
}

impl Levels {
    /// Replaces the set by the boxes with these indices; empty ones are left out.
    pub(crate) fn fill(&mut self, indices: impl Iterator<Item = u32>, all: &[Aabb]) {
        lanes::run(Fill { levels: self, indices, all });
    }

    #[inline(always)]
    fn fill_inline(&mut self, indices: impl Iterator<Item = u32>, all: &[Aabb]) {
        self.rest.clear();
        self.left.clear();
        for index in indices {
            let aabb = &all[index as usize];
            let sides = sides(aabb);
            // Not for sides that overflow, either.
            if sides.iter().all(|&side| side >= 0.0) && longest(sides) <= f64::MAX {
                self.left.push(index);
            } else if !aabb.is_empty() {
                self.rest.push((index, *aabb));
            }
        }
        self.used = 0;
        while self.left.len() > FEW && self.fill_next(all) {}
        self.rest.extend(self.left.drain(..).map(|index| (index, all[index as usize])));
        for table in &mut self.tables[self.used..] {
            table.clear();
        }
    }

    /// Moves at least half of the boxes that are left, all of similar size, to the next table.
    /// False where there is no such half.
    #[inline(always)]
    fn fill_next(&mut self, all: &[Aabb]) -> bool {
        let Self { left, ordinary, sample, .. } = self;
        let limit = 2.0 * sample.median(left, all, |aabb| longest(sides(aabb)));
        let middle = [0, 1, 2].map(|axis| sample.median(left, all, |aabb| aabb.min[axis]));
        let away = |aabb: &Aabb| {
            let far = |axis: usize| (aabb.min[axis] - middle[axis]).abs();
            longest([far(0), far(1), far(2)])
        };
        let spread = sample.median(left, all, away);
        // Within reach of a layout whose cells are about as wide as the widest box.
        let reach = (limit.max(spread * 1e-3) * (1 << 28) as f64).min(FARTHEST);
        let mut corners = Aabb::EMPTY;
        let mut widest = [0.0_f64; 3];
        ordinary.clear();
        let mut kept = 0;
        for at in 0..left.len() {
            let index = left[at];
            let aabb = &all[index as usize];
            let sides = sides(aabb);
            if longest(sides) <= limit && away(aabb) <= reach {
                for axis in 0..3 {
                    corners.min[axis] = least(corners.min[axis], aabb.min[axis]);
                    corners.max[axis] = greatest(corners.max[axis], aabb.min[axis]);
                    widest[axis] = greatest(widest[axis], sides[axis]);
                }
                ordinary.push(index);
            } else {
                left[kept] = index;
                kept += 1;
            }
        }
        left.truncate(kept);
        if ordinary.len() < FEW / 2 {
            left.append(ordinary);
            return false;
        }
        if self.used == self.tables.len() {
            self.tables.push(Table::default());
        }
        self.tables[self.used].fill(&self.ordinary, all, &corners, widest);
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
            + (self.left.capacity() + self.ordinary.capacity()) * size_of::<u32>()
            + self.sample.bytes()
    }
}

/// [`Levels::fill`], compiled for what the processor has.
struct Fill<'a, I> {
    levels: &'a mut Levels,
    indices: I,
    all: &'a [Aabb],
}

impl<I: Iterator<Item = u32>> Job for Fill<'_, I> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        self.levels.fill_inline(self.indices, self.all);
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

//! A set of boxes of any sizes as several tables, each for boxes of similar size.

use xcollide_bounds::Aabb;

use super::layout::FARTHEST;
use super::search::{Across, Within};
use super::table::Table;
use crate::parts::in_parts;
use crate::sample::Sample;
use crate::{Sink, lanes};

/// Below so many boxes, comparing all is the quickest way.
const FEW: usize = 32;

/// Boxes sorted into tables by size, the small ones first; what fits in no table is in a list.
#[derive(Debug, Default)]
pub(super) struct Levels {
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
    pub(super) fn fill(&mut self, indices: impl Iterator<Item = u32>, all: &[Aabb]) {
        self.rest.clear();
        self.left.clear();
        for index in indices {
            let aabb = &all[index as usize];
            if aabb.is_empty() {
                continue;
            }
            // Not for sides that overflow, either.
            if (0..3).all(|axis| (aabb.max[axis] - aabb.min[axis]).is_finite()) {
                self.left.push(index);
            } else {
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
    fn fill_next(&mut self, all: &[Aabb]) -> bool {
        let limit = 2.0 * self.sample.median(&self.left, all, longest_side);
        let middle =
            [0, 1, 2].map(|axis| self.sample.median(&self.left, all, |aabb| aabb.min[axis]));
        let spread = (0..3)
            .map(|axis| {
                self.sample.median(&self.left, all, |aabb| (aabb.min[axis] - middle[axis]).abs())
            })
            .fold(0.0, f64::max);
        // Within reach of a layout whose cells are about as wide as the widest box.
        let reach = (limit.max(spread * 1e-3) * (1 << 28) as f64).min(FARTHEST);
        let mut corners = Aabb::EMPTY;
        let mut widest = [0.0_f64; 3];
        self.ordinary.clear();
        let ordinary = &mut self.ordinary;
        self.left.retain(|&index| {
            let aabb = &all[index as usize];
            let near = (0..3).all(|axis| (aabb.min[axis] - middle[axis]).abs() <= reach);
            let fits = near && longest_side(aabb) <= limit;
            if fits {
                corners.extend(aabb.min);
                for axis in 0..3 {
                    widest[axis] = widest[axis].max(aabb.max[axis] - aabb.min[axis]);
                }
                ordinary.push(index);
            }
            !fits
        });
        if ordinary.len() < FEW / 2 {
            self.left.append(ordinary);
            return false;
        }
        if self.used == self.tables.len() {
            self.tables.push(Table::default());
        }
        self.tables[self.used].fill(ordinary, all, &corners, widest);
        self.used += 1;
        true
    }

    /// The tables, small boxes first.
    pub(super) fn tables(&self) -> &[Table] {
        &self.tables[..self.used]
    }

    /// Offers all pairs within the set.
    pub(super) fn pairs(&self, threads: bool, sink: &mut Sink<'_>) {
        for (level, table) in self.tables().iter().enumerate() {
            within(table, threads, sink);
            for smaller in &self.tables()[..level] {
                across(table, smaller, threads, sink);
            }
            lanes::run(Across { probes: self.rest.iter().copied(), table, sink });
        }
        for (at, (a, box_a)) in self.rest.iter().enumerate() {
            for (b, box_b) in &self.rest[at + 1..] {
                sink.count(1);
                if box_a.overlaps(box_b) {
                    sink.accept_boxes(*a, *b);
                }
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
                sink.count(1);
                if box_a.overlaps(box_b) {
                    sink.accept_boxes(*a, *b);
                }
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.tables.iter().map(Table::bytes).sum::<usize>()
            + self.rest.capacity() * size_of::<(u32, Aabb)>()
            + (self.left.capacity() + self.ordinary.capacity()) * size_of::<u32>()
            + self.sample.bytes()
    }
}

fn longest_side(aabb: &Aabb) -> f64 {
    (0..3).map(|axis| aabb.max[axis] - aabb.min[axis]).fold(0.0, f64::max)
}

fn widest_side(table: &Table) -> f64 {
    let widest = table.layout().map_or([0.0; 3], |layout| *layout.widest());
    widest.into_iter().fold(0.0, f64::max)
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

//! The line tables of two boxes: the parts of their edges inside each other, updated from level to level
//! (Zachmann 1994, 3.6.1).
//!
//! Two boxes meet if and only if an edge of one meets the other, including its faces and inside. So 24
//! intervals of line parameters describe a pair: the T of the first box's edges clipped by the second box,
//! and the S of the second's clipped by the first. When a box is cut across its axis k:
//!
//! - *The other box's twelve edges* are clipped by the plane, which bounds both halves: one parameter for
//!   each edge serves both.
//! - *Its own four edges along k* are shortened at the plane.
//! - *Of its eight other edges* four belong to each half and are copied. The four in the cut are new; their
//!   intervals are clipped from scratch, once for both halves.
//!
//! An empty interval stays empty below, so a flag marks it. When all 24 are empty, the boxes do not meet.

use xcollide_bounds::Aabb;

use super::edge_lines::{EdgeLines, Interval, OTHERS};
use crate::classic::cut_tree::{PairState, PlacedPair};

/// The intervals of a pair of boxes.
#[derive(Clone, Debug)]
pub(super) struct Tables {
    /// Each in its own frame.
    cells: [Aabb; 2],
    /// By box and axis of the edges. The two bits of an edge's number mark the upper end on the first and
    /// on the second of the other axes.
    edges: [[[Interval; 4]; 3]; 2],
    /// Which intervals are not empty: four bits each.
    alive: [[u16; 3]; 2],
}

/// The lines of each tree in the frame of the other.
#[derive(Clone, Debug)]
pub(super) struct LinePair([EdgeLines; 2]);

impl LinePair {
    pub(super) fn new(relation: &PlacedPair, margin: f64) -> Self {
        Self([1, 0].map(|side| EdgeLines::new(&relation.into[side], margin)))
    }
}

impl Tables {
    /// The roots, `None` if they do not meet.
    pub(super) fn roots(cells: [&Aabb; 2], lines: &LinePair) -> Option<Self> {
        if cells.iter().any(|cell| cell.is_empty()) {
            return None;
        }
        let mut tables = Self {
            cells: cells.map(|cell| *cell),
            edges: [[[super::edge_lines::EMPTY; 4]; 3]; 2],
            alive: [[0; 3]; 2],
        };
        for side in 0..2 {
            let (own, other) = (cells[side], cells[1 - side]);
            for along in 0..3 {
                for i in 0..4 {
                    let range = [own.min[along], own.max[along]];
                    let offsets = offsets(own, along);
                    let clipped = lines.0[side].clip(
                        along,
                        [offsets[0][i & 1], offsets[1][i >> 1]],
                        range,
                        other,
                    );
                    tables.put(side, along, i, clipped);
                }
            }
        }
        tables.meet().then_some(tables)
    }

    /// Whether any edge of one box meets the other.
    fn meet(&self) -> bool {
        self.alive.as_flattened().iter().any(|&alive| alive != 0)
    }

    fn put(&mut self, side: usize, along: usize, i: usize, [start, end]: Interval) {
        self.edges[side][along][i] = [start, end];
        let bit = 1 << i;
        if start > end {
            self.alive[side][along] &= !bit;
        } else {
            self.alive[side][along] |= bit;
        }
    }
}

/// The coordinates on the two other axes of a box's edges along an axis.
#[inline]
fn offsets(cell: &Aabb, along: usize) -> [[f64; 2]; 2] {
    OTHERS[along].map(|axis| [cell.min[axis], cell.max[axis]])
}

impl PairState for Tables {
    type Fixed = LinePair;

    fn split(
        &self,
        lines: &LinePair,
        side: usize,
        axis: usize,
        planes: [f64; 2],
    ) -> [Option<Self>; 2] {
        let plane = planes[0];
        let other = 1 - side;
        let mut halves = [self.clone(), self.clone()];
        halves[0].cells[side].max[axis] = plane;
        halves[1].cells[side].min[axis] = plane;

        for along in 0..3 {
            let alive = self.alive[other][along];
            if alive == 0 {
                continue;
            }
            let mut parts = [self.edges[other][along]; 2];
            let box_offsets = offsets(&self.cells[other], along);
            let living = lines.0[other].halve(axis, along, plane, box_offsets, &mut parts, alive);
            for (half, (part, living)) in halves.iter_mut().zip(parts.into_iter().zip(living)) {
                half.edges[other][along] = part;
                half.alive[other][along] = living;
            }
        }

        for i in 0..4 {
            if self.alive[side][axis] >> i & 1 == 1 {
                let [start, end] = self.edges[side][axis][i];
                halves[0].put(side, axis, i, [start, end.min(plane)]);
                halves[1].put(side, axis, i, [start.max(plane), end]);
            }
        }

        let cell = &self.cells[side];
        for along in OTHERS[axis] {
            // The bit of an edge's number for the cut axis.
            let bit = usize::from(OTHERS[along][1] == axis);
            let free = OTHERS[along][1 - bit];
            let range = [cell.min[along], cell.max[along]];
            for (upper, coordinate) in [cell.min[free], cell.max[free]].into_iter().enumerate() {
                let mut at = [plane; 2];
                at[1 - bit] = coordinate;
                let new = lines.0[side].clip(along, at, range, &self.cells[other]);
                let in_lower = upper << (1 - bit);
                halves[0].put(side, along, in_lower | 1 << bit, new);
                halves[1].put(side, along, in_lower, new);
            }
        }
        halves.map(|half| half.meet().then_some(half))
    }

    fn cells(&self) -> [&Aabb; 2] {
        [&self.cells[0], &self.cells[1]]
    }
}

#[cfg(test)]
mod tests {
    use xcollide_bounds::{BoundingVolume, Obb};
    use xcollide_fixtures::Random;
    use xcollide_math::Pose;

    use super::*;

    fn motion(random: &mut Random) -> Pose {
        let q = [0; 4].map(|_| random.signed());
        let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        let q = q.map(|value| value / norm);
        // Some poses with parallel axes.
        let q = if random.below(16) == 0 { [0.0, 0.0, 0.0, 1.0] } else { q };
        Pose::from_quaternion(q, [0; 3].map(|_| 2.0 * random.signed())).unwrap()
    }

    fn cell(random: &mut Random) -> Aabb {
        Aabb::from_points([random.point(1.0), random.point(1.0)])
    }

    fn corners(cell: &Aabb) -> [[f64; 3]; 8] {
        [0, 1, 2, 3, 4, 5, 6, 7].map(|bits| {
            [0, 1, 2].map(|k| if bits >> k & 1 == 0 { cell.min[k] } else { cell.max[k] })
        })
    }

    /// The twin: separating axes.
    fn overlap([a, b]: [&Aabb; 2], into_a: &Pose, grown: f64) -> bool {
        let a = Obb::fit(&corners(&a.expanded(grown)));
        let b = Obb::fit(&corners(&b.expanded(grown)).map(|p| into_a.apply(p)));
        a.overlaps(&b)
    }

    /// At the roots and after any cuts, the tables know what separating axes know; and what was
    /// carried from level to level is what a first test of the same boxes finds.
    #[test]
    fn tables_agree_with_separating_axes_and_with_themselves() {
        let mut random = Random::new(99);
        let (mut meeting, mut apart) = (0, 0);
        for _ in 0..3000 {
            let b = motion(&mut random);
            let relation = PlacedPair::new([&Pose::IDENTITY, &b], [1.0; 2]);
            let lines = LinePair::new(&relation, 16.0 * relation.margin);
            let mut pair = Tables::roots([&cell(&mut random), &cell(&mut random)], &lines);
            while let Some(tables) = pair.take() {
                assert!(overlap(tables.cells(), &relation.into[0], 1e-9));
                let side = usize::from(random.signed() < 0.0);
                let axis = random.below(3);
                let own = &tables.cells[side];
                let plane =
                    own.min[axis] + (own.max[axis] - own.min[axis]) * (0.5 + 0.4 * random.signed());
                let halves = tables.split(&lines, side, axis, [plane; 2]);
                for (upper, half) in halves.into_iter().enumerate() {
                    let mut cells = tables.cells;
                    if upper == 0 {
                        cells[side].max[axis] = plane;
                    } else {
                        cells[side].min[axis] = plane;
                    }
                    let fresh = Tables::roots([&cells[0], &cells[1]], &lines);
                    assert_eq!(half.is_some(), fresh.is_some());
                    if half.is_none() {
                        apart += 1;
                        assert!(!overlap([&cells[0], &cells[1]], &relation.into[0], -1e-9));
                    }
                    // Small boxes are within the rounding of the twin.
                    if half.is_some() && cells[side].size()[axis] > 1e-3 {
                        meeting += 1;
                        pair = half;
                    }
                }
            }
        }
        assert!(meeting > 3000 && apart > 1000, "{meeting}, {apart}");
    }
}

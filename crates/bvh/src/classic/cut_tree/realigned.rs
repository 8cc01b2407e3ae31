//! Re-alignment: boxes around boxes of the other frame, updated from level to level.
//!
//! ```text
//!      +-----+-----+         When the tilted box is cut, one of its six planes moves by d. Seen
//!      |   / |\    |         in the other frame, the box around it then shrinks on each axis by
//!      |  /  | \   |         d times the share of that axis in the plane's normal, on one side:
//!      | /   |  \__|         three products and three sums for each half.
//!      |/    | _/\ |
//!      |\_   |/   \|
//!      |  \_/|    /|
//!      +-----+-----+
//! ```
//!
//! The thesis proposes this as future work ("a simultaneous traversal with axis-aligned boxes, computed on
//! the fly from the ones on the level above together with the information stored with each box-tree node",
//! figure 3.30); the slides call it *re-alignment* and count 12 operations.
//!
//! Both boxes are re-enclosed in the other frame: six axes. A cut changes the own intervals of its box on
//! one axis only, so four comparisons of intervals suffice.

use xcollide_bounds::{Aabb, BoundingVolume};

use super::{PairState, PlacedPair};

/// Two boxes and their images.
#[derive(Clone, Debug)]
pub(crate) struct Realigned {
    /// Each in its own frame.
    cells: [Aabb; 2],
    /// Each in the other's frame, grown by the margin.
    images: [Aabb; 2],
}

/// Rotations: of the first tree's boxes into the second's frame, and of the second's.
#[derive(Clone, Debug)]
pub(crate) struct Rotations([[[f64; 3]; 3]; 2]);

impl Rotations {
    pub(crate) fn new(relation: &PlacedPair) -> Self {
        Self([*relation.into[1].rotation(), *relation.into[0].rotation()])
    }
}

impl Realigned {
    /// The roots, `None` if they do not meet.
    ///
    /// `margin` covers the rounding of the items. The rounding of `steps` cuts is added: a cut moves a side
    /// of an image by a product, off by u = 2⁻⁵³ of `2 · reach`; its factor is off by as much, and the sum by
    /// u of the image's coordinate. With matrix entries up to 1.00001, that is less than 4u of the
    /// magnitude for each cut.
    pub(crate) fn roots(
        cells: [&Aabb; 2],
        relation: &PlacedPair,
        margin: f64,
        steps: u32,
    ) -> Option<Self> {
        let drift = f64::from(steps + 1) * 4.0 * f64::EPSILON * relation.magnitude;
        let prepared = [1, 0].map(|side| Aabb::prepare(&relation.into[side], margin + drift));
        let images = [0, 1].map(|side| cells[side].moved(&prepared[side]));
        let meet = (0..2).all(|side| !cells[side].is_empty())
            && (0..2).all(|side| (0..3).all(|axis| meet(&images[side], cells[1 - side], axis)));
        meet.then_some(Self { cells: cells.map(|cell| *cell), images })
    }

    /// The pair with one plane of one box moved inward.
    #[inline]
    fn shrunk(
        &self,
        rotations: &Rotations,
        side: usize,
        axis: usize,
        upper: bool,
        plane: f64,
    ) -> Option<Self> {
        let mut pair = self.clone();
        let cell = &mut pair.cells[side];
        let depth = if upper {
            let depth = (cell.max[axis] - plane).max(0.0);
            cell.max[axis] = cell.max[axis].min(plane);
            depth
        } else {
            let depth = (plane - cell.min[axis]).max(0.0);
            cell.min[axis] = cell.min[axis].max(plane);
            depth
        };
        if !meet(&pair.cells[side], &pair.images[1 - side], axis) {
            return None;
        }
        let image = &mut pair.images[side];
        for row in 0..3 {
            let share = rotations.0[side][row][axis] * depth;
            // An upper plane of the box is an upper plane of the image if the axes have one direction.
            match (upper, share > 0.0) {
                (true, true) => image.max[row] -= share,
                (true, false) => image.min[row] -= share,
                (false, true) => image.min[row] += share,
                (false, false) => image.max[row] += share,
            }
        }
        (0..3).all(|row| meet(&pair.images[side], &pair.cells[1 - side], row)).then_some(pair)
    }
}

/// Whether two boxes overlap on an axis.
#[inline]
fn meet(a: &Aabb, b: &Aabb, axis: usize) -> bool {
    a.min[axis] <= b.max[axis] && b.min[axis] <= a.max[axis]
}

impl PairState for Realigned {
    type Fixed = Rotations;

    #[inline]
    fn split(
        &self,
        rotations: &Rotations,
        side: usize,
        axis: usize,
        [left, right]: [f64; 2],
    ) -> [Option<Self>; 2] {
        [
            self.shrunk(rotations, side, axis, true, left),
            self.shrunk(rotations, side, axis, false, right),
        ]
    }

    fn cells(&self) -> [&Aabb; 2] {
        [&self.cells[0], &self.cells[1]]
    }
}

//! A patch at its place in the world.

use xcollide_bounds::Aabb;
use xcollide_bvh::classic::patches::{Patch, Patches};
use xcollide_predicates::Point;

use crate::Placed;

/// The last patch in the world: a descent mostly needs the same patch several times.
#[derive(Default)]
pub(crate) struct WorldPatch {
    patch: Option<u32>,
    points: Vec<Point>,
    boxes: Vec<Aabb>,
    /// An upper bound of the model's world coordinates.
    reach: f64,
    moved: u64,
}

/// A patch in the world.
pub(crate) struct Side<'s> {
    pub(crate) patch: Patch<'s>,
    /// The rounded world positions of its vertices.
    pub(crate) points: &'s [Point],
    /// An upper bound of their coordinates.
    pub(crate) reach: f64,
    /// Boxes of its triangles; empty until [computed](Self::boxes).
    boxes: &'s mut Vec<Aabb>,
}

impl WorldPatch {
    /// Starts a query. `local_reach`: the largest local coordinate.
    pub(crate) fn place(&mut self, placed: Placed<'_>, local_reach: f64) {
        let largest = |v: [f64; 3]| v.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        self.patch = None;
        self.moved = 0;
        // At most √3 · reach + translation; the rest is for rounding.
        self.reach = 1.75 * local_reach + 1.01 * largest(placed.pose().translation());
    }

    /// The vertices transformed since [`place`](Self::place).
    pub(crate) fn moved(&self) -> u64 {
        self.moved
    }

    /// A patch of a placed model.
    #[inline]
    pub(crate) fn side<'s>(
        &'s mut self,
        placed: Placed<'_>,
        patches: &'s Patches,
        number: u32,
    ) -> Side<'s> {
        let patch = patches.patch(number as usize);
        if self.patch != Some(number) {
            self.patch = Some(number);
            let positions = placed.model().mesh().positions();
            let transform = placed.pose();
            let at = |&vertex: &u32| transform.apply(positions[vertex as usize]);
            self.points.clear();
            self.points.extend(patch.vertices.iter().map(at));
            self.boxes.clear();
            self.moved += self.points.len() as u64;
        }
        Side { patch, points: &self.points, reach: self.reach, boxes: &mut self.boxes }
    }
}

impl Side<'_> {
    /// The corners of a triangle in the world.
    #[inline]
    pub(crate) fn triangle(&self, place: usize) -> [Point; 3] {
        self.patch.triangles[place].corners.map(|corner| self.points[usize::from(corner)])
    }

    /// The boxes of the triangles, computed on the first call.
    pub(crate) fn boxes(&mut self) -> &[Aabb] {
        if self.boxes.is_empty() {
            let points = self.points;
            self.boxes.extend(self.patch.triangles.iter().map(|triangle| {
                Aabb::from_points(triangle.corners.map(|corner| points[usize::from(corner)]))
            }));
        }
        self.boxes
    }
}

//! The faces that edges are tested against: the face collect phase (Zachmann 1994, 3.2.1).

use xcollide_bounds::Aabb;
use xcollide_brep::FaceId;
use xcollide_bvh::Counter;

use super::{Arbitrary, widened};
use crate::Placed;
use crate::classic::vertex_cache::WorldGeometry;

/// The faces that edges are tested against.
#[derive(Default)]
pub(super) struct Candidates {
    /// The number of faces.
    pub(super) all: usize,
    /// Collected faces with their boxes, ascending by `min[axis]` if ordered; `None` if all are candidates.
    collected: Option<Vec<(Aabb, FaceId)>>,
    /// For each collected face the largest `max[axis]` up to it. Empty if not ordered.
    reach: Vec<f64>,
    axis: usize,
    /// Which faces the relaxed phase has collected.
    seen: Vec<bool>,
}

impl Candidates {
    /// The collect phase.
    pub(super) fn collect(
        &mut self,
        options: Arbitrary,
        placed: Placed<'_>,
        world: &mut WorldGeometry,
        (region, within): (&Aabb, f64),
        work: &mut impl Counter,
    ) {
        self.all = placed.model().mesh().face_count();
        self.reach.clear();
        let mut collected = self.collected.take().unwrap_or_default();
        collected.clear();
        if options.relaxed {
            self.collect_relaxed(placed, world, region, work, &mut collected);
        } else if options.collect {
            for face in (0..self.all).map(FaceId::from_index) {
                work.volumes(1);
                let bounds = widened(world.face_box(placed, face), within);
                if bounds.overlaps(region) {
                    collected.push((bounds, face));
                }
            }
        } else {
            return;
        }
        self.order(options, region, collected);
    }

    /// Makes these the candidates.
    pub(super) fn order(
        &mut self,
        options: Arbitrary,
        region: &Aabb,
        mut collected: Vec<(Aabb, FaceId)>,
    ) {
        if options.ordered {
            self.axis = region.longest_axis();
            let axis = self.axis;
            collected.sort_by(|s, t| s.0.min[axis].total_cmp(&t.0.min[axis]).then(s.1.cmp(&t.1)));
            let mut farthest = f64::NEG_INFINITY;
            self.reach.extend(collected.iter().map(|(bounds, _)| {
                farthest = farthest.max(bounds.max[axis]);
                farthest
            }));
        }
        self.collected = Some(collected);
    }

    /// Collects the faces around every vertex in the region.
    fn collect_relaxed(
        &mut self,
        placed: Placed<'_>,
        world: &mut WorldGeometry,
        region: &Aabb,
        work: &mut impl Counter,
        collected: &mut Vec<(Aabb, FaceId)>,
    ) {
        self.seen.clear();
        self.seen.resize(self.all, false);
        for &vertex in placed.model().used_vertices() {
            work.volumes(1);
            if !region.contains(world.position(placed, vertex)) {
                continue;
            }
            for face in placed.model().brep().dcel().vertex_faces(vertex) {
                if !std::mem::replace(&mut self.seen[face.index()], true) {
                    collected.push((world.face_box(placed, face), face));
                }
            }
        }
    }

    /// The candidates that a segment may meet.
    #[inline]
    pub(super) fn run(&self, [start, end]: &[[f64; 3]; 2]) -> std::ops::Range<usize> {
        let Some(collected) = &self.collected else { return 0..self.all };
        if self.reach.is_empty() {
            return 0..collected.len();
        }
        let (s, e) = (start[self.axis], end[self.axis]);
        let (low, high) = if s < e { (s, e) } else { (e, s) };
        let first = self.reach.partition_point(|&reach| reach < low);
        let run = &collected[first..];
        first..first + run.partition_point(|(bounds, _)| bounds.min[self.axis] <= high)
    }

    /// The first candidate that a segment may meet.
    pub(super) fn first(&self, segment: &[[f64; 3]; 2]) -> Option<FaceId> {
        self.run(segment).next().map(|index| self.get(index).0)
    }

    /// A candidate, with its box if it was collected.
    #[inline]
    pub(super) fn get(&self, index: usize) -> (FaceId, Option<&Aabb>) {
        match &self.collected {
            Some(list) => (list[index].1, Some(&list[index].0)),
            None => (FaceId::from_index(index), None),
        }
    }
}

//! Counts the work of a search and ends it when its time is used up.

use std::ops::ControlFlow;

use xcollide_bvh::Counter;

use crate::pair_search::{End, Left};
use crate::query::Deadline;
use crate::{PairCache, Query, Stats};

/// A [`Counter`] that also checks the deadline. Queries without counts or deadline use the counter `()`,
/// which costs nothing: the thesis measured 17 % of the time for a counter in the inner loop (Zachmann
/// 1994, 7.3.2).
pub(crate) struct Monitor {
    pub(crate) stats: Stats,
    deadline: Deadline,
    pub(crate) out_of_time: bool,
    /// What the search has left when it ends early.
    pub(crate) left: Option<Left>,
}

impl Monitor {
    /// `None` if the query neither counts nor has a deadline.
    pub(crate) fn of(query: &Query, deadline: &Deadline) -> Option<Self> {
        (query.stats || deadline.is_set()).then(|| Self::always(deadline))
    }

    /// A monitor for any query.
    pub(crate) fn always(deadline: &Deadline) -> Self {
        Self { stats: Stats::default(), deadline: deadline.clone(), out_of_time: false, left: None }
    }

    /// A monitor with the same deadline and no counts, which looks at the clock first of all.
    pub(crate) fn for_a_part(&self) -> Self {
        let mut monitor = Self::always(&self.deadline);
        monitor.deadline.look_next();
        monitor
    }

    /// Adds what another part of the search has left.
    pub(crate) fn add_left(&mut self, other: Left) {
        match &mut self.left {
            Some(left) => left.parts = left.parts.saturating_add(other.parts),
            None => self.left = Some(other),
        }
    }

    /// Breaks once the time is used up.
    #[inline]
    pub(crate) fn in_time(&mut self) -> ControlFlow<()> {
        if self.deadline.passed() {
            self.out_of_time = true;
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// Stores the counts in the cache if the query wants them.
    pub(crate) fn finish(self, transforms: u64, query: &Query, cache: &mut PairCache) -> End {
        if query.stats {
            cache.set_stats(Stats { transforms, ..self.stats });
        }
        match self.left {
            _ if !self.out_of_time => End::Done,
            Some(left) => End::Unfinished(left),
            None => End::OutOfTime,
        }
    }
}

impl Counter for Monitor {
    #[inline]
    fn volumes(&mut self, tests: u64) {
        self.stats.volume_tests += tests;
    }

    #[inline]
    fn primitives(&mut self, tests: u64) {
        self.stats.primitive_tests += tests;
        self.deadline.spend(tests);
    }

    #[inline]
    fn go_on(&mut self) -> ControlFlow<()> {
        self.in_time()
    }

    #[cold]
    fn left(&mut self, pairs: usize, first: impl FnOnce() -> Option<(u32, u32)>) {
        if !self.out_of_time {
            return;
        }
        let parts = u32::try_from(pairs).unwrap_or(u32::MAX);
        // Where the triangles are known they need not be found again.
        let triangles = self.left.map(|left| left.triangles);
        if let Some(triangles) = triangles.or_else(|| first().map(|(s, t)| [s, t])) {
            self.add_left(Left { parts, triangles });
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use xcollide_bounds::{Aabb, KDop, Obb, Sphere};
    use xcollide_bvh::binary::Bvh;
    use xcollide_bvh::classic::box_tree::BoxTree;
    use xcollide_bvh::classic::interval_tree::IntervalTree;
    use xcollide_bvh::classic::sphere_octree::SphereOctree;
    use xcollide_bvh::wide::{Traversal, WideTree, self_candidates};
    use xcollide_math::Pose;

    use super::*;
    use crate::Model;
    use crate::hierarchy::Hierarchy;

    /// Allows this many pairs of nodes to be opened, and counts those asked for.
    struct Few {
        left: u32,
        asked: u32,
        /// Pairs that were not opened, and whether triangles below one are known.
        unopened: usize,
        next: Option<(u32, u32)>,
    }

    impl Few {
        fn step(&mut self) -> ControlFlow<()> {
            self.asked += 1;
            if self.left == 0 {
                return ControlFlow::Break(());
            }
            self.left -= 1;
            ControlFlow::Continue(())
        }
    }

    impl Counter for Few {
        fn volumes(&mut self, _: u64) {}
        fn primitives(&mut self, _: u64) {}
        fn moved(&mut self, _: u64) {}
        fn go_on(&mut self) -> ControlFlow<()> {
            self.step()
        }
        fn left(&mut self, pairs: usize, first: impl FnOnce() -> Option<(u32, u32)>) {
            self.next = self.next.or_else(first);
            self.unopened += pairs;
        }
    }

    /// One surface just inside another: many nodes are opened and no pair of triangles is for long.
    fn ends_when_told<H: Hierarchy>(model: &Model) {
        let tree = H::build(model, &H::Settings::default()).unwrap();
        let motion = Pose::from_translation([1e-3, 0.0, 0.0]);
        let asked = |left| {
            let mut few = Few { left, asked: 0, unopened: 0, next: None };
            H::candidates(
                (&tree, &Pose::IDENTITY),
                (&tree, &motion),
                &mut H::Scratch::default(),
                &mut few,
                |_, _| ControlFlow::Continue(()),
            );
            few
        };
        let all = asked(u32::MAX).asked;
        assert!(all > 200, "{}: {all}", H::NAME);
        let triangles = model.triangulation().len() as u32;
        for left in [0, 1, 10, 150] {
            let few = asked(left);
            assert_eq!(few.asked, left + 1, "{}: it went on after the break", H::NAME);
            // What is left when the first pair is opened is that pair.
            assert!(if left == 0 { few.unopened == 1 } else { few.unopened > 0 }, "{}", H::NAME);
            assert!(few.next.is_some_and(|(s, t)| s < triangles && t < triangles), "{}", H::NAME);
        }
    }

    /// The same of the parts of a search, and of cutting it.
    fn parts_tell_what_they_leave<H: Hierarchy>(model: &Model) {
        let tree = H::build(model, &H::Settings::default()).unwrap();
        let motion = Pose::from_translation([1e-3, 0.0, 0.0]);
        let (a, b) = ((&tree, &Pose::IDENTITY), (&tree, &motion));
        let (scratch, triangles) = (&mut H::Scratch::default(), model.triangulation().len() as u32);
        let cut = |few: &mut Few, scratch: &mut H::Scratch| {
            let mut parts = Vec::new();
            H::parts(a, b, 40, scratch, few, &mut parts);
            parts
        };
        let few = |left| Few { left, asked: 0, unopened: 0, next: None };
        let parts = cut(&mut few(u32::MAX), scratch);
        let mut known = 0;
        for part in &parts {
            let mut few = few(0);
            H::candidates_below(part, a, b, scratch, &mut few, |_, _| ControlFlow::Continue(()));
            // Parts are pairs of nodes, so that is what one leaves which is not begun.
            assert_eq!(few.unopened, 1, "{}", H::NAME);
            assert!(few.next.is_none_or(|(s, t)| s < triangles && t < triangles), "{}", H::NAME);
            known += usize::from(few.next.is_some());
        }
        // Leaves of a box-tree may be empty.
        assert!(2 * known > parts.len(), "{}: {known} of {}", H::NAME, parts.len());
        // A hierarchy that is not cut has one part.
        for left in [0, 1, 7].into_iter().filter(|_| parts.len() > 1) {
            let mut few = few(left);
            assert!(cut(&mut few, scratch).is_empty(), "{}", H::NAME);
            assert!(few.unopened > 0 && few.next.is_some(), "{} {left}", H::NAME);
        }
    }

    /// A hierarchy against itself: what is left before the first node are all nodes; later, some nodes and pairs.
    #[test]
    fn a_search_of_a_hierarchy_in_itself_tells_what_it_leaves() {
        let mesh = xcollide_scenes::shape("shape:sphere?faces=500").unwrap();
        let model = Model::from_mesh(mesh).unwrap();
        let tree = <WideTree as Hierarchy>::build(&model, &Default::default()).unwrap();
        let triangles = model.triangulation().len() as u32;
        let (mut left, mut before) = (0, usize::MAX);
        loop {
            let mut few = Few { left, asked: 0, unopened: 0, next: None };
            let scratch = &mut Traversal::new();
            let visit = |_: u32, _: u32| ControlFlow::Continue(());
            if self_candidates(&tree, scratch, &mut few, visit).is_continue() {
                break;
            }
            assert!(
                few.unopened > 0 && few.next.is_some_and(|(s, t)| s < triangles && t < triangles)
            );
            assert!(left > 0 || few.unopened == tree.node_count());
            // Opening a pair adds eight at most.
            assert!(few.unopened <= before.saturating_add(64));
            (left, before) = (left + 1, few.unopened);
        }
        assert!(left > 200 && before == 1, "{left} {before}");
    }

    #[test]
    fn every_hierarchy_asks_at_every_pair_of_nodes_and_ends_when_told() {
        let model = Model::from_mesh(xcollide_scenes::shape("shape:sphere?faces=500").unwrap());
        let model = model.unwrap();
        ends_when_told::<WideTree>(&model);
        parts_tell_what_they_leave::<WideTree>(&model);
        ends_when_told::<Bvh<Obb>>(&model);
        parts_tell_what_they_leave::<Bvh<Obb>>(&model);
        ends_when_told::<Bvh<Aabb>>(&model);
        parts_tell_what_they_leave::<Bvh<Aabb>>(&model);
        ends_when_told::<Bvh<KDop<18>>>(&model);
        parts_tell_what_they_leave::<Bvh<KDop<18>>>(&model);
        ends_when_told::<Bvh<Sphere>>(&model);
        parts_tell_what_they_leave::<Bvh<Sphere>>(&model);
        ends_when_told::<BoxTree>(&model);
        parts_tell_what_they_leave::<BoxTree>(&model);
        ends_when_told::<IntervalTree>(&model);
        parts_tell_what_they_leave::<IntervalTree>(&model);
        ends_when_told::<SphereOctree>(&model);
        parts_tell_what_they_leave::<SphereOctree>(&model);
    }
}

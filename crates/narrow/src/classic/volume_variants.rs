//! Binary trees with other choices than the defaults: tests of boxes on more lines, k-DOPs of
//! other k, other rules for which node to open. To be compared; the answers are the same.
//!
//! Sources: lines, van den Bergen 1997 (SOLID); k-DOPs, Klosowski and others 1998 (`QuickCD`),
//! who recommend 18; rules, Daneu 2002, 3.4.1, and the lecture slides.

use xcollide_bounds::{Aabb, KDop, Motion, Obb};
use xcollide_bvh::binary::{AabbTest, AabbTraversal, Builder, Bvh, PairTraversal};
use xcollide_bvh::wide::Visit;
use xcollide_bvh::{Candidates, DescentRule};

use crate::hierarchy::Hierarchy;
use crate::hierarchy::kinds::TreeVolume;
use crate::hierarchy::tree_builder::TreeBuilder;
use crate::mesh::bvh_pair::BvhPair;
use crate::{Model, NarrowPhase};
use xcollide_bvh::Counter;

/// Two binary trees of 6-DOPs: axis-aligned boxes, tested as k-DOPs.
pub type KDop6Tree = BvhPair<Bvh<KDop<6>>>;

/// Two binary trees of 14-DOPs.
pub type KDop14Tree = BvhPair<Bvh<KDop<14>>>;

/// Two binary trees of 26-DOPs.
pub type KDop26Tree = BvhPair<Bvh<KDop<26>>>;

impl TreeVolume for KDop<6> {
    const TREE_NAME: &'static str = "kdop-tree-6";
}

impl TreeVolume for KDop<14> {
    const TREE_NAME: &'static str = "kdop-tree-14";
}

impl TreeVolume for KDop<26> {
    const TREE_NAME: &'static str = "kdop-tree-26";
}

/// A tree that is descended in another way than its kind is by default.
macro_rules! descended {
    ($($(#[$doc:meta])* $algorithm:ident, $tree:ident: $volume:ty, $name:literal,
        $pairing:ident $(.$option:ident($value:expr))*;)*) => {$(
        $(#[$doc])*
        pub type $algorithm = BvhPair<$tree>;

        /// The tree of the algorithm of like name.
        #[derive(Clone, Debug)]
        pub struct $tree(Bvh<$volume>);

        impl Hierarchy for $tree {
            const NAME: &'static str = $name;
            const KIND: &'static str = Bvh::<$volume>::KIND;
            type Settings = Builder;
            type Scratch = ();

            fn settings(builder: &TreeBuilder) -> Option<Builder> {
                <Bvh<$volume> as Hierarchy>::settings(builder)
            }

            fn build(model: &Model, builder: &Builder) -> Option<Self> {
                <Bvh<$volume> as Hierarchy>::build(model, builder).map(Self)
            }

            fn refitted(&self, moved: &Model) -> Option<Self> {
                Hierarchy::refitted(&self.0, moved).map(Self)
            }

            fn memory(&self) -> usize {
                self.0.memory()
            }

            fn candidates(
                a: (&Self, &Motion),
                b: (&Self, &Motion),
                _: &mut (),
                work: &mut impl Counter,
                mut visit: impl Visit,
            ) {
                let mut pairing = $pairing::new((&a.0.0, a.1), (&b.0.0, b.1))
                    $(.$option($value))*.counting(work);
                // Who broke off knows it.
                let _ = pairing.candidates(|s, t| visit.pair(s, t));
            }

            fn along(
                (tree, motion): (&Self, &Motion),
                segment: [[f64; 3]; 2],
                scratch: &mut (),
                found: impl FnMut(u32),
            ) -> bool {
                Hierarchy::along((&tree.0, motion), segment, scratch, found)
            }
        }
    )*};
}

descended! {
    /// Two trees of axis-aligned boxes, tested on the axes of both trees.
    AabbTreeSixAxes, SixAxes: Aabb, "aabb-tree-6", AabbTraversal.test(AabbTest::Six);

    /// Two trees of axis-aligned boxes, tested on all fifteen lines on which boxes can be apart.
    AabbTreeFifteenLines, FifteenLines: Aabb, "aabb-tree-15",
        AabbTraversal.test(AabbTest::Fifteen);

    /// Two trees of axis-aligned boxes, opened by turns.
    AabbTreeAlternate, AlternateAabb: Aabb, "aabb-tree-alternate", PairTraversal.rule(DescentRule::Alternate);

    /// Two trees of axis-aligned boxes, both opened at once.
    AabbTreeBoth, BothAabb: Aabb, "aabb-tree-both", PairTraversal.rule(DescentRule::Both);

    /// Two trees of oriented boxes, opened by turns.
    ObbTreeAlternate, AlternateObb: Obb, "obb-tree-alternate", PairTraversal.rule(DescentRule::Alternate);

    /// Two trees of oriented boxes, both opened at once.
    ObbTreeBoth, BothObb: Obb, "obb-tree-both", PairTraversal.rule(DescentRule::Both);

    /// Two trees of 18-DOPs, opened by turns.
    KDopTreeAlternate, AlternateKDop: KDop<18>, "kdop-tree-alternate",
        PairTraversal.rule(DescentRule::Alternate);

    /// Two trees of 18-DOPs, both opened at once.
    KDopTreeBoth, BothKDop: KDop<18>, "kdop-tree-both", PairTraversal.rule(DescentRule::Both);
}

/// All of these, and the binary trees with the defaults beside them: what there is to choose.
///
/// ```
/// use xcollide_narrow::classic::volume_choices;
///
/// let names: Vec<&str> = volume_choices().iter().map(|algorithm| algorithm.name()).collect();
/// assert!(names.contains(&"aabb-tree") && names.contains(&"aabb-tree-15"));
/// ```
#[must_use]
pub fn volume_choices() -> Vec<Box<dyn NarrowPhase>> {
    vec![
        Box::new(crate::mesh::AabbTree::new()),
        Box::new(AabbTreeSixAxes::new()),
        Box::new(AabbTreeFifteenLines::new()),
        Box::new(AabbTreeAlternate::new()),
        Box::new(AabbTreeBoth::new()),
        Box::new(KDop6Tree::new()),
        Box::new(KDop14Tree::new()),
        Box::new(crate::mesh::KDopTree::new()),
        Box::new(KDop26Tree::new()),
        Box::new(KDopTreeAlternate::new()),
        Box::new(KDopTreeBoth::new()),
        Box::new(crate::mesh::ObbTree::new()),
        Box::new(ObbTreeAlternate::new()),
        Box::new(ObbTreeBoth::new()),
        Box::new(crate::mesh::SphereTree::new()),
    ]
}

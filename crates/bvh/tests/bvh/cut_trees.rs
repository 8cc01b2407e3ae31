//! Trees of cut-planes (box-trees and restricted box-trees) and sphere trees from octrees find exactly the pairs that brute force finds.
#![allow(clippy::unwrap_used)]

use crate::box_tree_soups;

use std::fmt::Debug;
use std::ops::ControlFlow;

use box_tree_soups::{Random, Scene, Triangle, cube, edges_of, map, rotation, soup};
use xcollide_bvh::classic::box_tree::{
    BoxTest, BoxTree, BoxTreeOptions, BoxTreeTraversal, CutSearch,
};
use xcollide_bvh::classic::interval_tree::{IntervalSplit, IntervalTree, IntervalTreeTraversal};
use xcollide_bvh::classic::sphere_octree::{
    SphereOctree, SphereOctreeOptions, SphereOctreeTraversal,
};
use xcollide_bvh::levels::{Level, Levels};
use xcollide_bvh::{BuildError, Candidates, Counts, DescentRule};
use xcollide_fixtures::long_run;
use xcollide_math::Pose;

const TESTS: [BoxTest; 2] = [BoxTest::LineTables, BoxTest::Realigned];
const SPLITS: [IntervalSplit; 2] = [IntervalSplit::Median, IntervalSplit::Surface];

type Pair<'p> = &'p mut dyn FnMut(u32, u32) -> ControlFlow<()>;

/// A kind of tree that can be refitted.
trait Refit: Tree {
    fn refit(&mut self, triangles: &[Triangle]) -> Result<(), BuildError>;
}

impl Refit for BoxTree {
    fn refit(&mut self, triangles: &[Triangle]) -> Result<(), BuildError> {
        self.refit(triangles, &edges_of(triangles))
    }
}

impl Refit for IntervalTree {
    fn refit(&mut self, triangles: &[Triangle]) -> Result<(), BuildError> {
        self.refit(triangles)
    }
}

/// A kind of tree under test.
trait Tree: Clone + PartialEq + Debug {
    type Options: Debug;
    /// The variants of a traversal.
    const VARIANTS: usize;
    fn options(random: &mut Random) -> Self::Options;
    fn build(triangles: &[Triangle], options: &Self::Options) -> Result<Self, BuildError>;
    fn candidates(variant: usize, trees: [(&Self, &Pose); 2], pair: Pair<'_>) -> ControlFlow<()>;
}

impl Tree for BoxTree {
    type Options = BoxTreeOptions;
    const VARIANTS: usize = 2;

    fn options(random: &mut Random) -> BoxTreeOptions {
        let bisection = CutSearch::Bisection { iterations: 10, enough: 0.5 };
        BoxTreeOptions {
            search: [CutSearch::Sweep, bisection][random.below(2)],
            empty_share: [0.0, 0.3, 1.0][random.below(3)],
            min_triangles: [1, 2, 8][random.below(3)],
            thickness: [0.0, 1e-10, 1e-3][random.below(3)],
            crossing_weight: [0.0, 1.0, 3.0][random.below(3)],
            max_copies: [1.0, 3.0, 100.0][random.below(3)],
            ..BoxTreeOptions::default()
        }
    }

    fn build(triangles: &[Triangle], options: &BoxTreeOptions) -> Result<Self, BuildError> {
        Self::new(triangles, &edges_of(triangles), options)
    }

    fn candidates(variant: usize, [a, b]: [(&Self, &Pose); 2], pair: Pair<'_>) -> ControlFlow<()> {
        BoxTreeTraversal::new(a, b).test(TESTS[variant]).candidates(pair)
    }
}

impl Tree for IntervalTree {
    type Options = (IntervalSplit, u32);
    const VARIANTS: usize = 1;

    fn options(random: &mut Random) -> (IntervalSplit, u32) {
        (SPLITS[random.below(2)], [1, 2, 5][random.below(3)])
    }

    fn build(triangles: &[Triangle], options: &(IntervalSplit, u32)) -> Result<Self, BuildError> {
        Self::new(triangles, options.0, options.1)
    }

    fn candidates(_: usize, [a, b]: [(&Self, &Pose); 2], pair: Pair<'_>) -> ControlFlow<()> {
        IntervalTreeTraversal::new(a, b).candidates(pair)
    }
}

impl Tree for SphereOctree {
    type Options = SphereOctreeOptions;
    const VARIANTS: usize = 1;

    fn options(random: &mut Random) -> SphereOctreeOptions {
        let max_depth = [0, 3, 10, 30][random.below(4)];
        SphereOctreeOptions { max_depth, leaf_size: [0, 1, 4, 20][random.below(4)] }
    }

    fn build(triangles: &[Triangle], options: &SphereOctreeOptions) -> Result<Self, BuildError> {
        Self::new(triangles, options)
    }

    fn candidates(_: usize, [a, b]: [(&Self, &Pose); 2], pair: Pair<'_>) -> ControlFlow<()> {
        SphereOctreeTraversal::new(a, b).candidates(pair)
    }
}

/// A traversal in one of its variants.
struct Search<'a, T>(usize, [(&'a T, &'a Pose); 2]);

impl<T: Tree> Candidates for Search<'_, T> {
    fn candidates(&mut self, mut pair: impl FnMut(u32, u32) -> ControlFlow<()>) -> ControlFlow<()> {
        T::candidates(self.0, self.1, &mut pair)
    }
}

fn searches<'a, T: Tree>(
    a: (&'a T, &'a Pose),
    b: (&'a T, &'a Pose),
) -> impl Iterator<Item = Search<'a, T>> {
    (0..T::VARIANTS).map(move |variant| Search(variant, [a, b]))
}

/// Runs scenes; returns how many of them had hits, and how many had none.
fn compare<T: Tree>(seed: u64, rounds: usize, count: usize) -> Result<[usize; 2], BuildError> {
    let mut random = Random::new(seed);
    let mut scenes = [0; 2];
    for round in 0..rounds {
        let scene = Scene::random(&mut random, count);
        let options = T::options(&mut random);
        let (a, b) = (T::build(&scene.a, &options)?, T::build(&scene.b, &options)?);
        let expected = scene.brute_force();
        scenes[usize::from(expected.is_empty())] += 1;
        for mut search in searches((&a, &scene.motion_a), (&b, &scene.motion_b)) {
            let context = format!("seed {seed}, round {round}, {}, {options:?}", search.0);
            assert_eq!(search.all(|i, j| scene.collide(i, j)), expected, "{context}");
            let first = search.first(|i, j| scene.collide(i, j));
            assert_eq!(first.is_some(), !expected.is_empty(), "{context}");
            assert!(first.is_none_or(|pair| expected.contains(&pair)), "{context}");
            // No pair is handed over twice, not even copies of triangles that cross cuts.
            let mut asked = search.all(|_, _| true);
            let count = asked.len();
            asked.dedup();
            assert_eq!(asked.len(), count, "{context}");
        }
    }
    Ok(scenes)
}

fn hits_are_those_of_brute_force<T: Tree>() -> Result<(), BuildError> {
    compare::<T>(2, 12, 150)?;
    let [hits, misses] = compare::<T>(1, 150, 30)?;
    assert!(hits > 30 && misses > 10, "{hits} hits, {misses} misses");
    Ok(())
}

fn rounding_far_from_the_origin_is_covered<T: Tree>() -> Result<(), BuildError> {
    let mut random = Random::new(17);
    let mut closed = 0;
    for _ in 0..300 {
        let scene = Scene::far(&mut random);
        let options = T::options(&mut random);
        let (a, b) = (T::build(&scene.a, &options)?, T::build(&scene.b, &options)?);
        let expected = scene.brute_force();
        closed += usize::from(!expected.is_empty());
        for mut search in searches((&a, &scene.motion_a), (&b, &scene.motion_b)) {
            assert_eq!(search.all(|i, j| scene.collide(i, j)), expected);
        }
    }
    assert!(closed > 50 && closed < 290, "{closed}");
    Ok(())
}

fn a_refitted_tree_finds_what_a_new_one_finds<T: Refit>() -> Result<(), BuildError> {
    let mut random = Random::new(3);
    let mut hits = 0;
    for _ in 0..70 {
        let mut scene = Scene::random(&mut random, 30);
        let options = T::options(&mut random);
        let (mut a, b) = (T::build(&scene.a, &options)?, T::build(&scene.b, &options)?);
        let before = a.clone();
        a.refit(&scene.a)?;
        assert_eq!(a, before, "nothing has moved");
        let expected = BuildError::Count { found: 0, expected: scene.a.len() };
        assert_eq!(a.refit(&[]), Err(expected));
        let scale = scene.b[0][0][0].abs();
        for triangle in &mut scene.a {
            let offset = random.point(0.3 * scale);
            *triangle = triangle.map(|p| [0, 1, 2].map(|k| 0.9 * p[k] + offset[k]));
        }
        a.refit(&scene.a)?;
        let expected = scene.brute_force();
        hits += usize::from(!expected.is_empty());
        for mut search in searches((&a, &scene.motion_a), (&b, &scene.motion_b)) {
            assert_eq!(search.all(|i, j| scene.collide(i, j)), expected);
        }
    }
    assert!(hits > 10);
    Ok(())
}

fn nothing_and_wrong_input<T: Tree>() -> Result<(), BuildError> {
    let id = Pose::IDENTITY;
    let options = T::options(&mut Random::new(1));
    let none = T::build(&[], &options)?;
    let copies = T::build(&[[[0.5; 3]; 3]; 9], &options)?;
    for mut search in searches((&none, &id), (&copies, &id)) {
        assert_eq!(search.first(|_, _| true), None);
    }
    for mut search in searches((&none, &id), (&none, &id)) {
        assert_eq!(search.first(|_, _| true), None);
    }
    for mut search in searches((&copies, &id), (&copies, &id)) {
        assert_eq!(search.count(|_, _| true), 81, "copies of a point meet");
    }
    for wrong in [f64::NAN, f64::INFINITY] {
        let mut triangle = [[0.0; 3]; 3];
        triangle[1][2] = wrong;
        let refused = BuildError::NonFinite { primitive: 1 };
        assert_eq!(T::build(&[[[0.0; 3]; 3], triangle], &options), Err(refused));
    }
    Ok(())
}

/// At the end of the range of f64 boxes promise nothing, and all pairs are handed over.
fn huge_coordinates_lose_no_pair<T: Tree>() -> Result<(), BuildError> {
    let (mut random, id) = (Random::new(4), Pose::IDENTITY);
    for scale in [1e307, 1e90] {
        let huge = map(&cube(2), |x| x * scale);
        for _ in 0..4 {
            let tree = T::build(&huge, &T::options(&mut random))?;
            for mut search in searches((&tree, &id), (&tree, &id)) {
                assert_eq!(search.all(|i, j| i == j).len(), huge.len());
            }
        }
    }
    Ok(())
}

macro_rules! for_each_tree {
    ($($law:ident),*) => {
        for_each_tree!(box_tree, BoxTree; $($law,)* a_refitted_tree_finds_what_a_new_one_finds);
        for_each_tree!(
            interval_tree, IntervalTree; $($law,)* a_refitted_tree_finds_what_a_new_one_finds
        );
        for_each_tree!(sphere_octree, SphereOctree; $($law),*);
    };
    ($name:ident, $tree:ty; $($law:ident),*) => {
        mod $name {
            use super::*;
            $(
                #[test]
                fn $law() -> Result<(), BuildError> {
                    super::$law::<$tree>()
                }
            )*

            #[test]
            fn hits_are_those_of_brute_force_soak() -> Result<(), BuildError> {
                let run = long_run(100, 10_000);
                compare::<$tree>(100 + run.seed, run.cases as usize, 40).map(|_| ())
            }
        }
    };
}

for_each_tree!(
    hits_are_those_of_brute_force,
    rounding_far_from_the_origin_is_covered,
    nothing_and_wrong_input,
    huge_coordinates_lose_no_pair
);

#[test]
fn edges_and_triangles_are_those_of_brute_force() -> Result<(), BuildError> {
    let mut random = Random::new(6);
    let mut hits = 0;
    for round in 0..60 {
        let scene = Scene::random(&mut random, 30);
        let options = BoxTree::options(&mut random);
        let (a, b) = (BoxTree::build(&scene.a, &options)?, BoxTree::build(&scene.b, &options)?);
        let expected = scene.brute_force_edge_face();
        hits += expected.len();
        let rules = [DescentRule::LargerFirst, DescentRule::Alternate, DescentRule::Both];
        let variants = TESTS.into_iter().flat_map(|test| rules.map(|rule| (test, rule)));
        for (test, rule) in variants {
            let mut found = Vec::new();
            let _ = BoxTreeTraversal::new((&a, &scene.motion_a), (&b, &scene.motion_b))
                .test(test)
                .rule(rule)
                .phases_apart(rule == DescentRule::Both)
                .edge_face_candidates(|pair| {
                    found.extend(scene.edge_face_collide(pair).then_some(pair));
                    ControlFlow::Continue(())
                });
            found.sort_unstable();
            assert_eq!(found, expected, "round {round}, {test:?}, {rule:?}, {options:?}");
        }
    }
    assert!(hits > 100, "{hits}");
    Ok(())
}

/// The tests may not get away with handing over everything.
#[test]
fn far_fewer_pairs_are_handed_over_than_there_are() -> Result<(), BuildError> {
    let sheet = cube(12);
    let tree = BoxTree::new(&sheet, &edges_of(&sheet), &BoxTreeOptions::default())?;
    assert!(copies(&tree, sheet.len()) < 1.5);
    let gap = Pose::from_translation([2.0 + 1e-6, 0.3, 0.1]);
    let (sine, cosine) = (0.6, 0.8);
    let tilted = Pose::from_matrix(
        [[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]],
        [1.0 + cosine + sine + 0.001, 0.0, 0.2],
    )
    .unwrap();
    for (motion, most) in [(gap, 0), (tilted, 300)] {
        for test in TESTS {
            let mut counts = Counts::default();
            let found = BoxTreeTraversal::new((&tree, &Pose::IDENTITY), (&tree, &motion))
                .test(test)
                .counting(&mut counts)
                .all(|_, _| true);
            assert!(found.len() <= most, "{test:?}: {} candidates", found.len());
            assert!(counts.volumes < 4000, "{test:?}: {counts:?}");
        }
    }
    Ok(())
}

#[test]
fn each_triangle_comes_once_and_few_pairs_come_at_all() -> Result<(), BuildError> {
    let sheet = cube(12);
    for split in SPLITS {
        let tree = IntervalTree::new(&sheet, split, 1)?;
        let itself = IntervalTreeTraversal::new((&tree, &Pose::IDENTITY), (&tree, &Pose::IDENTITY))
            .all(|i, j| i == j);
        assert_eq!(itself.len(), sheet.len());
        assert!(tree.bytes() <= 36 * sheet.len(), "{}", tree.bytes());
        let gap = Pose::from_translation([2.0 + 1e-5, 0.3, 0.1]);
        let tilted = Pose::from_matrix(
            [[0.8, -0.6, 0.0], [0.6, 0.8, 0.0], [0.0, 0.0, 1.0]],
            [1.0 + 1.4 + 0.001, 0.0, 0.2],
        )
        .unwrap();
        for (motion, most) in [(gap, 0), (tilted, 400)] {
            let mut counts = Counts::default();
            IntervalTreeTraversal::new((&tree, &Pose::IDENTITY), (&tree, &motion))
                .counting(&mut counts)
                .all(|_, _| true);
            assert!(counts.primitives <= most, "{split:?}: {counts:?}");
            assert!(counts.volumes < 5000, "{split:?}: {counts:?}");
        }
    }
    Ok(())
}

/// The line tables decide as a separating axis test over fifteen axes would; six axes hand over
/// more.
#[test]
fn line_tables_reject_what_six_axes_cannot() -> Result<(), BuildError> {
    let mut random = Random::new(7);
    let mut fewer = 0;
    let mut totals = [0; 2];
    for _ in 0..200 {
        let [a, b] = [0; 2].map(|_| soup(&mut random, 30));
        let fine =
            BoxTreeOptions { min_triangles: 2, max_copies: 3.0, ..BoxTreeOptions::default() };
        let a = BoxTree::new(&a, &[], &fine)?;
        let b = BoxTree::new(&b, &[], &fine)?;
        let motion = Pose::from_matrix(rotation(&mut random), random.point(1.5)).unwrap();
        let counts = TESTS.map(|test| {
            let mut counts = Counts::default();
            let _ = BoxTreeTraversal::new((&a, &Pose::IDENTITY), (&b, &motion))
                .test(test)
                .counting(&mut counts)
                .candidates(|_, _| ControlFlow::Continue(()));
            counts.volumes
        });
        assert!(counts[0] <= counts[1]);
        fewer += usize::from(counts[0] < counts[1]);
        totals = [totals[0] + counts[0], totals[1] + counts[1]];
    }
    assert!(fewer > 20, "{fewer}, {totals:?}");
    Ok(())
}

/// Entries of triangles in leaves for each triangle.
fn copies(tree: &BoxTree, triangles: usize) -> f64 {
    let entries: usize = tree.volumes(Level::Leaves).map(|leaf| leaf.primitives.len()).sum();
    entries as f64 / triangles as f64
}

/// Trees of the thesis have no empty leaf; the defaults cut off empty space first.
#[test]
fn leaves_are_empty_only_where_empty_space_is_cut_off() -> Result<(), BuildError> {
    let mut random = Random::new(9);
    for _ in 0..20 {
        let far = map(&soup(&mut random, 60), |x| x + 100.0);
        let triangles = [soup(&mut random, 60), far].concat();
        let leaves = |options: BoxTreeOptions| -> Result<[usize; 2], BuildError> {
            let options = BoxTreeOptions { min_triangles: 2, ..options };
            let tree = BoxTree::new(&triangles, &edges_of(&triangles), &options)?;
            let is_empty = tree.volumes(Level::Leaves).map(|leaf| leaf.primitives.is_empty());
            let is_empty: Vec<bool> = is_empty.collect();
            Ok([is_empty.len(), is_empty.iter().filter(|&&is_empty| is_empty).count()])
        };
        let [all, none] = leaves(BoxTreeOptions::OF_1994)?;
        let [_, some] = leaves(BoxTreeOptions::default())?;
        assert!(all > 1 && none == 0 && some > 0, "{all}, {none}, {some}");
    }
    Ok(())
}

#[test]
fn copies_stay_within_their_bound() -> Result<(), BuildError> {
    let mut random = Random::new(5);
    for max_copies in [1.0, 1.5, 4.0] {
        // Long slivers cross every cut.
        let slivers: Vec<_> = (0..300).map(|_| [0; 3].map(|_| random.point(1.0))).collect();
        let options = BoxTreeOptions { max_copies, max_share: 1.0, ..BoxTreeOptions::default() };
        let tree = BoxTree::new(&slivers, &[], &options)?;
        let found = copies(&tree, slivers.len());
        assert!(found <= max_copies + 1e-9, "{found}");
        let limit = BoxTreeOptions::DEPTH_LIMIT as usize;
        assert!(tree.volumes(Level::Leaves).all(|leaf| leaf.level <= limit));
    }
    Ok(())
}

/// Large enough for several tasks.
#[cfg(feature = "parallel")]
#[test]
fn any_number_of_threads_makes_the_same_trees()
-> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let mut random = Random::new(31);
    // Small ones, or most would lie in both halves of every cut.
    let near =
        |a: [f64; 3], b: [f64; 3]| [0, 1, 2].map(|axis| a[axis] + 0.01 * (b[axis] - a[axis]));
    let mut small = || {
        let mut soup = soup(&mut random, 9000);
        for [a, b, c] in &mut soup {
            (*b, *c) = (near(*a, *b), near(*a, *c));
        }
        soup
    };
    let (triangles, moved) = (small(), small());
    let (edges, moved_edges) = (edges_of(&triangles), edges_of(&moved));
    let mut made = Vec::new();
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        made.push(pool.install(|| {
            let tree = BoxTree::new(&triangles, &edges, &BoxTreeOptions::default())?;
            let mut refitted = tree.clone();
            refitted.refit(&moved, &moved_edges)?;
            let surface = IntervalTree::new(&triangles, IntervalSplit::Surface, 1)?;
            let median = IntervalTree::new(&triangles, IntervalSplit::Median, 2)?;
            Ok::<_, BuildError>((tree, refitted, surface, median))
        })?);
    }
    assert!(made.iter().all(|trees| *trees == made[0]));
    let largest = made[0].0.volumes(Level::Leaves).map(|leaf| leaf.primitives.len()).max();
    assert!(largest < Some(2000), "there were several tasks: {largest:?}");
    Ok(())
}

/// Segments in the world meet only triangles that are named, and not all are.
#[test]
fn a_sphere_octree_names_the_triangles_along_a_segment() -> Result<(), BuildError> {
    let mut random = Random::new(12);
    let (mut met, mut named, mut all) = (0, 0, 0);
    for _ in 0..200 {
        let scene = Scene::random(&mut random, 60);
        let tree = SphereOctree::build(&scene.a, &SphereOctree::options(&mut random))?;
        let triangle = scene.world_a(random.below(scene.a.len()) as u32);
        let start = scene.world_b(random.below(scene.b.len()) as u32)[0];
        // To the middle of a side, and beyond.
        let end = [0, 1, 2].map(|k| 1.5 * (triangle[0][k] + triangle[1][k]) * 0.5 - 0.5 * start[k]);
        let mut found = Vec::new();
        let _ = tree.segment_query(&scene.motion_a, [start, end], |triangle| {
            found.push(triangle);
            ControlFlow::Continue(())
        });
        found.sort_unstable();
        found.dedup();
        for number in 0..scene.a.len() as u32 {
            if xcollide_predicates::segment_intersects_triangle(
                &[start, end],
                &scene.world_a(number),
            ) {
                assert!(found.binary_search(&number).is_ok());
                met += 1;
            }
        }
        (named, all) = (named + found.len(), all + scene.a.len());
    }
    assert!(met > 100 && 10 * named < 9 * all, "{met} {named} {all}");
    Ok(())
}

//! What a tree promises about itself: containment, shape, refit, one result for any number of
//! threads.

#![allow(clippy::unwrap_used, reason = "a test that cannot build its trees should panic")]

use crate::support;

use std::ops::ControlFlow;

use support::{SPLITS, Triangle, anywhere, ball, lattice, scaled, soup, world};
use xcollide_bounds::{Aabb, BoundingVolume, KDop, Obb, Sphere};
use xcollide_bvh::binary::{Builder, Bvh, Content, Fit, NodeId, PairTraversal, Split};
use xcollide_bvh::{BuildError, Candidates};
use xcollide_math::Pose;
use xcollide_scenes::Random;

/// Walks the tree from the root, without its own helpers: each primitive in one leaf, each volume
/// around its corners. Returns depth and number of nodes.
fn check<V: BoundingVolume, const K: usize>(
    tree: &Bvh<V>,
    primitives: &[[[f64; 3]; K]],
) -> (usize, usize) {
    fn walk<V: BoundingVolume>(
        tree: &Bvh<V>,
        node: NodeId,
        nodes: &mut usize,
    ) -> (usize, Vec<u32>) {
        *nodes += 1;
        match tree.content(node) {
            Content::Leaf(primitives) => {
                assert!(!primitives.is_empty());
                (1, primitives.to_vec())
            }
            Content::Inner(children) => {
                let [(left, mut of_left), (right, of_right)] =
                    children.map(|child| walk(tree, child, nodes));
                of_left.extend(of_right);
                (1 + left.max(right), of_left)
            }
        }
    }
    let Some(root) = tree.root() else {
        assert!(primitives.is_empty());
        return (0, 0);
    };
    let mut count = 0;
    let (depth, mut below) = walk(tree, root, &mut count);
    assert_eq!(below, tree.order(), "the order is that of the leaves");
    below.sort_unstable();
    assert!(below.iter().copied().eq(0..primitives.len() as u32), "not each primitive once");
    // Volumes promise nothing beyond 1e100.
    let promised = if tree.reach() < 1e100 { tree.nodes().len() } else { 0 };
    for node in tree.nodes().take(promised) {
        for &primitive in &walk(tree, node, &mut 0).1 {
            for corner in primitives[primitive as usize] {
                assert!(
                    tree.volume(node).contains(corner),
                    "{:?} lost {corner:?}",
                    tree.volume(node)
                );
            }
        }
    }
    assert!(depth <= Bvh::<V>::MAX_DEPTH);
    assert_eq!(tree.nodes().len(), count);
    (depth, count)
}

fn meshes() -> Vec<Vec<Triangle>> {
    let mut random = Random::new(1);
    let near = soup(60, 0.4, &mut random);
    vec![
        Vec::new(),
        near[..1].to_vec(),
        near[..2].to_vec(),
        scaled(&near, 1e-9),
        scaled(&near, 1e9),
        scaled(&near, 1e150),
        scaled(&near, 1e-310),
        world(&near, &anywhere(1e6, &mut random)),
        near,
        lattice(80, &mut random),
        ball(6, 8),
        vec![[[0.5; 3]; 3]; 33],
        // A row of points, their distances from a plane all the same.
        (0..20).map(|i| [[f64::from(i), 0.25, 0.25]; 3]).collect(),
        // Spaced geometrically: every rule by place would cut off one at a time.
        (0..300).map(|i| [[f64::from(2).powi(i - 150), 0.0, 0.0]; 3]).collect(),
    ]
}

#[test]
fn every_node_holds_the_primitives_below_it() {
    fn all<V: BoundingVolume>() {
        for mesh in meshes() {
            for (index, split) in SPLITS.into_iter().enumerate() {
                for fit in [Fit::Tight, Fit::Merged] {
                    let leaf = 1 + index as u32;
                    let tree: Bvh<V> =
                        Builder::new(split).fit(fit).leaf_size(leaf).build(&mesh).unwrap();
                    let (depth, nodes) = check(&tree, &mesh);
                    assert!(depth <= Bvh::<V>::MAX_DEPTH);
                    assert!(nodes <= 2 * mesh.len());
                    for node in tree.nodes() {
                        if let Content::Leaf(primitives) = tree.content(node) {
                            assert!(primitives.len() <= leaf as usize);
                        }
                    }
                }
            }
        }
    }
    all::<Aabb>();
    all::<Obb>();
    all::<Sphere>();
    all::<KDop<6>>();
    all::<KDop<14>>();
    all::<KDop<18>>();
    all::<KDop<26>>();
}

/// Trees over points and segments, as Zachmann's edges need.
#[test]
fn points_and_segments_are_primitives_too() {
    let mesh = soup(40, 0.4, &mut Random::new(2));
    let points: Vec<[[f64; 3]; 1]> = mesh.iter().map(|t| [t[0]]).collect();
    let segments: Vec<[[f64; 3]; 2]> = mesh.iter().map(|t| [t[0], t[1]]).collect();
    for split in SPLITS {
        check(&Builder::new(split).build::<Sphere, 1>(&points).unwrap(), &points);
        check(&Builder::new(split).build::<Obb, 2>(&segments).unwrap(), &segments);
    }
}

#[test]
fn the_median_is_balanced() {
    let mesh = soup(1000, 0.1, &mut Random::new(3));
    let tree: Bvh<Aabb> = Builder::new(Split::Median).build(&mesh).unwrap();
    assert_eq!(check(&tree, &mesh).0, 11);
    let leaves_of_four: Bvh<Aabb> = Builder::new(Split::Median).leaf_size(4).build(&mesh).unwrap();
    assert_eq!(leaves_of_four.nodes().len(), 511);
    assert!(leaves_of_four.bytes() < tree.bytes() / 3);
}

/// The rule that minimises the expected cost (Goldsmith and Salmon 1987) does better than one that does not.
#[test]
fn the_surface_area_rule_lowers_its_cost() {
    let mesh = ball(30, 40);
    let cost = |split| {
        let tree: Bvh<Aabb> = Builder::new(split).build(&mesh).unwrap();
        let (mut by_surface, mut root) = (0.0, None);
        for node in tree.nodes() {
            let volume = tree.volume(node);
            let tests = match tree.content(node) {
                Content::Leaf(primitives) => 3.0 * primitives.len() as f64,
                Content::Inner(_) => 2.0,
            };
            by_surface += tests * volume.surface() / *root.get_or_insert(volume.surface());
        }
        by_surface
    };
    let (median, surface) = (cost(Split::Median), cost(Split::default()));
    assert!(surface < median, "{surface} is not below {median}");
}

/// A small and a large cluster on a diagonal: the least total volume is that of the two clusters,
/// wherever mean and median are.
#[test]
fn total_volume_cuts_where_nothing_is() {
    let mut random = Random::new(4);
    let small = soup(20, 0.3, &mut random);
    let large = soup(80, 0.3, &mut random);
    let away = Pose::from_translation([2.5, 2.4, -2.3]);
    let both = [world(&large, &away), small].concat();
    let tree: Bvh<Obb> = Builder::new(Split::TotalVolume).build(&both).unwrap();
    let Some(Content::Inner(children)) = tree.root().map(|root| tree.content(root)) else {
        panic!("the tree is not split");
    };
    let mut found = children.map(|child| {
        let mut primitives = Vec::new();
        let mut open = vec![child];
        while let Some(node) = open.pop() {
            match tree.content(node) {
                Content::Leaf(leaf) => primitives.extend_from_slice(leaf),
                Content::Inner(below) => open.extend(below),
            }
        }
        primitives.sort_unstable();
        primitives
    });
    found.sort();
    assert_eq!(found, [(0..80).collect::<Vec<u32>>(), (80..100).collect()]);
}

/// After vertices moved, volumes hold the new primitives, and answers are those of a new tree.
#[test]
fn a_refit_tree_holds_the_moved_primitives() {
    fn all<V: BoundingVolume + PartialEq>() {
        let mut random = Random::new(6);
        for split in SPLITS {
            let mesh = soup(50, 0.4, &mut random);
            let moved: Vec<Triangle> = mesh
                .iter()
                .map(|t| t.map(|p| p.map(|x| 3.0 * x + random.between(-0.2, 0.2))))
                .collect();
            for fit in [Fit::Tight, Fit::Merged] {
                let mut tree: Bvh<V> =
                    Builder::new(split).leaf_size(2).fit(fit).build(&mesh).unwrap();
                let built = tree.clone();
                assert_eq!(tree.refit(&mesh, fit), Ok(tree.nodes().len()));
                assert!(tree == built, "a refit to the same primitives changes nothing");
                tree.refit(&moved, fit).unwrap();
                check(&tree, &moved);
                assert_eq!(tree.order(), built.order());
                let fresh: Bvh<V> = Builder::default().build(&moved).unwrap();
                assert_eq!(tree.reach(), fresh.reach());
                let hit = |a: u32, b: u32| {
                    xcollide_predicates::triangles_intersect(&moved[a as usize], &moved[b as usize])
                };
                let still = (&Pose::IDENTITY, &Pose::IDENTITY);
                assert_eq!(
                    PairTraversal::new((&tree, still.0), (&fresh, still.1)).all(hit),
                    PairTraversal::new((&fresh, still.0), (&fresh, still.1)).all(hit)
                );
            }
        }
    }
    all::<Aabb>();
    all::<Obb>();
    all::<Sphere>();
    all::<KDop<18>>();
}

/// The triangles of one of two clouds move past each other: only that cloud is built again.
#[test]
fn parts_that_no_longer_suit_the_primitives_are_built_again() {
    fn all<V: BoundingVolume + PartialEq>() {
        let mut random = Random::new(12);
        let at = |x: f64, triangle: &Triangle| triangle.map(|[a, b, c]| [a + x, b, c]);
        let clouds = [soup(200, 0.1, &mut random), soup(200, 0.1, &mut random)];
        let mesh = |[left, right]: &[Vec<Triangle>; 2]| -> Vec<Triangle> {
            let right = right.iter().map(|triangle| at(20.0, triangle));
            left.iter().map(|triangle| at(-20.0, triangle)).chain(right).collect()
        };
        let before = mesh(&clouds);
        let after = mesh(&[clouds[0].clone(), soup(200, 0.1, &mut random)]);
        for fit in [Fit::Tight, Fit::Merged] {
            let builder = Builder::default().leaf_size(2).fit(fit);
            let mut tree: Bvh<V> = builder.build(&before).unwrap();
            assert_eq!(tree.rebuild_worn(&before, &builder), Ok(0), "nothing has moved");
            let old = tree.clone();
            tree.refit(&after, fit).unwrap();
            let worn = tree.cost();
            assert_eq!(tree.rebuild_worn(&after, &builder), Ok(200));
            check(&tree, &after);
            assert_eq!(tree.order()[..200], old.order()[..200], "the left cloud");
            assert_ne!(tree.order()[200..], old.order()[200..], "the right cloud");
            let fresh: Bvh<V> = builder.build(&after).unwrap();
            assert!(
                tree.cost() < 1.05 * fresh.cost() && fresh.cost() + 0.2 < worn,
                "{} {worn} {}",
                tree.cost(),
                fresh.cost()
            );
            assert_eq!(tree.rebuild_worn(&after, &builder), Ok(0), "it is as new");
            // All of it, once the root itself has worn.
            let stirred = mesh(&[soup(200, 0.1, &mut random), clouds[1].clone()]);
            let stirred: Vec<Triangle> =
                stirred.iter().map(|t| t.map(|[x, y, z]| [0.02 * x, y, z])).collect();
            tree.refit(&stirred, fit).unwrap();
            assert_eq!(tree.rebuild_worn(&stirred, &builder), Ok(400));
            let fresh: Bvh<V> = builder.build(&stirred).unwrap();
            assert_eq!(tree.nodes().len(), fresh.nodes().len());
            check(&tree, &stirred);
        }
        let mut tree: Bvh<V> = Builder::default().build(&before).unwrap();
        let found = BuildError::Count { found: 3, expected: 400 };
        assert_eq!(tree.rebuild_worn(&before[..3], &Builder::default()), Err(found));
    }
    all::<Aabb>();
    all::<Obb>();
    all::<Sphere>();
    all::<KDop<18>>();
}

#[test]
fn what_cannot_be_built_over_is_refused() {
    let mut mesh = soup(5, 0.4, &mut Random::new(7));
    let mut tree: Bvh<Aabb> = Builder::default().build(&mesh).unwrap();
    let before = tree.clone();
    assert_eq!(
        tree.refit(&mesh[..4], Fit::Merged),
        Err(BuildError::Count { found: 4, expected: 5 })
    );
    mesh[3][1][2] = f64::NAN;
    let refused = BuildError::NonFinite { primitive: 3 };
    assert_eq!(Builder::default().build::<Aabb, 3>(&mesh), Err(refused));
    assert_eq!(tree.refit(&mesh, Fit::Tight), Err(refused));
    assert_eq!(tree, before);
}

/// Against a look at every primitive.
#[test]
fn search_finds_what_lies_in_accepted_volumes() {
    let mut random = Random::new(8);
    let mesh = soup(200, 0.2, &mut random);
    let tree: Bvh<Aabb> = Builder::default().build(&mesh).unwrap();
    let mut total = 0;
    for _ in 0..50 {
        let corner = random.in_ball();
        let window = Aabb::new(corner, corner.map(|x| x + 0.3));
        let mut found = Vec::new();
        let ended = tree.search(
            |volume| volume.overlaps(&window),
            |primitive| {
                found.push(primitive);
                ControlFlow::Continue(())
            },
        );
        assert_eq!(ended, ControlFlow::Continue(()));
        found.sort_unstable();
        let expected: Vec<u32> = (0..mesh.len() as u32)
            .filter(|&i| Aabb::from_points(mesh[i as usize]).overlaps(&window))
            .collect();
        assert_eq!(found, expected);
        total += found.len();
        let first = tree.search(|volume| volume.overlaps(&window), |_| ControlFlow::Break(()));
        assert_eq!(first.is_break(), !expected.is_empty());
    }
    assert!(total > 50);
}

#[cfg(feature = "parallel")]
#[test]
fn parallel_builds_are_the_same() {
    fn all<V: BoundingVolume + PartialEq>() {
        // More than enough for several tasks.
        let mesh = [ball(50, 80), soup(6000, 0.1, &mut Random::new(9))].concat();
        for split in SPLITS {
            for fit in [Fit::Tight, Fit::Merged] {
                let builder = Builder::new(split).fit(fit).leaf_size(2);
                let serial: Bvh<V> = builder.build(&mesh).unwrap();
                assert!(
                    builder.parallel(true).build(&mesh).unwrap() == serial,
                    "{split:?} {fit:?}"
                );
            }
        }
    }
    all::<Aabb>();
    all::<KDop<18>>();
    all::<Obb>();
}

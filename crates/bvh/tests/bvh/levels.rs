//! Levels of all hierarchies: volumes hold their triangles, and a level holds the whole model.

use crate::support;

use std::collections::BTreeSet;

use std::ops::ControlFlow;
use support::{Triangle, anywhere, ball, motion, soup, world};
use xcollide_bounds::{Aabb, BoundingVolume, KDop, Obb, Sphere};

use xcollide_bvh::binary::{Builder, Bvh};
use xcollide_bvh::classic::box_tree::{BoxTree, BoxTreeOptions};
use xcollide_bvh::classic::interval_tree::{IntervalSplit, IntervalTree};
use xcollide_bvh::classic::sphere_octree::{SphereOctree, SphereOctreeOptions};
use xcollide_bvh::levels::LevelSearch;
use xcollide_bvh::levels::reached_leaves;
use xcollide_bvh::levels::{Level, Levels};
use xcollide_bvh::wide::{WideOptions, WideTree};
use xcollide_bvh::{BuildError, Counter};
use xcollide_math::Pose;
use xcollide_predicates::triangles_intersect;
use xcollide_scenes::Random;

fn wide(mesh: &[Triangle]) -> WideTree {
    let corners: Vec<[u32; 3]> =
        (0..mesh.len() as u32).map(|i| [0, 1, 2].map(|k| 3 * i + k)).collect();
    WideTree::build(mesh.as_flattened(), &corners, WideOptions::default())
}

fn box_tree(mesh: &[Triangle]) -> Result<BoxTree, BuildError> {
    let options = BoxTreeOptions { min_triangles: 4, max_copies: 3.0, ..BoxTreeOptions::default() };
    BoxTree::new(mesh, &[], &options)
}

/// Meshes of several kinds, turned off the axes, far from the origin, and degenerate ones.
fn meshes() -> Vec<Vec<Triangle>> {
    let mut random = Random::new(31);
    let tilted = motion([0.5, 0.5, -0.1, 0.7], [100.0, -7.0, 3.0]);
    vec![
        ball(12, 16),
        world(&ball(9, 8), &tilted),
        soup(150, 0.2, &mut random),
        soup(60, 1.5, &mut random),
        vec![[[1.0, 2.0, 3.0]; 3]; 9],
        vec![[[1e-7, 0.0, 0.0], [0.0, 1e-7, 0.0], [0.0, 0.0, 1e-7]]],
    ]
}

/// The laws that all hierarchies have in common; returns the number of levels.
fn levels_hold<T: Levels<Volume: PartialEq>>(tree: &T, mesh: &[Triangle]) -> usize {
    let all: Vec<u32> = (0..mesh.len() as u32).collect();
    let leaves: Vec<_> = tree.volumes(Level::Leaves).collect();
    let depth = leaves.iter().map(|leaf| leaf.level).max().unwrap_or(0);
    for level in 0..=depth + 1 {
        let volumes: Vec<_> = tree.volumes(Level::At(level)).collect();
        let below: BTreeSet<u32> = volumes.iter().flat_map(|one| one.primitives.clone()).collect();
        assert!(below.into_iter().eq(all.iter().copied()), "level {level} is not the whole model");
        for one in &volumes {
            assert!(one.level == level || one.is_leaf && one.level < level);
            assert!(one.primitives.is_sorted_by(|a, b| a < b), "ascending, each once");
        }
        if level == 0 {
            assert_eq!(volumes.len(), 1);
            assert_eq!(volumes[0].primitives, all, "level 0 is the whole");
        }
        if level >= depth {
            assert_eq!(volumes, leaves, "below the deepest leaf there is nothing more");
        }
    }
    assert!(leaves.iter().all(|leaf| leaf.is_leaf));
    depth + 1
}

/// And of those that cut no triangle: each is in one volume of a level, which holds it.
fn volumes_hold_their_triangles<T: Levels<Volume: PartialEq>>(
    tree: &T,
    mesh: &[Triangle],
) -> usize {
    let levels = levels_hold(tree, mesh);
    for level in (0..levels).map(Level::At).chain([Level::Leaves]) {
        let mut listed = 0;
        for one in tree.volumes(level) {
            assert!(!one.primitives.is_empty());
            listed += one.primitives.len();
            for &primitive in &one.primitives {
                for corner in mesh[primitive as usize] {
                    assert!(one.volume.contains(corner), "{level:?}: {:?}, {corner:?}", one.volume);
                }
            }
        }
        assert_eq!(listed, mesh.len(), "{level:?} lists a triangle twice");
    }
    levels
}

#[test]
fn each_triangle_is_in_one_volume_of_a_level_which_holds_it() -> Result<(), BuildError> {
    for mesh in meshes() {
        let builder = Builder::default();
        let levels = [
            volumes_hold_their_triangles::<Bvh<Aabb>>(&builder.build(&mesh)?, &mesh),
            volumes_hold_their_triangles::<Bvh<Obb>>(&builder.build(&mesh)?, &mesh),
            volumes_hold_their_triangles::<Bvh<KDop<18>>>(&builder.build(&mesh)?, &mesh),
            volumes_hold_their_triangles::<Bvh<Sphere>>(&builder.leaf_size(3).build(&mesh)?, &mesh),
            volumes_hold_their_triangles(
                &IntervalTree::new(&mesh, IntervalSplit::default(), 2)?,
                &mesh,
            ),
            volumes_hold_their_triangles(&wide(&mesh), &mesh),
        ];
        assert!(mesh.len() < 9 || levels.iter().all(|&levels| levels > 1), "{levels:?}");
    }
    Ok(())
}

/// A box-tree cuts triangles: points of them are in the boxes that list them, up to the thickness.
#[test]
fn boxes_of_a_box_tree_hold_the_parts_of_their_triangles() -> Result<(), BuildError> {
    let (mut copies, mut empty) = (0, 0);
    for mesh in meshes() {
        let tree = box_tree(&mesh)?;
        let levels = levels_hold(&tree, &mesh);
        let size = Aabb::fit(mesh.as_flattened()).size();
        let thickness = 1e-9 * size.into_iter().fold(1e-6, f64::max);
        for level in (0..levels).map(Level::At) {
            let volumes: Vec<_> = tree.volumes(level).collect();
            copies += volumes.iter().map(|one| one.primitives.len()).sum::<usize>() - mesh.len();
            empty += volumes.iter().filter(|one| one.primitives.is_empty()).count();
            for (number, [a, b, c]) in mesh.iter().enumerate() {
                for weights in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.2, 0.3, 0.5], [0.4, 0.4, 0.2]]
                {
                    let [u, v, w] = weights;
                    let point = [0, 1, 2].map(|k| u * a[k] + v * b[k] + w * c[k]);
                    let holds = volumes.iter().any(|one| {
                        one.primitives.binary_search(&(number as u32)).is_ok()
                            && one.volume.expanded(thickness).contains(point)
                    });
                    assert!(holds, "{level:?}: triangle {number} at {point:?}");
                }
            }
        }
    }
    assert!(copies > 0 && empty > 0, "the test sees neither what is cut nor empty space");
    Ok(())
}

#[test]
fn a_tree_over_nothing_has_no_volumes() -> Result<(), BuildError> {
    let nothing: [Triangle; 0] = [];
    let tree: Bvh<Obb> = Builder::default().build(&nothing)?;
    assert_eq!(tree.volumes(Level::At(0)).count() + tree.volumes(Level::Leaves).count(), 0);
    assert_eq!(box_tree(&nothing)?.volumes(Level::Leaves).count(), 0);
    let interval = IntervalTree::new(&nothing, IntervalSplit::default(), 2)?;
    assert_eq!(interval.volumes(Level::At(3)).count(), 0);
    assert_eq!(wide(&nothing).volumes(Level::At(0)).count(), 0);
    let [a, b] = reached_leaves((&tree, &Pose::IDENTITY), (&tree, &Pose::IDENTITY));
    assert!(a.is_empty() && b.is_empty());
    Ok(())
}

/// How often leaves that overlap were many and few.
fn colliding_triangles_overlap<T: Levels<Volume: PartialEq>>(
    (a, mesh_a, at_a): (&T, &[Triangle], &Pose),
    (b, mesh_b, at_b): (&T, &[Triangle], &Pose),
) -> [usize; 2] {
    let found = reached_leaves((a, at_a), (b, at_b));
    for (side, (tree, leaves)) in [a, b].into_iter().zip(&found).enumerate() {
        let all: Vec<_> = tree.volumes(Level::Leaves).collect();
        assert!(
            leaves.iter().all(|one| all.contains(&one.leaf)),
            "side {side}: no leaf of the tree"
        );
    }
    let marked = found.each_ref().map(|leaves| -> BTreeSet<u32> {
        let overlapping = leaves.iter().filter(|one| one.overlaps);
        overlapping.flat_map(|one| one.leaf.primitives.iter().copied()).collect()
    });
    let (world_a, world_b) = (world(mesh_a, at_a), world(mesh_b, at_b));
    let mut meet = 0;
    for (i, s) in world_a.iter().enumerate() {
        for (j, t) in world_b.iter().enumerate() {
            if triangles_intersect(s, t) {
                meet += 1;
                assert!(marked[0].contains(&(i as u32)), "triangle {i} of the first");
                assert!(marked[1].contains(&(j as u32)), "triangle {j} of the second");
            }
        }
    }
    [meet, mesh_a.len() - marked[0].len()]
}

#[test]
fn triangles_that_meet_are_in_leaves_that_overlap() -> Result<(), BuildError> {
    let mut random = Random::new(5);
    let mut total = [0; 2];
    for round in 0..12 {
        let a = if round % 2 == 0 { ball(8, 12) } else { soup(80, 0.3, &mut random) };
        let b = if round % 3 == 0 { soup(80, 0.3, &mut random) } else { ball(6, 8) };
        let (at_a, at_b) = (anywhere(5.0, &mut random), anywhere(1.0, &mut random));
        let at_b = at_b.with_translation(
            [0, 1, 2].map(|k| at_a.translation()[k] + 1.6 * at_b.translation()[k]),
        );
        macro_rules! both {
            ($build:expr) => {{
                let build = $build;
                let (first, second) = (build(&a)?, build(&b)?);
                let found = colliding_triangles_overlap((&first, &a, &at_a), (&second, &b, &at_b));
                total = [total[0] + found[0], total[1] + found[1]];
            }};
        }
        both!(|mesh: &Vec<Triangle>| Builder::default().build::<Aabb, 3>(mesh));
        both!(|mesh: &Vec<Triangle>| Builder::default().build::<Obb, 3>(mesh));
        both!(|mesh: &Vec<Triangle>| Builder::default().build::<KDop<18>, 3>(mesh));
        both!(|mesh: &Vec<Triangle>| Builder::default().build::<Sphere, 3>(mesh));
        both!(|mesh: &Vec<Triangle>| box_tree(mesh));
        both!(|mesh: &Vec<Triangle>| IntervalTree::new(mesh, IntervalSplit::default(), 2));
        both!(|mesh: &Vec<Triangle>| Ok::<_, BuildError>(wide(mesh)));
    }
    let [meet, left_out] = total;
    assert!(meet > 500 && left_out > 500, "{meet} pairs, {left_out} triangles not marked");
    Ok(())
}

/// Allows this many pairs to be opened.
struct Few(u32);

impl Counter for Few {
    fn volumes(&mut self, _: u64) {}
    fn primitives(&mut self, _: u64) {}
    fn go_on(&mut self) -> ControlFlow<()> {
        let is_over = self.0 == 0;
        self.0 = self.0.saturating_sub(1);
        if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// At no level are surfaces apart that meet; a search that was interrupted goes on as if nothing had been; at the last level
/// all pairs that meet are named. Returns at how many levels the search found that nothing meets, and how many there were.
fn levels_lose_no_pair<T: Levels>(
    (a, at_a): (&T, &Pose),
    (b, at_b): (&T, &Pose),
    meeting: &BTreeSet<(u32, u32)>,
) -> usize {
    let mut search = LevelSearch::new((a, at_a), (b, at_b));
    let mut hesitant = LevelSearch::new((a, at_a), (b, at_b));
    while !search.is_complete() {
        assert!(search.refine(&mut ()).is_continue());
        let before = hesitant.level();
        assert!(hesitant.refine(&mut Few(0)).is_break() && hesitant.level() == before);
        while hesitant.refine(&mut Few(1000)).is_break() {
            let _ = hesitant.refine(&mut ());
        }
        assert_eq!(search.level(), before + 1);
        assert_eq!(search.pairs().len(), hesitant.pairs().len());
        assert!(!search.is_apart() || meeting.is_empty());
    }
    let mut named = BTreeSet::new();
    let _ = search.candidates(|s, t| {
        named.insert((s, t));
        ControlFlow::Continue(())
    });
    assert!(meeting.is_subset(&named));
    search.level()
}

#[test]
fn searches_by_level_may_end_at_any_level() -> Result<(), BuildError> {
    let mut random = Random::new(8);
    let (mut apart, mut meet, mut levels) = (0, 0, 0);
    for round in 0..24 {
        let a = if round % 2 == 0 { ball(8, 12) } else { soup(80, 0.3, &mut random) };
        let b = if round % 3 == 0 { soup(80, 0.3, &mut random) } else { ball(6, 8) };
        let (at_a, at_b) = (anywhere(5.0, &mut random), anywhere(1.0, &mut random));
        let at_b = at_b.with_translation(
            [0, 1, 2].map(|k| at_a.translation()[k] + 2.2 * at_b.translation()[k]),
        );
        let (world_a, world_b) = (world(&a, &at_a), world(&b, &at_b));
        let mut meeting = BTreeSet::new();
        for (i, s) in (0..).zip(&world_a) {
            let pairs = (0..).zip(&world_b).filter(|(_, t)| triangles_intersect(s, t));
            meeting.extend(pairs.map(|(j, _)| (i, j)));
        }
        apart += usize::from(meeting.is_empty());
        meet += usize::from(!meeting.is_empty());
        macro_rules! both {
            ($build:expr) => {{
                let build = $build;
                let (a, b) = (build(&a)?, build(&b)?);
                levels += levels_lose_no_pair((&a, &at_a), (&b, &at_b), &meeting);
            }};
        }
        let builder = Builder::default();
        both!(|mesh: &[Triangle]| SphereOctree::new(mesh, &SphereOctreeOptions::default()));
        both!(|mesh: &[Triangle]| builder.build::<Sphere, 3>(mesh));
        both!(|mesh: &[Triangle]| builder.build::<Obb, 3>(mesh));
        both!(box_tree);
        both!(|mesh: &[Triangle]| IntervalTree::new(mesh, IntervalSplit::default(), 2));
    }
    assert!(apart > 3 && meet > 3 && levels > 200, "{apart} {meet} {levels}");
    Ok(())
}

/// All spheres of a level of an octree have one size, half of that of the level above, and are around what they list.
#[test]
fn spheres_of_an_octree_halve_from_level_to_level() -> Result<(), BuildError> {
    for mesh in meshes() {
        let tree = SphereOctree::new(&mesh, &SphereOctreeOptions::default())?;
        let levels = levels_hold(&tree, &mesh);
        let root = tree.volumes(Level::At(0)).next().map_or(0.0, |one| one.volume.radius);
        for level in (0..levels).map(Level::At) {
            let volumes: Vec<_> = tree.volumes(level).collect();
            for one in &volumes {
                let expected = root / f64::from(1 << one.level);
                assert!((one.volume.radius - expected).abs() <= 1e-9 * root, "{level:?}");
            }
            for (number, triangle) in mesh.iter().enumerate() {
                let middle = [0, 1, 2].map(|k| triangle.iter().map(|corner| corner[k] / 3.0).sum());
                let holds = volumes.iter().any(|one| {
                    one.primitives.binary_search(&(number as u32)).is_ok()
                        && one.volume.expanded(1e-9 * root).contains(middle)
                });
                assert!(holds, "{level:?}: triangle {number}");
            }
        }
    }
    Ok(())
}

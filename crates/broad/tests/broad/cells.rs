//! Grids and octrees with settings of their own, and on volumes that are tighter than boxes: their
//! pairs are those of the referee for the same volume.
#![allow(clippy::unwrap_used)]

use crate::history;

use history::{Event, Recorder, World};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng as _, SeedableRng as _};
use xcollide_bounds::{Aabb, BoundingVolume, KDop, Obb};
use xcollide_broad::classic::{Grid, GridSettings, Octree, SlabOctree};
use xcollide_broad::{AllPairs, Bounds, BroadPhase, Everything, Pairs, Volume};
use xcollide_math::Pose;

/// Plays histories to some broad phases and the referee for a volume. Returns the number of pairs
/// in all frames, and of candidates by subject.
fn compare(
    volume: Volume,
    make: &dyn Fn() -> Vec<Box<dyn BroadPhase>>,
    worlds: &[World],
    frames: usize,
) -> (usize, Vec<u64>) {
    let (mut seen, mut tests) = (0, Vec::new());
    for (seed, &world) in worlds.iter().enumerate() {
        let mut subjects = make();
        tests.resize(subjects.len(), 0);
        let mut referee = AllPairs::on(volume);
        let (mut expected, mut found) = (Pairs::new(), Pairs::new());
        let mut recorder = Recorder::new(world, seed as u64);
        let mut random = Pcg64Mcg::seed_from_u64(seed as u64);
        for frame in 0..frames {
            for event in recorder.next_frame() {
                let event = dress(event, &mut random);
                event.apply(&mut referee);
                for subject in &mut subjects {
                    event.apply(subject.as_mut());
                }
            }
            referee.pairs(&Everything, &mut expected);
            seen += expected.overlapping.len();
            for (which, subject) in subjects.iter_mut().enumerate() {
                subject.pairs(&Everything, &mut found);
                assert_eq!(found, expected, "subject {which} in frame {frame} of {world:?}");
                tests[which] += subject.stats().tests;
            }
        }
    }
    (seen, tests)
}

/// Gives most of the boxes tighter volumes too: turned and thin ones, that now and then reach
/// beyond their box, and k-DOPs of a few points.
fn dress(event: Event, random: &mut Pcg64Mcg) -> Event {
    let tighter = |bounds: Bounds, random: &mut Pcg64Mcg| {
        let Aabb { min, max } = bounds.aabb;
        let bounds = Bounds::new(bounds.aabb).mobility(bounds.mobility);
        match random.next_u64() % 16 {
            0 => return bounds,
            1 => return bounds.oriented(Obb::EMPTY).kdop(KDop::EMPTY),
            _ if min.iter().chain(&max).any(|x| x.abs() > 1e100) => return bounds,
            _ => {}
        }
        let mut unit = || (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        let points: Vec<_> =
            (0..5).map(|_| [0, 1, 2].map(|k| min[k] + (max[k] - min[k]) * unit())).collect();
        let (along, thick) = (unit(), 0.02 + 0.6 * unit());
        // About the z-axis and then about the x-axis, by the same angle.
        let (s, c) = (
            2.0 * along / (1.0 + along * along),
            1.0 - 2.0 * along * along / (1.0 + along * along),
        );
        let rotation = [[c, -s, 0.0], [c * s, c * c, -s], [s * s, s * c, c]];
        let middle = [0, 1, 2].map(|k| 0.5 * min[k] + 0.5 * max[k]);
        let half = [0, 1, 2].map(|k| 0.5 * (max[k] - min[k]).max(0.0));
        let half = [half[0], thick * half[1], thick * half[2]];
        let upright = Obb::from(Aabb::new(half.map(|h| -h), half));
        let turned = upright.transformed(&Pose::from_matrix(rotation, middle).unwrap());
        bounds.oriented(turned).kdop(KDop::fit(&points))
    };
    match event {
        Event::Insert(id, bounds) => Event::Insert(id, tighter(bounds, random)),
        Event::Update(id, bounds) => Event::Update(id, tighter(bounds, random)),
        Event::Remove(id) => Event::Remove(id),
    }
}

#[test]
fn grids_and_octrees_of_any_make_have_the_pairs_of_the_referee() {
    let cage = Aabb::new([-4.0; 3], [5.0, 4.0, 3.0]);
    let make = || -> Vec<Box<dyn BroadPhase>> {
        vec![
            Box::new(Grid::new()),
            Box::new(Grid::with(GridSettings::new().indexed())),
            Box::new(Grid::with(GridSettings::new().cell(0.3))),
            Box::new(Grid::with(GridSettings::new().cell(1e-9).indexed())),
            Box::new(Grid::with(GridSettings::new().cell(1e9))),
            Box::new(Grid::with(GridSettings::new().universe(&cage).cell(9.0 / 16.0))),
            Box::new(Octree::with_depth(0)),
            Box::new(Octree::with_depth(3)),
            Box::new(Octree::with_depth(99)),
            Box::new(Octree::over_universe(&cage, 5)),
            Box::new(Octree::over_universe(&Aabb::EMPTY, 4)),
        ]
    };
    let (seen, _) = compare(Volume::Aabb, &make, &World::SMALL, 60);
    assert!(seen > 10_000, "only {seen} pairs");
}

#[test]
fn a_stabbed_grid_has_the_pairs_of_oriented_boxes() {
    let cage = Aabb::new([-6.0; 3], [6.0; 3]);
    let make = || -> Vec<Box<dyn BroadPhase>> {
        vec![
            Box::new(Grid::with(GridSettings::new().stabbed())),
            Box::new(Grid::with(GridSettings::new().stabbed().indexed())),
            Box::new(Grid::with(GridSettings::new().stabbed().cell(0.2))),
            Box::new(Grid::with(GridSettings::new().stabbed().universe(&cage).cell(0.5))),
        ]
    };
    let (seen, _) = compare(Volume::Oriented, &make, &World::SMALL, 80);
    assert!(seen > 5000, "only {seen} pairs");
}

/// The test of oriented boxes takes gaps for rounding that are smaller than its tolerance; the cells
/// must not be finer about it.
#[test]
fn oriented_boxes_that_nearly_touch_across_a_border_of_cells_are_a_pair() {
    let cage = Aabb::new([0.0; 3], [8.0; 3]);
    let around = Aabb::new([3.0; 3], [5.0; 3]);
    let below = Aabb::new([3.25; 3], [3.75, 3.75, 4.0 - 4.0 * f64::EPSILON]);
    let above = Aabb::new([3.25, 3.25, 4.0], [3.75, 3.75, 4.5]);
    let mut found = Vec::new();
    let broads: [Box<dyn BroadPhase>; 2] = [
        Box::new(AllPairs::on(Volume::Oriented)),
        Box::new(Grid::with(GridSettings::new().stabbed().universe(&cage).cell(1.0))),
    ];
    for mut broad in broads {
        let mut ids = xcollide_broad::ProxyIds::new();
        for aabb in [below, above] {
            let bounds = Bounds::new(around).oriented(Obb::from(aabb));
            broad.insert(ids.issue(), &bounds).unwrap();
        }
        let mut pairs = Pairs::new();
        broad.pairs(&Everything, &mut pairs);
        found.push(pairs.overlapping.len());
    }
    assert_eq!(found, [1, 1]);
}

/// What stabbing is for.
#[test]
fn thin_boxes_at_a_slant_are_seldom_compared_in_a_stabbed_grid() {
    let (mut random, cage) = (Pcg64Mcg::seed_from_u64(1), Aabb::new([0.0; 3], [10.0; 3]));
    let mut unit = || (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    let mut broads = [GridSettings::new(), GridSettings::new().stabbed()]
        .map(|settings| Grid::with(settings.universe(&cage).cell(0.5)));
    let mut ids = xcollide_broad::ProxyIds::new();
    for _ in 0..100 {
        let from = [(); 3].map(|()| 1.0 + 6.0 * unit());
        let ends = [from, from.map(|x| x + 2.0)];
        let bounds = Bounds::new(Aabb::from_points(ends)).oriented(Obb::fit(&ends));
        let id = ids.issue();
        for broad in &mut broads {
            broad.insert(id, &bounds).unwrap();
        }
    }
    let mut pairs = Pairs::new();
    let [aligned, stabbed] = broads.map(|mut broad| {
        broad.pairs(&Everything, &mut pairs);
        broad.stats()
    });
    assert!(stabbed.tests * 4 < aligned.tests, "{stabbed:?}, {aligned:?}");
    assert!(stabbed.moves * 3 < aligned.moves, "{stabbed:?}, {aligned:?}");
}

#[test]
fn a_slab_octree_has_the_pairs_of_k_dops() {
    let make = || -> Vec<Box<dyn BroadPhase>> {
        vec![
            Box::new(SlabOctree::new()),
            Box::new(SlabOctree::with_depth(0)),
            Box::new(SlabOctree::with_depth(2)),
            Box::new(SlabOctree::with_depth(7)),
            Box::new(AllPairs::on(Volume::KDop)),
        ]
    };
    let (seen, tests) = compare(Volume::KDop, &make, &World::SMALL, 80);
    assert!(seen > 5000, "only {seen} pairs");
    // The root alone, parted by six planes, against no planes.
    assert!(2 * tests[1] < tests[4], "{tests:?}");
}

#[test]
fn so_among_a_thousand_boxes_with_tighter_volumes() {
    let grids = || -> Vec<Box<dyn BroadPhase>> {
        let settings = GridSettings::new().stabbed();
        vec![Box::new(Grid::with(settings)), Box::new(Grid::with(settings.indexed()))]
    };
    let octrees = || -> Vec<Box<dyn BroadPhase>> { vec![Box::new(SlabOctree::new())] };
    let (oriented, _) = compare(Volume::Oriented, &grids, &[World::Crowd], 12);
    let (bevelled, _) = compare(Volume::KDop, &octrees, &[World::Crowd], 12);
    assert!(oriented.min(bevelled) > 3000, "only {oriented} and {bevelled} pairs");
}

/// The first table of Zachmann 1994, 5.4.4: nearly all references are on the lowest level. They are
/// a few less here, because a box whose cells fill an octant counts as covering it.
#[test]
fn octants_that_are_small_next_to_the_boxes_hold_nearly_all_references_on_the_lowest_level() {
    let (mut random, cage) = (Pcg64Mcg::seed_from_u64(5), Aabb::new([0.0; 3], [10.0; 3]));
    let mut unit = || (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    let corners: Vec<_> = (0..100).map(|_| [(); 3].map(|()| 9.0 * unit())).collect();
    for (depth, percent) in [(2, 100.0), (3, 100.0), (4, 99.4), (5, 96.4)] {
        let mut broad = Octree::over_universe(&cage, depth);
        let mut ids = xcollide_broad::ProxyIds::new();
        for corner in &corners {
            let cube = Aabb::new(*corner, corner.map(|x| x + 1.0));
            broad.insert(ids.issue(), &cube.into()).unwrap();
        }
        broad.pairs(&Everything, &mut Pairs::new());
        let levels = broad.finder().references_by_level();
        let lowest = levels[usize::from(depth)] as f64 * 100.0;
        let share = lowest / levels.iter().sum::<usize>() as f64;
        assert_eq!(levels.len(), usize::from(depth) + 1);
        assert!((share - percent).abs() < 5.0, "{share} % instead of {percent}: {levels:?}");
    }
}

/// What the source hopes for: "the depth can be much less while still achieving the same
/// resolution".
#[test]
fn a_slab_octree_makes_do_with_less_depth() {
    let (mut random, mut ids) = (Pcg64Mcg::seed_from_u64(3), xcollide_broad::ProxyIds::new());
    let mut unit = || (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    let (mut slabs, mut plain, mut deeper) =
        (SlabOctree::with_depth(3), Octree::with_depth(3), Octree::with_depth(4));
    for _ in 0..400 {
        let from = [(); 3].map(|()| 10.0 * unit());
        let ends = [from, [from[0] + 1.5, from[1] + 1.5, from[2]]];
        let bounds = Bounds::new(Aabb::from_points(ends)).kdop(KDop::fit(&ends));
        let id = ids.issue();
        slabs.insert(id, &bounds).unwrap();
        plain.insert(id, &bounds).unwrap();
        deeper.insert(id, &bounds).unwrap();
    }
    let mut pairs = Pairs::new();
    let mut tests = |broad: &mut dyn BroadPhase| {
        broad.pairs(&Everything, &mut pairs);
        broad.stats().tests
    };
    let tests = [tests(&mut slabs), tests(&mut plain), tests(&mut deeper)];
    // The third within a twentieth of the first, the second far from both.
    assert!(tests[0] * 20 < tests[2] * 21 && tests[0] * 2 < tests[1], "{tests:?}");
}

/// Also where all boxes are much too large for the cells, or the world has grown.
#[test]
fn memory_stays_in_proportion_to_the_boxes_and_is_returned() {
    const BOXES: usize = 200;
    let make: [fn() -> Box<dyn BroadPhase>; 5] = [
        || Box::new(Grid::new()),
        || Box::new(Grid::with(GridSettings::new().cell(0.01).indexed())),
        || Box::new(Octree::new()),
        || Box::new(Octree::with_depth(15)),
        || Box::new(SlabOctree::new()),
    ];
    for make in make {
        let mut broad = make();
        let mut ids = xcollide_broad::ProxyIds::new();
        let ids: Vec<_> = (0..BOXES).map(|_| ids.issue()).collect();
        let mut pairs = Pairs::new();
        for id in &ids {
            broad.insert(*id, &Aabb::EMPTY.into()).unwrap();
        }
        // In a row, this far apart and this wide.
        for (apart, side) in [(1.5, 1.0), (1.0, 300.0), (1e6, 1.0), (1e-9, 1e-6), (1e3, 1e6)] {
            for (at, id) in ids.iter().enumerate() {
                let corner = [at as f64 * apart, -apart, 0.5 * apart];
                broad.update(*id, &Aabb::new(corner, corner.map(|x| x + side)).into()).unwrap();
            }
            broad.pairs(&Everything, &mut pairs);
            let expected = if side > apart { BOXES * (BOXES - 1) / 2 } else { 0 };
            assert_eq!(pairs.overlapping.len(), expected, "{}", broad.name());
            let each = broad.bytes() / BOXES;
            assert!(each < 100_000, "{}: {each} bytes a box of {side}", broad.name());
        }
        for id in ids {
            broad.remove(id).unwrap();
        }
        broad.pairs(&Everything, &mut pairs);
        broad.pairs(&Everything, &mut pairs);
        // Not so the lists of pairs, which were long.
        let lists = 20_000 * (size_of::<u64>() * 2);
        assert!(broad.bytes() < lists + 20_000, "{}: {} bytes", broad.name(), broad.bytes());
    }
}

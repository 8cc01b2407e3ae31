//! The best-first search of two wide trees finds the least distance of all pairs of triangles. The slow twin measures all.
#![allow(clippy::unwrap_used)]

use std::ops::ControlFlow;

use crate::support;

use support::{Triangle, anywhere, ball, lattice, scaled, soup, world};
use xcollide_bvh::Counter;
use xcollide_bvh::wide::{
    CompactTree, NodeKind, WideBvh, WideOptions, WideTree, best_first, best_first_in_time,
};
use xcollide_math::Pose;
use xcollide_predicates::triangle_distance;
use xcollide_scenes::Random;

fn tree<N: NodeKind>(mesh: &[Triangle]) -> WideBvh<N> {
    let triangles: Vec<_> = (0..mesh.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    WideBvh::build(mesh.as_flattened(), &triangles, WideOptions::default())
}

/// The least distance below a limit, and how many pairs were measured.
fn found<N: NodeKind>(
    [a, b]: [&WideBvh<N>; 2],
    [of_a, of_b]: [&Pose; 2],
    worlds: [&[Triangle]; 2],
    limit: f64,
) -> (f64, usize) {
    let (mut least, mut measured) = (limit, 0);
    best_first((a, of_a), (b, of_b), limit, |s, t, bound| {
        assert!(bound <= limit && bound == least);
        for &s in s {
            for &t in t {
                measured += 1;
                let distance = triangle_distance(&worlds[0][s as usize], &worlds[1][t as usize]);
                least = f64::min(least, distance);
            }
        }
        Some(least)
    });
    (least, measured)
}

fn check(meshes: [&[Triangle]; 2], poses: [&Pose; 2]) -> [usize; 2] {
    let worlds = [0, 1].map(|k| world(meshes[k], poses[k]));
    let [one, other] = [&worlds[0], &worlds[1]];
    let all = one.iter().flat_map(|s| other.iter().map(move |t| triangle_distance(s, t)));
    let least = all.fold(f64::INFINITY, f64::min);
    let wide: [WideTree; 2] = meshes.map(tree);
    let compact: [CompactTree; 2] = meshes.map(tree);
    let mut counts = [0; 2];
    for limit in [f64::INFINITY, 2.0 * least, least.next_up(), least, 0.5 * least] {
        let by_wide = found(wide.each_ref(), poses, [one, other], limit);
        let by_compact = found(compact.each_ref(), poses, [one, other], limit);
        let expected = least.min(limit);
        assert_eq!((by_wide.0, by_compact.0), (expected, expected), "{limit} {least}");
        if limit.is_infinite() {
            counts = [by_wide.1, one.len() * other.len()];
        }
    }
    counts
}

#[test]
fn the_least_distance_is_found_at_every_scale_and_place() {
    let mut random = Random::new(41);
    let (mut measured, mut all) = (0, 0);
    for round in 0..60 {
        let mesh = |random: &mut Random| match round % 3 {
            0 => soup(60, 0.3, random),
            1 => lattice(60, random),
            _ => ball(6, 8),
        };
        let (a, b) = (mesh(&mut random), mesh(&mut random));
        let size = [1.0, 1e-6, 1e5][round / 3 % 3];
        let (a, b) = (a, scaled(&b, [1.0, size][round % 2]));
        let far = [0.5, 3.0, 50.0, 1e6][round % 4];
        let (of_a, of_b) = (anywhere(1.0, &mut random), anywhere(far, &mut random));
        let [looked, pairs] = check([&a, &b], [&of_a, &of_b]);
        measured += looked;
        all += pairs;
    }
    assert!(measured * 4 < all, "{measured} of {all}");
}

/// Two surfaces at the same distance nearly everywhere, more than may wait in order.
#[test]
fn parallel_surfaces_are_searched_to_the_end() {
    let sheet = |rows: i32| -> Vec<Triangle> {
        let at = |x: i32, y: i32| [f64::from(x), f64::from(y), 0.0];
        (0..rows)
            .flat_map(|x| (0..rows).map(move |y| (x, y)))
            .flat_map(|(x, y)| {
                [
                    [at(x, y), at(x + 1, y), at(x, y + 1)],
                    [at(x + 1, y), at(x + 1, y + 1), at(x, y + 1)],
                ]
            })
            .collect()
    };
    let flat = sheet(24);
    let above = Pose::from_translation([0.25, 0.5, 2.0]);
    let [looked, all] = check([&flat, &flat], [&Pose::IDENTITY, &above]);
    assert!(looked < all);
}

/// A bound below 0 ends the search; a tree without triangles has none.
#[test]
fn a_search_ends_when_it_is_told() {
    let mut random = Random::new(43);
    let mesh = soup(200, 0.3, &mut random);
    let full: WideTree = tree(&mesh);
    let apart = Pose::from_translation([5.0, 0.0, 0.0]);
    let mut looks = 0;
    best_first((&full, &Pose::IDENTITY), (&full, &apart), f64::INFINITY, |_, _, _| {
        looks += 1;
        Some(-1.0)
    });
    assert_eq!(looks, 1);
    let empty: WideTree = tree(&[]);
    best_first((&full, &Pose::IDENTITY), (&empty, &apart), f64::INFINITY, |_, _, _| {
        looks += 1;
        None
    });
    assert_eq!(looks, 1);
    // Farther apart than the limit.
    best_first((&full, &Pose::IDENTITY), (&full, &apart), 0.5, |_, _, _| {
        looks += 1;
        None
    });
    assert_eq!(looks, 1);
}

/// Breaks when a number of pairs has been opened, and hears what is left.
#[derive(Debug)]
struct Few {
    left: u32,
    unopened: usize,
    next: Option<(u32, u32)>,
}

impl Counter for Few {
    fn volumes(&mut self, _: u64) {}
    fn primitives(&mut self, _: u64) {}
    fn go_on(&mut self) -> ControlFlow<()> {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
    fn left(&mut self, pairs: usize, first: impl FnOnce() -> Option<(u32, u32)>) {
        self.unopened += pairs;
        self.next = self.next.or_else(first);
    }
}

/// Wherever a search ends, all pairs of triangles that it has not shown are at least as far apart as it says; and the longer it
/// is, the more it says.
#[test]
fn what_is_left_is_not_nearer_than_is_told() {
    let mut random = Random::new(44);
    let (mut told, mut sharp) = (0, 0);
    for round in 0..24 {
        let meshes = match round % 3 {
            0 => [soup(50, 0.3, &mut random), soup(50, 0.3, &mut random)],
            1 => [lattice(50, &mut random), lattice(50, &mut random)],
            _ => [ball(6, 8), ball(6, 8)],
        };
        let size = [1.0, 1e-6, 1e5][round / 3 % 3];
        let meshes = meshes.map(|mesh| scaled(&mesh, size));
        let far = size * [0.5, 3.0, 50.0][round % 3];
        let poses = [anywhere(size, &mut random), anywhere(far, &mut random)];
        let worlds = [0, 1].map(|k| world(&meshes[k], &poses[k]));
        let trees: [WideTree; 2] = meshes.each_ref().map(|mesh| tree(mesh));
        let columns = worlds[1].len();
        let pairs = worlds[0].iter().flat_map(|s| worlds[1].iter().map(move |t| (s, t)));
        let distances: Vec<f64> = pairs.map(|(s, t)| triangle_distance(s, t)).collect();
        let mut before = 0.0;
        for steps in 1.. {
            let mut few = Few { left: steps, unopened: 0, next: None };
            let (mut least, mut hidden) = (f64::INFINITY, distances.clone());
            let (a, b) = ((&trees[0], &poses[0]), (&trees[1], &poses[1]));
            let left = best_first_in_time(a, b, f64::INFINITY, &mut few, |of_a, of_b, _| {
                for (s, t) in of_a.iter().flat_map(|&s| of_b.iter().map(move |&t| (s, t))) {
                    let place = s as usize * columns + t as usize;
                    least = least.min(distances[place]);
                    hidden[place] = f64::INFINITY;
                }
                Some(least)
            });
            assert!(least.is_finite(), "the first leaves are always shown");
            let Some(bound) = left else {
                assert_eq!((few.unopened, few.next), (0, None));
                break;
            };
            let (s, t) = few.next.unwrap();
            assert!(few.unopened > 0 && (s as usize) < worlds[0].len(), "{few:?}");
            assert!((t as usize) < worlds[1].len(), "{few:?}");
            let nearest = hidden.iter().copied().fold(f64::INFINITY, f64::min);
            let slack = 1e-9 * size;
            assert!(nearest >= bound.min(least) - slack, "{nearest} {bound} {least}");
            assert!(bound >= before * (1.0 - 1e-6), "{bound} after {before}");
            before = bound;
            told += 1;
            sharp += usize::from(bound > 0.5 * least);
        }
    }
    assert!(told > 200 && sharp > 50, "{told} {sharp}");
}

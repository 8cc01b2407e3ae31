//! The best-first search of two wide trees finds the least distance of all pairs of triangles. The slow twin measures all.
#![allow(clippy::unwrap_used)]

use crate::support;

use support::{Triangle, anywhere, ball, lattice, scaled, soup, world};
use xcollide_bvh::wide::{CompactTree, NodeKind, WideBvh, WideOptions, WideTree, best_first};
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

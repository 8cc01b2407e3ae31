use xcollide_scenes::{PolytopeKind, Random, polytope};

use super::*;
use crate::support::brute_force;
use crate::tests::hulls::{hull_of, hull_of_mesh};

fn prepared(kind: PolytopeKind, vertices: usize) -> Option<Polytope> {
    Some(hull_of_mesh(&polytope(vertices, kind, 3).ok()?))
}

/// An exact fan finds the vertex that looking at all finds, to the bit, also along normals and nearly
/// along them, where three vertices or more are equally far but for rounding.
#[test]
fn what_an_exact_fan_finds_is_as_high_as_anything() {
    let mut random = Random::new(12);
    let mut exact = 0;
    for kind in [PolytopeKind::Ellipsoid, PolytopeKind::Rod, PolytopeKind::Plate] {
        for vertices in [33, 60, 250, 1100] {
            let Some(polytope) = prepared(kind, vertices) else { continue };
            let Some(Fan { fan, is_exact: true }) = polytope.any_fan() else { continue };
            exact += 1;
            let normals = polytope.gauss_map().faces().iter().map(|face| face.normal);
            let near = normals.flat_map(|n| {
                let aside = random.direction();
                [0.0, 1e-16, 1e-9, 1e-6].map(|far| add(n, aside.map(|x| far * x)))
            });
            let near: Vec<[f64; 3]> = near.collect();
            let anywhere = (0..2000).map(|_| random.direction());
            for direction in near.into_iter().chain(anywhere) {
                let height = |vertex: u32| dot(direction, polytope.position(vertex));
                let best = brute_force(&polytope, direction);
                let found = fan.farthest(direction) as u32;
                assert_eq!(height(found).to_bits(), height(best).to_bits(), "{direction:?}");
            }
        }
    }
    assert!(exact > 8, "{exact}");
}

/// Points of all sorts: in clusters, on grids, in lenses and plates, on cones, far from the origin.
fn points_of_sort(random: &mut Random, sort: u32, count: usize) -> Vec<[f64; 3]> {
    let shift = [(); 3].map(|()| if sort & 8 == 0 { 0.0 } else { random.between(-9.0, 9.0) });
    let flat = [1.0, 1e-2, 1e-5, 1e-8][(sort >> 4) as usize % 4];
    let point = |random: &mut Random| {
        let d = random.direction();
        let p = match sort % 8 {
            0 => d,
            1 => d.map(|x| (8.0 * x).round() / 8.0),
            2 => add(d.map(|x| (1.2 * x).round()), random.direction().map(|x| 1e-4 * x)),
            3 => [d[0], d[1], (0.1 * d[2]).clamp(-0.03, 0.03)],
            4 => d.map(|x| x + 1e-6 * random.between(-1.0, 1.0)),
            5 => [(3.0 * d[0]).round(), d[1], d[2]],
            6 => [0, 1, 2].map(|i| d[i] * [1.0, 0.3, 0.1][i]),
            _ => {
                let up = random.between(0.0, 1.0);
                let turn = (random.bits() % 12) as f64;
                [(1.0 - up) * turn.cos(), (1.0 - up) * turn.sin(), up]
            }
        };
        add([p[0], p[1], flat * p[2]], shift)
    };
    (0..count).map(|_| point(random)).collect()
}

/// Anywhere, at right angles to faces and edges, or nearly, and on borders of cells.
fn hard_directions(random: &mut Random, polytope: &Polytope) -> Vec<[f64; 3]> {
    let mut directions: Vec<[f64; 3]> = (0..60).map(|_| random.direction()).collect();
    let faces = polytope.gauss_map().faces();
    for _ in 0..60 {
        let mut normal = || faces[(random.bits() % faces.len() as u64) as usize].normal;
        let (m, n) = (normal(), normal());
        let far = [0.0, 1e-17, 1e-15, 1e-12, 1e-9, 1e-7, 1e-5, 1e-3];
        let far = far[(random.bits() % 8) as usize];
        directions.push(add(m, random.direction().map(|x| far * x)));
        directions.push(add(m, n));
        let arc = polytope.gauss_map().arcs();
        let arc = arc[(random.bits() % arc.len() as u64) as usize];
        let part = random.between(0.0, 1.0);
        let [m, n] = arc.faces.map(|face| faces[face as usize].normal);
        let between = [0, 1, 2].map(|i| (1.0 - part) * m[i] + part * n[i]);
        directions.push(add(between, random.direction().map(|x| far * x)));
        let [i, j] = [(); 2].map(|()| (random.bits() % 65) as f64);
        let [x, y, z] = [i, j, (64.0 - i - j).abs()];
        let signs = random.bits();
        let sign = |bit: u32| if signs >> bit & 1 == 0 { 1.0 } else { -1.0 };
        directions.push([sign(0) * x, sign(1) * y, sign(2) * z]);
    }
    directions.retain(|&d| length_squared(d) > 0.0);
    directions
}

fn exact_fans_agree(hulls: u32, seed: u64) {
    let mut random = Random::new(seed);
    let mut exact = 0;
    for number in 0..hulls {
        let count = 5 + (random.bits() % 120) as usize;
        let points = points_of_sort(&mut random, number % 64, count);
        let polytope = hull_of(&points);
        let Some(Fan { fan, is_exact }) = polytope.any_fan() else { continue };
        for direction in hard_directions(&mut random, &polytope) {
            let height = |vertex: u32| {
                let p = polytope.position(vertex);
                (direction[0] * p[0] + direction[1] * p[1]) + direction[2] * p[2]
            };
            let best = height(brute_force(&polytope, direction));
            let found = height(fan.farthest(direction) as u32);
            // Within the rounding of two heights, which is what slack 1 promises.
            let unit = polytope.reach() * length_squared(direction).sqrt() * 0.5_f64.powi(50);
            let slack = if *is_exact { 1.0 } else { 1e6 };
            let less = (best - found) / unit;
            assert!(less <= slack, "{number}, {is_exact}: {less} {direction:?} {points:?}");
        }
        exact += u32::from(*is_exact);
    }
    assert!(exact * 3 > hulls, "{exact} of {hulls}");
}

#[test]
fn fans_of_all_sorts_of_hulls_keep_their_promise() {
    exact_fans_agree(2000, 1);
}

#[test]
fn slivers_and_short_edges_make_a_fan_inexact() {
    let with = |odd: [[f64; 3]; 2]| {
        let mut points: Vec<[f64; 3]> = (0..40)
            .map(|i| {
                let [z, turn] = [f64::from(i) / 20.0 - 0.975, 2.4 * f64::from(i)];
                let ring = (1.0 - z * z).sqrt();
                [ring * turn.cos(), ring * turn.sin(), z]
            })
            .collect();
        points.extend(odd);
        Some(hull_of(&points).any_fan()?.is_exact)
    };
    assert_eq!(with([[1.1, 0.0, 0.0], [0.0, 1.1, 0.1]]), Some(true));
    assert_eq!(with([[1.1, 0.0, 0.0], [1.1, 0.0, 1e-7]]), Some(false));
    // Far out and near each other: the triangles at their edge are slivers, if it is none.
    assert_eq!(with([[30.0, 0.0, 0.0], [30.0, 1e-8, 0.0]]), Some(false));
}

/// Without climbing, too, a fan finds a vertex as high as any but for the rounding of normals: with needles, plates
/// and slivers.
#[test]
fn a_fan_alone_is_nearly_exact() {
    let mut random = Random::new(31);
    let (mut first, mut total) = (0, 0);
    for kind in [PolytopeKind::Ellipsoid, PolytopeKind::Rod, PolytopeKind::Plate] {
        for vertices in [8, 20, 100, 400, 1000] {
            let Some(polytope) = prepared(kind, vertices) else { continue };
            let Some(Fan { fan, .. }) = polytope.any_fan() else { continue };
            for _ in 0..300 {
                let direction = random.direction();
                let found = fan.farthest(direction) as u32;
                let best = brute_force(&polytope, direction);
                let height = |v: u32| dot(direction, polytope.position(v));
                assert!(height(found) >= height(best) - 1e-12 * polytope.reach());
                first += usize::from(found == best);
                total += 1;
            }
        }
    }
    assert!(total > 3000 && first * 100 > total * 99, "{first} of {total}");
}

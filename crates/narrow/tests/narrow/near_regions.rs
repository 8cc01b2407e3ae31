//! Regions of surfaces that are near each other are those of all pairs of triangles.

#![allow(clippy::unwrap_used)]

use crate::support;

use std::collections::BTreeSet;

use support::{Random, cuboid, joined, shape};
use xcollide_convex::shape::{Ball, Capsule, Cuboid, Cylinder};
use xcollide_narrow::proximity::{NearRegions, Nearness, near_regions};
use xcollide_narrow::{Formula, Model, Placed, Pose, Semantics, formula};
use xcollide_predicates::{triangle_distance, triangles_within};
use xcollide_scenes::Poses;

/// The number of pairs and the least distance of each region, by brute force.
fn expected(a: Placed<'_>, b: Placed<'_>, tolerance: f64) -> Vec<(f64, usize)> {
    let count = |of: Placed<'_>| of.model().triangulation().len();
    let corners = |of: Placed<'_>, t: usize| of.model().triangulation().triangles()[t];
    let share = |of: Placed<'_>, s: usize, t: usize| {
        corners(of, s).iter().any(|corner| corners(of, t).contains(corner))
    };
    let all = (0..count(a)).flat_map(|s| (0..count(b)).map(move |t| (s, t)));
    let near = all.filter(|&(s, t)| triangles_within(&a.triangle(s), &b.triangle(t), tolerance));
    let mut left: BTreeSet<(usize, usize)> = near.collect();
    let mut regions = Vec::new();
    while let Some(first) = left.pop_first() {
        let (mut region, mut looked) = (vec![first], 0);
        while let Some(&(s, t)) = region.get(looked) {
            looked += 1;
            let joined = |&(u, v): &(usize, usize)| share(a, s, u) && share(b, t, v);
            let more: Vec<(usize, usize)> = left.iter().copied().filter(joined).collect();
            more.iter().for_each(|pair| {
                left.remove(pair);
            });
            region.extend(more);
        }
        let distances =
            region.iter().map(|&(s, t)| triangle_distance(&a.triangle(s), &b.triangle(t)));
        regions.push((distances.fold(f64::INFINITY, f64::min), region.len()));
    }
    regions.sort_by(|x, y| x.partial_cmp(y).unwrap());
    regions
}

fn check(a: Placed<'_>, b: Placed<'_>, tolerance: f64) -> Vec<NearRegions> {
    let found = near_regions(a, b, tolerance);
    let mut told: Vec<_> = found.iter().map(|region| (region.distance, region.pairs)).collect();
    assert!(told.is_sorted_by(|x, y| x.0 <= y.0));
    told.sort_by(|x, y| x.partial_cmp(y).unwrap());
    assert_eq!(told, expected(a, b, tolerance));
    for region in &found {
        Nearness::from(*region).verify(a, b, tolerance, Semantics::Surface).unwrap();
        let length = region.normal.iter().map(|x| x * x).sum::<f64>().sqrt();
        assert!((length - 1.0).abs() < 1e-12, "{region:?}");
        let [p, q] = region.points;
        let apart: f64 = (0..3).map(|k| (q[k] - p[k]) * region.normal[k]).sum();
        assert!((apart - region.distance).abs() < 1e-9, "{region:?}");
    }
    found
}

#[test]
fn regions_are_those_of_brute_force() {
    let specs =
        ["torus?faces=60&radius=1&tube=0.25", "box", "cylinder?faces=20", "mobius?faces=20"];
    let mut models = specs.map(|spec| shape(&format!("shape:{spec}"))).to_vec();
    let corners = [-1.0, 0.5].into_iter().flat_map(|x| [-1.0, 0.5].map(|y| [x, y]));
    let legs: Vec<_> =
        corners.map(|[x, y]| cuboid([x, y, -1.0], [x + 0.5, y + 0.5, 1.0])).collect();
    models.push(Model::from_mesh(joined(&legs)).unwrap());
    let mut random = Random::new(12);
    let turn = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
    let mut counts = [0; 4];
    for _ in 0..150 {
        let [a, b] = [(); 2].map(|()| &models[random.below(models.len())]);
        // Quarters, so that many are just at the tolerance or touch.
        let way = [(); 3].map(|()| 0.25 * random.integer(-8, 8) as f64);
        let pose = Pose::from_matrix(turn, way).unwrap();
        let (a, b) = (Placed::new(a, &Pose::IDENTITY).unwrap(), Placed::new(b, &pose).unwrap());
        for tolerance in [0.0, 0.25, 0.5] {
            counts[check(a, b, tolerance).len().min(3)] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count > 10), "{counts:?}");
}

#[test]
fn a_table_on_a_floor_has_four_contacts() {
    let legs = [[0.0, 0.0], [4.0, 0.0], [0.0, 4.0], [4.0, 4.0]];
    let legs = legs.map(|[x, y]| cuboid([x, y, 0.0], [x + 1.0, y + 1.0, 3.0]));
    let top = cuboid([0.0, 0.0, 3.0], [5.0, 5.0, 4.0]);
    let table = Model::from_mesh(joined(&[&legs[..], &[top]].concat())).unwrap();
    let floor = Model::from_mesh(cuboid([-9.0, -9.0, -1.0], [9.0, 9.0, 0.0])).unwrap();
    let floor = Placed::new(&floor, &Pose::IDENTITY).unwrap();
    for height in [0.0, 0.125] {
        let pose = Pose::from_translation([0.0, 0.0, height]);
        let found = check(Placed::new(&table, &pose).unwrap(), floor, 0.125);
        assert_eq!(found.len(), 4);
        assert!(
            found
                .iter()
                .all(|region| region.distance == height && region.normal == [0.0, 0.0, -1.0])
        );
        assert!(near_regions(floor, Placed::new(&table, &pose).unwrap(), -1.0).is_empty());
    }
    let far = Pose::from_translation([0.0, 0.0, 0.126]);
    assert!(check(Placed::new(&table, &far).unwrap(), floor, 0.125).is_empty());
}

/// A body by a formula among many cubes: one region for each cube as near as the tolerance, as far as the cube alone is.
#[test]
fn formulas_are_near_each_part_of_a_mesh_once() {
    let places: Vec<[f64; 3]> =
        (0..27).map(|i| [i % 3, i / 3 % 3, i / 9].map(|k| 2.0 * f64::from(k))).collect();
    let cubes: Vec<_> = places.iter().map(|&p| cuboid(p, p.map(|x| x + 1.0))).collect();
    let alone: Vec<Model> =
        cubes.iter().map(|cube| Model::from_mesh(cube.clone()).unwrap()).collect();
    let all = Model::from_mesh(joined(&cubes)).unwrap();
    let all = Placed::new(&all, &Pose::IDENTITY).unwrap();
    let bodies = [
        Formula::Ball(Ball::new(0.75).unwrap()),
        Formula::Capsule(Capsule::new(1.5, 0.25).unwrap()),
        Formula::Cuboid(Cuboid::new([0.5, 1.5, 0.25]).unwrap()),
        Formula::Cylinder(Cylinder::new(1.0, 0.75).unwrap()),
        Formula::HalfSpace,
    ];
    let mut poses = Poses::new(31);
    let mut counts = [0; 3];
    for formula in bodies {
        let body = Model::from_formula(formula);
        for _ in 0..12 {
            let pose = poses.within(1.0).pose();
            let place = pose.translation().map(|x| 2.5 + 6.0 * x);
            let pose = pose.with_translation(place);
            let body = Placed::new(&body, &pose).unwrap();
            for tolerance in [0.0, 0.25, 0.75] {
                let found = near_regions(body, all, tolerance);
                let back = near_regions(all, body, tolerance);
                let distances = |of: &[NearRegions]| -> Vec<f64> {
                    of.iter().map(|region| region.distance).collect()
                };
                assert_eq!(distances(&found), distances(&back));
                // Of cubes that the body holds no surface reaches it; it is a body all the same.
                let each = alone.iter().map(|cube| {
                    let cube = Placed::new(cube, &Pose::IDENTITY).unwrap();
                    formula::distance(body, cube, Semantics::Surface).unwrap()
                });
                let mut expected: Vec<f64> = each
                    .filter(|distance| distance.at_least <= tolerance)
                    .map(|distance| distance.at_most)
                    .collect();
                expected.sort_by(f64::total_cmp);
                assert_eq!(found.len(), expected.len(), "{body:?} {tolerance}");
                for (region, distance) in found.iter().zip(&expected) {
                    assert!((region.distance - distance).abs() < 1e-9, "{region:?} {distance}");
                    let length = region.normal.iter().map(|x| x * x).sum::<f64>().sqrt();
                    assert!((length - 1.0).abs() < 1e-12, "{region:?}");
                    let [p, q] = region.points;
                    let apart: f64 = (0..3).map(|k| (q[k] - p[k]) * region.normal[k]).sum();
                    assert!((apart - region.distance).abs() < 1e-9, "{region:?}");
                    assert_eq!(region.faces, None);
                    Nearness::from(*region)
                        .verify(body, all, tolerance, Semantics::Surface)
                        .unwrap();
                }
                counts[found.len().min(2)] += 1;
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 10), "{counts:?}");
}

/// Two formulas are near each other in one place.
#[test]
fn two_formulas_are_one_pair_of_regions() {
    let ball = Model::from_formula(Formula::Ball(Ball::new(1.0).unwrap()));
    let at = |x| Pose::from_translation([x, 0.0, 0.0]);
    let near = |x: f64, tolerance| {
        let pose = at(x);
        let (a, b) = (Placed::new(&ball, &Pose::IDENTITY), Placed::new(&ball, &pose));
        near_regions(a.unwrap(), b.unwrap(), tolerance)
    };
    assert!(near(2.5, 0.25).is_empty() && near(2.5, f64::NAN).is_empty());
    let found = near(2.5, 0.75);
    assert_eq!((found.len(), found[0].normal, found[0].pairs), (1, [1.0, 0.0, 0.0], 1));
    assert!((found[0].distance - 0.5).abs() < 1e-12);
    let met = near(1.5, 0.0);
    assert_eq!((met.len(), met[0].distance), (1, 0.0));
    let ground = Model::from_formula(Formula::HalfSpace);
    let ground = Placed::new(&ground, &Pose::IDENTITY).unwrap();
    assert_eq!(near_regions(ground, ground, 1.0)[0].distance, 0.0);
}

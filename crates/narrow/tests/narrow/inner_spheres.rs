//! Spheres in bodies are in them, and the bounds from them hold.

#![allow(clippy::unwrap_used)]

use std::time::Duration;

use xcollide_narrow::classic::{InnerSpheres, PackingOptions, SpherePacking};
use xcollide_narrow::point_in_polyhedron::{Location, locate};
use xcollide_narrow::{
    NarrowPhase, PairCache, Placed, Pose, Query, Semantics, Verdict, overlap_volume, proximity,
    signed_distance,
};
use xcollide_predicates::triangles_within;
use xcollide_scenes::Poses;

use crate::support::{shape, unmoved};

const SHAPES: [&str; 4] = [
    "shape:polytope?vertices=20&seed=2",
    "shape:torus?faces=300",
    "shape:frame",
    "shape:tetraflake?depth=1",
];

/// By the exact predicates alone: the center is inside, and no triangle is nearer than the radius.
#[test]
fn spheres_are_inside_and_disjoint() {
    for name in SHAPES {
        let model = shape(name);
        let options = PackingOptions { most_spheres: 60, ..PackingOptions::default() };
        let packing = SpherePacking::of(&model, options);
        let spheres = packing.tree().spheres();
        assert!(spheres.len() == 60, "{name}: {}", spheres.len());
        assert!(packing.tree().is_disjoint(), "{name}");
        let placed = unmoved(&model);
        for sphere in spheres {
            assert_eq!(locate(placed, sphere.center), Location::Inside);
            for triangle in 0..model.triangulation().len() {
                let triangle = placed.triangle(triangle);
                let within = |r: f64| triangles_within(&[sphere.center; 3], &triangle, r);
                assert!(!within(sphere.radius.next_down()), "{name}");
            }
        }
    }
}

/// Each sphere is at least half as large as any that there was room for: sampled on a lattice.
#[test]
fn no_room_is_left_for_spheres_twice_as_large() {
    let model = shape("shape:torus?faces=300");
    let options = PackingOptions { most_spheres: 40, ..PackingOptions::default() };
    let packing = SpherePacking::of(&model, options);
    let spheres = packing.tree().spheres();
    let least = spheres.iter().map(|sphere| sphere.radius).fold(f64::INFINITY, f64::min);
    let bounds = model.local_box();
    let mut inside = 0;
    for number in 0..20_u32.pow(3) {
        let step =
            [number % 20, number / 20 % 20, number / 400].map(|k| (f64::from(k) + 0.5) / 20.0);
        let point = [0, 1, 2].map(|k| bounds.min[k] + step[k] * (bounds.max[k] - bounds.min[k]));
        let depth = -signed_distance((&model, &Pose::IDENTITY), point).unwrap().distance;
        let gap = |s: &xcollide_bounds::Sphere| {
            xcollide_math::vector::length(xcollide_math::vector::sub(s.center, point)) - s.radius
        };
        let free = spheres.iter().map(gap).fold(depth, f64::min);
        inside += u32::from(depth > 0.0);
        assert!(free <= 2.0 * least * (1.0 + 1e-9), "{free}, {least}");
    }
    assert!(inside > 500);
}

/// The bounds that hold for bodies, against the exact distance and volume; and what the verdict says.
#[test]
fn bounds_hold_for_the_bodies() {
    let options = PackingOptions { most_spheres: 200, ..PackingOptions::default() };
    let algorithm = InnerSpheres { packing: options };
    let mut poses = Poses::new(11);
    let (mut common, mut apart) = (0, 0);
    let models = SHAPES.map(shape);
    for a in &models {
        for b in &models {
            for distance in [0.3, 1.1, 1.8, 2.6] {
                let (here, there) =
                    (poses.at_distance(0.2).pose(), poses.at_distance(distance).pose());
                let (a, b) = (Placed::new(a, &here).unwrap(), Placed::new(b, &there).unwrap());
                let mut cache = PairCache::new();
                let found = algorithm.proximity(a, b, &Query::new(), &mut cache);
                let exact = overlap_volume(a, b).unwrap();
                assert!(found.volume_at_least <= exact.at_most);
                let gap =
                    proximity::distance(a, b, Semantics::Solid).map_or(0.0, |found| found.value);
                assert!(found.distance_at_most >= gap * (1.0 - 1e-12));
                let verdict = algorithm.test(a, b, &Query::new(), &mut cache);
                assert_eq!(verdict.is_collision(), found.distance_at_most == 0.0);
                if let Verdict::Collides(witness) = verdict {
                    common += 1;
                    witness.verify(a, b, Semantics::Solid).unwrap();
                    assert!(found.volume_at_least > 0.0 && exact.at_least > 0.0);
                } else {
                    apart += u32::from(gap > 0.0);
                }
            }
        }
    }
    assert!(common > 10 && apart > 10, "{common} collide, {apart} apart");
}

/// A budget gives wider bounds or none, never wrong ones; an open model has no spheres.
#[test]
fn what_is_late_or_open_is_told() {
    let ball = shape("shape:sphere?faces=400");
    let pose = Pose::from_translation([0.4, 0.1, 0.0]);
    let (a, b) = (unmoved(&ball), Placed::new(&ball, &pose).unwrap());
    let packing = PackingOptions { most_spheres: 100, ..PackingOptions::default() };
    let algorithm = InnerSpheres { packing };
    let mut cache = PairCache::new();
    let full = algorithm.proximity(a, b, &Query::new(), &mut cache);
    let late = Query::new().budget(Duration::ZERO);
    let early = algorithm.proximity(a, b, &late, &mut cache);
    assert!(full.complete && !early.complete && early.volume_at_least == 0.0);
    assert!(early.volume_at_most >= full.volume_at_least);
    assert_eq!(algorithm.test(a, b, &late, &mut cache).decided(), None);
    let open = shape("shape:mobius?faces=30");
    assert!(algorithm.prepare(&open).is_err());
    assert!(SpherePacking::of(&open, PackingOptions::default()).tree().spheres().is_empty());
}

//! Algorithms that look for a point in both bodies: what they say is right, and they find what they promise.

#![allow(clippy::unwrap_used)]

use std::time::Duration;

use xcollide_convex::Bias;
use xcollide_convex::shape::Ball;
use xcollide_narrow::classic::{
    InnerSpheres, MonteCarlo, PackingOptions, SpherePacking, Voxmap, ZBuffer,
};
use xcollide_narrow::mesh::Wide;
use xcollide_narrow::{
    Formula, Model, NarrowPhase, PairCache, Placed, Pose, Query, Reason, Semantics, Verdict,
    overlap_volume,
};
use xcollide_scenes::Poses;

use crate::support::{shape, unmoved};

fn algorithms() -> [Box<dyn NarrowPhase>; 4] {
    let packing = PackingOptions { most_spheres: 100, ..PackingOptions::default() };
    [
        Box::new(MonteCarlo::default()),
        Box::new(ZBuffer::default()),
        Box::new(Voxmap { resolution: 12 }),
        Box::new(InnerSpheres { packing }),
    ]
}

/// "Collides" and "apart" are right and proved; "undecided" leans to apart. Of pairs with much in common none is missed.
#[test]
fn what_is_decided_is_right_and_deep_contacts_are_found() {
    let shapes = [
        "shape:torus?faces=200",
        "shape:frame",
        "shape:polytope?vertices=20&seed=3",
        "shape:cubes?n=2",
    ];
    let models = shapes.map(shape);
    let mut poses = Poses::new(2);
    let (mut hits, mut deep, mut undecided) = ([0; 4], 0, 0);
    for a in &models {
        for b in &models {
            for distance in [0.2, 0.9, 1.6, 2.4] {
                let pose = poses.at_distance(distance).pose();
                let (a, b) = (unmoved(a), Placed::new(b, &pose).unwrap());
                let truth =
                    Wide::new().test(a, b, &Query::new(), &mut PairCache::new()).is_collision();
                let volume = overlap_volume(a, b).map_or(0.0, |volume| volume.at_least);
                deep += u32::from(volume > 0.05);
                for (number, algorithm) in algorithms().iter().enumerate() {
                    if !algorithm.accepts(a.model().topology(), b.model().topology()) {
                        continue;
                    }
                    let verdict = algorithm.test(a, b, &Query::new(), &mut PairCache::new());
                    match &verdict {
                        Verdict::Collides(witness) => {
                            assert!(truth, "{}", algorithm.name());
                            witness.verify(a, b, Semantics::Solid).unwrap();
                            hits[number] += 1;
                        }
                        Verdict::Apart(proof) => {
                            assert!(!truth);
                            proof.verify(a, b, Semantics::Solid).unwrap();
                        }
                        Verdict::Undecided(reason) => {
                            assert_eq!(*reason, Reason::Biased(Bias::Apart));
                            assert!(volume < 0.05, "{} misses {volume}", algorithm.name());
                            undecided += 1;
                        }
                    }
                    let surface = Query::new().semantics(Semantics::Surface);
                    assert!(!algorithm.test(a, b, &surface, &mut PairCache::new()).is_collision());
                }
            }
        }
    }
    assert!(
        deep > 5 && undecided > 5 && hits.iter().all(|&hits| hits > 5),
        "{deep} {undecided} {hits:?}"
    );
}

/// The bias that the z-buffer states: two balls, and a common part that holds a ball as wide as a pixel's diagonal.
#[test]
fn a_common_ball_as_wide_as_a_pixel_is_seen() {
    let ball = shape("shape:sphere?faces=800");
    let mut poses = Poses::new(8);
    for number in 0..40 {
        let pose = poses.at_distance(1.5 + 0.011 * f64::from(number)).pose();
        let (a, b) = (unmoved(&ball), Placed::new(&ball, &pose).unwrap());
        let buffer = ZBuffer { resolution: 16 };
        let [x, y] = buffer.pixel(a, b);
        // A ball between two balls about as wide as they are deep in each other; the facets take a little.
        let t = pose.translation();
        let depth = 2.0 - (t[0] * t[0] + t[1] * t[1] + t[2] * t[2]).sqrt() - 0.04;
        let verdict = buffer.test(a, b, &Query::new(), &mut PairCache::new());
        assert!(verdict.is_collision() || depth < x.hypot(y), "{depth} {x} {y}");
    }
}

/// Every body in every other, vertices in and out: as good as nothing is left to random points.
#[test]
fn random_points_find_what_vertices_do_not() {
    let bar = shape("shape:box");
    // Crossed bars have no vertex in each other.
    let thin = |scale: [f64; 3]| {
        let mesh = bar.mesh();
        let positions =
            mesh.positions().iter().map(|p| [0, 1, 2].map(|k| p[k] * scale[k])).collect();
        let faces: Vec<Vec<_>> = mesh
            .faces()
            .map(|face| face.outer().iter().map(|v| v.index() as u32).collect())
            .collect();
        Model::from_mesh(xcollide_brep::PolygonMesh::from_polygons(positions, faces).unwrap())
            .unwrap()
    };
    let (a, b) = (thin([1.0, 0.2, 0.2]), thin([0.2, 1.0, 0.2]));
    let (a, b) = (unmoved(&a), unmoved(&b));
    let ask = |points: u32| {
        let algorithm = MonteCarlo { points, ..MonteCarlo::default() };
        algorithm.test(a, b, &Query::new(), &mut PairCache::new()).decided()
    };
    assert_eq!((ask(0), ask(100)), (None, Some(true)));
}

#[test]
fn bodies_by_formulas_are_refused() {
    let ball = Model::from_formula(Formula::Ball(Ball::new(1.0).unwrap()));
    let torus = shape("shape:torus?faces=200");
    let (a, b) = (unmoved(&ball), unmoved(&torus));
    for algorithm in algorithms() {
        let verdict = algorithm.test(a, b, &Query::new(), &mut PairCache::new());
        assert_eq!(verdict, Verdict::Undecided(Reason::NotAccepted), "{}", algorithm.name());
    }
    assert!(SpherePacking::of(&ball, PackingOptions::default()).tree().spheres().is_empty());
}

#[test]
fn a_query_without_time_is_undecided() {
    let ball = shape("shape:torus?faces=200");
    let pose = Pose::from_translation([0.1, 0.1, 0.1]);
    let (a, b) = (unmoved(&ball), Placed::new(&ball, &pose).unwrap());
    for algorithm in algorithms() {
        let late = Query::new().budget(Duration::ZERO);
        let verdict = algorithm.test(a, b, &late, &mut PairCache::new());
        assert_eq!(verdict, Verdict::Undecided(Reason::OutOfTime), "{}", algorithm.name());
        let mut cache = PairCache::new();
        assert!(algorithm.test(a, b, &Query::new().stats(true), &mut cache).is_collision());
        assert!(cache.stats().primitive_tests > 0);
    }
}

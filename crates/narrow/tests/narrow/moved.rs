//! Models whose vertices move: every algorithm says of the new version what brute force says of a
//! model that is made anew of the same mesh, and what can be adapted is there already.

#![allow(clippy::unwrap_used)]

use crate::support;

use support::{Random, checked, cuboid, hierarchies, random_pose, shape};
use xcollide_brep::{FaceId, MeshError, Topology};
use xcollide_narrow::classic::Arbitrary;
use xcollide_narrow::classic::{ClosestFeatures, Combined, CyrusBeck, SphereOctrees};
use xcollide_narrow::compound::Compound;
use xcollide_narrow::convex::{Gjk, Hybrid, Sat};
use xcollide_narrow::mesh::BruteForce;
use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query, Semantics};

/// What keeps something with a model, or with a pair of models.
fn algorithms() -> Vec<Box<dyn NarrowPhase>> {
    let mut all = hierarchies();
    let others: [Box<dyn NarrowPhase>; 8] = [
        Box::new(Arbitrary::default()),
        Box::new(Hybrid::default()),
        Box::new(Gjk::default()),
        Box::new(Sat::default()),
        Box::new(CyrusBeck::default()),
        Box::new(Combined::default()),
        Box::new(ClosestFeatures::default()),
        Box::new(Compound),
    ];
    all.extend(others);
    all
}

/// A way to move a vertex.
type Move = Box<dyn FnMut([f64; 3]) -> [f64; 3]>;

/// Ways to move one: hardly, as rubber does, far out of shape, to another size and place, and
/// into a plane.
fn moves(random: &mut Random) -> Vec<Move> {
    let seed = random.bits();
    let noise = move |length: f64| {
        let mut random = Random::new(seed);
        move |p: [f64; 3]| p.map(|x| x + length * random.signed())
    };
    vec![
        Box::new(noise(1e-3)),
        Box::new(|[x, y, z]| [x + 0.3 * y * y, y - 0.2 * x * z, 1.2 * z]),
        Box::new(noise(0.5)),
        Box::new(|p| p.map(|x| 1e6 * x + 3e6)),
        Box::new(|p| p.map(|x| 1e-6 * (x - 3e6))),
        Box::new(|[x, y, _]| [x, y, 0.125]),
    ]
}

fn contacts(
    algorithm: &dyn NarrowPhase,
    pair: [Placed<'_>; 2],
    semantics: Semantics,
    cache: &mut PairCache,
) -> (bool, Vec<(FaceId, FaceId)>) {
    let [a, b] = pair;
    let mut contacts = Vec::new();
    let query = Query::new().semantics(semantics);
    let found = algorithm.contacts(a, b, &query, usize::MAX, cache, &mut contacts);
    checked(&found, a, b, semantics);
    let tested = algorithm.test(a, b, &query, cache);
    checked(&tested, a, b, semantics);
    assert_eq!(found.decided(), tested.decided(), "{}", algorithm.name());
    (tested.is_collision(), contacts)
}

#[test]
fn all_algorithms_say_of_a_moved_model_what_brute_force_says_of_a_new_one() {
    let mut random = Random::new(17);
    let mut start = vec![Model::from_mesh(cuboid([-0.5; 3], [0.5, 1.0, 0.5])).unwrap()];
    let specs = ["torus?faces=60", "frame", "mobius?faces=30", "soup?faces=40", "cubes?n=2"];
    start.extend(specs.map(shape));
    let other = shape("polytope?vertices=20&seed=4");
    let (mut answers, mut retriangulated, mut refitted) = ([0; 2], 0, 0);
    for first in start {
        let algorithms = algorithms();
        let mut caches: Vec<PairCache> = algorithms.iter().map(|_| PairCache::new()).collect();
        let mut model = first;
        // The only handle of a model that is changed in place.
        let mut in_place = Model::from_mesh(model.mesh().clone()).unwrap();
        for mut step in moves(&mut random) {
            let prepared: Vec<bool> =
                algorithms.iter().map(|one| one.prepare(&model).is_ok()).collect();
            let positions: Vec<[f64; 3]> =
                model.mesh().positions().iter().map(|&p| step(p)).collect();
            let moved = model.moved(positions.clone()).unwrap();
            let before = in_place.version();
            algorithms
                .iter()
                .for_each(|one| assert_eq!(one.prepare(&in_place).ok(), one.prepare(&model).ok()));
            in_place.set_positions(&positions).unwrap();
            assert_ne!(in_place.version(), before);
            let new = Model::from_mesh(model.mesh().moved(positions).unwrap()).unwrap();
            same_model(&moved, &new);
            same_model(&in_place, &new);
            let same = moved.triangulation() == model.triangulation();
            retriangulated += usize::from(!same);
            for (algorithm, was_prepared) in
                algorithms.iter().zip(prepared).take(hierarchies().len())
            {
                let bytes = algorithm.prepared_bytes(&moved);
                assert_eq!(algorithm.prepared_bytes(&in_place), bytes, "{}", algorithm.name());
                assert!(was_prepared && (bytes.is_some() || !same), "{}", algorithm.name());
                refitted += usize::from(bytes.is_some());
            }
            let middle = moved.local_box().center();
            let size = moved.local_box().size().into_iter().fold(0.0, f64::max);
            for reach in [0.0, 0.5, 1.0] {
                let pose = random_pose(&mut random, 0.5 + reach * (0.5 + 0.5 * size));
                let around = Pose::from_translation([middle[0], middle[1], middle[2]]);
                let pose_b = around * pose;
                let b = Placed::new(&other, &pose_b).unwrap();
                let [of_moved, of_new] = [if reach == 0.5 { &moved } else { &in_place }, &new]
                    .map(|model| Placed::new(model, &Pose::IDENTITY).unwrap());
                for semantics in [Semantics::Solid, Semantics::Surface] {
                    let truth =
                        contacts(&BruteForce, [of_new, b], semantics, &mut PairCache::new());
                    answers[usize::from(truth.0)] += 1;
                    for (algorithm, cache) in algorithms.iter().zip(&mut caches) {
                        let found = contacts(&**algorithm, [of_moved, b], semantics, cache);
                        assert_eq!(found, truth, "{}", algorithm.name());
                        let swapped = contacts(&**algorithm, [b, of_moved], semantics, cache);
                        assert_eq!(swapped.0, truth.0, "{}", algorithm.name());
                    }
                }
            }
            model = moved;
        }
    }
    assert!(answers.iter().all(|&count| count > 30), "{answers:?}: one-sided");
    assert!(retriangulated > 2 && refitted > 200, "{retriangulated}, {refitted}");
}

fn same_model(moved: &Model, new: &Model) {
    assert_eq!(moved.mesh(), new.mesh());
    // Before the lists of the classification, and after.
    assert_eq!(moved.topology(), new.topology());
    assert_eq!(moved.brep().classification(), new.brep().classification());
    assert_eq!(moved.topology(), new.topology());
    assert_eq!(moved.interior(), new.interior());
    assert_eq!(moved.triangulation(), new.triangulation());
    assert_eq!(moved.used_vertices(), new.used_vertices());
    assert_eq!(moved.local_box(), new.local_box());
    assert_eq!(moved.components(), new.components());
}

/// Small integers make faces flat, folded, degenerate and convex again. The flags are asked for alone or after the lists.
#[test]
fn what_depends_on_positions_is_proved_anew() {
    let mut random = Random::new(23);
    let mut seen = [0; 5];
    let specs = ["box", "dodecahedron", "frame", "torus?faces=60", "soup?faces=20", "cubes?n=2"];
    for model in specs.map(shape) {
        let mut model = Model::from_mesh(model.mesh().clone()).unwrap();
        let start = model.mesh().positions().to_vec();
        for round in 0..60 {
            let grid = f64::from(1 << (round % 4));
            // Of some vertices, of all, and back.
            let positions: Vec<[f64; 3]> = match round % 5 {
                0 => start.clone(),
                1 => start.iter().map(|p| p.map(|x| -3.0 * x + 0.5)).collect(),
                _ => (model.mesh().positions().iter())
                    .map(|p| {
                        let stays = random.signed() > 0.2 * f64::from(round % 5);
                        p.map(|x| if stays { x } else { libm::round(grid * random.signed()) })
                    })
                    .collect(),
            };
            let kept = model.clone();
            // With a second handle, and as the only one.
            if round % 3 > 0 {
                drop(kept);
                model.set_positions(&positions).unwrap();
            } else {
                let before = kept.mesh().clone();
                model.set_positions(&positions).unwrap();
                assert_eq!(kept.mesh(), &before);
            }
            let new = Model::from_mesh(model.mesh().clone()).unwrap();
            let flags = new.topology();
            let properties = [Topology::PLANAR_FACES, Topology::CONVEX_FACES, Topology::CONVEX];
            for (place, one) in properties.into_iter().enumerate() {
                seen[place] += usize::from(flags.contains(one) && round % 5 > 0);
            }
            seen[3] += usize::from(!flags.contains(Topology::PLANAR_FACES));
            seen[4] += usize::from(!flags.contains(Topology::CONVEX_FACES));
            match round % 4 {
                0 => assert_eq!(model.topology(), flags),
                // Not asked: outdated twice.
                1 => {}
                _ => same_model(&model, &new),
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 15), "{seen:?}");
}

/// Only what was prepared is adapted.
#[test]
fn nothing_is_built_that_was_not_prepared() {
    let model = shape("torus?faces=60");
    let moved = model.moved(model.mesh().positions().to_vec()).unwrap();
    assert!(!moved.is_same(&model));
    for algorithm in hierarchies() {
        assert_eq!(algorithm.prepared_bytes(&moved), None, "{}", algorithm.name());
    }
}

/// Cells of an octree do not follow the vertices, and faces may no longer be convex: these are made anew, on demand.
#[test]
fn octrees_and_hulls_are_not_adapted() {
    let model = shape("polytope?vertices=20&seed=4");
    let algorithms: [Box<dyn NarrowPhase>; 2] =
        [Box::new(SphereOctrees::new()), Box::new(Hybrid::default())];
    for algorithm in algorithms {
        algorithm.prepare(&model).unwrap();
        assert!(algorithm.prepared_bytes(&model).is_some(), "{}", algorithm.name());
        let moved = model.moved(model.mesh().positions().to_vec()).unwrap();
        assert_eq!(algorithm.prepared_bytes(&moved), None, "{}", algorithm.name());
        let far = Pose::from_translation([0.25, 0.0, 0.0]);
        let (a, b) = (Placed::new(&moved, &Pose::IDENTITY), Placed::new(&moved, &far));
        let (a, b) = (a.unwrap(), b.unwrap());
        let verdict = algorithm.test(a, b, &Query::new(), &mut PairCache::new());
        assert!(verdict.is_collision(), "{}", algorithm.name());
        assert!(algorithm.prepared_bytes(&moved).is_some(), "{}", algorithm.name());
    }
}

#[test]
fn positions_that_do_not_fit_are_told() {
    let model = shape("box");
    let mut positions = model.mesh().positions().to_vec();
    positions[3][2] = f64::NAN;
    let broken = model.moved(positions.clone());
    let found = matches!(
        broken,
        Err(MeshError::NonFinite { vertex: 3, axis: 2, value }) if value.is_nan()
    );
    assert!(found, "{broken:?}");
    positions.pop();
    let few = model.moved(positions).err();
    let expected = MeshError::PositionCount { found: 7, expected: 8 };
    assert_eq!(few, Some(expected));
}

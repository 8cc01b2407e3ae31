//! Models whose vertices move: every algorithm says of the new version what brute force says of a
//! model that is made anew of the same mesh, and what can be adapted is there already.

#![allow(clippy::unwrap_used)]

use crate::support;

use support::{Random, checked, cuboid, hierarchies, random_pose, shape};
use xcollide_brep::{FaceId, MeshError};
use xcollide_narrow::classic::Arbitrary;
use xcollide_narrow::classic::{ClosestFeatures, Combined, CyrusBeck};
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
        for mut step in moves(&mut random) {
            let prepared: Vec<bool> =
                algorithms.iter().map(|one| one.prepare(&model).is_ok()).collect();
            let positions: Vec<[f64; 3]> =
                model.mesh().positions().iter().map(|&p| step(p)).collect();
            let moved = model.moved(positions.clone()).unwrap();
            let new = Model::from_mesh(model.mesh().moved(positions).unwrap()).unwrap();
            assert_eq!(moved.mesh(), new.mesh());
            assert_eq!(moved.topology(), new.topology());
            assert_eq!(moved.interior(), new.interior());
            assert_eq!(moved.triangulation(), new.triangulation());
            assert_eq!(moved.used_vertices(), new.used_vertices());
            assert_eq!(moved.local_box(), new.local_box());
            assert_eq!(moved.components(), new.components());
            let same = moved.triangulation() == model.triangulation();
            retriangulated += usize::from(!same);
            for (algorithm, was_prepared) in
                algorithms.iter().zip(prepared).take(hierarchies().len())
            {
                let bytes = algorithm.prepared_bytes(&moved);
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
                let [of_moved, of_new] =
                    [&moved, &new].map(|model| Placed::new(model, &Pose::IDENTITY).unwrap());
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

//! Every exact narrow phase of the registry, by name, gives brute force's answers at some poses of
//! each kind of model. The long comparison is in the crate `narrow`.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use xcollide::bounds::Obb;
use xcollide::brep::FaceId;
use xcollide::narrow::bvh::binary::{Builder, Split};
use xcollide::narrow::combine::Thresholds;
use xcollide::narrow::mesh::BinaryTrees;
use xcollide::narrow::{
    Guarantee, Model, NarrowPhase, PairCache, Placed, Pose, Query, Semantics, Verdict,
};
use xcollide::registry::{self, Kind};
use xcollide::{PoseError, World};
use xcollide_scenes::{Poses, Random};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Whether a pair collides, and the faces in contact.
type Answer = (bool, Vec<(FaceId, FaceId)>);

/// Convex, concave, with holes, open, of many pieces, and a soup, all of similar size.
const SHAPES: [&str; 6] = [
    "polytope?vertices=20&seed=2",
    "torus?faces=60",
    "frame",
    "mobius?faces=30",
    "cubes?n=2",
    "soup?faces=30&length=0.6&seed=1",
];

/// One algorithm's verdict, verified, and its contacts.
fn answer(
    algorithm: &dyn NarrowPhase,
    a: Placed<'_>,
    b: Placed<'_>,
    semantics: Semantics,
    cache: &mut PairCache,
) -> Result<Answer, Box<dyn std::error::Error>> {
    let query = Query::new().semantics(semantics);
    let mut contacts = Vec::new();
    let verdict = algorithm.contacts(a, b, &query, usize::MAX, cache, &mut contacts);
    let again = algorithm.test(a, b, &query, cache);
    assert_eq!(verdict.decided(), again.decided(), "{}", algorithm.name());
    for verdict in [&verdict, &again] {
        match verdict {
            Verdict::Collides(witness) => witness.verify(a, b, semantics)?,
            Verdict::Apart(separation) => separation.verify(a, b, semantics)?,
            Verdict::Undecided(reason) => {
                return Err(format!("{}: {reason:?}", algorithm.name()).into());
            }
        }
    }
    Ok((verdict.is_collision(), contacts))
}

#[test]
fn every_exact_algorithm_of_the_registry_agrees_with_brute_force() -> Outcome {
    let models = SHAPES
        .iter()
        .map(|spec| Ok(Model::from_mesh(xcollide_scenes::shape(spec)?)?))
        .collect::<Result<Vec<_>, Box<dyn std::error::Error>>>()?;
    let referee = registry::narrow_phase("brute-force").ok_or("no brute force")?;
    let exact: Vec<Box<dyn NarrowPhase>> = registry::of_kind(Kind::Narrow)
        .filter(|entry| entry.guarantee == Guarantee::Exact)
        .filter_map(registry::Entry::narrow_phase)
        .collect();
    let mut asked = vec![0; exact.len()];
    let mut answers = [0; 2];
    let mut poses = Poses::new(6);
    for model_a in &models {
        for model_b in &models {
            let mut caches: Vec<PairCache> = exact.iter().map(|_| PairCache::new()).collect();
            for distance in [0.0, 0.7, 1.2, 1.6, 2.2, 4.0] {
                let pose = poses.at_distance(distance).pose();
                let a = Placed::new(model_a, &Pose::IDENTITY)?;
                let b = Placed::new(model_b, &pose)?;
                for semantics in [Semantics::Solid, Semantics::Surface] {
                    let truth = answer(&*referee, a, b, semantics, &mut PairCache::new())?;
                    answers[usize::from(truth.0)] += 1;
                    for (number, algorithm) in exact.iter().enumerate() {
                        if algorithm.accepts(model_a.topology(), model_b.topology()) {
                            let found = answer(&**algorithm, a, b, semantics, &mut caches[number])?;
                            assert_eq!(found, truth, "{}, {pose:?}", algorithm.name());
                            asked[number] += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(answers.iter().all(|&count| count > 100), "{answers:?}: one-sided");
    assert!(asked.iter().all(|&count| count > 0), "{asked:?}: one was never asked");
    Ok(())
}

/// The sizes that a world is built with are those of its narrow phase: it prepares models for compact trees, which the
/// default never uses.
#[test]
fn thresholds_of_a_world_are_those_of_its_narrow_phase() -> Outcome {
    let compact = registry::narrow_phase("wide-compact").ok_or("no compact trees")?;
    for (thresholds, expected) in [("", false), ("compact_triangles = 10", true)] {
        let torus = Model::from_mesh(xcollide_scenes::shape("torus?faces=60")?)?;
        let world = World::builder().thresholds(thresholds.parse::<Thresholds>()?).build();
        world.narrow_phase().prepare(&torus)?;
        assert_eq!(compact.prepared_bytes(&torus).is_some(), expected, "`{thresholds}`");
    }
    Ok(())
}

/// Each builder is for the algorithms whose hierarchies it makes.
#[test]
fn builders_are_for_the_algorithms_with_their_hierarchies() {
    let binary = ["obb-tree", "aabb-tree", "kdop-tree", "sphere-tree"];
    let wide = ["wide-obb", "wide-compact"];
    for (build, [for_binary, for_wide, for_interval, for_box]) in [
        ("auto", [true; 4]),
        ("sah", [true, true, true, false]),
        ("median", [true, false, true, false]),
        ("longest-axis", [true, false, false, false]),
        ("mean-variance", [true, false, false, false]),
        ("total-volume", [true, false, false, false]),
        ("morton", [false, true, false, false]),
        ("cut-bisection", [false, false, false, true]),
        ("cut-empty", [false, false, false, true]),
        ("cut-sweep", [false, false, false, true]),
    ] {
        let is_usable = |name: &str| registry::narrow_phase_built(name, build).is_ok();
        assert_eq!(binary.map(is_usable), [for_binary; 4], "{build}");
        assert_eq!(wide.map(is_usable), [for_wide; 2], "{build}");
        let found = ["interval-tree", "box-tree"].map(is_usable);
        assert_eq!(found, [for_interval, for_box], "{build}");
    }
    assert_eq!(registry::of_kind(Kind::Build).count(), 10);
}

/// Every builder in every algorithm that can use it. Models are shared by all, and caches by the
/// builders of an algorithm, so mixed-up trees would show.
#[test]
fn every_builder_gives_the_answers_of_brute_force() -> Outcome {
    let models =
        ["torus?faces=60", "mobius?faces=30", "cubes?n=2", "soup?faces=30&length=0.6&seed=1"]
            .iter()
            .map(|spec| Ok(Model::from_mesh(xcollide_scenes::shape(spec)?)?))
            .collect::<Result<Vec<_>, Box<dyn std::error::Error>>>()?;
    let referee = registry::narrow_phase("brute-force").ok_or("no brute force")?;
    let mut built: Vec<Vec<Box<dyn NarrowPhase>>> = Vec::new();
    let mut uses = vec![0; registry::of_kind(Kind::Build).count()];
    for entry in registry::of_kind(Kind::Narrow) {
        let mut ways = Vec::new();
        for (number, build) in registry::of_kind(Kind::Build).enumerate() {
            if let Ok(way) = registry::narrow_phase_built(entry.name, build.name) {
                assert_eq!(way.name(), entry.name);
                uses[number] += 1;
                ways.push(way);
            }
        }
        // Algorithms with only their own builder are compared elsewhere.
        if ways.len() > 1 {
            built.push(ways);
        }
    }
    assert!(built.len() >= 8, "{} algorithms have a choice", built.len());
    assert!(uses.iter().all(|&count| count > 0), "{uses:?}: a builder that nobody can use");
    let mut answers = [0; 2];
    let mut poses = Poses::new(7);
    for model_a in &models {
        for model_b in &models {
            let mut caches: Vec<PairCache> = built.iter().map(|_| PairCache::new()).collect();
            for distance in [0.0, 0.9, 1.7, 3.0] {
                let pose = poses.at_distance(distance).pose();
                let a = Placed::new(model_a, &Pose::IDENTITY)?;
                let b = Placed::new(model_b, &pose)?;
                let truth = answer(&*referee, a, b, Semantics::Solid, &mut PairCache::new())?;
                answers[usize::from(truth.0)] += 1;
                for (ways, cache) in built.iter().zip(&mut caches) {
                    for way in ways {
                        let found = answer(&**way, a, b, Semantics::Solid, cache)?;
                        assert_eq!(found, truth, "{}, {pose:?}", way.name());
                    }
                }
            }
        }
    }
    assert!(answers.iter().all(|&count| count > 10), "{answers:?}: one-sided");
    Ok(())
}

/// By name and by type it is the same builder: by the work of the queries, which is not that of the algorithm's own one.
#[test]
fn a_builder_by_name_is_the_one_by_type() -> Outcome {
    let model = Model::from_mesh(xcollide_scenes::shape("torus?faces=200")?)?;
    let by_name = registry::narrow_phase_built("obb-tree", "median")?;
    let by_type = BinaryTrees::<Obb>::with(Builder::new(Split::Median));
    let own = BinaryTrees::<Obb>::new();
    let algorithms: [&dyn NarrowPhase; 3] = [&*by_name, &by_type, &own];
    let (mut poses, mut work) = (Poses::new(8), [0; 3]);
    for _ in 0..20 {
        let pose = poses.at_distance(1.2).pose();
        let (a, b) = (Placed::new(&model, &Pose::IDENTITY)?, Placed::new(&model, &pose)?);
        for (algorithm, work) in algorithms.iter().zip(&mut work) {
            let mut cache = PairCache::new();
            let verdict = algorithm.test(a, b, &Query::new().stats(true), &mut cache);
            assert!(verdict.decided().is_some());
            *work += cache.stats().volume_tests;
        }
    }
    assert!(work[0] > 100 && work[0] == work[1] && work[1] != work[2], "{work:?}");
    Ok(())
}

#[test]
fn what_cannot_be_built_so_is_told_with_what_can() {
    let told = |name: &str, build: &str| {
        registry::narrow_phase_built(name, build).err().map(|error| error.to_string())
    };
    assert_eq!(told("kdop-tree", "total-volume"), None);
    assert_eq!(told("brute-force", "auto"), None);
    let builders: Vec<&str> = registry::of_kind(Kind::Build).map(|entry| entry.name).collect();
    let unknown = format!("found `guesswork`, expected one of: {}", builders.join(", "));
    assert_eq!(told("obb-tree", "guesswork"), Some(unknown));
    assert!(told("guesswork", "sah").is_some_and(|told| told.contains("obb-tree, aabb-tree")));
    for (name, build, expected) in [
        (
            "box-tree",
            "sah",
            "box-tree keeps a box-tree, the builder makes a binary tree; builders for it: auto, \
             cut-bisection, cut-empty, cut-sweep",
        ),
        (
            "brute-force",
            "median",
            "brute-force has no tree whose builder can be chosen; builders for it: auto",
        ),
    ] {
        assert_eq!(told(name, build).as_deref(), Some(expected));
    }
}

/// A rotation that is off by nearly as much as a pose accepts: stretched, shrunken and sheared.
fn off(pose: &Pose, random: &mut Random) -> Result<Pose, PoseError> {
    const MOST: f64 = 4.9e-7;
    let mut by = [[0.0; 3]; 3];
    for row in 0..3 {
        for column in 0..=row {
            // Extremes as often as what lies between.
            let value = (MOST * random.between(-2.0, 2.0)).clamp(-MOST, MOST);
            (by[row][column], by[column][row]) = (value, value);
        }
        by[row][row] += 1.0;
    }
    let rows = *pose.rotation();
    let product = by.map(|[x, y, z]| {
        [0, 1, 2].map(|column| x * rows[0][column] + y * rows[1][column] + z * rows[2][column])
    });
    Pose::from_matrix(product, pose.translation())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// The margins of all filters hold for matrices that are rotations only within 1e-6. Around the
    /// contact of two models, where margins decide, every exact algorithm gives the answer of brute
    /// force, which knows no margins, with a proof.
    #[test]
    fn all_exact_algorithms_agree_on_matrices_off_by_1e_6(
        seed in any::<u64>(),
        shapes in [0..SHAPES.len(), 0..SHAPES.len()],
        away in prop_oneof![Just(0.0), Just(1.0), Just(1e3)],
    ) {
        let models = shapes.map(|shape| Model::from_mesh(xcollide_scenes::shape(SHAPES[shape]).unwrap()).unwrap());
        let referee = registry::narrow_phase("brute-force").unwrap();
        let mut random = Random::new(seed);
        let mut poses = Poses::new(seed);
        let here = off(&poses.at_distance(away).pose(), &mut random).unwrap();
        let there = off(&poses.at_distance(0.0).pose(), &mut random).unwrap();
        let way = poses.direction();
        let at = |distance: f64| {
            there.with_translation([0, 1, 2].map(|k| here.translation()[k] + distance * way[k]))
        };
        let ask = |algorithm: &dyn NarrowPhase, distance: f64, cache: &mut PairCache| {
            let there = at(distance);
            let [a, b] = [Placed::new(&models[0], &here).unwrap(), Placed::new(&models[1], &there).unwrap()];
            answer(algorithm, a, b, Semantics::Solid, cache).unwrap()
        };
        let (mut low, mut high) = (0.0, 8.0);
        while high - low > 1e-15 * (1.0 + away) {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                break;
            }
            let meets = ask(&*referee, middle, &mut PairCache::new()).0;
            *if meets { &mut low } else { &mut high } = middle;
        }
        let steps = [low, high, low - 1e-9, high + 1e-9, low - 1e-6, high + 1e-6];
        let truths = steps.map(|distance| ask(&*referee, distance, &mut PairCache::new()));
        let exact = registry::of_kind(Kind::Narrow)
            .filter(|entry| entry.guarantee == Guarantee::Exact)
            .filter_map(registry::Entry::narrow_phase);
        for algorithm in exact {
            if algorithm.accepts(models[0].topology(), models[1].topology()) {
                let mut cache = PairCache::new();
                for (&distance, truth) in steps.iter().zip(&truths) {
                    let found = ask(&*algorithm, distance, &mut cache);
                    prop_assert_eq!(&found, truth, "{} at {:e}", algorithm.name(), distance);
                }
            }
        }
    }
}

//! Many pairs asked together get the answers that each gets alone, with proofs that do not depend on who is
//! beside them.

use crate::support::{Random, checked, random_pose, shape};
use std::time::Duration;

use xcollide_brep::{PolygonMesh, Topology};
use xcollide_narrow::convex::Hybrid;
use xcollide_narrow::{
    Guarantee, Model, NarrowPhase, PairCache, PairQuery, Placed, Pose, PrepareError, Query, Reason,
    Semantics, Stop, Verdict,
};

/// [`Hybrid`], which asks about the same pair several times at once: with the memory that it is given, and
/// without, in both orders.
#[derive(Debug, Default)]
pub(crate) struct Together(Hybrid);

impl NarrowPhase for Together {
    fn name(&self) -> &'static str {
        "hybrid, many"
    }

    fn accepts(&self, a: Topology, b: Topology) -> bool {
        self.0.accepts(a, b)
    }

    fn guarantee(&self) -> Guarantee {
        self.0.guarantee()
    }

    fn prepare(&self, model: &Model) -> Result<(), PrepareError> {
        self.0.prepare(model)
    }

    fn test(&self, a: Placed<'_>, b: Placed<'_>, query: &Query, cache: &mut PairCache) -> Verdict {
        let mut fresh = [(); 2].map(|()| PairCache::new());
        let [c, d] = &mut fresh;
        let mut questions =
            [PairQuery::new(b, a, c), PairQuery::new(a, b, cache), PairQuery::new(a, b, d)];
        let mut verdicts = Vec::new();
        self.0.test_many(&mut questions, query, &mut verdicts);
        let [swapped, asked, other] = <[Verdict; 3]>::try_from(verdicts).unwrap();
        assert_eq!([swapped.decided(), other.decided()], [asked.decided(); 2]);
        checked(&swapped, b, a, query.semantics);
        // With no memory, whoever is beside it.
        let (mut alone, mut cache) = (Vec::new(), PairCache::new());
        self.0.test_many(&mut [PairQuery::new(a, b, &mut cache)], query, &mut alone);
        assert_eq!(other, alone[0]);
        asked
    }
}

/// Pairs of models of many sizes, in poses that touch, nearly touch, are apart and deep in each other.
#[test]
fn companions_change_nothing() {
    let specs = [
        "shape:tetrahedron",
        "shape:box",
        "shape:polytope?vertices=8&seed=1",
        "shape:polytope?vertices=20&seed=2",
        "shape:polytope?vertices=33&seed=3",
        "shape:polytope?vertices=60&seed=4",
        "shape:polytope?vertices=300&seed=5",
        "shape:polytope?vertices=20&kind=rod&seed=1",
        "shape:polytope?vertices=24&seed=6",
    ];
    let models: Vec<Model> = specs.iter().map(|spec| shape(spec)).collect();
    let mut random = Random::new(8);
    let mut pairs = Vec::new();
    for number in 0..1200_usize {
        let mut pose = random_pose(&mut random, 1.0);
        let size = |i: usize| models[i].local_box().size().into_iter().fold(0.0, f64::max);
        let (i, j) = (number % models.len(), (number / 7) % models.len());
        let away = [0.1, 0.5, 0.9, 1.0, 1.05][number % 5] * 0.5 * (size(i) + size(j));
        pose = pose.with_translation(
            (nalgebra::Vector3::from(pose.translation()).normalize() * away).into(),
        );
        pairs.push((i, j, pose));
    }
    let placed: Vec<[Placed<'_>; 2]> = pairs
        .iter()
        .map(|(i, j, pose)| {
            [
                Placed::new(&models[*i], &Pose::IDENTITY).unwrap(),
                Placed::new(&models[*j], pose).unwrap(),
            ]
        })
        .collect();
    let algorithm = Hybrid::default();
    let query = Query::new();
    let alone: Vec<Verdict> =
        placed.iter().map(|[a, b]| algorithm.test(*a, *b, &query, &mut PairCache::new())).collect();
    let ask = |numbers: &[usize], query: &Query| {
        let mut caches: Vec<PairCache> = numbers.iter().map(|_| PairCache::new()).collect();
        let mut questions: Vec<PairQuery<'_>> = numbers
            .iter()
            .zip(&mut caches)
            .map(|(&number, cache)| PairQuery::new(placed[number][0], placed[number][1], cache))
            .collect();
        let mut verdicts = vec![alone[0].clone(); 3];
        algorithm.test_many(&mut questions, query, &mut verdicts);
        let probes: Vec<u64> = caches.iter().map(|cache| cache.stats().probes).collect();
        (verdicts, probes)
    };
    let all: Vec<usize> = (0..placed.len()).collect();
    let (together, _) = ask(&all, &query);
    assert_eq!(together.len(), alone.len());
    let mut hits = 0;
    for (number, (many, one)) in together.iter().zip(&alone).enumerate() {
        let [a, b] = placed[number];
        assert_eq!(many.decided(), one.decided(), "{:?}", pairs[number]);
        checked(many, a, b, Semantics::Solid);
        hits += usize::from(many.is_collision());
    }
    assert!(hits > 200 && hits < 1000, "{hits}");
    let mut counted = 0;
    for _ in 0..40 {
        let count = random.integer(1, 150) as usize;
        let some: Vec<usize> =
            (0..count).map(|_| random.integer(0, placed.len() as i64 - 1) as usize).collect();
        let (verdicts, _) = ask(&some, &query);
        let (with_stats, probes) = ask(&some, &query.stats(true));
        assert_eq!(verdicts, with_stats);
        for (&number, verdict) in some.iter().zip(&verdicts) {
            assert_eq!(*verdict, together[number], "{:?}", pairs[number]);
        }
        counted += probes.iter().sum::<u64>();
    }
    assert!(counted > 1000, "{counted}");
}

/// Boxes and other small hulls, which are searched in single precision, from clearly apart to just touching, near the
/// origin and far from it.
#[test]
fn small_hulls_near_contact_have_proofs() {
    let specs = ["shape:tetrahedron", "shape:box", "shape:polytope?vertices=8&seed=1"];
    let models = specs.map(shape);
    let (algorithm, query) = (Hybrid::default(), Query::new());
    let mut random = Random::new(12);
    let mut pairs = Vec::new();
    for number in 0..240_usize {
        let [a, b] = [&models[number % 3], &models[number / 3 % 3]];
        let far = [0.0, 1e3, 1e7][number / 9 % 3];
        let [here, there] = [(); 2].map(|()| random_pose(&mut random, 1.0));
        let away = nalgebra::Vector3::from(there.translation()).normalize();
        let at = |distance: f64| {
            let from = nalgebra::Vector3::new(far, -0.5 * far, 0.25 * far);
            let pose =
                |pose: &Pose, place: nalgebra::Vector3<f64>| pose.with_translation(place.into());
            [pose(&here, from), pose(&there, from + away * distance)]
        };
        let [mut low, mut high] = [0.0, 10.0];
        for _ in 0..50 {
            let middle = 0.5 * (low + high);
            let [p, q] = at(middle);
            let placed = [Placed::new(a, &p).unwrap(), Placed::new(b, &q).unwrap()];
            let verdict = algorithm.test(placed[0], placed[1], &query, &mut PairCache::new());
            if verdict.is_collision() { low = middle } else { high = middle }
        }
        for exponent in [1, 3, 5, 6, 7, 9, 12] {
            let gap = 10.0_f64.powi(-exponent);
            pairs.extend([-gap, gap].map(|gap| (a, b, at(high + gap))));
        }
    }
    let mut caches: Vec<PairCache> = pairs.iter().map(|_| PairCache::new()).collect();
    let placed: Vec<[Placed<'_>; 2]> = pairs
        .iter()
        .map(|(a, b, [p, q])| [Placed::new(a, p).unwrap(), Placed::new(b, q).unwrap()])
        .collect();
    let mut questions: Vec<PairQuery<'_>> = placed
        .iter()
        .zip(&mut caches)
        .map(|(&[a, b], cache)| PairQuery::new(a, b, cache))
        .collect();
    let mut verdicts = Vec::new();
    algorithm.test_many(&mut questions, &query, &mut verdicts);
    for (&[a, b], verdict) in placed.iter().zip(&verdicts) {
        checked(verdict, a, b, Semantics::Solid);
        let alone = algorithm.test(a, b, &query, &mut PairCache::new());
        assert_eq!(verdict.decided(), alone.decided());
    }
    let hits = verdicts.iter().filter(|verdict| verdict.is_collision()).count();
    assert!(hits * 3 > verdicts.len() && hits * 3 < 2 * verdicts.len(), "{hits}");
}

/// What moves little is remembered, whoever asks, and whether together or alone.
#[test]
fn memories_serve_both_ways_of_asking() {
    let model = shape("shape:polytope?vertices=40&seed=7");
    let here = Placed::new(&model, &Pose::IDENTITY).unwrap();
    let algorithm = Hybrid::default();
    let mut caches: Vec<PairCache> = (0..20).map(|_| PairCache::new()).collect();
    let (mut hits, mut few) = (0, 0);
    for frame in 0..60 {
        let poses: Vec<Pose> = (0..caches.len())
            .map(|number| {
                let x = 0.05 * number as f64 + 0.002 * f64::from(frame);
                let size = model.local_box().size()[0];
                Pose::from_translation([size * (0.4 + x), 0.01, 0.02])
            })
            .collect();
        let places: Vec<Placed<'_>> =
            poses.iter().map(|pose| Placed::new(&model, pose).unwrap()).collect();
        let query = Query::new().stats(true);
        if frame % 3 == 2 {
            for (place, cache) in places.iter().zip(&mut caches) {
                checked(
                    &algorithm.test(here, *place, &query, cache),
                    here,
                    *place,
                    Semantics::Solid,
                );
            }
        }
        let mut questions: Vec<PairQuery<'_>> = places
            .iter()
            .zip(&mut caches)
            .map(|(place, cache)| PairQuery::new(here, place, cache))
            .collect();
        let mut verdicts = Vec::new();
        algorithm.test_many(&mut questions, &query, &mut verdicts);
        for (verdict, place) in verdicts.iter().zip(&places) {
            let expected = Hybrid::default().test(here, *place, &query, &mut PairCache::new());
            assert_eq!(verdict.decided(), expected.decided());
            checked(verdict, here, *place, Semantics::Solid);
            hits += usize::from(verdict.is_collision());
        }
        few += caches.iter().filter(|cache| cache.stats().probes <= 1).count();
    }
    assert!(hits > 200 && hits < 1000, "{hits}");
    // Nearly all: what held a frame ago holds still.
    assert!(few * 10 > 60 * caches.len() * 8, "{few}");
}

/// Models without vertices, and pairs that may be broken off, are asked about alone; whoever is beside them
/// gets the same proof.
#[test]
fn empty_models_and_stops_are_no_harm() {
    let empty =
        Model::from_mesh(PolygonMesh::from_polygons(vec![], Vec::<[u32; 3]>::new()).unwrap())
            .unwrap();
    let model = shape("shape:polytope?vertices=20&seed=2");
    let here = Placed::new(&model, &Pose::IDENTITY).unwrap();
    let pose_near = Pose::from_translation([0.3, 0.2, 0.1]);
    let near = Placed::new(&model, &pose_near).unwrap();
    let nothing = Placed::new(&empty, &Pose::IDENTITY).unwrap();
    let (stop, query) = (Stop::new(), Query::new());
    stop.stop();
    let ask = |with: &[usize]| {
        let mut caches: Vec<PairCache> = with.iter().map(|_| PairCache::new()).collect();
        for (cache, &which) in caches.iter_mut().zip(with) {
            cache.set_stop((which == 2).then(|| stop.clone()));
        }
        let others = [&near, &nothing, &near];
        let questions = with.iter().zip(&mut caches);
        let mut questions: Vec<PairQuery<'_>> =
            questions.map(|(&which, cache)| PairQuery::new(here, others[which], cache)).collect();
        let mut verdicts = Vec::new();
        Hybrid::default().test_many(&mut questions, &query, &mut verdicts);
        verdicts
    };
    let plain = ask(&[0]);
    assert!(plain[0].is_collision());
    let mixed = ask(&[0, 1, 2, 0, 0]);
    assert_eq!([&mixed[0], &mixed[3], &mixed[4]], [&plain[0]; 3]);
    assert!(mixed[1].is_apart());
    assert_eq!(mixed[2], Verdict::Undecided(Reason::OutOfTime));
    let late = Query::new().budget(Duration::ZERO);
    let mut cache = PairCache::new();
    let mut verdicts = Vec::new();
    Hybrid::default().test_many(
        &mut [PairQuery::new(here, near, &mut cache)],
        &late,
        &mut verdicts,
    );
    assert_eq!(verdicts, [Verdict::Undecided(Reason::OutOfTime)]);
}

//! The choice by the two models changes no answer.

use xcollide_narrow::combine::{Auto, Thresholds};
use xcollide_narrow::mesh::BruteForce;
use xcollide_narrow::{NarrowPhase, PairCache, PairQuery, Placed, Pose, Query, Semantics, Verdict};
use xcollide_scenes::Poses;

use crate::support::{shape, unmoved};

/// `test_many` gives each pair of a mix of convex and other models the verdict that `test` gives it, with a proof, also in
/// later frames with the caches of earlier ones.
#[test]
fn pairs_that_are_asked_about_together_get_their_own_verdicts()
-> Result<(), Box<dyn std::error::Error>> {
    let shapes = ["polytope?vertices=12&seed=2", "box", "torus?faces=40", "mobius?faces=20"];
    let models = shapes.map(shape);
    let mut few = Thresholds::default();
    few.convex_vertices = 20;
    for auto in [Auto::new(), Auto::with(few)] {
        // All convex, a mix, and none that is; the convex box counts as another by the second sizes.
        for [first, last] in [[0, 1], [0, 3], [2, 3]] {
            let mut poses = Poses::new(5);
            let mut caches: Vec<_> = (0..40).map(|_| PairCache::new()).collect();
            let (mut verdicts, mut seen) = (Vec::new(), [0; 2]);
            for frame in 0..6 {
                let places: Vec<Pose> =
                    (0..40).map(|_| Pose::from_translation(poses.translation(1.6))).collect();
                let mut placed = Vec::new();
                for (number, pose) in places.iter().enumerate() {
                    let model = |k: usize| &models[first + k % (last - first + 1)];
                    let here = unmoved(model(number));
                    placed.push([here, Placed::new(model(number / 3 + frame), pose)?]);
                }
                let mut queries: Vec<_> = placed
                    .iter()
                    .zip(&mut caches)
                    .map(|([a, b], cache)| PairQuery::new(a, b, cache))
                    .collect();
                auto.test_many(&mut queries, &Query::new(), &mut verdicts);
                assert_eq!(verdicts.len(), placed.len());
                for (&[a, b], verdict) in placed.iter().zip(&verdicts) {
                    let alone = auto.test(a, b, &Query::new(), &mut PairCache::new());
                    assert_eq!(verdict.decided(), alone.decided());
                    match verdict {
                        Verdict::Collides(witness) => witness.verify(a, b, Semantics::Solid)?,
                        Verdict::Apart(proof) => proof.verify(a, b, Semantics::Solid)?,
                        Verdict::Undecided(reason) => panic!("{reason:?}"),
                    }
                    seen[usize::from(verdict.is_collision())] += 1;
                }
            }
            assert!(seen.iter().all(|&count| count > 20), "{seen:?}");
        }
    }
    Auto::new().test_many(&mut [], &Query::new(), &mut Vec::new());
    Ok(())
}

/// Every choice comes up by some thresholds, and none changes an answer.
#[test]
fn thresholds_change_the_choice_and_no_answer() -> Result<(), Box<dyn std::error::Error>> {
    let shapes = ["polytope?vertices=12&seed=2", "torus?faces=40", "tetrahedron"];
    let [round, torus, small] = shapes.map(shape);
    let auto = |convex_vertices, brute_force_pairs, compact_triangles| {
        let mut thresholds = Thresholds::default();
        thresholds.convex_vertices = convex_vertices;
        thresholds.brute_force_pairs = brute_force_pairs;
        thresholds.compact_triangles = compact_triangles;
        Auto::with(thresholds)
    };
    let choosers = [Auto::new(), auto(10, 400, 150), auto(0, 0, 0), auto(24, 16, 40)];
    let mut chosen = std::collections::BTreeSet::new();
    let mut poses = Poses::new(3);
    for (a, b) in [(&round, &round), (&round, &torus), (&torus, &torus), (&small, &small)] {
        for _ in 0..20 {
            let [x, y, z] = poses.translation(1.2);
            let pose = Pose::from_translation([x, y, z]);
            let (here, there) = (unmoved(a), Placed::new(b, &pose)?);
            let truth = BruteForce.test(here, there, &Query::new(), &mut PairCache::new());
            for chooser in &choosers {
                chosen.insert(chooser.choice(a, b).name());
                let verdict = chooser.test(here, there, &Query::new(), &mut PairCache::new());
                assert_eq!(verdict.decided(), truth.decided());
                if let Verdict::Collides(witness) = verdict {
                    witness.verify(here, there, Semantics::Solid)?;
                }
            }
        }
    }
    let names: Vec<&str> = chosen.into_iter().collect();
    assert_eq!(names, ["brute-force", "hybrid", "wide-compact", "wide-obb"]);
    Ok(())
}

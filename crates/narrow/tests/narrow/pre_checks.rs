//! Approximate tests: what they prove is right, and what they know of the rest holds.
#![allow(clippy::unwrap_used)]

use crate::support;

use std::time::Duration;

use support::{Random, random_pose, shape};
use xcollide_narrow::classic::PreChecks;
use xcollide_narrow::mesh::BruteForce;
use xcollide_narrow::proximity::distance;
use xcollide_narrow::{NarrowPhase, PairCache, Placed, Pose, Query, Reason, Semantics, Verdict};

const ALL: [PreChecks; 2] = [PreChecks::Arbitrary, PreChecks::Wide];

/// Against brute force, for bodies and surfaces, at all distances.
#[test]
fn apart_is_proved_and_the_rest_is_as_near_as_it_is_said_to_be() {
    let models = [
        shape("torus?faces=200"),
        shape("cubes?n=2"),
        shape("mobius?faces=60"),
        shape("sphere?faces=80&radius=0.2"),
        shape("sphere?faces=300&radius=1.4"),
    ];
    let mut random = Random::new(11);
    // Apart, contained, and undecided pairs that collide and that do not.
    let mut seen = [[0; 4]; 2];
    for round in 0..400 {
        let (a, b) = (&models[round % 5], &models[round / 5 % 5]);
        let (here, there) = (Pose::IDENTITY, random_pose(&mut random, [1.6, 0.4, 2.0][round % 3]));
        let [a, b] = [Placed::new(a, &here).unwrap(), Placed::new(b, &there).unwrap()];
        for semantics in [Semantics::Solid, Semantics::Surface] {
            let query = Query::new().semantics(semantics).certify(true);
            let truth = BruteForce.test(a, b, &query, &mut PairCache::new()).is_collision();
            let true_distance = distance(a, b, semantics).unwrap().value;
            for (number, algorithm) in ALL.iter().enumerate() {
                let mut cache = PairCache::new();
                let verdict = algorithm.test(a, b, &query, &mut cache);
                let place = match &verdict {
                    Verdict::Apart(separation) => {
                        separation.verify(a, b, semantics).unwrap();
                        0
                    }
                    Verdict::Collides(witness) => {
                        witness.verify(a, b, semantics).unwrap();
                        1
                    }
                    Verdict::Undecided(Reason::MayTouch(near)) => {
                        assert!(verdict.or_guess(false));
                        near.verify(a, b).unwrap();
                        assert!(true_distance <= near.at_most + 1e-12, "{near:?}");
                        2 + usize::from(!truth)
                    }
                    Verdict::Undecided(reason) => panic!("{reason:?}"),
                };
                assert!(place > 1 || truth == (place == 1), "{}: {verdict:?}", algorithm.name());
                seen[number][place] += 1;
                // No pair of faces is shown of which nothing is proved.
                let mut shown = Vec::new();
                let again = algorithm.contacts(a, b, &query, 9, &mut cache, &mut shown);
                assert_eq!(again, verdict);
                assert!(shown.is_empty());
                let hurried = algorithm.test(a, b, &query.budget(Duration::ZERO), &mut cache);
                assert_eq!(hurried, Verdict::Undecided(Reason::OutOfTime));
            }
        }
    }
    assert!(seen.iter().flatten().all(|&count| count > 2), "{seen:?}");
}

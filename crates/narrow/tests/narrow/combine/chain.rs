//! One algorithm after another.

use xcollide_narrow::combine::Chain;
use xcollide_narrow::mesh::{BruteForce, Wide};
use xcollide_narrow::{Guarantee, NarrowPhase, PairCache, PairQuery, Placed, Pose, Query};
use xcollide_scenes::Poses;

use super::Unsure;
use crate::support::{shape, unmoved};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Whatever the first part leaves undecided, or does not accept, the chain answers as brute force
/// does; and two unsure ones stay so.
#[test]
fn a_chain_that_ends_exactly_is_exact() -> Outcome {
    let torus = shape("torus?faces=60");
    let open = shape("mobius?faces=30");
    let (exact, unsure) = (Chain(Unsure, Wide::new()), Chain(Unsure, Unsure));
    assert_eq!(exact.guarantee(), Guarantee::Exact);
    assert_eq!(Chain(Wide::new(), Unsure).guarantee(), Guarantee::Exact);
    assert_eq!(unsure.guarantee(), Guarantee::Misses);
    let mut poses = Poses::new(8);
    let (mut undecided, mut answers) = (0, [0; 2]);
    for other in [&torus, &open] {
        for _ in 0..60 {
            let [x, y, z] = poses.translation(1.6);
            let a = unmoved(&torus);
            let pose_b = Pose::from_translation([x, y, z]);
            let b = Placed::new(other, &pose_b)?;
            let (query, cache) = (Query::new(), &mut PairCache::new());
            let truth = BruteForce.test(a, b, &query, &mut PairCache::new()).decided();
            assert_eq!(exact.test(a, b, &query, cache).decided(), truth);
            answers[usize::from(truth == Some(true))] += 1;
            if unsure.accepts(torus.topology(), other.topology()) {
                let verdict = unsure.test(a, b, &query, cache).decided();
                assert_eq!(verdict, truth.filter(|_| x > 0.0));
                undecided += u32::from(verdict.is_none());
            }
        }
    }
    assert!(undecided > 10 && answers.iter().all(|&count| count > 10), "{undecided} {answers:?}");
    Ok(())
}

/// `test_many` gives each pair the verdict that `test` gives it, whether or not the first algorithm accepts the pair, and
/// whether or not it decides it.
#[test]
fn many_pairs_get_their_own_verdicts() -> Outcome {
    let torus = shape("torus?faces=60");
    let open = shape("mobius?faces=30");
    let mut poses = Poses::new(9);
    let (mut placed, mut query) = (Vec::new(), Query::new());
    let places: Vec<Pose> =
        (0..60).map(|_| Pose::from_translation(poses.translation(1.6))).collect();
    for (number, pose) in places.iter().enumerate() {
        let other = if number % 3 == 0 { &open } else { &torus };
        let a = unmoved(&torus);
        placed.push([a, Placed::new(other, pose)?]);
    }
    let exact = Chain(Unsure, Wide::new());
    let chains: [&dyn NarrowPhase; 3] = [&exact, &Chain(Wide::new(), Unsure), &exact];
    for chain in chains {
        let mut caches: Vec<_> = placed.iter().map(|_| PairCache::new()).collect();
        let pairs = placed.iter().zip(&mut caches);
        let mut queries: Vec<_> =
            pairs.map(|([a, b], cache)| PairQuery::new(a, b, cache)).collect();
        let mut verdicts = Vec::new();
        chain.test_many(&mut queries, &query, &mut verdicts);
        let alone = placed.iter().map(|&[a, b]| chain.test(a, b, &query, &mut PairCache::new()));
        assert_eq!(verdicts, alone.collect::<Vec<_>>());
        // The last with a proof of each.
        query = query.certify(true);
    }
    Ok(())
}

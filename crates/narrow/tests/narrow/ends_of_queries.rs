//! Queries end when their time is up or they are told to, and what they say then is right.

#![allow(clippy::unwrap_used)]

use std::time::Duration;

use xcollide_bounds::Obb;
use xcollide_bvh::classic::box_tree::BoxTree;
use xcollide_narrow::classic::{Arbitrary, EdgeFaceTrees, PatchTrees};
use xcollide_narrow::compound::Compound;
use xcollide_narrow::convex::Hybrid;
use xcollide_narrow::mesh::{BinaryTrees, BruteForce, BvhPair, Wide};
use xcollide_narrow::{
    NarrowPhase, PairCache, Query, Reason, Semantics, Separation, Stop, Verdict,
};

use crate::support::{self, shape};

const OUT_OF_TIME: Verdict = Verdict::Undecided(Reason::OutOfTime);

/// Whatever the budget, the verdict is that of a query without one, or undecided; with all the time
/// it is not.
#[test]
fn a_budget_never_changes_an_answer() {
    let [outer, inner] = [2.0, 1.0].map(|r| shape(&format!("sphere?faces=300&radius={r}")));
    let algorithms: [&dyn NarrowPhase; 8] = [
        &BruteForce,
        &Arbitrary::default(),
        &Wide::new(),
        &BinaryTrees::<Obb>::new(),
        &BvhPair::<BoxTree>::new(),
        &EdgeFaceTrees::default(),
        &PatchTrees::new(),
        &Compound,
    ];
    for algorithm in algorithms {
        for semantics in [Semantics::Solid, Semantics::Surface] {
            let (a, b) = (support::unmoved(&outer), support::unmoved(&inner));
            let query = Query::new().semantics(semantics).certify(true);
            let ask = |query: Query| algorithm.test(a, b, &query, &mut PairCache::new());
            let answer = ask(query);
            assert_eq!(answer.decided(), Some(semantics == Semantics::Solid));
            for microseconds in [0, 1, 10, 100, 1000] {
                let hurried = ask(query.budget(Duration::from_micros(microseconds)));
                // The proof alone may be late.
                let unproved = Verdict::Apart(Separation::Pairwise);
                let known = hurried == answer || answer.is_apart() && hurried == unproved;
                let late = matches!(&hurried, Verdict::Undecided(why) if why.is_out_of_time());
                assert!(known || late, "{}: {hurried:?}", algorithm.name());
                assert!(microseconds > 0 || hurried == OUT_OF_TIME, "{}", algorithm.name());
            }
            assert_eq!(ask(query.budget(Duration::from_secs(3600))), answer);
        }
    }
}

/// Everything ends when told to, and answers as ever when not.
#[test]
fn every_algorithm_ends_when_told_to() {
    let model = shape("sphere?faces=60");
    let a = support::unmoved(&model);
    let algorithms: [&dyn NarrowPhase; 8] = [
        &BruteForce,
        &Arbitrary::default(),
        &Wide::new(),
        &BvhPair::<BoxTree>::new(),
        &EdgeFaceTrees::default(),
        &PatchTrees::new(),
        &Compound,
        &Hybrid::default(),
    ];
    for algorithm in algorithms {
        let (stop, mut cache) = (Stop::new(), PairCache::new());
        cache.set_stop(Some(stop.clone()));
        let mut ask = || algorithm.test(a, a, &Query::new(), &mut cache);
        assert!(ask().is_collision(), "{}", algorithm.name());
        stop.stop();
        assert_eq!(ask(), OUT_OF_TIME, "{}", algorithm.name());
        cache.clear();
        assert_eq!(algorithm.test(a, a, &Query::new(), &mut cache), OUT_OF_TIME);
        cache.set_stop(None);
        assert!(algorithm.test(a, a, &Query::new(), &mut cache).is_collision());
    }
}

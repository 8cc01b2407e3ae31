//! Two small soups at a pose: every exact algorithm gives brute force's answer, which is that of integer arithmetic,
//! and every proof verifies.
#![no_main]

mod integer;
mod referee;

use std::sync::LazyLock;

use arbitrary::Arbitrary;
use integer::{Placing, Soup};
use libfuzzer_sys::fuzz_target;
use referee::{placed, triangles_meet};
use xcollide::narrow::{Guarantee, NarrowPhase, PairCache, Placed, Query, Semantics, Verdict};
use xcollide::registry::{self, Kind};

#[derive(Arbitrary, Debug)]
struct Case {
    a: Soup,
    b: Soup,
    placing_a: Placing,
    /// One query at each; caches live through all of them.
    placings_b: [Placing; 3],
    is_solid: bool,
    is_coherent: bool,
}

static EXACT: LazyLock<Vec<Box<dyn NarrowPhase>>> = LazyLock::new(|| {
    let exact = registry::of_kind(Kind::Narrow).filter(|entry| entry.guarantee == Guarantee::Exact);
    exact.filter_map(registry::Entry::narrow_phase).collect()
});

fuzz_target!(|case: Case| {
    let (Some(a), Some(b)) = (case.a.model(), case.b.model()) else { return };
    let semantics = if case.is_solid { Semantics::Solid } else { Semantics::Surface };
    let query = Query::new().semantics(semantics);
    let brute_force = registry::narrow_phase("brute-force").expect("it is registered");
    let mut caches: Vec<PairCache> = EXACT
        .iter()
        .map(|_| if case.is_coherent { PairCache::coherent() } else { PairCache::new() })
        .collect();
    let pose_a = case.placing_a.pose();
    let here: Vec<_> =
        case.a.triangles().iter().map(|t| t.map(|p| placed(case.placing_a, p))).collect();
    for placing in case.placings_b {
        let there: Vec<_> =
            case.b.triangles().iter().map(|t| t.map(|p| placed(placing, p))).collect();
        let surfaces_meet = here.iter().any(|s| there.iter().any(|t| triangles_meet(s, t)));
        let pose_b = placing.pose();
        let both = [Placed::new(&a, &pose_a), Placed::new(&b, &pose_b)];
        let [Ok(one), Ok(other)] = both else { panic!("small numbers can be placed") };
        let mut contacts = Vec::new();
        let mut cache = PairCache::new();
        let truth = brute_force.contacts(one, other, &query, usize::MAX, &mut cache, &mut contacts);
        let collides = truth.decided().expect("brute force decides");
        assert_eq!(!contacts.is_empty(), surfaces_meet, "brute force and integers");
        assert!(collides || !surfaces_meet);
        if semantics == Semantics::Surface {
            assert_eq!(collides, surfaces_meet);
        }
        for (algorithm, cache) in EXACT.iter().zip(&mut caches) {
            if !algorithm.accepts(a.topology(), b.topology()) {
                continue;
            }
            let verdict = algorithm.test(one, other, &query, cache);
            assert_eq!(verdict.decided(), Some(collides), "{}", algorithm.name());
            let verified = match &verdict {
                Verdict::Collides(witness) => witness.verify(one, other, semantics),
                Verdict::Apart(separation) => separation.verify(one, other, semantics),
                Verdict::Undecided(_) => unreachable!("it was decided"),
            };
            assert!(verified.is_ok(), "{}: {verified:?}", algorithm.name());
            let mut found = Vec::new();
            let _ = algorithm.contacts(one, other, &query, usize::MAX, cache, &mut found);
            assert_eq!(found, contacts, "contacts of {}", algorithm.name());
        }
    }
});

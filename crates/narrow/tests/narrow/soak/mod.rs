//! All exact algorithms against brute force: all ordered pairs of twenty shapes, at poses whose
//! gaps are known by construction, from one size apart to one size in, by way of one unit in the
//! last place.
//!
//! At every pose, for both semantics and for each algorithm: the verdict and the set of contacts
//! are brute force's, the other order of the two models gives the same verdict, a limited set of
//! contacts is part of the whole one, their number is right, and every proof holds. What is
//! remembered of a pair is kept from pose to pose, so nothing stale may be used. Where the
//! construction itself tells the answer, brute force is judged too.

#![allow(clippy::unwrap_used)]

mod approaches;
mod census;
mod shapes;
mod translations;
use crate::support;

use approaches::{Approach, GAPS};
use census::Census;
use shapes::Subject;
use support::{Random, hierarchies};
use xcollide_brep::FaceId;
use xcollide_fixtures::long_run;
use xcollide_narrow::classic::Arbitrary;
use xcollide_narrow::compound::Compound;
use xcollide_narrow::mesh::BruteForce;
use xcollide_narrow::{NarrowPhase, PairCache, Placed, Query, Semantics, Separation, Verdict};

/// All that are compared with brute force: every hierarchy of `support::hierarchies`, where a new
/// one is added, and the thesis's algorithm.
fn algorithms() -> Vec<Box<dyn NarrowPhase>> {
    let mut all = hierarchies();
    all.push(Box::new(Arbitrary::default()));
    all
}

/// A way to make an approach.
type Kind = fn(&Subject, &Subject, &mut Random) -> Approach;

/// Tests `rounds` approaches of all ordered pairs, at the gaps for which `chosen` (approach
/// number, gap number) is true.
fn look(kind: Kind, seed: u64, rounds: u64, chosen: impl Fn(usize, usize) -> bool) -> Census {
    look_by(&algorithms(), kind, seed, rounds, chosen)
}

/// The same for some algorithms.
fn look_by(
    algorithms: &[Box<dyn NarrowPhase>],
    kind: Kind,
    seed: u64,
    rounds: u64,
    chosen: impl Fn(usize, usize) -> bool,
) -> Census {
    let subjects = shapes::all();
    let mut census = Census::default();
    let mut approaches = 0;
    for (i, a) in subjects.iter().enumerate() {
        for (j, b) in subjects.iter().enumerate() {
            for round in 0..rounds {
                // What is kept from pose to pose is little or much, in turn.
                let kept = if round % 2 == 0 { PairCache::new } else { PairCache::coherent };
                let mut referee = Referee::new(algorithms, kept);
                let mut random =
                    Random::new((round << 32) + (i << 16) as u64 + j as u64 + (seed << 34));
                let approach = kind(a, b, &mut random);
                let first = Placed::new(&a.model, &approach.first).unwrap();
                for (number, &gap) in GAPS.iter().enumerate() {
                    if !chosen(approaches, number) {
                        continue;
                    }
                    let pose = approach.at(gap);
                    let second = Placed::new(&b.model, &pose).unwrap();
                    let context =
                        || format!("{} {}, {gap:e}: {:?} {pose:?}", a.name, b.name, approach.first);
                    let meet = referee.agreed(first, second, &context);
                    if let Some(promised) = approach.promised(gap) {
                        assert_eq!(meet[1], promised, "brute force is wrong: {}", context());
                        census.count_promised(promised);
                    }
                    census.count(number, meet);
                }
                approaches += 1;
            }
        }
    }
    census
}

/// Asks all algorithms about one pair of models again and again.
struct Referee<'a> {
    algorithms: &'a [Box<dyn NarrowPhase>],
    caches: Vec<PairCache>,
    asked: usize,
    contacts: Vec<(FaceId, FaceId)>,
    /// Proofs of this query that were verified, by the order of the two models: many algorithms
    /// bring the same.
    verified: [Vec<Separation>; 2],
}

impl<'a> Referee<'a> {
    fn new(algorithms: &'a [Box<dyn NarrowPhase>], kept: fn() -> PairCache) -> Self {
        let caches = algorithms.iter().map(|_| kept()).collect();
        Self { algorithms, caches, asked: 0, contacts: Vec::new(), verified: Default::default() }
    }

    /// Whether the solids and whether the surfaces meet, by brute force; panics if any algorithm
    /// says anything else.
    fn agreed(&mut self, a: Placed<'_>, b: Placed<'_>, context: &dyn Fn() -> String) -> [bool; 2] {
        let expected = contacts_by_brute_force(a, b);
        let meet = [Semantics::Solid, Semantics::Surface].map(|semantics| {
            self.asked += 1;
            self.verified.iter_mut().for_each(Vec::clear);
            let query = Query::new().semantics(semantics).certify(self.asked.is_multiple_of(7));
            let truth = BruteForce.test(a, b, &query, &mut PairCache::new());
            self.verify(&truth, a, b, semantics, 0, context);
            let meets = truth.is_collision();
            for number in 0..self.algorithms.len() {
                let algorithm = &*self.algorithms[number];
                let name = algorithm.name();
                let context = || format!("{name}, {semantics:?}: {}", context());
                let cache = &mut self.caches[number];
                let found = algorithm.contacts(a, b, &query, usize::MAX, cache, &mut self.contacts);
                assert_eq!(self.contacts, expected, "{}", context());
                let some = algorithm.contacts(a, b, &query, 2, cache, &mut self.contacts);
                assert_eq!(self.contacts.len(), expected.len().min(2), "{}", context());
                assert!(self.contacts.iter().all(|pair| expected.binary_search(pair).is_ok()));
                let (count, _) = algorithm.count_contacts(a, b, &query, cache);
                assert_eq!(count, expected.len(), "{}", context());
                let tested = algorithm.test(a, b, &query, cache);
                let swapped = algorithm.test(b, a, &query, cache);
                for verdict in [&found, &some, &tested, &swapped] {
                    assert_eq!(verdict.decided(), Some(meets), "{}", context());
                }
                self.verify(&found, a, b, semantics, 0, &context);
                self.verify(&tested, a, b, semantics, 0, &context);
                self.verify(&swapped, b, a, semantics, 1, &context);
            }
            meets
        });
        assert_eq!(meet[1], !expected.is_empty(), "{}", context());
        assert!(meet[0] || !meet[1], "surfaces are part of the solids: {}", context());
        meet
    }

    fn verify(
        &mut self,
        verdict: &Verdict,
        a: Placed<'_>,
        b: Placed<'_>,
        semantics: Semantics,
        order: usize,
        context: &dyn Fn() -> String,
    ) {
        let outcome = match verdict {
            Verdict::Collides(witness) => witness.verify(a, b, semantics),
            Verdict::Apart(separation) if self.verified[order].contains(separation) => return,
            Verdict::Apart(separation) => {
                self.verified[order].push(separation.clone());
                separation.verify(a, b, semantics)
            }
            Verdict::Undecided(reason) => panic!("undecided, {reason:?}: {}", context()),
        };
        assert_eq!(outcome, Ok(()), "{}", context());
    }
}

fn contacts_by_brute_force(a: Placed<'_>, b: Placed<'_>) -> Vec<(FaceId, FaceId)> {
    let query = Query::new().semantics(Semantics::Surface);
    let mut contacts = Vec::new();
    let mut cache = PairCache::new();
    let verdict = BruteForce.contacts(a, b, &query, usize::MAX, &mut cache, &mut contacts);
    assert_eq!(verdict.is_collision(), !contacts.is_empty());
    contacts
}

/// The least shares of surfaces apart and meeting, in percent, at a gap.
type Shares = fn(f64) -> [usize; 2];

const NEAREST: Shares = |gap| match gap {
    _ if gap > 0.0 => [80, 0],
    0.0 => [20, 20],
    _ => [0, 60],
};

const LAID_ON: Shares = |gap| match gap {
    _ if gap > 0.0 => [30, 10],
    0.0 => [0, 90],
    _ => [0, 45],
};

const SAME_PLACE: Shares = |_| [10, 35];

/// One gap of each approach, in turn.
fn one_gap(approach: usize, gap: usize) -> bool {
    (approach + gap).is_multiple_of(GAPS.len())
}

#[test]
fn twenty_shapes_agree_where_they_come_near() {
    look(approaches::nearest, 0, 1, one_gap).expect(400, NEAREST, [80, 0]);
}

#[test]
fn twenty_shapes_agree_where_they_are_laid_on_each_other() {
    look(approaches::laid_on, 0, 1, one_gap).expect(400, LAID_ON, [20, 10]);
}

/// All poses of `rounds` rounds, or of a sample those of a pair of shapes in fifty, where surfaces may
/// be apart or meet more often than they do in all.
fn look_long(kind: Kind, rounds: u64, shares: Shares, least: [usize; 2]) {
    let run = long_run(120, 6000 * rounds);
    let rounds = if run.is_whole { rounds } else { 1 };
    let census = look(kind, run.seed, rounds, |approach, _| run.picks(approach, 50));
    if run.is_whole {
        census.expect(run.cases as usize, shares, least);
    }
}

#[test]
fn twenty_shapes_agree_where_they_come_near_soak() {
    look_long(approaches::nearest, 2, NEAREST, [3000, 0]);
}

#[test]
fn twenty_shapes_agree_where_they_are_laid_on_each_other_soak() {
    look_long(approaches::laid_on, 2, LAID_ON, [1000, 500]);
}

#[test]
fn twenty_shapes_agree_where_they_are_in_the_same_place_soak() {
    look_long(approaches::same_pose, 1, SAME_PLACE, [0, 20]);
}

/// Convex pieces, of every kind of surface: the models are decomposed first, which takes its time.
#[test]
#[ignore = "decomposes twenty shapes for minutes; `cargo xtask soak` runs it"]
fn twenty_shapes_agree_by_their_convex_pieces_soak() {
    let run = long_run(0, 800);
    let compound: [Box<dyn NarrowPhase>; 1] = [Box::new(Compound)];
    let census = look_by(&compound, approaches::nearest, run.seed, 1, one_gap);
    census.expect(400, NEAREST, [80, 0]);
    let census = look_by(&compound, approaches::laid_on, run.seed, 1, one_gap);
    census.expect(400, LAID_ON, [20, 10]);
}

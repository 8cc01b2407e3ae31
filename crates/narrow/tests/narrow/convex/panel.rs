//! All convex algorithms, asked together, each with a memory that lives on.

use xcollide_convex::{GjkSearch, Subalgorithm, VertexSearch};
use xcollide_narrow::classic::{
    ClosestFeatures, Combined, CyrusBeck, Perceptron, SeparatingVector,
};
use xcollide_narrow::compound::Compound;
use xcollide_narrow::convex::{Certified, Gjk, Hybrid, MinkowskiSimplex, Sat};
use xcollide_narrow::mesh::{BruteForce, Wide};
use xcollide_narrow::{
    Guarantee, NarrowPhase, PairCache, Placed, Query, Reason, Semantics, Separation, Verdict,
};

use super::together::Together;
use crate::support::checked;

/// Every convex algorithm that the tests are about.
pub(crate) fn convex_algorithms() -> Vec<Box<dyn NarrowPhase>> {
    let mut all = separating_vectors();
    let others: [Box<dyn NarrowPhase>; 8] = [
        Box::new(Hybrid::default()),
        Box::new(Together::default()),
        Box::new(Gjk::default()),
        Box::new(Sat::default()),
        Box::new(CyrusBeck::default()),
        Box::new(Perceptron::default()),
        Box::new(Combined::default()),
        Box::new(ClosestFeatures::default()),
    ];
    all.extend(others);
    // Of several of one name the first is the default.
    for subalgorithm in [Subalgorithm::Johnson, Subalgorithm::SignedVolumes] {
        all.push(Box::new(Certified(GjkSearch { subalgorithm })));
    }
    all
}

/// The default first, then the family 3.9 with every other choice there is.
fn separating_vectors() -> Vec<Box<dyn NarrowPhase>> {
    let mut all: Vec<Box<dyn NarrowPhase>> = vec![Box::new(SeparatingVector::default())];
    let half_planes = || SeparatingVector::default().half_planes();
    let hemisphere = SeparatingVector::default;
    let centroids = hemisphere().from_surface_centroids();
    for search in [
        half_planes().vertices_by(VertexSearch::Tabled),
        half_planes().greed(0.5).vertices_by(VertexSearch::Octahedral),
        half_planes().vertices_by(VertexSearch::Fan),
        centroids.greed(0.0).vertices_by(VertexSearch::Climbing),
        hemisphere().vertices_by(VertexSearch::AllVertices),
        centroids.vertices_by(VertexSearch::Hierarchical),
    ] {
        all.push(Box::new(search));
    }
    all
}

/// The algorithms with their caches, and what they did.
pub(crate) struct Panel {
    members: Vec<Member>,
    /// Whether brute force is the referee too, besides the hierarchy.
    brute_force: bool,
}

struct Member {
    algorithm: Box<dyn NarrowPhase>,
    cache: PairCache,
    queries: u64,
    fallbacks: u64,
    undecided: u64,
    most_probes: u64,
}

impl Panel {
    pub(crate) fn new(brute_force: bool) -> Self {
        let members = convex_algorithms().into_iter().map(Member::new).collect();
        Self { members, brute_force }
    }

    /// With the algorithm that asks about convex pieces: for models of few faces, which each get theirs.
    pub(crate) fn with_compound(brute_force: bool) -> Self {
        let mut panel = Self::new(brute_force);
        panel.members.push(Member::new(Box::new(Compound)));
        panel
    }

    /// Asks all, with their memories and with none, in both orders, about bodies and surfaces;
    /// checks that the exact ones agree with the referees, that biased ones err to their side
    /// only, and every proof. Returns the answer for bodies.
    pub(crate) fn ask(&mut self, a: Placed<'_>, b: Placed<'_>) -> bool {
        let [solid, surface] = [Semantics::Solid, Semantics::Surface].map(|semantics| {
            let query = Query::new().semantics(semantics);
            let hit = Wide::new().test(a, b, &query, &mut PairCache::new()).is_collision();
            if self.brute_force {
                let slow = BruteForce.test(a, b, &query, &mut PairCache::new());
                assert_eq!(slow.is_collision(), hit);
            }
            hit
        });
        for member in &mut self.members {
            member.ask(a, b, Semantics::Solid, solid);
            member.ask(a, b, Semantics::Surface, surface);
            let fresh = |a, b| {
                let query = Query::new().stats(true);
                member.algorithm.test(a, b, &query, &mut PairCache::new())
            };
            for (verdict, a, b) in [(fresh(a, b), a, b), (fresh(b, a), b, a)] {
                assert!(agrees(&verdict, &*member.algorithm, a, b, Semantics::Solid, solid));
            }
        }
        check_simplex(a, b, solid);
        solid
    }

    /// Forgets what the algorithms remember.
    pub(crate) fn forget(&mut self) {
        for member in &mut self.members {
            member.cache.clear();
        }
    }

    /// Prints what was counted, and checks that every search was short.
    pub(crate) fn report(&self, title: &str) {
        for member in &self.members {
            println!(
                "{title}: {}: {} queries, {} fallbacks, {} undecided, at most {} probes",
                member.algorithm.name(),
                member.queries,
                member.fallbacks,
                member.undecided,
                member.most_probes
            );
            // One search, or one for each pair of pieces.
            let searches = if member.algorithm.name() == Compound.name() { 32 * 32 } else { 1 };
            assert!(member.most_probes < 600 * searches, "a search that hardly ended");
        }
    }

    /// The part of all queries that an algorithm could not certify.
    pub(crate) fn fallback_rate(&self, name: &str) -> f64 {
        let member = self.members.iter().find(|m| m.algorithm.name() == name).unwrap();
        member.fallbacks as f64 / member.queries as f64
    }
}

impl Member {
    fn new(algorithm: Box<dyn NarrowPhase>) -> Self {
        let cache = PairCache::new();
        Self { algorithm, cache, queries: 0, fallbacks: 0, undecided: 0, most_probes: 0 }
    }

    fn ask(&mut self, a: Placed<'_>, b: Placed<'_>, semantics: Semantics, expected: bool) {
        let query = Query::new().semantics(semantics).stats(true);
        let verdict = self.algorithm.test(a, b, &query, &mut self.cache);
        let stats = self.cache.stats();
        assert!(
            agrees(&verdict, &*self.algorithm, a, b, semantics, expected),
            "{}: {verdict:?}, expected {expected} for {semantics:?}, {stats:?}\n{:?}\n{:?}\n{:?}\n{:?}",
            self.algorithm.name(),
            a.pose(),
            b.pose(),
            a.model().mesh(),
            b.model().mesh(),
        );
        self.queries += 1;
        self.fallbacks += stats.fallbacks;
        self.undecided += u64::from(verdict.decided().is_none());
        self.most_probes = self.most_probes.max(stats.probes);
    }
}

/// Whether a verdict is the expected one, or an admission in the direction of the bias; checks its
/// proof.
fn agrees(
    verdict: &Verdict,
    algorithm: &dyn NarrowPhase,
    a: Placed<'_>,
    b: Placed<'_>,
    semantics: Semantics,
    expected: bool,
) -> bool {
    let Some(hit) = verdict.decided() else {
        let biased = matches!(verdict, Verdict::Undecided(Reason::Biased(_)));
        return biased && algorithm.guarantee() != Guarantee::Exact;
    };
    if hit == expected {
        checked(verdict, a, b, semantics);
    }
    hit == expected
}

/// Checks that there is a simplex for whatever collides, that one holds wherever it is found, and that
/// none is found where there is a plane.
fn check_simplex(a: Placed<'_>, b: Placed<'_>, collides: bool) {
    match MinkowskiSimplex::find(a, b) {
        Some(simplex) => {
            assert_eq!(simplex.verify(a, b), Ok(()));
            assert_eq!(simplex.swapped().verify(b, a), Ok(()));
            assert!(Separation::find_plane(a, b).is_none());
        }
        None => assert!(!collides, "{:?} {:?}", a.pose(), b.pose()),
    }
}

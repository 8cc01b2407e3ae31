//! Makes algorithms of convex searches: a certificate that the search found is the answer; otherwise the
//! exact test of triangles and bodies decides.
//!
//! So a search may be greedy, rounded, and give up at any time without making an answer wrong, and it works
//! for any model: models with disjoint hulls are apart (Chung 1996, 5.6); if hulls of other than solid
//! convex bodies meet, the exact test decides.

use std::iter::repeat_n;

use arrayvec::ArrayVec;
use xcollide_brep::{FaceId, Topology};

use xcollide_convex::{
    BatchEntry, Bias, ContactCertificate, Pair, Polytope, Search, SearchResult, Simplex,
};

use super::exact_fallback::exact;
use super::pair_memory::Memory;
use super::prepare::polytope_of;
use crate::combine::shared_out::{TOGETHER, shared_out};
use crate::mesh::Wide;
use crate::parallel_for::helpers;
use crate::query::Deadline;
use crate::{
    Certificate, Grain, Guarantee, Model, NarrowPhase, PairCache, PairQuery, Placed, PrepareError,
    Query, Reason, Semantics, Separation, Stats, Verdict, Witness,
};

/// The algorithm that runs a [`Search`] and certifies its results.
///
/// ```
/// use xcollide_narrow::convex::Hybrid;
/// use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query, Semantics};
///
/// # let (corners, faces) = xcollide_fixtures::tetrahedron();
/// # let tetrahedron = xcollide_brep::PolygonMesh::from_polygons(corners.to_vec(), faces)?;
/// let model = Model::from_mesh(tetrahedron)?;
/// let a = Placed::new(&model, &Pose::IDENTITY)?;
/// let mut cache = PairCache::new();
/// for step in 0..10 {
///     let pose = Pose::from_translation([0.25 + 0.125 * f64::from(step), 0.0, 0.0]);
///     let b = Placed::new(&model, &pose)?;
///     // Each query starts where the previous one ended.
///     let verdict = Hybrid::default().test(a, b, &Query::new(), &mut cache);
///     assert_eq!(verdict.is_collision(), step <= 6); // at 6 they touch
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Certified<S>(pub S);

impl<S: Search> NarrowPhase for Certified<S> {
    fn name(&self) -> &'static str {
        S::NAME
    }

    /// Convex models; any models if the search claims only that hulls are apart, as then the models are.
    fn accepts(&self, a: Topology, b: Topology) -> bool {
        accepts::<S>(a & b)
    }

    fn guarantee(&self) -> Guarantee {
        match S::BIAS {
            None => Guarantee::Exact,
            Some(Bias::Apart) => Guarantee::Misses,
            Some(Bias::Collides) => Guarantee::FalseHits,
        }
    }

    fn prepare(&self, model: &Model) -> Result<(), PrepareError> {
        if !accepts::<S>(model.topology()) {
            return Err(PrepareError::NotAccepted { algorithm: S::NAME, needed: "convex" });
        }
        self.0.prepare(&polytope_of(model));
        // For the exact test.
        Wide::new().prepare(model)
    }

    /// The bytes of the [`Polytope`], which all algorithms of this kind share, and of [`Wide`] for the exact
    /// test.
    fn prepared_bytes(&self, model: &Model) -> Option<usize> {
        let exact = Wide::new().prepared_bytes(model).unwrap_or(0);
        Some(model.already_prepared::<Polytope>()?.bytes() + exact)
    }

    fn test(&self, a: Placed<'_>, b: Placed<'_>, query: &Query, cache: &mut PairCache) -> Verdict {
        if Deadline::is_over(query, cache) {
            return Verdict::Undecided(Reason::OutOfTime);
        }
        let memory: &mut Memory<S::Memory> = cache.get_or_default();
        let Some(BatchEntry { mut pair, memory }) = memory.pair(&a, &b) else {
            return self.fall_back([a, b], None, Stats::default(), query, cache);
        };
        let early = self.0.early_test(&mut pair, memory);
        if let Some(plane) = early.plane() {
            self.0.decided(&mut pair, false, memory);
            if query.stats {
                let counts = counted(&pair);
                cache.set_stats(counts);
            }
            return Verdict::Apart(Separation::Plane(plane));
        }
        if let Some(point) = early.point()
            && query.semantics == Semantics::Solid
        {
            self.0.decided(&mut pair, true, memory);
            if query.stats {
                let counts = counted(&pair);
                cache.set_stats(counts);
            }
            return Verdict::Collides(Witness::common(point));
        }
        if !early.is_nothing() {
            let counts = counted(&pair);
            return self.fall_back([a, b], early.direction(), counts, query, cache);
        }
        pair.set_helpers(helpers(query.grain));
        let mut result = self.0.search(&mut pair, memory);
        self.settle(&mut pair, &mut result, query.semantics, memory);
        let counts = counted(&pair);
        self.conclude([a, b], result, counts, query, cache)
    }

    fn test_many(&self, pairs: &mut [PairQuery<'_>], query: &Query, verdicts: &mut Vec<Verdict>) {
        verdicts.clear();
        verdicts.reserve(pairs.len());
        self.add_verdicts(pairs, query, verdicts);
    }

    fn contacts(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        query: &Query,
        limit: usize,
        cache: &mut PairCache,
        contacts: &mut Vec<(FaceId, FaceId)>,
    ) -> Verdict {
        contacts.clear();
        let verdict = self.test(a, b, query, cache);
        if verdict.is_collision() {
            return Wide::new().contacts(a, b, query, limit, cache, contacts);
        }
        verdict
    }
}

impl<S: Search> Certified<S> {
    /// Adds the verdicts on some pairs, in order.
    pub(crate) fn add_verdicts(
        &self,
        pairs: &mut [PairQuery<'_>],
        query: &Query,
        verdicts: &mut Vec<Verdict>,
    ) {
        for pairs in pairs.chunks_mut(TOGETHER) {
            if query.budget.is_some() {
                verdicts.extend(pairs.iter_mut().map(|pair| self.alone(pair, query)));
            } else if !self.test_together(pairs, query, verdicts) {
                self.test_apart(pairs, query, verdicts);
            }
        }
    }

    /// The verdict by the exact test, after a search that found at most a direction.
    #[cold]
    fn fall_back(
        &self,
        [a, b]: [Placed<'_>; 2],
        direction: Option<[f64; 3]>,
        mut counts: Stats,
        query: &Query,
        cache: &mut PairCache,
    ) -> Verdict {
        let verdict = exact::<S::Memory>(a, b, direction, query, cache);
        if let Some(collides) = verdict.decided() {
            counts.probes += self.report(a, b, collides, cache.get_or_default());
        }
        if query.stats {
            let exact = cache.stats();
            let primitive_tests = counts.primitive_tests + exact.primitive_tests;
            let Stats { probes, handed_over, .. } = counts;
            let all = Stats { primitive_tests, probes, handed_over, fallbacks: 1, ..exact };
            cache.set_stats(all);
        }
        verdict
    }

    /// The verdict of a search, by the exact test if there is no certificate.
    #[inline(always)]
    fn conclude(
        &self,
        pair: [Placed<'_>; 2],
        result: SearchResult,
        counts: Stats,
        query: &Query,
        cache: &mut PairCache,
    ) -> Verdict {
        let proved = match result {
            SearchResult::Separated(plane) => Ok(Verdict::Apart(Separation::Plane(plane))),
            SearchResult::Intersecting(point) if query.semantics == Semantics::Solid => {
                Ok(Verdict::Collides(Witness::common(point)))
            }
            // Whoever wants a proof that is checked fast gets it from the exact test.
            SearchResult::Apart if query.certificate == Certificate::Free => {
                Ok(Verdict::Apart(Separation::Pairwise))
            }
            SearchResult::Biased(bias) if S::BIAS.is_some() => {
                Ok(Verdict::Undecided(Reason::Biased(bias)))
            }
            SearchResult::Direction(direction) => Err(Some(direction)),
            _ => Err(None),
        };
        match proved {
            Ok(verdict) => {
                if query.stats {
                    cache.set_stats(counts);
                }
                verdict
            }
            // Passed as numbers: a reference would force the result into memory.
            Err(direction) => self.fall_back(pair, direction, counts, query, cache),
        }
    }

    /// Adds the verdicts on some pairs; searches those that can be stopped, or have an empty polytope, one
    /// by one, so that no proof depends on them.
    #[cold]
    fn test_apart(&self, pairs: &mut [PairQuery<'_>], query: &Query, verdicts: &mut Vec<Verdict>) {
        let is_empty = |placed: &Placed<'_>| polytope_of(placed.model()).is_empty();
        shared_out(
            |pairs, verdicts| _ = self.test_together(pairs, query, verdicts),
            |pair| pair.cache.stop().is_none() && !is_empty(&pair.a) && !is_empty(&pair.b),
            |pair| self.alone(pair, query),
            pairs,
            verdicts,
        );
    }

    fn alone(&self, PairQuery { a, b, cache }: &mut PairQuery<'_>, query: &Query) -> Verdict {
        self.test(*a, *b, query, cache)
    }

    /// Adds the verdicts on at most [`TOGETHER`] pairs; `false`, and none, if a polytope is empty or a query can
    /// be stopped.
    fn test_together(
        &self,
        queries: &mut [PairQuery<'_>],
        query: &Query,
        verdicts: &mut Vec<Verdict>,
    ) -> bool {
        // Lists of some kilobytes, which are never moved.
        let mut results = ArrayVec::<_, TOGETHER>::new();
        let mut left = ArrayVec::<_, TOGETHER>::new();
        let begin = verdicts.len();
        {
            let mut entries = ArrayVec::<_, TOGETHER>::new();
            for PairQuery { a, b, cache } in queries.iter_mut() {
                if cache.stop().is_some() {
                    return false;
                }
                let memory: &mut Memory<S::Memory> = cache.get_or_default();
                let Some(entry) = memory.pair(a, b) else { return false };
                entries.push(entry);
            }
            if query.grain != Grain::Coarse {
                let helpers = helpers(query.grain);
                entries.iter_mut().for_each(|entry| entry.pair.set_helpers(helpers));
            }
            results.extend(repeat_n(SearchResult::Inconclusive, entries.len()));
            self.0.search_many(&mut entries, &mut results);
            verdicts.resize_with(begin + entries.len(), || Verdict::Undecided(Reason::OutOfTime));
            let is_solid = query.semantics == Semantics::Solid;
            let all = entries.iter_mut().zip(&mut results).zip(&mut verdicts[begin..]);
            for (number, ((BatchEntry { pair, memory }, result), verdict)) in all.enumerate() {
                self.settle(pair, result, query.semantics, memory);
                // Written in place: a copy would take longer than everything else here.
                match *result {
                    SearchResult::Separated(plane) if !query.stats => {
                        *verdict = Verdict::Apart(Separation::Plane(plane));
                    }
                    SearchResult::Intersecting([x, y, z]) if !query.stats && is_solid => {
                        set_collides(verdict, x, y, z);
                    }
                    _ => left.push((number, counted(pair))),
                }
            }
        }
        for &(number, counts) in &left {
            let PairQuery { a, b, cache } = &mut queries[number];
            let verdict = self.conclude([*a, *b], results[number], counts, query, cache);
            verdicts[begin + number] = verdict;
        }
        true
    }

    /// Tries again if the search was inconclusive, and reports the result to the search.
    #[inline(always)]
    fn settle(
        &self,
        pair: &mut Pair<'_>,
        result: &mut SearchResult,
        semantics: Semantics,
        memory: &mut S::Memory,
    ) {
        if let SearchResult::Inconclusive = result {
            *result = second_try(pair);
        }
        match result {
            SearchResult::Separated(_) | SearchResult::Apart => {
                self.0.decided(pair, false, memory);
            }
            SearchResult::Intersecting(_) if semantics == Semantics::Solid => {
                self.0.decided(pair, true, memory);
            }
            _ => {}
        }
    }

    /// Reports the verdict of the exact test to the search; returns the probes that it made.
    fn report(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        collides: bool,
        memory: &mut Memory<S::Memory>,
    ) -> u64 {
        let Some(BatchEntry { mut pair, memory }) = memory.pair(&a, &b) else { return 0 };
        self.0.decided(&mut pair, collides, memory);
        pair.probes()
    }

    /// The memory of the search for a pair; `None` before the first query.
    #[must_use]
    pub fn memory(cache: &PairCache) -> Option<&S::Memory> {
        Some(&cache.get::<Memory<S::Memory>>()?.of_search)
    }
}

/// Whether a search is meant for models of this kind. One that leans to a collision proves separation alone: what holds
/// for two hulls holds for what is in them (Zachmann 1994, 3.4.2).
fn accepts<S: Search>(topology: Topology) -> bool {
    topology.contains(Topology::CONVEX) || S::BIAS == Some(Bias::Collides)
}

/// Sets [`Verdict::Collides`].
///
/// Not inlined, and with numbers as parameters: otherwise compilers make the verdict elsewhere and copy it, by loads that
/// wait for smaller stores.
#[inline(never)]
fn set_collides(verdict: &mut Verdict, x: f64, y: f64, z: f64) {
    *verdict = Verdict::Collides(Witness::common([x, y, z]));
}

/// The counts of a search.
fn counted(pair: &Pair<'_>) -> Stats {
    let (probes, primitive_tests) = (pair.probes(), pair.primitive_tests());
    let handed_over = u64::from(pair.is_handed_over());
    Stats { primitive_tests, probes, handed_over, ..Stats::default() }
}

/// GJK with shifted centers, for bodies placed so symmetrically that every simplex has the origin on its
/// border.
#[cold]
fn second_try(pair: &mut Pair<'_>) -> SearchResult {
    let Some(certificate) = ContactCertificate::askew(pair) else {
        return SearchResult::Inconclusive;
    };
    let (mut simplex, mut direction) = (Simplex::new(), pair.first_direction());
    match pair.gjk(Some(&certificate), &mut simplex, &mut direction, &mut [0; 2]) {
        found @ (SearchResult::Intersecting(_) | SearchResult::Separated(_)) => found,
        _ => SearchResult::Inconclusive,
    }
}

//! Searches as algorithms: what a search has proved is the answer, everything else is decided by
//! the exact test of triangles and bodies.
//!
//! So a search may be greedy, rounded, and give up whenever it likes; it can be slow, but never
//! wrong. And so it is right for any model: what two convex hulls prove apart is apart whatever
//! the models are (Chung 1996, 5.6), and where hulls meet that are not those of solid bodies the
//! exact test decides.

use xcollide_brep::{FaceId, Topology};

use xcollide_convex::{
    BatchEntry, Bias, Body, ContactCertificate, Pair, Polytope, Search, SearchResult, Simplex,
};

use super::exact_fallback::exact;
use super::pair_memory::Memory;
use super::prepare::polytope_of;
use crate::mesh::Wide;
use crate::query::Deadline;
use crate::{
    Feature, Guarantee, Model, NarrowPhase, PairCache, PairQuery, Placed, PrepareError, Query,
    Reason, Semantics, Separation, Stats, Verdict, Witness,
};

/// The algorithm that asks a [`Search`] and certifies its findings.
///
/// ```
/// # use xcollide_brep::PolygonMesh;
/// use xcollide_narrow::convex::Hybrid;
/// use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query, Semantics};
///
/// # let tetrahedron = PolygonMesh::from_polygons(
/// #     vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
/// #     [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
/// # )?;
/// let model = Model::from_mesh(tetrahedron)?;
/// let a = Placed::new(&model, &Pose::IDENTITY)?;
/// let mut cache = PairCache::new();
/// for step in 0..10 {
///     let pose = Pose::from_translation([0.25 + 0.125 * f64::from(step), 0.0, 0.0]);
///     let b = Placed::new(&model, &pose)?;
///     // Each query starts where the one before has ended.
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

    fn accepts(&self, a: Topology, b: Topology) -> bool {
        (a & b).contains(Topology::CONVEX)
    }

    fn guarantee(&self) -> Guarantee {
        match S::BIAS {
            None => Guarantee::Exact,
            Some(Bias::Apart) => Guarantee::Misses,
            Some(Bias::Collides) => Guarantee::FalseHits,
        }
    }

    fn prepare(&self, model: &Model) -> Result<(), PrepareError> {
        let _ = polytope_of(model);
        if model.topology().contains(Topology::CONVEX) {
            Ok(())
        } else {
            Err(PrepareError::NotAccepted { algorithm: S::NAME, needed: "convex" })
        }
    }

    /// That of the [`Polytope`], which all algorithms of this kind share.
    fn prepared_bytes(&self, model: &Model) -> Option<usize> {
        Some(model.already_prepared::<Polytope>()?.bytes())
    }

    fn test(&self, a: Placed<'_>, b: Placed<'_>, query: &Query, cache: &mut PairCache) -> Verdict {
        if Deadline::of(query, cache).passed() {
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
            let body = Feature::Body;
            return Verdict::Collides(Witness { a: body, b: body, point });
        }
        if !early.is_nothing() {
            let counts = counted(&pair);
            return self.fall_back([a, b], early.direction(), counts, query, cache);
        }
        let mut finding = self.0.search(&mut pair, memory);
        self.settle(&mut pair, &mut finding, query.semantics, memory);
        let counts = counted(&pair);
        let fallback = match finding {
            SearchResult::Separated(plane) => Ok(Verdict::Apart(Separation::Plane(plane))),
            SearchResult::Intersecting(point) if query.semantics == Semantics::Solid => {
                let body = Feature::Body;
                Ok(Verdict::Collides(Witness { a: body, b: body, point }))
            }
            SearchResult::Biased(bias) if S::BIAS.is_some() => {
                Ok(Verdict::Undecided(Reason::Biased(bias)))
            }
            SearchResult::Direction(direction) => Err(Some(direction)),
            _ => Err(None),
        };
        match fallback {
            Ok(verdict) => {
                if query.stats {
                    cache.set_stats(counts);
                }
                verdict
            }
            // Of numbers only: a finding that something refers to has to be in memory.
            Err(direction) => self.fall_back([a, b], direction, counts, query, cache),
        }
    }

    fn test_many(
        &self,
        questions: &mut [PairQuery<'_>],
        query: &Query,
        verdicts: &mut Vec<Verdict>,
    ) {
        verdicts.clear();
        verdicts.reserve(questions.len());
        for questions in questions.chunks_mut(TOGETHER) {
            if query.budget.is_some() {
                verdicts.extend(questions.iter_mut().map(|question| self.alone(question, query)));
            } else if !self.test_together(questions, query, verdicts) {
                self.test_apart(questions, query, verdicts);
            }
        }
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

/// Pairs that are searched together: so many that beginning and ending takes little of the time, which is some
/// 0.2 to 0.5 µs, with what is left over of eights. Measured: of 64 at a time a pair takes 2 to 8 % longer.
const TOGETHER: usize = 256;

impl<S: Search> Certified<S> {
    /// The verdict by the exact test, after a search has found nothing but perhaps a direction.
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
            counts.probes += self.tell(a, b, collides, cache.get_or_default());
        }
        if query.stats {
            let exact = cache.stats();
            let primitive_tests = counts.primitive_tests + exact.primitive_tests;
            let probes = counts.probes;
            cache.set_stats(Stats { primitive_tests, probes, fallbacks: 1, ..exact });
        }
        verdict
    }

    /// The verdict on one of many, where the exact test may be needed.
    fn conclude(
        &self,
        PairQuery { a, b, cache }: &mut PairQuery<'_>,
        finding: &SearchResult,
        counts: Stats,
        query: &Query,
    ) -> Verdict {
        if let Some(verdict) = Self::proved(finding, query) {
            if query.stats {
                cache.set_stats(counts);
            }
            return verdict;
        }
        let direction = match *finding {
            SearchResult::Direction(direction) => Some(direction),
            _ => None,
        };
        self.fall_back([*a, *b], direction, counts, query, cache)
    }

    /// The verdict where the exact test is not needed.
    fn proved(finding: &SearchResult, query: &Query) -> Option<Verdict> {
        match *finding {
            SearchResult::Separated(plane) => Some(Verdict::Apart(Separation::Plane(plane))),
            SearchResult::Intersecting(point) if query.semantics == Semantics::Solid => {
                let body = Feature::Body;
                Some(Verdict::Collides(Witness { a: body, b: body, point }))
            }
            SearchResult::Biased(bias) if S::BIAS.is_some() => {
                Some(Verdict::Undecided(Reason::Biased(bias)))
            }
            _ => None,
        }
    }

    /// Adds the verdicts on some pairs, those that are not for a search together alone: so nobody's proof
    /// depends on them.
    #[cold]
    fn test_apart(
        &self,
        questions: &mut [PairQuery<'_>],
        query: &Query,
        verdicts: &mut Vec<Verdict>,
    ) {
        let is_empty = |placement: &Placed<'_>| polytope_of(placement.model()).is_empty();
        let fits = |question: &PairQuery<'_>| {
            question.cache.stop().is_none() && !is_empty(&question.a) && !is_empty(&question.b)
        };
        let fits: Vec<bool> = questions.iter().map(fits).collect();
        let fitting = questions.iter_mut().zip(&fits).filter(|(_, fits)| **fits);
        let mut together: Vec<PairQuery<'_>> =
            fitting.map(|(question, _)| question.lent()).collect();
        let mut answers = Vec::with_capacity(together.len());
        self.test_together(&mut together, query, &mut answers);
        let mut answers = answers.into_iter();
        verdicts.extend(questions.iter_mut().zip(fits).map(|(question, fits)| {
            let answer = if fits { answers.next() } else { None };
            answer.unwrap_or_else(|| self.alone(question, query))
        }));
    }

    fn alone(&self, PairQuery { a, b, cache }: &mut PairQuery<'_>, query: &Query) -> Verdict {
        self.test(*a, *b, query, cache)
    }

    /// Adds the verdicts on some pairs; `false`, and none, where they are not for a search, as a polytope is
    /// empty, or someone might want to break one off.
    fn test_together(
        &self,
        questions: &mut [PairQuery<'_>],
        query: &Query,
        verdicts: &mut Vec<Verdict>,
    ) -> bool {
        let mut joints = Vec::with_capacity(questions.len());
        for PairQuery { a, b, cache } in questions.iter_mut() {
            if cache.stop().is_some() {
                return false;
            }
            let memory: &mut Memory<S::Memory> = cache.get_or_default();
            let Some(joint) = memory.pair(a, b) else { return false };
            joints.push(joint);
        }
        let mut findings = Vec::with_capacity(joints.len());
        self.0.search_many(&mut joints, &mut findings);
        let (begin, mut left) = (verdicts.len(), Vec::new());
        verdicts.resize_with(begin + joints.len(), || Verdict::Undecided(Reason::OutOfTime));
        let verdicts = &mut verdicts[begin..];
        let is_solid = query.semantics == Semantics::Solid;
        let all = joints.iter_mut().zip(&mut findings).zip(&mut *verdicts);
        for (number, ((BatchEntry { pair, memory }, finding), verdict)) in all.enumerate() {
            self.settle(pair, finding, query.semantics, memory);
            // Into its place at once: made elsewhere and copied it would take longer than all else here.
            match *finding {
                SearchResult::Separated(plane) if !query.stats => {
                    *verdict = Verdict::Apart(Separation::Plane(plane));
                }
                SearchResult::Intersecting(point) if !query.stats && is_solid => {
                    let body = Feature::Body;
                    *verdict = Verdict::Collides(Witness { a: body, b: body, point });
                }
                _ => left.push((number, counted(pair))),
            }
        }
        for (number, counts) in left {
            let (question, finding) = (&mut questions[number], &findings[number]);
            verdicts[number] = self.conclude(question, finding, counts, query);
        }
        true
    }

    /// The second try, for bodies that lie so well in each other that every simplex has the origin on its
    /// border, if it needs one; and the search is told.
    #[inline(always)]
    fn settle(
        &self,
        pair: &mut Pair<'_>,
        finding: &mut SearchResult,
        semantics: Semantics,
        memory: &mut S::Memory,
    ) {
        if let SearchResult::Inconclusive = finding {
            *finding = second_try(pair);
        }
        match finding {
            SearchResult::Separated(_) => self.0.decided(pair, false, memory),
            SearchResult::Intersecting(_) if semantics == Semantics::Solid => {
                self.0.decided(pair, true, memory);
            }
            _ => {}
        }
    }

    /// Tells the search what the exact test has decided; returns the probes it made of that.
    fn tell(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        collides: bool,
        memory: &mut Memory<S::Memory>,
    ) -> u64 {
        let Some([of_a, of_b]) = &memory.known else { return 0 };
        if of_a.polytope.is_empty() || of_b.polytope.is_empty() {
            return 0;
        }
        let of_a = Body::new(&of_a.polytope, a.pose());
        let of_b = Body::new(&of_b.polytope, b.pose());
        let mut pair = Pair::new(of_a, of_b);
        self.0.decided(&mut pair, collides, &mut memory.of_search);
        pair.probes()
    }

    /// What the search remembers of a pair; `None` where the cache has not been asked with it.
    #[must_use]
    pub fn memory(cache: &PairCache) -> Option<&S::Memory> {
        Some(&cache.get::<Memory<S::Memory>>()?.of_search)
    }
}

/// What was counted of a search.
fn counted(pair: &Pair<'_>) -> Stats {
    let (probes, primitive_tests) = (pair.probes(), pair.primitive_tests());
    Stats { primitive_tests, probes, ..Stats::default() }
}

/// Gilbert about centers aside, for bodies that lie so well in each other that every simplex has the origin on
/// its border.
#[cold]
fn second_try(pair: &mut Pair<'_>) -> SearchResult {
    let Some(inset) = ContactCertificate::askew(pair) else { return SearchResult::Inconclusive };
    let (mut simplex, mut direction) = (Simplex::new(), pair.first_direction());
    match pair.gjk(Some(&inset), &mut simplex, &mut direction, &mut [0; 2]) {
        found @ (SearchResult::Intersecting(_) | SearchResult::Separated(_)) => found,
        _ => SearchResult::Inconclusive,
    }
}

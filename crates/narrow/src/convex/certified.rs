//! Searches as algorithms: what a search has proved is the answer, everything else is decided by
//! the exact test of triangles and bodies.
//!
//! So a search may be greedy, rounded, and give up whenever it likes; it can be slow, but never
//! wrong. And so it is right for any model: what two convex hulls prove apart is apart whatever
//! the models are (Chung 1996, 5.6), and where hulls meet that are not those of solid bodies the
//! exact test decides.

use std::sync::Arc;

use xcollide_brep::{FaceId, Topology};
use xcollide_predicates::triangles_intersect;

use super::finding::Finding;
use super::gjk;
use super::inset::Inset;
use super::pair::{Body, Pair};
use super::polytope::Polytope;
use super::simplex::Simplex;
use crate::mesh::{Wide, triangle_witness};
use crate::query::Deadline;
use crate::{
    Feature, Guarantee, Model, NarrowPhase, PairCache, Placed, Plane, PrepareError, Query,
    Question, Reason, Semantics, Separation, Stats, Verdict, Witness,
};

/// A way to find out about a pair of polytopes.
///
/// Implement this, and [`Certified`] makes a [`NarrowPhase`] of it. See the
/// [guide](super#writing-a-search).
pub trait Search: Send + Sync + 'static {
    /// The name of the algorithm.
    const NAME: &'static str;

    /// What its answers can be relied on for. A biased algorithm's [`Finding::Leaning`] becomes
    /// [`Verdict::Undecided`]; an exact one's goes to the exact test.
    const GUARANTEE: Guarantee = Guarantee::Exact;

    /// What is kept with a pair from query to query. It is reset when the models change, so
    /// numbers of vertices in it are valid.
    type Memory: Default + Send + 'static;

    /// Looks at a pair. Both polytopes have vertices.
    fn search(&self, pair: &mut Pair<'_>, memory: &mut Self::Memory) -> Finding;

    /// Looks at many pairs, with one finding for each, in their order, written to `findings` (which is cleared
    /// first); what it finds of one depends on that one only. Provided: one after the other.
    fn search_many(&self, pairs: &mut [Joint<'_, Self::Memory>], findings: &mut Vec<Finding>) {
        findings.clear();
        findings.extend(pairs.iter_mut().map(|joint| self.search(&mut joint.pair, joint.memory)));
    }

    /// Is told the answer of each decided query, whoever found it: for searches that remember more
    /// than where they ended. Does nothing unless implemented.
    #[inline]
    fn decided(&self, _pair: &mut Pair<'_>, _collides: bool, _memory: &mut Self::Memory) {}
}

/// A pair of many, and what the search remembers of it.
#[derive(Debug)]
pub struct Joint<'a, M> {
    /// The pair.
    pub pair: Pair<'a>,
    /// What is remembered of it.
    pub memory: &'a mut M,
}

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
/// let a = Placed::new(&model, &Pose::identity())?;
/// let mut cache = PairCache::new();
/// for step in 0..10 {
///     let pose = Pose::translation(0.25 + 0.125 * f64::from(step), 0.0, 0.0);
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
        S::GUARANTEE
    }

    fn prepare(&self, model: &Model) -> Result<(), PrepareError> {
        let _ = Polytope::of(model);
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
        let (finding, [mut probes, primitive_tests]) = self.find(&a, &b, query.semantics, memory);
        let fallback = match finding {
            Finding::Apart(plane) => Ok(Verdict::Apart(Separation::Plane(plane))),
            Finding::Meet(point) if query.semantics == Semantics::Solid => {
                let body = Feature::Body;
                Ok(Verdict::Collides(Witness { a: body, b: body, point }))
            }
            Finding::Leaning(bias) if S::GUARANTEE != Guarantee::Exact => {
                Ok(Verdict::Undecided(Reason::Biased(bias)))
            }
            Finding::Parting(direction) => Err(Some(direction)),
            _ => Err(None),
        };
        let verdict = match fallback {
            Ok(verdict) => {
                if query.stats {
                    cache.set_stats(Stats { primitive_tests, probes, ..Stats::default() });
                }
                return verdict;
            }
            Err(direction) => exact::<S::Memory>(a, b, direction, query, cache),
        };
        if let Some(collides) = verdict.decided() {
            probes += self.tell(a, b, collides, cache.get_or_default());
        }
        if query.stats {
            let exact = cache.stats();
            let primitive_tests = primitive_tests + exact.primitive_tests;
            cache.set_stats(Stats { primitive_tests, probes, fallbacks: 1, ..exact });
        }
        verdict
    }

    fn test_many(
        &self,
        questions: &mut [Question<'_>],
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

/// What a pair keeps: the two polytopes, so that a query need not look them up in the models, and
/// what the search remembers of them.
struct Memory<M> {
    known: Option<[Known; 2]>,
    of_search: M,
    /// Two faces that met when the exact test was last asked.
    contact: Option<[FaceId; 2]>,
}

impl<M: Default> Default for Memory<M> {
    fn default() -> Self {
        Self { known: None, of_search: M::default(), contact: None }
    }
}

impl<M: Default> Memory<M> {
    /// The two as a pair, with what the search remembers of it; `None` where one is empty.
    #[inline(always)]
    fn pair<'a>(&'a mut self, a: &'a Placed<'_>, b: &'a Placed<'_>) -> Option<Joint<'a, M>> {
        let same = |known: &[Known; 2]| {
            known[0].model.is_same(a.model()) && known[1].model.is_same(b.model())
        };
        if !self.known.as_ref().is_some_and(same) {
            *self = Self::default();
        }
        let known = self.known.get_or_insert_with(|| [a, b].map(|p| Known::of(p.model())));
        let [of_a, of_b] = [&*known[0].polytope, &*known[1].polytope];
        let pair = Pair::new(Body::new(of_a, a), Body::new(of_b, b));
        (!of_a.is_empty() && !of_b.is_empty())
            .then_some(Joint { pair, memory: &mut self.of_search })
    }
}

struct Known {
    model: Model,
    polytope: Arc<Polytope>,
}

impl Known {
    fn of(model: &Model) -> Self {
        Self { model: model.clone(), polytope: Polytope::of(model) }
    }
}

/// Pairs that are searched together: so many that what they need stays in the first cache.
const TOGETHER: usize = 64;

impl<S: Search> Certified<S> {
    /// The verdict, by the exact test where the finding is none.
    fn conclude(
        &self,
        [a, b]: [&Placed<'_>; 2],
        finding: &Finding,
        [mut probes, primitive_tests]: [u64; 2],
        query: &Query,
        cache: &mut PairCache,
    ) -> Verdict {
        let direction = match *finding {
            Finding::Parting(direction) => Some(direction),
            _ => None,
        };
        if let Some(verdict) = Self::proved(finding, query) {
            if query.stats {
                cache.set_stats(Stats { primitive_tests, probes, ..Stats::default() });
            }
            return verdict;
        }
        let verdict = exact::<S::Memory>(*a, *b, direction, query, cache);
        if let Some(collides) = verdict.decided() {
            probes += self.tell(*a, *b, collides, cache.get_or_default());
        }
        if query.stats {
            let exact = cache.stats();
            let primitive_tests = primitive_tests + exact.primitive_tests;
            cache.set_stats(Stats { primitive_tests, probes, fallbacks: 1, ..exact });
        }
        verdict
    }

    /// The verdict where the exact test is not needed.
    fn proved(finding: &Finding, query: &Query) -> Option<Verdict> {
        match *finding {
            Finding::Apart(plane) => Some(Verdict::Apart(Separation::Plane(plane))),
            Finding::Meet(point) if query.semantics == Semantics::Solid => {
                let body = Feature::Body;
                Some(Verdict::Collides(Witness { a: body, b: body, point }))
            }
            Finding::Leaning(bias) if S::GUARANTEE != Guarantee::Exact => {
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
        questions: &mut [Question<'_>],
        query: &Query,
        verdicts: &mut Vec<Verdict>,
    ) {
        let is_empty = |placed: &Placed<'_>| Polytope::of(placed.model()).is_empty();
        let fits = |question: &Question<'_>| {
            question.cache.stop().is_none() && !is_empty(question.a) && !is_empty(question.b)
        };
        let fits: Vec<bool> = questions.iter().map(fits).collect();
        let fitting = questions.iter_mut().zip(&fits).filter(|(_, fits)| **fits);
        let mut together: Vec<Question<'_>> =
            fitting.map(|(question, _)| question.lent()).collect();
        let mut answers = Vec::with_capacity(together.len());
        self.test_together(&mut together, query, &mut answers);
        let mut answers = answers.into_iter();
        verdicts.extend(questions.iter_mut().zip(fits).map(|(question, fits)| {
            let answer = if fits { answers.next() } else { None };
            answer.unwrap_or_else(|| self.alone(question, query))
        }));
    }

    fn alone(&self, Question { a, b, cache }: &mut Question<'_>, query: &Query) -> Verdict {
        self.test(**a, **b, query, cache)
    }

    /// Adds the verdicts on some pairs; `false`, and none, where they are not for a search, as a polytope is empty, or
    /// someone might want to break one off.
    fn test_together(
        &self,
        questions: &mut [Question<'_>],
        query: &Query,
        verdicts: &mut Vec<Verdict>,
    ) -> bool {
        let mut joints = Vec::with_capacity(questions.len());
        for Question { a, b, cache } in questions.iter_mut() {
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
        let is_solid = query.semantics == Semantics::Solid;
        for (Joint { pair, memory }, finding) in joints.iter_mut().zip(&mut findings) {
            self.settle(pair, finding, query.semantics, memory);
            match *finding {
                Finding::Apart(Plane { normal: [x, y, z], offset }) if !query.stats => {
                    push_apart(verdicts, x, y, z, offset);
                }
                Finding::Meet([x, y, z]) if !query.stats && is_solid => {
                    push_meeting(verdicts, x, y, z);
                }
                _ => {
                    let counts = [pair.probes(), pair.primitive_tests()];
                    left.push((verdicts.len(), counts));
                    verdicts.push(Verdict::Undecided(Reason::OutOfTime));
                }
            }
        }
        for (number, counts) in left {
            let Question { a, b, cache } = &mut questions[number - begin];
            let finding = &findings[number - begin];
            verdicts[number] = self.conclude([a, b], finding, counts, query, cache);
        }
        true
    }

    /// What the search finds, with a second try for bodies that lie so well in each other that
    /// every simplex has the origin on its border; and how many probes
    /// and tests of faces and edges it took.
    #[inline]
    fn find(
        &self,
        a: &Placed<'_>,
        b: &Placed<'_>,
        semantics: Semantics,
        memory: &mut Memory<S::Memory>,
    ) -> (Finding, [u64; 2]) {
        let same = |known: &[Known; 2]| {
            known[0].model.is_same(a.model()) && known[1].model.is_same(b.model())
        };
        if !memory.known.as_ref().is_some_and(same) {
            *memory = Memory::default();
        }
        let known = memory.known.get_or_insert_with(|| [a, b].map(|p| Known::of(p.model())));
        let [of_a, of_b] = [&*known[0].polytope, &*known[1].polytope];
        if of_a.is_empty() || of_b.is_empty() {
            return (Finding::Touching, [0; 2]);
        }
        let mut pair = Pair::new(Body::new(of_a, a), Body::new(of_b, b));
        let mut finding = self.0.search(&mut pair, &mut memory.of_search);
        if finding == Finding::Touching
            && let Some(inset) = Inset::askew(&pair)
        {
            let (mut simplex, mut direction) = (Simplex::new(), pair.first_direction());
            let second =
                gjk::search(&mut pair, Some(&inset), &mut simplex, &mut direction, &mut [0; 2]);
            if let Finding::Meet(_) | Finding::Apart(_) = second {
                finding = second;
            }
        }
        match finding {
            Finding::Apart(_) => self.0.decided(&mut pair, false, &mut memory.of_search),
            Finding::Meet(_) if semantics == Semantics::Solid => {
                self.0.decided(&mut pair, true, &mut memory.of_search);
            }
            _ => {}
        }
        (finding, [pair.probes(), pair.primitive_tests()])
    }

    /// The second try, for bodies that lie so well in each other that every simplex has the origin on its border,
    /// if it needs one; and the search is told.
    #[inline(always)]
    fn settle(
        &self,
        pair: &mut Pair<'_>,
        finding: &mut Finding,
        semantics: Semantics,
        memory: &mut S::Memory,
    ) {
        if let Finding::Touching = finding {
            *finding = second_try(pair);
        }
        match finding {
            Finding::Apart(_) => self.0.decided(pair, false, memory),
            Finding::Meet(_) if semantics == Semantics::Solid => {
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
        let mut pair = Pair::new(Body::new(&of_a.polytope, &a), Body::new(&of_b.polytope, &b));
        self.0.decided(&mut pair, collides, &mut memory.of_search);
        pair.probes()
    }

    /// What the search remembers of a pair; `None` where the cache has not been asked with it.
    #[must_use]
    pub fn memory(cache: &PairCache) -> Option<&S::Memory> {
        Some(&cache.get::<Memory<S::Memory>>()?.of_search)
    }
}

/// A verdict made of numbers where it stays; see [`Finding::set_apart`].
#[inline(never)]
fn push_apart(verdicts: &mut Vec<Verdict>, x: f64, y: f64, z: f64, offset: f64) {
    let plane = Plane { normal: [x, y, z], offset };
    verdicts.push(Verdict::Apart(Separation::Plane(plane)));
}

/// The same.
#[inline(never)]
fn push_meeting(verdicts: &mut Vec<Verdict>, x: f64, y: f64, z: f64) {
    let (body, point) = (Feature::Body, [x, y, z]);
    verdicts.push(Verdict::Collides(Witness { a: body, b: body, point }));
}

/// Gilbert about centres aside, for bodies that lie so well in each other that every simplex has the origin on
/// its border.
#[cold]
fn second_try(pair: &mut Pair<'_>) -> Finding {
    let Some(inset) = Inset::askew(pair) else { return Finding::Touching };
    let (mut simplex, mut direction) = (Simplex::new(), pair.first_direction());
    match gjk::search(pair, Some(&inset), &mut simplex, &mut direction, &mut [0; 2]) {
        found @ (Finding::Meet(_) | Finding::Apart(_)) => found,
        _ => Finding::Touching,
    }
}

/// The exact fallback: a plane across the direction if that is one, by exact signs; two faces that
/// met the last time; then all triangles and bodies.
#[cold]
fn exact<M: Default + Send + 'static>(
    a: Placed<'_>,
    b: Placed<'_>,
    direction: Option<[f64; 3]>,
    query: &Query,
    cache: &mut PairCache,
) -> Verdict {
    let memory: &mut Memory<M> = cache.get_or_default();
    if let (Some(direction), Some([of_a, of_b])) = (direction, &memory.known) {
        let bodies = (Body::new(&of_a.polytope, &a), Body::new(&of_b.polytope, &b));
        if let Some(plane) = exact_plane(&Pair::new(bodies.0, bodies.1), a, b, direction) {
            cache.set_stats(Stats::default());
            return Verdict::Apart(Separation::Plane(plane));
        }
    }
    if let Some(contact) = memory.contact {
        if let Some(witness) = meeting(a, b, contact) {
            cache.set_stats(Stats::default());
            return Verdict::Collides(witness);
        }
        memory.contact = None;
    }
    let verdict = Wide::new().test(a, b, query, cache);
    if let Verdict::Collides(Witness { a: Feature::Face(s), b: Feature::Face(t), .. }) = verdict {
        cache.get_or_default::<Memory<M>>().contact = Some([s, t]);
    }
    verdict
}

/// Whether a plane across a direction parts the models, by exact signs: half way, or just where
/// one of them ends.
fn exact_plane(
    pair: &Pair<'_>,
    a: Placed<'_>,
    b: Placed<'_>,
    direction: [f64; 3],
) -> Option<Plane> {
    let [low, high] = pair.probe_all(direction).heights;
    if low > high {
        return None;
    }
    let planes = [0.5 * low + 0.5 * high, low, high];
    let planes = planes.map(|offset| Plane { normal: direction, offset });
    planes.into_iter().find(|plane| plane.verify(a, b).is_ok())
}

/// Whether two faces meet.
fn meeting(a: Placed<'_>, b: Placed<'_>, [s, t]: [FaceId; 2]) -> Option<Witness> {
    let triangles = |placed: Placed<'_>, face| placed.model().triangulation().triangles_of(face);
    for i in triangles(a, s) {
        for j in triangles(b, t) {
            if triangles_intersect(&a.triangle(i), &b.triangle(j)) {
                return Some(triangle_witness(a, i, b, j));
            }
        }
    }
    None
}

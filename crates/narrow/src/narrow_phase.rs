//! The narrow phase: the trait that every pairwise algorithm implements.
//!
//! Its shape lets algorithms be swapped as values and compared on equal terms. Everything a query
//! reads (two placed models, the query) and writes (the pair's cache) is an argument, so an algorithm
//! is stateless, `Send + Sync`, and one instance serves all threads. There is one dynamic call per pair
//! or batch; everything below is generic. An algorithm stores its data for a model by type in the model
//! ([`Model::prepared`]) and its data for a pair by type in the [`PairCache`], so third parties need no
//! entry in any list here.

use std::ops::ControlFlow;

use xcollide_brep::{FaceId, Topology};

use crate::hierarchy::search;
use crate::hierarchy::tree_builder::{BuilderRefused, TreeBuilder};
use crate::query::ContactSet;
use crate::{Contact, Listing, Model, PairCache, PairQuery, Placed, Query, Verdict};

/// Decides whether two placed models touch.
pub trait NarrowPhase: Send + Sync {
    /// The name by which programs know this algorithm, such as `"arbitrary"`.
    fn name(&self) -> &'static str;

    /// Which kinds of model this can answer for.
    fn accepts(&self, a: Topology, b: Topology) -> bool;

    /// Exact, or the direction of the bias.
    fn guarantee(&self) -> Guarantee;

    /// Builds, once, the data that this algorithm keeps with a model. The first query does it
    /// otherwise; call it to choose the moment.
    ///
    /// # Errors
    /// The model is not of a kind that this algorithm accepts.
    fn prepare(&self, model: &Model) -> Result<(), PrepareError>;

    /// Bytes that this algorithm keeps with a model; `None` if nothing is prepared yet or the algorithm
    /// does not tell.
    fn prepared_bytes(&self, _model: &Model) -> Option<usize> {
        None
    }

    /// The same algorithm with its hierarchies built by this builder. Time and memory change, answers
    /// do not.
    ///
    /// # Errors
    /// The algorithm keeps no hierarchy with a choice of builders (as provided), or one of another
    /// kind.
    fn built_by(&self, _builder: &TreeBuilder) -> Result<Box<dyn NarrowPhase>, BuilderRefused> {
        Err(BuilderRefused::NoTree { algorithm: self.name() })
    }

    /// Whether the models touch, with the proof.
    fn test(&self, a: Placed<'_>, b: Placed<'_>, query: &Query, cache: &mut PairCache) -> Verdict;

    /// Tests a batch of pairs: one verdict for each query, in order, written to `verdicts` (which is
    /// cleared first).
    ///
    /// The provided method calls [`test`](Self::test) for each. An algorithm may be faster on batches:
    /// [`convex::Hybrid`](crate::convex::Hybrid) interleaves pairs, which are independent. Answers are the
    /// same; the proof may differ from that of `test`, but depends on the pair and its cache alone.
    ///
    /// ```
    /// # use xcollide_brep::PolygonMesh;
    /// use xcollide_narrow::convex::Hybrid;
    /// use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query, PairQuery};
    ///
    /// # let tetrahedron = PolygonMesh::from_polygons(
    /// #     vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    /// #     [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
    /// # )?;
    /// let model = Model::from_mesh(tetrahedron)?;
    /// let [near, far] = [0.75, 1.25].map(|x| Pose::from_translation([x, 0.0, 0.0]));
    /// let here = Placed::new(&model, &Pose::IDENTITY)?;
    /// let (near, far) = (Placed::new(&model, &near)?, Placed::new(&model, &far)?);
    /// let [mut first, mut second] = [PairCache::new(), PairCache::new()];
    /// let mut questions =
    ///     [PairQuery::new(&here, &near, &mut first), PairQuery::new(&here, &far, &mut second)];
    /// let mut verdicts = Vec::new();
    /// Hybrid::default().test_many(&mut questions, &Query::new(), &mut verdicts);
    /// assert!(verdicts[0].is_collision() && verdicts[1].is_apart());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn test_many(
        &self,
        questions: &mut [PairQuery<'_>],
        query: &Query,
        verdicts: &mut Vec<Verdict>,
    ) {
        verdicts.clear();
        let test =
            |question: &mut PairQuery<'_>| self.test(question.a, question.b, query, question.cache);
        verdicts.extend(questions.iter_mut().map(test));
    }

    /// Shows `visit` the pairs of faces (one of `a`, one of `b`) that have a point in common: every
    /// one at least once, in any order, until it breaks off.
    ///
    /// All other questions about contacts are answered from this one. Which faces have a point in
    /// common does not depend on the algorithm, so an algorithm need only [`test`](Self::test): if
    /// that says `Collides`, the provided method finds the pairs by the models' hierarchies.
    ///
    /// The verdict is that of `test`. A body inside another collides with no pair of faces in
    /// contact.
    fn each_contact(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        query: &Query,
        cache: &mut PairCache,
        visit: &mut dyn FnMut(FaceId, FaceId) -> ControlFlow<()>,
    ) -> Listing {
        let verdict = self.test(a, b, query, cache);
        match verdict {
            Verdict::Collides(_) => {
                let complete = search::each_contact(a, b, query, cache, visit);
                Listing { verdict, complete }
            }
            Verdict::Apart(_) => Listing { verdict, complete: true },
            Verdict::Undecided(_) => Listing { verdict, complete: false },
        }
    }

    /// All pairs of faces (one of `a`, one of `b`) that have a point in common, or the first
    /// `limit` that were found, ordered and without repetition, written to `contacts` (which is
    /// cleared first).
    ///
    /// The verdict is that of [`test`](Self::test); whether the list is complete,
    /// [`each_contact`](Self::each_contact) says.
    fn contacts(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        query: &Query,
        limit: usize,
        cache: &mut PairCache,
        contacts: &mut Vec<(FaceId, FaceId)>,
    ) -> Verdict {
        let (set, listing) = distinct(self, a, b, query, limit, cache);
        set.write_to(contacts);
        *cache.get_or_default() = set;
        listing.verdict
    }

    /// The same pairs of faces with what they have in common: points, intersection segments and,
    /// where faces lie on each other, polygons, in the order of the faces and their triangles,
    /// written to `contacts` (which is cleared first). `limit` is one of pairs of faces, each of
    /// which brings all its [`Contact`]s.
    ///
    /// Every algorithm lists the same, bit for bit.
    fn contact_overlaps(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        query: &Query,
        limit: usize,
        cache: &mut PairCache,
        contacts: &mut Vec<Contact>,
    ) -> Listing {
        let (set, listing) = distinct(self, a, b, query, limit, cache);
        let mut pairs = Vec::with_capacity(set.len());
        set.write_to(&mut pairs);
        *cache.get_or_default() = set;
        contacts.clear();
        for (of_a, of_b) in pairs {
            Contact::of_faces(a, of_a, b, of_b, contacts);
        }
        listing
    }

    /// How many pairs of faces (one of `a`, one of `b`) have a point in common.
    ///
    /// Needs no memory beyond what the cache keeps from query to query.
    fn count_contacts(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        query: &Query,
        cache: &mut PairCache,
    ) -> (usize, Listing) {
        count_distinct(self, a, b, query, cache)
    }
}

/// The number of distinct pairs that an algorithm shows.
pub(crate) fn count_distinct<N: NarrowPhase + ?Sized>(
    algorithm: &N,
    a: Placed<'_>,
    b: Placed<'_>,
    query: &Query,
    cache: &mut PairCache,
) -> (usize, Listing) {
    let (set, listing) = distinct(algorithm, a, b, query, usize::MAX, cache);
    let count = set.len();
    *cache.get_or_default() = set;
    (count, listing)
}

/// The distinct pairs that an algorithm shows, in memory borrowed from the cache.
fn distinct<N: NarrowPhase + ?Sized>(
    algorithm: &N,
    a: Placed<'_>,
    b: Placed<'_>,
    query: &Query,
    limit: usize,
    cache: &mut PairCache,
) -> (ContactSet, Listing) {
    let mut set: ContactSet = std::mem::take(cache.get_or_default());
    set.clear(limit);
    let listing = algorithm.each_contact(a, b, query, cache, &mut |f, g| set.insert(f, g));
    (set, listing)
}

/// Whether an algorithm is exact, or the direction of its bias.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Guarantee {
    /// Always right: `Collides` exactly where the point sets meet.
    Exact,
    /// `Collides` is always right; where it finds no contact it may have missed one, and says
    /// `Undecided`.
    Misses,
    /// `Apart` is always right; where it finds no separation there may be one, and it says
    /// `Undecided`.
    FalseHits,
}

impl Guarantee {
    /// The word that programs print: `exact`, `misses` or `false-hits`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Misses => "misses",
            Self::FalseHits => "false-hits",
        }
    }
}

/// Why a model cannot be prepared for an algorithm.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PrepareError {
    /// The model is not of a kind that the algorithm accepts.
    #[error("{algorithm} needs a model that is {needed}, this one is not")]
    NotAccepted {
        /// The algorithm's name.
        algorithm: &'static str,
        /// What it needs, such as `"closed and manifold"`.
        needed: &'static str,
    },
}

//! The narrow phase: the trait that every pairwise algorithm implements.
//!
//! Everything a query reads (two placed models, the query) and writes (the pair's cache) is an argument,
//! so an algorithm is stateless, `Send + Sync`, and one instance serves all threads. There is one dynamic
//! call per pair or batch; everything below is generic. An algorithm stores its data for a model by type
//! in the model ([`Model::prepared`]) and its data for a pair by type in the [`PairCache`], so new
//! algorithms need no changes here.

use std::ops::ControlFlow;

use xcollide_brep::{FaceId, Topology};

use crate::hierarchy::search::surface_contacts;
use crate::hierarchy::tree_builder::TreeBuilder;
use crate::query::ContactSet;
use crate::{Contact, Listing, Model, PairCache, PairQuery, Placed, Query, Verdict};

/// Decides whether two placed models touch.
pub trait NarrowPhase: Send + Sync {
    /// The name of the algorithm in programs and files, such as `"arbitrary"`.
    fn name(&self) -> &'static str;

    /// Whether the algorithm can answer for two models of these kinds: any, as provided.
    fn accepts(&self, _a: Topology, _b: Topology) -> bool {
        true
    }

    /// Whether the algorithm also answers where a model is [given by a formula](Model::formula): no, as provided.
    fn accepts_formulas(&self) -> bool {
        false
    }

    /// Exact, as provided, or the direction of the bias.
    fn guarantee(&self) -> Guarantee {
        Guarantee::Exact
    }

    /// Builds all data of the model that a query of this algorithm can need; otherwise queries do when they
    /// need it. [`Model::prepared_bytes`] tells what it costs. As provided: the connected pieces, for the
    /// question whether one body contains the other.
    ///
    /// After it, queries of the default algorithms with a warm [`PairCache`] allocate nothing, except in exact
    /// arithmetic and for proofs.
    ///
    /// # Errors
    /// The algorithm does not accept models of this kind.
    fn prepare(&self, model: &Model) -> Result<(), PrepareError> {
        let _ = model.components();
        Ok(())
    }

    /// Bytes that this algorithm keeps with a model; `None` if nothing is prepared yet or the number is
    /// unknown.
    fn prepared_bytes(&self, _model: &Model) -> Option<usize> {
        None
    }

    /// The same algorithm with hierarchies built by this builder. Changes time and memory, never an answer.
    ///
    /// # Errors
    /// The algorithm keeps no hierarchy with a choice of builders (as provided), or one of another
    /// kind.
    fn built_by(&self, _builder: &TreeBuilder) -> Result<Box<dyn NarrowPhase>, PrepareError> {
        Err(PrepareError::NoTree { algorithm: self.name() })
    }

    /// Whether the models touch, with the proof.
    fn test(&self, a: Placed<'_>, b: Placed<'_>, query: &Query, cache: &mut PairCache) -> Verdict;

    /// Tests a batch of pairs: one verdict for each query, in order, written to `verdicts` (which is
    /// cleared first).
    ///
    /// The provided method calls [`test`](Self::test) for each; [`convex::Hybrid`](crate::convex::Hybrid)
    /// interleaves pairs, which is faster. Answers are the same; the proof may differ from that of `test`,
    /// but depends on the pair and its cache alone.
    ///
    /// ```
    /// use xcollide_narrow::convex::Hybrid;
    /// use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query, PairQuery};
    ///
    /// # let (corners, faces) = xcollide_fixtures::tetrahedron();
    /// # let tetrahedron = xcollide_brep::PolygonMesh::from_polygons(corners.to_vec(), faces)?;
    /// let model = Model::from_mesh(tetrahedron)?;
    /// let [near, far] = [0.75, 1.25].map(|x| Pose::from_translation([x, 0.0, 0.0]));
    /// let here = Placed::new(&model, &Pose::IDENTITY)?;
    /// let (near, far) = (Placed::new(&model, &near)?, Placed::new(&model, &far)?);
    /// let [mut first, mut second] = [PairCache::new(), PairCache::new()];
    /// let mut pairs =
    ///     [PairQuery::new(&here, &near, &mut first), PairQuery::new(&here, &far, &mut second)];
    /// let mut verdicts = Vec::new();
    /// Hybrid::default().test_many(&mut pairs, &Query::new(), &mut verdicts);
    /// assert!(verdicts[0].is_collision() && verdicts[1].is_apart());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn test_many(&self, pairs: &mut [PairQuery<'_>], query: &Query, verdicts: &mut Vec<Verdict>) {
        verdicts.clear();
        verdicts.extend(pairs.iter_mut().map(|pair| self.test(pair.a, pair.b, query, pair.cache)));
    }

    /// Shows `visit` the pairs of faces (one of `a`, one of `b`) that have a point in common: each at least
    /// once, in any order, until it breaks.
    ///
    /// The other queries for contacts use this one. Which faces have a point in common does not depend on
    /// the algorithm, so the provided method calls [`test`](Self::test) and, if that returns `Collides`,
    /// finds the pairs by two wide hierarchies.
    ///
    /// The verdict is that of `test`. A body inside another collides without a pair of faces in contact.
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
                Listing { verdict, complete: surface_contacts([a, b], query, cache, visit) }
            }
            Verdict::Apart(_) => Listing { verdict, complete: true },
            Verdict::Undecided(_) => Listing { verdict, complete: false },
        }
    }

    /// Writes all pairs of faces (one of `a`, one of `b`) that have a point in common, or the first `limit`
    /// found, to `contacts` (which is cleared first), ordered and without repetition.
    ///
    /// The verdict is that of [`test`](Self::test).
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

    /// Writes the [`Contact`]s of these pairs to `contacts` (which is cleared first), in the order of faces
    /// and triangles: common points, intersection segments and, for coplanar faces, polygons. `limit` is
    /// the number of pairs of faces, each with all its contacts.
    ///
    /// The list is the same for every algorithm, bit for bit.
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

    /// The number of pairs of faces (one of `a`, one of `b`) that have a point in common. Allocates only in
    /// the cache.
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

/// The algorithm in the box.
impl<N: NarrowPhase + ?Sized> NarrowPhase for Box<N> {
    fn name(&self) -> &'static str {
        (**self).name()
    }

    fn accepts(&self, a: Topology, b: Topology) -> bool {
        (**self).accepts(a, b)
    }

    fn accepts_formulas(&self) -> bool {
        (**self).accepts_formulas()
    }

    fn guarantee(&self) -> Guarantee {
        (**self).guarantee()
    }

    fn prepare(&self, model: &Model) -> Result<(), PrepareError> {
        (**self).prepare(model)
    }

    fn prepared_bytes(&self, model: &Model) -> Option<usize> {
        (**self).prepared_bytes(model)
    }

    fn built_by(&self, builder: &TreeBuilder) -> Result<Box<dyn NarrowPhase>, PrepareError> {
        (**self).built_by(builder)
    }

    fn test(&self, a: Placed<'_>, b: Placed<'_>, query: &Query, cache: &mut PairCache) -> Verdict {
        (**self).test(a, b, query, cache)
    }

    fn test_many(&self, pairs: &mut [PairQuery<'_>], query: &Query, verdicts: &mut Vec<Verdict>) {
        (**self).test_many(pairs, query, verdicts);
    }

    fn each_contact(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        query: &Query,
        cache: &mut PairCache,
        visit: &mut dyn FnMut(FaceId, FaceId) -> ControlFlow<()>,
    ) -> Listing {
        (**self).each_contact(a, b, query, cache, visit)
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
        (**self).contacts(a, b, query, limit, cache, contacts)
    }

    fn contact_overlaps(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        query: &Query,
        limit: usize,
        cache: &mut PairCache,
        contacts: &mut Vec<Contact>,
    ) -> Listing {
        (**self).contact_overlaps(a, b, query, limit, cache, contacts)
    }

    fn count_contacts(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        query: &Query,
        cache: &mut PairCache,
    ) -> (usize, Listing) {
        (**self).count_contacts(a, b, query, cache)
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Guarantee {
    /// Always right: `Collides` if and only if the point sets meet.
    Exact,
    /// `Collides` is always right. It may miss a contact, and returns `Undecided` if it finds none.
    Misses,
    /// `Apart` is always right. It may miss a separation, and returns `Undecided` if it finds none.
    FalseHits,
}

impl Guarantee {
    /// The name in programs: `exact`, `misses` or `false-hits`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Misses => "misses",
            Self::FalseHits => "false-hits",
        }
    }
}

/// Why an algorithm cannot be prepared as requested.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PrepareError {
    /// The algorithm does not accept models of this kind.
    #[error("{algorithm} needs a model that is {needed}, this one is not")]
    NotAccepted {
        /// The algorithm's name.
        algorithm: &'static str,
        /// What it needs, such as `"closed and manifold"`.
        needed: &'static str,
    },
    /// The algorithm keeps no tree, or one with a fixed builder.
    #[error("{algorithm} has no tree whose builder can be chosen")]
    NoTree {
        /// The algorithm's name.
        algorithm: &'static str,
    },
    /// The algorithm keeps a tree of another kind.
    #[error("{algorithm} keeps {keeps}, the builder makes {builds}")]
    OtherTree {
        /// The algorithm's name.
        algorithm: &'static str,
        /// The kind of its tree, as in [`TreeBuilder::builds`].
        keeps: &'static str,
        /// The kind that the builder builds.
        builds: &'static str,
    },
}

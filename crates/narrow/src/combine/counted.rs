//! What an algorithm does, added up.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use xcollide_brep::{FaceId, Topology};

use crate::{
    Guarantee, Listing, Model, NarrowPhase, PairCache, Placed, PrepareError, Query, Stats, Verdict,
};

/// Adds up the work of another algorithm over all queries, from any number of threads.
///
/// For measuring: it asks every query to count, which takes time.
///
/// ```
/// # use xcollide_brep::PolygonMesh;
/// use xcollide_narrow::combine::Counted;
/// use xcollide_narrow::mesh::Wide;
/// use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query};
///
/// # let tetrahedron = PolygonMesh::from_polygons(
/// #     vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
/// #     [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
/// # )?;
/// let model = Model::from_mesh(tetrahedron)?;
/// let counted = Counted::new(Wide::new());
/// let a = Placed::new(&model, &Pose::identity())?;
/// for _ in 0..3 {
///     let _ = counted.test(a, a, &Query::new(), &mut PairCache::new());
/// }
/// let total = counted.total();
/// assert_eq!((total.queries, total.collisions), (3, 3));
/// assert!(total.stats.primitive_tests >= 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Counted<A> {
    inner: A,
    total: Mutex<Total>,
}

/// The work of many queries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Total {
    /// How many queries there were.
    pub queries: u64,
    /// How many of them found a collision.
    pub collisions: u64,
    /// How many were left undecided.
    pub undecided: u64,
    /// What they did, all together.
    pub stats: Stats,
}

impl<A> Counted<A> {
    /// Counts for `inner` from now on.
    pub fn new(inner: A) -> Self {
        Self { inner, total: Mutex::default() }
    }

    /// The work so far.
    #[must_use]
    pub fn total(&self) -> Total {
        *self.total.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The work since the last call, and begins again with none.
    pub fn take(&self) -> Total {
        std::mem::take(&mut *self.total.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn add(&self, verdict: &Verdict, stats: Stats) {
        let mut total = self.total.lock().unwrap_or_else(PoisonError::into_inner);
        total.queries += 1;
        match verdict.decided() {
            Some(collides) => total.collisions += u64::from(collides),
            None => total.undecided += 1,
        }
        total.stats += stats;
    }
}

impl<A: NarrowPhase> NarrowPhase for Counted<A> {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn accepts(&self, a: Topology, b: Topology) -> bool {
        self.inner.accepts(a, b)
    }

    fn guarantee(&self) -> Guarantee {
        self.inner.guarantee()
    }

    fn prepare(&self, model: &Model) -> Result<(), PrepareError> {
        self.inner.prepare(model)
    }

    fn prepared_bytes(&self, model: &Model) -> Option<usize> {
        self.inner.prepared_bytes(model)
    }

    fn test(&self, a: Placed<'_>, b: Placed<'_>, query: &Query, cache: &mut PairCache) -> Verdict {
        let verdict = self.inner.test(a, b, &query.stats(true), cache);
        self.add(&verdict, cache.stats());
        verdict
    }

    fn each_contact(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        query: &Query,
        cache: &mut PairCache,
        visit: &mut dyn FnMut(FaceId, FaceId) -> ControlFlow<()>,
    ) -> Listing {
        let listing = self.inner.each_contact(a, b, &query.stats(true), cache, visit);
        self.add(&listing.verdict, cache.stats());
        listing
    }
}

//! Adds up the work of an algorithm.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use xcollide_brep::{FaceId, Topology};

use crate::{
    Guarantee, Listing, Model, NarrowPhase, PairCache, PairQuery, Placed, PrepareError, Query,
    Stats, Verdict,
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
/// let a = Placed::new(&model, &Pose::IDENTITY)?;
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

    fn test_many(
        &self,
        questions: &mut [PairQuery<'_>],
        query: &Query,
        verdicts: &mut Vec<Verdict>,
    ) {
        self.inner.test_many(questions, &query.stats(true), verdicts);
        for (question, verdict) in questions.iter().zip(&*verdicts) {
            self.add(verdict, question.cache.stats());
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pose;
    use crate::combine::Auto;

    /// Pairs that are asked about together count as they do alone.
    #[test]
    fn many_are_counted_as_each_is() -> Result<(), Box<dyn std::error::Error>> {
        let shapes = ["polytope?vertices=12&seed=2", "torus?faces=40"];
        let models = shapes.map(|spec| -> Result<Model, Box<dyn std::error::Error>> {
            Ok(Model::from_mesh(xcollide_scenes::shape(spec)?)?)
        });
        let models = models.into_iter().collect::<Result<Vec<_>, _>>()?;
        let place = |number| Pose::from_translation([0.3 * (number % 6) as f64, 0.7, 0.1]);
        let places: Vec<Pose> = (0..12).map(place).collect();
        let mut placed = Vec::new();
        for (number, pose) in places.iter().enumerate() {
            let model = &models[number / 6];
            placed.push([Placed::new(model, &Pose::IDENTITY)?, Placed::new(model, pose)?]);
        }
        let (alone, together) = (Counted::new(Auto::new()), Counted::new(Auto::new()));
        for &[a, b] in &placed {
            let _ = alone.test(a, b, &Query::new(), &mut PairCache::new());
        }
        let mut caches: Vec<_> = placed.iter().map(|_| PairCache::new()).collect();
        let pairs = placed.iter().zip(&mut caches);
        let mut questions: Vec<_> =
            pairs.map(|([a, b], cache)| PairQuery::new(a, b, cache)).collect();
        together.test_many(&mut questions, &Query::new(), &mut Vec::new());
        let (alone, together) = (alone.total(), together.total());
        assert_eq!((together.queries, together.collisions), (12, alone.collisions));
        assert!(together.undecided == 0 && (1..12).contains(&alone.collisions), "{alone:?}");
        // How much a convex search has to do may differ.
        assert_eq!(together.stats.primitive_tests, alone.stats.primitive_tests);
        Ok(())
    }
}

//! A signal that ends a query on another thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A signal that ends queries: see [`PairCache::set_stop`](crate::PairCache::set_stop). Clones share it.
///
/// ```
/// use xcollide_narrow::mesh::Wide;
/// use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query, Reason, Stop, Verdict};
///
/// # let (corners, faces) = xcollide_fixtures::tetrahedron();
/// # let tetrahedron = xcollide_brep::PolygonMesh::from_polygons(corners.to_vec(), faces)?;
/// let model = Model::from_mesh(tetrahedron)?;
/// let a = Placed::new(&model, &Pose::IDENTITY)?;
/// let (stop, mut cache) = (Stop::new(), PairCache::new());
/// cache.set_stop(Some(stop.clone()));
/// assert!(Wide::new().test(a, a, &Query::new(), &mut cache).is_collision());
///
/// stop.stop(); // from any thread
/// let verdict = Wide::new().test(a, a, &Query::new(), &mut cache);
/// assert_eq!(verdict, Verdict::Undecided(Reason::OutOfTime));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<Flag>);

#[derive(Debug, Default)]
struct Flag {
    is_set: AtomicBool,
    outer: Option<Stop>,
    /// How often it was looked at.
    #[cfg(test)]
    looks: std::sync::atomic::AtomicUsize,
}

impl Stop {
    /// A signal that is not set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A signal that counts as set if `outer` is set: for queries that are part of a query.
    #[cfg(any(test, feature = "parallel"))]
    pub(crate) fn within(outer: Option<&Self>) -> Self {
        Self(Arc::new(Flag { outer: outer.cloned(), ..Flag::default() }))
    }

    /// Sets the signal for good: running queries end soon, later ones at once.
    pub fn stop(&self) {
        // Guards no other memory, so no order is needed.
        self.0.is_set.store(true, Ordering::Relaxed);
    }

    /// Whether the signal is set.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        #[cfg(test)]
        self.0.looks.fetch_add(1, Ordering::Relaxed);
        self.0.is_set.load(Ordering::Relaxed) || self.0.outer.as_ref().is_some_and(Self::is_stopped)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::mesh::BruteForce;
    use crate::{Model, NarrowPhase, PairCache, Placed, Pose, Query, Reason, Semantics, Verdict};

    #[test]
    fn an_outer_signal_counts() {
        let outer = Stop::new();
        let inner = Stop::within(Some(&outer));
        assert!(!inner.is_stopped());
        outer.stop();
        assert!(inner.is_stopped());
    }

    /// A long search ends while it goes on.
    #[test]
    fn a_query_is_stopped_from_another_thread() {
        let model =
            Model::from_mesh(xcollide_scenes::shape("sphere?faces=20000").unwrap()).unwrap();
        // Every triangle against every triangle: many times what is done until it is stopped.
        let a = Placed::new(&model, &Pose::IDENTITY).unwrap();
        let pose_far = Pose::from_translation([9.0, 0.0, 0.0]);
        let far = Placed::new(&model, &pose_far).unwrap();
        let (stop, mut cache) = (Stop::new(), PairCache::new());
        cache.set_stop(Some(stop.clone()));
        let query = Query::new().semantics(Semantics::Surface);
        let is_over = AtomicBool::new(false);
        let verdict = std::thread::scope(|scope| {
            scope.spawn(|| {
                // The first look is before anything was compared.
                let looks = || stop.0.looks.load(Ordering::Relaxed);
                while looks() < 2 && !is_over.load(Ordering::Relaxed) {
                    std::thread::yield_now();
                }
                stop.stop();
            });
            let verdict = BruteForce.test(a, far, &query, &mut cache);
            is_over.store(true, Ordering::Relaxed);
            verdict
        });
        // Pairs of triangles were left.
        assert!(matches!(verdict, Verdict::Undecided(Reason::Unfinished { parts: 1.., .. })));
    }
}

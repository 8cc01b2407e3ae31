//! Chung's combined algorithm (1996, 5.5): the separating vector while bodies are apart, and the nearest
//! points of the last pose before contact as soon as they meet.
//!
//! The poses of the last query that found the bodies apart are kept. The first query that finds them in
//! contact computes the nearest points *there*, by GJK from the last vertices of the separating vector. The
//! line between these points is the first vector of the next query.
//!
//! ```text
//!     frame k: apart             frame k + 1: they meet
//!     ┌─────┐    ┌─────┐         ┌───┬─┬───┐
//!     │  A  ├────┤  B  │    ─►   │ A │ │ B │    the points of frame k are computed here, at
//!     └─────┘    └─────┘         └───┴─┴───┘    k + 1 only
//! ```

use xcollide_convex::{Body, Nearest, Pair, Polytope, Search, SearchResult};
use xcollide_math::Pose;

use super::separating_vector::{SeparatingVectorMemory, SeparatingVectorSearch};
use crate::PairCache;
use crate::convex::certified::Certified;

/// The separating vector, with the nearest points of the last pose before contact.
///
/// ```
/// use xcollide_narrow::classic::Combined;
/// use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query};
///
/// # let (corners, faces) = xcollide_fixtures::tetrahedron();
/// # let tetrahedron = xcollide_brep::PolygonMesh::from_polygons(corners.to_vec(), faces)?;
/// let model = Model::from_mesh(tetrahedron)?;
/// let a = Placed::new(&model, &Pose::IDENTITY)?;
/// let mut cache = PairCache::new();
/// // The tip of the first is at x = 1; the second comes from the right.
/// for x in [1.5, 1.25, 0.875] {
///     let pose_b = Pose::from_translation([x, 0.0, 0.0]);
///     let b = Placed::new(&model, &pose_b)?;
///     if Combined::default().test(a, b, &Query::new(), &mut cache).is_collision() {
///         let before = Combined::last_apart(&cache).ok_or("they were apart")?;
///         assert_eq!(before.nearest.distance, 0.25);
///         assert_eq!(before.nearest.points, [[1.0, 0.0, 0.0], [1.25, 0.0, 0.0]]);
///     }
/// }
/// # assert!(Combined::last_apart(&cache).is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Combined = Certified<CombinedSearch>;

/// The search of [`Combined`]: the way to search separating vectors.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CombinedSearch(SeparatingVectorSearch);

/// Memory of a pair.
#[derive(Clone, Debug, Default)]
pub struct CombinedMemory {
    separating: SeparatingVectorMemory,
    /// The poses of the last query that found the bodies apart.
    apart: Option<[Pose; 2]>,
    /// The nearest points there, while the bodies meet.
    last_apart: Option<LastApart>,
}

/// Two bodies before they met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LastApart {
    /// The nearest points of the hulls. Hulls of bodies that are not convex may meet before the bodies do;
    /// then the distance is 0.
    pub nearest: Nearest,
    /// The poses of the two bodies, whose [inverses](Pose::inverse) take the points to the bodies.
    pub motions: [Pose; 2],
}

impl Certified<CombinedSearch> {
    /// The combined algorithm with this search of separating vectors.
    #[must_use]
    pub const fn with(separating: Certified<SeparatingVectorSearch>) -> Self {
        Self(CombinedSearch(separating.0))
    }

    /// The nearest points of the last query before contact, in O(1). They stay the same while the bodies
    /// meet.
    ///
    /// `None` while the bodies are apart, if they were never found apart, or if the cache was not used with
    /// this algorithm for this pair in this order.
    #[must_use]
    pub fn last_apart(cache: &PairCache) -> Option<&LastApart> {
        Self::memory(cache)?.last_apart.as_ref()
    }
}

impl Search for CombinedSearch {
    const NAME: &'static str = "combined";
    type Memory = CombinedMemory;

    fn prepare(&self, polytope: &Polytope) {
        self.0.prepare(polytope);
    }

    fn search(&self, pair: &mut Pair<'_>, memory: &mut CombinedMemory) -> SearchResult {
        self.0.search(pair, &mut memory.separating)
    }

    fn decided(&self, pair: &mut Pair<'_>, collides: bool, memory: &mut CombinedMemory) {
        if !collides {
            memory.apart = Some(pair.motions());
            memory.last_apart = None;
            return;
        }
        let (None, Some(motions)) = (&memory.last_apart, memory.apart) else { return };
        let [a, b] = [pair.a().polytope(), pair.b().polytope()];
        let mut before = Pair::new(Body::new(a, &motions[0]), Body::new(b, &motions[1]));
        let nearest = before.nearest(memory.separating.for_nearest());
        if let (true, Some(&ends)) = (nearest.at_least > 0.0, nearest.simplex.ends().first()) {
            memory.separating.resume(nearest.direction, ends);
        }
        let probes = before.probes();
        pair.count(probes);
        memory.last_apart = Some(LastApart { nearest, motions });
    }
}

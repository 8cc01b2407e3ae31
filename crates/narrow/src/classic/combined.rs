//! Chung's combined algorithm (1996, 5.5): the separating vector while bodies are apart, and the
//! nearest points of the last pose before contact as soon as they meet.
//!
//! When bodies have met it is too late to ask where they were going to touch, and before that most
//! applications do not care. So the poses of the last query that found them apart are kept, and the
//! first one that finds them in contact searches the nearest points *there*, by Gilbert's algorithm
//! from the vertices that the separating vector has just met. The line between those points is in
//! turn the first vector of the next query.
//!
//! ```text
//!     frame k: apart             frame k + 1: they meet
//!     ┌─────┐    ┌─────┐         ┌───┬─┬───┐
//!     │  A  ├────┤  B  │    ─►   │ A │ │ B │    the points of frame k are asked for here, at
//!     └─────┘    └─────┘         └───┴─┴───┘    k + 1, and only then
//! ```

use xcollide_convex::{Body, Nearest, Pair, Search, SearchResult};
use xcollide_math::Pose;

use super::separating_vector::{SeparatingVectorMemory, SeparatingVectorSearch};
use crate::PairCache;
use crate::convex::certified::Certified;

/// The separating vector, with the nearest points of the last pose before contact.
///
/// ```
/// # use xcollide_brep::PolygonMesh;
/// use xcollide_narrow::classic::Combined;
/// use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query};
///
/// # let tetrahedron = PolygonMesh::from_polygons(
/// #     vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
/// #     [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
/// # )?;
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

/// The search of [`Combined`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CombinedSearch {
    /// How separating vectors are searched.
    pub separating: SeparatingVectorSearch,
}

/// What is remembered: what the separating vector does, and where the pair was last apart.
#[derive(Clone, Debug, Default)]
pub struct CombinedMemory {
    separating: SeparatingVectorMemory,
    /// The motions of the last query that found the bodies apart.
    apart: Option<[Pose; 2]>,
    /// While they meet: what was found out about that query.
    last_apart: Option<LastApart>,
}

/// Two bodies as they were before they met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LastApart {
    /// The nearest points of the hulls there. A hull is all that a convex body is; hulls of others
    /// may meet before the bodies do, and then the distance is 0.
    pub nearest: Nearest,
    /// Where the two bodies were: their motions take them to the world, and their
    /// [inverses](Pose::inverse) the points to the bodies.
    pub motions: [Pose; 2],
}

impl Certified<CombinedSearch> {
    /// The nearest points of the last query before contact, in O(1).
    ///
    /// `None` while the bodies are apart, where they have never been found apart, and where the
    /// cache was not used with this algorithm, for this pair in this order. The points stay as they
    /// are for as long as the bodies meet.
    #[must_use]
    pub fn last_apart(cache: &PairCache) -> Option<&LastApart> {
        Self::memory(cache)?.last_apart.as_ref()
    }
}

impl Search for CombinedSearch {
    const NAME: &'static str = "combined";
    type Memory = CombinedMemory;

    fn search(&self, pair: &mut Pair<'_>, memory: &mut CombinedMemory) -> SearchResult {
        self.separating.search(pair, &mut memory.separating)
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

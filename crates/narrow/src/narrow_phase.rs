//! The trait that every pairwise algorithm implements.
//!
//! It is shaped so that algorithms can be swapped as values and compared on equal terms. A query
//! takes everything it may read (two placed models, what is asked) and everything it may write
//! (the pair's cache) as arguments, so an algorithm itself is stateless, `Send + Sync`, and one
//! instance serves all threads. The dynamic call is made once a pair; below it all is generic.
//! What an algorithm wants to keep *with a model* it stores by type in the model
//! ([`Model::prepared`]), what it wants to keep *with a pair* by type in the [`PairCache`]; so
//! third parties need no entry in any list of ours.

use xcollide_brep::{FaceId, Topology};

use crate::{Model, PairCache, Placed, Query, Verdict};

/// Decides whether two placed models touch.
pub trait NarrowPhase: Send + Sync {
    /// The name by which programs know this algorithm, such as `"arbitrary"`.
    fn name(&self) -> &'static str;

    /// Which kinds of model this can answer for.
    fn accepts(&self, a: Topology, b: Topology) -> bool;

    /// Exact, or the direction of the bias.
    fn guarantee(&self) -> Guarantee;

    /// Builds whatever this algorithm wants to keep with a model, once. Queries do it themselves
    /// when it has not been done; call it to choose the moment.
    ///
    /// # Errors
    /// The model is not of a kind that this algorithm accepts.
    fn prepare(&self, model: &Model) -> Result<(), PrepareError>;

    /// Whether the models touch, with the proof.
    fn test(&self, a: Placed<'_>, b: Placed<'_>, query: &Query, cache: &mut PairCache) -> Verdict;

    /// All pairs of faces (one of `a`, one of `b`) that have a point in common, or the first
    /// `limit` that were found, ordered and without repetition, written to `contacts` (which is
    /// cleared first).
    ///
    /// The verdict is that of [`test`](Self::test). A body inside another collides with no pair
    /// of faces in contact.
    fn contacts(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        query: &Query,
        limit: usize,
        cache: &mut PairCache,
        contacts: &mut Vec<(FaceId, FaceId)>,
    ) -> Verdict;
}

/// How far an algorithm's answers can be relied on.
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

//! The answer about a pair, with its proof.

use xcollide_convex::Bias;

use crate::{Separation, Suspects, Witness};

/// The answer about a pair.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
pub enum Verdict {
    /// The two point sets have a point in common. Touching is enough.
    Collides(Witness),
    /// They have no point in common.
    Apart(Separation),
    /// The algorithm did not decide.
    Undecided(Reason),
}

/// Why an algorithm did not decide, and what it knows.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Reason {
    /// A biased algorithm found only the answer that it does not guarantee.
    Biased(Bias),
    /// An approximate algorithm ended where the boxes of two faces overlap, without the exact test: the models may touch,
    /// and are no farther apart than is told.
    MayTouch(Suspects),
    /// The [budget](crate::Query::budget) was used up, or the query was [stopped](crate::Stop), before anything was known. Algorithms
    /// that look for one point in both bodies ([`Guarantee::Misses`](crate::Guarantee), such as `classic::MonteCarlo`) say so
    /// whenever they end: the points tried so far exclude nothing.
    OutOfTime,
    /// The same, but after a search on one or several threads has tested some parts: these are apart.
    /// How far it came depends on the clock; that all contacts are in what was left, and that the models are no farther apart
    /// than `at_most`, does not. There is no lower bound, as the boxes that were left overlap; for one, use
    /// [`distance_in_time`](crate::proximity::distance_in_time).
    Unfinished {
        /// Two features in the part that would have been tested next. They need not be near each other, but the models are no
        /// farther apart. Two faces, if the surfaces were searched (of a model against itself maybe the same one twice). Of
        /// two meshes a vertex and a body, if the surfaces *are* apart, and only whether one body contains the other was left.
        near: Suspects,
        /// The number of parts that are not tested, at least 1. If there is a contact, it is in one of them. They are pairs of nodes of two
        /// hierarchies; of a model against itself also nodes whose children were not compared; pairs of triangles of
        /// `mesh::BruteForce`; edges and chunks of edges of `classic::Arbitrary`; pairs of pieces of `compound::Compound`, or of
        /// nodes above them; triangles, nodes and vertices of a mesh against a formula; or connected pieces of both surfaces, if
        /// these are apart. Unless it is the latter, one body may contain the other as well.
        parts: u32,
    },
    /// The algorithm does not accept this pair of models; see
    /// [`NarrowPhase::accepts`](crate::NarrowPhase::accepts).
    NotAccepted,
    /// Rounding does not let one tell: whether two moving models touch that come close without touching at a moment that was tested,
    /// or the kind or a distance of bodies given by [formulas](crate::formula).
    TooClose,
}

/// The result of a listing of contacts.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
pub struct Listing {
    /// The verdict of [`NarrowPhase::test`](crate::NarrowPhase::test).
    pub verdict: Verdict,
    /// Whether all contacts were shown: the algorithm misses none, the visitor did not break, and the
    /// [time](crate::Query::budget) sufficed.
    pub complete: bool,
}

impl Reason {
    /// Whether there was no time, or not enough.
    #[must_use]
    pub fn is_out_of_time(&self) -> bool {
        matches!(self, Self::OutOfTime | Self::Unfinished { .. })
    }

    /// How many parts were left to be searched when the time was over, if that is known.
    #[must_use]
    pub fn parts_left(&self) -> Option<u32> {
        match self {
            Self::Unfinished { parts, .. } => Some(*parts),
            _ => None,
        }
    }

    /// How far apart the models are at most, if that is known.
    #[must_use]
    pub fn at_most(&self) -> Option<f64> {
        match self {
            Self::MayTouch(near) | Self::Unfinished { near, .. } => Some(near.at_most),
            _ => None,
        }
    }
}

impl Verdict {
    /// Whether this is `Collides`.
    #[must_use]
    pub fn is_collision(&self) -> bool {
        matches!(self, Self::Collides(_))
    }

    /// Whether this is `Apart`.
    #[must_use]
    pub fn is_apart(&self) -> bool {
        matches!(self, Self::Apart(_))
    }

    /// `true` for a collision, `false` for apart, `None` if undecided.
    #[must_use]
    pub fn decided(&self) -> Option<bool> {
        match self {
            Self::Collides(_) => Some(true),
            Self::Apart(_) => Some(false),
            Self::Undecided(_) => None,
        }
    }

    /// The answer as a bool, guessed if undecided: the answer to which a biased or approximate algorithm leans, else
    /// `otherwise`.
    ///
    /// ```
    /// use xcollide_convex::Bias;
    /// use xcollide_narrow::{Reason, Verdict};
    ///
    /// assert!(!Verdict::Undecided(Reason::Biased(Bias::Apart)).or_guess(true));
    /// assert!(Verdict::Undecided(Reason::OutOfTime).or_guess(true));
    /// ```
    #[must_use]
    pub fn or_guess(&self, otherwise: bool) -> bool {
        match self {
            Self::Collides(_) => true,
            Self::Apart(_) => false,
            Self::Undecided(Reason::Biased(bias)) => *bias == Bias::Collides,
            Self::Undecided(Reason::MayTouch(_)) => true,
            Self::Undecided(_) => otherwise,
        }
    }
}

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
    /// The [budget](crate::Query::budget) was used up, or the query was [stopped](crate::Stop), before anything was known.
    OutOfTime,
    /// The same during the search of two hierarchies, or of the edges of `arbitrary`, on one thread or several: what it has tested is apart.
    /// How far it came depends on the clock; that all contacts are below what was left, and that the models are no farther apart
    /// than `at_most`, does not. There is no lower bound, as the boxes that were left overlap; for one, use
    /// [`distance_in_time`](crate::proximity::distance_in_time).
    Unfinished {
        /// Two faces below the pair of nodes that would have been opened next. They need not be near each other, but the
        /// models are no farther apart.
        near: Suspects,
        /// The pairs of nodes that were left to be opened, or the edges and chunks of edges that were left to be tested: a contact
        /// is in one of these. At least 1.
        parts: u32,
    },
    /// The algorithm does not accept this pair of models; see
    /// [`NarrowPhase::accepts`](crate::NarrowPhase::accepts).
    NotAccepted,
    /// Rounding does not let one tell whether two models touch: a body given by a [formula](crate::formula) and another
    /// model, or two moving models that come close without touching at a moment that was tested.
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

    /// The pairs of nodes that were left to be searched when the time was over, if that is known.
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

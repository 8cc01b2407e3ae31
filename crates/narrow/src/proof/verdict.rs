//! Answers: a verdict with its proof, or an admission with its bias.

use xcollide_convex::Bias;

use crate::{Separation, Witness};

/// The answer about a pair.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub enum Verdict {
    /// The two point sets have a point in common. Touching is enough.
    Collides(Witness),
    /// They have none.
    Apart(Separation),
    /// The algorithm does not know.
    Undecided(Reason),
}

/// Why an algorithm did not decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// A biased algorithm came to the answer that it cannot vouch for.
    Biased(Bias),
    /// The [budget](crate::Query::budget) was used up first.
    OutOfTime,
    /// The algorithm does not accept this pair of models; see
    /// [`NarrowPhase::accepts`](crate::NarrowPhase::accepts).
    NotAccepted,
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

    /// `true` for a collision, `false` for apart, `None` where undecided.
    #[must_use]
    pub fn decided(&self) -> Option<bool> {
        match self {
            Self::Collides(_) => Some(true),
            Self::Apart(_) => Some(false),
            Self::Undecided(_) => None,
        }
    }

    /// The answer as a bool for those who would rather have a guess than none: a biased verdict
    /// becomes the answer it leans to, and one without any leaning becomes `otherwise`.
    ///
    /// ```
    /// use xcollide_narrow::{Bias, Reason, Verdict};
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
            Self::Undecided(_) => otherwise,
        }
    }
}

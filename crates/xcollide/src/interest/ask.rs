//! What is to be found out about a pair.

/// What a [`World`](crate::World) finds out about a pair of objects.
///
/// ```
/// use xcollide::interest::{Ask, InterestMatrix};
///
/// let mut interest = InterestMatrix::new();
/// interest.set_default_ask(Ask::Within { tolerance: 0.01 });
/// assert_eq!(interest.reach(), 0.01);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Ask {
    /// Whether they touch, with a witness.
    #[default]
    Touch,
    /// As `Touch`, and which faces do, and where: all, or those of so many pairs of faces.
    Contacts {
        /// The most pairs of faces.
        limit: usize,
    },
    /// Whether they are at most so far apart, exactly; then they count as colliding.
    Within {
        /// The distance; 0 is touching. Negative ones and NaN are never met.
        tolerance: f64,
    },
    /// As `Touch`, and how far apart they are, where that is not more than so much.
    Distance {
        /// The largest distance of interest.
        up_to: f64,
    },
}

impl Ask {
    /// How far apart two objects may be and still have to be looked at.
    #[must_use]
    pub fn reach(&self) -> f64 {
        match *self {
            Self::Touch | Self::Contacts { .. } => 0.0,
            // NaN becomes 0.
            Self::Within { tolerance: far } | Self::Distance { up_to: far } => far.max(0.0),
        }
    }
}

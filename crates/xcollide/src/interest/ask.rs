//! Queries about pairs.

/// What a [`World`](crate::World) computes for a pair of objects.
///
/// ```
/// use xcollide::interest::{Ask, InterestMatrix};
///
/// let mut interest = InterestMatrix::new();
/// interest.set_default_ask(Ask::Within { tolerance: 0.01 });
/// assert_eq!(interest.reach(), 0.01);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Ask {
    /// Whether they touch, with a witness.
    #[default]
    Touch,
    /// As `Touch`, with the pairs of faces in contact and their contact points.
    Contacts {
        /// The most pairs of faces.
        limit: usize,
    },
    /// Whether their distance is at most the tolerance, decided exactly. Such pairs count as colliding.
    Within {
        /// The distance; 0 means touching. No pair is within a negative tolerance or NaN.
        tolerance: f64,
    },
    /// As `Touch`, with the [kind](crate::narrow::relation::kind) of the relation of objects that do.
    Kind,
    /// As `Touch`, with the [penetration depth](crate::narrow::penetration) of objects that do.
    Depth,
    /// As `Touch`, with the [contact manifold](crate::narrow::Manifold) of objects that do: at most four points with depths.
    Manifold,
    /// As `Touch`, with the distance if it is at most `up_to`. A budget of the query limits the test, and then the distance: where
    /// it ends that, [`Frame::bounded_distances`](crate::Frame::bounded_distances) has what was known.
    Distance {
        /// The largest distance of interest.
        up_to: f64,
    },
}

impl Ask {
    /// The largest distance at which the query needs the pair.
    #[must_use]
    pub fn reach(&self) -> f64 {
        match *self {
            Self::Touch | Self::Contacts { .. } | Self::Kind | Self::Depth | Self::Manifold => 0.0,
            // NaN becomes 0.
            Self::Within { tolerance: far } | Self::Distance { up_to: far } => far.max(0.0),
        }
    }
}

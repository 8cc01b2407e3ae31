//! The orders in which pairs are tested (Daneu 2002, 4.1.4).

/// The order of the tests of a check with a [schedule](super::Schedule).
///
/// ```
/// use xcollide::Order;
///
/// assert_eq!(Order::named("priority-queue"), Some(Order::PriorityQueue));
/// assert_eq!(Order::default().name(), "round-robin");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Order {
    /// The pair first that has waited longest; among these the most important, then the first by id. None waits longer
    /// than all others take.
    #[default]
    RoundRobin,
    /// By id, from the first pair in every check. What does not come into its turn is not tested while it is not first.
    Sequential,
    /// By importance alone ("perceptually sorted sequential"): unimportant pairs may wait for ever.
    Sorted,
    /// By the importance times the number of checks since the last test, so that what waits becomes important. A pair of
    /// importance above 0 is tested at last.
    PriorityQueue,
}

impl Order {
    /// All orders.
    pub const ALL: [Self; 4] =
        [Self::RoundRobin, Self::Sequential, Self::Sorted, Self::PriorityQueue];

    /// Its name in scenes and options.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::RoundRobin => "round-robin",
            Self::Sequential => "sequential",
            Self::Sorted => "sorted",
            Self::PriorityQueue => "priority-queue",
        }
    }

    /// The order of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|order| order.name() == name)
    }

    /// What a pair is ranked by, both descending, before its id.
    pub(super) fn rank(self, waited: u32, importance: f64) -> (u32, f64) {
        match self {
            Self::RoundRobin => (waited, importance),
            Self::Sequential => (0, 0.0),
            Self::Sorted => (0, importance),
            Self::PriorityQueue => (0, importance * (1.0 + f64::from(waited))),
        }
    }
}

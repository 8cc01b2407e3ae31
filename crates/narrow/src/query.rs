//! What is asked about a pair.

use std::time::{Duration, Instant};

/// Which point set a model stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Semantics {
    /// A closed model is the body it bounds, any other model is its surface. A body that lies
    /// wholly inside another collides with it.
    #[default]
    Solid,
    /// Only the faces count. A body inside another, touching nothing, is apart.
    Surface,
}

/// What to find out about a pair, and how hard to try.
///
/// ```
/// use std::time::Duration;
/// use xcollide_narrow::{Query, Semantics};
///
/// let query = Query::new().semantics(Semantics::Surface).budget(Duration::from_millis(2));
/// assert_eq!(query.semantics, Semantics::Surface);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Query {
    /// Bodies or surfaces.
    pub semantics: Semantics,
    /// Whether an `Apart` must carry a proof that can be checked without repeating all the work:
    /// a plane, or else a [`Front`](crate::Front). Without it, models whose boxes overlap get
    /// [`Separation::Pairwise`](crate::Separation::Pairwise), because a proof would take more time
    /// than the answer.
    pub certify: bool,
    /// Whether to count the work; see [`PairCache::stats`](crate::PairCache::stats).
    pub stats: bool,
    /// How long the query may take. When it is used up the verdict is
    /// [`Undecided`](crate::Verdict::Undecided).
    pub budget: Option<Duration>,
}

impl Query {
    /// Solid semantics, no extra proof, no counting, no limit of time.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets which point sets are meant.
    #[must_use]
    pub fn semantics(mut self, semantics: Semantics) -> Self {
        self.semantics = semantics;
        self
    }

    /// Asks for a full proof of `Apart`.
    #[must_use]
    pub fn certify(mut self, certify: bool) -> Self {
        self.certify = certify;
        self
    }

    /// Asks for counts.
    #[must_use]
    pub fn stats(mut self, stats: bool) -> Self {
        self.stats = stats;
        self
    }

    /// Limits the time.
    #[must_use]
    pub fn budget(mut self, budget: Duration) -> Self {
        self.budget = Some(budget);
        self
    }
}

/// Watches a query's time, looking at the clock only now and then.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline {
    at: Option<Instant>,
    calls: u32,
}

impl Deadline {
    pub(crate) fn of(query: &Query) -> Self {
        // A budget beyond what the clock can hold is no limit.
        let at = query.budget.and_then(|budget| Instant::now().checked_add(budget));
        Self { at, calls: 0 }
    }

    /// Whether the time is used up. Looks at the clock on the first call and then every 64th, for
    /// a look costs as much as a few edge tests.
    #[inline]
    pub(crate) fn passed(&mut self) -> bool {
        let Some(at) = self.at else { return false };
        let look = self.calls.is_multiple_of(64);
        self.calls = self.calls.wrapping_add(1);
        look && Instant::now() >= at
    }
}

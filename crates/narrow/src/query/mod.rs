//! Queries: what to find out about a pair, in which time, with which cache.

mod contact_set;
mod pair_cache;
mod pair_query;
pub(crate) mod stats;
mod stop;

pub(crate) use contact_set::ContactSet;
pub use pair_cache::PairCache;
pub use pair_query::PairQuery;
pub use stats::Stats;
pub use stop::Stop;

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

/// Which proof is wanted if two models are apart.
///
/// The answer is exact with any of them; they differ in the [`Separation`](crate::Separation) and in
/// the time it takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Certificate {
    /// Free: a plane if the boxes are apart, else
    /// [`Separation::Pairwise`](crate::Separation::Pairwise).
    #[default]
    Free,
    /// A plane wherever [one is found](crate::Separation::find_plane), which takes passes over the
    /// vertices; else `Pairwise`. For applications that use the plane.
    Plane,
    /// A proof that can be checked without repeating all the work: a plane, or else a
    /// [front](crate::Separation::Front), which mostly takes more time than the answer.
    Full,
}

/// By how many threads of rayon's current pool a single pair is worked off, where the algorithm can
/// share its work (Zachmann 1994, 6.3), and with the feature `parallel`. The answer, its proof, and the
/// contacts in their order are those of one thread.
///
/// Other threads are called only after some 30 µs; cheap pairs take a few microseconds more at most.
/// For few pairs of large models: many pairs are better shared out pair by pair.
///
/// The hierarchies of oriented boxes, axis-aligned boxes, k-DOPs and spheres, binary ones and 8-wide
/// ones, can be searched by any number of threads, `classic::Arbitrary` by two; other algorithms, and
/// queries with a [coherent](crate::PairCache::coherent) cache, use one. [`Stats`](crate::Stats) do not
/// depend on the number of threads, but after a hit they are a little higher than with one thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Grain {
    /// By the calling thread.
    #[default]
    Coarse,
    /// By two, each with one of the two phases of an algorithm that has two, or with half of the
    /// search.
    Medium,
    /// By all threads of the pool.
    Fine,
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
    /// Which proof an `Apart` must carry.
    pub certificate: Certificate,
    /// Whether to count the work; see [`PairCache::stats`](crate::PairCache::stats).
    pub stats: bool,
    /// How long the query may take. When it is used up, and no contact was found, the verdict is
    /// [`Undecided`](crate::Verdict::Undecided). Looked at every few dozen steps of the search,
    /// whatever it finds, then along with the test whether a body lies in the other and with the
    /// making of the certificate: where time is left for the answer and not for the proof
    /// that is wanted of it, the proof is [`Pairwise`](crate::Separation::Pairwise). Not limited is what
    /// is prepared of a model, once.
    pub budget: Option<Duration>,
    /// Whether several threads may work on the pair.
    pub grain: Grain,
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

    /// Sets which proof of `Apart` is wanted.
    #[must_use]
    pub fn certificate(mut self, certificate: Certificate) -> Self {
        self.certificate = certificate;
        self
    }

    /// Asks for a full proof of `Apart`, or for what costs nothing.
    #[must_use]
    pub fn certify(self, certify: bool) -> Self {
        self.certificate(if certify { Certificate::Full } else { Certificate::Free })
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

    /// Sets whether several threads may work on the pair.
    #[must_use]
    pub fn grain(mut self, grain: Grain) -> Self {
        self.grain = grain;
        self
    }
}

/// The time of a query is used up, or the query was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OutOfTime;

/// The end of a query's time, and its [`Stop`]; looked at now and then.
#[derive(Clone, Debug)]
pub(crate) struct Deadline {
    at: Option<Instant>,
    stop: Option<Stop>,
    /// Work that may still be done before the next look at the clock.
    before_look: u32,
}

/// Steps from one look at the clock to the next: a look costs as much as a few of them.
const STEPS_A_LOOK: u32 = 64;

impl Deadline {
    pub(crate) fn of(query: &Query, cache: &PairCache) -> Self {
        // A budget beyond what the clock can hold is no limit.
        let at = query.budget.and_then(|budget| Instant::now().checked_add(budget));
        Self { at, stop: cache.stop().cloned(), before_look: 0 }
    }

    /// Whether there is a limit.
    pub(crate) fn is_set(&self) -> bool {
        self.at.is_some() || self.stop.is_some()
    }

    /// Counts a step, and on the first and every 64th looks whether the time is used up or the query
    /// was stopped.
    #[inline]
    pub(crate) fn passed(&mut self) -> bool {
        if self.at.is_none() && self.stop.is_none() {
            return false;
        }
        if self.before_look > 0 {
            self.before_look -= 1;
            return false;
        }
        self.before_look = STEPS_A_LOOK - 1;
        self.stop.as_ref().is_some_and(Stop::is_stopped)
            || self.at.is_some_and(|at| Instant::now() >= at)
    }

    /// No limit.
    pub(crate) fn never() -> Self {
        Self { at: None, stop: None, before_look: 0 }
    }

    /// [`passed`](Self::passed) as an error.
    #[inline]
    pub(crate) fn check(&mut self) -> Result<(), OutOfTime> {
        if self.passed() { Err(OutOfTime) } else { Ok(()) }
    }

    /// The same after so many steps.
    #[inline]
    pub(crate) fn check_for(&mut self, steps: usize) -> Result<(), OutOfTime> {
        self.spend(steps as u64);
        self.check()
    }

    /// Counts steps.
    #[inline]
    pub(crate) fn spend(&mut self, steps: u64) {
        let steps = u32::try_from(steps).unwrap_or(STEPS_A_LOOK);
        self.before_look = self.before_look.saturating_sub(steps);
    }
}

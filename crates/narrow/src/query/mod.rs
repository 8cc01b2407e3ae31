//! Queries: what to find out about a pair, in what time, with which cache.

mod contact_set;
mod pair_cache;
mod stats;
mod stop;

pub(crate) use contact_set::ContactSet;
pub use pair_cache::PairCache;
pub use stats::Stats;
pub use stop::Stop;

use std::time::{Duration, Instant};

use crate::Placed;

/// The point set that a model represents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Semantics {
    /// A closed model is the body it bounds, any other model is its surface. A body that lies
    /// wholly inside another collides with it.
    #[default]
    Solid,
    /// Only the faces count. A body inside another that touches no face is apart.
    Surface,
}

/// The proof that an `Apart` verdict carries: a [`Separation`](crate::Separation). It changes the time,
/// never the answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Certificate {
    /// No extra work: a plane if the boxes are apart, else
    /// [`Separation::Pairwise`](crate::Separation::Pairwise).
    #[default]
    Free,
    /// A plane if [one is found](crate::Separation::find_plane), which takes passes over the vertices; else
    /// `Pairwise`.
    Plane,
    /// A proof that can be verified without repeating the search: a plane, or else a
    /// [front](crate::Separation::Front), which mostly takes more time than the answer.
    Full,
}

/// How many threads of rayon's current pool work on a single pair (Zachmann 1994, 6.3), with the feature
/// `parallel`. The answer, its proof, and the contacts in their order are those of one thread.
///
/// Other threads are called only after some 30 µs; cheap pairs take at most a few microseconds more. Use it
/// for few pairs of large models; many pairs are better distributed pair by pair.
///
/// All hierarchies but `classic::PatchTrees`, and `classic::Arbitrary`, are searched by any number of threads, and
/// `classic::PerceptronOf1994` compares the vertices of large hulls. Other algorithms, and queries with a [coherent](crate::PairCache::coherent) cache, use one.
/// [`Stats`] do not depend on the number of threads, but after a hit they are a little higher
/// than with one thread. When the budget is used up, they report the same kind of partial result as one thread
/// ([`Reason::Unfinished`](crate::Reason::Unfinished)).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Grain {
    /// The calling thread.
    #[default]
    Coarse,
    /// Two threads: one for each phase of `classic::Arbitrary`, or with parts of the search.
    Medium,
    /// All threads of the pool.
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Query {
    /// Bodies or surfaces.
    pub semantics: Semantics,
    /// The proof that an `Apart` carries.
    pub certificate: Certificate,
    /// Whether to count the work; see [`PairCache::stats`](crate::PairCache::stats).
    pub stats: bool,
    /// How long the query may take, checked every few dozen steps. If it is used up before a contact is
    /// found, the verdict is [`Undecided`](crate::Verdict::Undecided), with what is known
    /// ([`Reason::Unfinished`](crate::Reason::Unfinished)); if only the certificate is missing,
    /// the proof is [`Pairwise`](crate::Separation::Pairwise). Preparing a model is not limited.
    pub budget: Option<Duration>,
    /// Whether several threads may work on the pair.
    pub grain: Grain,
}

impl Query {
    /// Solid semantics, no extra proof, no counts, no time limit.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the point set that models represent.
    #[must_use]
    pub fn semantics(mut self, semantics: Semantics) -> Self {
        self.semantics = semantics;
        self
    }

    /// Sets the proof that an `Apart` carries.
    #[must_use]
    pub fn certificate(mut self, certificate: Certificate) -> Self {
        self.certificate = certificate;
        self
    }

    /// Requests a [full](Certificate::Full) or a [free](Certificate::Free) proof of `Apart`.
    #[must_use]
    pub fn certify(self, certify: bool) -> Self {
        self.certificate(if certify { Certificate::Full } else { Certificate::Free })
    }

    /// Sets whether to count the work.
    #[must_use]
    pub fn stats(mut self, stats: bool) -> Self {
        self.stats = stats;
        self
    }

    /// Sets the time limit.
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

/// A pair of a batch for [`NarrowPhase::test_many`](crate::NarrowPhase::test_many): two placed models and
/// their cache.
#[derive(Debug)]
pub struct PairQuery<'a> {
    /// The first model.
    pub a: Placed<'a>,
    /// The second model.
    pub b: Placed<'a>,
    /// The cache of this pair.
    pub cache: &'a mut PairCache,
}

impl<'a> PairQuery<'a> {
    /// The query of a pair; either model may be a `&Placed`.
    #[inline]
    #[must_use]
    pub fn new(
        a: impl Into<Placed<'a>>,
        b: impl Into<Placed<'a>>,
        cache: &'a mut PairCache,
    ) -> Self {
        Self { a: a.into(), b: b.into(), cache }
    }

    /// The same query, reborrowed.
    #[inline]
    pub(crate) fn lent(&mut self) -> PairQuery<'_> {
        PairQuery { a: self.a, b: self.b, cache: self.cache }
    }
}

/// The time of a query is used up, or the query was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OutOfTime;

/// The end of a query's time, and its [`Stop`].
#[derive(Clone, Debug)]
pub(crate) struct Deadline {
    at: Option<Instant>,
    stop: Option<Stop>,
    /// Steps left before the next look at the clock.
    before_look: u32,
}

/// Steps between two readings of the clock. A reading takes as long as a few steps.
const STEPS_A_LOOK: u32 = 64;

impl Deadline {
    #[inline]
    pub(crate) fn of(query: &Query, cache: &PairCache) -> Self {
        // A budget beyond what the clock can hold is no limit.
        let at = query.budget.and_then(|budget| Instant::now().checked_add(budget));
        Self { at, stop: cache.stop().cloned(), before_look: 0 }
    }

    /// Whether the time of a query is over before it begins. Makes no deadline where there is no limit, as small queries take
    /// hardly longer than that.
    #[inline]
    pub(crate) fn is_over(query: &Query, cache: &PairCache) -> bool {
        #[cold]
        fn has_passed(query: &Query, cache: &PairCache) -> bool {
            Deadline::of(query, cache).passed()
        }
        (query.budget.is_some() || cache.stop().is_some()) && has_passed(query, cache)
    }

    /// Whether there is a limit.
    pub(crate) fn is_set(&self) -> bool {
        self.at.is_some() || self.stop.is_some()
    }

    /// Counts a step; on the first and every 64th, whether the time is used up or the query was stopped.
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

    /// Over after this many steps.
    #[cfg(test)]
    pub(crate) fn after(steps: u32) -> Self {
        Self { at: Some(Instant::now()), stop: None, before_look: steps }
    }

    /// [`passed`](Self::passed) as an error.
    #[inline]
    pub(crate) fn check(&mut self) -> Result<(), OutOfTime> {
        if self.passed() { Err(OutOfTime) } else { Ok(()) }
    }

    /// The same after this many steps.
    #[inline]
    pub(crate) fn check_for(&mut self, steps: usize) -> Result<(), OutOfTime> {
        self.spend(steps as u64);
        self.check()
    }

    /// Looks at the clock at the next step.
    pub(crate) fn look_next(&mut self) {
        self.before_look = 0;
    }

    /// Counts steps.
    #[inline]
    pub(crate) fn spend(&mut self, steps: u64) {
        let steps = u32::try_from(steps).unwrap_or(STEPS_A_LOOK);
        self.before_look = self.before_look.saturating_sub(steps);
    }
}

//! A named algorithm that a comparison can create repeatedly.

use std::fmt;
use std::sync::Arc;

use xcollide::bounding::Bounding;
use xcollide::broad::BroadPhase;
use xcollide::execution::Execution;
use xcollide::narrow::NarrowPhase;
use xcollide::narrow::combine::Auto;
use xcollide::registry::{self, Kind};

use crate::execution_mode::{CONCURRENT, execution_mode};

/// A name and a constructor: the user's own algorithm or one of the registry.
///
/// A comparison creates each algorithm several times, as every round begins with empty caches.
///
/// ```
/// use xcollide::narrow::mesh::Wide;
/// use xcollide_lab::compare::Algorithm;
///
/// let mine = Algorithm::own_narrow_phase("mine", Wide::new);
/// assert_eq!(mine.name(), "mine");
/// assert!(Algorithm::narrow_phase("box-tree").is_some());
/// assert!(Algorithm::narrow_phase("mine").is_none());
/// ```
pub struct Algorithm<T: ?Sized> {
    name: String,
    /// The argument says whether the algorithm may use several threads.
    make: Arc<dyn Fn(bool) -> Box<T> + Send + Sync>,
    /// Whether the world checks in a thread of its own.
    own_thread: bool,
}

impl<T: ?Sized> Algorithm<T> {
    /// An own algorithm, boxed.
    pub fn new(name: impl Into<String>, make: impl Fn() -> Box<T> + Send + Sync + 'static) -> Self {
        Self { name: name.into(), make: Arc::new(move |_| make()), own_thread: false }
    }

    /// The name in tables and records.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the world checks in a thread of its own.
    pub(super) fn has_own_thread(&self) -> bool {
        self.own_thread
    }

    /// Creates the algorithm; `threads`: whether it may use several.
    pub(super) fn make(&self, threads: bool) -> Box<T> {
        (self.make)(threads)
    }

    fn registered(name: &str, make: impl Fn(bool) -> Box<T> + Send + Sync + 'static) -> Self {
        Self { name: name.to_owned(), make: Arc::new(make), own_thread: false }
    }
}

impl Algorithm<dyn NarrowPhase> {
    /// An own narrow phase.
    pub fn own_narrow_phase<A: NarrowPhase + 'static>(
        name: impl Into<String>,
        make: impl Fn() -> A + Send + Sync + 'static,
    ) -> Self {
        Self::new(name, move || Box::new(make()))
    }

    /// The registry's narrow phase of this name, if any.
    #[must_use]
    pub fn narrow_phase(name: &str) -> Option<Self> {
        let entry = registry::of_kind(Kind::Narrow).find(|entry| entry.name == name)?;
        entry.narrow_phase()?;
        // An entry that returned an algorithm once always does.
        let make = |_| entry.narrow_phase().unwrap_or_else(|| Box::new(Auto::new()));
        Some(Self::registered(name, make))
    }
}

impl Algorithm<dyn BroadPhase> {
    /// An own broad phase.
    pub fn own_broad_phase<A: BroadPhase + 'static>(
        name: impl Into<String>,
        make: impl Fn() -> A + Send + Sync + 'static,
    ) -> Self {
        Self::new(name, move || Box::new(make()))
    }

    /// The registry's broad phase of this name, if any.
    #[must_use]
    pub fn broad_phase(name: &str) -> Option<Self> {
        let entry = registry::of_kind(Kind::Broad).find(|entry| entry.name == name)?;
        entry.broad_phase(false)?;
        let auto = || Box::new(xcollide::broad::Auto::new());
        let make = move |threads| entry.broad_phase(threads).unwrap_or_else(|| auto());
        Some(Self::registered(name, make))
    }
}

impl Algorithm<dyn Bounding> {
    /// An own bounding strategy.
    pub fn own_bounding<A: Bounding + 'static>(
        name: impl Into<String>,
        make: impl Fn() -> A + Send + Sync + 'static,
    ) -> Self {
        Self::new(name, move || Box::new(make()))
    }

    /// The registry's bounding strategy of this name, if any.
    #[must_use]
    pub fn bounding(name: &str) -> Option<Self> {
        let entry = registry::of_kind(Kind::Bounds).find(|entry| entry.name == name)?;
        entry.bounding()?;
        let make =
            |_| entry.bounding().unwrap_or_else(|| Box::new(xcollide::bounding::AxisAligned));
        Some(Self::registered(name, make))
    }
}

impl Algorithm<dyn Execution> {
    /// An own execution mode.
    pub fn own_execution<A: Execution + 'static>(
        name: impl Into<String>,
        make: impl Fn() -> A + Send + Sync + 'static,
    ) -> Self {
        Self::new(name, move || Box::new(make()))
    }

    /// The registry's execution mode of this name, on `threads` threads if it uses several; 0 means
    /// one per processor. `None` for unknown names, and if the threads cannot be started.
    ///
    /// With `concurrent` the world checks in a thread of its own, in step: it gets a frame after it
    /// reported the one before, and the frame's time lasts until its report.
    #[must_use]
    pub fn execution(name: &str, threads: usize) -> Option<Self> {
        if name == CONCURRENT {
            let serial = Self::registered(name, |_| Box::new(xcollide::execution::Serial));
            return Some(Self { own_thread: true, ..serial });
        }
        let make = execution_mode(name, threads).ok()??;
        Some(Self::registered(name, move |_| make()))
    }
}

impl<T: ?Sized> Clone for Algorithm<T> {
    fn clone(&self) -> Self {
        let Self { name, make, own_thread } = self;
        Self { name: name.clone(), make: Arc::clone(make), own_thread: *own_thread }
    }
}

impl<T: ?Sized> fmt::Debug for Algorithm<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Algorithm").field(&self.name).finish()
    }
}

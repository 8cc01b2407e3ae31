//! A named algorithm that a comparison can create repeatedly.

use std::fmt;
use std::sync::Arc;

use xcollide::bounding::{AxisAligned, Bounding};
use xcollide::broad::{self, BroadPhase};
use xcollide::execution::{Execution, Serial};
use xcollide::narrow::NarrowPhase;
use xcollide::narrow::combine::Auto;
use xcollide::registry::{self, Entry, Kind};

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
    pub(super) has_own_thread: bool,
}

impl<T: ?Sized + 'static> Algorithm<T> {
    /// An own algorithm, boxed.
    pub fn new(name: impl Into<String>, make: impl Fn() -> Box<T> + Send + Sync + 'static) -> Self {
        Self { name: name.into(), make: Arc::new(move |_| make()), has_own_thread: false }
    }

    /// The name in tables and records.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Creates the algorithm; `threads`: whether it may use several.
    pub(super) fn make(&self, threads: bool) -> Box<T> {
        (self.make)(threads)
    }

    /// The registry's algorithm of this kind and name, if any. An entry that returns an algorithm
    /// once always does, so `default` is never called.
    fn registered(
        kind: Kind,
        name: &str,
        make: fn(&Entry, bool) -> Option<Box<T>>,
        default: fn() -> Box<T>,
    ) -> Option<Self> {
        let entry = registry::find(kind, name)?;
        make(entry, false)?;
        let make = move |threads| make(entry, threads).unwrap_or_else(default);
        Some(Self { name: name.to_owned(), make: Arc::new(make), has_own_thread: false })
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

    /// The registry's narrow phase of this name, or that of two (`race:A+B`), if any.
    #[must_use]
    pub fn narrow_phase(name: &str) -> Option<Self> {
        let default = || Box::new(Auto::new()) as _;
        Self::registered(Kind::Narrow, name, |entry, _| entry.narrow_phase(), default)
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
        let default = || Box::new(broad::Auto::new()) as _;
        Self::registered(Kind::Broad, name, Entry::broad_phase, default)
    }
}

impl Algorithm<dyn Bounding> {
    /// The registry's bounding strategy of this name, if any.
    #[must_use]
    pub fn bounding(name: &str) -> Option<Self> {
        Self::registered(Kind::Bounds, name, |entry, _| entry.bounding(), || Box::new(AxisAligned))
    }
}

impl Algorithm<dyn Execution> {
    /// The registry's execution mode of this name, on `threads` threads if it uses several; 0 means
    /// one per processor. `None` for unknown names, and if the threads cannot be started.
    ///
    /// With `concurrent` the world checks in a thread of its own, in step: it gets a frame after it
    /// reported the one before, and the frame's time lasts until its report.
    #[must_use]
    pub fn execution(name: &str, threads: usize) -> Option<Self> {
        if name == CONCURRENT {
            let serial = Self::new(name, || Box::new(Serial));
            return Some(Self { has_own_thread: true, ..serial });
        }
        Some(Self::new(name, execution_mode(name, threads).ok()??))
    }
}

impl<T: ?Sized> Clone for Algorithm<T> {
    fn clone(&self) -> Self {
        let Self { name, make, has_own_thread } = self;
        Self { name: name.clone(), make: Arc::clone(make), has_own_thread: *has_own_thread }
    }
}

impl<T: ?Sized> fmt::Debug for Algorithm<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Algorithm").field(&self.name).finish()
    }
}

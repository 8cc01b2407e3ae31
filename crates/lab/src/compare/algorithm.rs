//! An algorithm under a name, made anew as often as a comparison needs one.

use std::fmt;
use std::sync::Arc;

use xcollide::bounding::Bounding;
use xcollide::broad::BroadPhase;
use xcollide::execution::Execution;
use xcollide::narrow::NarrowPhase;
use xcollide::narrow::combine::Auto;
use xcollide::registry::{self, Kind};

use crate::execution_mode::execution_mode;
use crate::run::CONCURRENT;

/// A name and how to make what it stands for: one's own algorithm, or one of the registry.
///
/// A comparison makes each algorithm several times: in every round it begins with empty memories.
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
    /// Asked for one that uses several threads, or one.
    make: Arc<dyn Fn(bool) -> Box<T> + Send + Sync>,
    /// Whether it is the execution in which the whole world checks in a thread of its own.
    own_thread: bool,
}

impl<T: ?Sized> Algorithm<T> {
    /// One's own, boxed.
    pub fn new(name: impl Into<String>, make: impl Fn() -> Box<T> + Send + Sync + 'static) -> Self {
        Self { name: name.into(), make: Arc::new(move |_| make()), own_thread: false }
    }

    /// What tables and records call it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the whole world is to check in a thread of its own.
    pub(super) fn has_own_thread(&self) -> bool {
        self.own_thread
    }

    /// A new one; `threads`: which may use several threads.
    pub(super) fn make(&self, threads: bool) -> Box<T> {
        (self.make)(threads)
    }

    /// One of the registry: `make` knows the name.
    fn registered(name: &str, make: impl Fn(bool) -> Box<T> + Send + Sync + 'static) -> Self {
        Self { name: name.to_owned(), make: Arc::new(make), own_thread: false }
    }
}

impl Algorithm<dyn NarrowPhase> {
    /// One's own narrow phase.
    pub fn own_narrow_phase<A: NarrowPhase + 'static>(
        name: impl Into<String>,
        make: impl Fn() -> A + Send + Sync + 'static,
    ) -> Self {
        Self::new(name, move || Box::new(make()))
    }

    /// The narrow phase of a name of the registry; `None` for other names.
    #[must_use]
    pub fn narrow_phase(name: &str) -> Option<Self> {
        let entry = registry::of_kind(Kind::Narrow).find(|entry| entry.name == name)?;
        entry.narrow_phase()?;
        // An entry that makes one once makes one always.
        let make = |_| entry.narrow_phase().unwrap_or_else(|| Box::new(Auto::new()));
        Some(Self::registered(name, make))
    }
}

impl Algorithm<dyn BroadPhase> {
    /// One's own broad phase.
    pub fn own_broad_phase<A: BroadPhase + 'static>(
        name: impl Into<String>,
        make: impl Fn() -> A + Send + Sync + 'static,
    ) -> Self {
        Self::new(name, move || Box::new(make()))
    }

    /// The broad phase of a name of the registry; `None` for other names.
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
    /// One's own bounding strategy.
    pub fn own_bounding<A: Bounding + 'static>(
        name: impl Into<String>,
        make: impl Fn() -> A + Send + Sync + 'static,
    ) -> Self {
        Self::new(name, move || Box::new(make()))
    }

    /// The bounding strategy of a name of the registry; `None` for other names.
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
    /// One's own execution mode.
    pub fn own_execution<A: Execution + 'static>(
        name: impl Into<String>,
        make: impl Fn() -> A + Send + Sync + 'static,
    ) -> Self {
        Self::new(name, move || Box::new(make()))
    }

    /// The execution mode of a name of the registry, on so many threads if it uses several; 0 for as
    /// many as there are processors. `None` for other names, and where threads cannot be had.
    ///
    /// With `concurrent` the world checks in a thread of its own, one pair after the other, in step: a
    /// frame is handed over when the one before has been reported, and its time is that until its
    /// report is there.
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

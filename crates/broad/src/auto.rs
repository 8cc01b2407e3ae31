//! The default: whichever suits the boxes.

use xcollide_bounds::Aabb;

use crate::sample::Sample;
use crate::{
    Before, EveryPair, HashedCells, Margin, PairFinder, Proxies, Sink, Tiers, Tracked, Work,
};

/// Looks at the boxes and chooses: all pairs for a few, a hash grid for boxes of similar sizes, a
/// wide tree for a broad spread of sizes, and a neighbour list where they move slowly.
///
/// Static boxes are kept apart by all of them. It looks again every few frames, and changes its
/// mind only when it has found the same reason twice in a row and the reason is clear; so a crowd
/// at the border between two choices does not make it waver. Pairs never depend on the choice.
/// What it has chosen [`choice`](crate::BroadPhase::choice) tells. The limits come from the
/// measurements in `docs/benchmarks.md`.
///
/// ```
/// use xcollide_bounds::Aabb;
/// use xcollide_broad::{Auto, BroadPhase, Everything, Pairs, ProxyIds};
///
/// let mut ids = ProxyIds::new();
/// let mut broad = Auto::new();
/// for x in 0..1000 {
///     let corner = [f64::from(x), 0.0, 0.0];
///     broad.insert(ids.issue(), &Aabb::new(corner, corner.map(|c| c + 0.9)).into())?;
/// }
/// broad.pairs(&Everything, &mut Pairs::new());
/// assert_eq!(broad.choice(), "hash-grid");
/// # Ok::<(), xcollide_broad::ProxyError>(())
/// ```
pub type Auto = Tracked<Adaptive>;

impl Auto {
    /// Empty; uses one thread.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Empty; what it chooses searches on the threads of rayon's current pool. The pairs and their
    /// order are the same.
    #[cfg(feature = "parallel")]
    #[must_use]
    pub fn parallel() -> Self {
        Self::over(Adaptive { threads: true, ..Adaptive::default() })
    }
}

/// The algorithm of [`Auto`].
#[derive(Debug, Default)]
pub struct Adaptive {
    threads: bool,
    current: Current,
    /// What the last look suggested, if that is not what there is.
    suggestion: Option<Kind>,
    /// Frames until the next look.
    patience: u32,
    motion: Motion,
    indices: Vec<u32>,
    sample: Sample,
}

/// The algorithms it chooses from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind {
    #[default]
    Few,
    Grid,
    Tree,
    List,
}

/// The algorithm in use, with its structures.
#[derive(Debug)]
enum Current {
    Few(EveryPair),
    Grid(Box<HashedCells>),
    Tree(Box<Tiers>),
    List(Box<Margin>),
}

impl Default for Current {
    fn default() -> Self {
        Self::Few(EveryPair::default())
    }
}

impl Current {
    fn new(kind: Kind, threads: bool) -> Self {
        match kind {
            Kind::Few => Self::default(),
            Kind::Grid => Self::Grid(Box::new(HashedCells::on(threads))),
            Kind::Tree => Self::Tree(Box::new(Tiers::on(threads))),
            Kind::List => Self::List(Box::new(Margin::<HashedCells>::on(threads))),
        }
    }

    fn kind(&self) -> Kind {
        match self {
            Self::Few(_) => Kind::Few,
            Self::Grid(_) => Kind::Grid,
            Self::Tree(_) => Kind::Tree,
            Self::List(_) => Kind::List,
        }
    }

    fn finder(&self) -> &dyn PairFinder {
        match self {
            Self::Few(finder) => finder,
            Self::Grid(finder) => finder.as_ref(),
            Self::Tree(finder) => finder.as_ref(),
            Self::List(finder) => finder.as_ref(),
        }
    }

    fn finder_mut(&mut self) -> &mut dyn PairFinder {
        match self {
            Self::Few(finder) => finder,
            Self::Grid(finder) => finder.as_mut(),
            Self::Tree(finder) => finder.as_mut(),
            Self::List(finder) => finder.as_mut(),
        }
    }
}

/// How far boxes have moved since the last look.
#[derive(Debug, Default)]
struct Motion {
    /// The farthest that any side of any box moved from one update to the next.
    farthest: f64,
    /// Boxes that came.
    newcomers: usize,
    frames: u32,
}

impl Motion {
    fn note(&mut self, before: &Aabb, now: &Aabb) {
        for axis in 0..3 {
            let low = (now.min[axis] - before.min[axis]).abs();
            let high = (now.max[axis] - before.max[axis]).abs();
            // Infinities less infinities are no motion.
            self.farthest = self.farthest.max(low).max(high);
        }
    }
}

/// Up to so many boxes, all pairs are compared.
const FEW: f64 = 40.0;

/// Frames from one look to the next.
const PATIENCE: u32 = 8;

impl Adaptive {
    /// What suits the boxes now. Limits depend on what is in use, so that leaving takes more of a
    /// reason than staying.
    fn look(&mut self, proxies: &Proxies) -> Kind {
        let boxes = proxies.boxes();
        self.indices.clear();
        let filled = (0..boxes.len() as u32).filter(|&index| !boxes[index as usize].is_empty());
        self.indices.extend(filled);
        let current = self.current.kind();
        let either = |kind, staying, entering| if current == kind { staying } else { entering };
        if self.indices.len() as f64 <= either(Kind::Few, FEW, 0.6 * FEW) {
            return Kind::Few;
        }
        let side =
            |aabb: &Aabb| (0..3).map(|axis| aabb.max[axis] - aabb.min[axis]).fold(0.0, f64::max);
        let [typical, large] = self.sample.quantiles(&self.indices, boxes, side, [0.5, 0.9]);
        if large > typical * either(Kind::Tree, 2.5, 4.0) {
            return Kind::Tree;
        }
        let Motion { farthest, newcomers, frames } = self.motion;
        let is_quiet = frames >= PATIENCE && newcomers == 0;
        if is_quiet && farthest <= typical * either(Kind::List, 0.08, 0.04) {
            return Kind::List;
        }
        Kind::Grid
    }

    fn change_to(&mut self, kind: Kind) {
        self.current = Current::new(kind, self.threads);
        self.suggestion = None;
    }

    /// Looks, and acts on what it sees if it sees it for the second time.
    fn reconsider(&mut self, proxies: &Proxies) {
        let seen = self.look(proxies);
        if seen == self.current.kind() {
            self.suggestion = None;
        } else if self.suggestion == Some(seen) || self.current.kind() == Kind::Few {
            // All pairs of many boxes are too slow to think twice.
            self.change_to(seen);
        } else {
            self.suggestion = Some(seen);
        }
        self.motion = Motion::default();
        self.patience = PATIENCE;
    }
}

impl PairFinder for Adaptive {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn inserted(&mut self, proxies: &Proxies, index: u32) {
        self.motion.newcomers += 1;
        self.current.finder_mut().inserted(proxies, index);
    }

    fn updated(&mut self, proxies: &Proxies, index: u32, before: &Before) {
        self.motion.note(&before.aabb, &proxies.boxes()[index as usize]);
        self.current.finder_mut().updated(proxies, index, before);
    }

    fn removed(&mut self, proxies: &Proxies, index: u32, before: &Before) {
        self.current.finder_mut().removed(proxies, index, before);
    }

    fn find(&mut self, proxies: &Proxies, sink: &mut Sink<'_>) {
        let overrun = self.current.kind() == Kind::Few && proxies.len() as f64 > FEW;
        self.motion.frames += 1;
        if self.patience == 0 || overrun {
            self.reconsider(proxies);
        } else {
            self.patience -= 1;
        }
        self.current.finder_mut().find(proxies, sink);
    }

    fn bytes(&self) -> usize {
        self.current.finder().bytes()
            + self.indices.capacity() * size_of::<u32>()
            + self.sample.bytes()
    }

    fn work(&self) -> Work {
        self.current.finder().work()
    }

    /// The name of the broad phase it has chosen.
    fn choice(&self) -> String {
        self.current.finder().name().to_owned()
    }
}

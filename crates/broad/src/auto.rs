//! The default: whichever suits the boxes.

use xcollide_bounds::Aabb;

use crate::sample::Sample;
use crate::{
    Before, EveryPair, HashedCells, Margin, PairFinder, Proxies, Sink, Tiers, Tracked, Work,
};

/// Looks at the boxes and chooses: all pairs for a few; else a neighbour list, as long as the motion
/// can be foreseen well enough for it to pay; else what makes its lists, by itself. That is a hash
/// grid for boxes of similar sizes and a wide tree for a broad spread of sizes.
///
/// The share of static boxes chooses nothing by itself: all of them keep static boxes, and the pairs of
/// these, apart, so what rests costs nothing whatever is chosen; and it is part of the account by
/// which lists pay or not, as boxes that do not move need no search. Whether lists pay is counted
/// (see [`NeighbourList`](crate::NeighbourList)), not timed, so the same history leads to the same
/// choices; when they did not, they are tried again after a while, and after a longer one each time
/// that they still do not. Sizes are looked at every few frames, and a change of mind takes the same
/// reason twice in a row, a clear one; so a crowd at the border between two choices does not make it
/// waver. Pairs never depend on the choice. What it has chosen
/// [`choice`](crate::BroadPhase::choice) tells. The limits come from the measurements in
/// `docs/benchmarks.md`.
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
/// assert_eq!(broad.choice(), "neighbour-list on hash-grid");
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
    trial: Trial,
    sample: Sample,
}

/// The algorithms it chooses from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind {
    #[default]
    Few,
    Grid,
    Tree,
    GridList,
    TreeList,
}

/// The algorithm in use, with its structures.
#[derive(Debug)]
enum Current {
    Few(EveryPair),
    Grid(Box<HashedCells>),
    Tree(Box<Tiers>),
    GridList(Box<Margin<HashedCells>>),
    TreeList(Box<Margin<Tiers>>),
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
            Kind::GridList => Self::GridList(Box::new(Margin::<HashedCells>::on(threads))),
            Kind::TreeList => Self::TreeList(Box::new(Margin::<Tiers>::on(threads))),
        }
    }

    fn kind(&self) -> Kind {
        match self {
            Self::Few(_) => Kind::Few,
            Self::Grid(_) => Kind::Grid,
            Self::Tree(_) => Kind::Tree,
            Self::GridList(_) => Kind::GridList,
            Self::TreeList(_) => Kind::TreeList,
        }
    }

    fn finder(&self) -> &dyn PairFinder {
        match self {
            Self::Few(finder) => finder,
            Self::Grid(finder) => finder.as_ref(),
            Self::Tree(finder) => finder.as_ref(),
            Self::GridList(finder) => finder.as_ref(),
            Self::TreeList(finder) => finder.as_ref(),
        }
    }

    fn finder_mut(&mut self) -> &mut dyn PairFinder {
        match self {
            Self::Few(finder) => finder,
            Self::Grid(finder) => finder.as_mut(),
            Self::Tree(finder) => finder.as_mut(),
            Self::GridList(finder) => finder.as_mut(),
            Self::TreeList(finder) => finder.as_mut(),
        }
    }

    /// Whether its lists pay; `None` where that is not known, or there are none.
    fn pays(&self) -> Option<bool> {
        match self {
            Self::GridList(list) => list.pays(),
            Self::TreeList(list) => list.pays(),
            _ => None,
        }
    }
}

/// When to go without lists, and when to try them again.
#[derive(Debug)]
struct Trial {
    /// Frames that remain without lists; 0 while they are in use.
    rest: u32,
    /// How many there were the last time.
    last: u32,
    /// Frames that lists have been in use.
    age: u32,
}

impl Default for Trial {
    fn default() -> Self {
        Self { rest: 0, last: Self::SHORTEST, age: 0 }
    }
}

impl Trial {
    const SHORTEST: u32 = 32;
    const LONGEST: u32 = 2048;

    /// Counts a frame, and says whether lists should be used in it.
    fn step(&mut self, pays: Option<bool>) -> bool {
        if self.rest > 0 {
            self.rest -= 1;
            self.age = 0;
            return self.rest == 0;
        }
        self.age += 1;
        if pays == Some(false) {
            // Where they were of use for long, something new has happened.
            self.last = if self.age > Self::LONGEST { Self::SHORTEST } else { 2 * self.last };
            self.last = self.last.min(Self::LONGEST);
            self.rest = self.last;
        }
        self.rest == 0
    }
}

/// Up to so many boxes, all pairs are compared.
const FEW: f64 = 40.0;

/// Frames from one look to the next.
const PATIENCE: u32 = 8;

/// How many boxes a look is at.
const SAMPLED: usize = 256;

impl Adaptive {
    /// What suits the boxes now. Limits depend on what is in use, so that leaving takes more of a
    /// reason than staying.
    fn look(&mut self, proxies: &Proxies) -> Kind {
        let boxes = proxies.boxes();
        let current = self.current.kind();
        let staying = if current == Kind::Few { FEW } else { 0.6 * FEW };
        if proxies.len() as f64 <= staying {
            return Kind::Few;
        }
        let step = boxes.len().div_ceil(SAMPLED).max(1);
        let sides = boxes
            .iter()
            .step_by(step)
            .filter(|aabb| !aabb.is_empty())
            .map(|aabb| (0..3).map(|axis| aabb.max[axis] - aabb.min[axis]).fold(0.0, f64::max));
        let [typical, large] = self.sample.quantiles_of(sides, [0.5, 0.9]).unwrap_or_default();
        let was_tree = matches!(current, Kind::Tree | Kind::TreeList);
        let is_broad = large > typical * if was_tree { 2.5 } else { 4.0 };
        match (is_broad, self.trial.rest == 0) {
            (false, true) => Kind::GridList,
            (false, false) => Kind::Grid,
            (true, true) => Kind::TreeList,
            (true, false) => Kind::Tree,
        }
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
        self.patience = PATIENCE;
    }

    /// Changes between lists and what makes them by itself, if it is time to.
    fn try_lists(&mut self) {
        let use_lists = self.trial.step(self.current.pays());
        match (self.current.kind(), use_lists) {
            (Kind::Grid, true) => self.change_to(Kind::GridList),
            (Kind::Tree, true) => self.change_to(Kind::TreeList),
            (Kind::GridList, false) => self.change_to(Kind::Grid),
            (Kind::TreeList, false) => self.change_to(Kind::Tree),
            _ => {}
        }
    }
}

impl PairFinder for Adaptive {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn inserted(&mut self, proxies: &Proxies, index: u32) {
        self.current.finder_mut().inserted(proxies, index);
    }

    #[inline]
    fn updated(&mut self, proxies: &Proxies, index: u32, before: &Before) {
        match &mut self.current {
            Current::GridList(list) => list.updated(proxies, index, before),
            Current::TreeList(list) => list.updated(proxies, index, before),
            other => other.finder_mut().updated(proxies, index, before),
        }
    }

    fn expects_motion(&self) -> bool {
        self.current.finder().expects_motion()
    }

    #[inline]
    fn places(&self) -> Option<&[Aabb]> {
        match &self.current {
            Current::GridList(list) => list.places(),
            Current::TreeList(list) => list.places(),
            other => other.finder().places(),
        }
    }

    fn removed(&mut self, proxies: &Proxies, index: u32, before: &Before) {
        self.current.finder_mut().removed(proxies, index, before);
    }

    fn find(&mut self, proxies: &Proxies, sink: &mut Sink<'_>) {
        let overrun = self.current.kind() == Kind::Few && proxies.len() as f64 > FEW;
        if self.patience == 0 || overrun {
            self.reconsider(proxies);
        } else {
            self.patience -= 1;
        }
        self.try_lists();
        self.current.finder_mut().find(proxies, sink);
    }

    fn uses_threads(&self) -> bool {
        self.threads
    }

    fn bytes(&self) -> usize {
        self.current.finder().bytes() + self.sample.bytes()
    }

    fn work(&self) -> Work {
        self.current.finder().work()
    }

    /// The name of the broad phase it has chosen, and on what it is based.
    fn choice(&self) -> String {
        let finder = self.current.finder();
        match finder.choice() {
            base if base.is_empty() => finder.name().to_owned(),
            base => format!("{} on {base}", finder.name()),
        }
    }
}

//! The default broad phase, which chooses among others.

use crate::all_pairs::AllPairsFinder;
use crate::neighbour_list::NeighbourListFinder;
use crate::pair_finder::with_threads;
use crate::sample::Sample;
use crate::sides::longest_side;
use crate::{
    Courses, HashGridFinder, PairCollector, PairFinder, PairManager, PreviousBounds, Proxies,
    Stats, WideTreeFinder,
};

/// Compares all pairs of a few boxes. For more boxes it uses a hash grid if their sizes are similar and a wide
/// tree if they are very different, under a neighbour list while the motion is predictable enough.
///
/// Whether lists pay is computed from counts (see [`NeighbourList`](crate::NeighbourList)), not from times, so
/// the same history leads to the same choices. If lists do not pay, they are tried again after a growing number
/// of frames; the first one is then made in steps, while the other algorithm goes on. Sizes are sampled every few
/// frames; two samples in a row must agree on a change.
/// [`choice`](crate::BroadPhase::choice) returns the choice; the pairs do not depend on it. The limits follow
/// from measurements in `docs/benchmarks.md`.
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
pub type Auto = PairManager<AutoFinder>;

/// The algorithm of [`Auto`].
#[derive(Debug, Default)]
pub struct AutoFinder {
    threads: bool,
    kind: Kind,
    current: Current,
    /// The last proposal, if it differs from the current algorithm.
    suggestion: Option<Kind>,
    /// Frames until the next sample.
    patience: u32,
    trial: Trial,
    sample: Sample,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind {
    #[default]
    Few,
    /// A hash grid under a neighbour list, which may rest.
    Grid,
    /// A wide tree under one.
    Tree,
}

#[derive(Debug)]
enum Current {
    Few(AllPairsFinder),
    Grid(Box<NeighbourListFinder<HashGridFinder>>),
    Tree(Box<NeighbourListFinder<WideTreeFinder>>),
}

/// Evaluates an expression with the finder of whichever algorithm is in use.
macro_rules! with_finder {
    ($current:expr, $finder:ident => $result:expr) => {
        match $current {
            Current::Few($finder) => $result,
            Current::Grid($finder) => $result,
            Current::Tree($finder) => $result,
        }
    };
}

impl Default for Current {
    fn default() -> Self {
        Self::Few(AllPairsFinder::default())
    }
}

impl Current {
    fn new(kind: Kind, threads: bool) -> Self {
        match kind {
            Kind::Few => Self::default(),
            Kind::Grid => Self::Grid(Box::new(with_threads(threads))),
            Kind::Tree => Self::Tree(Box::new(with_threads(threads))),
        }
    }

    /// Whether its lists pay; `None` if unknown or if it has no lists.
    fn pays(&self) -> Option<bool> {
        match self {
            Self::Few(_) => None,
            Self::Grid(list) => list.pays(),
            Self::Tree(list) => list.pays(),
        }
    }

    /// Says whether to go without lists from the next search on.
    fn rest(&mut self, rests: bool) {
        match self {
            Self::Few(_) => {}
            Self::Grid(list) => list.rest(rests),
            Self::Tree(list) => list.rest(rests),
        }
    }
}

/// Decides when to stop using lists, and when to try them again.
#[derive(Debug)]
struct Trial {
    /// Frames left without lists; 0 while lists are in use.
    rest: u32,
    /// Length of the last period without lists, in frames.
    last: u32,
    /// Length of the current period with lists, in frames.
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

    /// Counts a frame; returns whether to use lists in it.
    fn step(&mut self, pays: Option<bool>) -> bool {
        if self.rest > 0 {
            self.rest -= 1;
            self.age = 0;
            return self.rest == 0;
        }
        self.age += 1;
        if pays == Some(false) {
            // After a long period with lists the motion has changed: start again with a short break. Else lists take part in
            // a fifth of the frames at most.
            let long = (2 * self.last).max(4 * self.age);
            self.last = if self.age > Self::LONGEST { Self::SHORTEST } else { long };
            self.last = self.last.min(Self::LONGEST);
            self.rest = self.last;
        }
        self.rest == 0
    }
}

/// Up to this many boxes, all pairs are compared.
const FEW: f64 = 40.0;

const PATIENCE: u32 = 8;

const SAMPLED: usize = 256;

impl AutoFinder {
    /// The best algorithm for the boxes now. Limits depend on the current one (hysteresis).
    fn look(&mut self, proxies: &Proxies) -> Kind {
        let boxes = proxies.boxes();
        let staying = if self.kind == Kind::Few { FEW } else { 0.6 * FEW };
        if proxies.len() as f64 <= staying {
            return Kind::Few;
        }
        let step = boxes.len().div_ceil(SAMPLED).max(1);
        let sides = boxes.iter().step_by(step).filter(|aabb| !aabb.is_empty()).map(longest_side);
        let [typical, large] = self.sample.quantiles_of(sides, [0.5, 0.9]).unwrap_or_default();
        let is_broad = large > typical * if self.kind == Kind::Tree { 2.5 } else { 4.0 };
        if is_broad { Kind::Tree } else { Kind::Grid }
    }

    fn change_to(&mut self, kind: Kind) {
        self.kind = kind;
        self.current = Current::new(kind, self.threads);
        self.suggestion = None;
    }

    /// Samples the boxes; changes the algorithm when the same one is proposed twice in a row.
    fn reconsider(&mut self, proxies: &Proxies) {
        let seen = self.look(proxies);
        if seen == self.kind {
            self.suggestion = None;
        } else if self.suggestion == Some(seen) || self.kind == Kind::Few {
            // Comparing all pairs of many boxes is too slow to wait for a second sample.
            self.change_to(seen);
        } else {
            self.suggestion = Some(seen);
        }
        self.patience = PATIENCE;
    }
}

impl PairFinder for AutoFinder {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn inserted(&mut self, proxies: &Proxies, index: u32) {
        with_finder!(&mut self.current, finder => finder.inserted(proxies, index));
    }

    #[inline]
    fn updated(&mut self, proxies: &Proxies, index: u32, before: &PreviousBounds) {
        with_finder!(&mut self.current, finder => finder.updated(proxies, index, before));
    }

    fn may_skip_updates(&self) -> bool {
        with_finder!(&self.current, finder => finder.may_skip_updates())
    }

    #[inline]
    fn courses(&self) -> Option<&Courses> {
        with_finder!(&self.current, finder => finder.courses())
    }

    fn moved(&mut self, proxies: &Proxies, count: usize) {
        with_finder!(&mut self.current, finder => finder.moved(proxies, count));
    }

    fn removed(&mut self, proxies: &Proxies, index: u32, before: &PreviousBounds) {
        with_finder!(&mut self.current, finder => finder.removed(proxies, index, before));
    }

    fn find(&mut self, proxies: &Proxies, collector: &mut PairCollector<'_>) {
        let overrun = self.kind == Kind::Few && proxies.len() as f64 > FEW;
        if self.patience == 0 || overrun {
            self.reconsider(proxies);
        } else {
            self.patience -= 1;
        }
        let lists = self.trial.step(self.current.pays());
        self.current.rest(!lists);
        with_finder!(&mut self.current, finder => finder.find(proxies, collector));
    }

    fn use_threads(&mut self) {
        self.threads = true;
    }

    fn uses_threads(&self) -> bool {
        self.threads
    }

    fn bytes(&self) -> usize {
        with_finder!(&self.current, finder => finder.bytes()) + self.sample.bytes()
    }

    fn stats(&self) -> Stats {
        with_finder!(&self.current, finder => finder.stats())
    }

    /// The name of the chosen broad phase, and of the one under the neighbour list.
    fn choice(&self) -> String {
        fn of_list<F: PairFinder>(list: &NeighbourListFinder<F>) -> String {
            let base = list.choice();
            if list.rests() { base } else { format!("{} on {base}", list.name()) }
        }
        match &self.current {
            Current::Few(finder) => finder.name().to_owned(),
            Current::Grid(list) => of_list(list),
            Current::Tree(list) => of_list(list),
        }
    }
}

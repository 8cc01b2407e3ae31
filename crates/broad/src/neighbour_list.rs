//! Any broad phase with a margin, asked again only when something has used the margin up.

use xcollide_bounds::Aabb;

use crate::sample::Sample;
use crate::{Before, Bounds, HashedCells, PairFinder, Proxies, Sink, Tracked, Work};

/// Pairs of boxes that may overlap soon, kept until one of them has moved too far.
///
/// Every box is enlarged by a margin; the pairs of enlarged boxes, found by another algorithm, are
/// a list that is compared each frame, until a box has left its enlarged one. So two boxes may
/// approach each other by twice the margin together, each of them by half of that (Verlet 1967, for
/// atoms; Zachmann 5.4 and Hubbard for time instead of space). O(n + c) for c pairs on the list in
/// an ordinary frame, the cost of the other algorithm when the list is made.
///
/// Pays where boxes move by a few hundredths of their size a frame, or where most of them rest. One
/// fast box spoils it for all.
///
/// ```
/// use xcollide_bounds::Aabb;
/// use xcollide_broad::{BroadPhase, Everything, NeighbourList, Pairs, ProxyIds, SortedAxis};
///
/// let mut ids = ProxyIds::new();
/// let mut broad = NeighbourList::with(SortedAxis::default(), 0.2);
/// let (a, b) = (ids.issue(), ids.issue());
/// broad.insert(a, &Aabb::new([0.0; 3], [1.0; 3]).into())?;
/// let mut pairs = Pairs::new();
/// for (x, lists_made) in [(1.3, 1), (1.2, 0), (1.1, 0), (1.0, 1)] {
///     let aabb = Aabb::new([x, 0.0, 0.0], [x + 1.0, 1.0, 1.0]);
///     if broad.update(b, &aabb.into()).is_err() {
///         broad.insert(b, &aabb.into())?;
///     }
///     broad.pairs(&Everything, &mut pairs);
///     assert_eq!(broad.work().moves, lists_made);
/// }
/// assert_eq!(pairs.appeared.len(), 1); // they touch
/// # Ok::<(), xcollide_broad::ProxyError>(())
/// ```
pub type NeighbourList<F = HashedCells> = Tracked<Margin<F>>;

impl NeighbourList {
    /// An empty list over a [`HashGrid`](crate::HashGrid), with a margin of a quarter of the size
    /// of a typical box.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl<F: PairFinder> NeighbourList<F> {
    /// An empty list over another algorithm, which must decide by axis-aligned boxes and must not
    /// have seen any; with a margin on every side.
    #[must_use]
    pub fn with(finder: F, margin: f64) -> Self {
        Self::over(Margin::over(finder, Some(margin)))
    }
}

/// The algorithm of [`NeighbourList`].
#[derive(Debug)]
pub struct Margin<F = HashedCells> {
    finder: F,
    /// As the user wants it; otherwise it is a share of the typical size.
    margin: Option<f64>,
    /// The enlarged boxes, as the other algorithm knows them.
    enlarged: Proxies,
    /// The pairs of enlarged boxes.
    candidates: Vec<(u32, u32)>,
    /// Whether every box is within its enlarged one.
    is_valid: bool,
    lists_made: u64,
    indices: Vec<u32>,
    sample: Sample,
}

/// The margin as a share of the typical size of a box.
const SHARE: f64 = 0.25;

impl<F: Default> Default for Margin<F> {
    fn default() -> Self {
        Self::over(F::default(), None)
    }
}

impl Margin {
    /// Empty, over a hash grid; on several threads or one.
    pub(crate) fn on(threads: bool) -> Self {
        Self::over(HashedCells::on(threads), None)
    }
}

impl<F> Margin<F> {
    fn over(finder: F, margin: Option<f64>) -> Self {
        Self {
            finder,
            margin,
            enlarged: Proxies::default(),
            candidates: Vec::new(),
            is_valid: false,
            lists_made: 0,
            indices: Vec::new(),
            sample: Sample::default(),
        }
    }
}

impl<F: PairFinder> Margin<F> {
    /// Whether the enlarged box still holds the box.
    fn holds(&self, index: u32, aabb: &Aabb) -> bool {
        let holds = |enlarged: &Aabb| {
            (0..3).all(|axis| {
                enlarged.min[axis] <= aabb.min[axis] && aabb.max[axis] <= enlarged.max[axis]
            })
        };
        aabb.is_empty() || self.enlarged.boxes().get(index as usize).is_some_and(holds)
    }

    /// The margin for these boxes.
    fn choose_margin(&mut self, proxies: &Proxies) -> f64 {
        let boxes = proxies.boxes();
        self.indices.clear();
        let filled = (0..boxes.len() as u32).filter(|&index| !boxes[index as usize].is_empty());
        self.indices.extend(filled);
        if self.indices.is_empty() {
            return 0.0;
        }
        let side =
            |aabb: &Aabb| (0..3).map(|axis| aabb.max[axis] - aabb.min[axis]).fold(0.0, f64::max);
        let typical = self.sample.median(&self.indices, boxes, side);
        if typical.is_finite() { SHARE * typical } else { 0.0 }
    }

    /// Enlarges the boxes that need it and asks the other algorithm.
    fn make_list(&mut self, proxies: &Proxies) {
        let margin = self.margin.unwrap_or_else(|| self.choose_margin(proxies));
        for index in 0..proxies.boxes().len() as u32 {
            self.enlarge(proxies, index, margin);
        }
        let mut all = Sink::boxes_only(&self.enlarged);
        self.finder.find(&self.enlarged, &mut all);
        self.candidates.clear();
        self.candidates.extend(all.pairs());
        self.is_valid = true;
        self.lists_made += 1;
    }

    /// Brings the enlarged box of an index up to date, and tells the other algorithm.
    fn enlarge(&mut self, proxies: &Proxies, index: u32, margin: f64) {
        let Self { finder, enlarged, .. } = self;
        if enlarged.is_alive(index)
            && (!proxies.is_alive(index) || enlarged.id(index) != proxies.id(index))
        {
            let id = enlarged.id(index);
            if let Ok(before) = enlarged.remove(id) {
                finder.removed(enlarged, index, &before);
            }
        }
        if !proxies.is_alive(index) {
            return;
        }
        let aabb = &proxies.boxes()[index as usize];
        let around = if aabb.is_empty() { *aabb } else { aabb.expanded(margin) };
        let bounds = Bounds::new(around).mobility(proxies.mobility(index));
        let id = proxies.id(index);
        if !enlarged.is_alive(index) {
            if enlarged.insert(id, &bounds).is_ok() {
                finder.inserted(enlarged, index);
            }
        } else if let Ok(before) = enlarged.update(id, &bounds) {
            finder.updated(enlarged, index, &before);
        }
    }
}

impl<F: PairFinder> PairFinder for Margin<F> {
    fn name(&self) -> &'static str {
        "neighbour-list"
    }

    fn inserted(&mut self, _: &Proxies, _: u32) {
        self.is_valid = false;
    }

    fn updated(&mut self, proxies: &Proxies, index: u32, _: &Before) {
        self.is_valid = self.is_valid && self.holds(index, &proxies.boxes()[index as usize]);
    }

    // Boxes that are gone are empty, and so no pair.

    fn find(&mut self, proxies: &Proxies, sink: &mut Sink<'_>) {
        self.lists_made = 0;
        if !self.is_valid {
            self.make_list(proxies);
        }
        for &(a, b) in &self.candidates {
            sink.offer(a, b);
        }
    }

    fn bytes(&self) -> usize {
        self.finder.bytes()
            + self.enlarged.bytes()
            + self.candidates.capacity() * size_of::<(u32, u32)>()
            + self.indices.capacity() * size_of::<u32>()
            + self.sample.bytes()
    }

    /// [`Work::moves`] is 1 when the list was made anew.
    fn work(&self) -> Work {
        Work { moves: self.lists_made, ..Work::default() }
    }
}

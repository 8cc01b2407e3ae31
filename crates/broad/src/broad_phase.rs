//! The trait that every broad phase implements.

use crate::{Bounds, Change, Interest, Pairs, ProxyError, ProxyId, Stats, Volume};

/// New bounds of many boxes: a function from the number of a change to an id and its new bounds. A table of boxes is enough
/// for what moves and has no tighter volumes.
///
/// ```
/// use xcollide_bounds::Aabb;
/// use xcollide_broad::{Auto, BroadPhase, Everything, Pairs, ProxyId};
///
/// let cube = |x: f64| Aabb::new([x, 0.0, 0.0], [x + 1.0, 1.0, 1.0]);
/// let mut table: Vec<Aabb> = (0..100).map(|at| cube(1.5 * f64::from(at))).collect();
/// let id = |at: usize| ProxyId::new(at as u32, 0);
/// let mut broad = Auto::new();
/// for (at, &aabb) in table.iter().enumerate() {
///     broad.insert(id(at), &aabb.into())?;
/// }
/// table[7] = cube(11.0); // touches number 8
/// broad.update_many(table.len(), &|at| (id(at), (&table[at]).into()), &mut |id, error| {
///     panic!("{id}: {error}");
/// });
/// let mut pairs = Pairs::new();
/// broad.pairs(&Everything, &mut pairs);
/// assert_eq!(pairs.overlapping.len(), 1);
/// # Ok::<(), xcollide_broad::ProxyError>(())
/// ```
pub type Changes<'a> = dyn Fn(usize) -> (ProxyId, Change<'a>) + Sync + 'a;

/// Finds the pairs of boxes that overlap.
///
/// The same history of calls gives the same pairs in the same order with any implementation, on any number of
/// threads and on any platform. Boxes are closed: boxes that touch overlap. An empty box overlaps none.
///
/// ```
/// use xcollide_bounds::Aabb;
/// use xcollide_broad::{AllPairs, BroadPhase, Everything, Pair, Pairs, ProxyIds};
///
/// let mut ids = ProxyIds::new();
/// let (a, b) = (ids.issue(), ids.issue());
/// let mut broad: Box<dyn BroadPhase> = Box::new(AllPairs::new());
/// broad.insert(a, &Aabb::new([0.0; 3], [1.0; 3]).into())?;
/// broad.insert(b, &Aabb::new([1.0; 3], [2.0; 3]).into())?; // touches the first
/// let mut pairs = Pairs::new();
/// broad.pairs(&Everything, &mut pairs);
/// assert_eq!(pairs.appeared, [Pair::new(a, b)]);
///
/// broad.update(b, &Aabb::new([1.5; 3], [2.5; 3]).into())?;
/// broad.pairs(&Everything, &mut pairs);
/// assert!(pairs.overlapping.is_empty());
/// assert_eq!(pairs.vanished, [Pair::new(a, b)]);
/// # Ok::<(), xcollide_broad::ProxyError>(())
/// ```
pub trait BroadPhase: Send {
    /// The name in programs, such as `"all-pairs"`.
    fn name(&self) -> &'static str;

    /// Adds a box.
    ///
    /// # Errors
    /// The index is in use or too large, or a bound is NaN. Nothing changes then.
    fn insert(&mut self, id: ProxyId, bounds: &Bounds) -> Result<(), ProxyError>;

    /// Gives a box new bounds. Cheap, so that programs can update every box in every frame.
    /// [`pairs`](Self::pairs) uses the last update before the call.
    ///
    /// # Errors
    /// There is no such box, or a bound is NaN. Nothing changes then.
    fn update(&mut self, id: ProxyId, bounds: &Bounds) -> Result<(), ProxyError>;

    /// Calls [`update`](Self::update) with `change(number)` for each number below `count`, and passes each error
    /// to `refused`. Faster than single calls, and on several threads, if most boxes move and the indices
    /// ascend.
    fn update_many(
        &mut self,
        count: usize,
        change: &Changes<'_>,
        refused: &mut dyn FnMut(ProxyId, ProxyError),
    ) {
        for (id, change) in (0..count).map(change) {
            if let Err(error) = change.with_bounds(|bounds| self.update(id, bounds)) {
                refused(id, error);
            }
        }
    }

    /// Removes a box.
    ///
    /// # Errors
    /// There is no such box.
    fn remove(&mut self, id: ProxyId) -> Result<(), ProxyError>;

    /// Writes to `out` all wanted pairs of overlapping boxes, and those that appeared or vanished since the last
    /// call.
    fn pairs(&mut self, interest: &dyn Interest, out: &mut Pairs);

    /// The number of boxes.
    fn len(&self) -> usize;

    /// Whether there is no box.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Memory in use, in bytes.
    fn bytes(&self) -> usize;

    /// Counts of the last call of [`pairs`](Self::pairs).
    fn stats(&self) -> Stats;

    /// The volumes that define a pair. Implementations with the same volume find the same pairs.
    fn volume(&self) -> Volume {
        Volume::Aabb
    }

    /// The current choice of an adaptive implementation; empty for others.
    fn choice(&self) -> String {
        String::new()
    }
}

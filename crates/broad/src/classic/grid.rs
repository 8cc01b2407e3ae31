//! A uniform grid over a bounded part of the world, kept between frames (Zachmann 1994, 5.5).

mod cells;
mod cover;

use std::ops::Range;

use xcollide_bounds::Aabb;

use cells::Cells;
use cover::Cover;

use crate::classic::extent::{Adaptive, Extent, Upkeep};
use crate::classic::lattice::{Lattice, is_valid_universe};
use crate::classic::stamps::Stamps;
use crate::parallel::{HEAVY, map_chunks};
use crate::parallel_search::find_with_scratch;
use crate::stats::held;
use crate::{PairCollector, PairFinder, PairManager, PreviousBounds, Proxies, Stats, Volume};

/// A uniform grid, updated by box differences (Zachmann 1994, 5.5).
///
/// A box is attached to the cells that it occupies. When it moves, only cells that it enters or leaves change;
/// [`Stats::moves`] counts them. Boxes that share a cell are compared, each pair once (by time-stamps). Cells at
/// the border extend to infinity. A box in more than 512 cells is compared with all others instead.
///
/// By default the grid covers most of the boxes, its cells are as wide as the average box (at most eight cells a
/// box), and both adapt. [`GridSettings`] has variants.
///
/// O(n + p + s) for n boxes of similar sizes, spread evenly, with p pairs of neighbours and s moved boxes. Good
/// if little moves. On [several threads](PairManager::parallel) each updates some layers of cells and searches for some
/// boxes.
///
/// ```
/// use xcollide_bounds::Aabb;
/// use xcollide_broad::{BroadPhase, Everything, Pairs, ProxyIds};
/// use xcollide_broad::classic::{Grid, GridSettings};
///
/// let mut ids = ProxyIds::new();
/// let cage = Aabb::new([0.0; 3], [10.0; 3]);
/// let mut broad = Grid::with(GridSettings::new().universe(&cage).cell(0.625));
/// for x in 0..10 {
///     let corner = [f64::from(x), 5.0, 5.0];
///     broad.insert(ids.issue(), &Aabb::new(corner, corner.map(|c| c + 1.0)).into())?;
/// }
/// let mut pairs = Pairs::new();
/// broad.pairs(&Everything, &mut pairs);
/// assert_eq!(pairs.overlapping.len(), 9);
/// broad.pairs(&Everything, &mut pairs);
/// assert_eq!(broad.stats().moves, 0); // nothing has moved
/// # Ok::<(), xcollide_broad::ProxyError>(())
/// ```
pub type Grid = PairManager<GridFinder>;

impl Grid {
    /// An empty grid with these settings.
    #[must_use]
    pub fn with(settings: GridSettings) -> Self {
        Self::over(GridFinder::new(settings))
    }

    /// As [`with`](Self::with), on the threads of rayon's current pool.
    #[must_use]
    pub fn parallel_with(settings: GridSettings) -> Self {
        let mut finder = GridFinder::new(settings);
        finder.use_threads();
        Self::over(finder)
    }
}

/// How a [`Grid`] is laid out and filled.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "crate::stored::StoredGridSettings"))]
pub struct GridSettings {
    cell: Option<f64>,
    universe: Option<Aabb>,
    indexed: bool,
    stabbed: bool,
}

impl GridSettings {
    /// The default settings.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the side of a cell; ignored unless positive and finite. The number of cells is bounded: if cells are
    /// small, the grid covers only the middle of the world, and its border cells contain the rest.
    #[must_use]
    pub fn cell(mut self, side: f64) -> Self {
        self.cell = Some(side).filter(|side| *side > 1e-150 && *side < 1e150);
        self
    }

    /// Fixes the box that the grid covers; ignored if empty or unbounded.
    #[must_use]
    pub fn universe(mut self, universe: &Aabb) -> Self {
        self.universe = Some(*universe).filter(is_valid_universe);
        self
    }

    /// Boxes and cells store each other's indices ("Overkill" in the source), so that no array is
    /// searched when a box leaves. Takes half as much memory again and is slower, as in the source.
    #[must_use]
    pub fn indexed(mut self) -> Self {
        self.indexed = true;
        self
    }

    /// A box occupies only the cells of its oriented box, if it has one, found by stabbing the grid (5.5.1).
    /// Pairs are those of [`Volume::Oriented`]. For long and thin objects.
    #[must_use]
    pub fn stabbed(mut self) -> Self {
        self.stabbed = true;
        self
    }
}

/// The algorithm of [`Grid`].
#[derive(Debug)]
pub struct GridFinder {
    settings: GridSettings,
    lattice: Lattice,
    /// The boxes without and with an oriented box. They are kept apart because a pair of both kinds is decided
    /// by the axis-aligned boxes and need not share a cell of the oriented box.
    aligned: Cells,
    oriented: Cells,
    /// By index.
    homes: Vec<Home>,
    upkeep: Upkeep,
    /// One for each thread that has searched.
    seen: Vec<Stamps>,
    threads: bool,
    moves: u64,
}

#[derive(Clone, Debug, Default)]
struct Home {
    is_oriented: bool,
    /// Whether the box reaches beyond the lattice, or is compared with every box.
    is_misfit: bool,
    cover: Cover,
}

impl Default for GridFinder {
    fn default() -> Self {
        Self::new(GridSettings::default())
    }
}

impl GridFinder {
    fn new(settings: GridSettings) -> Self {
        Self {
            settings,
            lattice: lattice_for(&settings, &Extent::default(), 0),
            aligned: Cells::new(settings.indexed),
            oriented: Cells::new(settings.indexed),
            homes: Vec::new(),
            upkeep: Upkeep::default(),
            seen: Vec::new(),
            threads: false,
            moves: 0,
        }
    }

    fn home_of(&self, proxies: &Proxies, index: u32, aabb: &Aabb) -> Home {
        let mut cover = Cover::of_aabb(aabb, &self.lattice);
        let oriented = if self.settings.stabbed { proxies.oriented(index) } else { None };
        let is_oriented = oriented.is_some();
        if let (Some(oriented), Cover::Cells(_)) = (oriented, &cover) {
            cover = Cover::of_obb(oriented, &self.lattice);
        }
        let is_misfit = !aabb.is_empty()
            && (cover == Cover::Everywhere
                || self.settings.universe.is_none() && !self.lattice.holds(aabb));
        Home { is_oriented, is_misfit, cover }
    }
}

impl Adaptive for GridFinder {
    fn upkeep(&mut self) -> &mut Upkeep {
        &mut self.upkeep
    }

    fn reset(&mut self, extent: &Extent, boxes: usize) {
        self.lattice = lattice_for(&self.settings, extent, boxes);
        self.aligned = Cells::new(self.settings.indexed);
        self.oriented = Cells::new(self.settings.indexed);
        self.homes = Vec::new();
        self.seen = Vec::new();
    }

    fn put(&mut self, proxies: &Proxies, index: u32) {
        let new = self.home(proxies, index);
        let old = self.move_in(index, new);
        let new = &self.homes[index as usize];
        let same = old.is_oriented == new.is_oriented;
        if same && old.cover == new.cover {
            return;
        }
        let nowhere = Cover::Nowhere;
        for (cells, is_oriented) in [(&mut self.aligned, false), (&mut self.oriented, true)] {
            let old = if old.is_oriented == is_oriented { &old.cover } else { &nowhere };
            let new = if new.is_oriented == is_oriented { &new.cover } else { &nowhere };
            if *old != nowhere || *new != nowhere {
                self.moves += cells.change(index, old, new, &self.lattice);
            }
        }
    }

    fn put_all(&mut self, proxies: &Proxies, indices: &[u32]) {
        if !self.threads || self.settings.indexed {
            return indices.iter().for_each(|&index| self.put(proxies, index));
        }
        let this = &*self;
        let homes = map_chunks(indices.len(), HEAVY, true, |range| {
            indices[range].iter().map(|&index| this.home(proxies, index)).collect::<Vec<_>>()
        });
        let old: Vec<Home> = indices
            .iter()
            .zip(homes.into_iter().flatten())
            .map(|(&index, new)| self.move_in(index, new))
            .collect();
        let nowhere = Cover::Nowhere;
        for (cells, is_oriented) in [(&mut self.aligned, false), (&mut self.oriented, true)] {
            fn side<'h>(home: &'h Home, is_oriented: bool, nowhere: &'h Cover) -> &'h Cover {
                if home.is_oriented == is_oriented { &home.cover } else { nowhere }
            }
            let changes = indices.iter().zip(&old).map(|(&index, old)| {
                let new = &self.homes[index as usize];
                (index, side(old, is_oriented, &nowhere), side(new, is_oriented, &nowhere))
            });
            let changes: Vec<_> = changes.filter(|(_, old, new)| old != new).collect();
            self.moves += cells.change_many(&changes, &self.lattice, true);
        }
    }
}

impl GridFinder {
    /// Where a box belongs now.
    fn home(&self, proxies: &Proxies, index: u32) -> Home {
        let aabb = proxies.boxes().get(index as usize).copied().unwrap_or_default();
        self.home_of(proxies, index, &aabb)
    }

    /// Notes where a box belongs, and returns where it was.
    fn move_in(&mut self, index: u32, new: Home) -> Home {
        let place = index as usize;
        if self.homes.len() <= place {
            self.homes.resize(place + 1, Home::default());
        }
        self.upkeep.misfits += usize::from(new.is_misfit);
        let old = std::mem::replace(&mut self.homes[place], new);
        self.upkeep.misfits -= usize::from(old.is_misfit);
        old
    }

    /// Tests the pairs of some boxes.
    fn find_among(
        &self,
        indices: Range<usize>,
        proxies: &Proxies,
        seen: &mut Stamps,
        collector: &mut PairCollector<'_>,
    ) {
        let boxes = proxies.boxes();
        let Self { lattice, aligned, oriented, homes, .. } = self;
        seen.shrink(boxes.len());
        for index in indices {
            let home = &homes[index];
            let this = index as u32;
            let cells = match home.cover {
                Cover::Nowhere if !home.is_oriented => continue,
                Cover::Everywhere => {
                    // Of two such boxes, the first tests the pair.
                    for other in 0..boxes.len() as u32 {
                        let is_like_this = homes[other as usize].cover == Cover::Everywhere;
                        if !boxes[other as usize].is_empty() && (!is_like_this || other > this) {
                            collector.test(this, other);
                        }
                    }
                    continue;
                }
                _ if home.is_oriented => oriented,
                _ => aligned,
            };
            seen.begin(boxes.len());
            cells.visit(&home.cover, lattice, 2, |other| {
                // Of two boxes that share a cell, the first tests the pair.
                if other > this && seen.mark(other) {
                    collector.test(this, other);
                }
            });
            if home.is_oriented {
                let cover = Cover::of_aabb(&boxes[index], lattice);
                aligned.visit(&cover, lattice, 1, |other| {
                    if seen.mark(other) {
                        collector.test(this, other);
                    }
                });
            }
        }
    }
}

/// The lattice for boxes of this extent.
fn lattice_for(settings: &GridSettings, extent: &Extent, boxes: usize) -> Lattice {
    let (low, high) =
        settings.universe.map_or((extent.low, extent.high), |aabb| (aabb.min, aabb.max));
    let mut cell = settings.cell.unwrap_or(extent.diameter);
    // An empty cell takes as much memory as a few boxes.
    let most = match settings.cell {
        Some(_) => (64 * boxes).max(1 << 18),
        None => (8 * boxes).max(1 << 12),
    } as f64;
    let sides = [0, 1, 2].map(|axis| high[axis] - low[axis]);
    let dims = |cell: f64| sides.map(|side| (side / cell).ceil().clamp(1.0, 1e6));
    let count = |dims: &[f64; 3]| dims[0] * dims[1] * dims[2];
    while settings.cell.is_none() && count(&dims(cell)) > most {
        cell *= 1.25;
    }
    let mut dims = dims(cell);
    while count(&dims) > most {
        let longest = (1..3).fold(0, |best, k| if dims[k] > dims[best] { k } else { best });
        dims[longest] = (0.5 * dims[longest]).ceil();
    }
    // Centered if part of the world was cut off.
    let origin = [0, 1, 2].map(|axis| low[axis] + 0.5 * (sides[axis] - dims[axis] * cell).max(0.0));
    Lattice::new(origin, cell, dims.map(|dim| dim as u32))
}

impl PairFinder for GridFinder {
    fn name(&self) -> &'static str {
        match (self.settings.stabbed, self.settings.indexed) {
            (true, _) => "grid-stabbed",
            (false, true) => "grid-indexed",
            (false, false) => "grid",
        }
    }

    fn inserted(&mut self, _: &Proxies, index: u32) {
        self.upkeep.changed.insert(index);
    }

    fn updated(&mut self, proxies: &Proxies, index: u32, before: &PreviousBounds) {
        if self.settings.stabbed || proxies.boxes()[index as usize] != before.aabb {
            self.upkeep.changed.insert(index);
        }
    }

    fn removed(&mut self, _: &Proxies, index: u32, _: &PreviousBounds) {
        self.upkeep.changed.insert(index);
    }

    fn find(&mut self, proxies: &Proxies, collector: &mut PairCollector<'_>) {
        self.moves = 0;
        self.update(proxies);
        let mut seen = std::mem::take(&mut self.seen);
        let all = 0..self.homes.len();
        find_with_scratch(
            all,
            HEAVY,
            self.threads,
            &mut seen,
            collector,
            |range, seen, collector| {
                self.find_among(range, proxies, seen, collector);
            },
        );
        self.seen = seen;
    }

    fn use_threads(&mut self) {
        self.threads = true;
    }

    fn uses_threads(&self) -> bool {
        self.threads
    }

    fn volume(&self) -> Volume {
        if self.settings.stabbed { Volume::Oriented } else { Volume::Aabb }
    }

    fn bytes(&self) -> usize {
        self.aligned.bytes()
            + self.oriented.bytes()
            + held(&self.homes)
            + self.homes.iter().map(|home| home.cover.bytes()).sum::<usize>()
            + self.upkeep.bytes()
            + held(&self.seen)
            + self.seen.iter().map(Stamps::bytes).sum::<usize>()
    }

    fn stats(&self) -> Stats {
        Stats { moves: self.moves, ..Stats::default() }
    }
}

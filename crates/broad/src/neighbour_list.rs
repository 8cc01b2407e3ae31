//! A neighbour list (Verlet list) over another broad phase.

mod bypass;
mod cost_model;
mod escaped_boxes;
mod list_making;
mod listed_pair;
mod motion_predictor;
mod new_pairs;
mod pair_schedule;
mod upcoming_list;

use std::mem::take;
use std::ops::Range;

use cost_model::CostModel;
use escaped_boxes::EscapedBoxes;
use motion_predictor::MotionPredictor;
use pair_schedule::PairSchedule;
use upcoming_list::UpcomingList;
use xcollide_bounds::Aabb;
use xcollide_simd::{Simd, SimdKernel, SimdLevel, dispatch, prefetch};

use crate::course::Expected;
use crate::courses::Courses;
use crate::pair_sorter::PairSorter;
use crate::parallel::{LIGHT, PROBES, chunk_count, fill_per_chunk, join};
use crate::stats::held;
use crate::{
    HashGridFinder, Mobility, PairCollector, PairFinder, PairManager, PreviousBounds, Proxies,
    Stats,
};

/// Keeps a list of pairs that may overlap soon, for many frames (Verlet 1967).
///
/// Each box is expected on a course: its sides keep their recent velocities, or, for more than a few frames, that of its
/// center, up to a tolerance. Its fat box contains the
/// course over the expected life of the list. Another algorithm finds the pairs of fat boxes; for each, the frames are
/// computed in which the boxes may overlap, and those in which they must, while both keep their courses. So a frame
/// compares the boxes only of pairs that are about to meet or part (as in space-time bounds, Hubbard 1993; and kinetic data
/// structures, Basch, Guibas and Hershberger 1997). A box that leaves its course, or is new, is *escaped*: it gets a new fat
/// box, its pairs are searched once, and compared in every frame.
///
/// O(n + k + u + s) in an ordinary frame, for k overlapping pairs, u that may overlap but need not, and s escaped boxes, plus
/// the cost of the other algorithm when a list is made; pairs of static boxes are kept. A new list is made when the courses
/// end, or when escaped boxes have cost as much as one, so unpredictable motion costs at most about twice the other
/// algorithm alone. The look-ahead adapts until the cost of making a list that grows with its life is about the rest of it.
/// Costs are counted, not timed.
///
/// The fastest broad phase here for smooth motion and for resting boxes of any sizes. With 64 moving boxes or more,
/// a list is made in steps, one a frame: the next one in about half of the frames in which the last one serves, the first one
/// when velocities are known. Where none serves, as the last one was lost too early, the other algorithm answers meanwhile. A
/// list is made at once when static boxes have changed, and where boxes can be predicted for less than eight frames.
///
/// ```
/// use xcollide_bounds::Aabb;
/// use xcollide_broad::{
///     BroadPhase, Everything, NeighbourListFinder, PairManager, Pairs, ProxyIds, SweepFinder,
/// };
///
/// let mut ids = ProxyIds::new();
/// let mut broad = PairManager::over(NeighbourListFinder::<SweepFinder>::with_margin(0.2));
/// let (a, b) = (ids.issue(), ids.issue());
/// broad.insert(a, &Aabb::new([0.0; 3], [1.0; 3]).into())?;
/// let mut pairs = Pairs::new();
/// for (x, lists_made) in [(1.3, 1), (1.2, 0), (1.1, 0), (1.0, 1)] {
///     let aabb = Aabb::new([x, 0.0, 0.0], [x + 1.0, 1.0, 1.0]);
///     if broad.update(b, &aabb.into()).is_err() {
///         broad.insert(b, &aabb.into())?;
///     }
///     broad.pairs(&Everything, &mut pairs);
///     assert_eq!(broad.stats().moves, lists_made);
/// }
/// assert_eq!(pairs.appeared.len(), 1); // they touch
/// # Ok::<(), xcollide_broad::ProxyError>(())
/// ```
pub type NeighbourList = PairManager<NeighbourListFinder>;

/// The algorithm of [`NeighbourList`], over another one that decides by axis-aligned boxes.
#[derive(Debug, Default)]
pub struct NeighbourListFinder<F = HashGridFinder> {
    finder: F,
    /// Predicted if not given.
    margin: Option<f64>,
    threads: bool,
    predictor: MotionPredictor,
    costs: CostModel,
    /// The fat boxes, on which the other algorithm runs: those of the last list that was begun.
    enlarged: Proxies,
    /// Where the boxes of the list are expected.
    courses: Courses,
    span: ListSpan,
    /// The pairs of fat boxes, without those of escaped boxes.
    pairs: PairSchedule,
    /// The pairs of static boxes, in order. They overlap until a static box changes.
    fixed: Vec<u64>,
    /// Whether no static box has changed since `fixed` was found.
    knows_fixed: bool,
    order: PairSorter,
    escaped: EscapedBoxes,
    upcoming: UpcomingList,
    /// The boxes updated since the last search, with their former bounds. They are checked together later, as
    /// reading a box just after writing it is slow.
    updated: Vec<(u32, Aabb)>,
    /// In how many goes moving boxes were moved together since the last search, and how many boxes in all.
    moved: [usize; 2],
    /// Reused memory for those of them that have left their courses, by chunk.
    found: Vec<Vec<(u32, Aabb)>>,
    /// Reused memory for the boxes that are enlarged one by one.
    others: Vec<u32>,
    /// Whether the next search makes a new list at once: too many boxes have escaped, or a list cannot be made in
    /// steps.
    is_lost: bool,
    /// Whether a list is in use. The other algorithm runs on the boxes themselves else.
    serves: bool,
    /// Whether no lists are to be made.
    rests: bool,
    lists_made: u64,
}

/// When a list serves.
#[derive(Clone, Copy, Debug, Default)]
struct ListSpan {
    /// The frame in which its courses begin.
    begin: u64,
    /// The first and the last frame from there on in which boxes on their courses are in their fat boxes.
    frames: [u8; 2],
    /// For how many frames it is made.
    planned: f64,
}

impl ListSpan {
    /// The last frame of a list whose courses lead nowhere.
    const FOREVER: u8 = u8::MAX;

    /// Frames since the courses began.
    fn time(&self, frame: u64) -> u8 {
        (frame - self.begin).min(u64::from(Self::FOREVER)) as u8
    }

    /// Whether the list serves until this frame, at least.
    fn lasts(&self, frame: u64) -> bool {
        let [_, last] = self.frames;
        last == Self::FOREVER || frame - self.begin <= u64::from(last)
    }
}

impl<F: PairFinder + Default> NeighbourListFinder<F> {
    /// The algorithm with the same margin on every side of every box.
    #[must_use]
    pub fn with_margin(margin: f64) -> Self {
        Self { margin: Some(margin), ..Self::default() }
    }
}

impl<F: PairFinder> NeighbourListFinder<F> {
    /// Whether the lists have lately cost less than the other algorithm alone; `None` if unknown.
    pub(crate) fn pays(&self) -> Option<bool> {
        if self.predictor.sees_jumps() { Some(false) } else { self.costs.pays() }
    }

    /// Finds the boxes that are not where they are expected.
    fn find_escaped(&mut self, proxies: &Proxies) {
        self.check_updated(proxies);
        // A box that was not updated may be expected elsewhere.
        let is_checked = self.moved == [1, proxies.moving()];
        if !is_checked && self.courses.are_moving() {
            let found = self.find_off_course(proxies);
            self.note_escaped(proxies, &found);
            self.found = found;
        }
    }

    /// Finds those of the updated boxes that are not where they are expected, or are others.
    fn check_updated(&mut self, proxies: &Proxies) {
        let (updated, mut found) = (take(&mut self.updated), take(&mut self.found));
        let Self { enlarged, courses, escaped, margin, threads, .. } = &*self;
        let is_lasting =
            |index: u32| enlarged.mobility(index) == Mobility::Static && margin.is_none();
        let has_left = |&(index, _): &(u32, Aabb)| {
            let (slot, is_listed) = (index as usize, escaped.number(index).is_none());
            let aabb = &proxies.boxes()[slot];
            if is_listed && !proxies.has_same(enlarged, index) {
                return true;
            }
            match is_listed && is_lasting(index) {
                true => enlarged.boxes()[slot] != *aabb,
                false => !courses.holds(slot, aabb),
            }
        };
        fill_per_chunk(updated.len(), PROBES, *threads, &mut found, |part, found| {
            found.clear();
            found.extend(updated[part].iter().copied().filter(has_left));
        });
        self.note_escaped(proxies, &found);
        (self.updated, self.found) = (updated, found);
        self.updated.clear();
    }

    /// The moving boxes that are not where they are expected.
    fn find_off_course(&mut self, proxies: &Proxies) -> Vec<Vec<(u32, Aabb)>> {
        let (courses, mut found) = (&self.courses, take(&mut self.found));
        fill_per_chunk(courses.len(), LIGHT, self.threads, &mut found, |part, found| {
            found.clear();
            dispatch(OffCourse { proxies, courses, part, found });
        });
        for part in &mut found {
            part.retain(|(index, aabb)| !courses.holds(*index as usize, aabb));
        }
        found
    }

    /// Notes boxes that have left their courses, with their former bounds.
    fn note_escaped(&mut self, proxies: &Proxies, found: &[Vec<(u32, Aabb)>]) {
        /// About as many boxes as are noted while one is loaded.
        const AHEAD: usize = 8;
        let fresh = self.escaped.fresh.len() + found.iter().map(Vec::len).sum::<usize>();
        self.is_lost |= self.is_exhausted(fresh);
        for part in found {
            for (at, &(index, before)) in part.iter().enumerate() {
                if let Some(&(next, _)) = part.get(at + AHEAD) {
                    prefetch(&proxies.boxes()[next as usize]);
                    self.predictor.prefetch(next);
                }
                let aabb = &proxies.boxes()[index as usize];
                if before != *aabb {
                    self.predictor.turn(index, &before, aabb);
                }
                // If a new list is made, only boxes that are or were static matter.
                let rests = proxies.mobility(index) == Mobility::Static;
                if !self.is_lost || rests || self.is_static(index) {
                    self.escape(index, &before);
                }
            }
        }
    }

    /// Whether escaped boxes, with these new ones, have cost too much to go on with the list. A list in the making is
    /// waited for, as it is ready sooner than another.
    fn is_exhausted(&self, escaped: usize) -> bool {
        let most = if self.upcoming.is_begun() { 2.0 } else { 1.0 };
        self.costs.is_exhausted(escaped, most)
    }

    /// Whether a box was static when the list was made.
    fn is_static(&self, index: u32) -> bool {
        self.enlarged.is_alive(index) && self.enlarged.mobility(index) == Mobility::Static
    }

    #[cold]
    fn escape(&mut self, index: u32, before: &Aabb) {
        let is_static = self.is_static(index);
        let fixed = is_static && self.margin.is_none();
        let fixed = fixed.then(|| &self.enlarged.boxes()[index as usize]);
        self.escaped.note(index, before, fixed);
        self.knows_fixed &= !is_static;
    }

    /// Whether the list in use is of no use in this frame.
    fn is_over(&self) -> bool {
        let is_exhausted = self.is_exhausted(self.escaped.fresh.len());
        self.is_lost || is_exhausted || !self.span.lasts(self.predictor.frame)
    }

    /// Finds the pairs by the list in use, or by a new one if that is over. Returns how many escaped boxes got new fat boxes.
    fn find_by_list(&mut self, proxies: &Proxies, collector: &mut PairCollector<'_>) -> usize {
        let mut fresh = self.escaped.fresh.len();
        let hits = if self.serves { self.find_listed(proxies, collector) } else { None };
        // An algorithm that cannot search around boxes must search all.
        let hits = hits.unwrap_or_else(|| {
            self.make_list(proxies);
            fresh = 0;
            self.find_listed(proxies, collector).unwrap_or(0)
        });
        let others = &self.escaped.candidates;
        collector.test_listed(others, self.threads);
        if !self.knows_fixed {
            collector.test_listed(&self.fixed, self.threads);
        }
        let more = others.len() + if self.knows_fixed { 0 } else { self.fixed.len() };
        self.costs.note_frame(self.pairs.len(), hits, fresh, more);
        fresh
    }

    /// Gives escaped boxes new fat boxes and candidates, and passes the fixed pairs and the active ones that overlap to the
    /// collector, both in order. Both at once on several threads, as parts of each take one thread. Returns the number of these
    /// active pairs; `None`, and adds no pairs, if the other algorithm cannot search around boxes.
    fn find_listed(
        &mut self,
        proxies: &Proxies,
        collector: &mut PairCollector<'_>,
    ) -> Option<usize> {
        let time = self.span.time(self.predictor.frame);
        let Self {
            escaped, enlarged, finder, predictor, courses, pairs, fixed, knows_fixed, ..
        } = self;
        let (margin, threads, origin) = (self.margin, self.threads, *courses.origin());
        let indices = take(&mut escaped.indices);
        let has_new = !escaped.fresh.is_empty();
        let both = chunk_count(escaped.fresh.len(), PROBES, threads) > 1
            && chunk_count(pairs.len(), LIGHT, threads) > 1;
        let before = (collector.found.len(), collector.found.tests);
        // First, as a few others are merged into them later.
        if *knows_fixed {
            collector.accept_listed(fixed, threads);
        }
        let already = collector.found.len();
        let find = || {
            pairs.advance(time, (&indices, has_new), proxies.boxes().len(), threads);
            pairs.find(time, proxies, threads, collector);
        };
        let settle = || {
            let place = |index: u32, before: &Aabb| {
                let aabb = &proxies.boxes()[index as usize];
                if margin.is_none() && proxies.mobility(index) == Mobility::Static {
                    return (None, *aabb);
                }
                let course = match margin {
                    Some(margin) => Expected::at_rest(aabb, margin).course(&origin),
                    None => predictor.course_of_escaped(index, before, aabb, &origin),
                };
                match course {
                    Ok(course) => (Some(course), course.hull(&origin, [0.0; 2])),
                    Err(place) => (None, place),
                }
            };
            escaped.settle(indices.as_slice(), place, (enlarged, courses), finder, threads)
        };
        let ((), is_settled) = join(both, find, settle);
        self.escaped.indices = indices;
        let hits = collector.found.len() - already;
        if !is_settled {
            collector.found.truncate(before.0);
            collector.found.tests = before.1;
        }
        is_settled.then_some(hits)
    }
}

/// Adds the moving boxes among some that do not keep their courses.
struct OffCourse<'a> {
    proxies: &'a Proxies,
    courses: &'a Courses,
    part: Range<usize>,
    found: &'a mut Vec<(u32, Aabb)>,
}

impl SimdKernel for OffCourse<'_> {
    type Output = ();
    const MAX_LEVEL: SimdLevel = SimdLevel::Avx2;

    #[inline(always)]
    fn run<S: Simd>(self) {
        let Self { proxies, courses, part, found } = self;
        let now = courses.now::<S::F32x8, S::F64x4>();
        for (at, aabb) in part.clone().zip(&proxies.boxes()[part]) {
            let index = at as u32;
            if proxies.mobility(index) == Mobility::Moving
                && !courses.is_kept(&now, at, aabb)
                && proxies.is_alive(index)
            {
                found.push((index, *aabb));
            }
        }
    }
}

impl<F: PairFinder> PairFinder for NeighbourListFinder<F> {
    fn name(&self) -> &'static str {
        "neighbour-list"
    }

    fn inserted(&mut self, proxies: &Proxies, index: u32) {
        if !self.serves {
            self.bypass_insertion(proxies, index);
        }
        self.escape(index, &proxies.boxes()[index as usize]);
    }

    #[inline]
    fn updated(&mut self, proxies: &Proxies, index: u32, before: &PreviousBounds) {
        if !self.serves {
            return self.bypass_update(proxies, index, before);
        }
        if self.updated.len() >= proxies.boxes().len() {
            // The box was updated more than once since the last search.
            self.check_updated(proxies);
        }
        self.updated.push((index, before.aabb));
        if before.mobility == Mobility::Static {
            // A static box changes the fixed pairs even if it stays within its fat box.
            let aabb = &proxies.boxes()[index as usize];
            self.knows_fixed &= before.aabb == *aabb && proxies.mobility(index) == Mobility::Static;
        }
    }

    fn may_skip_updates(&self) -> bool {
        !self.serves && self.finder.may_skip_updates()
    }

    fn courses(&self) -> Option<&Courses> {
        self.serves.then_some(&self.courses)
    }

    fn moved(&mut self, proxies: &Proxies, count: usize) {
        let [goes, boxes] = self.moved;
        self.moved = [goes + 1, boxes + count];
        for part in proxies.off_course() {
            for &(index, aabb) in part {
                self.updated(proxies, index, &PreviousBounds { aabb, mobility: Mobility::Moving });
            }
        }
    }

    /// A removed box is empty, so it remains in no pair except fixed ones.
    fn removed(&mut self, proxies: &Proxies, index: u32, before: &PreviousBounds) {
        if !self.serves {
            self.bypass_removal(proxies, index, before);
        }
        self.escape(index, &before.aabb);
    }

    fn find(&mut self, proxies: &Proxies, collector: &mut PairCollector<'_>) {
        self.lists_made = 0;
        if self.serves {
            self.find_escaped(proxies);
        }
        self.moved = [0; 2];
        self.predictor.frame += 1;
        self.end_if_over(proxies);
        self.list_first_static(proxies);
        if self.upcoming.is_begun() {
            let is_over = !self.serves && !self.can_bypass(proxies);
            self.go_on(proxies, is_over);
            self.end_if_over(proxies);
        }
        let fresh = if self.serves || !self.can_bypass(proxies) {
            self.find_by_list(proxies, collector)
        } else {
            self.finder.find(proxies, collector);
            0
        };
        if self.rests && !self.serves {
            return;
        }
        let frame = self.predictor.frame;
        // Whether a new list will be due in two or three frames.
        let is_soon = self.costs.is_exhausted(3 * fresh, 1.0) || !self.span.lasts(frame + 3);
        let in_steps = self.goes_in_steps(proxies);
        if in_steps && !self.upcoming.is_begun() {
            self.begin_if_due(proxies);
        }
        // Velocities are measured from the same boxes in all steps of a list.
        if !self.upcoming.is_begun() || self.upcoming.is_enlarged() {
            self.predictor.end_frame(proxies, is_soon, in_steps, self.threads);
        }
        self.courses.set_time((frame + 1 - self.span.begin) as u32);
    }

    fn use_threads(&mut self) {
        self.threads = true;
        self.finder.use_threads();
    }

    fn uses_threads(&self) -> bool {
        self.threads
    }

    fn bytes(&self) -> usize {
        self.finder.bytes()
            + self.enlarged.bytes()
            + self.courses.bytes()
            + self.pairs.bytes()
            + held(&self.fixed)
            + held(&self.updated)
            + self.found.iter().map(held).sum::<usize>()
            + held(&self.others)
            + self.order.bytes()
            + self.upcoming.bytes()
            + self.escaped.bytes()
            + self.predictor.bytes()
    }

    /// [`Stats::moves`] is 1 if this call made a list.
    fn stats(&self) -> Stats {
        Stats { moves: self.lists_made, ..Stats::default() }
    }

    fn choice(&self) -> String {
        self.finder.name().to_owned()
    }
}

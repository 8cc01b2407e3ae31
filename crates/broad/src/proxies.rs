//! The boxes of a broad phase, by index.

mod moves;
mod slot;

use std::ops::Range;

use xcollide_bounds::{Aabb, BoundingVolume, KDop, Obb};
use xcollide_simd::dispatch;

use crate::courses::Courses;
use crate::parallel::{LIGHT, fill_per_chunk_mut};
use crate::sides::is_nan;
use crate::stats::held;
use crate::{Bounds, Changes, Mobility, MotionBound, Pair, ProxyError, ProxyId, Volume};
use moves::{MovedPart, Moves, Replace};
use slot::Slot;

/// The boxes of a broad phase and their other bounds, in tables by [index](ProxyId::index): what a
/// [`PairFinder`](crate::PairFinder) reads. Only a [`PairManager`](crate::PairManager) has and changes them.
///
/// The tables are as long as the largest index that was ever in use. Indices without a box have the empty box, which
/// overlaps none, so that loops over all need no check. [`PairFinder`](crate::PairFinder) has an example.
#[derive(Clone, Debug, Default)]
pub struct Proxies {
    boxes: Vec<Aabb>,
    slots: Vec<Slot>,
    /// Tables that are empty until such bounds are given.
    oriented: Vec<Option<Box<Obb>>>,
    kdops: Vec<Option<Box<KDop<18>>>>,
    motions: Vec<Option<Box<MotionBound>>>,
    /// Whether a bound other than a box was ever given.
    has_others: bool,
    /// Whether an index has been used twice.
    has_reused: bool,
    len: usize,
    /// How many of the boxes are static.
    resting: usize,
    /// Reused memory for changes of many boxes, by chunk.
    parts: Vec<MovedPart>,
}

impl Proxies {
    /// How many boxes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// How many boxes are expected to move.
    pub(crate) fn moving(&self) -> usize {
        self.len - self.resting
    }

    /// Whether there is no box.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The boxes by index. Unused indices have empty boxes.
    #[inline]
    #[must_use]
    pub fn boxes(&self) -> &[Aabb] {
        &self.boxes
    }

    /// Whether the index has a box.
    #[inline]
    #[must_use]
    pub fn is_alive(&self, index: u32) -> bool {
        self.slots.get(index as usize).is_some_and(|slot| slot.is_alive())
    }

    /// Whether the box is expected to move.
    #[inline]
    #[must_use]
    pub fn mobility(&self, index: u32) -> Mobility {
        self.slots[index as usize].mobility()
    }

    /// The full id of the box with this index.
    #[inline]
    #[must_use]
    pub fn id(&self, index: u32) -> ProxyId {
        ProxyId::new(index, self.slots[index as usize].generation())
    }

    /// The pair of a key: two indices, the first in the upper half.
    #[inline(always)]
    pub(crate) fn pair(&self, key: u64) -> Pair {
        Pair { a: self.id((key >> 32) as u32), b: self.id(key as u32) }
    }

    /// Whether no index has been used twice, so that an index identifies a box.
    pub(crate) fn are_first(&self) -> bool {
        !self.has_reused
    }

    /// The oriented box, if one was given.
    #[must_use]
    pub fn oriented(&self, index: u32) -> Option<&Obb> {
        self.oriented.get(index as usize)?.as_deref()
    }

    /// The 18-DOP, if one was given.
    #[must_use]
    pub fn kdop(&self, index: u32) -> Option<&KDop<18>> {
        self.kdops.get(index as usize)?.as_deref()
    }

    /// The promise about the motion, if one was given.
    #[must_use]
    pub fn motion(&self, index: u32) -> Option<&MotionBound> {
        self.motions.get(index as usize)?.as_deref()
    }

    /// Whether two axis-aligned boxes overlap.
    #[inline]
    #[must_use]
    pub fn overlap(&self, a: u32, b: u32) -> bool {
        self.boxes[a as usize].overlaps(&self.boxes[b as usize])
    }

    /// Whether the tighter volumes overlap too, if both boxes have one. `a` is the smaller index, as the
    /// order may affect rounding.
    pub(crate) fn tighter_overlap(&self, a: u32, b: u32, volume: Volume) -> bool {
        match volume {
            Volume::Aabb => true,
            Volume::Oriented => {
                self.oriented(a).zip(self.oriented(b)).is_none_or(|(a, b)| a.overlaps(b))
            }
            Volume::KDop => self.kdop(a).zip(self.kdop(b)).is_none_or(|(a, b)| a.overlaps(b)),
        }
    }

    pub(crate) fn insert(&mut self, id: ProxyId, bounds: &Bounds) -> Result<(), ProxyError> {
        if id.index() > ProxyId::MAX_INDEX {
            return Err(ProxyError::IndexTooLarge { id });
        }
        check(id, bounds)?;
        let index = id.index() as usize;
        if self.is_alive(id.index()) {
            return Err(ProxyError::Occupied { id, holder: self.id(id.index()) });
        }
        if index >= self.slots.len() {
            self.slots.resize(index + 1, Slot::default());
            self.boxes.resize(index + 1, Aabb::EMPTY);
        }
        self.slots[index] = Slot::new(id.generation(), true, bounds.mobility);
        self.has_reused |= id.generation() > 0;
        self.len += 1;
        self.resting += usize::from(bounds.mobility == Mobility::Static);
        self.replace(id.index(), bounds);
        Ok(())
    }

    /// Gives a box new bounds, which [have been checked](Self::check_update); returns the old ones.
    #[inline(always)]
    pub(crate) fn replace(&mut self, index: u32, bounds: &Bounds) -> PreviousBounds {
        let index = index as usize;
        let slot = &mut self.slots[index];
        let before = PreviousBounds { aabb: self.boxes[index], mobility: slot.mobility() };
        *slot = Slot::new(slot.generation(), slot.is_alive(), bounds.mobility);
        self.resting += usize::from(bounds.mobility == Mobility::Static);
        self.resting -= usize::from(before.mobility == Mobility::Static);
        self.boxes[index] = bounds.aabb;
        if self.has_others || !bounds.is_plain() {
            self.write_rest(index, bounds);
        }
        before
    }

    /// Whether an index has the same box as in another table, with the same mobility, or no box in either.
    pub(crate) fn has_same(&self, other: &Self, index: u32) -> bool {
        let slot = |proxies: &Self| {
            let slot = proxies.slots.get(index as usize).copied().unwrap_or_default();
            if slot.is_alive() { slot } else { Slot::default() }
        };
        slot(self) == slot(other)
    }

    /// Takes over the moving proxies of another table in a range, where this one has none.
    pub(crate) fn adopt_moving(&mut self, other: &Self, range: Range<usize>) {
        if self.len >= other.len {
            return;
        }
        let end = range.end.max(self.slots.len());
        let all = other.slots.len().max(end);
        self.slots.reserve(all - self.slots.len());
        self.boxes.reserve(all - self.boxes.len());
        self.slots.resize(end, Slot::default());
        self.boxes.resize(end, Aabb::EMPTY);
        self.has_reused |= other.has_reused;
        for index in range {
            let slot = other.slots[index];
            let moves = slot.is_alive() && slot.mobility() == Mobility::Moving;
            if moves && !self.slots[index].is_alive() {
                (self.slots[index], self.boxes[index]) = (slot, other.boxes[index]);
                self.len += 1;
            }
        }
    }

    /// Replaces the boxes of moving proxies in a range by `next(index, id, box)`; `None` leaves a box unchanged.
    /// Returns how many were replaced, and writes to `others` the ascending indices of the others, without static ones
    /// for which `rests` is true.
    pub(crate) fn move_all(
        &mut self,
        range: Range<usize>,
        threads: bool,
        next: impl Fn(u32, ProxyId, &Aabb) -> Option<Aabb> + Sync,
        rests: impl Fn(u32) -> bool + Sync,
        others: &mut Vec<u32>,
    ) -> usize {
        debug_assert!(!self.has_others, "tighter volumes would not move along");
        let Self { boxes, slots, parts, .. } = self;
        fill_per_chunk_mut(
            &mut boxes[range.clone()],
            LIGHT,
            threads,
            parts,
            |first, boxes, part| {
                let first = range.start + first;
                let slots = &slots[first..];
                dispatch(Replace { first, boxes, slots, next: &next, rests: &rests, part });
            },
        );
        others.clear();
        parts.iter().for_each(|part| others.extend_from_slice(&part.left));
        parts.iter().map(|part| part.moved).sum()
    }

    /// Applies many changes in ascending order of index, as long as they only replace boxes of moving proxies that have
    /// [courses](crate::PairFinder::courses), or, if there are none, one ordinary box by another. Writes to `left`
    /// the numbers of the changes still to be made, possibly all. [`off_course`](Self::off_course) tells which boxes
    /// left their courses. Returns how many boxes were moved.
    pub(crate) fn move_many(
        &mut self,
        count: usize,
        change: &Changes<'_>,
        courses: Option<&Courses>,
        threads: bool,
        left: &mut Vec<u32>,
    ) -> usize {
        left.clear();
        self.parts.iter_mut().for_each(|part| part.off_course.clear());
        if self.has_others || courses.is_none() && 2 * count < self.boxes.len() {
            left.extend(0..count as u32);
            return 0;
        }
        let Self { boxes, slots, parts, .. } = self;
        fill_per_chunk_mut(boxes, LIGHT, threads, parts, |first, boxes, part| {
            let number = |index: usize| lower_bound(count, |at| index_of(change, at) < index);
            let numbers = number(first)..number(first + boxes.len());
            let (made, slots) = (numbers.len(), &slots[first..]);
            part.moved = made;
            part.left.clear();
            part.is_ordered =
                dispatch(Moves { first, boxes, slots, courses, numbers, change, part });
        });
        let made: usize = parts.iter().map(|part| part.moved).sum();
        if made != count || !parts.iter().all(|part| part.is_ordered) {
            // Not in order: all are applied again one by one, because the last change of a box counts.
            parts.iter_mut().for_each(|part| part.off_course.clear());
            left.extend(0..count as u32);
            return 0;
        }
        parts.iter().for_each(|part| left.extend_from_slice(&part.left));
        count - left.len()
    }

    /// The boxes that left their courses in the last [`move_many`](Self::move_many), in parts: each with its index and
    /// its former bounds.
    pub(crate) fn off_course(&self) -> impl Iterator<Item = &[(u32, Aabb)]> {
        self.parts.iter().map(|part| &part.off_course[..])
    }

    /// Replaces the box of a moving proxy if it keeps its [course](crate::PairFinder::courses);
    /// otherwise returns false.
    #[inline]
    pub(crate) fn update_on_course(
        &mut self,
        id: ProxyId,
        bounds: &Bounds,
        courses: &Courses,
    ) -> bool {
        let index = id.index() as usize;
        let Some(slot) = self.slots.get(index).filter(|_| index < courses.len()) else {
            return false;
        };
        let stays = slot.is_plain_move(id, bounds.into()) && courses.holds(index, &bounds.aabb);
        if stays && !self.has_others {
            self.boxes[index] = bounds.aabb;
            return true;
        }
        false
    }

    /// Checks whether a box may be given these bounds.
    #[inline(always)]
    pub(crate) fn check_update(&self, id: ProxyId, bounds: &Bounds) -> Result<(), ProxyError> {
        match self.slots.get(id.index() as usize) {
            Some(slot) if slot.is_of(id) => check(id, bounds),
            _ => Err(ProxyError::Stale { id }),
        }
    }

    /// Removes a box; returns its bounds.
    pub(crate) fn remove(&mut self, id: ProxyId) -> Result<PreviousBounds, ProxyError> {
        self.check_update(id, &Bounds::default())?;
        let mobility = self.mobility(id.index());
        let before = self.replace(id.index(), &Bounds::new(Aabb::EMPTY).mobility(mobility));
        self.slots[id.index() as usize] = Slot::new(id.generation(), false, mobility);
        self.len -= 1;
        self.resting -= usize::from(mobility == Mobility::Static);
        Ok(before)
    }

    #[cold]
    fn write_rest(&mut self, index: usize, bounds: &Bounds) {
        self.has_others = true;
        set(&mut self.oriented, index, &bounds.oriented);
        set(&mut self.kdops, index, &bounds.kdop);
        set(&mut self.motions, index, &bounds.motion);
    }

    pub(crate) fn bytes(&self) -> usize {
        held(&self.boxes)
            + held(&self.slots)
            + held(&self.motions)
            + held(&self.oriented)
            + held(&self.kdops)
            + self.oriented.iter().flatten().count() * size_of::<Obb>()
            + self.kdops.iter().flatten().count() * size_of::<KDop<18>>()
            + self.motions.iter().flatten().count() * size_of::<MotionBound>()
    }
}

/// A box before a change.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PreviousBounds {
    /// The box.
    pub aabb: Aabb,
    /// Whether it was expected to move.
    pub mobility: Mobility,
}

fn index_of(change: &Changes<'_>, number: usize) -> usize {
    change(number).0.index() as usize
}

/// The first number below `count` for which `is_before` does not hold, if it holds for all before it.
fn lower_bound(count: usize, is_before: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low.midpoint(high);
        if is_before(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// Writes into a table that is only as long as necessary.
#[inline]
fn set<T: Clone>(table: &mut Vec<Option<T>>, index: usize, value: &Option<T>) {
    if let Some(entry) = table.get_mut(index) {
        entry.clone_from(value);
    } else if value.is_some() {
        table.resize(index + 1, None);
        table[index].clone_from(value);
    }
}

#[inline]
fn check(id: ProxyId, bounds: &Bounds) -> Result<(), ProxyError> {
    let nan = is_nan(&bounds.aabb);
    let wild = bounds.motion.as_ref().is_some_and(|motion| motion.has_nan());
    if nan || wild { Err(ProxyError::NotANumber { id }) } else { Ok(()) }
}

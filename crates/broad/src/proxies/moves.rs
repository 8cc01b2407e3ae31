//! Moves many boxes at once, with the processor's vector instructions.

use std::ops::Range;

use xcollide_bounds::Aabb;
use xcollide_simd::{Simd, SimdKernel, SimdLevel};

use super::slot::Slot;
use crate::courses::Courses;
use crate::sides::{is_nan, is_ordinary};
use crate::{Changes, Mobility, ProxyId};

/// The result of moving consecutive boxes.
#[derive(Clone, Debug, Default)]
pub(super) struct MovedPart {
    /// How many were moved, or changes were read.
    pub(super) moved: usize,
    /// Whether the changes ascend.
    pub(super) is_ordered: bool,
    /// The boxes that were not moved, or the changes still to be made.
    pub(super) left: Vec<u32>,
    /// The boxes that were moved off their courses, with their former bounds.
    pub(super) off_course: Vec<(u32, Aabb)>,
}

impl MovedPart {
    /// Notes that a box leaves its course, unless a side of the new one is NaN.
    #[cold]
    #[inline(never)]
    fn leaves(&mut self, index: u32, before: &Aabb, new: &Aabb) -> bool {
        let is_box = !is_nan(new);
        if is_box {
            self.off_course.push((index, *before));
        }
        is_box
    }
}

/// Replaces consecutive boxes.
pub(super) struct Replace<'a, T, U> {
    pub(super) first: usize,
    pub(super) boxes: &'a mut [Aabb],
    pub(super) slots: &'a [Slot],
    pub(super) next: T,
    pub(super) rests: U,
    pub(super) part: &'a mut MovedPart,
}

impl<T, U> SimdKernel for Replace<'_, T, U>
where
    T: Fn(u32, ProxyId, &Aabb) -> Option<Aabb>,
    U: Fn(u32) -> bool,
{
    type Output = ();
    const MAX_LEVEL: SimdLevel = SimdLevel::Avx2;

    #[inline(always)]
    fn run<S: Simd>(self) {
        let Self { first, boxes, slots, next, rests, part } = self;
        let MovedPart { moved, left: others, .. } = part;
        *moved = 0;
        others.clear();
        for (at, (aabb, slot)) in boxes.iter_mut().zip(slots).enumerate() {
            let index = (first + at) as u32;
            if slot.mobility() == Mobility::Static {
                if !rests(index) {
                    others.push(index);
                }
                continue;
            }
            let id = ProxyId::new(index, slot.generation());
            match if slot.is_alive() { next(index, id, aabb) } else { None } {
                Some(new) => {
                    *aabb = new;
                    *moved += 1;
                }
                None => others.push(index),
            }
        }
    }
}

/// Changes of consecutive boxes.
pub(super) struct Moves<'a, 'c> {
    pub(super) first: usize,
    pub(super) boxes: &'a mut [Aabb],
    /// The state of these boxes.
    pub(super) slots: &'a [Slot],
    pub(super) courses: Option<&'a Courses>,
    pub(super) numbers: Range<usize>,
    pub(super) change: &'a Changes<'c>,
    /// Receives the numbers of the changes that were not applied, and the boxes that left their courses.
    pub(super) part: &'a mut MovedPart,
}

impl SimdKernel for Moves<'_, '_> {
    type Output = bool;
    const MAX_LEVEL: SimdLevel = SimdLevel::Avx2;

    /// Applies the changes; false if they are not in order.
    #[inline(always)]
    fn run<S: Simd>(self) -> bool {
        let Self { first, boxes, slots, courses, numbers, change, part } = self;
        // If there are courses, only indices with one.
        let len = boxes.len();
        let all = courses.map(|courses| courses.from(first, len));
        let known = all.map_or(len, <[_]>::len);
        let (boxes, slots) = (&mut boxes[..known], &slots[..known]);
        let courses = courses.map(Courses::now::<S::F32x8, S::F64x4>).zip(all);
        let mut next = 0;
        for number in numbers {
            let (id, change) = change(number);
            let at = (id.index() as usize).wrapping_sub(first);
            if at < next || at >= len {
                return false;
            }
            next = at + 1;
            if at < known {
                let (aabb, new) = (&mut boxes[at], change.aabb());
                let stays = match &courses {
                    Some((now, all)) => now.is_kept(&all[at], new),
                    None => is_ordinary(aabb) && is_ordinary(new),
                };
                if slots[at].is_plain_move(id, change)
                    && (stays || courses.is_some() && part.leaves(id.index(), aabb, new))
                {
                    *aabb = *new;
                    continue;
                }
            }
            part.left.push(number as u32);
        }
        true
    }
}

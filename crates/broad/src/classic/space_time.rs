//! Pairs that sleep until their boxes can have reached each other (Hubbard 1993; Zachmann 1994, 2.7).
//!
//! A bound on the acceleration bounds a box in space and time by a parabolic horn, and that by a
//! trapezoid. Two boxes cannot overlap before their horns do.
//!
//! A horn lasts for some calls, in which the box moves by its own size. The space of its trapezoid is a
//! leaf of a tree, so only pairs that can meet within the life of their horns are considered (the sources
//! queue all n² pairs). A calendar keeps each pair until the first call at which its horns overlap.
//!
//! Every call checks whether each box is inside its horn. If not, the box gets another horn and its pairs
//! are searched again. So answers do not depend on the promises; boxes without one get a horn with a
//! margin, as in a [`DynamicTree`](crate::DynamicTree).

mod horn;
mod queue;
#[cfg(test)]
mod tests;

use horn::Horn;
use queue::{Queue, Watch};

use crate::dynamic_tree::{SHARE, Tree, longest_side};
use crate::{Mobility, PairCollector, PairFinder, PairManager, PreviousBounds, Proxies, Stats};

/// Compares a pair when it can overlap at the earliest, by the [`MotionBound`](crate::MotionBound)s
/// of the updates. O(n + w + m log n) for w awake pairs and m boxes that get another horn.
///
/// Pays if velocities are known and change slowly and boxes are expensive to compare; for axis-aligned
/// boxes [`HashGrid`](crate::HashGrid) is faster. A wrong or missing promise costs time, never a pair.
/// [`Stats::tests`] counts awake pairs, [`Stats::moves`] new horns.
///
/// ```
/// use xcollide_bounds::Aabb;
/// use xcollide_broad::{Bounds, BroadPhase, Everything, MotionBound, Pairs, ProxyIds};
/// use xcollide_broad::classic::SpaceTime;
///
/// let mut ids = ProxyIds::new();
/// let mut broad = SpaceTime::new();
/// let (a, b) = (ids.issue(), ids.issue());
/// let cube = |x: f64| Bounds::new(Aabb::new([x, 0.0, 0.0], [x + 10.0, 10.0, 10.0]));
/// broad.insert(a, &cube(0.0))?;
/// broad.insert(b, &cube(17.25))?;
/// let motion = MotionBound { velocity: [-0.5, 0.0, 0.0], acceleration: 0.0 };
/// let mut pairs = Pairs::new();
/// let mut tests = Vec::new();
/// for call in 0..15 {
///     broad.update(b, &cube(17.25 - 0.5 * f64::from(call)).motion(motion))?;
///     broad.pairs(&Everything, &mut pairs);
///     tests.push(broad.stats().tests);
/// }
/// // The pair sleeps until the moving box reaches the margin of the other one.
/// assert_eq!(tests, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
/// assert!(pairs.overlapping.is_empty());
/// # Ok::<(), xcollide_broad::ProxyError>(())
/// ```
pub type SpaceTime = PairManager<SpaceTimeFinder>;

impl SpaceTime {
    /// Without boxes.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

/// The algorithm of [`SpaceTime`].
#[derive(Debug, Default)]
pub struct SpaceTimeFinder {
    /// The number of this call.
    now: u64,
    horns: Vec<Option<Horn>>,
    /// What the horns take up in their lives.
    shadows: Tree,
    /// Whether a box has been updated since the last call, by index.
    is_told: Vec<bool>,
    /// Pairs that are looked at in every call, and those that sleep.
    awake: Vec<Watch>,
    asleep: Queue,
    /// The boxes with new horns.
    renewed: Vec<u32>,
    broken: u64,
    stack: Vec<u32>,
}

impl SpaceTimeFinder {
    /// How many boxes were not where they had been promised, or guessed, to be in the last call of
    /// [`pairs`](crate::BroadPhase::pairs).
    #[must_use]
    pub fn broken_promises(&self) -> u64 {
        self.broken
    }

    fn tell(&mut self, index: u32) {
        let slot = index as usize;
        if self.is_told.len() <= slot {
            self.is_told.resize(slot + 1, false);
            self.horns.resize(slot + 1, None);
        }
        self.is_told[slot] = true;
    }

    /// Gives boxes new horns whose horns have ended, or who have left them.
    fn renew(&mut self, proxies: &Proxies) {
        let Self { now, horns, shadows, is_told, renewed, broken, .. } = self;
        renewed.clear();
        *broken = 0;
        for (slot, aabb) in proxies.boxes().iter().enumerate() {
            let index = slot as u32;
            let is_told = std::mem::take(&mut is_told[slot]);
            let old = &mut horns[slot];
            if aabb.is_empty() {
                *old = None;
                shadows.remove(index);
                continue;
            }
            if let Some(horn) = old {
                if horn.holds(aabb, *now) {
                    continue;
                }
                *broken += u64::from(*now < horn.until);
            }
            // A promise is about the time from an update on; who is not updated rests.
            let motion = proxies.motion(index).filter(|_| is_told);
            let margin = match proxies.mobility(index) {
                Mobility::Moving => SHARE * longest_side(aabb),
                Mobility::Static => 0.0,
            };
            let earlier = if old.is_none() { u64::from(index) } else { 0 };
            let horn = motion
                .and_then(|motion| Horn::promised(aabb, motion, *now, earlier))
                .unwrap_or_else(|| Horn::guessed(aabb, margin, *now));
            shadows.remove(index);
            shadows.insert(index, &horn.shadow());
            *old = Some(horn);
            renewed.push(index);
        }
    }

    /// Finds out when the boxes with new horns can meet others.
    fn look_ahead(&mut self) {
        let Self { now, horns, shadows, awake, asleep, renewed, stack, .. } = self;
        for &index in renewed.iter() {
            let (Some(horn), Some(shadow)) = (&horns[index as usize], shadows.get(index)) else {
                continue;
            };
            shadows.each_overlap(shadow, stack, |other| {
                let Some(others) = &horns[other as usize] else { return };
                // Of two with new horns, one takes care of the pair.
                if other == index || others.since == *now && other > index {
                    return;
                }
                let since = [horn.since as u32, others.since as u32];
                let watch = Watch { boxes: [index, other], since };
                match horn.contact(others, *now) {
                    Some(call) if call == *now => awake.push(watch),
                    Some(call) => asleep.push(call, watch),
                    None => {}
                }
            });
        }
    }
}

/// The horns of a pair, unless one of them has been replaced.
fn horns_of<'a>(horns: &'a [Option<Horn>], watch: &Watch) -> Option<[&'a Horn; 2]> {
    let of = |which: usize| {
        let horn = horns[watch.boxes[which] as usize].as_ref();
        horn.filter(|horn| horn.since as u32 == watch.since[which])
    };
    Some([of(0)?, of(1)?])
}

impl PairFinder for SpaceTimeFinder {
    fn name(&self) -> &'static str {
        "space-time"
    }

    fn inserted(&mut self, _: &Proxies, index: u32) {
        self.tell(index);
    }

    fn updated(&mut self, _: &Proxies, index: u32, _: &PreviousBounds) {
        self.tell(index);
    }

    // Boxes that are gone are empty, which `renew` sees.

    fn find(&mut self, proxies: &Proxies, collector: &mut PairCollector<'_>) {
        self.renew(proxies);
        self.look_ahead();
        let Self { now, horns, awake, asleep, .. } = self;
        asleep.wake(*now, awake);
        awake.retain(|watch| {
            let Some([one, other]) = horns_of(horns, watch) else { return false };
            let [a, b] = watch.boxes;
            collector.count(1);
            if proxies.overlap(a, b) {
                collector.accept_boxes(a, b);
                return true;
            }
            match one.contact(other, *now + 1) {
                Some(call) if call == *now + 1 => true,
                Some(call) => {
                    asleep.push(call, *watch);
                    false
                }
                None => false,
            }
        });
        if awake.capacity() > 4 * awake.len() + 1024 {
            awake.shrink_to(2 * awake.len());
        }
        asleep.tidy(|watch| horns_of(horns, watch).is_some());
        *now += 1;
    }

    fn bytes(&self) -> usize {
        self.horns.capacity() * size_of::<Option<Horn>>()
            + self.shadows.bytes()
            + self.is_told.capacity()
            + self.awake.capacity() * size_of::<Watch>()
            + self.asleep.bytes()
            + (self.renewed.capacity() + self.stack.capacity()) * size_of::<u32>()
    }

    fn stats(&self) -> Stats {
        Stats { moves: self.renewed.len() as u64, ..Stats::default() }
    }
}

//! Pairs that sleep until their boxes can have reached each other (Hubbard 1993; Zachmann 1994, 2.7).
//!
//! A bound on the acceleration encloses a box in space-time in a parabolic horn, and the horn in a trapezoid. A direction
//! in which it never accelerates cuts the horn by a hyperplane.
//! Two boxes cannot overlap before their horns do. A horn lasts for the calls in which the box moves by its own
//! size.
//!
//! A tree stores the space that each trapezoid covers, so only pairs that can meet within the life of their
//! horns are considered (the sources queue all n² pairs). A calendar stores each pair until the first call at
//! which its horns overlap.
//!
//! Every call checks that each box is inside its horn. If not, the box gets a new horn and its pairs are
//! searched again, so answers do not depend on the promises. A box without a promise gets a horn with a margin,
//! as in a [`DynamicTree`](crate::DynamicTree).

mod cut;
mod horn;
mod queue;
#[cfg(test)]
mod tests;

use horn::Horn;
use queue::{Queue, Watch};

use crate::dynamic_tree::{SHARE, Tree};
use crate::index_set::IndexSet;
use crate::sides::longest_side;
use crate::stats::{held, shrink};
use crate::{Mobility, PairCollector, PairFinder, PairManager, PreviousBounds, Proxies, Stats};

/// Compares a pair only from the first call at which it can overlap according to the
/// [`MotionBound`](crate::MotionBound)s. O(n + w + m log n) for w awake pairs and m boxes with new horns.
///
/// Pays if velocities are known and change slowly and boxes are expensive to compare; for axis-aligned boxes
/// [`HashGrid`](crate::HashGrid) is faster. A wrong or missing promise costs time, never a pair.
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
/// let motion = MotionBound { velocity: [-0.5, 0.0, 0.0], acceleration: 0.0, ..MotionBound::default() };
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

/// The algorithm of [`SpaceTime`].
#[derive(Debug, Default)]
pub struct SpaceTimeFinder {
    /// The number of this call.
    now: u64,
    horns: Vec<Option<Horn>>,
    /// The space that each horn covers in its life.
    shadows: Tree,
    updated: IndexSet,
    /// Pairs that are tested in every call; the others are `asleep`.
    awake: Vec<Watch>,
    asleep: Queue,
    /// The boxes with new horns.
    renewed: Vec<u32>,
    broken: u64,
    stack: Vec<u32>,
}

impl SpaceTimeFinder {
    /// Number of boxes that left their promised or guessed space before the last call of
    /// [`pairs`](crate::BroadPhase::pairs).
    #[must_use]
    pub fn broken_promises(&self) -> u64 {
        self.broken
    }

    /// Gives new horns to boxes whose horns have ended or do not contain them.
    fn renew(&mut self, proxies: &Proxies) {
        let Self { now, horns, shadows, updated, renewed, broken, .. } = self;
        renewed.clear();
        *broken = 0;
        horns.resize(proxies.boxes().len(), None);
        for ((index, aabb), old) in (0..).zip(proxies.boxes()).zip(&mut horns[..]) {
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
            // A promise holds from an update on; a box that is not updated is at rest.
            let motion = proxies.motion(index).filter(|_| updated.contains(index));
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
        updated.clear();
    }

    /// Schedules the pairs of boxes with new horns for the call at which they can meet.
    fn schedule(&mut self) {
        let Self { now, horns, shadows, awake, asleep, renewed, stack, .. } = self;
        for &index in renewed.iter() {
            let (Some(horn), Some(shadow)) = (&horns[index as usize], shadows.get(index)) else {
                continue;
            };
            shadows.each_overlap(shadow, stack, |other| {
                let Some(others) = &horns[other as usize] else { return };
                // If both boxes have new horns, the later one handles the pair.
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
        self.updated.insert(index);
    }

    fn updated(&mut self, _: &Proxies, index: u32, _: &PreviousBounds) {
        self.updated.insert(index);
    }

    // `renew` handles removed boxes, which are empty.

    fn find(&mut self, proxies: &Proxies, collector: &mut PairCollector<'_>) {
        self.renew(proxies);
        self.schedule();
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
        shrink(awake);
        asleep.tidy(|watch| horns_of(horns, watch).is_some());
        *now += 1;
    }

    fn bytes(&self) -> usize {
        held(&self.horns)
            + self.shadows.bytes()
            + self.updated.bytes()
            + held(&self.awake)
            + self.asleep.bytes()
            + held(&self.renewed)
            + held(&self.stack)
    }

    fn stats(&self) -> Stats {
        Stats { moves: self.renewed.len() as u64, ..Stats::default() }
    }
}

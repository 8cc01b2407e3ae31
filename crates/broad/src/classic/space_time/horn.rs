//! Bounds of a moving box in space-time.

use xcollide_bounds::Aabb;

use super::cut::Cut;
use crate::MotionBound;
use crate::sides::{holds, is_ordinary, longest_side};

/// The longest life of a moving box's horn, in calls; a power of two.
pub(crate) const LONGEST_LIFE: u64 = 64;

/// A horn ends when its box may have moved by this many of its longest sides.
const REACH: f64 = 1.0;
/// Promised velocities above this are ignored, because horns would overflow.
const TOO_FAST: f64 = 1e100;
/// The permitted error of a promise, in longest sides, because applications add up rounded velocities.
const SLACK: f64 = 1e-9;
/// A bound on the rounding errors here, relative to the largest coordinate: 4 roundings of at most 5 times the
/// coordinate.
const ROUNDING: f64 = 1.0 / (1_u64 << 45) as f64;

/// A parabolic horn in space-time: the range of each side of a box between two calls (Zachmann 1994, figure
/// 2.9).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Horn {
    /// The box at the first call, enlarged.
    start: Aabb,
    velocity: [f64; 3],
    acceleration: f64,
    /// A plane that the box stays behind, if a direction is known in which it does not accelerate.
    cut: Option<Cut>,
    /// A bound on the error of any side, by axis.
    error: [f64; 3],
    /// The first call that it covers.
    pub(crate) since: u64,
    /// The first call that it does not cover.
    pub(crate) until: u64,
}

impl Horn {
    /// A horn from call `now` on, from a promise; `None` if the numbers are too large. It ends as if it had
    /// started `earlier` calls before, so that boxes inserted together get new horns at different times.
    pub(crate) fn promised(
        aabb: &Aabb,
        motion: &MotionBound,
        now: u64,
        earlier: u64,
    ) -> Option<Self> {
        let MotionBound { velocity, acceleration, never_towards } = *motion;
        let acceleration = acceleration.abs();
        let speed = velocity.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
        if speed.max(acceleration) > TOO_FAST || !is_ordinary(aabb) {
            return None;
        }
        let longest = longest_side(aabb);
        let mut life = 1;
        while life < LONGEST_LIFE {
            let calls = (2 * life) as f64;
            if speed * calls + 0.5 * acceleration * calls * calls > REACH * longest {
                break;
            }
            life *= 2;
        }
        let rests = speed == 0.0 && acceleration == 0.0;
        let until = if rests { u64::MAX } else { now + life - earlier % life };
        let start = aabb.expanded(SLACK * longest);
        let cut = Cut::new(&start, velocity, never_towards);
        Some(Self { velocity, acceleration, cut, until, ..Self::resting(start, now) }.bounded())
    }

    /// A horn from call `now` on for a box without a promise, which is assumed to stay within a margin.
    pub(crate) fn guessed(aabb: &Aabb, margin: f64, now: u64) -> Self {
        let margin = if margin.is_finite() { margin } else { 0.0 };
        Self::resting(aabb.expanded(margin), now).bounded()
    }

    fn resting(start: Aabb, since: u64) -> Self {
        let (velocity, error) = ([0.0; 3], [0.0; 3]);
        Self { start, velocity, acceleration: 0.0, cut: None, error, since, until: u64::MAX }
    }

    pub(crate) fn holds(&self, aabb: &Aabb, call: u64) -> bool {
        call < self.until
            && holds(&self.at(call), aabb)
            && self.cut.is_none_or(|cut| cut.holds(aabb, call - self.since))
    }

    /// The space that the horn covers in its life: a box around its two ends, as the parabola bends outward.
    pub(crate) fn shadow(&self) -> Aabb {
        let mut shadow = self.start.merged(&self.at(self.until - 1));
        if let Some(cut) = &self.cut {
            shadow = cut.clip(&shadow, self.until - 1 - self.since);
        }
        for axis in 0..3 {
            if self.error[axis].is_finite() {
                shadow.min[axis] -= self.error[axis];
                shadow.max[axis] += self.error[axis];
            }
        }
        shadow
    }

    /// The first call, from `now` on, at which two horns overlap; `None` if they do not while both last.
    ///
    /// On each axis, and for each box as the lower one, the gap between the horns is a parabola that bends
    /// downward; so is the gap between the plane that cuts a horn and the other horn. So it is positive over a single
    /// interval of time, whose end bisection finds. From then on another gap must separate the boxes, or they may overlap.
    pub(crate) fn contact(&self, other: &Self, now: u64) -> Option<u64> {
        let end = self.until.min(other.until);
        let mut call = now;
        'calls: while call < end {
            for axis in 0..3 {
                let error = self.error[axis] + other.error[axis];
                for (low, high) in [(self, other), (other, self)] {
                    let gap_at = |call: u64| high.low(axis, call) - low.high(axis, call) > error;
                    if gap_at(call) {
                        call = last_that(call, end - 1, gap_at) + 1;
                        continue 'calls;
                    }
                }
            }
            let is_cut = self.cut.is_some() || other.cut.is_some();
            if is_cut && let Some(parted) = self.parted_by_a_cut(other, call, end) {
                call = parted + 1;
                continue;
            }
            return Some(call);
        }
        None
    }

    /// The last call before `end` up to which a plane that cuts one of the horns has the other in front; `None` if none has at
    /// this call.
    // Few horns are cut; inlined, it slows the search of all others.
    #[inline(never)]
    fn parted_by_a_cut(&self, other: &Self, call: u64, end: u64) -> Option<u64> {
        [(self, other), (other, self)].into_iter().find_map(|(behind, beyond)| {
            let cut = behind.cut?;
            let error = beyond.error.iter().sum::<f64>() + behind.error.iter().sum::<f64>();
            let gap_at =
                |call: u64| cut.lowest(&beyond.at(call)) - cut.height(call - behind.since) > error;
            gap_at(call).then(|| last_that(call, end - 1, gap_at))
        })
    }

    /// The box that the horn covers at a call.
    fn at(&self, call: u64) -> Aabb {
        Aabb {
            min: [0, 1, 2].map(|axis| self.low(axis, call)),
            max: [0, 1, 2].map(|axis| self.high(axis, call)),
        }
    }

    #[inline]
    fn low(&self, axis: usize, call: u64) -> f64 {
        let (shift, reach) = self.moved(axis, call);
        self.start.min[axis] + shift - reach
    }

    #[inline]
    fn high(&self, axis: usize, call: u64) -> f64 {
        let (shift, reach) = self.moved(axis, call);
        self.start.max[axis] + shift + reach
    }

    /// The predicted motion of the sides, and its uncertainty.
    #[inline]
    fn moved(&self, axis: usize, call: u64) -> (f64, f64) {
        let time = (call - self.since) as f64;
        (self.velocity[axis] * time, 0.5 * self.acceleration * time * time)
    }

    /// The horn with its error bound set.
    fn bounded(mut self) -> Self {
        let ends = [self.start, self.at(self.until - 1)];
        self.error = [0, 1, 2].map(|axis| {
            let largest = |end: &Aabb| end.min[axis].abs().max(end.max[axis].abs());
            ROUNDING * largest(&ends[0]).max(largest(&ends[1])) + f64::MIN_POSITIVE
        });
        self
    }
}

/// The last number of `first..=last` for which `holds` is true. It must be true for `first`, and never true
/// after it is first false.
fn last_that(first: u64, last: u64, holds: impl Fn(u64) -> bool) -> u64 {
    if holds(last) {
        return last;
    }
    let (mut yes, mut no) = (first, last);
    while no - yes > 1 {
        let middle = yes + (no - yes) / 2;
        if holds(middle) {
            yes = middle;
        } else {
            no = middle;
        }
    }
    yes
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_pcg::Pcg64Mcg;
    use rand_pcg::rand_core::{Rng as _, SeedableRng as _};

    /// Before the contact that is found, the boxes at each call are apart; from then on they overlap, but for
    /// rounding.
    #[test]
    fn contact_is_the_first_call_at_which_the_horns_overlap() {
        let mut random = Pcg64Mcg::seed_from_u64(1);
        let mut between = |low: f64, high: f64| {
            low + (high - low) * (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
        };
        let (mut met, mut missed, mut waited) = (0, 0, 0);
        for _ in 0..2000 {
            let mut horn = |since: u64| {
                let corner = [(); 3].map(|()| between(-6.0, 6.0));
                let side = between(1.0, 5.0);
                let aabb = Aabb::new(corner, corner.map(|c| c + side));
                let velocity = [(); 3].map(|()| between(-0.2, 0.2));
                let motion = MotionBound {
                    velocity,
                    acceleration: between(-1e-3, 5e-3),
                    ..MotionBound::default()
                };
                Horn::promised(&aabb, &motion, since, 0).map(|horn| (horn, aabb))
            };
            let (Some((a, box_a)), Some((b, _))) = (horn(3), horn(5)) else { panic!("slow") };
            assert!(a.holds(&box_a, 3) && holds(&a.shadow(), &box_a));
            let end = a.until.min(b.until);
            let contact = a.contact(&b, 5);
            for call in 5..contact.unwrap_or(end) {
                assert!(!a.at(call).overlaps(&b.at(call)));
            }
            for call in a.since..a.until {
                assert!(holds(&a.shadow(), &a.at(call)));
            }
            match contact {
                Some(call) => {
                    assert!(call < end && a.at(call).expanded(1e-9).overlaps(&b.at(call)));
                    assert!(a.shadow().overlaps(&b.shadow()));
                    met += 1;
                    waited += usize::from(call > 5);
                }
                None => missed += 1,
            }
        }
        assert!(met > 200 && missed > 200 && waited > 50, "{met} {missed} {waited}");
    }

    /// Boxes that keep their promise, with a direction in which they do not accelerate, do not meet before the contact that
    /// is found; and the plane puts contacts off.
    #[test]
    fn boxes_that_keep_their_promise_do_not_meet_before_the_contact() {
        let mut random = Pcg64Mcg::seed_from_u64(5);
        let mut between = |low: f64, high: f64| {
            low + (high - low) * (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
        };
        let (mut met, mut later) = (0, 0);
        for _ in 0..2000 {
            let never_towards = [(); 3].map(|()| between(-1.0, 1.0));
            let mut body = || {
                let corner = [(); 3].map(|()| between(-6.0, 6.0));
                let aabb = Aabb::new(corner, corner.map(|c| c + between(1.0, 5.0)));
                let velocity = [(); 3].map(|()| between(-0.1, 0.1));
                let most = between(1e-3, 4e-2);
                let mut change = [(); 3].map(|()| between(-most, most));
                let along: f64 = (0..3).map(|k| change[k] * never_towards[k]).sum();
                if along > 0.0 {
                    change = change.map(|c| -c);
                }
                let motion = MotionBound { velocity, acceleration: most, never_towards };
                let at = move |call: u64| {
                    let t = call as f64;
                    let by = [0, 1, 2].map(|k| velocity[k] * t + 0.5 * change[k] * t * t);
                    let moved = |corner: [f64; 3]| [0, 1, 2].map(|k| corner[k] + by[k]);
                    Aabb::new(moved(aabb.min), moved(aabb.max))
                };
                let blind = MotionBound { never_towards: [0.0; 3], ..motion };
                let horns = [motion, blind].map(|motion| Horn::promised(&aabb, &motion, 0, 0));
                (at, horns)
            };
            let ((a, horns_a), (b, horns_b)) = (body(), body());
            let [cut, blind] = [0, 1].map(|which| {
                let (Some(a), Some(b)) = (&horns_a[which], &horns_b[which]) else { panic!("slow") };
                a.contact(b, 0).unwrap_or(a.until.min(b.until))
            });
            let (Some(horn_a), Some(horn_b)) = (&horns_a[0], &horns_b[0]) else { panic!("slow") };
            for call in 0..horn_a.until.min(horn_b.until) {
                for (horn, at) in [(horn_a, a(call)), (horn_b, b(call))] {
                    assert!(horn.holds(&at, call) && holds(&horn.shadow(), &at));
                }
                assert!(call >= cut || !a(call).overlaps(&b(call)));
            }
            assert!(cut >= blind);
            met += usize::from(cut < horn_a.until.min(horn_b.until));
            later += usize::from(cut > blind);
        }
        assert!(met > 200 && later >= 10, "{met} {later}");
    }

    #[test]
    fn unbounded_boxes_are_apart_where_they_have_bounds() {
        let all = f64::INFINITY;
        let slab = |y: f64| Aabb::new([-all, y, -f64::MAX], [all, y + 1.0, f64::MAX]);
        let horn = |y: f64| Horn::guessed(&slab(y), longest_side(&slab(y)), 0);
        assert_eq!(horn(0.0).contact(&horn(2.0), 7), None);
        assert_eq!(horn(0.0).contact(&horn(1.0), 7), Some(7));
        assert!(horn(0.0).holds(&slab(0.0), u64::MAX - 1));
        assert!(holds(&horn(0.0).shadow(), &slab(0.0)));
        let fast = MotionBound {
            velocity: [1e200, 0.0, 0.0],
            acceleration: 0.0,
            ..MotionBound::default()
        };
        assert!(Horn::promised(&slab(0.0), &MotionBound::default(), 0, 0).is_none());
        assert!(Horn::promised(&Aabb::new([0.0; 3], [1.0; 3]), &fast, 0, 0).is_none());
    }
}

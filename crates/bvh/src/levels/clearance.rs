//! How far apart two moving surfaces were, against the motion since (Mirtich 1996): while the motion is less, they are apart
//! without a search.
//!
//! ```text
//!      ▁▁▁▁▁            A search for what is within a margin tells, where nothing meets, that the surfaces are a gap apart: the
//!         ▲ gap         margin, or less if something is near. The margin is that of some steps like the last one, so the
//!      ▔▔▔▔▔  step ►    next queries need no search, and the search is hardly longer than one without a margin.
//! ```
//!
//! # Why no colliding pair is lost
//!
//! Let M be the computed motion from the frame of the second body into that of the first. If the rounded surfaces in the world
//! were a gap g apart, the bodies in their own frames were more than 0.9999 g less the margin of rounding of that query; since
//! then M has moved the points of the second by at most d. The rounded surfaces can meet only if that is within the margin of
//! rounding of this query ([`Pose::relative_margin`]).

use xcollide_math::Pose;

use super::level_front::{TRUSTED, motion};

/// The gap that is searched for, in steps as long as the last one.
const STEPS: f64 = 32.0;
/// The gap is not searched for with less than this many steps, or more than this share of the smaller body.
const FEWEST: f64 = 4.0;
const SHARE: f64 = 1.0 / 16.0;
/// A gap has paid for itself if it held for this many queries.
const PAYS: u32 = 2;
/// The longest pause after gaps that did not pay, in queries.
const LONGEST_PAUSE: u32 = 64;

/// The last known gap between two surfaces. It must be forgotten for other bodies.
///
/// ```
/// use xcollide_bvh::levels::Clearance;
/// use xcollide_math::Pose;
///
/// let mut clearance = Clearance::default();
/// let mut searches = 0;
/// for step in 0..100 {
///     // Two unit squares, a tenth apart at first.
///     let above = Pose::from_translation([0.0, 0.0, 0.1 + 0.001 * f64::from(step)]);
///     if clearance.holds([&Pose::IDENTITY, &above], [1.0, 1.0]) {
///         continue;
///     }
///     searches += 1;
///     let margin = clearance.margin();
///     clearance.record(above.translation()[2].min(margin));
/// }
/// assert!(searches < 10);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Clearance {
    /// `None` also where rounding may be too large.
    last: Option<Query>,
    known: Option<Known>,
    /// The length of the last step, and the margin of the last search.
    step: f64,
    margin: f64,
    /// Queries until the next gap is searched for, and the length of the last pause.
    waiting: u32,
    pause: u32,
}

/// The placement of a query.
#[derive(Clone, Copy, Debug)]
struct Query {
    relative: Pose,
    rounding: f64,
    /// The reach of the smaller body.
    size: f64,
}

/// A gap, at a relative motion.
#[derive(Clone, Debug)]
struct Known {
    relative: Pose,
    gap: f64,
    /// The queries that it has spared.
    held: u32,
}

impl Clearance {
    /// Moves on to the poses of a query. Whether the surfaces are certainly apart there. `reaches`: the largest magnitudes of
    /// coordinates of both bodies, in their own frames.
    pub fn holds(&mut self, [a, b]: [&Pose; 2], reaches: [f64; 2]) -> bool {
        let translations = [a, b].map(Pose::translation);
        let mut coordinates = translations.as_flattened().iter().chain(&reaches);
        if !coordinates.all(|value| value.abs() < TRUSTED) {
            (self.last, self.known) = (None, None);
            return false;
        }
        let [reach_a, reach_b] = reaches;
        let relative = Pose::relative(a, b);
        let rounding = Pose::relative_margin(a, b, reach_a, reach_b);
        self.step = self.last.map_or(0.0, |last| motion(&last.relative, &relative, reach_b));
        let size = if reach_a < reach_b { reach_a } else { reach_b };
        self.last = Some(Query { relative, rounding, size });
        let Some(known) = &mut self.known else { return false };
        if motion(&known.relative, &relative, reach_b) + rounding < known.gap {
            known.held += 1;
            return true;
        }
        let held = known.held;
        self.wait_after(held);
        self.known = None;
        false
    }

    /// Within what distance a search is to look for surfaces, if [`holds`](Self::holds) was false: then its gap can be
    /// [recorded](Self::record). 0 where a gap would not pay.
    #[must_use]
    pub fn margin(&mut self) -> f64 {
        let most = self.last.map_or(0.0, |last| SHARE * last.size);
        self.margin = if self.waiting > 0 {
            self.waiting -= 1;
            0.0
        } else if FEWEST * self.step > most {
            0.0
        } else {
            (STEPS * self.step).min(most)
        };
        self.margin
    }

    /// Records that the surfaces in the world are at least so far apart, at the poses of the last query.
    pub fn record(&mut self, gap: f64) {
        let Some(Query { relative, rounding, .. }) = self.last else { return };
        let gap = 0.9999 * gap - rounding;
        if gap > 0.0 {
            self.known = Some(Known { relative, gap, held: 0 });
        } else if self.margin > 0.0 {
            self.wait_after(0);
        }
    }

    /// The next gap is searched for the later, the less this one was of use.
    fn wait_after(&mut self, held: u32) {
        self.pause = if held >= PAYS { 0 } else { (2 * self.pause).clamp(1, LONGEST_PAUSE) };
        self.waiting = self.pause;
    }
}

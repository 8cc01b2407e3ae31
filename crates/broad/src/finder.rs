//! What a broad phase has to bring of its own.

use xcollide_bounds::Aabb;

use crate::proxies::Before;
use crate::{Proxies, Sink, Volume, Work};

/// The algorithm inside a broad phase: how candidates are found. [`Tracked`](crate::Tracked) makes
/// a [`BroadPhase`](crate::BroadPhase) of it, and does what all have in common: it checks ids,
/// keeps the boxes, puts pairs in order and compares them with those of the last call.
///
/// An algorithm that starts anew every time needs only [`find`](Self::find); one that keeps a
/// structure is told of every change, after `proxies` has it.
pub trait PairFinder: Send {
    /// The name by which programs know the algorithm.
    fn name(&self) -> &'static str;

    /// A box is new.
    fn inserted(&mut self, _proxies: &Proxies, _index: u32) {}

    /// A box has new bounds. Called for each update, also where nothing has changed.
    fn updated(&mut self, _proxies: &Proxies, _index: u32, _before: &Before) {}

    /// A box is gone.
    fn removed(&mut self, _proxies: &Proxies, _index: u32, _before: &Before) {}

    /// Whether it need not be [told](Self::updated) of new bounds of single boxes that move, and
    /// move on, as long as they are and were neither empty nor farther out than 10¹⁵⁰.
    fn expects_motion(&self) -> bool {
        false
    }

    /// Places by index within which boxes that move, and move on, may do so without that it is
    /// [told](Self::updated); those that have no place are told of. `None` where it keeps no such
    /// places.
    fn places(&self) -> Option<&[Aabb]> {
        None
    }

    /// Offers every pair of boxes that overlap to `sink`, exactly once, in any order. Pairs that
    /// do not overlap may be offered too.
    fn find(&mut self, proxies: &Proxies, sink: &mut Sink<'_>);

    /// As [`find`](Self::find), but offers no pair of two static boxes. False, and nothing offered,
    /// where the algorithm would have to find them first.
    fn find_moving(&mut self, _proxies: &Proxies, _sink: &mut Sink<'_>) -> bool {
        false
    }

    /// Offers every pair of a box that is given here, as it is given here, with a box of the last
    /// [`find`](Self::find), as it was then; not of a box with itself. None of the given boxes is
    /// empty. False, and nothing offered, where the algorithm has no means to find them quickly.
    fn find_around(&self, _probes: &[(u32, Aabb)], _sink: &mut Sink<'_>) -> bool {
        false
    }

    /// Which volumes decide; with any but the axis-aligned boxes, the sink looks at them for every
    /// candidate, unless [`find`](Self::find) has used [`Sink::accept`].
    fn volume(&self) -> Volume {
        Volume::Aabb
    }

    /// Whether it works on the threads of rayon's current pool, where there is enough to do; so
    /// will what all algorithms have in common.
    fn uses_threads(&self) -> bool {
        false
    }

    /// Memory in use by the structure, in bytes.
    fn bytes(&self) -> usize;

    /// What the last [`find`](Self::find) and the changes before it did, apart from
    /// [`Work::tests`], which the sink counts.
    fn work(&self) -> Work {
        Work::default()
    }

    /// What an adaptive algorithm has chosen.
    fn choice(&self) -> String {
        String::new()
    }
}

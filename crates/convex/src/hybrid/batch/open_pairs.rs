//! The pairs that their first tests left open, and where their searches start.

use arrayvec::ArrayVec;

use super::New;
use crate::batch::EIGHT;

/// The number of groups that are tested before the open pairs are searched. Numbers of these are stored one by one; a load of
/// eight right after that would wait for the stores.
pub(super) const GROUPS: usize = 8;

/// Open pairs, in groups of eight. Whole groups are searched, and what is left waits for others.
#[derive(Default)]
pub(super) struct OpenPairs<'p> {
    groups: [OpenEight<'p>; GROUPS + 1],
    /// The number of whole groups.
    whole: usize,
}

/// At most eight open pairs.
#[derive(Default)]
pub(crate) struct OpenEight<'p> {
    pub(super) pairs: ArrayVec<New<'p>, EIGHT>,
    pub(super) starts: Starts,
}

/// Where the searches of eight pairs start.
#[derive(Clone, Default)]
pub(crate) struct Starts {
    /// First directions, and the vertices that are farthest along them: their numbers, and their positions.
    pub(super) direction: [[f64; EIGHT]; 3],
    pub(super) ends: [[u32; EIGHT]; 2],
    pub(super) points: [[[f64; EIGHT]; 3]; 2],
    /// [`MprBatch::roundness`](crate::mpr::MprBatch::roundness).
    pub(super) roundness: [f64; EIGHT],
}

impl Starts {
    /// Sets a lane to another one's.
    #[inline]
    fn set(&mut self, lane: usize, from: &Self, other: usize) {
        let (lane, other) = (lane % EIGHT, other % EIGHT);
        for axis in 0..3 {
            self.direction[axis][lane] = from.direction[axis][other];
            for body in 0..2 {
                self.points[body][axis][lane] = from.points[body][axis][other];
            }
        }
        for body in 0..2 {
            self.ends[body][lane] = from.ends[body][other];
        }
        self.roundness[lane] = from.roundness[other];
    }
}

impl<'p> OpenPairs<'p> {
    /// Adds a pair with the start of a lane.
    #[inline]
    pub(super) fn add(&mut self, pair: New<'p>, starts: &Starts, lane: usize) {
        let group = &mut self.groups[self.whole];
        group.starts.set(group.pairs.len(), starts, lane);
        group.pairs.push(pair);
        self.whole += usize::from(group.pairs.is_full());
    }

    /// Takes the whole groups; with `rest`, also the last one.
    pub(super) fn take(&mut self, rest: bool, mut search: impl FnMut(&OpenEight<'p>)) {
        for group in &mut self.groups[..self.whole] {
            search(group);
            group.pairs.clear();
        }
        self.groups.swap(0, self.whole);
        self.whole = 0;
        let [last, ..] = &mut self.groups;
        if rest && !last.pairs.is_empty() {
            search(last);
            last.pairs.clear();
        }
    }
}

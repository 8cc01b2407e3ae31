//! Which pairs are tested together, one in each lane.

use super::New;
use crate::batch::EIGHT;
use crate::batch_data::BatchData;
use crate::batch_entry::BatchEntry;
use crate::body::Body;
use crate::hybrid::HybridMemory;

/// One to eight pairs; the other lanes repeat one.
#[derive(Clone, Copy)]
pub(crate) struct Lanes<'a, 'p> {
    pub(super) bodies: [[&'a Body<'p>; EIGHT]; 2],
    pub(super) data: [[&'p BatchData; EIGHT]; 2],
    /// The bits of the lanes that have a pair.
    pub(super) all: u32,
}

impl<'a, 'p> Lanes<'a, 'p> {
    /// The first `count` of these lanes have a pair.
    #[inline]
    pub(super) fn of(
        lanes: [New<'p>; EIGHT],
        pairs: &'a [BatchEntry<'p, HybridMemory>],
        count: usize,
    ) -> Self {
        Self {
            bodies: [
                lanes.map(|new| pairs[new.number].pair.a()),
                lanes.map(|new| pairs[new.number].pair.b()),
            ],
            data: [lanes.map(|new| new.data[0]), lanes.map(|new| new.data[1])],
            all: u32::from(u8::MAX) >> (EIGHT - count),
        }
    }
}

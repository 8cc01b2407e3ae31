//! The state of an index, in one number.

use crate::{Change, Mobility, ProxyId};

/// The generation of an index and, above it, bits for whether there is a box and whether it is static. So one
/// comparison recognises a given moving box.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Slot(u64);

impl Slot {
    const ALIVE: u64 = 1 << 32;
    const STATIC: u64 = 1 << 33;

    #[inline(always)]
    pub(super) fn new(generation: u32, alive: bool, mobility: Mobility) -> Self {
        let alive = if alive { Self::ALIVE } else { 0 };
        let mobility = if mobility == Mobility::Static { Self::STATIC } else { 0 };
        Self(u64::from(generation) | alive | mobility)
    }

    #[inline(always)]
    pub(super) fn generation(self) -> u32 {
        self.0 as u32
    }

    #[inline(always)]
    pub(super) fn is_alive(self) -> bool {
        self.0 & Self::ALIVE != 0
    }

    #[inline(always)]
    pub(super) fn mobility(self) -> Mobility {
        if self.0 & Self::STATIC == 0 { Mobility::Moving } else { Mobility::Static }
    }

    /// Whether this is the box with that generation.
    #[inline(always)]
    pub(super) fn is_of(self, id: ProxyId) -> bool {
        self.is_alive() && self.generation() == id.generation()
    }

    /// Whether the bounds only give a moving box another position.
    #[inline(always)]
    pub(super) fn is_plain_move(self, id: ProxyId, change: Change<'_>) -> bool {
        self == Self::new(id.generation(), true, Mobility::Moving) && change.is_plain()
    }
}

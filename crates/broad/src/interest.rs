//! Which pairs the application wants to hear of.

use crate::ProxyId;

/// Says which pairs are wanted. Asked while pairs are being found, possibly from several threads
/// at once, and only about pairs that may overlap.
///
/// Any function of two ids will do:
///
/// ```
/// use xcollide_broad::{Interest, ProxyId};
///
/// let no_odd_ones = |a: ProxyId, b: ProxyId| a.index() % 2 == 0 && b.index() % 2 == 0;
/// assert!(!no_odd_ones.wants(ProxyId::new(2, 0), ProxyId::new(3, 0)));
/// ```
pub trait Interest: Sync {
    /// Whether the pair is wanted; `a` is the smaller id.
    fn wants(&self, a: ProxyId, b: ProxyId) -> bool;

    /// Whether every pair is wanted, so that there is no need to ask.
    fn is_everything(&self) -> bool {
        false
    }
}

impl<F: Fn(ProxyId, ProxyId) -> bool + Sync> Interest for F {
    fn wants(&self, a: ProxyId, b: ProxyId) -> bool {
        self(a, b)
    }
}

/// Every pair is wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Everything;

impl Interest for Everything {
    fn wants(&self, _: ProxyId, _: ProxyId) -> bool {
        true
    }

    fn is_everything(&self) -> bool {
        true
    }
}

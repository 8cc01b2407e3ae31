//! Which pairs the application wants.

use crate::ProxyId;

/// Filters pairs during the search, for pairs that may overlap, possibly on several threads at once. Any
/// function of two ids is one:
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

    /// Whether every pair is wanted, so that [`wants`](Self::wants) need not be called.
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

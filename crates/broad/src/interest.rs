//! The filter for pairs.

use crate::ProxyId;

/// Selects the pairs that the application wants, during the search. Called for pairs that may overlap, possibly
/// on several threads at once. Implemented by every function of two ids:
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

    /// Whether every pair is wanted. Then [`wants`](Self::wants) need not be called.
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

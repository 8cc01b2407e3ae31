//! What can be wrong with a call.

use crate::ProxyId;

/// Why a broad phase refused a call. It is as it was before the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProxyError {
    /// The id names no box here: it was never inserted, or has been removed.
    #[error("no box {id} here: it was removed or never inserted")]
    Stale {
        /// The id that was given.
        id: ProxyId,
    },
    /// The index is in use.
    #[error("cannot insert box {id}: index {} belongs to box {holder}; remove that first", id.index())]
    Occupied {
        /// The id that was given.
        id: ProxyId,
        /// The id that has the index.
        holder: ProxyId,
    },
    /// The index is too large.
    #[error(
        "cannot insert box {id}: indices end at {}; take ids from ProxyIds",
        ProxyId::MAX_INDEX
    )]
    IndexTooLarge {
        /// The id that was given.
        id: ProxyId,
    },
    /// A bound is not a number.
    #[error(
        "box {id}: a bound or its motion is NaN, expected numbers (infinities may bound a box)"
    )]
    NotANumber {
        /// The id that was given.
        id: ProxyId,
    },
}

//! Errors of a broad phase.

use std::fmt;

use crate::ProxyId;

/// Why a broad phase refused a call. The broad phase is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProxyError {
    /// There is no such box: it was never inserted, or was removed.
    Stale {
        /// The id in the call.
        id: ProxyId,
    },
    /// The index is in use.
    Occupied {
        /// The id in the call.
        id: ProxyId,
        /// The id that has the index.
        holder: ProxyId,
    },
    /// The index is too large.
    IndexTooLarge {
        /// The id in the call.
        id: ProxyId,
    },
    /// A bound is not a number.
    NotANumber {
        /// The id in the call.
        id: ProxyId,
    },
}

impl fmt::Display for ProxyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stale { id } => write!(f, "no box {id} here: it was removed or never inserted"),
            Self::Occupied { id, holder } => {
                let index = id.index();
                write!(f, "cannot insert box {id}: ")?;
                write!(f, "index {index} belongs to box {holder}; remove that first")
            }
            Self::IndexTooLarge { id } => {
                let last = ProxyId::MAX_INDEX;
                write!(f, "cannot insert box {id}: indices end at {last}; take ids from ProxyIds")
            }
            Self::NotANumber { id } => {
                write!(f, "box {id}: a bound or its motion is NaN, ")?;
                write!(f, "expected numbers (infinities may bound a box)")
            }
        }
    }
}

impl std::error::Error for ProxyError {}

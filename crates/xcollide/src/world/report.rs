//! The reports of a frame, which callbacks get.

use super::{Collision, Ended, Frame, KindChange, ObjectPair};

/// The argument of a callback.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Report<'a> {
    /// The two collide and did not at the last check.
    Began(&'a Collision),
    /// They collided at the last check and still do, and at least one has moved.
    Persists(&'a Collision),
    /// They collide in another way than at the last check. Follows `Persists`.
    KindChanged(&'a KindChange),
    /// They no longer collide.
    Ended(&'a Ended),
}

impl Report<'_> {
    /// The two objects.
    #[must_use]
    pub fn pair(&self) -> ObjectPair {
        match self {
            Self::Began(collision) | Self::Persists(collision) => collision.pair,
            Self::KindChanged(change) => change.pair,
            Self::Ended(ended) => ended.pair,
        }
    }

    /// The collision; `None` if it has ended, and of a change of its kind.
    #[must_use]
    pub fn collision(&self) -> Option<&Collision> {
        match self {
            Self::Began(collision) | Self::Persists(collision) => Some(collision),
            Self::KindChanged(_) | Self::Ended(_) => None,
        }
    }
}

/// A function of the application for all reports, at the same time.
pub(super) type ParallelCallback = dyn Fn(Report<'_>, &Frame) + Send + Sync;

/// All reports of a frame, in order.
pub(super) fn reports(frame: &Frame) -> impl Iterator<Item = Report<'_>> {
    let persisting = frame.persisting.iter().filter(|collision| collision.is_new);
    let began = frame.began.iter().map(Report::Began);
    let changes = frame.kind_changes.iter().map(Report::KindChanged);
    let ended = frame.ended.iter().map(Report::Ended);
    began.chain(persisting.map(Report::Persists)).chain(changes).chain(ended)
}

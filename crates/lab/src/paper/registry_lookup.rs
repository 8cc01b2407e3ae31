//! Registry algorithms by name, with an error for unknown names.

use xcollide::bounding::Bounding;
use xcollide::broad::BroadPhase;
use xcollide::narrow::NarrowPhase;

use super::experiment::unusable;
use crate::compare::{Algorithm, CompareError};

/// The narrow phase of this name.
pub(super) fn narrow_phase(name: &str) -> Result<Algorithm<dyn NarrowPhase>, CompareError> {
    Algorithm::narrow_phase(name).ok_or_else(|| unusable(name, "there is no such algorithm"))
}

/// The broad phase of this name.
pub(super) fn broad_phase(name: &str) -> Result<Algorithm<dyn BroadPhase>, CompareError> {
    Algorithm::broad_phase(name).ok_or_else(|| unusable(name, "there is no such broad phase"))
}

/// The bounding strategy of this name.
pub(super) fn bounding(name: &str) -> Result<Algorithm<dyn Bounding>, CompareError> {
    Algorithm::bounding(name).ok_or_else(|| unusable(name, "there are no such bounds"))
}

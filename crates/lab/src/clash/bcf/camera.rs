//! From where an issue is looked at: from above, with all that clashes in the picture.

use xcollide::math::vector::{add, cross, scale, unit};

use crate::clash::focus::Focus;

/// The full vertical angle of view in degrees; version 2.1 allows 45 to 60.
pub(super) const FIELD_OF_VIEW: f64 = 60.0;
/// Width by height of the picture.
pub(super) const ASPECT_RATIO: f64 = 1.5;
/// From where the camera looks, not of length 1; z is up.
const FROM: [f64; 3] = [1.0, -1.0, 0.8];

/// A place and three directions of length 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Camera {
    pub(super) at: [f64; 3],
    pub(super) forward: [f64; 3],
    pub(super) right: [f64; 3],
    pub(super) up: [f64; 3],
    /// From the place to the middle of the picture.
    pub(super) distance: f64,
}

impl Camera {
    /// The camera for which a ball fills two thirds of the picture.
    pub(super) fn of(focus: &Focus) -> Self {
        let from = unit(FROM).unwrap_or(FROM);
        let distance = 1.5 * focus.radius / libm::sin(FIELD_OF_VIEW.to_radians() / 2.0);
        let forward = scale(from, -1.0);
        let right = unit(cross(forward, [0.0, 0.0, 1.0])).unwrap_or([1.0, 0.0, 0.0]);
        let at = add(focus.center, scale(from, distance));
        Self { at, forward, right, up: cross(right, forward), distance }
    }
}

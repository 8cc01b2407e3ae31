//! Promises about the motion of an object, for broad phases that look ahead.

/// A promise about how the velocity of an object changes (Hubbard 1993; Zachmann 1994, 2.7). The broad phase `space-time` uses
/// it; a wrong one costs time and changes no answer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct MotionPromise {
    /// The most by which the velocity of any side of its box changes, in units a frame, a frame.
    pub acceleration: f64,
    /// A direction that the acceleration never has a part in, such as upwards for what falls; its length does not matter. Zeros:
    /// none is known.
    pub never_towards: [f64; 3],
}

impl MotionPromise {
    /// A promise of an acceleration and a direction.
    #[must_use]
    pub fn new(acceleration: f64, never_towards: [f64; 3]) -> Self {
        Self { acceleration, never_towards }
    }
}

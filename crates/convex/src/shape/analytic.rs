//! The shapes with formulas, centered in their frames; axes of revolution are along z.

use super::{Core, Shape, ShapeError, length};
use xcollide_math::vector::length_squared;

/// The slack of rounded points: a few units in the last place.
const FORMULA: f64 = 16.0;

/// Slightly more, for the rounding of a length.
fn grown(value: f64) -> f64 {
    value * (1.0 + 1e-14)
}

fn lengths([x, y, z]: [f64; 3]) -> Result<[f64; 3], ShapeError> {
    Ok([length("half x", x)?, length("half y", y)?, length("half z", z)?])
}

/// A ball about the origin: a point with a radius.
///
/// ```
/// use xcollide_math::Pose;
/// use xcollide_convex::shape::{Ball, PlacedShape};
///
/// let ball = Ball::new(1.0)?;
/// let a = PlacedShape::new(&ball, &Pose::IDENTITY)?;
/// let b = PlacedShape::new(&ball, &Pose::from_translation([0.0, 5.0, 0.0]))?;
/// let found = a.distance(&b);
/// assert!(found.at_least <= 3.0 && 3.0 <= found.at_most);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Ball {
    radius: f64,
}

impl Ball {
    /// A ball with this radius.
    ///
    /// # Errors
    /// The radius is not between 1e-60 and 1e60.
    pub fn new(radius: f64) -> Result<Self, ShapeError> {
        Ok(Self { radius: length("radius", radius)? })
    }
}

impl Shape for Ball {
    fn farthest(&self, _: [f64; 3]) -> [f64; 3] {
        [0.0; 3]
    }

    fn radius(&self) -> f64 {
        self.radius
    }

    fn reach(&self) -> f64 {
        0.0
    }

    fn slack(&self) -> f64 {
        0.0
    }

    fn core(&self) -> Core {
        Core::Point
    }
}

/// All points at most `radius` away from the z-axis between −`half` and `half`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Capsule {
    half: f64,
    radius: f64,
}

impl Capsule {
    /// A capsule about a segment of length 2 · `half`.
    ///
    /// # Errors
    /// A length is not between 1e-60 and 1e60.
    pub fn new(half: f64, radius: f64) -> Result<Self, ShapeError> {
        Ok(Self { half: length("half", half)?, radius: length("radius", radius)? })
    }
}

impl Shape for Capsule {
    fn farthest(&self, direction: [f64; 3]) -> [f64; 3] {
        of_segment(self.half, direction)
    }

    fn radius(&self) -> f64 {
        self.radius
    }

    fn reach(&self) -> f64 {
        self.half
    }

    fn slack(&self) -> f64 {
        0.0
    }

    fn core(&self) -> Core {
        Core::Segment { half: self.half }
    }
}

/// A box: all points with |x|, |y| and |z| at most its three half extents.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Cuboid {
    half: [f64; 3],
}

impl Cuboid {
    /// A box of the extents 2 · `half`.
    ///
    /// # Errors
    /// A length is not between 1e-60 and 1e60.
    pub fn new(half: [f64; 3]) -> Result<Self, ShapeError> {
        Ok(Self { half: lengths(half)? })
    }
}

impl Shape for Cuboid {
    fn farthest(&self, direction: [f64; 3]) -> [f64; 3] {
        of_cuboid(self.half, direction)
    }

    fn reach(&self) -> f64 {
        grown(length_squared(self.half).sqrt())
    }

    fn slack(&self) -> f64 {
        0.0
    }

    fn inner_ball(&self) -> ([f64; 3], f64) {
        ([0.0; 3], self.half.into_iter().fold(f64::INFINITY, f64::min))
    }

    fn core(&self) -> Core {
        Core::Cuboid { half: self.half }
    }
}

/// A cylinder about the z-axis, from z = −`half` to `half`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Cylinder {
    half: f64,
    radius: f64,
}

impl Cylinder {
    /// A cylinder of height 2 · `half`.
    ///
    /// # Errors
    /// A length is not between 1e-60 and 1e60.
    pub fn new(half: f64, radius: f64) -> Result<Self, ShapeError> {
        Ok(Self { half: length("half", half)?, radius: length("radius", radius)? })
    }
}

impl Shape for Cylinder {
    fn farthest(&self, direction: [f64; 3]) -> [f64; 3] {
        of_cylinder(self.half, self.radius, direction)
    }

    fn reach(&self) -> f64 {
        grown((self.half * self.half + self.radius * self.radius).sqrt())
    }

    fn slack(&self) -> f64 {
        FORMULA
    }

    fn inner_ball(&self) -> ([f64; 3], f64) {
        ([0.0; 3], self.half.min(self.radius))
    }

    fn core(&self) -> Core {
        Core::Cylinder { half: self.half, radius: self.radius }
    }
}

/// A cone about the z-axis: its base at z = −`half`, its apex at z = `half`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Cone {
    half: f64,
    radius: f64,
}

impl Cone {
    /// A cone of height 2 · `half` over a disc.
    ///
    /// # Errors
    /// A length is not between 1e-60 and 1e60.
    pub fn new(half: f64, radius: f64) -> Result<Self, ShapeError> {
        Ok(Self { half: length("half", half)?, radius: length("radius", radius)? })
    }
}

impl Shape for Cone {
    fn farthest(&self, direction: [f64; 3]) -> [f64; 3] {
        of_cone(self.half, self.radius, direction)
    }

    fn reach(&self) -> f64 {
        grown((self.half * self.half + self.radius * self.radius).sqrt())
    }

    fn slack(&self) -> f64 {
        FORMULA
    }

    /// The largest ball in a cone touches base and side.
    fn inner_ball(&self) -> ([f64; 3], f64) {
        let height = 2.0 * self.half;
        let side = (height * height + self.radius * self.radius).sqrt();
        let ball = height * (self.radius / (self.radius + side)) * (1.0 - 1e-12);
        ([0.0, 0.0, ball - self.half], ball)
    }

    fn core(&self) -> Core {
        Core::Cone { half: self.half, radius: self.radius }
    }
}

/// An ellipsoid by its three half axes, along x, y and z.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Ellipsoid {
    half: [f64; 3],
}

impl Ellipsoid {
    /// An ellipsoid with these half axes.
    ///
    /// # Errors
    /// A length is not between 1e-60 and 1e60.
    pub fn new(half: [f64; 3]) -> Result<Self, ShapeError> {
        Ok(Self { half: lengths(half)? })
    }
}

impl Shape for Ellipsoid {
    fn farthest(&self, direction: [f64; 3]) -> [f64; 3] {
        of_ellipsoid(self.half, direction)
    }

    fn reach(&self) -> f64 {
        self.half.into_iter().fold(0.0, f64::max)
    }

    fn slack(&self) -> f64 {
        FORMULA
    }

    fn inner_ball(&self) -> ([f64; 3], f64) {
        ([0.0; 3], self.half.into_iter().fold(f64::INFINITY, f64::min))
    }

    fn core(&self) -> Core {
        Core::Ellipsoid { half: self.half }
    }
}

/// The end of a segment along z that is farthest along a direction.
#[inline]
pub(super) fn of_segment(half: f64, [_, _, z]: [f64; 3]) -> [f64; 3] {
    [0.0, 0.0, half.copysign(z)]
}

/// The same for a box.
#[inline]
pub(super) fn of_cuboid(half: [f64; 3], direction: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|axis| half[axis].copysign(direction[axis]))
}

/// The same for a cylinder; along its axis the center of a base.
#[inline]
pub(super) fn of_cylinder(half: f64, radius: f64, [x, y, z]: [f64; 3]) -> [f64; 3] {
    let across = (x * x + y * y).sqrt();
    let factor = if across > 0.0 { radius / across } else { 0.0 };
    [x * factor, y * factor, half.copysign(z)]
}

/// The same for a cone: the apex, or a point of the rim.
#[inline]
pub(super) fn of_cone(half: f64, radius: f64, [x, y, z]: [f64; 3]) -> [f64; 3] {
    let across = (x * x + y * y).sqrt();
    if radius * across > 2.0 * z * half {
        let factor = if across > 0.0 { radius / across } else { 0.0 };
        [x * factor, y * factor, -half]
    } else {
        [0.0, 0.0, half]
    }
}

/// The same for an ellipsoid.
#[inline]
pub(super) fn of_ellipsoid(half: [f64; 3], direction: [f64; 3]) -> [f64; 3] {
    let scaled = [0, 1, 2].map(|axis| half[axis] * direction[axis]);
    let height = length_squared(scaled).sqrt();
    let factor = if height > 0.0 { 1.0 / height } else { 0.0 };
    [0, 1, 2].map(|axis| half[axis] * (scaled[axis] * factor))
}

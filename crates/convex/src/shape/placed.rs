//! A shape at a pose.

use xcollide_math::{Pose, PoseError};

use super::{Core, Shape, analytic};
use crate::body::UNIT;
use xcollide_math::vector::{add, dot, scale, sub, taxicab};

/// A shape placed in the world.
#[derive(Debug)]
pub struct PlacedShape<'a, S: ?Sized> {
    pub(super) shape: &'a S,
    motion: Pose,
    pub(super) core: Core,
    pub(super) radius: f64,
    pub(super) reach: f64,
    /// A bound of |`RᵀR` − I| for the matrix R.
    pub(super) drift: f64,
    /// In the world.
    pub(super) inner_ball: ([f64; 3], f64),
    /// A bound of the error of a height, and of the distance from the core of a point computed from a few of
    /// [`farthest`](Self::farthest).
    pub(super) error: f64,
}

impl<S: ?Sized> Clone for PlacedShape<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: ?Sized> Copy for PlacedShape<'_, S> {}

/// Beyond this, bounds on rounding errors do not hold.
const FARTHEST: f64 = 1e100;

impl<'a, S: Shape + ?Sized> PlacedShape<'a, S> {
    /// Places a shape: the matrix of the pose moves the core and leaves the radius.
    ///
    /// # Errors
    /// The pose is no rigid motion of finite numbers, or farther away than 1e100.
    pub fn new(shape: &'a S, pose: &Pose) -> Result<Self, PoseError> {
        pose.check()?;
        let motion = *pose;
        let translation = taxicab(motion.translation());
        if translation > FARTHEST {
            return Err(PoseError::OutOfRange { extent: shape.reach(), translation });
        }
        let (center, inner) = shape.inner_ball();
        Ok(Self {
            shape,
            motion,
            core: shape.core(),
            radius: shape.radius(),
            reach: shape.reach(),
            drift: drift_of(motion.rotation()),
            // The matrix is a rotation up to 1e-5.
            inner_ball: (motion.apply(center), inner * (1.0 - 1e-4)),
            error: error(shape, translation),
        })
    }

    /// A bound of the norm of `RᵀR` − I for the matrix R of the pose: by how much it is no rotation, rounding included.
    #[must_use]
    pub fn drift(&self) -> f64 {
        self.drift
    }

    /// The same shape, moved further: the sum of both translations is rounded.
    pub(super) fn translated(&self, by: [f64; 3]) -> Self {
        let motion = self.motion.with_translation(add(self.motion.translation(), by));
        let center = add(self.inner_ball.0, by);
        Self {
            motion,
            inner_ball: (center, self.inner_ball.1),
            error: error(self.shape, taxicab(motion.translation())),
            ..*self
        }
    }

    /// The greatest scalar product of a direction of length 1 with a point of the shape, and its error.
    #[must_use]
    pub fn height(&self, direction: [f64; 3]) -> (f64, f64) {
        let height = dot(direction, self.farthest(direction)) + self.radius;
        (height, self.error)
    }

    /// A point of the shape in the world that is farthest along a unit vector, rounded: off by at most the error of
    /// [`height`](Self::height).
    #[must_use]
    pub fn farthest_point(&self, direction: [f64; 3]) -> [f64; 3] {
        add(self.farthest(direction), scale(direction, self.radius))
    }

    /// A point that is deep in the shape: the center of its inner ball, or of a shape with a formula whose core has none,
    /// the origin of its frame, which is not rounded; else a point of the core, rounded.
    #[must_use]
    pub fn inner_point(&self) -> [f64; 3] {
        if self.inner_ball.1 > 0.0 || self.core != Core::Other {
            self.inner_ball.0
        } else {
            self.farthest([1.0, 0.0, 0.0])
        }
    }

    /// Whether [`inner_point`](Self::inner_point) is sure to be in the shape: it need not be if that is as thin as what is rounded.
    #[must_use]
    pub fn has_inner_point(&self) -> bool {
        self.core != Core::Other || self.inner_ball.1 + self.radius > 4.0 * self.error
    }

    /// A point of the core in the world that is farthest along a unit vector, rounded.
    #[inline]
    pub(crate) fn farthest(&self, direction: [f64; 3]) -> [f64; 3] {
        let local = || self.turned_back(direction);
        let farthest = match self.core {
            Core::Point => return self.motion.translation(),
            Core::Segment { half } => analytic::of_segment(half, local()),
            Core::Cuboid { half } => analytic::of_cuboid(half, local()),
            Core::Cylinder { half, radius } => analytic::of_cylinder(half, radius, local()),
            Core::Cone { half, radius } => analytic::of_cone(half, radius, local()),
            Core::Ellipsoid { half } => analytic::of_ellipsoid(half, local()),
            Core::Other => self.shape.farthest(local()),
        };
        self.motion.apply(farthest)
    }

    /// Turns a direction to the frame of the shape, as if the matrix were a rotation.
    #[inline(always)]
    fn turned_back(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let [r, s, t] = self.motion.rotation();
        [0, 1, 2].map(|axis| (r[axis] * x + s[axis] * y) + t[axis] * z)
    }

    /// The origin of the shape's frame, in the world.
    #[inline(always)]
    pub(crate) fn center(&self) -> [f64; 3] {
        self.motion.translation()
    }

    /// The matrix that turns the shape's frame into the world.
    #[inline(always)]
    pub(crate) fn rotation(&self) -> &[[f64; 3]; 3] {
        self.motion.rotation()
    }

    /// The z-axis of the shape's frame, in the world: a unit vector up to 1e-5.
    #[inline(always)]
    pub(crate) fn axis(&self) -> [f64; 3] {
        self.motion.rotation().map(|row| row[2])
    }

    /// Moves a point to the frame of the shape: rounded, and as if the matrix were a rotation.
    #[inline(always)]
    pub(crate) fn local(&self, point: [f64; 3]) -> [f64; 3] {
        self.turned_back(sub(point, self.motion.translation()))
    }

    /// Moves a point to the frame of the shape with the inverse of the matrix: rounded.
    pub(super) fn moved_back(&self, point: [f64; 3]) -> [f64; 3] {
        let [local, _] = self.motion.to_local(point, [0.0; 3]);
        local
    }

    /// Moves a point of the frame to the world.
    #[inline(always)]
    pub(crate) fn moved(&self, point: [f64; 3]) -> [f64; 3] {
        self.motion.apply(point)
    }
}

/// A bound of the norm of `RᵀR` − I, which is that of `RRᵀ` − I: three times the largest entry, with its rounding.
fn drift_of([r, s, t]: &[[f64; 3]; 3]) -> f64 {
    let lengths = [dot(*r, *r) - 1.0, dot(*s, *s) - 1.0, dot(*t, *t) - 1.0];
    let angles = [dot(*r, *s), dot(*s, *t), dot(*t, *r)];
    let largest = lengths.iter().chain(&angles).fold(0.0_f64, |most, x| most.max(x.abs()));
    3.0 * (largest + 8.0 * UNIT)
}

/// With ρ the reach and t the translation: the turned direction is off by 7u, its length is made 1 afterwards, which turns
/// it by 3u, and is off by 4u, which moves heights by 17uρ + 4u|t|; moving a point adds 9.2uρ + 4u|t|, a scalar product
/// 3.1u(ρ + |t|), and a weighted sum of four points twice that.
fn error<S: Shape + ?Sized>(shape: &S, translation: f64) -> f64 {
    let (reach, radius) = (shape.reach(), shape.radius());
    UNIT * ((64.0 + 2.0 * shape.slack()) * reach + 48.0 * translation + 16.0 * radius)
}

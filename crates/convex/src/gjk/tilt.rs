//! Tilted first directions of boolean GJK.
//!
//! If bodies nearly touch, the nearest point of one or two differences is far aside: the direction to it finds a corner at
//! the other end of the bodies, and coming back takes many steps. For balls a direction tilted by x / r finds a point x
//! aside, where r is the sum of the radii; so tilting twice as far finds the mirror image of the nearest point. A little
//! more is better, as corners are scattered.

use xcollide_simd::F64x4;
use xcollide_simd::vec3::{add, scale};

/// How far the next directions are tilted, and how many are left.
pub(crate) struct Tilt<F> {
    factor: F,
    left: u32,
    farther: u32,
}

/// How far, in parts of x / r, and how often. All values are measured on hulls of 8 to 1000 points: near contact a search
/// takes 7.1 directions instead of 8.9 with 1000 points, 7.0 instead of 7.5 with 100, and more of them with 8.
const TILT: f64 = 3.0;
const TILTS: u32 = 3;

/// How much farther after a direction without a new corner, and how often.
const FARTHER: f64 = 4.0;
const TIMES_FARTHER: u32 = 2;

/// In bodies that penetrate by more than this part of the sum of their radii the nearest point is far aside.
const DEEP: f64 = 0.02;

impl<F: F64x4> Tilt<F> {
    /// For this sum of the radii, and the squared length and the gap of the first direction.
    #[inline(always)]
    pub(crate) fn new(radius: Option<f64>, square: F, gap: F) -> Self {
        let Some(radius) = radius else { return Self::none() };
        let length = square.first().sqrt();
        if gap.first() < -DEEP * length * radius {
            return Self::none();
        }
        let factor = F::splat(TILT * length / radius);
        Self { factor, left: TILTS, farther: TIMES_FARTHER }
    }

    #[inline(always)]
    pub(crate) fn none() -> Self {
        Self { factor: F::splat(0.0), left: 0, farther: 0 }
    }

    /// A direction tilted towards the nearest point.
    #[inline(always)]
    pub(crate) fn of(&mut self, middle: [F; 3], nearest: [F; 3]) -> Option<[F; 3]> {
        self.left = self.left.checked_sub(1)?;
        Some(add(middle, scale(nearest, self.factor)))
    }

    /// The same, tilted farther.
    #[inline(always)]
    pub(crate) fn farther(&mut self, middle: [F; 3], nearest: [F; 3]) -> Option<[F; 3]> {
        self.farther = self.farther.checked_sub(1)?;
        self.factor = self.factor.mul(F::splat(FARTHER));
        Some(add(middle, scale(nearest, self.factor)))
    }
}

//! The volumes in f32, rounded outward: half the memory, and they still hold all they bound.
//!
//! Numbers are stored in f32 and computed with in f64: a compact volume is
//! [widened](AabbF32::widened), and the result, where it is a volume, [enclosed](AabbF32::enclosing)
//! again. Coordinates beyond the range of f32 become bounds that are open to that side.

mod aabb;
mod kdop;
mod obb;
mod sphere;

pub use aabb::AabbF32;
pub use kdop::KDopF32;
pub use obb::ObbF32;
pub use sphere::SphereF32;

/// Stands for infinity where arithmetic would make NaN of it; far beyond every coordinate, and
/// its square is still finite.
const FAR: f64 = 1e150;

/// A stored bound for computing: what is infinite becomes large.
fn widen(value: f32) -> f64 {
    f64::from(value).clamp(-FAR, FAR)
}

/// A coordinate of a center: the nearest f32, the largest where it is out of range.
fn nearest(value: f64) -> f32 {
    (value as f32).clamp(-f32::MAX, f32::MAX)
}

/// Implements `BoundingVolume` for a compact form by its wide one.
macro_rules! by_widening {
    ([$($generics:tt)*] $compact:ty, $wide:ty) => {
        impl $($generics)* crate::BoundingVolume for $compact {
            type Prepared = <$wide as crate::BoundingVolume>::Prepared;

            fn fit(points: &[[f64; 3]]) -> Self {
                Self::enclosing(&<$wide>::fit(points))
            }

            fn merged(&self, other: &Self) -> Self {
                // What is merged with nothing stays as it is, not enclosed again.
                let (one, two) = (self.widened(), other.widened());
                if one.is_empty() {
                    *other
                } else if two.is_empty() {
                    *self
                } else {
                    Self::enclosing(&one.merged(&two))
                }
            }

            #[inline]
            fn overlaps(&self, other: &Self) -> bool {
                self.widened().overlaps(&other.widened())
            }

            #[inline]
            fn contains(&self, point: [f64; 3]) -> bool {
                self.widened().contains(point)
            }

            fn expanded(&self, margin: f64) -> Self {
                Self::enclosing(&crate::BoundingVolume::expanded(&self.widened(), margin))
            }

            fn prepare(motion: &xcollide_math::Pose, margin: f64) -> Self::Prepared {
                <$wide>::prepare(motion, margin)
            }

            #[inline]
            fn moved(&self, prepared: &Self::Prepared) -> Self {
                Self::enclosing(&self.widened().moved(prepared))
            }

            fn volume(&self) -> f64 {
                self.widened().volume()
            }

            fn surface(&self) -> f64 {
                self.widened().surface()
            }

            #[inline]
            fn bulk(&self) -> f64 {
                self.widened().bulk()
            }

            fn distance_squared(&self, other: &Self) -> f64 {
                crate::BoundingVolume::distance_squared(&self.widened(), &other.widened())
            }

            fn center(&self) -> [f64; 3] {
                self.widened().center()
            }
        }
    };
}
use by_widening;

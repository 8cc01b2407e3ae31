//! Two numbers at a time, for what is computed of two bodies alike.
//!
//! Compilers do not find such code by themselves where both numbers come from different places.

#[cfg(target_arch = "x86_64")]
mod simd_sse2;

#[cfg(target_arch = "x86_64")]
use simd_sse2::Lanes;

/// A number of one body and one of another; operations are made on both, each rounded on its own,
/// so results are the same on every processor.
///
/// ```
/// use xcollide_convex::Two;
///
/// let [width, height] = [Two::new(3.0, 5.0), Two::new(2.0, 0.5)];
/// assert_eq!(width.times(height).plus(Two::same(1.0)).each(), [7.0, 3.5]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Two(Lanes);

impl Two {
    /// One number of each.
    #[inline(always)]
    #[must_use]
    pub fn new(first: f64, second: f64) -> Self {
        Self(Lanes::new(first, second))
    }

    /// The same number for both.
    #[inline(always)]
    #[must_use]
    pub fn same(value: f64) -> Self {
        Self::new(value, value)
    }

    /// Both numbers.
    #[inline(always)]
    #[must_use]
    pub fn each(self) -> [f64; 2] {
        self.0.each()
    }

    /// The sums.
    #[inline(always)]
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self(self.0.plus(other.0))
    }

    /// The products.
    #[inline(always)]
    #[must_use]
    pub fn times(self, other: Self) -> Self {
        Self(self.0.times(other.0))
    }
}

#[cfg(not(target_arch = "x86_64"))]
type Lanes = Plain;

/// The plain twin of the register.
#[cfg(any(test, not(target_arch = "x86_64")))]
#[derive(Clone, Copy, Debug)]
struct Plain([f64; 2]);

#[cfg(any(test, not(target_arch = "x86_64")))]
impl Plain {
    #[inline(always)]
    fn new(first: f64, second: f64) -> Self {
        Self([first, second])
    }

    #[inline(always)]
    fn each(self) -> [f64; 2] {
        self.0
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self([self.0[0] + other.0[0], self.0[1] + other.0[1]])
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        Self([self.0[0] * other.0[0], self.0[1] * other.0[1]])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_twins_give_the_same_bits() {
        let values = [0.1, -0.0, 3.7e300, -2.5e-300, f64::MIN_POSITIVE, f64::INFINITY, 1.0 / 3.0];
        for a in values {
            for b in values {
                let (x, y) = (Two::new(a, b), Two::new(b, 0.7));
                let (p, q) = (Plain::new(a, b), Plain::new(b, 0.7));
                let bits = |values: [f64; 2]| values.map(f64::to_bits);
                assert_eq!(bits(x.plus(y).each()), bits(p.plus(q).each()));
                assert_eq!(bits(x.times(y).each()), bits(p.times(q).each()));
            }
        }
    }
}

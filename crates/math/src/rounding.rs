//! Conversions to f32 that are rounded in a chosen direction.

/// The smallest f32 that is not less than `value`; infinite above the range of f32.
///
/// ```
/// use xcollide_math::{f32_above, f32_below};
///
/// assert_eq!(f32_above(0.5), 0.5);
/// assert!(f64::from(f32_above(0.1)) > 0.1 && f64::from(f32_below(0.1)) < 0.1);
/// ```
#[inline]
#[must_use]
pub fn f32_above(value: f64) -> f32 {
    let near = value as f32;
    if f64::from(near) < value { near.next_up() } else { near }
}

/// The largest f32 that is not greater than `value`; infinite below the range of f32.
#[inline]
#[must_use]
pub fn f32_below(value: f64) -> f32 {
    let near = value as f32;
    if f64::from(near) > value { near.next_down() } else { near }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f32_forms_stay_on_their_side() {
        for value in [0.1, -0.1, 1e300, -1e300, 1e-60, -1e-60, 16_777_217.0] {
            assert!(f64::from(f32_above(value)) >= value);
            assert!(f64::from(f32_below(value)) <= value);
        }
    }
}

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
    moved(near, i32::from(f64::from(near) < value))
}

/// The largest f32 that is not greater than `value`; infinite below the range of f32.
#[inline]
#[must_use]
pub fn f32_below(value: f64) -> f32 {
    let near = value as f32;
    moved(near, -i32::from(f64::from(near) > value))
}

/// The number that is `steps` after this one in the order of all f32, in which -0 is before 0. Has no branch, which would be
/// unpredictable.
#[inline(always)]
fn moved(number: f32, steps: i32) -> f32 {
    /// Bits as numbers in that order, and back.
    const fn ordered(bits: i32) -> i32 {
        bits ^ (bits >> 31 & i32::MAX)
    }
    f32::from_bits(ordered(ordered(number.to_bits() as i32).wrapping_add(steps)) as u32)
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

    #[test]
    fn f32_forms_are_the_nearest_on_their_side() {
        let around = |number: f32| [number.next_down(), number, number.next_up()];
        let numbers = [0.0, -0.0, 1e-45, 1e-38, 0.1, 1.0, -1.0, -7e5, f32::MAX, f32::MIN];
        for number in numbers.into_iter().flat_map(around).filter(|number| number.is_finite()) {
            let exact = f64::from(number);
            assert_eq!([f32_above(exact), f32_below(exact)], [number; 2]);
            let [low, high] = [exact.next_down(), exact.next_up()];
            assert_eq!([f32_above(high), f32_below(low)], [number.next_up(), number.next_down()]);
            assert_eq!([f32_above(low), f32_below(high)], [number; 2]);
        }
        for value in [f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!([f32_above(value), f32_below(value)], [value as f32; 2]);
        }
        assert_eq!([f32_above(1e300), f32_below(1e300)], [f32::INFINITY, f32::MAX]);
        assert_eq!([f32_above(-1e300), f32_below(-1e300)], [f32::MIN, f32::NEG_INFINITY]);
        assert!(f32_above(f64::NAN).is_nan() && f32_below(f64::NAN).is_nan());
    }
}

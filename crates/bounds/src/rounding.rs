//! Rounding in a chosen direction, on processors that round to nearest.

/// Half the distance from 1 to the next f64: the relative error of one rounded operation.
pub(crate) const UNIT: f64 = f64::EPSILON / 2.0;

/// A sum that is not less than the true one, and the true one where that is an f64; elsewhere at
/// most two units too large. Without branches.
#[inline]
pub(crate) fn add_up(a: f64, b: f64) -> f64 {
    let sum = a + b;
    if rounding_error(a, b, sum) > 0.0 { sum + step(sum) } else { sum }
}

/// A sum that is not greater than the true one, and the true one where that is an f64; elsewhere
/// at most two units too small. Without branches.
#[inline]
pub(crate) fn add_down(a: f64, b: f64) -> f64 {
    let sum = a + b;
    if rounding_error(a, b, sum) < 0.0 { sum - step(sum) } else { sum }
}

/// At least the distance to the next f64. (Sums that are subnormal are exact.)
#[inline]
fn step(value: f64) -> f64 {
    value.abs() * f64::EPSILON
}

/// What is lacking in a rounded sum, exactly (Knuth's two-sum); NaN where the sum is infinite.
#[inline]
fn rounding_error(a: f64, b: f64, sum: f64) -> f64 {
    let b_in_sum = sum - a;
    (a - (sum - b_in_sum)) + (b - b_in_sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_rounded_only_where_they_must_be() {
        assert_eq!(add_up(0.25, 0.5), 0.75);
        assert_eq!(add_down(0.25, 0.5), 0.75);
        assert_eq!(add_up(1.0, 1e-30), 1.0_f64.next_up());
        assert_eq!(add_down(1.0, 1e-30), 1.0);
        assert_eq!(add_down(1.0, -1e-30), 1.0_f64.next_down().next_down());
        assert!(add_up(1e-320, 1e-310) == 1e-320 + 1e-310 && add_up(-1.0, 1e-30) > -1.0);
        assert_eq!(add_up(f64::NEG_INFINITY, 1.0), f64::NEG_INFINITY);
    }
}
